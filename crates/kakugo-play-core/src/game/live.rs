//! A game under way: a tree of moves, the line on the board, and the current position on that line. The
//! turn is determined in `turns`, the clocks in [`clocks`](super::clocks).
//!
//! Undo and redo move along the line. A new step is added to the tree, and the line continues with it:
//! the earlier moves stay as a variation. Everything else (board, choices, colours, time used) follows
//! from the steps up to the position.

use std::time::Duration;

use kakugo::board::{Board, Outcome, Point, Side};
use kakugo_record::analysis::review::{EvaluatedPosition, Review, turning_points};
use kakugo_record::game_tree::Note;
use kakugo_record::tree::{NodeId, Tree};

use super::end::{End, Forfeit, RecordedEnd};
use super::error::{GameError, Spot};
use super::move_clock::MoveClock;
use super::opening::OpeningChoice;
use super::setup::{Seat, Setup};
use crate::now::Time;

/// An action of a player, with its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The action.
    pub action: Action,
    /// The seat.
    pub seat: usize,
    /// The time spent on it.
    pub spent: Duration,
}

/// An action of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Place a stone.
    Stone(Point),
    /// Choose a colour, or to place more.
    Choose(OpeningChoice),
}

/// A node of the game's tree.
#[derive(Clone, Default, Debug)]
pub struct GameNode {
    /// The step; `None` at the root.
    pub step: Option<Step>,
    /// Comment, signs and other properties.
    pub note: Note,
    /// The loser, if the game ended here away from the board.
    pub forfeit: Option<(Side, Forfeit)>,
    /// Time spent on the next move before other moves were looked at.
    pub(super) waited: Duration,
    /// The review of the position after the stone, or of the empty board.
    pub review: Option<Box<EvaluatedPosition>>,
}

/// Information from the record of a game.
#[derive(Clone, Default, Debug)]
pub struct GameInfo {
    /// Name of the event.
    pub event: String,
    /// Round within the event.
    pub round: String,
    /// `YYYY-MM-DD`.
    pub date: String,
    /// The end, if the board does not show it.
    pub end: Option<RecordedEnd>,
}

/// A game under way.
#[derive(Clone, Debug)]
pub struct LiveGame {
    pub(super) setup: Setup,
    pub(super) info: GameInfo,
    pub(super) tree: Tree<GameNode>,
    /// The line on the board, without the root.
    pub(super) line: Vec<NodeId>,
    pub(super) at: usize,
    pub(super) board: Board,
    pub(super) clock: MoveClock,
}

impl LiveGame {
    /// Returns a new game. The set-up must have been checked.
    pub fn new(setup: Setup) -> LiveGame {
        let board = empty_board(&setup);
        LiveGame {
            setup,
            info: GameInfo::default(),
            tree: Tree::new(GameNode::default()),
            line: Vec::new(),
            at: 0,
            board,
            clock: MoveClock::default(),
        }
    }

    /// Returns the game as played on this date, `YYYY-MM-DD`.
    pub fn with_date(mut self, date: String) -> LiveGame {
        self.info.date = date;
        self
    }

    /// Returns a game that starts with these moves. The error has the index of a move that is not legal.
    pub fn with_moves(setup: Setup, moves: &[Point]) -> Result<LiveGame, (usize, GameError)> {
        let mut game = LiveGame::new(setup);
        for (number, &p) in moves.iter().enumerate() {
            // A record may contain forbidden moves.
            let seat = game.seat_of(game.board.side_to_move());
            let played = match game.end() {
                Some(_) => Err(GameError::Over),
                None => game.place(p, seat, Duration::ZERO),
            };
            played.map_err(|refusal| (number, refusal))?;
        }
        Ok(game)
    }

    /// Returns the set-up.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Changes the players.
    pub fn set_seats(&mut self, seats: [Seat; 2]) {
        self.setup.seats = seats;
    }

