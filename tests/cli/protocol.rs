//! Tests of the protocol with the real program.
//!
//! The dialogues of `protocol.md` are replayed line by line. The other tests cover what a dialogue
//! cannot show: arrival of bytes, the end of the process, real threads and a real clock. The exact
//! timing is tested in the session's unit tests, with a scripted clock.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::RecvTimeoutError;
use std::thread;
use std::time::{Duration, Instant};

use kakugo::board::Point;
use kakugo_protocol::Reply;
use kakugo_protocol::client::MemoryUsage;

use crate::process::{PATIENCE, Process, program};

mod document {
    //! Replay of `protocol.md`.

    use super::*;

    /// A dialogue with the number of its first line.
    struct Dialogue {
        at: usize,
        lines: Vec<(usize, String)>,
    }

    fn dialogues(text: &str) -> Vec<Dialogue> {
        let mut found = Vec::new();
        let mut open: Option<Dialogue> = None;
        for (number, line) in (1..).zip(text.lines()) {
            match (&mut open, line) {
                (None, "```gomocup") => open = Some(Dialogue { at: number, lines: Vec::new() }),
                (Some(_), "```") => found.extend(open.take()),
                (Some(dialogue), line) => dialogue.lines.push((number, line.to_owned())),
                (None, _) => {}
            }
        }
        assert!(open.is_none(), "unterminated dialogue");
        found
    }

    /// Returns true if `text` matches `pattern`.
    fn matches(pattern: &str, text: &str) -> bool {
        let Some((before, rest)) = pattern.split_once('<') else { return pattern == text };
        let Some(text) = text.strip_prefix(before) else { return false };
        let (name, after) = rest.split_once('>').expect("a complete <placeholder>");
        let number = |text: &str| text.parse::<i64>().is_ok();
        let fits: &dyn Fn(&str) -> bool = match name {
            "text" => return true,
            "move" => &|text| matches!(Reply::parse(text), Reply::Move(_)) && !text.contains(' '),
            "n" => &|text| number(text) && !text.starts_with('-'),
            "number" => &|text| number(text) || text.parse::<f64>().is_ok() || text.contains('M'),
            _ => panic!("unknown placeholder <{name}>"),
        };
        let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
        ends.into_iter().any(|end| fits(&text[..end]) && matches(after, &text[end..]))
    }

    fn replay(dialogue: &Dialogue) {
        let mut engine = Process::start();
        for (number, line) in &dialogue.lines {
            if let Some(command) = line.strip_prefix("> ") {
                engine.say(command);
            } else if let Some(expected) = line.strip_prefix("< ") {
                let of_search = expected.starts_with("MESSAGE") || expected.starts_with("INFO");
                let reply = if of_search { engine.line() } else { engine.answer() };
                assert!(
                    matches(expected, &reply),
                    "protocol.md:{number}: expected {expected}, got {reply}"
                );
            } else {
                panic!("protocol.md:{number}: expected > or <");
            }
        }
        if !dialogue.lines.iter().any(|(_, line)| line == "> END") {
            engine.say("END");
        }
        assert!(engine.ended().success());
    }

    #[test]
    fn every_dialogue_matches_the_program() {
        let text = include_str!("../../protocol.md");
        let dialogues = dialogues(text);
        assert!(dialogues.len() > 15, "{} dialogues", dialogues.len());
        for dialogue in &dialogues {
            println!("protocol.md:{}", dialogue.at);
            replay(dialogue);
        }
    }

    #[test]
    fn placeholders_match() {
        assert!(matches("<move> <move>", "1,2 13,4"));
        assert!(!matches("<move>", "1,2 13,4"));
        assert!(!matches("<move>", "SWAP"));
        assert!(matches("depth <n>-<n> ev <number> n <text>", "depth 5-8 ev -M3 n 1.5M"));
        assert!(!matches("depth <n>", "depth x"));
        assert!(!matches("OK", "OK "));
    }

