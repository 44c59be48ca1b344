//! Reading games with tags.

use crate::game_tree::GameTree;
use crate::notation;
use crate::pos::{self, RowOrder};
use crate::text::text;
use crate::tree::NodeId;
use crate::{Defaults, FormatError, Game, GameResult, Move};
use kakugo::board::{Side, Variant};

/// Sites that write swaps and offered moves among the moves, always on 15x15.
const SITES_WITH_SWAPS: [&str; 2] = ["kurnik", "playok"];

/// Returns true if a file begins with a tag. The text may end anywhere.
pub fn is_pgn(text: &[u8]) -> bool {
    let Some(inside) = text.strip_prefix(b"[") else { return false };
    let name = inside.iter().take_while(|c| c.is_ascii_alphanumeric() || **c == b'_').count();
    let value = inside[name..].trim_ascii_start();
    inside.first().is_some_and(u8::is_ascii_alphabetic)
        && value.len() < inside.len() - name
        && value.starts_with(b"\"")
}

/// Returns true if a text has a line with a tag.
pub fn has_tags(text: &str) -> bool {
    text.lines().any(|line| tag(line).is_some())
}

/// Reads all games of a text. A game begins with its tags.
pub fn games(
    text: &str,
    defaults: &Defaults,
) -> impl Iterator<Item = Result<GameTree, FormatError>> {
    let mut lines = text.lines().peekable();
    let blocks = std::iter::from_fn(move || {
        lines.peek()?;
        let mut block = Block::default();
        while let Some(line) = lines.next_if(|line| !block.ends_before(line)) {
            block.add(line);
        }
        Some(block)
    });
    // Text before the first tags may be a title.
    let is_game = |block: &Block| !block.tags.is_empty() || pos::begins_with_point(&block.moves);
    blocks.filter(is_game).map(|block| block.read(defaults))
}

