//! Conversions between games at the board and game records.

use std::borrow::Cow;
use std::time::Duration;

use kakugo::board::{Board, Outcome, Side};
use kakugo_record::analysis::annotate::annotate;
use kakugo_record::file::Format;
use kakugo_record::game_tree::{CHOICE_PROPERTY, GameTree, Node, Note, Play, Property};
use kakugo_record::pos::RowOrder;
use kakugo_record::sgf;
use kakugo_record::text::{Text, text};
use kakugo_record::tree::NodeId;

use super::clocks::LONGEST_STEP;
use super::end::{End, RecordedEnd};
use super::error::{GameError, Spot};
use super::live::{Action, GameInfo, GameNode, LiveGame, Step, first_board};
use super::moves::{MAX_STEPS, OPENING_STONES};
use super::opening::{Next, Opening, OpeningChoice, Progress};
use super::opening_record::{self, allows, choice_of, has_choice, opening_of};
use super::review_property::{self, REVIEW_PROPERTY};
use super::setup::{ByoYomi, PlayerKind, Seat, Setup, TimeControl, tidy};
use super::{status, wording};
use crate::now::Time;

/// The property of the node at which a game was resigned or lost on time, if moves follow.
const ENDED: &str = "KED";

/// Returns the bytes of a file of the game: with its variations if the format has them, or else
/// with all moves of the line on the board.
///
/// # Errors
/// Returns the reason if the format cannot hold the game.
pub fn file_from_game(game: &LiveGame, format: Format) -> Result<Vec<u8>, Text> {
    let record = if format.has_variations() {
        tree_from_game(game)
    } else {
        let mut whole = game.clone();
        let _ = whole.redo(usize::MAX, Time::default());
        GameTree::from_game(&record_from_game(&whole))
    };
    format.write_trees(&[record]).map_err(|error| text!("Not saved: {0}.", error))
}

/// Returns the bytes of an SGF file of a reviewed game, with comments, symbols and better lines.
///
/// # Errors
/// Returns the reason if the game was not reviewed.
pub fn annotated_file(game: &LiveGame) -> Result<Vec<u8>, Text> {
    let moves = game.tree().main_line(NodeId::ROOT).filter(|&node| game.is_move(node));
    let nodes: Vec<NodeId> = std::iter::once(NodeId::ROOT).chain(moves).collect();
    let review = game.review_of(&nodes);
    if review.positions.len() < 2 {
        return Err(text!("This game has not been reviewed: explain it first."));
    }
    let mut record = tree_from_game(game);
    annotate(&mut record, &review).map_err(|error| text!("Not saved: {0}.", error.to_string()))?;
    Format::Sgf.write_trees(&[record]).map_err(|error| text!("Not saved: {0}.", error))
}

/// Returns the record of the moves up to the position.
pub fn record_from_game(game: &LiveGame) -> kakugo_record::Game {
    let mut line = GameTree::new(head(game));
    let mut at = NodeId::ROOT;
    for &id in &game.nodes()[..game.at()] {
        let moment = game.tree().value(id);
        let setup = moment.note.setup.clone();
        let other = match moment.step.map(|step| step.action) {
            Some(Action::Choose(choice)) => vec![opening_record::property_of(choice)],
            _ => Vec::new(),
        };
        let note = Note { setup, time: spent_on(moment.step), other, ..Note::default() };
        at = line.nodes.add(at, Node::with_note(play_of(moment.step), note));
    }
    let mut record = line.main_line();
    if let Some(end) = game.end() {
        record.result = Some(match end.winner() {
            Some(side) => kakugo_record::GameResult::Win(side),
            None => kakugo_record::GameResult::Draw,
        });
        record.cause = match &end {
            End::Forfeit(_, how) => Some(how.cause()),
            _ => None,
        };
        record.termination = status::sentence(game).to_string();
    } else if let Some(told) = game.recorded().filter(|told| is_on_the_way(game, told.tip)) {
        (record.result, record.cause) = (Some(told.result), told.cause);
        record.termination.clone_from(&told.words);
    }
    record
}

/// Returns the move of a step, as records have it.
fn play_of(step: Option<Step>) -> Play {
    match step.map(|step| step.action) {
        Some(Action::Stone(point)) => Play::Stone(point),
        Some(Action::Pass) => Play::Pass,
        Some(Action::Choose(_) | Action::SetUp) | None => Play::Nothing,
    }
}

/// Returns the time spent on a move, as records have it.
fn spent_on(step: Option<Step>) -> Option<Duration> {
    step.filter(|step| step.action.is_move()).and_then(|step| whole_ms(step.spent))
}

/// Returns a notice about what a file of this format does not hold of the game as it is.
pub fn notice_of_losses(game: &LiveGame, format: Format) -> Option<Text> {
    let mut nodes = game.tree().preorder().map(|id| game.tree().value(id));
    let is_special = game.setup().has_position()
        || nodes.any(|node| {
            node.note.setup.is_some()
                || node.step.is_some_and(|step| matches!(step.action, Action::Pass))
        });
    (is_special && format != Format::Sgf).then(|| {
        text!(
            "Only SGF holds this game as it is: set-up stones were written as moves, and passes may be missing."
        )
    })
}

/// Returns true if a node is the position's or lies before it.
fn is_on_the_way(game: &LiveGame, node: NodeId) -> bool {
    node == NodeId::ROOT || game.nodes()[..game.at()].contains(&node)
}

