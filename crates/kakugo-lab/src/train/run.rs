//! A run: sections one after another, the checkpoint, the network in the end.

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
use super::nats::UNITS;
use super::progress::Teller;
use super::quantise;
use super::refit::Refit;
use super::report::{Report, judge};
use super::samples::{Samples, Selection};
use super::settings::Settings;
use crate::selfplay::Sizes;
use kakugo::board::{Rule, Side};
use kakugo::eval::network::{LONGEST_SIDE, Network, Section};
use kakugo::eval::weights;
use kakugo_cli::run_file;
use kakugo_cli::stderr::note;

/// Time between two checkpoints.
const SAVE_EVERY: Duration = Duration::from_secs(60);
/// Held-out positions of the curve, about.
const CURVE_POSITIONS: usize = 16_000;

/// What to train, and where it goes.
pub(super) struct Run<'r> {
    pub(super) rule: Rule,
    pub(super) games: &'r Games,
    pub(super) settings: Settings,
    /// The network; checkpoint and curves are beside it.
    pub(super) out: &'r Path,
    /// Whether to go on from the checkpoint.
    pub(super) resume: bool,
    /// The network to begin with, instead of random numbers.
    pub(super) from: Option<&'r Network>,
    /// The boards that the network is to serve, if it is not for the games and the network begun with to say.
    pub(super) sizes: Option<Sizes>,
}

/// The sections of a rule's network.
fn sections(rule: Rule) -> impl Iterator<Item = usize> {
    let first = weights::section(rule, Side::Black);
    first..first + Network::sections_of(rule)
}

/// The held-out positions of a section, those that the search has solved included.
fn held_out(games: &Games, rule: Rule, section: usize) -> Vec<Samples> {
    let games: Vec<&ScoredGame> = games.held_out.iter().collect();
    Samples::of(&games, &Selection { rule, section, solved: true })
}

impl Run<'_> {
    /// Train all sections and write the network; stop early where `stop` is raised.
    pub(super) fn train(&self, stop: &AtomicBool, output: &mut dyn Write) -> anyhow::Result<()> {
        if let Some(from) = self.from {
            ensure_rule(from, self.rule)?;
        }
        run_file::ensure_writable(self.out)?;
        let (least, most) = self.served();
        ensure!(most <= LONGEST_SIDE, "no network serves boards larger than {LONGEST_SIDE}");
        let fingerprint = self.games.fingerprint();
        let path = checkpoint::beside(self.out, "checkpoint");
        let save = |courses: &[Course]| {
            checkpoint::write(&path, &self.settings, fingerprint, courses)?;
            self.write_curves(courses)
        };
        ensure!(
            self.resume || !path.exists(),
            "{} is of a run that is not finished: --resume goes on with it",
            path.display()
        );
        let begun =
            if self.resume { checkpoint::read(&path, &self.settings, fingerprint)? } else { None };
        let (mut courses, mut done) = (begun.unwrap_or_default(), Vec::new());
        let mut told = Vec::new();
        for (i, section) in sections(self.rule).enumerate() {
            if courses.len() == i {
                let from = self.from.map(|network| &network.sections[i]);
                courses
                    .push(Course::new(section, &self.settings, from).context("no such section")?);
            }
            let held_out = held_out(self.games, self.rule, section);
            if !self.learn(&mut courses, i, &held_out, stop, &save)? {
                save(&courses)?;
                note("stopped; the same command with --resume goes on");
                return Ok(());
            }
            save(&courses)?;
            let refit = Refit::of(&self.games.train, section, &self.settings);
            let (finished, text) = finish(&courses[i], &refit, &held_out, output)?;
            done.push(finished);
            told.push(text);
        }
        let description = self.description(&told);
        let network = Network { rule: self.rule, least, most, description, sections: done };
        network.check().context("the network cannot be written")?;
        std::fs::write(self.out, network.to_bytes())
            .with_context(|| format!("writing {}", self.out.display()))?;
        std::fs::remove_file(&path).with_context(|| format!("removing {}", path.display()))
    }

    /// Let course `i` learn; false if it was stopped.
    fn learn(
        &self,
        courses: &mut [Course],
        i: usize,
        held_out: &[Samples],
        stop: &AtomicBool,
        save: &dyn Fn(&[Course]) -> anyhow::Result<()>,
    ) -> anyhow::Result<bool> {
        let mut few = 0;
        let curve: Vec<_> = held_out.iter().map(Samples::len).collect();
        let parts = curve.iter().take_while(|&&n| {
            few += n;
            few - n < CURVE_POSITIONS
        });
        let curve = &held_out[..parts.count()];
        let section = courses[i].progress.section;
        let mut feed = Feed::new(&self.games.train, section, self.settings);
        let mut teller = Teller::new(self.settings.samples, courses[i].progress.done);
        let mut saved = Instant::now();
        while !stop.load(Ordering::Relaxed) {
            let course = &mut courses[i];
            if !course.learn_block(&mut feed, &self.settings) {
                teller.finish();
                return Ok(true);
            }
            ensure!(!course.is_in_vain(&feed), "the games have no position to learn from");
            course.measure(curve, &self.settings);
            if let Some(point) = course.progress.curve.last() {
                let losses = format!("loss {:.5}, held out {:.5}", point.train, point.held_out);
                teller.tell(course.progress.done, &losses);
            }
            if saved.elapsed() >= SAVE_EVERY {
                saved = Instant::now();
                save(courses)?;
            }
        }
        teller.finish();
        Ok(false)
    }

    fn write_curves(&self, courses: &[Course]) -> anyhow::Result<()> {
        let sections: Vec<_> = courses.iter().map(|course| &course.progress).collect();
        let write = |extension: &str, text: String| {
            let path = checkpoint::beside(self.out, extension);
            std::fs::write(&path, text).with_context(|| format!("writing {}", path.display()))
        };
        write("curve.csv", curve::csv(&sections))?;
        #[cfg(feature = "plots")]
        if let Some(picture) = curve::svg(&sections) {
            write("curve.svg", picture)?;
        }
        Ok(())
    }

    /// The shortest and the longest side of the boards that the network serves.
    fn served(&self) -> (u8, u8) {
        if let Some(Sizes { least, most }) = self.sizes {
            return (least, most);
        }
        let (least, most) = self.games.sizes();
        self.from.map_or((least, most), |from| (least.min(from.least), most.max(from.most)))
    }

    fn description(&self, told: &[String]) -> String {
        let Settings { samples, share, decay, seed, from, .. } = self.settings;
        let from = from.map_or_else(String::new, |checksum| format!("{checksum:08x} and "));
        let mut text = format!(
            "{from}{} games, {} M samples, share {share}, decay {decay}, seed {seed}; {}",
            self.games.train.len(),
            samples as f64 / 1e6,
            told.join("; ")
        );
        text.truncate(usize::from(u8::MAX));
        text
    }
}

