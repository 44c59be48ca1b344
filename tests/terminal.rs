//! The board in the terminal, through a pipe and through a pseudo-terminal.
#![cfg(feature = "play")]

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

#[cfg(unix)]
mod signals;

const PROGRAM: &str = env!("CARGO_BIN_EXE_pbrain-kakugo");

/// Returns the output of `play --text ARGUMENTS` for this input.
fn piped(arguments: &[&str], input: &str) -> String {
    let mut child = Command::new(PROGRAM)
        .args(["play", "--text"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        // The program may end before it has read everything.
        let _ = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

/// The lines that are not rows of the board.
fn said(output: &str) -> Vec<&str> {
    let is_row = |line: &str| line.starts_with("  ") || line.starts_with(" 1");
    output.lines().filter(|line| !is_row(line)).collect()
}

#[test]
fn two_people_play_in_a_pipe() {
    let output = piped(
        &["--white", "human", "--names", "Ann", "Bob", "--size", "7x6", "--win", "4"],
        "a1\na1\nz9\ng1\na2\ng2\na3\ng3\na4\na5\nquit\n",
    );
    let said = said(&output);
    assert_eq!(said[0], "Move 0, freestyle, 4 in a row. Ann (Black)'s turn.");
    assert!(said.contains(&"a1 is occupied by Black."));
    assert!(said.contains(&"z9 is off the board."));
    assert!(said.contains(&"Move 7, freestyle, 4 in a row. Ann (Black) wins with four in a row."));
    assert!(said.contains(&"The game is over: take back a move or start a new game."));
    assert!(output.contains("  1*X . . . . . O 1\n    a b c d e f g\n"));
    assert!(!output.contains('\u{1b}') && !output.contains("> "), "a pipe gets plain text");
}

#[test]
fn what_is_for_the_page_is_refused() {
    let of_page: [&[&str]; 5] = [
        &["--games", "/proc/x"],
        &["--explore", "/proc/x"],
        &["--port", "0"],
        &["--host", "127.0.0.1"],
        &["--no-browser"],
    ];
    for words in of_page {
        let mut command = Command::new(PROGRAM);
        let output = command.args(["play", "--text"]).args(words).stdin(Stdio::null()).output();
        let output = output.unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(error.contains("cannot be used with"), "{words:?}: {error}");
    }
    // It keeps none anyway.
    piped(&["--no-games", "--white", "human"], "quit\n");
}

#[test]
fn moves_are_taken_back_and_played_again() {
    let output = piped(
        &["--white", "human"],
        "undo\nh8\nh9\ni8\nundo 2\nmoves\nredo\nredo 5\nmoves\nredo\n",
    );
    let said = said(&output);
    assert_eq!(said[1], "There is no move to take back.");
    let moves: Vec<&&str> = said.iter().filter(|line| line.starts_with("h8")).collect();
    assert_eq!(moves, [&"h8", &"h8 h9 i8"]);
    assert_eq!(*said.last().unwrap(), "There is no move to play again.");
    // Against the computer, to the human's turn.
    let output = piped(&["--think", "0.1"], "h8\nundo\nredo\n");
    let turn = "Move 2, freestyle. Human (Black)'s turn.";
    assert!(output.matches(turn).count() > 1 && !output.contains("Paused"), "{output}");
}

#[test]
fn settings_hold_from_an_empty_board_or_the_next_game() {
    let output = piped(
        &["--white", "human"],
        "rule renju\nsize 19x13\nh8\nwin 4\nrule standard\nwin 4\nnew\nnames A B\nlevel 99\nopening pro\nnew\na1\n",
    );
    let said = said(&output);
    assert!(said.contains(&"Move 0, renju. Black's turn."));
    assert!(said.iter().any(|line| line.starts_with("Win length 4 is not supported for renju")));
    assert!(said.contains(&"This holds from the next game on: new."));
    assert!(said.contains(&"Move 0, standard, 4 in a row. Black's turn."));
    assert!(said.contains(&"Move 0, standard, 4 in a row. A (Black)'s turn."));
    assert_eq!(*said.last().unwrap(), "The first stone belongs in the centre.");
}

#[test]
fn renju_refuses_a_forbidden_point_and_shows_it() {
    let output =
        piped(&["--white", "human", "--rule", "renju"], "h7\na1\nh6\na3\ng8\na5\nf8\na7\nh8\n");
    assert!(output.contains("  8 . . . . . X X ! . . . . . . . 8"), "{output}");
    assert!(output.ends_with("h8 is forbidden to Black in renju: a double three.\n"));
}

#[test]
fn a_human_plays_against_the_engine_and_engines_among_themselves() {
    let output = piped(&["--think", "0.05"], "h8\nmoves\nhint move\nquit\n");
    assert!(output.contains("\nKakugo: "), "{output}");
    assert!(output.contains("Kakugo would play "));
    let output = piped(&["--black", "8", "--white", "1", "--size", "13x11", "--think", "0.05"], "");
    let last = said(&output).last().copied().unwrap().to_owned();
    assert!(last.contains("Master (Black) wins with"), "{last}");
}

#[test]
fn a_script_is_taken_in_order_and_stop_cuts_the_move_before_it_short() {
    // Without stop this would take ten minutes.
    let began = Instant::now();
    let output = piped(&["--think", "300"], "h8\nstop\nmoves\ni11\nnow\nhint move\nstop\nstop\n");
    assert!(began.elapsed() < Duration::from_secs(100));
    assert_eq!(output.matches("\nKakugo: ").count(), 2, "{output}");
    let moves = output.lines().find(|line| line.starts_with("h8 ")).unwrap();
    assert_eq!(moves.split(' ').count(), 2, "{moves}");
    assert!(output.contains("\nKakugo would play "), "{output}");
    assert!(output.ends_with("\nNobody is thinking now.\n"), "{output}");
    // Undo waits for the move.
    let output = piped(&["--think", "0.5"], "h8\nundo\nh9\n");
    assert_eq!(output.matches("\nKakugo: ").count(), 2, "{output}");
    assert!(output.contains("Move 0, freestyle. Human (Black)'s turn."));
}

#[test]
fn a_pause_holds_the_computer_until_go() {
    let script = "pause\ngo\nblack 1\npause\nundo\npause\nlevels\nhelp\n";
    let output = piped(&["--white", "human"], script);
    let said = said(&output);
    assert!(said.contains(&"Move 0, freestyle. Black's turn. Paused: go."), "{output}");
    let computer: Vec<&&str> =
        said.iter().filter(|line| line.starts_with("Kakugo Beginner: ")).collect();
    assert_eq!(computer.len(), 1, "{output}");
    assert!(output.contains("\n   1 Beginner             Elo     0\n"), "{output}");
    assert!(output.contains("\n  h8             place a stone "), "{output}");
}

#[test]
fn another_engine_plays_by_the_gomocup_protocol() {
    let engine = format!("\"{PROGRAM}\"");
    let arguments =
        ["--engine", &engine, "--black", "engine1", "--white", "human", "--think", "200ms"];
    let output = piped(&arguments, "a1\nundo\na2\nquit\n");
    assert_eq!(output.matches("\npbrain-kakugo: ").count(), 3, "{output}");
    assert!(!output.contains("failed"), "{output}");
    let gone = format!("cmd='{PROGRAM} --version' name=Gone");
    let output = piped(&["--engine", &gone, "--white", "engine1"], "h8\n");
    assert!(output.contains("Human (Black) wins: Gone failed ("), "{output}");
}

#[test]
fn an_engine_that_cannot_be_run_is_told_before_the_first_move() {
    for board in [&["--text"][..], &["--no-browser", "--no-games", "--port", "0"]] {
        let mut command = Command::new(PROGRAM);
        command.arg("play").args(board).args(["--engine", "/does/not/exist"]).stdin(Stdio::null());
        let output = command.output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.starts_with("pbrain-kakugo: cannot run /does/not/exist: "), "{error}");
    }
}

#[test]
fn variations_are_listed_visited_promoted_deleted_and_kept() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("tree.sgf");
    let library = path.with_extension("lib");
    let (path, library) = (path.to_str().unwrap(), library.to_str().unwrap());
    let input = format!(
        "tree\nh8\nh9\ni9\ngoto 1\na1\nb1\ncomment a  try\ntree\ngoto #4\npromote\npromote\ntree\n\
         goto 99\ndelete\ntree\nsave! {path}\nsave! {library}\nnew\nload {path}\ntree\n\
         load {library}\nmoves\ngoto #77\ncomment\n"
    );
    let output = piped(&["--white", "human"], &input);
    assert!(output.contains("No move has been made.\n"), "{output}");
    let before = "1 h8  2 h9  3 i9\n  2 a1 #4  3 b1* \"a  try\"\n".replace("a  try", "a try");
    assert!(output.contains(&before), "{output}");
    let promoted = "1 h8  2 a1*  3 b1 \"a try\"\n  2 h9 #2  3 i9\n";
    assert!(output.contains(promoted), "{output}");
    assert!(output.contains("main line"), "promoted twice: {output}");
    assert!(output.contains("The line ends with move 3."), "goto 99: {output}");
    let deleted = "1 h8  2 a1*\n  2 h9 #2  3 i9\n";
    assert!(output.contains(deleted), "{output}");
    // Read again, the numbers are new.
    assert!(output.contains("1 h8  2 a1*\n  2 h9 #3  3 i9\n"), "{output}");
    assert!(said(&output).contains(&"h8 a1"), "{output}");
    assert!(
        output.contains("That move does not exist any more.")
            && output.contains("There is no comment."),
        "{output}"
    );
}

#[test]
fn positions_are_loaded_played_and_saved() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = |name: &str, content: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    // White is to move; Black passes.
    let position = file(
        "terminal-position.sgf",
        b"(;GM[4]SZ[15]RU[renju]AB[fh][gh][hh]AW[aa][oo]PL[W];W[ih];B[];W[ii])",
    );
    let (sgf, psq) = (file("terminal-out.sgf", b""), file("terminal-out.psq", b""));
    let input = format!("load {position}\nmoves\ne8\nsave! {sgf}\nsave! {psq}\n");
    let output = piped(&["--white", "human"], &input);
    assert!(output.contains("i8 pass i7\n") && output.contains("Move 4, renju."), "{output}");
    let told = format!("Saved to {psq}. Only SGF holds this game as it is: ");
    assert!(output.contains(&told), "{output}");
    let saved = std::fs::read_to_string(&sgf).unwrap();
    assert!(saved.contains("AB[fh][gh][hh]AW[aa][oo]PL[W]"), "{saved}");
    assert!(saved.contains("B[];W[ii]"), "{saved}");
    // What a file does not state is told, and the rule may follow its name.
    let drawn =
        file("terminal-drawn.txt", b". . . . .\n. X X . .\n. . O . .\n. . . . .\n. . . . .\n");
    let output = piped(&["--white", "human"], &format!("rule renju\nload {drawn}\n"));
    assert!(output.contains("The file does not state the rule: freestyle is assumed."), "{output}");
    assert!(output.contains("The side to move is not stated: White is assumed."), "{output}");
    let output = piped(&["--white", "human"], &format!("load {drawn} standard\n"));
    assert!(
        output.contains("standard.") && !output.contains("does not state the rule"),
        "{output}"
    );
    let go = file("terminal-go.sgf", b"(;FF[4]GM[1]SZ[19];B[jj];W[kk])");
    let output = piped(&["--white", "human"], &format!("load {go}\nload {go} renju\nmoves\n"));
    assert!(output.contains(&format!("Name its rule to load it: load {go} renju.")), "{output}");
    assert!(output.contains("j10 k9\n"), "{output}");
    let night = file("terminal club night.sgf", b"(;FF[4]GM[1]SZ[19];B[jj];W[kk])");
    let output = piped(&["--white", "human"], &format!("load \"{night}\" renju\nmoves\n"));
    assert!(output.contains("j10 k9\n"), "{output}");
}

