//! The checks and the faults of the toy engine that they must detect.

use std::collections::BTreeSet;
use std::fs::DirEntry;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Checks, each with a fault that it must detect.
pub const FAULTS: &[(&str, &str)] = &[
    ("start.ok", "ok-with-text"),
    ("start.20", "only-15"),
    ("start.silent", "banner"),
    ("start.sizes", "any-size"),
    ("start.rectangle", "mute-rectangle"),
    ("start.small-letters", "capitals-only"),
    ("start.two-numbers", "one-number"),
    ("start.foreign-folder", "own-folder"),
    ("start.stderr", "stderr"),
    ("commands.begin", "occupied"),
    ("commands.board", "board-adds"),
    ("commands.board", "board-flips"),
    ("commands.board", "board-colours"),
    ("commands.board-empty", "no-empty-board"),
    ("commands.board-order", "board-alternates"),
    ("commands.board-order", "board-colours"),
    ("commands.restart", "restart-keeps"),
    ("commands.start-again", "start-once"),
    ("commands.takeback", "takeback-keeps"),
    ("commands.about", "about-message"),
    ("commands.unknown", "unknown-dies"),
    ("commands.play", "play-elsewhere"),
    ("commands.swap2", "swap2-two"),
    ("commands.at-once", "loses-commands"),
    ("commands.unasked", "suggests"),
    ("info.known", "info-ok"),
    ("info.unknown", "info-unknown"),
    ("info.capitals", "info-small"),
    ("info.early", "info-late"),
    ("info.folder", "folder-word"),
    ("info.evaluate", "evaluate-answers"),
    ("info.between", "info-clears"),
    ("malformed.line-ends", "needs-crlf"),
    ("malformed.pieces", "reads-chunks"),
    ("malformed.blank", "blank-unknown"),
    ("malformed.before-start", "begin-dies"),
    ("malformed.turn", "turn-dies"),
    ("malformed.off-board", "off-board-dies"),
    ("malformed.occupied", "occupied-plays"),
    ("malformed.board", "board-dies"),
    ("malformed.long-line", "long-line-dies"),
    ("malformed.bytes", "bytes-die"),
    ("rules.freestyle-six", "six-never"),
    ("rules.standard-six", "rule-ignored"),
    ("rules.caro", "rule-ignored"),
    ("rules.caro-overline", "rule-ignored"),
    ("rules.renju-forbid", "forbids-nothing"),
    ("rules.renju-foul", "fouls"),
    ("rules.renju-five", "rule-ignored"),
    ("rules.wall", "walls-free"),
    ("rules.wall", "walls-off-board"),
    ("rules.last-point", "gives-up"),
    ("rules.change", "rule-once"),
    ("tactics.five", "no-wins"),
    ("tactics.gap", "no-wins"),
    ("tactics.win-before-block", "blocks-first"),
    ("tactics.block-four", "no-blocks"),
    ("tactics.block-three", "no-threes"),
    ("tactics.block-three", "blocks-far"),
    ("tactics.open-four", "no-fours"),
    ("time.turn", "slow"),
    ("time.first", "slow-start"),
    ("time.match", "slow-match"),
    ("time.left-tiny", "tiny-ignored"),
    ("time.left-negative", "left-unsigned"),
    ("time.turn-zero", "zero-unlimited"),
    ("time.unlimited", "overflow-dies"),
    ("time.stop", "no-stop"),
    ("time.yxstop", "no-yxstop"),
    ("time.busy", "slow"),
    ("time.suspended", "slow-after-nap"),
    ("time.idle", "spins"),
    ("time.idle", "spinning-child"),
    ("time.games", "slower-games"),
    ("time.games", "keeps-used-time"),
    ("time.quiet", "late-message"),
    ("time.quiet", "message-after-move"),
    ("time.quiet", "messages-for-ever"),
    ("memory.gomocup", "eats-400"),
    ("memory.limit", "eats-150"),
    ("memory.growth", "leaks"),
    ("memory.growth", "leaks-little"),
    ("files.outside", "writes-home"),
    ("files.size", "writes-folder"),
    ("end.idle", "ignores-end"),
    ("end.idle", "end-panics"),
    ("end.thinking", "end-waits"),
    ("end.input", "ignores-input-end"),
    ("end.input-thinking", "end-waits"),
    ("end.children", "child"),
    ("end.children", "daemon"),
    ("managers.piskvork", "stderr"),
    ("managers.piskvork", "suggests-forever"),
    ("managers.judge", "no-empty-board"),
    ("managers.c-gomoku-cli", "start-once"),
    ("managers.qpiskvork", "about-message"),
    ("managers.yixin-board", "capitals-only"),
    ("admission.freestyle", "no-wins"),
    ("admission.standard", "no-threes"),
    ("admission.renju", "fouls"),
    ("admission.caro", "no-threes"),
    ("admission.game", "occupied"),
];

