//! One game, judged by Kakugo's own rules.

use std::fmt::Write;

use super::adjudicate;
use super::clock::Clock;
use super::config::{EngineConfig, Settings};
use super::contestant::{Answer, Contestant, Expect, Fault};
use super::job::Job;
use super::journal::{GameRecord, PlayedMove, Reason};
use super::output::Line;
use super::swap2;
use crate::board::{Board, Cell, Outcome, Point, Side, Variant};
use crate::record::GameResult;

/// Finds a win by continuous fours for the side to move: the moves of both sides, his five included.
pub type Prover<'a> = &'a (dyn Fn(&Board) -> Option<Vec<Point>> + Sync);

/// Why there is no result.
#[derive(Debug)]
pub enum Abandoned {
    /// The match was stopped.
    Stopped,
    /// An engine's command cannot be run at all.
    Unstartable(String),
}

/// What ended a game.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct End {
    pub result: GameResult,
    pub reason: Reason,
    pub detail: String,
}

impl End {
    fn new(result: GameResult, reason: Reason, detail: impl Into<String>) -> End {
        End { result, reason, detail: detail.into() }
    }

    pub(super) fn win(winner: Side, reason: Reason, detail: impl Into<String>) -> End {
        End::new(GameResult::Win(winner), reason, detail)
    }
}

/// A fault as the end of a game.
fn forfeit(loser: Side, fault: Fault) -> Result<End, Abandoned> {
    let (reason, detail) = match fault {
        Fault::Time(detail) => (Reason::Time, detail),
        Fault::Crash(detail) => (Reason::Crash, detail),
        Fault::Disconnect(detail) => (Reason::Disconnect, detail),
        Fault::Protocol(detail) => (Reason::Protocol, detail),
        Fault::Memory(detail) => (Reason::Memory, detail),
        Fault::Unstartable(detail) => return Err(Abandoned::Unstartable(detail)),
        Fault::Stopped => return Err(Abandoned::Stopped),
    };
    Ok(End::win(loser.opponent(), reason, detail))
}

/// An engine at the board.
pub(super) struct Player<'e> {
    engine: &'e mut dyn Contestant,
    clock: Clock,
    /// Whether the engine knows the position up to the opponent's last move.
    in_step: bool,
}

impl<'e> Player<'e> {
    fn new(engine: &'e mut dyn Contestant) -> Player<'e> {
        let clock = Clock::new(engine.config());
        Player { engine, clock, in_step: false }
    }

    pub(super) fn config(&self) -> &EngineConfig {
        self.engine.config()
    }

    fn name(&self) -> String {
        self.config().name.clone()
    }

    /// Ask with the clock running, the time left told before.
    pub(super) fn ask(&mut self, command: &str, expect: Expect) -> Result<Answer, Fault> {
        let mut text = String::new();
        if let Some(left) = self.clock.left() {
            let _ = writeln!(text, "INFO time_left {}", left.as_millis());
        }
        text.push_str(command);
        let answer = self.engine.ask(&text, expect, self.clock.wait())?;
        self.clock.charge(answer.elapsed);
        Ok(answer)
    }

    /// Ask for a move in this position, in the words that Piskvork would use.
    fn ask_move(&mut self, board: &Board) -> Result<Answer, Fault> {
        let last = board.last_stone().map(|stone| stone.point);
        let command = match (board.ply(), last) {
            (_, Some(last)) if self.in_step => format!("TURN {last}"),
            (0, _) => "BEGIN".to_owned(),
            (1, Some(last)) => format!("TURN {last}"),
            _ => board_command(board),
        };
        self.in_step = true;
        self.ask(&command, Expect::Move)
    }

    /// The engine has not followed the position lately: send it whole next time.
    pub(super) fn out_of_step(&mut self) {
        self.in_step = false;
    }
}

/// `BOARD` with all stones, seen by the side to move.
fn board_command(board: &Board) -> String {
    let mut text = "BOARD\n".to_owned();
    for stone in board.stones() {
        let field = if stone.side == board.side_to_move() { 1 } else { 2 };
        let _ = writeln!(text, "{},{field}", stone.point);
    }
    text + "DONE"
}

/// Play the game that `job` describes. `engines` are those of `job.players`, in that order.
pub fn play(
    settings: &Settings,
    job: &Job,
    engines: [&mut dyn Contestant; 2],
    prover: Option<Prover<'_>>,
) -> Result<GameRecord, Abandoned> {
    let broken = |error: String| Abandoned::Unstartable(error);
    let variant = settings.variant().map_err(|e| broken(e.to_string()))?;
    let mut board = settings.board().map_err(|e| broken(e.to_string()))?;
    let [first, second] = engines;
    let mut game = Play {
        settings,
        moves: Vec::new(),
        players: [Player::new(first), Player::new(second)],
        opening: 0,
    };
    for point in settings.openings.get(job.opening).into_iter().flatten() {
        let point = Point::new(point[0], point[1]).ok_or_else(|| broken("bad opening".into()))?;
        board.play(point).map_err(|e| broken(format!("opening stone {point}: {e}")))?;
        game.moves.push(PlayedMove::opening(point));
    }
    game.opening = game.moves.len();
    let mut proposer = None;
    let end = match game.start(variant)? {
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
                        End::win(side.opponent(), Reason::IllegalMove, detail)
                    }
                },
            }
        }
    };
    game.settle(&end);
    Ok(GameRecord {
        id: job.id,
        pair: job.pair,
        seed: settings.seed,
        black: game.players[0].name(),
        white: game.players[1].name(),
        proposer,
        result: end.result,
        reason: end.reason,
        detail: end.detail,
        opening: game.opening,
        moves: game.moves,
    })
}

