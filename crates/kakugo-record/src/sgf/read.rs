//! Converting SGF properties to game trees.

use std::collections::HashSet;
use std::time::Duration;

use super::parse::{Item, Parser};
use super::property::{
    FRAME, SIGNS, area, placement, rank, read_point, read_points, read_result, read_rule,
    read_side, result_name, rule_name, unescape,
};
use crate::game_tree::{GameTree, Mark, Node, Note, Play, Property, Sign};
use crate::notation;
use crate::setup::Setup;
use crate::text::text;
use crate::tree::NodeId;
use crate::{Cause, Defaults, FormatError, Game, GameResult};
use kakugo::board::{Point, Side, Variant};

/// The number of points that the rectangles of a text may have, besides one for each of its bytes.
const MAX_AREA: usize = 1 << 20;

/// How often a text may be read to its end for invalid games.
const MAX_SKIPPED: usize = 16;

/// Reads the main lines of all games in a collection.
///
/// # Errors
/// Returns an error if one of the games is invalid or there are none.
pub fn read(text: &str) -> Result<Vec<Game>, FormatError> {
    Ok(read_trees(text)?.iter().map(GameTree::main_line).collect())
}

/// Reads all games in a collection. Size and rule default to 15x15 and freestyle.
///
/// # Errors
/// Returns an error if one of the games is invalid or there are none.
pub fn read_trees(text: &str) -> Result<Vec<GameTree>, FormatError> {
    games(text, &Game::new(15, 15, Variant::FREESTYLE)).collect()
}

/// Reads the games of a collection one at a time. `defaults` supplies missing sizes and rules.
/// Reading continues after an invalid game, also if its brackets do not match. Text without games
/// yields an error.
pub fn games(
    text: &str,
    defaults: impl Into<Defaults>,
) -> impl Iterator<Item = Result<GameTree, FormatError>> {
    let defaults = defaults.into();
    let mut parser = Some(Parser::new(text));
    let mut area_left = MAX_AREA.saturating_add(text.len());
    let mut skipping_left = MAX_SKIPPED.saturating_mul(text.len());
    let mut is_first = true;
    std::iter::from_fn(move || {
        let reading = parser.as_mut()?;
        let is_there = reading.skip_to_tree();
        if !is_there {
            parser = None;
            return is_first.then(|| Err(FormatError::new(text!("no SGF game found"))));
        }
        is_first = false;
        let mut beginning = reading.clone();
        let read = game(reading, &defaults, &mut area_left);
        if read.is_err() {
            // Games without an end are read to the end of the text.
            let bytes = beginning.left() - reading.left();
            skipping_left = skipping_left.saturating_sub(bytes);
            let goes_on = skipping_left > 0 && beginning.resynchronize();
            parser = goes_on.then_some(beginning);
        }
        Some(read)
    })
}

/// Returns the rule that a file states, if it is not known and another one is assumed: `swap2`
/// names an opening, for example.
pub fn unknown_rule(tree: &GameTree) -> Option<String> {
    let note = tree.nodes.value(NodeId::ROOT).note().filter(|_| tree.game.assumes_rule)?;
    let stated = note.other.iter().find(|property| property.name == "RU")?;
    Some(unescape(&stated.values[0]).trim().to_owned()).filter(|rule| !rule.is_empty())
}

/// Returns true if the opening of a game is in properties of Gomoku Quest, which are not read: its
/// first moves are missing.
pub fn has_unread_opening(tree: &GameTree) -> bool {
    let first = tree.nodes.first_child(NodeId::ROOT);
    let nodes = [Some(NodeId::ROOT), first].into_iter().flatten();
    let mut notes = nodes.filter_map(|id| tree.nodes.value(id).note());
    notes.any(|note| note.other.iter().any(|property| property.name == "QPR"))
}

/// Returns the code page that a file declares near its beginning.
pub(crate) fn charset(bytes: &[u8]) -> Option<&[u8]> {
    let beginning = &bytes[..bytes.len().min(4096)];
    let from = beginning.windows(3).position(|window| window == b"CA[")? + 3;
    beginning[from..].split(|&byte| byte == b']').next()
}

/// A node and the state of the game after it.
#[derive(Clone, Copy)]
struct Cursor {
    node: NodeId,
    side: Side,
    /// Numbers of set-up stones.
    stones: [usize; 2],
    /// Number of moves.
    moves: usize,
    /// The latest set-up that does not specify the side to move, until the first move after it.
    unspecified: Option<NodeId>,
}

impl Cursor {
    /// Returns the state at the root of a game.
    fn root(game: &Game) -> Cursor {
        Cursor {
            node: NodeId::ROOT,
            side: game.start.side_to_move(),
            stones: [game.start.black().len(), game.start.white().len()],
            moves: 0,
            unspecified: game.start.to_move.is_none().then_some(NodeId::ROOT),
        }
    }
}

/// Reads a game whose `(` has been read. Its rectangles reduce `area_left`.
fn game(
    parser: &mut Parser<'_>,
    defaults: &Defaults,
    area_left: &mut usize,
) -> Result<GameTree, FormatError> {
    let mut tree: Option<GameTree> = None;
    let mut open_sides = HashSet::new();
    let mut has_side = false;
    let mut resigned = None;
    let mut at: Option<Cursor> = None;
    let mut open: Vec<Option<Cursor>> = Vec::new();
    loop {
        let mut item = parser.item()?;
        let mut loser = None;
        if let Item::Node(properties) = &mut item {
            reduce_area(area_left, properties)?;
            loser = take_resignation(properties);
        }
        match item {
            Item::Open => open.push(at),
            Item::Close => match open.pop() {
                Some(before) => {
                    at = before.or_else(|| tree.as_ref().map(|tree| Cursor::root(&tree.game)));
                }
                None => {
                    let tree = tree.ok_or_else(|| {
                        FormatError::new(text!("empty SGF game: expected ';' after '('"))
                    });
                    let tree = tree.map(|tree| without_sides(tree, &open_sides, has_side));
                    let tree = tree.map(|tree| with_resignation(tree, resigned));
                    return tree.map(with_result);
                }
            },
            Item::Node(properties) => match (&mut tree, &mut at) {
                (Some(_), Some(_)) if properties.is_empty() && loser.is_some() => {}
                (Some(tree), Some(at)) => add(tree, at, properties, &mut open_sides)?,
                _ => {
                    let mut begun = root(properties.clone(), defaults)?;
                    let mut begin = Cursor::root(&begun.game);
                    has_side = begun.game.start.to_move.is_some();
                    if properties.iter().any(is_move) {
                        let moves = properties.into_iter().filter(is_of_move).collect();
                        add(&mut begun, &mut begin, moves, &mut open_sides)?;
                    }
                    (tree, at) = (Some(begun), Some(begin));
                }
            },
        }
        // The main line comes first.
        if let (Some(loser), Some(at), None) = (loser, &at, resigned) {
            resigned = Some((at.node, loser));
        }
    }
}

