//! Annotations of a reviewed game: comments in words, symbols, evaluations, and better lines as
//! variations of its tree.
//!
//! In SGF, mistakes are `BM`, blunders `BM[2]` and inaccuracies `DO`. The first move of a forced
//! win is `TE`, and so is a better move that wins by force; other better moves are `IT`. `V` is
//! Black's evaluation (forced wins ±10,000), and `GB`, `GW` and `DM` state who is better after a
//! turning point and at the end. Symbols that a node already has are kept. RenLib stores the
//! comments and the variations.

use super::accuracy::{self, Grade, losses};
use super::review::{EvaluatedPosition, Review, TurningPoint};
use super::sequence::{ThreatKind, sequence, words};
use crate::game_tree::{GameTree, Node, Play, Property};
use crate::notation::{name, names};
use crate::setup::Setup;
use crate::tree::NodeId;
use crate::{Game, ReplayError};
use kakugo::board::{Board, Point, Side};

/// Maximum number of moves of a variation that does not end with a five.
const LINE_MOVES: usize = 12;

/// Plies of the shortest forced win that deserves a comment.
const NOTABLE_PLIES: usize = 5;

/// Value of a forced win in the property `V`.
const WIN_VALUE: i32 = 10_000;

/// The properties that annotate a move. A node has at most one of them.
const OF_MOVE: [&str; 4] = ["BM", "DO", "IT", "TE"];

/// The properties that annotate a position. A node has at most one of them.
const OF_POSITION: [&str; 4] = ["DM", "GB", "GW", "UC"];

/// Expected results, in per mille, from which a position is good, and very good, for a side.
const GOOD: u32 = 700;
const VERY_GOOD: u32 = 950;

/// Adds a review of its main line to a game.
///
/// # Errors
/// Returns an error if the first position is invalid.
pub fn annotate(tree: &mut GameTree, review: &Review) -> Result<(), ReplayError> {
    let game = tree.main_line();
    let nodes = tree.main_moves();
    let losses = losses(review);
    let mut board = game.first_board()?;
    add_comment(tree, NodeId::ROOT, &introduction(&game, review));
    for (i, (&node, &loss)) in nodes.iter().zip(&losses).enumerate() {
        let side = review.mover(i);
        board.set_side_to_move(side);
        let Some(played) = game.moves[i].point else {
            board.set_side_to_move(side.opponent());
            continue;
        };
        let (before, after) = (&review.positions[i], &review.positions[i + 1]);
        let turning = review.turning_points.iter().find(|turning| turning.number == i + 1);
        if let Some(turning) = turning {
            add_comment(tree, node, &criticism(&board, turning));
            add_better_line(tree, node, &board, turning);
        } else if i > 0
            && i >= review.opening_moves
            && begins_win(side, &review.positions[i - 1], before, after)
        {
            let line = [&[played], &after.best_line[..]].concat();
            if let Some(win) = win_in_words(&board, &line, side) {
                add_comment(tree, node, &format!("{side} wins by force: {win}."));
                add_symbol(tree, node, &OF_MOVE, "TE", "1");
            }
        }
        match Grade::of(loss) {
            Some(Grade::Blunder) => add_symbol(tree, node, &OF_MOVE, "BM", "2"),
            Some(Grade::Mistake) => add_symbol(tree, node, &OF_MOVE, "BM", "1"),
            Some(Grade::Inaccuracy) => add_symbol(tree, node, &OF_MOVE, "DO", ""),
            None => {}
        }
        add_symbol(tree, node, &["V"], "V", &value(after));
        if turning.is_some() || i + 1 == losses.len() {
            add_judgement(tree, node, after.black_permille);
        }
        if board.play(played).is_err() {
            break;
        }
    }
    Ok(())
}

/// Returns the comment at the beginning of the game.
fn introduction(game: &Game, review: &Review) -> String {
    let [black, white] = accuracy::of_review(review, |i| game.moves[i].point.is_some());
    format!("Review by Kakugo\nBlack: {black}\nWhite: {white}")
}

/// Returns the comment on a move that lost much.
fn criticism(board: &Board, turning: &TurningPoint) -> String {
    let &TurningPoint { side, played, mistake, permille: (before, after), ref line, .. } = turning;
    let height = board.height();
    let better = match win_in_words(board, line, side) {
        Some(win) if mistake.is_missed_win() => win,
        _ => names(&line[..line.len().min(LINE_MOVES)], height),
    };
    format!(
        "{side} {} {}: {} instead of {} for {side}. Better: {better}.",
        name(played, height),
        mistake.words(),
        percent(after),
        percent(before),
    )
}

fn percent(permille: u32) -> String {
    format!("{:.1} %", f64::from(permille) / 10.0)
}

/// Returns a line with its threats, if it ends with a five.
fn win_in_words(board: &Board, line: &[Point], winner: Side) -> Option<String> {
    let steps = sequence(board, line);
    let is_won = steps.last().is_some_and(|step| step.makes == Some(ThreatKind::Five));
    is_won.then(|| words(&steps, winner, board.height()))
}

/// Returns true if a move of `side` begins a forced win that it did not have a move earlier.
fn begins_win(
    side: Side,
    earlier: &EvaluatedPosition,
    before: &EvaluatedPosition,
    after: &EvaluatedPosition,
) -> bool {
    let plies = |position: &EvaluatedPosition| {
        let score = if side == Side::Black { position.black } else { -position.black };
        score.plies_to_five().filter(|_| score.is_win())
    };
    plies(earlier).is_none()
        && plies(after).is_some()
        && plies(before).is_some_and(|plies| plies >= NOTABLE_PLIES)
}

