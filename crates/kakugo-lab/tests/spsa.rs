//! Tests of `kakugo-lab spsa` with the real program and search, in builds with the feature
//! `tuning`.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use kakugo::board::{Board, Rule, Variant};
use kakugo::search::{Engine, Limits, Signals, Silent, TUNABLES, set_tunable};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Runs `spsa` on a file of this test.
fn spsa(file: &PathBuf, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kakugo-lab"));
    command.arg("spsa").arg(file).args(args).output().unwrap()
}

#[test]
fn resumed_runs_write_identical_files() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, again) = (folder.path().join("whole.spsa"), folder.path().join("again.spsa"));
    let settings = ["--pairs", "5", "--nodes", "150", "--seed", "3", "--rules", "freestyle:9"];
    let play = |file, workers| {
        let output = spsa(file, &[&settings[..], &["--workers", workers]].concat());
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(
            output.status.success() && text.ends_with("--report prints the values\n"),
            "{text}"
        );
    };
    play(&whole, "2");
    let expected = fs::read(&whole).unwrap();
    assert_eq!(expected.iter().filter(|&&byte| byte == b'\n').count(), 6);
    for kept in [0, expected.len() / 2, expected.len() - 7] {
        fs::write(&again, &expected[..kept]).unwrap();
        play(&again, "3");
        assert!(fs::read(&again).unwrap() == expected, "{kept} bytes kept");
    }
    let report = spsa(&whole, &["--report"]);
    let report = String::from_utf8(report.stdout).unwrap();
    assert!(report.starts_with("5 of 5 pairs, 150 nodes per move, freestyle:9,"), "{report}");
    assert!(report.contains("\nlmr_factor "), "{report}");
    let refused = spsa(&whole, &["--nodes", "9"]);
    assert!(!refused.status.success());
}

#[test]
fn the_search_works_with_all_values_in_range() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for round in 0..60 {
        for tunable in TUNABLES {
            let ends = [tunable.min, tunable.max, tunable.value];
            assert!(set_tunable(tunable.name, *ends.choose(&mut rng).unwrap()));
        }
        let rule = *Rule::ALL.choose(&mut rng).unwrap();
        let mut board = Board::new(15, 15, Variant::five(rule)).unwrap();
        let mut engine = Engine::new(1 << 18);
        for _ in 0..rng.random_range(2..20) {
            let free: Vec<_> = board.empty_points().filter(|p| p.x() / 6 == 1).collect();
            let p = *free.choose(&mut rng).unwrap();
            if board.foul(p, board.side_to_move()).is_some() || board.play(p).is_err() {
                break;
            }
        }
        if board.outcome() != kakugo::board::Outcome::Ongoing {
            continue;
        }
        let limits = Limits { max_nodes: Some(3000), ..Limits::default() };
        let answer = engine.think(&board, &limits, &Signals::default(), &mut Silent);
        assert!(answer.best.is_some_and(|p| board.is_empty(p)), "round {round}");
    }
    for tunable in TUNABLES {
        set_tunable(tunable.name, tunable.value);
    }
}
