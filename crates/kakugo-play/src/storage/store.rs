//! The folder of saved games: one SGF file each.

use std::fs;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use kakugo_play_core::saved_game;
use kakugo_record::game_tree::GameTree;

use super::game_lock::GameLock;

/// The largest number of games that are listed, the latest.
const MAX_LISTED: usize = 300;

/// The largest part of the journal of practice that is read, in bytes.
const MAX_JOURNAL: u64 = 4 << 20;

/// The file with the results of games that count for the rating.
const RESULTS: &str = "results.jsonl";

/// The folder of saved games.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// Opens a folder. A missing folder is created, for its owner only: the files contain the keys
    /// with which browsers may play.
    ///
    /// # Errors
    /// Returns an error if it cannot be created.
    pub fn open(folder: PathBuf) -> io::Result<Store> {
        private_folder().create(&folder)?;
        Ok(Store { folder })
    }

    fn path(&self, id: &str, extension: &str) -> Option<PathBuf> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let is_name = !id.is_empty() && id.len() < 80 && id.chars().all(plain);
        is_name.then(|| self.folder.join(id).with_extension(extension))
    }

    /// Locks a game, or returns `None` if it is open elsewhere.
    pub fn lock(&self, id: &str) -> Option<GameLock> {
        GameLock::acquire(&self.path(id, "open")?)
    }

    /// Writes the text of a game. Readers find the file as it was before or as it is now.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn write(&self, id: &str, text: &str) -> io::Result<()> {
        let (path, new) = self.path(id, "sgf").zip(self.path(id, "new")).ok_or_else(invalid_id)?;
        let written = write_through(&new, text).and_then(|()| fs::rename(&new, path));
        if written.is_err() {
            let _ = fs::remove_file(new);
        }
        written
    }

    /// Reads the text of a game, or returns `None` if there is none.
    pub fn read(&self, id: &str) -> Option<String> {
        fs::read_to_string(self.path(id, "sgf")?).ok()
    }

    /// Adds a line to the journal of practice.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn note(&self, line: &str) -> io::Result<()> {
        let mut options = private_options();
        let mut file = options.create(true).append(true).open(self.journal_path())?;
        // In one piece: other programs may write, too.
        file.write_all(format!("{line}\n").as_bytes())
    }

    /// Returns the latest lines of the journal of practice.
    pub fn journal(&self) -> String {
        let read = || -> io::Result<String> {
            let mut file = fs::File::open(self.journal_path())?;
            let start = file.metadata()?.len().saturating_sub(MAX_JOURNAL);
            file.seek(SeekFrom::Start(start))?;
            let mut bytes = Vec::new();
            file.take(MAX_JOURNAL).read_to_end(&mut bytes)?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        };
        read().unwrap_or_default()
    }

    fn journal_path(&self) -> PathBuf {
        self.folder.join("practice.jsonl")
    }

    /// Deletes a game, if it exists.
    ///
    /// # Errors
    /// Returns an error if its file cannot be removed.
    pub fn delete(&self, id: &str) -> io::Result<()> {
        match fs::remove_file(self.path(id, "sgf").ok_or_else(invalid_id)?) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    /// Adds a line to the results of games that count for the rating.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn add_result(&self, line: &str) -> io::Result<()> {
        let mut options = private_options();
        let mut file = options.create(true).append(true).open(self.results_path())?;
        file.write_all(format!("{line}\n").as_bytes())
    }

    /// Returns the results of games that count for the rating, one per line, oldest first.
    pub fn results(&self) -> String {
        let bytes = fs::read(self.results_path()).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn results_path(&self) -> PathBuf {
        self.folder.join(RESULTS)
    }

    /// Returns the ids of the latest games, the one last changed first.
    pub fn latest(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(&self.folder) else { return Vec::new() };
        let mut games: Vec<(SystemTime, String)> = entries
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let changed = entry.metadata().ok()?.modified().ok()?;
                Some((changed, id_of(&entry.path())?))
            })
            .collect();
        games.sort_unstable_by(|a, b| b.cmp(a));
        games.truncate(MAX_LISTED);
        games.into_iter().map(|(_, id)| id).collect()
    }

    /// Returns the latest games with their records, the one last changed first.
    pub fn list(&self) -> Vec<(String, GameTree)> {
        let record = |id: String| Some((saved_game::record(&self.read(&id)?)?, id));
        let records = self.latest().into_iter().filter_map(record);
        records.map(|(record, id)| (id, record)).collect()
    }
}

