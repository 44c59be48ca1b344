//! Notes on stderr about content that a format cannot store.

use kakugo::board::{Side, Variant};
use kakugo_cli::stderr::note;
use kakugo_record::file::Format;
use kakugo_record::game_tree::{GameTree, Mark, Node, Note, Play, Property, Sign};
use kakugo_record::text::sanitize;
use kakugo_record::{Game, sgf};

/// Reports what a format omits from games.
pub(super) fn report(input: &str, to: Format, games: &[GameTree]) {
    report_setup(input, to, games);
    if !to.has_variations() {
        match games {
            _ if to.stores_passes() => {}
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
    }
    report_contents(input, to, games);
}

/// Reports what is unusual in games or lines, called by `noun`, with their numbers: moves out of
/// turn, and an assumed side to move. Each of them is reported of the first game that has it.
pub(super) fn report_irregular(input: &str, noun: &str, games: &[(usize, GameTree)]) {
    let name = |number: usize| match games {
        [_] => input.to_owned(),
        _ => format!("{input}, {noun} {number}"),
    };
    let mut sides = games.iter().filter_map(|(number, tree)| Some((*number, assumed_side(tree)?)));
    if let Some((number, side)) = sides.next() {
        report_assumed_side(&name(number), side);
    }
    let out_of_turn = |(number, tree): &(usize, GameTree)| Some((*number, tree.out_of_turn()?));
    if let Some((number, played)) = games.iter().find_map(out_of_turn) {
        report_out_of_turn(&name(number), played);
    }
}

/// Reports the same for one game.
pub(super) fn report_irregular_game(name: &str, tree: &GameTree) {
    if let Some(side) = assumed_side(tree) {
        report_assumed_side(name, side);
    }
    if let Some(played) = tree.out_of_turn() {
        report_out_of_turn(name, played);
    }
}

/// Returns the side to move of a position that does not specify it.
fn assumed_side(tree: &GameTree) -> Option<Side> {
    let start = tree.main_line().start;
    start.has_assumed_side().then(|| start.side_to_move())
}

fn report_assumed_side(name: &str, side: Side) {
    note(format_args!(
        "{name}: the side to move is not specified: assuming {side} (change it with --to-move)"
    ));
}

fn report_out_of_turn(name: &str, (number, side): (usize, Side)) {
    note(format_args!("{name}: move {number} of {side} is out of turn"));
}

/// Reports that a rule is assumed, because a file does not state it or states an unknown one.
pub(super) fn report_assumed_rule(name: &str, unknown: Option<&str>, assumed: Variant) {
    let what = match unknown {
        Some(rule) => format!("unknown rule '{}'", sanitize(rule)),
        None => "the rule is not specified".to_owned(),
    };
    note(format_args!("{name}: {what}: assuming {assumed} (change it with --rule)"));
}

/// Reports an opening whose stones are missing.
pub(super) fn report_unread_opening(name: &str) {
    note(format_args!("{name}: the first moves are missing: QPR and QSLW are not read"));
}

/// Reports that options of the command line do not apply, because a file specifies the rule.
pub(super) fn report_overridden(name: &str, options: &str, specified: Variant) {
    note(format_args!("{name}: ignored {options}: the file specifies {specified}"));
}

/// Reports the first unknown rule of games, unless the format stores its name.
fn report_unknown_rules(input: &str, games: &[GameTree]) {
    let unknown = |tree: &GameTree| Some((sgf::unknown_rule(tree)?, tree.game.variant));
    if let Some((rule, assumed)) = games.iter().find_map(unknown) {
        report_assumed_rule(input, Some(&rule), assumed);
    }
}

/// Reports how a format stores positions that are set up, and moves out of turn.
fn report_setup(input: &str, to: Format, games: &[GameTree]) {
    if matches!(to, Format::Sgf | Format::Link) {
        return;
    }
    let has_setup = games.iter().any(|tree| !tree.main_line().starts_empty());
    let is_out_of_turn = games.iter().any(|tree| tree.out_of_turn().is_some());
    let is_library = to == Format::RenLib;
    if has_setup {
        let passes = if is_library { ", with passes between them" } else { "" };
        note(format_args!("{input}: wrote set-up stones as moves{passes}"));
    }
    match (is_out_of_turn, is_library) {
        (false, _) => {}
        (true, true) => note(format_args!("{input}: wrote passes before the moves out of turn")),
        (true, false) => {
            note(format_args!("{input}: omitted the moves from the first one out of turn"));
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
    report_setup(input, to, games);
    if !to.stores_passes() && games.iter().any(continues_after_pass) {
        report_after_passes(input);
    }
    report_contents(input, to, games);
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

/// Reports what is in games, besides moves, and not in a format.
fn report_contents(input: &str, to: Format, games: &[GameTree]) {
    if to != Format::Sgf {
        report_unknown_rules(input, games);
        if games.iter().any(sgf::has_unread_opening) {
            report_unread_opening(input);
        }
    }
    let omitted = omitted(to, games);
    if !omitted.is_empty() {
        let format = to.name();
        note(format_args!("{input}: omitted {} (not part of {format} files)", omitted.join(", ")));
    }
}

/// Returns what is in games, besides moves, and not in a format.
fn omitted(to: Format, games: &[GameTree]) -> Vec<&'static str> {
    if to == Format::Sgf {
        return Vec::new();
    }
    let has_names_and_times = matches!(to, Format::Psq | Format::Rec);
    let is_library = to == Format::RenLib;
    let any = |is: fn(&Game) -> bool| games.iter().any(|tree| is(&tree.game));
    let any_note = |is: fn(&Note) -> bool| nodes(games).filter_map(Node::note).any(is);
    let is_annotated = |node: &Node| !node.comment().is_empty() || !node.marks().is_empty();
    let lost: Vec<Option<Lost>> = games.iter().map(|tree| lost_ending(to, tree)).collect();
    let omitted = [
        (
            "names",
            !has_names_and_times
                && to != Format::Pgn
                && any(|g| !g.black.is_empty() || !g.white.is_empty()),
        ),
        (
            "event and round",
            to != Format::Pgn && any(|game| !game.event.is_empty() || !game.round.is_empty()),
        ),
        ("the date", to != Format::Pgn && any(|game| !game.date.is_empty())),
        ("the result", lost.contains(&Some(Lost::Result))),
        ("how the game was won", lost.contains(&Some(Lost::Cause))),
        ("the rule", to != Format::Link && any(|g| g.variant != Variant::FREESTYLE)),
        // Rows and offsets are counted on 15x15 if nobody names the size.
        (
            "the board size",
            matches!(to, Format::Pos(_) | Format::Offset | Format::Pgn)
                && any(|game| (game.width, game.height) != (15, 15)),
        ),
        ("times", !has_names_and_times && any_note(|note| note.time.is_some())),
        ("comments and marks", !is_library && nodes(games).any(is_annotated)),
        ("marks other than labels", is_library && nodes(games).any(has_other_marks)),
        ("symbols and arrows", any_note(|note| note.other.iter().any(is_symbol))),
        ("other properties", any_note(|note| note.other.iter().any(is_content))),
    ];
    omitted.into_iter().filter(|(_, present)| *present).map(|(what, _)| what).collect()
}

/// A part of a game's end that a file does not store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Lost {
    Result,
    /// Only the cause of a win, such as resignation.
    Cause,
}

/// Returns what is different, or unknown, in the end of a game when the file is read.
fn lost_ending(to: Format, tree: &GameTree) -> Option<Lost> {
    let game = tree.main_line();
    let result = game.result?;
    if to == Format::RenLib {
        return Some(Lost::Result);
    }
    let written = to.write_trees(std::slice::from_ref(tree)).ok();
    let board = Game::new(game.width, game.height, game.variant);
    let read = written.and_then(|bytes| to.read(&bytes, board).ok());
    let read = read.and_then(|games| games.into_iter().next());
    match read {
        Some(read) if read.result != Some(result) => Some(Lost::Result),
        Some(read) if read.cause != game.cause => Some(Lost::Cause),
        Some(_) => None,
        None => Some(Lost::Result),
    }
}

/// Returns true if a node has marks that libraries do not store.
fn has_other_marks(node: &Node) -> bool {
    node.marks().iter().any(|Mark { point, sign }| match sign {
        Sign::Label(_) => false,
        Sign::Triangle => node.play != Play::Stone(*point),
        _ => true,
    })
}

fn is_symbol(property: &Property) -> bool {
    matches!(&*property.name, "TE" | "BM" | "DO" | "IT" | "AR")
}

/// Returns true for other properties, except those about the file or that repeat the game.
fn is_content(property: &Property) -> bool {
    let is_of_file =
        matches!(&*property.name, "AP" | "ST" | "RU" | "RE" | "KM" | "US" | "SO" | "KRL");
    !is_of_file && !is_symbol(property)
}

fn nodes(games: &[GameTree]) -> impl Iterator<Item = &Node> {
    games.iter().flat_map(|game| game.nodes.preorder().map(|id| game.nodes.value(id)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo_record::pos::RowOrder;

    #[test]
    fn omitted_contents_are_those_that_the_format_lacks() {
        let text = "(;GM[4]SZ[15]RU[renju]PB[Ann]EV[Cup]DT[2026]RE[B+R]AP[x];B[hh]MS[5]TE[1];W[hi]\
            C[good]N[name])";
        let games = sgf::read_trees(text).unwrap();
        let of = |format: &str| {
            let format = Format::from_name(format, RowOrder::FromBottom).unwrap();
            omitted(format, &games)
        };
        let rest = ["comments and marks", "symbols and arrows", "other properties"];
        let names = ["names", "event and round", "the date", "the result"];
        assert!(of("sgf").is_empty());
        assert_eq!(of("link"), [&names[..], &["times"], &rest].concat());
        assert_eq!(of("pos"), [&names[..], &["the rule", "times"], &rest].concat());
        assert_eq!(of("psq"), [&names[1..], &["the rule"], &rest].concat());
        assert_eq!(of("lib"), [&names[..], &["the rule", "times"], &rest[1..]].concat());
    }

    #[test]
    fn sizes_are_lost_in_formats_without_them() {
        let of = |format: &str, size: &str| {
            let games = sgf::read_trees(&format!("(;GM[4]SZ[{size}];B[hh])")).unwrap();
            omitted(Format::from_name(format, RowOrder::FromBottom).unwrap(), &games)
        };
        for (format, is_lost) in [("pos", true), ("offset", true), ("pgn", true), ("psq", false)] {
            assert_eq!(of(format, "20") == ["the board size"], is_lost, "{format}");
            assert!(of(format, "15").is_empty(), "{format}");
        }
    }

    #[test]
    fn results_on_the_board_are_not_lost() {
        let five = ";B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea]";
        let lost_of = |game: &str, format: &str| {
            let tree = sgf::read_trees(&format!("(;GM[4]{game})")).unwrap().remove(0);
            lost_ending(Format::from_name(format, RowOrder::FromBottom).unwrap(), &tree)
        };
        let lost = |head: &str, format: &str| lost_of(&format!("{head}{five}"), format);
        for format in ["pos", "psq", "offset", "link", "sav", "pos-binary"] {
            assert_eq!(lost("RE[B+]", format), None, "{format}");
            assert_eq!(lost("RE[W+F]", format), Some(Lost::Result), "{format}");
            assert_eq!(lost("RE[B+R]", format), Some(Lost::Cause), "{format}");
        }
        assert_eq!(lost_of("RE[B+R];B[hh];W[ii]", "pgn"), Some(Lost::Cause));
        assert_eq!(lost_of("RE[B+];B[hh];W[ii]", "pgn"), None);
    }
}
