//! What a session does, and at which moment: its events come by a script, its clock goes by the script's
//! times, and its engine only notes what it is asked.

use super::*;
use kakugo::board::{Board, Point};
use kakugo::score::Score;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// A session whose events come by a script and whose engine only notes what it is asked. All
/// that happens is noted with its time, in ms from the beginning.
#[derive(Clone)]
struct Stage {
    began: Instant,
    now: Rc<Cell<Instant>>,
    notes: Rc<RefCell<Vec<String>>>,
    script: Rc<RefCell<VecDeque<(Instant, Event)>>>,
    /// The time that the latest turn grants.
    granted: Rc<Cell<Option<Duration>>>,
}

impl Stage {
    fn new() -> Stage {
        let began = Instant::now();
        let now = Rc::new(Cell::new(began));
        Stage { began, now, notes: Rc::default(), script: Rc::default(), granted: Rc::default() }
    }

    fn note(&self, what: &str) {
        let at = self.now.get() - self.began;
        self.notes.borrow_mut().push(format!("{} {what}", at.as_millis()));
    }

    /// The event happens so many ms after the beginning.
    fn at(&self, ms: u64, event: impl FnOnce(Instant) -> Event) {
        let at = self.began + Duration::from_millis(ms);
        self.script.borrow_mut().push_back((at, event(at)));
    }

    fn say(&self, ms: u64, lines: &[&str]) {
        for &line in lines {
            let text = line.to_owned();
            self.at(ms, |arrived| Event::Line(InputLine { text, overlong: false, arrived }));
        }
    }

    /// The search reports that `x,7` is best.
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

    /// The search decides for `x,7`.
    fn decide(&self, ms: u64, x: u8) {
        let decision = Decision::Stone(Some(point(x)));
        self.at(ms, |_| Event::Decided(Ok(decision), Lag::default()));
    }

    /// Play the script to its end and what is due after it; all that happened but for reports.
    fn play(self) -> Vec<String> {
        let setup = SessionArgs { began: self.began, level: None, networks: None };
        let (output, thinker) = (self.clone(), self.clone());
        Session::new(output, thinker, self.clone(), &setup).run().unwrap();
        let notes = self.notes.take();
        notes.into_iter().filter(|note| !note.contains("MESSAGE")).collect()
    }
}

impl Timeline for Stage {
    fn now(&self) -> Instant {
        self.now.get()
    }

    fn next(&mut self, until: Option<Instant>) -> Option<Event> {
        let next = self.script.borrow().front().map(|&(at, _)| at.max(self.now.get()));
        if let Some(until) = until
            && next.is_none_or(|at| until < at)
        {
            self.now.set(until.max(self.now.get()));
            return None;
        }
        let Some(at) = next else { return Some(Event::InputEnded) };
        self.now.set(at);
        self.script.borrow_mut().pop_front().map(|(_, event)| event)
    }
}

impl Thinker for Stage {
    fn think(&mut self, turn: Turn, _: Resources) {
        let start = turn.limits.start - self.began;
        self.granted.set(turn.limits.turn.into_iter().chain(turn.limits.left).min());
        self.note(&format!("think from {}", start.as_millis()));
    }

    fn ponder(&mut self, turn: Turn, _: Resources) {
        self.note(&format!("ponder from {}", (turn.limits.start - self.began).as_millis()));
    }

    fn prepare(&mut self, board: Board, resources: Resources, memory: bool) {
        let taken = if memory { resources.hash_bytes >> 20 } else { 0 };
        self.note(&format!("prepare {} with {taken} MB", board.variant().rule()));
    }

    fn stop(&mut self) {
        self.note("stop");
    }

    fn forget(&mut self) {
        self.note("forget");
    }
}

