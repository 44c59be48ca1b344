//! Orders: the commands of the terminal board, parsed from text.

use std::fmt;

use kakugo::board::{Rule, Size, UnknownRule, UnknownSize};
use kakugo_play_core::game::opening::{Opening, OpeningChoice};
use kakugo_play_core::game::setup::{PlayerKind, Seat, UnknownPlayer};

use super::coach::CoachChoice;

/// An order.
#[derive(Clone, PartialEq, Debug)]
pub enum Order {
    /// Place a stone on this point, as typed.
    Place(String),
    /// Take back this many steps; `None`: back to the human's turn.
    Undo(Option<usize>),
    /// Play this many steps again; `None`: to the human's next turn.
    Redo(Option<usize>),
    /// Show the next step of a hint, or all of it at once.
    Hint {
        /// True for all of it.
        all: bool,
    },
    /// Set what the coach speaks of; `None` shows it.
    Coach(Option<CoachChoice>),
    /// Start a new game.
    New,
    /// The rule of the next game.
    Rule(Rule),
    /// The size of the next game.
    Size(u8, u8),
    /// The win length of the next game.
    Win(u8),
    /// The opening of the next game.
    Opening(Opening),
    /// Names of the players.
    Names(String, String),
    /// The level of all players that are Kakugo.
    Level(usize),
    /// The player of the first or the second seat.
    Seat(usize, PlayerKind),
    /// Choose in a swap opening.
    Choose(OpeningChoice),
    /// Pass.
    Pass,
    /// Make the computer play its best move so far.
    Stop,
    /// Stop clocks and computers.
    Pause,
    /// Go on after a pause, or after moves were taken back.
    Go,
    /// List the levels.
    Levels,
    /// Resign.
    Resign,
    /// Draw the board.
    Show,
    /// List the moves.
    Moves,
    /// List the moves with their variations.
    Tree,
    /// Go to the position after this many moves of the line.
    Goto(usize),
    /// Go to a move of any variation, by its number in the list.
    GotoNumbered(u32),
    /// Promote the variation on the board by one place.
    Promote,
    /// Delete the move on the board and all moves after it.
    Delete,
    /// Replace the comment of the move on the board; `None` shows it, an empty one deletes it.
    Comment(Option<String>),
    /// Save to a file.
    Save {
        /// Its name.
        name: String,
        /// True if an existing file is overwritten.
        over: bool,
    },
    /// Load a file.
    Load(String),
    /// List the orders.
    Help,
    /// Quit.
    Quit,
}

impl Order {
    /// Returns true if the order is executed at once at a keyboard, even while the computer thinks.
    pub const fn interrupts(&self) -> bool {
        matches!(
            self,
            Order::Undo(_)
                | Order::Goto(_)
                | Order::GotoNumbered(_)
                | Order::Delete
                | Order::Resign
                | Order::Pause
                | Order::New
                | Order::Load(_)
                | Order::Quit
        )
    }

    /// Returns true if it changes the players.
    pub const fn is_about_players(&self) -> bool {
        matches!(self, Order::Names(..) | Order::Level(_) | Order::Seat(..))
    }

    /// Changes these players, Black first, if the order does.
    pub fn change_players(&self, seats: &mut [Seat; 2]) {
        match self {
            Order::Names(black, white) => {
                for (seat, name) in seats.iter_mut().zip([black, white]) {
                    seat.name.clone_from(name);
                }
            }
            Order::Level(level) => {
                for seat in seats {
                    if let PlayerKind::Kakugo(_) = seat.player {
                        let player = PlayerKind::Kakugo(*level);
                        *seat = Seat { player, name: String::new() };
                    }
                }
            }
            Order::Seat(place, player) => {
                seats[*place] = Seat { player: *player, name: String::new() };
            }
            _ => {}
        }
    }
}

