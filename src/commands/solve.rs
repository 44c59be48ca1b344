//! Solves positions: is there a forced win, in how many moves, and by which line?
//!
//! Positions come as text, as game files with one or many positions, from the built-in pack, or as
//! JSON lines with the fields `rule` (Gomocup number), `size`, `moves` (Black first, alternating)
//! and optionally `id`, `kind` and `win_moves`. A position counts as solved if the search proves a
//! win, or finds the right defence.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};
use clap::Args;
use serde_json::json;

use super::positions::PositionArgs;
use super::solve_problem::Problem;
use super::solve_result::{Others, Solution, WinningMoves};
use super::source;
use kakugo::board::{Board, Outcome, Point, Rule};
use kakugo::pattern::set::PointSet;
use kakugo::proof::{self, WinKind, with_its_end};
use kakugo::search::{Answer, Engine, Limits, Signals, Silent, StopHandle};
use kakugo_cli::arguments::hash_megabytes;
use kakugo_cli::ctrl_c;
use kakugo_cli::interrupted::interrupted;
use kakugo_cli::stderr::note;
use kakugo_cli::units::{Time, parse_milliseconds};
use kakugo_cli::usage::usage;
use kakugo_record::analysis::shortest::{Attack, Length};
use kakugo_record::problems;
use kakugo_record::text::sanitize;

/// Nodes of the search for a shorter win.
const SHORTER_NODES: u32 = 10_000;
const SHORTER_NODES_OF_CHECK: u32 = 200_000;

/// Maximum number of winning moves that a check lists.
const MAX_WINNING_MOVES: usize = 20;

/// Find forced wins: in a position, or in each problem of a file
#[derive(Args, Debug)]
pub struct SolveArgs {
    /// Position such as h8h9i8 or a drawn board, file with one or many problems (set-up stones,
    /// drawn boards, games, JSON lines), or `-` for any of these on stdin
    #[arg(value_name = "POSITION", required_unless_present = "pack", conflicts_with = "pack")]
    position: Option<OsString>,
    /// Solve the 300 built-in problems, or those for `freestyle` or `renju` (also with --rule)
    #[arg(
        long,
        value_name = "RULE",
        num_args = 0..=1,
        conflicts_with_all = ["size", "win", "to_move", "from", "rows"]
    )]
    pack: Option<Option<Rule>>,
    #[command(flatten)]
    input: PositionArgs,
    /// Time per search: milliseconds, or with a unit, such as 2s
    #[arg(long, default_value = "1000", value_parser = parse_milliseconds)]
    time: Time,
    /// Nodes per search (instead of --time)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Size of the transposition table, in megabytes
    #[arg(long, default_value_t = 64, value_name = "MB", value_parser = hash_megabytes)]
    hash: u32,
    /// Search only wins by fours (VCF)
    #[arg(long, conflicts_with = "vct")]
    vcf: bool,
    /// Search only wins by fours and open threes (VCT)
    #[arg(long)]
    vct: bool,
    /// Check each problem: list all first moves that win, and look for a shorter win
    #[arg(long, conflicts_with_all = ["vcf", "vct"])]
    check: bool,
    /// Print only the problems that were not solved
    #[arg(long)]
    unsolved: bool,
    /// Print a line of JSON for each problem, and one for the summary of several
    #[arg(long)]
    json: bool,
}

/// Counts of one class of positions.
#[derive(Clone, Copy, Default)]
struct Tally {
    positions: u32,
    solved: u32,
    /// Positions whose best move is one of the moves that are known to be right.
    known: u32,
    time: Duration,
}

/// Counts of all positions.
#[derive(Default)]
struct Summary {
    tally: Tally,
    won: u32,
    lost: u32,
    /// Problems whose winning first move is proven to be unique.
    unique: u32,
    /// Problems with one winning first move, whose other moves are not all refuted.
    one_found: u32,
    /// Stones of the longest win.
    longest: usize,
}

/// Solves problems and prints the results.
struct Solver<'a> {
    args: &'a SolveArgs,
    engine: Engine,
    stop: StopHandle,
    /// Counts by class, of problems that have one.
    tallies: BTreeMap<String, Tally>,
    all: Summary,
}

