//! Links that hold a position.
//!
//! ```text
//! http://127.0.0.1:8080/#p=15x15,renju,5,h8h9i8       the browser board's
//! #p=15x15,freestyle,5,h8,b=a1,w=a2b2,x=o15,t=white   from a position that is set up
//! https://example.com/#h8i9i7                         any address that ends with moves
//! ```
//!
//! After `#p=` come size, rule, win length and moves, rows from the bottom; `--` is a pass. A first
//! position follows: black and white stones, blocked points, and the side to move. Names and result
//! are not stored, and other addresses store moves only. A text may hold several links.

use super::pos::{self, RowOrder};
use super::setup::{Placement, Setup};
use super::{FormatError, Game, Move};
use crate::text::text;
use kakugo::board::{Point, Rule, Side, Variant};

/// The beginning of a position in a link.
const MARK: &str = "#p=";

/// A link of a text.
enum Link<'a> {
    /// The part after `#p=`.
    Position(&'a str),
    /// The moves that another address ends with.
    Moves(&'a str),
}

/// Returns true if a text contains links of the browser board, or consists of addresses that end
/// with moves.
pub fn is_link(text: &str) -> bool {
    !links(text).is_empty()
}

/// Reads the position of the first link of a text. `defaults` supplies size and rule for addresses
/// without them.
///
/// # Errors
/// Returns an error if the link is incomplete or its position cannot be set up, or if there is
/// none.
pub fn read(text: &str, defaults: &Game) -> Result<Game, FormatError> {
    read_all(text, defaults).next().unwrap_or_else(|| Err(invalid(text)))
}

/// Reads the positions of all links of a text as [`read`] does.
pub fn read_all(text: &str, defaults: &Game) -> impl Iterator<Item = Result<Game, FormatError>> {
    let Game { width, height, variant, .. } = *defaults;
    links(text).into_iter().map(move |link| {
        let game = match link {
            Link::Position(position) => read_position(position)?,
            Link::Moves(moves) => {
                let moves = read_moves(moves, height)?;
                Game { moves, assumes_rule: true, ..Game::new(width, height, variant) }
            }
        };
        Ok(Game { result: game.result_on_board(), ..game })
    })
}

/// Returns the links of a text: those of the browser board, or else one address a line.
fn links(text: &str) -> Vec<Link<'_>> {
    let positions = text.split(MARK).skip(1).filter_map(position);
    let positions: Vec<Link<'_>> = positions.map(Link::Position).collect();
    if !positions.is_empty() {
        return positions;
    }
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let addresses = lines.map(|line| moves_of_address(line).map(Link::Moves));
    addresses.collect::<Option<_>>().unwrap_or_default()
}

/// Returns the part of a text that belongs to a position after `#p=`.
fn position(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || ",-=".contains(c)));
    let position = &text[..end.unwrap_or(text.len())];
    position.starts_with(|c: char| c.is_ascii_digit()).then_some(position)
}

/// Returns the moves that an address ends with.
fn moves_of_address(text: &str) -> Option<&str> {
    let address = text.trim();
    let is_address = ["http://", "https://"].iter().any(|scheme| address.starts_with(scheme));
    if !is_address || address.contains(char::is_whitespace) {
        return None;
    }
    let (_, moves) = address.rsplit_once(['/', '#', '?', '=', '!'])?;
    let read = read_moves(moves, 32).unwrap_or_default();
    read.iter().any(|played| played.point.is_some()).then_some(moves)
}

fn invalid(part: &str) -> FormatError {
    if part.is_empty() {
        return FormatError::new(text!("incomplete link: expected #p=15x15,renju,5,h8h9i8"));
    }
    FormatError::new(text!(
        "invalid link at '{0}': expected #p=15x15,renju,5,h8h9i8",
        part.chars().take(40).collect::<String>()
    ))
}

fn read_position(position: &str) -> Result<Game, FormatError> {
    let mut parts = position.split(',');
    let mut part = || parts.next().unwrap_or_default();
    let (size, rule, win, moves) = (part(), part(), part(), part());
    let number = |text: &str| text.parse::<u8>().ok();
    let (width, height) = size
        .split_once('x')
        .and_then(|(width, height)| number(width).zip(number(height)))
        .ok_or_else(|| invalid(size))?;
    let rule: Rule = rule.parse().map_err(|_| invalid(rule))?;
    let variant = win.parse().ok().and_then(|win| Variant::new(rule, win).ok());
    let variant = variant.ok_or_else(|| invalid(win))?;
    let mut start = Setup::default();
    for part in parts {
        let (key, value) = part.split_once('=').ok_or_else(|| invalid(part))?;
        let what = match (key, value) {
            ("b", _) => Placement::Stone(Side::Black),
            ("w", _) => Placement::Stone(Side::White),
            ("x", _) => Placement::Blocked,
            ("t", "black" | "white") => {
                start.to_move = Some([Side::White, Side::Black][usize::from(value == "black")]);
                continue;
            }
            _ => return Err(invalid(part)),
        };
        let points = pos::read(value, height, RowOrder::FromBottom)?;
        points.into_iter().for_each(|p| start.put(p, what));
    }
    let moves = read_moves(moves, height)?;
    Ok(Game { start, moves, ..Game::new(width, height, variant) })
}

