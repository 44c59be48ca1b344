//! Stopping, resuming and sharding do not change the games or the results.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::folder::{MatchFolder, essence, finish, line, text, toy};
use crate::tests;

tests![
    the_same_seed_plays_the_same_games_with_any_concurrency,
    a_resumed_match_has_the_same_results,
    a_resumed_match_reuses_generated_openings,
    a_complete_last_line_without_line_end_is_a_game,
    an_incomplete_line_in_the_middle_is_an_error,
    a_record_damaged_by_a_power_failure_is_resumed,
    a_record_is_locked_against_other_processes,
    invalid_combinations_are_rejected,
    engines_without_a_limit_are_reported,
    an_interrupt_prints_the_results_so_far,
    ignored_signals_do_not_end_the_match,
    an_engine_that_ends_with_the_match_does_not_forfeit,
    merged_shards_equal_the_complete_match,
    a_record_of_another_match_is_not_changed,
    a_resumed_match_reuses_its_seed,
    the_sprt_stops_at_the_same_pair_with_any_concurrency,
    the_sprt_waits_for_missing_games,
    an_inconclusive_sprt_is_reported,
    a_few_equal_games_leave_elo_undetermined,
];

/// FNV-1a hash of the essences of all games. It changes with any change to toy matches.
const SIGNATURE: u64 = 0x3eff_d7fd_fb90_2afb;

fn two_toys() -> [Vec<String>; 2] {
    let each = ["turn=60s", "tolerance=60s", "startup=60s"];
    let b = [&each[..], &["env.KAKUGO_TOY_SEED=1"]].concat();
    [toy("A", "plain", &each), toy("B", "plain", &b)]
}

/// Returns the source of a file with 49 openings of three stones.
fn openings() -> &'static str {
    static SOURCE: OnceLock<String> = OnceLock::new();
    SOURCE.get_or_init(|| {
        let path = format!("{}/openings-{}", env!("CARGO_TARGET_TMPDIR"), std::process::id());
        let opening = |i: i32| format!("{},{}, 0,0, {},3\n", i % 7 - 3, i / 7 - 7, i % 3);
        std::fs::write(&path, (0..49).map(opening).collect::<String>()).expect("a file");
        format!("offset:{path}")
    })
}

