//! Messages: what a room sends to its clients, as JSON for the browser board.
//!
//! Evaluations are Black's expected result in permille. Points are `[x, y]` from the top left.
//! Times are in milliseconds.

use serde::Serialize;

use kakugo_record::text::Text;

/// A point, `[x, y]` from the top left.
pub type Xy = [u8; 2];

/// A message to clients.
#[derive(Serialize, Clone, PartialEq, Debug)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Message {
    /// The first message to a client.
    Hello(Box<Hello>),
    /// The game on the board, without its variations.
    State(Box<State>),
    /// The invitation to the other seat, for the host alone.
    Invitation {
        /// The secret of the link; `null` without an invitation.
        token: Option<String>,
    },
    /// The moves with their variations.
    Tree(Tree),
    /// The result of the search of the position so far.
    Analysis(Box<Analysis>),
    /// The progress of that search between two results.
    Pace(Pace),
    /// A change between waiting for a search thread and searching.
    Queue {
        /// True while the search waits.
        queued: bool,
    },
    /// The review of the game so far.
    Review(Box<Review>),
    /// The moves that the explored games continue with.
    Openings(Box<Openings>),
    /// The puzzles found so far.
    Puzzles(Puzzles),
    /// The sets of problems, with their results.
    Training(TrainingView),
    /// The position editor; `null` once it is closed.
    Editor {
        /// The editor.
        editor: Option<Box<EditorView>>,
    },
    /// The saved games.
    #[serde(rename = "kept")]
    SavedGames(SavedGames),
    /// The rating of the user of this machine. For that user only.
    Rating(Rating),
    /// A command or a connection was refused.
    Refused {
        /// The reason.
        why: Text,
    },
    /// Engines were added.
    Engines {
        /// The names of all engines other than Kakugo.
        engines: Vec<String>,
    },
    /// The game that a client wants to watch does not exist.
    Gone {
        /// The reason.
        why: Text,
    },
}

/// The move that another engine would play.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Opinion {
    /// Name of the engine.
    pub engine: String,
    /// The move; `None` if it failed or is not done.
    pub point: Option<Xy>,
    /// The reason why it failed.
    pub error: Option<String>,
}

/// The first message to a client.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Hello {
    /// Version of the program.
    pub version: String,
    /// Id of the room.
    pub room: String,
    /// Key of the room, for those who play there.
    pub key: Option<String>,
    /// True if the client owns the room, false if it is that of a guest or watches.
    pub owns: bool,
    /// True if the client plays for the guest.
    pub guest: bool,
    /// True if the client has access to saved games.
    pub keeps: bool,
    /// Kakugo's levels, weakest first.
    pub levels: Vec<LevelInfo>,
    /// True if the first game of the room is that of a new player.
    pub gentle: bool,
    /// Level of White, if Kakugo plays White.
    pub level: Option<usize>,
    /// Names of the other engines.
    pub engines: Vec<String>,
    /// Size limit of uploaded files, in bytes.
    pub most_bytes: usize,
}

/// A level of Kakugo.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct LevelInfo {
    /// Its name.
    pub name: Text,
    /// Its Elo rating, counted from the weakest level.
    pub rating: i32,
}

