//! Forced wins with their whole line: [`solve`], and the completion of lines that a search reports.
//!
//! A search proves a win long before it has seen the five, and reports only the moves of the proof.
//! The rest is played here: the winner plays fours if they win, or else threats. The other side
//! plays the move that delays the loss longest among those that could help.

use crate::board::{Board, Outcome, Point, Side};
use crate::clock::Instant;
use crate::eval::Evaluator;
use crate::position::Position;
use crate::score::Score;
use crate::search::shortest::{Attack, Shortest};
use crate::search::vcf::{Vcf, VcfLimits};
use crate::search::vct::Vct;
use crate::search::{Limits, Signals, candidates};

/// Budget of [`solve`] without a limit: attacker's moves by fours, and nodes by threats, together.
const DEFAULT_NODES: u64 = 200_000;

/// Attacker's moves of the first attempt by fours, and nodes of the first one by threats. Each
/// further attempt may take [`GROWTH`] times as many.
const FIRST_FOURS: u64 = 5_000;
const FIRST_THREATS: u64 = 1_000;
const GROWTH: u64 = 4;

/// Nodes between two checks of the clock and the stop handle.
const CHECK_EVERY: u64 = 64;

/// Budgets to complete a line: moves of the attacker per VCF search and in all, and nodes per VCT
/// search and in all.
#[derive(Clone, Copy)]
struct Budgets {
    fours: u32,
    all_fours: u32,
    threats: u32,
    all_threats: u32,
    /// Longest line, in plies.
    plies: usize,
}

/// The budgets for lines of analyses, which should not wait long for their ends.
const QUICK: Budgets =
    Budgets { fours: 5_000, all_fours: 200_000, threats: 3_000, all_threats: 60_000, plies: 60 };

/// If the defender has more answers than this, the attacker does not threaten anything.
const MAX_ANSWERS: usize = 40;

/// The moves that a forced win consists of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum WinKind {
    /// Every move of the winner is a four or the five (victory by continuous fours, VCF).
    Fours,
    /// The moves of the winner are fours and open threes (victory by continuous threats, VCT).
    Threats,
}

/// A forced win of the side to move.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct ForcedWin {
    /// The moves that it consists of.
    pub kind: WinKind,
    /// The moves of both sides, the winner's first, up to the five. The loser plays one of the
    /// defences that last longest.
    pub line: Vec<Point>,
    /// True if the line ends with the five. If not, the win is proven all the same, but the search
    /// was stopped, or ran out of nodes, before the line was complete.
    pub is_complete: bool,
}

/// Searches for a forced win of the side to move, by fours first and then by fours and open threes.
///
/// Wins are proven against every defence. `None` means that there is no such win, that the game is
/// over, or that a limit was reached. `limits` may bound time and nodes, or have a stop handle; its
/// other bounds are ignored. Without a bound of time and nodes, the search ends after 200,000
/// nodes. To complete the line of a win that was found may take longer than the limits, if it is
/// not stopped.
///
/// Wins with other moves than fours and threes are found by
/// [`Engine::analyze`](crate::Engine::analyze).
///
/// ```
/// use kakugo::{Board, Limits, Variant, WinKind};
///
/// // Black has two open twos that cross: a double threat.
/// let mut board = Board::new(15, 15, Variant::FREESTYLE)?;
/// for name in ["g8", "a1", "h8", "o1", "i6", "a15", "i7", "o15"] {
///     board.play(board.parse_point(name)?)?;
/// }
/// let win = kakugo::solve(&board, &Limits::new()).ok_or("no forced win")?;
/// assert_eq!(win.kind, WinKind::Threats);
/// assert!(win.is_complete);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve(board: &Board, limits: &Limits) -> Option<ForcedWin> {
    solve_kind(board, WinKind::Threats, limits)
}

/// Searches for a forced win of the side to move by fours only (VCF).
///
/// As [`solve`] otherwise. A search that ends before its limits has tried all fours.
///
/// ```
/// use kakugo::{Board, Limits, Variant};
///
/// // Two rows of Black cross: the point where they meet makes two fours.
/// let board = Board::from_diagram(
///     Variant::FREESTYLE,
///     "O . . . O . O
///      . . . . X . .
///      . . . . X . .
///      O X X X . . .
///      . . . . X . .
///      . . . . . . .
///      O . . . . . O",
/// )?;
/// let win = kakugo::solve_by_fours(&board, &Limits::new()).ok_or("no win by fours")?;
/// assert_eq!((board.name(win.line[0]).as_str(), win.line.len()), ("e4", 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn solve_by_fours(board: &Board, limits: &Limits) -> Option<ForcedWin> {
    solve_kind(board, WinKind::Fours, limits)
}