    #[test]
    fn every_command_and_option_has_a_dialogue() {
        let text = include_str!("../../protocol.md");
        for word in [
            "START",
            "RECTSTART",
            "RESTART",
            "BEGIN",
            "TURN",
            "BOARD",
            "DONE",
            "TAKEBACK",
            "PLAY",
            "SWAP2BOARD",
            "ABOUT",
            "END",
            "INFO",
            "YXBOARD",
            "YXSTOP",
            "STOP",
            "YXSHOWFORBID",
            "YXHASHCLEAR",
            "YXSHOWINFO",
            "YXNBEST",
            "YXSEARCHDEFEND",
            "YXBALANCEONE",
            "YXBALANCETWO",
            "YXBLOCK",
            "YXBLOCKUNDO",
            "YXBLOCKRESET",
            "timeout_turn",
            "timeout_match",
            "time_left",
            "time_increment",
            "max_memory",
            "hash_size",
            "thread_num",
            "max_node",
            "max_depth",
            "rule",
            "win_length",
            "game_type",
            "evaluate",
            "folder",
            "net",
            "show_detail",
            "caution_factor",
        ] {
            let shown = [format!("> {word}"), format!("> INFO {word}")];
            assert!(shown.iter().any(|line| text.contains(line)), "{word} has no dialogue");
        }
    }
}

mod messages {
    //! Messages before a move.

    use super::*;

    /// Returns the messages before the next reply, and the reply.
    fn receive(engine: &mut Process) -> (Vec<String>, String) {
        let mut messages = Vec::new();
        loop {
            let line = engine.line();
            match line.strip_prefix("MESSAGE ") {
                Some(text) => messages.push(text.to_owned()),
                None => return (messages, line),
            }
        }
    }

    /// Converts an evaluation to a number. Shorter wins are larger.
    fn rank(value: &str) -> i64 {
        let number = |text: &str| text.parse::<i64>().unwrap_or_else(|_| panic!("{value}"));
        match (value.strip_prefix("+M"), value.strip_prefix("-M")) {
            (Some(plies), _) => 1_000_000 - number(plies),
            (_, Some(plies)) => number(plies) - 1_000_000,
            _ => number(value),
        }
    }

    /// Returns the word after this one.
    fn after<'a>(message: &'a str, word: &str) -> Option<&'a str> {
        message.split(' ').skip_while(|&w| w != word).nth(1)
    }

    fn named(point: &str) -> String {
        let (x, y) = point.split_once(',').unwrap();
        let letter = char::from(b'a' + x.parse::<u8>().unwrap());
        format!("{letter}{}", y.parse::<u8>().unwrap() + 1)
    }

    /// Checks that the four best lines are numbered and sorted, and that the best move is played.
    fn check_best_lines(position: &str) {
        let mut engine = Process::start();
        engine.send("INFO timeout_turn 2000000\nINFO max_depth 5\nSTART 15\n");
        engine.send(format!("YXBOARD {position} DONE\nYXNBEST 4\n"));
        let (messages, reply) = {
            assert_eq!(engine.answer(), "OK");
            receive(&mut engine)
        };
        let first = |message: &&String| after(message, "multipv") == Some("1");
        let from = messages.iter().rposition(|message| first(&message)).expect("a best line");
        let lines = &messages[from..];
        for (k, line) in lines.iter().enumerate() {
            assert_eq!(after(line, "multipv"), Some(&*(k + 1).to_string()), "{lines:#?}");
        }
        let values: Vec<i64> = lines.iter().map(|line| rank(after(line, "ev").unwrap())).collect();
        assert!(values.is_sorted_by(|a, b| a >= b), "{position}: {lines:#?}");
        assert_eq!(after(&lines[0], "pv"), Some(&*named(&reply)), "{position}: {lines:#?}");
        engine.end();
    }

    #[test]
    fn best_lines_are_numbered_and_the_best_move_is_played() {
        for position in [
            "7,7,1 6,9,2 7,9,1 5,6,2 5,9,1 9,7,2",
            "7,7,1 8,8,2 6,8,1 8,6,2 8,7,1 6,7,2",
            "4,4,1 10,10,2 4,10,1 10,4,2",
            "7,7,1 7,8,2 8,7,1 6,7,2 8,6,1 8,8,2 9,5,1 6,8,2",
            "3,3,1 4,4,2 3,5,1 4,6,2 5,5,1 3,4,2 6,4,1 2,6,2",
            "7,7,1 7,5,2 9,7,1 9,5,2 8,9,1 8,4,2",
            "6,6,1 7,7,2 6,8,1 8,6,2 8,8,1 6,7,2 7,6,1 5,6,2",
            "10,3,1 9,4,2 10,5,1 9,6,2 11,4,1 8,5,2",
        ] {
            check_best_lines(position);
        }
    }

    #[test]
    fn a_message_comes_before_every_move() {
        // An empty board, no time, a stopped search, no time with stones, and an immediate win.
        for (time, position) in [
            (30_000, ""),
            (0, ""),
            (30_000, "7,7,2 0,0,1 8,7,2 0,2,1 9,7,2 0,4,1 10,7,2 6,7,1"),
            (0, "7,7,2 8,8,1 6,6,2"),
            (30_000, "7,7,1 0,0,2 8,7,1 0,2,2 9,7,1 0,4,2 10,7,1 6,7,2"),
        ] {
            let mut engine = Process::start();
            engine.send(format!("INFO timeout_turn {time}\nSTART 15\n"));
            assert_eq!(engine.answer(), "OK");
            engine.send(format!("BOARD {position} DONE\n"));
            let stopping = !position.is_empty() && time > 0;
            if stopping {
                engine.say("STOP");
            }
            let (messages, reply) = receive(&mut engine);
            let last = messages.last().unwrap_or_else(|| panic!("no message before {reply}"));
            assert!(last.starts_with("depth ") && last.contains(" ev "), "{last}");
            assert_eq!(after(last, "pv"), Some(&*named(&reply)), "{last}");
            engine.end();
        }
        for level in ["1", "6"] {
            let mut engine = Process::start_with(&["--level", level]);
            engine.send("START 15\nTURN 7,7\n");
            assert_eq!(engine.answer(), "OK");
            let (messages, reply) = receive(&mut engine);
            assert!(!messages.is_empty(), "level {level}: no message before {reply}");
            engine.end();
        }
    }
}

