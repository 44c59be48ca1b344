//! A tree of anything: what a game with variations, a library and a game at the board are made of.
//!
//! Nodes live in one list and are linked by their places in it: parent, first and last child, next
//! sibling. The first child of each node continues the main line. A [`NodeId`] stays valid until its
//! node is deleted, and is never given to another.

/// The root's place; in a link it stands for "none", since nothing links to the root as a child.
const NONE: u32 = 0;

/// A node of a tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(NONE);

    /// The node with this number, which need not exist.
    pub const fn of(number: u32) -> NodeId {
        NodeId(number)
    }

    /// Its number.
    pub const fn number(self) -> u32 {
        self.0
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// See the module.
#[derive(Clone, Debug)]
pub struct Tree<T> {
    slots: Vec<Option<Slot<T>>>,
    count: usize,
}

#[derive(Clone, Debug)]
struct Slot<T> {
    value: T,
    parent: u32,
    first: u32,
    last: u32,
    next: u32,
}

fn linked(link: u32) -> Option<NodeId> {
    (link != NONE).then_some(NodeId(link))
}

impl<T> Tree<T> {
    /// A tree of one node.
    pub fn new(root: T) -> Tree<T> {
        let slot = Slot { value: root, parent: NONE, first: NONE, last: NONE, next: NONE };
        Tree { slots: vec![Some(slot)], count: 1 }
    }

    /// Number of nodes, the root included.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Whether there is such a node.
    pub fn contains(&self, node: NodeId) -> bool {
        self.slots.get(node.index()).is_some_and(Option::is_some)
    }

    fn slot(&self, node: NodeId) -> &Slot<T> {
        self.slots[node.index()].as_ref().expect("a node of this tree")
    }

    fn slot_mut(&mut self, node: NodeId) -> &mut Slot<T> {
        self.slots[node.index()].as_mut().expect("a node of this tree")
    }

    /// What a node holds. The node must exist.
    pub fn value(&self, node: NodeId) -> &T {
        &self.slot(node).value
    }

    /// What a node holds, to be changed. The node must exist.
    pub fn value_mut(&mut self, node: NodeId) -> &mut T {
        &mut self.slot_mut(node).value
    }

    /// A new node, the last child of `parent`, which must exist.
    pub fn add(&mut self, parent: NodeId, value: T) -> NodeId {
        let node = u32::try_from(self.slots.len()).expect("fewer nodes than memory has bytes");
        let slot = Slot { value, parent: parent.0, first: NONE, last: NONE, next: NONE };
        self.slots.push(Some(slot));
        self.count += 1;
        let above = self.slot_mut(parent);
        let before = std::mem::replace(&mut above.last, node);
        match linked(before) {
            Some(before) => self.slot_mut(before).next = node,
            None => self.slot_mut(parent).first = node,
        }
        NodeId(node)
    }

    /// The node above; `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node != NodeId::ROOT).then(|| NodeId(self.slot(node).parent))
    }

    /// The child that continues the main line.
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        linked(self.slot(node).first)
    }

    /// The next sibling.
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        linked(self.slot(node).next)
    }

    /// The children of a node, the main line's first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(node), |&child| self.next_sibling(child))
    }

    /// The nodes below `node` along first children.
    pub fn main_line(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(node), |&node| self.first_child(node))
    }

    /// The nodes from below the root down to `node`, which must exist.
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let up = std::iter::successors(Some(node), |&node| self.parent(node));
        let mut path: Vec<NodeId> = up.take_while(|&node| node != NodeId::ROOT).collect();
        path.reverse();
        path
    }

    /// All nodes, the root first, every branch before its next sibling.
    pub fn preorder(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::once(NodeId::ROOT).chain(self.below(NodeId::ROOT))
    }

    /// The nodes below `node`, every branch before its next sibling.
    pub fn below(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let next = move |&at: &NodeId| self.first_child(at).or_else(|| self.after(at, node));
        std::iter::successors(self.first_child(node), next)
    }

    /// The first node in preorder that lies neither at nor below `node`, but below `top`.
    fn after(&self, node: NodeId, top: NodeId) -> Option<NodeId> {
        let mut up = std::iter::successors(Some(node), |&node| self.parent(node));
        up.by_ref().take_while(|&node| node != top).find_map(|node| self.next_sibling(node))
    }

    /// Whether no node has two children.
    pub fn is_line(&self) -> bool {
        self.main_line(NodeId::ROOT).count() + 1 == self.count
    }

    /// Whether `node` lies on the main line.
    pub fn is_main(&self, node: NodeId) -> bool {
        self.last_turn(node).is_none()
    }

    /// The last node on the way down to `node` that is no first child.
    fn last_turn(&self, node: NodeId) -> Option<NodeId> {
        let mut up = std::iter::successors(Some(node), |&node| self.parent(node));
        up.find(|&node| {
            self.parent(node).is_some_and(|parent| self.first_child(parent) != Some(node))
        })
    }

    /// Let the variation that holds `node` take the place of the line that it departs from; whether
    /// there was one to depart from.
    pub fn promote(&mut self, node: NodeId) -> bool {
        let Some(turn) = self.last_turn(node) else { return false };
        self.unlink(turn);
        let parent = NodeId(self.slot(turn).parent);
        let first = std::mem::replace(&mut self.slot_mut(parent).first, turn.0);
        self.slot_mut(turn).next = first;
        if first == NONE {
            self.slot_mut(parent).last = turn.0;
        }
        true
    }

    /// Delete a node with all below it; the root stays.
    pub fn delete(&mut self, node: NodeId) {
        if node == NodeId::ROOT || !self.contains(node) {
            return;
        }
        self.unlink(node);
        let mut doomed = vec![node];
        while let Some(node) = doomed.pop() {
            doomed.extend(self.children(node));
            self.slots[node.index()] = None;
            self.count -= 1;
        }
    }

    /// Take a node out of its parent's children.
    fn unlink(&mut self, node: NodeId) {
        let next = std::mem::replace(&mut self.slot_mut(node).next, NONE);
        let parent = NodeId(self.slot(node).parent);
        let before = self.children(parent).take_while(|&child| child != node).last();
        match before {
            Some(before) => self.slot_mut(before).next = next,
            None => self.slot_mut(parent).first = next,
        }
        if self.slot(parent).last == node.0 {
            self.slot_mut(parent).last = before.map_or(NONE, NodeId::number);
        }
    }
}