/// Returns the evaluation of a position as an SGF value.
fn value(position: &EvaluatedPosition) -> String {
    let black = position.black;
    let value = match (black.is_win(), black.is_loss()) {
        (true, _) => WIN_VALUE,
        (_, true) => -WIN_VALUE,
        _ => black.value(),
    };
    value.to_string()
}

/// Adds the better line beside the move of `node`.
fn add_better_line(tree: &mut GameTree, node: NodeId, board: &Board, turning: &TurningPoint) {
    let TurningPoint { side, ref line, .. } = *turning;
    let win = win_in_words(board, line, side);
    let shown = if win.is_some() { line.len() } else { line.len().min(LINE_MOVES) };
    let is_out_of_turn =
        tree.nodes.value(node).setup().is_some_and(|setup| setup.to_move.is_some());
    let mut at = tree.nodes.parent(node).unwrap_or(NodeId::ROOT);
    for (number, &p) in line[..shown].iter().enumerate() {
        let play = Play::Stone(p);
        let known = tree.nodes.children(at).find(|&child| tree.nodes.value(child).play == play);
        at = known.unwrap_or_else(|| {
            let mut new = Node::new(play);
            if number == 0 && is_out_of_turn {
                new.edit_note(|note| note.setup = Some(Setup::turn(side)));
            }
            tree.nodes.add(at, new)
        });
        if number == 0 {
            let (symbol, value) = if win.is_some() { ("TE", "1") } else { ("IT", "") };
            add_symbol(tree, at, &OF_MOVE, symbol, value);
            let comment = match &win {
                Some(win) => format!("{side} wins by force: {win}."),
                None => format!("Better for {side}: {}.", percent(turning.permille.0)),
            };
            add_comment(tree, at, &comment);
        }
    }
}

fn add_judgement(tree: &mut GameTree, node: NodeId, black_permille: u32) {
    let degree = |permille: u32| if permille >= VERY_GOOD { "2" } else { "1" };
    let white_permille = 1000 - black_permille.min(1000);
    let (symbol, value) = if black_permille >= GOOD {
        ("GB", degree(black_permille))
    } else if white_permille >= GOOD {
        ("GW", degree(white_permille))
    } else if black_permille.abs_diff(500) <= 100 {
        ("DM", "1")
    } else {
        return;
    };
    add_symbol(tree, node, &OF_POSITION, symbol, value);
}

/// Adds a property, unless the node has one of `group`.
fn add_symbol(tree: &mut GameTree, node: NodeId, group: &[&str], symbol: &str, value: &str) {
    tree.nodes.value_mut(node).edit_note(|note| {
        if !note.other.iter().any(|property| group.contains(&&*property.name)) {
            let values = vec![value.to_owned()];
            note.other.push(Property { name: symbol.to_owned(), values });
        }
    });
}

/// Adds a paragraph to the comment, unless it is there from an earlier review.
fn add_comment(tree: &mut GameTree, node: NodeId, text: &str) {
    let node = tree.nodes.value_mut(node);
    if !node.comment().contains(text) {
        node.append_comment(text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::review;
    use crate::{renlib, sgf};
    use kakugo::board::Variant;
    use kakugo::search::{Engine, Limits, Signals};

    fn annotated(text: &str) -> GameTree {
        let mut tree = sgf::read_trees(text).unwrap().remove(0);
        let mut engine = Engine::new(1 << 24);
        let limits = Limits { max_nodes: Some(2_000), ..Limits::default() };
        let signals = Signals::default();
        let review =
            review::review(&mut engine, &tree.main_line(), &limits, &signals, |_, _| {}).unwrap();
        annotate(&mut tree, &review).unwrap();
        tree
    }

    /// Black has a four at the edge after move 7 but plays elsewhere. White blocks it and wins.
    const MISSED: &str = "(;GM[4]SZ[15];B[fa];W[hh];B[ga];W[ig];B[ha];W[hi];B[ia];W[ea]\
                          ;B[oo]C[Here I slept.](;W[ja])(;W[aa]))";

    #[test]
    fn mistakes_get_comments_symbols_and_better_lines() {
        let tree = annotated(MISSED);
        let text = sgf::write_tree(&tree);
        let head = "C[Review by Kakugo\nBlack: accuracy ";
        assert!(text.contains(head), "{text}");
        let missed = "C[Here I slept.\nBlack o1 missed a win by fours: ";
        assert!(text.contains(missed) && text.contains("Better: j15 five.]"), "{text}");
        assert!(text.contains("BM[2]") && text.contains("V[10000]"), "{text}");
        assert!(text.contains("(;B[ja]C[Black wins by force: j15 five.]TE[1])"), "{text}");
        // The variation of the file is kept, and the main line is the same.
        assert!(text.contains("(;W[aa])"), "{text}");
        let again = sgf::read_trees(&text).unwrap().remove(0);
        let points = |tree: &GameTree| tree.main_line().points().collect::<Vec<_>>();
        assert_eq!(points(&again), points(&sgf::read_trees(MISSED).unwrap()[0]));
        // A second review adds nothing.
        assert_eq!(sgf::write_tree(&annotated(&text)), text);
        let library = renlib::write(&tree).unwrap();
        let read = renlib::read(&library, Variant::FREESTYLE).unwrap();
        assert!(
            read.nodes.preorder().any(|id| read.nodes.value(id).comment().contains("j15 five"))
        );
    }

    #[test]
    fn games_from_a_position_with_passes_are_annotated() {
        // Black misses a five after White's pass.
        let text = "(;GM[4]SZ[15]AB[fa][ga][ha][ia]AW[ea][hh][ig][hi][gg]PL[W];W[];B[oo];W[ja])";
        let written = sgf::write_tree(&annotated(text));
        assert!(written.contains("BM[2]") && written.contains("(;B[ja]C["), "{written}");
    }
}
