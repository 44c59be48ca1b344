//! The shapes and levels of every free point, for both colours, kept up to date.
//!
//! A stone changes the shapes of the free points on its four lines within the table's reach, and of
//! nothing else: 32 or 40 points at most. Each change is logged with the point's old state, so
//! undoing a move restores states instead of computing them again.

use crate::board::lines::REGION_REACH;
use crate::board::{Board, Direction, Lines, POINTS, Point, Side, Stone};

use super::code::{self, CODE_TABLE};
use super::set::PointSet;
use super::table::LineTable;
use super::{Level, Shape};

/// What is known of a point by its code, for one colour: filled in by the evaluation. One number, so
/// that a sum over points takes one addition:
///
/// ```text
/// bits  0 .. 13   the level's number, or the sum of such numbers
/// bits 14 .. 38   worth to its colour if the opponent is to move, signed
/// bits 39 .. 63   worth to its colour if that colour is to move, signed
/// ```
#[derive(Clone, Copy, Default, Debug)]
pub struct CodeInfo(i64);

impl CodeInfo {
    /// Worths in fractions of a score unit.
    pub fn new(to_move: i16, waiting: i16, level: Level) -> CodeInfo {
        CodeInfo((i64::from(to_move) << 39) + (i64::from(waiting) << 14) + level as i64)
    }

    /// The level's number, of one point.
    fn level(self) -> u8 {
        self.0 as u8
    }

    /// The worth of one point or of a sum.
    fn worth(self) -> Worth {
        let waiting = self.0 << 25 >> 39;
        Worth { to_move: (((self.0 >> 14) - waiting) >> 25) as i32, waiting: waiting as i32 }
    }

    /// In a sum: `old` becomes `new`.
    fn change(&mut self, old: CodeInfo, new: CodeInfo) {
        self.0 += new.0 - old.0;
    }
}

/// [`CodeInfo`] per colour and code.
pub type CodeInfos = [Box<[CodeInfo; CODE_TABLE]>; 2];

/// What a stone of either colour would make of a free point.
#[derive(Clone, Copy, Default, Debug)]
struct PointState {
    /// Four bits per direction, Black's shapes in the lower half, White's in the upper half.
    shapes: u32,
    code: [u16; 2],
    level: [u8; 2],
}

/// What all free points together are worth to a colour, in fractions of a score unit.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Worth {
    /// If that colour is to move.
    pub to_move: i32,
    /// If its opponent is.
    pub waiting: i32,
}

/// Sums over all free points, per colour.
#[derive(Clone, Copy, Default, Debug)]
struct Totals {
    /// By level; longer than needed, so that an index needs no check but a mask.
    counts: [[u16; 16]; 2],
    worth: [CodeInfo; 2],
}

impl Totals {
    fn add(&mut self, side: usize, info: CodeInfo) {
        self.worth[side].change(CodeInfo::default(), info);
        self.counts[side][usize::from(info.level()) % 16] += 1;
    }

    fn subtract(&mut self, side: usize, info: CodeInfo) {
        self.worth[side].change(info, CodeInfo::default());
        self.counts[side][usize::from(info.level()) % 16] -= 1;
    }

    fn recount(&mut self, side: usize, old: u8, new: u8) {
        self.counts[side][usize::from(old) % 16] -= 1;
        self.counts[side][usize::from(new) % 16] += 1;
    }
}

/// A move's beginning in the log, and the totals before it.
#[derive(Clone, Copy, Debug)]
struct Mark {
    log: usize,
    totals: Totals,
}

/// Shapes, levels and values of all free points. Follows a [`Board`] through `push` and `pop`.
#[derive(Clone)]
pub struct ThreatMap {
    table: &'static LineTable,
    codes: &'static [u16; 1 << 16],
    infos: &'static CodeInfos,
    points: Box<[PointState; POINTS]>,
    totals: Totals,
    /// Points of level four and above, per colour.
    fours: [PointSet; 2],
    /// Points of the open three levels, per colour.
    threes: [PointSet; 2],
    /// Old states, up to `logged`; longer than needed, so that writing needs no growth check.
    log: Vec<Logged>,
    logged: usize,
    /// Room for a list of [`ThreatMap::recode`].
    relevelled: [Relevelled; LOG_PER_MOVE],
    marks: Vec<Mark>,
}

