//! Replies that a person understands but the manager does not, such as `7, 7` instead of `7,7`.

use std::collections::VecDeque;

use super::profile::Profile;
use super::transcript::printable;
use super::verdict::NotPassed;

/// Number of skipped lines that a failure quotes.
const QUOTED: usize = 3;

/// A reply with the right meaning in a form that the manager does not read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct WrongForm {
    line: String,
    /// The reply as the manager reads it.
    right: String,
}

impl WrongForm {
    /// Returns the form if the line without blanks and brackets would be the expected reply.
    pub(super) fn of(line: &str, fits: impl Fn(&str) -> bool) -> Option<WrongForm> {
        let right = plain(line)?;
        (right != line && fits(&right)).then(|| WrongForm { line: line.to_owned(), right })
    }

    /// Replaces the description and the advice of the failure by those of the form, if there is
    /// one.
    pub(super) fn explain(
        form: Option<&WrongForm>,
        failure: NotPassed,
        profile: &Profile,
    ) -> NotPassed {
        let (form, mut failure) = match (form, failure) {
            (Some(form), NotPassed::Fail(failure)) => (form, failure),
            (_, other) => return other,
        };
        let is_move = form.right.starts_with(|c: char| c.is_ascii_digit());
        let needs = if is_move { "digits, comma, digits" } else { &*form.right };
        let line = printable(&form.line);
        let why = form.fault();
        failure.actual = format!("\"{line}\" {why}: {} needs {needs}", profile.name);
        failure.advice = Some(format!(
            "Print exactly {}, then a line end: without blanks, brackets or other characters.",
            form.right
        ));
        NotPassed::Fail(failure)
    }

    /// Returns what is wrong with the line.
    fn fault(&self) -> &'static str {
        let without_blanks = |text: &str| -> String { text.split_whitespace().collect() };
        match without_blanks(&self.line) == without_blanks(&self.right) {
            true => "has a blank",
            false => "has other characters",
        }
    }
}

/// Returns a word, or points such as `7,7`, without blanks around them and without brackets.
/// Returns `None` for other lines.
fn plain(line: &str) -> Option<String> {
    let line = line.trim();
    if !line.is_empty() && line.chars().all(|c| c.is_ascii_alphabetic() || c.is_ascii_digit()) {
        return Some(line.to_owned());
    }
    let is_allowed = |c: char| c.is_ascii_digit() || " \t,;.:()[]".contains(c);
    if !line.chars().all(is_allowed) {
        return None;
    }
    let numbers = line.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    let numbers: Vec<&str> = numbers.collect();
    let points = numbers.chunks(2).map(|pair| pair.join(","));
    numbers.len().is_multiple_of(2).then(|| points.collect::<Vec<_>>().join(" "))
}

/// The lines that a manager skips while it waits for a reply.
#[derive(Default)]
pub(super) struct SkippedLines {
    last: VecDeque<String>,
    count: usize,
    /// The first line that is the expected reply in a wrong form.
    pub(super) form: Option<WrongForm>,
}

impl SkippedLines {
    /// Adds a line that is not the reply.
    pub(super) fn add(&mut self, line: &str, fits: impl Fn(&str) -> bool) {
        self.form = self.form.take().or_else(|| WrongForm::of(line, fits));
        self.count += 1;
        if self.last.len() == QUOTED {
            self.last.pop_front();
        }
        self.last.push_back(format!("\"{}\"", printable(line)));
    }

    /// Returns the last lines as the end of a sentence.
    pub(super) fn text(&self) -> String {
        if self.count == 0 {
            return String::new();
        }
        let lines: Vec<&str> = self.last.iter().map(String::as_str).collect();
        let more = self.count - lines.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("; skipped: {}{more}", lines.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::super::session::is_ok;
    use super::super::verdict::Failure;
    use super::*;
    use kakugo_protocol::StrictReply;

    fn is_move(text: &str) -> bool {
        matches!(StrictReply::parse(text), StrictReply::Moves(_))
    }

    #[test]
    fn replies_in_a_wrong_form_are_explained() {
        let profile = Profile::named("c-gomoku-cli").unwrap();
        for (line, expected) in [
            ("10, 10", Some("\"10, 10\" has a blank: c-gomoku-cli needs digits, comma, digits")),
            ("7,7 ", Some("\"7,7 \" has a blank: c-gomoku-cli needs digits, comma, digits")),
            ("7 7", Some("\"7 7\" has other characters: c-gomoku-cli needs digits, comma, digits")),
            (
                "(7,7)",
                Some("\"(7,7)\" has other characters: c-gomoku-cli needs digits, comma, digits"),
            ),
            ("7,7", None),
            ("depth 7 8", None),
            ("7,-7", None),
            ("", None),
        ] {
            let form = WrongForm::of(line, is_move);
            let failure = Failure {
                transcript: Vec::new(),
                actual: "plain".to_owned(),
                expected: String::new(),
                advice: None,
                crashed: false,
            };
            let explained = WrongForm::explain(form.as_ref(), NotPassed::Fail(failure), profile);
            let NotPassed::Fail(explained) = explained else { panic!("{line}") };
            assert_eq!(explained.actual, expected.unwrap_or("plain"), "{line}");
            assert_eq!(explained.advice.is_some(), expected.is_some(), "{line}");
        }
        let ok = WrongForm::of("OK ", |text| is_ok(text, profile)).map(|form| form.right);
        let strict = Profile::named("strict").unwrap();
        let padded = WrongForm::of("OK ", |text| text == "OK" && is_ok(text, strict));
        assert_eq!((ok.as_deref(), padded.is_some()), (Some("OK"), true));
    }

    #[test]
    fn the_last_skipped_lines_are_quoted() {
        let mut skipped = SkippedLines::default();
        assert_eq!(skipped.text(), "");
        for line in ["one", "7, 7", "two", "three"] {
            skipped.add(line, is_move);
        }
        assert_eq!(skipped.text(), "; skipped: \"7, 7\", \"two\", \"three\" and 1 more");
        assert_eq!(skipped.form.map(|form| form.right), Some("7,7".to_owned()));
    }
}