/// The game on the board.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct State {
    /// Number of changes of the position.
    pub version: u64,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Word of the rule.
    pub rule: &'static str,
    /// Stones in a row that win.
    pub win: u8,
    /// Rule and win length in words.
    pub variant: Text,
    /// Word of the opening.
    pub opening: &'static str,
    /// Code and names of the Renju opening of the first three stones.
    pub renju_opening: Option<String>,
    /// Name of the study or of the event; may be empty.
    pub study: String,
    /// Title of the game within the study; may be empty.
    pub title: String,
    /// Clocks.
    pub time: TimeControl,
    /// The first position.
    pub start: Placements,
    /// Moves of the line, including those that can be redone; `null` for a pass.
    pub moves: Vec<Option<Xy>>,
    /// Colour of each move.
    pub sides: Vec<&'static str>,
    /// Number of steps up to each move.
    pub steps: Vec<usize>,
    /// Changes of the board on the line, with the number of steps up to each.
    pub edits: Vec<(usize, Placements)>,
    /// Time spent on each move.
    pub times: Vec<u64>,
    /// Number of moves up to the position.
    pub at: usize,
    /// True if steps can be taken back.
    pub can_undo: bool,
    /// True if steps can be played again.
    pub can_redo: bool,
    /// Numbers of the line's nodes in the tree.
    pub line: Vec<u32>,
    /// Number of steps up to the position.
    pub step: usize,
    /// Number of the position's node.
    pub node: u32,
    /// Number of moves after the position, in all variations.
    pub below: usize,
    /// True if the position is on the main line.
    pub main: bool,
    /// Signs on points.
    pub marks: Vec<SignedPoint>,
    /// Arrows: beginning and head of each.
    pub arrows: Vec<Vec<Xy>>,
    /// Symbol of the latest move, such as `!?`.
    pub symbol: Option<&'static str>,
    /// True if a change of comments, symbols, marks or arrows can be taken back.
    pub can_undo_mark: bool,
    /// True if one that was taken back can be made again.
    pub can_redo_mark: bool,
    /// Colour to move.
    pub turn: &'static str,
    /// Seat to move.
    pub seat: usize,
    /// The state in one sentence.
    pub status: Text,
    /// How the game ended.
    pub end: Option<&'static str>,
    /// True if the game's record states the end, and play may go on.
    pub told: bool,
    /// Colour of the winner.
    pub winner: Option<&'static str>,
    /// The winning row.
    pub row: Vec<Xy>,
    /// Forbidden points: point, kind of foul.
    pub forbidden: Vec<(u8, u8, &'static str)>,
    /// Choices in an opening.
    pub choices: Vec<String>,
    /// Fifth moves offered so far.
    pub offered: Vec<Xy>,
    /// Black and White.
    pub players: [Player; 2],
    /// True if the clock runs.
    pub clock_runs: bool,
    /// True if clocks and computers wait.
    pub paused: bool,
    /// Purpose of the search under way.
    pub thinking: Option<&'static str>,
    /// True if that search waits for a search thread.
    pub queued: bool,
    /// Number of lines of live analysis.
    pub analyse: Option<usize>,
    /// True if live analysis rests because its result has not changed for long.
    pub resting: bool,
    /// Limits and moves of live analysis.
    pub live: Live,
    /// Evaluation after each number of moves, if known.
    pub values: Vec<Option<u32>>,
    /// True if a part of the game has been reviewed.
    pub reviewed: bool,
    /// Progress of the review under way.
    pub reviewing: Option<ReviewProgress>,
    /// A suggested move, once all steps of the hint are shown.
    pub hint: Option<Xy>,
    /// The hint so far.
    pub hints: Option<Hint>,
    /// The opinion of another engine.
    pub opinion: Option<Opinion>,
    /// The coach.
    pub coach: Coach,
    /// The puzzle on the board.
    pub practice: Option<Attempt>,
    /// The training of openings.
    pub trainer: Option<Trainer>,
    /// The player's level.
    pub level: Option<Level>,
    /// The game of two people on two devices.
    pub pair: Option<Pair>,
    /// A notice about the latest change.
    pub note: Option<Text>,
    /// True if the notice is for spectators, too.
    pub note_to_all: bool,
}

/// The training of openings.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Trainer {
    /// Colour of the player.
    pub side: &'static str,
    /// Number of right answers.
    pub right: usize,
    /// Number of wrong answers.
    pub wrong: usize,
    /// Number of lines that are asked again.
    pub missed: usize,
    /// Number of positions that the player knows.
    pub known: usize,
    /// Number of positions in which the player is asked.
    pub total: usize,
    /// True if there are more of them than were counted.
    pub more: bool,
    /// True if the moves of the position are shown.
    pub shows: bool,
    /// True once the line has ended.
    pub over: bool,
}

/// Limits and moves of live analysis.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Live {
    /// The greatest depth, in plies.
    pub depth: Option<u32>,
    /// The time for a position.
    pub time: Option<u64>,
    /// The only moves that are searched in this position; all if it is empty.
    pub only: Vec<Xy>,
    /// The moves that are excluded in this position.
    pub without: Vec<Xy>,
    /// True if a limit is reached, or nothing more can be found.
    pub finished: bool,
    /// Stones that balance the position.
    pub balance: Option<Balance>,
}

