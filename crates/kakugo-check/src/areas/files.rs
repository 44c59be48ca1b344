//! What is written to disk.

use std::path::PathBuf;
use std::time::Duration;

use super::super::bench::Bench;
use super::super::item::{Area, Check};
use super::super::system::{files, listing};
use super::super::trial::Trial;
use super::super::verdict::{Failure, Judged, Stop};
use kakugo_protocol::client::EngineConfig;

pub(in super::super) const CHECKS: &[Check] = &[
    Check {
        id: "files.outside",
        area: Area::Files,
        asks: "nothing is written outside the folder that INFO folder names: not into the home folder, the temporary folder, where it was started or beside the program",
        source: "Gomocup: files only in the folder of INFO folder",
        managers: &["strict", "piskvork", "judge"],
        advice: "Write only into the folder of INFO folder; send logs nowhere in a tournament.",
        alone: false,
        run: outside,
    },
    Check {
        id: "files.size",
        area: Area::Files,
        asks: "the folder that INFO folder names stays below 20 MB",
        source: "Gomocup's page: 20 MB; GomocupJudge new_protocol.py: 70 MB",
        managers: &["strict", "piskvork", "judge"],
        advice: "Bound what you keep, and delete the oldest.",
        alone: false,
        run: size,
    },
];

/// Most bytes in the folder.
const MOST: u64 = 20 << 20;

/// Variables that say where files go.
const PLACES: [&str; 11] = [
    "HOME",
    "TMPDIR",
    "TEMP",
    "TMP",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_STATE_HOME",
    "APPDATA",
    "LOCALAPPDATA",
    "USERPROFILE",
];

/// A game in which every usual place for files is an empty folder; the folders for strays and the one
/// that was named.
fn game(bench: &Bench<'_>) -> Result<(PathBuf, PathBuf), Stop> {
    let (strays, named) = (bench.folder()?, bench.folder()?);
    let mut config = EngineConfig { dir: Some(strays.clone()), ..bench.subject.config.clone() };
    // Wine would make all that Windows has in a new home.
    if let Some(home) = std::env::var_os("HOME")
        && std::env::var_os("WINEPREFIX").is_none()
    {
        let prefix = PathBuf::from(home).join(".wine").display().to_string();
        config.env.entry("WINEPREFIX".to_owned()).or_insert(prefix);
    }
    for variable in PLACES {
        config.env.insert(variable.to_owned(), strays.display().to_string());
    }
    let mut trial = Trial::begin(&config, bench.profile)?;
    trial.ok("START 15")?;
    trial.say(&format!(
        "INFO timeout_turn {}\nINFO folder {}",
        bench.turn.as_millis(),
        named.display()
    ));
    trial.play("BEGIN", bench.turn)?;
    for at in [(0, 0), (14, 14)] {
        trial.turn(at, bench.turn)?;
    }
    trial.say("END");
    // It is the end of another check that it ends.
    let _ = trial.ended(Duration::from_secs(1));
    Ok((strays, named))
}

/// Whether a file is how Windows programs find Wine's server, and so none of the brain's:
/// `wine-ab/server-1-2/socket` in the temporary folder.
fn is_of_wines_server(name: &str) -> bool {
    let parts: Vec<&str> = name.split('/').collect();
    let of_server = |pair: &[&str]| {
        pair[0].trim_start_matches('.').starts_with("wine-") && pair[1].starts_with("server-")
    };
    parts.windows(2).any(of_server)
}

fn outside(bench: &Bench<'_>) -> Judged {
    let beside = || bench.subject.config.dir.as_deref().map(listing).unwrap_or_default();
    let before = beside();
    let (strays, _) = game(bench)?;
    let names = files(&strays).into_iter().map(|(name, _)| name);
    let mut found: Vec<String> = names.filter(|name| !is_of_wines_server(name)).collect();
    let new = beside().into_iter().filter(|file| !before.contains(file));
    found.extend(new.map(|(name, ..)| format!("{name} beside the program")));
    if found.is_empty() {
        return Ok("nothing".into());
    }
    let names: Vec<&str> = found.iter().take(5).map(String::as_str).collect();
    Err(Stop::Fail(Failure {
        talk: vec![
            "a game of three moves, started in an empty folder that is HOME and TMPDIR, too".into(),
        ],
        came: format!("{} files: {}", found.len(), names.join(", ")),
        wanted: "no file there".into(),
    }))
}

fn size(bench: &Bench<'_>) -> Judged {
    let (_, named) = game(bench)?;
    let total: u64 = files(&named).iter().map(|(_, size)| size).sum();
    if total <= MOST {
        return Ok(format!("{total} bytes"));
    }
    Err(Stop::Fail(Failure {
        talk: vec![format!("INFO folder {}, and a game of three moves", named.display())],
        came: format!("{total} bytes in it"),
        wanted: format!("at most {MOST} bytes"),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_wines_server_are_none_of_the_brains() {
        for name in ["/tmp/a/wine-sc95/server-fe00-a0/lock", "/tmp/.wine-0/server-1-2/socket"] {
            assert!(is_of_wines_server(name), "{name}");
        }
        for name in ["/tmp/wine-list.txt", "/tmp/a/server-log/wine-x", "/tmp/log.txt", ""] {
            assert!(!is_of_wines_server(name), "{name}");
        }
    }
}
