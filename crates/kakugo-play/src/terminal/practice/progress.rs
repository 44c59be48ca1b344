//! The results of practice, one file for each collection.
//!
//! Every result is a line of JSON that is added to the end, `{"problem":KEY,"result":"solved"}`, so
//! that a killed program loses nothing, and two programs may write to the same file.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::storage::store::{private_folder, private_options};

/// The result of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Attempt {
    /// A wrong move, or the solution was shown.
    Failed,
    /// Solved after a hint or a wrong move.
    Helped,
    /// Solved at once.
    Solved,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    problem: String,
    result: Attempt,
}

/// The best results so far, by the keys of problems.
#[derive(Default, Debug)]
pub struct Progress {
    best: HashMap<String, Attempt>,
    /// The file to which results are added; `None` if they are not kept.
    file: Option<File>,
}

impl Progress {
    /// Returns progress that ends with the program.
    pub fn unsaved() -> Progress {
        Progress::default()
    }

    /// Opens the progress of a collection in a folder, which is created if it is missing.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened.
    pub fn open(folder: &Path, id: &str) -> io::Result<Progress> {
        private_folder().create(folder)?;
        let path: PathBuf = folder.join(id).with_extension("jsonl");
        let best = match fs::read_to_string(&path) {
            Ok(text) => best_of(&text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => HashMap::new(),
            Err(error) => return Err(error),
        };
        let mut file = private_options().append(true).create(true).open(&path)?;
        // A line that was cut off must not join the next one.
        if fs::read(&path)?.last().is_some_and(|&byte| byte != b'\n') {
            file.write_all(b"\n")?;
        }
        Ok(Progress { best, file: Some(file) })
    }

    /// Returns the best result of a problem.
    pub fn best(&self, key: &str) -> Option<Attempt> {
        self.best.get(key).copied()
    }

    /// Returns true if a problem has been solved, with or without help.
    pub fn is_solved(&self, key: &str) -> bool {
        self.best(key).is_some_and(|best| best > Attempt::Failed)
    }

    /// Adds a result.
    ///
    /// # Errors
    /// Returns an error if it cannot be written. It counts until the program ends then.
    pub fn add(&mut self, key: &str, result: Attempt) -> io::Result<()> {
        let best = self.best.entry(key.to_owned()).or_insert(result);
        *best = result.max(*best);
        let Some(file) = &mut self.file else { return Ok(()) };
        let line = Line { problem: key.to_owned(), result };
        let text = serde_json::to_string(&line).map_err(io::Error::other)? + "\n";
        file.write_all(text.as_bytes())
    }
}

/// Returns the best result of each problem. Lines that are damaged are skipped.
fn best_of(text: &str) -> HashMap<String, Attempt> {
    let mut best = HashMap::new();
    for Line { problem, result } in text.lines().filter_map(|line| serde_json::from_str(line).ok())
    {
        let known = best.entry(problem).or_insert(result);
        *known = result.max(*known);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_kept_and_the_best_counts() {
        let parent = tempfile::tempdir().unwrap();
        let folder = parent.path().join("progress");
        let mut progress = Progress::open(&folder, "set").unwrap();
        progress.add("a", Attempt::Failed).unwrap();
        progress.add("b", Attempt::Solved).unwrap();
        progress.add("b", Attempt::Helped).unwrap();
        // Nothing is closed: the program may be killed now.
        let path = folder.join("set.jsonl");
        let text = fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().next(), Some(r#"{"problem":"a","result":"failed"}"#));
        fs::write(&path, text + "{\"problem\":\"c\",\"res").unwrap();
        let mut again = Progress::open(&folder, "set").unwrap();
        assert_eq!(
            (again.best("a"), again.best("b")),
            (Some(Attempt::Failed), Some(Attempt::Solved))
        );
        assert!(again.is_solved("b") && !again.is_solved("a") && !again.is_solved("c"));
        again.add("c", Attempt::Helped).unwrap();
        assert!(Progress::open(&folder, "set").unwrap().is_solved("c"));
        assert!(!Progress::open(&folder, "other").unwrap().is_solved("b"));
        fs::remove_dir_all(&folder).unwrap();
        let mut unsaved = Progress::unsaved();
        unsaved.add("a", Attempt::Solved).unwrap();
        assert!(unsaved.is_solved("a") && !folder.exists());
    }
}
