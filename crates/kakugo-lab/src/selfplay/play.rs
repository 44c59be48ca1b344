//! One self-play game.

use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use kakugo::board::{Board, Outcome, Point, Side, Variant};
use kakugo::eval::Evaluator;
use kakugo::eval::weights::ORDER_SCALE;
use kakugo::position::Position;
use kakugo::search::{self, Answer, Engine, Limits, Networks, Signals, Silent};
use kakugo_train::selfplay::{SearchedMove, SelfPlayGame, Settings, opening};

/// Size of the transposition table, in bytes. It is cleared before every game, and a few thousand
/// nodes do not need more.
const HASH_BYTES: usize = 256 << 10;
/// Maximum number of node shares stored per move.
const MAX_SHARES: usize = 12;
/// Minimum node share that is stored, in 255ths.
const MIN_SHARE: u8 = 3;
/// Random moves get rarer during a game: half as frequent after this number of moves, a third as
/// frequent after twice as many.
const RANDOM_HALVING: u32 = 8;

/// A player of the games of a run.
pub(super) struct Player {
    settings: Settings,
    engine: Engine,
}

impl Player {
    /// Returns a player of these games, which evaluates with these networks.
    pub(super) fn new(settings: Settings, networks: &Networks) -> Player {
        let mut engine = Engine::new(HASH_BYTES);
        engine.set_networks(networks);
        Player { settings, engine }
    }

    /// Plays the game with this number. Returns `None` if `is_over` stops it.
    pub(super) fn play(
        &mut self,
        number: u32,
        is_over: impl Fn() -> bool + Copy,
    ) -> Option<SelfPlayGame> {
        let Settings { rule, sizes, seed, .. } = self.settings;
        let variant = Variant::five(rule);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(u64::from(number));
        let size = rng.random_range(sizes.min..=sizes.max);
        let (mut board, mut answer) = self.open(variant, size, &mut rng, is_over)?;
        let opening: Vec<Point> = board.stones().map(|stone| stone.point).collect();
        let mut moves = Vec::new();
        let max_ply = board.empty_count() * 3 / 4;
        let winner = loop {
            let Some(choice) = answer.best else { break None };
            let random = self.random_move(&board, &answer, moves.len(), &mut rng);
            let point = random.unwrap_or(choice);
            let side = board.side_to_move();
            let shares = shares(&answer);
            moves.push(SearchedMove { point, choice, score: answer.score, shares });
            if answer.score.is_decided() {
                break Some(if answer.score.is_win() { side } else { side.opponent() });
            }
            if board.play(point).is_err() {
                break None;
            }
            match board.outcome() {
                Outcome::Win(side) => break Some(side),
                Outcome::Forbidden(_) => break Some(Side::White),
                Outcome::Draw => break None,
                Outcome::Ongoing if board.ply() >= max_ply => break None,
                Outcome::Ongoing => {}
            }
            if is_over() {
                return None;
            }
            answer = self.think(&board);
        };
        Some(SelfPlayGame { number, variant, width: size, height: size, winner, opening, moves })
    }

    /// Returns a balanced opening with the result of its search.
    fn open(
        &mut self,
        variant: Variant,
        size: u8,
        rng: &mut ChaCha8Rng,
        is_over: impl Fn() -> bool + Copy,
    ) -> Option<(Board, Answer)> {
        while !is_over() {
            let Some(board) = opening::draw(variant, size, opening::STONES, rng) else { continue };
            self.engine.clear();
            let answer = self.think(&board);
            if opening::is_balanced(answer.score) {
                return Some((board, answer));
            }
        }
        None
    }

    fn think(&mut self, board: &Board) -> Answer {
        let max_nodes = Some(self.settings.nodes.into());
        let limits = Limits { max_nodes, skip_only_move: true, ..Limits::default() };
        self.engine.think(board, &limits, &Signals::default(), &mut Silent)
    }

    /// Returns a random move with a probability that decreases with the number of moves played.
    /// Decided positions have no random moves.
    fn random_move(
        &self,
        board: &Board,
        answer: &Answer,
        moves: usize,
        rng: &mut ChaCha8Rng,
    ) -> Option<Point> {
        let one_in = u32::from(self.settings.stray) * (RANDOM_HALVING + moves as u32);
        let is_random = one_in > 0 && rng.random_ratio(RANDOM_HALVING, one_in);
        if is_random && !answer.score.is_decided() { draw_candidate(board, rng) } else { None }
    }
}

/// Draws a candidate with the softmax probability of its ordering value.
fn draw_candidate(board: &Board, rng: &mut ChaCha8Rng) -> Option<Point> {
    let position = Position::new(board);
    let evaluator = Evaluator::classical(&position);
    let points: Vec<Point> =
        search::candidates(&position).iter().filter(|&p| position.is_legal(p)).collect();
    let nats = |p: &Point| f64::from(evaluator.move_value(&position, *p)) / f64::from(ORDER_SCALE);
    let highest = points.iter().map(nats).fold(f64::MIN, f64::max);
    // Integers, because the last bits of an exponential differ between machines.
    let weight = |p: &Point| (65_536.0 * (nats(p) - highest).exp()).round() as u32;
    points.choose_weighted(rng, weight).ok().copied()
}