/// Returns the arguments of a match between toys.
fn match_words<'a>(toys: &'a [Vec<String>; 2], more: &[&'a str]) -> Vec<&'a str> {
    let common = ["--seed", "7", "--openings", openings(), "--order", "random"];
    line(&[&toys[0], &toys[1]], &[&common[..], &["--symmetry", "random"], more].concat())
}

/// Returns the essences of the games in a record file.
fn essences(folder: &MatchFolder, file: &str) -> Vec<String> {
    folder.recorded(file).iter().map(essence).collect()
}

fn the_same_seed_plays_the_same_games_with_any_concurrency() {
    let toys = two_toys();
    let played = |concurrency: &str| {
        let folder = MatchFolder::new();
        let words = match_words(&toys, &["--games", "200", "--concurrency", concurrency]);
        folder.games(&words);
        essences(&folder, "games.jsonl")
    };
    let games = played("1");
    assert_eq!(games.len(), 200);
    assert!(games == played("3"), "the games differ");
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in games.join("\n").bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    assert_eq!(hash, SIGNATURE, "the signature of 200 toy games is {hash:#x}");
}

fn a_resumed_match_has_the_same_results() {
    let toys = two_toys();
    let whole = MatchFolder::new();
    let words = match_words(&toys, &["--games", "120", "--concurrency", "2"]);
    let expected = whole.play(&words);
    let folder = MatchFolder::new();
    let words = match_words(&toys, &["--games", "120", "--concurrency", "2", "--resume"]);
    for kill_after in [10, 40, 80] {
        let mut child = folder.command(&words).spawn().expect("the program starts");
        let deadline = Instant::now() + Duration::from_secs(120);
        let games = || std::fs::read_to_string(folder.path("games.jsonl")).unwrap_or_default();
        while games().lines().count() < kill_after && Instant::now() < deadline {
            if child.try_wait().is_ok_and(|ended| ended.is_some()) {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        let _ = child.kill();
        let _ = child.wait();
        // The engines exit when their input is closed.
        folder.assert_empty();
    }
    // An incomplete line, as after a system crash.
    let path = folder.path("games.jsonl");
    let torn = std::fs::read_to_string(&path).unwrap() + "{\"kind\":\"game\",\"id\":";
    std::fs::write(&path, torn).unwrap();
    let resumed = folder.play(&words);
    assert!(resumed.status.success(), "{}", text(&resumed.stderr));
    assert_eq!(text(&resumed.stdout), text(&expected.stdout));
    assert!(text(&resumed.stdout).contains("120"), "{}", text(&resumed.stdout));
    assert_eq!(essences(&folder, "games.jsonl"), essences(&whole, "games.jsonl"));
    let again = folder.play(&words);
    assert_eq!(text(&again.stdout), text(&expected.stdout), "nothing is left to play");
}

fn a_resumed_match_reuses_generated_openings() {
    let folder = MatchFolder::new();
    let toys = two_toys();
    let words = |source| {
        line(
            &[&toys[0], &toys[1]],
            &["--seed", "7", "--openings", source, "--games", "4", "--resume"],
        )
    };
    folder.play(&words("balanced:2:300"));
    let path = folder.path("games.jsonl");
    let record = std::fs::read_to_string(&path).unwrap();
    let header: serde_json::Value = serde_json::from_str(record.lines().next().unwrap()).unwrap();
    let found = header["settings"]["openings"].to_string();
    let resume = |openings: &str, words: &[&str]| {
        let header = record.lines().next().unwrap().replacen(&found, openings, 1);
        std::fs::write(&path, header + "\n").unwrap();
        folder.play(words)
    };
    // A search would reject these openings. They are played, so no search took place.
    let odd = "[[[0,0],[7,7],[14,14]],[[0,1],[7,7],[14,13]]]";
    assert!(resume(odd, &words("balanced:2:300")).status.success());
    let games = folder.recorded("games.jsonl");
    assert_eq!(games.len(), 4);
    assert!(games.iter().all(|game| game["moves"][1]["at"] == serde_json::json!([7, 7])));
    let other = resume(odd, &words("balanced:2:400"));
    assert!(!other.status.success());
    assert!(text(&other.stderr).contains("contains another match"), "{}", text(&other.stderr));
    // Records of older versions do not describe the openings: they are generated again.
    let older = record.lines().next().unwrap().replace("\"generated\"", "\"unheard_of\"");
    std::fs::write(&path, older + "\n").unwrap();
    let again = folder.play(&words("balanced:2:300"));
    assert!(again.status.success(), "{}", text(&again.stderr));
}

fn a_complete_last_line_without_line_end_is_a_game() {
    let folder = MatchFolder::new();
    let toys = two_toys();
    let words = match_words(&toys, &["--games", "20", "--resume"]);
    let expected = folder.play(&words);
    let path = folder.path("games.jsonl");
    let whole = std::fs::read_to_string(&path).unwrap();
    let begun: Vec<&str> = whole.lines().take(5).collect();
    std::fs::write(&path, begun.join("\n")).unwrap();
    assert_eq!(text(&folder.play(&words).stdout), text(&expected.stdout));
    let record = std::fs::read_to_string(&path).unwrap();
    assert_eq!(record.lines().take(5).collect::<Vec<_>>(), begun);
    assert_eq!((record.lines().count(), folder.recorded("games.jsonl").len()), (21, 20));
}

fn an_incomplete_line_in_the_middle_is_an_error() {
    let folder = MatchFolder::new();
    folder.games(&match_words(&two_toys(), &["--games", "4"]));
    let path = folder.path("games.jsonl");
    let whole = std::fs::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = whole.lines().collect();
    lines[2] = &lines[2][..lines[2].len() - 40];
    std::fs::write(&path, lines.join("\n")).unwrap();
    let report = std::process::Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"))
        .args(["match", "report", &path])
        .output()
        .unwrap();
    assert_eq!((report.status.code(), text(&report.stdout)), (Some(1), String::new()));
    assert!(text(&report.stderr).contains("line 3 is incomplete"), "{}", text(&report.stderr));
}

fn a_record_damaged_by_a_power_failure_is_resumed() {
    let folder = MatchFolder::new();
    let toys = two_toys();
    let words = match_words(&toys, &["--games", "4", "--resume"]);
    let expected = folder.play(&words);
    let path = folder.path("games.jsonl");
    let whole = std::fs::read(&path).unwrap();
    let header = whole.iter().position(|&b| b == b'\n').unwrap();
    let tail = [&whole[..], &[0; 100]].concat();
    let broken = [&whole[..whole.len() - 30], &[0; 30]].concat();
    for left in [&[][..], &whole[..8], &whole[..header / 2], &[0; 50], &tail, &broken] {
        std::fs::write(&path, left).unwrap();
        let output = folder.play(&words);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert_eq!(text(&output.stdout), text(&expected.stdout));
        assert_eq!(folder.recorded("games.jsonl").len(), 4);
    }
    // Other files are not changed.
    for foreign in ["hello", "{\"kind\":\"game\"", "1\n2\n"] {
        std::fs::write(&path, foreign).unwrap();
        let output = folder.play(&words);
        assert!(!output.status.success(), "{foreign}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), foreign);
    }
}

fn a_record_is_locked_against_other_processes() {
    let folder = MatchFolder::new();
    let thinkers = ["A", "B"].map(|name| toy(name, "silent@2", &["turn=600s"]));
    let words = line(&[&thinkers[0], &thinkers[1]], &["--games", "4", "--seed", "1", "--resume"]);
    let first = folder.command(&words).spawn().expect("the program starts");
    let deadline = Instant::now() + Duration::from_secs(60);
    let record = || std::fs::read_to_string(folder.path("games.jsonl")).unwrap_or_default();
    while !record().ends_with('\n') && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(5));
    }
    let second = finish(folder.command(&words).spawn().unwrap(), Duration::from_secs(60));
    let sent = std::process::Command::new("kill").args(["-INT", &first.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    finish(first, Duration::from_secs(30));
    assert_eq!(second.status.code(), Some(1));
    let error = text(&second.stderr);
    assert!(error.contains("another process"), "{error}");
    folder.assert_empty();
}

fn invalid_combinations_are_rejected() {
    let folder = MatchFolder::new();
    let toys = two_toys();
    let nowhere = [&toys[0][..], &["increment=1s".to_owned()]].concat();
    let names = |toy: &[String], more: &[&str]| -> Vec<String> {
        let words = toy.iter().map(String::as_str).chain(more.iter().copied());
        words.map(str::to_owned).collect()
    };
    let pair = |more: &[&str]| names(&[&toys[0][..], &toys[1][..]].concat(), more);
    for (words, why) in [
        (pair(&["--shard", "1/2"]), "--shard requires --seed"),
        (pair(&["--shard", "1/2", "--resume"]), "--shard requires --seed"),
        (pair(&["--order", "random"]), "require --openings"),
        (pair(&["--move-limit", "0"]), "--move-limit must be at least 1"),
        (pair(&["--move-limit", "few"]), "invalid move limit 'few'"),
        (pair(&["--concurrency", "0"]), "--concurrency must be at least 1"),
        (pair(&["--games", "4294967294"]), "more than 10000000 games"),
        (pair(&["--openings", "balanced:0"]), "invalid number of openings '0'"),
        (names(&[&nowhere[..], &toys[1][..]].concat(), &[]), "increment"),
        (pair(&["--each", "100ms"]), "invalid setting '100ms' for --each: expected KEY=VALUE"),
        (pair(&["--each", "nodes=5", "turn"]), "invalid setting 'turn'"),
    ] {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = folder.play(&words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(text(&output.stderr).contains(why), "{}", text(&output.stderr));
    }
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
    let output = command.arg("match").args(pair(&["--resume"])).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--record FILE"), "{}", text(&output.stderr));
}

fn engines_without_a_limit_are_reported() {
    let (limited, free) = (toy("A", "plain", &["turn=60s"]), toy("B", "plain", &[]));
    let words = line(&[&limited, &free], &["--games", "2", "--seed", "1"]);
    let said = |more: &[&str]| text(&MatchFolder::new().play(&[&words[..], more].concat()).stderr);
    let output = said(&[]);
    assert!(output.contains("no limit for B (turn="), "{output}");
    let output = said(&["--each", "depth=3"]);
    assert!(!output.contains("no limit"), "{output}");
}

fn an_interrupt_prints_the_results_so_far() {
    let folder = MatchFolder::new();
    let [a, b] = two_toys();
    let thinker = toy("C", "silent@4", &["turn=600s"]);
    let words = line(&[&a, &b, &thinker], &["--games", "1000", "--concurrency", "3"]);
    let child = folder.command(&words).spawn().expect("the program starts");
    let deadline = Instant::now() + Duration::from_secs(120);
    while folder.processes().len() < 7 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(500));
    let id = child.id().to_string();
    let sent = std::process::Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    let output = finish(child, Duration::from_secs(30));
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("Games"), "{}", text(&output.stdout));
    folder.assert_empty();
}

/// Started by `nohup`, or by a script as a background job.
fn ignored_signals_do_not_end_the_match() {
    // Other systems do not report which signals a process ignores.
    if !cfg!(target_os = "linux") {
        return;
    }
    let folder = MatchFolder::new();
    let toys = two_toys();
    let words = match_words(&toys, &["--games", "100"]);
    let plain = folder.command(&words);
    let mut command = std::process::Command::new("sh");
    command.args(["-c", "trap '' HUP INT; exec \"$0\" \"$@\""]).arg(plain.get_program());
    command.args(plain.get_args());
    command.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
    command.stdin(std::process::Stdio::null());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().expect("a shell");
    let games = || std::fs::read_to_string(folder.path("games.jsonl")).unwrap_or_default();
    let deadline = Instant::now() + Duration::from_secs(120);
    while games().lines().count() < 2 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(1));
    }
    assert!(child.try_wait().is_ok_and(|ended| ended.is_none()), "too quick to be interrupted");
    for signal in ["-HUP", "-INT"] {
        let id = child.id().to_string();
        let sent = std::process::Command::new("kill").args([signal, &id]).status();
        assert!(sent.is_ok_and(|status| status.success()));
    }
    let output = finish(child, Duration::from_secs(300));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(folder.recorded("games.jsonl").len(), 100);
    folder.assert_empty();
}

/// When a console or session closes, all processes receive a signal, and the engines may end first.
fn an_engine_that_ends_with_the_match_does_not_forfeit() {
    let folder = MatchFolder::new();
    let thinkers = ["A", "B"].map(|name| toy(name, "silent@2", &["turn=600s"]));
    let words = line(&[&thinkers[0], &thinkers[1]], &["--games", "4"]);
    let child = folder.command(&words).spawn().expect("the program starts");
    let deadline = Instant::now() + Duration::from_secs(120);
    while folder.processes().len() < 3 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(500));
    let kill = |ids: &[String]| {
        let sent = std::process::Command::new("kill").arg("-TERM").args(ids).status();
        assert!(sent.is_ok_and(|status| status.success()));
    };
    let runner = child.id().to_string();
    let processes = folder.processes().into_iter().map(|path| path.replace("/proc/", ""));
    kill(&processes.filter(|id| *id != runner).collect::<Vec<_>>());
    std::thread::sleep(Duration::from_millis(60));
    kill(&[runner]);
    let output = finish(child, Duration::from_secs(30));
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    assert_eq!(folder.recorded("games.jsonl").len(), 0, "{}", text(&output.stdout));
    folder.assert_empty();
}

