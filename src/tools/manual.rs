//! What other programs are told about our command line: shells their completions, `man` its page.

use std::io::{self, Write};

use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command};
use clap_complete::{Generator, Shell};

use crate::board::Rule;
use crate::record::file::Format;

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
        ("from", Format::words().collect()),
        ("to", Format::words().collect()),
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

/// Run `man`: the page (roff) on stdout, the program first and then each subcommand.
///
/// # Errors
/// Nobody reads stdout.
pub fn page(program: Command) -> anyhow::Result<()> {
    // The page is the same wherever it is printed: no word of this machine's kernels.
    let mut program = program.long_version(None);
    program.build();
    let mut output = io::stdout();
    clap_mangen::Man::new(program.clone()).render(&mut output)?;
    for subcommand in program.get_subcommands().filter(|c| c.get_name() != "help") {
        clap_mangen::Man::new(subcommand.clone()).render(&mut output)?;
    }
    Ok(())
}
