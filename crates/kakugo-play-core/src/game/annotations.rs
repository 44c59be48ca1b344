//! Comments and symbols of moves, and marks and arrows on the board.

use kakugo::board::Point;
use kakugo_record::game_tree::{Mark, Note, Property, Sign};
use kakugo_record::sgf::Symbol;
use kakugo_record::tree::NodeId;

use super::error::GameError;
use super::live::LiveGame;

/// The largest number of marks, and of arrows, of a position.
const MAX_MARKS: usize = 400;

/// The longest text of a mark, in characters.
const MAX_LABEL: usize = 8;

/// The largest size of all comments of a game that are written at the board, in bytes.
const MAX_COMMENTS: usize = 4 << 20;

/// The comment, the symbol, the marks and the arrows of a node, as they were at some time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotations {
    node: NodeId,
    comment: String,
    marks: Vec<Mark>,
    other: Vec<Property>,
}

impl Annotations {
    /// Returns the node.
    pub fn node(&self) -> NodeId {
        self.node
    }

    /// Returns the memory that they take, in bytes.
    pub fn bytes(&self) -> usize {
        let label = |mark: &Mark| if let Sign::Label(text) = &mark.sign { text.len() } else { 0 };
        let marks = self.marks.iter().map(|mark| size_of::<Mark>() + label(mark));
        let value = |value: &String| size_of::<String>() + value.len();
        let property = |property: &Property| {
            let values: usize = property.values.iter().map(value).sum();
            size_of::<Property>() + property.name.len() + values
        };
        let other = self.other.iter().map(property);
        size_of::<Annotations>() + self.comment.len() + marks.chain(other).sum::<usize>()
    }
}

impl LiveGame {
    /// Returns the annotations of a node, or `None` if it does not exist.
    pub fn annotations(&self, node: NodeId) -> Option<Annotations> {
        let note = self.tree.contains(node).then(|| &self.tree.value(node).note)?;
        let Note { comment, marks, other, .. } = note.clone();
        Some(Annotations { node, comment, marks, other })
    }

    /// Changes the annotations of a node, and returns what they were.
    fn annotate(
        &mut self,
        node: NodeId,
        change: impl FnOnce(&mut Note) -> Result<(), GameError>,
    ) -> Result<Annotations, GameError> {
        let before = self.annotations(node).ok_or(GameError::NoSuchMove)?;
        change(&mut self.tree.value_mut(node).note)?;
        Ok(before)
    }

    /// Replaces the comment of a node; an empty text deletes it. Returns the annotations before.
    ///
    /// # Errors
    /// Returns the reason if there is no such move, or the comments of the game are too long.
    pub fn comment(&mut self, node: NodeId, text: &str) -> Result<Annotations, GameError> {
        if !self.tree.contains(node) {
            return Err(GameError::NoSuchMove);
        }
        let length = |node| self.tree.value(node).note.comment.len();
        let others = || self.tree.preorder().map(length).sum::<usize>() - length(node);
        if text.len() > length(node) && others() + text.len() > MAX_COMMENTS {
            return Err(GameError::TooMuchText);
        }
        self.annotate(node, |note| {
            text.clone_into(&mut note.comment);
            Ok(())
        })
    }

    /// Sets the symbol of a move, or deletes it. Returns the annotations before.
    ///
    /// # Errors
    /// Returns the reason if there is no such move.
    pub fn judge(
        &mut self,
        node: NodeId,
        symbol: Option<Symbol>,
    ) -> Result<Annotations, GameError> {
        if !self.tree.contains(node) || !self.is_move(node) {
            return Err(GameError::NoSuchMove);
        }
        self.annotate(node, |note| {
            note.set_symbol(symbol);
            Ok(())
        })
    }

    /// Marks a point in the position after a node, instead of the marks that it has. The same mark
    /// again deletes it, and so does `None`. Returns the annotations before.
    ///
    /// # Errors
    /// Returns the reason if there is no such move, or the point is off the board.
    pub fn mark(
        &mut self,
        node: NodeId,
        point: Point,
        sign: Option<Sign>,
    ) -> Result<Annotations, GameError> {
        self.ensure_on_board(point)?;
        let sign = match sign {
            Some(Sign::Label(text)) => {
                let text: String = text.trim().chars().take(MAX_LABEL).collect();
                (!text.is_empty()).then_some(Sign::Label(text))
            }
            sign => sign,
        };
        self.annotate(node, |note| {
            let mark = sign.map(|sign| Mark { point, sign });
            let mark = mark.filter(|mark| !note.marks.contains(mark));
            note.marks.retain(|mark| mark.point != point);
            if mark.is_some() && note.marks.len() >= MAX_MARKS {
                return Err(GameError::TooManyMarks);
            }
            note.marks.extend(mark);
            Ok(())
        })
    }

    /// Draws an arrow in the position after a node. The same arrow again deletes it. Returns the
    /// annotations before.
    ///
    /// # Errors
    /// Returns the reason if there is no such move, or a point is off the board.
    pub fn draw_arrow(
        &mut self,
        node: NodeId,
        arrow: [Point; 2],
    ) -> Result<Annotations, GameError> {
        arrow.into_iter().try_for_each(|point| self.ensure_on_board(point))?;
        self.annotate(node, |note| {
            let mut arrows = note.arrows();
            if let Some(known) = arrows.iter().position(|known| *known == arrow) {
                arrows.remove(known);
            } else if arrows.len() >= MAX_MARKS {
                return Err(GameError::TooManyMarks);
            } else if arrow[0] != arrow[1] {
                arrows.push(arrow);
            }
            note.set_arrows(&arrows);
            Ok(())
        })
    }

    /// Deletes all marks and arrows of the position after a node. Returns the annotations before.
    ///
    /// # Errors
    /// Returns the reason if there is no such move.
    pub fn clear_marks(&mut self, node: NodeId) -> Result<Annotations, GameError> {
        self.annotate(node, |note| {
            note.marks.clear();
            note.set_arrows(&[]);
            Ok(())
        })
    }

    /// Restores other annotations of a node. Returns those before, or `None` if the node does not
    /// exist any more.
    pub fn restore_annotations(&mut self, restored: Annotations) -> Option<Annotations> {
        let Annotations { node, comment, marks, other } = restored;
        let before = self.annotations(node)?;
        let note = &mut self.tree.value_mut(node).note;
        (note.comment, note.marks, note.other) = (comment, marks, other);
        Some(before)
    }

    fn ensure_on_board(&self, point: Point) -> Result<(), GameError> {
        let is_inside = point.x() < self.setup.width && point.y() < self.setup.height;
        if is_inside { Ok(()) } else { Err(GameError::OffBoard) }
    }
}
