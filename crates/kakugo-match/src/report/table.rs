//! The results of a match as labelled lines and a cross table, for text and HTML.

use std::fmt::Write;

use super::tally::{MatchScore, MatchTally};
use crate::journal::Journal;
use crate::statistics;
use crate::statistics::{Estimate, Sprt, SprtDecision, Wdl};
use kakugo_cli::columns::aligned;

/// Returns the score of a two-engine match in one line, for the progress bar.
pub fn state(score: &MatchScore, sprt: Option<Sprt>, llr: f64) -> String {
    let mut text = format!("{}  Elo {}", wdl(score.wdl), estimate(score.elo()));
    if let Some(sprt) = sprt {
        let (low, high) = sprt.bounds();
        let _ = write!(text, "  LLR {} ({low:.2}, {high:.2})", two_decimals(llr));
    }
    text
}

fn wdl(wdl: Wdl) -> String {
    format!("W {} L {} D {}", wdl.wins, wdl.losses, wdl.draws)
}

/// Text in place of an Elo difference that cannot be estimated.
const UNDETERMINED: &str = "undetermined";

fn estimate(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(|| UNDETERMINED.to_owned(), |estimate| estimate.to_string())
}

/// Returns Elo, normalised Elo and the likelihood of superiority, if they can be estimated.
fn difference(score: &MatchScore) -> String {
    let Some(elo) = score.elo() else {
        return match score.pairs.pairs() {
            0 => format!("{UNDETERMINED}, no game pair is complete"),
            1 => format!("{UNDETERMINED}, only one game pair is complete"),
            n => format!("{UNDETERMINED}, all {n} game pairs had the same score"),
        };
    };
    let sample = score.pairs.sample();
    let nelo = sample.nelo().map(|nelo| format!("   nElo {nelo}"));
    let los = sample.los().map(|los| format!("   LOS {:.1} %", los * 100.0));
    format!("{elo} (95%){}{}", nelo.unwrap_or_default(), los.unwrap_or_default())
}

/// Returns the conditions of the match: rule, board, seed, and the engines with their limits.
pub fn conditions(journal: &Journal) -> Vec<(String, String)> {
    let settings = &journal.settings;
    let variant = settings.variant().map_or_else(|_| String::new(), |v| v.to_string());
    let mut lines = vec![(
        "Rule".to_owned(),
        format!("{variant} {}x{}, seed {}", settings.width, settings.height, settings.seed),
    )];
    lines.extend(settings.engines.iter().map(|engine| ("Engine".to_owned(), engine.to_string())));
    lines
}

/// Returns the number of pairs in which the same colour would win both games of two engines if the
/// opening had no influence.
fn by_chance(tally: &MatchTally) -> Option<f64> {
    let Wdl { wins, losses, .. } = tally.scores[0][1].wdl;
    let games = tally.scores[0][1].wdl.games();
    let rate = |n: u64| n as f64 / games as f64;
    (games > 0).then(|| tally.openings.games() as f64 * 2.0 * rate(wins) * rate(losses))
}