/// Reduces `left` by the points of a node's rectangles. Each of them has a few bytes, and may be
/// the whole board.
fn reduce_area(left: &mut usize, properties: &[Property]) -> Result<(), FormatError> {
    let has_points = |property: &&Property| {
        let name = &*property.name;
        placement(name).is_some() || SIGNS.iter().any(|(known, _)| *known == name)
    };
    let values = properties.iter().filter(has_points).flat_map(|property| &property.values);
    let points = values.map(|value| area(value.trim())).sum();
    *left = left.checked_sub(points).ok_or_else(|| {
        FormatError::new(text!("the rectangles of the SGF file have too many points"))
    })?;
    Ok(())
}

/// Leaves the side to move open in set-ups without `PL` that no move follows, and on the empty
/// board if Black moves first and the file does not specify it.
fn without_sides(mut tree: GameTree, open: &HashSet<NodeId>, has_side: bool) -> GameTree {
    if tree.game.starts_empty() && !has_side {
        tree.game.start.to_move = None;
    }
    for &id in open {
        tree.nodes.value_mut(id).edit_note(|note| {
            if let Some(setup) = &mut note.setup {
                setup.to_move = None;
            }
        });
    }
    tree
}

/// Removes moves such as `B[resign]`, which Little Golem writes at the end of a game. Returns the
/// side that resigned.
fn take_resignation(properties: &mut Vec<Property>) -> Option<Side> {
    let is_resignation = |property: &Property| {
        is_move(property) && property.values[0].trim().eq_ignore_ascii_case("resign")
    };
    let resigning = properties.iter().find(|property| is_resignation(property))?;
    let side = colour_of(resigning);
    properties.retain(|property| !is_resignation(property));
    Some(side)
}

/// Sets the result of a game whose main line ends with a resignation, unless the file states
/// another one.
fn with_resignation(mut tree: GameTree, resigned: Option<(NodeId, Side)>) -> GameTree {
    let Some((node, loser)) = resigned else { return tree };
    let mut last = NodeId::ROOT;
    let mut is_end = last == node;
    while let Some(next) = tree.nodes.first_child(last) {
        // A comment may follow, but no move.
        is_end = next == node || (is_end && tree.nodes.value(next).play == Play::Nothing);
        last = next;
    }
    let result = GameResult::Win(loser.opponent());
    let is_stated = tree.game.result.is_some_and(|stated| stated != result);
    if is_end && !is_stated {
        tree.game.result = Some(result);
        tree.game.cause.get_or_insert(Cause::Resignation);
    }
    tree
}

/// Sets a missing result from the final position.
fn with_result(mut tree: GameTree) -> GameTree {
    if tree.game.result.is_none() {
        tree.game.result = tree.main_line().result_on_board();
    }
    tree
}

fn is_move(property: &Property) -> bool {
    matches!(&*property.name, "B" | "W")
}

/// Returns true for `TE[1]` or `TE[2]`, the symbol of a good move. In a root without a move, `TE`
/// describes the end of the game, whatever its value.
fn is_symbol(property: &Property) -> bool {
    property.name == "TE" && matches!(property.values[0].trim(), "1" | "2")
}

/// Symbols and the time of a move. With `TE`, they are read with a move in the root.
const OF_MOVES: [&str; 4] = ["BM", "DO", "IT", "MS"];

/// Returns true for a move in the root, and for what belongs to it.
fn is_of_move(property: &Property) -> bool {
    is_move(property) || is_symbol(property) || OF_MOVES.contains(&&*property.name)
}

/// Returns the colour of a move.
fn colour_of(property: &Property) -> Side {
    if property.name == "B" { Side::Black } else { Side::White }
}

/// Reads the root node, without moves.
fn root(properties: Vec<Property>, defaults: &Defaults) -> Result<GameTree, FormatError> {
    let value = |name: &str| {
        let property = properties.iter().find(|property| property.name == name);
        property.map(|property| unescape(&property.values[0]))
    };
    let has_offers =
        properties.iter().any(|property| property.name == OFFERS && is_offer(property));
    // Go editors and Renju servers write other game numbers, but only this game uses 15x15, offers
    // fifth moves and has such rules.
    let is_of_this_game =
        |rule: String| read_rule(&rule).is_some() && rule.trim().parse::<u8>().is_err();
    let is_accepted = defaults.accepts_any_sgf
        || has_offers
        || value("SZ").is_some_and(|size| size.trim() == "15")
        || value("RU").is_some_and(is_of_this_game);
    let other = value("GM").filter(|kind| kind.trim() != "4");
    let is_other = other.is_some();
    if let Some(other) = other.filter(|_| !is_accepted) {
        return Err(FormatError::other_game(text!(
            "unsupported SGF game GM[{0}]: expected GM[4] (Gomoku and Renju)",
            other
        )));
    }
    let (width, height) = match value("SZ") {
        None => (defaults.game.width, defaults.game.height),
        Some(size) => sides(&size).ok_or_else(|| {
            FormatError::new(text!(
                "invalid SGF board size '{0}': expected e.g. 15 or 20:12",
                &*size
            ))
        })?,
    };
    let assumed = (defaults.game.variant, !defaults.names_rule);
    let (variant, assumes_rule) = match value("RU").filter(|rule| !rule.trim().is_empty()) {
        None if has_offers => (Variant::RENJU, false),
        None => assumed,
        Some(rule) => match read_rule(&rule) {
            Some(variant) => (variant, false),
            // See `unknown_rule`.
            None => assumed,
        },
    };
    let name = |key| value(key).unwrap_or_default();
    let result = value("RE").and_then(|result| read_result(&result));
    // The symbol and the time of a move are read with the move.
    let has_move = properties.iter().any(is_move);
    let has_symbol = has_move && properties.iter().any(is_symbol);
    let mut tree = GameTree::new(Game {
        black: name("PB"),
        white: name("PW"),
        event: name("EV"),
        round: name("RO"),
        date: name("DT"),
        termination: if has_symbol { String::new() } else { name("TE") },
        result: result.map(|(result, _)| result),
        cause: result.and_then(|(_, cause)| cause),
        assumes_rule,
        ..Game::new(width, height, variant)
    });
    const STORED: [&str; 7] = ["SZ", "PB", "PW", "EV", "RO", "DT", "TE"];
    let known =
        |name: &str| FRAME.contains(&name) || STORED.contains(&name) || matches!(name, "B" | "W");
    // Preserve the spelling of a property if it differs from the writer's.
    let result = result.map(result_name);
    let usual = |property: &Property| match &*property.name {
        "AP" => property.values == ["kakugo"],
        "RU" => {
            let is_of_go = is_other && read_rule(&unescape(&property.values[0])).is_none();
            is_of_go || property.values == [rule_name(variant)]
        }
        "RE" => property.values.iter().map(String::as_str).eq(result.as_deref()),
        name => known(name) || (has_move && OF_MOVES.contains(&name)),
    };
    let mut rest: Vec<_> = properties.into_iter().filter(|property| !usual(property)).collect();
    let spellings = ["RU", "RE"];
    rest.sort_by_key(|property| {
        spellings.iter().position(|name| *name == property.name).unwrap_or(spellings.len())
    });
    let mut note = note(rest, (width, height))?;
    if let Some(mut start) = note.setup.take() {
        start.clear_removed();
        tree.game.start = start;
    }
    add_offers(&mut note, tree.game.height);
    *tree.nodes.value_mut(NodeId::ROOT) = Node::with_note(Play::Nothing, note);
    Ok(tree)
}

