//! Measures `play` under load: many tabs with live analysis, and one that plays.
//!
//! ```text
//! cargo run --release -p kakugo-play --example tabs -- PROGRAM [TABS [LEVEL [MOVES]]]
//! ```
//!
//! starts PROGRAM with `play`, opens TABS (50) connections that analyse a middle game each, and
//! then plays MOVES (15) moves against Kakugo's LEVEL (3) in one more. It prints the time of the
//! replies, and the program's memory and threads (Linux only).

use std::error::Error;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The board's state is answered within this time, or the program hangs.
const TIMEOUT: Duration = Duration::from_secs(180);

/// A WebSocket connection to the program.
struct Tab(TcpStream);

impl Tab {
    fn open(host: &str) -> Result<Tab> {
        let mut stream = TcpStream::connect(host)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        let request = format!(
            "GET /socket HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: Upgrade\r\n\
             Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        );
        stream.write_all(request.as_bytes())?;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte)?;
            head.push(byte[0]);
        }
        let mut tab = Tab(stream);
        tab.send(&json!({}))?;
        Ok(tab)
    }

    /// Sends a message in a frame masked by zeros.
    fn send(&mut self, message: &Value) -> Result<()> {
        let text = message.to_string();
        let length = u16::try_from(text.len())?;
        let mut frame = vec![0x81];
        match u8::try_from(length) {
            Ok(short @ 0..126) => frame.push(0x80 | short),
            _ => {
                frame.push(0x80 | 126);
                frame.extend(length.to_be_bytes());
            }
        }
        frame.extend([0; 4]);
        frame.extend(text.as_bytes());
        Ok(self.0.write_all(&frame)?)
    }

    /// Returns the next message.
    fn receive(&mut self) -> Result<Value> {
        loop {
            let mut head = [0; 2];
            self.0.read_exact(&mut head)?;
            let length = match head[1] & 0x7F {
                126 => {
                    let mut length = [0; 2];
                    self.0.read_exact(&mut length)?;
                    u64::from(u16::from_be_bytes(length))
                }
                127 => {
                    let mut length = [0; 8];
                    self.0.read_exact(&mut length)?;
                    u64::from_be_bytes(length)
                }
                length => u64::from(length),
            };
            let mut text = vec![0; usize::try_from(length)?];
            self.0.read_exact(&mut text)?;
            if head[0] & 0x0F == 1 {
                return Ok(serde_json::from_slice(&text)?);
            }
        }
    }

    /// Waits for a state that satisfies a condition.
    fn wait_for(&mut self, condition: impl Fn(&Value) -> bool) -> Result<Value> {
        loop {
            let message = self.receive()?;
            if message["type"] == "state" && condition(&message) {
                return Ok(message);
            }
        }
    }
}

fn new_game(white: &Value, moves: &str) -> Value {
    json!({ "do": "new", "moves": moves, "setup": { "width": 15, "height": 15, "rule": "freestyle",
        "win": 5, "seats": [{ "player": "human" }, { "player": white }], "opening": "free" } })
}

/// Returns the number of stones in a state.
fn stones(state: &Value) -> usize {
    state["moves"].as_array().map_or(0, Vec::len)
}

/// Opens a tab that analyses a position of its own, and reads what it is sent.
fn analyse(host: &str, number: usize) -> Result<()> {
    let mut tab = Tab::open(host)?;
    let (column, row) = (char::from(b'a' + (number % 15) as u8), 1 + number / 15);
    tab.send(&new_game(&json!("human"), &format!("h8h9i9g7j10{column}{row}")))?;
    tab.send(&json!({ "do": "analyse", "on": true, "lines": 3 }))?;
    tab.wait_for(|state| state["analyse"] == 3 && stones(state) == 6)?;
    thread::spawn(move || while tab.receive().is_ok() {});
    Ok(())
}

/// Returns the resident memory in kB and the number of threads of a process.
fn usage(process: &Child) -> (u64, u64) {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).unwrap_or_default();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
    };
    (field("VmRSS:"), field("Threads:"))
}

fn measure(process: &mut Child, tabs: usize, level: usize, moves: usize) -> Result<()> {
    let output = process.stdout.take().ok_or("no output")?;
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line)?;
    let url = line.split_whitespace().find_map(|word| word.strip_prefix("http://"));
    let host = url.ok_or("no address")?.trim_end_matches('/');
    let print = |process: &Child, when: &str| {
        let (memory, threads) = usage(process);
        println!("{when}: {} MB, {threads} threads", memory / 1024);
    };
    print(process, "before");
    for number in 0..tabs {
        analyse(host, number)?;
    }
    thread::sleep(Duration::from_secs(10));
    print(process, &format!("{tabs} tabs analyse"));
    let mut player = Tab::open(host)?;
    player.send(&new_game(&json!({ "kakugo": level }), ""))?;
    player.wait_for(|state| stones(state) == 0 && state["players"][1]["number"] == level)?;
    let mut times = Vec::new();
    let mut taken: Vec<Value> = Vec::new();
    for p in
        (0..15).flat_map(|row| (0..15).map(move |column| json!([(5 * column + 2 * row) % 15, row])))
    {
        if times.len() == moves {
            break;
        }
        if taken.contains(&p) {
            continue;
        }
        let began = Instant::now();
        let count = taken.len() + 2;
        player.send(&json!({ "do": "play", "x": p[0], "y": p[1] }))?;
        let state = player.wait_for(|state| stones(state) == count || !state["end"].is_null())?;
        times.push(began.elapsed());
        taken = state["moves"].as_array().cloned().unwrap_or_default();
        if !state["end"].is_null() {
            break;
        }
    }
    print(process, "after the game");
    times.sort();
    let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
    println!(
        "{} replies of level {level}: median {median:.2?}, longest {longest:.2?}",
        times.len()
    );
    Ok(())
}

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let program = arguments.next().ok_or("usage: tabs PROGRAM [TABS [LEVEL [MOVES]]]")?;
    let tabs = arguments.next().map_or(Ok(50), |tabs| tabs.parse())?;
    let level = arguments.next().map_or(Ok(3), |level| level.parse())?;
    let moves = arguments.next().map_or(Ok(15), |moves| moves.parse())?;
    let mut process = Command::new(program)
        .args(["play", "--no-browser", "--no-games", "--port", "0"])
        .stdout(Stdio::piped())
        .spawn()?;
    let measured = measure(&mut process, tabs, level, moves);
    process.kill()?;
    process.wait()?;
    measured
}