/// Returns the results as pairs of label and text.
pub fn lines(journal: &Journal, tally: &MatchTally) -> Vec<(String, String)> {
    let mut lines = Vec::new();
    let mut line = |label: &str, text: String| lines.push((label.to_owned(), text));
    if journal.settings.engines.len() == 2 {
        let score = tally.scores[0][1];
        line("Elo", difference(&score));
        if let Some(sprt) = journal.settings.sprt {
            let (low, high) = sprt.bounds();
            let llr = tally.history.last().map_or(0.0, |step| step.llr);
            let decision = tally.decision.map_or_else(|| "undecided".to_owned(), |v| v.to_string());
            let llr = two_decimals(llr);
            line("LLR", format!("{llr} ({low:.2}, {high:.2}) {sprt}: {decision}"));
        }
        let (games, points) = (score.wdl.games(), score.wdl.points());
        let draws = score.wdl.draw_rate() * 100.0;
        line(
            "Games",
            format!("{games}   {}   {points} points, draws {draws:.1} %", wdl(score.wdl)),
        );
        line("Pairs", format!("{:?} (0, 1/2, 1, 3/2, 2 points)", score.pairs.0));
    } else {
        let draws = tally.colours.draw_rate() * 100.0;
        line("Games", format!("{}   draws {draws:.1} %", tally.games()));
    }
    let Wdl { wins, losses, draws } = tally.colours;
    line("Colour", format!("Black won {wins}, White {losses}, drawn {draws}"));
    if tally.openings.games() > 0 {
        let Wdl { wins, losses, .. } = tally.openings;
        let expected = if journal.settings.engines.len() == 2 { by_chance(tally) } else { None };
        let expected =
            expected.map_or_else(String::new, |n| format!("; {n:.0} expected by chance"));
        line("Pairs", format!("Black won both games of {wins} pairs, White of {losses}{expected}"));
    }
    for (&(reason, loser), count) in &tally.reasons {
        let reason = reason.text(journal.settings.win_length);
        let text = match loser {
            Some(loser) => {
                format!("{} lost by {reason}", journal.settings.engines[loser].name)
            }
            None => format!("drawn by {reason}"),
        };
        line("Ends", format!("{count:>5}  {text}"));
    }
    for (index, engine) in journal.settings.engines.iter().enumerate() {
        if tally.never_moved(index) {
            let note = "never made a move, so the result does not measure its strength: run its \
                                    command by hand";
            line("Note", format!("{} {note}", engine.name));
        }
    }
    // A few short games may coincide by chance.
    if tally.repeats * 20 > tally.games() {
        let note = "games repeat earlier games, so the error margins are too small: use more \
                            openings or --symmetry random";
        line("Note", format!("{} {note}", tally.repeats));
    }
    if tally.decision == Some(SprtDecision::Inconclusive) {
        let note = "every opening gave both engines the same points, so the SPRT is inconclusive: \
                            use more balanced openings or other limits";
        line("Note", note.to_owned());
    }
    if let Some(pair) = tally.awaited {
        let later = match tally.later_pairs() {
            1 => "1 later pair is".to_owned(),
            n => format!("{n} later pairs are"),
        };
        line("Note", format!("the SPRT waits for pair {}: {later} not in the LLR", pair + 1));
    }
    if tally.excluded > 0 {
        let note = "games played after the SPRT decision are not counted";
        line("Note", format!("{} {note}", tally.excluded));
    }
    lines
}

/// Returns the cross table of more than two engines, best first, with headings in the first row.
pub fn cross(journal: &Journal, tally: &MatchTally) -> Vec<Vec<String>> {
    let engines = &journal.settings.engines;
    let rated = statistics::rate(&tally.points());
    let mut ranking: Vec<usize> = (0..engines.len()).collect();
    let share = |i: usize| {
        let wdl = tally.total(i).wdl;
        wdl.points() / wdl.games().max(1) as f64
    };
    let key = |i: usize| rated.as_ref().map_or_else(|| share(i), |rated| rated.ratings[i].elo);
    ranking.sort_by(|&a, &b| key(b).total_cmp(&key(a)));
    let mut heading: Vec<String> =
        ["", "Engine", "Elo", "± 95%", "Games", "Points", "Draws"].map(str::to_owned).to_vec();
    heading.extend((1..=engines.len()).map(|rank| format!("{rank}")));
    let mut grid = vec![heading];
    for (rank, &i) in ranking.iter().enumerate() {
        let total = tally.total(i).wdl;
        let (elo, error) = match &rated {
            Some(rated) => {
                let mark = if rated.with_prior { "*" } else { "" };
                let rating = rated.ratings[i];
                (format!("{:.1}{mark}", rating.elo), format!("{:.1}", rating.error))
            }
            None => ("?".to_owned(), "?".to_owned()),
        };
        let mut row = vec![
            (rank + 1).to_string(),
            engines[i].name.clone(),
            elo,
            error,
            total.games().to_string(),
            total.points().to_string(),
            format!("{:.1} %", total.draw_rate() * 100.0),
        ];
        row.extend(ranking.iter().map(|&j| match tally.scores[i][j].wdl {
            _ if i == j => "-".to_owned(),
            wdl if wdl.games() == 0 => String::new(),
            wdl => format!("{}/{}", wdl.points(), wdl.games()),
        }));
        grid.push(row);
    }
    if rated.is_some_and(|rated| rated.with_prior) {
        let note = "* an engine won or lost all its games: one draw was added to each pairing";
        grid.push(vec![String::new(), note.to_owned()]);
    }
    grid
}

/// Formats a number with two decimals, without a negative zero.
fn two_decimals(number: f64) -> String {
    let text = format!("{number:.2}");
    if text == "-0.00" { "0.00".to_owned() } else { text }
}

/// Returns the complete results as text.
pub fn text(journal: &Journal, tally: &MatchTally) -> String {
    let mut text = String::new();
    if journal.settings.engines.len() > 2 {
        text += &aligned(&cross(journal, tally), |column| column == 1);
    }
    for (label, value) in conditions(journal).into_iter().chain(lines(journal, tally)) {
        let _ = writeln!(text, "{label:<6}| {value}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_zero_has_no_sign() {
        assert_eq!([-0.0, -0.004, 0.004].map(two_decimals), ["0.00"; 3]);
        assert_eq!(two_decimals(-1.234), "-1.23");
    }
}
