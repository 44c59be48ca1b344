//! What came of the checks, as text and as JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::bench::Subject;
use super::item::{Area, Check};
use super::profile::Profile;
use super::runner::Outcome;
use super::transcript::shown;
use super::verdict::Verdict;
use kakugo_protocol::client;

/// Verdicts counted: pass, fail, not supported, skipped.
pub(super) fn counts<'a>(outcomes: impl Iterator<Item = &'a Outcome>) -> [usize; 4] {
    let mut counts = [0; 4];
    for outcome in outcomes {
        counts[match outcome.verdict {
            Verdict::Pass(_) => 0,
            Verdict::Fail(_) => 1,
            Verdict::Unsupported(_) => 2,
            Verdict::Skipped(_) => 3,
        }] += 1;
    }
    counts
}

/// The command that repeats a check.
pub(super) fn repeat(subject: &Subject, profile: &Profile, check: &Check) -> String {
    let (words, profile) = (&subject.words, profile.name);
    // Where a zip is given, it is checked.
    let zip = subject.zip.as_ref().filter(|_| check.area == Area::Zip);
    let zip = zip.map_or_else(String::new, |path| {
        format!(" --zip {}", client::join_words(&[path.to_string_lossy()]))
    });
    format!("pbrain-kakugo check {words}{zip} --profile {profile} --only {}", check.id)
}

/// The table of an area for each area that was checked, then all failures in full.
pub(super) fn text(subject: &Subject, profile: &Profile, outcomes: &[Outcome]) -> String {
    let mut text =
        format!("{}, as {} would ({})\n", subject.config.name, profile.name, profile.about);
    for area in Area::ALL {
        let of_area = || outcomes.iter().filter(|outcome| outcome.check.area == area);
        if of_area().next().is_none() {
            continue;
        }
        let [pass, fail, unsupported, skipped] = counts(of_area());
        let _ = write!(text, "\n{}: {pass} pass, {fail} fail", area.name());
        let others = [(unsupported, "not supported"), (skipped, "skipped")];
        for (count, word) in others.iter().filter(|(count, _)| *count > 0) {
            let _ = write!(text, ", {count} {word}");
        }
        text.push('\n');
        for Outcome { check, verdict, .. } in of_area() {
            let note = shown(verdict.note().lines().next().unwrap_or_default());
            let note: String = note.chars().take(90).collect();
            let _ = writeln!(text, "  {:13}  {:24}  {note}", verdict.word(), check.id);
        }
    }
    for Outcome { check, verdict, .. } in outcomes {
        let Verdict::Fail(failure) = verdict else { continue };
        let _ = writeln!(text, "\nFAIL {}: {}", check.id, check.asks);
        for line in &failure.talk {
            let _ = writeln!(text, "    {line}");
        }
        let indented = |words: &str| words.replace('\n', "\n            ");
        let _ = writeln!(text, "  came    {}", indented(&failure.came));
        let _ = writeln!(text, "  wanted  {}", indented(&failure.wanted));
        let _ = writeln!(text, "  source  {}", check.source);
        let _ = writeln!(text, "  advice  {}", check.advice);
        let _ = writeln!(text, "  repeat  {}", repeat(subject, profile, check));
    }
    let [pass, fail, unsupported, skipped] = counts(outcomes.iter());
    let _ = writeln!(
        text,
        "\n{pass} pass, {fail} fail, {unsupported} not supported, {skipped} skipped"
    );
    text
}

/// All that is known, for programs.
pub(super) fn json(subject: &Subject, profile: &Profile, outcomes: &[Outcome]) -> Value {
    let checks: Vec<Value> = outcomes
        .iter()
        .map(|Outcome { check, verdict, took }| {
            let mut value = json!({
                "id": check.id,
                "area": check.area.name(),
                "asks": check.asks,
                "source": check.source,
                "verdict": verdict.word().to_lowercase(),
                "note": verdict.note(),
                "ms": took.as_millis() as u64,
            });
            if let Verdict::Fail(failure) = verdict {
                value["talk"] = json!(failure.talk);
                value["came"] = json!(failure.came);
                value["wanted"] = json!(failure.wanted);
                value["advice"] = json!(check.advice);
                value["repeat"] = json!(repeat(subject, profile, check));
            }
            value
        })
        .collect();
    let [pass, fail, unsupported, skipped] = counts(outcomes.iter());
    json!({
        "engine": subject.config.name,
        "command": subject.config.command,
        "profile": profile.name,
        "pass": pass,
        "fail": fail,
        "not supported": unsupported,
        "skipped": skipped,
        "checks": checks,
    })
}

/// All checks of a profile, for people.
pub(super) fn list(checks: &[&Check]) -> String {
    let mut text = String::new();
    for check in checks {
        let _ = writeln!(text, "{:24}  {}", check.id, check.asks);
        let _ = writeln!(text, "{:24}  [{}]", "", check.source);
    }
    text
}

/// The same, for programs.
pub(super) fn list_json(checks: &[&Check]) -> Value {
    let of = |check: &&Check| {
        json!({
            "id": check.id,
            "area": check.area.name(),
            "asks": check.asks,
            "source": check.source,
            "advice": check.advice,
            "managers": check.managers,
        })
    };
    checks.iter().map(of).collect()
}
