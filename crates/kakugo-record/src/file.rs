//! Reading and writing game files of every format, and detecting the format.
//!
//! Several formats store neither board size nor rule. Readers take them from `defaults`: a game
//! without moves, or [`Defaults`].

use std::borrow::Cow;
use std::io;
use std::ops::ControlFlow;

use super::game_tree::GameTree;
use super::pos::{NumberedMoves, RowOrder};
use super::psq::{self, Psq};
use super::rec::{self, Rec};
use super::{
    Defaults, FormatError, Game, Move, charset, diagram, link, offset, pgn, pos, renlib,
    renlib_pos, rif, sav, sgf, stone_list,
};
use crate::text::text;
use kakugo::board::{MAX_SIZE, MIN_SIZE, Point, Variant};

/// A game file format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Smart Game Format.
    Sgf,
    /// Piskvork's `.psq`.
    Psq,
    /// Gomotur's `.rec`.
    Rec,
    /// Moves such as `h8h9i8`, one game per line. Lines of offsets, drawings of boards, stones by
    /// colour and binary positions are read as well, because files with the same names contain
    /// them.
    Pos(RowOrder),
    /// Offsets from the centre such as `8,-3, 6,-4`, one game per line.
    Offset,
    /// RenLib library.
    RenLib,
    /// RenLib's binary position.
    RenLibPos,
    /// Yixin-Board's saved game.
    Sav,
    /// A board drawn as text; only read.
    Diagram,
    /// RenjuNet's game database; only read.
    Rif,
    /// Links to positions, such as `#p=15x15,renju,5,h8h9i8`.
    Link,
    /// Moves after tags such as `[Event "Open"]`.
    Pgn,
}

/// The extensions of all formats, for messages.
pub const EXTENSIONS: &str = ".sgf, .psq, .rec, .pos, .txt, .open, .opn, .lib, .sav, .rif, .pgn";

/// Number of bytes that [`Format::detect`] needs.
pub const BEGINNING_BYTES: u64 = 1024;

/// Ctrl-Z, which ends a text of DOS.
const END_OF_TEXT: char = '\u{1a}';

/// Format names on the command line.
const NAMES: [(&str, Format); 13] = [
    ("sgf", Format::Sgf),
    ("psq", Format::Psq),
    ("rec", Format::Rec),
    ("pos-bottom", Format::Pos(RowOrder::FromBottom)),
    ("pos-top", Format::Pos(RowOrder::FromTop)),
    ("offset", Format::Offset),
    ("lib", Format::RenLib),
    ("pos-binary", Format::RenLibPos),
    ("sav", Format::Sav),
    ("diagram", Format::Diagram),
    ("rif", Format::Rif),
    ("link", Format::Link),
    ("pgn", Format::Pgn),
];

impl Format {
    /// Returns the names of all formats.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// Returns the format with this name. For plain `pos`, rows are numbered as in `rows`.
    pub fn from_name(name: &str, rows: RowOrder) -> Option<Format> {
        let name = name.to_ascii_lowercase();
        match name.as_str() {
            "pos" => Some(Format::Pos(rows)),
            _ => NAMES.iter().find(|(known, _)| *known == name).map(|(_, format)| *format),
        }
    }