#[test]
fn games_are_saved_and_loaded() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    for name in ["t.sgf", "t.psq", "t.pos", "t.lib"] {
        let path = file(name);
        let _ = std::fs::remove_file(&path);
        let output = piped(
            &["--white", "human"],
            &format!("h8\nb3\nsave {path}\nnew\nload {path}\nmoves\n"),
        );
        assert!(output.contains(&format!("Saved to {path}.")));
        assert!(output.ends_with("h8 b3\n"), "{name}: {output}");
    }
    let bad = file("bad.sgf");
    std::fs::write(&bad, "(;GM[1])").unwrap();
    let missing = file("missing.sgf");
    let input = format!("h8\nload {bad}\nload {missing}\nload x.exe\nsave x.exe\nmoves\n");
    let output = piped(&["--white", "human"], &input);
    assert!(output.contains(&format!("Not loaded: {bad}: ")));
    assert!(output.contains(&format!("Not loaded: {missing}: ")));
    let named = "x.exe: the name must end in .sgf, .psq, .rec, .pos";
    for extensions in [", .txt, .open, .opn, .lib, .sav, .rif, .pgn.", ", .lib or .sav."] {
        assert!(output.contains(&format!("{named}{extensions}")), "{output}");
    }
    assert!(output.ends_with("\nh8\n"), "nothing changed");
}