struct Play<'s, 'e> {
    settings: &'s Settings,
    moves: Vec<PlayedMove>,
    /// Black and White.
    players: [Player<'e>; 2],
    opening: usize,
}

impl Play<'_, '_> {
    /// Tell both engines of the new game.
    fn start(&mut self, variant: Variant) -> Result<Option<End>, Abandoned> {
        for side in Side::BOTH {
            let engine = &mut self.players[side.index()].engine;
            if let Err(fault) = engine.new_game(self.settings, variant) {
                return forfeit(side, fault).map(Some);
            }
        }
        Ok(None)
    }

    /// The game loop: ask, judge, until an end is found.
    fn play_on(&mut self, board: &mut Board, prover: Option<Prover<'_>>) -> Result<End, Abandoned> {
        loop {
            if let Some(end) = self.end_by_rule(board) {
                return Ok(self.memory_fault()?.unwrap_or(end));
            }
            let side = board.side_to_move();
            if let Some(end) = prover.and_then(|prove| end_by_proof(board, prove)) {
                return Ok(end);
            }
            let player = &mut self.players[side.index()];
            let answer = match player.ask_move(board) {
                Ok(answer) => answer,
                Err(fault) => return forfeit(side, fault),
            };
            let Line::Moves(points) = &answer.line else {
                return Ok(End::win(side.opponent(), Reason::Protocol, "no move"));
            };
            let (x, y) = points[0];
            let point = match legal_point(board, x, y) {
                Ok(point) => point,
                Err(detail) => {
                    return Ok(End::win(side.opponent(), Reason::IllegalMove, detail));
                }
            };
            self.moves.push(played(point, &answer));
            if let Err(fault) = self.players[side.index()].engine.check_memory(false) {
                return forfeit(side, fault);
            }
            // The point was found to be free.
            let _ = board.play(point);
        }
    }

    /// A last look at the memory of both, before a result counts.
    fn memory_fault(&mut self) -> Result<Option<End>, Abandoned> {
        for side in Side::BOTH {
            if let Err(fault) = self.players[side.index()].engine.check_memory(true) {
                return forfeit(side, fault).map(Some);
            }
        }
        Ok(None)
    }

    fn end_by_rule(&self, board: &Board) -> Option<End> {
        let stones = || format!("after {} stones", board.ply());
        match board.outcome() {
            Outcome::Win(side) => Some(End::win(side, Reason::Five, "")),
            Outcome::Forbidden(foul) => {
                Some(End::win(Side::White, Reason::Forbidden, foul.to_string()))
            }
            Outcome::Draw => Some(End::new(GameResult::Draw, Reason::FullBoard, stones())),
            Outcome::Ongoing => {
                let reached = self.settings.move_limit.is_some_and(|n| board.ply() >= n as usize);
                reached.then(|| End::new(GameResult::Draw, Reason::MoveLimit, stones()))
            }
        }
    }