/// The property with the fifth moves that were offered.
const OFFERS: &str = "5A";

fn is_offer(property: &Property) -> bool {
    property.values.iter().filter(|value| read_point(value.trim()).is_some()).count() > 1
}

/// Adds the fifth moves that were offered to the comment, unless it has them.
fn add_offers(note: &mut Note, height: u8) {
    let offers = note.other.iter().find(|property| property.name == OFFERS && is_offer(property));
    let Some(property) = offers else { return };
    let values = property.values.iter().filter_map(|value| read_point(value.trim()));
    let points: Vec<Point> = values.filter(|p| p.y() < height).collect();
    let offered = notation::offered_fifth_moves(&points, height);
    if !note.comment.lines().any(|line| line == offered) {
        let separator = if note.comment.is_empty() { "" } else { "\n" };
        note.comment += &format!("{separator}{offered}");
    }
}

/// Parses `15` or `20:15`.
fn sides(size: &str) -> Option<(u8, u8)> {
    let (width, height) = size.split_once(':').unwrap_or((size, size));
    Some((width.trim().parse().ok()?, height.trim().parse().ok()?))
}

/// Adds a node for each move of an SGF node, or one node without a move.
fn add(
    tree: &mut GameTree,
    at: &mut Cursor,
    properties: Vec<Property>,
    open_sides: &mut HashSet<NodeId>,
) -> Result<(), FormatError> {
    // Most nodes have only a move.
    if let [only] = &properties[..]
        && is_move(only)
    {
        return add_move(tree, at, only, Note::default(), open_sides);
    }
    let size = (tree.game.width, tree.game.height);
    let (mut moves, rest): (Vec<_>, Vec<_>) = properties.into_iter().partition(is_move);
    let last = moves.pop();
    for property in moves {
        add_move(tree, at, &property, Note::default(), open_sides)?;
    }
    let mut note = note(rest, size)?;
    if let Some(property) = last {
        return add_move(tree, at, &property, note, open_sides);
    }
    let is_unspecified = note.setup.as_ref().is_some_and(|setup| setup.to_move.is_none());
    if let Some(setup) = &mut note.setup {
        set_up(at, setup);
    }
    at.node = tree.nodes.add(at.node, Node::with_note(Play::Nothing, note));
    if is_unspecified {
        at.unspecified = Some(at.node);
        open_sides.insert(at.node);
    }
    Ok(())
}

/// Applies a set-up. The side to move defaults to that of the numbers of stones before the first
/// move, and then to the one whose turn it is.
fn set_up(at: &mut Cursor, setup: &mut Setup) {
    at.stones[0] += setup.black().len();
    at.stones[1] += setup.white().len();
    let by_count = if at.stones[0] > at.stones[1] { Side::White } else { Side::Black };
    let default = if at.moves == 0 { by_count } else { at.side };
    at.side = *setup.to_move.get_or_insert(default);
    at.unspecified = None;
}

/// Adds a move.
fn add_move(
    tree: &mut GameTree,
    at: &mut Cursor,
    property: &Property,
    mut note: Note,
    open_sides: &mut HashSet<NodeId>,
) -> Result<(), FormatError> {
    let side = colour_of(property);
    // The colour of the move counts more than `PL`.
    note.setup = note.setup.filter(Setup::changes_board);
    if let Some(setup) = &mut note.setup {
        setup.to_move = Some(side);
        set_up(at, setup);
    }
    let played = play(property, at.moves + 1, (tree.game.width, tree.game.height))?;
    match at.unspecified.take() {
        Some(NodeId::ROOT) => at.side = *tree.game.start.to_move.get_or_insert(side),
        Some(owner) => {
            open_sides.remove(&owner);
            // The first line may have changed it.
            let specified = tree.nodes.value(owner).setup().and_then(|setup| setup.to_move);
            at.side = specified.unwrap_or(at.side);
            if side != at.side && is_first_line(tree, owner, at.node) {
                tree.nodes.value_mut(owner).edit_note(|note| {
                    if let Some(setup) = &mut note.setup {
                        setup.to_move = Some(side);
                    }
                });
                at.side = side;
            }
        }
        None => {}
    }
    if side != at.side {
        note.setup.get_or_insert_default().to_move = Some(side);
    }
    at.node = tree.nodes.add(at.node, Node::with_note(played, note));
    at.side = side.opponent();
    at.moves += 1;
    Ok(())
}