/// Parses a line such as `[Event "Open \"A\""]` as a name and a value.
fn tag(line: &str) -> Option<(&str, String)> {
    let line = line.trim();
    if !is_pgn(line.as_bytes()) {
        return None;
    }
    let (name, value) = line.strip_prefix('[')?.strip_suffix(']')?.split_once('"')?;
    let value = value.trim_end().strip_suffix('"')?;
    Some((name.trim_end(), value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

/// The tags and the moves of a game.
#[derive(Default)]
struct Block<'a> {
    tags: Vec<(&'a str, String)>,
    moves: String,
}

impl<'a> Block<'a> {
    /// Returns true if a line belongs to the next game.
    fn ends_before(&self, line: &str) -> bool {
        tag(line).is_some_and(|(name, _)| {
            !self.moves.is_empty() || self.tags.iter().any(|(known, _)| *known == name)
        })
    }

    fn add(&mut self, line: &'a str) {
        if let Some(tag) = tag(line) {
            self.tags.push(tag);
        } else if !line.trim().is_empty() && !line.trim_start().starts_with(['#', '%']) {
            self.moves.push_str(line);
            self.moves.push('\n');
        }
    }

    /// Returns the value of a tag, or an empty string if it is unknown.
    fn value(&self, name: &str) -> &str {
        let tag = self.tags.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        let value = tag.map_or("", |(_, value)| value.trim());
        if value.chars().all(|c| "?-.".contains(c)) { "" } else { value }
    }

    fn read(&self, defaults: &Defaults) -> Result<GameTree, FormatError> {
        let site = self.value("Site").to_ascii_lowercase();
        let has_swaps = SITES_WITH_SWAPS.iter().any(|known| site.contains(known));
        let (moves, last) = pos::split_result(&self.moves);
        let outside = without_comments(moves);
        // A comment may follow the result.
        let (moves, last) = match last {
            Some(_) => (&*outside, last),
            None => pos::split_result(&outside),
        };
        let moves = Moves::parse(moves, has_swaps)?;
        let mut game = Game { result: None, ..defaults.game.clone() };
        if has_swaps {
            (game.width, game.height) = (15, 15);
        }
        if moves.is_renju && !defaults.names_rule {
            game.variant = Variant::RENJU;
        }
        let points = pos::read_moves(&moves.played, game.height, RowOrder::FromBottom)?;
        if points.iter().all(Option::is_none) {
            return Err(FormatError::new(text!("the game has no moves")));
        }
        let offers = pos::read(&moves.offers, game.height, RowOrder::FromBottom)?;
        game.moves = Move::of_points(points);
        self.read_tags(&mut game, has_swaps, last);
        if moves.swaps {
            std::mem::swap(&mut game.black, &mut game.white);
            game.result = game.result.map(swapped);
        }
        game.result = game.result.or_else(|| game.result_on_board());
        let mut tree = GameTree::from_game(&game);
        if !offers.is_empty() {
            let comment = notation::offered_fifth_moves(&offers, game.height);
            tree.nodes.value_mut(NodeId::ROOT).append_comment(&comment);
        }
        Ok(tree)
    }

    /// Sets names and result. `last` is the result after the moves.
    fn read_tags(&self, game: &mut Game, has_swaps: bool, last: Option<&str>) {
        let text = |name: &str| self.value(name).to_owned();
        (game.black, game.white) = (text("Black"), text("White"));
        (game.event, game.round) = (text("Event"), text("Round"));
        if game.event.is_empty() {
            game.event = text("Site");
        }
        game.date = self.value("Date").trim_end_matches(['.', '?']).replace('.', "-");
        game.termination = text("Termination");
        let first = self.first_named(has_swaps);
        let tagged = result(self.value("Result"), first);
        game.result = tagged.or_else(|| result(last.unwrap_or_default(), first));
    }

    /// Returns the player whose points come first in the result: the one who is named first.
    fn first_named(&self, has_swaps: bool) -> Side {
        let place = |side| self.tags.iter().position(|(name, _)| name.eq_ignore_ascii_case(side));
        match (place("Black"), place("White")) {
            (Some(black), Some(white)) if black < white => Side::Black,
            (None, None) if has_swaps => Side::Black,
            _ => Side::White,
        }
    }
}

/// Parses `1-0`, `0-1` or `1/2-1/2`; `first` is the player whose points come first.
fn result(word: &str, first: Side) -> Option<GameResult> {
    match word {
        "1-0" => Some(GameResult::Win(first)),
        "0-1" => Some(GameResult::Win(first.opponent())),
        "1/2-1/2" | "\u{bd}-\u{bd}" => Some(GameResult::Draw),
        _ => None,
    }
}

fn swapped(result: GameResult) -> GameResult {
    match result {
        GameResult::Win(side) => GameResult::Win(side.opponent()),
        GameResult::Draw => GameResult::Draw,
    }
}

/// Returns a text without `{comments}`. If it consists of comments, their contents are the moves.
fn without_comments(text: &str) -> String {
    let mut parts = text.split('{');
    let mut outside = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        outside.push(' ');
        outside.push_str(part.split_once('}').map_or("", |(_, after)| after));
    }
    if outside.trim().is_empty() { text.to_owned() } else { outside }
}

/// The moves of a game, and what stands among them.
#[derive(Default)]
struct Moves {
    /// The moves that were played.
    played: String,
    /// The fifth moves that were offered.
    offers: String,
    /// True for a game of Renju, where Black places the first three stones.
    is_renju: bool,
    /// True if the player named White took Black.
    swaps: bool,
}

impl Moves {
    /// Parses `1. h8 i9 2. i7 g9`. With swaps, as Kurnik and PlayOK write them, a player who does
    /// not move is `--`, the choice of a colour after three stones is `black` or `white`, and two
    /// fifth moves are offered in Renju: `1. h8 -- 2. h9 -- 3. h6 white 4. -- i8 5. j7 -- 6. i7
    /// i7`.
    fn parse(text: &str, has_swaps: bool) -> Result<Moves, FormatError> {
        let is_choice = |word: &str| ["white", "black"].contains(&&*word.to_ascii_lowercase());
        if !has_swaps && !text.split_whitespace().any(is_choice) {
            return Ok(Moves { played: text.to_owned(), ..Moves::default() });
        }
        let mut moves = Moves::default();
        let mut has_choice = false;
        let mut count = 0;
        for word in text.split_whitespace().map(without_number).filter(|word| !word.is_empty()) {
            let is_expected = match (word, count) {
                // Black places the first three stones of Renju; the fifth move is agreed on later.
                ("--", _) => count == 1 || (count < 9 && (has_choice || moves.is_renju)),
                (_, 3) => is_choice(word) || !moves.is_renju,
                _ => !is_choice(word),
            };
            if !is_expected {
                return Err(FormatError::new(text!("unexpected '{0}' among the moves", word)));
            }
            match (word, count) {
                ("--", _) => {
                    moves.is_renju |= count == 1;
                    continue;
                }
                (_, 3) if is_choice(word) => {
                    has_choice = true;
                    moves.swaps = word.eq_ignore_ascii_case("black");
                }
                (_, 5 | 6) if moves.is_renju => push(&mut moves.offers, word),
                _ => push(&mut moves.played, word),
            }
            count += 1;
        }
        Ok(moves)
    }
}

/// Returns a word without the move number before it.
fn without_number(word: &str) -> &str {
    let tail = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if tail.len() < word.len() && tail.starts_with('.') {
        tail.trim_start_matches('.')
    } else {
        word
    }
}

fn push(words: &mut String, word: &str) {
    words.push_str(word);
    words.push(' ');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::Format;

    fn read(text: &str) -> Vec<Result<GameTree, FormatError>> {
        let format = Format::detect(text.as_bytes()).unwrap_or(Format::Pos(RowOrder::FromTop));
        format.games(text.as_bytes(), Game::new(20, 20, Variant::FREESTYLE))
    }

    fn moves(tree: &GameTree) -> String {
        pos::write(tree.main_line().points(), tree.game.height, RowOrder::FromBottom)
    }

    const GOMOKU: &str = "[Event \"?\"]\n[Site \"PlayOK\"]\n[Date \"2025.03.16\"]\n[Round \"-\"]\n\
        [Black \"anna\"]\n[White \"bob \\\"b\\\"\"]\n[Result \"0-1\"]\n[TimeControl \"300\"]\n\n";

    #[test]
    fn games_with_tags_are_read() {
        let text = format!("{GOMOKU}1. h8 i9 2. h10 h9 3.\nj8 k9 0-1\n\n{GOMOKU}1. h8 i9 1-0\n");
        for text in [text.clone(), format!("Games of today\n\n{text}")] {
            let games: Vec<_> = read(&text).into_iter().map(Result::unwrap).collect();
            assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), ["h8i9h10h9j8k9", "h8i9"]);
            let game = &games[0].game;
            assert_eq!((&*game.black, &*game.white, game.width), ("anna", "bob \"b\"", 15));
            assert_eq!((&*game.event, &*game.round, &*game.date), ("PlayOK", "", "2025-03-16"));
            assert_eq!(game.result, Some(GameResult::Win(Side::White)));
        }
        let game = read(&format!("{GOMOKU}1. h8 i9 0-1 {{White resigned}}\n")).remove(0).unwrap();
        assert_eq!(moves(&game), "h8i9");
        let chess =
            "[White \"bob\"]\n[Black \"anna\"]\n[Result \"0-1\"]\n1. h8 i9 {good} 2. i7 0-1";
        let game = read(chess).remove(0).unwrap();
        assert_eq!(game.game.result, Some(GameResult::Win(Side::Black)));
        assert_eq!((moves(&game), game.game.width), ("h8i9i7".into(), 20));
    }

    #[test]
    fn swaps_and_offers_are_read() {
        let renju = "1. h8 -- 2. h9 -- 3. h6 white 4. -- i8 5. j7 -- 6. i7 i7 7. -- j7 8. k6 j8 9.\n\
            j9 g8 0-1";
        let game = read(&format!("{GOMOKU}{renju}")).remove(0).unwrap();
        assert_eq!(moves(&game), "h8h9h6i8i7j7k6j8j9g8");
        assert_eq!((game.game.variant, &*game.game.black), (Variant::RENJU, "anna"));
        assert!(!game.game.assumes_rule);
        let comment = game.nodes.value(NodeId::ROOT).comment();
        assert_eq!(comment, "Offered fifth moves: j7 i7");
        let swapped = "1. h8 -- 2. h9 -- 3. h7 black 4. h6 i8 5. -- j8 6. j8 -- 7. g8 f7 0-1";
        let game = read(&format!("{GOMOKU}{swapped}")).remove(0).unwrap();
        assert_eq!((moves(&game), &*game.game.white), ("h8h9h7h6j8g8f7".into(), "anna"));
        assert_eq!(game.game.result, Some(GameResult::Win(Side::Black)));
        let gomoku = "1. g5 m8 2. h10 white 3. -- k9 4. j8 k10 0-1";
        let game = read(&format!("{GOMOKU}{gomoku}")).remove(0).unwrap();
        assert_eq!((moves(&game), &*game.game.black), ("g5m8h10k9j8k10".into(), "anna"));
        assert_eq!(game.game.result, Some(GameResult::Win(Side::White)));
    }

    #[test]
    fn games_with_other_words_are_rejected_whole() {
        for (moves, word) in [
            ("1. h8 i9\n2. resigns\n3. j8 k9", "resigns"),
            ("1. h8 i9 2. -- h10\n3. j8 k9", "--"),
            ("1. h8 white 2. i9 k9", "white"),
            ("1. h8 -- 2. h9 -- 3. h6 i8", "i8"),
            ("1. h8 i9 1-0 2. j8", "1"),
        ] {
            let games = read(&format!("{GOMOKU}{moves}\n{GOMOKU}1. h8 i9\n"));
            assert_eq!(games.len(), 2, "{moves}");
            let error = games[0].as_ref().unwrap_err().to_string();
            assert!(error.contains(&format!("'{word}'")) && games[1].is_ok(), "{error}");
        }
        let error = read(&format!("{GOMOKU}1-0")).remove(0).unwrap_err();
        assert_eq!(error.to_string(), "the game has no moves");
        assert!(!is_pgn(b"[\"h8\",\"i9\"]") && !is_pgn(b"[h8][i9]") && is_pgn(b"[Event \"x"));
    }
}
