//! Shell completions and the man page, generated from the command line's definition.

use std::io::{self, Write};

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command};
use clap_complete::{Generator, Shell};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use kakugo::board::Rule;
#[cfg(feature = "records")]
use kakugo_record::file::Format;

/// The program's name.
const NAME: &str = "pbrain-kakugo";

/// Print completions for a shell
#[derive(Args)]
pub struct CompletionsArgs {
    /// Shell to print completions for
    shell: Shell,
}

/// The name of an argument and its possible values, in any subcommand.
pub type ArgumentValues<'a> = (&'a str, Vec<&'static str>);

/// Runs `completions`, which prints a script for a shell. `extra` adds values to those defined
/// here.
///
/// # Errors
/// Returns an error if stdout cannot be written.
pub fn completions(
    args: &CompletionsArgs,
    program: Command,
    extra: &[ArgumentValues<'_>],
) -> anyhow::Result<()> {
    let levels = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];
    let players = [&["human", "kakugo", "engine1"][..], &levels].concat();
    let own = [
        ("rule", Rule::ALL.map(Rule::word).to_vec()),
        ("rules", Rule::ALL.map(Rule::word).to_vec()),
        #[cfg(feature = "records")]
        ("from", Format::names().collect()),
        #[cfg(feature = "records")]
        ("to", Format::names().collect()),
        ("level", levels.to_vec()),
        ("black", players.clone()),
        ("white", players),
    ];
    let mut program = with_possible_values(program, &[&own[..], extra].concat());
    let script = match args.shell {
        Shell::Bash => bash(program)?,
        shell => {
            program.set_bin_name(NAME);
            program.build();
            let mut script = Vec::new();
            shell.try_generate(&program, &mut script)?;
            script
        }
    };
    Ok(io::stdout().write_all(&script)?)
}

/// Returns the program with possible values for its arguments. The types that parse them do not
/// provide any.
fn with_possible_values(program: Command, values: &[ArgumentValues<'_>]) -> Command {
    let set_values = |arg: Arg| match values.iter().find(|(name, _)| arg.get_id() == name) {
        Some((_, values)) => arg.value_parser(PossibleValuesParser::new(values)),
        None => arg,
    };
    program
        .mut_args(set_values)
        .mut_subcommands(|subcommand| with_possible_values(subcommand, values))
}

/// Returns the script for bash. The generator mishandles program names with a hyphen. So it gets a
/// name without one, and the script is then registered for the real name.
fn bash(mut program: Command) -> anyhow::Result<Vec<u8>> {
    let name = NAME.replace('-', "_");
    program.set_bin_name(&name);
    program.build();
    let mut script = Vec::new();
    Shell::Bash.try_generate(&program, &mut script)?;
    let registered = |name: &str| format!(" -o default {name}\n");
    let script = String::from_utf8(script)?.replace(&registered(&name), &registered(NAME));
    Ok(script.into_bytes())
}

/// Sections of the program's man page that clap does not generate: headings with their entries.
type Sections = [(&'static str, &'static [(&'static str, &'static str)])];

const PROGRAM_SECTIONS: &Sections = &[
    (
        "EXIT STATUS",
        &[
            ("0", "Success."),
            ("1", "Failure: a missing file, an engine that does not start, a failed check."),
            ("2", "Invalid command line, including a network of --net that cannot be loaded."),
            (
                "130",
                "A job of match, check, solve, analyze or the terminal board was interrupted with Ctrl-C.",
            ),
        ],
    ),
    (
        "ENVIRONMENT",
        &[
            (
                "KAKUGO_LOG, RUST_LOG",
                "Log level on stderr: info, debug, or trace to include every line exchanged with \
                 engines. KAKUGO_LOG takes precedence. By default nothing is logged.",
            ),
            ("NO_COLOR", "If set, disables colours in the terminal."),
        ],
    ),
    (
        "FILES",
        &[
            (
                "~/.local/share/kakugo/games",
                "Games saved by the browser board on Linux (below $XDG_DATA_HOME, if set).",
            ),
            (
                "~/Library/Application Support/kakugo/games",
                "Games saved by the browser board on macOS.",
            ),
            ("%APPDATA%\\kakugo\\data\\games", "Games saved by the browser board on Windows."),
            ("results.jsonl", "In the folder of games: results for the rating of the player."),
            ("practice.jsonl", "In the folder of games: results of practice in the browser."),
            ("practice/", "Beside the folder of games: results of practice in the terminal."),
            (
                "FILE.kakugo-index",
                "Beside a file of 4 MiB or more: the index of explore, which can be deleted.",
            ),
        ],
    ),
];

/// Runs `man`, which prints the man page (roff): the program, then each subcommand, followed by its
/// own subcommands.
///
/// # Errors
/// Returns an error if stdout cannot be written.
pub fn man_page(program: Command) -> anyhow::Result<()> {
    // The long version names the kernel of the current CPU. The page must not depend on it.
    let mut program = program.long_version(None);
    program.build();
    let mut output = io::stdout();
    write_page(&program, PROGRAM_SECTIONS, &mut output)?;
    write_subcommands(&program, &mut output)
}

fn write_subcommands(command: &Command, output: &mut impl Write) -> anyhow::Result<()> {
    for subcommand in command.get_subcommands().filter(|c| c.get_name() != "help") {
        write_page(subcommand, &[], output)?;
        write_subcommands(subcommand, output)?;
    }
    Ok(())
}

/// Writes the page of one command. Examples are written here, because the generator would reflow
/// them like a paragraph.
fn write_page(
    command: &Command,
    sections: &Sections,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    Man::new(command.clone().after_help(None::<&str>)).render(output)?;
    let mut roff = Roff::new();
    for (heading, entries) in sections {
        roff.control("SH", [*heading]);
        for (term, text) in *entries {
            roff.control("TP", []).text([roman(*term)]).text([roman(*text)]);
        }
    }
    let (examples, notes) = split_help(&help);
    if !notes.is_empty() {
        roff.control("SH", ["NOTES"]).text([roman(notes)]);
    }
    if !examples.is_empty() {
        roff.control("SH", ["EXAMPLES"]).control("nf", []);
        for line in examples {
            roff.text([roman(line)]);
        }
        roff.control("fi", []);
    }
    Ok(roff.to_writer(output)?)
}

/// Splits the text after a command's help into examples and notes. The notes become one line.
fn split_help(help: &str) -> (Vec<&str>, String) {
    let lines = help.lines().filter(|line| !line.starts_with("Example"));
    let (examples, notes): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with("  "));
    let examples = examples.into_iter().map(|line| &line[2..]).collect();
    let notes: Vec<&str> = notes.into_iter().filter(|line| !line.is_empty()).collect();
    (examples, notes.join(" "))
}
