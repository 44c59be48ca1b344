//! Property tests: random streams of valid and invalid commands in a session of this process.

use std::collections::BTreeSet;

use crate::conversation::{Conversation, check_line};
use kakugo::board::Point;
use kakugo_protocol::Reply;
use proptest::prelude::*;

/// Options for a small and fast session.
const SMALL: &str = "INFO max_memory 1\nINFO max_node 20\nINFO timeout_turn 60000\n";

/// Generates the pieces of a stream.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let point = || (-1..34i32, -1..34i32).prop_map(|(x, y)| format!("{x},{y}"));
    let near = || (0..6i32, 0..6i32).prop_map(|(x, y)| format!("{x},{y}"));
    let entry = (near(), 0..5i32).prop_map(|(p, field)| format!("{p},{field}"));
    let entries = prop::collection::vec(entry, 0..12).prop_map(|lines| lines.join("\n"));
    let keys = prop::sample::select(vec![
        "timeout_turn",
        "timeout_match",
        "time_left",
        "time_increment",
        "max_depth",
        "rule",
        "win_length",
        "game_type",
        "show_detail",
        "thread_num",
        "evaluate",
        "folder",
        "caution_factor",
        "nonsense",
    ]);
    let values = prop_oneof![
        -3..20i64,
        any::<i64>(),
        Just(i64::from(i32::MAX)),
        prop::sample::select(vec![0i64, 1, 2, 4, 8, 9]),
    ];
    let words = prop::sample::select(vec![
        "RESTART",
        "BEGIN",
        "ABOUT",
        "DONE",
        "YXSTOP",
        "YXSHOWFORBID",
        "YXHASHCLEAR",
        "YXSHOWINFO",
        "BOARD",
        "YXBOARD",
        "SWAP2BOARD",
        "SWAP2BOARD\nDONE",
        "YXNBEST 2",
        "YXNBEST 1000000",
        "turn",
        "START",
    ]);
    let line = prop_oneof![
        3 => (3..7u32).prop_map(|n| format!("START {n}")),
        1 => (0..40u32, 0..40u32).prop_map(|(w, h)| format!("RECTSTART {w},{h}")),
        4 => near().prop_map(|p| format!("TURN {p}")),
        1 => point().prop_map(|p| format!("TURN {p}")),
        1 => near().prop_map(|p| format!("PLAY {p}")),
        1 => near().prop_map(|p| format!("TAKEBACK {p}")),
        2 => entries.clone().prop_map(|lines| format!("BOARD\n{lines}\nDONE")),
        1 => entries.clone().prop_map(|lines| format!("YXBOARD\n{lines}\nDONE")),
        1 => entries.prop_map(|lines| format!("SWAP2BOARD\n{lines}\nDONE")),
        3 => (keys, values).prop_map(|(key, value)| format!("INFO {key} {value}")),
        4 => words.prop_map(str::to_owned),
    ];
    let end = prop::sample::select(vec!["\n", "\r\n", "\r", "\n\n", " \n", ""]);
    let whole = (line, end).prop_map(|(line, end)| format!("{line}{end}").into_bytes());
    prop_oneof![
        12 => whole,
        1 => prop::collection::vec(any::<u8>(), 0..30),
        1 => (any::<u8>(), 0..40_000usize).prop_map(|(byte, count)| vec![byte; count]),
    ]
}

/// Changes, removes and inserts bytes of a stream.
fn mutate(stream: &mut Vec<u8>, damage: &[(prop::sample::Index, u8)]) {
    for (at, byte) in damage {
        if stream.is_empty() {
            return;
        }
        let at = at.index(stream.len());
        match byte % 4 {
            0 => drop(stream.remove(at)),
            1 => stream.insert(at, *byte),
            2 => stream[at] = *byte,
            _ => stream[at] = stream[at].wrapping_add(1),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, max_shrink_iters: 2000, ..Default::default() })]

    /// Any input leads only to valid replies. The session does not panic or hang.
    #[test]
    fn any_input_gets_valid_replies(
        pieces in prop::collection::vec(piece(), 0..40),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        let mut stream = pieces.concat();
        mutate(&mut stream, &damage);
        let conversation = Conversation::start();
        conversation.send(SMALL);
        let (replies, _) = conversation.feed(&stream);
        replies.iter().for_each(|line| check_line(line));
    }
}