/// The integers of a section that has learnt, and a few words on it.
fn finish(
    course: &Course,
    refit: &Refit,
    held_out: &[Samples],
    output: &mut dyn Write,
) -> anyhow::Result<(Section, String)> {
    let weights = &course.learner.weights;
    let report = Report::of(&judge(held_out, refit, |s, cells| value(weights, s, cells)));
    let line = report.unsolved();
    let [net, .., search] = line.fits;
    // The network's scores shall mean what the search's do.
    let scale = f64::from(UNITS) * net.scale / search.scale;
    let section = quantise::section(weights, scale);
    let quantise::Difference { mean, largest } = quantise::difference(&section, weights, held_out);
    let scale = section.scale;
    writeln!(
        output,
        "{report}\nscale {scale} score units a nat; rounding changes the value by {mean:.2}, at most \
         {largest:.1}"
    )?;
    Ok((section, format!("loss {:.4}, gap {:.0} %", net.loss, 100.0 * line.gap())))
}

/// Whether a network serves this rule.
///
/// # Errors
/// It does not.
fn ensure_rule(network: &Network, rule: Rule) -> anyhow::Result<()> {
    let of = |rule| weights::section(rule, Side::Black);
    ensure!(of(network.rule) == of(rule), "the network is for {}, the games are not", network.rule);
    Ok(())
}

/// Say how well a network predicts.
///
/// # Errors
/// It is for another rule than the games.
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
        let refit = Refit::of(&games.train, section, settings);
        let said = judge(&held_out, &refit, |sample, cells| {
            quantise::score(integers, sample, cells).value() as f32 / UNITS
        });
        writeln!(output, "{}", Report::of(&said))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;
    use crate::train::random;
    use kakugo::board::Variant;

    /// A folder of its own, removed in the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let name = format!("kakugo-train-{name}-{}", std::process::id());
            let folder = Folder(std::env::temp_dir().join(name));
            fs::create_dir_all(&folder.0).unwrap();
            folder
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_stopped_run_goes_on_to_the_same_network() {
        let games = random::games(Variant::RENJU, 150, 3);
        let folder = Folder::new("resume");
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
        let (whole, again) = (folder.0.join("whole.net"), folder.0.join("again.net"));
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
        let checkpoint = folder.0.join("again.net.checkpoint");
        let begun = fs::read(&checkpoint).unwrap();
        assert!(run_new_or_old(&again, &AtomicBool::new(false), false).is_err());
        assert!(fs::read(&checkpoint).unwrap() == begun, "an unfinished run is kept");
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
        assert!(!checkpoint.exists(), "nothing is left to go on with");
        let network = Network::from_bytes(&bytes).unwrap();
        assert_eq!((network.rule, network.least, network.most), (Rule::Renju, 9, 9));
        assert!(network.sections[0] != network.sections[1]);
        assert!(network.description.contains("seed 4"), "{}", network.description);
        let curve = fs::read_to_string(folder.0.join("whole.net.curve.csv")).unwrap();
        for side in ["Black,", "White,"] {
            assert!(curve.lines().any(|line| line.starts_with(side)), "{curve}");
        }
        let mut output = Vec::new();
        report(&network, Rule::Renju, &games, &settings, &mut output).unwrap();
        let text = String::from_utf8(output).unwrap();
        assert_eq!(text.matches("unsolved").count(), 2, "{text}");
        let output = &mut std::io::sink();

        // Begun with a network and learning nothing, it is that network.
        let settings = Settings { samples: 256, rate: 0.0, from: Some(7), ..settings };
        let from = folder.0.join("from.net");
        let larger = Network { most: 12, ..network.clone() };
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
        assert_eq!((same.least, same.most), (9, 12));
        for (section, first) in same.sections.iter_mut().zip(&network.sections) {
            section.scale = first.scale;
        }
        assert!(same.sections == network.sections);
        run_for(Rule::Renju, Sizes::new(8, 27)).unwrap();
        let told = Network::from_bytes(&fs::read(&from).unwrap()).unwrap();
        assert_eq!((told.least, told.most), (8, 27));
        let error = run_for(Rule::Renju, Sizes::new(8, 28)).unwrap_err().to_string();
        assert!(error.contains("larger than 27"), "{error}");

        assert!(report(&network, Rule::Freestyle, &games, &settings, output).is_err());
    }
}