/// Reads moves and passes.
fn read_moves(text: &str, height: u8) -> Result<Vec<Move>, FormatError> {
    Ok(Move::of_points(pos::read_moves(text, height, RowOrder::FromBottom)?))
}

/// Writes a game as the part of a link that begins with `#p=`. Moves out of turn follow passes.
pub fn write(game: &Game) -> String {
    let (height, rows) = (game.height, RowOrder::FromBottom);
    let of = |points: &[Point]| pos::write(points.iter().copied(), height, rows);
    let mut turn = game.start.side_to_move();
    let mut moves = String::new();
    for (played, side) in game.moves.iter().zip(game.sides()) {
        if side != turn {
            moves += "--";
        }
        match played.point {
            Some(p) => moves += &pos::write([p], height, rows),
            None => moves += "--",
        }
        turn = side.opponent();
    }
    let start = &game.start;
    let lists = [("b", start.black()), ("w", start.white()), ("x", start.blocked())];
    let mut text = format!(
        "{MARK}{}x{height},{},{},{moves}",
        game.width,
        game.variant.rule().word(),
        game.variant.win_length()
    );
    for (key, points) in lists.into_iter().filter(|(_, points)| !points.is_empty()) {
        text += &format!(",{key}={}", of(points));
    }
    let side = start.side_to_move();
    if start.changes_board() || side == Side::White {
        text += if side == Side::White { ",t=white" } else { ",t=black" };
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn defaults() -> Game {
        Game::new(15, 15, Variant::FREESTYLE)
    }

    #[test]
    fn links_round_trip() {
        for link in [
            "#p=15x15,renju,5,h8h9i8",
            "#p=20x12,caro-overline,5,",
            "#p=15x15,standard,4,h8--i8",
            "#p=15x15,freestyle,5,h8,b=g8h7,w=a1,x=o15,t=white",
            "#p=15x15,freestyle,5,,t=white",
        ] {
            assert!(is_link(link), "{link}");
            let game = read(link, &defaults()).unwrap();
            assert!(!game.assumes_rule && write(&game) == link, "{link}: {}", write(&game));
        }
        let game = read("See <http://[::1]:8080/#p=15x15,renju,5,h8h9i8>.", &defaults()).unwrap();
        assert_eq!((game.variant, game.moves.len()), (Variant::RENJU, 3));
    }

    #[test]
    fn moves_out_of_turn_become_passes() {
        let mut game = read("#p=15x15,renju,5,h8i9", &defaults()).unwrap();
        game.moves[1].side = Some(Side::Black);
        let text = write(&game);
        assert_eq!(text, "#p=15x15,renju,5,h8--i9");
        let again = read(&text, &defaults()).unwrap();
        assert_eq!(again.board().unwrap().key(), game.board().unwrap().key());
    }

    #[test]
    fn all_links_of_a_text_are_read() {
        let counts = |text: &str| {
            let moves = |game: Result<Game, FormatError>| game.ok().map(|game| game.moves.len());
            read_all(text, &defaults()).map(moves).collect::<Vec<_>>()
        };
        let two = "#p=15x15,renju,5,h8i9\nSee http://a.b/#p=15x15,renju,5,h8 and #p=x\n";
        assert_eq!(counts(two), [Some(2), Some(1)]);
        assert_eq!(counts("#p=15x15,renju\n#p=15x15,renju,5,h8"), [None, Some(1)]);
        assert_eq!(counts("https://a.b/#h8--i9\n\nhttp://a.b/?h8i9\n"), [Some(3), Some(2)]);
        assert!(!is_link("https://a.b/#h8\nhttps://a.b/about") && !is_link("https://a.b/pass"));
        let error = read("#p=15x15,renju", &defaults()).unwrap_err().to_string();
        assert!(error.starts_with("incomplete link: expected #p="), "{error}");
    }

    #[test]
    fn other_addresses_may_end_with_moves() {
        for address in ["https://example.com/#/h8i9i7", "http://a.b/?moves=h8_i9_i7 "] {
            assert!(is_link(address), "{address}");
            let game = read(address, &defaults()).unwrap();
            assert!(game.assumes_rule && game.moves.len() == 3, "{address}");
        }
        for other in ["https://example.com/", "https://example.com/about", "h8i9", "#p=", "#p=x"] {
            assert!(!is_link(other), "{other}");
        }
    }

    #[test]
    fn damaged_links_are_errors() {
        for bad in [
            "15x15",
            "15x15,go,5,",
            "15,renju,5,h8",
            "15x15,renju,9,",
            "15x15,renju,5,h99",
            "15x15,renju,5,h8,q=a1",
            "15x15,renju,5,h8,t=red",
            "999x15,renju,5,",
        ] {
            assert!(read(&format!("{MARK}{bad}"), &defaults()).is_err(), "{bad}");
        }
    }
}
