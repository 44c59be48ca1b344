//! The wins of the VCF and VCT solvers hold against every defence, and the solvers find every win
//! that a plain search of all moves finds. Proven wins and losses of the main search are correct.

use std::collections::HashMap;

use kakugo::board::{Board, Direction, Outcome, Point, Rule, Side, Variant};
use kakugo::eval::Evaluator;
use kakugo::pattern::Threat;
use kakugo::position::Position;
use kakugo::score::Score;
use kakugo::search::shortest::{Attack, Shortest};
use kakugo::search::vcf::{ForcedWin, Vcf, VcfLimits};
use kakugo::search::vct::Vct;
use kakugo::search::{Engine, Limits, Signals, Silent};
use rand::Rng;
use rand::SeedableRng;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, IteratorRandom, SliceRandom};

const BUDGET: u32 = 3_000;

/// Returns a board with random stones in a part of it. No side has five.
fn random_board(
    random: &mut StdRng,
    variant: Variant,
    size: u8,
    window: u8,
    stones: usize,
) -> Board {
    let mut board = Board::new(size, size, variant).unwrap();
    let corner = [(); 2].map(|()| random.random_range(0..=size - window));
    while board.ply() < stones {
        let [x, y] = corner.map(|c| c + random.random_range(0..window));
        let p = Point::new(x, y).unwrap();
        let side = board.side_to_move();
        if !board.is_empty(p) || board.makes_five(p, side) || board.foul(p, side).is_some() {
            if random.random_ratio(1, 50) {
                break;
            }
            continue;
        }
        board.play(p).unwrap();
    }
    board
}

/// A solver.
trait Solver: Default {
    fn solve(&mut self, board: &Board) -> Option<ForcedWin>;
}

#[derive(Default)]
struct Fours(Vcf);

impl Solver for Fours {
    fn solve(&mut self, board: &Board) -> Option<ForcedWin> {
        self.0.search(&mut Position::new(board), VcfLimits::full(BUDGET), || false)
    }
}

#[derive(Default)]
struct Threats(Vct);

impl Solver for Threats {
    fn solve(&mut self, board: &Board) -> Option<ForcedWin> {
        let mut position = Position::new(board);
        let evaluator = Evaluator::new(&position);
        let win = self.0.search(&mut position, &evaluator, BUDGET, || false)?;
        let line = self.0.line(&mut position);
        assert_eq!(position.board().key(), board.key());
        assert_eq!(line.first(), Some(&win.first), "{board}");
        assert!(line.len() <= win.plies, "{} plies, not {}:\n{board}", line.len(), win.plies);
        let mut board = board.clone();
        line.into_iter().for_each(|p| board.play(p).unwrap());
        Some(win)
    }
}

/// Plays the claimed win against every defence at each step. Follows only one in twenty of the
/// defences that leave the attacker a win in at most five plies.
fn replay<S: Solver>(solver: &mut S, board: &mut Board, random: &mut StdRng) {
    let side = board.side_to_move();
    let win = solver.solve(board).unwrap_or_else(|| panic!("no win any more:\n{board}"));
    assert!(board.foul(win.first, side).is_none(), "forbidden {}:\n{board}", win.first);
    board.play(win.first).unwrap();
    if win.plies == 1 {
        assert_eq!(board.outcome(), Outcome::Win(side), "{board}");
    } else {
        assert_eq!(board.outcome(), Outcome::Ongoing, "{board}");
        let answers: Vec<Point> = board.empty_points().collect();
        for p in answers {
            if board.foul(p, side.opponent()).is_some() {
                continue;
            }
            board.play(p).unwrap();
            assert_eq!(board.outcome(), Outcome::Ongoing, "{p} makes five:\n{board}");
            let next = solver.solve(board);
            let next = next.unwrap_or_else(|| panic!("{p} refutes {}:\n{board}", win.first));
            if next.plies > 5 || random.random_ratio(1, 20) {
                replay(solver, board, random);
            }
            board.undo();
        }
    }
    board.undo();
}