/// Returns true if `node` is the only descendant of `owner` without children.
fn is_first_line(tree: &GameTree, owner: NodeId, node: NodeId) -> bool {
    // Checked first, because the path may be long and have a branch at each node.
    if tree.nodes.first_child(node).is_some() {
        return false;
    }
    let mut at = node;
    while at != owner {
        let Some(parent) = tree.nodes.parent(at) else { return false };
        if tree.nodes.first_child(parent) != Some(at) {
            return false;
        }
        at = parent;
    }
    true
}

/// Largest board on which `tt` is a pass.
const PASS_SIZE: u8 = 19;

/// Parses move `number`, which starts at 1.
fn play(
    property: &Property,
    number: usize,
    (width, height): (u8, u8),
) -> Result<Play, FormatError> {
    let letters = property.values[0].trim();
    if letters.is_empty() || (letters == "tt" && width.max(height) <= PASS_SIZE) {
        return Ok(Play::Pass);
    }
    let bad = || {
        FormatError::new(text!(
            "move {0}: invalid point '{1}': expected two letters such as hh",
            number,
            letters
        ))
    };
    read_point(letters).map(Play::Stone).ok_or_else(bad)
}

/// Reads the annotations of a node on a board of this size.
fn note(properties: Vec<Property>, size: (u8, u8)) -> Result<Note, FormatError> {
    let mut note = Note::default();
    let mut setup = Setup::default();
    for property in properties {
        if let Some(what) = placement(&property.name) {
            for p in set_up_points(&property, size)? {
                setup.put(p, what);
            }
            continue;
        }
        match &*property.name {
            "PL" if read_side(&property.values[0]).is_some() => {
                setup.to_move = read_side(&property.values[0]);
            }
            "C" if note.comment.is_empty() => note.comment = unescape(&property.values[0]),
            "MS" if property.values[0].parse::<u64>().is_ok() => {
                note.time = property.values[0].parse().ok().map(Duration::from_millis);
            }
            _ => match marks(&property) {
                Some(marks) => note.marks.extend(marks),
                None => note.other.push(property),
            },
        }
    }
    note.marks.sort_by_key(|mark| rank(&mark.sign));
    note.setup = Some(setup).filter(|setup| !setup.is_empty());
    Ok(note)
}

/// Parses the points of a set-up property.
fn set_up_points(
    property: &Property,
    (width, height): (u8, u8),
) -> Result<Vec<Point>, FormatError> {
    let mut all = Vec::new();
    for value in property.values.iter().map(|value| value.trim()).filter(|v| !v.is_empty()) {
        let points = read_points(value).ok_or_else(|| {
            FormatError::new(text!(
                "set-up stones ({0}): invalid point '{1}': expected two letters such as hh",
                &*property.name,
                value
            ))
        })?;
        if points.iter().any(|p| p.x() >= width || p.y() >= height) {
            return Err(FormatError::new(text!(
                "set-up stones ({0}): '{1}' is off the {2}x{3} board",
                &*property.name,
                value,
                width,
                height
            )));
        }
        all.extend(points);
    }
    Ok(all)
}

