//! What wins, what is forbidden.

use std::time::Duration;

use super::super::bench::Bench;
use super::super::item::{Area, Check};
use super::super::positions::{Position, name, point, solve, solve_one};
use super::super::trial::{Heard, Xy, board_command};
use super::super::verdict::{Judged, Stop};
use kakugo::board::{Board, Rule, Side};
use kakugo_protocol::Reply;

pub(in super::super) const CHECKS: &[Check] = &[
    Check {
        id: "rules.freestyle-six",
        area: Area::Rules,
        asks: "freestyle (rule 0): six in a row win, too",
        source: "Gomocup: five or more; INFO rule 0",
        managers: &["strict", "piskvork", "judge", "c-gomoku-cli"],
        advice: "Under rule 0 count five or more.",
        alone: false,
        run: freestyle_six,
    },
    Check {
        id: "rules.standard-six",
        area: Area::Rules,
        asks: "standard (rule 1): exactly five wins, six do not",
        source: "Gomocup: INFO rule 1",
        managers: &["strict", "piskvork", "judge", "c-gomoku-cli"],
        advice: "Under rule 1 do not take six for a win; if you do not know the rule, enter by a zip name without it.",
        alone: false,
        run: standard_six,
    },
    Check {
        id: "rules.caro",
        area: Area::Rules,
        asks: "caro (rule 9): five between two opponent's stones do not win, nor do six",
        source: "GomocupJudge ai_match.py:190-197; Piskvork's rule 9",
        managers: &["strict", "piskvork", "judge"],
        advice: "Look at both ends of a five; the edge of the board does not close it.",
        alone: false,
        run: caro,
    },
    Check {
        id: "rules.caro-overline",
        area: Area::Rules,
        asks: "caro with overlines (rule 8): six win, five between two opponent's stones do not",
        source: "GomocupJudge ai_match.py:190-197; Piskvork's rule 8",
        managers: &["strict", "piskvork", "judge"],
        advice: "As caro, with six or more a win whatever lies at the ends.",
        alone: false,
        run: caro_overline,
    },
    Check {
        id: "rules.renju-forbid",
        area: Area::Rules,
        asks: "renju (rule 4): the points that YXSHOWFORBID names are those that are forbidden",
        source: "Yixin's protocol: FORBID xxyyxxyy.",
        managers: &["strict", "yixin-board"],
        advice: "Compare with the positions shown; a three only counts if it can become an open four by a legal move.",
        alone: false,
        run: renju_forbid,
    },
    Check {
        id: "rules.renju-foul",
        area: Area::Rules,
        asks: "renju (rule 4): Black plays no forbidden point, however good it looks",
        source: "GomocupJudge and Piskvork: a foul loses",
        managers: &["strict", "piskvork", "judge", "c-gomoku-cli"],
        advice: "Drop forbidden points from Black's moves at the root, at least.",
        alone: false,
        run: renju_foul,
    },
    Check {
        id: "rules.renju-five",
        area: Area::Rules,
        asks: "renju (rule 4): Black makes five and not six; White wins by six, too",
        source: "Renju International Federation; GomocupJudge ai_match.py",
        managers: &["strict", "piskvork", "judge", "c-gomoku-cli"],
        advice: "For Black exactly five wins and comes before every foul; for White five or more.",
        alone: false,
        run: renju_five,
    },
    Check {
        id: "rules.wall",
        area: Area::Rules,
        asks: "a point of field 3 in BOARD is nobody's and not free",
        source: "Piskvork and qpiskvork: lines won earlier in a continuous game",
        managers: &["strict", "piskvork", "qpiskvork"],
        advice: "Treat field 3 like the edge of the board, or answer ERROR.",
        alone: false,
        run: wall,
    },
    Check {
        id: "rules.last-point",
        area: Area::Rules,
        asks: "the last free point of the board is played",
        source: "GomocupJudge ai_match.py:355 plays until the board is full",
        managers: &["strict", "judge", "c-gomoku-cli"],
        advice: "Where no point near a stone is left, or none looks good, play any free one.",
        alone: false,
        run: last_point,
    },
    Check {
        id: "rules.change",
        area: Area::Rules,
        asks: "the rule may change from game to game in one process",
        source: "Piskvork and c-gomoku-cli send INFO rule with every game",
        managers: &["strict", "piskvork", "c-gomoku-cli"],
        advice: "Forget what was learnt under another rule: wins, tables, patterns.",
        alone: false,
        run: change,
    },
];

