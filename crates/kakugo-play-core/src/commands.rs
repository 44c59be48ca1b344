//! Commands: what a client asks of its room, as JSON from the browser board.

use serde::Deserialize;

use crate::game::opening::OpeningChoice;
use crate::game::setup_json::{SeatJson, SetupJson, SideJson};
use crate::messages::Xy;
use crate::solving::SolveMethod;
use kakugo::board::Side;
use kakugo_record::game_tree::Sign;
use kakugo_record::pos::RowOrder;
use kakugo_record::setup::Placement;
use kakugo_record::sgf::Symbol;

/// A command of a client.
#[derive(Deserialize, Clone, Debug)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Start a new game, optionally after some moves (`h8h9`, rows from the bottom).
    New {
        /// Board, rule, players, clocks.
        setup: Box<SetupJson>,
        /// Moves to start with.
        #[serde(default)]
        moves: String,
        /// A second person, on another device.
        #[serde(default)]
        guest: Option<GuestJson>,
    },
    /// Place a stone.
    Play {
        /// Column from the left, from 0.
        x: u8,
        /// Row from the top, from 0.
        y: u8,
        /// Numbering of the rows in an error message.
        #[serde(default)]
        rows: RowsJson,
    },
    /// Pass.
    Pass,
    /// Open, change or use the position editor.
    Edit {
        /// The change.
        edit: Edit,
    },
    /// Choose in an opening.
    Choose {
        /// A word of [`OpeningChoice::word`]: `black`, `white`, `more`, `fifths-3`.
        choice: ChoiceJson,
    },
    /// Take back steps; without a number, back to the human's turn.
    Undo {
        /// Number of steps.
        count: Option<usize>,
    },
    /// Play steps again; without a number, to the human's next turn.
    Redo {
        /// Number of steps.
        count: Option<usize>,
    },
    /// Go to the position after this many stones.
    Goto {
        /// Number of stones.
        ply: usize,
    },
    /// Go to a move of any variation.
    Node {
        /// Its number in the tree.
        id: u32,
    },
    /// Promote the variation with this move by one place.
    Promote {
        /// The move's number in the tree.
        id: u32,
    },
    /// Delete a move and all moves after it.
    Delete {
        /// Its number in the tree.
        id: u32,
    },
    /// Replace a move's comment.
    Comment {
        /// The move's number in the tree.
        id: u32,
        /// The comment; empty deletes it.
        text: String,
    },
    /// Set the symbol of a move, or delete it.
    Judge {
        /// The move's number in the tree.
        id: u32,
        /// The symbol.
        symbol: Option<SymbolJson>,
    },
    /// Mark a point in the position after a move. The same mark again deletes it.
    Mark {
        /// The move's number in the tree.
        id: u32,
        /// Column from the left, from 0.
        x: u8,
        /// Row from the top, from 0.
        y: u8,
        /// The mark; without one, the marks of the point are deleted.
        sign: Option<SignJson>,
    },
    /// Draw an arrow in the position after a move. The same arrow again deletes it.
    Arrow {
        /// The move's number in the tree.
        id: u32,
        /// Column and row of its beginning.
        from: Xy,
        /// Column and row of its head.
        to: Xy,
    },
    /// Delete all marks and arrows of the position after a move.
    ClearMarks {
        /// The move's number in the tree.
        id: u32,
    },
    /// Take back the latest change of a comment, a symbol, of marks or of arrows.
    UndoMark,
    /// Make the latest change again that was taken back.
    RedoMark,
    /// Set the study and the title of the game.
    Describe {
        /// Name of the study; empty for none.
        study: String,
        /// Title of the game; may be empty.
        title: String,
    },
    /// Start another game of the same study, between two humans.
    Chapter {
        /// True to begin from the position on the board, false from the empty board.
        from_position: bool,
    },
    /// Save all games of the uploaded file as a study.
    KeepGames {
        /// Name of the study.
        study: String,
    },
    /// Train the openings of the explored games from the position on the board.
    TrainOpenings {
        /// The player's side.
        side: SideJson,
    },
    /// Show the moves of the explored games in the position.
    ShowOpenings,
    /// Train the next line.
    NextOpening,
    /// End the training of openings.
    EndOpenings,
    /// Resign.
    Resign,
    /// Stop clocks and computers, or resume.
    Pause {
        /// True to stop.
        on: bool,
    },
    /// Make the computer play its best move so far.
    Now,
    /// Set the time from the beginning of a computer's turn before which its move is not played.
    AnswerPause {
        /// Milliseconds; 0 plays moves at once.
        ms: u64,
    },
    /// Show the next step of a hint: a region of the board, the idea, the move.
    Hint {
        /// True to show all steps at once.
        #[serde(default)]
        all: bool,
    },
    /// Ask another engine for its move in the position on the board.
    Opinion {
        /// Number of the engine, from 0.
        engine: usize,
    },
    /// Set what the coach does.
    Coach {
        /// The mistakes of which it speaks.
        setting: CoachSetting,
        /// True if it explains the game.
        #[serde(default)]
        explains: bool,
    },
    /// Close what the coach says. A computer that waits goes on.
    PlayOn,
    /// Start or stop live analysis. Sent again, it goes on after a rest.
    Analyse {
        /// True to start.
        on: bool,
        /// Number of best lines.
        lines: usize,
        /// The greatest depth, in plies.
        #[serde(default)]
        depth: Option<u32>,
        /// The time for a position, in milliseconds. Without one, analysis rests when its result
        /// has not changed for long.
        #[serde(default)]
        ms: Option<u64>,
    },
    /// Set how live analysis treats a move in the position.
    Treat {
        /// Column from the left, from 0.
        x: u8,
        /// Row from the top, from 0.
        y: u8,
        /// How.
        treatment: Treatment,
        /// Numbering of the rows in an error message.
        #[serde(default)]
        rows: RowsJson,
    },
    /// Make live analysis search all moves in the position.
    SearchAll,
    /// Search for stones after which the position is even.
    Balance {
        /// Number of stones, 1 or 2; 0 stops the search.
        stones: u8,
    },
    /// Report whether the client's tab is hidden: live analysis runs only while somebody sees it.
    Visible {
        /// False while the tab is hidden.
        on: bool,
    },
    /// Start or stop a review of the game.
    Explain,
    /// List the saved games.
    Games,
    /// Open a saved game.
    Open {
        /// Its id.
        id: String,
    },
    /// Delete a saved game.
    Forget {
        /// Its id.
        id: String,
    },
    /// List the sets of problems, and the puzzles of the saved games. The first time, and with
    /// `anew`, search for these.
    Practice {
        /// True to search again.
        anew: bool,
    },
    /// Set up a puzzle on the board.
    Puzzle {
        /// Its index in the list.
        number: usize,
    },
    /// Set up the next problem of a set.
    Train {
        /// The set.
        set: SetJson,
        /// Number of the step, from 1; all steps without.
        step: Option<usize>,
    },
    /// Set up the next problem of the same set and step.
    NextPuzzle,
    /// Show the solution of the puzzle on the board.
    Solution,
    /// Start the same game with colours exchanged.
    Rematch {
        /// Another level of Kakugo.
        level: Option<usize>,
    },
    /// Change the players.
    Seats {
        /// The current Black, and the current White.
        seats: [SeatJson; 2],
    },
    /// Take the seat of the guest.
    Sit {
        /// The secret of the invitation.
        token: String,
        /// The secret of the browser, which gets the seat back with it.
        browser: String,
    },
    /// Change one's own name in a game of two people.
    Name {
        /// The name.
        name: String,
    },
    /// Offer something to the other person.
    Offer {
        /// The proposal.
        what: ProposalJson,
    },
    /// Answer an offer, or withdraw one's own.
    Answer {
        /// Number of the offer.
        offer: u64,
        /// True to accept.
        accept: bool,
    },
    /// End the invitation: the guest becomes a spectator.
    Uninvite,
    /// Let another browser take the seat of the guest.
    FreeSeat,
}