#[test]
fn a_record_tells_who_won_and_play_may_go_on() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("resigned.sgf");
    let name = path.to_str().unwrap();
    let output = piped(
        &["--white", "human"],
        &format!("h8\nb3\nresign\nsave! {name}\nload {name}\nundo\nredo\nresign\nc3\n"),
    );
    let told: Vec<&str> = output.lines().filter(|line| line.contains("freestyle. ")).collect();
    let end = "Move 2, freestyle. White wins: Black resigned.";
    let turn = "Move 2, freestyle. Black's turn.";
    let [white, last] = ["Move 1, freestyle. White's turn.", "Move 3, freestyle. White's turn."];
    assert_eq!(told[2..], [turn, end, end, white, end, last], "{output}");
    assert!(output.contains("The game is over: take back a move"), "{output}");
}

#[test]
fn comments_are_shown_with_their_moves_and_steer_no_terminal() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("steering.sgf");
    let steering = "\u{1b}[2J\u{9b}31m";
    let text = format!(
        "(;GM[4]PB[{steering}Ann]RE[W+]TE[{steering}];B[hh]C[the\n{steering}centre];W[hi])"
    );
    std::fs::write(&path, text).unwrap();
    let name = path.to_str().unwrap();
    let output = piped(&[], &format!("load {name}\nundo\ncomment\ntree\n"));
    assert!(output.contains(" White's turn.\nthe\n [2J 31mcentre\n"), "{output}");
    assert!(output.contains("White wins according to the record:"), "{output}");
    let output = output + &convert_list(name);
    assert!(!output.contains(['\u{1b}', '\u{9b}']), "{output:?}");
}