/// Parses a markup property. Returns `None` for other properties and invalid values.
fn marks(property: &Property) -> Option<Vec<Mark>> {
    if property.name == "LB" {
        let label = |value: &String| {
            let (point, text) = value.split_once(':')?;
            Some(Mark { point: read_point(point)?, sign: Sign::Label(unescape(text)) })
        };
        return property.values.iter().map(label).collect();
    }
    let (_, sign) = SIGNS.iter().find(|(name, _)| *name == property.name)?;
    let points: Option<Vec<_>> = property.values.iter().map(|value| read_points(value)).collect();
    let marked = |point| Mark { point, sign: sign.clone() };
    Some(points?.into_iter().flatten().map(marked).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sgf::{write, write_tree};

    #[test]
    fn files_of_c_gomoku_cli_are_read() {
        let text = "(;FF[4]GM[4]GN[1]EV[A x B]DT[2026.11.21 03:38:55]RO[1.1]RU[4]SZ[15]PB[A]\
                    PW[B]RE[B+1]TE[Black win by five connection]\n;B[ch]C[opening move];W[fg]\n\
                    ;B[ek]C[77ms])";
        let game = &read(text).unwrap()[0];
        assert_eq!((&*game.black, &*game.white, game.width), ("A", "B", 15));
        assert_eq!(game.variant, Variant::RENJU);
        assert_eq!(game.result, Some(GameResult::Win(Side::Black)));
        let points: Vec<String> = game.points().map(|p| p.to_string()).collect();
        assert_eq!(points, ["2,7", "5,6", "4,10"]);
        assert_eq!(game.moves[0].comment, "opening move");
    }

    #[test]
    fn the_main_line_follows_first_children() {
        let text = "two games (;GM[4]SZ[20:15];B[aa](;W[bb];B[cc](;W[dd])(;W[ee]))(;W[ff];B[gg]))
                    (;GM[4];B[hh]C[a \\] b \\\\ c])";
        let games = read(text).unwrap();
        assert_eq!((games[0].width, games[0].height), (20, 15));
        let points: Vec<String> = games[0].points().map(|p| p.to_string()).collect();
        assert_eq!(points, ["0,0", "1,1", "2,2", "3,3"]);
        assert_eq!(games[1].moves[0].comment, "a ] b \\ c");
        let trees = read_trees(text).unwrap();
        let lines: Vec<usize> = trees[0].lines().map(|line| line.moves.len()).collect();
        assert_eq!(lines, [4, 4, 3]);
    }

    #[test]
    fn openings_of_gomoku_quest_are_recognized() {
        let has = |text: &str| has_unread_opening(&read_trees(text).unwrap()[0]);
        assert!(has("(;GM[4]SZ[15]\n;QPR[hh,hg,jf];QSLW[ig];B[gg];W[ii])"));
        assert!(!has("(;GM[4]SZ[15];B[gg];W[ii])"));
    }

    #[test]
    fn resignations_of_little_golem_end_a_game() {
        let (black, white) = (GameResult::Win(Side::Black), GameResult::Win(Side::White));
        let resigned = Some(Cause::Resignation);
        for (text, result, cause) in [
            ("(;GM[4]SZ[15];B[hh];W[ii];B[resign])", Some(white), resigned),
            ("(;GM[4]SZ[15];B[hh];W[ii];W[Resign]C[x])", Some(black), resigned),
            ("(;GM[4]SZ[15]RE[B];B[hh];W[ii];W[resign])", Some(black), resigned),
            ("(;GM[4]SZ[15];B[hh];W[ii];B[resign];C[thanks])", Some(white), resigned),
            // The stated result counts.
            ("(;GM[4]SZ[15]RE[B];B[hh];W[ii];B[resign])", Some(black), None),
            ("(;GM[4]SZ[15]RE[W];B[hh];W[ii])", Some(white), None),
            // A variation decides nothing.
            ("(;GM[4]SZ[15];B[hh](;W[ii])(;W[gg];B[resign]))", None, None),
            ("(;GM[4]SZ[15];B[hh];W[ii](;B[resign])(;B[gg]))", None, None),
        ] {
            let tree = read_trees(text).unwrap().remove(0);
            let game = tree.main_line();
            assert_eq!((game.result, game.cause), (result, cause), "{text}");
            assert!(game.moves.iter().all(|played| played.point.is_some()), "{text}");
            let again = read_trees(&write_tree(&tree)).unwrap().remove(0).main_line();
            assert_eq!((again.result, again.cause), (result, cause), "{text}");
        }
        let tree = read_trees("(;GM[4]SZ[15];B[hh];W[ii];B[resign])").unwrap().remove(0);
        assert_eq!(tree.nodes.preorder().count(), 3);
    }

    #[test]
    fn symbols_of_moves_in_the_root_are_kept() {
        let tree = read_trees("(;GM[4]SZ[15]B[hh]TE[1];W[ii])").unwrap().remove(0);
        assert_eq!(tree.game.termination, "");
        let first = tree.nodes.first_child(NodeId::ROOT).unwrap();
        let note = tree.nodes.value(first).note().unwrap();
        assert!(note.other.iter().any(is_symbol), "{note:?}");
        assert!(write_tree(&tree).contains("B[hh]TE[1]"), "{}", write_tree(&tree));
        let without_move = read_trees("(;GM[4]SZ[15]AB[hh]TE[2];W[ii])").unwrap().remove(0);
        assert!(write_tree(&without_move).contains("TE[2]"), "{}", write_tree(&without_move));
        let text = "(;GM[4]SZ[15]B[hh]BM[2]MS[1500]C[x];W[ii])";
        let tree = read_trees(text).unwrap().remove(0);
        let first = tree.nodes.first_child(NodeId::ROOT).unwrap();
        let note = tree.nodes.value(first).note().unwrap();
        assert_eq!(note.symbol(), Some(crate::sgf::Symbol::Blunder));
        assert_eq!(note.time, Some(Duration::from_millis(1500)));
        assert_eq!(tree.nodes.value(NodeId::ROOT).comment(), "x");
        assert_eq!(read_trees(&write_tree(&tree)).unwrap(), [tree]);
        let terminations = [
            ("(;GM[4]SZ[15]TE[resigned];B[hh])", "resigned"),
            ("(;GM[4]SZ[15]TE[resigned]B[hh])", "resigned"),
            ("(;GM[4]SZ[15]TE[1];B[hh])", "1"),
        ];
        for (text, termination) in terminations {
            let game = read(text).unwrap().remove(0);
            assert_eq!((&*game.termination, game.moves.len()), (termination, 1));
        }
    }

    #[test]
    fn games_after_a_syntax_error_are_read() {
        let next = "(;GM[4]PB[next];B[hh];W[ii])";
        for broken in [
            "(;GM[4]PB[b];B[hh]5;W[hg])",
            "(;GM[4]PB[b];B[hh]$(;W[hg])(;W[gg]))",
            "(;GM[4]PB[b];B[hh]C[a ) \\] b]?)",
            "(;GM[4]PB[b];B[hh];W[gg]\n",
            "(;GM[4]PB[b];B[hh];W[g\n",
            "(;GM[4]PB[b];B[zz9])",
            "(;?)",
        ] {
            let text = format!("{next}{broken}{next}{next}");
            let games: Vec<_> = games(&text, Game::new(15, 15, Variant::RENJU)).collect();
            let are_read: Vec<bool> = games.iter().map(Result::is_ok).collect();
            assert_eq!(are_read, [true, false, true, true], "{broken}");
        }
        // Games without an end are not searched for it again and again.
        let text = "\n(;GM[4]C[".repeat(20_000);
        assert!(games(&text, Game::new(15, 15, Variant::RENJU)).all(|game| game.is_err()));
    }

    #[test]
    fn parentheses_of_other_text_are_no_games() {
        let game = "(;GM[4]SZ[15];B[hh];W[ii])";
        for (before, after) in [
            ("From: Jan (jan@x.cz), Fri (CET)\n\n", "\n-- \nJan (club: x)\n"),
            ("Look (and (really) look): ", " :("),
            ("((a)) (1) [see (b)]", "(?)"),
            ("See main() ", " f( ) :()"),
        ] {
            let games = read(&format!("{before}{game}{after}{game}{after}")).unwrap();
            let lengths: Vec<usize> = games.iter().map(|game| game.moves.len()).collect();
            assert_eq!(lengths, [2, 2], "{before}{after}");
        }
        assert!(read("(no game)").unwrap_err().to_string().contains("no SGF game"));
        // Text in nested parentheses is read once.
        assert!(read(&"( (a".repeat(200_000)).is_err());
    }

    #[test]
    fn games_of_renju_servers_are_read() {
        let text = "(;GM[5]FF[4]SW[NO]5A[gg][hh]GN[a-b(B) : RIF rule]RE[W+Resign]PW[a]WR[3d*]PB[b]\
                    \n;B[hh];W[hg];B[jf];W[ig]\n;)";
        let tree = read_trees(text).unwrap().remove(0);
        assert_eq!((tree.game.variant, tree.game.width), (Variant::RENJU, 15));
        let note = tree.nodes.value(NodeId::ROOT).note().unwrap();
        assert_eq!(note.comment, "Offered fifth moves: g9 h8");
        assert!(note.other.iter().any(|other| other.name == "5A" && other.values.len() == 2));
        let written = write_tree(&tree);
        assert_eq!(read_trees(&written).unwrap(), [tree]);
        assert!(written.contains("5A[gg][hh]"), "{written}");
        assert_eq!(read("(;GM[5]RU[renju];B[hh])").unwrap()[0].variant, Variant::RENJU);
        assert!(read("(;GM[5];B[hh])").is_err());
        let empty = read("(;GM[4]5A[];B[hh])").unwrap().remove(0);
        assert_eq!(empty.variant, Variant::FREESTYLE);
        assert!(read("(;GM[4];B[hh]5;W[hg])").is_err());
    }

    fn names(points: &[Point]) -> String {
        points.iter().map(|p| crate::sgf::property::letters(*p)).collect::<Vec<_>>().join(" ")
    }

    /// Returns the tree, after checking that it is written back and read again without loss.
    fn kept(text: &str) -> GameTree {
        let tree = read_trees(text).unwrap().remove(0);
        let written = write_tree(&tree);
        assert_eq!(read_trees(&written).unwrap(), std::slice::from_ref(&tree), "{written}");
        assert_eq!(write_tree(&read_trees(&written).unwrap()[0]), written);
        assert_eq!(tree.illegal_move(), None);
        tree
    }

    #[test]
    fn games_begin_from_set_up_stones() {
        let tree = kept("(;GM[4]FF[4]SZ[15]RU[renju]AB[fh][gh][hh]AW[aa][oo]PL[W])");
        let game = tree.main_line();
        assert_eq!(names(game.start.black()), "fh gh hh");
        assert_eq!(names(game.start.white()), "aa oo");
        let board = game.board().unwrap();
        assert_eq!((board.side_to_move(), board.ply()), (Side::White, 5));
        assert!(!game.start.has_assumed_side() && tree.lines().count() == 1);
        // Without PL, the numbers of stones decide, and the first move if there is one.
        let side = |text: &str| {
            let game = kept(text).main_line();
            (game.start.side_to_move(), game.start.has_assumed_side())
        };
        assert_eq!(side("(;GM[4]SZ[15]AB[fh][gh][hh]AW[aa])"), (Side::White, true));
        assert_eq!(side("(;GM[4]SZ[15]AB[fh]AW[aa])"), (Side::Black, true));
        assert_eq!(side("(;GM[4]SZ[15]AW[fh]AW[aa])"), (Side::Black, true));
        assert_eq!(side("(;GM[4]SZ[15]AB[fh]AW[aa];W[bb])"), (Side::White, false));
        assert_eq!(side("(;GM[4]SZ[15]AB[fh]AW[aa](;W[bb])(;B[cc]))"), (Side::White, false));
        assert_eq!(side("(;GM[4]SZ[15];W[bb];B[cc])"), (Side::White, false));
        assert_eq!(side("(;GM[4]SZ[15]PL[white])"), (Side::White, false));
        assert_eq!(side("(;GM[4]SZ[15]PL[B];B[bb])"), (Side::Black, false));
        assert!(kept("(;GM[4]SZ[15]PL[B];B[bb])").main_line().starts_empty());
        assert!(!kept("(;GM[4]SZ[15];W[bb])").main_line().starts_empty());
        // Stones in a later node.
        assert_eq!(side("(;GM[4]SZ[15];AB[fh][gh][hh]AW[aa])"), (Side::White, true));
        assert_eq!(side("(;GM[4]SZ[15];AB[fh]AW[aa];AB[gh])"), (Side::White, true));
        assert_eq!(side("(;GM[4]SZ[15];B[fh];AB[gh])"), (Side::White, false));
        // Compressed lists, corners in any order; later properties override earlier ones.
        let game = kept("(;GM[4]SZ[15]AB[aa:cb][ee]AW[cb:bb]AE[aa][ll];B[nn])").main_line();
        assert_eq!(names(game.start.black()), "ba ca ab ee");
        assert_eq!(names(game.start.white()), "bb cb");
        assert!(game.board().is_ok());
        // On an occupied point.
        let tree = read_trees("(;GM[4]SZ[15]AB[hh]AW[hi];B[hh])").unwrap().remove(0);
        assert_eq!(tree.illegal_move(), Some((1, "h8 is occupied".to_owned())));
    }

    #[test]
    fn stones_are_set_up_in_the_middle_of_a_tree() {
        let text = "(;GM[4]SZ[15];AB[fh][gh][hh]AW[aa](;W[ih];B[eh])(;W[eh]))";
        let game = kept(text).main_line();
        assert_eq!((game.start.black().len(), game.start.white().len()), (3, 1));
        assert_eq!((game.start.side_to_move(), game.moves.len()), (Side::White, 2));
        assert_eq!(kept(text).lines().count(), 2);
        assert!(!kept(text).has_late_setup());
        // Between moves, with a stone removed.
        let text = "(;GM[4]SZ[15];B[hh];W[ii];AE[ii]AW[jj]C[moved];B[kk];W[ii])";
        let game = kept(text).main_line();
        assert_eq!(
            (names(game.start.black()), names(game.start.white())),
            ("hh".into(), "jj".into())
        );
        assert_eq!((game.start.to_move, game.moves.len()), (Some(Side::Black), 2));
        assert!(kept(text).has_late_setup());
        assert_eq!(game.board().unwrap().ply(), 4);
        // The first move decides who is to move, and a specified side counts more.
        let game = kept("(;GM[4]SZ[15];AB[fh]AW[aa];C[x];W[ih])").main_line();
        assert_eq!((game.start.to_move, game.moves[0].side), (Some(Side::White), None));
        assert_eq!(kept("(;GM[4]SZ[15];PL[W];W[aa];B[bb])").out_of_turn(), None);
        let both = kept("(;GM[4]SZ[15];AB[fh]AW[aa](;W[ih])(;B[ih]))");
        let sides: Vec<_> =
            both.lines().flat_map(|line| line.sides().collect::<Vec<_>>()).collect();
        assert_eq!(sides, [Side::White, Side::Black]);
        assert!(!kept("(;GM[4]SZ[15];PL[W];W[aa];B[bb])").main_line().starts_empty());
        assert_eq!(kept("(;GM[4]SZ[15];B[aa];PL[W];W[bb])").out_of_turn(), None);
        let late = kept("(;GM[4]SZ[15];B[hh];W[ii];PL[W];W[ih];B[aa])");
        assert_eq!(late.out_of_turn(), Some((3, Side::White)));
        let game = late.main_line();
        assert_eq!(game.moves[2].side, Some(Side::White));
        assert_eq!(game.board().unwrap().side_to_move(), Side::White);
    }

    #[test]
    fn moves_out_of_turn_are_kept() {
        let tree = kept("(;GM[4]SZ[15];B[aa];B[bb];W[cc](;W[dd])(;B[ee]))");
        assert_eq!(tree.out_of_turn(), Some((2, Side::Black)));
        let game = tree.main_line();
        let sides = [Side::Black, Side::Black, Side::White, Side::White];
        assert_eq!(game.sides().collect::<Vec<_>>(), sides);
        assert_eq!((game.points().count(), game.moves.len()), (1, 4));
        let board = game.board().unwrap();
        assert_eq!(board.side_to_move(), Side::Black);
        assert!(board.stones().map(|stone| stone.side).eq(sides));
    }

    #[test]
    fn rectangles_do_not_multiply_the_size_of_a_file() {
        for name in ["TR", "AB"] {
            let text = |count| format!("(;GM[4]SZ[32]{})", format!(";{name}[aa:FF]").repeat(count));
            assert_eq!(read_trees(&text(10)).unwrap()[0].nodes.count(), 11);
            let both = format!("{}(;GM[4];B[hh])", text(1200));
            let games: Vec<_> = games(&both, &Game::new(15, 15, Variant::FREESTYLE)).collect();
            let error = games[0].as_ref().unwrap_err().to_string();
            assert_eq!(error, "the rectangles of the SGF file have too many points");
            assert!(games.len() == 2 && games[1].is_ok());
        }
    }

    #[test]
    fn long_chains_with_many_branches_are_read_quickly() {
        const LENGTH: usize = 20_000;
        let (chain, branches) = ("(;C[x]".repeat(LENGTH), "(;W[cc]))".repeat(LENGTH));
        let text = format!("(;GM[4]SZ[15];AB[aa]{chain}(;B[bb]){branches})");
        let tree = read_trees(&text).unwrap().remove(0);
        assert_eq!(tree.nodes.count(), 3 + 2 * LENGTH);
        assert_eq!(tree.main_line().sides().next(), Some(Side::Black));
    }

    #[test]
    fn passes_are_empty_or_beyond_the_board() {
        for pass in ["", "tt"] {
            let text = format!("(;GM[4]SZ[15];B[hh];W[hg];B[ii];W[{pass}];B[jj];W[gg];B[fg])");
            let tree = kept(&text);
            let game = tree.main_line();
            assert_eq!((game.moves.len(), game.moves[3].point), (7, None));
            assert_eq!((tree.first_pass(), tree.out_of_turn()), (Some(4), None));
            let board = game.board().unwrap();
            assert_eq!((board.ply(), board.side_to_move()), (6, Side::White));
        }
        let point =
            |size: &str| read(&format!("(;GM[4]SZ[{size}];B[tt])")).unwrap()[0].moves[0].point;
        assert_eq!((point("19"), point("20")), (None, Point::new(19, 19)));
        assert_eq!(point("15:20"), Point::new(19, 19));
    }

    #[test]
    fn properties_without_upper_case_names_are_dropped() {
        let text = "(;GM[4]SZ[15]s[1]a1[2]Km[x];Black[hh])";
        let tree = read_trees(text).unwrap().remove(0);
        let written = write_tree(&tree);
        assert!(written.contains("K[x]") && written.contains(";B[hh]"), "{written}");
        assert_eq!(read_trees(&written).unwrap(), [tree]);
    }

    #[test]
    fn foreign_properties_are_preserved() {
        let smartgo = "(;GM[4]FF[4]CA[UTF-8]AP[CGoban:3]ST[2]RU[renju]SZ[15]KM[0.00]PW[W]PB[B]\
             C[The root: a \\] and a \\\\.]RE[W+overline]GN[x\\:y]\n;B[hh]N[centre]\n(;W[hi]TR[hi]\
             LB[aa:1][bb:a\\:b]\n(;B[gg]C[direct\n\nopening])\n(;B[]DM[1])\n)\n(;W[gi]CR[aa:cc][ee]\
             ;;B[jj]BL[58.2]OB[]XX[a][b\\]c]))";
        let tree = read_trees(smartgo).unwrap().remove(0);
        let text = write_tree(&tree);
        assert_eq!(read_trees(&text).unwrap(), [tree]);
        for preserved in [
            "AP[CGoban:3]",
            "ST[2]",
            "KM[0.00]",
            "RE[W+overline]",
            "GN[x\\:y]",
            "N[centre]",
            "TR[hi]",
            "LB[aa:1][bb:a\\:b]",
            "C[direct\n\nopening]",
            "B[]",
            "DM[1]",
            "BL[58.2]",
            "XX[a][b\\]c]",
            "C[The root: a \\] and a \\\\.]",
            "CR[aa][ba][ca][ab][bb][cb][ac][bc][cc][ee]",
        ] {
            assert!(text.contains(preserved), "{preserved} is not in\n{text}");
        }
        assert_eq!(write_tree(&read_trees(&text).unwrap()[0]), text, "written again, the same");
        // Old files: lower case in names, two moves in a node, moves in the root.
        let old = "(;GaMe[4]SiZe[15]Black[hh]White[hi](;B[gg]Comment[ok])(;B[jj]))";
        let tree = read_trees(old).unwrap().remove(0);
        assert_eq!(tree.lines().map(|line| line.moves.len()).collect::<Vec<_>>(), [3, 3]);
        // The spelling is dropped if the game changes.
        let mut game = read("(;GM[4]RU[4]RE[W+Time];B[hh])").unwrap().remove(0);
        let mut tree = read_trees("(;GM[4]RU[4]RE[W+Time];B[hh])").unwrap().remove(0);
        assert!(write_tree(&tree).contains("RU[4]RE[W+Time]"));
        tree.game.result = Some(GameResult::Draw);
        assert!(write_tree(&tree).contains("RE[0]") && !write_tree(&tree).contains("Time"));
        game.result = None;
        assert!(!write(&game).contains("RE["));
    }

    #[test]
    fn renju_files_with_other_game_numbers_are_read() {
        for (kind, size) in [("1", "15"), ("5", " 15 "), ("11", "15")] {
            let text = format!("(;GM[{kind}]SZ[{size}];B[hh];W[hi])");
            assert_eq!(read(&text).unwrap()[0].moves.len(), 2, "{text}");
        }
        assert!(read("(;GM[1]SZ[19];B[dd])").unwrap_err().is_other_game());
        for other in ["(;GM[1];B[dd])", "(;GM[1]SZ[19];B[dd])", "(;GM[2]SZ[8];B[dd])"] {
            assert!(
                read(other).unwrap_err().to_string().contains("unsupported SGF game"),
                "{other}"
            );
        }
        // Files of Go editors, if the reader is told so.
        let any = Defaults {
            accepts_any_sgf: true,
            names_rule: true,
            ..Defaults::from(&Game::new(15, 15, Variant::RENJU))
        };
        let sabaki = "(;FF[4]GM[1]SZ[19]AP[Sabaki:0.52.2]CA[UTF-8]RU[Japanese]KM[6.5];B[jj];W[kk])";
        let tree = games(sabaki, any.clone()).next().unwrap().unwrap();
        assert_eq!((tree.game.width, tree.game.variant), (19, Variant::RENJU));
        assert_eq!(tree.main_line().moves.len(), 2);
        let written = write_tree(&tree);
        assert!(written.contains("GM[4]") && written.contains("RU[renju]"), "{written}");
        assert_eq!(games("(;GM[1];B[dd])", any).next().unwrap().unwrap().game.width, 15);
        assert_eq!(read("(;GM[1]SZ[15]RU[Chinese];B[hh])").unwrap()[0].moves.len(), 1);
        assert_eq!(read("(;GM[4]RU[ ];B[hh])").unwrap()[0].variant, Variant::FREESTYLE);
        for rule in ["RIF", "Yamaguchi", "Soosyrv-8", "Taraguchi 10"] {
            let text = format!("(;GM[4]RU[{rule}];B[hh])");
            assert_eq!(read(&text).unwrap()[0].variant, Variant::RENJU, "{rule}");
            let tree = read_trees(&text).unwrap().remove(0);
            assert!(write_tree(&tree).contains(&format!("RU[{rule}]")), "{rule}");
        }
    }

    #[test]
    fn unknown_rules_are_assumed_and_kept() {
        use kakugo::board::Rule;

        let renju = Game::new(15, 15, Variant::RENJU);
        for rule in ["Gomoku", "swap2", "Gomoku-Pro", "five in a row"] {
            let text = format!("(;GM[4]SZ[15]RU[{rule}];B[hh])");
            let tree = games(&text, &renju).next().unwrap().unwrap();
            assert_eq!((tree.game.variant, tree.game.assumes_rule), (Variant::RENJU, true));
            assert_eq!(unknown_rule(&tree).as_deref(), Some(rule));
            assert!(write_tree(&tree).contains(&format!("RU[{rule}]")), "{rule}");
            // The user names the rule.
            let named = Defaults { names_rule: true, ..Defaults::from(&renju) };
            let tree = games(&text, named).next().unwrap().unwrap();
            assert_eq!((tree.game.assumes_rule, unknown_rule(&tree)), (false, None));
            assert!(write_tree(&tree).contains("RU[renju]"), "{rule}");
        }
        for (rule, variant) in [
            ("Unrestricted", Variant::FREESTYLE),
            ("Free Style", Variant::FREESTYLE),
            ("exactly five", Variant::five(Rule::Standard)),
            ("\u{9023}\u{73e0}", Variant::RENJU),
            ("freestyle 4", Variant::new(Rule::Freestyle, 4).unwrap()),
        ] {
            let game = read(&format!("(;GM[4]RU[{rule}];B[hh])")).unwrap().remove(0);
            assert_eq!((game.variant, game.assumes_rule), (variant, false), "{rule}");
        }
        let of_go = read_trees("(;GM[1]SZ[15]RU[Japanese];B[hh])").unwrap().remove(0);
        assert!(unknown_rule(&of_go).is_none() && !write_tree(&of_go).contains("RU["));
    }

    #[test]
    fn missing_size_and_rule_use_the_defaults() {
        let defaults = Game::new(20, 19, Variant::RENJU);
        let read = |text| {
            let game = games(text, &defaults).next().unwrap().unwrap().game;
            (game.width, game.height, game.variant)
        };
        assert_eq!(read("(;GM[4];B[rr])"), (20, 19, Variant::RENJU));
        assert_eq!(read("(;GM[4]RU[ ]SZ[15];B[hh])"), (15, 15, Variant::RENJU));
        assert_eq!(read("(;GM[4]RU[caro];B[hh])"), (20, 19, Variant::CARO));
    }

    #[test]
    fn missing_results_are_taken_from_the_board() {
        let five = ";B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea]";
        let result =
            |head: &str, moves: &str| read(&format!("(;GM[4]{head}{moves})")).unwrap()[0].result;
        let black = Some(GameResult::Win(Side::Black));
        assert_eq!((result("", five), result("RE[?]", five)), (black, black));
        assert_eq!(result("", ";B[aa];W[ab]"), None);
        assert_eq!(result("RE[W+F]", five), Some(GameResult::Win(Side::White)));
        // A five in a variation does not decide the game.
        assert_eq!(result("", &format!("(;B[hh])({five})")), None);
    }

    #[test]
    fn errors_name_the_invalid_part() {
        let error = |text| read(text).unwrap_err().to_string();
        assert!(error("").contains("no SGF game"));
        assert!(error("()").contains("empty"));
        assert!(error("(;GM[1])").contains("unsupported SGF game"));
        assert!(error("(;GM[4];B[a])").contains("invalid point 'a'"));
        assert!(error("(;GM[4]AB[aa][b];B[cc])").contains("set-up stones (AB): invalid point 'b'"));
        let off_board = "set-up stones (AW): 'aa:pp' is off the 15x15 board";
        assert!(error("(;GM[4]SZ[15]AW[aa:pp])").contains(off_board));
        assert!(error("(;GM[4];B[aa]").contains("unterminated SGF game"));
        assert!(error("(;GM[4];B[aa").contains("unterminated SGF value"));
        assert!(error("(;GM[4];B[aa\\]").contains("unterminated SGF value"));
        assert!(error("(;GM[4];B)").contains("no value"));
        assert!(error("(;GM[4]SZ[999])").contains("board size"));
    }
}
