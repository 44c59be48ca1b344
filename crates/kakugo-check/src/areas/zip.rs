//! The zip of a tournament entry.

use std::fs;

use super::super::bench::Bench;
use super::super::item::{Area, Check};
use super::super::verdict::{Failure, Judged, Stop};
use super::super::zip::{Entry, entries};

const GOMOCUP: &[&str] = &["strict", "judge", "piskvork"];

pub(in super::super) const CHECKS: &[Check] = &[
    Check {
        id: "zip.name",
        area: Area::Zip,
        asks: "the zip's name is that of the brain, without pbrain- before it",
        source: "Gomocup: detailed information",
        managers: GOMOCUP,
        advice: "Name it mybrain.zip.",
        alone: false,
        run: zip_name,
    },
    Check {
        id: "zip.brain",
        area: Area::Zip,
        asks: "a pbrain-….exe lies in the zip's root",
        source: "GomocupJudge client.py:168-255 looks for .exe files in the root",
        managers: GOMOCUP,
        advice: "Pack the files, not the folder that they lie in; name the program pbrain-name.exe.",
        alone: false,
        run: brain,
    },
    Check {
        id: "zip.suffix",
        area: Area::Zip,
        asks: "a suffix of a program's name that is to tell its rule or board is one that the judge knows: _rule, _size, _rule-size",
        source: "GomocupJudge client.py:168-255",
        managers: GOMOCUP,
        advice: "For one rule or board write _freestyle, _standard, _renju, _caro, _15, _20 or _rule-size, then 64 for 64 bit; any other suffix serves all.",
        alone: false,
        run: suffix,
    },
    Check {
        id: "zip.size",
        area: Area::Zip,
        asks: "the zip is not larger than 8 MB",
        source: "Gomocup's announcements 2021, 2022, 2024: 8 MB without special approval",
        managers: GOMOCUP,
        advice: "Strip the program, quantise weights, or ask the organisers.",
        alone: false,
        run: size,
    },
];

/// Most bytes of a zip.
const MOST: u64 = 8 << 20;

fn stem(bench: &Bench<'_>) -> Result<String, Stop> {
    let path = bench.subject.zip.as_ref();
    let path = path.ok_or_else(|| Stop::Skipped("no zip named (--zip)".into()))?;
    Ok(path.file_stem().unwrap_or_default().to_string_lossy().into_owned())
}

fn fail(came: impl Into<String>, wanted: &str) -> Stop {
    Stop::Fail(Failure { talk: Vec::new(), came: came.into(), wanted: wanted.into() })
}

fn read(bench: &Bench<'_>) -> Result<(Vec<u8>, Vec<Entry>), Stop> {
    stem(bench)?;
    let path = bench.subject.zip.clone().unwrap_or_default();
    let bytes =
        fs::read(&path).map_err(|error| fail(error.to_string(), "a zip that can be read"))?;
    let found = entries(&bytes).ok_or_else(|| fail("this is no zip", "a zip"))?;
    Ok((bytes, found))
}

fn zip_name(bench: &Bench<'_>) -> Judged {
    let stem = stem(bench)?;
    read(bench)?;
    let path = bench.subject.zip.clone().unwrap_or_default();
    if path.extension().is_none_or(|end| !end.eq_ignore_ascii_case("zip")) {
        return Err(fail(path.display().to_string(), "a name that ends in .zip"));
    }
    if stem.to_lowercase().starts_with("pbrain-") {
        return Err(fail(format!("{stem}.zip"), "a name without pbrain-"));
    }
    Ok(stem)
}

/// The programs in the root.
fn programs(found: &[Entry]) -> Vec<&str> {
    let is_program = |name: &str| name.to_lowercase().ends_with(".exe");
    let names = found.iter().map(|entry| entry.name.as_str());
    names.filter(|name| is_program(name) && !name.contains('/') && !name.contains('\\')).collect()
}

fn brain(bench: &Bench<'_>) -> Judged {
    let (_, found) = read(bench)?;
    let programs = programs(&found);
    if programs.iter().any(|name| name.to_lowercase().starts_with("pbrain-")) {
        return Ok(programs.join(", "));
    }
    let names: Vec<&str> = found.iter().take(8).map(|entry| entry.name.as_str()).collect();
    Err(fail(format!("in it: {}", names.join(", ")), "pbrain-….exe in the root"))
}

/// Whether the judge knows this suffix.
fn is_known(suffix: &str) -> bool {
    const RULES: [&str; 4] = ["freestyle", "standard", "renju", "caro"];
    let is_size = |text: &str| text == "15" || text == "20";
    match suffix.split_once('-') {
        Some((rule, size)) => RULES.contains(&rule) && is_size(size),
        None => RULES.contains(&suffix) || is_size(suffix),
    }
}

/// Whether a suffix that the judge does not know looks as if it were to tell a rule.
fn is_meant(suffix: &str) -> bool {
    const WORDS: [&str; 4] = ["free", "stand", "renju", "caro"];
    suffix.split(['-', '.']).any(|part| WORDS.iter().any(|word| part.starts_with(word)))
}

fn suffix(bench: &Bench<'_>) -> Judged {
    let (_, found) = read(bench)?;
    let programs = programs(&found);
    // A lone program serves all, whatever it is called; of several only brains are looked at.
    let brains = programs.iter().filter(|name| name.to_lowercase().starts_with("pbrain"));
    for program in brains.filter(|_| programs.len() > 1) {
        let lower = program.to_lowercase();
        let name = lower.trim_end_matches(".exe");
        let name =
            ["_64", "-64", "64"].iter().find_map(|end| name.strip_suffix(end)).unwrap_or(name);
        if let Some((_, suffix)) = name.rsplit_once('_')
            && !is_known(suffix)
            && is_meant(suffix)
        {
            let wanted = "_rule, _size or _rule-size (freestyle, standard, renju, caro; 15, 20)";
            return Err(fail(format!("{program}: _{suffix}"), wanted));
        }
    }
    if programs.is_empty() {
        return Err(fail("no .exe in the root", "a program"));
    }
    Ok(programs.join(", "))
}

fn size(bench: &Bench<'_>) -> Judged {
    let (bytes, _) = read(bench)?;
    let packed = bytes.len() as u64;
    if packed > MOST {
        return Err(fail(format!("{packed} bytes"), "at most 8 MB"));
    }
    Ok(format!("{packed} bytes"))
}
