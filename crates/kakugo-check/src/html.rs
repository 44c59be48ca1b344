//! The HTML report: one self-contained page.

use std::fmt::Write;

use super::check::Area;
use super::context::Target;
use super::profile::Profile;
use super::report::{counts, rerun_command};
use super::runner::Outcome;
use super::verdict::Verdict;
use kakugo_cli::html::escape;

const STYLE: &str = "\
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
table{border-collapse:collapse;width:100%}td,th{padding:.2rem .6rem;text-align:left;vertical-align:top;border-top:1px solid #ddd}\
.pass{color:#176b2c}.fail{color:#b00020;font-weight:bold}.other{color:#666}\
pre{background:#f4f4f4;padding:.6rem;overflow-x:auto}code{font-size:.9em}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}td,th{border-color:#444}pre{background:#222}\
.pass{color:#6fce84}.fail{color:#ff6b7f}.other{color:#999}}";

/// Returns the complete page.
pub(super) fn html(target: &Target, profile: &Profile, outcomes: &[Outcome]) -> String {
    let [pass, fail, unsupported, skipped] = counts(outcomes.iter());
    let name = escape(&target.config.name);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\
                  <meta name=\"viewport\" content=\"width=device-width\"><title>{name}: check results</title>\
                  <style>{STYLE}</style>\n<h1>{name}, checked as {}</h1>\n<p>{}.</p>\n\
         <p>{pass} pass, {fail} fail, {unsupported} not supported, {skipped} skipped.</p>\n",
        profile.name,
        escape(profile.description),
    );
    for area in Area::ALL {
        let of_area: Vec<&Outcome> =
            outcomes.iter().filter(|outcome| outcome.check.area == area).collect();
        if of_area.is_empty() {
            continue;
        }
        let _ = writeln!(page, "<h2>{}</h2>\n<table>", area.name());
        for Outcome { check, verdict, .. } in of_area {
            let class = match verdict {
                Verdict::Pass(_) => "pass",
                Verdict::Fail(_) => "fail",
                _ => "other",
            };
            let _ = writeln!(
                page,
                "<tr><td class=\"{class}\">{}</td><td><code>{}</code></td><td>{}</td><td>{}</td></tr>",
                verdict.word(),
                check.id,
                escape(check.requirement),
                escape(verdict.note()),
            );
        }
        page += "</table>\n";
    }
    for Outcome { check, verdict, .. } in outcomes {
        let Verdict::Fail(failure) = verdict else { continue };
        let _ = writeln!(
            page,
            "<h2 class=\"fail\">{}</h2>\n<p>{}</p>",
            check.id,
            escape(check.requirement)
        );
        let _ = writeln!(page, "<pre>{}</pre>\n<table>", escape(&failure.transcript.join("\n")));
        for (word, what) in [
            ("got", failure.actual.as_str()),
            ("expected", &failure.expected),
            ("source", check.source),
            ("advice", failure.advice_or(check.advice)),
            ("rerun", &rerun_command(target, profile, check)),
        ] {
            let what = escape(what).replace('\n', "<br>");
            let _ = writeln!(page, "<tr><th>{word}</th><td>{what}</td></tr>");
        }
        page += "</table>\n";
    }
    page + "</html>\n"
}