/// Stones that balance a position.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Balance {
    /// Evaluation after them.
    pub permille: u32,
    /// The stones.
    pub moves: Vec<Xy>,
}

/// A rating over time, in Elo above level 1.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Rating {
    /// Number of games that count.
    pub games: usize,
    /// Rating and its 95 % error after each of the latest games.
    pub line: Vec<[i64; 2]>,
}

/// A hint, of which each step shows more.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Hint {
    /// The corners of the region that contains the move.
    pub area: [Xy; 2],
    /// The idea in words.
    pub idea: Option<Text>,
    /// Stones of the other side that the idea is about.
    pub stones: Vec<Xy>,
    /// True if there is another step.
    pub more: bool,
}

/// The coach.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Coach {
    /// The setting: `off`, `large`, `medium` or `small`.
    pub setting: &'static str,
    /// True if the coach watches the game on the board.
    pub watches: bool,
    /// True if the coach explains the game.
    pub explains: bool,
    /// The coach's message on the position or on the latest move.
    pub says: Option<CoachWords>,
}

/// A message of the coach.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct CoachWords {
    /// `mistake`, `threat` or `lesson`.
    pub kind: &'static str,
    /// The words.
    pub text: Text,
    /// Stones to look at.
    pub stones: Vec<Xy>,
    /// Free points to look at.
    pub points: Vec<Xy>,
    /// Moves that follow.
    pub line: Vec<Xy>,
    /// Colour of the first of these moves.
    pub side: &'static str,
    /// True if the latest move can be taken back.
    pub takes_back: bool,
    /// True if the computer waits for the player's decision.
    pub waits: bool,
}

/// Stones that are placed outside of play.
#[derive(Serialize, Clone, PartialEq, Default, Debug)]
pub struct Placements {
    /// Black stones.
    pub black: Vec<Xy>,
    /// White stones.
    pub white: Vec<Xy>,
    /// Blocked points.
    pub blocked: Vec<Xy>,
    /// Points that become free.
    pub removed: Vec<Xy>,
    /// Colour to move then; `null` if it does not change.
    pub turn: Option<&'static str>,
}

/// A game of two people on two devices.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Pair {
    /// The seat of the guest; the host has the other.
    pub guest: usize,
    /// True if the guest has come.
    pub joined: bool,
    /// True for each seat whose person is connected.
    pub here: [bool; 2],
    /// True once the game has ended.
    pub over: bool,
    /// True if both allow analysis.
    pub analysis: bool,
    /// The offer that waits for an answer.
    pub offer: Option<Offer>,
}

/// An offer that waits for an answer.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Offer {
    /// Its number.
    pub number: u64,
    /// Seat of the person who offers.
    pub by: usize,
    /// `undo`, `draw`, `pause`, `analysis`, `rematch` or `new`.
    pub what: &'static str,
    /// Rule and size of a new game.
    pub about: Option<Text>,
}

/// The level at which the player plays against Kakugo. The browser stores it.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Level {
    /// The level.
    pub level: usize,
    /// Wins in a row; losses in a row if negative.
    pub run: i8,
    /// The level to play next, if the results suggest another.
    pub suggested: Option<usize>,
}

/// Clocks of a game, in milliseconds.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct TimeControl {
    /// Time per move.
    pub turn: Option<u64>,
    /// Time per game.
    pub game: Option<u64>,
    /// Time added after each move.
    pub increment: u64,
    /// Number of periods of byo-yomi, and the length of one.
    pub byoyomi: Option<(u32, u64)>,
    /// Time of a computer per move if there are no clocks.
    pub thought: u64,
}

/// A player and the player's clock.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Player {
    /// The seat: 0 started the game.
    pub seat: usize,
    /// The name.
    pub name: Text,
    /// `human`, `kakugo` or `engine`.
    pub kind: &'static str,
    /// Kakugo's level, or the engine's index.
    pub number: usize,
    /// Time left for the game.
    pub left: Option<u64>,
    /// Time left for the move.
    pub turn_left: Option<u64>,
    /// Periods of byo-yomi left when the move began, and the time spent on it since the time for
    /// the game ran out.
    pub overtime: Option<(u32, u64)>,
    /// Time used.
    pub used: u64,
}

