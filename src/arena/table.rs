//! The result of a match as text.

use std::fmt::Write;

use super::journal::Journal;
use super::sprt::Sprt;
use super::stats::{Estimate, Wdl};
use super::tally::{Score, Tally};

/// The state of a two-engine match in one line, for the progress display.
pub fn state(score: &Score, sprt: Option<Sprt>, llr: f64) -> String {
    let mut text = format!("{}  Elo {}", wdl(score.wdl), estimate(best_elo(score)));
    if let Some(sprt) = sprt {
        let (low, high) = sprt.bounds();
        let _ = write!(text, "  LLR {llr:.2} ({low:.2}, {high:.2})");
    }
    text
}

fn wdl(wdl: Wdl) -> String {
    format!("W {} L {} D {}", wdl.wins, wdl.losses, wdl.draws)
}

fn estimate(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(|| "?".to_owned(), |estimate| estimate.to_string())
}

/// Elo by pairs, or by games while no pair is complete.
fn best_elo(score: &Score) -> Option<Estimate> {
    score.pairs.sample().elo().or_else(|| score.wdl.sample().elo())
}

/// The full result.
pub fn result(journal: &Journal, tally: &Tally) -> String {
    let mut text = String::new();
    let engines = &journal.settings.engines;
    if engines.len() == 2 {
        duel(&mut text, journal, tally);
    }
    colours(&mut text, tally);
    reasons(&mut text, journal, tally);
    if tally.beyond > 0 {
        let _ = writeln!(text, "{} games beyond the end of the test are not counted", tally.beyond);
    }
    text
}

/// Two engines: the block that commit messages carry, and what it rests on.
fn duel(text: &mut String, journal: &Journal, tally: &Tally) {
    let settings = &journal.settings;
    let score = tally.scores[0][1];
    let sample = score.pairs.sample();
    let [first, second] = [&settings.engines[0], &settings.engines[1]];
    let variant = settings.variant().map_or_else(|_| String::new(), |v| v.to_string());
    let _ = writeln!(text, "{first} vs {second}, {variant} {}x{}", settings.width, settings.height);
    let _ = writeln!(
        text,
        "Elo   | {} (95%)   nElo {}   LOS {:.1} %",
        estimate(best_elo(&score)),
        estimate(sample.nelo()),
        sample.los() * 100.0
    );
    if let (Some(sprt), Some(step)) = (settings.sprt, tally.course.last()) {
        let (low, high) = sprt.bounds();
        let verdict = tally.verdict.map_or_else(|| "undecided".to_owned(), |v| v.to_string());
        let _ = writeln!(text, "LLR   | {:.2} ({low:.2}, {high:.2}) {sprt}: {verdict}", step.llr);
    }
    let _ = writeln!(
        text,
        "Games | {}   {}   {:.1} points, draws {:.1} %",
        score.wdl.games(),
        wdl(score.wdl),
        score.wdl.points(),
        score.wdl.draw_rate() * 100.0
    );
    let _ = writeln!(text, "Pairs | {:?} (0, 1/2, 1, 3/2, 2 points)", score.pairs.0);
}

fn colours(text: &mut String, tally: &Tally) {
    let Wdl { wins, losses, draws } = tally.colours;
    let _ = writeln!(text, "Black won {wins}, White {losses}, drawn {draws}");
}

fn reasons(text: &mut String, journal: &Journal, tally: &Tally) {
    for (&(reason, loser), count) in &tally.reasons {
        let who = loser.map_or("draw", |loser| journal.settings.engines[loser].name.as_str());
        let verb = if loser.is_some() { "lost by" } else { "by" };
        let _ = writeln!(text, "  {who} {verb} {}: {count}", reason.text());
    }
}
