//! What shapes are worth: by hand, until numbers tuned on games take their place.
//!
//! A point's value is the sum over its four lines of what each shape is worth, plus a bonus for what
//! they make together. An open two on the board shows up as open threes at four points, so the
//! numbers are small.

use std::sync::OnceLock;

use crate::board::{Rule, Side, Variant};
use crate::pattern::code::{self, CODE_TABLE, CODES};
use crate::pattern::threat::{CodeInfo, CodeInfos, ThreatMap};
use crate::pattern::{Level, Shape};

/// Worth of a shape at a free point, in score units.
const SHAPE: [i32; Shape::COUNT] = [0, 0, 0, 1, 1, 3, 4, 5, 4, 10, 12, 12, 30, 30, 40];

/// Worth of a level at a free point, on top of its shapes.
const LEVEL: [i32; Level::COUNT] = [0, 0, 0, 0, 2, 4, 2, 8, 40, 2, 12, 60, 60, 80];

/// How much sooner a move is tried for what it makes.
const OWN_MOVE: [i32; Level::COUNT] =
    [0, 0, 20, 25, 60, 80, 140, 200, 900, 120, 240, 1500, 3000, 9000];

/// How much sooner a move is tried for what it prevents.
const OTHER_MOVE: [i32; Level::COUNT] =
    [0, 0, 15, 20, 40, 60, 90, 130, 500, 60, 110, 700, 1200, 6000];

/// Worth of having the move, in score units.
const TEMPO: i32 = 20;

/// All numbers of one variant.
pub struct Weights {
    infos: CodeInfos,
    own_move: [Box<[i16; CODE_TABLE]>; 2],
    other_move: [Box<[i16; CODE_TABLE]>; 2],
}

impl Weights {
    /// The numbers of `variant`, computed at first use and kept.
    pub fn of(variant: Variant) -> &'static Weights {
        static TABLES: [OnceLock<Weights>; 20] = [const { OnceLock::new() }; 20];
        let rule = Rule::ALL.iter().position(|&r| r == variant.rule()).unwrap_or(0);
        let slot = rule * 4 + usize::from(variant.win_length() - 3);
        TABLES[slot].get_or_init(|| Weights::new(variant))
    }

    fn new(variant: Variant) -> Weights {
        let table = || [Box::new([0; CODE_TABLE]), Box::new([0; CODE_TABLE])];
        let infos = || Box::new([CodeInfo::default(); CODE_TABLE]);
        let mut weights =
            Weights { infos: [infos(), infos()], own_move: table(), other_move: table() };
        for side in Side::BOTH {
            let i = side.index();
            for code in 0..CODES {
                let shapes = code::shapes_of(code as u16);
                let level = Level::of(shapes, variant.has_forbidden(side));
                let lines: i32 = shapes.iter().map(|&s| SHAPE[s as usize]).sum();
                let value =
                    if level == Level::Forbidden { 0 } else { lines + LEVEL[level as usize] };
                weights.infos[i][code] = CodeInfo { level: level as u8, value: value as i16 };
                weights.own_move[i][code] = (OWN_MOVE[level as usize] + 2 * lines) as i16;
                weights.other_move[i][code] = (OTHER_MOVE[level as usize] + 2 * lines) as i16;
            }
        }
        weights
    }

    /// Level and value per colour and code.
    pub fn infos(&self) -> &CodeInfos {
        &self.infos
    }

    /// What a move of `side` is worth, for ordering, by the code of its own shapes.
    pub fn own_move(&self, side: Side, code: u16) -> i32 {
        i32::from(self.own_move[side.index()][usize::from(code) % CODE_TABLE])
    }

    /// What a move of `side` is worth, for ordering, by the code of the opponent's shapes there.
    pub fn other_move(&self, side: Side, code: u16) -> i32 {
        i32::from(self.other_move[side.opponent().index()][usize::from(code) % CODE_TABLE])
    }

    /// Worth of having the move, for `side`, in score units.
    pub fn tempo(&self, threats: &ThreatMap, side: Side) -> i32 {
        let own_open =
            threats.count(side, Level::OpenThree) + threats.count(side, Level::OpenThreePlus);
        TEMPO + 2 * (own_open.min(8) as i32)
    }
}