/// Replays wins that `S` claims in random positions, until `wanted` wins of more than five plies
/// were found under each rule, and with other win lengths.
fn claims_hold<S: Solver>(seed: u64, wanted: usize) {
    let mut random = StdRng::seed_from_u64(seed);
    let others = [(Rule::Freestyle, 4), (Rule::Standard, 4), (Rule::Freestyle, 6)];
    let others = others.map(|(rule, length)| Variant::new(rule, length).unwrap());
    for variant in Rule::ALL.map(Variant::five).into_iter().chain(others) {
        let mut replayed = 0;
        while replayed < wanted {
            let stones = random.random_range(8..30);
            let mut board = random_board(&mut random, variant, 15, 9, stones);
            let mut solver = S::default();
            if let Some(win) = solver.solve(&board)
                && (6..=15).contains(&win.plies)
            {
                replay(&mut solver, &mut board, &mut random);
                replayed += 1;
            }
        }
    }
}

#[test]
fn wins_by_fours_hold_against_every_defence() {
    claims_hold::<Fours>(1, 20);
}

#[test]
fn wins_by_threats_hold_against_every_defence() {
    claims_hold::<Threats>(2, 10);
}

/// Returns the points on which `side` makes five.
fn fives(board: &Board, side: Side) -> Vec<Point> {
    board.empty_points().filter(|&p| board.makes_five(p, side)).collect()
}

/// Returns true if the side to move wins in this many plies (1, 3 or 5), by trying every move.
/// Skips moves that do not win even if the opponent passes, because they are not threats.
fn wins_in(board: &mut Board, plies: usize) -> bool {
    let (side, other) = (board.side_to_move(), board.side_to_move().opponent());
    if !fives(board, side).is_empty() {
        return true;
    }
    let stops = fives(board, other);
    let only_stop = !board.variant().five_rule(other).needs_free_end();
    if plies == 1 || (only_stop && stops.len() > 1) {
        return false;
    }
    let moves = match stops[..] {
        [stop] if only_stop => vec![stop],
        _ => board.empty_points().collect(),
    };
    moves.into_iter().any(|p| {
        if board.foul(p, side).is_some() {
            return false;
        }
        board.play(p).unwrap();
        let wins = {
            board.set_side_to_move(side);
            let threat = wins_in(board, plies - 2);
            board.set_side_to_move(other);
            let answers: Vec<Point> = board.empty_points().collect();
            threat
                && fives(board, other).is_empty()
                && answers.into_iter().all(|answer| {
                    if board.foul(answer, other).is_some() {
                        return true;
                    }
                    board.play(answer).unwrap();
                    let wins = wins_in(board, plies - 2);
                    board.undo();
                    wins
                })
        };
        board.undo();
        wins
    })
}

#[test]
fn threats_find_every_win_that_a_plain_search_finds() {
    let mut random = StdRng::seed_from_u64(3);
    let mut found = [0; 6];
    let mut none = 0;
    while found[3] < 40 || found[5] < 40 {
        let rule = *Rule::ALL.choose(&mut random).unwrap();
        let stones = (6..16).choose(&mut random).unwrap();
        let mut board = random_board(&mut random, Variant::five(rule), 8, 7, stones);
        let win = Threats::default().solve(&board);
        match [1, 3, 5].into_iter().find(|&plies| wins_in(&mut board, plies)) {
            Some(plies) => {
                let win = win.unwrap_or_else(|| panic!("a win in {plies} is missed:\n{board}"));
                assert!(win.plies >= plies, "{} plies are too few:\n{board}", win.plies);
                found[plies] += 1;
            }
            None => {
                assert!(win.is_none_or(|win| win.plies > 5), "no win in five plies:\n{board}");
                none += 1;
            }
        }
    }
    assert!(none > 100, "{none} positions without a win");
}

/// Returns true if the side to move wins by fours alone, by trying each four against every defence.
fn wins_by_fours(board: &mut Board, known: &mut HashMap<u64, bool>) -> bool {
    if let Some(&wins) = known.get(&board.key()) {
        return wins;
    }
    let (side, other) = (board.side_to_move(), board.side_to_move().opponent());
    let points: Vec<Point> = board.empty_points().collect();
    let wins = !fives(board, side).is_empty()
        || points.iter().any(|&p| {
            if board.foul(p, side).is_some() {
                return false;
            }
            board.play(p).unwrap();
            let wins = !fives(board, side).is_empty()
                && fives(board, other).is_empty()
                && points.iter().filter(|&&answer| answer != p).all(|&answer| {
                    if board.foul(answer, other).is_some() {
                        return true;
                    }
                    board.play(answer).unwrap();
                    let wins = wins_by_fours(board, known);
                    board.undo();
                    wins
                });
            board.undo();
            wins
        });
    known.insert(board.key(), wins);
    wins
}

