//! The session's actions and their exact timing.
//!
//! Events and the time come from a script, and the engine only logs its calls.

use super::*;
use kakugo::board::{Board, Point};
use kakugo::score::Score;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A scripted source of events, with an engine and an output that log every call with its time in
/// ms from the start.
#[derive(Clone)]
struct Script {
    began: Instant,
    now: Rc<Cell<Instant>>,
    log: Rc<RefCell<Vec<String>>>,
    events: Rc<RefCell<VecDeque<(Instant, Event)>>>,
    /// The time limit of the latest turn.
    time_limit: Rc<Cell<Option<Duration>>>,
}

impl Script {
    fn new() -> Script {
        let began = Instant::now();
        let now = Rc::new(Cell::new(began));
        let (log, events, time_limit) = (Rc::default(), Rc::default(), Rc::default());
        Script { began, now, log, events, time_limit }
    }

    fn log(&self, what: &str) {
        let at = self.now.get() - self.began;
        self.log.borrow_mut().push(format!("{} {what}", at.as_millis()));
    }

    /// Adds an event at this time, in ms from the start.
    fn at(&self, ms: u64, event: impl FnOnce(Instant) -> Event) {
        let at = self.began + Duration::from_millis(ms);
        self.events.borrow_mut().push_back((at, event(at)));
    }

    /// Adds input lines.
    fn send(&self, ms: u64, lines: &[&str]) {
        for &line in lines {
            let text = line.to_owned();
            self.at(ms, |arrived| Event::Line(InputLine { text, overlong: false, arrived }));
        }
    }

    /// Adds a report with best move `x,7`.
    fn report(&self, ms: u64, x: u8) {
        self.at(ms, |_| {
            Event::Report(Report {
                line: 0,
                depth: 1,
                seldepth: 1,
                score: Score::ZERO,
                nodes: 1,
                elapsed: Duration::ZERO,
                pv: vec![point(x)],
            })
        });
    }

    /// Adds a decision for `x,7`.
    fn decide(&self, ms: u64, x: u8) {
        let decision = Decision::Stone(Some(point(x)));
        self.at(ms, |_| Event::Decided(Ok(decision), Lag::default()));
    }

    /// Runs a session to the end of the script and of all deadlines. Returns the complete log.
    fn run_with_messages(self) -> Vec<String> {
        let args = SessionArgs { began: self.began, level: None, networks: None };
        let (output, thinker) = (self.clone(), self.clone());
        Session::new(output, thinker, self.clone(), &args).run().unwrap();
        self.log.take()
    }

    /// Runs a session and returns the log without messages.
    fn run(self) -> Vec<String> {
        let log = self.run_with_messages();
        log.into_iter().filter(|entry| !entry.contains("MESSAGE")).collect()
    }
}

impl Timeline for Script {
    fn now(&self) -> Instant {
        self.now.get()
    }

    fn next(&mut self, until: Option<Instant>) -> Option<Event> {
        let next = self.events.borrow().front().map(|&(at, _)| at.max(self.now.get()));
        if let Some(until) = until
            && next.is_none_or(|at| until < at)
        {
            self.now.set(until.max(self.now.get()));
            return None;
        }
        let Some(at) = next else { return Some(Event::InputEnded) };
        self.now.set(at);
        self.events.borrow_mut().pop_front().map(|(_, event)| event)
    }
}

impl Thinker for Script {
    fn think(&mut self, turn: Turn, _: Resources) {
        let start = turn.limits.start - self.began;
        self.time_limit.set(turn.limits.turn.into_iter().chain(turn.limits.left).min());
        self.log(&format!("think from {}", start.as_millis()));
    }

    fn ponder(&mut self, turn: Turn, _: Resources) {
        self.log(&format!("ponder from {}", (turn.limits.start - self.began).as_millis()));
    }

    fn prepare(&mut self, board: Board, resources: Resources, memory: bool) {
        let megabytes = if memory { resources.hash_bytes >> 20 } else { 0 };
        self.log(&format!("prepare {} with {megabytes} MB", board.variant().rule()));
    }

    fn stop(&mut self) {
        self.log("stop");
    }

    fn clear(&mut self) {
        self.log("clear");
    }
}

