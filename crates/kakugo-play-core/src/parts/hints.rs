//! A hint, which is shown in steps: a region of the board, the idea, the move.

use kakugo::board::{Board, Point};

use crate::insight::{self, Idea};

/// A hint for the position on the board.
#[derive(Clone, PartialEq, Debug)]
pub struct Hint {
    /// The move.
    pub point: Point,
    /// The corners of the region that contains it.
    pub area: [Point; 2],
    /// Its idea, if it can be put into words.
    pub idea: Option<Idea>,
    /// The latest step that is shown.
    pub step: HintStep,
}

/// A step of a hint.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum HintStep {
    /// The region.
    Area,
    /// The region and the idea.
    Idea,
    /// All.
    Move,
}

impl Hint {
    /// Returns a hint of which the first step is shown, or all of them.
    pub fn new(board: &Board, point: Point, idea: Option<Idea>, all: bool) -> Hint {
        let step = if all { HintStep::Move } else { HintStep::Area };
        Hint { point, area: insight::area_of(board, point), idea, step }
    }

    /// Shows the next step.
    pub fn go_on(&mut self) {
        self.step = match self.step {
            HintStep::Area if self.idea.is_some() => HintStep::Idea,
            _ => HintStep::Move,
        };
    }

    /// Returns the idea, if it is shown.
    pub fn shown_idea(&self) -> Option<&Idea> {
        self.idea.as_ref().filter(|_| self.step >= HintStep::Idea)
    }

    /// Returns the move, if it is shown.
    pub fn shown_point(&self) -> Option<Point> {
        (self.step == HintStep::Move).then_some(self.point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Variant;

    #[test]
    fn each_step_shows_more() {
        let board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let point = Point::new(7, 7).unwrap();
        let mut hint = Hint::new(&board, point, Some(Idea::Quiet), false);
        let shown = |hint: &Hint| (hint.shown_idea().is_some(), hint.shown_point().is_some());
        assert_eq!(shown(&hint), (false, false));
        hint.go_on();
        assert_eq!(shown(&hint), (true, false));
        hint.go_on();
        assert_eq!(shown(&hint), (true, true));
        // Without an idea the move comes second.
        let mut hint = Hint::new(&board, point, None, false);
        hint.go_on();
        assert_eq!(shown(&hint), (false, true));
        assert_eq!(shown(&Hint::new(&board, point, Some(Idea::Quiet), true)), (true, true));
    }
}