/// Six in the row of y = 5 by the point 7, five in the row of y = 9 by either point of the good ones.
fn decoy(rule: Rule, engine: Side) -> Position {
    let six = [(4, 5), (5, 5), (6, 5), (8, 5), (9, 5)];
    let four = [(4, 9), (5, 9), (6, 9), (7, 9)];
    Position::of(rule, &[&six[..], &four].concat(), &[(3, 9)], engine)
}

/// Own four between two opponent's stones in the row of y = 5, an open-ended four in that of y = 9.
fn enclosed(rule: Rule, engine: Side) -> Position {
    let closed = [(4, 5), (5, 5), (6, 5), (8, 5)];
    let four = [(5, 9), (6, 9), (7, 9), (8, 9)];
    let ends = [(3, 5), (9, 5)];
    Position::of(rule, &[&closed[..], &four].concat(), &ends, engine)
}

/// A position and the points that win in it at once.
fn winning(position: Position) -> (Position, Vec<Xy>) {
    let wins = position.wins();
    (position, wins)
}

fn freestyle_six(bench: &Bench<'_>) -> Judged {
    let positions = Side::BOTH.map(|side| {
        let own = [(4, 5), (5, 5), (6, 5), (8, 5), (9, 5)];
        winning(Position::of(Rule::Freestyle, &own, &[(3, 5), (10, 5)], side))
    });
    solve(bench, Rule::Freestyle, &positions, "which makes six")
}

fn standard_six(bench: &Bench<'_>) -> Judged {
    let positions = Side::BOTH.map(|side| winning(decoy(Rule::Standard, side)));
    solve(bench, Rule::Standard, &positions, "which makes exactly five")
}

fn caro(bench: &Bench<'_>) -> Judged {
    let mut positions = Vec::new();
    for side in Side::BOTH {
        positions.push(winning(enclosed(Rule::Caro, side)));
        positions.push(winning(decoy(Rule::Caro, side)));
    }
    solve(bench, Rule::Caro, &positions, "which makes exactly five with an end that is not closed")
}

fn caro_overline(bench: &Bench<'_>) -> Judged {
    let mut positions = Vec::new();
    for side in Side::BOTH {
        positions.push(winning(enclosed(Rule::CaroOverline, side)));
        let own = [(4, 5), (5, 5), (6, 5), (8, 5), (9, 5)];
        let ends = [(3, 5), (10, 5)];
        positions.push(winning(Position::of(Rule::CaroOverline, &own, &ends, side)));
    }
    solve(bench, Rule::CaroOverline, &positions, "which wins")
}

/// Positions with Black to move: a double three, a double four, an overline, three that only look so.
const FOULS: [&str; 5] = [
    "h8a1i8c1j7e1j6g1",
    "h8a1i8c1j8f8k7e1k6g1k5k4",
    "e8a1f8c1g8e1i8g1j8a3",
    "h8h9i7i9h10i6i11i12",
    "g8a1h8c1i8f8j7e1j6g1j5j4",
];

/// Points that are forbidden to Black.
fn fouls(board: &Board) -> Vec<Xy> {
    let foul = board.empty_points().filter(|&p| board.foul(p, Side::Black).is_some());
    foul.map(|p| (p.x().into(), p.y().into())).collect()
}

fn renju_forbid(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.game(Rule::Renju)?;
    for moves in FOULS {
        let position = Position::after(Rule::Renju, moves);
        let board = position.board().ok_or_else(|| Stop::Skipped("no such position".into()))?;
        trial.say(&board_command("YXBOARD", &position.placements()));
        trial.say("YXSHOWFORBID");
        let named = match trial.answer(Duration::from_secs(3)) {
            Heard::Line(text, _) => match Reply::parse(&text) {
                Reply::Forbid(points) => {
                    points.iter().map(|p| (p.x().into(), p.y().into())).collect::<Vec<Xy>>()
                }
                Reply::Unknown(_) | Reply::Error(_) => return Err(Stop::Unsupported(text)),
                _ => return Err(trial.fail(text, "FORBID xxyyxxyy.")),
            },
            Heard::Silence => return Err(Stop::Unsupported("no answer to YXSHOWFORBID".into())),
            Heard::Closed => return Err(trial.gone("FORBID xxyyxxyy.")),
        };
        let mut wanted = fouls(&board);
        let mut named_in_order = named;
        wanted.sort_unstable();
        named_in_order.sort_unstable();
        if named_in_order != wanted {
            let list = |points: &[Xy]| {
                let names: Vec<String> = points.iter().map(|&at| name(at)).collect();
                if names.is_empty() { "none".to_owned() } else { names.join(" ") }
            };
            let came = format!("forbidden: {}", list(&named_in_order));
            return Err(trial.fail(came, format!("forbidden: {}\n{board}", list(&wanted))));
        }
    }
    Ok(format!("{} positions", FOULS.len()))
}

