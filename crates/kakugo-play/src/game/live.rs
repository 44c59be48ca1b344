//! A game under way: a tree of moves, a line in it that is looked at, and a place on that line.
//! Whose turn it is stands in `turns`, what the clocks show in `time`.
//!
//! Undo and redo move the place along the line. A new step grows the tree and takes the line with it:
//! what was played before stays as another branch. Everything else (board, choices, colours, time
//! used) follows from the steps before the place.

use std::time::{Duration, Instant};

use kakugo::board::{Board, Outcome, Point, Side};
use kakugo_record::analysis::review::{EvaluatedPosition, Review, turning_points};
use kakugo_record::game_tree::Note;
use kakugo_record::tree::{NodeId, Tree};

use super::clock::MoveClock;
use super::date::today;
use super::end::{End, Forfeit, Told};
use super::error::{GameError, Spot};
use super::opening::OpeningChoice;
use super::setup::{Seat, Setup};

/// One thing that a player did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// What was done.
    pub action: Action,
    /// By which seat.
    pub seat: usize,
    /// How long it took.
    pub spent: Duration,
}

/// What a player can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Place a stone.
    Stone(Point),
    /// Choose a colour, or to place more.
    Choose(OpeningChoice),
}

/// A node of the game's tree.
#[derive(Clone, Default, Debug)]
pub struct Moment {
    /// What was done; `None` at the root.
    pub step: Option<Step>,
    /// What is remarked about it.
    pub note: Note,
    /// Who lost here away from the board, and how.
    pub forfeit: Option<(Side, Forfeit)>,
    /// Time spent on the move that was to follow when other moves were looked at.
    pub(super) waited: Duration,
    /// What a review says of the position after the stone, or of the empty board.
    pub judged: Option<Box<EvaluatedPosition>>,
}

/// What a record told of the game that the moves do not tell.
#[derive(Clone, Default, Debug)]
pub struct About {
    /// Name of the event.
    pub event: String,
    /// Round within the event.
    pub round: String,
    /// `YYYY-MM-DD`.
    pub date: String,
    /// How it ended, if the board does not show it.
    pub end: Option<Told>,
}

/// A game under way.
#[derive(Clone, Debug)]
pub struct LiveGame {
    pub(super) setup: Setup,
    pub(super) about: About,
    pub(super) tree: Tree<Moment>,
    /// From below the root to the end of the line that is looked at.
    pub(super) line: Vec<NodeId>,
    pub(super) at: usize,
    pub(super) board: Board,
    pub(super) clock: MoveClock,
}

impl LiveGame {
    /// A new game; the set-up must have been checked.
    pub fn new(setup: Setup) -> LiveGame {
        let board = empty_board(&setup);
        LiveGame {
            setup,
            about: About { date: today(), ..About::default() },
            tree: Tree::new(Moment::default()),
            line: Vec::new(),
            at: 0,
            board,
            clock: MoveClock::default(),
        }
    }

    /// A game that begins with these moves, which must be legal up to the end of the game.
    pub fn with_moves(setup: Setup, moves: &[Point]) -> Result<LiveGame, (usize, GameError)> {
        let mut game = LiveGame::new(setup);
        for (number, &p) in moves.iter().enumerate() {
            // A record shows what was played, forbidden or not.
            let seat = game.seat_of(game.board.side_to_move());
            let played = match game.end() {
                Some(_) => Err(GameError::Over),
                None => game.place(p, seat, Duration::ZERO),
            };
            played.map_err(|refusal| (number, refusal))?;
        }
        Ok(game)
    }

    /// What was agreed.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Change the players' seats in a running game.
    pub fn set_seats(&mut self, seats: [Seat; 2]) {
        self.setup.seats = seats;
    }

    /// Change how long a computer may think where there are no clocks.
    pub fn set_thought(&mut self, thought: Duration) {
        self.setup.thought = thought;
    }

    /// The day on which it was played; empty where unknown.
    pub fn date(&self) -> &str {
        &self.about.date
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// All moves with their variations.
    pub fn tree(&self) -> &Tree<Moment> {
        &self.tree
    }

    /// The nodes of the line that is looked at, those that could be redone included.
    pub fn nodes(&self) -> &[NodeId] {
        &self.line
    }

    /// The node of the position.
    pub fn node(&self) -> NodeId {
        self.at.checked_sub(1).map_or(NodeId::ROOT, |last| self.line[last])
    }

    /// The steps of the line, those that could be redone included.
    pub fn steps(&self) -> Vec<Step> {
        self.line.iter().filter_map(|&node| self.tree.value(node).step).collect()
    }

    /// The steps up to the position.
    pub(super) fn played(&self) -> impl DoubleEndedIterator<Item = Step> + '_ {
        self.line[..self.at].iter().filter_map(|&node| self.tree.value(node).step)
    }

