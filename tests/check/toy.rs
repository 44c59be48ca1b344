//! A toy engine that meets all requirements except for one fault: this test program itself, started
//! with `KAKUGO_TOY_ENGINE` set to the name of the fault or to `none`.
//!
//! It makes fives, blocks fours and open threes, and applies every rule with the library's board.
//! It thinks (that is, waits) only with a long time limit.

use std::collections::VecDeque;
use std::io::{Read, Write, stdin, stdout};
use std::path::PathBuf;
use std::process::{Command, exit};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use kakugo::board::{Board, Point, Rule, Side, Variant};

/// Name of the variable that turns this program into a toy engine.
pub const VARIABLE: &str = "KAKUGO_TOY_ENGINE";

/// Minimum time limit with which the toy thinks.
const LONG: i64 = 2_000;

struct Toy {
    fault: String,
    input: Receiver<Vec<u8>>,
    waiting: VecDeque<String>,
    board: Option<Board>,
    rule: Rule,
    rule_set: bool,
    side: Side,
    turn: i64,
    left: i64,
    /// Time used in all games, in ms.
    used: i64,
    games: usize,
    own_moves: usize,
    answered: Option<Instant>,
    folder: PathBuf,
    leaked: Vec<Vec<u8>>,
    /// The lines of an incomplete `BOARD`.
    block: Option<(String, Vec<String>)>,
}

/// Plays until `END`.
pub fn run(fault: &str) {
    let mut toy = Toy {
        fault: fault.to_owned(),
        input: read_input(fault == "reads-chunks"),
        waiting: VecDeque::new(),
        board: None,
        rule: Rule::Freestyle,
        rule_set: false,
        side: Side::Black,
        turn: 30_000,
        left: i64::MAX,
        used: 0,
        games: 0,
        own_moves: 0,
        answered: None,
        folder: PathBuf::new(),
        leaked: Vec::new(),
        block: None,
    };
    toy.begin();
    while let Some(line) = toy.next_line() {
        toy.take(&line);
    }
    if toy.has("ignores-input-end") {
        sleep(Duration::from_secs(600));
    }
}

/// Reads lines with their line ends, or whatever one read returns.
fn read_input(by_chunks: bool) -> Receiver<Vec<u8>> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        let (mut buffer, mut pending) = ([0; 65_536], Vec::new());
        while let Ok(count @ 1..) = stdin().lock().read(&mut buffer) {
            pending.extend_from_slice(&buffer[..count]);
            while let Some(end) = pending.iter().position(|&b| b == b'\n') {
                let rest = pending.split_off(end + 1);
                let _ = sender.send(std::mem::replace(&mut pending, rest));
            }
            if by_chunks && !pending.is_empty() {
                let _ = sender.send(std::mem::take(&mut pending));
            }
        }
    });
    lines
}

impl Toy {
    fn has(&self, fault: &str) -> bool {
        self.fault == fault
    }

    /// Performs faults that occur before the first command.
    fn begin(&mut self) {
        match &*self.fault {
            "banner" => say("Welcome to Toy"),
            "slow-start" => sleep(Duration::from_millis(1800)),
            "slower-start" => sleep(Duration::from_millis(2300)),
            "spinning-child" => {
                let _ = Command::new("sh").args(["-c", "while :; do :; done"]).spawn();
            }
            "daemon" => {
                let _ = Command::new("sh").args(["-c", "setsid sleep 600 &"]).status();
            }
            "spins" => {
                thread::spawn(|| {
                    loop {
                        std::hint::spin_loop();
                    }
                });
            }
            "child" => {
                let _ = Command::new("setsid").args(["sleep", "600"]).spawn();
            }
            "user-packages" if std::env::var_os("PYTHONUSERBASE").is_none() => exit(1),
            "own-folder" => {
                let own = std::env::current_exe().ok().and_then(|p| Some(p.parent()?.to_owned()));
                if std::env::current_dir().ok() != own {
                    exit(1);
                }
            }
            _ => {}
        }
    }

    fn next_line(&mut self) -> Option<String> {
        if let Some(line) = self.waiting.pop_front() {
            return Some(line);
        }
        let bytes = self.input.recv().ok()?;
        Some(self.text(bytes))
    }

