//! Games that Kakugo lost to Rapfi, kept to learn from. In their last plies the search knows who
//! wins, under every rule they were played by.
//!
//! `data/lost/RULE_SIZE.pos` has a game per line, row 1 at the top, the five at its end; 200 ms a move,
//! most of standard 1 s.

use kakugo::board::{Board, Outcome, Rule, Variant};
use kakugo::record::pos::{self, RowOrder};
use kakugo::score::Score;
use kakugo::search::{Engine, Limits, Signals, Silent};

const GAMES: [(Rule, u8, &str); 4] = [
    (Rule::Freestyle, 15, include_str!("data/lost/freestyle_15.pos")),
    (Rule::Freestyle, 20, include_str!("data/lost/freestyle_20.pos")),
    (Rule::Standard, 15, include_str!("data/lost/standard_15.pos")),
    (Rule::Renju, 15, include_str!("data/lost/renju_15.pos")),
];

/// So many plies before its end a game is looked at.
const ATTACK: usize = 9;

/// A limit of depth: with one of nodes or time the only answer to a four is played unsearched.
fn score(board: &Board) -> Score {
    let limits = Limits { max_depth: Some(12), ..Limits::default() };
    Engine::new(1 << 20).think(board, &limits, &Signals::default(), &mut Silent).score
}

#[test]
fn what_won_against_us_is_seen() {
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
