//! Names every public item of the library. Whatever this file uses may not be removed or changed
//! without a new minor version; it is compiled without the feature `internals`.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::time::Duration;

use kakugo::{
    Analysis, Balance, Board, Cell, Engine, ForcedWin, Foul, InvalidDiagram, Level, Limits, Line,
    Outcome, PlayError, Point, Rule, Score, Side, Size, Stone, StopHandle, UnknownLevel,
    UnknownPoint, UnknownRule, UnknownSize, UnsupportedSize, UnsupportedWinLength, Variant,
    WinKind, solve, solve_by_fours,
};

fn is_value<T: Copy + Eq + Debug + Send + Sync + 'static>() {}
fn is_shared<T: Clone + Debug + Send + Sync + 'static>() {}
fn is_error<T: Error + Display + Eq + Send + Sync + 'static>() {}

#[test]
fn types_have_the_usual_traits() {
    is_value::<Balance>();
    is_value::<Cell>();
    is_value::<Foul>();
    is_value::<Outcome>();
    is_value::<Point>();
    is_value::<Rule>();
    is_value::<Score>();
    is_value::<Side>();
    is_value::<Size>();
    is_value::<Stone>();
    is_value::<Variant>();
    is_value::<WinKind>();
    is_shared::<Analysis>();
    is_shared::<Board>();
    is_shared::<ForcedWin>();
    is_shared::<Level>();
    is_shared::<Limits>();
    is_shared::<Line>();
    is_shared::<StopHandle>();
    is_error::<InvalidDiagram>();
    is_error::<PlayError>();
    is_error::<UnknownLevel>();
    is_error::<UnknownPoint>();
    is_error::<UnknownRule>();
    is_error::<UnknownSize>();
    is_error::<UnsupportedSize>();
    is_error::<UnsupportedWinLength>();
    fn is_sent<T: Send + 'static>() {}
    is_sent::<Engine>();
    assert_eq!(format!("{:?}", Engine::new(1024)), "Engine { hash_bytes: 1024, threads: 1, .. }");
    assert!((1..=10).all(|n| Level::of(n).is_some_and(|level| level.number() == n)));
}

#[test]
fn names_observe_width_and_alignment() -> Result<(), Box<dyn Error>> {
    let (point, six) = (Point::new(3, 12), Variant::new(Rule::Standard, 6)?);
    let point = point.ok_or("off the board")?;
    assert_eq!(format!("{point:>6}|{point:<6}|{point:?}"), "  3,12|3,12  |(3,12)");
    assert_eq!(format!("{:7}|{:^9}|", Side::Black, Rule::Renju), "Black  |  renju  |");
    assert_eq!(format!("{:>10}|{six:>22}|", Variant::RENJU), "     renju|  standard, 6 in a row|");
    assert_eq!(format!("{:>9}|", Foul::Overline), " overline|");
    Ok(())
}