    /// The stone of a node, if it is one.
    pub fn stone(&self, node: NodeId) -> Option<Point> {
        match self.tree.value(node).step?.action {
            Action::Stone(p) => Some(p),
            Action::Choose(_) => None,
        }
    }

    /// The nodes of the line's stones.
    pub fn stone_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.line.iter().copied().filter(|&node| self.stone(node).is_some())
    }

    /// The stones of the line, those that could be redone included.
    pub fn line(&self) -> impl Iterator<Item = Point> + '_ {
        self.line.iter().filter_map(|&node| self.stone(node))
    }

    /// The nodes of the line's positions: the root and those of its stones.
    pub fn positions(&self) -> Vec<NodeId> {
        std::iter::once(NodeId::ROOT).chain(self.stone_nodes()).collect()
    }

    /// Keep what a review says of a node's position; whether there is such a node.
    pub fn judge(&mut self, node: NodeId, judged: Option<EvaluatedPosition>) -> bool {
        let known = self.tree.contains(node);
        if known {
            self.tree.value_mut(node).judged = judged.map(Box::new);
        }
        known
    }

    /// The review of the line of these positions, as far as they are judged from the beginning.
    pub fn review_of(&self, nodes: &[NodeId]) -> Review {
        let judged = nodes.iter().map_while(|&node| self.tree.value(node).judged.as_deref());
        let positions: Vec<EvaluatedPosition> = judged.cloned().collect();
        let moves: Vec<Point> = nodes.iter().filter_map(|&node| self.stone(node)).collect();
        Review { turning_points: turning_points(&moves, &positions), positions }
    }

    /// The positions of the line that is looked at, or of the main line if more of that are judged.
    pub fn reviewed_positions(&self) -> Vec<NodeId> {
        let main = self.tree.main_line(NodeId::ROOT).filter(|&node| self.stone(node).is_some());
        let main = std::iter::once(NodeId::ROOT).chain(main).collect::<Vec<_>>();
        let judged = |nodes: &[NodeId]| {
            nodes.iter().take_while(|&&node| self.tree.value(node).judged.is_some()).count()
        };
        let shown = self.positions();
        if judged(&main) > judged(&shown) { main } else { shown }
    }

    /// Stones of the line that were placed for the other to choose a colour, or to be given one.
    pub fn given_stones(&self) -> usize {
        let chosen = |step: &Step| match step.action {
            Action::Choose(choice) => Some(choice),
            Action::Stone(_) => None,
        };
        let more = self.steps().iter().filter_map(chosen).any(|c| c == OpeningChoice::More);
        match (self.setup.opening.swaps(), more) {
            (false, _) => 0,
            (true, false) => 3,
            (true, true) => 5,
        }
    }

    /// Number of steps played.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Whether there are steps to play again.
    pub fn can_redo(&self) -> bool {
        self.at < self.line.len()
    }

    /// How the game ended; `None` while it goes on.
    pub fn end(&self) -> Option<End> {
        self.end_at(&self.board, self.node())
    }

    /// How the record of the game says that it ended with the position; `None` where the game was
    /// played on, and where a computer is to do so. Such a game can be played on.
    pub fn told_end(&self) -> Option<End> {
        let is_computer = self.setup.seats[self.turn()].player.is_computer();
        if is_computer || self.end().is_some() { None } else { self.told_of(self.node()) }
    }

    /// The end that the record tells of a node, if it is still that of the main line.
    fn told_of(&self, node: NodeId) -> Option<End> {
        let told = self.told().filter(|told| told.tip == node)?;
        (self.main_tip() == node).then(|| told.end())
    }

    fn end_at(&self, board: &Board, node: NodeId) -> Option<End> {
        match board.outcome() {
            Outcome::Win(side) => return Some(End::Row(side)),
            Outcome::Forbidden(foul) => return Some(End::Foul(foul)),
            Outcome::Draw => return Some(End::Full),
            Outcome::Ongoing => {}
        }
        let (loser, how) = self.tree.value(node).forfeit.as_ref()?;
        Some(End::Forfeit(*loser, how.clone()))
    }

    /// The end of the main line.
    pub fn main_tip(&self) -> NodeId {
        self.tree.main_line(NodeId::ROOT).last().unwrap_or(NodeId::ROOT)
    }

    /// How the main line ends, by what its record says, too; `None` if it goes on.
    pub fn main_end(&self) -> Option<End> {
        let mut board = empty_board(&self.setup);
        for p in self.tree.main_line(NodeId::ROOT).filter_map(|node| self.stone(node)) {
            board.play(p).expect("a stone that was played before");
        }
        let told = || self.told().filter(|told| self.is_on_main_line(told.tip));
        self.end_at(&board, self.main_tip()).or_else(|| told().map(Told::end))
    }

    /// What the record of the game says of its end.
    pub(super) fn told(&self) -> Option<&Told> {
        self.about.end.as_ref()
    }

    /// Whether the main line leads through a node.
    fn is_on_main_line(&self, node: NodeId) -> bool {
        node == NodeId::ROOT || self.tree.main_line(NodeId::ROOT).any(|on_line| on_line == node)
    }

    /// Why a stone may not be placed on `p` now.
    pub fn objection(&self, p: Point) -> Option<GameError> {
        let spot = self.spot(p);
        if self.end().is_some() {
            return Some(GameError::Over);
        }
        if !self.choices_offered().is_empty() {
            return Some(GameError::ChooseFirst);
        }
        if let Err(error) = self.board.clone().play(p) {
            return Some(GameError::Board(error, spot));
        }
        if let Some(why) = self.setup.opening.objects_to(&self.board, p) {
            return Some(GameError::Opening(why));
        }
        let side = self.board.side_to_move();
        let foul = self.board.foul(p, side).filter(|_| !self.board.makes_five(p, side))?;
        // Where nothing else is left, a forbidden point may be played: it loses.
        let free = |q: Point| self.board.foul(q, side).is_none();
        self.board.empty_points().any(free).then_some(GameError::Forbidden(foul, spot))
    }

    /// Place a stone of the player to move.
    pub fn play(&mut self, p: Point, now: Instant) -> Result<(), GameError> {
        match self.objection(p) {
            Some(refusal) => Err(refusal),
            None => self.play_forbidden_too(p, now),
        }
    }

    /// As [`LiveGame::play`], but a forbidden point is played and loses, as it does for engines.
    pub fn play_forbidden_too(&mut self, p: Point, now: Instant) -> Result<(), GameError> {
        match self.objection(p) {
            Some(GameError::Forbidden(..)) | None => {
                let spent = self.clock.take(now);
                self.place(p, self.turn(), spent)
            }
            Some(refusal) => Err(refusal),
        }
    }

    /// Choose in a swap opening.
    pub fn choose(&mut self, choice: OpeningChoice, now: Instant) -> Result<(), GameError> {
        if self.end().is_some() {
            return Err(GameError::Over);
        }
        if !self.choices_offered().contains(&choice) {
            return Err(GameError::NoChoice);
        }
        let spent = self.clock.take(now);
        self.push(Step { action: Action::Choose(choice), seat: self.turn(), spent });
        Ok(())
    }

    fn place(&mut self, p: Point, seat: usize, spent: Duration) -> Result<(), GameError> {
        let spot = self.spot(p);
        self.board.play(p).map_err(|error| GameError::Board(error, spot))?;
        self.push(Step { action: Action::Stone(p), seat, spent });
        Ok(())
    }

    fn spot(&self, point: Point) -> Spot {
        Spot { point, height: self.board.height() }
    }

    /// Go one step on: along a branch that begins so, or along a new one.
    fn push(&mut self, step: Step) {
        let here = self.node();
        let same = |&node: &NodeId| {
            self.tree.value(node).step.is_some_and(|known| known.action == step.action)
        };
        let known = self.tree.children(here).find(same);
        let next = known.unwrap_or_else(|| {
            self.tree.add(here, Moment { step: Some(step), ..Moment::default() })
        });
        let moment = self.tree.value_mut(next);
        // Whoever plays to where the game was lost away from the board plays on.
        (moment.step, moment.forfeit, moment.waited) = (Some(step), None, Duration::ZERO);
        self.tree.value_mut(here).waited = Duration::ZERO;
        if self.line.get(self.at) != Some(&next) {
            self.line.truncate(self.at);
            self.line.push(next);
            self.line.extend(self.tree.main_line(next));
        }
        self.at += 1;
        self.settle_main_line();
    }

    /// A line in which the game has ended takes the place of one in which it has not.
    fn settle_main_line(&mut self) {
        if self.end().is_none() || self.main_end().is_some() {
            return;
        }
        while self.tree.promote(self.node()) {}
    }

    /// Whether something can be taken back: a step, or an end before the first.
    pub fn can_undo(&self) -> bool {
        self.at > 0 || self.tree.value(NodeId::ROOT).forfeit.is_some()
    }

    /// Take back up to `count` steps; tells how many.
    pub fn undo(&mut self, count: usize, now: Instant) -> Result<usize, GameError> {
        if !self.can_undo() {
            return Err(GameError::NothingToUndo);
        }
        self.depart(now);
        if self.at == 0 {
            // There is no step before to go back to, where the game goes on.
            let root = self.tree.value_mut(NodeId::ROOT);
            (root.forfeit, root.waited) = (None, Duration::ZERO);
        }
        let to = self.at.saturating_sub(count);
        let undone = self.at - to;
        self.jump(to);
        Ok(undone)
    }

    /// Play up to `count` steps again; tells how many.
    pub fn redo(&mut self, count: usize, now: Instant) -> Result<usize, GameError> {
        if !self.can_redo() {
            return Err(GameError::NothingToRedo);
        }
        let to = self.at.saturating_add(count).min(self.line.len());
        let redone = to - self.at;
        self.depart(now);
        self.jump(to);
        Ok(redone)
    }

    /// Go to the position after `ply` stones (or as many as there are).
    pub fn go_to(&mut self, ply: usize, now: Instant) {
        let mut stones = 0;
        let mut to = 0;
        for (i, &node) in self.line.iter().enumerate() {
            stones += usize::from(self.stone(node).is_some());
            if stones > ply {
                break;
            }
            to = i + 1;
        }
        self.depart(now);
        self.jump(to);
    }

    /// Go to a node of any variation.
    pub fn go_to_node(&mut self, node: NodeId, now: Instant) -> Result<(), GameError> {
        if !self.tree.contains(node) {
            return Err(GameError::NoSuchMove);
        }
        self.depart(now);
        let path = self.tree.path(node);
        let to = path.len();
        if !self.line.starts_with(&path) {
            self.line = path;
            self.line.extend(self.tree.main_line(node));
        }
        self.jump(to);
        Ok(())
    }

    /// Let the variation that holds a node take the place of the line that it departs from.
    pub fn promote(&mut self, node: NodeId) -> Result<(), GameError> {
        if !self.tree.contains(node) {
            return Err(GameError::NoSuchMove);
        }
        if self.tree.promote(node) { Ok(()) } else { Err(GameError::MainLine) }
    }

    /// Delete a move and all that follows it.
    pub fn delete(&mut self, node: NodeId, now: Instant) -> Result<(), GameError> {
        if node == NodeId::ROOT || !self.tree.contains(node) {
            return Err(GameError::NoSuchMove);
        }
        self.depart(now);
        self.tree.delete(node);
        let from = self.line.iter().position(|&on_line| on_line == node);
        if let Some(from) = from {
            self.line.truncate(from);
            let end = self.line.last().copied().unwrap_or(NodeId::ROOT);
            self.line.extend(self.tree.main_line(end));
        }
        self.jump(from.map_or(self.at, |from| self.at.min(from)));
        Ok(())
    }

    /// Write a comment at a node; nothing takes it away.
    pub fn comment(&mut self, node: NodeId, text: &str) -> Result<(), GameError> {
        if !self.tree.contains(node) {
            return Err(GameError::NoSuchMove);
        }
        text.clone_into(&mut self.tree.value_mut(node).note.comment);
        Ok(())
    }

    /// Do what a computer decided, whose seat is to move. It forfeits if its time is up or what it
    /// wants cannot be done.
    pub fn carry_out(&mut self, decided: Result<Vec<Action>, String>, now: Instant) {
        let seat = self.turn();
        if self.check_flag(now) {
            return;
        }
        let done = decided.and_then(|actions| {
            if actions.is_empty() {
                return Err("no move".to_owned());
            }
            actions.into_iter().try_for_each(|action| self.act(action, now)).map_err(|refusal| {
                match refusal {
                    GameError::Board(..) => "a move that cannot be played".to_owned(),
                    refusal => refusal.to_string().trim_end_matches('.').to_owned(),
                }
            })
        });
        if let Err(story) = done {
            let _ = self.forfeit(seat, Forfeit::Failed(story), now);
        }
    }

    fn act(&mut self, action: Action, now: Instant) -> Result<(), GameError> {
        match action {
            Action::Stone(p) => self.play_forbidden_too(p, now),
            Action::Choose(choice) => self.choose(choice, now),
        }
    }

    /// The position is left: what was spent on the move in hand waits for the return.
    fn depart(&mut self, now: Instant) {
        let (here, spent) = (self.node(), self.clock.take(now));
        self.tree.value_mut(here).waited = spent;
    }

    /// Go to a place on the line.
    fn jump(&mut self, to: usize) {
        self.at = to.min(self.line.len());
        self.board = empty_board(&self.setup);
        for &node in &self.line[..self.at] {
            if let Some(p) = self.stone(node) {
                self.board.play(p).expect("a stone that was played before");
            }
        }
        self.clock.resume(self.tree.value(self.node()).waited);
    }

    /// In a node of a game that was kept, `loser` has lost away from the board.
    pub fn restore_forfeit(&mut self, node: NodeId, loser: Side, how: Forfeit) {
        if self.tree.contains(node) {
            self.tree.value_mut(node).forfeit = Some((loser, how));
        }
    }

    /// The player on `seat` loses away from the board.
    pub fn forfeit(&mut self, seat: usize, how: Forfeit, now: Instant) -> Result<(), GameError> {
        if self.end().or_else(|| self.told_end()).is_some() {
            return Err(GameError::Over);
        }
        let (here, loser) = (self.node(), self.side_of(seat));
        self.tree.value_mut(here).forfeit = Some((loser, how));
        self.settle_main_line();
        self.clock.hold(now);
        Ok(())
    }
}

