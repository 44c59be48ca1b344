//! A run: training of all sections, the checkpoint, and the network file.

use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use super::checkpoint;
use super::course::Course;
use super::curve;
use super::feed::Feed;
use super::games::{Games, ScoredGame};
use super::gradient::value;
use super::linear_baseline::LinearBaseline;
use super::nats::UNITS;
use super::progress::ProgressReporter;
use super::quantise;
use super::report::{Report, predict};
use super::samples::{Samples, Selection};
use super::settings::Settings;
use crate::selfplay::Sizes;
use kakugo::board::{Rule, Side};
use kakugo::eval::network::{MAX_SIDE, Network, Section};
use kakugo::eval::weights;
use kakugo_cli::run_file;
use kakugo_cli::stderr::note;

/// Time between two checkpoints.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(60);
/// Approximate number of held-out positions for the loss curve.
const CURVE_POSITIONS: usize = 16_000;

/// A training run.
pub(super) struct Run<'r> {
    pub(super) rule: Rule,
    pub(super) games: &'r Games,
    pub(super) settings: Settings,
    /// Path of the network. Checkpoint and curves are written next to it.
    pub(super) out: &'r Path,
    /// True to resume from the checkpoint.
    pub(super) resume: bool,
    /// The initial network, instead of random weights.
    pub(super) from: Option<&'r Network>,
    /// Board sizes that the network supports. By default those of the games and of `from`.
    pub(super) sizes: Option<Sizes>,
}

/// Returns the sections of a rule's network.
fn sections(rule: Rule) -> impl Iterator<Item = usize> {
    let first = weights::section(rule, Side::Black);
    first..first + Network::sections_of(rule)
}

/// Returns the held-out positions of a section, including solved ones.
fn held_out(games: &Games, rule: Rule, section: usize) -> Vec<Samples> {
    let games: Vec<&ScoredGame> = games.held_out.iter().collect();
    Samples::of(&games, &Selection { rule, section, solved: true })
}

