//! Shapes, threats and line codes of every empty point, updated incrementally.
//!
//! A stone changes the empty points on its four lines within the table's reach, and no others: at
//! most 32 or 40 points (16 to 48 for win lengths of three to six). Each change is logged with the
//! old state of the point. So undoing a move restores states instead of computing them, and
//! evaluations can follow lazily ([`ThreatMap::changes`]).

use crate::board::lines::REGION_REACH;
use crate::board::{Board, Direction, Lines, POINTS, Point, Side, Stone};

use super::code::{self, CODE_TABLE, CodeThreats, OCCUPIED};
use super::set::PointSet;
use super::table::LineTable;
use super::{Shape, Threat};

/// The state of an empty point: what a stone of either colour would make.
#[derive(Clone, Copy, Default, Debug)]
struct PointState {
    /// Four bits per direction, Black's shapes in the lower half, White's in the upper half.
    shapes: u32,
    code: [u16; 2],
    /// Line codes by direction, as seen by Black.
    lines: [u16; 4],
    threat: [u8; 2],
}

/// Numbers of empty points by colour and threat. The length is a power of two, so that a mask
/// replaces the bounds check.
type Counts = [[u16; 16]; 2];

/// The start of a move: its index in the log, the counts before it, and its stamp.
#[derive(Clone, Copy, Debug)]
struct Mark {
    log: usize,
    counts: Counts,
    stamp: u64,
}

/// Shapes and threats of all empty points. Follows a [`Board`] by `push` and `pop`.
pub struct ThreatMap {
    table: &'static LineTable,
    codes: &'static [u16; 1 << 16],
    code_threats: [&'static CodeThreats; 2],
    points: Box<[PointState; POINTS]>,
    counts: Counts,
    /// By colour: points with a four or more.
    fours: [PointSet; 2],
    /// By colour: points with an open three or more, but less than a four.
    threes: [PointSet; 2],
    /// Old states, up to `logged`. It is longer, so that writes need no growth check.
    log: Vec<PointChange>,
    logged: usize,
    /// Buffer of [`ThreatMap::recode`].
    threat_changes: [ThreatChange; LOG_PER_MOVE],
    marks: Vec<Mark>,
    /// Number of moves ever played.
    stamps: u64,
}

/// The change of one point by a move.
#[derive(Clone, Copy, Default, Debug)]
pub struct PointChange {
    before: PointState,
    /// Shape codes after the move, by colour; [`OCCUPIED`] at the point of the move.
    after: [u16; 2],
    /// Direction of the changed line.
    direction: u16,
    /// Line code after the move.
    line: u16,
    index: u32,
}

impl PointChange {
    /// Returns the shape codes before the move, by colour.
    #[inline]
    pub fn before(&self) -> [u16; 2] {
        self.before.code
    }

    /// Returns the shape codes after the move, by colour; [`OCCUPIED`] at the point of the move.
    #[inline]
    pub fn after(&self) -> [u16; 2] {
        self.after
    }

    /// Returns the line codes before the move by direction, as seen by Black.
    #[inline]
    pub fn lines(&self) -> [u16; 4] {
        self.before.lines
    }

    /// Returns the direction of the changed line, and its code after the move. At the point of the
    /// move, no line has changed.
    #[inline]
    pub fn line(&self) -> (usize, u16) {
        (usize::from(self.direction) % 4, self.line)
    }