mod networks {
    //! Networks from files.

    use kakugo::board::Rule;
    use kakugo::eval::network::random;
    use tempfile::NamedTempFile;

    use super::*;

    /// A temporary file. Its name has a space.
    struct NetworkFile(NamedTempFile);

    impl NetworkFile {
        fn new(bytes: &[u8]) -> NetworkFile {
            let file =
                tempfile::Builder::new().prefix("kakugo ").suffix(".net").tempfile().unwrap();
            std::fs::write(file.path(), bytes).unwrap();
            NetworkFile(file)
        }

        fn name(&self) -> String {
            self.0.path().display().to_string()
        }
    }

    /// Returns the evaluation of a position in the last message of a shallow search.
    fn evaluation(engine: &mut Process) -> String {
        engine.say("BOARD 7,7,1 8,8,2 9,6,1 6,9,2 DONE");
        let lines: Vec<String> = std::iter::repeat_with(|| engine.line())
            .take_while(|line| line.starts_with("MESSAGE"))
            .collect();
        let last = lines.last().expect("a search writes messages");
        let after = |word: &str| last.split_once(word).expect("a message with ev").1.to_owned();
        let value = after(" ev ");
        value.split_once(" n ").unwrap_or_else(|| panic!("{last}")).0.to_owned()
    }

    fn engine(arguments: &[&str]) -> Process {
        let mut engine = Process::start_with(arguments);
        engine.send("INFO timeout_turn 60000\nINFO max_depth 3\n");
        assert_eq!(engine.ask("START 15"), "OK");
        engine
    }

    #[test]
    fn networks_can_be_loaded_and_replaced() {
        let file = NetworkFile::new(&random(Rule::Freestyle, 1).to_bytes());
        let mut engine = engine(&[]);
        let embedded = evaluation(&mut engine);
        engine.say("INFO net none");
        let classical = evaluation(&mut engine);
        engine.say(&format!("INFO net {}", file.name()));
        let by_file = evaluation(&mut engine);
        assert_ne!(by_file, classical);
        engine.say("INFO net");
        assert_eq!(evaluation(&mut engine), classical);
        engine.say("INFO net embedded");
        assert_eq!(evaluation(&mut engine), embedded);
        engine.end();
        let mut named = self::engine(&["--net", &file.name()]);
        assert_eq!(evaluation(&mut named), by_file);
        // The file does not replace the networks of other rules.
        named.say("INFO rule 1");
        assert_eq!(named.ask("START 15"), "OK");
        let standard = evaluation(&mut named);
        named.say("INFO net embedded");
        assert_eq!(evaluation(&mut named), standard);
        named.end();
    }

