//! The catalogue of checks.

use super::areas::{
    admission, commands, end, files, info, malformed, managers, memory, rules, start, tactics,
    time, zip,
};
use super::check::Check;
use super::profile::Profile;

/// Returns all checks in the order of reports.
pub fn checks() -> impl Iterator<Item = &'static Check> {
    [
        start::CHECKS,
        commands::CHECKS,
        info::CHECKS,
        malformed::CHECKS,
        rules::CHECKS,
        tactics::CHECKS,
        time::CHECKS,
        memory::CHECKS,
        files::CHECKS,
        end::CHECKS,
        managers::CHECKS,
        admission::CHECKS,
        zip::CHECKS,
    ]
    .into_iter()
    .flatten()
}

/// Returns the manager's checks that are in one of these areas or have one of these names. Without
/// names, returns all of its checks.
///
/// # Errors
/// Returns the first name that does not match any of the manager's checks.
pub(super) fn select(profile: &Profile, only: &[String]) -> Result<Vec<&'static Check>, String> {
    let fits = |check: &Check, word: &str| check.id == word || check.area.name() == word;
    let of_profile =
        |check: &&Check| check.managers.is_empty() || check.managers.contains(&profile.name);
    let unknown =
        only.iter().find(|word| !checks().filter(of_profile).any(|check| fits(check, word)));
    match unknown {
        Some(word) => Err(word.clone()),
        None => Ok(checks()
            .filter(of_profile)
            .filter(|check| only.is_empty() || only.iter().any(|word| fits(check, word)))
            .collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::profile::PROFILES;
    use super::*;
    use std::collections::HashSet;
    #[test]
    fn check_names_are_unique_and_start_with_their_area() {
        let mut seen = HashSet::new();
        for check in checks() {
            assert!(seen.insert(check.id), "{} twice", check.id);
            let area = check.id.split_once('.').unwrap().0;
            assert_eq!(area, check.area.name(), "{}", check.id);
            assert!(
                !check.requirement.ends_with('.') && check.advice.ends_with('.'),
                "{}",
                check.id
            );
            for manager in check.managers {
                assert!(PROFILES.iter().any(|p| p.name == *manager), "{}: {manager}", check.id);
            }
            let strict = check.managers.is_empty() || check.managers.contains(&"strict");
            assert!(strict, "{}: strict includes all checks", check.id);
        }
        assert!(seen.len() > 60, "{}", seen.len());
    }
    #[test]
    fn checks_are_selected_by_area_and_name() {
        let strict = Profile::named("strict").unwrap();
        let ids = |only: &[&str]| -> Vec<&str> {
            let only: Vec<String> = only.iter().map(|&word| word.to_owned()).collect();
            select(strict, &only).unwrap().iter().map(|check| check.id).collect()
        };
        assert_eq!(ids(&[]).len(), checks().count());
        assert_eq!(ids(&["start.ok", "zip"]).len(), 5);
        assert_eq!(select(strict, &["nonsense".into()]).err(), Some("nonsense".into()));
        let judge = Profile::named("judge").unwrap();
        assert!(select(judge, &[]).unwrap().len() < checks().count());
        assert!(select(judge, &["managers.piskvork".into()]).is_err());
    }
}
