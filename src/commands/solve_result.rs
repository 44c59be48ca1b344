//! The result of `solve` in a problem, as text and as JSON.

use std::time::Duration;

use serde_json::{Value, json};

use super::solve_problem::Problem;
use kakugo::board::Point;
use kakugo::proof::WinKind;
use kakugo::score::Score;
use kakugo_record::analysis::shortest::Length;
use kakugo_record::notation::{name, names};

/// The result of the searches in a problem.
#[derive(Default)]
pub(super) struct Solution {
    /// The best first move.
    pub(super) best: Option<Point>,
    /// The forced win or loss, if there is one.
    pub(super) length: Option<Length>,
    /// The kind of wins that were searched or found, if not all were searched.
    pub(super) kind: Option<WinKind>,
    /// The line of a forced win or loss, up to the five if possible, or else the best line.
    pub(super) line: Vec<Point>,
    /// True unless a forced win was found without its end.
    pub(super) is_complete: bool,
    /// The score of the search by all moves.
    pub(super) score: Option<Score>,
    /// The first moves that win, if they were searched.
    pub(super) winning_moves: Option<WinningMoves>,
    pub(super) depth: u32,
    pub(super) nodes: u64,
    pub(super) time: Duration,
}

/// The first moves that win.
pub(super) struct WinningMoves {
    /// The moves, in the order in which they were found.
    pub(super) points: Vec<Point>,
    /// State of the other moves.
    pub(super) others: Others,
}

/// State of the moves that are not among the winning ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Others {
    /// They are proven not to win.
    Refuted,
    /// They make no five. Slower wins do not count.
    MakeNoFive,
    /// They may win: a search found no win, or enough moves were found.
    Open,
}

impl WinningMoves {
    /// Returns whether only one move wins; `None` if no other one was found but others may win.
    pub(super) fn is_unique(&self) -> Option<bool> {
        match (self.points.len(), self.others) {
            (1, Others::Open) => None,
            (count, _) => Some(count == 1),
        }
    }

    /// Returns the moves in words, `only i9 wins` or `3 winning moves: i9 j10 f6`.
    fn in_words(&self, height: u8) -> String {
        let list = names(&self.points, height);
        match (self.points.len(), self.others) {
            (1, Others::Refuted) => format!("only {list} wins"),
            (1, Others::MakeNoFive) => format!("only {list} makes five"),
            (1, Others::Open) => format!("{list} wins; no other win found"),
            (count, Others::Refuted) => format!("{count} winning moves: {list}"),
            (count, Others::MakeNoFive) => format!("{count} moves make five: {list}"),
            (count, Others::Open) => format!("{count} or more winning moves: {list}"),
        }
    }
}

impl Solution {
    /// Returns true if the side to move wins.
    pub(super) fn wins(&self, problem: &Problem) -> bool {
        let side = problem.board.side_to_move();
        self.length.as_ref().is_some_and(|length| length.winner == side)
    }

    /// Returns the result in words, such as `Black wins in 4 moves`.
    fn result(&self, problem: &Problem) -> String {
        let side = problem.board.side_to_move();
        let by = match self.kind {
            None => "",
            Some(WinKind::Fours) => " by fours",
            Some(_) => " by threats",
        };
        let Some(length) = &self.length else {
            let kind = if by.is_empty() { "forced win" } else { "win" };
            return format!("no {kind}{by} found for {side}");
        };
        if self.kind.is_some() && !self.is_complete {
            return format!("{side} wins{by}");
        }
        length.to_string().replace(" wins", &format!(" wins{by}"))
    }

    /// Returns what is known of the problem and not of the search: `right`, or the right moves.
    fn verdict(&self, problem: &Problem) -> Option<String> {
        let is_right = self.best.is_some_and(|p| problem.right.contains(&p));
        let height = problem.board.height();
        match &problem.right[..] {
            [] => None,
            _ if is_right => Some("right".to_owned()),
            right => Some(format!("known: {}", names(right, height))),
        }
    }

