//! Tests that games are independent: after `START` and `RESTART` a process replies like a new one.
//!
//! Within a game the engine keeps its transposition table, histories and proof tables, so a
//! repeated position may get another move. `START`, `RESTART` and `YXHASHCLEAR` clear all of them.
//! Options persist, because an `INFO` applies until it is sent again (except `time_left`, which is
//! for one game). Yixin mode and the measured scheduling lag persist, too. The lag affects only
//! time limits.

use proptest::prelude::*;

use crate::process::Process;

/// Options that limit searches by nodes, so that they are deterministic.
const FIXED: &str = "INFO timeout_turn 2147483647\nINFO timeout_match 0\nINFO time_left 2147483647\n\
    INFO max_node 300\nINFO max_depth 0\nINFO thread_num 1\nINFO pondering 0\nINFO max_memory 40000000\n";

/// Returns the replies without everything that depends on the clock: the last message of each
/// search, without times, and its move.
fn timeless(replies: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for line in replies {
        let Some((start, end)) = line.split_once(" n/ms ") else {
            kept.push(line.clone());
            continue;
        };
        let pv = end.split_once(" pv ").map_or("", |(_, pv)| pv);
        if kept.last().is_some_and(|last| last.starts_with("MESSAGE depth")) {
            kept.pop();
        }
        kept.push(format!("{start} pv {pv}"));
    }
    kept
}

/// An action of a manager.
#[derive(Clone, Debug)]
enum Step {
    /// A command of the game.
    Play(String),
    /// An `INFO`, which applies beyond the game.
    Info(String),
    /// A new game with a move at once, so that a `time_left` before it no longer applies.
    Begin(u32),
}

fn step() -> impl Strategy<Value = Step> {
    let point = || (0..15u32, 0..15u32).prop_map(|(x, y)| format!("{x},{y}"));
    let entries = || {
        prop::collection::vec((4..11u32, 4..11u32, 1..4u32), 1..16).prop_map(|mut entries| {
            entries.sort_unstable();
            entries.dedup_by_key(|entry| (entry.0, entry.1));
            entries.iter().map(|(x, y, field)| format!("{x},{y},{field}\n")).collect::<String>()
        })
    };
    let infos = vec![
        "rule 0",
        "rule 1",
        "rule 4",
        "rule 8",
        "rule 9",
        "rule 7",
        "thread_num 2",
        "thread_num 1",
        "max_memory 30000000",
        "hash_size 512",
        "max_depth 3",
        "max_node 100",
        "max_node 2000",
        "pondering 1",
        "game_type 1",
        "show_detail 1",
        "show_detail 0",
        "timeout_turn 20",
        "timeout_turn 0",
        "timeout_match 100",
        "time_left 50",
        "nonsense 1",
        "net none",
        "net default",
        "net /no/such/file",
        "win_length 5",
        "evaluate 7,7",
    ];
    let words = vec!["BEGIN", "RESTART", "ABOUT", "YXSHOWFORBID", "YXHASHCLEAR", "YXNBEST 3"];
    prop_oneof![
        4 => point().prop_map(|p| Step::Play(format!("TURN {p}"))),
        1 => point().prop_map(|p| Step::Play(format!("PLAY {p}"))),
        1 => point().prop_map(|p| Step::Play(format!("TAKEBACK {p}"))),
        3 => entries().prop_map(|lines| Step::Play(format!("BOARD\n{lines}DONE"))),
        1 => entries().prop_map(|lines| Step::Play(format!("YXBOARD\n{lines}DONE"))),
        1 => Just(Step::Play("SWAP2BOARD\n7,7\n8,8\n9,7\nDONE".to_owned())),
        3 => prop::sample::select(words).prop_map(|word| Step::Play(word.to_owned())),
        5 => prop::sample::select(infos).prop_map(|info| Step::Info(format!("INFO {info}"))),
        1 => Just(Step::Info("YXSHOWINFO".to_owned())),
        2 => prop::sample::select(vec![5u32, 9, 15, 20]).prop_map(Step::Begin),
    ]
}

