//! What a format has no room for, told on stderr.

use kakugo::board::Variant;
use kakugo_cli::stderr::note;
use kakugo_record::Game;
use kakugo_record::file::Format;
use kakugo_record::game_tree::{GameTree, Mark, Node, Play, Sign};

/// Say what a format leaves out of games.
pub(super) fn of_games(input: &str, to: Format, games: &[GameTree]) {
    match to {
        Format::Sgf => return,
        Format::RenLib => return of_library(input, games),
        _ => {}
    }
    match games {
        [game] => after_pass(input, game),
        _ if games.iter().any(|game| game.first_pass().is_some()) => after_passes(input),
        _ => {}
    }
    let branched = games.iter().filter(|game| !game.nodes.is_line());
    let left_out: usize = branched.map(|game| game.line_ends().count().saturating_sub(1)).sum();
    if left_out > 0 {
        let variations = if left_out == 1 { "variation is" } else { "variations are" };
        note(format_args!(
            "{input}: {left_out} {variations} left out (--lines writes each as a game)"
        ));
    }
    remarks(input, games);
}

/// Say what is left out of the lines of games, of which each becomes a game.
pub(super) fn of_lines(input: &str, to: Format, games: &[GameTree]) {
    let goes_on = |game: &GameTree| {
        let mut nodes = game.nodes.preorder();
        nodes.any(|id| {
            game.nodes.value(id).play == Play::Pass && game.nodes.first_child(id).is_some()
        })
    };
    if games.iter().any(goes_on) {
        after_passes(input);
    }
    if !to.has_variations() {
        remarks(input, games);
    }
}

/// Say that the main line ends at a pass, if moves follow it.
pub(super) fn after_pass(name: &str, tree: &GameTree) {
    if let Some(number) = tree.first_pass() {
        note(format_args!("{name}: moves after the pass (move {number}) are left out"));
    }
}

/// The same of several games or lines.
fn after_passes(name: &str) {
    note(format_args!("{name}: moves after a pass are left out"));
}

/// Say that comments and marks are left out, if there are any.
fn remarks(input: &str, games: &[GameTree]) {
    let is_remark = |node: &Node| !node.comment().is_empty() || !node.marks().is_empty();
    if nodes(games).any(is_remark) {
        note(format_args!("{input}: comments and marks are left out"));
    }
}

/// Say what a library leaves out of games.
fn of_library(input: &str, games: &[GameTree]) {
    let is_named = |game: &GameTree| {
        let Game { black, white, event, round, date, .. } = &game.game;
        [black, white, event, round, date].into_iter().any(|name| !name.is_empty())
    };
    let has_other_signs = |node: &Node| {
        node.marks().iter().any(|Mark { point, sign }| match sign {
            Sign::Label(_) => false,
            Sign::Triangle => node.play != Play::Stone(*point),
            _ => true,
        })
    };
    let lost = [
        ("names", games.iter().any(is_named)),
        ("the result", games.iter().any(|game| game.game.result.is_some())),
        ("the rule", games.iter().any(|game| game.game.variant != Variant::FREESTYLE)),
        ("times", nodes(games).any(|node| node.note().is_some_and(|note| note.time.is_some()))),
        ("signs other than labels", nodes(games).any(has_other_signs)),
    ];
    let lost: Vec<&str> =
        lost.into_iter().filter(|(_, is_lost)| *is_lost).map(|(what, _)| what).collect();
    if !lost.is_empty() {
        note(format_args!(
            "{input}: left out, since a library does not hold it: {}",
            lost.join(", ")
        ));
    }
}

fn nodes(games: &[GameTree]) -> impl Iterator<Item = &Node> {
    games.iter().flat_map(|game| game.nodes.preorder().map(|id| game.nodes.value(id)))
}
