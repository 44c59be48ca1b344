//! The view of a game's moves with their variations.

use kakugo_record::tree::NodeId;

use crate::game::live::{Action, LiveGame};
use crate::game::opening::OpeningChoice;
use crate::messages::{NodeAction, SignedPoint, Tree, TreeNode, Xy};
use crate::views::{marks, side_word, xy, xys};
use kakugo::board::Side;

/// The largest tree that is shown with all its variations. Of a larger one, such as a library, only
/// the line on the board and the first moves of its variations are shown.
const MAX_NODES: usize = 3000;

/// Returns the view of a game's tree.
pub fn tree(game: &LiveGame) -> Tree {
    let tree = game.tree();
    let whole = tree.count() <= MAX_NODES;
    let mut nodes = Vec::new();
    let mut next = vec![(NodeId::ROOT, game.setup().start.side_to_move(), 0)];
    while let Some((node, before, moves)) = next.pop() {
        let setup = tree.value(node).note.setup.as_ref();
        let side = setup.and_then(|setup| setup.to_move).unwrap_or(before);
        nodes.push(entry(game, node, side, side == Side::to_move_after(moves)));
        if whole || node == NodeId::ROOT || game.nodes().contains(&node) {
            let is_move = game.is_move(node);
            let after = if is_move { side.opponent() } else { side };
            let children: Vec<NodeId> = tree.children(node).collect();
            let children = children.into_iter().rev();
            next.extend(children.map(|child| (child, after, moves + usize::from(is_move))));
        }
    }
    Tree { whole, count: tree.count() - 1, nodes, marked: marked(game) }
}

/// Returns the marks and arrows of the line on the board. Spectators look back along it.
fn marked(game: &LiveGame) -> Vec<(u32, Vec<SignedPoint>, Vec<Vec<Xy>>)> {
    let nodes = std::iter::once(NodeId::ROOT).chain(game.nodes().iter().copied());
    let marked = nodes.map(|node| {
        let note = &game.tree().value(node).note;
        (node.number(), marks(&note.marks), note.arrows().iter().map(xys).collect::<Vec<_>>())
    });
    marked.filter(|(_, marks, arrows)| !(marks.is_empty() && arrows.is_empty())).collect()
}

/// Returns the number of moves after the position, in all variations.
pub fn moves_below(game: &LiveGame) -> usize {
    let mut count = 0;
    let mut next: Vec<NodeId> = game.tree().children(game.node()).collect();
    while let Some(node) = next.pop() {
        count += 1;
        next.extend(game.tree().children(node));
    }
    count
}

/// Returns the entry of a node before which `side` is to move.
fn entry(game: &LiveGame, node: NodeId, side: Side, is_usual: bool) -> TreeNode {
    let tree = game.tree();
    let value = tree.value(node);
    let action = value.step.map(|step| match step.action {
        Action::Stone(p) if is_usual => NodeAction::Stone(xy(p)),
        Action::Stone(p) => NodeAction::Coloured(p.x(), p.y(), side_word(side)),
        Action::Choose(choice) => NodeAction::Choice(choice.word()),
        Action::Pass => NodeAction::Pass("pass", side_word(side)),
        Action::SetUp => {
            let noted = game.noted_choice(node).map(OpeningChoice::word);
            NodeAction::Choice(noted.unwrap_or_else(|| "set-up".to_owned()))
        }
    });
    let (number, parent) = (node.number(), tree.parent(node).map(NodeId::number));
    match (&*value.note.comment, value.note.symbol()) {
        ("", None) => TreeNode::Plain(number, parent, action),
        (comment, None) => TreeNode::Commented(number, parent, action, comment.to_owned()),
        (comment, Some(symbol)) => {
            TreeNode::Judged(number, parent, action, comment.to_owned(), symbol.text())
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::game::records::game_from_record;
    use crate::now::Time;
    use kakugo::board::Variant;
    use kakugo_record::game_tree::{GameTree, Node, Play};
    use kakugo_record::pos::RowOrder;
    use kakugo_record::{Game, sgf};

    #[test]
    fn a_small_tree_is_shown_with_all_variations() {
        let text = "(;GM[4];B[aa]C[x](;W[bb];B[cc]BM[2])(;W[dd]))";
        let record = sgf::read_trees(text).unwrap().remove(0);
        let (mut game, _) = game_from_record(&record, RowOrder::FromBottom).unwrap();
        let shown = serde_json::to_value(tree(&game)).unwrap();
        let expected = json!([
            [0, null, null],
            [1, 0, [0, 0], "x"],
            [2, 1, [1, 1]],
            [3, 2, [2, 2], "", "??"],
            [4, 1, [3, 3]]
        ]);
        assert_eq!((&shown["whole"], &shown["nodes"]), (&json!(true), &expected));
        assert_eq!(shown["marked"], json!([]));
        for (ply, expected) in [(0, 4), (1, 3), (2, 1), (3, 0)] {
            game.go_to(ply, Time::default());
            assert_eq!(moves_below(&game), expected);
        }
    }

    #[test]
    fn marks_of_the_line_on_the_board_are_shown() {
        let text = "(;GM[4]CR[cc];B[aa](;W[bb]LB[dd:A]AR[aa:bb];B[cc])(;W[dd]TR[ee]))";
        let record = sgf::read_trees(text).unwrap().remove(0);
        let (game, _) = game_from_record(&record, RowOrder::FromBottom).unwrap();
        let shown = serde_json::to_value(tree(&game)).unwrap();
        let expected = json!([
            [0, [[2, 2, "circle", ""]], []],
            [2, [[3, 3, "label", "A"]], [[[0, 0], [1, 1]]]]
        ]);
        assert_eq!(shown["marked"], expected);
    }

    #[test]
    fn a_large_tree_is_shown_along_the_line_on_the_board() {
        let mut record = GameTree::new(Game::new(32, 32, Variant::FREESTYLE));
        let stone = |n: u32| {
            let point = kakugo::board::Point::new((n % 32) as u8, (n / 32) as u8).unwrap();
            Node::new(Play::Stone(point))
        };
        for first in 0..100 {
            let node = record.nodes.add(NodeId::ROOT, stone(first));
            for second in 100..140 {
                record.nodes.add(node, stone(second));
            }
        }
        let (game, omitted) = game_from_record(&record, RowOrder::FromBottom).unwrap();
        assert_eq!((omitted, game.tree().count()), (0, 4101));
        let shown = tree(&game);
        assert!(!shown.whole);
        assert_eq!(shown.nodes.len(), 1 + 100 + 40);
    }
}