/// The state of a point before it changed.
#[derive(Clone, Copy, Default, Debug)]
struct Logged {
    state: PointState,
    index: u32,
}

/// More than one move can log along one line: the points within reach, on either side.
const LOG_PER_LINE: usize = 16;
/// More than one move can log: the point itself, and its lines.
const LOG_PER_MOVE: usize = 128;

/// A point whose level has changed.
#[derive(Clone, Copy, Default, Debug)]
struct Relevelled {
    index: u32,
    old: [u8; 2],
    new: [u8; 2],
}

/// Four shapes of one colour, four bits each, out of [`PointState::shapes`].
fn of_side(shapes: u32, side: usize) -> u16 {
    (shapes >> (16 * side)) as u16
}

/// Both shapes of one direction, as the [`LineTable`] packs them, where [`PointState::shapes`] has
/// those of the first direction.
fn spread(shapes: u8) -> u32 {
    u32::from(shapes & 0x0F) | u32::from(shapes >> 4) << 16
}

fn is_four(level: u8) -> bool {
    level >= Level::Four as u8
}

fn is_three(level: u8) -> bool {
    (Level::OpenThree as u8..=Level::DoubleThree as u8).contains(&level)
}

/// Move a point between the sets of fours and threes as its level changes.
#[inline]
fn relist(fours: &mut PointSet, threes: &mut PointSet, index: usize, old: u8, new: u8) {
    if old.max(new) < Level::OpenThree as u8 {
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
    /// The shapes of `board`. `infos` says what a code is worth under its rule.
    pub fn new(board: &Board, infos: &'static CodeInfos) -> ThreatMap {
        let mut map = ThreatMap {
            table: LineTable::of(board.variant()),
            codes: code::table(),
            infos,
            points: Box::new([PointState::default(); POINTS]),
            totals: Totals::default(),
            fours: [PointSet::EMPTY; 2],
            threes: [PointSet::EMPTY; 2],
            log: vec![Logged::default(); 1 << 12],
            logged: 0,
            relevelled: [Relevelled::default(); LOG_PER_MOVE],
            marks: Vec::with_capacity(256),
        };
        for p in board.empty_points() {
            let byte = |d: Direction| {
                spread(map.table.shapes(board.lines().region(p, d).bits(), 0)) << (4 * d.index())
            };
            let shapes = Direction::ALL.into_iter().map(byte).sum();
            let code = [0, 1].map(|side| map.codes[usize::from(of_side(shapes, side))]);
            let info = [0, 1].map(|side| map.info(side, code[side]));
            map.points[p.index()] = PointState { shapes, code, level: info.map(CodeInfo::level) };
            for (side, info) in info.into_iter().enumerate() {
                map.totals.add(side, info);
                map.relist(p.index(), side, Level::Quiet as u8, info.level());
            }
        }
        map
    }

    /// A stone has been played; `lines` already hold it.
    pub fn push(&mut self, lines: &Lines, stone: Stone) {
        self.marks.push(Mark { log: self.logged, totals: self.totals });
        if self.logged + LOG_PER_MOVE > self.log.len() {
            self.log.resize(2 * self.log.len(), Logged::default());
        }
        self.leave(stone.point);
        // In three passes, each over what the one before found to change: hardly a branch in them
        // depends on what is found, so the processor works on many points at a time.
        let first = self.logged;
        for d in Direction::ALL {
            let region = lines.region(stone.point, d).bits();
            self.reshape_line(stone.point, d, region);
        }
        self.recode(first);
    }

    /// Take back the last [`ThreatMap::push`].
    pub fn pop(&mut self) {
        let Some(mark) = self.marks.pop() else { return };
        let ThreatMap { points, log, logged, fours, threes, .. } = self;
        for &Logged { state: old, index } in log[mark.log..*logged].iter().rev() {
            let index = index as usize % POINTS;
            let now = std::mem::replace(&mut points[index], old).level;
            if now == old.level {
                continue;
            }
            for side in 0..2 {
                if now[side] != old.level[side] {
                    let (fours, threes) = (&mut fours[side], &mut threes[side]);
                    relist(fours, threes, index, now[side], old.level[side]);
                }
            }
        }
        self.logged = mark.log;
        self.totals = mark.totals;
    }

    /// The point is occupied now: it no longer counts.
    fn leave(&mut self, p: Point) {
        let index = p.index();
        let state = self.points[index];
        self.log[self.logged] = Logged { state, index: index as u32 };
        self.logged += 1;
        for side in 0..2 {
            let info = self.info(side, state.code[side]);
            self.totals.subtract(side, info);
            self.relist(index, side, info.level(), Level::Quiet as u8);
            self.points[index].level[side] = Level::Quiet as u8;
        }
    }

    #[inline]
    fn info(&self, side: usize, code: u16) -> CodeInfo {
        self.infos[side][usize::from(code) % CODE_TABLE]
    }

    /// Set the shapes of the free points of a line through a new stone, and log where they change.
    fn reshape_line(&mut self, from: Point, d: Direction, region: u64) {
        let line = self.table.of_line(region);
        let mut free = affected(region, self.table.reach() as u32);
        let shift = 4 * d.index() as u32;
        let ThreatMap { points, log, logged, .. } = self;
        let log = &mut log[*logged..][..LOG_PER_LINE];
        let mut changes = 0;
        while free != 0 {
            let k = (free.trailing_zeros() / 2) as i32 - REGION_REACH as i32;
            free &= free - 1;
            let index = (from.index() as i32 + d.stride() * k) as usize % POINTS;
            let state = &mut points[index];
            let changed = (state.shapes >> shift & 0x000F_000F) ^ spread(line.shapes(k));
            log[changes % LOG_PER_LINE] = Logged { state: *state, index: index as u32 };
            changes += usize::from(changed != 0);
            state.shapes ^= changed << shift;
        }
        *logged += changes;
    }

    /// Set the codes and levels of the points logged from `first` on, by their shapes.
    fn recode(&mut self, first: usize) {
        let ThreatMap { points, log, logged, totals, relevelled, .. } = self;
        let codes = self.codes;
        let infos = [&*self.infos[0], &*self.infos[1]];
        let info = |side: usize, code: u16| infos[side][usize::from(code) % CODE_TABLE];
        let [mut black, mut white] = totals.worth;
        let mut count = 0;
        for &Logged { state: old, index } in &log[first..*logged] {
            let state = &mut points[index as usize % POINTS];
            let code = [0, 1].map(|side| codes[usize::from(of_side(state.shapes, side))]);
            let new = [info(0, code[0]), info(1, code[1])];
            black.change(info(0, old.code[0]), new[0]);
            white.change(info(1, old.code[1]), new[1]);
            let level = new.map(CodeInfo::level);
            *state = PointState { shapes: state.shapes, code, level };
            relevelled[count % LOG_PER_MOVE] = Relevelled { index, old: old.level, new: level };
            count += usize::from(old.level != level);
        }
        totals.worth = [black, white];
        for &Relevelled { index, old, new } in &relevelled[..count % LOG_PER_MOVE] {
            for side in 0..2 {
                if old[side] != new[side] {
                    totals.recount(side, old[side], new[side]);
                    let (fours, threes) = (&mut self.fours[side], &mut self.threes[side]);
                    relist(fours, threes, index as usize, old[side], new[side]);
                }
            }
        }
    }

    fn relist(&mut self, index: usize, side: usize, old: u8, new: u8) {
        relist(&mut self.fours[side], &mut self.threes[side], index, old, new);
    }

    /// Number of free points at which `side` has exactly this level.
    #[inline]
    pub fn count(&self, side: Side, level: Level) -> u32 {
        u32::from(self.totals.counts[side.index()][level as usize])
    }

    /// Whether `side` can make a five or a four with its next stone.
    pub fn has_fours(&self, side: Side) -> bool {
        let counts = &self.totals.counts[side.index()];
        counts[Level::Four as usize..Level::COUNT].iter().any(|&n| n > 0)
    }

    /// What `side` would make at the free point `p`.
    #[inline]
    pub fn level(&self, p: Point, side: Side) -> Level {
        Level::from_index(usize::from(self.points[p.index()].level[side.index()]))
    }

    /// The code of the shapes of `side` at the free point `p`.
    #[inline]
    pub fn code(&self, p: Point, side: Side) -> u16 {
        self.points[p.index()].code[side.index()]
    }

    /// The shape that `side` would make at the free point `p` in one direction.
    pub fn shape(&self, p: Point, side: Side, d: Direction) -> Shape {
        Shape::from_index(usize::from(self.shapes(p, side) >> (4 * d.index()) & 0b1111))
    }

    /// The shapes of `side` at the free point `p`, four bits per direction.
    pub fn shapes(&self, p: Point, side: Side) -> u16 {
        of_side(self.points[p.index()].shapes, side.index())
    }

    /// What all free points are worth to `side`.
    #[inline]
    pub fn worth(&self, side: Side) -> Worth {
        self.totals.worth[side.index()].worth()
    }

    /// The same before the last [`ThreatMap::push`] that was not taken back.
    #[inline]
    pub fn worth_before(&self, side: Side) -> Worth {
        self.marks.last().map_or(self.totals, |mark| mark.totals).worth[side.index()].worth()
    }

    /// Numbers of free points per level for `side`.
    #[inline]
    pub fn counts(&self, side: Side) -> &[u16; 16] {
        &self.totals.counts[side.index()]
    }

    /// The free points at which `side` makes at least a four.
    #[inline]
    pub fn fours(&self, side: Side) -> &PointSet {
        &self.fours[side.index()]
    }

    /// The free points at which `side` makes an open three or more, but no four.
    #[inline]
    pub fn threes(&self, side: Side) -> &PointSet {
        &self.threes[side.index()]
    }

    /// The points at which `attacker` has exactly this level (four or above).
    pub fn points_at(&self, attacker: Side, level: Level) -> impl Iterator<Item = Point> + '_ {
        debug_assert!(level >= Level::Four);
        self.fours(attacker).iter().filter(move |&p| self.level(p, attacker) == level)
    }

    /// The free points where a stone of the defender brings what `attacker` makes at `p` below
    /// `level`, `p` itself included.
    pub fn answers(&self, lines: &Lines, p: Point, attacker: Side, level: Level) -> PointSet {
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
                if self.info(attacker.index(), code).level() < level as u8 {
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

/// The free cells of a region, one bit each at the cell's position, whose shapes a stone at the
/// centre can change: within reach, before a wall, and not behind stones of both colours, since
/// nobody's line goes through both.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_keep_their_parts_apart() {
        let numbers = [-32_768, -1_000, -1, 0, 1, 999, 32_767];
        let mut sum = CodeInfo::default();
        let (mut to_move, mut waiting) = (0, 0);
        for (a, b) in numbers.into_iter().flat_map(|a| numbers.map(|b| (a, b))) {
            sum.change(CodeInfo::default(), CodeInfo::new(a, b, Level::Five));
            to_move += i32::from(a);
            waiting += i32::from(b);
            assert_eq!(sum.worth(), Worth { to_move, waiting });
        }
        let one = CodeInfo::new(-7, 5, Level::FourThree);
        assert_eq!(one.level(), Level::FourThree as u8);
        sum.change(CodeInfo::new(999, -1, Level::Five), one);
        assert_eq!(sum.worth(), Worth { to_move: to_move - 1_006, waiting: waiting + 6 });
    }
}
