//! Writing game trees as SGF.

use super::property::{
    PLACEMENTS, SIGNS, ending, escape, letters, read_result, read_rule, result_name, rule_name,
    unescape,
};
use crate::Game;
use crate::game_tree::{GameTree, Note, Play, Property, Sign};
use crate::setup::Setup;
use crate::tree::NodeId;
use kakugo::board::Side;

/// Number of moves on a line of text.
const MOVES_PER_LINE: usize = 10;

/// Writes a game without variations.
pub fn write(game: &Game) -> String {
    write_tree(&GameTree::from_game(game))
}

/// An element to be written.
enum Item {
    /// A node and its descendants; the number of moves before it and the side to move.
    Node(NodeId, usize, Side),
    /// The same in brackets.
    Variation(NodeId, usize, Side),
    Close,
}

/// Writes a game with its variations.
pub fn write_tree(tree: &GameTree) -> String {
    let mut text = String::from("(");
    head(&mut text, tree);
    let mut next = vec![Item::Close];
    put_children(&mut next, tree, NodeId::ROOT, 0, tree.game.start.side_to_move());
    while let Some(step) = next.pop() {
        match step {
            Item::Close => text.push(')'),
            Item::Variation(id, number, side) => {
                text.push_str("\n(");
                next.push(Item::Close);
                next.push(Item::Node(id, number, side));
            }
            Item::Node(id, number, turn) => {
                let node = tree.nodes.value(id);
                let is_move = node.play != Play::Nothing;
                let begins_line = is_move && number.is_multiple_of(MOVES_PER_LINE);
                text.push_str(if begins_line && !text.ends_with('(') { "\n;" } else { ";" });
                if let Some(setup) = node.setup() {
                    // The colour of a move states the side.
                    set_up(&mut text, setup, setup.changes_board() || !is_move);
                }
                let side = node.setup().and_then(|setup| setup.to_move).unwrap_or(turn);
                let colour = colour(side);
                match node.play {
                    Play::Nothing => {}
                    Play::Stone(point) => property(&mut text, colour, &letters(point)),
                    Play::Pass => property(&mut text, colour, ""),
                }
                if let Some(note) = node.note() {
                    remarks(&mut text, note, |_| true);
                }
                let (number, side) =
                    if is_move { (number + 1, side.opponent()) } else { (number, side) };
                put_children(&mut next, tree, id, number, side);
            }
        }
    }
    text.push('\n');
    text
}

fn colour(side: Side) -> &'static str {
    if side == Side::Black { "B" } else { "W" }
}

fn put_children(next: &mut Vec<Item>, tree: &GameTree, parent: NodeId, number: usize, side: Side) {
    let children: Vec<NodeId> = tree.nodes.children(parent).collect();
    match children[..] {
        [] => {}
        [only] => next.push(Item::Node(only, number, side)),
        _ => {
            let variation = |&child: &NodeId| Item::Variation(child, number, side);
            next.extend(children.iter().rev().map(variation));
        }
    }
}

/// Writes a change of the board, and of the side to move if `has_side` is set.
fn set_up(text: &mut String, setup: &Setup, has_side: bool) {
    for (name, what) in PLACEMENTS {
        let placed = setup.placements().filter(|(_, placed)| *placed == what);
        values(text, name, placed.map(|(p, _)| letters(p)));
    }
    if let Some(side) = setup.to_move.filter(|_| has_side) {
        property(text, "PL", colour(side));
    }
}

/// Writes the root node.
fn head(text: &mut String, tree: &GameTree) {
    let game = &tree.game;
    let none = Note::default();
    let note = tree.nodes.value(NodeId::ROOT).note().unwrap_or(&none);
    let read = |name: &str| {
        let stored = note.other.iter().find(|property| property.name == name);
        stored.map(|property| unescape(&property.values[0]))
    };
    text.push_str(";FF[4]GM[4]CA[UTF-8]");
    if read("AP").is_none() {
        text.push_str("AP[kakugo]");
    }
    let size = match (game.width, game.height) {
        (width, height) if width == height => width.to_string(),
        (width, height) => format!("{width}:{height}"),
    };
    property(text, "SZ", &size);
    // Preserve the spelling of another program if it means the same or is not known, and do not
    // state a rule that was only assumed.
    let is_same = |spelling: &String| {
        let read = read_rule(spelling);
        read == Some(game.variant) || (read.is_none() && game.assumes_rule)
    };
    let stated = (!game.assumes_rule).then(|| rule_name(game.variant));
    if let Some(rule) = read("RU").filter(is_same).or(stated) {
        property(text, "RU", &escape(&rule, false));
    }
    let names = [
        ("EV", &game.event),
        ("RO", &game.round),
        ("DT", &game.date),
        ("PB", &game.black),
        ("PW", &game.white),
    ];
    for (key, name) in names {
        if !name.is_empty() {
            property(text, key, &escape(&name.replace(['\r', '\n'], " "), false));
        }
    }
    let end = ending(game);
    let is_same = |spelling: &String| read_result(spelling) == end;
    let result = read("RE").filter(is_same).or(end.map(result_name));
    if let Some(result) = result {
        property(text, "RE", &escape(&result, false));
    }
    if !game.termination.is_empty() {
        property(text, "TE", &escape(&game.termination, false));
    }
    set_up(text, &game.start, true);
    remarks(text, note, |name| !matches!(name, "RU" | "RE"));
}

/// Writes the annotations of a node. `is_written` selects properties of other programs.
fn remarks(text: &mut String, note: &Note, is_written: impl Fn(&str) -> bool) {
    if let Some(time) = note.time {
        property(text, "MS", &time.as_millis().to_string());
    }
    if !note.comment.is_empty() {
        property(text, "C", &escape(&note.comment, false));
    }
    for (name, sign) in &SIGNS {
        let marked = note.marks.iter().filter(|mark| mark.sign == *sign);
        values(text, name, marked.map(|mark| letters(mark.point)));
    }
    let labels = note.marks.iter().filter_map(|mark| match &mark.sign {
        Sign::Label(label) => Some(format!("{}:{}", letters(mark.point), escape(label, true))),
        _ => None,
    });
    values(text, "LB", labels);
    for Property { name, values: raw } in note.other.iter().filter(|other| is_written(&other.name))
    {
        values(text, name, raw.iter().cloned());
    }
}

fn values(text: &mut String, name: &str, values: impl Iterator<Item = String>) {
    for (number, value) in values.enumerate() {
        property(text, if number == 0 { name } else { "" }, &value);
    }
}

/// Writes a property with a raw value.
fn property(text: &mut String, name: &str, value: &str) {
    text.push_str(name);
    text.push('[');
    text.push_str(value);
    text.push(']');
}
