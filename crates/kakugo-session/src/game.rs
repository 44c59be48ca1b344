//! The game state and the effect of commands on it, without waiting, searching or output.
//!
//! [`ManagedGame::execute`] either rejects a command and changes nothing, or executes it and
//! returns the next step. If that is a search, [`ManagedGame::apply_decision`] applies its result.

use std::fmt;
use std::time::Instant;

use crate::options::{Options, UnsupportedVariant, max_threads};
use crate::position::{
    Unplayable, check_playable, fallback_move, set_up, set_up_swap2, with_variant,
};
use kakugo::board::{Board, PlayError, Point, Side, UnsupportedSize};
use kakugo::pattern::set::PointSet;
use kakugo::player::Decision;
use kakugo::position::Position;
use kakugo::search::swap2::Choice;
use kakugo::search::{Balance, Limits, candidates};
use kakugo_protocol::{Command, CommandError, Placement, Reply, Swap2Step, Swap2Stone};

/// The reason why a command is rejected.
#[derive(Debug)]
pub(crate) enum SessionError {
    Command(CommandError),
    Variant(UnsupportedVariant),
    Size(UnsupportedSize),
    Position(Unplayable),
    NoGame,
    NotEmpty,
    NotLast { asked: Point, last: Option<Point> },
    Swap2Stones(usize),
    Swap2Step { asked: Swap2Step, stones: usize },
    AllBlocked,
    OnePoint,
    QueueFull,
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SessionError::Command(error) => error.fmt(f),
            SessionError::Variant(error) => error.fmt(f),
            SessionError::Size(error) => error.fmt(f),
            SessionError::Position(error) => error.fmt(f),
            SessionError::NoGame => f.write_str("no game: START comes first"),
            SessionError::NotEmpty => f.write_str("BEGIN needs an empty board"),
            SessionError::NotLast { asked, last: Some(last) } => {
                write!(f, "{asked}: the last stone is at {last}")
            }
            SessionError::NotLast { asked, last: None } => {
                write!(f, "{asked}: there is no stone to take back")
            }
            SessionError::Swap2Stones(n) => write!(f, "SWAP2BOARD needs 0, 3 or 5 stones, not {n}"),
            SessionError::Swap2Step { asked, stones } => {
                let (command, wanted) = (Command::YxSwap2(*asked), asked.stones());
                write!(f, "{command} needs {wanted} stones on the board, not {stones}")
            }
            SessionError::AllBlocked => f.write_str(
                "every empty point is blocked: allow one by YXBLOCKUNDO or YXBLOCKRESET",
            ),
            SessionError::OnePoint => f.write_str("YXBALANCETWO needs two points to play on"),
            SessionError::QueueFull => {
                f.write_str("too many commands while searching: wait for the move")
            }
        }
    }
}

impl From<UnsupportedVariant> for SessionError {
    fn from(error: UnsupportedVariant) -> SessionError {
        SessionError::Variant(error)
    }
}

impl From<Unplayable> for SessionError {
    fn from(error: Unplayable) -> SessionError {
        SessionError::Position(error)
    }
}

impl From<UnsupportedSize> for SessionError {
    fn from(error: UnsupportedSize) -> SessionError {
        SessionError::Size(error)
    }
}

/// The next step after a command.
#[derive(Debug)]
pub(crate) enum Response {
    /// Nothing.
    Nothing,
    /// Write these lines.
    Reply(Vec<Reply>),
    /// Reply `OK` and clear the engine's memory of the old game.
    NewGame,
    /// Clear the engine's memory of the game.
    ClearHash,
    /// Search the game's position for the answer to this task.
    Search(Task),
}

/// The goal of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Task {
    /// The best move, with this number of best lines.
    Move { lines: usize },
    /// The choice in a swap2 opening.
    Swap2,
    /// The same for Yixin-Board.
    YxSwap2(Swap2Step),
    /// The stones that balance the position.
    Balance(Balance),
}

/// The current game, if there is one, and the options that `INFO` has set.
#[derive(Debug)]
pub(crate) struct ManagedGame {
    pub(crate) options: Options,
    board: Option<Board>,
    /// Moves that `YXBLOCK` excludes from searches.
    blocked: PointSet,
}

impl Default for ManagedGame {
    fn default() -> ManagedGame {
        ManagedGame { options: Options::default(), board: None, blocked: PointSet::EMPTY }
    }
}