    #[test]
    fn invalid_networks_are_reported_and_ignored() {
        let mut bytes = random(Rule::Freestyle, 1).to_bytes();
        bytes[5000] ^= 1;
        let damaged = NetworkFile::new(&bytes);
        let foreign = NetworkFile::new(b"something else");
        let folder = std::env::temp_dir().display().to_string();
        let mut engine = engine(&[]);
        let before = evaluation(&mut engine);
        for (name, why) in [
            (&damaged.name(), "the network file is damaged or truncated"),
            (&foreign.name(), "not a network file"),
            (&folder, "not a network file"),
            #[cfg(unix)]
            (&"/dev/zero".to_owned(), "not a network file"),
            (&"no such file".to_owned(), "cannot read the file: "),
        ] {
            engine.say(&format!("INFO net {name}"));
            let line = engine.line();
            let expected = format!("MESSAGE network {name} is not used: {why}");
            assert!(line.starts_with(&expected), "{line}");
            engine.say("YXHASHCLEAR");
            assert_eq!(evaluation(&mut engine), before);
            let output = Command::new(program())
                .args(["--net", name])
                .stdin(Stdio::null())
                .output()
                .unwrap();
            let errors = String::from_utf8(output.stderr).unwrap();
            assert!(!output.status.success() && errors.contains(why), "{name}: {errors}");
        }
        engine.say("INFO net no\u{1b}such\0file");
        let line = engine.line();
        assert!(line.starts_with("MESSAGE network no such file is not used: "), "{line:?}");
        engine.end();
    }

    #[test]
    fn a_network_loaded_during_a_search_applies_to_the_next_one() {
        let file = NetworkFile::new(&random(Rule::Freestyle, 2).to_bytes());
        let mut engine = engine(&["--net", "none"]);
        engine.send("INFO max_depth 99\nTURN 7,7\n");
        engine.wait_for_search();
        engine.say(&format!("INFO net {}", file.name()));
        engine.send("INFO net no such file\n");
        while !engine.line().starts_with("MESSAGE network no such file is not used") {}
        engine.say("YXSTOP");
        assert!(matches!(Reply::parse(&engine.answer()), Reply::Move(_)));
        engine.say("INFO max_depth 3");
        let late = evaluation(&mut engine);
        engine.end();
        let mut engine = self::engine(&["--net", &file.name()]);
        assert_eq!(evaluation(&mut engine), late);
        engine.end();
    }
}

#[cfg(target_os = "linux")]
mod memory {
    //! Allocation of the transposition table.

    use super::*;

    fn peak(engine: &Process) -> u64 {
        MemoryUsage::peak_of(engine.id()).expect("Linux reports the memory of a process").peak
    }

    #[test]
    fn the_table_is_allocated_before_the_first_turn() {
        let mut engine = Process::start();
        engine.say("INFO max_memory 64000000");
        assert!(peak(&engine) < 35_000_000, "allocated before START");
        assert_eq!(engine.ask("START 15"), "OK");
        let asked = Instant::now();
        while peak(&engine) < 40_000_000 {
            assert!(asked.elapsed() < PATIENCE, "{} bytes", peak(&engine));
            thread::sleep(Duration::from_millis(5));
        }
        engine.end();
    }
}

mod bytes {
    //! Arrival of commands.

    use super::*;

    #[test]
    fn byte_by_byte() {
        let mut engine = Process::start();
        for byte in b"START 15\r\nINFO timeout_turn 0\r\nBEGIN\r\n" {
            engine.send([*byte]);
        }
        assert_eq!(engine.answer(), "OK");
        assert!(matches!(Reply::parse(&engine.answer()), Reply::Move(_)));
        engine.end();
    }