/// Searches for a win by fours, or by fours and threats.
fn solve_kind(board: &Board, kind: WinKind, limits: &Limits) -> Option<ForcedWin> {
    if board.outcome() != Outcome::Ongoing {
        return None;
    }
    let signals = limits.stop.clone().unwrap_or_default().signals();
    let default = if limits.turn.is_some() { u64::MAX } else { DEFAULT_NODES };
    let mut bounds = Bounds {
        nodes: 0,
        max_nodes: limits.max_nodes.unwrap_or(default),
        end: limits.turn.and_then(|time| Instant::now().checked_add(time)),
        signals: &signals,
        is_up: false,
    };
    let mut position = Position::new(board);
    let evaluator = Evaluator::with_network(&position, None);
    let (mut vcf, mut vct) = (Vcf::default(), Vct::default());
    let (mut fours, mut threats) = (FIRST_FOURS, FIRST_THREATS);
    let (kind, line) = loop {
        let (before, budget) = (bounds.nodes, small(fours.min(bounds.left())));
        let win = vcf.search(&mut position, VcfLimits::full(budget), || bounds.visit());
        if let Some(win) = win {
            let line = vcf.line(&mut position, budget, || signals.is_stopped());
            let line = line.unwrap_or_else(|| vec![win.first]);
            break (WinKind::Fours, line);
        }
        let all_fours_tried = bounds.nodes - before < u64::from(budget);
        if kind == WinKind::Fours {
            if bounds.is_over() || all_fours_tried {
                return None;
            }
            fours = fours.saturating_mul(GROWTH);
            continue;
        }
        let (before, budget) = (bounds.nodes, small(threats.min(bounds.left())));
        if vct.search(&mut position, &evaluator, budget, || bounds.visit()).is_some() {
            break (WinKind::Threats, vct.line(&mut position));
        }
        let all_threats_tried = bounds.nodes - before < u64::from(budget);
        if bounds.is_over() || all_fours_tried && all_threats_tried {
            return None;
        }
        (fours, threats) = (fours.saturating_mul(GROWTH), threats.saturating_mul(GROWTH));
    };
    let (fours, threats) = (small(fours), small(threats));
    let budgets = Budgets {
        fours,
        all_fours: fours.saturating_mul(100),
        threats,
        all_threats: threats.saturating_mul(100),
        plies: board.empty_count(),
    };
    let mut win = Win::new(board, budgets, &signals);
    (win.vcf, win.vct) = (Some(vcf), Some(vct));
    let side = board.side_to_move();
    win.complete(&line, side);
    let is_complete = win.board.outcome() == Outcome::Win(side);
    Some(ForcedWin { kind, line: win.line, is_complete })
}

/// The largest number of 32 bits that is not above `n`.
fn small(n: u64) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// Ends the searches of [`solve`].
struct Bounds<'a> {
    nodes: u64,
    max_nodes: u64,
    end: Option<Instant>,
    signals: &'a Signals,
    is_up: bool,
}

impl Bounds<'_> {
    /// Counts a node. Returns whether to stop.
    fn visit(&mut self) -> bool {
        if self.nodes.is_multiple_of(CHECK_EVERY) {
            self.is_up |=
                self.signals.is_stopped() || self.end.is_some_and(|end| Instant::now() >= end);
        }
        self.nodes += 1;
        self.is_up
    }

    /// Returns the number of nodes left.
    fn left(&self) -> u64 {
        if self.is_up { 0 } else { self.max_nodes.saturating_sub(self.nodes) }
    }

    fn is_over(&self) -> bool {
        self.left() == 0
    }
}

/// Returns the line of this score, completed to the five if it is a win of either side. It is not
/// longer than the score says. If the rest is not found, or the search is stopped, the line ends
/// early.
pub fn with_its_end(board: &Board, score: Score, line: &[Point], signals: &Signals) -> Vec<Point> {
    let Some(plies) = score.plies_to_five() else { return line.to_vec() };
    let side = board.side_to_move();
    let mut win = Win { max_plies: plies, ..Win::new(board, QUICK, signals) };
    win.complete(line, if score.is_win() { side } else { side.opponent() });
    win.line
}

/// Returns the line by which `winner` wins, completed to the five. If the rest is not found, or the
/// search is stopped, the line ends early.
pub fn to_the_five(board: &Board, line: &[Point], winner: Side, signals: &Signals) -> Vec<Point> {
    let mut win = Win::new(board, QUICK, signals);
    win.complete(line, winner);
    win.line
}

