//! The views of hints and of what the coach says.

use kakugo_record::text::{Text, text};

use crate::commands::CoachSetting;
use crate::game::wording::{self, side as side_text};
use crate::insight::{Idea, Mistake, Plan, PlanKind};
use crate::messages::{CoachWords, Hint, Xy};
use crate::parts::coach::{Lesson, Said};
use crate::parts::hints;
use crate::views::{side_word, xy, xys};

/// The largest number of points that a lesson shows.
const MAX_POINTS: usize = 8;

/// Returns the view of a hint.
pub fn hint(hint: &hints::Hint) -> Hint {
    let idea = hint.shown_idea();
    let stones = match idea {
        Some(Idea::Stop(plan) | Idea::FourFirst(plan)) => xys(&plan.stones),
        _ => Vec::new(),
    };
    Hint {
        area: hint.area.map(xy),
        idea: idea.map(idea_text),
        stones,
        more: hint.shown_point().is_none(),
    }
}

/// Returns the text of the idea of a move.
pub fn idea_text(idea: &Idea) -> Text {
    match idea {
        Idea::Win(plan) => can_win(plan),
        Idea::Stop(plan) => {
            let side = side_text(plan.side);
            match plan.kind {
                PlanKind::Five => text!("{0} threatens to make five: stop it at once.", side),
                PlanKind::OpenFour => {
                    text!("{0} has an open three: stop it before it becomes an open four.", side)
                }
                PlanKind::DoubleFour => {
                    text!("{0} threatens to make two fours with one stone: stop it first.", side)
                }
                PlanKind::Fours | PlanKind::Threats => {
                    text!("{0} threatens to win by continuous fours: stop it first.", side)
                }
            }
        }
        Idea::FourFirst(plan) => text!(
            "{0} threatens to win by fours. A four comes first: it must be answered.",
            side_text(plan.side)
        ),
        Idea::FourThenThree => text!("A four here leads to an open three."),
        Idea::Makes(kind) => text!("A stone here makes a threat: {0}.", wording::made(*kind)),
        Idea::Prevents(kind) => {
            text!("The other side wants this point: {0}.", wording::made(*kind))
        }
        Idea::Prepares(count) => {
            text!("A stone here prepares {0} {0:point|points} for an open three.", *count)
        }
        Idea::FirstStone => text!("In the middle there is the most room for lines."),
        Idea::Quiet => text!(
            "Neither side can win by fours. Look for a point that helps in several directions."
        ),
    }
}

/// Returns the text of a win that the side to move has.
fn can_win(plan: &Plan) -> Text {
    let side = side_text(plan.side);
    let stones = plan.stones_needed();
    match plan.kind {
        PlanKind::Five => text!("{0} can make five at once.", side),
        PlanKind::OpenFour => {
            text!("{0} can make an open four, which nobody can stop.", side)
        }
        PlanKind::DoubleFour => {
            text!("{0} can make two fours with one stone: only one can be stopped.", side)
        }
        PlanKind::Fours => {
            text!("{0} has a win by continuous fours: {1} stones to the five.", side, stones)
        }
        PlanKind::Threats => {
            text!("{0} has a win by fours and open threes: {1} stones to the five.", side, stones)
        }
    }
}

/// Returns the word of a setting in messages.
pub fn setting_word(setting: CoachSetting) -> &'static str {
    match setting {
        CoachSetting::Off => "off",
        CoachSetting::Large => "large",
        CoachSetting::Medium => "medium",
        CoachSetting::Small => "small",
    }
}

/// Returns the view of what the coach says. `takes_back` is true if the latest move can be taken
/// back, `waits` if the computer waits.
pub fn words(said: &Said, takes_back: bool, waits: bool) -> CoachWords {
    let plain = |kind, text| CoachWords {
        kind,
        text,
        stones: Vec::new(),
        points: Vec::new(),
        line: Vec::new(),
        side: "black",
        takes_back: false,
        waits: false,
    };
    let of_plan = |kind, text, plan: &Plan, points: Vec<Xy>| CoachWords {
        stones: xys(&plan.stones),
        points,
        side: side_word(plan.side),
        ..plain(kind, text)
    };
    match said {
        Said::Mistake { mistake, waits: waited } => {
            let words = match mistake {
                Mistake::Allows { plan, .. } => {
                    let text = mistake_text(mistake);
                    let line = xys(&plan.line);
                    CoachWords { line, ..of_plan("mistake", text, plan, xys(&plan.points)) }
                }
                // The points stay secret: the player may still find them.
                Mistake::Misses { plan } => {
                    of_plan("mistake", mistake_text(mistake), plan, Vec::new())
                }
                Mistake::Costs { side, line, .. } => CoachWords {
                    line: xys(line),
                    side: side_word(side.opponent()),
                    ..plain("mistake", mistake_text(mistake))
                },
            };
            CoachWords { takes_back, waits: waits && *waited, ..words }
        }
        Said::Threat(plan) => of_plan("threat", threat_text(plan), plan, xys(&plan.points)),
        Said::Lesson(lesson) => {
            let text = lesson_text(lesson);
            match lesson {
                Lesson::CanWin(plan) | Lesson::CannotStop(plan) => {
                    of_plan("lesson", text, plan, xys(&plan.points))
                }
                Lesson::MustStop(plan, points) => {
                    of_plan("lesson", text, plan, xys(points.iter().take(MAX_POINTS)))
                }
                Lesson::CanThreaten(_, points) => CoachWords {
                    points: xys(points.iter().take(MAX_POINTS)),
                    ..plain("lesson", text)
                },
                Lesson::Start(_) | Lesson::YourTurn | Lesson::Over { .. } => plain("lesson", text),
            }
        }
    }
}