    #[test]
    fn many_lines_in_one_write() {
        let mut engine = Process::start();
        engine.send("START 15\nINFO timeout_turn 0\rABOUT\r\nBEGIN\n\n\nfoo\nRESTART\rBEGIN\n");
        let answers: Vec<String> = (0..6).map(|_| engine.answer()).collect();
        assert_eq!((answers[0].as_str(), answers[3].as_str()), ("OK", "UNKNOWN command foo"));
        assert!(answers[1].starts_with("name="));
        assert_eq!(answers[4], "OK");
        assert!(answers[2].contains(',') && answers[5].contains(','));
        engine.end();
    }

    #[test]
    fn the_last_line_may_lack_its_line_end() {
        let mut engine = Process::start();
        engine.send("ABOUT");
        engine.close();
        assert!(engine.answer().starts_with("name="));
        assert!(engine.ended().success());
    }

    #[test]
    fn invalid_bytes_get_replies() {
        let mut engine = Process::start();
        engine.send(b"\0\0\0\n\xff\xfe\xc3\x28\n\t \n;!,\n");
        assert_eq!(engine.answer(), "UNKNOWN command ???");
        assert!(engine.answer().starts_with("UNKNOWN command ?"));
        assert_eq!(engine.answer(), "UNKNOWN command ;!,");
        assert_eq!(engine.ask("TURN \x007,7"), "ERROR expected a point x,y");
        assert_eq!(engine.ask("START 15"), "OK");
        engine.end();
    }

    #[test]
    fn overlong_lines_get_one_error_and_use_little_memory() {
        let mut engine = Process::start();
        let line = vec![b'x'; 1 << 20];
        for _ in 0..40 {
            engine.send(&line);
        }
        engine.send("\nABOUT\n");
        assert_eq!(engine.answer(), "ERROR the line is too long");
        assert!(engine.answer().starts_with("name="));
        if let Some(usage) = MemoryUsage::peak_of(engine.id()) {
            assert!(usage.peak < 20 << 20, "{usage:?}");
        }
        engine.send("INFO folder ");
        engine.send(&line);
        engine.send("\nBOARD\n");
        engine.send(&line);
        engine.send("\nDONE\n");
        assert_eq!(engine.answer(), "ERROR BOARD line 1: the line is too long");
        engine.end();
    }
}

mod ends {
    //! The end of the process.

    use super::*;

    /// Starts an engine with a very long search.
    fn thinking() -> Process {
        let mut engine = Process::start();
        engine.send("START 15\nINFO timeout_turn 2147483647\nTURN 7,7\n");
        assert_eq!(engine.answer(), "OK");
        engine.wait_for_search();
        engine
    }

    #[test]
    fn end_while_thinking() {
        thinking().end();
    }

    #[test]
    fn end_inside_a_board() {
        let mut engine = Process::start();
        engine.send("START 15\nBOARD\n7,7,1\n");
        assert_eq!(engine.answer(), "OK");
        engine.end();
    }

    #[test]
    fn end_behind_waiting_commands() {
        let mut engine = thinking();
        engine.send("ABOUT\nTURN 0,0\n");
        engine.end();
    }

    #[test]
    fn commands_after_end_get_no_reply() {
        let mut engine = Process::start();
        engine.send("START 15\nEND\nABOUT\nSTART 20\n");
        assert_eq!(engine.answer(), "OK");
        assert!(engine.ended().success());
    }

    #[test]
    fn input_closed_while_thinking() {
        let mut engine = thinking();
        engine.close();
        assert!(engine.ended().success());
    }

    #[test]
    fn input_closed_at_once() {
        let mut engine = Process::start();
        engine.close();
        assert!(engine.ended().success());
    }

    /// Closes the engine's output after a line with the prefix `last`, then sends `after`.
    fn closed_output(commands: &str, last: &str, after: &str) {
        let mut child =
            Command::new(program()).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(commands.as_bytes()).unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.starts_with(last) {
            line.clear();
            assert!(stdout.read_line(&mut line).unwrap() > 0, "no {last}");
        }
        drop(stdout);
        let began = Instant::now();
        let _ = stdin.write_all(after.as_bytes());
        while child.try_wait().unwrap().is_none() {
            assert!(began.elapsed() < PATIENCE, "the process does not end");
            thread::sleep(Duration::from_millis(2));
        }
        assert!(child.wait().unwrap().success());
    }