impl Run<'_> {
    /// Trains all sections and writes the network. Stops early if `stop` is set.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written, or if games, network, checkpoint and
    /// settings do not fit together.
    pub(super) fn train(&self, stop: &AtomicBool, output: &mut dyn Write) -> anyhow::Result<()> {
        if let Some(from) = self.from {
            ensure_rule(from, self.rule)?;
        }
        run_file::ensure_writable(self.out)?;
        let (least, most) = self.supported_sizes();
        ensure!(
            most <= MAX_SIDE,
            "networks support boards up to {MAX_SIDE}x{MAX_SIDE}, not {most}x{most}"
        );
        let fingerprint = self.games.fingerprint();
        let path = checkpoint::with_extension(self.out, "checkpoint");
        let save = |courses: &[Course]| {
            checkpoint::write(&path, &self.settings, fingerprint, courses)?;
            self.write_curves(courses)
        };
        ensure!(
            self.resume || !path.exists(),
            "{} belongs to an unfinished run: use --resume, or remove the file",
            path.display()
        );
        let resumed =
            if self.resume { checkpoint::read(&path, &self.settings, fingerprint)? } else { None };
        let (mut courses, mut done) = (resumed.unwrap_or_default(), Vec::new());
        let mut summaries = Vec::new();
        for (i, section) in sections(self.rule).enumerate() {
            if courses.len() == i {
                let from = self.from.map(|network| &network.sections[i]);
                courses
                    .push(Course::new(section, &self.settings, from).context("no such section")?);
            }
            let held_out = held_out(self.games, self.rule, section);
            if !self.learn(&mut courses, i, &held_out, stop, &save)? {
                save(&courses)?;
                note("stopped; run the same command with --resume to continue");
                return Ok(());
            }
            save(&courses)?;
            let baseline = LinearBaseline::fit(&self.games.train, section, &self.settings);
            let (finished, summary) = finish(&courses[i], &baseline, &held_out, output)?;
            done.push(finished);
            summaries.push(summary);
        }
        let description = self.description(&summaries);
        let network = Network {
            rule: self.rule,
            min_size: least,
            max_size: most,
            description,
            sections: done,
        };
        network.check().context("the network cannot be written")?;
        std::fs::write(self.out, network.to_bytes())
            .with_context(|| format!("writing {}", self.out.display()))?;
        std::fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))
    }

    /// Trains course `i`. Returns false if it was stopped.
    fn learn(
        &self,
        courses: &mut [Course],
        i: usize,
        held_out: &[Samples],
        stop: &AtomicBool,
        save: &dyn Fn(&[Course]) -> anyhow::Result<()>,
    ) -> anyhow::Result<bool> {
        let mut positions = 0;
        let lengths: Vec<_> = held_out.iter().map(Samples::len).collect();
        let parts = lengths.iter().take_while(|&&n| {
            positions += n;
            positions - n < CURVE_POSITIONS
        });
        let curve = &held_out[..parts.count()];
        let section = courses[i].progress.section;
        let mut feed = Feed::new(&self.games.train, section, self.settings);
        let mut reporter = ProgressReporter::new(self.settings.samples, courses[i].progress.done);
        let mut saved = Instant::now();
        while !stop.load(Ordering::Relaxed) {
            let course = &mut courses[i];
            if !course.learn_block(&mut feed, &self.settings) {
                reporter.finish();
                return Ok(true);
            }
            ensure!(!course.has_no_samples(&feed), "the games contain no training positions");
            course.measure(curve, &self.settings);
            if let Some(point) = course.progress.curve.last() {
                let losses = format!("loss {:.5}, held out {:.5}", point.train, point.held_out);
                reporter.update(course.progress.done, &losses);
            }
            if saved.elapsed() >= CHECKPOINT_INTERVAL {
                saved = Instant::now();
                save(courses)?;
            }
        }
        reporter.finish();
        Ok(false)
    }

    fn write_curves(&self, courses: &[Course]) -> anyhow::Result<()> {
        let sections: Vec<_> = courses.iter().map(|course| &course.progress).collect();
        let write = |extension: &str, text: String| {
            let path = checkpoint::with_extension(self.out, extension);
            std::fs::write(&path, text).with_context(|| format!("writing {}", path.display()))
        };
        write("curve.csv", curve::csv(&sections))?;
        #[cfg(feature = "plots")]
        if let Some(picture) = curve::svg(&sections) {
            write("curve.svg", picture)?;
        }
        Ok(())
    }

    /// Returns the minimum and maximum side of the boards that the network supports.
    fn supported_sizes(&self) -> (u8, u8) {
        if let Some(Sizes { min, max }) = self.sizes {
            return (min, max);
        }
        let (min, max) = self.games.sizes();
        self.from.map_or((min, max), |from| (min.min(from.min_size), max.max(from.max_size)))
    }

    fn description(&self, summaries: &[String]) -> String {
        let Settings { samples, share, decay, seed, from, .. } = self.settings;
        let from = from.map_or_else(String::new, |checksum| format!("{checksum:08x} and "));
        let mut text = format!(
            "{from}{} games, {} M samples, share {share}, decay {decay}, seed {seed}; {}",
            self.games.train.len(),
            samples as f64 / 1e6,
            summaries.join("; ")
        );
        text.truncate(usize::from(u8::MAX));
        text
    }
}

/// Quantises a trained section and prints its report. Returns the section with a summary.
fn finish(
    course: &Course,
    baseline: &LinearBaseline,
    held_out: &[Samples],
    output: &mut dyn Write,
) -> anyhow::Result<(Section, String)> {
    let weights = &course.learner.weights;
    let predictions = predict(held_out, baseline, |s, cells| value(weights, s, cells));
    let report = Report::of(&predictions);
    let line = report.unsolved();
    let [net, .., search] = line.fits;
    // The network's scores must have the scale of the search's scores.
    let scale = f64::from(UNITS) * net.scale / search.scale;
    let section = quantise::section(weights, scale);
    let quantise::Difference { mean, largest } = quantise::difference(&section, weights, held_out);
    let scale = section.scale;
    writeln!(
        output,
        "{report}\nscale {scale} score units per nat; quantisation error {mean:.2} on average, \
         at most {largest:.1}"
    )?;
    Ok((section, format!("loss {:.4}, gap {:.0} %", net.loss, 100.0 * line.gap())))
}

/// Checks the rule of a network.
///
/// # Errors
/// Returns an error if the network is for another rule.
fn ensure_rule(network: &Network, rule: Rule) -> anyhow::Result<()> {
    let of = |rule| weights::section(rule, Side::Black);
    ensure!(
        of(network.rule) == of(rule),
        "the network is for {}, but the games are {rule}",
        network.rule
    );
    Ok(())
}