/// Progress of a review.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct ReviewProgress {
    /// Positions reviewed.
    pub done: usize,
    /// Positions to review.
    pub total: usize,
    /// The players, if the game is not the one on the board.
    pub elsewhere: Option<Text>,
}

/// A sign on a point: column, row, word of the sign, text of a label.
pub type SignedPoint = (u8, u8, &'static str, String);

/// The moves with their variations.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Tree {
    /// False if variations of a large tree were left out.
    pub whole: bool,
    /// Number of moves in the tree.
    pub count: usize,
    /// The nodes in preorder.
    pub nodes: Vec<TreeNode>,
    /// Marks and arrows of nodes on the line on the board: number of the node, signs, beginning and
    /// head of each arrow.
    pub marked: Vec<(u32, Vec<SignedPoint>, Vec<Vec<Xy>>)>,
}

/// A node of the tree: its number, its parent's number, its action, and a comment and a symbol if
/// it has them.
#[derive(Serialize, Clone, PartialEq, Debug)]
#[serde(untagged)]
pub enum TreeNode {
    /// Without a comment.
    Plain(u32, Option<u32>, Option<NodeAction>),
    /// With a comment.
    Commented(u32, Option<u32>, Option<NodeAction>, String),
    /// With a symbol, and a comment that may be empty.
    Judged(u32, Option<u32>, Option<NodeAction>, String, &'static str),
}

/// The action of a node.
#[derive(Serialize, Clone, PartialEq, Debug)]
#[serde(untagged)]
pub enum NodeAction {
    /// A stone.
    Stone(Xy),
    /// A stone of another colour than the number of moves shows: point, colour.
    Coloured(u8, u8, &'static str),
    /// A pass: the word `pass`, colour.
    Pass(&'static str, &'static str),
    /// A choice in an opening, or `set-up`.
    Choice(String),
}

/// The result of a search of the position so far.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Analysis {
    /// Version of the position.
    pub version: u64,
    /// Best lines, best first.
    pub lines: Vec<Line>,
    /// Length of the longest line searched, in plies.
    pub seldepth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time spent.
    pub elapsed: u64,
    /// Nodes per second.
    pub speed: f64,
    /// Threats of Black and White.
    pub threats: Option<[Threats; 2]>,
    /// Promising points: point, rating up to 1000.
    pub heat: Option<Vec<(u8, u8, f64)>>,
}

/// A line of a search.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Line {
    /// Depth, in plies.
    pub depth: u32,
    /// Score for Black, in words.
    pub score: String,
    /// Evaluation.
    pub permille: u32,
    /// The moves.
    pub moves: Vec<Xy>,
}

/// Points at which a side makes threats.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Threats {
    /// Fives.
    pub fives: Vec<Xy>,
    /// Open fours.
    pub open_fours: Vec<Xy>,
    /// Fours.
    pub fours: Vec<Xy>,
    /// Open threes.
    pub open_threes: Vec<Xy>,
    /// A win by fours.
    pub vcf: Vec<Xy>,
}

/// The progress of a search.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Pace {
    /// Version of the position.
    pub version: u64,
    /// Time spent.
    pub elapsed: u64,
    /// Nodes searched.
    pub nodes: u64,
    /// Nodes per second.
    pub speed: f64,
}

/// The review of a game so far.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Review {
    /// Positions reviewed from the start.
    pub positions: usize,
    /// Positions of the line.
    pub of: usize,
    /// True if the line is the one on the board.
    pub shown: bool,
    /// Moves: node, loss in permille, grade.
    pub moves: Vec<(u32, u32, Option<&'static str>)>,
    /// Accuracy of Black and White.
    pub players: [SideAccuracy; 2],
    /// The turning points.
    pub turning_points: Vec<TurningPoint>,
    /// The moves known from the explored games: node, point, lines with it, lines before it.
    pub opening: Option<Vec<(u32, Xy, u32, u32)>>,
}

