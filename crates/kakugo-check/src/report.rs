//! Reports as text and JSON.

use std::fmt::Write;

use serde_json::{Value, json};

use super::check::{Area, Check};
use super::context::Target;
use super::profile::Profile;
use super::runner::Outcome;
use super::transcript::printable;
use super::verdict::Verdict;
use kakugo_protocol::client;

/// Returns the numbers of passed, failed, unsupported and skipped checks.
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

/// Returns the command that runs a check again.
pub(super) fn rerun_command(target: &Target, profile: &Profile, check: &Check) -> String {
    let (arguments, profile) = (&target.arguments, profile.name);
    // With --zip the checks of the zip file run as well.
    let zip = target.zip.as_ref().filter(|_| check.area == Area::Zip);
    let zip = zip.map_or_else(String::new, |path| {
        format!(" --zip {}", client::join_words(&[path.to_string_lossy()]))
    });
    format!("pbrain-kakugo check {arguments}{zip} --profile {profile} --only {}", check.id)
}

/// Returns a table for each area, then the details of all failures.
pub(super) fn text(target: &Target, profile: &Profile, outcomes: &[Outcome]) -> String {
    let mut text =
        format!("{}, checked as {} ({})\n", target.config.name, profile.name, profile.description);
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
            let note = printable(verdict.note().lines().next().unwrap_or_default());
            let note: String = note.chars().take(90).collect();
            let _ = writeln!(text, "  {:13}  {:24}  {note}", verdict.word(), check.id);
        }
    }
    for Outcome { check, verdict, .. } in outcomes {
        let Verdict::Fail(failure) = verdict else { continue };
        let _ = writeln!(text, "\nFAIL {}: {}", check.id, check.requirement);
        for line in &failure.transcript {
            let _ = writeln!(text, "    {line}");
        }
        let indented = |words: &str| words.replace('\n', "\n              ");
        let _ = writeln!(text, "  got       {}", indented(&failure.actual));
        let _ = writeln!(text, "  expected  {}", indented(&failure.expected));
        let _ = writeln!(text, "  source    {}", check.source);
        let _ = writeln!(text, "  advice    {}", failure.advice_or(check.advice));
        let _ = writeln!(text, "  rerun     {}", rerun_command(target, profile, check));
    }
    let [pass, fail, unsupported, skipped] = counts(outcomes.iter());
    let _ = writeln!(
        text,
        "\n{pass} pass, {fail} fail, {unsupported} not supported, {skipped} skipped"
    );
    text
}

/// Returns the complete results as JSON.
pub(super) fn json(target: &Target, profile: &Profile, outcomes: &[Outcome]) -> Value {
    let checks: Vec<Value> = outcomes
        .iter()
        .map(|Outcome { check, verdict, elapsed }| {
            let mut value = json!({
                "id": check.id,
                "area": check.area.name(),
                "requirement": check.requirement,
                "source": check.source,
                "verdict": verdict.word().to_lowercase(),
                "note": verdict.note(),
                "ms": elapsed.as_millis() as u64,
            });
            if let Verdict::Fail(failure) = verdict {
                value["transcript"] = json!(failure.transcript);
                value["got"] = json!(failure.actual);
                value["expected"] = json!(failure.expected);
                value["advice"] = json!(failure.advice_or(check.advice));
                value["rerun"] = json!(rerun_command(target, profile, check));
            }
            value
        })
        .collect();
    let [pass, fail, unsupported, skipped] = counts(outcomes.iter());
    json!({
        "engine": target.config.name,
        "command": target.config.command,
        "profile": profile.name,
        "pass": pass,
        "fail": fail,
        "not_supported": unsupported,
        "skipped": skipped,
        "checks": checks,
    })
}

/// Returns the list of checks as text.
pub(super) fn list(checks: &[&Check]) -> String {
    let mut text = String::new();
    for check in checks {
        let _ = writeln!(text, "{:24}  {}", check.id, check.requirement);
        let _ = writeln!(text, "{:24}  [{}]", "", check.source);
    }
    text
}

/// Returns the list of checks as JSON.
pub(super) fn list_json(checks: &[&Check]) -> Value {
    let of = |check: &&Check| {
        json!({
            "id": check.id,
            "area": check.area.name(),
            "requirement": check.requirement,
            "source": check.source,
            "advice": check.advice,
            "managers": check.managers,
        })
    };
    checks.iter().map(of).collect()
}