/// Reports the prediction quality of a network.
///
/// # Errors
/// Returns an error if the network is for another rule than the games.
pub(super) fn report(
    network: &Network,
    rule: Rule,
    games: &Games,
    settings: &Settings,
    output: &mut dyn Write,
) -> anyhow::Result<()> {
    ensure_rule(network, rule)?;
    writeln!(output, "{}", network.description)?;
    for (section, integers) in sections(rule).zip(&network.sections) {
        let held_out = held_out(games, rule, section);
        let baseline = LinearBaseline::fit(&games.train, section, settings);
        let predictions = predict(&held_out, &baseline, |sample, cells| {
            quantise::score(integers, sample, cells).value() as f32 / UNITS
        });
        writeln!(output, "{}", Report::of(&predictions))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::train::random;
    use kakugo::board::Variant;

    #[test]
    fn resumed_runs_write_identical_networks() {
        let games = random::games(Variant::RENJU, 150, 3);
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings {
            samples: 6_000,
            batch: 256,
            rate: 0.002,
            share: 0.5,
            decay: 1.0,
            solved: true,
            seed: 4,
            from: None,
        };
        let (whole, again) = (folder.path().join("whole.net"), folder.path().join("again.net"));
        let run_new_or_old = |out, stop: &AtomicBool, resume| {
            let run = Run {
                rule: Rule::Renju,
                games: &games,
                settings,
                out,
                resume,
                from: None,
                sizes: None,
            };
            run.train(stop, &mut std::io::sink())
        };
        let run = |out, stop: &AtomicBool| run_new_or_old(out, stop, true).unwrap();
        run(&whole, &AtomicBool::new(false));
        run(&again, &AtomicBool::new(true));
        assert!(!again.exists());
        let checkpoint = folder.path().join("again.net.checkpoint");
        let unfinished = fs::read(&checkpoint).unwrap();
        assert!(run_new_or_old(&again, &AtomicBool::new(false), false).is_err());
        assert!(fs::read(&checkpoint).unwrap() == unfinished, "the checkpoint was modified");
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(100));
                stop.store(true, Ordering::Relaxed);
            });
            run(&again, &stop);
        });
        run(&again, &AtomicBool::new(false));
        let bytes = fs::read(&whole).unwrap();
        assert!(fs::read(&again).unwrap() == bytes);
        assert!(!checkpoint.exists(), "the checkpoint was not removed");
        let network = Network::from_bytes(&bytes).unwrap();
        assert_eq!((network.rule, network.min_size, network.max_size), (Rule::Renju, 9, 9));
        assert!(network.sections[0] != network.sections[1]);
        assert!(network.description.contains("seed 4"), "{}", network.description);
        let curve = fs::read_to_string(folder.path().join("whole.net.curve.csv")).unwrap();
        for side in ["Black,", "White,"] {
            assert!(curve.lines().any(|line| line.starts_with(side)), "{curve}");
        }
        let mut output = Vec::new();
        report(&network, Rule::Renju, &games, &settings, &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        assert_eq!(text.matches("unsolved").count(), 2, "{text}");
        let output = &mut std::io::sink();

        // With a learning rate of 0 the result is the initial network.
        let settings = Settings { samples: 256, rate: 0.0, from: Some(7), ..settings };
        let from = folder.path().join("from.net");
        let larger = Network { max_size: 12, ..network.clone() };
        let run_for = |rule, sizes| {
            let (out, resume, from) = (from.as_path(), false, Some(&larger));
            let run = Run { rule, games: &games, settings, out, resume, from, sizes };
            run.train(&AtomicBool::new(false), &mut std::io::sink())
        };
        let run_from = |rule| run_for(rule, None);
        let error = run_from(Rule::Freestyle).unwrap_err().to_string();
        assert!(error.contains("the network is for renju"), "{error}");
        run_from(Rule::Renju).unwrap();
        let mut same = Network::from_bytes(&fs::read(&from).unwrap()).unwrap();
        assert!(same.description.starts_with("00000007 and "), "{}", same.description);
        assert_eq!((same.min_size, same.max_size), (9, 12));
        for (section, first) in same.sections.iter_mut().zip(&network.sections) {
            section.scale = first.scale;
        }
        assert!(same.sections == network.sections);
        run_for(Rule::Renju, Sizes::new(8, 27)).unwrap();
        let sized = Network::from_bytes(&fs::read(&from).unwrap()).unwrap();
        assert_eq!((sized.min_size, sized.max_size), (8, 27));
        let error = run_for(Rule::Renju, Sizes::new(8, 28)).unwrap_err().to_string();
        assert!(error.contains("up to 27x27, not 28x28"), "{error}");

        assert!(report(&network, Rule::Freestyle, &games, &settings, output).is_err());
    }
}