fn convert_list(name: &str) -> String {
    let output = std::process::Command::new(PROGRAM).args(["convert", name, "--list"]).output();
    String::from_utf8(output.unwrap().stdout).unwrap()
}

#[test]
fn orders_that_cannot_be_followed_are_answered_in_sentences() {
    let output = piped(&[], "level 99\nlevel x\nrule foo\nwin 7\nsize 99\n");
    for sentence in [
        "Invalid level 99: expected 1 to 10.",
        "Invalid number 'x'. Try: level 3.",
        "Invalid rule 'foo': expected freestyle, standard, renju, caro, caro-overline or number 0, 1, 4, 8 or 9.",
        "Win length 7 is not supported for freestyle (3 to 6 for freestyle and standard, else 5).",
        "Invalid board size '99': expected 3 to 32, e.g. 15 or 20x12.",
    ] {
        assert!(output.contains(&format!("\n{sentence}\n")), "{sentence} is not in {output}");
    }
}

#[test]
fn a_file_is_overwritten_only_on_demand() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("kept once.pos");
    std::fs::write(&path, "a1\n").unwrap();
    let name = path.to_str().unwrap();
    let output = piped(&["--white", "human"], &format!("h8\nsave \"{name}\"\nyes\nmoves\n"));
    assert!(output.contains(&format!("Not saved: {name} exists.")), "{output}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "a1\n");
    let output = piped(&["--white", "human"], &format!("h8\nsave! '{name}'\n"));
    assert!(output.contains(&format!("Saved to {name}.")), "{output}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "h8\n");
}

#[test]
fn an_address_that_is_not_ours_is_told_with_the_port_that_was_wanted() {
    // 192.0.2.1 is for documentation: no machine has it.
    let output = Command::new(PROGRAM)
        .args(["play", "--no-browser", "--host", "192.0.2.1"])
        .output()
        .unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("listening on 192.0.2.1:15015"), "{error}");
}

