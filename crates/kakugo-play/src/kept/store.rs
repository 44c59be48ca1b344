//! The folder of kept games.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::game::date::today;
use kakugo_record::game_tree::GameTree;

use super::claim::Claim;
use super::game::Kept;
use super::seal;

/// Most games that are listed, the latest.
const MOST_LISTED: usize = 300;

/// A game of the list.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its name in the folder.
    pub id: String,
    /// Its record.
    pub record: GameTree,
}

/// The folder of kept games.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

impl Store {
    /// Keep games in this folder, which is made if it is missing, for its owner alone: files tell the
    /// keys by which pages may play.
    ///
    /// # Errors
    /// It cannot be made.
    pub fn open(folder: PathBuf) -> io::Result<Store> {
        private_folder().create(&folder)?;
        Ok(Store { folder })
    }

    /// A name for a new game: it begins with the date.
    pub fn new_id() -> String {
        let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let of_day = time % 86400;
        let (hour, minute) = (of_day / 3600, of_day / 60 % 60);
        format!("{}-{hour:02}{minute:02}-{:08x}", today(), rand::random::<u32>())
    }

    fn path(&self, id: &str, ending: &str) -> Option<PathBuf> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let is_name = !id.is_empty() && id.len() < 80 && id.chars().all(plain);
        is_name.then(|| self.folder.join(id).with_extension(ending))
    }

    /// Claim a game for one room; `None` if it is open elsewhere.
    pub fn claim(&self, id: &str) -> Option<Claim> {
        Claim::take(&self.path(id, "open")?)
    }

    /// Write a game. Whoever reads at the same time finds the game as it was before or as it is now.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, id: &str, kept: &Kept) -> io::Result<()> {
        let bad = || io::Error::other("no name for a game");
        let (path, new) = self.path(id, "sgf").zip(self.path(id, "new")).ok_or_else(bad)?;
        let mut file = private_file().open(&new)?;
        file.write_all(seal::write(kept).as_bytes())?;
        drop(file);
        fs::rename(new, path)
    }

    fn text(&self, id: &str) -> Option<String> {
        fs::read_to_string(self.path(id, "sgf")?).ok()
    }

    /// Read a game, where these other engines are at hand; `None` if there is none, or none that
    /// can be read.
    pub fn read(&self, id: &str, engines: &[String]) -> Option<Kept> {
        seal::read(&self.text(id)?, engines)
    }

    /// A game's record.
    pub fn record(&self, id: &str) -> Option<GameTree> {
        seal::record(&self.text(id)?)
    }

    /// Delete a game for good; whether it was there.
    pub fn delete(&self, id: &str) -> bool {
        self.path(id, "sgf").is_some_and(|path| fs::remove_file(path).is_ok())
    }

    /// The names of the latest games, the one last changed first.
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
        games.truncate(MOST_LISTED);
        games.into_iter().map(|(_, id)| id).collect()
    }

    /// The latest games with their records, the one last changed first.
    pub fn list(&self) -> Vec<Listed> {
        let listed = |id: String| Some(Listed { record: self.record(&id)?, id });
        self.latest().into_iter().filter_map(listed).collect()
    }
}

