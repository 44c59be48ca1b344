//! The referee: plays one game by Kakugo's own rules.

use super::adjudicate::{Prover, end_by_proof};
use super::end::{Abandoned, GameEnd, forfeit};
use super::participant::Participant;
use super::seat::{Seat, legal_point, played_move};
use super::swap2;
use crate::journal::{GameRecord, PlayedMove, Reason};
use crate::schedule::ScheduledGame;
use crate::settings::{MatchSettings, stones};
use kakugo::board::{Board, Cell, Outcome, Side};
use kakugo_protocol::StrictReply;
use kakugo_protocol::client::GameSetup;
use kakugo_record::GameResult;

/// Plays a scheduled game. `engines` are those of `scheduled.players`, in that order.
pub(super) fn play(
    settings: &MatchSettings,
    scheduled: &ScheduledGame,
    engines: [&mut dyn Participant; 2],
    prover: Option<Prover<'_>>,
) -> Result<GameRecord, Abandoned> {
    let unplayable = |error: String| Abandoned::Unstartable(error);
    let setup = settings.game_setup().map_err(|e| unplayable(e.to_string()))?;
    let empty = settings.board().map_err(|e| unplayable(e.to_string()))?;
    let [first, second] = engines;
    let mut game = GameInProgress {
        settings,
        moves: Vec::new(),
        players: [Seat::new(first), Seat::new(second)],
        opening: 0,
    };
    let opening = settings.openings.get(scheduled.opening);
    let placed = opening.map(|opening| opening.place(&empty)).transpose();
    let mut board = placed.map_err(|e| unplayable(format!("{e:#}")))?.unwrap_or(empty);
    for stone in board.stones() {
        game.record(PlayedMove::opening(stone.point), stone.side);
    }
    let walls = board.points().filter(|&p| board.cell(p) == Cell::Wall);
    let blocked: Vec<[u8; 2]> = walls.map(|p| [p.x(), p.y()]).collect();
    game.opening = game.moves.len();
    let mut proposer = None;
    let end = match game.start(&setup)? {
        Some(end) => end,
        None => {
            let negotiated = if settings.swap2 {
                proposer = Some(game.players[0].name());
                swap2::negotiate(&mut board, &mut game.players, &mut game.moves)
            } else {
                Ok(())
            };
            match negotiated {
                Ok(()) => game.play_on(&mut board, prover)?,
                Err((side, reason, detail)) => match reason {
                    swap2::Failure::Fault(fault) => forfeit(side, fault)?,
                    swap2::Failure::Illegal => {
                        GameEnd::win(side.opponent(), Reason::IllegalMove, detail)
                    }
                },
            }
        }
    };
    game.kill_if_faulty(&end);
    Ok(GameRecord {
        id: scheduled.id,
        pair: scheduled.pair,
        seed: settings.seed,
        black: game.players[0].name(),
        white: game.players[1].name(),
        date: GameRecord::today(),
        proposer,
        result: end.result,
        reason: end.reason,
        detail: end.detail,
        opening: game.opening,
        blocked,
        moves: game.moves,
    })
}

struct GameInProgress<'s, 'e> {
    settings: &'s MatchSettings,
    moves: Vec<PlayedMove>,
    /// Black, then White.
    players: [Seat<'e>; 2],
    opening: usize,
}

impl GameInProgress<'_, '_> {
    /// Adds a move of a side, which is marked if it is not its turn.
    fn record(&mut self, played: PlayedMove, side: Side) {
        let mut turn = Side::Black;
        for before in &self.moves {
            turn = before.side.unwrap_or(turn).opponent();
        }
        self.moves.push(PlayedMove { side: (side != turn).then_some(side), ..played });
    }

    /// Starts a new game for both engines. Returns the end of the game if one fails.
    fn start(&mut self, setup: &GameSetup) -> Result<Option<GameEnd>, Abandoned> {
        for side in Side::BOTH {
            if let Err(fault) = self.players[side.index()].new_game(setup) {
                return forfeit(side, fault).map(Some);
            }
        }
        Ok(None)
    }

    /// The game loop: requests moves until the game ends.
    fn play_on(
        &mut self,
        board: &mut Board,
        prover: Option<Prover<'_>>,
    ) -> Result<GameEnd, Abandoned> {
        loop {
            if let Some(end) = self.end_by_rule(board) {
                return Ok(self.memory_fault()?.unwrap_or(end));
            }
            let side = board.side_to_move();
            let limit = self.settings.move_limit;
            if let Some(end) = prover.and_then(|prove| end_by_proof(board, prove, limit)) {
                return Ok(self.memory_fault()?.unwrap_or(end));
            }
            let player = &mut self.players[side.index()];
            let answer = match player.ask_move(board) {
                Ok(answer) => answer,
                Err(fault) => return forfeit(side, fault),
            };
            let StrictReply::Moves(points) = &answer.reply else {
                return Ok(GameEnd::win(side.opponent(), Reason::Protocol, "no move in the reply"));
            };
            let (x, y) = points[0];
            let point = match legal_point(board, x, y) {
                Ok(point) => point,
                Err(detail) => {
                    return Ok(GameEnd::win(side.opponent(), Reason::IllegalMove, detail));
                }
            };
            self.record(played_move(point, &answer), side);
            if let Err(fault) = self.players[side.index()].check_memory(false) {
                return forfeit(side, fault);
            }
            // `legal_point` checked that the point is empty.
            let _ = board.play(point);
        }
    }