    /// Returns the format for a file name, by its extension. `.txt` files are read as `pos`.
    pub fn from_file_name(name: &str, rows: RowOrder) -> Option<Format> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "txt" => Some(Format::Pos(rows)),
            "open" | "opn" => Some(Format::Offset),
            extension => Format::from_name(extension, rows),
        }
    }

    /// Detects the format from the first bytes of a file. Returns `None` for `rec`, `pos` and
    /// offset files, which have no signature.
    pub fn detect(bytes: &[u8]) -> Option<Format> {
        // ASCII text in UTF-16 has a zero in every other byte.
        let beginning: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != 0).take(64).collect();
        let marks = [&b"\xef\xbb\xbf"[..], b"\xff\xfe", b"\xfe\xff"];
        let unmarked = marks.into_iter().find_map(|mark| beginning.strip_prefix(mark));
        let text = unmarked.unwrap_or(&beginning).trim_ascii_start();
        if renlib::is_library(bytes) {
            Some(Format::RenLib)
        } else if sgf::is_sgf(text) {
            Some(Format::Sgf)
        } else if psq::is_psq(text) {
            Some(Format::Psq)
        } else if rif::is_database(text) {
            Some(Format::Rif)
        } else if pgn::is_pgn(text) {
            Some(Format::Pgn)
        } else if std::str::from_utf8(bytes).is_ok_and(link::is_link) {
            Some(Format::Link)
        } else {
            None
        }
    }

    /// Returns the format of a file: by its content if that is certain, or else by its name.
    pub fn of_file(name: &str, bytes: &[u8], rows: RowOrder) -> Option<Format> {
        Format::detect(bytes).or_else(|| Format::from_file_name(name, rows))
    }

    /// Returns the name of the format on the command line.
    pub fn name(self) -> &'static str {
        NAMES.iter().find(|(_, format)| *format == self).map_or("", |(name, _)| name)
    }

    /// Returns true if a file holds only one game.
    pub fn holds_one_game(self) -> bool {
        use Format::{Psq, Rec, RenLib, RenLibPos, Sav};
        matches!(self, Psq | Rec | RenLib | RenLibPos | Sav)
    }

    /// Returns true if the format can store the rule.
    pub fn stores_rule(self) -> bool {
        matches!(self, Format::Sgf | Format::Psq | Format::Rif | Format::Link)
    }

    /// Returns true if the format stores passes and moves out of turn.
    pub fn stores_passes(self) -> bool {
        matches!(self, Format::Sgf | Format::RenLib | Format::Rif | Format::Link)
    }

    /// Returns true if the format stores variations.
    pub fn has_variations(self) -> bool {
        matches!(self, Format::Sgf | Format::RenLib)
    }

    /// Reads the main lines of all games in a file.
    ///
    /// # Errors
    /// Returns an error if one of the games is invalid or there are none.
    pub fn read(
        self,
        bytes: &[u8],
        defaults: impl Into<Defaults>,
    ) -> Result<Vec<Game>, FormatError> {
        Ok(self.read_trees(bytes, defaults)?.iter().map(GameTree::main_line).collect())
    }

    /// Reads all games in a file with their variations. A library is one game.
    ///
    /// # Errors
    /// Returns an error if one of the games is invalid, has an unsupported board size, or if there
    /// are none.
    pub fn read_trees(
        self,
        bytes: &[u8],
        defaults: impl Into<Defaults>,
    ) -> Result<Vec<GameTree>, FormatError> {
        let mut games = Vec::new();
        let mut result = Ok(());
        self.each_game(bytes, defaults, |game| {
            match game {
                Ok(game) => games.push(game),
                // The first game needs no number: most files contain only one.
                Err(error) if games.is_empty() => result = Err(error),
                Err(error) => {
                    let number = games.len() + 1;
                    result = Err(FormatError::new(text!("game {0}: {1}", number, error)));
                }
            }
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        result?;
        if games.is_empty() { Err(no_games()) } else { Ok(games) }
    }

    /// Returns the defaults for opening a file of this format while `game` is on the board. SGF
    /// files without `SZ` default to 15x15, whatever the current board.
    pub fn defaults_beside(self, game: Game) -> Game {
        match self {
            Format::Sgf => Game { width: 15, height: 15, ..game },
            _ => game,
        }
    }

    /// Reads all games in a file. Invalid games become errors; the result is never empty.
    pub fn games(
        self,
        bytes: &[u8],
        defaults: impl Into<Defaults>,
    ) -> Vec<Result<GameTree, FormatError>> {
        let mut games = Vec::new();
        self.each_game(bytes, defaults, |game| {
            games.push(game);
            ControlFlow::Continue(())
        });
        if games.is_empty() {
            games.push(Err(no_games()));
        }
        games
    }

    /// Passes the games of a file to `each`, one at a time, until it returns `Break`. Large
    /// collections need not fit into memory. Invalid games are passed as errors; an error of the
    /// file itself comes last.
    pub fn each_game(
        self,
        bytes: &[u8],
        defaults: impl Into<Defaults>,
        mut each: impl FnMut(Result<GameTree, FormatError>) -> ControlFlow<()>,
    ) {
        let defaults: Defaults = defaults.into();
        let Game { width, height, variant, .. } = defaults.game;
        let names_rule = defaults.names_rule;
        // Reject unsupported board sizes: Go boards are larger, and a damaged file may contain any
        // number.
        let mut each = |game: Result<GameTree, FormatError>| {
            each(game.and_then(|mut tree| {
                let Game { width, height, .. } = tree.game;
                let sizes = MIN_SIZE..=MAX_SIZE;
                if sizes.contains(&width) && sizes.contains(&height) {
                    // Another rule than the default follows from the moves of a game.
                    let is_default = tree.game.variant == variant;
                    tree.game.assumes_rule |= !self.stores_rule() && is_default;
                    tree.game.assumes_rule &= !names_rule;
                    Ok(tree)
                } else {
                    Err(no_such_board(width, height))
                }
            }))
        };
        if self == Format::RenLib || renlib::is_library(bytes) {
            let _ = each(renlib::read(bytes, variant));
            return;
        }
        if self == Format::RenLibPos
            || (matches!(self, Format::Pos(_)) && renlib_pos::is_position(bytes))
        {
            let game = renlib_pos::read(bytes, variant);
            let _ = each(game.map(|game| GameTree::from_game(&game)));
            return;
        }
        if self == Format::Rif {
            let _ = rif::games(io::Cursor::new(bytes), variant, each);
            return;
        }
        let named = if self == Format::Sgf { sgf::charset(bytes) } else { None };
        let text = charset::decode(bytes, named);
        let text = text.trim_start_matches('\u{feff}');
        // Texts of DOS may end with Ctrl-Z.
        let before_end = text.trim_end().strip_suffix(END_OF_TEXT);
        let text = before_end.map_or(text, |before| before.trim_end_matches(END_OF_TEXT));
        let moves_of = |points: Result<Vec<Point>, FormatError>| {
            points.map(|points| Move::of_points(points.into_iter().map(Some)))
        };
        let of_moves = |line: &str, moves: Result<Vec<Move>, FormatError>| {
            let moves = moves?;
            if moves.iter().all(|played| played.point.is_none()) {
                return Err(FormatError::new(text!("no moves in line '{0}'", line.trim())));
            }
            let game = Game { moves, ..Game::new(width, height, variant) };
            Ok(GameTree::from_game(&Game { result: game.result_on_board(), ..game }))
        };
        let is_control = |c: char| c.is_control() && !c.is_whitespace();
        use Format::{Diagram, Offset, Pgn, Pos, Sav};
        let is_plain_text = matches!(self, Pos(_) | Offset | Sav | Diagram | Pgn);
        if is_plain_text && text.contains(is_control) {
            let _ = each(Err(FormatError::new(text!("not a text file"))));
            return;
        }
        let is_game = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
        let lines = text.lines().filter(is_game);
        let format = match self {
            Format::Pos(_) if pgn::has_tags(text) => Format::Pgn,
            Format::Pgn if !pgn::has_tags(text) => Format::Pos(RowOrder::FromBottom),
            format => format,
        };
        let _ = match format {
            Format::Sgf => sgf::games(&sgf::completed(text), defaults).try_for_each(each),
            Format::Link => link::read_all(text, &defaults.game).map(tree_of).try_for_each(each),
            Format::Pgn => pgn::games(text, &defaults).try_for_each(each),
            Format::Psq => {
                each(Psq::read(text).map(|psq| GameTree::from_game(&psq.to_game(variant))))
            }
            Format::Rec => {
                let size = if defaults.names_size { (width, height) } else { rec::SIDES };
                each(Rec::read(text, size).map(|rec| GameTree::from_game(&rec.to_game(variant))))
            }
            Format::Sav => each(sav::read(text, variant).map(|game| GameTree::from_game(&game))),
            Format::Diagram => of_diagrams(text, variant).try_for_each(each),
            Format::Pos(_) if diagram::is_diagram(text) => {
                of_diagrams(text, variant).try_for_each(each)
            }
            Format::Pos(_) if sav::is_saved_game(text) => {
                each(sav::read(text, variant).map(|game| GameTree::from_game(&game)))
            }
            Format::Pos(rows)
                if let Some(games) = stone_list::read_all(text, &defaults.game, rows) =>
            {
                games.into_iter().map(Ok).map(tree_of).try_for_each(each)
            }
            Format::Pos(rows) => numbered_games(lines)
                .map(|line| {
                    let (line, _) = pos::split_result(&line);
                    let is_offsets = offset::looks_like_offsets(line);
                    let moves = if is_offsets {
                        moves_of(offset::read(line, width, height))
                    } else {
                        pos::read_moves(line, height, rows).map(Move::of_points)
                    };
                    of_moves(line, moves)
                })
                .try_for_each(each),
            Format::Offset => lines
                .map(|line| of_moves(line, moves_of(offset::read(line, width, height))))
                .try_for_each(each),
            Format::RenLib | Format::RenLibPos | Format::Rif => ControlFlow::Continue(()),
        };
    }

    /// Checks that the format can store the position that a game begins from.
    ///
    /// # Errors
    /// Returns an error if it cannot.
    pub fn check_start(self, tree: &GameTree) -> Result<(), FormatError> {
        match self {
            Format::Sgf | Format::RenLib | Format::Link => Ok(()),
            _ => from_empty_board(&tree.main_line()).map(drop),
        }
    }

    /// Writes games as text.
    ///
    /// # Errors
    /// Returns an error if the format cannot store the games or is binary (see
    /// [`Format::write_trees`]).
    pub fn write(self, games: &[Game]) -> Result<String, FormatError> {
        let line = |text: String| text + "\n";
        if self == Format::Sgf {
            return Ok(games.iter().map(sgf::write).collect());
        }
        if self == Format::Link {
            return Ok(games.iter().map(|game| line(link::write(game))).collect());
        }
        let games = &games.iter().map(from_empty_board).collect::<Result<Vec<_>, _>>()?[..];
        let one = || match games {
            [game] => Ok(game),
            _ => Err(FormatError::new(text!(
                "a file of this format holds one game, not {0}",
                games.len()
            ))),
        };
        Ok(match self {
            Format::Sgf | Format::Link => String::new(),
            Format::Psq => Psq::from_game(one()?).to_string(),
            Format::Rec => Rec::from_game(one()?)?.to_string(),
            Format::Pos(rows) => games
                .iter()
                .map(|game| line(pos::write(game.points(), game.height, rows)))
                .collect(),
            Format::Offset => games
                .iter()
                .map(|game| line(offset::write(game.points(), game.width, game.height)))
                .collect(),
            Format::Sav => sav::write(one()?),
            Format::Pgn => games.iter().map(pgn::write).collect(),
            Format::RenLib | Format::RenLibPos => {
                return Err(FormatError::new(text!(
                    "a RenLib library is binary and cannot be written as text"
                )));
            }
            Format::Diagram | Format::Rif => {
                let name = self.name();
                return Err(FormatError::new(text!("{0} files can only be read", name)));
            }
        })
    }

    /// Writes games with their variations, or their main lines if the format has no variations.
    ///
    /// # Errors
    /// Returns an error if the format cannot store the games.
    pub fn write_trees(self, games: &[GameTree]) -> Result<Vec<u8>, FormatError> {
        match (self, games) {
            (Format::Sgf, _) => {
                Ok(games.iter().map(sgf::write_tree).collect::<String>().into_bytes())
            }
            (Format::RenLib, [game]) => renlib::write(game),
            (Format::RenLibPos, [game]) => renlib_pos::write(&from_empty_board(&game.main_line())?),
            (Format::RenLib | Format::RenLibPos, _) => {
                let count = games.len();
                Err(FormatError::new(text!("a RenLib library holds one game, not {0}", count)))
            }
            _ => {
                let games: Vec<Game> = games.iter().map(GameTree::main_line).collect();
                self.write(&games).map(String::into_bytes)
            }
        }
    }
}

/// Joins lines that continue a numbered list of moves to the line before.
fn numbered_games<'a>(lines: impl Iterator<Item = &'a str>) -> impl Iterator<Item = Cow<'a, str>> {
    let mut lines = lines.peekable();
    std::iter::from_fn(move || {
        let mut game = Cow::Borrowed(lines.next()?);
        let mut list = NumberedMoves::default();
        list.add(&game);
        while let Some(line) = lines.next_if(|line| list.add_if_continued(line)) {
            let game = game.to_mut();
            game.push(' ');
            game.push_str(line);
        }
        Some(game)
    })
}

