//! The zip file of a tournament entry.

use std::fs;

use crate::check::{Area, Check};
use crate::context::CheckContext;
use crate::verdict::{CheckResult, Failure, NotPassed};
use crate::zip;

const GOMOCUP: &[&str] = &["strict", "judge", "piskvork"];

pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "zip.name",
        area: Area::Zip,
        requirement: "the zip has the name of the engine without the prefix pbrain-",
        source: "Gomocup: detailed information",
        managers: GOMOCUP,
        advice: "Name the file myengine.zip.",
        exclusive: false,
        run: zip_name,
    },
    Check {
        id: "zip.brain",
        area: Area::Zip,
        requirement: "the root of the zip contains a pbrain-….exe",
        source: "GomocupJudge client.py:168-255 looks for .exe files in the root",
        managers: GOMOCUP,
        advice: "Pack the files as a zip file, without their folder; name the program pbrain-name.exe.",
        exclusive: false,
        run: engine_program,
    },
    Check {
        id: "zip.suffix",
        area: Area::Zip,
        requirement: "rule and size suffixes of the programs are known to GomocupJudge: _rule, _size, _rule-size",
        source: "GomocupJudge client.py:168-255",
        managers: GOMOCUP,
        advice: "For one rule or board use _freestyle, _standard, _renju, _caro, _15, _20 or _rule-size, then 64 for 64-bit; a program with any other suffix plays all rules.",
        exclusive: false,
        run: suffix,
    },
    Check {
        id: "zip.size",
        area: Area::Zip,
        requirement: "the zip is at most 8 MB",
        source: "Gomocup's announcements 2021, 2022, 2024: 8 MB without special approval",
        managers: GOMOCUP,
        advice: "Strip the program, quantise weights, or ask the organisers.",
        exclusive: false,
        run: size,
    },
];

/// Maximum size of the zip file, in bytes.
const MAX_SIZE: usize = 8_000_000;

fn stem(context: &CheckContext<'_>) -> Result<String, NotPassed> {
    let path = context.target.zip.as_ref();
    let path = path.ok_or_else(|| NotPassed::Skipped("no zip file given (--zip)".into()))?;
    Ok(path.file_stem().unwrap_or_default().to_string_lossy().into_owned())
}

fn fail(actual: impl Into<String>, expected: &str) -> NotPassed {
    NotPassed::Fail(Failure {
        transcript: Vec::new(),
        actual: actual.into(),
        expected: expected.into(),
        advice: None,
        crashed: false,
    })
}

fn read(context: &CheckContext<'_>) -> Result<Vec<u8>, NotPassed> {
    stem(context)?;
    let path = context.target.zip.clone().unwrap_or_default();
    fs::read(&path).map_err(|error| fail(error.to_string(), "a readable zip file"))
}

/// Returns the paths of the files in the zip. `None` if it is not a zip file.
fn files(context: &CheckContext<'_>) -> Result<Option<Vec<String>>, NotPassed> {
    Ok(zip::names(&read(context)?))
}

fn zip_name(context: &CheckContext<'_>) -> CheckResult {
    let stem = stem(context)?;
    let path = context.target.zip.clone().unwrap_or_default();
    if path.extension().is_none_or(|end| !end.eq_ignore_ascii_case("zip")) {
        return Err(fail(path.display().to_string(), "a file name that ends in .zip"));
    }
    if stem.to_lowercase().starts_with("pbrain-") {
        return Err(fail(format!("{stem}.zip"), "a file name without pbrain-"));
    }
    Ok(stem)
}

/// Returns the programs in the root folder.
fn programs(found: &[String]) -> Vec<&str> {
    let is_program = |name: &str| name.to_lowercase().ends_with(".exe");
    let names = found.iter().map(String::as_str);
    names.filter(|name| is_program(name) && !name.contains('/') && !name.contains('\\')).collect()
}

fn engine_program(context: &CheckContext<'_>) -> CheckResult {
    let found = files(context)?.ok_or_else(|| fail("not a zip file", "a zip file"))?;
    let programs = programs(&found);
    if programs.iter().any(|name| name.to_lowercase().starts_with("pbrain-")) {
        return Ok(programs.join(", "));
    }
    let names: Vec<&str> = found.iter().take(8).map(String::as_str).collect();
    Err(fail(format!("files: {}", names.join(", ")), "pbrain-….exe in the root folder"))
}

/// Returns true if GomocupJudge knows this suffix.
fn is_known(suffix: &str) -> bool {
    const RULES: [&str; 4] = ["freestyle", "standard", "renju", "caro"];
    let is_size = |text: &str| text == "15" || text == "20";
    match suffix.split_once('-') {
        Some((rule, size)) => RULES.contains(&rule) && is_size(size),
        None => RULES.contains(&suffix) || is_size(suffix),
    }
}

/// Returns true if an unknown suffix looks like a misspelt rule.
fn looks_like_rule(suffix: &str) -> bool {
    const WORDS: [&str; 4] = ["free", "stand", "renju", "caro"];
    suffix.split(['-', '.']).any(|part| WORDS.iter().any(|word| part.starts_with(word)))
}

fn suffix(context: &CheckContext<'_>) -> CheckResult {
    let no_zip = || NotPassed::Skipped("not a zip file (see zip.brain)".into());
    let found = files(context)?.ok_or_else(no_zip)?;
    let programs = programs(&found);
    // A single program plays everything, whatever its name. Among several only engines matter.
    let engines = programs.iter().filter(|name| name.to_lowercase().starts_with("pbrain"));
    for program in engines.filter(|_| programs.len() > 1) {
        let lower = program.to_lowercase();
        let name = lower.trim_end_matches(".exe");
        let name =
            ["_64", "-64", "64"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        if let Some((_, suffix)) = name.rsplit_once('_')
            && !is_known(suffix)
            && looks_like_rule(suffix)
        {
            let expected = "_rule, _size or _rule-size (freestyle, standard, renju, caro; 15, 20)";
            return Err(fail(format!("{program}: _{suffix}"), expected));
        }
    }
    if programs.is_empty() {
        return Err(fail("no .exe in the root folder", "a program"));
    }
    Ok(programs.join(", "))
}

fn size(context: &CheckContext<'_>) -> CheckResult {
    let packed = read(context)?.len();
    if packed > MAX_SIZE {
        return Err(fail(format!("{packed} bytes"), "at most 8 MB"));
    }
    Ok(format!("{packed} bytes"))
}
