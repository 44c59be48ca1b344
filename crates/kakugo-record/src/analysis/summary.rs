//! Summaries of reviewed games, and of the players of many games.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::accuracy::{self, Grade, accuracy_of, counted_losses};
use super::review::Review;
use crate::notation::{name, names};
use crate::pos::{self, RowOrder};
use crate::renju_opening::RenjuOpening;
use crate::{Game, GameResult};
use kakugo::board::{Outcome, Point, Side};

/// First move numbers after the opening, and after the middle game.
const PHASES: [usize; 2] = [11, 31];

/// Names of the phases of a game.
pub const PHASE_NAMES: [&str; 3] = ["opening", "middle game", "endgame"];

/// Number of stones of an opening.
const OPENING_MOVES: usize = 3;

/// The summary of a reviewed game.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct GameSummary {
    /// Name of the file.
    pub file: String,
    /// Number of the game in the file, from 1.
    pub number: usize,
    /// Names of the players, Black first; empty if unknown.
    pub players: [String; 2],
    /// Name of the event; may be empty.
    pub event: String,
    /// Date as text; may be empty.
    pub date: String,
    /// Rule and win length.
    pub rule: String,
    /// Size of the board, such as `15x15`.
    pub size: String,
    /// `black`, `white` or `draw`.
    pub result: Option<String>,
    /// The moves up to the first pass, rows from the bottom.
    pub moves: String,
    /// The name of the opening of Renju, if it is one. Otherwise the first three stones, turned or
    /// reflected so that symmetric openings are equal; empty if there are fewer, or if the game
    /// begins from a position.
    pub opening: String,
    /// The moves of Black and of White.
    pub sides: [SideSummary; 2],
    /// The turning points.
    pub turning_points: Vec<ClaimSummary>,
}

/// The moves of one side, in one game or in several.
#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize, Debug)]
pub struct SideSummary {
    /// Number of moves.
    pub moves: usize,
    /// Number of moves before the game was decided.
    pub counted: usize,
    /// Sum of the losses of these moves, per mille.
    pub loss: u64,
    /// Mistakes of the opening, the middle game and the endgame.
    pub phases: [PhaseSummary; 3],
}

/// The mistakes of one side in a phase.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, Debug)]
pub struct PhaseSummary {
    /// Number of moves before the game was decided.
    pub counted: usize,
    /// Number of inaccuracies.
    pub inaccuracies: usize,
    /// Number of mistakes.
    pub mistakes: usize,
    /// Number of blunders.
    pub blunders: usize,
}

/// A turning point.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct ClaimSummary {
    /// Move number, from 1.
    pub number: usize,
    /// `Black` or `White`.
    pub side: String,
    /// The move played.
    pub played: String,
    /// The mistake as a phrase.
    pub mistake: String,
    /// Expected result of the side that moved, before and after, per mille.
    pub permille: [u32; 2],
    /// The better line.
    pub better: String,
}

impl SideSummary {
    /// Returns the accuracy in percent. `None` if no move counted.
    pub fn accuracy(&self) -> Option<f64> {
        self.mean_loss().map(accuracy_of)
    }

    /// Returns the mean loss, per mille. `None` if no move counted.
    pub fn mean_loss(&self) -> Option<f64> {
        (self.counted > 0).then(|| self.loss as f64 / self.counted as f64)
    }

    /// Returns the mistakes of all phases.
    pub fn total(&self) -> PhaseSummary {
        self.phases.into_iter().fold(PhaseSummary::default(), PhaseSummary::plus)
    }

    fn plus(self, other: SideSummary) -> SideSummary {
        SideSummary {
            moves: self.moves + other.moves,
            counted: self.counted + other.counted,
            loss: self.loss + other.loss,
            phases: std::array::from_fn(|i| self.phases[i].plus(other.phases[i])),
        }
    }
}

impl PhaseSummary {
    fn plus(self, other: PhaseSummary) -> PhaseSummary {
        PhaseSummary {
            counted: self.counted + other.counted,
            inaccuracies: self.inaccuracies + other.inaccuracies,
            mistakes: self.mistakes + other.mistakes,
            blunders: self.blunders + other.blunders,
        }
    }
}

/// Returns the summary of a reviewed game, the one with this number in a file.
pub fn summarize(game: &Game, review: &Review, file: &str, number: usize) -> GameSummary {
    let result = match game.board().map(|board| board.outcome()) {
        Ok(Outcome::Win(side)) => Some(GameResult::Win(side)),
        Ok(Outcome::Forbidden(_)) => Some(GameResult::Win(Side::White)),
        Ok(Outcome::Draw) => Some(GameResult::Draw),
        _ => game.result,
    };
    let result = result.map(|result| match result {
        GameResult::Win(Side::Black) => "black".to_owned(),
        GameResult::Win(Side::White) => "white".to_owned(),
        GameResult::Draw => "draw".to_owned(),
    });
    let claims = review.turning_points.iter().map(|turning| ClaimSummary {
        number: turning.number,
        side: turning.side.to_string(),
        played: name(turning.played, game.height),
        mistake: turning.mistake.words().to_owned(),
        permille: turning.permille.into(),
        better: names(&turning.line, game.height),
    });
    GameSummary {
        file: file.to_owned(),
        number,
        players: [game.black.clone(), game.white.clone()],
        event: game.event.clone(),
        date: game.date.clone(),
        rule: game.variant.to_string(),
        size: format!("{}x{}", game.width, game.height),
        result,
        moves: pos::write(game.points(), game.height, RowOrder::FromBottom),
        opening: opening(game),
        sides: Side::BOTH.map(|side| side_summary(game, review, side)),
        turning_points: claims.collect(),
    }
}

