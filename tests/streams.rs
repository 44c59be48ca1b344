//! Random streams of commands, sensible and senseless, driven through a session in this process.

mod conversation;

use std::collections::BTreeSet;

use conversation::{Conversation, check_line};
use kakugo::board::Point;
use kakugo_protocol::Reply;
use proptest::prelude::*;

/// What keeps a session of the tests small and quick.
const SMALL: &str = "INFO max_memory 1\nINFO max_node 20\nINFO timeout_turn 60000\n";

/// Pieces that a mutated stream is made of.
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

/// Damage done to a stream: bytes changed, lost and doubled.
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

    /// Whatever comes in, only proper lines go out and nothing panics or hangs.
    #[test]
    fn nothing_breaks_a_session(
        pieces in prop::collection::vec(piece(), 0..40),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        let mut stream = pieces.concat();
        mutate(&mut stream, &damage);
        let conversation = Conversation::start();
        conversation.send(SMALL);
        let (said, _) = conversation.feed(&stream);
        said.iter().for_each(|line| check_line(line));
    }
}

/// One step of a sensible conversation.
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

/// The game as a plain list of stones, to compare the session with.
#[derive(Default)]
struct Mirror {
    width: i8,
    height: i8,
    /// Stones in order, with their owner (`false`: the side that began).
    stones: Vec<((i8, i8), bool)>,
    walls: BTreeSet<(i8, i8)>,
    /// Owner of the next stone.
    next: bool,
}

impl Mirror {
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

    /// The stones a `BOARD` leads to, if it is a proper one. In freestyle, owners need not be told
    /// from colours.
    fn laid_out(&self, entries: &[(u8, u8, u8)]) -> Option<Mirror> {
        let mut mirror = Mirror { width: self.width, height: self.height, ..Mirror::default() };
        for &(x, y, field) in entries {
            let at = (x as i8, y as i8);
            if !mirror.is_free(at) {
                return None;
            }
            if field == 3 {
                mirror.walls.insert(at);
            } else {
                mirror.stones.push((at, field == 2));
            }
        }
        Some(mirror)
    }

    /// Take the engine's stone, which must be a legal one.
    fn answered(&mut self, answer: &str) {
        let Reply::Move(p) = Reply::parse(answer) else { panic!("no move: {answer}") };
        let at = (p.x() as i8, p.y() as i8);
        assert!(self.is_free(at), "{answer} is taken");
        self.play(at);
    }
}

fn name((x, y): (i8, i8)) -> String {
    format!("{x},{y}")
}

/// Carry out a step in both, and compare.
fn carry_out(step: &Step, mirror: &mut Option<Mirror>, session: &Conversation) {
    let ask_for_error = |command: &str| {
        let answer = session.ask(command);
        assert!(answer.starts_with("ERROR "), "{command}: {answer}");
    };
    match step {
        Step::Start(w, h) if *w < 3 || *h < 3 => ask_for_error(&format!("RECTSTART {w},{h}")),
        Step::Start(w, h) => {
            assert_eq!(session.ask(&format!("RECTSTART {w},{h}")), "OK");
            let (width, height) = (*w as i8, *h as i8);
            *mirror = Some(Mirror { width, height, ..Mirror::default() });
        }
        Step::Info(line) => session.send(format!("{line}\n")),
        Step::Restart => match mirror {
            None => ask_for_error("RESTART"),
            Some(Mirror { width, height, .. }) => {
                assert_eq!(session.ask("RESTART"), "OK");
                *mirror = Some(Mirror { width: *width, height: *height, ..Mirror::default() });
            }
        },
        Step::Begin => match mirror {
            Some(mirror) if mirror.stones.is_empty() && !mirror.is_full() => {
                mirror.answered(&session.ask("BEGIN"));
            }
            _ => ask_for_error("BEGIN"),
        },
        &Step::Turn(x, y) => {
            let command = format!("TURN {x},{y}");
            let Some(mirror) = mirror.as_mut().filter(|m| m.is_free((x, y)) && !m.has_five())
            else {
                return ask_for_error(&command);
            };
            mirror.play((x, y));
            if mirror.has_five() || mirror.is_full() {
                mirror.stones.pop();
                mirror.next = !mirror.next;
                return ask_for_error(&command);
            }
            mirror.answered(&session.ask(&command));
        }
        &Step::Play(x, y) => {
            let command = format!("PLAY {x},{y}");
            match mirror.as_mut().filter(|m| m.is_free((x, y)) && !m.has_five()) {
                None => ask_for_error(&command),
                Some(mirror) => {
                    assert_eq!(session.ask(&command), name((x, y)));
                    mirror.play((x, y));
                }
            }
        }
        Step::TakeBackLast => match mirror.as_mut().and_then(|m| m.stones.pop().zip(Some(m))) {
            None => ask_for_error("TAKEBACK 0,0"),
            Some(((at, owner), mirror)) => {
                assert_eq!(session.ask(&format!("TAKEBACK {}", name(at))), "OK");
                mirror.next = owner;
            }
        },
        &Step::TakeBack(x, y) => {
            let last = mirror.as_ref().and_then(|m| m.stones.last().map(|&(at, _)| at));
            if last != Some((x, y)) {
                ask_for_error(&format!("TAKEBACK {x},{y}"));
            }
        }
        Step::Board(entries) => {
            let lines: String = entries.iter().map(|(x, y, f)| format!("{x},{y},{f}\n")).collect();
            let command = format!("BOARD\n{lines}DONE");
            let laid_out = mirror.as_ref().and_then(|m| m.laid_out(entries));
            match laid_out.filter(|m| !m.has_five() && !m.is_full()) {
                None => ask_for_error(&command),
                Some(mut board) => {
                    board.answered(&session.ask(&command));
                    *mirror = Some(board);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_shrink_iters: 2000, ..Default::default() })]

    /// Every answer is the right one, every stone legal, and what is refused changes nothing.
    #[test]
    fn the_session_plays_the_game_that_is_told(
        steps in prop::collection::vec(step(), 1..60),
    ) {
        let session = Conversation::start();
        session.send(SMALL);
        let mut mirror = None;
        for step in &steps {
            carry_out(step, &mut mirror, &session);
        }
        while mirror.as_ref().is_some_and(|mirror: &Mirror| !mirror.stones.is_empty()) {
            carry_out(&Step::TakeBackLast, &mut mirror, &session);
        }
    }
}

#[test]
fn the_end_of_input_ends_a_search() {
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
fn swap2_is_decided_legally() {
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

/// How many different points of the board these are.
fn distinct(stones: &[Point], size: u8) -> usize {
    let inside = stones.iter().filter(|p| p.x() < size && p.y() < size);
    inside.collect::<BTreeSet<_>>().len()
}
