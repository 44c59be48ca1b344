//! A game under way: a tree of moves, the line on the board, and the current position on that line.
//! The turn is determined in `turns`, the clocks in [`clocks`](super::clocks).
//!
//! Undo and redo move along the line. A new step is added to the tree, and the line continues with
//! it: the earlier moves stay as a variation. Everything else (board, choices, colours, time used)
//! follows from the steps up to the position.

use std::time::Duration;

use kakugo::board::{Board, Outcome, Point, Side};
use kakugo_record::analysis::review::{self, EvaluatedPosition, Ply, Review};
use kakugo_record::game_tree::Note;
use kakugo_record::tree::{NodeId, Tree};

use super::end::{End, Forfeit, RecordedEnd};
use super::error::GameError;
use super::move_clock::MoveClock;
use super::opening::{Next, OpeningChoice};
use super::opening_record::choice_of;
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
    /// Pass.
    Pass,
    /// Change the board: the note of the node holds the stones.
    SetUp,
}

impl Action {
    /// Returns true for a move: a stone or a pass.
    pub const fn is_move(self) -> bool {
        matches!(self, Action::Stone(_) | Action::Pass)
    }
}

/// A node of the game's tree.
#[derive(Clone, Default, Debug)]
pub struct GameNode {
    /// The step; `None` at the root.
    pub step: Option<Step>,
    /// Comment, signs and other properties, and a change of the board before the action.
    pub note: Note,
    /// The loser, if the game ended here away from the board.
    pub forfeit: Option<(Side, Forfeit)>,
    /// True if the players agreed on a draw here.
    pub agreed: bool,
    /// Time spent on the next move before other moves were looked at.
    pub(super) waited: Duration,
    /// The review of the position after the move, or of the first position.
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
        let board = first_board(&setup);
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
            Action::Choose(_) | Action::Pass | Action::SetUp => None,
        }
    }

    /// Returns true if a node is a move: a stone or a pass.
    pub fn is_move(&self, node: NodeId) -> bool {
        self.tree.value(node).step.is_some_and(|step| step.action.is_move())
    }

    /// Returns the nodes of the line's moves.
    pub fn move_nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.line.iter().copied().filter(|&node| self.is_move(node))
    }

    /// Returns the stones of the line, including those that can be redone.
    pub fn line(&self) -> impl Iterator<Item = Point> + '_ {
        self.line.iter().filter_map(|&node| self.stone(node))
    }

    /// Returns the stones of the line up to the position.
    pub fn stones_played(&self) -> impl Iterator<Item = Point> + '_ {
        self.line[..self.at].iter().filter_map(|&node| self.stone(node))
    }

    /// Returns the number of moves up to the position.
    pub fn ply(&self) -> usize {
        self.line[..self.at].iter().filter(|&&node| self.is_move(node)).count()
    }

    /// Returns the nodes of the line's positions: the root and those of the moves.
    pub fn positions(&self) -> Vec<NodeId> {
        std::iter::once(NodeId::ROOT).chain(self.move_nodes()).collect()
    }

    /// Returns the first position.
    pub fn first_board(&self) -> Board {
        first_board(&self.setup)
    }

    /// Returns the position after the action of a node, given the position before it.
    pub fn board_after(&self, node: NodeId, mut board: Board) -> Board {
        self.apply(node, &mut board);
        board
    }

    /// Applies the action of a node to the position before it.
    fn apply(&self, node: NodeId, board: &mut Board) {
        let GameNode { step, note, .. } = self.tree.value(node);
        if let Some(setup) = &note.setup {
            *board = setup.applied(board).expect("a set-up that was checked before");
        }
        match step.map(|step| step.action) {
            Some(Action::Stone(p)) => board.play(p).expect("a stone that was played before"),
            Some(Action::Pass) => board.set_side_to_move(board.side_to_move().opponent()),
            Some(Action::Choose(_) | Action::SetUp) | None => {}
        }
    }

    /// Returns the moves of these nodes with their sides. The nodes follow one another, the root
    /// first.
    pub fn plies(&self, nodes: &[NodeId]) -> Vec<Ply> {
        let mut board = self.first_board();
        let mut plies = Vec::new();
        let last = nodes.last().copied().unwrap_or(NodeId::ROOT);
        for node in self.tree.path(last) {
            self.apply(node, &mut board);
            if self.is_move(node) {
                plies.push((board.side_to_move().opponent(), self.stone(node)));
            }
        }
        plies
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
        let last = nodes.get(positions.len().saturating_sub(1));
        let path = last.map(|&node| self.tree.path(node)).into_iter().flatten();
        let end = path.fold(self.first_board(), |board, node| self.board_after(node, board));
        let opening_moves = self.opening_moves(nodes);
        review::review_of(&self.plies(nodes), opening_moves, positions, end.outcome())
    }

    /// Returns the nodes of the line on the board, or of the main line if more of that has been
    /// reviewed.
    pub fn reviewed_positions(&self) -> Vec<NodeId> {
        let main = self.tree.main_line(NodeId::ROOT).filter(|&node| self.is_move(node));
        let main = std::iter::once(NodeId::ROOT).chain(main).collect::<Vec<_>>();
        let reviewed = |nodes: &[NodeId]| {
            nodes.iter().take_while(|&&node| self.tree.value(node).review.is_some()).count()
        };
        let shown = self.positions();
        if reviewed(&main) > reviewed(&shown) { main } else { shown }
    }

    /// Returns the choice that a record has at a node which is not one of the game's opening.
    pub fn noted_choice(&self, node: NodeId) -> Option<OpeningChoice> {
        choice_of(&self.tree.value(node).note)
    }

    /// Returns the number of moves that were made before the players had their colours, on the line
    /// of these nodes: all moves before the last choice of a colour.
    fn opening_moves(&self, nodes: &[NodeId]) -> usize {
        let last = nodes.last().copied().unwrap_or(NodeId::ROOT);
        let line = self.tree.path(last).into_iter().chain(self.tree.main_line(last));
        let (mut moves, mut of_opening) = (0, 0);
        let mut choices = Vec::new();
        for node in line {
            moves += usize::from(self.is_move(node));
            let choice = match self.tree.value(node).step.map(|step| step.action) {
                Some(Action::Choose(choice)) => Some(choice),
                _ => self.noted_choice(node),
            };
            if matches!(choice, Some(OpeningChoice::Black | OpeningChoice::White)) {
                of_opening = moves;
            }
            choices.extend(choice);
        }
        // Colours may still be exchanged.
        let next = self.setup.opening.progress(moves, &choices).next;
        if matches!(next, Next::Place { .. } | Next::Choose { .. }) { moves } else { of_opening }
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

    /// Returns the end that the record states for a node, if it is still the end of the main line.
    pub(super) fn recorded_end_of(&self, node: NodeId) -> Option<End> {
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
        if self.tree.value(node).agreed {
            return Some(End::Agreed);
        }
        let (loser, how) = self.tree.value(node).forfeit.as_ref()?;
        Some(End::Forfeit(*loser, how.clone()))
    }

    /// Returns the last node of the main line.
    pub fn main_tip(&self) -> NodeId {
        self.tree.main_line(NodeId::ROOT).last().unwrap_or(NodeId::ROOT)
    }

    /// Returns the end of the main line, including one that the record states; `None` if it goes
    /// on.
    pub fn main_end(&self) -> Option<End> {
        let mut board = self.first_board();
        self.tree.main_line(NodeId::ROOT).for_each(|node| self.apply(node, &mut board));
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

    /// Returns true if something can be taken back: a step, or an end before the first.
    pub fn can_undo(&self) -> bool {
        let root = self.tree.value(NodeId::ROOT);
        self.at > 0 || root.forfeit.is_some() || root.agreed
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
            (root.forfeit, root.agreed, root.waited) = (None, false, Duration::ZERO);
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

    /// Goes to the position after `ply` moves, or to the last one.
    pub fn go_to(&mut self, ply: usize, now: Time) {
        let mut moves = 0;
        let mut to = 0;
        for (i, &node) in self.line.iter().enumerate() {
            moves += usize::from(self.is_move(node));
            if moves > ply {
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

    /// Leaves the position. The time spent on the current move waits for the return.
    fn depart(&mut self, now: Time) {
        let (here, spent) = (self.node(), self.clock.take(now));
        self.tree.value_mut(here).waited = spent;
    }

    /// Goes to a position on the line.
    fn jump(&mut self, to: usize) {
        self.at = to.min(self.line.len());
        let mut board = self.first_board();
        self.line[..self.at].iter().for_each(|&node| self.apply(node, &mut board));
        self.board = board;
        self.clock.resume(self.tree.value(self.node()).waited);
    }

    /// Sets a draw by agreement at a node of a saved game.
    pub fn restore_agreement(&mut self, node: NodeId) {
        if self.tree.contains(node) {
            self.tree.value_mut(node).agreed = true;
        }
    }

    /// Sets the loser away from the board at a node of a saved game.
    pub fn restore_forfeit(&mut self, node: NodeId, loser: Side, how: Forfeit) {
        if self.tree.contains(node) {
            self.tree.value_mut(node).forfeit = Some((loser, how));
        }
    }
}

pub(super) fn first_board(setup: &Setup) -> Board {
    let Setup { width, height, variant, .. } = *setup;
    setup.start.board(width, height, variant).expect("a checked set-up")
}
