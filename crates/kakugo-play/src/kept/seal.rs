//! What a kept game knows besides its record.

use serde::{Deserialize, Serialize};

use crate::game::end::Forfeit;
use crate::game::records;
use crate::game::setup::{PlayerKind, Setup};
use crate::game::wire::SetupWire;
use kakugo::board::Side;
use kakugo_record::game_tree::{GameTree, Node, Property};
use kakugo_record::sgf;
use kakugo_record::tree::NodeId;

use super::game::Kept;

/// The property that holds a [`Seal`] as JSON.
const SEAL: &str = "KKG";

/// See the module. Nodes are counted in preorder.
#[derive(Serialize, Deserialize, Debug)]
struct Seal {
    room: String,
    key: String,
    /// Whether it was begun as a game, not opened as a record.
    begun: bool,
    /// The node looked at.
    at: usize,
    setup: SetupWire,
    #[serde(default)]
    forfeits: Vec<Ended>,
}

/// An end away from the board.
#[derive(Serialize, Deserialize, Debug)]
struct Ended {
    node: usize,
    black_lost: bool,
    how: How,
}

#[derive(Serialize, Deserialize, Debug)]
#[serde(rename_all = "snake_case")]
enum How {
    Resigned,
    Time,
    Failed(String),
}

/// The file's text.
pub(super) fn write(kept: &Kept) -> String {
    let tree = kept.game.tree();
    let nodes: Vec<NodeId> = tree.preorder().collect();
    let ended = |(node, id): (usize, &NodeId)| {
        let (loser, how) = tree.value(*id).forfeit.as_ref()?;
        let how = match how {
            Forfeit::Resigned => How::Resigned,
            Forfeit::Time => How::Time,
            Forfeit::Failed(story) => How::Failed(story.clone()),
        };
        Some(Ended { node, black_lost: *loser == Side::Black, how })
    };
    let seal = Seal {
        room: kept.room.clone(),
        key: kept.key.clone(),
        begun: kept.begun,
        at: nodes.iter().position(|&node| node == kept.game.node()).unwrap_or(0),
        setup: SetupWire::of(kept.game.setup()),
        forfeits: nodes.iter().enumerate().filter_map(ended).collect(),
    };
    let mut record = records::tree_of(&kept.game);
    let json = serde_json::to_string(&seal).unwrap_or_default();
    let value = sgf::escape(&json, false);
    record.nodes.value_mut(NodeId::ROOT).edit_note(|note| {
        note.other.push(Property { name: SEAL.to_owned(), values: vec![value] });
    });
    sgf::write_tree(&record)
}

/// The record in a file, without its seal.
pub(super) fn record(text: &str) -> Option<GameTree> {
    Some(split(text)?.0)
}

fn split(text: &str) -> Option<(GameTree, Seal)> {
    let mut record = sgf::read_trees(text).ok()?.into_iter().next()?;
    let root: &mut Node = record.nodes.value_mut(NodeId::ROOT);
    let kept = root.note()?.other.iter().find(|property| property.name == SEAL)?;
    let seal = serde_json::from_str(&sgf::unescape(&kept.values[0])).ok()?;
    root.edit_note(|note| note.other.retain(|property| property.name != SEAL));
    Some((record, seal))
}

/// The game in a file. A player that is not at hand any more becomes a person of that name.
pub(super) fn read(text: &str, engines: &[String]) -> Option<Kept> {
    let (record, seal) = split(text)?;
    let people = || {
        let mut setup: Setup = seal.setup.plain().ok()?;
        for seat in &mut setup.seats {
            if matches!(seat.player, PlayerKind::Engine(_)) {
                seat.player = PlayerKind::Human;
            }
        }
        setup.checked(engines).ok()
    };
    let setup = seal.setup.setup(engines).ok().or_else(people);
    let (mut game, _) = records::grown(setup?, &record);
    let nodes: Vec<NodeId> = game.tree().preorder().collect();
    for ended in seal.forfeits {
        let loser = if ended.black_lost { Side::Black } else { Side::White };
        let how = match ended.how {
            How::Resigned => Forfeit::Resigned,
            How::Time => Forfeit::Time,
            How::Failed(story) => Forfeit::Failed(story),
        };
        if let Some(&node) = nodes.get(ended.node) {
            game.restore_forfeit(node, loser, how);
        }
    }
    if let Some(&node) = nodes.get(seal.at) {
        game.go_to_node(node, std::time::Instant::now()).ok()?;
    }
    Some(Kept { room: seal.room, key: seal.key, begun: seal.begun, game })
}