impl Write for Script {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.log(&format!("wrote {}", String::from_utf8_lossy(bytes).trim_end()));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn point(x: u8) -> Point {
    Point::new(x, 7).unwrap()
}

/// Returns the deadline of the answer to a turn with this time limit, in ms. It is before its end.
fn answered_by(turn: u64) -> u128 {
    let turn = Duration::from_millis(turn);
    let limits = Limits { turn: Some(turn), ..Limits::default() };
    let by = limits.answer_by(Lag::default()).unwrap();
    assert!(by < turn);
    by.as_millis()
}

/// Returns the log after the start of the first search.
fn after_begin(log: &[String]) -> &[String] {
    let begin = log.iter().position(|entry| entry.contains("think")).unwrap();
    &log[begin + 1..]
}

#[test]
fn a_late_search_is_answered_in_time_and_then_ignored() {
    let script = Script::new();
    script.send(1_000, &["START 15", "INFO timeout_turn 100", "BEGIN"]);
    script.report(1_010, 7);
    script.send(2_000, &["INFO timeout_turn 600000", "TURN 8,8"]);
    // The late search ends only now.
    script.report(3_000, 3);
    script.decide(3_000, 3);
    script.decide(4_000, 9);
    let by = 1_000 + answered_by(100);
    assert_eq!(
        after_begin(&script.run()),
        [
            format!("{by} stop"),
            format!("{by} wrote 7,7"),
            // One for INFO and one for TURN.
            "2000 stop".to_owned(),
            "2000 stop".to_owned(),
            "2000 think from 2000".to_owned(),
            "4000 wrote 9,7".to_owned(),
        ]
    );
}

#[test]
fn idle_time_before_a_turn_is_used_for_preparation() {
    let script = Script::new();
    script.send(0, &["INFO rule 1", "START 15"]);
    script.send(1, &["INFO max_memory 50000000", "INFO rule 4", "ABOUT", "NONSENSE", "BEGIN"]);
    script.send(2, &["INFO rule 0", "INFO pondering 1"]);
    script.decide(3, 7);
    script.send(4, &["INFO rule 1", "YXHASHCLEAR", "INFO pondering 0"]);
    script.decide(5, 7);
    script.send(6, &["INFO rule 0", "YXHASHCLEAR"]);
    let is_relevant = |entry: &String| entry.contains("prepare") || entry.contains("clear");
    let log: Vec<_> = script.run().into_iter().filter(is_relevant).collect();
    assert_eq!(
        log,
        [
            "0 clear",
            // The memory limit is not known yet.
            "0 prepare standard with 0 MB",
            "1 prepare standard with 18 MB",
            // After INFO, and again after ABOUT and NONSENSE.
            "1 prepare renju with 18 MB",
            "1 prepare renju with 18 MB",
            "1 prepare renju with 18 MB",
            // No preparation during a search or pondering.
            "4 clear",
            // After the search has ended.
            "5 prepare standard with 18 MB",
            "6 prepare freestyle with 18 MB",
            "6 clear",
            "6 prepare freestyle with 18 MB",
        ]
    );
}

#[test]
fn a_late_balance_search_is_answered_with_its_stones() {
    for (command, stones) in [("YXBALANCEONE 0", 1), ("YXBALANCETWO -20", 2)] {
        let script = Script::new();
        script.send(0, &["START 15", "INFO timeout_turn 100", "YXBOARD 7,7,1 8,8,2 DONE", command]);
        let log = script.run();
        let answer = after_begin(&log).last().unwrap();
        let (at, points) = answer.split_once(" wrote ").unwrap();
        assert_eq!(at, answered_by(100).to_string());
        assert_eq!(points.split(' ').count(), stones, "{answer}");
    }
}

#[test]
fn a_late_search_without_reports_is_answered_with_a_move_and_a_message() {
    let script = Script::new();
    script.send(0, &["START 15", "INFO timeout_turn 100", "BEGIN"]);
    script.report(5_000, 3);
    script.decide(5_000, 3);
    let log = script.run_with_messages();
    let by = answered_by(100);
    let [stop, message, answer] = &after_begin(&log)[..3] else { panic!("{log:?}") };
    assert_eq!((&**stop, &**answer), (&*format!("{by} stop"), &*format!("{by} wrote 7,7")));
    assert!(message.starts_with(&format!("{by} wrote MESSAGE depth 0")), "{message}");
    assert!(!log.iter().any(|entry| entry.contains("wrote 3,7")), "{log:?}");
}

#[test]
fn a_search_without_time_may_report_a_move_before_it_is_answered() {
    for (report, answer) in [(10, "10 wrote 3,7"), (40, "30 wrote 7,7")] {
        let script = Script::new();
        script.send(0, &["START 15", "INFO timeout_turn 0", "BEGIN"]);
        script.report(report, 3);
        let log = script.run();
        assert!(log.contains(&answer.to_owned()), "{log:?}");
    }
}

#[test]
fn a_shorter_time_limit_stops_the_search_and_then_answers() {
    let script = Script::new();
    script.send(0, &["START 15", "INFO timeout_turn 600000", "BEGIN"]);
    script.report(10, 7);
    script.send(1_000, &["INFO timeout_turn 5000"]);
    script.send(20_000, &["END"]);
    let log = script.run();
    // 30 ms and 10 ms before the limit.
    assert_eq!(after_begin(&log), ["4970 stop", "4990 stop", "4990 wrote 7,7"]);
}

#[test]
fn no_time_left_stops_the_search_at_once_and_answers_soon() {
    for info in
        ["INFO timeout_turn 0", "INFO time_left -5", "INFO time_left 0", "INFO timeout_turn -7"]
    {
        let script = Script::new();
        script.send(0, &["START 15", "INFO timeout_turn 600000", "INFO timeout_match 600000"]);
        script.send(0, &["BEGIN"]);
        script.report(10, 7);
        script.send(1_000, &[info]);
        script.send(20_000, &["END"]);
        let log = script.run();
        assert_eq!(after_begin(&log), ["1000 stop", "1008 stop", "1008 wrote 7,7"], "{info}");
    }
}

#[test]
fn time_limits_of_zero_are_passed_to_the_search() {
    for (info, expected) in [
        ("INFO timeout_turn 0", 0),
        ("INFO timeout_turn -7", 0),
        ("INFO time_left -100", 0),
        ("INFO time_left 1", 1),
        ("INFO timeout_match 1", 1),
    ] {
        let script = Script::new();
        script.send(0, &[info, "START 15", "BEGIN"]);
        let limit = Rc::clone(&script.time_limit);
        script.run();
        assert_eq!(limit.get(), Some(Duration::from_millis(expected)), "{info}");
    }
}

#[test]
fn a_stopped_search_returns_its_own_decision() {
    let script = Script::new();
    script.send(0, &["START 15", "INFO timeout_turn 600000", "BEGIN"]);
    script.report(10, 7);
    script.send(1_000, &["YXSTOP"]);
    script.decide(1_500, 8);
    assert_eq!(after_begin(&script.run()), ["1000 stop", "1500 wrote 8,7"]);
}

#[test]
fn reports_end_shortly_before_the_limit() {
    let is_written_at = |ms| {
        let script = Script::new();
        script.send(0, &["START 15", "INFO timeout_turn 600000", "BEGIN"]);
        script.send(1, &["INFO timeout_turn 5000"]);
        script.report(1_000, 6);
        script.report(ms, 7);
        script.send(ms + 1, &["END"]);
        let log = script.run_with_messages();
        let messages = log.iter().filter(|entry| entry.contains(" wrote MESSAGE")).count();
        assert!((1..=2).contains(&messages));
        messages == 2
    };
    assert!(is_written_at(4_000) && is_written_at(4_989));
    assert!(!is_written_at(4_990) && !is_written_at(4_995));
}

#[test]
fn time_runs_from_the_arrival_of_the_command_or_the_last_answer() {
    let script = Script::new();
    // The first lines were sent before the process ran.
    script.send(100, &["START 15", "INFO timeout_turn 600000", "BEGIN"]);
    script.decide(300, 7);
    script.send(700, &["TURN 0,0", "TURN 1,0"]);
    script.decide(900, 8);
    script.decide(1_000, 9);
    let log = script.run();
    let starts: Vec<&str> =
        log.iter().filter_map(|entry| entry.split_once("think from ")).map(|n| n.1).collect();
    assert_eq!(starts, ["0", "700", "900"]);
}

#[test]
fn only_the_first_turn_counts_from_the_process_start() {
    let script = Script::new();
    script.send(100, &["START 15", "BEGIN"]);
    script.decide(110, 7);
    script.send(140, &["TURN 0,0"]);
    let log = script.run();
    let starts: Vec<_> = log.iter().filter(|entry| entry.contains("think from")).collect();
    assert_eq!(starts, ["100 think from 0", "140 think from 140"]);
}

#[test]
fn time_left_during_a_search_counts_from_its_arrival() {
    let script = Script::new();
    script.send(0, &["START 15", "INFO timeout_match 100000", "BEGIN"]);
    script.send(2_500, &["INFO time_left 6000"]);
    script.decide(3_500, 7);
    script.send(4_000, &["TURN 0,0"]);
    let limit = Rc::clone(&script.time_limit);
    script.run();
    assert_eq!(limit.get(), Some(Duration::from_millis(5_000)));
}

#[test]
fn time_left_behind_waiting_questions_counts_from_its_arrival() {
    let script = Script::new();
    script.send(0, &["START 15", "INFO timeout_match 100000", "BEGIN"]);
    script.send(2_500, &["ABOUT", "NONSENSE", "INFO time_left 6000"]);
    script.decide(3_500, 7);
    script.send(4_000, &["TURN 0,0"]);
    let limit = Rc::clone(&script.time_limit);
    script.run();
    assert_eq!(limit.get(), Some(Duration::from_millis(5_000)));
    // Behind RESTART it applies to the new game.
    let script = Script::new();
    script.send(0, &["START 15", "INFO timeout_match 100000", "BEGIN"]);
    script.send(2_500, &["RESTART", "INFO time_left 6000"]);
    script.decide(3_500, 7);
    script.send(4_000, &["TURN 0,0"]);
    let limit = Rc::clone(&script.time_limit);
    script.run();
    assert_eq!(limit.get(), Some(Duration::from_millis(6_000)));
}

#[test]
fn a_flood_of_input_does_not_delay_the_answer() {
    for line in ["ABOUT", "INFO timeout_turn 0"] {
        let script = Script::new();
        script.send(0, &["START 15", "INFO timeout_turn 200", "BEGIN"]);
        script.report(10, 7);
        let by = answered_by(200) as u64;
        script.send(by, &[line; MAX_WAITING + 1]);
        script.decide(1_000, 8);
        let log = script.run();
        assert!(log.contains(&format!("{by} wrote 7,7")), "{line}: {log:?}");
        assert!(!log.iter().any(|entry| entry.contains("too many")), "{line}: the answer waited");
    }
}

#[test]
fn a_decision_in_the_queue_at_the_deadline_is_used() {
    let script = Script::new();
    script.send(0, &["START 15", "INFO timeout_turn 200", "BEGIN"]);
    script.report(10, 7);
    let by = answered_by(200) as u64;
    script.send(by, &["ABOUT"; MAX_OVERDUE - 1]);
    script.decide(by, 8);
    let log = script.run();
    assert!(log.contains(&format!("{by} wrote 8,7")), "{log:?}");
}

#[test]
fn commands_beyond_the_queue_limit_are_rejected() {
    let script = Script::new();
    script.send(0, &["START 15", "INFO timeout_turn 600000", "BEGIN"]);
    script.report(10, 7);
    script.send(20, &["YXHASHCLEAR"; MAX_WAITING]);
    script.send(30, &["INFO rule 4", "RESTART", "YXHASHCLEAR"]);
    script.decide(1_000, 8);
    let log = script.run();
    let error = "30 wrote ERROR too many commands while searching: wait for the move";
    assert_eq!(after_begin(&log)[..4], [error, error, error, "1000 wrote 8,7"]);
}

#[test]
fn an_info_beyond_the_queue_limit_still_ends_the_search() {
    let script = Script::new();
    script.send(0, &["START 15", "INFO timeout_turn 600000", "BEGIN"]);
    script.report(10, 7);
    script.send(20, &["YXHASHCLEAR"; MAX_WAITING]);
    script.send(1_000, &["INFO timeout_turn 0"]);
    script.send(20_000, &["END"]);
    let log = script.run();
    assert_eq!(after_begin(&log)[..3], ["1000 stop", "1008 stop", "1008 wrote 7,7"]);
}

/// Returns the replies to three searches after this setup. The opponent moves after the first one.
fn replies_to_three_searches(setup: &[&str]) -> Vec<String> {
    let script = Script::new();
    script.send(0, &["START 15", "INFO timeout_turn 600000"]);
    script.send(0, setup);
    script.send(0, &["BEGIN"]);
    script.decide(1, 7);
    script.send(2, &["INFO time_left 500000", "TURN 0,0"]);
    script.report(3, 8);
    script.decide(3, 8);
    script.decide(4, 9);
    let log = script.run();
    let replies = log.iter().filter_map(|entry| entry.split_once(" wrote "));
    replies.map(|(_, text)| text.to_owned()).collect()
}

#[test]
fn pondering_writes_no_reports() {
    // The second search is pondering.
    assert_eq!(replies_to_three_searches(&["INFO pondering 1"]), ["OK", "7,7", "9,7"]);
}

#[test]
fn pondering_must_be_enabled_and_is_disabled_in_tournaments() {
    let moves = ["OK", "7,7", "8,7"];
    assert_eq!(replies_to_three_searches(&[]), moves);
    assert_eq!(replies_to_three_searches(&["INFO pondering 0"]), moves);
    for tournament in
        [["INFO game_type 2", "INFO pondering 1"], ["INFO pondering 1", "INFO game_type 3"]]
    {
        assert_eq!(replies_to_three_searches(&tournament), moves);
    }
}

#[test]
fn pondering_continues_while_the_position_stays() {
    for (line, continues) in [
        ("INFO time_left 500000", true),
        ("INFO pondering 1", true),
        ("YXSHOWFORBID", true),
        ("YXQUERYDATABASEALL 7,7 DONE", true),
        ("YXBLOCKPATHRESET", true),
        ("NONSENSE", true),
        ("TURN 99,0", true),
        ("INFO pondering 0", false),
        ("INFO game_type 2", false),
        ("TURN 0,0", false),
    ] {
        let script = Script::new();
        script.send(0, &["START 15", "INFO pondering 1", "BEGIN"]);
        script.decide(1_000, 7);
        script.send(2_000, &[line]);
        let log = script.run();
        assert_eq!(after_begin(&log)[..2], ["1000 wrote 7,7", "1000 ponder from 1000"]);
        assert_eq!(log.contains(&"2000 stop".to_owned()), !continues, "{line}");
    }
}

/// Yixin-Board sends these after each of its user's moves, while the engine thinks already.
#[test]
fn queries_of_a_database_are_not_answered_and_do_not_prevent_pondering() {
    let script = Script::new();
    script.send(0, &["START 15", "INFO pondering 1", "BEGIN"]);
    script.send(500, &["yxquerydatabaseall", "7,7", "7,8", "done", "yxshowforbid"]);
    script.decide(1_000, 7);
    script.send(2_000, &["yxquerydatabaseall", "7,7", "done"]);
    script.send(3_000, &["END"]);
    assert_eq!(
        after_begin(&script.run()),
        [
            "1000 wrote 7,7",
            "1000 wrote FORBID .",
            "1000 prepare freestyle with 0 MB",
            "1000 ponder from 1000",
        ]
    );
}

#[test]
fn pondering_does_not_start_if_a_command_is_waiting() {
    for line in ["RESTART", "TURN 0,0", "YXBOARD 7,7,1 DONE"] {
        let script = Script::new();
        script.send(0, &["START 15", "INFO pondering 1", "BEGIN"]);
        script.send(500, &[line]);
        script.decide(1_000, 7);
        script.send(2_000, &["END"]);
        let log = script.run();
        assert!(!log.iter().any(|entry| entry.contains("ponder")), "{line}: {log:?}");
    }
}

#[test]
fn a_panic_in_the_search_is_answered_with_the_latest_reported_move() {
    let panicking = |commands: &[&str], report: bool| {
        let script = Script::new();
        script.send(0, commands);
        if report {
            script.report(500, 3);
        }
        script.at(1_000, |_| Event::Decided(Err("a mishap".to_owned()), Lag::default()));
        let log = script.run();
        let [answer] = after_begin(&log) else { panic!("{log:?}") };
        answer.strip_prefix("1000 wrote ").unwrap().to_owned()
    };
    assert_eq!(panicking(&["START 15", "BEGIN"], true), "3,7");
    // Without a report, the move or the stones need no search.
    assert_eq!(panicking(&["START 15", "BEGIN"], false), "7,7");
    let stones = |commands: &[&str]| panicking(commands, false).split(' ').count();
    assert_eq!(stones(&["START 15", "SWAP2BOARD", "DONE"]), 3);
    assert_eq!(stones(&["START 15", "YXBOARD 7,7,1 8,8,2 DONE", "YXBALANCETWO 0"]), 2);
}

#[test]
fn limits_behind_a_waiting_search_apply_to_it() {
    for (line, at) in
        [("YXSTOP", 1_100), ("INFO time_left 5000", 6_070), ("INFO timeout_turn 0", 1_008)]
    {
        let script = Script::new();
        script.send(0, &["START 15", "INFO timeout_turn 600000", "BEGIN"]);
        script.send(1_000, &["BOARD 7,7,2 DONE", line]);
        script.decide(1_100, 7);
        script.send(20_000, &["END"]);
        let log = script.run();
        let second = log.iter().rposition(|entry| entry.contains("think from")).unwrap();
        assert_eq!(log[second + 1], format!("{at} stop"), "{line}: {log:?}");
    }
}
