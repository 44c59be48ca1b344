//! The view of a search's progress.

use std::time::Duration;

use kakugo::board::{Board, Side};
use kakugo::score::Score;
use kakugo_record::analysis::threats;

use crate::messages::{Analysis, Line, Pace, Threats};
use crate::progress::{Progress, PvLine};
use crate::views::{ms, xys};

/// Number of promising points that are shown.
const MAX_CANDIDATES: usize = 60;

/// Returns the view of the progress of a search in a position.
pub fn analysis(board: &Board, version: u64, progress: &Progress) -> Analysis {
    let line = |line: &PvLine| {
        let score = for_black(board, line.score);
        Line {
            depth: line.depth,
            score: score.to_string(),
            permille: score.win_rate_permille(),
            moves: xys(&line.moves),
        }
    };
    let features = progress.features.as_ref();
    let heat =
        |&(p, rating): &(kakugo::board::Point, f64)| (p.x(), p.y(), (rating * 1000.0).round());
    Analysis {
        version,
        lines: progress.lines.iter().map(line).collect(),
        seldepth: progress.seldepth,
        nodes: progress.nodes,
        elapsed: ms(progress.elapsed),
        speed: speed(progress.nodes, progress.elapsed),
        threats: features.map(|features| features.threats.each_ref().map(threats_of_side)),
        heat: features
            .map(|features| features.candidates.iter().take(MAX_CANDIDATES).map(heat).collect()),
    }
}

/// Returns a score for the side to move as one for Black.
pub fn for_black(board: &Board, score: Score) -> Score {
    if board.side_to_move() == Side::Black { score } else { -score }
}

fn threats_of_side(threats: &threats::Threats) -> Threats {
    Threats {
        fives: xys(&threats.fives),
        open_fours: xys(&threats.open_fours),
        fours: xys(&threats.fours),
        open_threes: xys(&threats.open_threes),
        vcf: xys(&threats.vcf),
    }
}

/// Returns the view of the time and the nodes of a search.
pub fn pace(version: u64, elapsed: Duration, nodes: u64) -> Pace {
    Pace { version, elapsed: ms(elapsed), nodes, speed: speed(nodes, elapsed) }
}

/// Returns nodes per second.
fn speed(nodes: u64, elapsed: Duration) -> f64 {
    let seconds = elapsed.as_secs_f64();
    if seconds > 0.0 { (nodes as f64 / seconds).round() } else { 0.0 }
}