/// Two trees are equal where they have the same shape and hold the same, whatever the numbers of
/// their nodes.
impl<T: PartialEq> PartialEq for Tree<T> {
    fn eq(&self, other: &Tree<T>) -> bool {
        let same = |(a, b): (NodeId, NodeId)| {
            self.value(a) == other.value(b) && self.children(a).count() == other.children(b).count()
        };
        self.count == other.count && self.preorder().zip(other.preorder()).all(same)
    }
}

impl<T: Eq> Eq for Tree<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    /// `a` with `b` and `e`; below `b` `c` and `d`.
    fn letters() -> (Tree<char>, [NodeId; 5]) {
        let mut tree = Tree::new('a');
        let b = tree.add(NodeId::ROOT, 'b');
        let (c, d) = (tree.add(b, 'c'), tree.add(b, 'd'));
        let e = tree.add(NodeId::ROOT, 'e');
        (tree, [NodeId::ROOT, b, c, d, e])
    }

    fn shown(tree: &Tree<char>) -> String {
        tree.preorder().map(|node| tree.value(node)).collect()
    }

    #[test]
    fn branches_come_before_their_siblings() {
        let (tree, [_, b, c, d, e]) = letters();
        assert_eq!((shown(&tree).as_str(), tree.count()), ("abcde", 5));
        assert_eq!(tree.path(d), [b, d]);
        assert_eq!(tree.below(b).collect::<Vec<_>>(), [c, d]);
        assert_eq!(tree.main_line(NodeId::ROOT).collect::<Vec<_>>(), [b, c]);
        assert!(tree.is_main(c) && !tree.is_main(d) && !tree.is_main(e) && !tree.is_line());
    }

    #[test]
    fn a_variation_is_promoted_step_by_step() {
        let (mut tree, [_, b, _, d, e]) = letters();
        let deep = tree.add(e, 'f');
        assert!(tree.promote(deep));
        assert_eq!(shown(&tree), "aefbcd");
        assert!(!tree.promote(deep));
        assert!(tree.promote(d));
        assert_eq!(shown(&tree), "aefbdc");
        assert!(tree.promote(d));
        assert_eq!(shown(&tree), "abdcef");
        assert!(!tree.promote(b));
        // What is added afterwards comes last.
        tree.add(b, 'g');
        tree.add(NodeId::ROOT, 'h');
        assert_eq!(shown(&tree), "abdcgefh");
    }

    #[test]
    fn deleting_takes_the_branch_and_leaves_the_rest() {
        let (mut tree, [root, b, c, d, e]) = letters();
        tree.delete(root);
        assert_eq!(tree.count(), 5);
        tree.delete(d);
        assert_eq!((shown(&tree).as_str(), tree.contains(d)), ("abce", false));
        let again = tree.add(b, 'd');
        assert_ne!(again, d, "numbers are not given twice");
        tree.delete(b);
        assert_eq!((shown(&tree).as_str(), tree.contains(c)), ("ae", false));
        tree.delete(b);
        tree.delete(e);
        assert_eq!((shown(&tree).as_str(), tree.count()), ("a", 1));
        tree.add(NodeId::ROOT, 'z');
        assert_eq!(shown(&tree), "az");
    }

    #[test]
    fn equality_is_about_shape_and_content() {
        let (tree, [_, b, ..]) = letters();
        let (mut other, [_, other_b, _, d, _]) = letters();
        assert_eq!(tree, other);
        other.delete(d);
        assert_ne!(tree, other);
        other.add(other_b, 'd');
        assert_eq!(tree, other);
        // The same letters in the same order, hung up elsewhere.
        let mut line = Tree::new('a');
        let mut at = NodeId::ROOT;
        for letter in "bcde".chars() {
            at = line.add(at, letter);
        }
        assert_ne!(tree, line);
        assert_eq!(tree.value(b), &'b');
    }
}