/// The list of commands.
pub const HELP: &str = "  h8             place a stone       undo [N]        take back
  redo [N]       play again
  hint           area of a good move; again: its idea, then the move (hint move: at once)
  coach SIZE     warns of threats and mistakes: large, medium, small; explain, off
  new            new game            resign          give up
  stop, now      play the computer's best move found so far
  pause          stop clocks and computer            go              go on
  rule NAME      freestyle, standard, renju, caro, caro-overline
  size 19x15     columns x rows      win N           stones in a row that win
  opening NAME   free, centre, pro, long-pro, swap, swap2, rif, yamaguchi,
                 soosorv-8, taraguchi-10
  black PLAYER, white PLAYER         human, kakugo, 1 to 10, engine1
  level N        of all Kakugos      levels          their ratings
  names A B      of the players      show, moves     the board, the moves
  take black, take white, take more, take 3    choose in an opening
  pass           place no stone in this turn
  tree           moves with variations           goto 5, goto #12   to a move
  promote        make the variation the main line
  delete         the move on the board and what follows it
  comment TEXT   on the move on the board (comment shows it, comment - deletes it)
  save FILE, load FILE               .sgf .lib (with variations) .psq .pos .rec (20x20)
  load FILE RULE                     a file that does not state its rule
  save! FILE                         save over a file that exists
  help, quit
While the computer thinks, stop, undo, goto, delete, resign, pause, new, load and quit act at once.
In a script all lines are taken in order, and stop cuts the move before it short.
";

/// Parses a line; `None` for an empty one.
///
/// # Errors
/// Returns the error in words, with an example.
pub fn parse(line: &str) -> Result<Option<Order>, String> {
    let mut words = line.split_whitespace();
    let Some(verb) = words.next() else { return Ok(None) };
    let rest: Vec<&str> = words.collect();
    let argument = rest.join(" ");
    let needed = |hint: &str| match argument.as_str() {
        "" => Err(format!("Missing argument of {verb}. {hint}")),
        argument => Ok(argument.to_owned()),
    };
    let number = |hint: &str| {
        let text = needed(hint)?;
        text.parse::<usize>().map_err(|_| format!("Invalid number '{text}'. {hint}"))
    };
    let order = match verb.to_ascii_lowercase().as_str() {
        "undo" | "u" if argument.is_empty() => Order::Undo(None),
        "undo" | "u" => Order::Undo(Some(number("Try: undo 2.")?)),
        "redo" | "r" if argument.is_empty() => Order::Redo(None),
        "redo" | "r" => Order::Redo(Some(number("Try: redo 2.")?)),
        "hint" => match argument.as_str() {
            "" => Order::Hint { all: false },
            "move" => Order::Hint { all: true },
            other => return Err(format!("Unknown hint '{other}'. Try: hint, or hint move.")),
        },
        "coach" if argument.is_empty() => Order::Coach(None),
        "coach" => Order::Coach(Some(CoachChoice::from_word(&argument).ok_or_else(|| {
            format!("Unknown coach '{argument}': expected one of {}.", CoachChoice::WORDS)
        })?)),
        "new" => Order::New,
        "rule" => {
            let word = needed("Try: rule renju.")?;
            Order::Rule(word.parse().map_err(|error: UnknownRule| sentence(error))?)
        }
        "size" => {
            let size = needed("Try: size 19x15.")?.parse();
            let Size { width, height } = size.map_err(|error: UnknownSize| sentence(error))?;
            Order::Size(width, height)
        }
        "win" => {
            let length = number("Try: win 4.")?;
            Order::Win(u8::try_from(length).unwrap_or(u8::MAX))
        }
        "opening" => {
            let word = needed("Try: opening swap2.")?;
            Order::Opening(Opening::from_word(&word).ok_or_else(|| {
                let words = Opening::ALL.map(Opening::word).join(", ");
                format!("Unknown opening '{word}': expected one of {words}.")
            })?)
        }
        "names" => match &quoted_words(&argument)[..] {
            [black, white] => Order::Names(black.clone(), white.clone()),
            _ => {
                let example = "names Ann Bob, or names \"Ann Lee\" Bob";
                return Err(format!("Expected two names, Black's first. Try: {example}."));
            }
        },
        "pass" => Order::Pass,
        "level" => match number("Try: level 3.")? {
            level @ 1..=10 => Order::Level(level),
            level => return Err(format!("Invalid level {level}: expected 1 to 10.")),
        },
        "black" => Order::Seat(
            0,
            needed("Try: black human.")?.parse().map_err(|error: UnknownPlayer| sentence(error))?,
        ),
        "white" => Order::Seat(
            1,
            needed("Try: white 5.")?.parse().map_err(|error: UnknownPlayer| sentence(error))?,
        ),
        "take" => match argument.as_str() {
            "black" => Order::Choose(OpeningChoice::Black),
            "white" => Order::Choose(OpeningChoice::White),
            "more" => Order::Choose(OpeningChoice::More),
            count => match count.parse() {
                Ok(count) => Order::Choose(OpeningChoice::Fifths(count)),
                Err(_) => {
                    let orders = "take black, take white, take more, take 3 (fifth moves)";
                    return Err(format!("Try: {orders}."));
                }
            },
        },
        "go" => Order::Go,
        "stop" | "now" => Order::Stop,
        "pause" => Order::Pause,
        "levels" => Order::Levels,
        "resign" => Order::Resign,
        "show" => Order::Show,
        "moves" => Order::Moves,
        "tree" => Order::Tree,
        "goto" => {
            let hint = "Try: goto 5, or goto #12 with a number that tree shows.";
            let text = needed(hint)?;
            let wrong = |_| format!("Invalid move '{text}'. {hint}");
            match text.strip_prefix('#') {
                Some(number) => Order::GotoNumbered(number.parse().map_err(wrong)?),
                None => Order::Goto(text.parse().map_err(wrong)?),
            }
        }
        "promote" => Order::Promote,
        "delete" => Order::Delete,
        "comment" => Order::Comment(match line.trim().split_once(char::is_whitespace) {
            None => None,
            Some((_, text)) if text.trim() == "-" => Some(String::new()),
            Some((_, text)) => Some(text.trim().to_owned()),
        }),
        "save" | "save!" => {
            needed("Try: save game.sgf.")?;
            Order::Save { name: file_name(line)?, over: verb.ends_with('!') }
        }
        "load" => {
            needed("Try: load game.sgf.")?;
            Order::Load(file_name(line)?)
        }
        "help" | "?" => Order::Help,
        "quit" | "exit" | "q" => Order::Quit,
        word if is_point(word) && !rest.is_empty() => {
            return Err(format!("One stone per line. Try: {word}."));
        }
        word if is_point(word) && rest.is_empty() => Order::Place(word.to_owned()),
        word => return Err(format!("Unknown command '{word}'. Try: help.")),
    };
    Ok(Some(order))
}