#[test]
fn fours_find_a_win_exactly_where_there_is_one() {
    let mut random = StdRng::seed_from_u64(6);
    for rule in Rule::ALL {
        let [mut long, mut none] = [0; 2];
        while long < 25 || none < 100 {
            let stones = random.random_range(16..40);
            let mut board = random_board(&mut random, Variant::five(rule), 8, 8, stones);
            let side = board.side_to_move();
            if fives(&board, side).is_empty() {
                let win = Fours::default().solve(&board);
                let truth = wins_by_fours(&mut board, &mut HashMap::new());
                assert_eq!(win.is_some(), truth, "{rule}, {side}:\n{board}");
                long += usize::from(win.is_some_and(|win| win.plies > 3));
                none += usize::from(!truth);
            }
        }
    }
}

/// Returns the exact score for the side to move, by trying every move to the end of the game. A
/// side with only forbidden points left loses by playing one.
fn true_score(board: &mut Board, known: &mut HashMap<u64, Score>) -> Score {
    if let Some(&score) = known.get(&board.key()) {
        return score;
    }
    let side = board.side_to_move();
    let moves: Vec<Point> = board.empty_points().collect();
    let mut best = if moves.is_empty() { Score::ZERO } else { Score::loss_in(2) };
    for p in moves {
        if board.foul(p, side).is_some() {
            continue;
        }
        board.play(p).unwrap();
        let score = match board.outcome() {
            Outcome::Win(_) => Score::win_in(1),
            _ => -true_score(board, known).seen_from_ancestor(1),
        };
        board.undo();
        best = best.max(score);
    }
    known.insert(board.key(), best);
    best
}

/// Compares a search without limits to the exact score of a position with few free points. Result
/// and sign must agree; the distance of a win may be too long, but not too short.
fn compare_with_truth(board: &Board) -> Score {
    let limits = Limits::default();
    let answer = Engine::new(1 << 20).think(board, &limits, &Signals::default(), &mut Silent);
    let truth = true_score(&mut board.clone(), &mut HashMap::new());
    let score = answer.score;
    assert_eq!(score.is_win(), truth.is_win(), "{score} is {truth}:\n{board}");
    assert_eq!(score.is_loss(), truth.is_loss(), "{score} is {truth}:\n{board}");
    if score.is_win() {
        assert!(score <= truth, "{score} is too soon for {truth}:\n{board}");
    }
    truth
}

#[test]
fn what_the_search_calls_won_lost_or_neither_is_so() {
    let others = [(Rule::Freestyle, 4), (Rule::Standard, 4)];
    let others = others.map(|(rule, length)| Variant::new(rule, length).unwrap());
    let mut random = StdRng::seed_from_u64(4);
    for variant in Rule::ALL.map(Variant::five).into_iter().chain(others) {
        let size = if variant.win_length() == 5 { 7 } else { 5 };
        let [mut wins, mut losses, mut neither] = [0; 3];
        while wins < 20 || losses < 20 || neither < 20 {
            let free = random.random_range(7..=10);
            let board =
                random_board(&mut random, variant, size, size, usize::from(size).pow(2) - free);
            if board.empty_count() > 11 {
                // Too many free points are left to try every move.
                continue;
            }
            match compare_with_truth(&board) {
                truth if truth.is_win() => wins += 1,
                truth if truth.is_loss() => losses += 1,
                _ => neither += 1,
            }
        }
    }
}

/// Returns a board of any size and variant with blocked points, and with at most eight free points.
fn walled_board(random: &mut StdRng, variants: &[Variant]) -> Option<Board> {
    let variant = *variants.choose(random)?;
    let least = if variant.win_length() >= 5 { 5 } else { 3 };
    let [width, height] = [(); 2].map(|()| random.random_range(least..least + 5));
    let mut board = Board::new(width, height, variant).unwrap();
    let mut points: Vec<Point> = board.empty_points().collect();
    points.shuffle(random);
    let free = random.random_range(4..=8).min(points.len());
    for p in points.drain(free..) {
        let sides = if random.random() { Side::BOTH } else { [Side::White, Side::Black] };
        let fits = |side: &Side| !board.makes_five(p, *side) && board.foul(p, *side).is_none();
        match sides.into_iter().find(fits) {
            Some(side) if !random.random_ratio(1, 8) => board.place(p, side).unwrap(),
            _ => board.block(p).unwrap(),
        }
    }
    board.set_side_to_move(Side::BOTH[random.random_range(0..2)]);
    Some(board)
}