fn merged_shards_equal_the_complete_match() {
    let toys = two_toys();
    let whole = MatchFolder::new();
    let expected = whole.play(&match_words(&toys, &["--games", "60"]));
    let parts = MatchFolder::new();
    let records: Vec<String> =
        ["1/3", "2/3", "3/3"].map(|shard| parts.path(&shard.replace('/', "-of-"))).to_vec();
    for (shard, record) in ["1/3", "2/3", "3/3"].iter().zip(&records) {
        let words = match_words(&toys, &["--games", "60", "--shard", shard]);
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
        let output = command.arg("match").args(words).args(["--record", record]).output();
        assert!(output.is_ok_and(|output| output.status.success()));
    }
    let report = |records: &[&String]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
        command.args(["match", "report"]).args(records).output().unwrap()
    };
    let [one, two, three] = &records[..] else { panic!("{records:?}") };
    assert_eq!(text(&report(&[one, two, three]).stdout), text(&expected.stdout));
    // Copies of games are counted once, and different games with one number are an error.
    assert_eq!(text(&report(&[one, two, three, two]).stdout), text(&expected.stdout));
    let games = std::fs::read_to_string(one).unwrap();
    let other = parts.path("other.jsonl");
    std::fs::write(&other, games.replacen("\"winner\":\"black\"", "\"winner\":\"white\"", 1))
        .unwrap();
    let failed = report(&[one, two, three, &other]);
    assert_eq!(failed.status.code(), Some(1));
    let told = text(&failed.stderr);
    assert!(told.contains("other.jsonl: game ") && told.contains(" differs from that"), "{told}");
}