/// How folders are made: on Unix for their owner alone.
fn private_folder() -> fs::DirBuilder {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// How files are made: on Unix for their owner alone.
fn private_file() -> fs::OpenOptions {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn id_of(path: &Path) -> Option<String> {
    let is_game = path.extension()?.to_str()? == "sgf";
    is_game.then(|| path.file_stem()?.to_str().map(str::to_owned)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::end::{End, Forfeit};
    use crate::game::live::LiveGame;
    use crate::game::opening::{Opening, OpeningChoice};
    use crate::game::setup::{PlayerKind, Setup};
    use kakugo::board::{Point, Side};
    use std::time::{Duration, Instant};

    /// A folder of its own for each test.
    fn store(name: &str) -> Store {
        let folder = std::env::temp_dir().join(format!("kakugo-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Store::open(folder).unwrap()
    }

    fn kept(game: LiveGame) -> Kept {
        Kept { room: "room".into(), key: "a]b\\c".into(), begun: true, game }
    }

    fn p(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    #[test]
    fn a_game_comes_back_with_all_that_belongs_to_it() {
        let now = Instant::now();
        let store = store("back");
        let mut setup = Setup { opening: Opening::Swap2, ..Setup::default() };
        setup.time.game = Some(Duration::from_secs(300));
        setup.seats[0].name = "Ann [1] \\".to_owned();
        let mut game = LiveGame::new(setup.checked(&[]).unwrap());
        for point in [p(0, 0), p(5, 5), p(9, 9)] {
            game.play(point, now + Duration::from_millis(1500)).unwrap();
        }
        game.choose(OpeningChoice::Black, now).unwrap();
        game.play(p(1, 0), now).unwrap();
        game.undo(1, now).unwrap();
        game.play(p(2, 0), now).unwrap();
        game.comment(game.node(), "good]").unwrap();
        game.forfeit(1, Forfeit::Failed("why]".into()), now).unwrap();
        game.undo(2, now).unwrap();
        store.write("one", &kept(game.clone())).unwrap();
        let back = store.read("one", &[]).unwrap();
        assert_eq!((&*back.room, &*back.key, back.begun), ("room", "a]b\\c", true));
        assert_eq!(back.game.setup(), game.setup());
        assert_eq!(back.game.tree().count(), game.tree().count());
        assert_eq!((back.game.at(), back.game.turn()), (game.at(), game.turn()));
        assert_eq!(back.game.seat_of(Side::Black), game.seat_of(Side::Black));
        let mut back = back.game;
        back.redo(9, now).unwrap();
        let loser = back.side_of(1);
        assert_eq!(back.end(), Some(End::Forfeit(loser, Forfeit::Failed("why]".into()))));
        assert_eq!(back.tree().value(back.node()).note.comment, "good]");
        assert_eq!(store.record("one").unwrap().lines().count(), 2);
        assert!(!format!("{:?}", store.record("one")).contains("KKG"), "the key stays here");
    }

    #[test]
    fn games_are_listed_the_latest_first_and_deleted() {
        let store = store("list");
        let game = LiveGame::new(Setup::default().checked(&[]).unwrap());
        for id in ["a", "b"] {
            store.write(id, &kept(game.clone())).unwrap();
            std::thread::sleep(Duration::from_millis(20));
        }
        fs::write(store.folder.join("note.txt"), "no game").unwrap();
        fs::write(store.folder.join("broken.sgf"), "(;GM[4]").unwrap();
        assert_eq!(store.latest(), ["broken", "b", "a"]);
        let listed: Vec<String> = store.list().into_iter().map(|game| game.id).collect();
        assert_eq!(listed, ["b", "a"]);
        assert!(store.delete("b") && !store.delete("b"));
        assert_eq!(store.list().len(), 1);
    }

    #[test]
    #[cfg(unix)]
    fn games_are_for_their_owner_alone() {
        use std::os::unix::fs::PermissionsExt;
        let store = store("private");
        let game = LiveGame::new(Setup::default().checked(&[]).unwrap());
        store.write("a", &kept(game)).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&store.folder), 0o700);
        assert_eq!(mode(&store.path("a", "sgf").unwrap()), 0o600);
    }

    #[test]
    fn names_lead_nowhere_else() {
        let store = store("names");
        let game = LiveGame::new(Setup::default().checked(&[]).unwrap());
        for id in ["", "../x", "a/b", "a\\b", "a.b", "/etc/x"] {
            assert!(store.write(id, &kept(game.clone())).is_err(), "{id}");
            assert!(
                store.read(id, &[]).is_none() && !store.delete(id) && store.claim(id).is_none()
            );
        }
        assert!(store.path(&Store::new_id(), "sgf").is_some());
    }

    #[test]
    fn a_game_is_open_in_one_place() {
        let store = store("claims");
        let claim = store.claim("a").unwrap();
        assert!(store.claim("a").is_none() && store.claim("b").is_some());
        drop(claim);
        assert!(store.claim("a").is_some());
        assert_eq!(fs::read_dir(&store.folder).unwrap().count(), 0, "nothing is left behind");
    }

    #[test]
    fn an_engine_that_is_gone_becomes_a_person_of_its_name() {
        let store = store("engines");
        let mut setup = Setup::default();
        setup.seats[1].player = PlayerKind::Engine(0);
        let setup = setup.checked(&["Other".to_owned()]).unwrap();
        store.write("a", &kept(LiveGame::new(setup))).unwrap();
        let back = store.read("a", &[]).unwrap();
        let seat = &back.game.setup().seats[1];
        assert_eq!((seat.player, &*seat.name), (PlayerKind::Human, "Other"));
    }
}