    /// After the game: an engine that failed is killed, since nobody knows what it is doing.
    fn settle(&mut self, end: &End) {
        let GameResult::Win(winner) = end.result else { return };
        if end.reason.is_fault() {
            self.players[winner.opponent().index()].engine.kill();
        }
    }
}

/// A move as it goes into the record.
pub(super) fn played(at: Point, answer: &Answer) -> PlayedMove {
    PlayedMove {
        at,
        ms: Some((answer.elapsed.as_secs_f64() * 1e6).round() / 1e3),
        depth: answer.thoughts.depth,
        eval: answer.thoughts.eval.clone(),
        nodes: answer.thoughts.nodes,
    }
}

/// The free point at these coordinates, or what is wrong with it.
pub(super) fn legal_point(board: &Board, x: u32, y: u32) -> Result<Point, String> {
    let point = u8::try_from(x).ok().zip(u8::try_from(y).ok()).and_then(|(x, y)| Point::new(x, y));
    let point = point.filter(|&p| board.contains(p));
    let point = point.ok_or_else(|| format!("{x},{y} is off the board"))?;
    match board.cell(point) {
        Cell::Empty => Ok(point),
        Cell::Stone(side) => Err(format!("{x},{y} is occupied by {side}")),
        Cell::Wall => Err(format!("{x},{y} is blocked")),
    }
}

fn end_by_proof(board: &Board, prove: Prover<'_>) -> Option<End> {
    let line = prove(board)?;
    let shown = line.iter().map(Point::to_string).collect::<Vec<_>>().join(" ");
    if let Err(flaw) = adjudicate::verify_fours(board, &line) {
        log::error!("the solver's win {shown} does not hold: {flaw}; position:\n{board}");
        return None;
    }
    log::info!("{} wins by continuous fours: {shown}; position:\n{board}", board.side_to_move());
    Some(End::win(board.side_to_move(), Reason::Proof, format!("by fours: {shown}")))
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use super::super::config::EngineOptions;
    use super::super::output::{Line, Thoughts, classify};
    use super::*;

    /// Answers from a list, each after the same time; keeps what it was told.
    struct Script {
        config: EngineConfig,
        answers: Vec<&'static str>,
        elapsed: Duration,
        heard: Vec<String>,
        waits: Vec<Duration>,
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
                heard: Vec::new(),
                waits: Vec::new(),
                killed: false,
            }
        }
    }

    impl Contestant for Script {
        fn config(&self) -> &EngineConfig {
            &self.config
        }

        fn new_game(&mut self, _: &Settings, _: Variant) -> Result<(), Fault> {
            Ok(())
        }

        fn ask(&mut self, command: &str, _: Expect, wait: Duration) -> Result<Answer, Fault> {
            self.heard.push(command.to_owned());
            self.waits.push(wait);
            let answer = self.answers.pop().ok_or(Fault::Stopped)?;
            match classify(answer) {
                Line::Error => Err(Fault::Crash("scripted".into())),
                line => Ok(Answer { line, elapsed: self.elapsed, thoughts: Thoughts::default() }),
            }
        }

        fn check_memory(&mut self, _: bool) -> Result<(), Fault> {
            Ok(())
        }

        fn kill(&mut self) {
            self.killed = true;
        }
    }

    fn settings(players: [&Script; 2], opening: &[[u8; 2]]) -> Settings {
        Settings {
            width: 15,
            height: 15,
            rule: 0,
            win_length: 5,
            format: super::super::config::Format::RoundRobin,
            games: 2,
            engines: players.map(|player| player.config.clone()).to_vec(),
            seed: 1,
            swap2: false,
            openings: vec![opening.to_vec()],
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
        let job = Job { id: 4, pair: 2, opening: 0, players: [0, 1] };
        play(&settings, &job, [first, second], None)
    }

    #[test]
    fn positions_are_told_as_piskvork_tells_them() {
        let mut a = Script::new(&["a"], vec!["0,0", "1,0", "2,0", "3,0", "4,0"]);
        let mut b = Script::new(&["b"], vec!["0,9", "2,9", "4,9", "6,9"]);
        let game = played(&mut a, &mut b, &[]).unwrap();
        assert_eq!((game.reason, game.winner()), (Reason::Five, Some("a")));
        assert_eq!(a.heard, ["BEGIN", "TURN 0,9", "TURN 2,9", "TURN 4,9", "TURN 6,9"]);
        assert_eq!(b.heard, ["TURN 0,0", "TURN 1,0", "TURN 2,0", "TURN 3,0"]);
        assert!(!a.killed && !b.killed);

        let mut a = Script::new(&["a"], vec!["9,9"]);
        let mut b = Script::new(&["b"], vec!["0,9", "ERROR"]);
        let game = played(&mut a, &mut b, &[[7, 7], [8, 8], [6, 6]]).unwrap();
        assert_eq!(b.heard, ["BOARD\n7,7,2\n8,8,1\n6,6,2\nDONE", "TURN 9,9"]);
        assert_eq!(a.heard, ["BOARD\n7,7,1\n8,8,2\n6,6,1\n0,9,2\nDONE"]);
        assert_eq!((game.reason, game.winner()), (Reason::Crash, Some("a")));
        assert_eq!((game.opening, game.moves.len(), game.id, game.pair), (3, 5, 4, 2));
        assert!(b.killed, "nobody knows what it is doing");
    }

    #[test]
    fn swap2_boards_are_told_with_sides_where_wanted() {
        let mut a = Script::new(&["a"], vec!["1,1 2,2 3,3", "SWAP"]);
        let mut b = Script::new(&["b", "swap2_sides=true"], vec!["4,4 5,5", "6,6"]);
        let settings = Settings { swap2: true, ..settings([&a, &b], &[]) };
        let job = Job { id: 0, pair: 0, opening: 0, players: [0, 1] };
        let game = play(&settings, &job, [&mut a, &mut b], None);
        assert!(matches!(game, Err(Abandoned::Stopped)));
        let stones = "1,1\n2,2\n3,3\n4,4\n5,5\n";
        assert_eq!(a.heard[..2], ["SWAP2BOARD\nDONE", &format!("SWAP2BOARD\n{stones}DONE")]);
        assert_eq!(b.heard[0], "SWAP2BOARD\n1,1,2\n2,2,1\n3,3,2\nDONE");
        assert!(b.heard[1].starts_with("BOARD\n1,1,2\n"), "White after the proposer's SWAP");
    }

    #[test]
    fn time_is_charged_told_and_waited_for() {
        let words = ["a", "match=1s", "turn=600ms", "increment=50ms", "tolerance=100ms"];
        let mut a = Script::new(&words, vec!["0,0", "1,0", "2,0", "3,0"]);
        let mut b = Script::new(&["b", "patience=7s"], vec!["0,9", "2,9", "4,9", "6,9"]);
        assert!(matches!(played(&mut a, &mut b, &[]), Err(Abandoned::Stopped)));
        let left: Vec<&str> = a.heard.iter().filter_map(|text| text.lines().next()).collect();
        let told = [1000, 800, 600, 400, 200].map(|ms| format!("INFO time_left {ms}"));
        assert_eq!(left, told);
        let millis = Duration::from_millis;
        assert_eq!(a.waits, [700, 700, 700, 500, 300].map(millis));
        assert_eq!(b.waits, [millis(7000); 4]);
        assert!(b.heard.iter().all(|text| !text.contains("time_left")));
    }

    #[test]
    fn an_illegal_move_is_named() {
        let mut a = Script::new(&["a"], vec!["7,7", "7,7"]);
        let mut b = Script::new(&["b"], vec!["7,8"]);
        let game = played(&mut a, &mut b, &[]).unwrap();
        assert_eq!((game.reason, game.winner()), (Reason::IllegalMove, Some("b")));
        assert_eq!(game.detail, "7,7 is occupied by Black");
        let summary = game.summary();
        assert_eq!(summary, "game 5, a - b: b wins, illegal move (7,7 is occupied by Black)");
    }
}
