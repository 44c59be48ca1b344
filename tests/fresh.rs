//! Nothing of one game is left in the next: after `START` and `RESTART` a process answers as a new
//! one does.
//!
//! Within a game the engine remembers what it has searched (the transposition table, histories and
//! proof tables of its threads): a position that is asked about again may get another answer. `START`,
//! `RESTART` and `YXHASHCLEAR` forget all of that. What stays are options, since an `INFO` holds until
//! it is sent again (but for `time_left`, which is for one game), Yixin's mode, and how busy the
//! machine is, on which time limits alone depend.

use proptest::prelude::*;

mod process;

use process::Process;

/// What makes searches end by their nodes, and equal ones give equal answers.
const FIXED: &str = "INFO timeout_turn 2147483647\nINFO timeout_match 0\nINFO time_left 2147483647\n\
    INFO max_node 300\nINFO max_depth 0\nINFO thread_num 1\nINFO pondering 0\nINFO max_memory 40000000\n";

/// Answers without what depends on the clock: of each search its last message and its move, without
/// times.
fn timeless(said: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for line in said {
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

/// One thing that a manager does.
#[derive(Clone, Debug)]
enum Step {
    /// A line, or a block of lines, that belongs to the game.
    Play(String),
    /// An `INFO`, which holds beyond the game.
    Info(String),
    /// A new game, in which something is asked at once, so that a `time_left` has had its game.
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

/// The game whose answers are compared: a start, then questions.
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
    /// Its answers, after `START` or `RESTART` of a board of its size.
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

    /// Whatever was before, the game answers as in a new process that knows the same options.
    #[test]
    fn a_game_leaves_nothing_behind(
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
                    // What is for one game is no option.
                    if !line.contains("time_left") {
                        fresh.hear(line);
                    }
                }
                Step::Begin(size) => {
                    used.hear(&format!("START {size}\nBEGIN\nYXSTOP"));
                }
            }
        }
        // A `time_left` gets its game.
        used.hear("INFO timeout_turn 0\nSTART 9\nBEGIN");
        let (used, fresh) = (last.answers(&mut used, true), last.answers(&mut fresh, false));
        prop_assert_eq!(used, fresh);
    }
}

/// A position with much to search.
const OPEN: &str = "BOARD\n7,7,2\n8,8,1\n8,7,2\n6,7,1\n8,6,2\n8,9,1\n9,8,2\nDONE";

/// What the test above compares does change where something is remembered: within one game.
#[test]
fn within_a_game_the_answer_may_rest_on_what_was_searched_before() {
    let mut process = Process::start();
    process.hear(&format!("{FIXED}INFO max_node 3000\nSTART 15"));
    let first = timeless(&process.hear(OPEN));
    assert_ne!(timeless(&process.hear(OPEN)), first);
    for forget in ["START 15", "RESTART", "YXHASHCLEAR"] {
        process.hear(forget);
        assert_eq!(timeless(&process.hear(OPEN)), first, "{forget}");
    }
}

/// The clock of one game does not run in the next.
#[test]
fn the_time_of_a_game_ends_with_it() {
    let mut process = Process::start();
    process.hear(&format!("{FIXED}INFO max_node 3000\nSTART 15"));
    let first = timeless(&process.hear(OPEN));
    process.hear("INFO time_left 1\nRESTART");
    assert_ne!(timeless(&process.hear(OPEN)), first, "there is no time");
    process.hear("RESTART");
    assert_eq!(timeless(&process.hear(OPEN)), first);
}
