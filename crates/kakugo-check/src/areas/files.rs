//! Checks of files written to disk.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::check::{Area, Check};
use crate::context::CheckContext;
use crate::profile::Folder;
use crate::session::Session;
use crate::system::{files, listing};
use crate::verdict::{CheckResult, Failure, NotPassed};
use kakugo_protocol::client::EngineConfig;

pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "files.outside",
        area: Area::Files,
        requirement: "writes no files outside the folder of INFO folder: not to the home or temporary folder that the environment names, the working folder or the folder of the program",
        source: "Gomocup: files only in the folder of INFO folder",
        managers: &["strict", "piskvork", "judge"],
        advice: "Write only to the folder of INFO folder; do not write logs in a tournament. Fixed paths such as /tmp are not checked.",
        exclusive: false,
        run: outside,
    },
    Check {
        id: "files.size",
        area: Area::Files,
        requirement: "uses less than 20 MB in the folder of INFO folder",
        source: "Gomocup's page: 20 MB; GomocupJudge new_protocol.py: 70 MB",
        managers: &["strict", "piskvork", "judge"],
        advice: "Limit the size of your files, and delete the oldest.",
        exclusive: false,
        run: size,
    },
];

/// Maximum size of the folder.
const MAX_SIZE: u64 = 20 << 20;

/// Environment variables with folders for files.
const FOLDER_VARIABLES: [&str; 11] = [
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

/// Plays a game in which all usual folders for files are one empty folder. Returns that folder and
/// the one of `INFO folder`.
///
/// It is also the working folder, except with GomocupJudge, which starts engines in their own one.
/// With `strict` an engine that does not play in the empty folder fails `start.foreign-folder`, and
/// plays in its own one here.
fn game(context: &CheckContext<'_>) -> Result<(PathBuf, PathBuf), NotPassed> {
    let own = context.target.config.dir.as_deref();
    match own.filter(|_| context.profile.folder == Folder::Engine) {
        Some(own) if context.profile.name == "judge" => play_in(context, Some(own)),
        Some(own) => play_in(context, None).or_else(|_| play_in(context, Some(own))),
        None => play_in(context, None),
    }
}

/// Plays the game of [`game`] in a working folder, or in the empty folder.
fn play_in(
    context: &CheckContext<'_>,
    folder: Option<&Path>,
) -> Result<(PathBuf, PathBuf), NotPassed> {
    let (elsewhere, named) = (context.folder()?, context.folder()?);
    let dir = Some(folder.unwrap_or(&elsewhere).to_owned());
    let mut config = EngineConfig { dir, ..context.target.config.clone() };
    // Otherwise Wine would create a complete Windows installation in the new home folder, and
    // Python would not find the packages of `pip install --user`.
    let python = if cfg!(windows) { ("APPDATA", "Python") } else { ("HOME", ".local") };
    for (name, (outer, inner)) in [("WINEPREFIX", ("HOME", ".wine")), ("PYTHONUSERBASE", python)] {
        if let Some(outer) = std::env::var_os(outer)
            && std::env::var_os(name).is_none()
        {
            let path = PathBuf::from(outer).join(inner).display().to_string();
            config.env.entry(name.to_owned()).or_insert(path);
        }
    }
    for variable in FOLDER_VARIABLES {
        config.env.insert(variable.to_owned(), elsewhere.display().to_string());
    }
    let mut session = Session::start(&config, context.profile)?;
    session.expect_ok("START 15")?;
    session.send(&format!(
        "INFO timeout_turn {}\nINFO folder {}",
        context.turn.as_millis(),
        named.display()
    ));
    session.play("BEGIN", context.turn)?;
    for at in [(0, 0), (14, 14)] {
        session.turn(at, context.turn)?;
    }
    session.send("END");
    // Another check tests that the process exits.
    let _ = session.expect_exit(Duration::from_secs(1));
    Ok((elsewhere, named))
}

/// Returns true if a file belongs to wineserver and not to the engine, e.g.
/// `wine-ab/server-1-2/socket` in the temporary folder.
fn is_wineserver_file(name: &str) -> bool {
    let parts: Vec<&str> = name.split('/').collect();
    let of_server = |pair: &[&str]| {
        pair[0].trim_start_matches('.').starts_with("wine-") && pair[1].starts_with("server-")
    };
    parts.windows(2).any(of_server)
}

fn outside(context: &CheckContext<'_>) -> CheckResult {
    let beside = || context.target.config.dir.as_deref().map(listing).unwrap_or_default();
    let before = beside();
    let (elsewhere, _) = game(context)?;
    let names = files(&elsewhere).into_iter().map(|(name, _)| name);
    let mut found: Vec<String> = names.filter(|name| !is_wineserver_file(name)).collect();
    let new = beside().into_iter().filter(|file| !before.contains(file));
    found.extend(new.map(|(name, ..)| format!("{name} beside the program")));
    if found.is_empty() {
        return Ok("no files".into());
    }
    let names: Vec<&str> = found.iter().take(5).map(String::as_str).collect();
    Err(NotPassed::Fail(Failure {
        transcript: vec!["a game of three moves, with an empty folder as HOME and TMPDIR".into()],
        actual: format!("files written ({}): {}", found.len(), names.join(", ")),
        expected: "no files there".into(),
        advice: None,
        crashed: false,
    }))
}

fn size(context: &CheckContext<'_>) -> CheckResult {
    let (_, named) = game(context)?;
    let total: u64 = files(&named).iter().map(|(_, size)| size).sum();
    if total <= MAX_SIZE {
        return Ok(format!("{total} bytes"));
    }
    Err(NotPassed::Fail(Failure {
        transcript: vec![format!("INFO folder {}, and a game of three moves", named.display())],
        actual: format!("{total} bytes in the folder"),
        expected: format!("at most {MAX_SIZE} bytes"),
        advice: None,
        crashed: false,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_wineserver_are_ignored() {
        for name in ["/tmp/a/wine-sc95/server-fe00-a0/lock", "/tmp/.wine-0/server-1-2/socket"] {
            assert!(is_wineserver_file(name), "{name}");
        }
        for name in ["/tmp/wine-list.txt", "/tmp/a/server-log/wine-x", "/tmp/log.txt", ""] {
            assert!(!is_wineserver_file(name), "{name}");
        }
    }
}