impl Command {
    /// Returns true if the command is about saved games, which belong to the user of this machine.
    pub fn is_about_saved_games(&self) -> bool {
        use Command::{Forget, Games, KeepGames, Open};
        matches!(self, Games | Open { .. } | Forget { .. } | KeepGames { .. })
    }

    /// Returns true if spectators may send it.
    pub fn is_for_spectators(&self) -> bool {
        matches!(self, Command::Visible { .. } | Command::Sit { .. })
    }
}

/// A command to the position editor.
#[derive(Deserialize, Clone, Debug)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Edit {
    /// Open it with the position on the board.
    Begin,
    /// Close it.
    End,
    /// Set the content of a point.
    Put {
        /// Column from the left, from 0.
        x: u8,
        /// Row from the top, from 0.
        y: u8,
        /// The content.
        what: PlacementJson,
    },
    /// Remove all stones and blocked points.
    Clear,
    /// Change size and rule.
    Board {
        /// Columns.
        width: u8,
        /// Rows.
        height: u8,
        /// Word of the rule.
        rule: String,
        /// Stones in a row that win.
        win: u8,
    },
    /// Set the side to move; without one it follows from the numbers of stones.
    Side {
        /// The side.
        side: Option<SideJson>,
    },
    /// Rotate or reflect the board.
    Turn {
        /// How.
        turn: TurnJson,
    },
    /// Take back the latest change.
    Undo,
    /// Search for a forced win.
    Solve {
        /// The moves that it may consist of.
        method: MethodJson,
        /// The longest time, in milliseconds.
        ms: u64,
    },
    /// Stop the search.
    Stop,
    /// Start a game from the position, and close the editor.
    Use {
        /// The players; two humans without.
        seats: Option<[SeatJson; 2]>,
        /// Number of lines of live analysis, to be started.
        analyse: Option<usize>,
    },
}