/// Returns the largest shares of the moves in the nodes, in 255ths.
fn shares(answer: &Answer) -> Vec<(Point, u8)> {
    let total: u64 = answer.root_nodes.iter().map(|&(_, nodes)| nodes).sum();
    let share = |&(p, nodes): &(Point, u64)| (p, (255 * nodes / total.max(1)) as u8);
    let mut shares: Vec<_> = answer.root_nodes.iter().map(share).collect();
    shares.retain(|&(_, share)| share >= MIN_SHARE);
    // The sort is stable, so equal shares stay in the search's order.
    shares.sort_by_key(|&(_, share)| std::cmp::Reverse(share));
    shares.truncate(MAX_SHARES);
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Rule;
    use kakugo_train::selfplay::Sizes;

    fn player(rule: Rule, stray: u16) -> Player {
        let sizes = Sizes::new(13, 16).unwrap();
        let settings = Settings { rule, sizes, nodes: 80, stray, seed: 5 };
        Player::new(settings, &Networks::default())
    }

    fn play(player: &mut Player, number: u32) -> SelfPlayGame {
        player.play(number, || false).unwrap()
    }

    #[test]
    fn a_game_depends_only_on_settings_and_number() {
        let mut used = player(Rule::Renju, 4);
        let games: Vec<_> = (0..6).map(|number| play(&mut used, number)).collect();
        for game in games.iter().rev() {
            assert_eq!(play(&mut player(Rule::Renju, 4), game.number), *game);
        }
        assert!(games.windows(2).all(|pair| pair[0].opening != pair[1].opening));
        assert!(games.iter().any(|game| game.width != games[0].width));
    }

    #[test]
    fn results_scores_and_shares_are_consistent() {
        for rule in [Rule::Freestyle, Rule::Renju] {
            let mut player = player(rule, 0);
            for game in (0..8).map(|number| play(&mut player, number)) {
                let mut board = game.board().unwrap();
                game.opening.iter().for_each(|&p| board.play(p).unwrap());
                for (n, m) in game.moves.iter().enumerate() {
                    assert_eq!(board.outcome(), Outcome::Ongoing);
                    assert!(m.shares.len() <= MAX_SHARES && !m.is_random());
                    assert!(m.shares.is_sorted_by(|a, b| a.1 >= b.1), "{:?}", m.shares);
                    assert!(m.shares.iter().all(|&(p, share)| board.is_empty(p) && share > 0));
                    let sum: u32 = m.shares.iter().map(|&(_, share)| u32::from(share)).sum();
                    assert!(sum <= 255);
                    if m.score.is_decided() {
                        assert_eq!(n + 1, game.moves.len());
                        let mover = board.side_to_move();
                        assert_eq!(game.winner == Some(mover), m.score.is_win());
                    }
                    board.play(m.point).unwrap();
                }
                assert!(opening::is_balanced(game.moves[0].score));
                assert!(game.moves.iter().any(|m| m.shares.len() > 3));
            }
        }
    }

    #[test]
    fn random_moves_get_rarer_during_a_game() {
        let mut player = player(Rule::Freestyle, 1);
        let (mut early, mut late) = ([0; 2], [0; 2]);
        for game in (0..30).map(|number| play(&mut player, number)) {
            let open = |m: &&SearchedMove| !m.score.is_decided();
            for (n, m) in game.moves.iter().filter(open).enumerate() {
                let counts = if n < 4 { &mut early } else { &mut late };
                counts[usize::from(m.is_random())] += 1;
            }
        }
        // A drawn candidate may equal the move of the search.
        assert!(early[1] > early[0], "{early:?}");
        assert!(late[1] * early[0] < early[1] * late[0], "{early:?} {late:?}");
        let mut none = self::player(Rule::Freestyle, 0);
        assert!(play(&mut none, 0).moves.iter().all(|m| !m.is_random()));
    }

    #[test]
    fn networks_change_the_scores() {
        let sizes = Sizes::new(15, 15).unwrap();
        let settings = Settings { sizes, ..player(Rule::Freestyle, 0).settings };
        let scores = |networks: &Networks| {
            let game = play(&mut Player::new(settings, networks), 0);
            game.moves.iter().map(|m| m.score).collect::<Vec<_>>()
        };
        assert_eq!(scores(&Networks::none()), scores(&Networks::none()));
        assert_ne!(scores(&Networks::none()), scores(&Networks::default()));
    }

    #[test]
    fn a_game_can_be_stopped() {
        assert_eq!(player(Rule::Freestyle, 0).play(0, || true), None);
    }
}