impl ManagedGame {
    /// Executes a command.
    ///
    /// # Errors
    /// Returns an error, and changes nothing, if the command is rejected.
    pub(crate) fn execute(&mut self, command: Command) -> Result<Response, SessionError> {
        match command {
            Command::Start { width, height } => self.start(width, height),
            Command::Restart => {
                let board = self.board.as_ref().ok_or(SessionError::NoGame)?;
                self.start(board.width().into(), board.height().into())
            }
            Command::Begin => {
                let board = self.board()?;
                if board.ply() > 0 {
                    return Err(SessionError::NotEmpty);
                }
                self.search_in(board, 1)
            }
            Command::Turn(point) => {
                let board = played(self.board()?, point)?;
                self.search_in(board, 1)
            }
            Command::Play(point) => {
                self.board = Some(played(self.board()?, point)?);
                Ok(Response::Reply(vec![Reply::Move(point)]))
            }
            Command::Takeback(point) => self.take_back(point),
            Command::Board(entries) => {
                let board = self.set_up(&entries)?;
                self.search_in(board, 1)
            }
            Command::YxBoard(entries) => {
                self.board = Some(self.set_up(&entries)?);
                Ok(Response::Nothing)
            }
            Command::Swap2Board(stones) => self.swap2(&stones),
            Command::About => Ok(Response::Reply(vec![about()])),
            Command::Info(info) => {
                let message =
                    self.options.apply(&info).err().map(|error| Reply::Message(error.to_string()));
                Ok(message.map_or(Response::Nothing, |message| Response::Reply(vec![message])))
            }
            Command::YxShowForbid => self.show_forbidden(),
            Command::YxHashClear => Ok(Response::ClearHash),
            Command::YxShowInfo => Ok(Response::Reply(self.show_info())),
            Command::YxNbest(lines) => {
                let board = self.board()?;
                self.search_in(board, lines)
            }
            Command::YxSearchDefend => {
                let board = self.board()?;
                let lines = self.considered(&board);
                self.search_in(board, lines)
            }
            Command::YxBalanceOne(bias) => self.balance(Balance::ONE.bias(bias)),
            Command::YxBalanceTwo(bias) => self.balance(Balance::TWO.bias(bias)),
            Command::YxBlock(points) => {
                self.blocked = self.blocked.union(&self.on_board(points)?);
                Ok(Response::Nothing)
            }
            Command::YxBlockUndo(points) => {
                self.blocked = self.blocked.difference(&self.on_board(points)?);
                Ok(Response::Nothing)
            }
            Command::YxBlockReset => {
                self.blocked = PointSet::EMPTY;
                Ok(Response::Nothing)
            }
            Command::YxSwap2(step) => self.yixin_swap2(step),
            Command::YxBlockPathReset
            | Command::YxQueryDatabase
            | Command::YxStop
            | Command::End => Ok(Response::Nothing),
        }
    }

    /// Plays the result of a search on the board and returns the replies.
    pub(crate) fn apply_decision(&mut self, task: Task, decision: Decision) -> Vec<Reply> {
        let reply = self.played_decision(decision);
        match task {
            Task::YxSwap2(step) => yixin_swap2_replies(step, reply),
            Task::Move { .. } | Task::Swap2 | Task::Balance(_) => vec![reply],
        }
    }

    /// Plays the result of a search on the board and returns the reply.
    fn played_decision(&mut self, decision: Decision) -> Reply {
        let Some(board) = &mut self.board else {
            return Reply::Error(SessionError::NoGame.to_string());
        };
        let stone = match decision {
            Decision::Stone(stone) => stone,
            Decision::Swap2(Choice::Stone(stone)) => Some(stone),
            Decision::Swap2(Choice::Swap) => return Reply::Swap,
            Decision::Stones(stones) if stones.len() < 2 => stones.first().copied(),
            Decision::Stones(stones) | Decision::Swap2(Choice::Stones(stones)) => {
                for &p in &stones {
                    let played = board.play(p);
                    debug_assert!(played.is_ok(), "stones are placed on empty points");
                }
                return Reply::Stones(stones);
            }
            Decision::Swap2(Choice::Nothing) => None,
        };
        let stone =
            stone.filter(|&p| board.is_empty(p)).or_else(|| fallback_move(board, &self.blocked));
        match stone {
            Some(p) if board.play(p).is_ok() => Reply::Move(p),
            _ => Reply::Error(Unplayable::Full.to_string()),
        }
    }

    /// Returns the game's position under the current rule.
    pub(crate) fn board(&self) -> Result<Board, SessionError> {
        let board = self.board.as_ref().ok_or(SessionError::NoGame)?;
        let variant = self.options.variant()?;
        Ok(if board.variant() == variant { board.clone() } else { with_variant(board, variant) })
    }

