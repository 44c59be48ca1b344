//! Writes a large database of generated games, to measure the opening explorer.
//!
//! ```sh
//! cargo run --release -p kakugo-record --example generate-games -- rif 300000 > games.rif
//! ```
//!
//! The same format, number and seed always give the same file. Games have 22 to 34 moves. They
//! share openings as real games do: popular moves are played often, and after move 10 few games
//! agree. Every game is turned or reflected at random.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};

use kakugo::board::{Point, Side, Variant};
use kakugo_record::game_tree::{GameTree, Node, Play};
use kakugo_record::tree::NodeId;
use kakugo_record::{Game, GameResult, Move, renlib, sgf};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SIZE: u8 = 15;
const PLAYERS: usize = 5000;
const TOURNAMENTS: usize = 2000;
const USAGE: &str = "usage: generate-games rif|sgf|pos|jsonl|lib GAMES [SEED]";

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let format = arguments.next().unwrap_or_default();
    let count = arguments.next().and_then(|word| word.parse().ok());
    let seed = arguments.next().map_or(Some(1), |word| word.parse().ok());
    let (Some(count), Some(seed)) = (count, seed) else { return Err(io::Error::other(USAGE)) };
    let games = Games { rng: ChaCha8Rng::seed_from_u64(seed), left: count, number: 0 };
    let out = &mut BufWriter::new(io::stdout().lock());
    match &*format {
        "rif" => write_rif(games, out)?,
        "sgf" => games
            .map(|game| game.to_game())
            .try_for_each(|game| out.write_all(sgf::write(&game).as_bytes()))?,
        "pos" => games.into_iter().try_for_each(|game| writeln!(out, "{}", game.moves("")))?,
        "jsonl" => write_record(games, out)?,
        "lib" => {
            let tree = tree(games);
            out.write_all(&renlib::write(&tree).map_err(io::Error::other)?)?;
        }
        _ => return Err(io::Error::other(USAGE)),
    }
    out.flush()
}

/// A generated game.
struct Generated {
    number: usize,
    points: Vec<Point>,
    players: [usize; 2],
    tournament: usize,
    /// `None` for a draw.
    winner: Option<Side>,
}

impl Generated {
    fn moves(&self, separator: &str) -> String {
        let name = |p: &Point| format!("{}{}", char::from(b'a' + p.x()), SIZE - p.y());
        self.points.iter().map(name).collect::<Vec<_>>().join(separator)
    }

    fn to_game(&self) -> Game {
        Game {
            black: player(self.players[0]),
            white: player(self.players[1]),
            event: format!("Tournament {}", self.tournament),
            date: format!("{}-03-14", year(self.tournament)),
            result: Some(self.winner.map_or(GameResult::Draw, GameResult::Win)),
            moves: self.points.iter().copied().map(Move::new).collect(),
            ..Game::new(SIZE, SIZE, Variant::RENJU)
        }
    }
}

fn player(number: usize) -> String {
    format!("{} {}", given_name(number), family_name(number))
}

fn given_name(number: usize) -> String {
    const NAMES: [&str; 8] = ["Ando", "Jürgen", "Åsa", "Tomáš", "Kazuto", "Ülle", "Anna", "Wei"];
    NAMES[number % NAMES.len()].to_owned()
}

fn family_name(number: usize) -> String {
    const SYLLABLES: [&str; 10] = ["ka", "ri", "to", "me", "sõ", "va", "ni", "lu", "pe", "žo"];
    format!("{number:04}").bytes().map(|digit| SYLLABLES[usize::from(digit - b'0')]).collect()
}

fn year(tournament: usize) -> usize {
    1970 + tournament * 55 / TOURNAMENTS
}

/// The games, one at a time.
struct Games {
    rng: ChaCha8Rng,
    left: usize,
    number: usize,
}

impl Iterator for Games {
    type Item = Generated;

    fn next(&mut self) -> Option<Generated> {
        self.left = self.left.checked_sub(1)?;
        self.number += 1;
        let rng = &mut self.rng;
        let length = rng.random_range(22..=34);
        let mut cells = [[false; SIZE as usize]; SIZE as usize];
        let mut line: Vec<(u8, u8)> = Vec::with_capacity(length);
        while line.len() < length {
            let candidates = candidates(&line, &cells);
            // The first candidates are the popular moves. Their share falls move by move.
            let spread = if line.len() < 3 { 3 } else { 2 + line.len() };
            let mut choice = 0;
            while choice + 1 < candidates.len() && rng.random_range(0..spread + 2) >= 2 {
                choice += 1;
            }
            let (x, y) = candidates[choice];
            cells[usize::from(y)][usize::from(x)] = true;
            line.push((x, y));
        }
        let symmetry = rng.random_range(0..8);
        let points = line.into_iter().map(|point| turned(point, symmetry)).collect();
        let winner = match rng.random_range(0..20) {
            0 => None,
            n if n < 11 => Some(Side::Black),
            _ => Some(Side::White),
        };
        let players = [rng.random_range(0..PLAYERS), rng.random_range(0..PLAYERS)];
        let tournament = rng.random_range(0..TOURNAMENTS);
        Some(Generated { number: self.number, points, players, tournament, winner })
    }
}

