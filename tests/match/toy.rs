//! A toy engine with scripted faults: this test program itself, started with `KAKUGO_TOY` set.
//!
//! It plays pseudo-random points near the stones, which depend only on the position, or the moves
//! in `KAKUGO_TOY_MOVES`. `KAKUGO_TOY` is `plain` or a fault with the number of the own move at
//! which it occurs in every game: `crash@2`.

use std::collections::BTreeSet;
use std::io::{BufRead, Write, stdin, stdout};
#[cfg(unix)]
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio, exit};
use std::thread::sleep;
use std::time::Duration;

/// Name of the variable that turns this program into a toy engine.
pub const VARIABLE: &str = "KAKUGO_TOY";

type Point = (u32, u32);

struct Toy {
    fault: String,
    strikes_at: usize,
    script: Vec<String>,
    seed: u64,
    size: (u32, u32),
    stones: BTreeSet<Point>,
    own_moves: usize,
}

/// Plays until `END`.
pub fn run(behaviour: &str) {
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    let (fault, at) = behaviour.split_once('@').unwrap_or((behaviour, "0"));
    let mut toy = Toy {
        fault: fault.to_owned(),
        strikes_at: at.parse().unwrap_or(0),
        script: variable("KAKUGO_TOY_MOVES").split(';').map(str::to_owned).collect(),
        seed: variable("KAKUGO_TOY_SEED").parse().unwrap_or(0),
        size: (15, 15),
        stones: BTreeSet::new(),
        own_moves: 0,
    };
    let mut lines = stdin().lock().lines().map_while(Result::ok);
    while let Some(line) = lines.next() {
        let (command, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match command {
            "START" | "RECTSTART" => toy.start(rest),
            "RESTART" if toy.fault == "no-restart" => say("UNKNOWN command"),
            "RESTART" => toy.start(""),
            "BEGIN" => toy.answer(),
            "TURN" => {
                toy.stones.insert(point(rest));
                toy.answer();
            }
            "BOARD" | "SWAP2BOARD" => {
                toy.stones.clear();
                for stone in lines.by_ref().take_while(|line| line != "DONE") {
                    toy.stones.insert(point(&stone));
                }
                toy.answer();
            }
            "END" if toy.fault != "ignore-end" => return,
            _ => {}
        }
    }
    if toy.fault == "ignore-end" {
        sleep(Duration::from_secs(600));
    }
}

impl Toy {
    fn start(&mut self, size: &str) {
        self.stones.clear();
        self.own_moves = 0;
        match size.split_once(',') {
            Some((w, h)) => self.size = (w.parse().unwrap_or(15), h.parse().unwrap_or(15)),
            None => self.size = size.parse().map_or(self.size, |n| (n, n)),
        }
        match &*self.fault {
            "mute-start" => {}
            "chatty-ok" => say("OK - ready"),
            _ => say("OK"),
        }
    }

    fn answer(&mut self) {
        self.own_moves += 1;
        if self.own_moves == self.strikes_at {
            self.misbehave();
        }
        let scripted = self.script.get(self.own_moves - 1).filter(|text| !text.is_empty());
        let text = match scripted {
            Some(text) => text.clone(),
            None => {
                let (x, y) = self.choose();
                say(&format!("MESSAGE depth {}-9 ev {x} n 1.5K", self.own_moves));
                format!("{x},{y}")
            }
        };
        for xy in text.split(' ').filter(|xy| xy.contains(',')) {
            self.stones.insert(point(xy));
        }
        say(&text);
    }

    /// Returns an empty point next to a stone, selected by a hash of the position (FNV-1a).
    fn choose(&self) -> Point {
        let (width, height) = self.size;
        let mut hash = 0xcbf2_9ce4_8422_2325_u64 ^ self.seed;
        for &(x, y) in &self.stones {
            for part in [x, y] {
                hash = (hash ^ u64::from(part)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        let near = |&(x, y): &Point| {
            self.stones.iter().any(|s| s.0.abs_diff(x) <= 1 && s.1.abs_diff(y) <= 1)
        };
        let all = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let free: Vec<Point> = all.filter(|p| !self.stones.contains(p)).collect();
        let close: Vec<Point> = free.iter().copied().filter(near).collect();
        let choice = if close.is_empty() { &free } else { &close };
        choice.get((hash >> 20) as usize % choice.len().max(1)).copied().unwrap_or((0, 0))
    }

    fn misbehave(&mut self) {
        let (width, _) = self.size;
        let taken = self.stones.first().copied().unwrap_or((0, 0));
        match &*self.fault {
            "slow" => sleep(Duration::from_secs(3)),
            "silent" => sleep(Duration::from_secs(600)),
            "unended" => {
                let _ = write!(stdout(), "3,4").and_then(|()| stdout().flush());
                sleep(Duration::from_secs(600));
            }
            "crash" => {
                eprintln!("toy: out of ideas");
                exit(3);
            }
            "off-board" => say(&format!("{width},0")),
            "occupied" => say(&format!("{},{}", taken.0, taken.1)),
            "babble" => loop {
                say("what a lovely day");
            },
            "chatter" => loop {
                say("MESSAGE I wonder where to play");
                sleep(Duration::from_millis(1));
            },
            "flood" => loop {
                say("MESSAGE I wonder where to play");
            },
            "overlong" => say(&"MESSAGE ".repeat(5000)),
            "mumble" => say("hello"),
            "twice" => {
                let (x, y) = self.choose();
                say(&format!("{x},{y}\n{x},{y}"));
            }
            "suggest" => say("SUGGEST 3,4"),
            "close" => become_shell("exec >&-; exec sleep 600"),
            "eat" => {
                let eaten = vec![1u8; 300 << 20];
                say(&format!("MESSAGE ate {} bytes", eaten.iter().filter(|&&b| b == 1).count()));
                std::mem::forget(eaten);
            }
            // No other process can be started in the folder.
            "remove-folder" => {
                let _ = std::env::current_dir().and_then(std::fs::remove_dir);
                exit(6);
            }
            // The child inherits the pipes, so they stay open after this process has ended.
            "fork" => {
                let _ = Command::new("sleep").arg("600").spawn();
                exit(4);
            }
            // The child also leaves the process group.
            "escape" => {
                let _ = Command::new("setsid").args(["sleep", "600"]).spawn();
                sleep(Duration::from_millis(200));
                exit(5);
            }
            // The child has the name of a process that all programs under Wine share. It creates a
            // file at the end of its life.
            #[cfg(unix)]
            "serve" => {
                let mut service = Command::new("sh");
                service.arg0(r"C:\windows\system32\services.exe").process_group(0);
                service.args(["-c", "sleep 2; touch served"]).stdin(Stdio::null());
                let _ = service.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
                sleep(Duration::from_millis(200));
                exit(5);
            }
            _ => {}
        }
    }
}

fn say(text: &str) {
    let mut out = stdout().lock();
    // A single write, so that both lines of "twice" arrive together.
    let text = format!("{text}\n");
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

fn point(text: &str) -> Point {
    let mut numbers = text.split(',').map(|n| n.trim().parse().unwrap_or(0));
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

#[cfg(unix)]
fn become_shell(script: &str) {
    use std::os::unix::process::CommandExt;
    let error = Command::new("sh").args(["-c", script]).exec();
    panic!("sh: {error}");
}

#[cfg(not(unix))]
fn become_shell(_: &str) {}
