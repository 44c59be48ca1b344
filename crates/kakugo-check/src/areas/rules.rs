//! Checks of wins and forbidden moves.

use std::time::Duration;

use crate::check::{Area, Check};
use crate::context::CheckContext;
use crate::positions::{Position, check_position, check_positions, point, point_name};
use crate::session::{Coord, Output, board_command};
use crate::verdict::{CheckResult, NotPassed};
use kakugo::board::{Board, Rule, Side};
use kakugo_protocol::Reply;

pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "rules.freestyle-six",
        area: Area::Rules,
        requirement: "freestyle (rule 0): six in a row win",
        source: "Gomocup: five or more; INFO rule 0",
        managers: &["strict", "piskvork", "judge", "c-gomoku-cli"],
        advice: "Under rule 0 count five or more.",
        exclusive: false,
        run: freestyle_six,
    },
    Check {
        id: "rules.standard-six",
        area: Area::Rules,
        requirement: "standard (rule 1): exactly five in a row win, six do not",
        source: "Gomocup: INFO rule 1",
        managers: &["strict", "piskvork", "judge", "c-gomoku-cli"],
        advice: "Under rule 1 do not count six as a win; if the rule is not supported, leave it out of the zip's name.",
        exclusive: false,
        run: standard_six,
    },
    Check {
        id: "rules.caro",
        area: Area::Rules,
        requirement: "caro (rule 9): neither five between two opponent's stones nor six in a row win",
        source: "GomocupJudge ai_match.py:190-197; Piskvork's rule 9",
        managers: &["strict", "piskvork", "judge"],
        advice: "Check both ends of a five; the edge of the board does not enclose it.",
        exclusive: false,
        run: caro,
    },
    Check {
        id: "rules.caro-overline",
        area: Area::Rules,
        requirement: "caro with overlines (rule 8): six in a row win, five between two opponent's stones do not",
        source: "GomocupJudge ai_match.py:190-197; Piskvork's rule 8",
        managers: &["strict", "piskvork", "judge"],
        advice: "As for rules.caro, but six or more win whatever is at the ends.",
        exclusive: false,
        run: caro_overline,
    },
    Check {
        id: "rules.renju-forbid",
        area: Area::Rules,
        requirement: "renju (rule 4): YXSHOWFORBID lists exactly the forbidden points",
        source: "Yixin's protocol: FORBID xxyyxxyy.",
        managers: &["strict", "yixin-board"],
        advice: "Compare with the positions shown; a three counts only if a legal move makes it an open four.",
        exclusive: false,
        run: renju_forbid,
    },
    Check {
        id: "rules.renju-foul",
        area: Area::Rules,
        requirement: "renju (rule 4): Black never plays a forbidden point, however attractive",
        source: "GomocupJudge and Piskvork: a foul loses",
        managers: &["strict", "piskvork", "judge", "c-gomoku-cli"],
        advice: "Remove forbidden points from Black's moves, at least at the root.",
        exclusive: false,
        run: renju_foul,
    },
    Check {
        id: "rules.renju-five",
        area: Area::Rules,
        requirement: "renju (rule 4): Black makes five instead of six, White also wins with six",
        source: "Renju International Federation; GomocupJudge ai_match.py",
        managers: &["strict", "piskvork", "judge", "c-gomoku-cli"],
        advice: "For Black exactly five wins and takes precedence over fouls; for White five or more.",
        exclusive: false,
        run: renju_five,
    },
    Check {
        id: "rules.wall",
        area: Area::Rules,
        requirement: "a point with field 3 in BOARD is blocked",
        source: "Piskvork and qpiskvork: lines that won earlier in a continuous game",
        managers: &["strict", "piskvork", "qpiskvork"],
        advice: "Treat field 3 like the edge of the board, or reply ERROR.",
        exclusive: false,
        run: wall,
    },
    Check {
        id: "rules.last-point",
        area: Area::Rules,
        requirement: "plays the last empty point of the board",
        source: "GomocupJudge ai_match.py:355 plays until the board is full",
        managers: &["strict", "judge", "c-gomoku-cli"],
        advice: "If no point near a stone is empty, or none looks good, play any empty point.",
        exclusive: false,
        run: last_point,
    },
    Check {
        id: "rules.change",
        area: Area::Rules,
        requirement: "supports another rule in the next game of the same process",
        source: "Piskvork and c-gomoku-cli send INFO rule with every game",
        managers: &["strict", "piskvork", "c-gomoku-cli"],
        advice: "At a change of the rule clear everything that depends on it: the transposition table, histories, pattern tables.",
        exclusive: false,
        run: change,
    },
];

