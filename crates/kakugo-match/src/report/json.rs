//! The results of a match as JSON.
//!
//! Unknown values are `null`, e.g. an Elo difference after too few games or an infinite bound.

use serde_json::{Value, json};

use super::tally::{MatchScore, MatchTally};
use crate::journal::Journal;
use crate::statistics::{self, Estimate, SprtDecision, Wdl};

/// Returns the results as one JSON object.
pub fn json(journal: &Journal, tally: &MatchTally) -> String {
    let settings = &journal.settings;
    let names: Vec<&str> = settings.engines.iter().map(|e| e.name.as_str()).collect();
    let mut pairings = Vec::new();
    for (i, first) in names.iter().enumerate() {
        for (j, second) in names.iter().enumerate().skip(i + 1) {
            let score = &tally.scores[i][j];
            if score.wdl.games() > 0 {
                pairings.push(pairing(first, second, score));
            }
        }
    }
    let reasons: Vec<Value> = tally
        .reasons
        .iter()
        .map(|(&(reason, loser), &games)| {
            json!({ "reason": reason, "loser": loser.map(|i| names[i]), "games": games })
        })
        .collect();
    let never_moved: Vec<&str> =
        (0..names.len()).filter(|&i| tally.never_moved(i)).map(|i| names[i]).collect();
    let value = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "rule": settings.variant().map(|variant| variant.to_string()).ok(),
        "width": settings.width,
        "height": settings.height,
        "seed": settings.seed,
        "engines": settings.engines.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "names": names,
        "games": tally.games(),
        "pairings": pairings,
        "ratings": ratings(tally, &names),
        "sprt": sprt(journal, tally),
        "colours": { "black": tally.colours.wins, "white": tally.colours.losses, "drawn": tally.colours.draws },
        "openings": { "pairs": tally.openings.games(), "black": tally.openings.wins, "white": tally.openings.losses },
        "ends": reasons,
        "never_moved": never_moved,
        "repeats": tally.repeats,
        "not_counted": tally.excluded,
    });
    format!("{value:#}\n")
}

fn pairing(first: &str, second: &str, score: &MatchScore) -> Value {
    let sample = score.pairs.sample();
    let Wdl { wins, losses, draws } = score.wdl;
    json!({
        "first": first,
        "second": second,
        "wins": wins,
        "losses": losses,
        "draws": draws,
        "points": score.wdl.points(),
        "pairs": score.pairs.0,
        "elo": score.elo().map(estimate),
        "nelo": sample.nelo().map(estimate),
        "los": sample.los(),
    })
}

fn estimate(estimate: Estimate) -> Value {
    let Estimate { value, low, high } = estimate;
    json!({ "value": value, "low": low, "high": high })
}

/// Returns the ratings of more than two engines, and if a drawn game was added to each pairing.
fn ratings(tally: &MatchTally, names: &[&str]) -> Value {
    let Some(rated) = statistics::rate(&tally.points()).filter(|_| names.len() > 2) else {
        return Value::Null;
    };
    let rating = |(name, rating): (&&str, &statistics::Rating)| json!({ "name": name, "elo": rating.elo, "error": rating.error, "drawn_game_added": rated.with_prior });
    names.iter().zip(&rated.ratings).map(rating).collect()
}

fn sprt(journal: &Journal, tally: &MatchTally) -> Value {
    let Some(sprt) = journal.settings.sprt else { return Value::Null };
    let (lower, upper) = sprt.bounds();
    let decision = tally.decision.map(|decision| match decision {
        SprtDecision::H0 => "H0",
        SprtDecision::H1 => "H1",
        SprtDecision::Inconclusive => "inconclusive",
    });
    json!({
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "model": sprt.model,
        "llr": tally.history.last().map_or(0.0, |step| step.llr),
        "lower": lower,
        "upper": upper,
        "verdict": decision,
        "awaited_pair": tally.awaited.map(|pair| pair + 1),
        "later_pairs": tally.later_pairs(),
    })
}
