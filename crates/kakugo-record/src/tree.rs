//! A generic tree: the base of game trees, RenLib libraries and the game on the web board.
//!
//! Nodes are stored in one list and linked by index: parent, first and last child, next sibling.
//! The first child of a node continues the main line. A [`NodeId`] stays valid until its node is
//! deleted and is never reused.

/// Index of the root. As a link it means "none", because the root is never a child.
const NONE: u32 = 0;

/// Identifier of a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

impl NodeId {
    /// The root of every tree.
    pub const ROOT: NodeId = NodeId(NONE);

    /// Returns the identifier with this number. The node may not exist.
    pub const fn from_number(number: u32) -> NodeId {
        NodeId(number)
    }

    /// Returns the number of this identifier.
    pub const fn number(self) -> u32 {
        self.0
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A tree of values of type `T` with at least a root.
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
    /// Creates a tree with only a root.
    pub fn new(root: T) -> Tree<T> {
        let slot = Slot { value: root, parent: NONE, first: NONE, last: NONE, next: NONE };
        Tree { slots: vec![Some(slot)], count: 1 }
    }

    /// Returns the number of nodes, including the root.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns true if the node exists.
    pub fn contains(&self, node: NodeId) -> bool {
        self.slots.get(node.index()).is_some_and(Option::is_some)
    }

    fn slot(&self, node: NodeId) -> &Slot<T> {
        self.slots[node.index()].as_ref().expect("a node of this tree")
    }

    fn slot_mut(&mut self, node: NodeId) -> &mut Slot<T> {
        self.slots[node.index()].as_mut().expect("a node of this tree")
    }

    /// Returns the value of a node.
    ///
    /// # Panics
    /// Panics if the node does not exist.
    pub fn value(&self, node: NodeId) -> &T {
        &self.slot(node).value
    }

    /// Returns a mutable reference to the value of a node.
    ///
    /// # Panics
    /// Panics if the node does not exist.
    pub fn value_mut(&mut self, node: NodeId) -> &mut T {
        &mut self.slot_mut(node).value
    }

    /// Adds a node as the last child of `parent` and returns its identifier.
    ///
    /// # Panics
    /// Panics if `parent` does not exist.
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

    /// Returns the parent of a node, or `None` for the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        (node != NodeId::ROOT).then(|| NodeId(self.slot(node).parent))
    }

    /// Returns the first child, which continues the main line.
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        linked(self.slot(node).first)
    }

    /// Returns the next sibling.
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        linked(self.slot(node).next)
    }

    /// Returns the children of a node, main line first.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(node), |&child| self.next_sibling(child))
    }

    /// Returns the descendants of `node` along first children.
    pub fn main_line(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.first_child(node), |&node| self.first_child(node))
    }

    /// Returns the nodes on the path from the root to `node`, excluding the root.
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let up = std::iter::successors(Some(node), |&node| self.parent(node));
        let mut path: Vec<NodeId> = up.take_while(|&node| node != NodeId::ROOT).collect();
        path.reverse();
        path
    }

    /// Returns all nodes in preorder, starting with the root.
    pub fn preorder(&self) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::once(NodeId::ROOT).chain(self.below(NodeId::ROOT))
    }

    /// Returns all descendants of `node` in preorder.
    pub fn below(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let next = move |&at: &NodeId| self.first_child(at).or_else(|| self.after(at, node));
        std::iter::successors(self.first_child(node), next)
    }

    /// Returns the next node in preorder that is below `top` but not below `node`.
    fn after(&self, node: NodeId, top: NodeId) -> Option<NodeId> {
        let mut up = std::iter::successors(Some(node), |&node| self.parent(node));
        up.by_ref().take_while(|&node| node != top).find_map(|node| self.next_sibling(node))
    }

    /// Returns true if the tree has no variations.
    pub fn is_line(&self) -> bool {
        self.main_line(NodeId::ROOT).count() + 1 == self.count
    }

    /// Returns true if `node` is on the main line.
    pub fn is_main(&self, node: NodeId) -> bool {
        self.last_turn(node).is_none()
    }

    /// Returns the last node on the path to `node` that is not a first child.
    fn last_turn(&self, node: NodeId) -> Option<NodeId> {
        let mut up = std::iter::successors(Some(node), |&node| self.parent(node));
        up.find(|&node| {
            self.parent(node).is_some_and(|parent| self.first_child(parent) != Some(node))
        })
    }

    /// Makes the variation that contains `node` the first child at its branching point. Returns
    /// false if `node` is on the main line.
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

    /// Deletes a node and its descendants. The root cannot be deleted.
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

    /// Removes a node from the child list of its parent.
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

/// Trees are equal if their shapes and values are equal. Node numbers are not compared.
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

    /// Builds `a` with children `b` and `e`, and `b` with children `c` and `d`.
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
    fn preorder_visits_branches_before_siblings() {
        let (tree, [_, b, c, d, e]) = letters();
        assert_eq!((shown(&tree).as_str(), tree.count()), ("abcde", 5));
        assert_eq!(tree.path(d), [b, d]);
        assert_eq!(tree.below(b).collect::<Vec<_>>(), [c, d]);
        assert_eq!(tree.main_line(NodeId::ROOT).collect::<Vec<_>>(), [b, c]);
        assert!(tree.is_main(c) && !tree.is_main(d) && !tree.is_main(e) && !tree.is_line());
    }

    #[test]
    fn variations_are_promoted_one_branch_at_a_time() {
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
        // New nodes become last children.
        tree.add(b, 'g');
        tree.add(NodeId::ROOT, 'h');
        assert_eq!(shown(&tree), "abdcgefh");
    }

    #[test]
    fn deleting_removes_a_whole_branch() {
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
    fn equality_compares_shape_and_values() {
        let (tree, [_, b, ..]) = letters();
        let (mut other, [_, other_b, _, d, _]) = letters();
        assert_eq!(tree, other);
        other.delete(d);
        assert_ne!(tree, other);
        other.add(other_b, 'd');
        assert_eq!(tree, other);
        // The same values in the same preorder, but in another shape.
        let mut line = Tree::new('a');
        let mut at = NodeId::ROOT;
        for letter in "bcde".chars() {
            at = line.add(at, letter);
        }
        assert_ne!(tree, line);
        assert_eq!(tree.value(b), &'b');
    }
}