/// Returns an error as a sentence.
pub fn sentence(error: impl fmt::Display) -> String {
    let text = error.to_string();
    let mut chars = text.chars();
    let first = chars.next().map_or(String::new(), |first| first.to_uppercase().to_string());
    format!("{first}{}.", chars.as_str().trim_end_matches('.'))
}

/// Returns the words of a text; quotes keep several together.
fn quoted_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let quoted = ['"', '\''].contains(&first).then(|| rest[1..].split_once(first)).flatten();
        let (word, after) =
            quoted.or_else(|| rest.split_once(char::is_whitespace)).unwrap_or((rest, ""));
        words.push(word.to_owned());
        rest = after.trim_start();
    }
    words
}

/// Returns the file name after the order, as typed but without quotes around it.
fn file_name(line: &str) -> Result<String, String> {
    let (_, name) = line.trim().split_once(char::is_whitespace).unwrap_or_default();
    match unquoted(name.trim()) {
        "" => Err("The name is empty.".to_owned()),
        name => Ok(name.to_owned()),
    }
}

/// Returns a name without the quotes around it.
pub fn unquoted(name: &str) -> &str {
    let bare = ['"', '\''].iter().find_map(|&quote| name.strip_prefix(quote)?.strip_suffix(quote));
    bare.unwrap_or(name)
}

