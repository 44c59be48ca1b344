//! The moves of a game with their variations, as text.
//!
//! A line of moves is followed by its variations, which are indented. The first move of a variation
//! has a number: `goto #12`.

use kakugo_play_core::game::live::{Action, LiveGame};
use kakugo_play_core::game::opening::OpeningChoice;
use kakugo_record::notation;
use kakugo_record::text::sanitize;
use kakugo_record::tree::NodeId;

/// The largest number of moves that are listed.
const MOST_MOVES: usize = 1000;

/// Returns all moves as text. The one on the board is marked by a star.
pub(super) fn listing(game: &LiveGame) -> String {
    let tree = game.tree();
    let mut text = String::new();
    // Lines to be written, and their indentation. A variation starts with a move, the main line
    // below the root.
    let mut lines = vec![(NodeId::ROOT, 0_usize)];
    let mut listed = 0;
    while let Some((first, depth)) = lines.pop() {
        let line: Vec<NodeId> = std::iter::once(first).chain(tree.main_line(first)).collect();
        let mut words = Vec::new();
        for &node in &line {
            if let Some(word) = word(game, node) {
                listed += 1;
                let number =
                    if node == first { format!(" #{}", node.number()) } else { String::new() };
                let here = if node == game.node() { "*" } else { "" };
                words.push(format!("{word}{here}{number}{}", remark(game, node)));
            }
        }
        if !words.is_empty() {
            text += &format!("{}{}\n", "  ".repeat(depth.min(20)), words.join("  "));
        }
        let left = tree.count().saturating_sub(1 + listed);
        if listed >= MOST_MOVES && left > 0 {
            return text + &format!("and {left} more moves\n");
        }
        // The first variation comes first.
        for &node in line.iter().rev() {
            let others: Vec<NodeId> = tree.children(node).skip(1).collect();
            lines.extend(others.into_iter().rev().map(|other| (other, depth + 1)));
        }
    }
    if text.is_empty() { "No move has been made.\n".to_owned() } else { text }
}

/// Returns `3 i9`, or a choice in a swap opening.
fn word(game: &LiveGame, node: NodeId) -> Option<String> {
    let tree = game.tree();
    match tree.value(node).step?.action {
        Action::Stone(p) => {
            Some(format!("{} {}", number(game, node), notation::name(p, game.board().height())))
        }
        Action::Pass => Some(format!("{} pass", number(game, node))),
        Action::SetUp => Some(game.noted_choice(node).map_or("set-up".to_owned(), taken)),
        Action::Choose(choice) => Some(taken(choice)),
    }
}

fn taken(choice: OpeningChoice) -> String {
    format!("takes {}", choice.word())
}

/// Returns the number of a move.
fn number(game: &LiveGame, node: NodeId) -> usize {
    game.tree().path(node).iter().filter(|&&node| game.is_move(node)).count()
}

/// Returns the comment, in quotes and on one line.
fn remark(game: &LiveGame, node: NodeId) -> String {
    let comment = sanitize(&game.tree().value(node).note.comment);
    let comment: Vec<&str> = comment.split_whitespace().collect();
    if comment.is_empty() { String::new() } else { format!(" \"{}\"", comment.join(" ")) }
}