fn a_record_of_another_match_is_not_changed() {
    let toys = two_toys();
    let folder = MatchFolder::new();
    folder.games(&match_words(&toys, &["--games", "2"]));
    let refused = |more: &[&str], why: &str| {
        let output = folder.play(&match_words(&toys, more));
        assert!(!output.status.success());
        assert!(text(&output.stderr).contains(why), "{}", text(&output.stderr));
    };
    refused(&["--games", "2"], "add --resume");
    refused(
        &["--games", "2", "--resume", "--rule", "renju"],
        "another match: rule is 0 instead of 4",
    );
    assert_eq!(folder.recorded("games.jsonl").len(), 2);
}

fn a_resumed_match_reuses_its_seed() {
    let toys = two_toys();
    let folder = MatchFolder::new();
    let words = line(&[&toys[0], &toys[1]], &["--openings", "balanced:3", "--games", "6"]);
    let whole = folder.play(&words);
    let path = folder.path("games.jsonl");
    let record = std::fs::read_to_string(&path).unwrap();
    let beginning: Vec<&str> = record.lines().take(3).collect();
    std::fs::write(&path, beginning.join("\n") + "\n").unwrap();
    let continued = folder.play(&[&words[..], &["--resume"]].concat());
    assert!(continued.status.success(), "{}", text(&continued.stderr));
    assert_eq!(text(&continued.stdout), text(&whole.stdout));
    assert_eq!(folder.recorded("games.jsonl").len(), 6);
}

