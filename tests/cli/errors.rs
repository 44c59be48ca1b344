//! Error messages: what was wrong, what is expected, how to fix it.

use std::net::TcpListener;
use std::path::{Path, PathBuf};

use crate::run::{printed, refused, run};

/// A folder for the files of one test, deleted at its end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("errors-{name}"));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    /// Returns the path of a file or folder in this folder.
    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file and returns its path.
    fn file(&self, name: &str, content: &str) -> String {
        std::fs::write(self.0.join(name), content).unwrap();
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn numbers_out_of_range_are_usage_errors() {
    for (words, why) in [
        (&["analyze", "h8", "--hash", "0"][..], "expected megabytes from 1 to 65536"),
        (&["analyze", "h8", "--hash", "65537"], "expected megabytes from 1 to 65536"),
        (&["analyze", "h8", "--nodes", "0"], "0 is not in 1.."),
        (&["analyze", "h8", "--depth", "0"], "0 is not in 1.."),
        (&["solve", "h8", "--hash", "0"], "expected megabytes from 1 to 65536"),
        (&["solve", "h8", "--nodes", "0"], "0 is not in 1.."),
        (&["play", "--hash", "0"], "expected megabytes from 1 to 65536"),
        (&["perft", "--depth", "0"], "0 is not in 1.."),
        (&["perft", "--rule", "2"], "caro-overline or number 0, 1, 4, 8 or 9"),
    ] {
        let output = run(words, b"");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {error}");
        assert!(error.contains(why), "{words:?}: {error}");
    }
}

#[test]
fn a_missing_folder_is_named() {
    let folder = Folder::new("folders");
    let game = folder.file("game.sgf", "(;GM[4]SZ[15];B[hh])");
    let [sgf, record] = ["none/a.sgf", "none/a.jsonl"].map(|name| folder.path(name));
    let error = refused(&["convert", &game, &sgf], b"");
    assert!(error.ends_with("none/a.sgf: the folder does not exist\n"), "{error}");
    let words = ["--engine", "self", "name=A", "--engine", "self", "name=B", "--each", "nodes=1"];
    let error = refused(&[&["match"][..], &words, &["--record", &record]].concat(), b"");
    assert!(error.ends_with("none/a.jsonl: the folder does not exist\n"), "{error}");
}

#[test]
fn a_game_that_does_not_exist_is_named() {
    let folder = Folder::new("games");
    let game = folder.file("game.sgf", "(;GM[4]SZ[15];B[hh])");
    for (words, count) in
        [(&["--game", "0"][..], "1 game"), (&["--lines", "--game", "2"], "1 line")]
    {
        let error = refused(&[&["convert", &game, &folder.path("b.sgf")][..], words].concat(), b"");
        let number = words.last().unwrap();
        let expected = format!("--game {number} does not exist: {game} contains {count} (see ");
        assert!(error.contains(&expected), "{error}");
    }
    let two = folder.file("two.sgf", "(;GM[4]SZ[15]PB[Ann];B[hh])(;GM[4]SZ[15]PB[Bob];B[hh])");
    let words = ["convert", &two, &folder.path("b.sgf"), "--player", "ann", "--game", "2"];
    let error = refused(&words, b"");
    assert!(error.contains("--game 2 does not fit the search, which finds 1 game in "), "{error}");
}

#[test]
fn files_that_are_not_match_records_are_named() {
    let folder = Folder::new("records");
    let run = folder.file("run.jsonl", "{\"analysis\":{\"version\":1}}\n");
    let error = refused(&["match", "report", &run], b"");
    assert!(error.contains("a record of analyze, not of a match"), "{error}");
    let game = folder.file("game.sgf", "(;GM[4]SZ[15];B[hh])");
    let error = refused(&["match", "report", &game], b"");
    assert!(error.contains("game.sgf: not a match record"), "{error}");
}

#[cfg(unix)]
#[test]
fn engines_that_cannot_be_run_are_explained() {
    let folder = Folder::new("engines");
    let [plain, subfolder] = [folder.file("plain", "text"), folder.path("folder")];
    std::fs::create_dir_all(&subfolder).unwrap();
    for command in ["check", "play"] {
        for (path, why) in [
            (&plain, "it is not executable: expected a program (chmod +x "),
            (&subfolder, "it is a folder: expected a program"),
        ] {
            let engine = ["play", "--no-browser", "--engine"];
            let words = if command == "check" { &["check"][..] } else { &engine };
            let error = refused(&[words, &[path]].concat(), b"");
            assert!(error.contains(&format!("cannot run {path}: {why}")), "{error}");
        }
    }
}

#[test]
fn the_browser_board_explains_what_it_needs() {
    let folder = Folder::new("board");
    let plain = folder.file("plain", "text");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for (words, why) in [
        (&["--games", &plain][..], "expected a folder, not a file"),
        (&["--no-games", "--port", &port], "choose another port with --port, or 0 for a free one"),
        (&["--host", "localhost"], "expected an IP address, such as 127.0.0.1 or 0.0.0.0"),
        (&["--opening", "swap3"], "unknown opening 'swap3': expected one of free, centre, pro, "),
    ] {
        let error = refused(&[&["play", "--no-browser"][..], words].concat(), b"");
        assert!(error.contains(why), "{words:?}: {error}");
    }
}

/// Yixin-Board starts its engine with this argument on Windows.
#[test]
fn the_argument_of_yixin_board_is_accepted() {
    let replies = printed(&["--force-utf8"], b"ABOUT\nSTART 15\nEND\n");
    assert!(replies.starts_with("name=\"Kakugo\"") && replies.ends_with("OK\n"), "{replies}");
    let replies = printed(&["--level", "3", "--force-utf8"], b"START 15\nEND\n");
    assert!(replies.ends_with("OK\n"), "{replies}");
    assert!(refused(&["--force-utf9"], b"").contains("--force-utf9"));
}