/// Returns the free points near the stones, in an order that depends only on the stones.
fn candidates(line: &[(u8, u8)], cells: &[[bool; 15]; 15]) -> Vec<(u8, u8)> {
    if line.is_empty() {
        return vec![(7, 7)];
    }
    let reach = if line.len() < 3 { line.len() as u8 } else { 2 };
    let is_near = |x: u8, y: u8| {
        let last = &line[line.len().saturating_sub(6)..];
        last.iter().any(|&(a, b)| a.abs_diff(x) <= reach && b.abs_diff(y) <= reach)
    };
    let all = (0..SIZE).flat_map(|y| (0..SIZE).map(move |x| (x, y)));
    let is_free = |&(x, y): &(u8, u8)| !cells[usize::from(y)][usize::from(x)] && is_near(x, y);
    let mut points: Vec<(u8, u8)> = all.filter(is_free).collect();
    let stones: u64 = line.iter().map(|&point| mix(place(point))).fold(0, |sum, n| sum ^ n);
    points.sort_by_key(|&point| mix(stones ^ place(point) << 32));
    points
}

fn place((x, y): (u8, u8)) -> u64 {
    u64::from(y) * u64::from(SIZE) + u64::from(x)
}

/// Mixes the bits of a number.
fn mix(n: u64) -> u64 {
    let n = n.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (n ^ n >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 7
}

fn turned((x, y): (u8, u8), symmetry: u8) -> Point {
    let x = if symmetry & 1 == 0 { x } else { SIZE - 1 - x };
    let y = if symmetry & 2 == 0 { y } else { SIZE - 1 - y };
    let (x, y) = if symmetry & 4 == 0 { (x, y) } else { (y, x) };
    Point::new(x, y).expect("a point of the board")
}

fn write_rif(games: Games, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<database>")?;
    writeln!(out, "<countries><country id=\"1\" name=\"Estonia\" abbr=\"EE\"/></countries>")?;
    writeln!(out, "<cities><city id=\"1\" country=\"1\" name=\"Tallinn\"/></cities>")?;
    writeln!(out, "<rules><rule id=\"1\" category=\"1\" name=\"Taraguchi-10\"/></rules>")?;
    writeln!(
        out,
        "<openings><opening id=\"1\" name=\"Kagetsu\" abbr=\"4d\"/></openings>\n<players>"
    )?;
    for n in 0..PLAYERS {
        let (name, surname) = (given_name(n), family_name(n));
        let names = format!("name=\"{name}\" surname=\"{surname}\"");
        writeln!(out, "<player id=\"{n}\" {names} country=\"1\" city=\"1\" gender=\"1\"/>")?;
    }
    writeln!(out, "</players>\n<tournaments>")?;
    for n in 0..TOURNAMENTS {
        let (year, name) = (year(n), format!("Tournament {n}"));
        let dates =
            format!("year=\"{year}\" month=\"3\" start=\"{year}-03-14\" end=\"{year}-03-16\"");
        writeln!(
            out,
            "<tournament id=\"{n}\" name=\"{name}\" country=\"1\" city=\"1\" {dates} rule=\"1\" rated=\"1\"/>"
        )?;
    }
    writeln!(out, "</tournaments>\n<games>")?;
    for game in games {
        let [black, white] = game.players;
        let (number, tournament, moves) = (game.number, game.tournament, game.moves(" "));
        let result = match game.winner {
            Some(Side::Black) => "1",
            Some(Side::White) => "0",
            None => "0.5",
        };
        writeln!(
            out,
            "<game id=\"{number}\" publisher=\"1\" tournament=\"{tournament}\" round=\"1\" rule=\"1\" \
             black=\"{black}\" white=\"{white}\" bresult=\"{result}\" btime=\"0\" wtime=\"0\" \
             opening=\"1\" alt=\"\" swap=\"\"><move>{moves}</move><info></info></game>"
        )?;
    }
    writeln!(out, "</games>\n</database>")
}

fn write_record(games: Games, out: &mut impl Write) -> io::Result<()> {
    writeln!(
        out,
        r#"{{"kind":"match","version":"0","settings":{{"width":15,"height":15,"rule":4,"win_length":5}}}}"#
    )?;
    for game in games {
        let [black, white] = game.players.map(player);
        let moves: Vec<String> =
            game.points.iter().map(|p| format!(r#"{{"at":[{},{}]}}"#, p.x(), p.y())).collect();
        let winner = match game.winner {
            Some(Side::Black) => r#""black""#,
            Some(Side::White) => r#""white""#,
            None => r#""draw""#,
        };
        writeln!(
            out,
            r#"{{"kind":"game","id":{0},"pair":{0},"seed":1,"black":"{black}","white":"{white}","winner":{winner},"reason":"five","opening":0,"moves":[{1}]}}"#,
            game.number,
            moves.join(",")
        )?;
    }
    Ok(())
}

/// Returns all games as one tree.
fn tree(games: Games) -> GameTree {
    let mut tree = GameTree::new(Game::new(SIZE, SIZE, Variant::RENJU));
    let mut children: HashMap<(NodeId, Point), NodeId> = HashMap::new();
    for game in games {
        let mut at = NodeId::ROOT;
        for point in game.points {
            at = *children
                .entry((at, point))
                .or_insert_with(|| tree.nodes.add(at, Node::new(Play::Stone(point))));
        }
    }
    tree
}