/// A line and the position after it.
struct Win<'a> {
    board: Board,
    line: Vec<Point>,
    /// Plies in which the win is proven.
    max_plies: usize,
    /// Created on first use: they are large.
    vcf: Option<Vcf>,
    vct: Option<Vct>,
    budgets: Budgets,
    /// Attacker's moves left for wins by fours.
    moves: u32,
    /// Nodes left for wins by threats.
    nodes: u32,
    /// Ends the completion.
    signals: &'a Signals,
}

impl<'a> Win<'a> {
    fn new(board: &Board, budgets: Budgets, signals: &'a Signals) -> Win<'a> {
        Win {
            board: board.clone(),
            line: Vec::new(),
            max_plies: usize::MAX,
            vcf: None,
            vct: None,
            budgets,
            moves: budgets.all_fours,
            nodes: budgets.all_threats,
            signals,
        }
    }

    /// Plays `line`, and goes on until `winner` has made five, as far as the budgets allow.
    fn complete(&mut self, line: &[Point], winner: Side) {
        if !line.iter().all(|&p| self.play(p)) {
            return;
        }
        while self.board.outcome() == Outcome::Ongoing
            && self.line.len() < self.budgets.plies
            && !self.signals.is_stopped()
        {
            let is_winners_turn = self.board.side_to_move() == winner;
            let more = if is_winners_turn { self.attack() } else { self.defence() };
            if more.is_empty() || !more.into_iter().all(|p| self.play(p)) {
                break;
            }
        }
    }

    /// Adds a move. Returns whether it can be played.
    fn play(&mut self, p: Point) -> bool {
        let can = self.board.outcome() == Outcome::Ongoing && self.board.play(p).is_ok();
        if can {
            self.line.push(p);
        }
        can
    }

    /// Returns the winner's next moves and the answers to them; none if no win is found.
    fn attack(&mut self) -> Vec<Point> {
        let plies = self.max_plies.saturating_sub(self.line.len());
        let is_too_long = |line: &Vec<Point>| line.len() > plies;
        let by_fours = self.by_fours().and_then(|_| self.line_of_fours());
        let line = by_fours.or_else(|| self.by_threats().map(|(_, line)| line));
        // Fours and threats may take longer than the win that was proven.
        if line.as_ref().is_some_and(is_too_long) { self.shortest(plies) } else { line }
            .unwrap_or_default()
    }

    /// Returns the shortest win of the side to move, of at most this number of plies.
    fn shortest(&mut self, plies: usize) -> Option<Vec<Point>> {
        let interrupt = || self.signals.is_stopped();
        let nodes = self.budgets.threats;
        let mut search = Shortest::with_interrupt(&self.board, Attack::Threats, nodes, interrupt);
        search.find(plies.div_ceil(2)).ok().flatten().map(|win| win.line)
    }

    /// Returns the number of plies in which the side to move wins by fours.
    fn by_fours(&mut self) -> Option<usize> {
        if self.moves == 0 {
            return None;
        }
        let mut position = Position::new(&self.board);
        let vcf = self.vcf.get_or_insert_default();
        let (left, mut moves) = (self.moves.min(self.budgets.fours), 0);
        let win = vcf.search(&mut position, VcfLimits::full(left), || {
            moves += 1;
            self.signals.is_stopped()
        });
        self.moves -= left.min(moves);
        win.map(|win| win.plies)
    }

    /// Returns the line of the win that [`Win::by_fours`] has found.
    fn line_of_fours(&mut self) -> Option<Vec<Point>> {
        let mut position = Position::new(&self.board);
        let vcf = self.vcf.get_or_insert_default();
        let left = self.moves.min(self.budgets.fours);
        vcf.line(&mut position, left, || {
            self.moves = self.moves.saturating_sub(1);
            self.signals.is_stopped()
        })
    }

    /// Returns the number of plies in which the side to move wins by threats, and the line.
    fn by_threats(&mut self) -> Option<(usize, Vec<Point>)> {
        let mut position = Position::new(&self.board);
        let evaluator = Evaluator::with_network(&position, None);
        let vct = self.vct.get_or_insert_default();
        let (left, mut nodes) = (self.nodes.min(self.budgets.threats), 0);
        let win = vct.search(&mut position, &evaluator, left, || {
            nodes += 1;
            self.signals.is_stopped()
        });
        self.nodes -= left.min(nodes);
        let plies = win?.plies;
        let line = vct.line(&mut position);
        (!line.is_empty()).then_some((plies, line))
    }

    /// Returns the answer that delays the loss longest; none if no answer is known to lose.
    fn defence(&mut self) -> Vec<Point> {
        let position = Position::new(&self.board);
        let helpful = candidates(&position);
        if helpful.len() > MAX_ANSWERS {
            return Vec::new();
        }
        let legal = |p: &Point| position.is_legal(*p);
        let mut best: Option<(usize, Point)> = None;
        for p in helpful.iter().filter(legal) {
            let mut after = self.board.clone();
            if after.play(p).is_err() || after.outcome() != Outcome::Ongoing {
                continue;
            }
            let before = std::mem::replace(&mut self.board, after);
            let plies = self.by_fours().or_else(|| self.by_threats().map(|(plies, _)| plies));
            self.board = before;
            let later = |plies: &usize| best.is_none_or(|(longest, _)| *plies > longest);
            if let Some(plies) = plies.filter(later) {
                best = Some((plies, p));
            }
        }
        // No move stops two fives at once.
        let other = self.board.side_to_move().opponent();
        let fives = || self.board.empty_points().filter(|&p| self.board.makes_five(p, other));
        let lost = || fives().chain(self.board.empty_points()).find(legal);
        match best {
            Some((_, p)) => vec![p],
            None if helpful.iter().any(|p| legal(&p)) => Vec::new(),
            None => lost().into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::board::Variant;
    use crate::search::{StopHandle, vcf};

    /// The line of a quick win by fours or threats.
    fn find(board: &Board) -> Option<Vec<Point>> {
        solve(board, &Limits::new().nodes(3_000)).map(|win| win.line)
    }

    fn random_board(random: &mut ChaCha8Rng, variant: Variant) -> Board {
        let mut board = Board::new(15, 15, variant).unwrap();
        let stones = random.random_range(8..24);
        for _ in 0..100 {
            let [x, y] = [(); 2].map(|()| random.random_range(4..11));
            let (p, side) = (Point::new(x, y).unwrap(), board.side_to_move());
            let is_quiet = !board.makes_five(p, side) && board.foul(p, side).is_none();
            if board.ply() < stones && board.is_empty(p) && is_quiet {
                board.play(p).unwrap();
            }
        }
        board
    }

    #[test]
    fn wins_by_threats_are_played_to_their_fives() {
        let signals = Signals::default();
        for variant in [Variant::FREESTYLE, Variant::RENJU] {
            let mut random = ChaCha8Rng::seed_from_u64(1);
            let mut wins = 0;
            while wins < 12 {
                let board = random_board(&mut random, variant);
                if vcf::prove(&board, 20_000).is_some() {
                    continue;
                }
                let Some(line) = find(&board) else { continue };
                wins += 1;
                let side = board.side_to_move();
                let mut after = board.clone();
                for &p in &line {
                    assert_eq!(after.outcome(), Outcome::Ongoing);
                    after.play(p).unwrap();
                }
                assert_eq!(after.outcome(), Outcome::Win(side), "{board} {line:?}");
                // The same win as a loss of the side that answers.
                let mut then = board.clone();
                then.play(line[0]).unwrap();
                let lost = with_its_end(&then, Score::loss_in(60), &line[1..2], &signals);
                lost.iter().for_each(|&p| then.play(p).unwrap());
                assert_eq!(then.outcome(), Outcome::Win(side), "{board} {lost:?}");
            }
        }
    }

    #[test]
    fn a_solved_position_is_won_by_the_whole_line() {
        for variant in [Variant::FREESTYLE, Variant::RENJU, Variant::CARO] {
            let mut random = ChaCha8Rng::seed_from_u64(2);
            let mut kinds = [0, 0];
            while kinds.contains(&0) || kinds[0] + kinds[1] < 30 {
                let board = random_board(&mut random, variant);
                let Some(win) = solve(&board, &Limits::new().nodes(20_000)) else { continue };
                kinds[win.kind as usize] += 1;
                let mut after = board.clone();
                win.line.iter().for_each(|&p| {
                    assert!(after.outcome() == Outcome::Ongoing && after.is_legal(p), "{board}");
                    after.play(p).unwrap();
                });
                assert!(win.is_complete, "{board} {win:?}");
                assert_eq!(after.outcome(), Outcome::Win(board.side_to_move()), "{board}");
            }
        }
    }

    #[test]
    fn limits_end_the_solver() {
        let (board, _) = won_by_threats();
        assert!(solve(&board, &Limits::new()).is_some());
        assert_eq!(solve(&board, &Limits::new().nodes(1)), None);
        assert_eq!(solve(&board, &Limits::new().time(std::time::Duration::ZERO)), None);
        let stop = StopHandle::new();
        stop.stop();
        assert_eq!(solve(&board, &Limits::new().stop(&stop)), None);
    }

    #[test]
    fn a_finished_game_is_not_won_again() {
        let mut board = Board::from_diagram(Variant::FREESTYLE, "XXXX.\nOOOO.\n.....").unwrap();
        let win = solve(&board, &Limits::new()).expect("a five");
        assert_eq!((board.names(&win.line).as_str(), win.is_complete), ("e3", true));
        board.play(win.line[0]).unwrap();
        assert_eq!(solve(&board, &Limits::new()), None);
    }

    /// Returns a random position that is won by threats and not by fours alone, and the first move.
    fn won_by_threats() -> (Board, Point) {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        loop {
            let board = random_board(&mut random, Variant::FREESTYLE);
            let is_by_fours = vcf::prove(&board, 20_000).is_some();
            let line = find(&board).filter(|_| !is_by_fours);
            if let Some(first) = line.filter(|line| line.len() > 8).map(|line| line[0]) {
                return (board, first);
            }
        }
    }

    #[test]
    fn a_stop_ends_it() {
        let (board, first) = won_by_threats();
        let signals = Signals::default();
        let ended = |signals: &Signals| with_its_end(&board, Score::win_in(59), &[first], signals);
        assert!(ended(&signals).len() > 8);
        signals.stop();
        assert_eq!(ended(&signals), [first]);
    }

    #[test]
    fn the_searches_for_fours_have_a_budget_together() {
        let (board, first) = won_by_threats();
        let signals = Signals::default();
        let mut win = Win::new(&board, QUICK, &signals);
        assert!(win.play(first) && !win.defence().is_empty());
        assert!(win.moves < QUICK.all_fours);
        // Black has a win by fours that no single one is.
        let fours =
            [(4, 4), (0, 0), (5, 4), (14, 0), (6, 4), (0, 14), (7, 5), (14, 14), (7, 6), (0, 7)];
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        fours.iter().for_each(|&(x, y)| board.play(Point::new(x, y).unwrap()).unwrap());
        let mut win = Win::new(&board, QUICK, &signals);
        assert!(win.by_fours().is_some_and(|plies| plies > 1));
        win.moves = 0;
        assert_eq!(win.by_fours(), None);
    }

    #[test]
    fn the_other_side_holds_out_as_long_as_it_can() {
        let (board, first) = won_by_threats();
        let signals = Signals::default();
        let mut win = Win::new(&board, QUICK, &signals);
        win.play(first);
        let chosen = win.defence();
        let lasts = |win: &mut Win<'_>, p: Point| {
            let before = win.board.clone();
            let can = win.board.play(p).is_ok() && win.board.outcome() == Outcome::Ongoing;
            let plies = can.then(|| win.by_fours().or_else(|| win.by_threats().map(|won| won.0)));
            win.board = before;
            plies.flatten()
        };
        let answers = candidates(&Position::new(&win.board));
        let lengths: Vec<usize> = answers.iter().filter_map(|p| lasts(&mut win, p)).collect();
        let longest = lengths.iter().max().copied();
        assert!(lengths.iter().any(|&plies| Some(plies) < longest), "{lengths:?}");
        assert_eq!(lasts(&mut win, chosen[0]), longest);
    }

    /// White wins in seven plies. A win by fours after the first two takes nine.
    #[test]
    fn a_line_is_not_longer_than_the_score_says() {
        let mut board = Board::from_diagram(
            Variant::CARO,
            "XXOX#OO
             .#X.O.#
             XXOX..X
             XX#OOOX
             XOOX.OO
             #..OO..
             XO....X
             X.XO...",
        )
        .unwrap();
        board.set_side_to_move(Side::White);
        let line = ["a7", "e6"].map(|name| board.parse_point(name).unwrap());
        let ended = |plies| with_its_end(&board, Score::win_in(plies), &line, &Signals::default());
        assert_eq!(ended(9).len(), 9);
        let shortest = ended(7);
        assert_eq!(shortest.len(), 7);
        assert_eq!(ended(5), line);
        shortest.iter().for_each(|&p| board.play(p).unwrap());
        assert_eq!(board.outcome(), Outcome::Win(Side::White));
    }

    #[test]
    fn a_line_without_a_win_is_left_as_it_is_and_an_impossible_one_ends() {
        let board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let at = |x, y| Point::new(x, y).unwrap();
        let line = [at(7, 7), at(8, 8)];
        let ended = |score, line: &[Point]| with_its_end(&board, score, line, &Signals::default());
        assert_eq!(ended(Score::from_eval(20), &line), line);
        assert_eq!(ended(Score::win_in(9), &line), line);
        assert_eq!(ended(Score::win_in(9), &[at(7, 7), at(7, 7)]), [at(7, 7)]);
    }
}