    /// Returns the result for a person, with the line.
    pub(super) fn text(&self, problem: &Problem) -> String {
        let Problem { board, .. } = problem;
        let height = board.height();
        let is_decided = self.length.is_some();
        let mut text = self.result(problem) + "\n";
        if !self.line.is_empty() {
            let what = if is_decided { "line" } else { "best" };
            let end = if self.is_complete { "" } else { " …" };
            text += &format!("{what}: {}{end}\n", names(&self.line, height));
        }
        if let Some(moves) = &self.winning_moves {
            text += &format!("{}\n", moves.in_words(height));
        }
        if let Some(verdict) = self.verdict(problem) {
            text += &format!("first move: {verdict}\n");
        }
        text += &format!("\n{} to move, {}; ", board.side_to_move(), board.variant());
        if let Some(score) = self.score {
            if !is_decided {
                text += &format!("evaluation {score}, ");
            }
            text += &format!("depth {}, {} nodes, ", self.depth, self.nodes);
        }
        text + &format!("{:.2} s\n", self.time.as_secs_f64())
    }

    /// Returns the result as a row of a list.
    pub(super) fn row(&self, problem: &Problem) -> String {
        let height = problem.board.height();
        let line = names(&self.line, height);
        let name =
            if problem.name.is_empty() { String::new() } else { format!("{}: ", problem.name) };
        let moves = self.winning_moves.as_ref().map(|moves| moves.in_words(height));
        let notes: Vec<String> = moves.into_iter().chain(self.verdict(problem)).collect();
        let notes =
            if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) };
        let text = format!("{:>4}  {name}{}{notes}: {line}", problem.number, self.result(problem));
        text.trim_end_matches([' ', ':']).to_owned()
    }

    /// Returns the result as JSON.
    pub(super) fn json(&self, problem: &Problem) -> Value {
        let Problem { number, name: title, board, right, .. } = problem;
        let height = board.height();
        let list = |points: &[Point]| points.iter().map(|&p| name(p, height)).collect::<Vec<_>>();
        let result = match &self.length {
            Some(_) if self.wins(problem) => "win",
            Some(_) => "loss",
            None => "unknown",
        };
        let length = self.length.as_ref();
        let stones = length.map(|length| length.stones);
        let kind = self.kind.map(|kind| if kind == WinKind::Fours { "fours" } else { "threats" });
        let is_search = self.score.is_some();
        json!({
            "problem": number,
            "name": title,
            "rule": board.variant().to_string(),
            "rule_is_assumed": problem.assumes_rule,
            "width": board.width(),
            "height": height,
            "to_move": board.side_to_move().to_string(),
            "result": result,
            "kind": kind,
            "plies": stones.map(|stones| 2 * stones - usize::from(result == "win")),
            "moves": stones,
            "is_shortest": length.map(|length| length.is_shortest),
            "eval": self.score.map(|score| score.to_string()),
            "best": self.best.map(|p| name(p, height)),
            "line": list(&self.line),
            "line_is_complete": length.map(|_| self.is_complete),
            "winning_moves": self.winning_moves.as_ref().map(|moves| list(&moves.points)),
            "is_unique": self.winning_moves.as_ref().and_then(WinningMoves::is_unique),
            "right_moves": Some(list(right)).filter(|right| !right.is_empty()),
            "is_right": self.best.filter(|_| !right.is_empty()).map(|p| right.contains(&p)),
            "depth": is_search.then_some(self.depth),
            "nodes": is_search.then_some(self.nodes),
            "ms": u64::try_from(self.time.as_millis()).unwrap_or(u64::MAX),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_the_only_one_only_if_the_others_are_refuted() {
        let point = |x| Point::new(x, 7).unwrap();
        let said = |count: u8, others| {
            let moves = WinningMoves { points: (0..count).map(point).collect(), others };
            (moves.is_unique(), moves.in_words(15))
        };
        for (count, others, is_unique, words) in [
            (1, Others::Refuted, Some(true), "only a8 wins"),
            (1, Others::MakeNoFive, Some(true), "only a8 makes five"),
            (1, Others::Open, None, "a8 wins; no other win found"),
            (2, Others::Refuted, Some(false), "2 winning moves: a8 b8"),
            (2, Others::MakeNoFive, Some(false), "2 moves make five: a8 b8"),
            (2, Others::Open, Some(false), "2 or more winning moves: a8 b8"),
        ] {
            assert_eq!(said(count, others), (is_unique, words.to_owned()));
        }
    }
}
