//! Two games from one opening, in the second with colours swapped.

use anyhow::Context;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::boards::Boards;
use super::players::{Players, Thought};
use crate::selfplay::opening;
use kakugo::board::{Board, Outcome, Side};

/// Openings tried until one is even; then any will do, as on boards that are too small for an even
/// one.
const ATTEMPTS: u32 = 100;

/// Play a pair; the games that player 0 wins less those that he loses.
///
/// All random choices are by `seed`: the board, the opening, and the nodes per move, which are within
/// a tenth of `nodes`, so that values do not come to fit searches of one length only.
///
/// # Errors
/// There is no opening: the boards are too small.
pub(super) fn play_pair(
    players: &mut impl Players,
    boards: &Boards,
    nodes: u32,
    seed: u64,
) -> anyhow::Result<i32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let nodes = u64::from(nodes);
    let nodes = rng.random_range(nodes - nodes / 10..=nodes + nodes / 10);
    let opening = open(players, boards, nodes, &mut rng)?;
    let mut result = 0;
    for own in Side::BOTH {
        result += match play(players, opening.clone(), own, nodes) {
            Some(winner) if winner == own => 1,
            Some(_) => -1,
            None => 0,
        };
    }
    Ok(result)
}

/// An opening that a player, drawn anew each time, finds even.
fn open(
    players: &mut impl Players,
    boards: &Boards,
    nodes: u64,
    rng: &mut ChaCha8Rng,
) -> anyhow::Result<Board> {
    let mut last = None;
    for _ in 0..ATTEMPTS {
        let Some(board) = boards.draw(rng) else { continue };
        players.forget();
        let score = players.think(rng.random_range(0..2), &board, nodes).score;
        last = Some(board);
        if opening::is_balanced(score) {
            break;
        }
    }
    last.with_context(|| format!("no opening found for {boards}"))
}

/// The winner of a game in which player 0 has the colour `own`; `None`: a draw.
///
/// A win that both players have proven, the loser with his next search, is not played out.
fn play(players: &mut impl Players, mut board: Board, own: Side, nodes: u64) -> Option<Side> {
    players.forget();
    let mut proven = None;
    loop {
        let side = board.side_to_move();
        let player = usize::from(side != own);
        let Thought { best, score } = players.think(player, &board, nodes);
        let winner = match (score.is_win(), score.is_loss()) {
            (true, _) => Some(side),
            (_, true) => Some(side.opponent()),
            _ => None,
        };
        if winner.is_some() && winner == proven {
            return winner;
        }
        proven = winner;
        board.play(best?).ok()?;
        match board.outcome() {
            Outcome::Win(side) => return Some(side),
            Outcome::Forbidden(_) => return Some(Side::White),
            Outcome::Draw => return None,
            Outcome::Ongoing => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Point;
    use kakugo::score::Score;

    /// Players who play along rows from the top or the bottom, and what they were asked.
    #[derive(Default)]
    struct Rows {
        /// A player who knows that he wins.
        sure: Option<usize>,
        /// A player who sees that he loses.
        modest: Option<usize>,
        /// Player, side, stones and nodes of each search.
        asked: Vec<(usize, Side, usize, u64)>,
        games: usize,
    }

    impl Players for Rows {
        fn forget(&mut self) {
            self.games += 1;
        }

        fn think(&mut self, player: usize, board: &Board, nodes: u64) -> Thought {
            self.asked.push((player, board.side_to_move(), board.ply(), nodes));
            let score = match player {
                // The search of an opening finds it even.
                _ if self.games == 1 => Score::ZERO,
                _ if self.sure == Some(player) => Score::win_in(9),
                _ if self.modest == Some(player) => Score::loss_in(8),
                _ => Score::ZERO,
            };
            let free: Vec<Point> = board.empty_points().collect();
            let best = if player == 0 { free.first() } else { free.last() };
            Thought { best: best.copied(), score }
        }
    }

    fn pair(players: &mut Rows) -> i32 {
        play_pair(players, &"freestyle:15".parse().unwrap(), 1000, 7).unwrap()
    }

    #[test]
    fn both_players_have_both_colours_of_one_opening_and_the_same_nodes() {
        let mut players = Rows::default();
        pair(&mut players);
        assert_eq!(players.games, 3);
        let asked = &players.asked[1..];
        let stones = asked[0].2;
        let starts: Vec<usize> = (0..asked.len()).filter(|&n| asked[n].2 == stones).collect();
        assert_eq!(starts.len(), 2);
        let games = [&asked[..starts[1]], &asked[starts[1]..]];
        assert_ne!(games[0][0].0, games[1][0].0);
        for (own, game) in Side::BOTH.into_iter().zip(games) {
            for (n, &(player, side, ply, nodes)) in game.iter().enumerate() {
                assert_eq!((player == 0, ply), (side == own, stones + n));
                assert_eq!(nodes, asked[0].3);
                assert!((900..=1100).contains(&nodes));
            }
        }
    }

    #[test]
    fn what_only_one_player_believes_is_played_out() {
        let untold = pair(&mut Rows::default());
        let length = |players: Rows| players.asked.len();
        let mut whole = Rows::default();
        pair(&mut whole);
        let whole = length(whole);
        for (sure, modest) in [(Some(0), None), (Some(1), None), (None, Some(1))] {
            let mut players = Rows { sure, modest, ..Rows::default() };
            assert_eq!(pair(&mut players), untold);
            assert_eq!(length(players), whole);
        }
        for (sure, modest, result) in [(0, 1, 2), (1, 0, -2)] {
            let (sure, modest) = (Some(sure), Some(modest));
            let mut players = Rows { sure, modest, ..Rows::default() };
            assert_eq!(pair(&mut players), result);
            // The opening, and two searches a game.
            assert_eq!(length(players), 5);
        }
    }

    #[test]
    fn a_pair_depends_on_its_seed_alone() {
        let boards: Boards = "standard:13-15,renju:15".parse().unwrap();
        let play = |seed| {
            let mut players = Rows::default();
            let result = play_pair(&mut players, &boards, 1000, seed).unwrap();
            (result, players.asked)
        };
        assert_eq!(play(3), play(3));
        assert_ne!(play(3).1, play(4).1);
    }
}
