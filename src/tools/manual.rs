//! What other programs are told about our command line: shells their completions, `man` its page.

use std::io;

use clap::{Args, Command};
use clap_complete::{Generator, Shell};

/// Print completions for a shell.
#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

/// Run `completions`: a script for a shell on stdout.
///
/// # Errors
/// Nobody reads stdout.
pub fn completions(args: &CompletionsArgs, mut program: Command) -> anyhow::Result<()> {
    program.set_bin_name("pbrain-kakugo");
    program.build();
    Ok(args.shell.try_generate(&program, &mut io::stdout())?)
}

/// Run `man`: the page (roff) on stdout, the program first and then each subcommand.
///
/// # Errors
/// Nobody reads stdout.
pub fn page(mut program: Command) -> anyhow::Result<()> {
    program.build();
    let mut output = io::stdout();
    clap_mangen::Man::new(program.clone()).render(&mut output)?;
    for subcommand in program.get_subcommands().filter(|c| c.get_name() != "help") {
        clap_mangen::Man::new(subcommand.clone()).render(&mut output)?;
    }
    Ok(())
}
