//! How long a proven win takes, and whether it is the shortest.

use std::fmt;

use kakugo::board::{Board, Outcome, Point, Side};
use kakugo::score::Score;

pub use kakugo::search::shortest::{Attack, OutOfNodes, Shortest, Win};

/// A search of all moves finds every win of at most this number of stones.
const MAX_EXACT_STONES: usize = 3;

/// How long a proven win of either side takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Length {
    /// The side that wins.
    pub winner: Side,
    /// The winner's stones up to the five.
    pub stones: usize,
    /// True if there is no shorter win. Otherwise the five may come sooner.
    pub is_shortest: bool,
    /// A line of a shorter win than the one that was proven first.
    pub shorter: Option<Vec<Point>>,
}

impl Length {
    /// Returns the length of the win or loss that a search has proven for the side to move, with
    /// its line. `None` if the score is not decided. Searches `nodes` nodes for a shorter win.
    pub fn of(board: &Board, score: Score, line: &[Point], nodes: u32) -> Option<Length> {
        let stones = score.plies_to_five()?.div_ceil(2);
        let side = board.side_to_move();
        if score.is_win() {
            let found = shortest(board, stones - 1, nodes);
            let shorter = found.as_ref().ok().cloned().flatten();
            let stones = shorter.as_ref().map_or(stones, Win::stones);
            let is_shortest = found.is_ok() && stones <= MAX_EXACT_STONES + 1;
            let shorter = shorter.map(|win| win.line);
            return Some(Length { winner: side, stones, is_shortest, shorter });
        }
        // The best defence may last less long than was proven.
        let mut after = board.clone();
        let is_played = line.first().is_some_and(|&p| after.play(p).is_ok());
        let lasts = || {
            is_played
                && after.outcome() == Outcome::Ongoing
                && stones <= MAX_EXACT_STONES + 1
                && shortest(&after, stones - 1, nodes) == Ok(None)
        };
        let is_shortest = stones <= 1 || lasts();
        Some(Length { winner: side.opponent(), stones, is_shortest, shorter: None })
    }

    /// Returns the length of a win of the side to move by threats of this kind, with its line.
    /// Searches `nodes` nodes for a shorter win of the same kind.
    pub fn of_attack(board: &Board, attack: Attack, line: &[Point], nodes: u32) -> Length {
        let stones = line.len().div_ceil(2);
        let found = Shortest::new(board, attack, nodes).find(stones.saturating_sub(1));
        let is_shortest = found.is_ok();
        let shorter = found.ok().flatten();
        Length {
            winner: board.side_to_move(),
            stones: shorter.as_ref().map_or(stones, Win::stones),
            is_shortest,
            shorter: shorter.map(|win| win.line),
        }
    }
}

/// Returns the shortest win of at most `max_stones` stones that threats find; if it has more than
/// [`MAX_EXACT_STONES`], also one of those by all moves.
fn shortest(board: &Board, max_stones: usize, nodes: u32) -> Result<Option<Win>, OutOfNodes> {
    let by_threats = Shortest::new(board, Attack::Threats, nodes).find(max_stones)?;
    if by_threats.as_ref().is_some_and(|win| win.stones() <= MAX_EXACT_STONES) {
        return Ok(by_threats);
    }
    let by_all = Shortest::new(board, Attack::All, nodes).find(max_stones.min(MAX_EXACT_STONES));
    by_all.map(|win| win.or(by_threats))
}

/// `Black wins in 4 moves`, with `or sooner` if a shorter win is possible.
impl fmt::Display for Length {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Length { winner, stones, is_shortest, .. } = self;
        let s = if *stones == 1 { "" } else { "s" };
        let sooner = if *is_shortest { "" } else { " or sooner" };
        write!(f, "{winner} wins in {stones} move{s}{sooner}")
    }
}

#[cfg(test)]
mod tests {
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use kakugo::board::Variant;
    use kakugo::search::vcf;

    const NODES: u32 = 100_000;

    fn random_board(size: u8, stones: usize, variant: Variant, seed: u64) -> Board {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut board = Board::new(size, size, variant).unwrap();
        for _ in 0..1000 {
            let [x, y] = [(); 2].map(|()| random.random_range(0..size));
            let (p, side) = (Point::new(x, y).unwrap(), board.side_to_move());
            if board.ply() < stones && board.is_legal(p) && !board.makes_five(p, side) {
                board.play(p).unwrap();
            }
        }
        board
    }