/// Runs `check` on the toy engine with this fault.
fn check(fault: &str, words: &[&str]) -> Output {
    command(fault, words).output().expect("the program starts")
}

fn command(fault: &str, words: &[&str]) -> Command {
    let toy = std::env::current_exe().expect("the path of this program");
    let mut command = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
    command.arg("check").arg(format!("'{}'", toy.display()));
    command.arg(format!("env.{}={fault}", super::toy::VARIABLE)).args(words);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn report(output: &Output) -> Value {
    let words = text(&output.stdout);
    serde_json::from_str(&words).unwrap_or_else(|_| panic!("{words}{}", text(&output.stderr)))
}

/// Asserts that the check fails and reports the transcript, the difference and how to rerun it.
pub fn is_detected(check_id: &str, fault: &str) {
    let output = check(fault, &["--only", check_id, "--json"]);
    let report = report(&output);
    let outcome = &report["checks"][0];
    if !cfg!(target_os = "linux") && outcome["verdict"] == "skipped" {
        return;
    }
    assert_eq!(outcome["verdict"], "fail", "{report:#}");
    assert_eq!(output.status.code(), Some(1));
    assert!(!outcome["transcript"].as_array().unwrap().is_empty(), "{report:#}");
    for key in ["requirement", "got", "expected", "source", "advice", "rerun"] {
        assert!(outcome[key].as_str().is_some_and(|words| !words.is_empty()), "{key}: {report:#}");
    }
    assert!(outcome["rerun"].as_str().unwrap().contains(check_id));
}

pub fn every_check_has_a_fault() {
    let tested: BTreeSet<&str> = FAULTS.iter().map(|(check, _)| *check).collect();
    for check in kakugo_check::checks() {
        let is_zip = check.id.starts_with("zip.");
        assert!(is_zip || tested.contains(check.id), "no fault for {}", check.id);
    }
}

pub fn a_toy_without_faults_passes_all_checks() {
    let output = check("none", &["--json"]);
    let report = report(&output);
    for outcome in report["checks"].as_array().unwrap() {
        let is_zip = outcome["area"] == "zip";
        let expected = if is_zip { "skipped" } else { "pass" };
        let skipped_elsewhere = !cfg!(target_os = "linux") && outcome["verdict"] == "skipped";
        assert!(outcome["verdict"] == expected || skipped_elsewhere, "{outcome:#}");
    }
    assert!(output.status.success());
    for profile in ["piskvork", "judge", "c-gomoku-cli", "qpiskvork", "yixin-board"] {
        let output = check("none", &["--profile", profile, "--only", "start,commands,managers"]);
        assert!(output.status.success(), "{profile}: {}", text(&output.stdout));
    }
}

/// An engine without large boards fails only the checks of large boards. A slow start matters only
/// to managers with a short timeout.
pub fn a_fault_does_not_fail_unrelated_checks() {
    for (fault, checks) in [
        ("only-15", "commands.start-again,memory.gomocup,memory.limit"),
        ("slow-start", "managers.yixin-board"),
        ("slower-start", "malformed.before-start"),
        ("resets-limits", "commands.restart,commands.start-again"),
        ("no-takeback", "commands.takeback"),
        ("own-folder", "files"),
        ("user-packages", "files"),
    ] {
        let output = check(fault, &["--only", checks]);
        assert!(output.status.success(), "{fault}: {}", text(&output.stdout));
    }
    // GomocupJudge starts engines in their own folder.
    let output = check("own-folder", &["--profile", "judge", "--only", "files"]);
    assert!(output.status.success(), "{}", text(&output.stdout));
}

/// A reply that one manager accepts passes with its profile and fails with `strict`.
pub fn replies_are_parsed_like_each_manager_does() {
    for (fault, tolerant) in [
        ("chatty", "c-gomoku-cli"),
        ("blank-lines", "piskvork"),
        ("lets-play", "piskvork"),
        ("ok-with-text", "qpiskvork"),
    ] {
        for profile in [tolerant, "strict"] {
            let output = check(fault, &["--profile", profile, "--only", "start.ok,commands.begin"]);
            let passes = output.status.success();
            assert_eq!(passes, profile == tolerant, "{fault}: {}", text(&output.stdout));
        }
    }
}

/// A manager that accepts text after `OK` accepts it in every check.
pub fn text_after_ok_passes_all_checks_of_tolerant_managers() {
    for profile in ["qpiskvork", "judge", "yixin-board"] {
        let takeback = if profile == "qpiskvork" { ",commands.takeback" } else { "" };
        let only = format!("start.ok,malformed.line-ends,malformed.pieces,managers{takeback}");
        let output = check("ok-with-text", &["--profile", profile, "--only", &only]);
        assert!(output.status.success(), "{profile}: {}", text(&output.stdout));
    }
    let output = check("ok-with-text", &["--only", "malformed.line-ends,malformed.pieces"]);
    assert!(text(&output.stdout).contains("malformed: 0 pass, 2 fail"), "strict");
}

/// GomocupJudge skips lines that are not moves, but not for ever.
pub fn endless_output_after_a_move_fails_a_check() {
    let only = "commands.begin,commands.unasked";
    let output = check("floods", &["--profile", "judge", "--only", only, "--json"]);
    let report = report(&output);
    for outcome in report["checks"].as_array().unwrap() {
        assert_eq!(outcome["verdict"], "fail", "{outcome:#}");
        let got = outcome["got"].as_str().unwrap();
        assert!(got.contains("skipped: \"thinking hard\""), "{got}");
    }
}

/// An engine that does not start fails once; the other checks are skipped.
pub fn checks_of_an_engine_that_does_not_start_are_skipped() {
    let only = "start.ok,start.silent,commands.begin,time.turn,managers.judge";
    let output = check("ok-with-text", &["--only", only, "--json"]);
    let report = report(&output);
    let verdicts = report["checks"].as_array().unwrap().iter().map(|check| &check["verdict"]);
    assert_eq!(verdicts.collect::<Vec<_>>(), ["fail", "pass", "skipped", "skipped", "pass"]);
    assert_eq!(report["checks"][2]["note"], "the engine does not start (see start.ok)");
    assert_eq!(output.status.code(), Some(1));
}

/// A move in the wrong form is named, with advice of its own.
pub fn a_move_in_the_wrong_form_is_explained() {
    let report = report(&check("blank-after-comma", &["--only", "commands.begin", "--json"]));
    let outcome = &report["checks"][0];
    let got = outcome["got"].as_str().unwrap();
    assert!(got.ends_with("\" has a blank: strict needs digits, comma, digits"), "{got}");
    assert!(outcome["advice"].as_str().unwrap().contains("without blanks"), "{outcome:#}");
}

/// An engine run by an interpreter is found from any folder, even if its file name is relative.
#[cfg(unix)]
pub fn files_are_found_from_other_folders() {
    let toy = std::env::current_exe().unwrap();
    let name = toy.file_name().unwrap().to_string_lossy().into_owned();
    let output = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"))
        .current_dir(toy.parent().unwrap())
        .arg("check")
        .arg(format!("nice ./{name}"))
        .arg(format!("env.{}=none", super::toy::VARIABLE))
        .args(["--only", "start.foreign-folder,files,commands.begin"])
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", text(&output.stdout));
}

/// A log file beside the program is reported.
pub fn a_file_beside_the_program_is_reported() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("check-beside-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let toy = folder.join(format!("toy{}", std::env::consts::EXE_SUFFIX));
    std::fs::copy(std::env::current_exe().unwrap(), &toy).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"))
        .arg("check")
        .arg(format!("'{}'", toy.display()))
        .arg(format!("env.{}=writes-beside", super::toy::VARIABLE))
        .args(["--only", "files.outside"])
        .output()
        .expect("the program starts");
    let words = text(&output.stdout);
    assert!(words.contains("files written (1): toy.log beside the program"), "{words}");
    assert_eq!(output.status.code(), Some(1));
    let _ = std::fs::remove_dir_all(&folder);
}

/// A closed pipe does not change the exit code.
pub fn a_closed_pipe_does_not_change_the_exit_code() {
    for (fault, code) in [("ok-with-text", 1), ("none", 0)] {
        let mut command = command(fault, &["--only", "start.ok"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{fault}");
        assert_eq!(text(&output.stderr), "");
    }
}

/// Writes a zip file that consists of a central directory, padded to a size.
fn zip(name: &str, files: &[&str], size: usize) -> PathBuf {
    let mut bytes = vec![0; size];
    let start = u32::try_from(bytes.len()).unwrap();
    for file in files {
        let mut entry = b"PK\x01\x02".to_vec();
        entry.resize(46, 0);
        entry[28..30].copy_from_slice(&u16::try_from(file.len()).unwrap().to_le_bytes());
        bytes.extend(entry);
        bytes.extend(file.as_bytes());
    }
    let mut end = b"PK\x05\x06".to_vec();
    end.resize(22, 0);
    end[10..12].copy_from_slice(&u16::try_from(files.len()).unwrap().to_le_bytes());
    end[16..20].copy_from_slice(&start.to_le_bytes());
    bytes.extend(end);
    let folder =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("zips-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

pub fn zips_are_checked() {
    let verdicts = |path: &PathBuf| -> Vec<String> {
        let path = path.display().to_string();
        let report = report(&check("none", &["--only", "zip", "--json", "--zip", &path]));
        let checks = report["checks"].as_array().unwrap();
        checks.iter().map(|check| check["verdict"].as_str().unwrap().to_owned()).collect()
    };
    let all = |expected: &str| vec![expected.to_owned(); 4];
    let good = ["pbrain-toy64.exe", "pbrain-toy_renju-15.exe", "weights.bin"];
    assert_eq!(verdicts(&zip("toy.zip", &good, 0)), all("pass"));
    for (program, passes) in [
        ("pbrain-toy_renju-19.exe", false),
        ("pbrain-toy_15-renju.exe", false),
        ("pbrain-toy_freestyl.exe", false),
        ("pbrain-toy_x64.exe", true),
        ("pbrain-my_toy.exe", true),
        ("convert_renju-weights.exe", true),
    ] {
        let several = zip("toy.zip", &["pbrain-toy.exe", program], 0);
        assert_eq!(verdicts(&several)[2] == "pass", passes, "{program}");
        let alone = zip("toy.zip", &[program], 0);
        assert_eq!(verdicts(&alone)[2], "pass", "{program}");
    }
    assert_eq!(verdicts(&zip("toy.tar", &good, 0))[0], "fail");
    let bad = zip("pbrain-toy.zip", &["data/pbrain-toy.exe"], 9 << 20);
    assert_eq!(verdicts(&bad), all("fail"));
    let large = zip("large.zip", &good, 8_000_000);
    assert_eq!(verdicts(&large)[3], "fail", "8 MB are 8,000,000 bytes");
    // The advice of each failure fits a file that is not a zip.
    std::fs::write(&bad, "no zip").unwrap();
    assert_eq!(verdicts(&bad), ["fail", "fail", "skipped", "pass"]);
    // Together with other checks, which are rerun without --zip.
    let path = bad.display().to_string();
    let report = report(&check("ok-with-text", &["--only", "start.ok", "--json", "--zip", &path]));
    let checks = report["checks"].as_array().unwrap();
    assert_eq!(checks.len(), 5, "{report:#}");
    for check in checks.iter().filter(|check| check["verdict"] == "fail") {
        let (id, rerun) = (check["id"].as_str().unwrap(), check["rerun"].as_str().unwrap());
        assert_eq!(rerun.contains(" --zip "), id.starts_with("zip."), "{rerun}");
    }
    let missing = bad.with_file_name("missing.zip").display().to_string();
    let output = check("none", &["--zip", &missing]);
    let error = text(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(1), 1), "{error}");
    assert!(error.contains("reading ") && error.contains("missing.zip"), "{error}");
    let output = check("none", &["--zip", &path, "--profile", "c-gomoku-cli"]);
    assert_eq!(output.status.code(), Some(2));
    let error = text(&output.stderr);
    assert!(error.contains("--zip cannot be used with --profile c-gomoku-cli"), "{error}");
    let _ = std::fs::remove_dir_all(bad.parent().unwrap());
}

pub fn invalid_arguments_are_rejected() {
    for (words, why) in [
        (&["--profile", "chess"][..], "unknown manager 'chess': expected strict, piskvork"),
        (&["--only", "start.nonsense"], "unknown check 'start.nonsense' for strict"),
        (&["--profile", "judge", "--only", "managers.piskvork"], "'managers.piskvork' for judge"),
        (&["--turn", "0"], "--turn must be greater than 0"),
        (&["--jobs", "0"], "--jobs must be at least 1"),
        (&["--rules", "chess"], "chess"),
        (&["turn=5s", "info.x=1"], "unsupported settings for check: turn, info ("),
    ] {
        let output = check("none", words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(output.stdout.is_empty(), "{words:?}");
        assert!(text(&output.stderr).contains(why), "{words:?}: {}", text(&output.stderr));
    }
    // All checks were skipped.
    let output = check("none", &["--only", "rules.caro", "--rules", "freestyle"]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(error.trim_end(), "nothing was checked: 1 skipped, see --only and --rules");
    let list = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"));
        text(&command.args(["check", "--list"]).args(words).output().unwrap().stdout)
    };
    let json: Value = serde_json::from_str(&list(&["--json"])).unwrap();
    assert_eq!(json.as_array().unwrap().len(), kakugo_check::checks().count());
    let list = list(&[]);
    assert!(
        kakugo_check::checks()
            .all(|check| list.contains(check.id) && list.contains(check.requirement))
    );
}

pub fn an_engine_that_cannot_run_is_a_single_error() {
    for words in [&["/no/such/engine"][..], &["/no/such/engine", "--only", "start.ok", "--json"]] {
        let output = Command::new(env!("CARGO_BIN_EXE_pbrain-kakugo"))
            .arg("check")
            .args(words)
            .output()
            .expect("the program starts");
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(text(&output.stdout), "");
        let error = text(&output.stderr);
        assert!(error.contains("cannot run /no/such/engine: "), "{error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

/// Engines have their own process group: Ctrl-C in a terminal does not reach them.
pub fn an_interrupt_ends_all_engines() {
    // Other systems do not list child processes.
    if !cfg!(target_os = "linux") {
        return;
    }
    let mut command = command("end-waits", &["--only", "end"]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let children = || {
        let threads = std::fs::read_dir(format!("/proc/{}/task", child.id()));
        let of = |thread: &DirEntry| std::fs::read_to_string(thread.path().join("children"));
        let threads = threads.into_iter().flatten().flatten();
        threads.filter_map(|thread| of(&thread).ok()).collect::<String>()
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    // The first process only shows that the engine can be run.
    std::thread::sleep(Duration::from_millis(500));
    while children().trim().is_empty() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(1));
    }
    let engines = children();
    assert!(!engines.trim().is_empty(), "no engine was started");
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
    let lives = |id: &str| {
        let state = std::fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        state.contains("State:") && !state.contains("State:\tZ")
    };
    while engines.split_whitespace().any(lives) {
        assert!(Instant::now() < deadline, "engines are still running: {engines}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub fn the_report_shows_the_failure() {
    let page = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join(format!("check-{}.html", std::process::id()));
    let name = page.display().to_string();
    let output = check("ok-with-text", &["--only", "start.ok", "--html", &name]);
    let words = text(&output.stdout);
    assert!(words.contains("start: 0 pass, 1 fail"), "{words}");
    assert!(words.contains("rerun     pbrain-kakugo check"), "{words}");
    assert!(words.contains("> START 15") && words.contains("< OK - ready"), "{words}");
    assert_eq!(text(&output.stderr), "", "no progress without a terminal");
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(
        html.contains("&gt; START 15")
            && html.contains("OK - ready")
            && html.ends_with("</html>\n")
    );
    let _ = std::fs::remove_file(page);
}