#[test]
fn a_position_can_be_set_up_and_read() -> Result<(), Box<dyn Error>> {
    let size: Size = "9x7".parse()?;
    let rules = Rule::ALL.map(|rule| (rule.word(), rule.number()));
    assert_eq!(rules[2], ("renju", 4));
    assert_eq!((Rule::of_number(9), Rule::of_number(2)), (Some(Rule::Caro), None));
    let variant = Variant::new(Rule::Freestyle, 4)?;
    assert_eq!((variant.rule(), variant.win_length()), (Rule::Freestyle, 4));
    let renju = [Side::Black, Side::White].map(|side| Variant::RENJU.has_forbidden(side));
    assert_eq!(renju, [true, false]);

    let mut board = Board::new(size.width, size.height, variant)?;
    assert_eq!((board.width(), board.height(), board.variant()), (9, 7, variant));
    let (a, b) = (board.parse_point("c4")?, board.parse_point("d4")?);
    assert_eq!((a.x(), a.y(), a.distance(b)), (2, 3, 1));
    assert_eq!(Point::new(2, 3), Some(a));
    board.block(a)?;
    board.play(b)?;
    board.place(board.parse_point("e4")?, Side::Black)?;
    assert_eq!((board.cell(a), board.cell(b)), (Cell::Wall, Cell::Stone(Side::Black)));
    assert_eq!(board.play(a), Err(PlayError::Blocked));
    assert_eq!(board.play(b), Err(PlayError::Occupied(Side::Black)));
    assert!(board.contains(a) && !board.is_empty(a) && !board.is_legal(a));
    assert_eq!(board.points().count(), 63);
    assert_eq!((board.empty_points().count(), board.empty_count(), board.ply()), (60, 60, 2));
    assert_eq!(board.stones().next(), Some(Stone { point: b, side: Side::Black }));
    assert_eq!(board.last_stone().map(|stone| board.name(stone.point)).as_deref(), Some("e4"));

    board.settle();
    let key = board.key();
    board.set_side_to_move(Side::Black);
    assert_ne!(board.key(), key);
    for name in ["f4", "g4"] {
        board.place(board.parse_point(name)?, Side::Black)?;
    }
    assert!(board.makes_five(b, Side::Black));
    assert_eq!(board.outcome(), Outcome::Win(Side::White.opponent()));
    assert_eq!(board.names(&board.winning_line()), "d4 e4 f4 g4");
    assert!(board.undo().is_some() && board.outcome() == Outcome::Ongoing);
    assert_eq!((board.foul(b, Side::Black), board.forbidden_points().next()), (None, None));
    assert_eq!(Board::from_diagram(variant, &board.to_string())?.to_string(), board.to_string());
    Ok(())
}

#[test]
fn every_limit_can_be_set() -> Result<(), Box<dyn Error>> {
    let mut board = Board::new(15, 15, Variant::FREESTYLE)?;
    board.play(board.parse_point("h8")?)?;
    let stop = StopHandle::new();
    let limits = Limits::new()
        .time(Duration::from_secs(10))
        .clock(Duration::from_secs(60), Duration::from_secs(1))
        .nodes(2_000)
        .depth(8)
        .lines(2)
        .stop(&stop);
    let mut engine = Engine::new(1 << 20);
    engine.set_hash_bytes(2 << 20);
    engine.set_threads(2);
    let Analysis { best, lines, depth, nodes, .. } = engine.analyze(&board, &limits);
    assert!(best.is_some() && lines.len() == 2 && depth > 0 && nodes >= lines[0].nodes);
    engine.clear();
    for level in Level::ALL {
        assert!(engine.best_move_at_level(&board, &limits, level).is_some(), "{}", level.name);
    }
    assert_eq!(Level::of(1).map(|level| level.rating), Some(0));
    assert_eq!((solve(&board, &limits), solve_by_fours(&board, &limits)), (None, None));
    assert!(!stop.is_stopped());

    let only = board.parse_point("h9")?;
    let limits = Limits::new().nodes(1_000);
    assert_eq!(engine.best_move(&board, &limits.clone().only([only])), Some(only));
    let best = engine.analyze(&board, &limits.clone().without(board.empty_points())).best;
    assert_eq!(best, None);
    let polled = Limits::new().stop(&StopHandle::polling(|| true));
    assert!(engine.analyze_live(&board, &polled, |_| {}).best.is_some());
    for balance in [Balance::ONE, Balance::TWO.bias(20)] {
        let line = engine.balance(&board, balance, &limits).ok_or("no stones")?;
        assert!(line.moves.len() >= balance.stones());
    }
    Ok(())
}

#[test]
fn scores_tell_evaluations_from_forced_wins() {
    let (win, loss, even) = (Score::win_in(3), Score::loss_in(4), Score::ZERO);
    assert!(win.is_win() && win.is_decided() && loss.is_loss() && !even.is_decided());
    assert_eq!((-Score::from_eval(40)).value(), -40);
    assert_eq!(Score::from_eval(i32::MAX).value(), Score::MAX_EVAL);
    assert_eq!(Score::from_eval(Score::UNITS_PER_NAT).win_rate_permille(), 731);
    assert_eq!([win, even].map(Score::plies_to_five), [Some(3), None]);
    assert_eq!((loss.mate(), even.win_rate()), (Some(-4), 0.5));
}