/// Returns a record without moves and result.
fn head(game: &LiveGame) -> kakugo_record::Game {
    let setup = game.setup();
    let name = |side: Side| setup.seats[game.seat_of(side)].name.clone();
    kakugo_record::Game {
        black: name(Side::Black),
        white: name(Side::White),
        event: game.info.event.clone(),
        round: game.info.round.clone(),
        date: game.info.date.clone(),
        start: setup.start.clone(),
        ..kakugo_record::Game::new(setup.width, setup.height, setup.variant)
    }
}

/// Returns the record of all moves with their variations. Result and names are those of the main
/// line.
pub fn tree_from_game(game: &LiveGame) -> GameTree {
    let tip = game.main_tip();
    let main = if game.node() == tip {
        Cow::Borrowed(game)
    } else {
        let mut main = game.clone();
        if main.go_to_node(tip, Time::default()).is_err() {
            return GameTree::new(head(game));
        }
        Cow::Owned(main)
    };
    // The main line may begin from stones that are set up later.
    let start = game.setup().start.clone();
    let mut record = GameTree::new(kakugo_record::Game { start, ..record_from_game(&main) });
    // The node where the game ended, if moves follow that were tried later.
    let ended = game.recorded().map(|recorded| recorded.tip);
    let ended =
        ended.filter(|&end| main.end().is_none() && end != tip && is_on_the_way(&main, end));
    let mut twins = vec![NodeId::ROOT; 1];
    for id in game.tree().preorder() {
        let moment = game.tree().value(id);
        let mut note = moment.note.clone();
        if let Some(review) = &moment.review {
            let values = vec![review_property::write(review, game.setup().height)];
            note.other.push(Property { name: REVIEW_PROPERTY.to_owned(), values });
        }
        if ended == Some(id) {
            note.other.push(Property { name: ENDED.to_owned(), values: vec![String::new()] });
        }
        note.time = spent_on(moment.step);
        if let Some(Step { action: Action::Choose(choice), .. }) = moment.step {
            note.other.push(opening_record::property_of(choice));
        }
        let node = Node::with_note(play_of(moment.step), note);
        let twin = match game.tree().parent(id) {
            None => {
                *record.nodes.value_mut(NodeId::ROOT) = node;
                let root = record.nodes.value_mut(NodeId::ROOT);
                root.edit_note(|note| {
                    add_time_control(note, &game.setup().time);
                    opening_record::add_opening(note, game.setup().opening);
                });
                NodeId::ROOT
            }
            Some(parent) => record.nodes.add(twins[parent.number() as usize], node),
        };
        let number = id.number() as usize;
        twins.resize(twins.len().max(number + 1), NodeId::ROOT);
        twins[number] = twin;
    }
    record
}

/// Properties of SGF for the time per game in seconds, and for everything else in words.
const TIME_PROPERTIES: [&str; 2] = ["TM", "OT"];

/// Adds the clocks of a game in the words of other programs: `30 simple` is a time per move, `5x30
/// byo-yomi` are periods, and `2 fischer` is an increment.
fn add_time_control(note: &mut Note, time: &TimeControl) {
    if !time.is_limited() {
        return;
    }
    let seconds = |time: Duration| time.as_secs_f64().to_string();
    let main = seconds(time.game.unwrap_or_default());
    let rest: Vec<String> = [
        time.turn.map(|turn| format!("{} simple", seconds(turn))),
        time.byoyomi
            .map(|ByoYomi { periods, period }| format!("{periods}x{} byo-yomi", seconds(period))),
        Some(time.increment)
            .filter(|time| !time.is_zero())
            .map(|time| format!("{} fischer", seconds(time))),
    ]
    .into_iter()
    .flatten()
    .collect();
    // They are those of an earlier file of the game.
    note.other.retain(|property| !TIME_PROPERTIES.contains(&&*property.name));
    for (name, value) in TIME_PROPERTIES.into_iter().zip([main, rest.join(", ")]) {
        if !value.is_empty() {
            note.other.push(Property { name: name.to_owned(), values: vec![value] });
        }
    }
}

/// Returns whole milliseconds as records have them, or `None` for no time.
fn whole_ms(time: Duration) -> Option<Duration> {
    let ms = u64::try_from(time.as_millis()).ok()?;
    (ms > 0).then(|| Duration::from_millis(ms))
}

/// Returns a game between two humans that has the moves of a record with its variations, at the end
/// of the main line. Also returns the number of moves of variations that are omitted, because they
/// follow the end of the game, or cannot be played.
///
/// # Errors
/// Returns the reason if a move of the main line cannot be played, with rows numbered as in `rows`.
pub fn game_from_record(record: &GameTree, rows: RowOrder) -> Result<(LiveGame, usize), Text> {
    let told = &record.game;
    // A player without a name is named by the colour.
    let seat = |side: Side| {
        let name = if side == Side::Black { &told.black } else { &told.white };
        let name = if name.is_empty() { side.to_string() } else { name.clone() };
        Seat { player: PlayerKind::Human, name }
    };
    let setup = Setup {
        width: told.width,
        height: told.height,
        variant: told.variant,
        seats: Side::BOTH.map(seat),
        start: told.start.clone(),
        opening: Opening::Free,
        ..Setup::default()
    };
    let setup = setup.checked(&[]).map_err(|error| error.refusal())?;
    check(&record.main_line()).map_err(|(number, why)| match why {
        GameError::Over => text!(
            "Move {0}: the game is over before it under this rule: {1}.",
            number + 1,
            wording::variant(told.variant)
        ),
        why => text!("Move {0}: {1}", number + 1, why.in_words(rows)),
    })?;
    let with_opening = game_with_opening(&setup, record);
    Ok(with_opening.unwrap_or_else(|| game_from_tree(setup, record)))
}

