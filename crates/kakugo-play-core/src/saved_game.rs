//! Saved games: the text of a game's file, which other programs can open.
//!
//! It is an SGF file of all moves with their variations. One property of our own holds what SGF has
//! no property for: players, opening, clocks, forfeits, and the room of the game.

use serde::{Deserialize, Serialize};

use crate::game::end::Forfeit;
use crate::game::live::LiveGame;
use crate::game::pairing::Pairing;
use crate::game::records;
use crate::game::setup::{PlayerKind, Setup};
use crate::game::setup_json::SetupJson;
use crate::now::Time;
use kakugo::board::Side;
use kakugo_record::game_tree::{GameTree, Node, Property};
use kakugo_record::sgf;
use kakugo_record::tree::NodeId;

/// The property that holds [`Details`] as JSON.
const DETAILS: &str = "KKG";

/// The help that a player had in a game.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Help {
    /// True if moves were taken back, or a hint or an analysis was shown.
    pub asked: bool,
    /// True if the coach has spoken.
    pub coached: bool,
}

impl Help {
    /// Returns true if there was none.
    fn is_none(&self) -> bool {
        *self == Help::default()
    }
}

/// A saved game with all that a room needs to continue it.
#[derive(Clone, Debug)]
pub struct SavedGame {
    /// Id of the room in which it was played.
    pub room: String,
    /// Key of the room.
    pub key: String,
    /// True if it was started as a game, false if it was opened from a file.
    pub begun: bool,
    /// The seats, if two people play it.
    pub pairing: Option<Pairing>,
    /// The help that the player had.
    pub help: Help,
    /// The game.
    pub game: LiveGame,
}

/// The details that SGF has no property for. Nodes are counted in preorder.
#[derive(Serialize, Deserialize, Debug)]
struct Details {
    room: String,
    key: String,
    begun: bool,
    /// The node of the position.
    at: usize,
    setup: SetupJson,
    #[serde(default)]
    forfeits: Vec<ForfeitJson>,
    /// Nodes at which a draw was agreed on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    agreed: Vec<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pairing: Option<Pairing>,
    #[serde(default, skip_serializing_if = "Help::is_none")]
    help: Help,
}

