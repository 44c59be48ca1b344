//! The `match` command: plays the match and prints the results.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, ensure};

use super::game;
use super::journal::{Journal, JournalWriter};
use super::options::{MatchArgs, MatchPlan, Outputs, Subcommand};
use super::report::{self, LiveMatch, MatchTally, ProgressBar};
use super::schedule::{ScheduledGame, schedule};
use super::services::{self, Services};
use super::settings::{MatchSettings, Opening};
use kakugo_cli::ctrl_c::{self, INTERRUPTED};
use kakugo_cli::stderr::note;
use kakugo_protocol::client;

/// Runs `match` with these arguments. `program` is the executable for engines given as `self`.
///
/// # Errors
/// Fails if an argument is invalid, an engine cannot be started, or a file cannot be read or
/// written.
pub fn run(args: MatchArgs, program: &Path) -> Result<ExitCode> {
    let services =
        Services { prove: Some(&services::prove), evaluate: Some(&services::evaluate), program };
    if let Some(Subcommand::Report { records, outputs }) = &args.command {
        let journal = Journal::merge(records)?;
        write_results(&journal, outputs)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut search: Option<ProgressBar> = None;
    let plan = args.plan(&services, &mut |found, total| {
        search.get_or_insert_with(|| ProgressBar::new(total as u64, 0)).set_openings(found);
    });
    if let Some(search) = search {
        search.finish();
    }
    let plan = plan?;
    client::adopt_orphans();
    let stop = Arc::new(AtomicBool::new(false));
    let interrupted = Arc::new(AtomicBool::new(false));
    let (on_stop, on_interrupt) = (Arc::clone(&stop), Arc::clone(&interrupted));
    ctrl_c::on_interrupt(move || {
        on_interrupt.store(true, Ordering::Relaxed);
        on_stop.store(true, Ordering::Relaxed);
    })
    .context("installing the Ctrl-C handler")?;
    let (journal, played) = play(&plan, &services, &stop)?;
    if let Err(error) = played {
        // The games played so far count.
        if !journal.games.is_empty()
            && let Err(error) = write_results(&journal, &plan.outputs)
        {
            note(format_args!("{error:#}"));
        }
        return Err(error);
    }
    write_results(&journal, &plan.outputs)?;
    let code = if interrupted.load(Ordering::Relaxed) { INTERRUPTED } else { 0 };
    Ok(ExitCode::from(code))
}

/// Plays the remaining games of the match. Returns all games, and the error that ended the match
/// early.
fn play(
    plan: &MatchPlan,
    services: &Services<'_>,
    stop: &AtomicBool,
) -> Result<(Journal, Result<()>)> {
    let MatchPlan { settings, options, .. } = plan;
    let scheduled: Vec<ScheduledGame> =
        schedule(settings).filter(|game| plan.shard.contains(game.pair as usize)).collect();
    let mut order: Vec<u32> = scheduled.iter().map(|game| game.pair).collect();
    order.dedup();
    let mut live = LiveMatch::new(settings.clone(), order);
    let (mut writer, mut decided) = (None, false);
    if let Some(path) = &options.record {
        if options.resume && path.exists() {
            let (journal, before) = JournalWriter::append(path, settings)?;
            for game in before.games.into_values() {
                decided |= live.add(game);
            }
            writer = Some(journal);
        } else {
            writer = Some(JournalWriter::create(path, settings)?);
        }
    }
    let left: Vec<ScheduledGame> =
        scheduled.iter().filter(|game| !live.has(game.id)).copied().collect();
    announce(settings, scheduled.len(), left.len());
    if decided || left.is_empty() {
        return Ok((live.into_journal(), Ok(())));
    }
    let mut progress =
        ProgressBar::new(scheduled.len() as u64, (scheduled.len() - left.len()) as u64);
    let prover = if settings.adjudicate { services.prove } else { None };
    ensure!(prover.is_some() == settings.adjudicate, "cannot adjudicate: no solver is available");
    let workers = options.concurrency.unwrap_or(1);
    let result = game::play(settings, left.into_iter(), workers, prover, stop, |game| {
        let written = writer.as_mut().map_or(Ok(()), |writer| writer.write_game(&game));
        if game.reason.is_fault() {
            progress.note(&game.summary(settings.win_length));
        }
        let decided = live.add(game);
        progress.game(&live.state());
        written?;
        Ok(if decided { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    });
    progress.finish();
    Ok((live.into_journal(), result))
}

/// Prints the match to be played on stderr.
fn announce(settings: &MatchSettings, games: usize, left: usize) {
    let names: Vec<String> = settings.engines.iter().map(ToString::to_string).collect();
    note(format_args!(
        "seed {}, {games} games, {left} left to play: {}",
        settings.seed,
        names.join(", ")
    ));
    if settings.openings.is_empty() && !settings.swap2 {
        note("warning: no openings: deterministic engines will repeat the same two games");
    }
    if settings.openings.iter().any(Opening::has_blocked_points) {
        note(
            "warning: openings with blocked points: engines receive them as x,y,3 in BOARD, and one \
             that ignores them may play there and lose",
        );
    }
    let unlimited: Vec<&str> = settings
        .engines
        .iter()
        .filter(|engine| !engine.has_limit())
        .map(|engine| &*engine.name)
        .collect();
    if !unlimited.is_empty() {
        note(format_args!(
            "warning: no limit for {} (turn=, match=, nodes= or depth=): moves may take minutes",
            unlimited.join(", ")
        ));
    }
}

/// Prints the results and writes the requested files.
fn write_results(journal: &Journal, outputs: &Outputs) -> Result<()> {
    let tally = MatchTally::from_journal(journal);
    let result =
        if outputs.json { report::json(journal, &tally) } else { report::text(journal, &tally) };
    // Files are written even if stdout is closed, and the results printed even if a file fails.
    let printed = std::io::stdout().write_all(result.as_bytes());
    let html = match &outputs.html {
        Some(path) => report::write_text(path, &report::html(journal, &tally)),
        None => Ok(()),
    };
    report::write_games(journal, outputs).and(html)?;
    Ok(printed?)
}