    /// Changes the thinking time of computers if there are no clocks.
    pub fn set_thought(&mut self, thought: Duration) {
        self.setup.thought = thought;
    }

    /// Returns the date of the game; empty if unknown.
    pub fn date(&self) -> &str {
        &self.info.date
    }

    /// Returns the position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns all moves with their variations.
    pub fn tree(&self) -> &Tree<GameNode> {
        &self.tree
    }

    /// Returns the nodes of the line, including those that can be redone.
    pub fn nodes(&self) -> &[NodeId] {
        &self.line
    }

    /// Returns the node of the position.
    pub fn node(&self) -> NodeId {
        self.at.checked_sub(1).map_or(NodeId::ROOT, |last| self.line[last])
    }

    /// Returns the steps of the line, including those that can be redone.
    pub fn steps(&self) -> Vec<Step> {
        self.line.iter().filter_map(|&node| self.tree.value(node).step).collect()
    }

    /// Returns the steps up to the position.
    pub(super) fn played(&self) -> impl DoubleEndedIterator<Item = Step> + '_ {
        self.line[..self.at].iter().filter_map(|&node| self.tree.value(node).step)
    }

    /// Returns the stone of a node, if it has one.
    pub fn stone(&self, node: NodeId) -> Option<Point> {
        match self.tree.value(node).step?.action {
            Action::Stone(p) => Some(p),
            Action::Choose(_) => None,
        }
    }

    /// Returns the nodes of the line's stones.
    pub fn stone_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.line.iter().copied().filter(|&node| self.stone(node).is_some())
    }

    /// Returns the stones of the line, including those that can be redone.
    pub fn line(&self) -> impl Iterator<Item = Point> + '_ {
        self.line.iter().filter_map(|&node| self.stone(node))
    }

    /// Returns the nodes of the line's positions: the root and those of the stones.
    pub fn positions(&self) -> Vec<NodeId> {
        std::iter::once(NodeId::ROOT).chain(self.stone_nodes()).collect()
    }

    /// Sets the review of a node's position, and returns true if the node exists.
    pub fn set_review(&mut self, node: NodeId, review: Option<EvaluatedPosition>) -> bool {
        let exists = self.tree.contains(node);
        if exists {
            self.tree.value_mut(node).review = review.map(Box::new);
        }
        exists
    }

    /// Returns the review of the line of these nodes, up to the first position without one.
    pub fn review_of(&self, nodes: &[NodeId]) -> Review {
        let reviews = nodes.iter().map_while(|&node| self.tree.value(node).review.as_deref());
        let positions: Vec<EvaluatedPosition> = reviews.cloned().collect();
        let moves: Vec<Point> = nodes.iter().filter_map(|&node| self.stone(node)).collect();
        Review { turning_points: turning_points(&moves, &positions), positions }
    }

    /// Returns the nodes of the line on the board, or of the main line if more of that has been reviewed.
    pub fn reviewed_positions(&self) -> Vec<NodeId> {
        let main = self.tree.main_line(NodeId::ROOT).filter(|&node| self.stone(node).is_some());
        let main = std::iter::once(NodeId::ROOT).chain(main).collect::<Vec<_>>();
        let reviewed = |nodes: &[NodeId]| {
            nodes.iter().take_while(|&&node| self.tree.value(node).review.is_some()).count()
        };
        let shown = self.positions();
        if reviewed(&main) > reviewed(&shown) { main } else { shown }
    }

    /// Returns the number of the line's stones that belong to a swap opening.
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

    /// Returns the number of steps up to the position.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Returns true if there are steps to play again.
    pub fn can_redo(&self) -> bool {
        self.at < self.line.len()
    }

    /// Returns the end of the game, or `None` while it goes on.
    pub fn end(&self) -> Option<End> {
        self.end_at(&self.board, self.node())
    }

    /// Returns the end that the record states for the position; `None` if the game was continued, or if a
    /// computer is to continue it. Such a game can be continued.
    pub fn recorded_end(&self) -> Option<End> {
        let is_computer = self.setup.seats[self.turn()].player.is_computer();
        if is_computer || self.end().is_some() { None } else { self.recorded_end_of(self.node()) }
    }

    /// Returns the end that the record states for a node, if it is still the end of the main line.
    fn recorded_end_of(&self, node: NodeId) -> Option<End> {
        let told = self.recorded().filter(|told| told.tip == node)?;
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

    /// Returns the last node of the main line.
    pub fn main_tip(&self) -> NodeId {
        self.tree.main_line(NodeId::ROOT).last().unwrap_or(NodeId::ROOT)
    }

    /// Returns the end of the main line, including one that the record states; `None` if it goes on.
    pub fn main_end(&self) -> Option<End> {
        let mut board = empty_board(&self.setup);
        for p in self.tree.main_line(NodeId::ROOT).filter_map(|node| self.stone(node)) {
            board.play(p).expect("a stone that was played before");
        }
        let told = || self.recorded().filter(|told| self.is_on_main_line(told.tip));
        self.end_at(&board, self.main_tip()).or_else(|| told().map(RecordedEnd::end))
    }

    /// Returns the end that the record of the game states.
    pub(super) fn recorded(&self) -> Option<&RecordedEnd> {
        self.info.end.as_ref()
    }

    /// Returns true if a node is on the main line.
    fn is_on_main_line(&self, node: NodeId) -> bool {
        node == NodeId::ROOT || self.tree.main_line(NodeId::ROOT).any(|on_line| on_line == node)
    }

    /// Returns the error if a stone may not be placed on `p`.
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
        // If nothing else is left, a forbidden point may be played: it loses.
        let free = |q: Point| self.board.foul(q, side).is_none();
        self.board.empty_points().any(free).then_some(GameError::Forbidden(foul, spot))
    }

    /// Places a stone of the player to move.
    pub fn play(&mut self, p: Point, now: Time) -> Result<(), GameError> {
        match self.objection(p) {
            Some(refusal) => Err(refusal),
            None => self.play_forbidden_too(p, now),
        }
    }

    /// As [`LiveGame::play`], but a forbidden point may be played, and loses, as for engines.
    pub fn play_forbidden_too(&mut self, p: Point, now: Time) -> Result<(), GameError> {
        match self.objection(p) {
            Some(GameError::Forbidden(..)) | None => {
                let spent = self.clock.take(now);
                self.place(p, self.turn(), spent)
            }
            Some(refusal) => Err(refusal),
        }
    }

    /// Makes a choice in a swap opening.
    pub fn choose(&mut self, choice: OpeningChoice, now: Time) -> Result<(), GameError> {
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

    /// Goes one step on: along a variation that starts with the step, or along a new one.
    fn push(&mut self, step: Step) {
        let here = self.node();
        let same = |&node: &NodeId| {
            self.tree.value(node).step.is_some_and(|known| known.action == step.action)
        };
        let known = self.tree.children(here).find(same);
        let next = known.unwrap_or_else(|| {
            self.tree.add(here, GameNode { step: Some(step), ..GameNode::default() })
        });
        let moment = self.tree.value_mut(next);
        // If the game was lost away from the board here, it goes on.
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

    /// Promotes the line if the game has ended on it, and not on the main line.
    fn settle_main_line(&mut self) {
        if self.end().is_none() || self.main_end().is_some() {
            return;
        }
        while self.tree.promote(self.node()) {}
    }

    /// Returns true if something can be taken back: a step, or an end before the first.
    pub fn can_undo(&self) -> bool {
        self.at > 0 || self.tree.value(NodeId::ROOT).forfeit.is_some()
    }

    /// Takes back up to `count` steps, and returns their number.
    pub fn undo(&mut self, count: usize, now: Time) -> Result<usize, GameError> {
        if !self.can_undo() {
            return Err(GameError::NothingToUndo);
        }
        self.depart(now);
        if self.at == 0 {
            // There is no earlier step at which the game goes on.
            let root = self.tree.value_mut(NodeId::ROOT);
            (root.forfeit, root.waited) = (None, Duration::ZERO);
        }
        let to = self.at.saturating_sub(count);
        let undone = self.at - to;
        self.jump(to);
        Ok(undone)
    }

    /// Plays up to `count` steps again, and returns their number.
    pub fn redo(&mut self, count: usize, now: Time) -> Result<usize, GameError> {
        if !self.can_redo() {
            return Err(GameError::NothingToRedo);
        }
        let to = self.at.saturating_add(count).min(self.line.len());
        let redone = to - self.at;
        self.depart(now);
        self.jump(to);
        Ok(redone)
    }

    /// Goes to the position after `ply` stones, or to the last one.
    pub fn go_to(&mut self, ply: usize, now: Time) {
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

    /// Goes to a node of any variation.
    pub fn go_to_node(&mut self, node: NodeId, now: Time) -> Result<(), GameError> {
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

    /// Promotes the variation with a node by one place.
    pub fn promote(&mut self, node: NodeId) -> Result<(), GameError> {
        if !self.tree.contains(node) {
            return Err(GameError::NoSuchMove);
        }
        if self.tree.promote(node) { Ok(()) } else { Err(GameError::MainLine) }
    }

    /// Deletes a move and all moves after it.
    pub fn delete(&mut self, node: NodeId, now: Time) -> Result<(), GameError> {
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

    /// Replaces the comment of a node; an empty text deletes it.
    pub fn comment(&mut self, node: NodeId, text: &str) -> Result<(), GameError> {
        if !self.tree.contains(node) {
            return Err(GameError::NoSuchMove);
        }
        text.clone_into(&mut self.tree.value_mut(node).note.comment);
        Ok(())
    }

    /// Carries out the decision of the computer to move. It forfeits if its time is up or the decision is not
    /// legal.
    pub fn carry_out(&mut self, decided: Result<Vec<Action>, String>, now: Time) {
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

    fn act(&mut self, action: Action, now: Time) -> Result<(), GameError> {
        match action {
            Action::Stone(p) => self.play_forbidden_too(p, now),
            Action::Choose(choice) => self.choose(choice, now),
        }
    }

    /// Leaves the position. The time spent on the current move waits for the return.
    fn depart(&mut self, now: Time) {
        let (here, spent) = (self.node(), self.clock.take(now));
        self.tree.value_mut(here).waited = spent;
    }

    /// Goes to a position on the line.
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

    /// Sets the loser away from the board at a node of a saved game.
    pub fn restore_forfeit(&mut self, node: NodeId, loser: Side, how: Forfeit) {
        if self.tree.contains(node) {
            self.tree.value_mut(node).forfeit = Some((loser, how));
        }
    }

    /// Lets the player on `seat` lose away from the board.
    pub fn forfeit(&mut self, seat: usize, how: Forfeit, now: Time) -> Result<(), GameError> {
        if self.end().or_else(|| self.recorded_end()).is_some() {
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
        let now = Time::default();
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
        // The earlier moves still exist, and are the main line.
        let old = game.tree().main_line(NodeId::ROOT).last().unwrap();
        game.go_to_node(old, now).unwrap();
        assert_eq!(game.line().collect::<Vec<_>>(), [at(0, 0), at(1, 1), at(2, 2)]);
        // A move that is played again is the existing one.
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
        let now = Time::default();
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
        // Another end in a variation changes nothing.
        let end = game.main_tip();
        game.undo(1, now).unwrap();
        game.play(at(8, 8), now).unwrap();
        game.forfeit(1, Forfeit::Resigned, now).unwrap();
        assert_eq!(game.main_tip(), end);
    }

    #[test]
    fn resigning_in_the_past_deletes_nothing() {
        let now = Time::default();
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
        let now = Time::default();
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
        let now = Time::default();
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
        let now = Time::default();
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