impl Write for Stage {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.note(&format!("said {}", String::from_utf8_lossy(bytes).trim_end()));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn point(x: u8) -> Point {
    Point::new(x, 7).unwrap()
}

/// When a turn of so many ms must be answered for, in whole ms: that lies well before its end.
fn answered_by(turn: u64) -> u128 {
    let turn = Duration::from_millis(turn);
    let limits = Limits { turn: Some(turn), ..Limits::default() };
    let by = limits.answer_by(Lag::default()).unwrap();
    assert!(by < turn);
    by.as_millis()
}

/// What happens after the game was set up.
fn after_begin(notes: &[String]) -> &[String] {
    let begun = notes.iter().position(|note| note.contains("think")).unwrap();
    &notes[begun + 1..]
}

#[test]
fn a_search_that_comes_too_late_is_answered_for_in_time_and_then_ignored() {
    let stage = Stage::new();
    stage.say(1_000, &["START 15", "INFO timeout_turn 100", "BEGIN"]);
    stage.report(1_010, 7);
    stage.say(2_000, &["INFO timeout_turn 600000", "TURN 8,8"]);
    // The search that was answered for ends only now.
    stage.report(3_000, 3);
    stage.decide(3_000, 3);
    stage.decide(4_000, 9);
    let by = 1_000 + answered_by(100);
    assert_eq!(
        after_begin(&stage.play()),
        [
            format!("{by} stop"),
            format!("{by} said 7,7"),
            // INFO and TURN, each for itself.
            "2000 stop".to_owned(),
            "2000 stop".to_owned(),
            "2000 think from 2000".to_owned(),
            "4000 said 9,7".to_owned(),
        ]
    );
}

#[test]
fn the_time_before_a_turn_is_used_to_get_ready() {
    let stage = Stage::new();
    stage.say(0, &["INFO rule 1", "START 15"]);
    stage.say(1, &["INFO max_memory 50000000", "INFO rule 4", "ABOUT", "NONSENSE", "BEGIN"]);
    stage.say(2, &["INFO rule 0", "INFO pondering 1"]);
    stage.decide(3, 7);
    stage.say(4, &["INFO rule 1", "YXHASHCLEAR", "INFO pondering 0"]);
    stage.decide(5, 7);
    stage.say(6, &["INFO rule 0", "YXHASHCLEAR"]);
    let prepared = |note: &String| note.contains("prepare") || note.contains("forget");
    let notes: Vec<_> = stage.play().into_iter().filter(prepared).collect();
    assert_eq!(
        notes,
        [
            "0 forget",
            // How much memory is granted is not known yet.
            "0 prepare standard with 0 MB",
            "1 prepare standard with 18 MB",
            // After INFO, and again after what was said or refused.
            "1 prepare renju with 18 MB",
            "1 prepare renju with 18 MB",
            "1 prepare renju with 18 MB",
            // While the thinking thread searches or ponders it is left alone.
            "4 forget",
            // It has ended.
            "5 prepare standard with 18 MB",
            "6 prepare freestyle with 18 MB",
            "6 forget",
            "6 prepare freestyle with 18 MB",
        ]
    );
}

#[test]
fn a_search_that_has_found_nothing_is_answered_for_by_a_look_at_the_board() {
    let stage = Stage::new();
    stage.say(0, &["START 15", "INFO timeout_turn 100", "BEGIN"]);
    stage.report(5_000, 3);
    stage.decide(5_000, 3);
    let notes = Rc::clone(&stage.notes);
    let setup = SessionArgs { began: stage.began, level: None, networks: None };
    Session::new(stage.clone(), stage.clone(), stage, &setup).run().unwrap();
    let by = answered_by(100);
    let notes = notes.take();
    let [stop, message, said] = &after_begin(&notes)[..3] else { panic!("{notes:?}") };
    assert_eq!((&**stop, &**said), (&*format!("{by} stop"), &*format!("{by} said 7,7")));
    assert!(message.starts_with(&format!("{by} said MESSAGE depth 0")), "{message}");
    assert!(!notes.iter().any(|note| note.contains("said 3,7")), "{notes:?}");
}

#[test]
fn a_search_without_time_may_say_something_before_it_is_answered_for() {
    for (report, said) in [(10, "10 said 3,7"), (40, "30 said 7,7")] {
        let stage = Stage::new();
        stage.say(0, &["START 15", "INFO timeout_turn 0", "BEGIN"]);
        stage.report(report, 3);
        let notes = stage.play();
        assert!(notes.contains(&said.to_owned()), "{notes:?}");
    }
}

#[test]
fn a_shorter_time_stops_the_search_and_then_answers_for_it() {
    let stage = Stage::new();
    stage.say(0, &["START 15", "INFO timeout_turn 600000", "BEGIN"]);
    stage.report(10, 7);
    stage.say(1_000, &["INFO timeout_turn 5000"]);
    stage.say(20_000, &["END"]);
    let notes = stage.play();
    // 30 ms and 10 ms before the end of the turn.
    assert_eq!(after_begin(&notes), ["4970 stop", "4990 stop", "4990 said 7,7"]);
}

#[test]
fn no_time_left_stops_the_search_at_once_and_answers_for_it_soon() {
    for info in
        ["INFO timeout_turn 0", "INFO time_left -5", "INFO time_left 0", "INFO timeout_turn -7"]
    {
        let stage = Stage::new();
        stage.say(0, &["START 15", "INFO timeout_turn 600000", "INFO timeout_match 600000"]);
        stage.say(0, &["BEGIN"]);
        stage.report(10, 7);
        stage.say(1_000, &[info]);
        stage.say(20_000, &["END"]);
        let notes = stage.play();
        assert_eq!(after_begin(&notes), ["1000 stop", "1008 stop", "1008 said 7,7"], "{info}");
    }
}

#[test]
fn no_time_is_told_to_the_search_before_it_begins() {
    for (info, granted) in [
        ("INFO timeout_turn 0", 0),
        ("INFO timeout_turn -7", 0),
        ("INFO time_left -100", 0),
        ("INFO time_left 1", 1),
        ("INFO timeout_match 1", 1),
    ] {
        let stage = Stage::new();
        stage.say(0, &[info, "START 15", "BEGIN"]);
        let limit = Rc::clone(&stage.granted);
        stage.play();
        assert_eq!(limit.get(), Some(Duration::from_millis(granted)), "{info}");
    }
}

#[test]
fn a_search_that_is_told_to_stop_answers_itself_while_there_is_time() {
    let stage = Stage::new();
    stage.say(0, &["START 15", "INFO timeout_turn 600000", "BEGIN"]);
    stage.report(10, 7);
    stage.say(1_000, &["YXSTOP"]);
    stage.decide(1_500, 8);
    assert_eq!(after_begin(&stage.play()), ["1000 stop", "1500 said 8,7"]);
}

#[test]
fn nothing_is_told_of_a_search_from_shortly_before_its_end() {
    let said_at = |ms| {
        let stage = Stage::new();
        stage.say(0, &["START 15", "INFO timeout_turn 600000", "BEGIN"]);
        stage.say(1, &["INFO timeout_turn 5000"]);
        stage.report(1_000, 6);
        stage.report(ms, 7);
        stage.say(ms + 1, &["END"]);
        let notes = Rc::clone(&stage.notes);
        let setup = SessionArgs { began: stage.began, level: None, networks: None };
        Session::new(stage.clone(), stage.clone(), stage, &setup).run().unwrap();
        let messages = notes.take().iter().filter(|note| note.contains(" said MESSAGE")).count();
        assert!((1..=2).contains(&messages));
        messages == 2
    };
    assert!(said_at(4_000) && said_at(4_989));
    assert!(!said_at(4_990) && !said_at(4_995));
}

#[test]
fn time_runs_from_the_arrival_of_the_command_or_the_last_answer() {
    let stage = Stage::new();
    // The first lines were on their way before the process ran.
    stage.say(100, &["START 15", "INFO timeout_turn 600000", "BEGIN"]);
    stage.decide(300, 7);
    stage.say(700, &["TURN 0,0", "TURN 1,0"]);
    stage.decide(900, 8);
    stage.decide(1_000, 9);
    let notes = stage.play();
    let begun: Vec<&str> =
        notes.iter().filter_map(|note| note.split_once("think from ")).map(|n| n.1).collect();
    assert_eq!(begun, ["0", "700", "900"]);
}

#[test]
fn only_the_first_turn_can_have_been_on_its_way_before_the_process_ran() {
    let stage = Stage::new();
    stage.say(100, &["START 15", "BEGIN"]);
    stage.decide(110, 7);
    stage.say(140, &["TURN 0,0"]);
    let notes = stage.play();
    let begun: Vec<_> = notes.iter().filter(|note| note.contains("think from")).collect();
    assert_eq!(begun, ["100 think from 0", "140 think from 140"]);
}

#[test]
fn time_left_that_is_told_during_a_search_is_that_of_this_moment() {
    let stage = Stage::new();
    stage.say(0, &["START 15", "INFO timeout_match 100000", "BEGIN"]);
    stage.say(2_500, &["INFO time_left 6000"]);
    stage.decide(3_500, 7);
    stage.say(4_000, &["TURN 0,0"]);
    let limit = Rc::clone(&stage.granted);
    stage.play();
    assert_eq!(limit.get(), Some(Duration::from_millis(5_000)));
}

#[test]
fn time_left_is_that_of_this_moment_also_behind_questions_that_wait() {
    let stage = Stage::new();
    stage.say(0, &["START 15", "INFO timeout_match 100000", "BEGIN"]);
    stage.say(2_500, &["ABOUT", "NONSENSE", "INFO time_left 6000"]);
    stage.decide(3_500, 7);
    stage.say(4_000, &["TURN 0,0"]);
    let limit = Rc::clone(&stage.granted);
    stage.play();
    assert_eq!(limit.get(), Some(Duration::from_millis(5_000)));
    // Behind a new game it is that game's.
    let stage = Stage::new();
    stage.say(0, &["START 15", "INFO timeout_match 100000", "BEGIN"]);
    stage.say(2_500, &["RESTART", "INFO time_left 6000"]);
    stage.decide(3_500, 7);
    stage.say(4_000, &["TURN 0,0"]);
    let limit = Rc::clone(&stage.granted);
    stage.play();
    assert_eq!(limit.get(), Some(Duration::from_millis(6_000)));
}

#[test]
fn who_writes_without_end_gets_the_answer_in_time() {
    for line in ["ABOUT", "INFO timeout_turn 0"] {
        let stage = Stage::new();
        stage.say(0, &["START 15", "INFO timeout_turn 100", "BEGIN"]);
        stage.report(10, 7);
        let by = answered_by(100) as u64;
        stage.say(by, &[line; MAX_WAITING + 1]);
        stage.decide(1_000, 8);
        let notes = stage.play();
        assert!(notes.contains(&format!("{by} said 7,7")), "{line}: {notes:?}");
        assert!(!notes.iter().any(|note| note.contains("too many")), "{line}: the answer waited");
    }
}

#[test]
fn a_decision_that_has_come_is_told_though_the_search_is_late() {
    let stage = Stage::new();
    stage.say(0, &["START 15", "INFO timeout_turn 100", "BEGIN"]);
    stage.report(10, 7);
    let by = answered_by(100) as u64;
    stage.say(by, &["ABOUT"; MAX_OVERDUE - 1]);
    stage.decide(by, 8);
    let notes = stage.play();
    assert!(notes.contains(&format!("{by} said 8,7")), "{notes:?}");
}

#[test]
fn what_comes_when_too_much_waits_changes_nothing() {
    let stage = Stage::new();
    stage.say(0, &["START 15", "INFO timeout_turn 600000", "BEGIN"]);
    stage.report(10, 7);
    stage.say(20, &["ABOUT"; MAX_WAITING]);
    stage.say(30, &["INFO timeout_turn 0", "RESTART"]);
    stage.decide(1_000, 8);
    let notes = stage.play();
    let refused = "30 said ERROR too many commands wait for the move";
    assert_eq!(after_begin(&notes)[..3], [refused, refused, "1000 said 8,7"]);
}

/// What is said where three searches end, after the `first` of which the opponent moves, and the
/// game is set up by these lines.
fn said_with_three_searches(setup: &[&str]) -> Vec<String> {
    let stage = Stage::new();
    stage.say(0, &["START 15", "INFO timeout_turn 600000"]);
    stage.say(0, setup);
    stage.say(0, &["BEGIN"]);
    stage.decide(1, 7);
    stage.say(2, &["INFO time_left 500000", "TURN 0,0"]);
    stage.report(3, 8);
    stage.decide(3, 8);
    stage.decide(4, 9);
    let notes = stage.play();
    let said = notes.iter().filter_map(|note| note.split_once(" said "));
    said.map(|(_, text)| text.to_owned()).collect()
}

#[test]
fn nothing_is_said_of_pondering() {
    // The second search is the pondering.
    assert_eq!(said_with_three_searches(&["INFO pondering 1"]), ["OK", "7,7", "9,7"]);
}

#[test]
fn pondering_is_for_those_who_ask_and_never_in_a_tournament() {
    let played = ["OK", "7,7", "8,7"];
    assert_eq!(said_with_three_searches(&[]), played);
    assert_eq!(said_with_three_searches(&["INFO pondering 0"]), played);
    for tournament in
        [["INFO game_type 2", "INFO pondering 1"], ["INFO pondering 1", "INFO game_type 3"]]
    {
        assert_eq!(said_with_three_searches(&tournament), played);
    }
}

#[test]
fn pondering_outlives_only_options_that_allow_it() {
    for (line, goes_on) in [
        ("INFO time_left 500000", true),
        ("INFO pondering 1", true),
        ("INFO pondering 0", false),
        ("INFO game_type 2", false),
        ("TURN 0,0", false),
    ] {
        let stage = Stage::new();
        stage.say(0, &["START 15", "INFO pondering 1", "BEGIN"]);
        stage.decide(1_000, 7);
        stage.say(2_000, &[line]);
        let notes = stage.play();
        assert_eq!(after_begin(&notes)[..2], ["1000 said 7,7", "1000 ponder from 1000"]);
        assert_eq!(notes.contains(&"2000 stop".to_owned()), !goes_on, "{line}");
    }
}

#[test]
fn nobody_ponders_where_the_next_command_is_here_already() {
    for line in ["RESTART", "TURN 0,0", "ABOUT"] {
        let stage = Stage::new();
        stage.say(0, &["START 15", "INFO pondering 1", "BEGIN"]);
        stage.say(500, &[line]);
        stage.decide(1_000, 7);
        stage.say(2_000, &["END"]);
        let notes = stage.play();
        assert!(!notes.iter().any(|note| note.contains("ponder")), "{line}: {notes:?}");
    }
}

#[test]
fn a_search_that_panics_is_answered_for_with_some_stone() {
    let stage = Stage::new();
    stage.say(0, &["START 15", "BEGIN"]);
    stage.at(1_000, |_| Event::Decided(Err("a mishap".to_owned()), Lag::default()));
    let notes = stage.play();
    let [said] = after_begin(&notes) else { panic!("{notes:?}") };
    assert!(said.starts_with("1000 said ") && said.contains(','), "{said}");
}