/// Accuracy of a side.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct SideAccuracy {
    /// Moves.
    pub moves: usize,
    /// Accuracy in percent.
    pub accuracy: f64,
    /// Mean loss per move, in permille.
    pub loss: f64,
    /// Number of inaccuracies.
    pub inaccuracies: usize,
    /// Number of mistakes.
    pub mistakes: usize,
    /// Number of blunders.
    pub blunders: usize,
}

/// A turning point of a game.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct TurningPoint {
    /// Number of the move, from 1.
    pub number: usize,
    /// Colour of the player.
    pub side: &'static str,
    /// The move.
    pub played: Xy,
    /// Kind of mistake.
    pub mistake: &'static str,
    /// Evaluation before the move, for the player.
    pub before: u32,
    /// Evaluation after the move, for the player.
    pub after: u32,
    /// Grade of the loss: `inaccuracy`, `mistake`, `blunder`.
    pub grade: Option<&'static str>,
    /// The better line.
    pub line: Vec<Xy>,
    /// Node before the move.
    pub from: u32,
    /// Node of the move.
    pub node: u32,
    /// True if the line stops before the five of a win.
    pub goes_on: bool,
    /// The shape that each stone of the line makes.
    pub makes: Vec<Option<Text>>,
}

/// Lines, wins of Black, wins of White, draws.
pub type Counts = [u32; 4];

/// The moves that the explored games continue with.
#[derive(Serialize, Clone, PartialEq, Default, Debug)]
pub struct Openings {
    /// True while the files are read. All other fields are absent then.
    pub reading: bool,
    /// Number of files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<usize>,
    /// Number of lines of this size and rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<u64>,
    /// Other kinds of games in the files: rule, longer side, shorter side, lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kinds: Option<Vec<(Text, u8, u8, u64)>>,
    /// Results of the lines through the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub here: Option<Counts>,
    /// The next moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Vec<OpeningMove>>,
}

/// A move that explored games continue with.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct OpeningMove {
    /// The move.
    #[serde(rename = "move")]
    pub point: Xy,
    /// Results of the lines with it.
    pub record: Counts,
}

/// The puzzles found so far.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Puzzles {
    /// True while games are searched.
    pub goes_on: bool,
    /// Games searched.
    pub games: usize,
    /// The puzzles.
    pub puzzles: Vec<PuzzleEntry>,
}

/// A puzzle in the list.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct PuzzleEntry {
    /// The puzzle.
    #[serde(flatten)]
    pub puzzle: PuzzleInfo,
    /// True if it was solved.
    pub solved: bool,
    /// Name of Black.
    pub black: Text,
    /// Name of White.
    pub white: Text,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Stones of Black and White in its position.
    pub position: [Vec<Xy>; 2],
}

/// A puzzle without its solution.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct PuzzleInfo {
    /// A key by which browsers remember that it was solved.
    pub key: String,
    /// Colour to move and win.
    pub side: &'static str,
    /// `win`, `five` or `defend`.
    pub task: &'static str,
    /// The task of a built-in problem in words.
    pub step: Option<Text>,
    /// Title of a problem from a file.
    pub title: String,
    /// Kind of win, if it is known.
    pub kind: Option<Text>,
    /// Stones that the winner needs; 0 if unknown.
    pub stones: usize,
    /// Difficulty, 1 to 5; 0 if unknown.
    pub grade: u8,
    /// True if the win was missed in the game.
    pub missed: bool,
    /// True if a human had it against a computer.
    pub own: bool,
    /// Date of the game.
    pub date: String,
}

/// The puzzle on the board.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Attempt {
    /// The puzzle.
    #[serde(flatten)]
    pub puzzle: PuzzleInfo,
    /// `try`, `judging`, `solved` or `shown`.
    pub stage: &'static str,
    /// True if a hint was given.
    pub hinted: bool,
    /// The set of problems that it is from.
    pub course: Option<&'static str>,
    /// Number of wrong answers.
    pub mistakes: u32,
    /// The solution, once it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution: Option<Vec<Xy>>,
    /// The verdict on the latest answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<AnswerVerdict>,
}

