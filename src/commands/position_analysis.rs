//! The analysis of a position by `analyze`, as text and as JSON.

use std::cmp::Reverse;
use std::fmt::Write;

use anyhow::ensure;
use serde_json::{Value, json};

use super::convert;
use kakugo::board::{Board, Point, Side};
use kakugo::proof::with_its_end;
use kakugo::score::Score;
use kakugo::search::{Answer, Balance, Engine, Limits, Report, Reporter, Signals};
use kakugo_record::Game;
use kakugo_record::analysis::drawing::{Style, draw_with_last};
use kakugo_record::analysis::shortest::Length;
use kakugo_record::analysis::threats::{self, Threats};
use kakugo_record::notation::{name, names};
use kakugo_record::renju_opening::RenjuOpening;

/// Nodes of the search for a shorter win.
const SHORTER_NODES: u32 = 10_000;

/// The lines of the latest report.
#[derive(Default)]
struct Lines(Vec<Report>);

impl Reporter for Lines {
    fn report(&mut self, report: &Report) {
        if report.line == 0 {
            self.0.clear();
        }
        self.0.push(report.clone());
    }
}

/// The goal of `--balance`.
#[derive(Clone, Copy)]
pub(super) struct BalanceGoal {
    /// Number of stones, 1 or 2.
    pub(super) stones: u8,
    /// Evaluation to reach, for the side to move.
    pub(super) bias: i32,
}

impl BalanceGoal {
    fn balance(self) -> Balance {
        let balance = if self.stones == 1 { Balance::ONE } else { Balance::TWO };
        balance.bias(self.bias)
    }
}

/// The analysis of a position.
pub(super) struct PositionAnalysis<'a> {
    board: &'a Board,
    goal: Option<BalanceGoal>,
    answer: Answer,
    /// The best lines, best first.
    lines: Vec<Report>,
    /// The forced win or loss, if there is one.
    length: Option<Length>,
    /// The threats of Black and of White.
    threats: [Threats; 2],
}