/// A step of a mostly valid conversation.
#[derive(Clone, Debug)]
enum Step {
    Start(u8, u8),
    Restart,
    Begin,
    Turn(i8, i8),
    Play(i8, i8),
    TakeBackLast,
    TakeBack(i8, i8),
    Board(Vec<(u8, u8, u8)>),
    Info(&'static str),
}

fn step() -> impl Strategy<Value = Step> {
    let infos = vec!["INFO timeout_turn 0", "INFO timeout_turn 50000", "INFO nonsense", "info"];
    let entries = prop::collection::vec((0..8u8, 0..8u8, 1..4u8), 0..30);
    prop_oneof![
        1 => (2..9u8, 2..9u8).prop_map(|(w, h)| Step::Start(w, h)),
        1 => Just(Step::Restart),
        2 => Just(Step::Begin),
        20 => (-1..9i8, -1..9i8).prop_map(|(x, y)| Step::Turn(x, y)),
        2 => (-1..9i8, -1..9i8).prop_map(|(x, y)| Step::Play(x, y)),
        3 => Just(Step::TakeBackLast),
        1 => (0..8i8, 0..8i8).prop_map(|(x, y)| Step::TakeBack(x, y)),
        3 => entries.prop_map(Step::Board),
        1 => prop::sample::select(infos).prop_map(Step::Info),
    ]
}

/// A simple model of the game, to compare the session with.
#[derive(Default)]
struct Model {
    width: i8,
    height: i8,
    /// Stones in order, with their owner (`false`: the side that moved first).
    stones: Vec<((i8, i8), bool)>,
    walls: BTreeSet<(i8, i8)>,
    /// Owner of the next stone.
    next: bool,
}

impl Model {
    fn is_free(&self, at: (i8, i8)) -> bool {
        (0..self.width).contains(&at.0)
            && (0..self.height).contains(&at.1)
            && !self.walls.contains(&at)
            && self.stones.iter().all(|&(p, _)| p != at)
    }

    fn has_five(&self) -> bool {
        let owner = |at: (i8, i8)| self.stones.iter().find(|&&(p, _)| p == at).map(|&(_, o)| o);
        self.stones.iter().any(|&((x, y), side)| {
            [(1, 0), (0, 1), (1, 1), (1, -1)]
                .iter()
                .any(|(dx, dy)| (0..5).all(|k| owner((x + k * dx, y + k * dy)) == Some(side)))
        })
    }

    fn is_full(&self) -> bool {
        self.stones.len() + self.walls.len() == self.width as usize * self.height as usize
    }

    fn play(&mut self, at: (i8, i8)) {
        self.stones.push((at, self.next));
        self.next = !self.next;
    }

    /// Returns the model after a `BOARD`, or `None` if the command is invalid. In freestyle,
    /// colours do not matter.
    fn set_up(&self, entries: &[(u8, u8, u8)]) -> Option<Model> {
        let mut model = Model { width: self.width, height: self.height, ..Model::default() };
        for &(x, y, field) in entries {
            let at = (x as i8, y as i8);
            if !model.is_free(at) {
                return None;
            }
            if field == 3 {
                model.walls.insert(at);
            } else {
                model.stones.push((at, field == 2));
            }
        }
        Some(model)
    }