/// Returns the game with the opening that its record names, as [`game_from_record`] does. `None` if
/// the record names none, or if its moves do not fit.
fn game_with_opening(setup: &Setup, record: &GameTree) -> Option<(LiveGame, usize)> {
    let opening = opening_of(record.nodes.value(NodeId::ROOT)).ok().flatten()?;
    let setup = Setup { opening, ..setup.clone() }.checked(&[]).ok()?;
    let (mut game, left_out) = game_from_tree(setup, record);
    if game.setup.opening == Opening::Free || !follows_opening(&game) {
        return None;
    }
    // The names of a record are those of the colours.
    if game.seat_of(Side::Black) == 1 {
        game.setup.seats.swap(0, 1);
    }
    Some((game, left_out))
}

/// Returns true if the main line follows the rules of the game's opening as far as they go.
fn follows_opening(game: &LiveGame) -> bool {
    let mut again = LiveGame::new(game.setup.clone());
    let now = Time::default();
    game.tree.main_line(NodeId::ROOT).all(|node| {
        let next = again.opening_progress().next;
        let is_over = again.board.ply() >= OPENING_STONES && next == Next::Turn;
        let GameNode { step, note, .. } = game.tree.value(node);
        let action = step.map(|step| step.action);
        let is_choice = matches!(action, Some(Action::Choose(_))) || has_choice(note);
        match action {
            _ if is_over => !is_choice,
            // Played now, it would be offered.
            Some(Action::Stone(_)) if matches!(next, Next::Offer { .. }) => false,
            Some(Action::Stone(p)) => again.play_forbidden_too(p, now).is_ok(),
            Some(Action::Choose(choice)) => again.choose(choice, now).is_ok(),
            Some(Action::Pass | Action::SetUp) | None => false,
        }
    })
}

/// Returns a notice if a game does not have the opening that its record names.
fn notice_of_opening(record: &GameTree, game: &LiveGame) -> Option<Text> {
    match opening_of(record.nodes.value(NodeId::ROOT)) {
        Ok(named) => {
            named.filter(|&named| named != game.setup.opening).map(opening_record::notice_of_misfit)
        }
        Err(unknown) => Some(unknown),
    }
}

/// Checks that the moves of a game can be played. The error has the index of one that cannot.
fn check(game: &kakugo_record::Game) -> Result<(), (usize, GameError)> {
    let Ok(mut board) = game.first_board() else { return Ok(()) };
    for (number, (played, side)) in game.moves.iter().zip(game.sides()).enumerate() {
        if board.outcome() != Outcome::Ongoing {
            return Err((number, GameError::Over));
        }
        match played.point {
            None if number >= MAX_STEPS => return Err((number, GameError::TooLong)),
            None => board.set_side_to_move(side.opponent()),
            Some(point) => {
                let spot = Spot { point, height: game.height };
                let refused = |error| (number, GameError::Board(error, spot));
                board.place(point, side).map_err(refused)?;
            }
        }
    }
    Ok(())
}

/// Returns a game with all moves of a record that can be played, at the end of its main line, and
/// the number of those that cannot. It begins from the position of the record.
pub fn game_from_tree(mut setup: Setup, record: &GameTree) -> (LiveGame, usize) {
    let told = &record.game;
    if told.start.board(setup.width, setup.height, setup.variant).is_ok() {
        setup.start = told.start.clone();
    }
    let mut game = LiveGame::new(setup);
    game.info = GameInfo {
        event: told.event.clone(),
        round: told.round.clone(),
        date: told.date.clone(),
        end: None,
    };
    let mut left_out = 0;
    let is_end = |node: &Node| has(node, ENDED);
    let mut ended = is_end(record.nodes.value(NodeId::ROOT)).then_some(NodeId::ROOT);
    let mut path = Path::default();
    let mut board = first_board(&game.setup);
    remark(&mut game, NodeId::ROOT, (record.nodes.value(NodeId::ROOT), None), &board);
    for id in record.nodes.preorder().skip(1) {
        let parent = record.nodes.parent(id).unwrap_or(NodeId::ROOT);
        board = path.return_to(parent).unwrap_or(board);
        let (below, here) = (path.live().is_some(), path.live().unwrap_or(NodeId::ROOT));
        let node = record.nodes.value(id);
        let before = board.clone();
        let setup = node.setup();
        let is_valid = match setup.map(|setup| setup.applied(&board)) {
            Some(Ok(after)) if below && !path.is_full() => {
                board = after;
                true
            }
            Some(_) => false,
            None => below,
        };
        let Progress { black, next } = game.setup.opening.progress(board.ply(), &path.choices);
        let by_colour = if board.side_to_move() == Side::Black { black } else { 1 - black };
        let seat = next.seat().unwrap_or(by_colour);
        let action = match node.play {
            _ if !is_valid => None,
            Play::Nothing if setup.is_some() => Some(Action::SetUp),
            Play::Nothing => {
                match node.note().and_then(choice_of).filter(|&choice| allows(&next, choice)) {
                    Some(choice) => Some(Action::Choose(choice)),
                    // Of another opening: a node without a move preserves it.
                    None => (node.note().is_some_and(has_choice) && !path.is_full())
                        .then_some(Action::SetUp),
                }
            }
            _ if board.outcome() != Outcome::Ongoing => None,
            Play::Stone(p) => board.play(p).is_ok().then_some(Action::Stone(p)),
            Play::Pass if path.is_full() => None,
            Play::Pass => {
                board.set_side_to_move(board.side_to_move().opponent());
                Some(Action::Pass)
            }
        };
        let live = match (action, node.play) {
            (Some(action), _) => {
                let spent = node.note().and_then(|note| note.time).unwrap_or_default();
                let spent = spent.min(LONGEST_STEP);
                let step = Some(Step { action, seat, spent });
                // A library may contain a move twice: at the board it is one.
                let same = |&child: &NodeId| {
                    let known = game.tree.value(child);
                    known.step.is_some_and(|known| known.action == action)
                        && known.note.setup.as_ref() == setup
                        && (setup.is_some() || action != Action::SetUp)
                };
                let known = game.tree.children(here).find(same);
                Some(known.unwrap_or_else(|| {
                    let note = Note { setup: setup.cloned(), ..Note::default() };
                    game.tree.add(here, GameNode { step, note, ..GameNode::default() })
                }))
            }
            // A remark without a move belongs to the move before.
            (None, Play::Nothing) if is_valid => Some(here),
            _ => {
                left_out += 1;
                None
            }
        };
        if let Some(live) = live {
            remark(&mut game, live, (node, action), &board);
            ended = ended.or(is_end(node).then_some(live));
        }
        let before = (action.is_some() || setup.is_some()).then_some(before);
        path.push(PathStep { source: id, live, action, before });
    }
    let now = Time::default();
    let tip = game.main_tip();
    let _ = game.go_to_node(tip, now);
    if let (None, Some(result)) = (game.end(), told.result) {
        let words = told.termination.clone();
        let tip = ended.filter(|&node| is_on_the_way(&game, node)).unwrap_or(tip);
        game.info.end = Some(RecordedEnd { result, cause: told.cause, words, tip });
    }
    (game, left_out)
}

