//! Symbols of moves, arrows, and the name of a game, which are stored as properties of SGF.

use super::property::{escape, letters, read_point, unescape};
use crate::game_tree::{Note, Property};
use kakugo::board::Point;

/// The property of the name of a game.
const GAME_NAME: &str = "GN";

/// The property of arrows.
const ARROWS: &str = "AR";

/// A symbol that judges a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Symbol {
    /// `!`, `TE[1]`.
    Good,
    /// `!!`, `TE[2]`.
    Brilliant,
    /// `!?`, `IT[]`.
    Interesting,
    /// `?!`, `DO[]`.
    Dubious,
    /// `?`, `BM[1]`.
    Bad,
    /// `??`, `BM[2]`.
    Blunder,
}

/// The symbols with their texts, properties and values.
const SYMBOLS: [(Symbol, &str, &str, &str); 6] = [
    (Symbol::Good, "!", "TE", "1"),
    (Symbol::Brilliant, "!!", "TE", "2"),
    (Symbol::Interesting, "!?", "IT", ""),
    (Symbol::Dubious, "?!", "DO", ""),
    (Symbol::Bad, "?", "BM", "1"),
    (Symbol::Blunder, "??", "BM", "2"),
];

impl Symbol {
    /// Returns the symbol with this text, e.g. `!?`.
    pub fn from_text(text: &str) -> Option<Symbol> {
        SYMBOLS.iter().find(|(_, known, ..)| *known == text).map(|(symbol, ..)| *symbol)
    }

    /// Returns the text of the symbol.
    pub fn text(self) -> &'static str {
        self.entry().1
    }

    fn entry(self) -> (Symbol, &'static str, &'static str, &'static str) {
        SYMBOLS.into_iter().find(|(symbol, ..)| *symbol == self).unwrap_or(SYMBOLS[0])
    }

    /// Returns true if a property is a symbol.
    fn is_in(property: &Property) -> bool {
        SYMBOLS.iter().any(|(_, _, name, _)| *name == property.name)
    }
}

impl Note {
    /// Returns the symbol of the move.
    pub fn symbol(&self) -> Option<Symbol> {
        let Property { name, values } = self.other.iter().find(|other| Symbol::is_in(other))?;
        let is_strong = values.first().is_some_and(|value| value.trim() == "2");
        let of_name = SYMBOLS.iter().filter(|(_, _, known, _)| known == name);
        let symbols: Vec<Symbol> = of_name.map(|(symbol, ..)| *symbol).collect();
        if is_strong { symbols.last().copied() } else { symbols.first().copied() }
    }

    /// Sets the symbol of the move, or deletes it.
    pub fn set_symbol(&mut self, symbol: Option<Symbol>) {
        self.other.retain(|property| !Symbol::is_in(property));
        if let Some((_, _, name, value)) = symbol.map(Symbol::entry) {
            self.other.push(Property { name: name.to_owned(), values: vec![value.to_owned()] });
        }
    }

    /// Returns the name of the game, if this is the note of its root; empty without one.
    pub fn game_name(&self) -> String {
        let name = self.other.iter().find(|property| property.name == GAME_NAME);
        name.and_then(|name| name.values.first()).map_or_else(String::new, |name| unescape(name))
    }

    /// Sets the name of the game, in the note of its root.
    pub fn set_game_name(&mut self, name: &str) {
        self.other.retain(|property| property.name != GAME_NAME);
        if !name.is_empty() {
            let values = vec![escape(name, false)];
            self.other.push(Property { name: GAME_NAME.to_owned(), values });
        }
    }

    /// Returns the arrows, with the point at which each begins first.
    pub fn arrows(&self) -> Vec<[Point; 2]> {
        let arrow = |value: &String| {
            let (from, to) = value.split_once(':')?;
            Some([read_point(from.trim())?, read_point(to.trim())?])
        };
        let values = self.other.iter().filter(|other| other.name == ARROWS);
        values.flat_map(|property| &property.values).filter_map(arrow).collect()
    }

    /// Replaces the arrows.
    pub fn set_arrows(&mut self, arrows: &[[Point; 2]]) {
        self.other.retain(|property| property.name != ARROWS);
        let value = |&[from, to]: &[Point; 2]| format!("{}:{}", letters(from), letters(to));
        if !arrows.is_empty() {
            let values = arrows.iter().map(value).collect();
            self.other.push(Property { name: ARROWS.to_owned(), values });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game_tree::GameTree;
    use crate::sgf::{read_trees, write_tree};
    use crate::tree::NodeId;

    #[test]
    fn symbols_and_arrows_are_stored_as_properties() {
        let text = "(;GM[4]SZ[15];B[hh]TE[1]KEY[x];W[ii]BM[2]AR[hh:ii][ii:aa];B[hg]DO[])";
        let tree = read_trees(text).unwrap().remove(0);
        let nodes = tree.main_moves();
        let symbols = |tree: &GameTree| -> Vec<Option<Symbol>> {
            let of = |node: &_| tree.nodes.value(*node).note().and_then(Note::symbol);
            nodes.iter().map(of).collect()
        };
        let expected = [Symbol::Good, Symbol::Blunder, Symbol::Dubious].map(Some);
        assert_eq!(symbols(&tree), expected);
        let arrows = tree.nodes.value(nodes[1]).note().unwrap().arrows();
        assert_eq!(arrows.len(), 2);
        for (symbol, text, name, value) in SYMBOLS {
            assert_eq!((Symbol::from_text(text), symbol.text()), (Some(symbol), text));
            let mut changed = tree.clone();
            changed.nodes.value_mut(nodes[0]).edit_note(|note| note.set_symbol(Some(symbol)));
            let written = write_tree(&changed);
            assert!(written.contains(&format!("{name}[{value}]")), "{written}");
            assert!(written.contains("KEY[x]"), "{written}");
            let read = read_trees(&written).unwrap().remove(0);
            assert_eq!(symbols(&read)[0], Some(symbol));
        }
        let mut changed = tree;
        changed.nodes.value_mut(nodes[1]).edit_note(|note| {
            note.set_symbol(None);
            note.set_arrows(&arrows[1..]);
        });
        assert_eq!(symbols(&changed)[1], None);
        let written = write_tree(&changed);
        assert!(written.contains("W[ii]AR[ii:aa]") && !written.contains("hh:ii"), "{written}");
        assert_eq!(Symbol::from_text("???"), None);
    }

    #[test]
    fn games_have_names() {
        let mut tree = read_trees("(;GM[4]SZ[15]GN[a \\] b];B[hh])").unwrap().remove(0);
        let name = |tree: &GameTree| tree.nodes.value(NodeId::ROOT).note().unwrap().game_name();
        assert_eq!(name(&tree), "a ] b");
        tree.nodes.value_mut(NodeId::ROOT).edit_note(|note| note.set_game_name("c]\\"));
        let read = read_trees(&write_tree(&tree)).unwrap().remove(0);
        assert_eq!(name(&read), "c]\\");
        tree.nodes.value_mut(NodeId::ROOT).edit_note(|note| note.set_game_name(""));
        assert!(!write_tree(&tree).contains("GN["));
    }

    #[test]
    fn invalid_arrows_are_skipped() {
        let text = "(;GM[4]SZ[15];B[hh]AR[hh][a:b][hh:ii]BM[x])";
        let tree = read_trees(text).unwrap().remove(0);
        let note = tree.nodes.value(tree.main_moves()[0]).note().unwrap();
        assert_eq!((note.arrows().len(), note.symbol()), (1, Some(Symbol::Bad)));
        assert!(write_tree(&tree).contains("AR[hh][a:b][hh:ii]"));
    }
}
