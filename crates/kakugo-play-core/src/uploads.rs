//! Uploaded files: what a client may do with one.

use std::path::Path;
use std::sync::Arc;

use kakugo::board::{Rule, Variant};
use kakugo_record::book::Book;
use kakugo_record::file::Format;
use kakugo_record::pos::RowOrder;
use kakugo_record::text::{Text, text};
use kakugo_record::{Defaults, Game};
use serde::Serialize;
use serde_json::{Value, json};

use crate::collection::Collection;
use crate::event::FileEvent;
use crate::game_file::{FileError, GameFile, fitted};
use crate::views::saved_games::file_games;

/// A kind of upload.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UploadKind {
    /// Show the file's game, or list its games.
    Open,
    /// Explore its openings.
    Explore,
    /// Practise its positions.
    Practise,
    /// List more of its games.
    More,
    /// Show one of its games.
    Choose,
}

/// An upload, or a request about the latest one.
#[derive(Debug)]
pub struct Upload {
    /// The kind.
    pub kind: UploadKind,
    /// Name of the file.
    pub name: String,
    /// Numbering of the rows in pos text.
    pub rows: RowOrder,
    /// The rule, if the user has named it.
    pub rule: Option<Rule>,
    /// True if the game is to be set up in the position editor.
    pub edits: bool,
    /// Index of a game, for `More` and `Choose`.
    pub number: usize,
    /// The file.
    pub bytes: Vec<u8>,
}

/// The state of a room that an upload depends on.
#[derive(Debug)]
pub struct UploadContext {
    /// An empty game of the size on the board.
    pub pattern: Game,
    /// The latest uploaded file with several games.
    pub latest: Option<Arc<GameFile>>,
    /// The reason why no game can be put on the board, if there is one.
    pub refusal: Option<Text>,
}

/// The answer to a file whose rule the user must name.
#[derive(Serialize)]
struct AskForRule {
    /// The reason.
    ask: Text,
}

impl Upload {
    /// Reads the file, and returns the answer as JSON and the event for the room.
    ///
    /// # Errors
    /// Returns the reason if the file is refused.
    pub fn perform(self, context: UploadContext) -> Result<(Value, Option<FileEvent>), Text> {
        let Upload { kind, name, rows, rule, edits, number, bytes } = self;
        let UploadContext { pattern, latest, refusal } = context;
        let shows = matches!(kind, UploadKind::Open | UploadKind::Choose);
        if let Some(why) = refusal.filter(|_| shows) {
            return Err(why);
        }
        let names_rule = rule.is_some();
        let mut game = pattern;
        game.variant = rule.map_or(game.variant, Variant::five);
        let defaults = Defaults { accepts_any_sgf: names_rule, names_rule, ..game.into() };
        let gone = || text!("The file is gone: open it again.");
        match kind {
            UploadKind::Explore => {
                let defaults = match Format::of_file(&name, &bytes, rows) {
                    Some(format) => fitted(format, &bytes, defaults).0,
                    None => defaults,
                };
                let mut book = Book::new(defaults);
                book.add_bytes(Path::new(&name), &bytes);
                if book.files() == 0 {
                    let problem = book.errors().first().map(|error| error.message.clone());
                    let why = problem.unwrap_or_else(|| text!("the file contains no games"));
                    return Err(text!("There is nothing to explore: {0}.", why));
                }
                Ok((json!({}), Some(FileEvent::Explore(Arc::new(book)))))
            }
            UploadKind::Practise => {
                let file = match GameFile::read(&name, bytes, rows, defaults) {
                    Ok(file) => file,
                    Err(FileError::OtherGame(why)) => {
                        return Ok((to_json(&AskForRule { ask: why }), None));
                    }
                    Err(FileError::Refused(why)) => return Err(why),
                };
                let collection = Collection::of_file(&name, &file)?;
                let answer = json!({ "notice": collection.notice });
                Ok((answer, Some(FileEvent::Practise(Arc::new(collection)))))
            }
            UploadKind::Open => {
                let file = match GameFile::read(&name, bytes, rows, defaults) {
                    Ok(file) => file,
                    Err(FileError::OtherGame(why)) => {
                        return Ok((to_json(&AskForRule { ask: why }), None));
                    }
                    Err(FileError::Refused(why)) => return Err(why),
                };
                let list = to_json(&file_games(file.entries(), 0));
                let event = match file.entries() {
                    [only] => show(&file, only.number, edits)?,
                    _ => FileEvent::Keep(Arc::new(file)),
                };
                Ok((list, Some(event)))
            }
            UploadKind::More => {
                let file = latest.ok_or_else(gone)?;
                Ok((to_json(&file_games(file.entries(), number)), None))
            }
            UploadKind::Choose => {
                let file = latest.ok_or_else(gone)?;
                Ok((json!({}), Some(show(&file, number, edits)?)))
            }
        }
    }
}