/// Returns the text of a mistake.
fn mistake_text(mistake: &Mistake) -> Text {
    match mistake {
        Mistake::Allows { plan, .. } => {
            let (side, stones) = (side_text(plan.side), plan.stones_needed());
            match plan.kind {
                PlanKind::Five => text!("After this move {0} can make five.", side),
                PlanKind::OpenFour => {
                    text!("After this move {0} can make an open four, which nobody can stop.", side)
                }
                PlanKind::DoubleFour => {
                    text!("After this move {0} can make two fours with one stone.", side)
                }
                PlanKind::Fours => text!(
                    "After this move {0} wins by continuous fours: {1} stones to the five.",
                    side,
                    stones
                ),
                PlanKind::Threats => text!(
                    "After this move {0} wins by fours and open threes: {1} stones to the five.",
                    side,
                    stones
                ),
            }
        }
        Mistake::Misses { plan } => {
            let (side, stones) = (side_text(plan.side), plan.stones_needed());
            match plan.kind {
                PlanKind::Five => text!("{0} could have made five.", side),
                PlanKind::OpenFour => {
                    text!("{0} could have made an open four, which nobody can stop.", side)
                }
                PlanKind::DoubleFour => {
                    text!("{0} could have made two fours with one stone, and won.", side)
                }
                PlanKind::Fours => text!(
                    "{0} has missed a win by continuous fours: {1} stones to the five.",
                    side,
                    stones
                ),
                PlanKind::Threats => text!(
                    "{0} has missed a win by fours and open threes: {1} stones to the five.",
                    side,
                    stones
                ),
            }
        }
        Mistake::Costs { side, before, after, .. } => text!(
            "This move costs much: {0} falls from {1} % to {2} %.",
            side_text(*side),
            percent(*before),
            percent(*after)
        ),
    }
}

fn percent(permille: u32) -> usize {
    (permille as usize + 5) / 10
}

/// Returns the text of a threat of the side that is not to move.
fn threat_text(plan: &Plan) -> Text {
    let side = side_text(plan.side);
    match plan.kind {
        PlanKind::Five => text!("{0} threatens to make five at a marked point.", side),
        PlanKind::OpenFour => {
            text!("{0} has an open three and threatens to make an open four.", side)
        }
        PlanKind::DoubleFour => text!("{0} threatens to make two fours with one stone.", side),
        PlanKind::Fours | PlanKind::Threats => {
            text!("{0} threatens to win by continuous fours.", side)
        }
    }
}

/// Returns the text of a lesson.
fn lesson_text(lesson: &Lesson) -> Text {
    match lesson {
        Lesson::Start(side) => text!(
            "You have {0}. Five stones in a row win: across, down or diagonally. Choose a point near the middle, where lines have room.",
            side_text(*side)
        ),
        Lesson::CanWin(plan) if plan.kind == PlanKind::Five => {
            text!("You have four in a row. Complete the five at a marked point and win!")
        }
        Lesson::CanWin(plan) if plan.kind == PlanKind::OpenFour => text!(
            "You have an open three. Make it an open four: both ends are free, so {0} cannot stop it.",
            side_text(plan.side.opponent())
        ),
        Lesson::CanWin(_) => {
            text!("One stone at the right point makes two fours at once. Only one can be stopped.")
        }
        Lesson::MustStop(plan, _) => {
            let side = side_text(plan.side);
            match plan.kind {
                PlanKind::Five => text!(
                    "{0} has four in a row. The next stone would win: stop it at the marked point.",
                    side
                ),
                PlanKind::OpenFour => text!(
                    "{0} has an open three: left alone it becomes an open four, which nobody can stop. Stop it at a marked point.",
                    side
                ),
                PlanKind::DoubleFour => text!(
                    "{0} could make two fours with one stone. Stop it at a marked point.",
                    side
                ),
                PlanKind::Fours | PlanKind::Threats => text!(
                    "{0} could win by one four after the other. Stop it at a marked point.",
                    side
                ),
            }
        }
        Lesson::CannotStop(plan) => text!(
            "{0} cannot be stopped any more. Remember: an open three must be stopped at once.",
            side_text(plan.side)
        ),
        Lesson::CanThreaten(side, _) => text!(
            "At a marked point you make an open three: three stones that {0} must stop at once.",
            side_text(side.opponent())
        ),
        Lesson::YourTurn => {
            text!("Your turn. Build lines of stones with both ends free.")
        }
        Lesson::Over { winner: Some(_), is_won: true } => {
            text!("You have won! “Rematch” plays again, “New game” offers other levels and rules.")
        }
        Lesson::Over { winner: Some(side), .. } => text!(
            "{0} has won. “What went wrong?” shows where the game turned; “Rematch” plays again.",
            side_text(*side)
        ),
        Lesson::Over { winner: None, .. } => {
            text!("A draw. “Rematch” plays again.")
        }
    }
}
