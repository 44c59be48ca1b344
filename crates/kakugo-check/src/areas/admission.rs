//! Gomocup's admission: what `test_zip_rules.py` of GomocupJudge has every entry do.

use std::time::Duration;

use super::super::bench::Bench;
use super::super::item::{Area, Check};
use super::super::positions::{Position, name, solve_one};
use super::super::trial::{Trial, Xy};
use super::super::verdict::{Judged, Stop};
use kakugo::board::{Board, Outcome, Point, Rule, Variant};

const SOURCE: &str = "GomocupJudge client/test_zip_rules.py";

const fn check(id: &'static str, asks: &'static str, run: fn(&Bench<'_>) -> Judged) -> Check {
    Check {
        id,
        area: Area::Admission,
        asks,
        source: SOURCE,
        managers: &["strict", "judge"],
        advice: "An entry that fails here is not admitted to that league; leave the rule out of the zip's name if it is not played.",
        alone: false,
        run,
    }
}

pub(in super::super) const CHECKS: &[Check] = &[
    check(
        "admission.freestyle",
        "freestyle, on 20x20 and on 15x15: the five that the judge asks for",
        |bench| position(bench, Rule::Freestyle, "h8h9i8i9j8j9k8k9", &["g8", "l8"], true),
    ),
    check(
        "admission.standard",
        "standard: the five and the block that the judge asks for",
        |bench| {
            position(bench, Rule::Standard, "h8h9i8i9j8j9k8k9", &["g8", "l8"], true)?;
            position(bench, Rule::Standard, "h8h9i8h10g8h11j13h12g14h14i15", &["f8", "j8"], true)
        },
    ),
    check("admission.renju", "renju: the five, and no foul, as the judge asks", |bench| {
        position(bench, Rule::Renju, "h8h9i8i9j8j9k8k9", &["g8", "l8"], true)?;
        position(bench, Rule::Renju, "h8h9i7i9h10i6i11i12", &["g9"], false)
    }),
    check(
        "admission.caro",
        "caro: the five, and the block of an open three, as the judge asks",
        |bench| {
            position(bench, Rule::CaroOverline, "h8h9i8i9j8j9k8k9", &["g8", "l8"], true)?;
            let blocks = ["f5", "f6", "f10", "f11"];
            position(bench, Rule::CaroOverline, "h8f8g8f9i8f7j8l8", &blocks, true)
        },
    ),
    check(
        "admission.game",
        "a game against itself from a corner, under each rule (freestyle on 20x20, too), without a fault",
        game,
    ),
];

/// Least time for a move, which slow brains need to see what they are asked for.
const TURN: Duration = Duration::from_secs(2);

/// Whether the judge plays a rule on 20x20, too.
fn is_played_large(rule: Rule) -> bool {
    rule == Rule::Freestyle
}

/// Have it play after these moves, as the judge asks; the move must be one of these, or must not.
fn position(bench: &Bench<'_>, rule: Rule, moves: &str, points: &[&str], wanted: bool) -> Judged {
    // The judge gives it 5 s and more.
    let bench = &Bench { turn: bench.turn.max(TURN), ..*bench };
    if is_played_large(rule) {
        position_in(bench.large_game(rule)?, bench, rule, moves, points, wanted)?;
    }
    position_in(bench.game(rule)?, bench, rule, moves, points, wanted)
}

fn position_in(
    mut trial: Trial<'_>,
    bench: &Bench<'_>,
    rule: Rule,
    moves: &str,
    points: &[&str],
    wanted: bool,
) -> Judged {
    trial.say("INFO time_left 100000");
    let position = Position::after(rule, moves);
    let at = solve_one(
        &mut trial,
        bench,
        &position,
        |at| points.contains(&&*name(at)) == wanted,
        || format!("{}{}", if wanted { "" } else { "not " }, points.join(" or ")),
    )?;
    Ok(name(at))
}

/// Stones of a game that is long enough.
const STONES: usize = 30;

fn game(bench: &Bench<'_>) -> Judged {
    let mut played = Vec::new();
    for &rule in &bench.subject.rules {
        if is_played_large(rule) {
            played.push(game_on(true, bench, rule)?);
        }
        played.push(game_on(false, bench, rule)?);
    }
    Ok(played.join(", "))
}

/// A game from the far corner; what was played.
fn game_on(large: bool, bench: &Bench<'_>, rule: Rule) -> Judged {
    let mut trial = bench.start()?;
    let size = if large { trial.start_large()? } else { trial.ok("START 15").map(|_| 15)? };
    let size = u8::try_from(size).map_err(|_| Stop::Skipped("no such board".into()))?;
    let turn = Duration::from_millis(80);
    trial.say(&format!(
        "INFO timeout_turn {}\nINFO timeout_match 100000\nINFO max_memory 100000000\n\
         INFO game_type 3\nINFO rule {}",
        turn.as_millis(),
        rule.number()
    ));
    let mut board = Board::new(size, size, Variant::five(rule))
        .map_err(|_| Stop::Skipped("no such board".into()))?;
    for (x, y) in [(2, 2), (5, 2), (5, 3)] {
        let p = Point::new(size - x, size - y).filter(|&p| board.play(p).is_ok());
        p.ok_or_else(|| Stop::Skipped("no such opening".into()))?;
    }
    while board.outcome() == Outcome::Ongoing && board.ply() < STONES {
        let side = board.side_to_move();
        let field = |s| if s == side { 1 } else { 2 };
        let stones: Vec<(Xy, u8)> = board
            .stones()
            .map(|s| ((u32::from(s.point.x()), u32::from(s.point.y())), field(s.side)))
            .collect();
        let at = trial.board_again(&stones, turn)?.at;
        let free = super::super::positions::point(at).filter(|&p| board.play(p).is_ok());
        if free.is_none() {
            return Err(trial.fail(name(at), "a free point"));
        }
        if let Outcome::Forbidden(foul) = board.outcome() {
            let came = format!("{}, which is forbidden ({foul})", name(at));
            return Err(trial.fail(came, format!("a move that is allowed\n{board}")));
        }
    }
    Ok(format!("{rule} {size}x{size} {} stones", board.ply()))
}