/// A position with a six at x = 7 in the row y = 5, and fives in the row y = 9.
fn decoy(rule: Rule, engine: Side) -> Position {
    let six = [(4, 5), (5, 5), (6, 5), (8, 5), (9, 5)];
    let four = [(4, 9), (5, 9), (6, 9), (7, 9)];
    Position::of(rule, &[&six[..], &four].concat(), &[(3, 9)], engine)
}

/// A position with an enclosed four in the row y = 5, and an open four in the row y = 9.
fn enclosed(rule: Rule, engine: Side) -> Position {
    let closed = [(4, 5), (5, 5), (6, 5), (8, 5)];
    let four = [(5, 9), (6, 9), (7, 9), (8, 9)];
    let ends = [(3, 5), (9, 5)];
    Position::of(rule, &[&closed[..], &four].concat(), &ends, engine)
}

/// Returns a position with its winning moves.
fn winning(position: Position) -> (Position, Vec<Coord>) {
    let winning_moves = position.winning_moves();
    (position, winning_moves)
}

fn freestyle_six(context: &CheckContext<'_>) -> CheckResult {
    let positions = Side::BOTH.map(|side| {
        let own = [(4, 5), (5, 5), (6, 5), (8, 5), (9, 5)];
        winning(Position::of(Rule::Freestyle, &own, &[(3, 5), (10, 5)], side))
    });
    check_positions(context, Rule::Freestyle, &positions, "which makes six")
}

fn standard_six(context: &CheckContext<'_>) -> CheckResult {
    let positions = Side::BOTH.map(|side| winning(decoy(Rule::Standard, side)));
    check_positions(context, Rule::Standard, &positions, "which makes exactly five")
}

fn caro(context: &CheckContext<'_>) -> CheckResult {
    let mut positions = Vec::new();
    for side in Side::BOTH {
        positions.push(winning(enclosed(Rule::Caro, side)));
        positions.push(winning(decoy(Rule::Caro, side)));
    }
    check_positions(
        context,
        Rule::Caro,
        &positions,
        "which makes exactly five with an end that is not closed",
    )
}

fn caro_overline(context: &CheckContext<'_>) -> CheckResult {
    let mut positions = Vec::new();
    for side in Side::BOTH {
        positions.push(winning(enclosed(Rule::CaroOverline, side)));
        let own = [(4, 5), (5, 5), (6, 5), (8, 5), (9, 5)];
        let ends = [(3, 5), (10, 5)];
        positions.push(winning(Position::of(Rule::CaroOverline, &own, &ends, side)));
    }
    check_positions(context, Rule::CaroOverline, &positions, "which wins")
}

/// Positions with Black to move: double three, double four, overline, and three apparent fouls.
const FOULS: [&str; 5] = [
    "h8a1i8c1j7e1j6g1",
    "h8a1i8c1j8f8k7e1k6g1k5k4",
    "e8a1f8c1g8e1i8g1j8a3",
    "h8h9i7i9h10i6i11i12",
    "g8a1h8c1i8f8j7e1j6g1j5j4",
];

/// Returns the points that are forbidden for Black.
fn fouls(board: &Board) -> Vec<Coord> {
    let foul = board.empty_points().filter(|&p| board.foul(p, Side::Black).is_some());
    foul.map(|p| (p.x().into(), p.y().into())).collect()
}

