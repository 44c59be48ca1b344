//! Files of any format: which format a name means, and reading and writing by format.
//!
//! What a format does not tell (size, rule) is taken from a pattern game that the caller gives.

use super::pos::RowOrder;
use super::psq::Psq;
use super::rec::Rec;
use super::{FormatError, Game, Move, offset, pos, renlib, sgf};

/// A format of files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Smart Game Format.
    Sgf,
    /// Piskvork's.
    Psq,
    /// Gomotur's.
    Rec,
    /// `h8h9i8`.
    Pos(RowOrder),
    /// `8,-3, 6,-4` from the centre.
    Offset,
    /// RenLib's library; reading only.
    RenLib,
}

/// Words for formats, as arguments.
const WORDS: [(&str, Format); 7] = [
    ("sgf", Format::Sgf),
    ("psq", Format::Psq),
    ("rec", Format::Rec),
    ("pos-bottom", Format::Pos(RowOrder::FromBottom)),
    ("pos-top", Format::Pos(RowOrder::FromTop)),
    ("offset", Format::Offset),
    ("lib", Format::RenLib),
];

impl Format {
    /// All formats' words.
    pub fn words() -> impl Iterator<Item = &'static str> {
        WORDS.iter().map(|(word, _)| *word)
    }

    /// The format with this word; `pos` alone counts rows as `rows` says.
    pub fn from_word(word: &str, rows: RowOrder) -> Option<Format> {
        let word = word.to_ascii_lowercase();
        match word.as_str() {
            "pos" => Some(Format::Pos(rows)),
            _ => WORDS.iter().find(|(known, _)| *known == word).map(|(_, format)| *format),
        }
    }

    /// The format that a file's name ends in; text files hold `pos` text.
    pub fn of_name(name: &str, rows: RowOrder) -> Option<Format> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "txt" => Some(Format::Pos(rows)),
            "open" | "opn" => Some(Format::Offset),
            word => Format::from_word(word, rows),
        }
    }

    /// Read all games of a file. `pattern` tells size and rule where the format does not.
    ///
    /// # Errors
    /// Says what is wrong with it.
    pub fn read(self, bytes: &[u8], pattern: &Game) -> Result<Vec<Game>, FormatError> {
        let variant = pattern.variant;
        if self == Format::RenLib || renlib::is_library(bytes) {
            return renlib::read(bytes, variant);
        }
        // Old programs wrote names in their own code pages.
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}');
        let of_points = |line: &str, points: Result<Vec<_>, FormatError>| {
            let points = points?;
            if points.is_empty() {
                return Err(FormatError::new(format!("no move in \"{}\"", line.trim())));
            }
            let moves = points.into_iter().map(Move::new).collect();
            Ok(Game { moves, ..Game::new(pattern.width, pattern.height, variant) })
        };
        let lines = || text.lines().filter(|line| !line.trim().is_empty());
        let games = match self {
            Format::Sgf => sgf::read(text)?,
            Format::Psq => vec![Psq::read(text)?.game(variant)],
            Format::Rec => vec![Rec::read(text)?.game(variant)],
            Format::Pos(rows) => lines()
                .map(|line| of_points(line, pos::read(line, pattern.height, rows)))
                .collect::<Result<_, _>>()?,
            Format::Offset => lines()
                .map(|line| of_points(line, offset::read(line, pattern.width, pattern.height)))
                .collect::<Result<_, _>>()?,
            Format::RenLib => Vec::new(),
        };
        if games.is_empty() { Err(FormatError::new("the file holds no game")) } else { Ok(games) }
    }

    /// Write games.
    ///
    /// # Errors
    /// The format cannot hold them.
    pub fn write(self, games: &[Game]) -> Result<String, FormatError> {
        let one = || match games {
            [game] => Ok(game),
            _ => Err(FormatError::new(format!("one file holds one game, not {}", games.len()))),
        };
        let line = |text: String| text + "\n";
        Ok(match self {
            Format::Sgf => games.iter().map(sgf::write).collect(),
            Format::Psq => Psq::of(one()?).to_string(),
            Format::Rec => Rec::of(one()?)?.to_string(),
            Format::Pos(rows) => games
                .iter()
                .map(|game| line(pos::write(game.points(), game.height, rows)))
                .collect(),
            Format::Offset => games
                .iter()
                .map(|game| line(offset::write(game.points(), game.width, game.height)))
                .collect(),
            Format::RenLib => {
                return Err(FormatError::new("RenLib libraries can be read, not written"));
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Point, Variant};

    fn game() -> Game {
        let points = [(7, 7), (8, 3), (0, 19), (19, 0)].map(|(x, y)| Point::new(x, y).unwrap());
        let moves = points.into_iter().map(Move::new).collect();
        Game { moves, ..Game::new(20, 20, Variant::FREESTYLE) }
    }

    #[test]
    fn every_format_keeps_the_moves() {
        for format in Format::words().filter_map(|w| Format::from_word(w, RowOrder::FromTop)) {
            if format == Format::RenLib {
                assert!(format.write(&[game()]).is_err());
                continue;
            }
            let text = format.write(&[game()]).unwrap();
            let back = format.read(text.as_bytes(), &game()).unwrap();
            assert!(back[0].points().eq(game().points()), "{format:?}: {text}");
            // Text, once written, is a fixed point.
            assert_eq!(format.write(&back).unwrap(), text, "{format:?}");
        }
    }

    #[test]
    fn names_tell_the_format() {
        let of = |name| Format::of_name(name, RowOrder::FromBottom);
        assert_eq!(of("a.b/Game.SGF"), Some(Format::Sgf));
        assert_eq!(of("x.lib"), Some(Format::RenLib));
        assert_eq!(of("x.pos"), Some(Format::Pos(RowOrder::FromBottom)));
        assert_eq!(of("x.exe"), None);
        assert_eq!(of("sgf"), None);
    }
}
