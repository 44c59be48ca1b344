//! Games that Kakugo lost to Rapfi. The search must see the result in their last plies under every
//! rule.
//!
//! `data/lost/RULE_SIZE.pos` has one game per line with row 1 at the top and the five at its end.
//! Most standard games were played at 1 s per move, the others at 200 ms.

use kakugo::board::{Board, Outcome, Rule, Variant};
use kakugo::eval::Evaluator;
use kakugo::position::Position;
use kakugo::score::Score;
use kakugo::search::vct::Vct;
use kakugo::search::{Answer, Engine, Limits, Signals, Silent};
use kakugo_record::pos::{self, RowOrder};

const GAMES: [(Rule, u8, &str); 4] = [
    (Rule::Freestyle, 15, include_str!("data/lost/freestyle_15.pos")),
    (Rule::Freestyle, 20, include_str!("data/lost/freestyle_20.pos")),
    (Rule::Standard, 15, include_str!("data/lost/standard_15.pos")),
    (Rule::Renju, 15, include_str!("data/lost/renju_15.pos")),
];

/// Renju positions before a losing move, and that move: the opponent wins by threats after it.
const BLUNDERS: [(&str, &str); 3] = [
    ("i13j13i12g15d15j11i11i10h9k12j10i14l11j14", "l13"),
    ("b8d7c8a8b10e8f9e10e9d9", "e7"),
    ("e9c8d6e8e5b2b12f8d8d9f7c6c5d7b5d5b7c7g10f5e6e4f3e10", "h7"),
];

/// Nodes of a VCT search that are enough for those wins.
const ENOUGH: u32 = 1_000;

/// Number of plies before the end that are checked.
const ATTACK: usize = 9;

/// Searches to a fixed depth. Under node or time limits, the only reply to a four is played without
/// a search.
fn score(board: &Board) -> Score {
    let limits = Limits { max_depth: Some(12), ..Limits::default() };
    Engine::new(1 << 20).think(board, &limits, &Signals::default(), &mut Silent).score
}

#[test]
fn lost_games_are_understood_near_their_end() {
    for (rule, size, games) in GAMES {
        assert!(games.lines().count() >= 5, "{rule} {size}");
        for line in games.lines() {
            let moves = pos::read(line, size, RowOrder::FromTop).unwrap();
            let mut board = Board::new(size, size, Variant::five(rule)).unwrap();
            for (played, &p) in moves.iter().enumerate() {
                assert_eq!(board.outcome(), Outcome::Ongoing, "{line}");
                let left = moves.len() - played;
                if left <= ATTACK {
                    let score = score(&board);
                    if left % 2 == 1 {
                        assert!(score.is_win(), "{score} for the winner, {left} left: {line}");
                    } else {
                        assert!(!score.is_win(), "{score} for the loser, {left} left: {line}");
                    }
                }
                board.play(p).unwrap();
            }
            let winner = board.last_stone().unwrap().side;
            assert_eq!(board.outcome(), Outcome::Win(winner), "{line}");
        }
    }
}

fn renju(moves: &str) -> Board {
    let mut board = Board::new(15, 15, Variant::RENJU).unwrap();
    for p in pos::read(moves, 15, RowOrder::FromTop).unwrap() {
        board.play(p).unwrap();
    }
    board
}

fn is_lost_to_threats(board: &Board) -> bool {
    let mut position = Position::new(board);
    let evaluator = Evaluator::classical(&position);
    Vct::default().search(&mut position, &evaluator, ENOUGH, || false).is_some()
}

fn think(board: &Board, nodes: u64) -> Answer {
    let limits = Limits { max_nodes: Some(nodes), ..Limits::default() };
    Engine::new(1 << 20).think(board, &limits, &Signals::default(), &mut Silent)
}

#[test]
fn moves_that_lose_to_threats_are_avoided() {
    for (moves, blunder) in BLUNDERS {
        let board = renju(moves);
        assert!(is_lost_to_threats(&renju(&format!("{moves}{blunder}"))), "{moves}");
        let Answer { best, score, .. } = think(&board, 70_000);
        let mut after = board.clone();
        after.play(best.unwrap()).unwrap();
        assert!(!is_lost_to_threats(&after) && !score.is_loss(), "{best:?} {score}: {moves}");
    }
}

#[test]
fn lost_positions_still_get_a_move() {
    let (moves, blunder) = BLUNDERS[0];
    let mut board = renju(&format!("{moves}{blunder}"));
    // The first threat of the winning line.
    let Answer { best, score, .. } = think(&board, 20_000);
    assert!(score.is_win(), "{score}");
    board.play(best.unwrap()).unwrap();
    let Answer { best, score, .. } = think(&board, 70_000);
    assert!(score.is_loss(), "{score}");
    board.play(best.unwrap()).unwrap();
}