/// Runs `solve`, which prints the result of each problem, and the counts if there are several.
///
/// # Errors
/// Returns an error if the position or file is missing or invalid, and if it was interrupted.
pub fn run(args: &SolveArgs) -> anyhow::Result<()> {
    let stop = StopHandle::new();
    let on_stop = stop.clone();
    ctrl_c::on_interrupt(move || on_stop.stop()).context("installing the Ctrl-C handler")?;
    let engine = Engine::new((args.hash as usize) << 20);
    let (tallies, all) = (BTreeMap::new(), Summary::default());
    let mut solver = Solver { args, engine, stop, tallies, all };
    let name = match (&args.position, &args.pack) {
        (Some(name), _) => name,
        (None, pack) => {
            let rule = rule_of_pack(pack.flatten(), args.input.board.rule()).map_err(usage)?;
            return solver.solve_pack(rule);
        }
    };
    let input = args.input.read(name)?;
    if let Some(lines) = input.json_lines() {
        let text = std::str::from_utf8(lines).with_context(|| format!("reading {}", input.name))?;
        return solver.solve_lines(&input.name, text);
    }
    let mut is_single = false;
    input.for_each(&args.input, "problem", |entry| {
        if solver.stop.is_stopped() {
            return Ok(());
        }
        let game = args.input.main_line(&entry, input.is_record && !input.is_position_text());
        is_single = entry.is_only;
        let board = source::final_position(&game)?;
        let problem = Problem::new(entry.number, sanitize(&entry.tree.title()), board)?;
        let assumes_rule = game.assumes_rule;
        solver.add(&Problem { assumes_rule, ..problem }, is_single)
    })?;
    solver.end(!is_single)
}

/// Returns the rule of `--pack` or `--rule`.
fn rule_of_pack(pack: Option<Rule>, named: Option<Rule>) -> anyhow::Result<Option<Rule>> {
    if let (Some(pack), Some(named)) = (pack, named)
        && pack != named
    {
        let (pack, named) = (pack.word(), named.word());
        bail!("--pack {pack} and --rule {named} name two rules: expected one of them");
    }
    Ok(pack.or(named))
}

