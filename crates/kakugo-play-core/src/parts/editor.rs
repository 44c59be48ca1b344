//! The position editor: a position that is set up beside the game, and its solution.

use kakugo::board::{Board, Outcome, Point, Side, Variant};
use kakugo_record::setup::{Placement, Setup as Start};
use kakugo_record::text::{Text, text};

use crate::commands::TurnJson;
use crate::game::live::LiveGame;
use crate::game::setup::{PlayerKind, Seat, Setup};
use crate::jobs::JobId;
use crate::solving::{Solution, SolveMethod};

/// The largest number of changes that can be undone.
const MAX_UNDO: usize = 100;

/// The position editor, if it is open.
#[derive(Default)]
pub struct Editor {
    open: Option<OpenEditor>,
}

/// An open editor.
pub struct OpenEditor {
    position: EditedPosition,
    before: Vec<EditedPosition>,
    solving: Option<Solving>,
    solution: Option<(SolveMethod, Solution)>,
}

/// A search for a win in the position.
struct Solving {
    job: JobId,
    method: SolveMethod,
    queued: bool,
}

/// A position that is set up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EditedPosition {
    /// Columns.
    pub width: u8,
    /// Rows.
    pub height: u8,
    /// The rule.
    pub variant: Variant,
    /// Stones, blocked points and the side to move.
    pub start: Start,
}

/// A rotation or reflection of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// By 90 degrees to the right.
    Right,
    /// By 90 degrees to the left.
    Left,
    /// Left and right exchanged.
    Mirror,
    /// Top and bottom exchanged.
    Flip,
}

impl From<TurnJson> for Turn {
    fn from(turn: TurnJson) -> Turn {
        match turn {
            TurnJson::Right => Turn::Right,
            TurnJson::Left => Turn::Left,
            TurnJson::Mirror => Turn::Mirror,
            TurnJson::Flip => Turn::Flip,
        }
    }
}

impl EditedPosition {
    /// Returns the position on the board of a game.
    pub fn of_game(game: &LiveGame) -> EditedPosition {
        let board = game.board();
        // A side that the record does not state stays open.
        let start =
            if game.at() == 0 { game.setup().start.clone() } else { Start::of_board(board) };
        let (width, height, variant) = (board.width(), board.height(), board.variant());
        EditedPosition { width, height, variant, start }
    }

    /// Returns the position as a board; `None` if it is not supported.
    pub fn board(&self) -> Option<Board> {
        self.start.board(self.width, self.height, self.variant).ok()
    }

    /// Replaces each point that is set by another, or removes it.
    fn moved(&self, to: impl Fn(Point) -> Option<Point>) -> Start {
        let mut moved = Start::default();
        moved.to_move = self.start.to_move;
        for (p, what) in self.start.placements() {
            if let Some(p) = to(p).filter(|_| what != Placement::Removed) {
                moved.put(p, what);
            }
        }
        moved
    }

    /// Sets the content of a point.
    fn put(&mut self, p: Point, what: Placement) {
        if what == Placement::Removed {
            self.start = self.moved(|q| (q != p).then_some(q));
        } else {
            self.start.put(p, what);
        }
    }

    /// Changes the size. Points keep their names: the bottom left corner stays.
    fn resize(&mut self, width: u8, height: u8) {
        let own = self.height;
        self.start = self.moved(|p| {
            let from_bottom = own.checked_sub(p.y())?;
            let y = height.checked_sub(from_bottom)?;
            Point::new(p.x(), y).filter(|_| p.x() < width)
        });
        (self.width, self.height) = (width, height);
    }

    fn turn(&mut self, turn: Turn) {
        let (right, bottom) = (self.width - 1, self.height - 1);
        self.start = self.moved(|p| match turn {
            Turn::Right => Point::new(bottom - p.y(), p.x()),
            Turn::Left => Point::new(p.y(), right - p.x()),
            Turn::Mirror => Point::new(right - p.x(), p.y()),
            Turn::Flip => Point::new(p.x(), bottom - p.y()),
        });
        if matches!(turn, Turn::Right | Turn::Left) {
            (self.width, self.height) = (self.height, self.width);
        }
    }