pub(super) fn empty_board(setup: &Setup) -> Board {
    Board::new(setup.width, setup.height, setup.variant).expect("a checked set-up")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::game::setup::PlayerKind;
    use kakugo::board::Variant;

    pub fn setup(change: impl FnOnce(&mut Setup)) -> Setup {
        let seats =
            ["Ann", "Bob"].map(|name| Seat { player: PlayerKind::Human, name: name.to_owned() });
        let mut setup = Setup { seats, ..Setup::default() };
        change(&mut setup);
        setup.checked(&[]).unwrap()
    }

    pub fn at(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    #[test]
    fn a_new_move_in_the_past_makes_a_variation() {
        let now = Instant::now();
        let mut game = LiveGame::new(setup(|_| {}));
        for p in [at(0, 0), at(1, 1), at(2, 2)] {
            game.play(p, now).unwrap();
        }
        assert_eq!(game.undo(9, now), Ok(3));
        assert_eq!(game.undo(1, now), Err(GameError::NothingToUndo));
        assert_eq!(game.redo(2, now), Ok(2));
        assert_eq!(game.board().ply(), 2);
        game.play(at(5, 5), now).unwrap();
        assert_eq!(game.redo(1, now), Err(GameError::NothingToRedo));
        assert_eq!(game.line().collect::<Vec<_>>(), [at(0, 0), at(1, 1), at(5, 5)]);
        game.go_to(1, now);
        assert_eq!((game.board().ply(), game.line().count()), (1, 3));
        // What was played before is still there, and is the main line.
        let old = game.tree().main_line(NodeId::ROOT).last().unwrap();
        game.go_to_node(old, now).unwrap();
        assert_eq!(game.line().collect::<Vec<_>>(), [at(0, 0), at(1, 1), at(2, 2)]);
        // Played again, a move is the one that is there already.
        game.go_to(2, now);
        game.play(at(5, 5), now).unwrap();
        assert_eq!((game.tree().count(), game.line().count()), (5, 3));
        game.promote(game.node()).unwrap();
        assert_eq!(game.promote(game.node()), Err(GameError::MainLine));
        assert_eq!(game.main_tip(), game.node());
        game.delete(old, now).unwrap();
        assert_eq!(game.go_to_node(old, now), Err(GameError::NoSuchMove));
        assert_eq!((game.tree().count(), game.board().ply()), (4, 3));
        let first = game.nodes()[0];
        game.delete(first, now).unwrap();
        assert_eq!((game.tree().count(), game.board().ply(), game.nodes().len()), (1, 0, 0));
    }

    #[test]
    fn the_line_in_which_the_game_ended_becomes_the_main_line() {
        let now = Instant::now();
        let mut game = LiveGame::new(setup(|_| {}));
        for p in [at(0, 0), at(1, 1), at(2, 2), at(3, 3)] {
            game.play(p, now).unwrap();
        }
        game.undo(2, now).unwrap();
        game.play(at(9, 9), now).unwrap();
        assert_ne!(game.main_tip(), game.node());
        game.forfeit(1, Forfeit::Resigned, now).unwrap();
        assert_eq!(game.main_tip(), game.node());
        assert!(game.main_end().is_some());
        // Another end, in a variation, leaves it so.
        let end = game.main_tip();
        game.undo(1, now).unwrap();
        game.play(at(8, 8), now).unwrap();
        game.forfeit(1, Forfeit::Resigned, now).unwrap();
        assert_eq!(game.main_tip(), end);
    }

    #[test]
    fn resigning_in_the_past_deletes_nothing() {
        let now = Instant::now();
        let mut game = LiveGame::new(setup(|_| {}));
        for p in [at(0, 0), at(1, 1), at(2, 2)] {
            game.play(p, now).unwrap();
        }
        game.undo(1, now).unwrap();
        game.forfeit(0, Forfeit::Resigned, now).unwrap();
        assert!(game.end().is_some());
        assert_eq!(game.redo(1, now), Ok(1));
        assert_eq!((game.end(), game.board().ply()), (None, 3));
    }

    #[test]
    fn resigning_ends_the_game_until_it_is_taken_back() {
        let now = Instant::now();
        let mut game = LiveGame::new(setup(|_| {}));
        game.play(at(7, 7), now).unwrap();
        game.forfeit(1, Forfeit::Resigned, now).unwrap();
        assert_eq!(game.end().and_then(|end| end.winner()), Some(Side::Black));
        assert_eq!(game.play(at(8, 8), now), Err(GameError::Over));
        assert_eq!(game.forfeit(0, Forfeit::Resigned, now), Err(GameError::Over));
        game.undo(1, now).unwrap();
        assert_eq!(game.end(), None);
        game.redo(1, now).unwrap();
        assert!(game.end().is_some());
        // Played again, the move takes it back.
        game.undo(1, now).unwrap();
        game.play(at(7, 7), now).unwrap();
        assert_eq!((game.end(), game.main_end()), (None, None));
        game.play(at(8, 8), now).unwrap();
    }

    #[test]
    fn resigning_before_the_first_move_is_taken_back_too() {
        let now = Instant::now();
        let mut game = LiveGame::new(setup(|_| {}));
        game.forfeit(0, Forfeit::Resigned, now).unwrap();
        assert!(game.end().is_some() && game.can_undo());
        assert_eq!(game.undo(1, now), Ok(0));
        assert_eq!((game.end(), game.can_undo()), (None, false));
        assert_eq!(game.undo(1, now), Err(GameError::NothingToUndo));
        game.play(at(7, 7), now).unwrap();
    }

    #[test]
    fn where_only_forbidden_points_are_left_one_may_be_played_and_loses() {
        let now = Instant::now();
        let mut game = LiveGame::new(setup(|setup| {
            setup.variant = Variant::RENJU;
            (setup.width, setup.height) = (6, 3);
        }));
        // Only the point between Black's stones in the lowest row is left: six in a row.
        let black = [(0, 2), (1, 2), (3, 2), (4, 2), (0, 0), (1, 0), (5, 2), (3, 0), (4, 0)];
        let white = [(2, 0), (0, 1), (1, 1), (2, 1), (4, 1), (5, 1), (5, 0), (3, 1)];
        let filler = black.iter().zip(white.iter().map(Some).chain([None]));
        for (&(bx, by), reply) in filler {
            game.place(at(bx, by), 0, Duration::ZERO).unwrap();
            if let Some(&(wx, wy)) = reply {
                game.place(at(wx, wy), 1, Duration::ZERO).unwrap();
            }
        }
        let overline = at(2, 2);
        assert_eq!(game.board().empty_points().collect::<Vec<_>>(), [overline]);
        game.board.set_side_to_move(Side::Black);
        assert_eq!(game.objection(overline), None);
        game.play(overline, now).unwrap();
        assert!(matches!(game.end(), Some(End::Foul(_))), "{:?}", game.end());
    }
}
