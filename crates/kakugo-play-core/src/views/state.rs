//! The view of the game on the board.

use crate::game::end::{End, Forfeit};
use crate::game::live::LiveGame;
use crate::game::setup::PlayerKind;
use crate::game::{status, wording};
use crate::jobs::MoveFilter;
use crate::messages::{
    Balance, Coach, Level, Live, Opinion, Pair, Placements, Player, ReviewProgress, State,
    TimeControl, Trainer, Xy,
};
use crate::notice::Notice;
use crate::now::Time;
use crate::parts::hints::Hint;
use crate::parts::live_analysis::{AnalysisLimits, LiveAnalysis};
use crate::parts::opening_trainer::TrainerState;
use crate::parts::practice::PuzzleAttempt;
use crate::progress::PvLine;
use crate::views::analysis::for_black;
use crate::views::{coach, marks, ms, puzzles, side_word, tree, xy, xys};
use kakugo::board::{Board, Foul, Point, Side};
use kakugo_record::renju_opening::RenjuOpening;
use kakugo_record::setup::Setup;
use kakugo_record::sgf::Symbol;
use kakugo_record::tree::NodeId;

/// The parts of a room around its game.
pub struct Surroundings<'a> {
    /// Number of changes of the position.
    pub version: u64,
    /// True if clocks and computers wait.
    pub paused: bool,
    /// Purpose of the search under way.
    pub thinking: Option<&'static str>,
    /// True if that search waits for a search thread.
    pub queued: bool,
    /// Live analysis.
    pub analysis: &'a LiveAnalysis,
    /// The node of the position's last stone.
    pub position_node: NodeId,
    /// True if live analysis has reached a limit.
    pub finished: bool,
    /// Evaluation after each number of stones, if known.
    pub values: Vec<Option<u32>>,
    /// The opinion of another engine.
    pub opinion: Option<Opinion>,
    /// True if a change of comments, symbols, marks or arrows can be taken back.
    pub can_undo_mark: bool,
    /// True if one that was taken back can be made again.
    pub can_redo_mark: bool,
    /// The coach.
    pub coach: Coach,
    /// A notice about the latest change.
    pub notice: Option<&'a Notice>,
    /// True if a part of the game has been reviewed.
    pub reviewed: bool,
    /// Progress of the review under way.
    pub reviewing: Option<ReviewProgress>,
    /// The puzzle on the board.
    pub attempt: Option<&'a PuzzleAttempt>,
    /// The training of openings.
    pub trainer: Option<TrainerState>,
    /// The player's level.
    pub level: Option<Level>,
    /// The game of two people.
    pub pair: Option<Pair>,
}

/// Returns the view of a game.
pub fn state(game: &LiveGame, around: Surroundings<'_>, now: Time) -> State {
    let board = game.board();
    let setup = game.setup();
    let end = game.end();
    let line = line(game);
    let progress = game.opening_progress();
    let note = &game.tree().value(game.node()).note;
    let analysis = around.analysis;
    let hint = analysis.hint();
    State {
        version: around.version,
        width: board.width(),
        height: board.height(),
        rule: setup.variant.rule().word(),
        win: setup.variant.win_length(),
        variant: wording::variant(setup.variant),
        opening: setup.opening.word(),
        renju_opening: renju_opening(board),
        study: game.study().to_owned(),
        title: game.title(),
        time: TimeControl {
            turn: setup.time.turn.map(ms),
            game: setup.time.game.map(ms),
            increment: ms(setup.time.increment),
            byoyomi: setup.time.byoyomi.map(|byoyomi| (byoyomi.periods, ms(byoyomi.period))),
            thought: ms(setup.thought),
        },
        start: Placements {
            turn: Some(side_word(setup.start.side_to_move())),
            ..placements(&setup.start)
        },
        moves: line.moves,
        sides: line.sides,
        steps: line.steps,
        edits: line.edits,
        times: line.times,
        at: game.ply(),
        can_undo: game.can_undo(),
        can_redo: game.can_redo(),
        line: game.nodes().iter().map(|node| node.number()).collect(),
        step: game.at(),
        node: game.node().number(),
        below: tree::moves_below(game),
        main: game.tree().is_main(game.node()),
        marks: marks(&note.marks),
        arrows: note.arrows().iter().map(xys).collect(),
        symbol: note.symbol().map(Symbol::text),
        can_undo_mark: around.can_undo_mark,
        can_redo_mark: around.can_redo_mark,
        turn: side_word(board.side_to_move()),
        seat: game.turn(),
        status: status::sentence(game),
        told: game.recorded_end().is_some(),
        winner: end.as_ref().and_then(End::winner).map(side_word),
        row: xys(&board.winning_line()),
        forbidden: if end.is_some() { Vec::new() } else { forbidden_points(board) },
        end: end.as_ref().map(end_word),
        choices: progress.next.choices().iter().map(|choice| choice.word()).collect(),
        offered: xys(progress.next.offered()),
        players: Side::BOTH.map(|side| player(game, side, now)),
        clock_runs: game.clock_runs(),
        paused: around.paused,
        thinking: around.thinking,
        queued: around.queued,
        analyse: analysis.lines(),
        resting: analysis.is_resting(),
        live: live(board, &around),
        values: around.values,
        reviewed: around.reviewed,
        reviewing: around.reviewing,
        hint: hint.and_then(Hint::shown_point).map(xy),
        hints: hint.map(coach::hint),
        opinion: around.opinion,
        coach: around.coach,
        practice: around.attempt.map(puzzles::attempt),
        trainer: around.trainer.map(trainer),
        level: around.level,
        pair: around.pair,
        note: around.notice.map(|notice| notice.text.clone()),
        note_to_all: around.notice.is_some_and(|notice| notice.is_for_spectators),
    }
}

