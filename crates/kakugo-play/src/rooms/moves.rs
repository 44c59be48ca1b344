//! The moves of a game with their variations, as the page lists them.

use serde_json::{Value, json};

use crate::game::live::{Action, LiveGame, Moment};
use kakugo_record::game_tree::{Mark, Sign};
use kakugo_record::tree::NodeId;

/// Most moves that are sent with all their variations; of larger trees, such as libraries, the line
/// shown and the beginnings of what departs from it.
const MOST_MOVES: usize = 3000;

/// All moves in preorder, `[number, parent's number, point or choice, comment]` each.
pub fn tree(game: &LiveGame) -> Value {
    let tree = game.tree();
    let whole = tree.count() <= MOST_MOVES;
    let mut nodes = Vec::new();
    let mut next = vec![NodeId::ROOT];
    while let Some(node) = next.pop() {
        nodes.push(entry(game, node));
        if whole || node == NodeId::ROOT || game.nodes().contains(&node) {
            let children: Vec<NodeId> = tree.children(node).collect();
            next.extend(children.into_iter().rev());
        }
    }
    json!({ "type": "tree", "whole": whole, "count": tree.count() - 1, "nodes": nodes })
}

/// Number of moves that follow the one on the board, in all variations.
pub fn below(game: &LiveGame) -> usize {
    let mut count = 0;
    let mut next: Vec<NodeId> = game.tree().children(game.node()).collect();
    while let Some(node) = next.pop() {
        count += 1;
        next.extend(game.tree().children(node));
    }
    count
}

fn entry(game: &LiveGame, node: NodeId) -> Value {
    let tree = game.tree();
    let moment = tree.value(node);
    let what = match moment.step.map(|step| step.action) {
        None => Value::Null,
        Some(Action::Stone(p)) => json!([p.x(), p.y()]),
        Some(Action::Choose(choice)) => json!(choice.word()),
    };
    let parent = tree.parent(node).map(NodeId::number);
    match &*moment.note.comment {
        "" => json!([node.number(), parent, what]),
        comment => json!([node.number(), parent, what, comment]),
    }
}

/// The signs on the points of a position: `[x, y, sign, text]`.
pub fn marks(moment: &Moment) -> Value {
    let mark = |mark: &Mark| {
        let (word, text) = match &mark.sign {
            Sign::Triangle => ("triangle", ""),
            Sign::Square => ("square", ""),
            Sign::Circle => ("circle", ""),
            Sign::Cross => ("cross", ""),
            Sign::Selected => ("selected", ""),
            Sign::Label(text) => ("label", text.as_str()),
        };
        json!([mark.point.x(), mark.point.y(), word, text])
    };
    moment.note.marks.iter().map(mark).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::records::live_of;
    use kakugo::board::Variant;
    use kakugo_record::game_tree::{GameTree, Node, Play};
    use kakugo_record::pos::RowOrder;
    use kakugo_record::{Game, sgf};

    #[test]
    fn a_small_tree_is_told_whole() {
        let text = "(;GM[4];B[aa]C[x](;W[bb];B[cc])(;W[dd]))";
        let record = sgf::read_trees(text).unwrap().remove(0);
        let (game, _) = live_of(&record, RowOrder::FromBottom).unwrap();
        let told = tree(&game);
        let expected = json!([
            [0, null, null],
            [1, 0, [0, 0], "x"],
            [2, 1, [1, 1]],
            [3, 2, [2, 2]],
            [4, 1, [3, 3]]
        ]);
        assert_eq!((&told["whole"], &told["nodes"]), (&json!(true), &expected));
        let mut game = game;
        for (ply, expected) in [(0, 4), (1, 3), (2, 1), (3, 0)] {
            game.go_to(ply, std::time::Instant::now());
            assert_eq!(below(&game), expected);
        }
    }

    #[test]
    fn a_large_tree_is_told_along_the_line_shown() {
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
        let (game, left_out) = live_of(&record, RowOrder::FromBottom).unwrap();
        assert_eq!((left_out, game.tree().count()), (0, 4101));
        let told = tree(&game);
        assert_eq!(told["whole"], json!(false));
        assert_eq!(told["nodes"].as_array().unwrap().len(), 1 + 100 + 40);
    }
}
