//! The views of puzzles.

use kakugo_record::analysis::puzzle::{Verdict, WinKind};
use kakugo_record::problems::Step;
use kakugo_record::text::{Text, text};

use crate::game::live::LiveGame;
use crate::game::wording;
use crate::messages::{
    AnswerVerdict, Attempt, PuzzleEntry, PuzzleInfo, Puzzles, TrainingSet, TrainingStep,
    TrainingView,
};
use crate::parts::practice::{PuzzleAttempt, PuzzleSearch, Stage};
use crate::parts::training::{Counts, SetId, Training};
use crate::puzzles::{self, Puzzle, Task};
use crate::views::{side_word, stones_of, xy, xys};

/// Returns the view of the puzzles found by a search.
pub fn puzzles(search: Option<&PuzzleSearch>, training: &Training) -> Puzzles {
    let entry = |puzzle: &Puzzle| {
        let [black, white] = &puzzle.setup.seats;
        PuzzleEntry {
            puzzle: info(puzzle),
            solved: training.cards.is_solved(&puzzles::key(puzzle)),
            black: wording::name(&black.name),
            white: wording::name(&white.name),
            width: puzzle.setup.width,
            height: puzzle.setup.height,
            position: LiveGame::with_moves(puzzle.setup.clone(), &puzzle.moves)
                .map(|game| stones_of(game.board()))
                .unwrap_or_default(),
        }
    };
    Puzzles {
        goes_on: search.is_some_and(PuzzleSearch::goes_on),
        games: search.map_or(0, PuzzleSearch::searched),
        puzzles: search.iter().flat_map(|search| search.puzzles()).map(entry).collect(),
    }
}

/// Returns the view of a puzzle without its solution.
fn info(puzzle: &Puzzle) -> PuzzleInfo {
    PuzzleInfo {
        key: puzzles::key(puzzle),
        side: side_word(puzzle.side),
        task: match puzzle.task {
            Task::Win => "win",
            Task::Five => "five",
            Task::Defend | Task::Hold => "defend",
        },
        step: puzzle.step.map(step_words),
        title: puzzle.title.clone(),
        kind: puzzle.kind.filter(|_| puzzle.task == Task::Win).map(kind_of_win),
        stones: puzzle.stones,
        grade: puzzle.grade,
        missed: puzzle.missed,
        own: puzzle.own,
        date: puzzle.date.clone(),
    }
}

fn kind_of_win(kind: WinKind) -> Text {
    match kind {
        WinKind::Five => text!("five"),
        WinKind::OpenFour => text!("open four"),
        WinKind::FourThree => text!("four-three"),
        WinKind::Fours => text!("fours (VCF)"),
        WinKind::Threats => text!("threats (VCT)"),
    }
}

/// Returns the text of a step of the built-in problems.
fn step_words(step: Step) -> Text {
    match step {
        Step::Five => text!("Find the five"),
        Step::StopFour => text!("Stop the four"),
        Step::Double => text!("Make a double threat"),
        Step::Fours => text!("Win by fours"),
        Step::Threats => text!("Win by threats"),
        Step::Defence => text!("Find the only defence"),
    }
}

/// Returns the word of a set of problems.
pub fn set_word(set: SetId) -> &'static str {
    match set {
        SetId::Freestyle => "freestyle",
        SetId::Renju => "renju",
        SetId::File => "file",
    }
}

/// Returns the view of the sets of problems with their counts on this day.
pub fn training(training: &Training, today: i32) -> TrainingView {
    let sets =
        SetId::ALL.into_iter().filter(|&set| set != SetId::File || training.file_name().is_some());
    let set = |set| TrainingSet {
        set: set_word(set),
        name: training.file_name().filter(|_| set == SetId::File).map(str::to_owned),
        steps: training
            .steps(set, today)
            .into_iter()
            .map(|(step, Counts { total, solved, due })| TrainingStep {
                step,
                words: Step::of_number(step).map(step_words),
                total,
                solved,
                due,
            })
            .collect(),
    };
    TrainingView { sets: sets.map(set).collect() }
}

/// Returns the view of the puzzle on the board.
pub fn attempt(attempt: &PuzzleAttempt) -> Attempt {
    let said = attempt.verdict.as_ref().map(|(tried, verdict)| {
        let (word, reply) = match verdict {
            Verdict::Solved => ("solved", None),
            Verdict::Right(reply) => ("right", Some(*reply)),
            Verdict::Wrong(reply) => ("wrong", *reply),
        };
        AnswerVerdict { verdict: word, tried: xy(*tried), reply: reply.map(xy) }
    });
    Attempt {
        puzzle: info(&attempt.puzzle),
        stage: match attempt.stage {
            Stage::Try => "try",
            Stage::Judging(_) => "judging",
            Stage::Solved => "solved",
            Stage::Shown => "shown",
        },
        hinted: attempt.hinted,
        course: attempt.course.map(|course| set_word(course.set)),
        mistakes: attempt.mistakes,
        solution: attempt.shows_solution.then(|| xys(&attempt.puzzle.line)),
        said,
    }
}