impl Solver<'_> {
    /// Solves the problems of the built-in pack.
    fn solve_pack(mut self, rule: Option<Rule>) -> anyhow::Result<()> {
        let is_included =
            |problem: &problems::Problem| rule.is_none_or(|rule| rule == problem.rule);
        let problems = || problems::pack().iter().filter(|problem| is_included(problem));
        let count = problems().count();
        if count == 0 {
            let rule = rule.map_or("", Rule::word);
            let error = anyhow!("the pack has no problems for {rule}: expected freestyle or renju");
            return Err(usage(error));
        }
        let selected = self.args.input.game;
        if let Some(number) = selected.filter(|number| !(1..=count).contains(number)) {
            bail!("--problem {number} does not exist: the pack contains {count} problems");
        }
        for (number, problem) in (1..).zip(problems()) {
            let is_wanted = selected.is_none_or(|selected| selected == number);
            if is_wanted && !self.stop.is_stopped() {
                self.add(&Problem::of_pack(number, problem)?, selected.is_some())?;
            }
        }
        self.end(selected.is_none())
    }

    /// Solves the problems of lines of JSON. Those that fail are skipped and reported on stderr.
    fn solve_lines(mut self, name: &str, text: &str) -> anyhow::Result<()> {
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        let (mut count, mut skipped) = (0_usize, 0_usize);
        let mut first_error = None;
        let input = &self.args.input;
        for (line, text) in lines {
            count += 1;
            if input.game.is_some_and(|game| game != count) || self.stop.is_stopped() {
                continue;
            }
            let mut problem = match Problem::of_json(count, text) {
                Ok(problem) => problem,
                Err(error) => {
                    skipped += 1;
                    first_error.get_or_insert((line, error));
                    continue;
                }
            };
            input.report_overridden(name, problem.board.variant());
            if let Some(side) = input.board.to_move() {
                problem.board.set_side_to_move(side);
            }
            self.add(&problem, input.game.is_some())?;
        }
        let has_none = self.all.tally.positions == 0 && !self.stop.is_stopped();
        match first_error {
            Some((line, error)) if has_none => {
                return Err(error.context(format!("{name} line {line}")));
            }
            Some((line, error)) => {
                let all = source::counted(count, "problem");
                note(format_args!(
                    "{name}: skipped {skipped} of {all}, first line {line}: {error:#}"
                ));
            }
            None => {}
        }
        if let Some(number) = input.game
            && has_none
        {
            let count = source::counted(count, "problem");
            bail!("--problem {number} does not exist: {name} contains {count}");
        }
        self.end(input.game.is_none())
    }

    /// Solves a problem and prints the result: as text if it is the only one, or as a row.
    fn add(&mut self, problem: &Problem, is_single: bool) -> anyhow::Result<()> {
        let Some(solution) = self.solve(problem) else { return Ok(()) };
        let known = solution.best.is_some_and(|p| problem.right.contains(&p));
        let is_win = solution.wins(problem);
        let solved = if problem.is_defence { known } else { is_win };
        let kind = problem.kind.as_deref();
        let classes =
            kind.map(|kind| [format!("{kind}, {}", problem.board.variant()), kind.to_owned()]);
        for class in classes.into_iter().flatten() {
            self.tallies.entry(class).or_default().add(solved, known, solution.time);
        }
        self.all.add(&solution, problem, solved, known);
        if self.args.unsolved && solved {
            return Ok(());
        }
        let mut output = std::io::stdout();
        if self.args.json {
            writeln!(output, "{}", solution.json(problem))?;
        } else if is_single {
            write!(output, "{}", solution.text(problem))?;
        } else {
            writeln!(output, "{}", solution.row(problem))?;
        }
        Ok(output.flush()?)
    }

    /// Solves a problem. `None` if it was interrupted.
    fn solve(&mut self, problem: &Problem) -> Option<Solution> {
        let args = self.args;
        let start = Instant::now();
        let solution = if args.vcf || args.vct {
            self.solve_by_threats(&problem.board)
        } else {
            self.search(problem)
        };
        (!self.stop.is_stopped()).then(|| Solution { time: start.elapsed(), ..solution })
    }

    fn limits(&self) -> Limits {
        let limits = Limits::new().stop(&self.stop);
        match self.args.nodes {
            Some(nodes) => limits.nodes(nodes),
            None => limits.time(self.args.time.0),
        }
    }

    /// Searches for a win by fours, or by fours and threats.
    fn solve_by_threats(&self, board: &Board) -> Solution {
        let limits = self.limits();
        let (kind, win) = if self.args.vcf {
            (WinKind::Fours, proof::solve_by_fours(board, &limits))
        } else {
            (WinKind::Threats, proof::solve(board, &limits))
        };
        let Some(win) = win else {
            return Solution { kind: Some(kind), is_complete: true, ..Solution::default() };
        };
        let attack = if self.args.vcf { Attack::Fours } else { Attack::Threats };
        let mut length = Length::of_attack(board, attack, &win.line, SHORTER_NODES);
        length.is_shortest &= win.is_complete;
        let (kind, line) = match length.shorter.take() {
            Some(line) => (kind, line),
            None => (win.kind, win.line),
        };
        Solution {
            best: line.first().copied(),
            kind: Some(kind),
            is_complete: is_over_after(board, &line),
            length: Some(length),
            line,
            ..Solution::default()
        }
    }

    /// Searches for a win by all moves.
    fn search(&mut self, problem: &Problem) -> Solution {
        let board = &problem.board;
        self.engine.clear();
        let answer = self.think(board, &PointSet::EMPTY);
        // The end of a line takes no longer than a second.
        let signals = Signals::default();
        let mut line = if answer.score.is_decided() {
            with_its_end(board, answer.score, &answer.pv, &signals)
        } else {
            answer.pv.clone()
        };
        let nodes = if self.args.check { SHORTER_NODES_OF_CHECK } else { SHORTER_NODES };
        let mut length = Length::of(board, answer.score, &line, nodes);
        let shorter = length.as_mut().and_then(|length| length.shorter.take());
        line = shorter.unwrap_or(line);
        let best = line.first().copied().or(answer.best);
        let has_win = answer.score.is_win() && self.args.check;
        let winning_moves = best.filter(|_| has_win).map(|best| {
            let is_five = length.as_ref().is_some_and(|length| length.stones == 1);
            if is_five { fives(board) } else { self.winning_moves(board, best) }
        });
        let is_complete = !answer.score.is_decided() || is_over_after(board, &line);
        Solution {
            best,
            length,
            is_complete,
            kind: None,
            line,
            score: Some(answer.score),
            winning_moves,
            depth: answer.depth,
            nodes: answer.nodes,
            time: Duration::ZERO,
        }
    }

    /// Searches without some first moves.
    fn think(&mut self, board: &Board, without: &PointSet) -> Answer {
        let mut limits = self.limits();
        (limits.start, limits.without) = (Instant::now(), *without);
        self.engine.think(board, &limits, &self.stop.signals(), &mut Silent)
    }

    /// Returns the first moves that are proven to win: searches without those found so far, until a
    /// search finds no other win. Only a loss proves that no other move wins.
    fn winning_moves(&mut self, board: &Board, first: Point) -> WinningMoves {
        let mut points = vec![first];
        let mut found = PointSet::EMPTY;
        found.insert(first);
        while points.len() < MAX_WINNING_MOVES {
            let others = board.empty_points().any(|p| !found.contains(p) && board.is_legal(p));
            if !others {
                return WinningMoves { points, others: Others::Refuted };
            }
            let answer = self.think(board, &found);
            let Some(p) = answer.best.filter(|_| answer.score.is_win()) else {
                let is_lost = answer.score.is_loss();
                let others = if is_lost { Others::Refuted } else { Others::Open };
                return WinningMoves { points, others };
            };
            found.insert(p);
            points.push(p);
        }
        WinningMoves { points, others: Others::Open }
    }

    /// Prints the counts, if there are several problems.
    fn end(self, has_several: bool) -> anyhow::Result<()> {
        let Solver { args, mut tallies, all, stop, .. } = self;
        let mut output = std::io::stdout();
        if has_several && args.json {
            writeln!(output, "{}", all.json(&tallies, args.check))?;
        } else if has_several && tallies.is_empty() {
            writeln!(output, "\n{}", all.text(args.check))?;
        } else if has_several {
            tallies.insert("~ all".to_owned(), all.tally);
            let [class, positions, solved] = ["class", "positions", "solved"];
            writeln!(
                output,
                "\n{class:34} {positions:>9} {solved:>7} {:>7} {:>9}",
                "known", "seconds"
            )?;
            for (class, t) in &tallies {
                let seconds = t.time.as_secs_f64();
                let Tally { positions, solved, known, .. } = t;
                writeln!(
                    output,
                    "{class:34} {positions:>9} {solved:>7} {known:>7} {seconds:>9.2}"
                )?;
            }
            if args.check {
                writeln!(output, "\n{}", all.text(true))?;
            }
        }
        if stop.is_stopped() {
            return Err(interrupted(anyhow!("interrupted after {}", all.tally.in_words())));
        }
        Ok(())
    }
}