/// A set of problems, as JSON.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum SetJson {
    /// The built-in problems of freestyle.
    Freestyle,
    /// The built-in problems of renju.
    Renju,
    /// The positions of a file.
    File,
}

/// The content of a point, as JSON.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum PlacementJson {
    /// A black stone.
    Black,
    /// A white stone.
    White,
    /// A point where nobody may play.
    Blocked,
    /// Nothing.
    Empty,
}

impl From<PlacementJson> for Placement {
    fn from(what: PlacementJson) -> Placement {
        match what {
            PlacementJson::Black => Placement::Stone(Side::Black),
            PlacementJson::White => Placement::Stone(Side::White),
            PlacementJson::Blocked => Placement::Blocked,
            PlacementJson::Empty => Placement::Removed,
        }
    }
}

/// A rotation or reflection of the board, as JSON.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum TurnJson {
    /// By 90 degrees to the right.
    Right,
    /// By 90 degrees to the left.
    Left,
    /// Left and right exchanged.
    Mirror,
    /// Top and bottom exchanged.
    Flip,
}

/// The moves of a forced win, as JSON.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum MethodJson {
    /// Fours.
    Fours,
    /// Fours and open threes.
    Threats,
    /// Any moves.
    Search,
}

impl From<MethodJson> for SolveMethod {
    fn from(method: MethodJson) -> SolveMethod {
        match method {
            MethodJson::Fours => SolveMethod::Fours,
            MethodJson::Threats => SolveMethod::Threats,
            MethodJson::Search => SolveMethod::Search,
        }
    }
}

/// How live analysis treats a move.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
pub enum Treatment {
    /// As all others.
    Usual,
    /// It is one of the only moves.
    Only,
    /// It is excluded.
    Without,
}

/// The symbol of a move, as JSON: `!`, `?`, `!!`, `??`, `!?` or `?!`.
#[derive(Deserialize, Clone, Copy, Debug)]
#[serde(try_from = "String")]
pub struct SymbolJson(pub Symbol);

impl TryFrom<String> for SymbolJson {
    type Error = String;

    fn try_from(text: String) -> Result<SymbolJson, String> {
        let unknown = || format!("unknown symbol '{text}'");
        Symbol::from_text(&text).map(SymbolJson).ok_or_else(unknown)
    }
}