fn side_summary(game: &Game, review: &Review, side: Side) -> SideSummary {
    let (moves, losses) = counted_losses(review, side, |i| game.moves[i].point.is_some());
    let mut summary = SideSummary { moves, counted: losses.len(), ..SideSummary::default() };
    for (i, loss) in losses {
        summary.loss += u64::from(loss);
        let phase = PHASES.iter().filter(|&&first| i + 1 >= first).count();
        let phase = &mut summary.phases[phase];
        phase.counted += 1;
        match accuracy::Grade::of(loss) {
            Some(Grade::Inaccuracy) => phase.inaccuracies += 1,
            Some(Grade::Mistake) => phase.mistakes += 1,
            Some(Grade::Blunder) => phase.blunders += 1,
            None => {}
        }
    }
    summary
}

/// Returns the opening, equal for symmetric openings.
fn opening(game: &Game) -> String {
    if let Some(named) = RenjuOpening::of_game(game) {
        return named.to_string();
    }
    let points: Vec<Point> = game.points().take(OPENING_MOVES).collect();
    let (width, height) = (game.width, game.height);
    let is_inside = |p: &Point| p.x() < width && p.y() < height;
    if points.len() < OPENING_MOVES || !game.starts_empty() || !points.iter().all(is_inside) {
        return String::new();
    }
    let symmetries = if width == height { 8 } else { 4 };
    let image = |symmetry: u8, p: &Point| {
        let x = if symmetry & 1 == 0 { p.x() } else { width - 1 - p.x() };
        let y = if symmetry & 2 == 0 { p.y() } else { height - 1 - p.y() };
        let (x, y) = if symmetry & 4 == 0 { (x, y) } else { (y, x) };
        Point::new(x, y)
    };
    let images = (0..symmetries).filter_map(|symmetry| {
        points.iter().map(|p| image(symmetry, p)).collect::<Option<Vec<_>>>()
    });
    let least =
        images.min_by_key(|points| points.iter().map(|p| (p.y(), p.x())).collect::<Vec<_>>());
    names(&least.unwrap_or(points), height)
}

/// The summary of a player over several games.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct PlayerSummary {
    /// Name of the player; empty for all whose names are unknown.
    pub name: String,
    /// Number of games.
    pub games: usize,
    /// Numbers of wins, draws and losses.
    pub results: [usize; 3],
    /// The moves of all games.
    pub moves: SideSummary,
    /// Accuracy in percent; `None` if no move counted.
    pub accuracy: Option<f64>,
    /// The openings, most frequent first.
    pub openings: Vec<OpeningSummary>,
}

/// The games of a player with an opening.
#[derive(Clone, PartialEq, Serialize, Debug)]
pub struct OpeningSummary {
    /// The first stones.
    pub opening: String,
    /// The side of the player: `Black` or `White`.
    pub side: String,
    /// Number of games.
    pub games: usize,
    /// Numbers of wins, draws and losses.
    pub results: [usize; 3],
    /// Accuracy in percent; `None` if no move counted.
    pub accuracy: Option<f64>,
}

/// Games, results and moves.
#[derive(Clone, Copy, Default)]
struct Tally {
    games: usize,
    results: [usize; 3],
    moves: SideSummary,
}

impl Tally {
    fn add(&mut self, game: &GameSummary, side: Side) {
        self.games += 1;
        let own = if side == Side::Black { "black" } else { "white" };
        match game.result.as_deref() {
            Some("draw") => self.results[1] += 1,
            Some(winner) => self.results[if winner == own { 0 } else { 2 }] += 1,
            None => {}
        }
        self.moves = self.moves.plus(game.sides[side.index()]);
    }
}