#[test]
fn swap2_is_negotiated_with_the_engine() {
    let output = piped(&["--opening", "swap2", "--think", "0.3"], "a1\na1\no15\nb1\n");
    assert!(output.contains("Opening: Human places stone 1, Black."));
    assert!(output.contains("a1 is occupied by Black."));
    let decided = ["Kakugo: takes Black", "Kakugo: takes White", "Kakugo: places two more"];
    assert!(decided.iter().any(|words| output.contains(words)), "{output}");
    assert!(!output.contains("failed"));
}

#[test]
fn a_renju_opening_is_played_with_the_engine() {
    let input = "h8\nh9\na1\nj10\ntake 13\ntake 3\nundo 1\ntake black\ntake 2\n";
    let output = piped(&["--white", "human", "--rule", "renju", "--opening", "yamaguchi"], input);
    assert!(output.contains("Stone 3 must lie within the central 5x5."), "{output}");
    assert!(output.contains("announces the number of fifth moves."), "{output}");
    let orders = "Try: take 1 to take 12 (fifth moves).";
    assert!(output.contains(&format!("This cannot be chosen now. {orders}\n")), "{output}");
    assert!(output.contains(&format!("moves.\n{orders}\n")), "{output}");
    let named = "--rule renju --opening taraguchi-10 --think 0.05 --black 10 --white 10";
    let words: Vec<&str> = named.split(' ').collect();
    let output = piped(&words, "go\n");
    assert!(!output.contains("failed"), "{output}");
    let offered = output.contains("Kakugo 1: takes") || output.contains("Kakugo 2: takes");
    assert!(offered, "{output}");
}

#[test]
fn endless_lines_and_wild_bytes_do_no_harm() {
    let output =
        piped(&["--white", "human"], &format!("{}\n\u{0}\u{7f}é\nh8\n", "x".repeat(10_000)));
    assert!(output.contains("Unknown command"));
    assert!(said(&output).last().unwrap().starts_with("Move 1"));
}

#[cfg(unix)]
mod pseudo_terminal {
    use super::PROGRAM;
    use super::signals::give_children_default_signals;
    use rexpect::session::spawn_command;
    use std::process::Command;

    fn command(arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .args(["play", "--text"])
            .args(arguments)
            .env("TERM", "xterm")
            .env_remove("NO_COLOR");
        command
    }

    #[test]
    fn a_keyboard_gets_a_prompt_and_colours() {
        let command = command(&["--white", "human", "--win", "3", "--size", "5"]);
        let mut session = spawn_command(command, Some(60_000)).unwrap();
        session.exp_string("Type a point such as h8, or help.").unwrap();
        for point in ["a1", "e5", "b1", "e4", "c1"] {
            session.exp_string("> ").unwrap();
            session.send_line(point).unwrap();
        }
        // The stones of the winning row stand out.
        session.exp_string("*\u{1b}[1;7;36mX").unwrap();
        session.exp_string("Black wins with three in a row.").unwrap();
        session.send_line("quit").unwrap();
        session.exp_eof().unwrap();
    }

