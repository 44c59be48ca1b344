//! The process that plays pairs, and its client. It reads a line of JSON with the settings of all
//! pairs, then one line per pair, and answers each pair with a line. It ends with its input.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};

use super::boards::Boards;
use super::climb::Trial;
use super::pair::play_pair;
use super::players::Engines;
use super::settings::{Settings, networks};

/// Time between two checks if the pair should be abandoned.
const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Maximum number of attempts to play a pair if the worker ends unexpectedly.
const ATTEMPTS: usize = 2;

/// The settings of all pairs of a run.
#[derive(Serialize, Deserialize)]
struct Task {
    names: Vec<String>,
    boards: Boards,
    nets: Vec<String>,
    nodes: u32,
    /// In MiB.
    hash: u32,
}

impl Task {
    fn of(settings: &Settings) -> Task {
        let names = settings.dimensions.iter().map(|dimension| dimension.name.clone()).collect();
        let Settings { boards, nets, nodes, hash, .. } = settings.clone();
        Task { names, boards, nets, nodes, hash }
    }
}

/// The result of a pair.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Answer {
    number: u32,
    result: i32,
}

/// Plays the requested pairs until the input ends. `set` sets a tunable.
///
/// # Errors
/// Returns an error if a line is invalid or the output cannot be written.
pub(super) fn serve(
    input: impl BufRead,
    output: &mut impl Write,
    set: fn(&str, i32) -> bool,
) -> anyhow::Result<()> {
    let mut lines = input.lines();
    let Some(first) = lines.next() else { return Ok(()) };
    let task: Task = serde_json::from_str(&first?).context("invalid settings of the pairs")?;
    let hash_bytes = (task.hash as usize).saturating_mul(1 << 20);
    let mut engines = Engines::new(hash_bytes, &networks(&task.nets)?, &task.names, set);
    for line in lines {
        let trial: Trial = serde_json::from_str(&line?).context("invalid pair")?;
        let Trial { number, values, seed, .. } = trial;
        let are_complete = values.iter().all(|values| values.len() == task.names.len());
        ensure!(are_complete, "pair {number} has the wrong number of values");
        engines.set_values(values);
        let result = play_pair(&mut engines, &task.boards, task.nodes, seed)?;
        let answer = serde_json::to_string(&Answer { number, result })?;
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

/// The client of a worker process. A process that ends unexpectedly is restarted once per pair.
pub(super) struct Worker<'a> {
    program: &'a Path,
    task: Task,
    process: Option<Process>,
}

struct Process {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
}

impl<'a> Worker<'a> {
    /// Returns a worker. Its process, `program spsa --worker`, is started by the first pair.
    pub(super) fn new(program: &'a Path, settings: &Settings) -> Worker<'a> {
        Worker { program, task: Task::of(settings), process: None }
    }

    /// Plays a pair. Returns `None` if `is_over` stops it.
    ///
    /// # Errors
    /// Returns an error if the worker cannot be started or ends unexpectedly each time.
    pub(super) fn play(
        &mut self,
        trial: &Trial,
        is_over: &dyn Fn() -> bool,
    ) -> anyhow::Result<Option<i32>> {
        for attempt in 1.. {
            match self.try_to_play(trial, is_over) {
                Err(_) if is_over() => return Ok(None),
                Err(error) if attempt == ATTEMPTS => {
                    return Err(error.context(format!("pair {}", trial.number)));
                }
                Err(error) => {
                    log::warn!("pair {}: {error:#}; trying again", trial.number);
                    self.process = None;
                }
                Ok(result) => return Ok(result),
            }
        }
        Ok(None)
    }

    fn try_to_play(
        &mut self,
        trial: &Trial,
        is_over: &dyn Fn() -> bool,
    ) -> anyhow::Result<Option<i32>> {
        let process = match &mut self.process {
            Some(process) => process,
            none => none.insert(Process::start(self.program, &self.task)?),
        };
        writeln!(process.input, "{}", serde_json::to_string(trial)?)
            .context("writing to a worker")?;
        loop {
            match process.answers.recv_timeout(POLL_INTERVAL) {
                Ok(line) => {
                    let answer: Answer = serde_json::from_str(&line).context(line)?;
                    ensure!(answer.number == trial.number, "a worker answered for another pair");
                    return Ok(Some(answer.result));
                }
                Err(RecvTimeoutError::Timeout) if is_over() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    bail!("a worker ended unexpectedly: {}", process.child.wait()?)
                }
            }
        }
    }
}

impl Process {
    fn start(program: &Path, task: &Task) -> anyhow::Result<Process> {
        let mut command = Command::new(program);
        command.args(["spsa", "--worker"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().context("starting a worker")?;
        let (input, output) = child.stdin.take().zip(child.stdout.take()).context("no pipes")?;
        let (sender, answers) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let mut process = Process { child, input, answers };
        writeln!(process.input, "{}", serde_json::to_string(task)?)
            .context("writing to a worker")?;
        Ok(process)
    }
}

/// Kills a worker that is still playing, because its result is not needed.
impl Drop for Process {
    fn drop(&mut self) {
        _ = self.child.kill();
        _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spsa::climb::Climb;
    use crate::spsa::climb::tests::settings;

    fn serve_text(input: &str) -> (anyhow::Result<()>, String) {
        let mut output = Vec::new();
        let served = serve(input.as_bytes(), &mut output, |_, _| true);
        (served, String::from_utf8(output).unwrap())
    }

    #[test]
    fn a_worker_answers_every_pair() {
        let settings = settings(9, 0.1, &[10, 20]);
        let climb = Climb::new(&settings);
        let mut input = serde_json::to_string(&Task::of(&settings)).unwrap();
        for number in [4, 5] {
            input += "\n";
            input += &serde_json::to_string(&climb.trial(number).unwrap()).unwrap();
        }
        let (served, output) = serve_text(&input);
        served.unwrap();
        let read = |line| serde_json::from_str(line).unwrap();
        let answers: Vec<Answer> = output.lines().map(read).collect();
        assert_eq!(answers.iter().map(|answer| answer.number).collect::<Vec<_>>(), [4, 5]);
        // No tunable is set here, so equal players score equally.
        assert!(answers.iter().all(|answer| answer.result == 0));
        assert_eq!(serve_text(&input).1, output);
    }

    #[test]
    fn invalid_input_ends_a_worker() {
        let settings = settings(9, 0.1, &[10, 20]);
        let task = serde_json::to_string(&Task::of(&settings)).unwrap();
        let mut trial = Climb::new(&settings).trial(0).unwrap();
        trial.values[1].pop();
        let short = serde_json::to_string(&trial).unwrap();
        for (input, error) in [
            ("{}".to_owned(), "invalid settings of the pairs"),
            (format!("{task}\nBEGIN\n"), "invalid pair"),
            (format!("{task}\n{short}\n"), "pair 0 has the wrong number of values"),
        ] {
            assert_eq!(serve_text(&input).0.unwrap_err().to_string(), error);
        }
        assert!(serve_text("").0.is_ok());
    }

    #[test]
    fn a_worker_that_cannot_be_started_is_an_error() {
        let settings = settings(9, 0.1, &[10, 20]);
        let trial = Climb::new(&settings).trial(3).unwrap();
        let mut worker = Worker::new(Path::new("/there/is/no/such/program"), &settings);
        let error = worker.play(&trial, &|| false).unwrap_err();
        assert_eq!(
            format!("{error:#}").split(": ").take(2).collect::<Vec<_>>(),
            ["pair 3", "starting a worker"]
        );
        assert!(matches!(worker.play(&trial, &|| true), Ok(None)));
    }
}
