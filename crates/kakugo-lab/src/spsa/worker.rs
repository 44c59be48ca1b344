//! The process that plays pairs. It gets a line of JSON with what all pairs have in common, then one
//! a pair, and answers each of these with a line. It ends when its input does.

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

/// Between two looks at whether a pair is still wanted.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// How often a pair is tried whose worker ends.
const ATTEMPTS: usize = 2;

/// What all pairs of a run have in common.
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

/// What a pair has come to.
#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Answer {
    number: u32,
    result: i32,
}

/// Play the pairs that are asked for until the input ends; `set` sets a tunable.
///
/// # Errors
/// A line cannot be understood, or nobody reads the answers.
pub(super) fn serve(
    input: impl BufRead,
    output: &mut impl Write,
    set: fn(&str, i32) -> bool,
) -> anyhow::Result<()> {
    let mut lines = input.lines();
    let Some(first) = lines.next() else { return Ok(()) };
    let task: Task = serde_json::from_str(&first?).context("what all pairs have in common")?;
    let hash_bytes = (task.hash as usize).saturating_mul(1 << 20);
    let mut engines = Engines::new(hash_bytes, &networks(&task.nets)?, &task.names, set);
    for line in lines {
        let trial: Trial = serde_json::from_str(&line?).context("a pair to play")?;
        let Trial { number, values, seed, .. } = trial;
        let are_complete = values.iter().all(|values| values.len() == task.names.len());
        ensure!(are_complete, "pair {number} does not have a value for each tunable");
        engines.set_values(values);
        let result = play_pair(&mut engines, &task.boards, task.nodes, seed)?;
        let answer = serde_json::to_string(&Answer { number, result })?;
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

/// A worker as the driver sees it. A worker that ends, whatever the cause, is replaced once a pair.
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
    /// A worker that is started, as `program spsa --worker`, when there is something to do.
    pub(super) fn new(program: &'a Path, settings: &Settings) -> Worker<'a> {
        Worker { program, task: Task::of(settings), process: None }
    }

    /// Have a pair played. `None`: it is not wanted any more, as `is_over` says.
    ///
    /// # Errors
    /// The worker cannot be started, or ended each time.
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
                    log::warn!("pair {}: {error:#}; once more", trial.number);
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
        writeln!(process.input, "{}", serde_json::to_string(trial)?).context("asking a worker")?;
        loop {
            match process.answers.recv_timeout(LOOK_EVERY) {
                Ok(line) => {
                    let answer: Answer = serde_json::from_str(&line).context(line)?;
                    ensure!(answer.number == trial.number, "a worker answers another question");
                    return Ok(Some(answer.result));
                }
                Err(RecvTimeoutError::Timeout) if is_over() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    bail!("a worker ended: {}", process.child.wait()?)
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
        writeln!(process.input, "{}", serde_json::to_string(task)?).context("asking a worker")?;
        Ok(process)
    }
}

/// A worker that still plays is ended at once: its result is not wanted any more.
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
    fn a_worker_answers_every_pair_and_ends_with_its_input() {
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
        // Nothing is set here, and players that do not differ win alike.
        assert!(answers.iter().all(|answer| answer.result == 0));
        assert_eq!(serve_text(&input).1, output);
    }

    #[test]
    fn what_a_worker_does_not_understand_ends_it() {
        let settings = settings(9, 0.1, &[10, 20]);
        let task = serde_json::to_string(&Task::of(&settings)).unwrap();
        let mut trial = Climb::new(&settings).trial(0).unwrap();
        trial.values[1].pop();
        let short = serde_json::to_string(&trial).unwrap();
        for (input, error) in [
            ("{}".to_owned(), "what all pairs have in common"),
            (format!("{task}\nBEGIN\n"), "a pair to play"),
            (format!("{task}\n{short}\n"), "pair 0 does not have a value for each tunable"),
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
