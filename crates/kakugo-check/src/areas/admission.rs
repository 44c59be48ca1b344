//! Gomocup's admission tests: the positions and games of GomocupJudge's `test_zip_rules.py`.

use std::time::Duration;

use crate::check::{Area, Check};
use crate::context::CheckContext;
use crate::positions::{Position, check_position, point_name};
use crate::session::{Coord, Session};
use crate::verdict::{CheckResult, NotPassed};
use kakugo::board::{Board, Outcome, Point, Rule, Variant};

const SOURCE: &str = "GomocupJudge client/test_zip_rules.py";

const fn check(
    id: &'static str,
    requirement: &'static str,
    run: fn(&CheckContext<'_>) -> CheckResult,
) -> Check {
    Check {
        id,
        area: Area::Admission,
        requirement,
        source: SOURCE,
        managers: &["strict", "judge"],
        advice: "GomocupJudge does not admit the entry to this league; leave the rule out of the zip's name if it is not supported.",
        exclusive: false,
        run,
    }
}

pub(crate) const CHECKS: &[Check] = &[
    check(
        "admission.freestyle",
        "freestyle on 20x20 and 15x15: makes the five of the admission test",
        |context| play_position(context, Rule::Freestyle, "h8h9i8i9j8j9k8k9", &["g8", "l8"], true),
    ),
    check(
        "admission.standard",
        "standard: makes the five and the block of the admission test",
        |context| {
            play_position(context, Rule::Standard, "h8h9i8i9j8j9k8k9", &["g8", "l8"], true)?;
            play_position(
                context,
                Rule::Standard,
                "h8h9i8h10g8h11j13h12g14h14i15",
                &["f8", "j8"],
                true,
            )
        },
    ),
    check(
        "admission.renju",
        "renju: makes the five and avoids the foul of the admission test",
        |context| {
            play_position(context, Rule::Renju, "h8h9i8i9j8j9k8k9", &["g8", "l8"], true)?;
            play_position(context, Rule::Renju, "h8h9i7i9h10i6i11i12", &["g9"], false)
        },
    ),
    check(
        "admission.caro",
        "caro: makes the five and blocks the open three of the admission test",
        |context| {
            play_position(context, Rule::CaroOverline, "h8h9i8i9j8j9k8k9", &["g8", "l8"], true)?;
            let blocks = ["f5", "f6", "f10", "f11"];
            play_position(context, Rule::CaroOverline, "h8f8g8f9i8f7j8l8", &blocks, true)
        },
    ),
    check(
        "admission.game",
        "plays a game against itself from a corner under each rule (freestyle also on 20x20)",
        game,
    ),
];

/// Minimum time per move, so that slow engines can solve the positions.
const TURN: Duration = Duration::from_secs(2);

/// Returns true if GomocupJudge also plays the rule on 20x20.
fn is_played_large(rule: Rule) -> bool {
    rule == Rule::Freestyle
}

/// Plays in the position after these moves. The reply must be one of `points` if `must_match`,
/// otherwise none of them.
fn play_position(
    context: &CheckContext<'_>,
    rule: Rule,
    moves: &str,
    points: &[&str],
    must_match: bool,
) -> CheckResult {
    // GomocupJudge allows at least 5 s.
    let context = &CheckContext { turn: context.turn.max(TURN), ..*context };
    if is_played_large(rule) {
        play_in_session(context.large_game(rule)?, context, rule, moves, points, must_match)?;
    }
    play_in_session(context.game(rule)?, context, rule, moves, points, must_match)
}

fn play_in_session(
    mut session: Session<'_>,
    context: &CheckContext<'_>,
    rule: Rule,
    moves: &str,
    points: &[&str],
    must_match: bool,
) -> CheckResult {
    session.send("INFO time_left 100000");
    let position = Position::after(rule, moves);
    let at = check_position(
        &mut session,
        context,
        &position,
        |at| points.contains(&&*point_name(at)) == must_match,
        || format!("{}{}", if must_match { "" } else { "not " }, points.join(" or ")),
    )?;
    Ok(point_name(at))
}

/// Length of the game.
const STONES: usize = 30;

fn game(context: &CheckContext<'_>) -> CheckResult {
    let mut played = Vec::new();
    for &rule in &context.target.rules {
        if is_played_large(rule) {
            played.push(game_on(true, context, rule)?);
        }
        played.push(game_on(false, context, rule)?);
    }
    Ok(played.join(", "))
}

/// Plays a game from the far corner. Returns its description.
fn game_on(large: bool, context: &CheckContext<'_>, rule: Rule) -> CheckResult {
    let mut session = context.start()?;
    let size =
        if large { session.start_large()? } else { session.expect_ok("START 15").map(|_| 15)? };
    let size = u8::try_from(size).map_err(|_| NotPassed::Skipped("invalid board size".into()))?;
    let turn = Duration::from_millis(80);
    session.send(&format!(
        "INFO timeout_turn {}\nINFO timeout_match 100000\nINFO max_memory 100000000\n\
         INFO game_type 3\nINFO rule {}",
        turn.as_millis(),
        rule.number()
    ));
    let mut board = Board::new(size, size, Variant::five(rule))
        .map_err(|_| NotPassed::Skipped("invalid board size".into()))?;
    for (x, y) in [(2, 2), (5, 2), (5, 3)] {
        let p = Point::new(size - x, size - y).filter(|&p| board.play(p).is_ok());
        p.ok_or_else(|| NotPassed::Skipped("invalid opening".into()))?;
    }
    while board.outcome() == Outcome::Ongoing && board.ply() < STONES {
        let side = board.side_to_move();
        let field = |s| if s == side { 1 } else { 2 };
        let stones: Vec<(Coord, u8)> = board
            .stones()
            .map(|s| ((u32::from(s.point.x()), u32::from(s.point.y())), field(s.side)))
            .collect();
        let at = session.replace_board(&stones, turn)?.at;
        let free = crate::positions::point(at).filter(|&p| board.play(p).is_ok());
        if free.is_none() {
            return Err(session.fail(point_name(at), "an empty point"));
        }
        if let Outcome::Forbidden(foul) = board.outcome() {
            let actual = format!("{}, a forbidden move ({foul})", point_name(at));
            return Err(session.fail(actual, format!("a legal move\n{board}")));
        }
    }
    Ok(format!("{rule} {size}x{size} {} stones", board.ply()))
}
