//! Two games from one opening, with swapped colours.

use anyhow::Context;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::boards::Boards;
use super::players::{Players, SearchResult};
use kakugo::board::{Board, Outcome, Side};
use kakugo_train::selfplay::opening;

/// Maximum number of openings tried for a balanced one. After that any opening is accepted, because
/// small boards may not have a balanced one.
const ATTEMPTS: u32 = 100;

/// Plays a pair. Returns the games won minus games lost by player 0.
///
/// `seed` determines the board, the opening, and the nodes per move. They vary by up to 10 % around
/// `nodes`, so that values do not overfit one search length.
///
/// # Errors
/// Returns an error if the boards are too small for an opening.
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

/// Returns an opening that a randomly chosen player finds balanced.
fn open(
    players: &mut impl Players,
    boards: &Boards,
    nodes: u64,
    rng: &mut ChaCha8Rng,
) -> anyhow::Result<Board> {
    let mut last = None;
    for _ in 0..ATTEMPTS {
        let Some(board) = boards.draw(rng) else { continue };
        players.clear();
        let score = players.think(rng.random_range(0..2), &board, nodes).score;
        last = Some(board);
        if opening::is_balanced(score) {
            break;
        }
    }
    last.with_context(|| format!("no opening found for {boards}: use larger boards"))
}

/// Plays a game in which player 0 has the colour `own`. Returns the winner, or `None` for a draw.
///
/// The game is adjudicated as soon as both players agree on a forced win.
fn play(players: &mut impl Players, mut board: Board, own: Side, nodes: u64) -> Option<Side> {
    players.clear();
    let mut proven = None;
    loop {
        let side = board.side_to_move();
        let player = usize::from(side != own);
        let SearchResult { best, score } = players.think(player, &board, nodes);
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

    /// Players that fill rows from the top or the bottom, with a log of their searches.
    #[derive(Default)]
    struct Rows {
        /// The player that reports a forced win.
        sure: Option<usize>,
        /// The player that reports a forced loss.
        modest: Option<usize>,
        /// Player, side, number of stones and nodes of each search.
        searches: Vec<(usize, Side, usize, u64)>,
        games: usize,
    }

    impl Players for Rows {
        fn clear(&mut self) {
            self.games += 1;
        }

        fn think(&mut self, player: usize, board: &Board, nodes: u64) -> SearchResult {
            self.searches.push((player, board.side_to_move(), board.ply(), nodes));
            let score = match player {
                // The opening is balanced.
                _ if self.games == 1 => Score::ZERO,
                _ if self.sure == Some(player) => Score::win_in(9),
                _ if self.modest == Some(player) => Score::loss_in(8),
                _ => Score::ZERO,
            };
            let free: Vec<Point> = board.empty_points().collect();
            let best = if player == 0 { free.first() } else { free.last() };
            SearchResult { best: best.copied(), score }
        }
    }

    fn pair(players: &mut Rows) -> i32 {
        play_pair(players, &"freestyle:15".parse().unwrap(), 1000, 7).unwrap()
    }

    #[test]
    fn a_pair_swaps_colours_and_uses_equal_nodes() {
        let mut players = Rows::default();
        pair(&mut players);
        assert_eq!(players.games, 3);
        let searches = &players.searches[1..];
        let stones = searches[0].2;
        let starts: Vec<usize> = (0..searches.len()).filter(|&n| searches[n].2 == stones).collect();
        assert_eq!(starts.len(), 2);
        let games = [&searches[..starts[1]], &searches[starts[1]..]];
        assert_ne!(games[0][0].0, games[1][0].0);
        for (own, game) in Side::BOTH.into_iter().zip(games) {
            for (n, &(player, side, ply, nodes)) in game.iter().enumerate() {
                assert_eq!((player == 0, ply), (side == own, stones + n));
                assert_eq!(nodes, searches[0].3);
                assert!((900..=1100).contains(&nodes));
            }
        }
    }

    #[test]
    fn games_are_adjudicated_only_if_both_players_agree() {
        let result_of_play = pair(&mut Rows::default());
        let length = |players: Rows| players.searches.len();
        let mut whole = Rows::default();
        pair(&mut whole);
        let whole = length(whole);
        for (sure, modest) in [(Some(0), None), (Some(1), None), (None, Some(1))] {
            let mut players = Rows { sure, modest, ..Rows::default() };
            assert_eq!(pair(&mut players), result_of_play);
            assert_eq!(length(players), whole);
        }
        for (sure, modest, result) in [(0, 1, 2), (1, 0, -2)] {
            let (sure, modest) = (Some(sure), Some(modest));
            let mut players = Rows { sure, modest, ..Rows::default() };
            assert_eq!(pair(&mut players), result);
            // One for the opening, and two per game.
            assert_eq!(length(players), 5);
        }
    }

    #[test]
    fn a_pair_depends_only_on_its_seed() {
        let boards: Boards = "standard:13-15,renju:15".parse().unwrap();
        let play = |seed| {
            let mut players = Rows::default();
            let result = play_pair(&mut players, &boards, 1000, seed).unwrap();
            (result, players.searches)
        };
        assert_eq!(play(3), play(3));
        assert_ne!(play(3).1, play(4).1);
    }
}