/// Returns the summaries of all players, the one with the most games first.
pub fn players(games: &[GameSummary]) -> Vec<PlayerSummary> {
    // By opening and side.
    type Openings<'a> = BTreeMap<(&'a str, usize), Tally>;
    let mut all: BTreeMap<&str, (Tally, Openings<'_>)> = BTreeMap::new();
    for game in games {
        for side in Side::BOTH {
            let (tally, openings) = all.entry(&game.players[side.index()]).or_default();
            tally.add(game, side);
            if !game.opening.is_empty() {
                openings.entry((&game.opening, side.index())).or_default().add(game, side);
            }
        }
    }
    let summary = |(name, (tally, openings)): (&str, (Tally, Openings<'_>))| {
        let opening = |((opening, side), tally): ((&str, usize), Tally)| OpeningSummary {
            opening: opening.to_owned(),
            side: Side::BOTH[side].to_string(),
            games: tally.games,
            results: tally.results,
            accuracy: tally.moves.accuracy(),
        };
        let mut openings: Vec<OpeningSummary> = openings.into_iter().map(opening).collect();
        openings.sort_by_key(|opening| std::cmp::Reverse(opening.games));
        PlayerSummary {
            name: name.to_owned(),
            games: tally.games,
            results: tally.results,
            moves: tally.moves,
            accuracy: tally.moves.accuracy(),
            openings,
        }
    };
    let mut players: Vec<PlayerSummary> = all.into_iter().map(summary).collect();
    players.sort_by_key(|player| std::cmp::Reverse(player.games));
    players
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::review::{EvaluatedPosition, review_of};
    use crate::sgf;
    use kakugo::score::Score;

    fn summary(sgf: &str, scores: &[i32]) -> GameSummary {
        let game = sgf::read(sgf).unwrap().remove(0);
        let plies: Vec<_> = game.sides().zip(game.moves.iter().map(|m| m.point)).collect();
        let evaluated = |&score: &i32| {
            let black = Score::from_eval(score);
            EvaluatedPosition {
                black,
                black_permille: black.win_rate_permille(),
                best_line: vec![Point::new(0, 0).unwrap()],
                depth: 1,
                by_fours: false,
                checks: EvaluatedPosition::VERIFIED,
            }
        };
        let positions = scores.iter().map(evaluated).collect();
        let review = review_of(&plies, game.opening_moves, positions, Outcome::Ongoing);
        summarize(&game, &review, "a.sgf", 1)
    }

    #[test]
    fn games_and_players_are_summarized() {
        // Black loses much with move 3.
        let first = summary(
            "(;GM[4]SZ[15]PB[Ann]PW[Bob]RE[W+R];B[hh];W[ih];B[jj];W[gg])",
            &[0, 0, 0, -400, -400],
        );
        assert_eq!(first.result.as_deref(), Some("white"));
        assert_eq!((first.sides[0].counted, first.sides[0].total().blunders), (2, 1));
        assert_eq!(first.turning_points.len(), 1);
        assert_eq!((first.moves.as_str(), first.rule.as_str()), ("h8i8j6g9", "freestyle"));
        // The same opening reflected.
        let second = summary("(;GM[4]SZ[15]PB[Bob]PW[Ann]RE[W+];B[hh];W[gh];B[fj])", &[0, 0, 0, 0]);
        assert_eq!(first.opening, second.opening);
        // The openings of Renju have names.
        let named = summary("(;GM[4]SZ[15];B[hh];W[hg];B[ig])", &[0, 0, 0, 0]);
        assert_eq!(named.opening, "D4 Kagetsu (花月)");
        let text = serde_json::to_string(&first).unwrap();
        assert_eq!(serde_json::from_str::<GameSummary>(&text).unwrap(), first);
        let players = players(&[first, second]);
        let ann = players.iter().find(|player| player.name == "Ann").unwrap();
        assert_eq!((ann.games, ann.results, ann.moves.moves), (2, [1, 0, 1], 3));
        assert_eq!((ann.openings.len(), ann.moves.phases[0].blunders), (2, 1));
        let bob = players.iter().find(|player| player.name == "Bob").unwrap();
        assert!(bob.accuracy > ann.accuracy, "{bob:?} {ann:?}");
    }

    #[test]
    fn stones_placed_before_the_colours_are_chosen_are_not_whites_mistakes() {
        let with = |choice: &str| {
            let text = format!("(;GM[4]SZ[15];B[hh];W[ab];B[hg]{choice};W[ba];B[hf])");
            let game = summary(&text, &[0, 0, 5000, 5000, 9000, 9000]);
            let white = game.sides[1];
            (white.moves, white.total().blunders, game.turning_points.len())
        };
        assert_eq!(with(""), (2, 1, 1));
        assert_eq!(with(";KCH[white]"), (1, 0, 0));
        // Who chooses later has the colour until then, and a number of fifth moves is no colour.
        assert_eq!(with(";KCH[fifths-2]"), (2, 1, 1));
    }

    #[test]
    fn moves_belong_to_phases() {
        let moves: String = (0..32_u8)
            .map(|i| {
                let (x, y) = (char::from(b'a' + i % 8), char::from(b'a' + i / 8 * 3));
                format!(";{}[{x}{y}]", if i % 2 == 0 { 'B' } else { 'W' })
            })
            .collect();
        let game = summary(&format!("(;GM[4]SZ[15]{moves})"), &[0; 33]);
        let counted = game.sides.map(|side| side.phases.map(|phase| phase.counted));
        assert_eq!(counted, [[5, 10, 1], [5, 10, 1]]);
        assert_eq!(game.sides[0].accuracy().map(f64::round), Some(100.0));
    }
}