    /// Returns the reason why the position cannot be played on; `None` if it can.
    pub fn objection(&self) -> Option<Text> {
        let Some(board) = self.board() else {
            return Some(text!("a stone of the position is off the board"));
        };
        match board.outcome() {
            Outcome::Ongoing => None,
            Outcome::Win(Side::Black) => Some(text!("Black has already won in this position.")),
            Outcome::Win(Side::White) => Some(text!("White has already won in this position.")),
            Outcome::Forbidden(_) => Some(text!("Black has played a forbidden move.")),
            Outcome::Draw => Some(text!("The board is full.")),
        }
    }

    /// Returns a remark if the numbers of stones do not occur in a game.
    pub fn remark(&self) -> Option<Text> {
        let [black, white] = [self.start.black().len(), self.start.white().len()];
        let expected = match self.start.side_to_move() {
            Side::Black => black == white,
            Side::White => black == white + 1,
        };
        (!expected && black + white > 0).then(|| {
            text!("{0} black and {1} white stones: in a game without passes Black has as many as White, or one more.", black, white)
        })
    }
}

impl Editor {
    /// Returns the editor if it is open.
    pub fn open(&self) -> Option<&OpenEditor> {
        self.open.as_ref()
    }

    /// Returns the editor if it is open.
    ///
    /// # Errors
    /// Returns the reason if it is not.
    pub fn opened(&self) -> Result<&OpenEditor, Text> {
        self.open.as_ref().ok_or_else(closed)
    }

    /// Opens the editor with a position. Returns the job that must be stopped.
    pub fn begin(&mut self, position: EditedPosition) -> Option<JobId> {
        if self.open.is_some() {
            return self.change(|known| *known = position).ok().flatten();
        }
        self.open =
            Some(OpenEditor { position, before: Vec::new(), solving: None, solution: None });
        None
    }

    /// Closes the editor. Returns its job, which must be stopped.
    pub fn close(&mut self) -> Option<JobId> {
        self.open.take()?.solving.map(|solving| solving.job)
    }

    /// Changes the position. Returns the job that must be stopped.
    ///
    /// # Errors
    /// Returns the reason if the editor is closed.
    fn change(&mut self, change: impl FnOnce(&mut EditedPosition)) -> Result<Option<JobId>, Text> {
        let open = self.open.as_mut().ok_or_else(closed)?;
        let before = open.position.clone();
        change(&mut open.position);
        if open.position == before {
            return Ok(None);
        }
        open.before.push(before);
        if open.before.len() > MAX_UNDO {
            open.before.remove(0);
        }
        Ok(open.forget_solution())
    }

    /// Sets the content of a point on the board. Returns the job that must be stopped.
    ///
    /// # Errors
    /// Returns the reason if the point is off the board or the editor is closed.
    pub fn put(&mut self, p: Point, what: Placement) -> Result<Option<JobId>, Text> {
        let position = &self.opened()?.position;
        if p.x() >= position.width || p.y() >= position.height {
            return Err(text!("That point is off the board."));
        }
        self.change(|position| position.put(p, what))
    }

    /// Removes all stones and blocked points. Returns the job that must be stopped.
    ///
    /// # Errors
    /// Returns the reason if the editor is closed.
    pub fn clear(&mut self) -> Result<Option<JobId>, Text> {
        self.change(|position| position.start = Start::default())
    }

    /// Changes size and rule. Returns the job that must be stopped.
    ///
    /// # Errors
    /// Returns the reason if the board is not supported or the editor is closed.
    pub fn set_board(
        &mut self,
        width: u8,
        height: u8,
        variant: Variant,
    ) -> Result<Option<JobId>, Text> {
        let setup = Setup { width, height, variant, ..Setup::default() };
        setup.checked(&[]).map_err(|error| error.refusal())?;
        self.change(|position| {
            position.resize(width, height);
            position.variant = variant;
        })
    }

    /// Sets the side to move; `None` leaves it to the numbers of stones. Returns the job that must
    /// be stopped.
    ///
    /// # Errors
    /// Returns the reason if the editor is closed.
    pub fn set_side(&mut self, side: Option<Side>) -> Result<Option<JobId>, Text> {
        self.change(|position| position.start.to_move = side)
    }