    #[test]
    fn ctrl_c_and_the_end_of_input_leave_at_once() {
        give_children_default_signals();
        let mut session = spawn_command(command(&["--think", "60"]), Some(60_000)).unwrap();
        session.exp_string("> ").unwrap();
        session.send_line("h8").unwrap();
        session.exp_string("Kakugo (White)'s turn.").unwrap();
        // It is thinking for a minute now.
        session.send_control('c').unwrap();
        session.exp_eof().unwrap();
        let mut session = spawn_command(command(&["--white", "human"]), Some(60_000)).unwrap();
        session.exp_string("> ").unwrap();
        session.send_control('d').unwrap();
        session.exp_eof().unwrap();
    }

    #[test]
    fn words_typed_while_the_computer_thinks_act_at_once() {
        // Whatever is not cut short takes longer than this test has.
        let mut session = spawn_command(command(&["--think", "600"]), Some(60_000)).unwrap();
        let mut turn = |line: &str, expected: &[&str]| {
            session.send_line(line).unwrap();
            for words in expected {
                session.exp_string(words).unwrap();
            }
        };
        turn("h8", &["Kakugo (White)'s turn."]);
        turn("stop", &["Kakugo: ", "Move 2, ", "Human (Black)'s turn.", "> "]);
        turn("a1", &["Kakugo (White)'s turn."]);
        turn("undo", &["Move 2, ", "Human (Black)'s turn.", "> "]);
        turn("a2", &["Kakugo (White)'s turn."]);
        turn("pause", &["Move 3, ", "Paused: go.", "> "]);
        turn("go", &["Move 3, ", "Kakugo (White)'s turn."]);
        // What can wait does; the word after it does not.
        turn("moves", &[]);
        turn("now", &["Kakugo: ", "Move 4, ", "Human (Black)'s turn.", "h8 ", "> "]);
        turn("hint", &[]);
        turn("stop", &["The move is between ", "More: hint.", "> "]);
        turn("a3", &["Kakugo (White)'s turn."]);
        turn("resign", &["Kakugo (White) wins: Human resigned.", "> "]);
        turn("new", &["Move 0, ", "> "]);
        turn("h8", &["Kakugo (White)'s turn."]);
        turn("quit", &[]);
        session.exp_eof().unwrap();
    }

    #[test]
    fn leaving_while_the_computer_thinks_ends_the_program() {
        let mut session = spawn_command(command(&["--think", "600"]), Some(60_000)).unwrap();
        session.exp_string("> ").unwrap();
        session.send_line("h8").unwrap();
        session.exp_string("Kakugo (White)'s turn.").unwrap();
        // Keys that come before the prompt are lost.
        session.exp_string("> ").unwrap();
        session.send_control('d').unwrap();
        session.exp_eof().unwrap();
    }

    #[test]
    fn lines_are_edited_and_come_back() {
        let command = command(&["--white", "human"]);
        let mut session = spawn_command(command, Some(60_000)).unwrap();
        session.exp_string("> ").unwrap();
        // Typed 8, then h before it: Ctrl-A goes to the beginning.
        session.send("8\u{1}h\r").unwrap();
        session.flush().unwrap();
        session.exp_string("Move 1, ").unwrap();
        session.exp_string("> ").unwrap();
        session.send_line("undo").unwrap();
        session.exp_string("Move 0, ").unwrap();
        session.exp_string("> ").unwrap();
        // The line before the last, by the arrow up.
        session.send("\u{1b}[A\u{1b}[A\r").unwrap();
        session.flush().unwrap();
        session.exp_string("Move 1, ").unwrap();
        session.send_line("quit").unwrap();
        session.exp_eof().unwrap();
    }

