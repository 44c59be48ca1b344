//! Tests of the shell completions in real shells.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

const PROGRAM: &str = env!("CARGO_BIN_EXE_pbrain-kakugo");

fn printed(arguments: &[&str]) -> String {
    let output = Command::new(PROGRAM).args(arguments).output().unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the subcommands that the program's help lists.
fn subcommands() -> Vec<String> {
    let help = printed(&["--help"]);
    let commands = help.split("Commands:\n").nth(1).unwrap().lines();
    let names = commands.map_while(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Returns the options that the help of a subcommand lists.
fn options(subcommand: &str) -> Vec<String> {
    let help = printed(&[subcommand, "--help"]);
    let words = help.lines().filter_map(|line| {
        // Only `--long` or `-s, --long` at the start of a line. Descriptions mention options, too.
        let (before, option) = line.split_at(line.find("--")?);
        let short = before.trim();
        let is_definition = short.is_empty() || short.starts_with('-') && short.len() == 3;
        option.split([' ', '=']).next().filter(|_| is_definition)
    });
    words.map(str::to_owned).collect()
}

fn script(shell: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("completions.{shell}"));
    std::fs::write(&path, printed(&["completions", shell])).unwrap();
    path
}

/// Returns the completions of bash for the last word of each command line.
fn bash(lines: &[String]) -> Vec<Vec<String>> {
    let mut commands = format!(
        "source {}\n\
         complete=$(complete -p pbrain-kakugo) || exit 1\n\
         function=$(sed 's/.*-F \\([^ ]*\\).*/\\1/' <<< \"$complete\")\n",
        script("bash").display()
    );
    for line in lines {
        commands += &format!(
            "COMP_WORDS=({line}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
             $function pbrain-kakugo \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\" \
             2> /dev/null\n\
             echo \"${{COMPREPLY[@]}}\"\n"
        );
    }
    let output = Command::new("bash").args(["--norc", "-c", &commands]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().count(), lines.len(), "{text}");
    text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

#[test]
fn bash_completes_every_option_of_every_subcommand() {
    let mut cases = Vec::new();
    for subcommand in subcommands() {
        for option in options(&subcommand) {
            cases.push((format!("pbrain-kakugo {subcommand} {option}"), option));
        }
    }
    assert!(cases.len() > 90, "{}", cases.len());
    let lines: Vec<String> = cases.iter().map(|(line, _)| line.clone()).collect();
    for ((line, option), offered) in cases.iter().zip(bash(&lines)) {
        assert!(offered.contains(option), "{line}: {offered:?}");
    }
}

#[test]
fn bash_completes_values() {
    let cases = [
        ("play --rule ren", vec!["renju"]),
        ("play --rule caro", vec!["caro", "caro-overline"]),
        ("match --rule st", vec!["standard"]),
        ("perft --rule free", vec!["freestyle"]),
        ("convert a b --to pos", vec!["pos-bottom", "pos-top", "pos-binary"]),
        ("match --format g", vec!["gauntlet"]),
        ("analyze h8 --rows t", vec!["top"]),
        ("check self --profile c-g", vec!["c-gomoku-cli"]),
        ("check self --rules ren", vec!["renju"]),
        #[cfg(feature = "play")]
        ("play --opening sw", vec!["swap", "swap2"]),
        #[cfg(feature = "play")]
        ("play --white hu", vec!["human"]),
    ];
    let lines: Vec<String> =
        cases.iter().map(|(line, _)| format!("pbrain-kakugo {line}")).collect();
    for ((line, expected), offered) in cases.iter().zip(bash(&lines)) {
        assert_eq!(&offered, expected, "{line}");
    }
}

/// Presses the Tab key at a real prompt.
#[test]
fn zsh_completes_options_and_values_at_its_prompt() {
    let found = Command::new("zsh").arg("--version").stdout(Stdio::null()).status();
    if !found.is_ok_and(|status| status.success()) {
        eprintln!("SKIPPED: zsh is not installed");
        return;
    }
    let mut zsh = Command::new("zsh");
    zsh.args(["-f", "-i"]).env("TERM", "dumb").env("PS1", "% ");
    let mut session =
        rexpect::session::spawn_command(zsh, Some(Duration::from_secs(60).as_millis() as u64))
            .unwrap();
    // Prints the completed line instead of running it.
    let setup = format!(
        "autoload -U compinit; compinit -u -D; source {}; show() {{ BUFFER=\"print -r -- \
         'LINE:$BUFFER:'\"; zle accept-line }}; zle -N show; bindkey '^X' show",
        script("zsh").display()
    );
    session.send_line(&setup).unwrap();
    for (typed, completed) in [
        ("analy", "analyze"),
        ("play --no-bro", "play --no-browser"),
        ("match --rule ren", "match --rule renju"),
        ("convert a b --to pos-b", "convert a b --to pos-bottom"),
    ] {
        session.send(&format!("pbrain-kakugo {typed}\t\x18")).unwrap();
        session.flush().unwrap();
        session.exp_string(&format!("\nLINE:pbrain-kakugo {completed} :")).unwrap();
    }
    session.send_line("exit").unwrap();
    session.exp_eof().unwrap();
}