/// Checks the wins of all solvers in a position with this exact score. Returns whether there are
/// any.
fn check_solvers(board: &Board, truth: Score) -> bool {
    let is_possible = |plies: usize| truth.is_win() && Score::win_in(plies) <= truth;
    let wins = [Fours::default().solve(board), Threats::default().solve(board)];
    for win in wins.into_iter().flatten() {
        assert!(is_possible(win.plies), "{win:?}, but {truth}:\n{board}");
    }
    for attack in [Attack::Fours, Attack::Threats] {
        let win = Shortest::new(board, attack, 20_000).find(8).ok().flatten();
        let Some(win) = win else { continue };
        assert!(is_possible(win.line.len()), "{win:?}, but {truth}:\n{board}");
        let mut after = board.clone();
        for p in win.line {
            assert!(after.is_legal(p), "{p}:\n{after}");
            after.play(p).unwrap();
        }
        assert_eq!(after.outcome(), Outcome::Win(board.side_to_move()), "{board}");
    }
    wins.iter().any(Option::is_some)
}

#[test]
fn all_results_hold_on_boards_of_every_variant_with_blocked_points() {
    let lengths = |rule| (3..=6).filter_map(move |length| Variant::new(rule, length).ok());
    let variants: Vec<Variant> = Rule::ALL.into_iter().flat_map(lengths).collect();
    let mut random = StdRng::seed_from_u64(7);
    let [mut solved, mut losses, mut neither] = [0; 3];
    while solved < 60 || losses < 40 || neither < 40 {
        let Some(board) = walled_board(&mut random, &variants) else { continue };
        if !fives(&board, board.side_to_move()).is_empty() {
            continue;
        }
        let truth = compare_with_truth(&board);
        solved += u32::from(check_solvers(&board, truth));
        losses += u32::from(truth.is_loss());
        neither += u32::from(!truth.is_decided());
    }
}

/// Returns a board that is full except on the lines through one point. Black has threes and pairs
/// on these lines, so double threats occur and some are forbidden. No side has five.
fn crossing_board(random: &mut StdRng) -> Option<Board> {
    let size = random.random_range(7..=9);
    let mut board = Board::new(size, size, Variant::RENJU).unwrap();
    let mut free = vec![Point::new(size / 2, size / 2).unwrap()];
    let mut directions = Direction::ALL.to_vec();
    directions.shuffle(random);
    for (direction, blacks) in directions.into_iter().zip([3, 2]) {
        let mut steps = vec![-3, -2, -1, 1, 2, 3];
        steps.shuffle(random);
        steps.sort_by_key(|step: &i32| step.abs() + random.random_range(0..2));
        for (n, step) in steps.into_iter().take(blacks + 3).enumerate() {
            let p = free[0].step(direction, step)?;
            if n < blacks {
                board.place(p, Side::Black).ok()?;
            } else {
                free.push(p);
            }
        }
    }
    let mut rest: Vec<Point> = board.empty_points().filter(|p| !free.contains(p)).collect();
    rest.shuffle(random);
    let mut blacks = board.ply();
    let target = (usize::from(size).pow(2) - free.len()) / 2;
    for p in rest {
        let mut sides = Side::BOTH;
        if blacks >= target || random.random() {
            sides.reverse();
        }
        let fits = |side: &Side| !board.makes_five(p, *side);
        let side = sides.into_iter().find(fits)?;
        board.place(p, side).ok()?;
        blacks += usize::from(side == Side::Black);
    }
    board.set_side_to_move(Side::BOTH[random.random_range(0..2)]);
    Some(board)
}

#[test]
fn what_the_search_says_is_so_where_black_has_doubles_and_forbidden_points() {
    let mut random = StdRng::seed_from_u64(5);
    let [mut wins, mut losses, mut neither, mut doubles] = [0; 4];
    while wins < 60 || losses < 60 || neither < 60 || doubles < 100 {
        let Some(board) = crossing_board(&mut random) else { continue };
        let position = Position::new(&board);
        let threats = position.threats();
        let fouls = board.empty_points().filter(|&p| board.foul(p, Side::Black).is_some()).count();
        doubles += usize::from(fouls > 0 && threats.count(Side::Black, Threat::FourThree) > 0);
        match compare_with_truth(&board) {
            truth if truth.is_win() => wins += 1,
            truth if truth.is_loss() => losses += 1,
            _ => neither += 1,
        }
    }
}
