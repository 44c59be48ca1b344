//! A win is taken, a loss prevented: no manager asks for it, but an author wants to know before the
//! tournament does.

use super::super::bench::Bench;
use super::super::item::{Area, Check};
use super::super::positions::{Position, solve};
use super::super::trial::Xy;
use super::super::verdict::Judged;
use kakugo::board::{Rule, Side};

pub(in super::super) const CHECKS: &[Check] = &[
    Check {
        id: "tactics.five",
        area: Area::Tactics,
        asks: "four in a row become five, in every direction and at the edge",
        source: "the rules",
        managers: &[],
        advice: "Look for your own five before anything else, whatever the search says.",
        alone: false,
        run: five,
    },
    Check {
        id: "tactics.gap",
        area: Area::Tactics,
        asks: "four with a gap become five",
        source: "the rules",
        managers: &[],
        advice: "Count XX.XX and X.XXX as fours, too.",
        alone: false,
        run: gap,
    },
    Check {
        id: "tactics.win-before-block",
        area: Area::Tactics,
        asks: "its own five comes before the opponent's",
        source: "the rules",
        managers: &[],
        advice: "Win first, block second.",
        alone: false,
        run: win_before_block,
    },
    Check {
        id: "tactics.block-four",
        area: Area::Tactics,
        asks: "the opponent's four is stopped, with and without a gap",
        source: "the rules",
        managers: &[],
        advice: "If the opponent has a five at hand and you have none, play there.",
        alone: false,
        run: block_four,
    },
    Check {
        id: "tactics.block-three",
        area: Area::Tactics,
        asks: "the opponent's open three is stopped where there is nothing to attack by",
        source: "the rules: an open four cannot be stopped",
        managers: &[],
        advice: "Search at least three plies, or count open threes.",
        alone: false,
        run: block_three,
    },
    Check {
        id: "tactics.open-four",
        area: Area::Tactics,
        asks: "its own open three becomes an open four where the opponent has nothing",
        source: "the rules",
        managers: &["strict"],
        advice: "Search at least three plies.",
        alone: false,
        run: open_four,
    },
];

/// Steps to the right and down of the four directions.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Points on a line through the middle, so many steps from it.
fn along((dx, dy): (i32, i32), steps: &[i32]) -> Vec<Xy> {
    let side = |n: i32| u32::try_from(n).unwrap_or(0);
    steps.iter().map(|step| (side(7 + dx * step), side(7 + dy * step))).collect()
}

/// Positions for Black and White with these own and other stones on a line, in each direction, and the
/// steps that are good.
fn lines(own: &[i32], other: &[i32], good: &[i32]) -> Vec<(Position, Vec<Xy>)> {
    let mut positions = Vec::new();
    for (direction, side) in DIRECTIONS.into_iter().zip(Side::BOTH.into_iter().cycle()) {
        let (own, other) = (along(direction, own), along(direction, other));
        let position = Position::of(Rule::Freestyle, &own, &other, side);
        positions.push((position, along(direction, good)));
    }
    positions
}

fn five(bench: &Bench<'_>) -> Judged {
    let mut positions = lines(&[-1, 0, 1, 2], &[-2], &[3]);
    positions.extend(lines(&[-7, -6, -5, -4], &[], &[-3]));
    solve(bench, Rule::Freestyle, &positions, "which makes five")
}

fn gap(bench: &Bench<'_>) -> Judged {
    let mut positions = lines(&[-2, -1, 1, 2], &[], &[0]);
    positions.extend(lines(&[-2, 0, 1, 2], &[3], &[-1]));
    solve(bench, Rule::Freestyle, &positions, "which makes five")
}

fn win_before_block(bench: &Bench<'_>) -> Judged {
    let own = [(3, 5), (4, 5), (5, 5), (6, 5)];
    let other = [(3, 9), (4, 9), (5, 9), (6, 9), (2, 5)];
    let positions = Side::BOTH.map(|side| {
        let position = Position::of(Rule::Freestyle, &own, &other, side);
        (position, vec![(7, 5)])
    });
    solve(bench, Rule::Freestyle, &positions, "which makes five")
}

fn block_four(bench: &Bench<'_>) -> Judged {
    let mut positions = lines(&[-2], &[-1, 0, 1, 2], &[3]);
    positions.extend(lines(&[], &[-2, -1, 1, 2], &[0]));
    positions.extend(lines(&[3], &[-2, 0, 1, 2], &[-1]));
    solve(bench, Rule::Freestyle, &positions, "or the opponent makes five")
}

fn block_three(bench: &Bench<'_>) -> Judged {
    let positions = lines(&[], &[-1, 0, 1], &[-2, 2]);
    solve(bench, Rule::Freestyle, &positions, "or the opponent makes an open four")
}

fn open_four(bench: &Bench<'_>) -> Judged {
    let positions = lines(&[-1, 0, 1], &[], &[-2, 2]);
    solve(bench, Rule::Freestyle, &positions, "an open four, which wins")
}