    /// Returns the point.
    pub fn point(&self) -> Point {
        Point::from_index(self.index as usize)
    }
}

/// Upper bound of the points that a move changes on one line.
const LOG_PER_LINE: usize = 16;
/// Upper bound of the points that a move changes, including its own.
const LOG_PER_MOVE: usize = 128;

/// A change of the threat of a point.
#[derive(Clone, Copy, Default, Debug)]
struct ThreatChange {
    index: u32,
    old: [u8; 2],
    new: [u8; 2],
}

/// Extracts the shapes of one colour, four bits each, from [`PointState::shapes`].
fn of_side(shapes: u32, side: usize) -> u16 {
    (shapes >> (16 * side)) as u16
}

/// Moves both shapes of a direction from the layout of [`LineTable`] to that of the first direction
/// in [`PointState::shapes`].
fn spread(shapes: u8) -> u32 {
    u32::from(shapes & 0x0F) | u32::from(shapes >> 4) << 16
}

fn is_four(threat: u8) -> bool {
    threat >= Threat::Four as u8
}

fn is_three(threat: u8) -> bool {
    (Threat::OpenThree as u8..=Threat::DoubleThree as u8).contains(&threat)
}

/// Updates the sets of fours and threes after the threat of a point has changed.
#[inline]
fn relist(fours: &mut PointSet, threes: &mut PointSet, index: usize, old: u8, new: u8) {
    if old.max(new) < Threat::OpenThree as u8 {
        return;
    }
    let p = Point::from_index(index);
    for (set, listed) in [(fours, is_four as fn(u8) -> bool), (threes, is_three)] {
        match (listed(old), listed(new)) {
            (false, true) => set.insert(p),
            (true, false) => set.remove(p),
            _ => {}
        }
    }
}

impl ThreatMap {
    /// Computes the shapes of `board`.
    pub fn new(board: &Board) -> ThreatMap {
        let variant = board.variant();
        let mut map = ThreatMap {
            table: LineTable::of(variant),
            codes: code::table(),
            code_threats: Side::BOTH.map(|side| code::threats(variant.has_forbidden(side))),
            points: Box::new([PointState::default(); POINTS]),
            counts: Counts::default(),
            fours: [PointSet::EMPTY; 2],
            threes: [PointSet::EMPTY; 2],
            log: vec![PointChange::default(); 1 << 12],
            logged: 0,
            threat_changes: [ThreatChange::default(); LOG_PER_MOVE],
            marks: Vec::with_capacity(256),
            stamps: 0,
        };
        for p in board.empty_points() {
            let entries =
                Direction::ALL.map(|d| map.table.line(board.lines().region(p, d).bits()).lookup(0));
            let byte = |d: Direction| spread(entries[d.index()].0) << (4 * d.index());
            let shapes = Direction::ALL.into_iter().map(byte).sum();
            let lines = entries.map(|(_, line)| line);
            let code = [0, 1].map(|side| map.codes[usize::from(of_side(shapes, side))]);
            let threat = [0, 1].map(|side| map.threat_of(side, code[side]));
            map.points[p.index()] = PointState { shapes, code, lines, threat };
            for (side, threat) in threat.into_iter().enumerate() {
                map.counts[side][usize::from(threat) % 16] += 1;
                map.relist(p.index(), side, Threat::Quiet as u8, threat);
            }
        }
        map
    }

    /// Adds a stone. `lines` must contain it already.
    pub fn push(&mut self, lines: &Lines, stone: Stone) {
        self.stamps += 1;
        self.marks.push(Mark { log: self.logged, counts: self.counts, stamp: self.stamps });
        if self.logged + LOG_PER_MOVE > self.log.len() {
            self.log.resize(2 * self.log.len(), PointChange::default());
        }
        self.remove(stone.point);
        // Three passes, each over the changes that the last one found. They have few data-dependent
        // branches, so the CPU can overlap work on many points.
        let first = self.logged;
        for d in Direction::ALL {
            let region = lines.region(stone.point, d).bits();
            self.reshape_line(stone.point, d, region);
        }
        self.recode(first);
    }

    /// Undoes the last [`ThreatMap::push`].
    pub fn pop(&mut self) {
        let Some(mark) = self.marks.pop() else { return };
        let ThreatMap { points, log, logged, fours, threes, .. } = self;
        for &PointChange { before: old, index, .. } in log[mark.log..*logged].iter().rev() {
            let index = index as usize % POINTS;
            let now = std::mem::replace(&mut points[index], old).threat;
            if now == old.threat {
                continue;
            }
            for side in 0..2 {
                if now[side] != old.threat[side] {
                    let (fours, threes) = (&mut fours[side], &mut threes[side]);
                    relist(fours, threes, index, now[side], old.threat[side]);
                }
            }
        }
        self.logged = mark.log;
        self.counts = mark.counts;
    }

    /// Removes a point that has become occupied.
    fn remove(&mut self, p: Point) {
        let index = p.index();
        let state = self.points[index];
        let after = [OCCUPIED; 2];
        let (direction, line) = (0, state.lines[0]);
        let index = index as u32;
        self.log[self.logged] = PointChange { before: state, after, direction, line, index };
        self.logged += 1;
        let index = index as usize;
        for side in 0..2 {
            let threat = state.threat[side];
            self.counts[side][usize::from(threat) % 16] -= 1;
            self.relist(index, side, threat, Threat::Quiet as u8);
            self.points[index].threat[side] = Threat::Quiet as u8;
        }
    }

    #[inline]
    fn threat_of(&self, side: usize, code: u16) -> u8 {
        self.code_threats[side][usize::from(code) % CODE_TABLE]
    }

