//! A room for a fuzzer, which is the page: built for fuzzing alone (`fuzz/fuzz_targets/page.rs`).

use std::sync::Arc;

use serde_json::Value;

use super::game::setup::{PlayerKind, Setup};
use super::lock::lock;
use super::rooms::messages::Command;
use super::rooms::openings::Openings;
use super::rooms::room::{Room, RoomSettings};
use super::rooms::sent::SentFile;
use kakugo::player::Resources;
use kakugo::search::Networks;
use kakugo_record::pos::RowOrder;
use kakugo_record::text::Text;

/// Send these lines, one message each, to a new room, and look at all that it says.
///
/// # Panics
/// The room says something that is no message, or refuses the record that it made of its own game.
pub fn talk(lines: &str) {
    let mut setup = Setup::default();
    setup.seats[1].player = PlayerKind::Human;
    let resources = Resources { hash_bytes: 1 << 16, threads: 1, networks: Networks::none() };
    let engines = vec!["other".to_owned()];
    let settings = RoomSettings {
        engines,
        configs: &[],
        setup,
        gentle: false,
        openings: Openings::default(),
        resources,
        store: None,
    };
    let Ok(room) = Room::open("id".to_owned(), "key".to_owned(), Arc::new(settings)) else {
        return;
    };
    let (mut news, first) = lock(&room).enter();
    first.iter().for_each(|message| check(message));
    let mut obey = |command: Command| -> Result<Option<Arc<str>>, Text> {
        let told = lock(&room).obey(command);
        if let Ok(Some(message)) = &told {
            check(message);
        }
        lock(&room).tick();
        while let Ok(message) = news.try_recv() {
            check(&message);
        }
        told
    };
    for line in lines.lines().take(64) {
        if let Ok(command) = serde_json::from_str::<Command>(line) {
            let _ = obey(command);
        }
    }
    // What the room saves it can load.
    if let Ok(Some(saved)) = obey(command(r#"{"do":"save","format":"sgf","rows":"bottom"}"#)) {
        let saved: Value = serde_json::from_str(&saved).expect("a message");
        let bytes = bytes_of(saved["bytes"].as_str().unwrap_or_default());
        let pattern = lock(&room).pattern();
        let read = SentFile::read("x.sgf", bytes, RowOrder::FromBottom, pattern);
        match read.and_then(|file| file.game(0)) {
            Ok(game) => lock(&room).show_sent(game),
            Err(why) => panic!("the saved game is refused: {why}: {saved}"),
        }
    }
    lock(&room).all().iter().for_each(|message| check(message));
    lock(&room).leave();
}

fn command(line: &str) -> Command {
    serde_json::from_str(line).expect("a command")
}

/// The bytes that hexadecimal digits tell.
fn bytes_of(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap_or(""));
    pairs.map(|pair| u8::from_str_radix(pair, 16).expect("two digits")).collect()
}

fn check(message: &str) {
    let message: Value = serde_json::from_str(message).expect("JSON");
    assert!(message["type"].is_string(), "{message}");
}