    #[test]
    fn output_closed_while_idle() {
        closed_output("START 15\n", "OK", "ABOUT\nABOUT\n");
    }

    #[cfg(unix)]
    #[test]
    fn output_closed_while_thinking() {
        closed_output("START 15\nINFO timeout_turn 2147483647\nTURN 7,7\n", "MESSAGE", "");
    }
}

mod levels {
    //! The option `--level N`.

    use super::*;

    /// White has a four with one end open.
    const MUST_BLOCK: &str = "BOARD 7,7,1 3,8,2 7,9,1 4,8,2 9,7,1 5,8,2 2,8,1 6,8,2 DONE";

    fn blocks(engine: &mut Process) -> bool {
        engine.ask_move(MUST_BLOCK) == Point::new(7, 8).unwrap()
    }

    #[test]
    fn level_1_overlooks_fours_and_level_10_does_not() {
        let mut engine = Process::start_with(&["--level", "1"]);
        engine.send("START 15\nINFO timeout_turn 60000\n");
        assert_eq!(engine.answer(), "OK");
        // It overlooks three points in ten, so this fails about once in a million runs.
        assert!(!(0..40).all(|_| blocks(&mut engine)), "level 1 never overlooks a four");
        assert!((0..40).any(|_| blocks(&mut engine)), "level 1 always overlooks a four");
        engine.end();
        for arguments in [&["--level", "10"][..], &["--level=10"], &[]] {
            let mut engine = Process::start_with(arguments);
            engine.send("START 15\nINFO timeout_turn 100\n");
            assert_eq!(engine.answer(), "OK");
            assert!((0..10).all(|_| blocks(&mut engine)), "{arguments:?}");
            engine.end();
        }
    }

    #[test]
    fn medium_levels_search_few_nodes_and_report_one_line() {
        let mut engine = Process::start_with(&["--level", "5"]);
        engine.send("START 15\nINFO timeout_turn 600000\nINFO show_detail 1\n");
        assert_eq!(engine.answer(), "OK");
        engine.say("BOARD 7,7,1 8,8,2 9,6,1 6,9,2 DONE");
        let lines: Vec<String> =
            std::iter::repeat_with(|| engine.line()).take_while(|line| !is_move(line)).collect();
        let last = |key: &str| lines.iter().filter_map(|line| line.strip_prefix(key)).next_back();
        assert!(last("INFO NODES ").is_some_and(|n| n.parse::<u32>().unwrap() < 3000), "{lines:?}");
        assert_eq!(last("INFO PV 0"), Some(""), "{lines:?}");
        assert_eq!(last("INFO PV 1"), None, "{lines:?}");
        engine.end();
    }

    #[test]
    fn invalid_levels_are_rejected() {
        for level in ["0", "11", "-1", "x", ""] {
            let output = Command::new(program()).arg(format!("--level={level}")).output().unwrap();
            let errors = String::from_utf8(output.stderr).unwrap();
            assert!(!output.status.success(), "{level}");
            assert!(errors.contains("invalid level: expected 1 to 10"), "{level}: {errors}");
        }
    }

    fn is_move(line: &str) -> bool {
        matches!(Reply::parse(line), Reply::Move(_))
    }
}

mod time {
    //! Time limits with real threads and a real clock. One test measures time. In the others, a
    //! search that ignores a limit would run for days.

    use super::*;

    #[test]
    fn searches_can_be_stopped() {
        let mut engine = Process::start();
        assert_eq!(engine.ask("START 15"), "OK");
        engine.say("INFO timeout_turn 2147483647");
        for stop in ["YXSTOP", "INFO timeout_turn 0", "INFO time_left 1"] {
            engine.send("RESTART\nINFO timeout_turn 2147483647\n");
            assert_eq!(engine.answer(), "OK");
            engine.say("TURN 7,7");
            engine.wait_for_search();
            engine.ask_move(stop);
            engine.say("INFO time_left 2147483647");
        }
        engine.end();
    }