    /// Checks the memory use of both engines before a result counts.
    fn memory_fault(&mut self) -> Result<Option<GameEnd>, Abandoned> {
        for side in Side::BOTH {
            if let Err(fault) = self.players[side.index()].check_memory(true) {
                return forfeit(side, fault).map(Some);
            }
        }
        Ok(None)
    }

    fn end_by_rule(&self, board: &Board) -> Option<GameEnd> {
        let after = || format!("after {}", stones(board.ply()));
        match board.outcome() {
            Outcome::Win(side) => Some(GameEnd::win(side, Reason::Five, "")),
            Outcome::Forbidden(foul) => {
                Some(GameEnd::win(Side::White, Reason::Forbidden, foul.to_string()))
            }
            Outcome::Draw => Some(GameEnd::new(GameResult::Draw, Reason::FullBoard, after())),
            Outcome::Ongoing => {
                let reached = self.settings.move_limit.is_some_and(|n| board.ply() >= n as usize);
                reached.then(|| GameEnd::new(GameResult::Draw, Reason::MoveLimit, after()))
            }
        }
    }

    /// Kills an engine that forfeited the game, because its state is unknown.
    fn kill_if_faulty(&mut self, end: &GameEnd) {
        let GameResult::Win(winner) = end.result else { return };
        if end.reason.is_fault() {
            self.players[winner.opponent().index()].kill();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::*;
    use crate::settings::Opening;
    use kakugo_protocol::SearchInfo;
    use kakugo_protocol::client::{Answer, EngineConfig, EngineOptions, Fault, Question};

    /// An engine with scripted replies, each after the same time. Records the commands it received.
    struct Script {
        config: EngineConfig,
        answers: Vec<&'static str>,
        elapsed: Duration,
        received: Vec<String>,
        timeouts: Vec<Duration>,
        /// If true, a thorough check finds more memory than allowed.
        exceeds_memory: bool,
        killed: bool,
    }

    impl Script {
        fn new(words: &[&str], mut answers: Vec<&'static str>) -> Script {
            let options = EngineOptions::from_words(words).unwrap();
            answers.reverse();
            Script {
                config: options.resolve(Path::new("self")).unwrap(),
                answers,
                elapsed: Duration::from_millis(250),
                received: Vec::new(),
                timeouts: Vec::new(),
                exceeds_memory: false,
                killed: false,
            }
        }
    }

    impl Participant for Script {
        fn config(&self) -> &EngineConfig {
            &self.config
        }

        fn new_game(&mut self, _: &GameSetup) -> Result<(), Fault> {
            Ok(())
        }

        fn ask(&mut self, question: &Question) -> Result<Answer, Fault> {
            self.received.push(question.to_string().trim_end().to_owned());
            self.timeouts.push(question.patience);
            let answer = self.answers.pop().ok_or(Fault::Stopped)?;
            match StrictReply::parse(answer) {
                StrictReply::Error => Err(Fault::Crash("scripted".into())),
                reply => {
                    Ok(Answer { reply, elapsed: self.elapsed, search_info: SearchInfo::default() })
                }
            }
        }

        fn check_memory(&mut self, thoroughly: bool) -> Result<(), Fault> {
            match thoroughly && self.exceeds_memory {
                true => Err(Fault::Memory("scripted".into())),
                false => Ok(()),
            }
        }

        fn kill(&mut self) {
            self.killed = true;
        }
    }

    fn settings(players: [&Script; 2], opening: &[[u8; 2]]) -> MatchSettings {
        MatchSettings {
            width: 15,
            height: 15,
            rule: 0,
            win_length: 5,
            format: crate::settings::TournamentFormat::RoundRobin,
            games: 2,
            engines: players.map(|player| player.config.clone()).to_vec(),
            seed: 1,
            swap2: false,
            openings: vec![Opening::Moves(opening.to_vec())],
            generated: None,
            move_limit: None,
            adjudicate: false,
            sprt: None,
        }
    }

    fn played(
        first: &mut Script,
        second: &mut Script,
        opening: &[[u8; 2]],
    ) -> Result<GameRecord, Abandoned> {
        let settings = settings([first, second], opening);
        let scheduled = ScheduledGame { id: 4, pair: 2, opening: 0, players: [0, 1] };
        play(&settings, &scheduled, [first, second], None)
    }

    #[test]
    fn positions_are_sent_as_piskvork_sends_them() {
        let mut a = Script::new(&["a"], vec!["0,0", "1,0", "2,0", "3,0", "4,0"]);
        let mut b = Script::new(&["b"], vec!["0,9", "2,9", "4,9", "6,9"]);
        let game = played(&mut a, &mut b, &[]).unwrap();
        assert_eq!((game.reason, game.winner()), (Reason::Five, Some("a")));
        assert_eq!(a.received, ["BEGIN", "TURN 0,9", "TURN 2,9", "TURN 4,9", "TURN 6,9"]);
        assert_eq!(b.received, ["TURN 0,0", "TURN 1,0", "TURN 2,0", "TURN 3,0"]);
        assert!(!a.killed && !b.killed);

        let mut a = Script::new(&["a"], vec!["9,9"]);
        let mut b = Script::new(&["b"], vec!["0,9", "ERROR"]);
        let game = played(&mut a, &mut b, &[[7, 7], [8, 8], [6, 6]]).unwrap();
        assert_eq!(b.received, ["BOARD\n7,7,2\n8,8,1\n6,6,2\nDONE", "TURN 9,9"]);
        assert_eq!(a.received, ["BOARD\n7,7,1\n8,8,2\n6,6,1\n0,9,2\nDONE"]);
        assert_eq!((game.reason, game.winner()), (Reason::Crash, Some("a")));
        assert_eq!((game.opening, game.moves.len(), game.id, game.pair), (3, 5, 4, 2));
        assert!(b.killed, "an engine that crashed is killed");
    }

    #[test]
    fn games_begin_from_positions() {
        // One black stone and Black to move; Black has the move again after White's.
        let start = |black: &[[u8; 2]], white_to_move| Opening::Position {
            black: black.to_vec(),
            white: Vec::new(),
            blocked: Vec::new(),
            white_to_move,
        };
        let mut a = Script::new(&["a"], vec!["9,9", "10,10"]);
        let mut b = Script::new(&["b"], vec!["0,9", "ERROR"]);
        let play_from = |opening, a: &mut Script, b: &mut Script| {
            let settings = MatchSettings { openings: vec![opening], ..settings([a, b], &[]) };
            let scheduled = ScheduledGame { id: 0, pair: 0, opening: 0, players: [0, 1] };
            play(&settings, &scheduled, [a, b], None).unwrap()
        };
        let game = play_from(start(&[[7, 7]], false), &mut a, &mut b);
        assert_eq!(a.received, ["BOARD\n7,7,1\nDONE", "TURN 0,9"]);
        assert_eq!(b.received, ["BOARD\n7,7,2\n9,9,2\nDONE", "TURN 10,10"]);
        let sides: Vec<_> = game.moves.iter().map(|played| played.side).collect();
        assert_eq!(sides, [None, Some(Side::Black), None, None]);
        assert_eq!(game.sides(), [Side::Black, Side::Black, Side::White, Side::Black]);
        let position = game.start().unwrap();
        assert_eq!((position.black().len(), position.to_move), (1, Some(Side::Black)));
        let mut a = Script::new(&["a"], vec!["ERROR"]);
        let mut b = Script::new(&["b"], vec!["0,9"]);
        let game = play_from(start(&[[7, 7], [1, 1], [2, 2]], true), &mut a, &mut b);
        assert_eq!((game.sides()[3], game.winner()), (Side::White, Some("b")));
        assert!(b.received[0].starts_with("BOARD\n1,1,2\n2,2,2\n7,7,2\nDONE"), "{:?}", b.received);
    }

    #[test]
    fn blocked_points_are_sent_and_kept() {
        let opening = Opening::Position {
            black: vec![[7, 7]],
            white: Vec::new(),
            blocked: vec![[0, 0], [1, 0]],
            white_to_move: true,
        };
        let mut a = Script::new(&["a"], vec!["9,9", "1,0"]);
        let mut b = Script::new(&["b"], vec!["0,9", "2,9"]);
        let settings = MatchSettings { openings: vec![opening], ..settings([&a, &b], &[]) };
        let scheduled = ScheduledGame { id: 0, pair: 0, opening: 0, players: [0, 1] };
        let game = play(&settings, &scheduled, [&mut a, &mut b], None).unwrap();
        assert_eq!(b.received[0], "BOARD\n7,7,2\n0,0,3\n1,0,3\nDONE");
        assert_eq!(a.received[0], "BOARD\n7,7,1\n0,9,2\n0,0,3\n1,0,3\nDONE");
        assert_eq!((game.reason, game.detail.as_str()), (Reason::IllegalMove, "1,0 is blocked"));
        let start = game.start().unwrap();
        assert_eq!((start.blocked().len(), start.black().len(), game.opening), (2, 1, 1));
        let text = serde_json::to_string(&game).unwrap();
        assert_eq!(serde_json::from_str::<GameRecord>(&text).unwrap(), game);
    }

    #[test]
    fn swap2_boards_include_sides_if_configured() {
        let mut a = Script::new(&["a"], vec!["1,1 2,2 3,3", "SWAP"]);
        let mut b = Script::new(&["b", "swap2_sides=true"], vec!["4,4 5,5", "6,6"]);
        let settings = MatchSettings { swap2: true, ..settings([&a, &b], &[]) };
        let scheduled = ScheduledGame { id: 0, pair: 0, opening: 0, players: [0, 1] };
        let game = play(&settings, &scheduled, [&mut a, &mut b], None);
        assert!(matches!(game, Err(Abandoned::Stopped)));
        let stones = "1,1\n2,2\n3,3\n4,4\n5,5\n";
        assert_eq!(a.received[..2], ["SWAP2BOARD\nDONE", &format!("SWAP2BOARD\n{stones}DONE")]);
        assert_eq!(b.received[0], "SWAP2BOARD\n1,1,2\n2,2,1\n3,3,2\nDONE");
        assert!(b.received[1].starts_with("BOARD\n1,1,2\n"), "White after the proposer's SWAP");
        // White is to move after five stones, too, although the proposer placed the first one.
        let mut a = Script::new(&["a", "swap2_sides=true"], vec!["1,1 2,2 3,3", "SWAP"]);
        let mut b = Script::new(&["b"], vec!["4,4 5,5", "6,6"]);
        let game = play(&settings, &scheduled, [&mut a, &mut b], None);
        assert!(matches!(game, Err(Abandoned::Stopped)));
        let stones = "1,1,2\n2,2,1\n3,3,2\n4,4,1\n5,5,2\n";
        assert_eq!(a.received[..2], ["SWAP2BOARD\nDONE", &format!("SWAP2BOARD\n{stones}DONE")]);
        assert_eq!(b.received[0], "SWAP2BOARD\n1,1\n2,2\n3,3\nDONE");
    }

    #[test]
    fn time_is_charged_sent_and_enforced() {
        let words = ["a", "match=1s", "turn=600ms", "increment=50ms", "tolerance=100ms"];
        let mut a = Script::new(&words, vec!["0,0", "1,0", "2,0", "3,0"]);
        let mut b = Script::new(&["b", "patience=7s"], vec!["0,9", "2,9", "4,9", "6,9"]);
        assert!(matches!(played(&mut a, &mut b, &[]), Err(Abandoned::Stopped)));
        let left: Vec<&str> = a.received.iter().filter_map(|text| text.lines().next()).collect();
        let expected = [1000, 800, 600, 400, 200].map(|ms| format!("INFO time_left {ms}"));
        assert_eq!(left, expected);
        let millis = Duration::from_millis;
        assert_eq!(a.timeouts, [700, 700, 700, 500, 300].map(millis));
        assert_eq!(b.timeouts, [millis(7000); 4]);
        assert!(b.received.iter().all(|text| !text.contains("time_left")));
    }

    #[test]
    fn memory_is_checked_before_a_proof_counts() {
        let three = [[6, 7], [0, 0], [7, 7], [0, 4], [8, 7], [0, 8]];
        let end = |exceeds_memory: bool| {
            let mut a = Script::new(&["a"], Vec::new());
            let mut b = Script::new(&["b"], Vec::new());
            a.exceeds_memory = exceeds_memory;
            let settings = settings([&a, &b], &three);
            let scheduled = ScheduledGame { id: 0, pair: 0, opening: 0, players: [0, 1] };
            let prover = Some(&crate::services::prove as Prover<'_>);
            let game = play(&settings, &scheduled, [&mut a, &mut b], prover).unwrap();
            (game.reason, game.winner().map(str::to_owned))
        };
        assert_eq!(end(false), (Reason::Proof, Some("a".to_owned())));
        assert_eq!(end(true), (Reason::Memory, Some("b".to_owned())));
    }

    #[test]
    fn an_illegal_move_is_described() {
        let mut a = Script::new(&["a"], vec!["7,7", "7,7"]);
        let mut b = Script::new(&["b"], vec!["7,8"]);
        let game = played(&mut a, &mut b, &[]).unwrap();
        assert_eq!((game.reason, game.winner()), (Reason::IllegalMove, Some("b")));
        assert_eq!(game.detail, "7,7 is occupied by Black");
        let summary = game.summary(5);
        assert_eq!(summary, "game 5, a - b: b wins, illegal move (7,7 is occupied by Black)");
    }
}
