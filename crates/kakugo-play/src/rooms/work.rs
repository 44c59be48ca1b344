//! What a room can have thought about, and what comes of it.

use super::findings::{Following, SharedFindings};
use crate::computers::{Computers, MoveRequest};
use crate::game::live::Action;
use kakugo::board::{Board, Point};
use kakugo::search::{Limits, Signals};
use kakugo_record::analysis::puzzle::{self, Verdict};

/// Kinds of work.
pub enum Work {
    /// Decide a move.
    Decide(Box<MoveRequest>),
    /// Search a position until stopped, several best lines.
    Analyse(Box<Board>, usize),
    /// Suggest a move.
    Hint(Box<MoveRequest>),
    /// Judge an answer to a puzzle.
    Judge(Box<Board>, Point),
}

/// What came of it.
pub enum Outcome {
    /// What a player does, or how an engine failed.
    Decided(Result<Vec<Action>, String>),
    /// A search that ended by itself.
    Analysed,
    /// A suggestion.
    Hinted(Option<Action>),
    /// What an answer to a puzzle is worth.
    Judged(Verdict),
}

impl Work {
    /// Do it, until done or stopped.
    pub fn carry_out(
        self,
        computers: &mut Computers,
        signals: &Signals,
        findings: &mut SharedFindings,
    ) -> Outcome {
        match self {
            Work::Decide(request) => {
                findings.look_at(&request.board);
                Outcome::Decided(computers.decide(&request, signals, findings))
            }
            Work::Hint(request) => {
                // As a computer would, whom openings bind, too.
                let decided = computers.decide(&request, signals, findings);
                Outcome::Hinted(decided.ok().and_then(|actions| actions.first().copied()))
            }
            Work::Analyse(board, multi_pv) => {
                findings.look_at(&board);
                let limits = Limits { multi_pv, ..Limits::default() };
                let mut following = Following { findings, board: &board, signals };
                computers.kakugo().engine().think(&board, &limits, signals, &mut following);
                Outcome::Analysed
            }
            Work::Judge(board, p) => {
                let engine = computers.kakugo().engine();
                Outcome::Judged(puzzle::judge(engine, &board, p, signals))
            }
        }
    }
}