fn trainer(state: TrainerState) -> Trainer {
    let TrainerState { side, right, wrong, missed, known, total, has_more, shows, over } = state;
    let (side, more) = (side_word(side), has_more);
    Trainer { side, right, wrong, missed, known, total, more, shows, over }
}

/// Returns the view of the limits and the moves of live analysis.
fn live(board: &Board, around: &Surroundings<'_>) -> Live {
    let AnalysisLimits { depth, time } = around.analysis.limits();
    let MoveFilter { only, without } = around.analysis.filter(around.position_node);
    let balance = |line: &PvLine| Balance {
        permille: for_black(board, line.score).win_rate_permille(),
        moves: xys(&line.moves),
    };
    Live {
        depth,
        time: time.map(ms),
        only: xys(&only),
        without: xys(&without),
        finished: around.finished,
        balance: around.analysis.balance().map(balance),
    }
}

/// The line on the board, as messages have it.
#[derive(Default)]
struct Line {
    moves: Vec<Option<Xy>>,
    sides: Vec<&'static str>,
    steps: Vec<usize>,
    times: Vec<u64>,
    edits: Vec<(usize, Placements)>,
}

fn line(game: &LiveGame) -> Line {
    let mut line = Line::default();
    let mut side = game.setup().start.side_to_move();
    for (step, &node) in (1..).zip(game.nodes()) {
        let value = game.tree().value(node);
        if let Some(setup) = &value.note.setup {
            side = setup.to_move.unwrap_or(side);
            line.edits.push((step, placements(setup)));
        }
        if let Some(played) = value.step.filter(|played| played.action.is_move()) {
            line.moves.push(game.stone(node).map(xy));
            line.sides.push(side_word(side));
            line.steps.push(step);
            line.times.push(ms(played.spent));
            side = side.opponent();
        }
    }
    line
}

fn placements(setup: &Setup) -> Placements {
    Placements {
        black: xys(setup.black()),
        white: xys(setup.white()),
        blocked: xys(setup.blocked()),
        removed: xys(setup.removed()),
        turn: setup.to_move.map(side_word),
    }
}

/// Returns code and names of the Renju opening of a position.
fn renju_opening(board: &Board) -> Option<String> {
    let first: Vec<_> = board.stones().take(3).collect();
    let sides = [Side::Black, Side::White, Side::Black];
    let is_regular = first.iter().map(|stone| stone.side).eq(sides);
    let points: Vec<Point> = first.iter().map(|stone| stone.point).collect();
    let opening = RenjuOpening::of_moves((board.width(), board.height()), &points);
    opening.filter(|_| is_regular).map(ToString::to_string)
}

fn player(game: &LiveGame, side: Side, now: Time) -> Player {
    let index = game.seat_of(side);
    let seat = &game.setup().seats[index];
    let (left, turn) = game.left(index, now);
    let (kind, number) = match seat.player {
        PlayerKind::Human => ("human", 0),
        PlayerKind::Kakugo(level) => ("kakugo", level),
        PlayerKind::Engine(engine) => ("engine", engine),
    };
    Player {
        seat: index,
        name: wording::seat(seat),
        kind,
        number,
        left: left.map(ms),
        turn_left: turn.map(ms),
        overtime: game.overtime(index, now).map(|overtime| (overtime.periods, ms(overtime.spent))),
        used: ms(game.used_by(index, now)),
    }
}

/// Returns the points that are forbidden to Black in a position, with the kinds of fouls.
pub fn forbidden_points(board: &Board) -> Vec<(u8, u8, &'static str)> {
    if !board.variant().has_forbidden(Side::Black) {
        return Vec::new();
    }
    let fouls = board.empty_points().filter_map(|p| {
        let foul = board.foul(p, Side::Black)?;
        Some((p.x(), p.y(), foul_word(foul)))
    });
    fouls.collect()
}

fn foul_word(foul: Foul) -> &'static str {
    match foul {
        Foul::Overline => "6",
        Foul::DoubleFour => "44",
        Foul::DoubleThree => "33",
    }
}

fn end_word(end: &End) -> &'static str {
    match end {
        End::Row(_) => "row",
        End::Foul(_) => "foul",
        End::Full => "full",
        End::Recorded(..) => "told",
        End::Agreed => "agreed",
        End::Forfeit(_, Forfeit::Resigned) => "resigned",
        End::Forfeit(_, Forfeit::Time) => "time",
        End::Forfeit(_, Forfeit::Failed(_)) => "failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Variant;

    #[test]
    fn renju_openings_are_named_if_colours_alternate() {
        let mut board = Board::new(15, 15, Variant::RENJU).unwrap();
        for (x, y) in [(7, 7), (7, 6), (8, 6), (0, 0)] {
            let known = renju_opening(&board);
            assert_eq!(known.is_some(), board.stones().count() >= 3);
            board.play(Point::new(x, y).unwrap()).unwrap();
        }
        assert_eq!(renju_opening(&board).unwrap(), "D4 Kagetsu (花月)");
        let mut passed = Board::new(15, 15, Variant::RENJU).unwrap();
        for (x, y, side) in [(7, 7, Side::Black), (7, 6, Side::Black), (8, 6, Side::White)] {
            passed.place(Point::new(x, y).unwrap(), side).unwrap();
        }
        assert_eq!(renju_opening(&passed), None);
    }
}