fn renju_forbid(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.game(Rule::Renju)?;
    for moves in FOULS {
        let position = Position::after(Rule::Renju, moves);
        let board =
            position.board().ok_or_else(|| NotPassed::Skipped("invalid position".into()))?;
        session.send(&board_command("YXBOARD", &position.placements()));
        session.send("YXSHOWFORBID");
        let named = match session.next_reply(Duration::from_secs(3)) {
            Output::Line(text, _) => match Reply::parse(&text) {
                Reply::Forbid(points) => {
                    points.iter().map(|p| (p.x().into(), p.y().into())).collect::<Vec<Coord>>()
                }
                Reply::Unknown(_) | Reply::Error(_) => return Err(NotPassed::Unsupported(text)),
                _ => return Err(session.fail(text, "FORBID xxyyxxyy.")),
            },
            Output::Timeout => {
                return Err(NotPassed::Unsupported("no reply to YXSHOWFORBID".into()));
            }
            Output::Closed => return Err(session.fail_closed("FORBID xxyyxxyy.")),
        };
        let mut expected = fouls(&board);
        let mut named_in_order = named;
        expected.sort_unstable();
        named_in_order.sort_unstable();
        if named_in_order != expected {
            let list = |points: &[Coord]| {
                let names: Vec<String> = points.iter().map(|&at| point_name(at)).collect();
                if names.is_empty() { "none".to_owned() } else { names.join(" ") }
            };
            let actual = format!("forbidden: {}", list(&named_in_order));
            return Err(session.fail(actual, format!("forbidden: {}\n{board}", list(&expected))));
        }
    }
    Ok(format!("{} positions", FOULS.len()))
}

fn renju_foul(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.game(Rule::Renju)?;
    for moves in FOULS {
        let position = Position::after(Rule::Renju, moves);
        let board =
            position.board().ok_or_else(|| NotPassed::Skipped("invalid position".into()))?;
        let legal = |at: Coord| point(at).is_some_and(|p| board.foul(p, Side::Black).is_none());
        check_position(&mut session, context, &position, legal, || {
            let names: Vec<String> = fouls(&board).iter().map(|&at| point_name(at)).collect();
            format!("a legal point (forbidden: {})", names.join(" "))
        })?;
    }
    Ok(format!("{} positions", FOULS.len()))
}

fn renju_five(context: &CheckContext<'_>) -> CheckResult {
    let own = [(4, 5), (5, 5), (6, 5), (8, 5), (9, 5)];
    let positions = [
        winning(decoy(Rule::Renju, Side::Black)),
        winning(Position::of(Rule::Renju, &own, &[(3, 5), (10, 5)], Side::White)),
    ];
    check_positions(context, Rule::Renju, &positions, "which wins")
}

fn wall(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.game(Rule::Freestyle)?;
    let own = [(3, 7), (4, 7), (5, 7), (6, 7)].map(|at| (at, 1));
    let other = [(2, 7), (3, 9), (6, 3), (10, 11)].map(|at| (at, 2));
    let walls = [(7, 7), (7, 8), (7, 9)].map(|at| (at, 3));
    let stones = [&own[..], &other, &walls].concat();
    session.send(&board_command("BOARD", &stones));
    for (at, _) in stones {
        session.set_occupied(at, true);
    }
    session.await_move_if_supported(context.turn + Duration::from_secs(3))?;
    Ok("avoided".into())
}

fn last_point(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.game(Rule::Freestyle)?;
    // Pairs of stones that alternate from row to row: no more than two in a row or column.
    let is_black = |x: u32, y: u32| (x / 2 + y).is_multiple_of(2);
    let last = (8, 8);
    let all = (0..15).flat_map(|y| (0..15).map(move |x| (x, y))).filter(|&at| at != last);
    let (black, white): (Vec<Coord>, Vec<Coord>) = all.partition(|&(x, y)| is_black(x, y));
    let pairs = black.iter().zip(&white).flat_map(|(&b, &w)| [(b, 1), (w, 2)]);
    let mut stones: Vec<(Coord, u8)> = pairs.collect();
    stones.extend(black.get(white.len()..).into_iter().flatten().map(|&at| (at, 1)));
    stones.extend(white.get(black.len()..).into_iter().flatten().map(|&at| (at, 2)));
    session.play_board(&stones, context.turn)?;
    Ok("played".into())
}

fn change(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.game(Rule::Freestyle)?;
    context.require_rule(Rule::Standard)?;
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Freestyle] {
        session.expect_ok("START 15")?;
        session.send_turn(context.turn);
        session.send(&format!("INFO rule {}", rule.number()));
        let position = decoy(rule, Side::Black);
        let winning_moves = position.winning_moves();
        check_position(
            &mut session,
            context,
            &position,
            |at| winning_moves.contains(&at),
            || format!("a winning point under rule {}", rule.number()),
        )?;
    }
    Ok("3 games".into())
}