impl<'a> PositionAnalysis<'a> {
    /// Searches the position: its best lines, or the stones that balance it.
    ///
    /// # Errors
    /// Returns an error if there are not enough points for the stones.
    pub(super) fn search(
        board: &'a Board,
        limits: &Limits,
        goal: Option<BalanceGoal>,
        engine: &mut Engine,
    ) -> anyhow::Result<PositionAnalysis<'a>> {
        let (signals, mut lines) = (Signals::default(), Lines::default());
        let answer = match goal {
            None => engine.think(board, limits, &signals, &mut lines),
            Some(goal) => engine.think_balance(board, goal.balance(), limits, &signals, &mut lines),
        };
        let mut lines = lines.0;
        ensure!(!lines.is_empty(), "there are not enough points for two stones");
        // Lines are searched one after the other. A later one may have a better score, and the best
        // move may have been found after the last complete round.
        for line in &mut lines {
            line.pv = with_its_end(board, line.score, &line.pv, &signals);
        }
        lines.sort_by_key(|line| (line.pv.first().copied() != answer.best, Reverse(line.score)));
        let threats = threats::of(board);
        let mut analysis = PositionAnalysis { board, goal, answer, lines, length: None, threats };
        // A shorter win may begin with a move that was excluded.
        let is_free = limits.only.is_none() && limits.without.is_empty() && goal.is_none();
        analysis.measure_win(is_free);
        Ok(analysis)
    }

    /// Sets the length of a forced win or loss. If `search_shorter` is set, a shorter win replaces
    /// the best line.
    fn measure_win(&mut self, search_shorter: bool) {
        let nodes = if search_shorter { SHORTER_NODES } else { 0 };
        let first = &self.lines[0];
        self.length = Length::of(self.board, first.score, &first.pv, nodes);
        let Some(length) = &mut self.length else { return };
        let Some(shorter) = length.shorter.take() else { return };
        if !search_shorter {
            // A five is found without nodes. It was excluded.
            let plies = first.score.plies_to_five();
            length.stones = plies.map_or(length.stones, |plies| plies.div_ceil(2));
            length.is_shortest = false;
            return;
        }
        let count = self.lines.len();
        let score = Score::win_in(shorter.len());
        let first = Report { score, pv: shorter, ..first.clone() };
        self.lines.retain(|line| line.pv.first() != first.pv.first());
        self.lines.insert(0, first);
        self.lines.truncate(count);
    }

    /// Returns the best move.
    fn best(&self) -> Option<Point> {
        self.lines[0].pv.first().copied().or(self.answer.best)
    }

    /// Returns the stones that balance the position; none if they were not searched for.
    fn balanced(&self) -> &[Point] {
        let stones = self.goal.and_then(|goal| self.answer.pv.get(..goal.balance().stones()));
        stones.unwrap_or_default()
    }

    /// Returns the analysis of the end of this game as JSON.
    pub(super) fn json(&self, game: &Game) -> String {
        let (board, height) = (self.board, self.board.height());
        let side = board.side_to_move();
        let lines: Vec<Value> =
            self.lines.iter().map(|line| line_json(line, side, height)).collect();
        let balanced: Vec<String> = self.balanced().iter().map(|&p| name(p, height)).collect();
        let value = json!({
            "rule": board.variant().to_string(),
            "rule_is_assumed": game.assumes_rule,
            "width": board.width(),
            "height": height,
            "to_move": side.to_string(),
            "opening": RenjuOpening::of_game(game).map(convert::opening_json),
            "best": self.best().map(|p| name(p, height)),
            "depth": self.answer.depth,
            "nodes": self.answer.nodes,
            "win": self.length.as_ref().map(|length| json!({
                "side": length.winner.to_string(),
                "moves": length.stones,
                "is_shortest": length.is_shortest,
            })),
            "lines": lines,
            "balance": balanced,
            "threats": {
                "black": threats_json(&self.threats[0], height),
                "white": threats_json(&self.threats[1], height),
            },
        });
        format!("{value:#}\n")
    }

    /// Returns the analysis of the end of this game as text.
    pub(super) fn text(&self, game: &Game) -> String {
        let (board, height) = (self.board, self.board.height());
        let side = board.side_to_move();
        let last = game.moves.last().and_then(|last| last.point);
        let drawing = draw_with_last(board, last, Style::Plain);
        let mut text = format!("{drawing}{side} to move, {}.\n", board.variant());
        if let Some(opening) = RenjuOpening::of_game(game) {
            text += &format!("Opening: {opening}\n");
        }
        text += &self.table();
        if let Some(goal) = self.goal {
            let stones = names(self.balanced(), height);
            let bias = if goal.bias == 0 { "even".to_owned() } else { goal.bias.to_string() };
            let score = self.answer.score;
            text += &format!("\nClosest to {bias}: {stones} (evaluation {score} for {side})\n");
        } else if let Some(length) = &self.length {
            text += &format!("\n{length}.\n");
        }
        for (side, threats) in Side::BOTH.into_iter().zip(&self.threats) {
            text += &format!("\n{side}'s threats: {}", threats_text(threats, height));
        }
        text.push('\n');
        text
    }

    /// Returns the table of the best lines.
    fn table(&self) -> String {
        let side = self.board.side_to_move();
        let mut text = format!(
            "\n{:>4} {:>6} {:>7} {:>8} {:>10}  line\n",
            "", "depth", "Black", "eval", "nodes"
        );
        for (number, line) in (1..).zip(&self.lines) {
            let black = if side == Side::Black { line.score } else { -line.score };
            let percent = f64::from(black.win_rate_permille()) / 10.0;
            _ = writeln!(
                text,
                "{number:>3}. {:>6} {percent:>5.1} % {:>8} {:>10}  {}",
                format!("{}-{}", line.depth, line.seldepth),
                line.score,
                line.nodes,
                names(&line.pv, self.board.height())
            );
        }
        text
    }
}

fn line_json(line: &Report, side: Side, height: u8) -> Value {
    let black = if side == Side::Black { line.score } else { -line.score };
    json!({
        "depth": line.depth,
        "seldepth": line.seldepth,
        "eval": line.score.to_string(),
        "black_permille": black.win_rate_permille(),
        "nodes": line.nodes,
        "ms": u64::try_from(line.elapsed.as_millis()).unwrap_or(u64::MAX),
        "moves": line.pv.iter().map(|&p| name(p, height)).collect::<Vec<_>>(),
    })
}

/// Returns the kinds of threats with their names.
fn kinds(threats: &Threats) -> [(&'static str, &Vec<Point>); 5] {
    [
        ("five", &threats.fives),
        ("open four", &threats.open_fours),
        ("four", &threats.fours),
        ("open three", &threats.open_threes),
        ("wins by fours", &threats.vcf),
    ]
}

fn threats_json(threats: &Threats, height: u8) -> Value {
    let entry = |(kind, points): (&str, &Vec<Point>)| {
        let points: Vec<String> = points.iter().map(|&p| name(p, height)).collect();
        (kind.replace(' ', "_"), json!(points))
    };
    Value::Object(kinds(threats).into_iter().map(entry).collect())
}

fn threats_text(threats: &Threats, height: u8) -> String {
    let found = kinds(threats).into_iter().filter(|(_, points)| !points.is_empty());
    let words: Vec<String> =
        found.map(|(kind, points)| format!("{kind} {}", names(points, height))).collect();
    if words.is_empty() { "none".to_owned() } else { words.join("; ") }
}
