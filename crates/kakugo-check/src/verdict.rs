//! The results of a check.

use std::time::Duration;

/// The details of a failed check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Failure {
    /// Lines sent and received, with times.
    pub(super) transcript: Vec<String>,
    /// The observed behaviour.
    pub(super) actual: String,
    /// The behaviour that the protocol or the manager expects.
    pub(super) expected: String,
    /// Advice for this failure instead of the check's own.
    pub(super) advice: Option<String>,
    /// True if the process crashed or closed its output.
    pub(super) crashed: bool,
}

impl Failure {
    /// Returns the advice to the author; `general` is that of the check.
    pub(super) fn advice_or<'a>(&'a self, general: &'a str) -> &'a str {
        self.advice.as_deref().unwrap_or(general)
    }
}

/// The outcome of a check that did not pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum NotPassed {
    /// The engine violates the requirement.
    Fail(Failure),
    /// The engine does not support an optional feature.
    Unsupported(String),
    /// The check could not be run.
    Skipped(String),
}

impl NotPassed {
    /// Marks a failure as a crash. Its check is not retried.
    pub(super) fn by_crash(mut self) -> NotPassed {
        if let NotPassed::Fail(failure) = &mut self {
            failure.crashed = true;
        }
        self
    }
}

/// The outcome of a check: a short note if it passed.
pub(super) type CheckResult = Result<String, NotPassed>;

/// The verdict of a check, as reported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Pass(String),
    Fail(Failure),
    Unsupported(String),
    Skipped(String),
}

impl Verdict {
    /// Returns the verdict in words.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Verdict::Pass(_) => "pass",
            Verdict::Fail(_) => "FAIL",
            Verdict::Unsupported(_) => "not supported",
            Verdict::Skipped(_) => "skipped",
        }
    }

    /// Returns a short description of the observed behaviour.
    pub(super) fn note(&self) -> &str {
        match self {
            Verdict::Pass(note) | Verdict::Unsupported(note) | Verdict::Skipped(note) => note,
            Verdict::Fail(failure) => &failure.actual,
        }
    }
}

impl From<CheckResult> for Verdict {
    fn from(result: CheckResult) -> Verdict {
        match result {
            Ok(note) => Verdict::Pass(note),
            Err(NotPassed::Fail(failure)) => Verdict::Fail(failure),
            Err(NotPassed::Unsupported(note)) => Verdict::Unsupported(note),
            Err(NotPassed::Skipped(note)) => Verdict::Skipped(note),
        }
    }
}

/// Formats a duration for reports.
pub(super) fn ms(time: Duration) -> String {
    format!("{} ms", time.as_millis())
}