    /// Updates shapes and line codes of the empty points on a line through a new stone, and logs
    /// changes.
    fn reshape_line(&mut self, from: Point, d: Direction, region: u64) {
        let line = self.table.line(region);
        let mut free = affected(region, self.table.reach() as u32);
        let (shift, direction) = (4 * d.index() as u32, d.index() as u16);
        let ThreatMap { points, log, logged, .. } = self;
        let log = &mut log[*logged..][..LOG_PER_LINE];
        let mut changes = 0;
        while free != 0 {
            let k = (free.trailing_zeros() / 2) as i32 - REGION_REACH as i32;
            free &= free - 1;
            let index = (from.index() as i32 + d.stride() * k) as usize % POINTS;
            let state = &mut points[index];
            let (shapes, code) = line.lookup(k);
            let changed = (state.shapes >> shift & 0x000F_000F) ^ spread(shapes);
            let (before, after, index) = (*state, [0; 2], index as u32);
            log[changes % LOG_PER_LINE] =
                PointChange { before, after, direction, line: code, index };
            let line = &mut state.lines[usize::from(direction) % 4];
            changes += usize::from(changed != 0 || *line != code);
            *line = code;
            state.shapes ^= changed << shift;
        }
        *logged += changes;
    }

    /// Updates shape codes and threats of the points logged from `first` on.
    fn recode(&mut self, first: usize) {
        let ThreatMap { points, log, logged, counts, threat_changes, .. } = self;
        let (codes, code_threats) = (self.codes, self.code_threats);
        let mut count = 0;
        for PointChange { before: old, after, index, .. } in &mut log[first..*logged] {
            let state = &mut points[*index as usize % POINTS];
            let code = [0, 1].map(|side| codes[usize::from(of_side(state.shapes, side))]);
            let threat =
                [0, 1].map(|side| code_threats[side][usize::from(code[side]) % CODE_TABLE]);
            *after = code;
            *state = PointState { code, threat, ..*state };
            let change = ThreatChange { index: *index, old: old.threat, new: threat };
            threat_changes[count % LOG_PER_MOVE] = change;
            count += usize::from(old.threat != threat);
        }
        for &ThreatChange { index, old, new } in &threat_changes[..count % LOG_PER_MOVE] {
            for side in 0..2 {
                if old[side] != new[side] {
                    counts[side][usize::from(old[side]) % 16] -= 1;
                    counts[side][usize::from(new[side]) % 16] += 1;
                    let (fours, threes) = (&mut self.fours[side], &mut self.threes[side]);
                    relist(fours, threes, index as usize, old[side], new[side]);
                }
            }
        }
    }

    fn relist(&mut self, index: usize, side: usize, old: u8, new: u8) {
        relist(&mut self.fours[side], &mut self.threes[side], index, old, new);
    }

    /// Returns the number of empty points at which `side` makes exactly this threat.
    #[inline]
    pub fn count(&self, side: Side, threat: Threat) -> u32 {
        u32::from(self.counts[side.index()][threat as usize])
    }

    /// Returns `true` if `side` can make a four or a five with its next stone.
    pub fn has_fours(&self, side: Side) -> bool {
        let counts = &self.counts[side.index()];
        counts[Threat::Four as usize..Threat::COUNT].iter().any(|&n| n > 0)
    }

    /// Returns the threat that `side` makes at the empty point `p`.
    #[inline]
    pub fn at(&self, p: Point, side: Side) -> Threat {
        Threat::from_index(usize::from(self.points[p.index()].threat[side.index()]))
    }

    /// Returns the shape codes at the empty point `p`, by colour.
    #[inline]
    pub fn codes(&self, p: Point) -> [u16; 2] {
        self.points[p.index()].code
    }

    /// Returns the shape code of `side` at the empty point `p`.
    #[inline]
    pub fn code(&self, p: Point, side: Side) -> u16 {
        self.points[p.index()].code[side.index()]
    }

    /// Returns the shape that `side` makes at the empty point `p` in one direction.
    pub fn shape(&self, p: Point, side: Side, d: Direction) -> Shape {
        Shape::from_index(usize::from(self.shapes(p, side) >> (4 * d.index()) & 0b1111))
    }

    /// Returns the shapes of `side` at the empty point `p`, four bits per direction.
    pub fn shapes(&self, p: Point, side: Side) -> u16 {
        of_side(self.points[p.index()].shapes, side.index())
    }

    /// Returns the line codes of the empty point `p` by direction, as seen by Black.
    pub fn lines(&self, p: Point) -> [u16; 4] {
        self.points[p.index()].lines
    }

    /// Returns the number of moves played and not undone.
    pub fn moves(&self) -> usize {
        self.marks.len()
    }

    /// Returns the stamp of the `n`-th of those moves, which is unique among all moves ever played
    /// on this map. If it is unchanged, so are all moves up to it.
    #[inline]
    pub fn stamp(&self, n: usize) -> u64 {
        self.marks[n].stamp
    }

    /// Returns the changes of the `n`-th of those moves, at most one for each point.
    #[inline]
    pub fn changes(&self, n: usize) -> &[PointChange] {
        let end = self.marks.get(n + 1).map_or(self.logged, |next| next.log);
        &self.log[self.marks[n].log..end]
    }