fn the_sprt_stops_at_the_same_pair_with_any_concurrency() {
    let each = ["turn=60s", "tolerance=60s", "startup=60s"];
    let (strong, weak) = (toy("strong", "plain", &each), toy("weak", "off-board@3", &each));
    let tables: Vec<String> = ["1", "3"]
        .iter()
        .map(|concurrency| {
            let folder = MatchFolder::new();
            let test = ["--sprt", "elo0=0,elo1=50", "--seed", "1", "--concurrency", concurrency];
            let output = folder.play(&line(&[&strong, &weak], &test));
            let table = text(&output.stdout);
            // The number of games after the decision depends on the number of workers.
            let is_kept = |line: &&str| !line.contains("after the SPRT decision");
            table.lines().filter(is_kept).collect::<Vec<_>>().join("\n")
        })
        .collect();
    assert!(tables[0].contains("H1 accepted"), "{}", tables[0]);
    assert_eq!(tables[0], tables[1]);
}

/// After an interrupt a long game may be missing. The match has no decision then, and neither do
/// the tables.
fn the_sprt_waits_for_missing_games() {
    let each = ["turn=60s", "tolerance=60s", "startup=60s"];
    let (strong, weak) = (toy("strong", "plain", &each), toy("weak", "off-board@3", &each));
    let folder = MatchFolder::new();
    folder.play(&line(&[&strong, &weak], &["--sprt", "elo0=0,elo1=50", "--seed", "1"]));
    let path = folder.path("games.jsonl");
    let record = std::fs::read_to_string(&path).unwrap();
    let report = |left_out: &[u64]| {
        let is_left_out = |line: &&str| {
            let entry: serde_json::Value = serde_json::from_str(line).unwrap();
            entry["kind"] == "game" && left_out.contains(&entry["id"].as_u64().unwrap())
        };
        let lines: Vec<&str> = record.lines().filter(|line| !is_left_out(line)).collect();
        std::fs::write(&path, lines.join("\n") + "\n").unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
        text(&command.args(["match", "report", &path]).output().unwrap().stdout)
    };
    assert!(report(&[]).contains("H1 accepted"));
    let nothing_seen = |table: &str| table.contains("LLR   | 0.00 ");
    for missing in [&[0][..], &[5], &[0, 1]] {
        let table = report(missing);
        assert!(!table.contains("accepted"), "without {missing:?}: {table}");
        assert_eq!(nothing_seen(&table), missing[0] == 0, "without {missing:?}: {table}");
        let note = format!("the SPRT waits for pair {}: ", missing[0] / 2 + 1);
        assert!(table.contains(&note), "without {missing:?}: {table}");
    }
    // A shard contains only every n-th pair.
    let others: Vec<u64> = (0..10_000).filter(|id| id / 2 % 2 == 1).collect();
    let shard = report(&others);
    assert!(!nothing_seen(&shard) && !shard.contains("the SPRT waits"), "{shard}");
    let only = |kept: &[u64]| {
        let others: Vec<u64> = (0..10_000).filter(|id| !kept.contains(id)).collect();
        report(&others)
    };
    let one_pair = only(&[4, 5]);
    assert!(!one_pair.contains("the SPRT waits"), "{one_pair}");
    let later_pair = only(&[0, 2, 3]);
    let note = "the SPRT waits for pair 1: 1 later pair is not in the LLR";
    assert!(later_pair.contains(note), "{later_pair}");
}

/// Returns the tables of a match of two equal toys, in which both games of a pair have equal moves.
fn equal_toys(more: &[&str]) -> String {
    let each = ["turn=60s", "tolerance=60s", "startup=60s"];
    let toys = [toy("A", "plain", &each), toy("B", "plain", &each)];
    let output = MatchFolder::new().play(&line(&[&toys[0], &toys[1]], more));
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn an_inconclusive_sprt_is_reported() {
    let words = ["--sprt", "elo0=0,elo1=5", "--seed", "1", "--games", "1000", "--concurrency", "2"];
    let table = equal_toys(&words);
    assert!(
        table.contains("inconclusive, all pairs") && table.contains("the SPRT is inconclusive"),
        "{table}"
    );
    assert!(table.contains("[0, 0, 200, 0, 0]"), "{table}");
}

fn a_few_equal_games_leave_elo_undetermined() {
    let table = equal_toys(&["--seed", "1", "--games", "4"]);
    let expected = "Elo   | undetermined, all 2 game pairs had the same score";
    assert!(table.contains(expected), "{table}");
    assert!(!table.contains("±") && !table.contains("LOS"), "{table}");
}