    /// Rotates or reflects the board. Returns the job that must be stopped.
    ///
    /// # Errors
    /// Returns the reason if the editor is closed.
    pub fn turn(&mut self, turn: Turn) -> Result<Option<JobId>, Text> {
        self.change(|position| position.turn(turn))
    }

    /// Takes back the latest change. Returns the job that must be stopped.
    ///
    /// # Errors
    /// Returns the reason if there is none or the editor is closed.
    pub fn undo(&mut self) -> Result<Option<JobId>, Text> {
        let open = self.open.as_mut().ok_or_else(closed)?;
        open.position = open.before.pop().ok_or_else(|| text!("There is nothing to take back."))?;
        Ok(open.forget_solution())
    }

    /// Returns the set-up of a game from the position between these players, two humans without.
    ///
    /// # Errors
    /// Returns the reason if it cannot be played or the editor is closed.
    pub fn setup(&self, seats: Option<[Seat; 2]>, engines: &[String]) -> Result<Setup, Text> {
        let EditedPosition { width, height, variant, start } = &self.opened()?.position;
        let human = || Seat { player: PlayerKind::Human, name: String::new() };
        let setup = Setup {
            width: *width,
            height: *height,
            variant: *variant,
            start: start.clone(),
            seats: seats.unwrap_or_else(|| [human(), human()]),
            ..Setup::default()
        };
        setup.checked(engines).map_err(|error| error.refusal())
    }

    /// Starts to solve the position, in this job. Returns the board, and the job before that must
    /// be stopped.
    ///
    /// # Errors
    /// Returns the reason if the game is over in the position or the editor is closed.
    pub fn solve(
        &mut self,
        job: JobId,
        method: SolveMethod,
    ) -> Result<(Board, Option<JobId>), Text> {
        let open = self.open.as_mut().ok_or_else(closed)?;
        if let Some(why) = open.position.objection() {
            return Err(why);
        }
        let off = || text!("a stone of the position is off the board");
        let board = open.position.board().ok_or_else(off)?;
        let before = open.forget_solution();
        open.solving = Some(Solving { job, method, queued: false });
        Ok((board, before))
    }

    /// Stops to solve the position. Returns the job that must be stopped.
    pub fn stop_solving(&mut self) -> Option<JobId> {
        self.open.as_mut()?.solving.take().map(|solving| solving.job)
    }

    /// Returns the job that solves the position.
    pub fn job(&self) -> Option<JobId> {
        self.open.as_ref()?.solving.as_ref().map(|solving| solving.job)
    }

    /// Sets whether the job waits for a search thread.
    pub fn set_queued(&mut self, queued: bool) {
        if let Some(solving) = self.open.as_mut().and_then(|open| open.solving.as_mut()) {
            solving.queued = queued;
        }
    }

    /// The job has ended with this solution; `None` if it has failed.
    pub fn solved(&mut self, solution: Option<Solution>) {
        let Some(open) = &mut self.open else { return };
        if let Some(solving) = open.solving.take() {
            open.solution = solution.map(|solution| (solving.method, solution));
        }
    }

    /// Checks the invariants.
    ///
    /// # Panics
    /// If one does not hold.
    pub fn check_invariants(&self) {
        let Some(open) = &self.open else { return };
        assert!(open.position.board().is_some(), "{:?}", open.position);
        assert!(open.position.start.removed().is_empty());
        assert!(open.before.len() <= MAX_UNDO);
        assert!(open.solving.is_none() || open.solution.is_none());
    }
}

impl OpenEditor {
    /// Returns the position.
    pub fn position(&self) -> &EditedPosition {
        &self.position
    }

    /// Returns true if a change can be taken back.
    pub fn can_undo(&self) -> bool {
        !self.before.is_empty()
    }

    /// Returns the method of the search under way, and true if it waits for a search thread.
    pub fn solving(&self) -> Option<(SolveMethod, bool)> {
        self.solving.as_ref().map(|solving| (solving.method, solving.queued))
    }

    /// Returns the solution with its method.
    pub fn solution(&self) -> Option<&(SolveMethod, Solution)> {
        self.solution.as_ref()
    }

    /// Forgets the solution. Returns the job that must be stopped.
    fn forget_solution(&mut self) -> Option<JobId> {
        self.solution = None;
        self.solving.take().map(|solving| solving.job)
    }
}