/// Returns options for folders that only the owner can open, on Unix.
pub fn private_folder() -> fs::DirBuilder {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// Returns options for files that only the owner can open, on Unix.
pub fn private_options() -> fs::OpenOptions {
    #[cfg_attr(not(unix), expect(unused_mut))]
    let mut options = fs::OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// Writes a file to the disk, so that a power failure after it is renamed leaves no empty one.
fn write_through(path: &Path, text: &str) -> io::Result<()> {
    let mut options = private_options();
    let mut file = options.write(true).create(true).truncate(true).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn invalid_id() -> io::Error {
    io::Error::other("invalid id of a game")
}

fn id_of(path: &Path) -> Option<String> {
    let is_game = path.extension()?.to_str()? == "sgf";
    is_game.then(|| path.file_stem()?.to_str().map(str::to_owned)).flatten()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use kakugo_play_core::game::live::LiveGame;
    use kakugo_play_core::game::setup::Setup;
    use tempfile::TempDir;

    /// Returns a store in a new folder, which is removed when it is dropped.
    fn store() -> (TempDir, Store) {
        let parent = tempfile::tempdir().unwrap();
        let store = Store::open(parent.path().join("games")).unwrap();
        (parent, store)
    }

    fn text() -> String {
        let game = LiveGame::new(Setup::default().checked(&[]).unwrap());
        saved_game::write("room", "key", true, &game)
    }

    #[test]
    fn games_are_written_listed_latest_first_and_deleted() {
        let (_parent, store) = store();
        for id in ["a", "b"] {
            store.write(id, &text()).unwrap();
            std::thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(store.read("a"), Some(text()));
        fs::write(store.folder.join("note.txt"), "no game").unwrap();
        fs::write(store.folder.join("broken.sgf"), "(;GM[4]").unwrap();
        assert_eq!(store.latest(), ["broken", "b", "a"]);
        let listed: Vec<String> = store.list().into_iter().map(|(id, _)| id).collect();
        assert_eq!(listed, ["b", "a"]);
        for _ in 0..2 {
            store.delete("b").unwrap();
            assert_eq!(store.list().len(), 1);
        }
    }

    #[test]
    fn a_failed_write_leaves_nothing_behind() {
        let (_parent, store) = store();
        fs::create_dir(store.path("a", "sgf").unwrap()).unwrap();
        assert!(store.write("a", &text()).is_err());
        assert_eq!(fs::read_dir(&store.folder).unwrap().count(), 1);
    }

    #[test]
    fn the_journal_grows_line_by_line() {
        let (_parent, store) = store();
        assert_eq!(store.journal(), "");
        store.note("one").unwrap();
        store.note("two").unwrap();
        assert_eq!(store.journal(), "one\ntwo\n");
        assert!(store.latest().is_empty());
    }

    #[test]
    #[cfg(unix)]
    fn games_are_for_their_owner_only() {
        use std::os::unix::fs::PermissionsExt;
        let (_parent, store) = store();
        store.write("a", &text()).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&store.folder), 0o700);
        assert_eq!(mode(&store.path("a", "sgf").unwrap()), 0o600);
    }

    #[test]
    fn ids_lead_to_no_other_folder() {
        let (_parent, store) = store();
        for id in ["", "../x", "a/b", "a\\b", "a.b", "/etc/x"] {
            assert!(store.write(id, &text()).is_err(), "{id}");
            assert!(
                store.read(id).is_none() && store.delete(id).is_err() && store.lock(id).is_none(),
                "{id}"
            );
        }
    }

    #[test]
    fn results_are_added_to_those_before() {
        let (_parent, store) = store();
        assert_eq!(store.results(), "");
        store.add_result("one").unwrap();
        store.add_result("two").unwrap();
        assert_eq!(store.results(), "one\ntwo\n");
        assert!(store.latest().is_empty(), "not a game");
    }

    #[test]
    fn a_game_is_open_in_one_place() {
        let (_parent, store) = store();
        let lock = store.lock("a").unwrap();
        assert!(store.lock("a").is_none() && store.lock("b").is_some());
        drop(lock);
        assert!(store.lock("a").is_some());
        assert_eq!(fs::read_dir(&store.folder).unwrap().count(), 0, "nothing is left behind");
    }
}