    #[test]
    fn a_shorter_time_limit_applies_to_the_running_search() {
        let mut engine = Process::start();
        engine.send("START 15\nINFO timeout_turn 2147483647\nTURN 7,7\nINFO timeout_turn 700\n");
        assert_eq!(engine.answer(), "OK");
        engine.answer();
        engine.end();
    }

    #[test]
    fn time_limits_of_zero_still_get_a_move() {
        for info in [
            "INFO timeout_turn 0",
            "INFO timeout_turn -7",
            "INFO time_left -100",
            "INFO time_left 1",
            "INFO timeout_match 1",
        ] {
            let mut engine = Process::start();
            assert_eq!(engine.ask(&format!("{info}\nSTART 20")), "OK");
            engine.ask_move("TURN 7,7");
            engine.ask_move("TURN 0,0");
            engine.end();
        }
    }

    /// Measures from before the start of the process to the arrival of its move, and allows twice
    /// the time limit. The engine answers about 100 ms before the limit, so a busy machine may be
    /// two seconds late. An engine that ignored the limit would use its default of 30 s.
    #[test]
    fn the_first_move_is_in_time_from_the_process_start() {
        const TURN: Duration = Duration::from_secs(2);
        let began = Instant::now();
        let mut engine = Process::start();
        engine.send(format!("START 20\nINFO timeout_turn {}\n", TURN.as_millis()));
        engine.send("BOARD\n7,7,2\n8,7,1\n8,8,2\nDONE\n");
        assert_eq!(engine.answer(), "OK");
        engine.answer();
        assert!(began.elapsed() < 2 * TURN, "{:?}", began.elapsed());
        engine.end();
    }

    /// Suspends the process on the opponent's turn.
    #[cfg(target_os = "linux")]
    #[test]
    fn suspension_does_not_use_match_time() {
        let mut engine = Process::start();
        engine.send("START 15\nINFO timeout_match 4000\n");
        assert_eq!(engine.answer(), "OK");
        engine.ask_move("TURN 7,7");
        let signal = |name: &str| {
            let pid = engine.id().to_string();
            assert!(Command::new("kill").args([name, &pid]).status().unwrap().success());
        };
        signal("-STOP");
        thread::sleep(Duration::from_millis(4500));
        signal("-CONT");
        engine.say("TURN 0,0");
        let mut has_searched = false;
        loop {
            let line = engine.line();
            has_searched |= line.starts_with("MESSAGE depth");
            if !line.starts_with("MESSAGE") {
                break;
            }
        }
        assert!(has_searched, "the match time was used up");
        engine.end();
    }

    #[test]
    fn messages_end_before_the_move() {
        let mut engine = Process::start();
        engine.send("START 15\nINFO timeout_turn 600\nTURN 7,7\n");
        assert_eq!(engine.answer(), "OK");
        engine.answer();
        engine.say("ABOUT");
        assert!(engine.line().starts_with("name="), "a message followed the move");
        engine.end();
    }
}

mod games {
    //! Complete games and changes of rules and boards.

    use super::*;

    #[test]
    fn many_restarts_work() {
        let mut engine = Process::start();
        engine.say("INFO timeout_turn 0");
        for round in 0..200 {
            let size = 5 + round % 20;
            assert_eq!(engine.ask(&format!("START {size}")), "OK");
            engine.ask_move("BEGIN");
            assert_eq!(engine.ask("RESTART"), "OK");
            engine.ask_move("TURN 1,1");
        }
        engine.end();
    }

    #[test]
    fn every_rule_plays_on_every_size() {
        let mut engine = Process::start();
        engine.send("INFO max_node 200\nINFO timeout_turn 2147483647\n");
        for rule in [0, 1, 2, 3, 4, 6, 8, 9, 10, 11] {
            for size in [3, 5, 6, 15, 20, 32] {
                engine.say(&format!("INFO rule {rule}"));
                assert_eq!(engine.ask(&format!("START {size}")), "OK");
                let first = engine.ask_move("BEGIN");
                let reply = if first == Point::new(0, 0).unwrap() { "1,1" } else { "0,0" };
                let second = engine.ask_move(&format!("TURN {reply}"));
                assert_ne!(first, second);
                assert!(second.x() < size && second.y() < size, "{second}");
            }
        }
        engine.end();
    }