/// Returns the fives of the side to move.
fn fives(board: &Board) -> WinningMoves {
    let side = board.side_to_move();
    let points = board.empty_points().filter(|&p| board.makes_five(p, side)).collect();
    WinningMoves { points, others: Others::MakeNoFive }
}

/// Returns true if the game is over after a line.
fn is_over_after(board: &Board, line: &[Point]) -> bool {
    let mut end = board.clone();
    line.iter().all(|&p| end.play(p).is_ok()) && end.outcome() != Outcome::Ongoing
}

impl Tally {
    fn add(&mut self, solved: bool, known: bool, time: Duration) {
        self.positions += 1;
        self.solved += u32::from(solved);
        self.known += u32::from(known);
        self.time += time;
    }

    fn in_words(&self) -> String {
        source::counted(self.positions, "problem")
    }
}

impl Summary {
    fn add(&mut self, solution: &Solution, problem: &Problem, solved: bool, known: bool) {
        self.tally.add(solved, known, solution.time);
        let stones = solution.length.as_ref().map(|length| length.stones);
        let is_win = solution.wins(problem);
        self.won += u32::from(is_win);
        self.lost += u32::from(stones.is_some() && !is_win);
        if let Some(moves) = &solution.winning_moves {
            self.unique += u32::from(moves.is_unique() == Some(true));
            self.one_found += u32::from(moves.is_unique().is_none());
        }
        self.longest = self.longest.max(stones.filter(|_| is_win).unwrap_or(0));
    }

    fn text(&self, is_check: bool) -> String {
        let Summary { tally, won, lost, unique, one_found, longest } = self;
        let mut text = format!("{}: {won} won", tally.in_words());
        if is_check && *won > 0 {
            text += &format!(" ({unique} by only one first move");
            if *one_found > 0 {
                text += &format!(", {one_found} by only one that was found");
            }
            text += ")";
        }
        if *longest > 0 {
            text += &format!(" in up to {}", source::counted(*longest as u32, "move"));
        }
        if *lost > 0 {
            text += &format!(", {lost} lost");
        }
        let open = tally.positions - won - lost;
        if open > 0 {
            text += &format!(", {open} open");
        }
        text + &format!("; {:.1} s", tally.time.as_secs_f64())
    }

    fn json(&self, tallies: &BTreeMap<String, Tally>, is_check: bool) -> serde_json::Value {
        let Summary { tally, won, lost, unique, one_found, longest } = self;
        let ms = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let counts = |t: &Tally| json!({ "problems": t.positions, "solved": t.solved, "known": t.known, "ms": ms(t.time) });
        let classes: BTreeMap<&str, _> =
            tallies.iter().map(|(class, tally)| (&class[..], counts(tally))).collect();
        json!({ "summary": {
            "problems": tally.positions,
            "solved": tally.solved,
            "known": tally.known,
            "won": won,
            "lost": lost,
            "unique": is_check.then_some(unique),
            "one_found": is_check.then_some(one_found),
            "longest_win_moves": Some(longest).filter(|&&longest| longest > 0),
            "ms": ms(tally.time),
            "classes": classes,
        } })
    }
}
