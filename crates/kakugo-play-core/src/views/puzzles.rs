//! The views of puzzles.

use kakugo_record::analysis::puzzle::{Verdict, WinKind};
use kakugo_record::pos::{self, RowOrder};
use kakugo_record::text::{Text, text};

use crate::game::live::LiveGame;
use crate::game::wording;
use crate::messages::{AnswerVerdict, Attempt, PuzzleEntry, PuzzleInfo, Puzzles};
use crate::parts::practice::{PuzzleAttempt, PuzzleSearch, Stage};
use crate::puzzles::Puzzle;
use crate::views::{side_word, stones_of, xy, xys};

/// Returns the view of the puzzles found by a search.
pub fn puzzles(search: Option<&PuzzleSearch>) -> Puzzles {
    let entry = |puzzle: &Puzzle| {
        let [black, white] = &puzzle.setup.seats;
        PuzzleEntry {
            puzzle: info(puzzle),
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
    let (width, height) = (puzzle.setup.width, puzzle.setup.height);
    let rows = RowOrder::FromBottom;
    let moves = pos::write(puzzle.moves.iter().copied(), height, rows);
    // Puzzles of games from a position need its stones in their keys.
    let start = &puzzle.setup.start;
    let stones = [start.black(), start.white(), start.blocked()];
    let start = if puzzle.setup.has_position() {
        let texts = stones.map(|points| pos::write(points.iter().copied(), height, rows));
        format!("{}, ", texts.join("/"))
    } else {
        String::new()
    };
    PuzzleInfo {
        key: format!("{} {width}x{height} {start}{moves}", puzzle.setup.variant),
        side: side_word(puzzle.side),
        kind: kind_of_win(puzzle.kind),
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
        mistakes: attempt.mistakes,
        solution: attempt.shows_solution.then(|| xys(&attempt.puzzle.line)),
        said,
    }
}