    fn text(&self, bytes: Vec<u8>) -> String {
        if self.has("bytes-die") && std::str::from_utf8(&bytes).is_err() {
            exit(101);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn take(&mut self, line: &str) {
        if self.has("needs-crlf") && !line.ends_with("\r\n") {
            return;
        }
        if self.has("long-line-dies") && line.len() > 10_000 {
            exit(101);
        }
        let line = line.trim();
        if line.is_empty() {
            if self.has("blank-unknown") {
                say("UNKNOWN command");
            }
            return;
        }
        let upper = line.to_ascii_uppercase();
        if let Some((word, mut lines)) = self.block.take() {
            if upper == "DONE" {
                self.whole_block(&word, &lines);
            } else {
                lines.push(line.to_owned());
                self.block = Some((word, lines));
            }
            return;
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let known =
            if self.has("capitals-only") { word.to_owned() } else { word.to_ascii_uppercase() };
        match &*known {
            "START" => self.start(rest),
            "RECTSTART" if self.has("mute-rectangle") => {}
            "RECTSTART" => self.start(&rest.replace(',', " ")),
            "RESTART" if self.has("restart-keeps") => say("OK"),
            "RESTART" => match &self.board {
                Some(board) => self.start(&format!("{} {}", board.width(), board.height())),
                None => say("ERROR no game"),
            },
            "BEGIN" if self.board.is_none() && self.has("begin-dies") => exit(101),
            "BEGIN" => {
                self.side = Side::Black;
                self.answer();
            }
            "TURN" => self.opponent(rest),
            "BOARD" | "YXBOARD" | "SWAP2BOARD" => self.block = Some((known, Vec::new())),
            "TAKEBACK" if self.has("no-takeback") => say("ERROR no takeback"),
            "TAKEBACK" => self.take_back(),
            "PLAY" => self.play(rest),
            "ABOUT" if self.has("about-message") => say("MESSAGE name=\"Toy\", version=\"1\""),
            "ABOUT" => say("name=\"Toy\", version=\"1\", author=\"Test\""),
            "INFO" => self.info(rest),
            "YXSHOWFORBID" => self.show_forbidden(),
            "YXSTOP" | "YXSHOWINFO" => {}
            "END" if self.has("ignores-end") => {}
            "END" if self.has("end-panics") => {
                eprintln!("toy: something is wrong");
                exit(101);
            }
            "END" => exit(0),
            _ if self.has("unknown-dies") => exit(101),
            _ => say("UNKNOWN command"),
        }
    }

    fn start(&mut self, sizes: &str) {
        let numbers: Vec<Option<u8>> = sizes.split_whitespace().map(|n| n.parse().ok()).collect();
        let sides = match *numbers {
            [Some(n)] => Some((n, n)),
            [Some(w), Some(h)] if !self.has("one-number") => Some((w, h)),
            _ => None,
        };
        let only_15 = self.has("only-15") && sides != Some((15, 15));
        let once = self.has("start-once") && self.board.is_some();
        let fits = |&(w, h): &(u8, u8)| (5..=32).contains(&w) && (5..=32).contains(&h);
        let Some((w, h)) = sides.filter(fits).filter(|_| !only_15 && !once) else {
            say(if self.has("any-size") { "OK" } else { "ERROR unsupported size" });
            return;
        };
        self.board = Board::new(w, h, self.variant()).ok();
        self.side = Side::White;
        self.games += 1;
        self.own_moves = 0;
        if self.has("leaks") {
            self.leaked.push(vec![1; 15 << 20]);
        }
        if self.has("leaks-little") {
            self.leaked.push(vec![1; 3 << 20]);
        }
        if self.has("resets-limits") {
            self.turn = 30_000;
        }
        say(self.ok());
    }

    fn ok(&self) -> &'static str {
        if self.has("ok-with-text") { "OK - ready" } else { "OK" }
    }

    fn variant(&self) -> Variant {
        Variant::five(match &*self.fault {
            "rule-ignored" => Rule::Freestyle,
            "six-never" => Rule::Standard,
            _ => self.rule,
        })
    }

    fn opponent(&mut self, text: &str) {
        let Some(board) = &mut self.board else { return say("ERROR no game") };
        let mut numbers = text.split(',').map(|n| n.trim().parse::<i64>().ok());
        let (Some(Some(x)), Some(Some(y))) = (numbers.next(), numbers.next()) else {
            if self.fault == "turn-dies" {
                exit(101);
            }
            return say("ERROR no point");
        };
        let small = |n: i64| u8::try_from(n).ok();
        let at = small(x).zip(small(y)).and_then(|(x, y)| Point::new(x, y));
        let Some(at) = at.filter(|&p| board.contains(p)) else {
            if self.fault == "off-board-dies" {
                exit(101);
            }
            return say("ERROR off the board");
        };
        if board.place(at, self.side.opponent()).is_err() {
            if self.fault == "occupied-plays" {
                return self.answer();
            }
            return say("ERROR occupied");
        }
        self.answer();
    }

    fn whole_block(&mut self, word: &str, lines: &[String]) {
        if word == "SWAP2BOARD" {
            return say(match lines.len() {
                0 if self.has("swap2-two") => "7,7 8,8",
                0 => "7,7 8,8 9,7",
                _ => "SWAP",
            });
        }
        let Some(board) = &self.board else { return say("ERROR no game") };
        let (width, height) = (board.width(), board.height());
        let read = |line: &String| -> Option<(Point, u8)> {
            let mut numbers = line.split(',').map(|n| n.trim().parse::<u8>().ok());
            let mut next = || numbers.next().flatten();
            let (x, y, field) = (next()?, next()?, next()?);
            let at = Point::new(x, y).filter(|_| x < width && y < height)?;
            Some((at, field)).filter(|_| (1..=3).contains(&field))
        };
        let Some(mut stones) = lines.iter().map(read).collect::<Option<Vec<_>>>() else {
            if self.has("board-dies") {
                exit(101);
            }
            return say("ERROR bad line");
        };
        if self.has("board-alternates") {
            let first = if stones.len() % 2 == 0 { 1 } else { 2 };
            stones
                .iter_mut()
                .enumerate()
                .for_each(|(k, s)| s.1 = if k % 2 == 0 { first } else { 3 - first });
        }
        let takes_for_colours = self.has("board-colours") && stones.len() % 2 == 1;
        if self.has("board-flips") || takes_for_colours {
            stones.iter_mut().filter(|stone| stone.1 < 3).for_each(|stone| stone.1 = 3 - stone.1);
        }
        if self.has("walls-off-board") && stones.iter().any(|stone| stone.1 == 3) {
            return say("20,20");
        }
        if stones.is_empty() && self.has("no-empty-board") {
            return say("ERROR an empty board");
        }
        let count = |field| stones.iter().filter(|stone| stone.1 == field).count();
        self.side = if count(1) == count(2) { Side::Black } else { Side::White };
        let fresh = Board::new(width, height, self.variant()).ok();
        let mut board = if self.has("board-adds") { self.board.clone() } else { fresh };
        for (at, field) in stones {
            let Some(board) = &mut board else { return };
            let placed = match field {
                1 => board.place(at, self.side),
                2 => board.place(at, self.side.opponent()),
                _ if self.has("walls-free") => Ok(()),
                _ => board.block(at),
            };
            if placed.is_err() {
                return say("ERROR occupied");
            }
        }
        self.board = board;
        if word == "BOARD" {
            self.answer();
        }
    }

    fn take_back(&mut self) {
        let keeps = self.has("takeback-keeps");
        match self.board.as_mut().filter(|_| !keeps).map(Board::undo) {
            Some(None) => say("ERROR nothing to take back"),
            _ => say(self.ok()),
        }
    }

    fn play(&mut self, text: &str) {
        let at =
            text.split_once(',').and_then(|(x, y)| Point::new(x.parse().ok()?, y.parse().ok()?));
        let (Some(at), Some(board)) = (at, &mut self.board) else { return say("ERROR no point") };
        let _ = board.place(at, self.side);
        if self.has("suggests-forever") {
            return say(&format!("SUGGEST {text}"));
        }
        say(if self.has("play-elsewhere") { "0,0" } else { text });
    }

    fn info(&mut self, text: &str) {
        let (key, value) = text.split_once(' ').unwrap_or((text, ""));
        let small = key.to_ascii_lowercase();
        let key = if self.has("info-small") { key } else { &small };
        let number: Option<i64> = value.trim().parse().ok();
        if self.has("info-late") && self.board.is_none() {
            exit(101);
        }
        match (key, number) {
            ("timeout_turn", Some(n)) => self.turn = n,
            ("time_left", Some(n)) => {
                if self.has("overflow-dies") && n >= i64::from(i32::MAX) {
                    exit(134);
                }
                self.left = n;
            }
            ("rule", Some(n)) => self.set_rule(n),
            ("folder", _) => {
                self.folder = PathBuf::from(value);
                if self.has("folder-word") {
                    value.split(' ').skip(1).for_each(|_| say("UNKNOWN command"));
                }
            }
            ("evaluate", _) if self.has("evaluate-answers") => say("0"),
            ("timeout_match" | "max_memory" | "game_type" | "evaluate", _) => {}
            _ if self.has("info-unknown") => say("UNKNOWN key"),
            _ => {}
        }
        if self.has("info-ok") {
            say("OK");
        }
    }

    fn set_rule(&mut self, number: i64) {
        let rule = Rule::ALL.into_iter().find(|rule| i64::from(rule.number()) == number);
        if !(self.has("rule-once") && self.rule_set) {
            self.rule = rule.unwrap_or(self.rule);
            self.rule_set = true;
        }
        let variant = self.variant();
        let Some(old) = &self.board else { return };
        let Ok(mut board) = Board::new(old.width(), old.height(), variant) else { return };
        if !self.has("info-clears") {
            for stone in old.stones() {
                let _ = board.place(stone.point, stone.side);
            }
        }
        self.board = Some(board);
    }

    fn show_forbidden(&self) {
        let Some(board) = &self.board else { return say("ERROR no game") };
        let foul =
            |p: &Point| board.foul(*p, Side::Black).is_some() && !self.has("forbids-nothing");
        let points: String = board
            .empty_points()
            .filter(foul)
            .map(|p| format!("{:02}{:02}", p.x(), p.y()))
            .collect();
        say(&format!("FORBID {points}."));
    }

    fn answer(&mut self) {
        if self.board.is_none() {
            return say("ERROR no game");
        }
        self.own_moves += 1;
        self.delay();
        self.misbehave();
        let Some(at) = self.choose() else { return say("ERROR no free point") };
        if self.has("lets-play") || self.has("suggests-forever") {
            return say(&format!("SUGGEST {},{}", at.x(), at.y()));
        }
        if let Some(board) = &mut self.board {
            let _ = board.place(at, self.side);
        }
        // Before the reply is printed, because the reader may suspend this process at once.
        self.answered = Some(Instant::now());
        let comma = if self.has("blank-after-comma") { ", " } else { "," };
        say(&format!("MESSAGE depth 1-1 ev 0 n 1 pv x\n{}{comma}{}", at.x(), at.y()));
        if self.has("message-after-move") {
            thread::spawn(|| {
                for _ in 0..100 {
                    sleep(Duration::from_millis(10));
                    say("MESSAGE still thinking");
                }
            });
        }
        if self.has("floods") {
            // Many lines at once: they arrive faster than the checker reads them.
            let lines = "thinking hard\n".repeat(5000);
            while stdout().write_all(lines.as_bytes()).is_ok() {}
            exit(0);
        }
        if self.has("suggests") {
            say("SUGGEST 1,1");
        }
        if self.has("loses-commands") {
            sleep(Duration::from_millis(10));
            while self.input.try_recv().is_ok() {}
        }
    }

    /// Waits as long as the fault requires.
    fn delay(&mut self) {
        let ms = |ms: i64| sleep(Duration::from_millis(u64::try_from(ms).unwrap_or(0)));
        let limit = self.turn.min(self.left);
        match &*self.fault {
            "slow" => ms(self.turn + 250),
            "slow-match" => ms(self.turn * 9 / 10),
            "tiny-ignored" if self.left < 100 => ms(600),
            "left-unsigned" if self.left < 0 => ms(900),
            "zero-unlimited" if self.turn == 0 => ms(900),
            "slower-games" if self.games > 3 => ms(500),
            "keeps-used-time" => {
                let time = (self.turn * 9 / 10).min(720 - self.used).max(0);
                self.used += time;
                ms(time);
            }
            "messages-for-ever" => loop {
                say("MESSAGE thinking");
                ms(100);
            },
            "chatty" => say("thinking hard"),
            "blank-lines" => say(""),
            "late-message" => {
                ms(self.turn + 150);
                say("MESSAGE still thinking");
            }
            "slow-after-nap"
                if self.answered.is_some_and(|at| at.elapsed() > Duration::from_millis(500)) =>
            {
                ms(1200);
            }
            _ if limit >= LONG && self.own_moves > 0 => self.think(limit),
            _ => {}
        }
    }

    /// Waits for the end of the time limit or for a command that ends the search.
    fn think(&mut self, limit: i64) {
        // The limit is long in checks of the search, and short in checks of moves.
        if limit < 20_000 {
            return;
        }
        let deadline = Instant::now() + Duration::from_millis(limit.unsigned_abs());
        loop {
            let patience = deadline.saturating_duration_since(Instant::now());
            let line = match self.input.recv_timeout(patience) {
                Ok(bytes) => self.text(bytes),
                Err(RecvTimeoutError::Timeout) => return,
                Err(RecvTimeoutError::Disconnected) if self.has("end-waits") => {
                    sleep(patience);
                    return;
                }
                Err(RecvTimeoutError::Disconnected) => exit(0),
            };
            match &*line.trim().to_ascii_uppercase() {
                "END" if !self.has("end-waits") => exit(0),
                "YXSTOP" if !self.has("no-yxstop") => return,
                "INFO TIMEOUT_TURN 0" if !self.has("no-stop") => return,
                _ => self.waiting.push_back(line),
            }
        }
    }

    /// Performs faults that occur with a move.
    fn misbehave(&mut self) {
        let mut eat = |mb: usize| self.leaked.push(vec![1; mb << 20]);
        match &*self.fault {
            "stderr" => eprintln!("toy: move {}", self.own_moves),
            "eats-400" => eat(400),
            "eats-150" if self.own_moves == 1 => eat(150),
            "writes-beside" => {
                let own = std::env::current_exe().unwrap_or_default();
                let _ = std::fs::write(own.with_file_name("toy.log"), "move");
            }
            "writes-home" => {
                let home = std::env::var("HOME").unwrap_or_default();
                let _ = std::fs::write(PathBuf::from(home).join("toy.log"), "move");
            }
            "writes-folder" => {
                let _ = std::fs::write(self.folder.join("toy.db"), vec![1; 21 << 20]);
            }
            _ => {}
        }
    }

    /// Returns the first available of: five, block, four, block of a three, point near the centre.
    fn choose(&self) -> Option<Point> {
        let board = self.board.as_ref()?;
        let (own, other) = (self.side, self.side.opponent());
        let legal = |p: &Point| board.foul(*p, own).is_none();
        let five = |side| move |p: &Point| board.makes_five(*p, side);
        let first = |fits: &dyn Fn(&Point) -> bool| board.empty_points().find(|p| fits(p));
        let wins = || first(&five(own)).filter(|_| !self.has("no-wins"));
        let blocks = || first(&|p| five(other)(p) && legal(p)).filter(|_| !self.has("no-blocks"));
        // A point that gives two points to make five.
        let open_four = |side: Side| {
            move |p: &Point| {
                let mut after = board.clone();
                let placed = after.place(*p, side).is_ok();
                placed && after.empty_points().filter(|&q| after.makes_five(q, side)).count() > 1
            }
        };
        let fours = || first(&|p| open_four(own)(p) && legal(p)).filter(|_| !self.has("no-fours"));
        // A point that gives one point to make five, which does not block a three.
        let four = |side: Side| {
            move |p: &Point| {
                let mut after = board.clone();
                let placed = after.place(*p, side).is_ok();
                placed && after.empty_points().filter(|&q| after.makes_five(q, side)).count() == 1
            }
        };
        let far = || first(&four(other)).filter(|_| self.has("blocks-far"));
        let threes =
            || first(&|p| open_four(other)(p) && legal(p)).filter(|_| !self.has("no-threes"));
        let centre = Point::new(board.width() / 2, board.height() / 2)?;
        let calm = || board.empty_points().filter(|p| legal(p)).min_by_key(|p| p.distance(centre));
        let any = || board.empty_points().next();
        if self.has("occupied") && self.own_moves == 3 {
            return board.stones().next().map(|stone| stone.point);
        }
        if self.has("gives-up") && board.empty_count() == 1 {
            return None;
        }
        if self.has("fouls")
            && let Some(foul) = board.empty_points().find(|&p| board.foul(p, own).is_some())
        {
            return Some(foul);
        }
        if self.has("blocks-first")
            && let Some(at) = blocks()
        {
            return Some(at);
        }
        wins()
            .or_else(blocks)
            .or_else(fours)
            .or_else(far)
            .or_else(threes)
            .or_else(calm)
            .or_else(any)
    }
}

fn say(text: &str) {
    let mut out = stdout().lock();
    if out.write_all(format!("{text}\n").as_bytes()).and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}
