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

/// What is known of a point by its code, for one colour: filled in by the evaluation.
#[derive(Clone, Copy, Default, Debug)]
pub struct CodeInfo {
    /// Worth of the point to its colour if that colour is to move, in fractions of a score unit.
    pub to_move: i16,
    /// Worth of the point to its colour if the opponent is to move.
    pub waiting: i16,
    /// [`Level`] as a number.
    pub level: u8,
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

impl Worth {
    #[inline]
    fn change(&mut self, old: CodeInfo, new: CodeInfo) {
        self.to_move += i32::from(new.to_move) - i32::from(old.to_move);
        self.waiting += i32::from(new.waiting) - i32::from(old.waiting);
    }
}

/// Sums over all free points, per colour.
#[derive(Clone, Copy, Default, Debug)]
struct Totals {
    /// By level; longer than needed, so that an index needs no check but a mask.
    counts: [[u16; 16]; 2],
    worth: [Worth; 2],
}

impl Totals {
    fn add(&mut self, side: usize, info: CodeInfo) {
        self.worth[side].change(CodeInfo::default(), info);
        self.counts[side][usize::from(info.level) % 16] += 1;
    }

    fn subtract(&mut self, side: usize, info: CodeInfo) {
        self.worth[side].change(info, CodeInfo::default());
        self.counts[side][usize::from(info.level) % 16] -= 1;
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
    marks: Vec<Mark>,
}

/// The state of a point before it changed.
#[derive(Clone, Copy, Default, Debug)]
struct Logged {
    state: PointState,
    index: u32,
}

/// More than one move can log: the point itself, and the points on its lines within reach.
const LOG_PER_MOVE: usize = 64;

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
            marks: Vec::with_capacity(256),
        };
        for p in board.empty_points() {
            let byte = |d: Direction| {
                spread(map.table.shapes(board.lines().region(p, d).bits(), 0)) << (4 * d.index())
            };
            let shapes = Direction::ALL.into_iter().map(byte).sum();
            let code = [0, 1].map(|side| map.codes[usize::from(of_side(shapes, side))]);
            let info = [0, 1].map(|side| map.info(side, code[side]));
            map.points[p.index()] = PointState { shapes, code, level: info.map(|i| i.level) };
            for (side, info) in info.into_iter().enumerate() {
                map.totals.add(side, info);
                map.relist(p.index(), side, Level::Quiet as u8, info.level);
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
        for d in Direction::ALL {
            let region = lines.region(stone.point, d).bits();
            self.update_line(stone.point, d, region);
        }
    }

    /// Take back the last [`ThreatMap::push`].
    pub fn pop(&mut self) {
        let Some(mark) = self.marks.pop() else { return };
        for &Logged { state: old, index } in self.log[mark.log..self.logged].iter().rev() {
            let index = index as usize % POINTS;
            for side in 0..2 {
                let (now, then) = (self.points[index].level[side], old.level[side]);
                if now != then {
                    relist(&mut self.fours[side], &mut self.threes[side], index, now, then);
                }
            }
            self.points[index] = old;
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
            self.relist(index, side, info.level, Level::Quiet as u8);
            self.points[index].level[side] = Level::Quiet as u8;
        }
    }

    #[inline]
    fn info(&self, side: usize, code: u16) -> CodeInfo {
        self.infos[side][usize::from(code) % CODE_TABLE]
    }

    /// Look again at the free points of a line through a new stone.
    fn update_line(&mut self, from: Point, d: Direction, region: u64) {
        let mut free = affected(region, self.table.reach() as u32);
        // Kept apart from the rest until the end, so that it stays in registers.
        let mut worth = self.totals.worth;
        while free != 0 {
            let k = (free.trailing_zeros() / 2) as i32 - REGION_REACH as i32;
            free &= free - 1;
            let index = (from.index() as i32 + d.stride() * k) as usize % POINTS;
            self.reshape(index, d, self.table.shapes(region, k), &mut worth);
        }
        self.totals.worth = worth;
    }

    /// Set the shapes of one direction at a free point.
    #[inline]
    fn reshape(&mut self, index: usize, d: Direction, shapes: u8, worth: &mut [Worth; 2]) {
        let state = &mut self.points[index % POINTS];
        let shift = 4 * d.index() as u32;
        let changed = (state.shapes >> shift & 0x000F_000F) ^ spread(shapes);
        if changed == 0 {
            return;
        }
        let logged = &mut self.log[self.logged];
        logged.state = *state;
        logged.index = index as u32;
        self.logged += 1;
        state.shapes ^= changed << shift;
        for (side, worth) in worth.iter_mut().enumerate() {
            if of_side(changed, side) == 0 {
                continue;
            }
            let state = &mut self.points[index % POINTS];
            let code = self.codes[usize::from(of_side(state.shapes, side))];
            let old_code = std::mem::replace(&mut state.code[side], code);
            let new = self.infos[side][usize::from(code) % CODE_TABLE];
            let old = self.infos[side][usize::from(old_code) % CODE_TABLE];
            state.level[side] = new.level;
            worth.change(old, new);
            if new.level != old.level {
                self.totals.recount(side, old.level, new.level);
                self.relist(index, side, old.level, new.level);
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
        self.totals.worth[side.index()]
    }

    /// The same before the last [`ThreatMap::push`] that was not taken back.
    #[inline]
    pub fn worth_before(&self, side: Side) -> Worth {
        self.marks.last().map_or(self.totals, |mark| mark.totals).worth[side.index()]
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
        let restricted = self.is_restricted(attacker);
        let shapes = Direction::ALL.map(|d| self.shape(p, attacker, d));
        for d in Direction::ALL {
            if shapes[d.index()] < Shape::OpenThree {
                continue;
            }
            let region = lines.region(p, d);
            for k in (-self.table.reach()..=self.table.reach()).filter(|&k| k != 0) {
                if !region.is_empty(k) {
                    continue;
                }
                let blocked = region.with_stone(k, attacker.opponent());
                let byte = self.table.shapes(blocked.bits(), 0) >> (4 * attacker.index()) & 0x0F;
                let mut left = shapes;
                left[d.index()] = Shape::from_index(usize::from(byte));
                if Level::of(left, restricted) < level {
                    answers.insert(p.step_unchecked(d, k));
                }
            }
        }
        answers
    }

    fn is_restricted(&self, side: Side) -> bool {
        self.infos[side.index()][usize::from(self.codes[DOUBLE_FOUR])].level
            == Level::Forbidden as u8
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

/// Four shapes, packed, that only a colour bound by renju's rules may not play.
const DOUBLE_FOUR: usize = Shape::DoubleFour as usize;