/// The path to the latest node of a record, without the root.
#[derive(Default)]
struct Path {
    nodes: Vec<PathStep>,
    /// The choices among its actions.
    choices: Vec<OpeningChoice>,
    /// Number of its actions.
    steps: usize,
}

impl Path {
    /// Adds a node below the last one.
    fn push(&mut self, node: PathStep) {
        if let Some(Action::Choose(choice)) = node.action {
            self.choices.push(choice);
        }
        self.steps += usize::from(node.action.is_some());
        self.nodes.push(node);
    }

    /// Goes back to a node. Returns its position unless the board has it already.
    fn return_to(&mut self, node: NodeId) -> Option<Board> {
        let mut board = None;
        while let Some(left) = self.nodes.pop_if(|last| last.source != node) {
            if let Some(Action::Choose(_)) = left.action {
                self.choices.pop();
            }
            self.steps -= usize::from(left.action.is_some());
            board = left.before.or(board);
        }
        board
    }

    /// Returns the counterpart of the last node at the board; `None` if it was omitted.
    fn live(&self) -> Option<NodeId> {
        self.nodes.last().map_or(Some(NodeId::ROOT), |last| last.live)
    }

    /// Returns true if there are too many steps for a pass or set-up stones.
    fn is_full(&self) -> bool {
        self.steps >= MAX_STEPS
    }
}

/// A node on the path to the latest one, with its counterpart at the board.
struct PathStep {
    source: NodeId,
    /// The node at the board; `None` if it was omitted.
    live: Option<NodeId>,
    action: Option<Action>,
    /// The position before it, if it has another.
    before: Option<Board>,
}

/// Adds the remarks of a record's node, which has this action and position.
fn remark(
    game: &mut LiveGame,
    live: NodeId,
    (node, action): (&Node, Option<Action>),
    board: &Board,
) {
    let Some(note) = node.note() else { return };
    if let Some(said) = note.other.iter().find(|property| property.name == REVIEW_PROPERTY) {
        game.set_review(live, review_property::read(&said.values[0], board));
    }
    let known = &mut game.tree.value_mut(live).note;
    let mut said = Node::with_note(Play::Nothing, std::mem::take(known));
    said.append_comment(&note.comment);
    let before = said.note().cloned().unwrap_or_default();
    let is_choice = matches!(action, Some(Action::Choose(_)));
    let is_ours = |property: &Property| {
        [REVIEW_PROPERTY, ENDED].contains(&&*property.name)
            || is_choice && property.name == CHOICE_PROPERTY
    };
    let others = note.other.iter().filter(|property| !is_ours(property));
    *known = Note {
        time: None,
        marks: before.marks.into_iter().chain(note.marks.iter().cloned()).collect(),
        other: before.other.into_iter().chain(others.cloned()).collect(),
        comment: before.comment,
        setup: before.setup,
    };
}

fn has(node: &Node, name: &str) -> bool {
    node.note().is_some_and(|note| note.other.iter().any(|property| property.name == name))
}

/// Returns the game of a record, and notices about what the record does not state, what is unusual
/// in it, and what was left out.
///
/// # Errors
/// As [`game_from_record`].
pub fn open_record(record: &GameTree, rows: RowOrder) -> Result<(LiveGame, Option<Text>), Text> {
    let (game, omitted) = game_from_record(record, rows)?;
    let start = &record.game.start;
    let notices = [
        notice_of_assumed_rule(record),
        start.has_assumed_side().then(|| {
            let side = wording::side(start.side_to_move());
            text!("The side to move is not stated: {0} is assumed.", side)
        }),
        record.out_of_turn().map(|(number, side)| {
            text!("Move {0} of {1} is out of turn.", number, wording::side(side))
        }),
        notice_of_opening(record, &game),
        notice_of_omitted_moves(omitted),
    ];
    Ok((game, joined(notices)))
}

/// Returns notices in one text.
pub fn joined(notices: impl IntoIterator<Item = Option<Text>>) -> Option<Text> {
    let join = |before: Text, notice: Text| text!("{0} {1}", before, notice);
    notices.into_iter().flatten().reduce(join)
}