    /// Plays the engine's move, which must be legal.
    fn play_reply(&mut self, answer: &str) {
        let Reply::Move(p) = Reply::parse(answer) else { panic!("not a move: {answer}") };
        let at = (p.x() as i8, p.y() as i8);
        assert!(self.is_free(at), "{answer} is occupied");
        self.play(at);
    }
}

fn name((x, y): (i8, i8)) -> String {
    format!("{x},{y}")
}

/// Executes a step in both the session and the model, and compares them.
fn execute(step: &Step, model: &mut Option<Model>, session: &Conversation) {
    let expect_error = |command: &str| {
        let answer = session.ask(command);
        assert!(answer.starts_with("ERROR "), "{command}: {answer}");
    };
    match step {
        Step::Start(w, h) if *w < 3 || *h < 3 => expect_error(&format!("RECTSTART {w},{h}")),
        Step::Start(w, h) => {
            assert_eq!(session.ask(&format!("RECTSTART {w},{h}")), "OK");
            let (width, height) = (*w as i8, *h as i8);
            *model = Some(Model { width, height, ..Model::default() });
        }
        Step::Info(line) => session.send(format!("{line}\n")),
        Step::Restart => match model {
            None => expect_error("RESTART"),
            Some(Model { width, height, .. }) => {
                assert_eq!(session.ask("RESTART"), "OK");
                *model = Some(Model { width: *width, height: *height, ..Model::default() });
            }
        },
        Step::Begin => match model {
            Some(model) if model.stones.is_empty() && !model.is_full() => {
                model.play_reply(&session.ask("BEGIN"));
            }
            _ => expect_error("BEGIN"),
        },
        &Step::Turn(x, y) => {
            let command = format!("TURN {x},{y}");
            let Some(model) = model.as_mut().filter(|m| m.is_free((x, y)) && !m.has_five()) else {
                return expect_error(&command);
            };
            model.play((x, y));
            if model.has_five() || model.is_full() {
                model.stones.pop();
                model.next = !model.next;
                return expect_error(&command);
            }
            model.play_reply(&session.ask(&command));
        }
        &Step::Play(x, y) => {
            let command = format!("PLAY {x},{y}");
            match model.as_mut().filter(|m| m.is_free((x, y)) && !m.has_five()) {
                None => expect_error(&command),
                Some(model) => {
                    assert_eq!(session.ask(&command), name((x, y)));
                    model.play((x, y));
                }
            }
        }
        Step::TakeBackLast => match model.as_mut().and_then(|m| m.stones.pop().zip(Some(m))) {
            None => expect_error("TAKEBACK 0,0"),
            Some(((at, owner), model)) => {
                assert_eq!(session.ask(&format!("TAKEBACK {}", name(at))), "OK");
                model.next = owner;
            }
        },
        &Step::TakeBack(x, y) => {
            let last = model.as_ref().and_then(|m| m.stones.last().map(|&(at, _)| at));
            if last != Some((x, y)) {
                expect_error(&format!("TAKEBACK {x},{y}"));
            }
        }
        Step::Board(entries) => {
            let lines: String = entries.iter().map(|(x, y, f)| format!("{x},{y},{f}\n")).collect();
            let command = format!("BOARD\n{lines}DONE");
            let set_up = model.as_ref().and_then(|m| m.set_up(entries));
            match set_up.filter(|m| !m.has_five() && !m.is_full()) {
                None => expect_error(&command),
                Some(mut board) => {
                    board.play_reply(&session.ask(&command));
                    *model = Some(board);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_shrink_iters: 2000, ..Default::default() })]

    /// Every reply is correct, every move is legal, and rejected commands have no effect.
    #[test]
    fn the_session_matches_a_simple_model_of_the_game(
        steps in prop::collection::vec(step(), 1..60),
    ) {
        let session = Conversation::start();
        session.send(SMALL);
        let mut model = None;
        for step in &steps {
            execute(step, &mut model, &session);
        }
        while model.as_ref().is_some_and(|model: &Model| !model.stones.is_empty()) {
            execute(&Step::TakeBackLast, &mut model, &session);
        }
    }
}

#[test]
fn end_stops_a_search() {
    let session = Conversation::start();
    session.send("START 15\nINFO timeout_turn 2147483647\nTURN 7,7\nEND\n");
    assert_eq!(session.line(), "OK\n");
    loop {
        let line = session.line();
        if line.starts_with("<end") {
            break assert_eq!(line, "<end: Ok(())>");
        }
        assert!(line.starts_with("MESSAGE "), "{line}");
    }
}

#[test]
fn swap2_choices_are_legal() {
    for size in [3, 5, 6, 9, 15, 32] {
        for time in ["INFO timeout_turn 0", "INFO max_node 200"] {
            let session = Conversation::start();
            session.send(format!("{SMALL}{time}\nINFO rule 1\n"));
            assert_eq!(session.ask(&format!("START {size}")), "OK");
            let answer = session.ask("SWAP2BOARD\nDONE");
            let Reply::Stones(mut stones) = Reply::parse(&answer) else { panic!("{answer}") };
            assert_eq!(distinct(&stones, size), 3, "{answer}");
            let answer = session.ask(&swap2board(&stones));
            match Reply::parse(&answer) {
                Reply::Swap => {}
                Reply::Move(p) => stones.push(p),
                Reply::Stones(more) => {
                    assert_eq!(more.len(), 2, "{answer}");
                    stones.extend(more);
                    let answer = session.ask(&swap2board(&stones));
                    match Reply::parse(&answer) {
                        Reply::Swap => {}
                        Reply::Move(p) => stones.push(p),
                        other => panic!("{other:?}"),
                    }
                }
                other => panic!("{other:?}"),
            }
            assert_eq!(distinct(&stones, size), stones.len());
        }
    }
}

fn swap2board(stones: &[Point]) -> String {
    let lines: String = stones.iter().map(|p| format!("{p}\n")).collect();
    format!("SWAP2BOARD\n{lines}DONE")
}

/// Returns the number of distinct points on the board.
fn distinct(stones: &[Point], size: u8) -> usize {
    let inside = stones.iter().filter(|p| p.x() < size && p.y() < size);
    inside.collect::<BTreeSet<_>>().len()
}
