//! The free points of a board, grouped by region and by what they make for either colour.
//!
//! Far from stones many points look the same, so that a position has far fewer groups than points.
//! A move changes the points on its lines only, and so do the groups.

use crate::board::{POINTS, Point};
use crate::eval::network::Regions;
use crate::pattern::code::OCCUPIED;
use crate::position::Position;

/// Points of one region that look alike.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Group {
    /// Their codes, per colour.
    pub(super) codes: [u16; 2],
    /// Their region.
    pub(super) region: u8,
    /// How many they are.
    pub(super) points: u16,
}

/// Slots of the hash table.
const SLOTS: usize = 1 << 13;
/// From so many groups on, most of them empty, they are counted anew.
const MANY: usize = 1 << 10;
/// No group.
const NONE: u16 = u16::MAX;

/// The groups of a position that moves are played on.
pub(super) struct Grouping {
    /// Empty ones included.
    groups: Vec<Group>,
    /// Where the groups are, by a hash of their codes and region.
    slots: Vec<u16>,
    /// The group of each point.
    of_point: Box<[u16; POINTS]>,
    regions: Regions,
    moves: usize,
}

impl Grouping {
    /// The groups of a position that no move has been pushed on yet.
    pub(super) fn new(position: &Position) -> Grouping {
        let mut grouping = Grouping {
            groups: Vec::with_capacity(512),
            slots: vec![NONE; SLOTS],
            of_point: Box::new([NONE; POINTS]),
            regions: Regions::of(position.board()),
            moves: position.threats().moves(),
        };
        for p in position.board().empty_points() {
            grouping.enter(p, position.threats().codes(p));
        }
        grouping
    }

    /// Take moves that were pushed since into account.
    pub(super) fn follow(&mut self, position: &Position) {
        let threats = position.threats();
        for n in self.moves..threats.moves() {
            if self.groups.len() > MANY {
                *self = Grouping::new(position);
                return;
            }
            for change in threats.changes(n) {
                let p = change.point();
                let group = usize::from(self.of_point[p.index()]);
                self.groups[group].points -= 1;
                if change.after()[0] != OCCUPIED {
                    self.enter(p, change.after());
                }
            }
        }
        self.moves = threats.moves();
    }

    /// The groups that have points.
    pub(super) fn groups(&self) -> impl Iterator<Item = Group> + '_ {
        self.groups.iter().copied().filter(|group| group.points > 0)
    }

    fn enter(&mut self, p: Point, codes: [u16; 2]) {
        let group = self.find(codes, self.regions.at(p));
        self.groups[usize::from(group)].points += 1;
        self.of_point[p.index()] = group;
    }

    /// The group of these codes in this region, a new one if there is none.
    fn find(&mut self, codes: [u16; 2], region: u8) -> u16 {
        let [own, other] = codes.map(u64::from);
        let key = own << 32 | other << 16 | u64::from(region);
        let mut slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 51) as usize;
        loop {
            let group = self.slots[slot % SLOTS];
            if group == NONE {
                break;
            }
            let found = &self.groups[usize::from(group)];
            if found.codes == codes && found.region == region {
                return group;
            }
            slot += 1;
        }
        let group = self.groups.len() as u16;
        self.groups.push(Group { codes, region, points: 0 });
        self.slots[slot % SLOTS] = group;
        group
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::board::Variant;
    use crate::tools::train::random;

    fn counts(grouping: &Grouping) -> BTreeMap<([u16; 2], u8), u16> {
        grouping.groups().map(|group| ((group.codes, group.region), group.points)).collect()
    }

    #[test]
    fn groups_that_followed_the_moves_are_those_of_the_position() {
        for game in random::games(Variant::RENJU, 40, 3).train {
            let mut position = Position::new(&game.board().unwrap());
            let mut followed = Grouping::new(&position);
            for (ply, &p) in game.stones.iter().enumerate() {
                position.push(p);
                if ply % 3 != 0 {
                    followed.follow(&position);
                    let counted = counts(&followed);
                    assert_eq!(counted, counts(&Grouping::new(&position)));
                    let points: usize = counted.values().map(|&n| usize::from(n)).sum();
                    assert_eq!(points, position.board().empty_count());
                }
            }
        }
    }

    #[test]
    fn many_groups_that_are_gone_are_forgotten() {
        let game = &random::games(Variant::FREESTYLE, 30, 5).train[0];
        let mut position = Position::new(&game.board().unwrap());
        let mut followed = Grouping::new(&position);
        game.stones.iter().for_each(|&p| position.push(p));
        followed.groups.resize(MANY + 1, Group { codes: [0; 2], region: 0, points: 0 });
        followed.follow(&position);
        assert_eq!(counts(&followed), counts(&Grouping::new(&position)));
        assert!(followed.groups.len() < MANY);
    }
}