/// The end of a game away from the board.
#[derive(Serialize, Deserialize, Debug)]
struct ForfeitJson {
    node: usize,
    black_lost: bool,
    how: CauseJson,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
enum CauseJson {
    Resigned,
    Time,
    Failed(String),
}

/// Returns the text of the file for a game of the room with this id and key.
pub fn write(room: &str, key: &str, begun: bool, game: &LiveGame) -> String {
    write_with(room, key, begun, (None, Help::default()), game)
}

/// As [`write()`], with the seats of two people, or the help that a player had.
pub fn write_with(
    room: &str,
    key: &str,
    begun: bool,
    (pairing, help): (Option<&Pairing>, Help),
    game: &LiveGame,
) -> String {
    let tree = game.tree();
    let nodes: Vec<NodeId> = tree.preorder().collect();
    let ended = |(node, id): (usize, &NodeId)| {
        let (loser, how) = tree.value(*id).forfeit.as_ref()?;
        let how = match how {
            Forfeit::Resigned => CauseJson::Resigned,
            Forfeit::Time => CauseJson::Time,
            Forfeit::Failed(reason) => CauseJson::Failed(reason.clone()),
        };
        Some(ForfeitJson { node, black_lost: *loser == Side::Black, how })
    };
    let details = Details {
        room: room.to_owned(),
        key: key.to_owned(),
        begun,
        at: nodes.iter().position(|&node| node == game.node()).unwrap_or(0),
        setup: SetupJson::from_setup(game.setup()),
        forfeits: nodes.iter().enumerate().filter_map(ended).collect(),
        agreed: (0..nodes.len()).filter(|&at| tree.value(nodes[at]).agreed).collect(),
        pairing: pairing.cloned(),
        help,
    };
    let mut record = records::tree_from_game(game);
    let json = serde_json::to_string(&details).unwrap_or_default();
    let value = sgf::escape(&json, false);
    record.nodes.value_mut(NodeId::ROOT).edit_note(|note| {
        note.other.push(Property { name: DETAILS.to_owned(), values: vec![value] });
    });
    sgf::write_tree(&record)
}

/// Returns the record in the text of a file, without its details.
pub fn record(text: &str) -> Option<GameTree> {
    Some(split(text)?.0)
}

fn split(text: &str) -> Option<(GameTree, Details)> {
    let mut record = sgf::read_trees(text).ok()?.into_iter().next()?;
    let root: &mut Node = record.nodes.value_mut(NodeId::ROOT);
    let kept = root.note()?.other.iter().find(|property| property.name == DETAILS)?;
    let details = serde_json::from_str(&sgf::unescape(&kept.values[0])).ok()?;
    root.edit_note(|note| note.other.retain(|property| property.name != DETAILS));
    Some((record, details))
}

/// Parses the text of a file, or returns `None` if it is not a saved game. A player that is none of
/// these engines any more becomes a human of that name.
pub fn read(text: &str, engines: &[String]) -> Option<SavedGame> {
    let (record, details) = split(text)?;
    let people = || {
        let mut setup: Setup = details.setup.unchecked().ok()?;
        for seat in &mut setup.seats {
            if matches!(seat.player, PlayerKind::Engine(_)) {
                seat.player = PlayerKind::Human;
            }
        }
        setup.checked(engines).ok()
    };
    let setup = details.setup.setup(engines).ok().or_else(people);
    let (mut game, _) = records::game_from_tree(setup?, &record);
    let nodes: Vec<NodeId> = game.tree().preorder().collect();
    for ended in details.forfeits {
        let loser = if ended.black_lost { Side::Black } else { Side::White };
        let how = match ended.how {
            CauseJson::Resigned => Forfeit::Resigned,
            CauseJson::Time => Forfeit::Time,
            CauseJson::Failed(reason) => Forfeit::Failed(reason),
        };
        if let Some(&node) = nodes.get(ended.node) {
            game.restore_forfeit(node, loser, how);
        }
    }
    for node in details.agreed {
        nodes.get(node).into_iter().for_each(|&node| game.restore_agreement(node));
    }
    if let Some(&node) = nodes.get(details.at) {
        game.go_to_node(node, Time::default()).ok()?;
    }
    Some(SavedGame {
        room: details.room,
        key: details.key,
        begun: details.begun,
        pairing: details.pairing.and_then(Pairing::checked),
        help: details.help,
        game,
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::game::end::End;
    use crate::game::opening::{Opening, OpeningChoice};
    use crate::game::setup::ByoYomi;
    use kakugo::board::Point;

    fn p(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    #[test]
    fn a_game_is_restored_with_all_its_details() {
        let now = Time::default();
        let mut setup = Setup { opening: Opening::Swap2, ..Setup::default() };
        setup.time.game = Some(Duration::from_secs(300));
        setup.seats[0].name = "Ann [1] \\".to_owned();
        let mut game = LiveGame::new(setup.checked(&[]).unwrap());
        for point in [p(0, 0), p(5, 5), p(9, 9)] {
            game.play(point, now + Duration::from_millis(1500)).unwrap();
        }
        game.choose(OpeningChoice::Black, now).unwrap();
        game.play(p(1, 0), now).unwrap();
        game.undo(1, now).unwrap();
        game.play(p(2, 0), now).unwrap();
        game.comment(game.node(), "good]").unwrap();
        game.forfeit(1, Forfeit::Failed("why]".into()), now).unwrap();
        game.undo(2, now).unwrap();
        let text = write("room", "a]b\\c", true, &game);
        let saved = read(&text, &[]).unwrap();
        assert_eq!((&*saved.room, &*saved.key, saved.begun), ("room", "a]b\\c", true));
        let mut back = saved.game;
        assert_eq!(back.setup(), game.setup());
        assert_eq!(back.tree().count(), game.tree().count());
        assert_eq!((back.at(), back.turn()), (game.at(), game.turn()));
        assert_eq!(back.seat_of(Side::Black), game.seat_of(Side::Black));
        back.redo(9, now).unwrap();
        let loser = back.side_of(1);
        assert_eq!(back.end(), Some(End::Forfeit(loser, Forfeit::Failed("why]".into()))));
        assert_eq!(back.tree().value(back.node()).note.comment, "good]");
        let record = record(&text).unwrap();
        assert_eq!(record.lines().count(), 2);
        assert!(!format!("{record:?}").contains("KKG"), "the key is not part of the record");
    }

    #[test]
    fn clocks_seats_and_a_draw_by_agreement_are_saved() {
        let mut setup = Setup::default();
        setup.seats[1].player = PlayerKind::Human;
        setup.time.game = Some(Duration::from_secs(600));
        setup.time.increment = Duration::from_millis(2500);
        setup.time.byoyomi = Some(ByoYomi { periods: 5, period: Duration::from_secs(30) });
        let mut game = LiveGame::new(setup.checked(&[]).unwrap());
        game.play(p(7, 7), Time::default()).unwrap();
        game.agree_on_draw(Time::default()).unwrap();
        let pairing = Pairing::new(0, &"a".repeat(32)).unwrap();
        let help = Help { asked: true, coached: false };
        let mut text = write_with("room", "key", true, (Some(&pairing), help), &game);
        // The clocks are stated once, however often the game is saved and restored.
        for _ in 0..2 {
            let saved = read(&text, &[]).unwrap();
            assert_eq!((saved.pairing.as_ref(), saved.help), (Some(&pairing), help));
            assert_eq!(saved.game.setup(), game.setup());
            assert_eq!(saved.game.end(), Some(End::Agreed));
            assert_eq!(text.matches("TM[600]OT[5x30 byo-yomi, 2.5 fischer]").count(), 1, "{text}");
            text = write_with("room", "key", true, (Some(&pairing), help), &saved.game);
        }
        let other = text.replace(&"a".repeat(32), "short");
        assert_eq!(read(&other, &[]).unwrap().pairing, None);
    }

    #[test]
    fn a_missing_engine_becomes_a_human_of_its_name() {
        let mut setup = Setup::default();
        setup.seats[1].player = PlayerKind::Engine(0);
        let setup = setup.checked(&["Other".to_owned()]).unwrap();
        let saved = read(&write("", "", true, &LiveGame::new(setup)), &[]).unwrap();
        let seat = &saved.game.setup().seats[1];
        assert_eq!((seat.player, &*seat.name), (PlayerKind::Human, "Other"));
    }

    #[test]
    fn other_texts_are_not_saved_games() {
        for text in ["", "(;GM[4]", "(;GM[4];B[hh])"] {
            assert!(read(text, &[]).is_none() && record(text).is_none(), "{text}");
        }
    }
}
