//! The end of a game.

use crate::journal::Reason;
use kakugo::board::Side;
use kakugo_protocol::client::Fault;
use kakugo_record::GameResult;

/// The reason why a game has no result.
#[derive(Debug)]
pub(super) enum Abandoned {
    /// The match was stopped.
    Stopped,
    /// An engine cannot be started.
    Unstartable(String),
}

/// The result of a game with its reason.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct GameEnd {
    pub result: GameResult,
    pub reason: Reason,
    pub detail: String,
}

impl GameEnd {
    pub(super) fn new(result: GameResult, reason: Reason, detail: impl Into<String>) -> GameEnd {
        GameEnd { result, reason, detail: detail.into() }
    }

    pub(super) fn win(winner: Side, reason: Reason, detail: impl Into<String>) -> GameEnd {
        GameEnd::new(GameResult::Win(winner), reason, detail)
    }
}

/// Returns the end of a game that `loser` forfeits by a fault.
pub(super) fn forfeit(loser: Side, fault: Fault) -> Result<GameEnd, Abandoned> {
    let (reason, detail) = match fault {
        Fault::Time(detail) => (Reason::Time, detail),
        Fault::Crash(detail) => (Reason::Crash, detail),
        Fault::Disconnect(detail) => (Reason::Disconnect, detail),
        Fault::Protocol(detail) => (Reason::Protocol, detail),
        Fault::Memory(detail) => (Reason::Memory, detail),
        Fault::Unstartable(detail) => return Err(Abandoned::Unstartable(detail)),
        Fault::Stopped => return Err(Abandoned::Stopped),
    };
    Ok(GameEnd::win(loser.opponent(), reason, detail))
}