fn renju_foul(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.game(Rule::Renju)?;
    for moves in FOULS {
        let position = Position::after(Rule::Renju, moves);
        let board = position.board().ok_or_else(|| Stop::Skipped("no such position".into()))?;
        let legal = |at: Xy| point(at).is_some_and(|p| board.foul(p, Side::Black).is_none());
        solve_one(&mut trial, bench, &position, legal, || {
            let names: Vec<String> = fouls(&board).iter().map(|&at| name(at)).collect();
            format!("no forbidden point ({})", names.join(" "))
        })?;
    }
    Ok(format!("{} positions", FOULS.len()))
}

fn renju_five(bench: &Bench<'_>) -> Judged {
    let own = [(4, 5), (5, 5), (6, 5), (8, 5), (9, 5)];
    let positions = [
        winning(decoy(Rule::Renju, Side::Black)),
        winning(Position::of(Rule::Renju, &own, &[(3, 5), (10, 5)], Side::White)),
    ];
    solve(bench, Rule::Renju, &positions, "which wins")
}

fn wall(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.game(Rule::Freestyle)?;
    let own = [(3, 7), (4, 7), (5, 7), (6, 7)].map(|at| (at, 1));
    let other = [(2, 7), (3, 9), (6, 3), (10, 11)].map(|at| (at, 2));
    let walls = [(7, 7), (7, 8), (7, 9)].map(|at| (at, 3));
    let stones = [&own[..], &other, &walls].concat();
    trial.say(&board_command("BOARD", &stones));
    for (at, _) in stones {
        trial.mark(at, true);
    }
    match trial.answer(bench.turn + Duration::from_secs(3)) {
        Heard::Line(text, _) => match Reply::parse(&text) {
            Reply::Error(_) | Reply::Unknown(_) => Err(Stop::Unsupported(text)),
            Reply::Move(p) if trial.is_free((p.x().into(), p.y().into())) => Ok("kept off".into()),
            _ => Err(trial.fail(format!("\"{text}\""), "a free point, or ERROR")),
        },
        Heard::Silence => Err(trial.fail("no answer", "a free point, or ERROR")),
        Heard::Closed => Err(trial.gone("a free point, or ERROR")),
    }
}

fn last_point(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.game(Rule::Freestyle)?;
    // Pairs of stones that alternate from row to row: nobody has more than two in a row or column.
    let is_black = |x: u32, y: u32| (x / 2 + y).is_multiple_of(2);
    let last = (8, 8);
    let all = (0..15).flat_map(|y| (0..15).map(move |x| (x, y))).filter(|&at| at != last);
    let (black, white): (Vec<Xy>, Vec<Xy>) = all.partition(|&(x, y)| is_black(x, y));
    let pairs = black.iter().zip(&white).flat_map(|(&b, &w)| [(b, 1), (w, 2)]);
    let mut stones: Vec<(Xy, u8)> = pairs.collect();
    stones.extend(black.get(white.len()..).into_iter().flatten().map(|&at| (at, 1)));
    stones.extend(white.get(black.len()..).into_iter().flatten().map(|&at| (at, 2)));
    trial.board(&stones, bench.turn)?;
    Ok("played".into())
}

fn change(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.game(Rule::Freestyle)?;
    bench.knows(Rule::Standard)?;
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Freestyle] {
        trial.ok("START 15")?;
        trial.say(&format!("INFO timeout_turn {}", bench.turn.as_millis()));
        trial.say(&format!("INFO rule {}", rule.number()));
        let position = decoy(rule, Side::Black);
        let wins = position.wins();
        solve_one(
            &mut trial,
            bench,
            &position,
            |at| wins.contains(&at),
            || format!("a point that wins by rule {}", rule.number()),
        )?;
    }
    Ok("3 games".into())
}