    /// Returns the game's position, unless the game is over.
    pub(crate) fn playable_board(&self) -> Option<Board> {
        self.board().ok().filter(|board| check_playable(board).is_ok())
    }

    /// Returns an empty board of the game's size.
    fn empty_board(&self) -> Result<Board, SessionError> {
        let board = self.board.as_ref().ok_or(SessionError::NoGame)?;
        Ok(Board::new(board.width(), board.height(), self.options.variant()?)?)
    }

    fn start(&mut self, width: u32, height: u32) -> Result<Response, SessionError> {
        let unsupported = UnsupportedSize { width, height };
        let side = |n: u32| u8::try_from(n).map_err(|_| unsupported);
        self.board = Some(Board::new(side(width)?, side(height)?, self.options.variant()?)?);
        self.options.new_game();
        Ok(Response::NewGame)
    }

    fn take_back(&mut self, point: Point) -> Result<Response, SessionError> {
        let mut board = self.board()?;
        let last = board.undo().map(|stone| stone.point);
        if last != Some(point) {
            return Err(SessionError::NotLast { asked: point, last });
        }
        self.board = Some(board);
        Ok(Response::Reply(vec![Reply::Ok]))
    }

    /// Returns the position of a `BOARD` command.
    fn set_up(&self, entries: &[Placement]) -> Result<Board, SessionError> {
        Ok(set_up(self.empty_board()?, entries)?)
    }

    fn swap2(&mut self, stones: &[Swap2Stone]) -> Result<Response, SessionError> {
        if !matches!(stones.len(), 0 | 3 | 5) {
            return Err(SessionError::Swap2Stones(stones.len()));
        }
        let board = set_up_swap2(self.empty_board()?, stones)?;
        check_playable(&board)?;
        self.board = Some(board);
        Ok(Response::Search(Task::Swap2))
    }

    fn yixin_swap2(&mut self, step: Swap2Step) -> Result<Response, SessionError> {
        let board = match step {
            Swap2Step::Opening => self.empty_board()?,
            Swap2Step::SecondPlayer | Swap2Step::FirstPlayer => self.board()?,
        };
        let stones = board.stones().count();
        if stones != step.stones() {
            return Err(SessionError::Swap2Step { asked: step, stones });
        }
        check_playable(&board)?;
        self.board = Some(board);
        Ok(Response::Search(Task::YxSwap2(step)))
    }

    /// Sets the game's position and requests a search of it with this number of best lines.
    fn search_in(&mut self, board: Board, lines: usize) -> Result<Response, SessionError> {
        check_playable(&board)?;
        if board.empty_points().all(|p| self.blocked.contains(p)) {
            return Err(SessionError::AllBlocked);
        }
        self.board = Some(board);
        Ok(Response::Search(Task::Move { lines }))
    }

    /// Requests a search for stones that balance the game's position.
    fn balance(&self, balance: Balance) -> Result<Response, SessionError> {
        let board = self.board()?;
        check_playable(&board)?;
        let free = board.empty_points().filter(|&p| !self.blocked.contains(p)).count();
        match free {
            0 => Err(SessionError::AllBlocked),
            _ if free < balance.stones() => Err(SessionError::OnePoint),
            _ => Ok(Response::Search(Task::Balance(balance))),
        }
    }

    /// Returns the limits of a search of a move that begins at `start`.
    pub(crate) fn limits(&self, start: Instant, task: Task) -> Limits {
        match task {
            Task::Swap2 | Task::YxSwap2(_) => self.options.limits(start, 1),
            Task::Move { lines } => {
                Limits { without: self.blocked, ..self.options.limits(start, lines) }
            }
            Task::Balance(_) => Limits { without: self.blocked, ..self.options.limits(start, 1) },
        }
    }

    /// Returns the number of moves that a search considers, at least 1.
    fn considered(&self, board: &Board) -> usize {
        let position = Position::new(board);
        let points = candidates(&position).difference(&self.blocked);
        points.iter().filter(|&p| position.is_legal(p)).count().max(1)
    }

    /// Returns a set of points, unless one of them is off the game's board.
    fn on_board(&self, points: Vec<Point>) -> Result<PointSet, SessionError> {
        let board = self.board.as_ref().ok_or(SessionError::NoGame)?;
        let is_off = |p: &&Point| p.x() >= board.width() || p.y() >= board.height();
        match points.iter().find(is_off) {
            Some(&p) => Err(Unplayable::Point(p, PlayError::OffBoard).into()),
            None => Ok(points.into_iter().collect()),
        }
    }