/// Returns true for letters followed by digits.
fn is_point(word: &str) -> bool {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let letters = word.len() - digits.len();
    (1..=2).contains(&letters)
        && !digits.is_empty()
        && digits.len() <= 3
        && digits.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_understood() {
        let order = |line| parse(line).unwrap().unwrap();
        assert_eq!(order("h8"), Order::Place("h8".into()));
        assert_eq!(order(" AB12 "), Order::Place("ab12".into()));
        assert_eq!(order("undo 2"), Order::Undo(Some(2)));
        assert_eq!(order("undo"), Order::Undo(None));
        assert_eq!((order("redo"), order("r 2")), (Order::Redo(None), Order::Redo(Some(2))));
        assert_eq!(order("rule renju"), Order::Rule(Rule::Renju));
        assert_eq!(order("size 19x15"), Order::Size(19, 15));
        assert_eq!(order("size 7"), Order::Size(7, 7));
        assert_eq!(order("win 4"), Order::Win(4));
        assert_eq!(order("names A B"), Order::Names("A".into(), "B".into()));
        assert_eq!(order("names \"Ann Lee\" Bob"), Order::Names("Ann Lee".into(), "Bob".into()));
        assert_eq!(order("names 'A B' 'C D'"), Order::Names("A B".into(), "C D".into()));
        assert_eq!(order("names O'Neil Bob"), Order::Names("O'Neil".into(), "Bob".into()));
        assert_eq!(order("pass"), Order::Pass);
        assert_eq!(order("level 3"), Order::Level(3));
        assert_eq!(order("white human"), Order::Seat(1, PlayerKind::Human));
        let save = |name: &str, over| Order::Save { name: name.into(), over };
        assert_eq!(order("save my  game.sgf"), save("my  game.sgf", false));
        assert_eq!(order("save! g.sgf"), save("g.sgf", true));
        assert_eq!(order(r#"save "C:\g 1.sgf""#), save(r"C:\g 1.sgf", false));
        assert_eq!(order("load 'a b.psq' "), Order::Load("a b.psq".into()));
        assert_eq!(order("save 5\" disk.sgf"), save("5\" disk.sgf", false));
        assert_eq!((order("goto 5"), order("goto #12")), (Order::Goto(5), Order::GotoNumbered(12)));
        assert_eq!(order("comment a  fine move"), Order::Comment(Some("a  fine move".into())));
        assert_eq!(order("comment -"), Order::Comment(Some(String::new())));
        assert_eq!((order("comment"), order("tree")), (Order::Comment(None), Order::Tree));
        assert_eq!(order("hint"), Order::Hint { all: false });
        assert_eq!(order("hint move"), Order::Hint { all: true });
        assert_eq!(order("coach"), Order::Coach(None));
        assert_eq!(order("coach small"), Order::Coach(CoachChoice::from_word("small")));
        assert_eq!(order("QUIT"), Order::Quit);
        assert_eq!((order("stop"), order("now")), (Order::Stop, Order::Stop));
        assert!(order("undo").interrupts() && !order("moves").interrupts());
        assert_eq!(parse("  "), Ok(None));
    }

    #[test]
    fn every_refusal_says_why() {
        for (line, why) in [
            ("8h", "Unknown command"),
            ("undo x", "Invalid number 'x'. Try: undo 2."),
            ("h8 h9", "One stone per line. Try: h8."),
            ("rule chess", "Invalid rule 'chess': "),
            ("size big", "Invalid board size"),
            ("save", "Missing argument of save"),
            ("save \"\"", "is empty"),
            ("names A", "Expected two names"),
            ("names A B C", "Expected two names"),
            ("black nobody", "Invalid player"),
            ("level", "Missing argument of level"),
            ("level 0", "Invalid level 0: expected 1 to 10."),
            ("level 11", "Invalid level 11: expected 1 to 10."),
            ("coach loud", "expected one of off, large"),
            ("hint me", "Unknown hint 'me'"),
            ("goto", "Missing argument of goto"),
            ("goto #x", "Invalid move"),
            ("goto -1", "Invalid move"),
            ("\u{7}\u{1b}é", "Unknown command"),
        ] {
            assert!(parse(line).unwrap_err().contains(why), "{line}");
        }
    }
}