fn closed() -> Text {
    text!("The position editor is closed.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo_record::pos::{self, RowOrder};

    fn point(name: &str, height: u8) -> Point {
        pos::read(name, height, RowOrder::FromBottom).unwrap()[0]
    }

    fn editor() -> Editor {
        let mut editor = Editor::default();
        let game = LiveGame::new(Setup::default().checked(&[]).unwrap());
        assert_eq!(editor.begin(EditedPosition::of_game(&game)), None);
        editor
    }

    fn stones(editor: &Editor) -> String {
        let EditedPosition { height, start, .. } = editor.open().unwrap().position();
        let write =
            |points: &[Point]| pos::write(points.iter().copied(), *height, RowOrder::FromBottom);
        format!("{}/{}/{}", write(start.black()), write(start.white()), write(start.blocked()))
    }

    #[test]
    fn stones_are_set_removed_turned_and_kept_by_name() {
        let mut editor = editor();
        let black = Placement::Stone(Side::Black);
        editor.put(point("a1", 15), black).unwrap();
        editor.put(point("c2", 15), Placement::Stone(Side::White)).unwrap();
        editor.put(point("o15", 15), Placement::Blocked).unwrap();
        assert_eq!(stones(&editor), "a1/c2/o15");
        editor.turn(Turn::Right).unwrap();
        assert_eq!(stones(&editor), "a15/b13/o1");
        editor.turn(Turn::Left).unwrap();
        editor.turn(Turn::Mirror).unwrap();
        assert_eq!(stones(&editor), "o1/m2/a15");
        editor.turn(Turn::Flip).unwrap();
        assert_eq!(stones(&editor), "o15/m14/a1");
        editor.undo().unwrap();
        editor.undo().unwrap();
        // A smaller board keeps the names of its points.
        editor.set_board(12, 9, Variant::RENJU).unwrap();
        assert_eq!(stones(&editor), "a1/c2/");
        editor.set_board(15, 15, Variant::RENJU).unwrap();
        assert_eq!(stones(&editor), "a1/c2/");
        editor.put(point("c2", 15), Placement::Removed).unwrap();
        assert_eq!(stones(&editor), "a1//");
        editor.clear().unwrap();
        assert_eq!(stones(&editor), "//");
        for _ in 0..4 {
            editor.undo().unwrap();
        }
        assert_eq!(stones(&editor), "a1/c2/o15");
        assert!(editor.set_board(2, 15, Variant::RENJU).is_err());
        assert!(editor.set_board(4, 4, Variant::RENJU).is_err());
        assert!(editor.put(Point::new(15, 0).unwrap(), black).is_err());
        editor.check_invariants();
        assert!(editor.close().is_none() && editor.undo().is_err());
    }

    #[test]
    fn the_side_to_move_follows_from_the_stones_until_it_is_chosen() {
        let mut editor = editor();
        let side = |editor: &Editor| editor.open().unwrap().position().start.side_to_move();
        editor.put(point("h8", 15), Placement::Stone(Side::Black)).unwrap();
        assert_eq!(side(&editor), Side::White);
        assert!(editor.open().unwrap().position().remark().is_none());
        editor.set_side(Some(Side::Black)).unwrap();
        assert_eq!(side(&editor), Side::Black);
        assert!(editor.open().unwrap().position().remark().is_some());
        editor.set_side(None).unwrap();
        assert_eq!(side(&editor), Side::White);
    }

    #[test]
    fn positions_that_are_over_are_not_solved() {
        let mut editor = editor();
        for name in ["a1", "b1", "c1", "d1", "e1"] {
            assert!(editor.open().unwrap().position().objection().is_none());
            editor.put(point(name, 15), Placement::Stone(Side::White)).unwrap();
        }
        let why = editor.solve(JobId(1), SolveMethod::Fours).unwrap_err();
        assert_eq!(why.to_string(), "White has already won in this position.");
        editor.put(point("c1", 15), Placement::Removed).unwrap();
        assert!(editor.solve(JobId(1), SolveMethod::Fours).unwrap().1.is_none());
        // A change of the position stops it.
        assert_eq!(editor.put(point("c2", 15), Placement::Blocked), Ok(Some(JobId(1))));
        assert_eq!(editor.job(), None);
    }
}
