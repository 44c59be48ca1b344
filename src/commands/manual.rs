//! What other programs are told about our command line: shells their completions, `man` its page.

use std::io::{self, Write};

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command};
use clap_complete::{Generator, Shell};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

use kakugo::board::Rule;
use kakugo_record::file::Format;

/// What the program is called.
const NAME: &str = "pbrain-kakugo";

/// Print completions for a shell.
#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Words that an argument of this name takes, in whichever subcommand.
pub type Words<'a> = (&'a str, Vec<&'static str>);

/// Run `completions`: a script for a shell on stdout. `words` are those known beyond this module.
///
/// # Errors
/// Nobody reads stdout.
pub fn completions(
    args: &CompletionsArgs,
    program: Command,
    words: &[Words<'_>],
) -> anyhow::Result<()> {
    let levels = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"];
    let players = [&["human", "kakugo", "engine1"][..], &levels].concat();
    let own = [
        ("rule", Rule::ALL.map(Rule::word).to_vec()),
        ("rules", Rule::ALL.map(Rule::word).to_vec()),
        ("from", Format::names().collect()),
        ("to", Format::names().collect()),
        ("level", levels.to_vec()),
        ("black", players.clone()),
        ("white", players),
    ];
    let mut program = taking(program, &[&own, words].concat());
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

/// The program, with arguments that tell which words they take. (They are parsed by types, which
/// cannot say so.)
fn taking(program: Command, words: &[Words<'_>]) -> Command {
    let told = |arg: Arg| match words.iter().find(|(name, _)| arg.get_id() == name) {
        Some((_, words)) => arg.value_parser(PossibleValuesParser::new(words)),
        None => arg,
    };
    program.mut_args(told).mut_subcommands(|subcommand| taking(subcommand, words))
}

/// The script for bash. The generator does not know what it calls a program whose name has a hyphen,
/// so it is given another name, and the script is then registered for the right one.
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

/// What the page of the program has besides what its command line tells: headings, each with things and
/// what is to be said of them.
type Sections = [(&'static str, &'static [(&'static str, &'static str)])];

const OF_PROGRAM: &Sections = &[
    (
        "EXIT STATUS",
        &[
            ("0", "All is well."),
            (
                "1",
                "Something failed: a file that is not there, an engine that does not start, a check.",
            ),
            (
                "2",
                "A mistake in the command line, a network of --net that cannot be loaded among them.",
            ),
            ("130", "Ctrl-C ended match, check or the terminal board."),
        ],
    ),
    (
        "ENVIRONMENT",
        &[
            (
                "KAKUGO_LOG, RUST_LOG",
                "What is logged on stderr: info, or trace for every line between the program and the \
                 engines that it runs, too. The first one that is set counts; without them nothing is \
                 logged.",
            ),
            ("NO_COLOR", "If it is set, nothing has colours in the terminal."),
        ],
    ),
    (
        "FILES",
        &[
            (
                "~/.local/share/kakugo/games",
                "The games of the page, on Linux (or in $XDG_DATA_HOME).",
            ),
            ("~/Library/Application Support/kakugo/games", "The same on macOS."),
            ("%APPDATA%\\kakugo\\data\\games", "The same on Windows."),
        ],
    ),
];

/// Run `man`: the page (roff) on stdout, the program first and then each subcommand, each followed by
/// its own.
///
/// # Errors
/// Nobody reads stdout.
pub fn page(program: Command) -> anyhow::Result<()> {
    // The page is the same wherever it is printed: no word of this machine's kernels.
    let mut program = program.long_version(None);
    program.build();
    let mut output = io::stdout();
    write_page(&program, OF_PROGRAM, &mut output)?;
    write_subcommands(&program, &mut output)
}

fn write_subcommands(command: &Command, output: &mut impl Write) -> anyhow::Result<()> {
    for subcommand in command.get_subcommands().filter(|c| c.get_name() != "help") {
        write_page(subcommand, &[], output)?;
        write_subcommands(subcommand, output)?;
    }
    Ok(())
}

/// The page of one command. The generator would fill its examples like a paragraph.
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
        for (thing, text) in *entries {
            roff.control("TP", []).text([roman(*thing)]).text([roman(*text)]);
        }
    }
    let (examples, notes) = parts(&help);
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

/// The examples in the help of a command, and the rest of it, on one line.
fn parts(help: &str) -> (Vec<&str>, String) {
    let lines = help.lines().filter(|line| !line.starts_with("Example"));
    let (examples, notes): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with("  "));
    let examples = examples.into_iter().map(|line| &line[2..]).collect();
    let notes: Vec<&str> = notes.into_iter().filter(|line| !line.is_empty()).collect();
    (examples, notes.join(" "))
}