    /// Returns whether the side to move wins with `stones` stones. Tries all moves of both sides;
    /// of the winner's those that leave no time: fours, and moves that win with one stone less if
    /// the opponent passes.
    fn wins_by_trying(board: &mut Board, stones: usize) -> bool {
        let side = board.side_to_move();
        let free: Vec<Point> = board.empty_points().collect();
        if free.iter().any(|&p| board.makes_five(p, side)) {
            return stones > 0;
        }
        stones > 1
            && free.into_iter().any(|p| {
                if !board.is_legal(p) {
                    return false;
                }
                board.play(p).unwrap();
                let won = loses_by_trying(board, stones - 1);
                board.undo();
                won
            })
    }

    fn loses_by_trying(board: &mut Board, stones: usize) -> bool {
        let side = board.side_to_move();
        let free: Vec<Point> = board.empty_points().collect();
        if free.is_empty() || free.iter().any(|&p| board.makes_five(p, side)) {
            return false;
        }
        board.set_side_to_move(side.opponent());
        let threatens = wins_by_trying(board, stones);
        board.set_side_to_move(side);
        threatens
            && free.into_iter().filter(|&p| board.is_legal(p)).collect::<Vec<_>>().into_iter().all(
                |p| {
                    board.play(p).unwrap();
                    let lost = wins_by_trying(board, stones);
                    board.undo();
                    lost
                },
            )
    }

    #[test]
    fn wins_of_three_stones_are_those_found_by_trying_all_moves() {
        let mut found = [0; 4];
        for variant in [Variant::FREESTYLE, Variant::RENJU] {
            for seed in 0..90 {
                // Black has more stones, so that it often wins.
                let mut board = random_board(7, 9, variant, seed);
                let mut random = ChaCha8Rng::seed_from_u64(seed);
                for _ in 0..3 {
                    let [x, y] = [(); 2].map(|()| random.random_range(1..6));
                    let p = Point::new(x, y).unwrap();
                    if board.is_empty(p) && board.foul(p, Side::Black).is_none() {
                        board.place(p, Side::Black).unwrap();
                    }
                }
                board.set_side_to_move(Side::Black);
                let has_five = |p| board.makes_five(p, Side::Black);
                if board.stones().any(|stone| has_five(stone.point)) {
                    continue;
                }
                let tried = (1..=3).find(|&stones| wins_by_trying(&mut board, stones));
                let win = Shortest::new(&board, Attack::All, NODES).find(3).unwrap();
                assert_eq!(win.map(|win| win.stones()), tried, "{board}");
                found[tried.unwrap_or(0)] += 1;
            }
        }
        assert!(found.iter().all(|&n| n > 3), "{found:?}");
    }

    /// Each first move threatens two double fours, or fours with forbidden answers, and is no
    /// threat of the usual kinds.
    #[test]
    fn wins_of_three_stones_may_begin_with_a_quiet_move() {
        let crossing = "
            . . . . . . . . O . . .
            . . . . . . . . . . . .
            . . . . . . . . . . . .
            . . . . . . . . . . . .
            . . . O . . . . . . . O
            . . . . X . . . . . X .
            . . . . . X . . . X O .
            . . . . . . . . X . . .
            . . . . . X . . . X . .
            . . . . X . . . . . X .
            . . . O . . . . . . . O
            . . . . . . . . . . . .";
        let forbidden = "
            . . . . . . . . X . . .
            . . . . . . . . . . . .
            . . X . X . . . X . . .
            . . . O . . . . . . . .
            . . . . O . . . . . . .
            . . . . . . . O . . . .
            . . X O O O . . O . . .
            . . . O . . X . . O . .
            . . X . . . . . . . X .
            . . . . . . . . . . . X
            . . . . . . . . . . . .
            . . . . . . . . . . . .";
        let cases =
            [(Variant::FREESTYLE, Side::Black, crossing), (Variant::RENJU, Side::White, forbidden)];
        for (variant, side, drawing) in cases {
            let (mut board, _) = kakugo::board!(variant, drawing);
            board.set_side_to_move(side);
            let threats = Shortest::new(&board, Attack::Threats, NODES).find(3).unwrap();
            assert_eq!(threats, None, "{board}");
            let win = Shortest::new(&board, Attack::All, NODES).find(3).unwrap();
            let win = win.unwrap_or_else(|| panic!("no win:\n{board}"));
            assert_eq!(win.line.len(), 5, "{board}{win:?}");
            let mut end = board.clone();
            for &p in &win.line {
                assert!(end.outcome() == Outcome::Ongoing && end.is_legal(p), "{board}");
                end.play(p).unwrap();
            }
            assert_eq!(end.outcome(), Outcome::Win(side), "{board}");
            assert!(wins_by_trying(&mut board, 3));
            let length = Length::of(&board, Score::win_in(7), &[], NODES).unwrap();
            assert_eq!(length.to_string(), format!("{side:?} wins in 3 moves"));
        }
    }