/// The game whose replies are compared.
#[derive(Clone, Debug)]
struct Last {
    size: u32,
    rule: u32,
    restart: bool,
    questions: Vec<String>,
}

fn last() -> impl Strategy<Value = Last> {
    let point = || (2..7u32, 2..7u32).prop_map(|(x, y)| format!("{x},{y}"));
    let question = prop_oneof![
        3 => point().prop_map(|p| format!("TURN {p}")),
        1 => Just("YXNBEST 2".to_owned()),
        1 => Just("BOARD\n3,3,1\n4,4,2\n3,4,1\n4,3,2\n3,5,1\n4,5,2\nDONE".to_owned()),
    ];
    (
        prop::sample::select(vec![9u32, 15]),
        prop::sample::select(vec![0u32, 1, 4, 9]),
        any::<bool>(),
        prop::collection::vec(question, 1..5),
    )
        .prop_map(|(size, rule, restart, questions)| Last { size, rule, restart, questions })
}

impl Last {
    /// Returns its replies, after `START` or `RESTART` with its board size.
    fn answers(&self, process: &mut Process, may_restart: bool) -> Vec<Vec<String>> {
        process.hear(&format!(
            "{FIXED}INFO rule {}\nINFO show_detail 0\nINFO win_length 5",
            self.rule
        ));
        let start = format!("START {}", self.size);
        let first = if self.restart && may_restart {
            process.hear(&start);
            process.hear("BEGIN");
            process.hear("RESTART")
        } else {
            process.hear(&start)
        };
        let mut answers = vec![first];
        answers.extend(self.questions.iter().map(|line| timeless(&process.hear(line))));
        answers
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, max_shrink_iters: 100, ..Default::default() })]

    /// After any commands, a game has the same replies as in a new process with the same options.
    #[test]
    fn games_do_not_depend_on_earlier_games(
        before in prop::collection::vec(step(), 1..25),
        last in last(),
    ) {
        let (mut used, mut fresh) = (Process::start(), Process::start());
        used.hear(FIXED);
        for step in &before {
            match step {
                Step::Play(lines) => {
                    used.hear(&format!("{lines}\nYXSTOP"));
                }
                Step::Info(line) => {
                    used.hear(line);
                    // Applies to one game, so it is not an option.
                    if !line.contains("time_left") {
                        fresh.hear(line);
                    }
                }
                Step::Begin(size) => {
                    used.hear(&format!("START {size}\nBEGIN\nYXSTOP"));
                }
            }
        }
        // Makes sure that a `time_left` no longer applies.
        used.hear("INFO timeout_turn 0\nSTART 9\nBEGIN");
        let (used, fresh) = (last.answers(&mut used, true), last.answers(&mut fresh, false));
        prop_assert_eq!(used, fresh);
    }
}

/// A position without a quick decision.
const OPEN: &str = "BOARD\n7,7,2\n8,8,1\n8,7,2\n6,7,1\n8,6,2\n8,9,1\n9,8,2\nDONE";

/// Verifies the test above: within a game, replies do depend on earlier searches.
#[test]
fn only_new_games_and_yxhashclear_reset_the_search() {
    let mut process = Process::start();
    process.hear(&format!("{FIXED}INFO max_node 3000\nSTART 15"));
    let first = timeless(&process.hear(OPEN));
    assert_ne!(timeless(&process.hear(OPEN)), first);
    for command in ["START 15", "RESTART", "YXHASHCLEAR"] {
        process.hear(command);
        assert_eq!(timeless(&process.hear(OPEN)), first, "{command}");
    }
}

/// The remaining time of a game does not apply to the next one.
#[test]
fn match_time_is_reset_by_a_new_game() {
    let mut process = Process::start();
    process.hear(&format!("{FIXED}INFO max_node 3000\nSTART 15"));
    let first = timeless(&process.hear(OPEN));
    process.hear("INFO time_left 1\nRESTART");
    assert_ne!(timeless(&process.hear(OPEN)), first, "the time limit was ignored");
    process.hear("RESTART");
    assert_eq!(timeless(&process.hear(OPEN)), first);
}