fn show(file: &GameFile, number: usize, edits: bool) -> Result<FileEvent, Text> {
    let (game, notice) = file.game(number)?;
    let game = Box::new(game);
    Ok(if edits { FileEvent::Edit(game) } else { FileEvent::Show { game, notice } })
}

fn to_json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn upload(kind: UploadKind, text: &str) -> Upload {
        let rows = RowOrder::FromBottom;
        let bytes = text.as_bytes().to_vec();
        let edits = false;
        Upload { kind, name: "text.sgf".to_owned(), rows, rule: None, edits, number: 0, bytes }
    }

    fn context() -> UploadContext {
        let pattern = Game::new(15, 15, Variant::FREESTYLE);
        UploadContext { pattern, latest: None, refusal: None }
    }

    fn performed(upload: Upload) -> Result<(Value, Option<FileEvent>), Text> {
        upload.perform(context())
    }

    #[test]
    fn one_game_is_shown_and_several_are_listed() {
        let game = "(;GM[4]SZ[15];B[hh];W[ii])";
        let (list, event) = performed(upload(UploadKind::Open, game)).unwrap();
        assert_eq!(list["count"], 1);
        assert!(matches!(event, Some(FileEvent::Show { .. })));
        let (list, event) = performed(upload(UploadKind::Open, &game.repeat(2))).unwrap();
        assert_eq!(list["count"], 2);
        let Some(FileEvent::Keep(file)) = event else { panic!() };
        let second = Upload { number: 1, ..upload(UploadKind::Choose, "") };
        let context = UploadContext { latest: Some(file), ..context() };
        let (_, event) = second.perform(context).unwrap();
        assert!(matches!(event, Some(FileEvent::Show { .. })));
    }

    #[test]
    fn text_that_does_not_fit_the_board_shown_is_read_on_the_usual_one() {
        let open = |text: &str, width, height| {
            let pattern = Game::new(width, height, Variant::FREESTYLE);
            let upload = Upload { name: "text.pos".to_owned(), ..upload(UploadKind::Open, text) };
            let (_, event) = upload.perform(UploadContext { pattern, ..context() })?;
            let Some(FileEvent::Show { game, notice }) = event else { panic!("{event:?}") };
            let says_size = notice.is_some_and(|notice| notice.to_string().contains("size"));
            Ok::<_, Text>((game.setup().width, game.setup().height, says_size))
        };
        assert_eq!(open("h8h9i8", 15, 15), Ok((15, 15, false)));
        // The second is off the board by its column.
        for (width, height) in [(5, 5), (7, 15), (15, 6)] {
            assert_eq!(open("h8h9i8", width, height), Ok((15, 15, false)));
        }
        assert_eq!(open("h8h9i8", 20, 20), Ok((20, 20, true)));
        assert_eq!(open("c3c4", 7, 6), Ok((7, 6, true)));
        assert_eq!(open("t20", 20, 20), Ok((20, 20, true)));
        assert!(open("h8t20", 5, 5).is_err());
        // A drawn board states its size.
        assert_eq!(open("x.o..\n.....\n.....\n.....\n.....\n", 20, 20), Ok((5, 5, false)));
    }

    #[test]
    fn a_game_is_refused_if_the_board_is_not_free() {
        let game = "(;GM[4]SZ[15];B[hh];W[ii])";
        let of_two = || UploadContext { refusal: Some(text!("The game is over.")), ..context() };
        for kind in [UploadKind::Open, UploadKind::Choose] {
            let error = upload(kind, game).perform(of_two()).unwrap_err();
            assert_eq!(error, text!("The game is over."));
        }
        assert!(upload(UploadKind::Explore, game).perform(of_two()).is_ok());
    }

    #[test]
    fn positions_are_edited_and_practised() {
        let position = "(;GM[4]SZ[15]AB[hh])";
        let edited = Upload { edits: true, ..upload(UploadKind::Open, position) };
        let (_, event) = performed(edited).unwrap();
        assert!(matches!(event, Some(FileEvent::Edit(_))));
        let (answer, event) = performed(upload(UploadKind::Practise, position)).unwrap();
        assert!(answer["notice"].is_array(), "the rule is assumed: {answer}");
        assert!(matches!(event, Some(FileEvent::Practise(_))));
    }

    #[test]
    fn openings_are_explored() {
        let (_, event) = performed(upload(UploadKind::Explore, "(;GM[4]SZ[15];B[hh])")).unwrap();
        assert!(matches!(event, Some(FileEvent::Explore(_))));
        assert!(performed(upload(UploadKind::Explore, "nothing")).is_err());
    }

    #[test]
    fn the_rule_of_another_game_is_asked_for() {
        let (answer, event) = performed(upload(UploadKind::Open, "(;GM[1]SZ[19];B[pd])")).unwrap();
        assert!(answer["ask"].is_array() && event.is_none(), "{answer}");
        assert!(performed(upload(UploadKind::Choose, "")).is_err(), "there is no file");
    }
}