    #[test]
    fn fours_win_if_the_engine_says_so_and_lines_end_with_a_five() {
        let (mut won, mut lost) = (0, 0);
        for variant in [Variant::FREESTYLE, Variant::RENJU] {
            for seed in 0..150 {
                let board = random_board(11, 36, variant, seed);
                if board.outcome() != Outcome::Ongoing {
                    continue;
                }
                let win = Shortest::new(&board, Attack::Fours, NODES).find(8).unwrap();
                let proof = vcf::prove(&board, NODES);
                let Some(win) = win else {
                    lost += 1;
                    assert!(proof.is_none_or(|line| line.len() > 15), "{board}");
                    continue;
                };
                won += 1;
                assert!(win.line.len() <= proof.expect("a win by fours").len(), "{board}");
                let mut end = board.clone();
                for &p in &win.line {
                    assert!(end.outcome() == Outcome::Ongoing && end.is_legal(p), "{board}");
                    end.play(p).unwrap();
                }
                assert_eq!(end.outcome(), Outcome::Win(board.side_to_move()), "{board}");
                let threats = Shortest::new(&board, Attack::Threats, NODES).find(win.stones());
                if let Ok(threats) = threats {
                    assert!(threats.unwrap().stones() <= win.stones());
                }
            }
        }
        assert!(won > 20 && lost > 20, "{won} {lost}");
    }

    #[test]
    fn a_search_without_nodes_is_not_a_failure() {
        let (board, _) = kakugo::board!(
            Variant::FREESTYLE,
            ". . . . . . .
             . X X X . . .
             . . . . . . .
             . . . . . . .
             O O . O . . ."
        );
        assert_eq!(Shortest::new(&board, Attack::Fours, 0).find(2), Err(OutOfNodes));
        assert_eq!(Shortest::new(&board, Attack::Fours, 9).find(2).unwrap().unwrap().stones(), 2);
    }

    #[test]
    fn a_longer_proof_may_end_sooner() {
        let (board, _) = kakugo::board!(
            Variant::FREESTYLE,
            ". . . . . . .
             . X X X . . .
             . . . . . . .
             . . . . . . .
             O O . O . . ."
        );
        let length = |score, line: &[Point]| Length::of(&board, score, line, 1000).unwrap();
        let won = length(Score::win_in(9), &[]);
        assert_eq!(won.to_string(), "Black wins in 2 moves");
        assert_eq!(won.shorter.map(|line| line.len()), Some(3));
        let unknown = Length::of(&board, Score::win_in(9), &[], 0).unwrap();
        assert_eq!(unknown.to_string(), "Black wins in 5 moves or sooner");
        assert_eq!(length(Score::win_in(3), &[]).to_string(), "Black wins in 2 moves");
        let mut other = board.clone();
        other.set_side_to_move(Side::White);
        let far = other.parse_point("g1").unwrap();
        let lost = |score| Length::of(&other, score, &[far], 1000).unwrap().to_string();
        assert_eq!(lost(Score::loss_in(4)), "Black wins in 2 moves");
        assert_eq!(lost(Score::loss_in(8)), "Black wins in 4 moves or sooner");
        assert_eq!(Length::of(&board, Score::ZERO, &[], 1000), None);
    }
}