    #[test]
    fn a_terminal_without_editing_gets_plain_lines() {
        let mut command = command(&["--white", "human"]);
        command.env("TERM", "dumb");
        let mut session = spawn_command(command, Some(60_000)).unwrap();
        let before = session.exp_string("\r\n> ").unwrap();
        assert!(!before.contains('\u{1b}'), "{before:?}");
        session.send_line("h8").unwrap();
        session.exp_string("Move 1, ").unwrap();
        session.send_line("quit").unwrap();
        session.exp_eof().unwrap();
    }

    #[test]
    fn whoever_types_is_asked_before_a_file_is_overwritten() {
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("asked.pos");
        std::fs::write(&path, "a1\n").unwrap();
        let mut session = spawn_command(command(&["--white", "human"]), Some(60_000)).unwrap();
        let mut turn = |line: &str, expected: &str| {
            session.send_line(line).unwrap();
            session.exp_string(expected).unwrap();
        };
        let save = format!("save {}", path.display());
        turn("h8", "Move 1, ");
        turn(&save, "Overwrite it? (yes, no)");
        turn("no", "Not saved.");
        turn(&save, "Overwrite it? (yes, no)");
        turn("a1", "Move 2, ");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "a1\n");
        turn(&save, "Overwrite it? (yes, no)");
        turn("yes", "Saved to ");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "h8a1\n");
        session.send_line("quit").unwrap();
        session.exp_eof().unwrap();
    }

    #[test]
    fn no_color_is_respected() {
        let mut command = command(&["--white", "human"]);
        command.env("NO_COLOR", "1");
        let mut session = spawn_command(command, Some(60_000)).unwrap();
        let before = session.exp_string("> ").unwrap();
        // Editing the line needs other sequences; those of colours end in m.
        let mut sequences = before.split("\u{1b}[").skip(1);
        let is_colour =
            |text: &str| text.trim_start_matches(|c: char| !c.is_alphabetic()).starts_with('m');
        assert!(!sequences.any(is_colour), "{before:?}");
        session.send_line("quit").unwrap();
        session.exp_eof().unwrap();
    }
}

#[test]
fn another_engine_keeps_to_an_opening_that_it_knows_nothing_of() {
    let input = "h9\nquit\n";
    let engine = format!("\"{PROGRAM}\"");
    let arguments = ["--engine", &engine, "--black", "engine1", "--white", "human"];
    let more = ["--opening", "long-pro", "--turn-time", "1"];
    let output = piped(&[&arguments[..], &more].concat(), input);
    assert!(!output.contains("failed") && output.contains("Move 3, "), "{output}");
}

#[test]
fn players_are_told_by_their_colours_even_after_a_swap() {
    let output = piped(
        &["--white", "human", "--opening", "swap"],
        "a1\na2\na3\ntake black\nnames Ann Bob\nd4\n",
    );
    assert!(output.contains("Move 3, freestyle. Bob (White)'s turn."), "{output}");
    assert!(output.contains("Move 4, freestyle. Ann (Black)'s turn."), "{output}");
}