/// A mark on a point, as JSON.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SignJson {
    /// A circle.
    Circle,
    /// A square.
    Square,
    /// A triangle.
    Triangle,
    /// A cross.
    Cross,
    /// A short text.
    Label {
        /// The text.
        text: String,
    },
}

impl From<SignJson> for Sign {
    fn from(sign: SignJson) -> Sign {
        match sign {
            SignJson::Circle => Sign::Circle,
            SignJson::Square => Sign::Square,
            SignJson::Triangle => Sign::Triangle,
            SignJson::Cross => Sign::Cross,
            SignJson::Label { text } => Sign::Label(text),
        }
    }
}

/// A second person, as JSON.
#[derive(Deserialize, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct GuestJson {
    /// The seat: 0 starts the game.
    pub seat: usize,
    /// The secret of the invitation, which takes the seat. The guest of the game before stays.
    pub token: String,
}

/// A proposal of one person to the other, as JSON.
#[derive(Deserialize, Clone, Copy, Debug)]
#[serde(rename_all = "snake_case")]
pub enum ProposalJson {
    /// Take back one's own last move.
    Undo,
    /// A draw.
    Draw,
    /// A pause.
    Pause,
    /// Analysis for both.
    Analysis,
    /// Another game with colours exchanged.
    Rematch,
}

/// The mistakes of which the coach speaks.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
#[serde(rename_all = "snake_case")]
pub enum CoachSetting {
    /// None.
    #[default]
    Off,
    /// Large ones.
    Large,
    /// Large and medium ones.
    Medium,
    /// All.
    Small,
}

/// A choice in an opening, as JSON.
#[derive(Deserialize, Clone, Copy, Debug)]
#[serde(try_from = "String")]
pub struct ChoiceJson(pub OpeningChoice);

impl TryFrom<String> for ChoiceJson {
    type Error = String;

    fn try_from(word: String) -> Result<ChoiceJson, String> {
        let unknown = || format!("unknown choice '{word}'");
        OpeningChoice::from_word(&word).map(ChoiceJson).ok_or_else(unknown)
    }
}

/// The side of the board at which row 1 lies, as JSON.
#[derive(Deserialize, Clone, Copy, Default, Debug)]
#[serde(rename_all = "snake_case")]
pub enum RowsJson {
    /// The bottom, as in most records.
    #[default]
    Bottom,
    /// The top.
    Top,
}

impl From<RowsJson> for RowOrder {
    fn from(rows: RowsJson) -> RowOrder {
        match rows {
            RowsJson::Bottom => RowOrder::FromBottom,
            RowsJson::Top => RowOrder::FromTop,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::game::setup::PlayerKind;
    use kakugo::board::{Rule, Variant};

    #[test]
    fn set_ups_are_read() {
        let text = r#"{"do":"new","setup":{"width":19,"height":13,"rule":"standard","win":4,
            "seats":[{"player":"human","name":"Ann"},{"player":{"kakugo":3}}],
            "opening":"swap2","turn_ms":1000,"game_ms":null}}"#;
        let Ok(Command::New { setup, .. }) = serde_json::from_str(text) else { panic!() };
        let setup = setup.setup(&[]).unwrap();
        assert_eq!((setup.width, setup.height), (19, 13));
        assert_eq!(setup.variant, Variant::new(Rule::Standard, 4).unwrap());
        assert_eq!(setup.seats[1].player, PlayerKind::Kakugo(3));
        assert_eq!(setup.time.turn, Some(Duration::from_secs(1)));
        assert_eq!(setup.time.game, None);
    }

    #[test]
    fn invalid_commands_are_rejected() {
        for text in [
            "",
            "[]",
            r#"{"do":"rm"}"#,
            r#"{"do":"play","x":300,"y":0}"#,
            r#"{"do":"choose","choice":"red"}"#,
        ] {
            assert!(serde_json::from_str::<Command>(text).is_err(), "{text}");
        }
    }
}
