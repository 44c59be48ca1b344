//! Checks of wins and blocks in one move. No manager requires them, but they show authors mistakes
//! that would lose tournament games.

use crate::check::{Area, Check};
use crate::context::CheckContext;
use crate::positions::{Position, check_positions};
use crate::session::Coord;
use crate::verdict::CheckResult;
use kakugo::board::{Rule, Side};

pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "tactics.five",
        area: Area::Tactics,
        requirement: "makes five from four in a row, in every direction and at the edge",
        source: "the rules",
        managers: &[],
        advice: "Play your own five before anything else, whatever the search returns.",
        exclusive: false,
        run: five,
    },
    Check {
        id: "tactics.gap",
        area: Area::Tactics,
        requirement: "makes five from a four with a gap",
        source: "the rules",
        managers: &[],
        advice: "Count XX.XX and X.XXX as fours.",
        exclusive: false,
        run: gap,
    },
    Check {
        id: "tactics.win-before-block",
        area: Area::Tactics,
        requirement: "makes its own five before it blocks the opponent's",
        source: "the rules",
        managers: &[],
        advice: "Win first, block second.",
        exclusive: false,
        run: win_before_block,
    },
    Check {
        id: "tactics.block-four",
        area: Area::Tactics,
        requirement: "blocks the opponent's four, with and without a gap",
        source: "the rules",
        managers: &[],
        advice: "If the opponent can make five and you cannot, play there.",
        exclusive: false,
        run: block_four,
    },
    Check {
        id: "tactics.block-three",
        area: Area::Tactics,
        requirement: "blocks the opponent's open three if it has no attack of its own",
        source: "the rules: an open four cannot be blocked",
        managers: &[],
        advice: "Search at least three plies, or evaluate open threes.",
        exclusive: false,
        run: block_three,
    },
    Check {
        id: "tactics.open-four",
        area: Area::Tactics,
        requirement: "makes an open four from its open three if the opponent has no threat",
        source: "the rules",
        managers: &["strict"],
        advice: "Search at least three plies.",
        exclusive: false,
        run: open_four,
    },
];

/// Steps in the four directions.
const DIRECTIONS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Returns the points at these steps from the centre along a direction.
fn along((dx, dy): (i32, i32), steps: &[i32]) -> Vec<Coord> {
    let side = |n: i32| u32::try_from(n).unwrap_or(0);
    steps.iter().map(|step| (side(7 + dx * step), side(7 + dy * step))).collect()
}

/// Returns positions with these stones of the engine and its opponent on a line, one in each
/// direction, with the correct moves.
fn lines(own: &[i32], other: &[i32], good: &[i32]) -> Vec<(Position, Vec<Coord>)> {
    let mut positions = Vec::new();
    for (direction, side) in DIRECTIONS.into_iter().zip(Side::BOTH.into_iter().cycle()) {
        let (own, other) = (along(direction, own), along(direction, other));
        let position = Position::of(Rule::Freestyle, &own, &other, side);
        positions.push((position, along(direction, good)));
    }
    positions
}

fn five(context: &CheckContext<'_>) -> CheckResult {
    let mut positions = lines(&[-1, 0, 1, 2], &[-2], &[3]);
    positions.extend(lines(&[-7, -6, -5, -4], &[], &[-3]));
    check_positions(context, Rule::Freestyle, &positions, "which makes five")
}

fn gap(context: &CheckContext<'_>) -> CheckResult {
    let mut positions = lines(&[-2, -1, 1, 2], &[], &[0]);
    positions.extend(lines(&[-2, 0, 1, 2], &[3], &[-1]));
    check_positions(context, Rule::Freestyle, &positions, "which makes five")
}

fn win_before_block(context: &CheckContext<'_>) -> CheckResult {
    let own = [(3, 5), (4, 5), (5, 5), (6, 5)];
    let other = [(3, 9), (4, 9), (5, 9), (6, 9), (2, 5)];
    let positions = Side::BOTH.map(|side| {
        let position = Position::of(Rule::Freestyle, &own, &other, side);
        (position, vec![(7, 5)])
    });
    check_positions(context, Rule::Freestyle, &positions, "which makes five")
}

fn block_four(context: &CheckContext<'_>) -> CheckResult {
    let mut positions = lines(&[-2], &[-1, 0, 1, 2], &[3]);
    positions.extend(lines(&[], &[-2, -1, 1, 2], &[0]));
    positions.extend(lines(&[3], &[-2, 0, 1, 2], &[-1]));
    check_positions(context, Rule::Freestyle, &positions, "otherwise the opponent makes five")
}

fn block_three(context: &CheckContext<'_>) -> CheckResult {
    let positions = lines(&[], &[-1, 0, 1], &[-2, 2]);
    check_positions(
        context,
        Rule::Freestyle,
        &positions,
        "otherwise the opponent makes an open four",
    )
}

fn open_four(context: &CheckContext<'_>) -> CheckResult {
    let positions = lines(&[-1, 0, 1], &[], &[-2, 2]);
    check_positions(context, Rule::Freestyle, &positions, "which makes an open four")
}