    fn show_forbidden(&self) -> Result<Response, SessionError> {
        let board = self.board()?;
        let forbidden = |&p: &Point| board.foul(p, Side::Black).is_some();
        let points = board.empty_points().filter(forbidden).collect();
        Ok(Response::Reply(vec![Reply::Forbid(points)]))
    }

    fn show_info(&mut self) -> Vec<Reply> {
        self.options.enable_yixin_mode();
        let hash = self.options.max_hash_log2_kb();
        Reply::capacities(max_threads(), hash).to_vec()
    }
}

/// Returns the messages by which Yixin-Board learns a decision in a swap2 opening.
fn yixin_swap2_replies(step: Swap2Step, reply: Reply) -> Vec<Reply> {
    let message = |text: String| Reply::Message(format!("SWAP2 {text}"));
    let choice = usize::from(step == Swap2Step::FirstPlayer) + 1;
    match reply {
        Reply::Stones(points) => {
            let first = step.stones() + 1;
            let stone = |(n, p): (usize, Point)| message(format!("MOVE{n} {} {}", p.x(), p.y()));
            (first..).zip(points).map(stone).collect()
        }
        Reply::Swap => vec![message(format!("SWAP{choice} YES"))],
        // The manager asks for this stone in a second search.
        Reply::Move(_) => vec![message(format!("SWAP{choice} NO"))],
        other => vec![other],
    }
}

/// Returns the position after a move of the side to move. Rejects the move if the game was already
/// over, but does not check if the move ends it.
fn played(mut board: Board, point: Point) -> Result<Board, SessionError> {
    check_playable(&board)?;
    board.play(point).map_err(|error| Unplayable::Point(point, error))?;
    Ok(board)
}

fn about() -> Reply {
    Reply::about("Kakugo", env!("CARGO_PKG_VERSION"), "the Kakugo authors")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the replies to a decision after these commands; the last one starts the search.
    fn replies(commands: &str, decision: Decision) -> Vec<String> {
        let mut game = ManagedGame::default();
        let mut assembler = kakugo_protocol::Assembler::default();
        let commands = commands.lines().filter_map(|line| assembler.line(line));
        let responses: Vec<_> = commands.map(|command| game.execute(command.unwrap())).collect();
        let Some(Ok(Response::Search(task))) = responses.last() else { panic!("{responses:?}") };
        let replies = game.apply_decision(*task, decision);
        replies.iter().map(Reply::to_string).collect()
    }

    #[test]
    fn yixin_board_learns_swap2_choices_by_messages() {
        let points = |list: &[(u8, u8)]| -> Vec<Point> {
            list.iter().map(|&(x, y)| Point::new(x, y).unwrap()).collect()
        };
        let stones = |list| Decision::Swap2(Choice::Stones(points(list)));
        let stone = Decision::Swap2(Choice::Stone(points(&[(0, 1)])[0]));
        assert_eq!(
            replies(
                "START 15\nYXBOARD 7,7,1 DONE\nyxswap2step1",
                stones(&[(3, 4), (5, 6), (7, 8)])
            ),
            ["MESSAGE SWAP2 MOVE1 3 4", "MESSAGE SWAP2 MOVE2 5 6", "MESSAGE SWAP2 MOVE3 7 8"]
        );
        let three = "START 15\nYXBOARD\n7,7,2\n8,8,1\n9,9,2\nDONE\nyxswap2step2";
        assert_eq!(replies(three, Decision::Swap2(Choice::Swap)), ["MESSAGE SWAP2 SWAP1 YES"]);
        assert_eq!(replies(three, stone.clone()), ["MESSAGE SWAP2 SWAP1 NO"]);
        assert_eq!(
            replies(three, stones(&[(1, 2), (2, 1)])),
            ["MESSAGE SWAP2 MOVE4 1 2", "MESSAGE SWAP2 MOVE5 2 1"]
        );
        let five = "START 15\nYXBOARD\n7,7,2\n8,8,1\n9,9,2\n3,3,1\n4,4,2\nDONE\nyxswap2step3";
        assert_eq!(replies(five, Decision::Swap2(Choice::Swap)), ["MESSAGE SWAP2 SWAP2 YES"]);
        assert_eq!(replies(five, stone), ["MESSAGE SWAP2 SWAP2 NO"]);
    }

    #[test]
    fn swap2_steps_need_their_stones() {
        let mut game = ManagedGame::default();
        game.execute("START 15".parse().unwrap()).unwrap();
        let error = game.execute("YXSWAP2STEP2".parse().unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "YXSWAP2STEP2 needs 3 stones on the board, not 0");
    }
}