    #[test]
    fn the_rule_may_change_during_a_game() {
        let mut engine = Process::start();
        engine.send("INFO timeout_turn 0\nSTART 15\n");
        assert_eq!(engine.answer(), "OK");
        let board = "YXBOARD 7,7,1 0,0,2 8,7,1 2,0,2 9,6,1 4,0,2 9,5,1 6,0,2 DONE";
        engine.say(board);
        assert_eq!(engine.ask("YXSHOWFORBID"), "FORBID .");
        engine.say("INFO rule 4");
        assert_eq!(engine.ask("YXSHOWFORBID"), "FORBID 0907.");
        engine.say("INFO rule 0");
        assert_eq!(engine.ask("TAKEBACK 6,0"), "OK");
        assert_eq!(engine.ask("TAKEBACK 6,0"), "ERROR 6,0: the last stone is at 9,5");
        engine.end();
    }

    #[test]
    fn a_game_against_itself_on_one_board() {
        let mut engine = Process::start();
        engine.send("INFO max_node 300\nINFO timeout_turn 2147483647\nINFO rule 1\nSTART 7\n");
        assert_eq!(engine.answer(), "OK");
        let mut taken = HashSet::from([engine.ask_move("BEGIN")]);
        let free = || (0..7).flat_map(|y| (0..7).filter_map(move |x| Point::new(x, y)));
        while let Some(p) = free().find(|p| !taken.contains(p)) {
            taken.insert(p);
            let answer = engine.ask(&format!("TURN {p}"));
            match Reply::parse(&answer) {
                Reply::Move(q) => assert!(taken.insert(q), "{q} twice"),
                Reply::Error(why) if why.starts_with("the game is over") => break,
                other => panic!("{other:?}"),
            }
        }
        assert!(taken.len() >= 9);
        engine.end();
    }

    /// Even if all empty points are forbidden, the engine moves at once.
    #[test]
    fn renju_without_a_legal_point_gets_a_move() {
        let mut engine = Process::start();
        engine.send("INFO rule 4\nINFO timeout_turn 1000\nSTART 5\n");
        assert_eq!(engine.answer(), "OK");
        let mut engine_answers = |board: &str| engine.ask(board);
        // Black on 2,0 makes a row of six impossible on five columns, so the corner case is built
        // from two open threes on a wider board.
        assert!(engine_answers("BOARD 0,0,3 DONE").contains(','));
        assert_eq!(engine_answers("START 7"), "OK");
        let mut lines = vec!["BOARD".to_owned()];
        let black = ["0,3", "1,3", "2,3", "4,3", "5,3", "6,3"];
        let mut own = 0;
        for y in 0..7 {
            for x in 0..7 {
                let point = format!("{x},{y}");
                if point == "3,3" {
                    continue;
                }
                let field = if black.contains(&point.as_str()) { 1 } else { 3 };
                own += u32::from(field == 1);
                lines.push(format!("{point},{field}"));
            }
        }
        assert_eq!(own, 6);
        lines.push("DONE".to_owned());
        let answer = engine_answers(&lines.join("\n"));
        assert_eq!(answer, "3,3");
        engine.end();
    }

    #[test]
    fn a_flood_of_commands_during_a_search_is_handled() {
        let mut engine = Process::start();
        engine.send("START 15\nINFO timeout_turn 2147483647\nTURN 7,7\n");
        assert_eq!(engine.answer(), "OK");
        let mut errors = 0;
        engine.send("ABOUT\n".repeat(5000));
        engine.say("YXSTOP");
        let mut about = 0;
        let mut moved = false;
        while about < 4096 || !moved {
            let line = engine.answer();
            match Reply::parse(&line) {
                Reply::Error(_) => errors += 1,
                Reply::About(_) => about += 1,
                Reply::Move(_) => moved = true,
                other => panic!("{other:?}"),
            }
        }
        assert_eq!(errors, 5000 - 4096);
        engine.end();
    }
}

/// Tests the test client: a missing line is detected.
#[test]
fn missing_lines_time_out() {
    let mut engine = Process::start();
    let waited = engine.line_within(Duration::from_millis(50));
    assert_eq!(waited, Err(RecvTimeoutError::Timeout));
    engine.end();
}
