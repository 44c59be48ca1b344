//! A game goes on among many others with spectators, ten sockets a room. How long its moves take is
//! printed: `KAKUGO_ROOMS=100 cargo test --test browser crowd -- --nocapture` opens 2,000 files for
//! that.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::driver::serve;

/// A page without a browser.
struct Tab(TcpStream);

impl Tab {
    fn open(host: &str, wish: &Value) -> Tab {
        let mut stream = TcpStream::connect(host).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let request = format!(
            "GET /socket HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        assert!(head.starts_with(b"HTTP/1.1 101"));
        let mut tab = Tab(stream);
        tab.say(wish);
        tab
    }

    /// Send a message, in a frame masked by zeros.
    fn say(&mut self, message: &Value) {
        let text = message.to_string();
        let length = u16::try_from(text.len()).unwrap();
        let mut frame = vec![0x81];
        match length {
            0..126 => frame.push(0x80 | length as u8),
            _ => {
                frame.push(0x80 | 126);
                frame.extend(length.to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(text.as_bytes());
        self.0.write_all(&frame).unwrap();
    }

    /// The next message of this type.
    fn hear(&mut self, kind: &str) -> Value {
        loop {
            let mut head = [0; 2];
            self.0.read_exact(&mut head).unwrap();
            let length = match head[1] & 0x7F {
                126 => {
                    let mut length = [0; 2];
                    self.0.read_exact(&mut length).unwrap();
                    u64::from(u16::from_be_bytes(length))
                }
                127 => {
                    let mut length = [0; 8];
                    self.0.read_exact(&mut length).unwrap();
                    u64::from_be_bytes(length)
                }
                length => u64::from(length),
            };
            let mut text = vec![0; usize::try_from(length).unwrap()];
            self.0.read_exact(&mut text).unwrap();
            // Not a ping.
            if head[0] & 0x0F == 1 {
                let message: Value = serde_json::from_slice(&text).unwrap();
                if message["type"] == kind {
                    return message;
                }
            }
        }
    }

    /// Times from a move to its being told, in milliseconds, sorted.
    fn play(&mut self, row: u8) -> Vec<f64> {
        let mut times = Vec::new();
        for x in 0..15 {
            let began = Instant::now();
            self.say(&json!({ "do": "play", "x": x, "y": row }));
            let told = self.hear("state");
            assert_eq!(told["moves"].as_array().unwrap().last(), Some(&json!([x, row])));
            times.push(began.elapsed().as_secs_f64() * 1000.0);
        }
        times.sort_by(f64::total_cmp);
        times
    }
}

#[test]
fn a_game_goes_on_in_a_crowd() {
    let rooms = std::env::var("KAKUGO_ROOMS").map_or(5, |rooms| rooms.parse().unwrap());
    let (_server, url) = serve(&["--white", "human", "--win", "6"]);
    let host = url.trim_start_matches("http://").trim_end_matches('/');
    let mut player = Tab::open(host, &json!({}));
    player.hear("state");
    let new = json!({ "do": "new", "setup": { "width": 15, "height": 15, "rule": "standard", "win": 6,
        "seats": [{ "player": "human" }, { "player": "human" }], "opening": "free" } });
    player.say(&new);
    player.hear("state");
    let alone = player.play(0);
    let began = Instant::now();
    let mut crowd = Vec::new();
    for _ in 0..rooms {
        let mut owner = Tab::open(host, &json!({}));
        let room = owner.hear("hello")["room"].clone();
        crowd.push(owner);
        crowd.extend((0..9).map(|_| Tab::open(host, &json!({ "room": room, "watch": "yes" }))));
    }
    crowd.iter_mut().for_each(|tab| _ = tab.hear("state"));
    let opened = began.elapsed();
    let crowded = player.play(2);
    println!(
        "alone {:.2} ms a move (at most {:.2}); with {} sockets in {rooms} rooms, opened in \
         {:.2} s, {:.2} ms (at most {:.2})",
        alone[7],
        alone[14],
        crowd.len(),
        opened.as_secs_f64(),
        crowded[7],
        crowded[14]
    );
    // A busy machine gets leave.
    assert!(crowded[7] < 2000.0, "{crowded:?}");
}

/// The command for a game in which Kakugo plays White at this level, or two humans play.
fn new_game(white: &Value, moves: &str) -> Value {
    json!({ "do": "new", "moves": moves, "setup": { "width": 15, "height": 15, "rule": "freestyle",
        "win": 5, "seats": [{ "player": "human" }, { "player": white }], "opening": "free" } })
}

#[test]
fn analyses_share_one_search_thread_and_a_move_does_not_wait_for_them() {
    let (_server, url) = serve(&["--search-threads", "1", "--hash", "1"]);
    let host = url.trim_start_matches("http://").trim_end_matches('/');
    let mut analysts: Vec<Tab> = (0..6).map(|_| Tab::open(host, &json!({}))).collect();
    for tab in &mut analysts {
        tab.say(&new_game(&json!("human"), "h8h9i9g7j10"));
        tab.say(&json!({ "do": "analyse", "on": true, "lines": 3 }));
    }
    // The last one waits, and has its turn.
    let last = analysts.last_mut().unwrap();
    assert_eq!(last.hear("queue")["queued"], true);
    assert_eq!(last.hear("queue")["queued"], false);
    assert!(!last.hear("analysis")["lines"].as_array().unwrap().is_empty());
    let mut player = Tab::open(host, &json!({}));
    player.say(&new_game(&json!({ "kakugo": 3 }), ""));
    player.say(&json!({ "do": "play", "x": 7, "y": 7 }));
    let began = Instant::now();
    while player.hear("state")["at"] != 2 {}
    let elapsed = began.elapsed();
    println!("level 3 replied in {elapsed:.2?}");
    // Aim: less than a second. A busy machine gets leave.
    assert!(elapsed < Duration::from_secs(10), "{elapsed:?}");
    // An analysis that nobody sees does not take part.
    for tab in &mut analysts {
        tab.say(&json!({ "do": "visible", "on": false }));
        while tab.hear("state")["thinking"] != json!(null) {}
    }
}