fn of_diagrams(
    text: &str,
    variant: Variant,
) -> impl Iterator<Item = Result<GameTree, FormatError>> {
    let with_result = |game: Game| Game { result: game.result_on_board(), ..game };
    diagram::read_all(text, variant).map(move |game| tree_of(game.map(with_result)))
}

fn tree_of(game: Result<Game, FormatError>) -> Result<GameTree, FormatError> {
    game.map(|game| GameTree::from_game(&game))
}

/// Returns a game that begins on the empty board, with set-up stones as moves.
fn from_empty_board(game: &Game) -> Result<Game, FormatError> {
    game.from_empty_board().ok_or_else(|| {
        FormatError::new(text!(
            "this format stores only moves from the empty board, and the stones of the position cannot be played in turns: use sgf"
        ))
    })
}

/// Returns the error of a file without games.
pub fn no_games() -> FormatError {
    FormatError::new(text!("the file contains no games"))
}

fn no_such_board(width: u8, height: u8) -> FormatError {
    FormatError::new(text!(
        "unsupported board size {0}x{1} (each side {2} to {3})",
        width,
        height,
        MIN_SIZE,
        MAX_SIZE,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameResult;
    use kakugo::board::Side;

    fn game() -> Game {
        let points = [(7, 7), (8, 3), (0, 19), (19, 0)].map(|(x, y)| Point::new(x, y).unwrap());
        let moves = points.into_iter().map(Move::new).collect();
        Game { moves, ..Game::new(20, 20, Variant::FREESTYLE) }
    }

    #[test]
    fn errors_quote_the_beginning_of_a_long_line() {
        let long = "?".repeat(100_000);
        let pattern = Game::new(20, 20, Variant::FREESTYLE);
        for (format, text) in [
            (Format::Pos(RowOrder::FromTop), format!("h8{}", "9".repeat(100_000))),
            (Format::Pos(RowOrder::FromTop), "-".repeat(100_000)),
            (Format::Offset, long.clone()),
            (Format::Psq, format!("Piskvorky 15x15, {long}")),
            (Format::Psq, format!("Piskvorky 15x15, 11:11, 0\n{long}\n\n\n\n\n")),
            (Format::Rec, format!("a\nb\n{long}")),
            (Format::Sav, format!("15 15 1 {long}")),
            (Format::Sgf, format!("(;GM[{long}])")),
            (Format::Sgf, format!("(;GM[4];B[{long}])")),
            (Format::Rif, format!("<game><move>h8{}</move></game>", "9".repeat(100_000))),
        ] {
            let error = format.read(text.as_bytes(), &pattern).unwrap_err().to_string();
            let length = error.chars().count();
            assert!(
                length < 250 && error.contains('\u{2026}'),
                "{format:?}: {length} {error:.300}"
            );
        }
    }

    #[test]
    fn every_format_round_trips_moves() {
        for format in Format::names().filter_map(|w| Format::from_name(w, RowOrder::FromTop)) {
            if matches!(format, Format::Diagram | Format::Rif) {
                assert!(format.write(&[game()]).is_err());
                continue;
            }
            if matches!(format, Format::RenLib | Format::RenLibPos) {
                let small = Game { width: 15, height: 15, ..game() };
                let moves = small.moves[..2].to_vec();
                let small = GameTree::from_game(&Game { moves, assumes_rule: true, ..small });
                let bytes = format.write_trees(std::slice::from_ref(&small)).unwrap();
                assert_eq!(format.read_trees(&bytes, game()).unwrap(), [small]);
                assert!(format.write(&[game()]).is_err());
                assert!(format.write_trees(&[GameTree::from_game(&game())]).is_err());
                continue;
            }
            let text = format.write(&[game()]).unwrap();
            let back = format.read(text.as_bytes(), game()).unwrap();
            assert!(back[0].points().eq(game().points()), "{format:?}: {text}");
            // Writing what was read yields the same text.
            assert_eq!(format.write(&back).unwrap(), text, "{format:?}");
        }
    }

    #[test]
    fn results_are_taken_from_the_board() {
        let points = (0..9).map(|i| Point::new(i / 2, i % 2).unwrap());
        let five = Game { moves: points.map(Move::new).collect(), ..game() };
        for format in ["psq", "rec", "pos-top", "offset", "pgn"] {
            let format = Format::from_name(format, RowOrder::FromTop).unwrap();
            let text = format.write(std::slice::from_ref(&five)).unwrap();
            let result = |text: &str| format.read(text.as_bytes(), game()).unwrap()[0].result;
            assert_eq!(result(&text), Some(GameResult::Win(Side::Black)), "{format:?}");
            assert_eq!(result(&format.write(&[game()]).unwrap()), None, "{format:?}");
        }
    }

    #[test]
    fn comment_lines_are_skipped() {
        let text = "\u{feff}# openings\nh8\n  # more\nh8h9\n";
        let games = Format::Pos(RowOrder::FromTop).read(text.as_bytes(), game()).unwrap();
        assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [1, 2]);
    }

    #[test]
    fn numbered_lines_are_one_game() {
        let text = "# a game\n1. K11 J10\n2. A1 B2\n\n3. C3\nh8i9\n1. h8\n";
        let games = Format::Pos(RowOrder::FromTop).read(text.as_bytes(), game()).unwrap();
        assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [5, 2, 1]);
        let wrapped = "1. h8 i9 2. h10\nh9 3. j8 k9 4.\nj9 k10 5. k11 l9\n0-1\n1. h8 i9 *\nh8 h9\n";
        let games = Format::Pos(RowOrder::FromTop).read(wrapped.as_bytes(), game()).unwrap();
        assert_eq!(games.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [10, 2, 2]);
    }

    #[test]
    fn sgf_files_without_size_default_to_15() {
        let board = Game::new(20, 20, Variant::RENJU);
        let read = |format: Format, text: &str| {
            let game = format
                .read(text.as_bytes(), format.defaults_beside(board.clone()))
                .unwrap()
                .remove(0);
            (game.width, game.variant)
        };
        assert_eq!(read(Format::Sgf, "(;GM[4];B[hh])"), (15, Variant::RENJU));
        assert_eq!(read(Format::Pos(RowOrder::FromTop), "h8"), (20, Variant::RENJU));
    }

    #[test]
    fn binary_files_are_rejected_as_text() {
        let pos = Format::Pos(RowOrder::FromTop);
        let games = pos.read(b"0,0, -1,2\nk11 j13\n", game()).unwrap();
        assert!(games[0].points().eq(games[1].points()));
        let error = pos.read(b"\x04\x70\x71\x60", game()).unwrap_err();
        assert_eq!(error.to_string(), "not a text file");
    }

    #[test]
    fn texts_may_end_with_a_control_character() {
        for (format, text) in [
            ("pos-top", "h8h9"),
            ("offset", "0,0, 1,1"),
            ("sav", "15\n15\n2\n7 7\n6 8"),
            ("pgn", "[White \"A\"]\n[Black \"B\"]\n\n{h8h9}\n*"),
            ("psq", "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\nA\nB\n-1"),
            ("rec", "A\nB\n8,8,0\n9,9,0\n-1"),
        ] {
            let format = Format::from_name(format, RowOrder::FromTop).unwrap();
            for end in ["\u{1a}", "\r\n\u{1a}\u{1a}\r\n"] {
                let read = format.read(format!("{text}{end}").as_bytes(), game());
                assert_eq!(read.unwrap()[0].moves.len(), 2, "{format:?}");
            }
        }
    }

    #[test]
    fn pos_files_hold_drawings_and_binary_positions_as_well() {
        let pos = Format::Pos(RowOrder::FromBottom);
        let binary = pos.read(b"\x03\x70\x71\x60", game()).unwrap().remove(0);
        assert_eq!((binary.width, binary.moves.len()), (15, 3));
        let drawn = pos.read(b"White to move\n. . .\n. X .\n. . .\n", game()).unwrap().remove(0);
        assert_eq!((drawn.width, drawn.start.black().len()), (3, 1));
        assert_eq!(drawn.start.to_move, Some(Side::White));
        // Set-up stones become moves if that is possible.
        assert_eq!(pos.write(&[drawn]).unwrap(), "b2\n");
        let two = pos.read(b"...\nXX.\n...\n", game()).unwrap();
        let error = pos.write(&two).unwrap_err().to_string();
        assert!(error.contains("only moves from the empty board"), "{error}");
        let saved = Format::Sav.read(b"15 15 2 7 7 6 8", game()).unwrap();
        assert_eq!(pos.read(b"15\n15\n2\n7 7\n6 8\n", game()).unwrap(), saved);
        assert_eq!(pos.write(&saved).unwrap(), "h8i9\n");
    }

    #[test]
    fn texts_may_hold_several_positions() {
        let stones = |text: &str| {
            let format = Format::detect(text.as_bytes());
            let format = format.unwrap_or(Format::Pos(RowOrder::FromBottom));
            let games = format.games(text.as_bytes(), game()).into_iter();
            let boards = games.map(|game| game.ok()?.main_line().board().ok());
            boards.map(|board| board.map(|board| board.stones().count())).collect::<Vec<_>>()
        };
        for text in [
            "...../.XO../..X../...../.....\n...../...../..X../...../.....\n",
            "....\n.XO.\n.X..\n\n...\n.X.\n...\n",
            "#p=15x15,renju,5,h8i9--i10\n#p=15x15,renju,5,h8\n",
        ] {
            assert_eq!(stones(text), [Some(3), Some(1)], "{text}");
        }
        assert_eq!(stones("Black: h8 g9; White: i9\nBlack: a1 b1; White: c1\n"), [Some(3); 2]);
        assert_eq!(stones("...\n.X.\n..\n\n...\n.X.\n...\n"), [None, Some(1)]);
        // Lines with numbers, without dots, are one game.
        assert_eq!(stones("1 h8\n2 h9\n3 i8\n"), [Some(3)]);
    }

    #[test]
    fn passes_of_position_text_are_kept() {
        let pos = Format::Pos(RowOrder::FromBottom);
        for text in ["h8 -- i9", "h8 pass i9", "1. h8 --\n2. i9"] {
            let read = pos.read(text.as_bytes(), game()).unwrap();
            assert_eq!((read.len(), read[0].moves.len()), (1, 3), "{text}");
            assert_eq!(read[0].sides().last(), Some(Side::Black), "{text}");
        }
        assert!(pos.read(b"-----", game()).is_err());
    }

    #[test]
    fn unsupported_board_sizes_are_rejected() {
        let error = |format: Format, text: &str| {
            format.read(text.as_bytes(), game()).unwrap_err().to_string()
        };
        let sizes = "unsupported board size 95x95 (each side 3 to 32)";
        let games = "(;GM[4]SZ[15];B[hh])(;GM[4]SZ[95];B[hh])";
        assert_eq!(error(Format::Sgf, games), format!("game 2: {sizes}"));
        let psq = "Piskvorky 40x20, 11:11, 0\n10,10,30\n11,10,0\n";
        assert!(error(Format::Psq, psq).contains("unsupported board size 40x20"));
    }

    #[test]
    fn errors_have_no_control_characters() {
        for (format, text) in [
            (Format::Psq, "Piskvorky 15x15\n\u{1b}[31mzz\u{7}\n1\n2\n3\n4\n5\n"),
            (Format::Sgf, "(;GM[4]AB[\u{1b}\0];B[aa])"),
            (Format::Rif, "<game><move>h8 \u{1b}[2J</move></game>"),
        ] {
            let error = format.read(text.as_bytes(), game()).unwrap_err().to_string();
            assert!(!error.contains(|c: char| c.is_control()), "{error:?}");
        }
    }

    #[test]
    fn names_in_a_code_page_are_decoded() {
        let games = Format::Sgf.read(b"(;GM[4]PB[J\xfcrgen];B[hh])", game()).unwrap();
        assert_eq!(games[0].black, "Jürgen");
    }

    #[test]
    fn multi_byte_code_pages_are_decoded() {
        // The second byte of the label is `]` in ASCII.
        let comment = b"\xb0\xd7\xc6\xe5\xb1\xd8\xca\xa4\xa3\xac\xba\xda\xc6\xe5\xca\xa7\xb0\xdc";
        let sgf = [&b"(;GM[1]CA[gb2312]SZ[15]LB[hh:\xd5\x5d];B[hh]C["[..], comment, b"];W[hi])"];
        let tree = Format::Sgf.read_trees(&sgf.concat(), game()).unwrap().remove(0);
        let note = tree.nodes.value(crate::tree::NodeId::ROOT).note().unwrap();
        assert_eq!(note.marks[0].sign, crate::game_tree::Sign::Label("\u{8aa1}".into()));
        assert_eq!(tree.main_line().moves[0].comment, "白棋必胜，黑棋失败");
        // RenLib files do not name their code page. This one has a comment at h8 and a text at i8.
        let mut lib = b"\xFFRenLib\xFF\x03\x00".to_vec();
        lib.extend([0xFF; 10]);
        lib.extend([0, 0, 0x78, 0x08]);
        lib.extend(comment);
        lib.extend([0, 0, 0x79, 0x41, 0, 1]);
        lib.extend(b"\xca\xa4\0\0");
        let tree = Format::RenLib.read_trees(&lib, game()).unwrap().remove(0);
        assert_eq!(tree.main_line().moves[0].comment, "白棋必胜，黑棋失败");
        let bytes = Format::RenLib.write_trees(std::slice::from_ref(&tree)).unwrap();
        assert_eq!(Format::RenLib.read_trees(&bytes, game()).unwrap(), [tree]);
    }

    #[test]
    fn formats_are_detected_from_content() {
        for (bytes, name) in [
            (&b" (;GM[4]"[..], "sgf"),
            (b"\xef\xbb\xbfPiskvorky 15x15", "psq"),
            (b"\xff\xfe(\0;\0", "sgf"),
            (b"\xFFRenLib\xFF\x03\x00", "lib"),
        ] {
            assert_eq!(Format::detect(bytes).map(Format::name), Some(name));
        }
        assert_eq!(Format::detect(b"h8h9"), None);
        assert_eq!(Format::detect(b""), None);
        for name in Format::names() {
            assert_eq!(Format::from_name(name, RowOrder::FromTop).unwrap().name(), name);
        }
    }

    #[test]
    fn formats_follow_from_file_names() {
        let of = |name| Format::from_file_name(name, RowOrder::FromBottom);
        assert_eq!(of("a.b/Game.SGF"), Some(Format::Sgf));
        assert_eq!(of("x.lib"), Some(Format::RenLib));
        assert_eq!(of("x.pos"), Some(Format::Pos(RowOrder::FromBottom)));
        assert_eq!(of("x.exe"), None);
        let rows = RowOrder::FromBottom;
        assert_eq!(Format::of_file("x.pos", b"(;GM[4])", rows), Some(Format::Sgf));
        assert_eq!(Format::of_file("x.pos", b"h8", rows), Some(Format::Pos(rows)));
        assert_eq!(of("sgf"), None);
    }
}
