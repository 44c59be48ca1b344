//! What comes of a check.

use std::time::Duration;

/// Why a check did not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Failure {
    /// What was sent and heard, a line each with its time.
    pub(super) talk: Vec<String>,
    /// What came.
    pub(super) came: String,
    /// What the protocol or the manager wants.
    pub(super) wanted: String,
}

/// How a check ends before it has found that all is well.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// It does not hold.
    Fail(Failure),
    /// The engine does not offer this, and need not.
    Unsupported(String),
    /// It was not tried.
    Skipped(String),
}

/// What a check's work comes to: a word about what was seen where it holds.
pub(super) type Judged = Result<String, Stop>;

/// What is said of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Pass(String),
    Fail(Failure),
    Unsupported(String),
    Skipped(String),
}

impl Verdict {
    /// The verdict in a word.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Verdict::Pass(_) => "pass",
            Verdict::Fail(_) => "FAIL",
            Verdict::Unsupported(_) => "not supported",
            Verdict::Skipped(_) => "skipped",
        }
    }

    /// What was seen, in a line.
    pub(super) fn note(&self) -> &str {
        match self {
            Verdict::Pass(note) | Verdict::Unsupported(note) | Verdict::Skipped(note) => note,
            Verdict::Fail(failure) => &failure.came,
        }
    }
}

impl From<Judged> for Verdict {
    fn from(judged: Judged) -> Verdict {
        match judged {
            Ok(note) => Verdict::Pass(note),
            Err(Stop::Fail(failure)) => Verdict::Fail(failure),
            Err(Stop::Unsupported(note)) => Verdict::Unsupported(note),
            Err(Stop::Skipped(note)) => Verdict::Skipped(note),
        }
    }
}

/// A time as reports tell it.
pub(super) fn ms(time: Duration) -> String {
    format!("{} ms", time.as_millis())
}
