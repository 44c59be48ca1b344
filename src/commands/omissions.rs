//! Notes on stderr about content that a format cannot store.

use kakugo::board::Variant;
use kakugo_cli::stderr::note;
use kakugo_record::Game;
use kakugo_record::file::Format;
use kakugo_record::game_tree::{GameTree, Mark, Node, Play, Sign};

/// Reports what a format omits from games.
pub(super) fn report(input: &str, to: Format, games: &[GameTree]) {
    match to {
        Format::Sgf => return,
        Format::RenLib => return report_for_library(input, games),
        _ => {}
    }
    match games {
        [game] => report_after_pass(input, game),
        _ if games.iter().any(|game| game.first_pass().is_some()) => report_after_passes(input),
        _ => {}
    }
    let branched = games.iter().filter(|game| !game.nodes.is_line());
    let omitted: usize = branched.map(|game| game.line_ends().count().saturating_sub(1)).sum();
    if omitted > 0 {
        let variations = if omitted == 1 { "variation" } else { "variations" };
        note(format_args!(
            "{input}: omitted {omitted} {variations} (--lines writes each as a game)"
        ));
    }
    report_comments(input, games);
}

/// Reports what is unusual in games: moves out of turn, and an assumed side to move.
pub(super) fn report_irregular(input: &str, games: &[GameTree]) {
    let name = |number: usize| match games.len() {
        1 => input.to_owned(),
        _ => format!("{input}, game {number}"),
    };
    let assumed = |tree: &GameTree| {
        let start = tree.main_line().start;
        start.has_assumed_side().then(|| start.side_to_move())
    };
    let mut sides = (1..).zip(games).filter_map(|(number, tree)| Some((number, assumed(tree)?)));
    if let Some((number, side)) = sides.next() {
        let name = name(number);
        note(format_args!(
            "{name}: the side to move is not specified: assuming {side} (change it with --to-move)"
        ));
    }
    let out_of_turn = |(number, tree): (usize, &GameTree)| Some((number, tree.out_of_turn()?));
    if let Some((number, (play, side))) = (1..).zip(games).find_map(out_of_turn) {
        note(format_args!("{}: move {play} of {side} is out of turn", name(number)));
    }
}

/// Reports how a format stores positions that are set up, and moves out of turn.
pub(super) fn report_setup(input: &str, to: Format, games: &[GameTree]) {
    let has_setup = games.iter().any(|tree| !tree.main_line().starts_empty());
    let is_out_of_turn = games.iter().any(|tree| tree.out_of_turn().is_some());
    match to {
        Format::Sgf => {}
        Format::RenLib if has_setup || is_out_of_turn => {
            note(format_args!("{input}: wrote set-up stones as moves, with passes between them"));
        }
        Format::RenLib => {}
        _ => {
            if has_setup {
                note(format_args!("{input}: wrote set-up stones as moves"));
            }
            if is_out_of_turn {
                note(format_args!("{input}: omitted the moves from the first one out of turn"));
            }
        }
    }
}

/// Reports what a format omits if each line of the games becomes a game of its own.
pub(super) fn report_for_lines(input: &str, to: Format, games: &[GameTree]) {
    let continues_after_pass = |game: &GameTree| {
        let mut nodes = game.nodes.preorder();
        nodes.any(|id| {
            game.nodes.value(id).play == Play::Pass && game.nodes.first_child(id).is_some()
        })
    };
    if !to.has_variations() && games.iter().any(continues_after_pass) {
        report_after_passes(input);
    }
    if !to.has_variations() {
        report_comments(input, games);
    }
}

/// Reports moves of the main line that follow a pass, if there are any.
fn report_after_pass(name: &str, tree: &GameTree) {
    if let Some(number) = tree.first_pass() {
        note(format_args!("{name}: omitted the moves after the pass (move {number})"));
    }
}

/// Reports the same for several games or lines.
fn report_after_passes(name: &str) {
    note(format_args!("{name}: omitted the moves after a pass"));
}

/// Reports comments and marks, if there are any.
fn report_comments(input: &str, games: &[GameTree]) {
    let is_annotated = |node: &Node| !node.comment().is_empty() || !node.marks().is_empty();
    if nodes(games).any(is_annotated) {
        note(format_args!("{input}: omitted comments and marks"));
    }
}

/// Reports what a RenLib library omits from games.
fn report_for_library(input: &str, games: &[GameTree]) {
    let has_names = |game: &GameTree| {
        let Game { black, white, event, round, date, .. } = &game.game;
        [black, white, event, round, date].into_iter().any(|name| !name.is_empty())
    };
    let has_other_marks = |node: &Node| {
        node.marks().iter().any(|Mark { point, sign }| match sign {
            Sign::Label(_) => false,
            Sign::Triangle => node.play != Play::Stone(*point),
            _ => true,
        })
    };
    let omitted = [
        ("names", games.iter().any(has_names)),
        ("the result", games.iter().any(|game| game.game.result.is_some())),
        ("the rule", games.iter().any(|game| game.game.variant != Variant::FREESTYLE)),
        ("times", nodes(games).any(|node| node.note().is_some_and(|note| note.time.is_some()))),
        ("marks other than labels", nodes(games).any(has_other_marks)),
    ];
    let omitted: Vec<&str> =
        omitted.into_iter().filter(|(_, present)| *present).map(|(what, _)| what).collect();
    if !omitted.is_empty() {
        note(format_args!("{input}: omitted {} (not part of RenLib files)", omitted.join(", ")));
    }
}

fn nodes(games: &[GameTree]) -> impl Iterator<Item = &Node> {
    games.iter().flat_map(|game| game.nodes.preorder().map(|id| game.nodes.value(id)))
}