    /// Returns the numbers of empty points by threat of `side`.
    #[inline]
    pub fn counts(&self, side: Side) -> &[u16; 16] {
        &self.counts[side.index()]
    }

    /// Returns the empty points at which `side` makes at least a four.
    #[inline]
    pub fn fours(&self, side: Side) -> &PointSet {
        &self.fours[side.index()]
    }

    /// Returns the empty points at which `side` makes an open three or more, but not a four.
    #[inline]
    pub fn threes(&self, side: Side) -> &PointSet {
        &self.threes[side.index()]
    }

    /// Returns the points at which `attacker` makes exactly this threat, at least a four.
    pub fn points_at(&self, attacker: Side, threat: Threat) -> impl Iterator<Item = Point> + '_ {
        debug_assert!(threat >= Threat::Four);
        self.fours(attacker).iter().filter(move |&p| self.at(p, attacker) == threat)
    }

    /// Returns the empty points where a defender's stone reduces what `attacker` makes at `p` below
    /// `threat`, including `p`.
    pub fn answers(&self, lines: &Lines, p: Point, attacker: Side, threat: Threat) -> PointSet {
        let mut answers = PointSet::EMPTY;
        answers.insert(p);
        let shapes = self.shapes(p, attacker);
        for d in Direction::ALL {
            if self.shape(p, attacker, d) < Shape::OpenThree {
                continue;
            }
            let region = lines.region(p, d);
            let others = shapes & !(0b1111 << (4 * d.index()));
            for k in (-self.table.reach()..=self.table.reach()).filter(|&k| k != 0) {
                if !region.is_empty(k) {
                    continue;
                }
                let blocked = region.with_stone(k, attacker.opponent());
                let byte = self.table.shapes(blocked.bits(), 0) >> (4 * attacker.index()) & 0x0F;
                let left = others | u16::from(byte) << (4 * d.index());
                let code = self.codes[usize::from(left)];
                if self.threat_of(attacker.index(), code) < threat as u8 {
                    answers.insert(p.step_unchecked(d, k));
                }
            }
        }
        answers
    }
}

/// The lower bit of every cell of a region.
const LOW: u64 = 0x5555_5555_5555_5555;
/// Position of a region's centre.
const CENTRE: u32 = 2 * REGION_REACH;

/// Returns the empty cells of a region whose shapes a stone at the centre can change, one bit each:
/// within reach, before a wall, and not behind stones of both colours, because no five spans both.
#[inline]
fn affected(region: u64, reach: u32) -> u64 {
    let (a, b) = (region & LOW, region >> 1 & LOW);
    let wall = !(a | b) & LOW;
    let (one, other) = (a & !b, b & !a);
    let ahead = |cells: u64| (cells >> (CENTRE + 2)).trailing_zeros() / 2;
    let behind = |cells: u64| (cells << (64 - CENTRE)).leading_zeros() / 2;
    let up = ahead(wall).min(ahead(one).max(ahead(other))).min(reach);
    let down = behind(wall).min(behind(one).max(behind(other))).min(reach);
    let mask =
        ((1 << (2 * up)) - 1) << (CENTRE + 2) | ((1 << (2 * down)) - 1) << (CENTRE - 2 * down);
    a & b & mask
}

/// Number of [`ThreatMap::mask`]s.
pub const MASKS: usize = 1 << 11;
/// Bits of a mask: the opponent can make a five or an open four.
pub const AGAINST_FOUR: usize = 1 << 5 | 1 << 6;

impl ThreatMap {
    /// Returns a bit mask of strong threats, with `side` to move:
    ///
    /// ```text
    /// bit  0 .. 4    side: four-three, other four, double three, open three, three plus
    /// bit  5 .. 10   opponent: five, open four, four-three, other four, double three, open three
    /// ```
    pub fn mask(&self, side: Side) -> usize {
        let has = |side: Side, from: Threat, to: Threat| {
            let counts = &self.counts(side)[from as usize..=to as usize];
            usize::from(counts.iter().any(|&n| n > 0))
        };
        let other = side.opponent();
        has(side, Threat::FourThree, Threat::FourThree)
            | has(side, Threat::Four, Threat::FourPlus) << 1
            | has(side, Threat::DoubleThree, Threat::DoubleThree) << 2
            | has(side, Threat::OpenThree, Threat::OpenThreePlus) << 3
            | has(side, Threat::ThreePlus, Threat::ThreePlus) << 4
            | has(other, Threat::Five, Threat::Five) << 5
            | has(other, Threat::OpenFour, Threat::OpenFour) << 6
            | has(other, Threat::FourThree, Threat::FourThree) << 7
            | has(other, Threat::Four, Threat::FourPlus) << 8
            | has(other, Threat::DoubleThree, Threat::DoubleThree) << 9
            | has(other, Threat::OpenThree, Threat::OpenThreePlus) << 10
    }
}