#[test]
fn after_a_flag_has_fallen_the_next_order_is_carried_out() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let name = folder.join("flag.sgf");
    let name = name.to_str().unwrap();
    let _ = std::fs::remove_file(name);
    let mut child = Command::new(PROGRAM)
        .args(["play", "--text", "--white", "human", "--turn-time", "0.2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"h8\n").unwrap();
    std::thread::sleep(Duration::from_secs(2));
    stdin.write_all(format!("save {name}\nquit\n").as_bytes()).unwrap();
    drop(stdin);
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(output.contains("White ran out of time"), "{output}");
    assert!(output.ends_with(&format!("Saved to {name}.\n")), "{output}");
}

#[test]
fn the_clocks_are_shown_with_their_periods() {
    let clocks = ["--game-time", "1", "--byo-yomi", "3x20s", "--increment", "2"];
    let output = piped(&[&["--white", "human"], &clocks[..]].concat(), "h8\nquit\n");
    let said = said(&output);
    assert!(said.contains(&"Clocks: Black 1:00 + 3x0:20, White 1:00 + 3x0:20."), "{output}");
    let only = piped(&["--white", "human", "--byo-yomi", "2x90s"], "quit\n");
    assert!(only.contains("Clocks: Black 1:30 x2, White 1:30 x2."), "{only}");
    let wrong = Command::new(PROGRAM).args(["play", "--text", "--byo-yomi", "x"]).output().unwrap();
    let said = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(said.contains("expected e.g. 5x30s or 3x1m"), "{said}");
}

#[test]
fn nobody_plays_for_a_computer() {
    let output = piped(&["--think", "0.05"], "h8\nundo 1\na1\nmoves\nundo\na1\n");
    assert!(output.contains("\nIt is Kakugo's turn.\nh8\n"), "{output}");
    assert!(said(&output).last().unwrap().starts_with("Move 2"), "{output}");
}

#[test]
fn the_coach_warns_before_and_after_a_mistake_and_hints_come_in_steps() {
    // White overlooks an open three, and takes the move back.
    let input = "coach large\nh8\ni9\ni8\nh9\nj8\na5\nundo\nhint\nhint\nhint\ncoach\nquit\n";
    let output = piped(&["--white", "human", "--think", "0.3"], input);
    let said: Vec<&str> = output.lines().collect();
    let starts = |start: &str| {
        let found = said.iter().position(|line| line.starts_with(start));
        found.unwrap_or_else(|| panic!("no {start} in\n{output}"))
    };
    let before = starts("Coach: Black has an open three and threatens to make an open four.");
    let after =
        starts("Coach: After this move Black can make an open four, which nobody can stop.");
    assert!(before < after && said[before].contains("Points: "), "{output}");
    assert!(said[after].contains(" Line: ") && said[after].ends_with("undo."), "{output}");
    let area = starts("The move is between ");
    let idea = starts("Black has an open three: stop it before it becomes an open four.");
    assert!(after < area && area < idea && idea < starts("Kakugo would play "), "{output}");
    assert!(said.contains(&"The coach warns of threats and of large mistakes."), "{output}");
}

#[test]
fn the_computer_waits_while_the_coach_asks() {
    let input = "h8\ni9\ni8\nh9\nj8\nblack 3\ncoach large\na5\nmoves\ngo\nmoves\nquit\n";
    let output = piped(&["--white", "human", "--think", "0.3"], input);
    let moves: Vec<usize> = output
        .lines()
        .filter(|line| line.starts_with("h8 "))
        .map(|line| line.split(' ').count())
        .collect();
    assert!(output.contains("Take it back: undo. Play on: go."), "{output}");
    assert_eq!(moves, [6, 7], "{output}");
}

#[test]
fn a_hint_at_a_choice_is_said_in_words() {
    let input = "a1\na2\na3\nhint\nquit\n";
    let output = piped(&["--white", "human", "--opening", "swap", "--think", "0.3"], input);
    let hint = output.lines().find(|line| line.starts_with("Kakugo would")).unwrap();
    assert!(["Kakugo would take Black.", "Kakugo would take White."].contains(&hint), "{hint}");
}

#[test]
fn after_a_record_the_next_game_is_between_the_players_agreed() {
    let folder = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let name = folder.join("people.sgf");
    std::fs::write(&name, "(;GM[4]SZ[13]RU[renju]PB[Ann]PW[Bob];B[gg])").unwrap();
    let input = format!("load {}\nlevel 4\nnew\na1\n", name.to_str().unwrap());
    let output = piped(&["--white", "3", "--think", "0.05"], &input);
    let said = said(&output);
    assert!(said.contains(&"Move 1, renju. Bob (White)'s turn."), "{output}");
    let new = said.iter().position(|&line| line == "Move 0, renju. Human (Black)'s turn.");
    let moves = &said[new.unwrap()..];
    assert!(moves.iter().any(|line| line.starts_with("Kakugo ")), "{output}");
    assert!(moves.last().unwrap().starts_with("Move 2, renju. Human (Black)'s turn."), "{output}");
}