/// The sets of problems.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct TrainingView {
    /// The sets.
    pub sets: Vec<TrainingSet>,
}

/// A set of problems.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct TrainingSet {
    /// `freestyle`, `renju` or `file`.
    pub set: &'static str,
    /// Name of the file.
    pub name: Option<String>,
    /// Its steps, easiest first.
    pub steps: Vec<TrainingStep>,
}

/// The problems of a step.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct TrainingStep {
    /// Its number; 0 in a file.
    pub step: usize,
    /// The task.
    pub words: Option<Text>,
    /// Number of problems.
    pub total: usize,
    /// Number of problems that were solved.
    pub solved: usize,
    /// Number of problems to repeat today.
    pub due: usize,
}

/// The verdict on an answer to a puzzle.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct AnswerVerdict {
    /// `solved`, `right` or `wrong`.
    pub verdict: &'static str,
    /// The answer.
    pub tried: Xy,
    /// The other side's reply.
    pub reply: Option<Xy>,
}

/// The position editor.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct EditorView {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// Word of the rule.
    pub rule: &'static str,
    /// Stones in a row that win.
    pub win: u8,
    /// Black stones.
    pub black: Vec<Xy>,
    /// White stones.
    pub white: Vec<Xy>,
    /// Blocked points.
    pub blocked: Vec<Xy>,
    /// Colour to move.
    pub turn: &'static str,
    /// True if that colour follows from the numbers of stones.
    pub assumed: bool,
    /// True if a change can be taken back.
    pub can_undo: bool,
    /// The reason why the position cannot be played on.
    pub objection: Option<Text>,
    /// A remark about the numbers of stones.
    pub remark: Option<Text>,
    /// The winning row.
    pub row: Vec<Xy>,
    /// Forbidden points: point, kind of foul.
    pub forbidden: Vec<(u8, u8, &'static str)>,
    /// The kind of win that is searched: `fours`, `threats` or `search`.
    pub solving: Option<&'static str>,
    /// True if that search waits for a search thread.
    pub queued: bool,
    /// The result of the latest search.
    pub solution: Option<EditorSolution>,
}

/// The solution of a position in the editor.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct EditorSolution {
    /// `win`, `loss`, `none` or `unknown`, for the side to move.
    pub result: &'static str,
    /// The result in one sentence.
    pub words: Text,
    /// Colour of the winner.
    pub winner: Option<&'static str>,
    /// The moves of both sides.
    pub line: Vec<Xy>,
    /// The shape that each stone of the line makes.
    pub makes: Vec<Option<Text>>,
}

/// The saved games, latest first.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct SavedGames {
    /// The games.
    pub games: Vec<SavedGameEntry>,
}

/// A saved game in the list.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct SavedGameEntry {
    /// Its id.
    pub id: String,
    /// True if it is on the room's board.
    pub own: bool,
    /// Name of the study or of the event; may be empty.
    pub study: String,
    /// Title within the study; may be empty.
    pub title: String,
    /// Name of Black.
    pub black: Text,
    /// Name of White.
    pub white: Text,
    /// Date.
    pub date: String,
    /// Rule in words.
    pub variant: Text,
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// `black`, `white` or `draw`.
    pub result: Option<&'static str>,
    /// Number of moves.
    pub moves: usize,
    /// Stones of Black and White at the end.
    pub position: [Vec<Xy>; 2],
}

/// A part of the list of an uploaded file's games.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct FileGames {
    /// Index of the first game of this part.
    pub from: usize,
    /// Number of all games.
    pub count: usize,
    /// The games of this part.
    pub games: Vec<FileGame>,
}

/// A game of an uploaded file.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct FileGame {
    /// Its index in the file.
    pub number: usize,
    /// Name of the game.
    pub title: String,
    /// Name of Black.
    pub black: Option<Text>,
    /// Name of White.
    pub white: Option<Text>,
    /// Event.
    pub event: String,
    /// Date.
    pub date: String,
    /// Rule in words.
    pub variant: Text,
    /// Length of the main line.
    pub moves: usize,
    /// `black`, `white` or `draw`.
    pub result: Option<&'static str>,
}