/// Returns a notice about the rule if the file does not state it.
pub fn notice_of_assumed_rule(record: &GameTree) -> Option<Text> {
    let rule = wording::variant(record.game.variant);
    if let Some(stated) = sgf::unknown_rule(record) {
        return Some(text!(
            "The rule of the file, '{0}', is not known: {1} is assumed. Name another when you open it.",
            tidy(&stated),
            rule
        ));
    }
    record.game.assumes_rule.then(|| {
        text!(
            "The file does not state the rule: {0} is assumed. Name another when you open it.",
            rule
        )
    })
}

/// Returns a notice about omitted moves, if there are any.
pub fn notice_of_omitted_moves(moves: usize) -> Option<Text> {
    (moves > 0).then(|| {
        text!(
            "{0} {0:move of a variation|moves of variations} cannot be played and {0:is|are} left out.",
            moves
        )
    })
}

/// Returns a notice about a file with several games, of which one is shown; empty for a single
/// game.
pub fn notice_of_other_games(games: usize) -> String {
    if games > 1 {
        format!("The file holds {games} games: this is the first.")
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::end::Forfeit;
    use kakugo::board::Point;

    fn game_of(record: &kakugo_record::Game, rows: RowOrder) -> Result<LiveGame, Text> {
        Ok(game_from_record(&GameTree::from_game(record), rows)?.0)
    }

    #[test]
    fn games_survive_a_record() {
        let now = Time::default();
        let seats =
            ["Ann", "Bob"].map(|name| Seat { player: PlayerKind::Human, name: name.to_owned() });
        let setup = Setup { seats, ..Setup::default() };
        let mut game = LiveGame::new(setup.checked(&[]).unwrap());
        for (x, y) in [(7, 7), (0, 0), (8, 7), (1, 1), (9, 7), (2, 2), (10, 7), (3, 4), (11, 7)] {
            game.play(Point::new(x, y).unwrap(), now).unwrap();
        }
        let text = sgf::write(&record_from_game(&game));
        let back = game_of(&sgf::read(&text).unwrap()[0], RowOrder::FromBottom).unwrap();
        assert!(back.line().eq(game.line()));
        assert_eq!(back.end(), game.end());
        assert_eq!(record_from_game(&back), record_from_game(&game));
    }

    #[test]
    fn a_file_without_variations_holds_the_whole_line_wherever_the_board_is() {
        let now = Time::default();
        let seats =
            ["Ann", "Bob"].map(|name| Seat { player: PlayerKind::Human, name: name.to_owned() });
        let (width, height) = (20, 20);
        let setup = Setup { width, height, opening: Opening::Swap, seats, ..Setup::default() };
        let mut game = LiveGame::new(setup.checked(&[]).unwrap());
        for (x, y) in [(7, 7), (8, 8), (9, 9)] {
            game.play(Point::new(x, y).unwrap(), now).unwrap();
        }
        game.choose(OpeningChoice::Black, now).unwrap();
        game.play(Point::new(1, 1).unwrap(), now).unwrap();
        for format in [Format::Psq, Format::Rec, Format::Pos(RowOrder::FromBottom)] {
            let file = file_from_game(&game, format).unwrap();
            for ply in [0, 2] {
                let mut back = game.clone();
                back.go_to(ply, now);
                assert_eq!(file_from_game(&back, format).unwrap(), file, "{format:?}");
            }
        }
    }

    #[test]
    fn impossible_records_are_refused() {
        let p = Point::new(3, 3).unwrap();
        let mut record = kakugo_record::Game::new(15, 15, kakugo::board::Variant::FREESTYLE);
        record.moves = vec![kakugo_record::Move::new(p), kakugo_record::Move::new(p)];
        let why =
            |record: &kakugo_record::Game, rows| game_of(record, rows).unwrap_err().to_string();
        let (top, bottom) = (RowOrder::FromTop, RowOrder::FromBottom);
        assert_eq!(why(&record, bottom), "Move 2: d12 is occupied by Black.");
        assert_eq!(why(&record, top), "Move 2: d4 is occupied by Black.");
        record.width = 2;
        assert!(why(&record, bottom).contains("2x15"));
    }

    #[test]
    fn records_with_variations_come_back_whole() {
        let text = "(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[renju]EV[Cup]DT[2020-01-02]PB[Ann]PW[Bob]\
            RE[W+Time]TE[time]C[root]AP[other]\n;B[hh]MS[5]\n(;W[hi]C[good]LB[aa:1];B[gg])\n(;W[gi];B[gg]N[x]))\n";
        let record = sgf::read_trees(text).unwrap().remove(0);
        let (game, left_out) = game_from_record(&record, RowOrder::FromBottom).unwrap();
        assert_eq!((left_out, game.board().ply(), game.tree().count()), (0, 3, 6));
        assert_eq!(sgf::write_tree(&tree_from_game(&game)), text);
        assert_eq!(tree_from_game(&game), record);
        // The result stays as long as its line.
        let now = Time::default();
        let mut longer = game.clone();
        longer.play(Point::new(0, 0).unwrap(), now).unwrap();
        assert_eq!(tree_from_game(&longer).game.result, record.game.result);
        let mut other = game.clone();
        other.delete(game.node(), now).unwrap();
        assert_eq!(tree_from_game(&other).game.result, None);
        assert_eq!(tree_from_game(&other).game.event, "Cup");
    }

    #[test]
    fn a_record_tells_who_won_where_the_board_does_not() {
        let shown = |properties: &str| {
            let text = format!("(;GM[4]PB[Ann]PW[Bob]{properties};B[hh];W[hi])");
            game_from_record(&sgf::read_trees(&text).unwrap()[0], RowOrder::FromBottom).unwrap().0
        };
        for (properties, expected) in [
            ("", "Ann (Black)'s turn."),
            ("RE[?]", "Ann (Black)'s turn."),
            ("RE[W+R]", "Bob (White) wins: Ann resigned."),
            ("RE[B+Resign]", "Ann (Black) wins: Bob resigned."),
            ("RE[w+time]TE[late]", "Bob (White) wins: Ann ran out of time."),
            ("RE[W+F]", "Bob (White) wins: Ann forfeited the game."),
            ("RE[W+F]TE[crash]", "Bob (White) wins according to the record: crash."),
            ("RE[W+]", "Bob (White) wins according to the record."),
            (
                "RE[W+]TE[White had better shoes.]",
                "Bob (White) wins according to the record: White had better shoes.",
            ),
            ("RE[0]", "A draw according to the record."),
            ("RE[Draw]TE[agreed]", "A draw according to the record: agreed."),
        ] {
            let mut game = shown(properties);
            assert_eq!(status::sentence(&game).to_string(), expected, "{properties}");
            // Play may go on, and elsewhere it is somebody's turn.
            let now = Time::default();
            assert_eq!(game.end(), None);
            game.undo(1, now).unwrap();
            assert_eq!(status::sentence(&game).to_string(), "Bob (White)'s turn.");
            game.redo(1, now).unwrap();
            assert_eq!(status::sentence(&game).to_string(), expected);
            game.play(Point::new(0, 0).unwrap(), now).unwrap();
            assert_eq!(status::sentence(&game).to_string(), "Bob (White)'s turn.");
            game.undo(1, now).unwrap();
            assert_eq!(status::sentence(&game).to_string(), "Ann (Black)'s turn.");
        }
    }

    #[test]
    fn a_game_lost_away_from_the_board_ends_so_when_it_is_opened_again() {
        let now = Time::default();
        let point = |x, y| Point::new(x, y).unwrap();
        for (loser, how) in [(0, Forfeit::Resigned), (1, Forfeit::Resigned), (1, Forfeit::Time)] {
            let mut game = LiveGame::new(Setup::default().checked(&[]).unwrap());
            game.play(point(7, 7), now).unwrap();
            game.forfeit(loser, how.clone(), now).unwrap();
            let file = file_from_game(&game, Format::Sgf).unwrap();
            let record = Format::Sgf.read_trees(&file, record_from_game(&game)).unwrap().remove(0);
            let (back, _) = game_from_record(&record, RowOrder::FromBottom).unwrap();
            assert_eq!(back.recorded_end(), game.end());
            assert_eq!(status::sentence(&back), status::sentence(&game));
            assert_eq!(file_from_game(&back, Format::Sgf).unwrap(), file);
            // Piskvork's files state only losses on time.
            let file = file_from_game(&game, Format::Psq).unwrap();
            let record = Format::Psq.read_trees(&file, record_from_game(&game)).unwrap().remove(0);
            let (back, _) = game_from_record(&record, RowOrder::FromBottom).unwrap();
            assert_eq!(back.recorded_end(), game.end().filter(|_| how == Forfeit::Time));
        }
    }

    #[test]
    fn a_line_tried_out_does_not_take_the_place_of_a_game_that_was_resigned() {
        let now = Time::default();
        let text = "(;GM[4]RE[W+R];B[aa];W[oa];B[ba];W[oc];B[ca];W[oe];B[da])";
        let record = sgf::read_trees(text).unwrap().remove(0);
        let mut game = game_from_record(&record, RowOrder::FromBottom).unwrap().0;
        let tip = game.main_tip();
        game.undo(1, now).unwrap();
        for (x, y) in [(3, 1), (9, 9), (3, 0), (9, 8), (4, 0)] {
            game.play(Point::new(x, y).unwrap(), now).unwrap();
        }
        assert!(game.end().is_some());
        assert_eq!(game.main_tip(), tip);
        assert_eq!(tree_from_game(&game).game.cause, Some(kakugo_record::Cause::Resignation));
    }

    #[test]
    fn moves_after_a_resignation_do_not_take_the_result_away() {
        let now = Time::default();
        let at = |x, y| Point::new(x, y).unwrap();
        for (result, before) in [("W+R", "B[hh];W[hi]"), ("B+T", "B[hh];W[hi]"), ("W+R", "")] {
            let text = format!("(;GM[4]PB[Ann]PW[Bob]RE[{result}];{before})");
            let mut game =
                game_from_record(&sgf::read_trees(&text).unwrap()[0], RowOrder::FromBottom)
                    .unwrap()
                    .0;
            let told = game.recorded_end();
            assert!(told.is_some());
            game.play(at(0, 0), now).unwrap();
            game.play(at(1, 0), now).unwrap();
            let file = file_from_game(&game, Format::Sgf).unwrap();
            let text = String::from_utf8(file.clone()).unwrap();
            assert!(text.contains(&format!("RE[{result}]")), "{text}");
            let record = Format::Sgf.read_trees(&file, record_from_game(&game)).unwrap().remove(0);
            let (mut back, _) = game_from_record(&record, RowOrder::FromBottom).unwrap();
            assert_eq!((back.recorded_end(), back.main_end()), (None, told.clone()));
            assert_eq!(file_from_game(&back, Format::Sgf).unwrap(), file);
            // Without those moves it is as it was.
            let added = back.nodes()[back.at() - 2];
            back.delete(added, now).unwrap();
            assert_eq!(back.recorded_end(), told);
            assert!(
                !String::from_utf8(file_from_game(&back, Format::Sgf).unwrap())
                    .unwrap()
                    .contains(ENDED)
            );
        }
    }

    #[test]
    fn what_cannot_be_played_in_a_variation_is_left_out_and_counted() {
        let text = "(;GM[4]PB[a]PW[b];B[hh](;W[hi];C[a remark](;B[hh];W[aa])(;B[jj]))(;W[];B[aa]))";
        let record = sgf::read_trees(text).unwrap().remove(0);
        assert!(
            game_from_record(&record, RowOrder::FromBottom).is_err(),
            "the main line takes h8 twice"
        );
        let text = text.replace("(;B[hh];W[aa])(;B[jj])", "(;B[jj])(;B[hh];W[aa])");
        let record = sgf::read_trees(&text).unwrap().remove(0);
        let (game, left_out) = game_from_record(&record, RowOrder::FromBottom).unwrap();
        assert_eq!((left_out, game.tree().count()), (2, 6));
        let second = game.nodes()[1];
        assert_eq!(game.tree().value(second).note.comment, "a remark");
        assert!(notice_of_omitted_moves(left_out).unwrap().to_string().contains("2 moves"));
    }

    #[test]
    fn positions_passes_and_changes_of_the_board_survive_a_record() {
        let text = "(;GM[4]FF[4]CA[UTF-8]AP[kakugo]SZ[15]RU[renju]AB[fh][gh][hh]AW[aa]PL[W]KBL[oo]\
            ;W[ih];B[eh];B[dd];W[];B[cc]\n(;AE[cc]AW[ee]PL[W];W[ff]C[x])\n(;W[jj]))\n";
        let record = sgf::read_trees(text).unwrap().remove(0);
        let (game, notice) = open_record(&record, RowOrder::FromBottom).unwrap();
        assert_eq!(game.tree().count(), 9);
        let told = notice.unwrap().to_string();
        assert_eq!(told, "Move 3 of Black is out of turn.");
        let board = record.main_line().board().unwrap();
        assert_eq!(game.board().key(), board.key());
        assert_eq!(record_from_game(&game).board().unwrap().key(), board.key());
        // All is written back, and read as before.
        let again = tree_from_game(&game);
        let written = sgf::write_tree(&again);
        let back = sgf::read_trees(&written).unwrap().remove(0);
        assert_eq!(back.nodes, record.nodes, "{written}");
        assert_eq!(back.game.start, record.game.start);
        // Each position can be visited, in both directions.
        let mut game = game;
        let now = Time::default();
        let keys = |game: &mut LiveGame| -> Vec<u64> {
            let nodes: Vec<NodeId> = game.tree().preorder().collect();
            let key = |node| {
                game.go_to_node(node, now).unwrap();
                game.board().key()
            };
            nodes.into_iter().map(key).collect()
        };
        let first = keys(&mut game);
        let mut second = game_from_record(&back, RowOrder::FromBottom).unwrap().0;
        assert_eq!(keys(&mut second), first);
        game.go_to_node(game.main_tip(), now).unwrap();
        assert_eq!((game.ply(), game.move_nodes().count()), (6, 6));
        let refused = file_from_game(&game, Format::Psq).unwrap_err().to_string();
        assert!(refused.contains("use sgf"), "{refused}");
    }

    #[test]
    fn what_a_record_does_not_state_is_told() {
        let notice = |text: &str| {
            let record = sgf::read_trees(text).unwrap().remove(0);
            let (game, notice) = open_record(&record, RowOrder::FromBottom).unwrap();
            (game.board().side_to_move(), notice.map(|notice| notice.to_string()))
        };
        let (side, told) = notice("(;GM[4]AB[aa][bb])");
        assert_eq!(side, Side::White);
        assert_eq!(
            told.unwrap(),
            "The file does not state the rule: freestyle is assumed. Name another when you open it. \
             The side to move is not stated: White is assumed."
        );
        assert_eq!(notice("(;GM[4]RU[renju]AB[aa][bb]PL[B])"), (Side::Black, None));
    }

    #[test]
    fn choices_of_a_swap_opening_survive_a_record() {
        let now = Time::default();
        let setup = Setup { opening: Opening::Swap2, ..Setup::default() }.checked(&[]).unwrap();
        let mut game = LiveGame::new(setup.clone());
        let p = |x, y| Point::new(x, y).unwrap();
        for point in [p(0, 0), p(5, 5), p(9, 9)] {
            game.play(point, now).unwrap();
        }
        game.choose(OpeningChoice::Black, now).unwrap();
        game.play(p(1, 0), now).unwrap();
        let text = sgf::write_tree(&tree_from_game(&game));
        let (back, _) = game_from_tree(setup, &sgf::read_trees(&text).unwrap()[0]);
        assert_eq!(back.steps().len(), 5);
        let steps = |game: &LiveGame| -> Vec<_> {
            game.steps().iter().map(|step| (step.action, step.seat)).collect()
        };
        assert_eq!(steps(&back), steps(&game));
        assert_eq!(back.seat_of(Side::Black), 1);
    }

    /// Returns a game of Taraguchi-10 with four stones, in which two of ten fifth moves are
    /// offered.
    fn unfinished_taraguchi() -> LiveGame {
        let now = Time::default();
        let seats =
            ["Ann", "Bob"].map(|name| Seat { player: PlayerKind::Human, name: name.to_owned() });
        let opening = Opening::Taraguchi;
        let variant = kakugo::board::Variant::RENJU;
        let setup = Setup { opening, seats, variant, ..Setup::default() }.checked(&[]).unwrap();
        let mut game = LiveGame::new(setup);
        let choices = [OpeningChoice::Black, OpeningChoice::White];
        for (i, (x, y)) in [(7, 7), (7, 6), (9, 9), (7, 4)].into_iter().enumerate() {
            game.play(Point::new(x, y).unwrap(), now).unwrap();
            game.choose(choices[usize::from(i != 1)], now).unwrap();
        }
        game.choose(OpeningChoice::Fifths(10), now).unwrap();
        for x in [0, 1] {
            game.play(Point::new(x, 14).unwrap(), now).unwrap();
        }
        game
    }

    fn reopened(text: &str) -> (LiveGame, String) {
        let record = sgf::read_trees(text).unwrap().remove(0);
        let (game, notice) = open_record(&record, RowOrder::FromBottom).unwrap();
        (game, notice.map_or(String::new(), |notice| notice.to_string()))
    }

    #[test]
    fn a_file_opened_in_an_opening_goes_on_with_it() {
        let game = unfinished_taraguchi();
        let text = sgf::write_tree(&tree_from_game(&game));
        let (mut back, notice) = reopened(&text);
        assert_eq!(notice, "");
        assert_eq!(back.opening_progress(), game.opening_progress());
        assert_eq!((back.choices(), back.turn()), (game.choices(), game.turn()));
        assert_eq!(back.setup().seats, game.setup().seats);
        assert_eq!(sgf::write_tree(&tree_from_game(&back)), text);
        // An offer already made is refused, and the opening ends as in the game.
        assert!(back.play(Point::new(1, 14).unwrap(), Time::default()).is_err());
        for x in 2..10 {
            back.play(Point::new(x, 14).unwrap(), Time::default()).unwrap();
        }
        assert_eq!(back.opening_progress().next.offered().len(), 10);
    }

    #[test]
    fn a_file_that_does_not_fit_its_opening_keeps_its_choices() {
        let text = sgf::write_tree(&tree_from_game(&unfinished_taraguchi()));
        for (from, to, told) in [
            ("KOP[taraguchi-10]", "", ""),
            ("KOP[taraguchi-10]", "KOP[other]", "'other', is not known"),
            ("KOP[taraguchi-10]", "KOP[swap2]", "do not fit swap2"),
            ("KCH[fifths-10]", "KCH[fifths-3]", "do not fit the Taraguchi-10"),
            (";W[hg]", ";W[ha]", "do not fit"),
            (";KCH[fifths-10]", ";KCH[fifths-10];B[oo]", "do not fit"),
        ] {
            assert!(text.contains(from), "{text}");
            let changed = text.replacen(from, to, 1);
            let (game, notice) = reopened(&changed);
            assert_eq!(game.setup().opening, Opening::Free, "{changed}");
            assert!(notice.contains(told) && notice.is_empty() == told.is_empty(), "{notice}");
            let choices = |text: &str| text.matches("KCH").count();
            let written = sgf::write_tree(&tree_from_game(&game));
            assert_eq!(choices(&written), choices(&text), "{written}");
            assert_eq!(sgf::read_trees(&written), sgf::read_trees(&changed));
        }
    }

    #[test]
    fn a_move_played_again_is_not_one_after_set_up_stones() {
        let now = Time::default();
        let text = "(;GM[4]SZ[15];B[hh];AW[aa]AB[bb]W[ii];B[jj])";
        let record = sgf::read_trees(text).unwrap().remove(0);
        let (mut game, _) = game_from_record(&record, RowOrder::FromBottom).unwrap();
        let p = |x, y| Point::new(x, y).unwrap();
        game.go_to(1, now);
        // The same point as in the file, without its set-up stones: another variation.
        let later = game.nodes()[1];
        assert_eq!(game.stone(later), Some(p(8, 8)));
        game.play(p(8, 8), now).unwrap();
        assert_ne!(game.node(), later);
        game.play(p(0, 0), now).unwrap();
        game.undo(2, now).unwrap();
        assert_eq!(game.redo(2, now), Ok(2));
        assert_eq!(game.board().ply(), 3);
    }

    #[test]
    fn absurd_times_of_a_file_do_not_overflow() {
        let moves = ";B[]MS[18446744073709551615];W[]MS[18446744073709551615]".repeat(1050);
        let record = sgf::read_trees(&format!("(;GM[4]SZ[15]{moves})")).unwrap().remove(0);
        let (game, _) = game_from_record(&record, RowOrder::FromBottom).unwrap();
        assert_eq!(game.ply(), 2100);
        assert_eq!(game.used_by(0, Time::default()), LONGEST_STEP * 1050);
    }

    #[test]
    fn a_game_is_not_passed_without_end() {
        let setup = Setup::default().checked(&[]).unwrap();
        let passes = vec![None; MAX_STEPS + 1];
        let refused = LiveGame::with_plies(setup.clone(), &passes).err();
        assert_eq!(refused, Some((MAX_STEPS, GameError::TooLong)));
        // A file with more of them is refused; of a variation the first ones are read.
        let text = |moves: usize| format!("(;GM[4]SZ[15](;B[hh])(;B[gg]{}))", ";W[]".repeat(moves));
        let record = |text: &str| sgf::read_trees(text).unwrap().remove(0);
        let long = format!("(;GM[4]SZ[15]{})", ";B[]".repeat(MAX_STEPS + 1));
        let why = game_from_record(&record(&long), RowOrder::FromBottom).unwrap_err();
        assert_eq!(why.to_string(), "Move 4097: The game is too long for another pass.");
        let (mut game, omitted) = game_from_tree(setup, &record(&text(MAX_STEPS + 10)));
        assert_eq!(omitted, 11);
        let last = game.tree().preorder().last().unwrap();
        let now = Time::default();
        game.go_to_node(last, now).unwrap();
        assert_eq!((game.at(), game.pass(now)), (MAX_STEPS, Err(GameError::TooLong)));
        game.play(Point::new(0, 0).unwrap(), now).unwrap();
    }
}
