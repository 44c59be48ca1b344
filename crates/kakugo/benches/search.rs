//! Speed of the search, with and without progress reports:
//! `cargo bench -p kakugo --features internals --bench search`.

use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use kakugo::board::{Board, Point, Rule, Variant};
use kakugo::search::{Engine, Limits, Report, Reporter, Signals, Silent};

/// Nodes per search.
const NODES: u64 = 50_000;

/// Interval of progress messages to a browser.
const GLANCE: Duration = Duration::from_millis(100);

fn main() {
    divan::main();
}

/// Returns a middle game without an early decision.
fn middle_game(rule: Rule) -> Board {
    let mut board = Board::new(15, 15, Variant::five(rule)).expect("a board of 15x15");
    for (x, y) in [(7, 7), (7, 6), (8, 6), (6, 8), (9, 5), (6, 6), (9, 7)] {
        let point = Point::new(x, y).expect("a point of the board");
        board.play(point).expect("a free point");
    }
    board
}

fn think(board: &Board, signals: &Signals, reporter: &mut dyn Reporter) -> u64 {
    let limits = Limits { max_nodes: Some(NODES), multi_pv: 3, ..Limits::default() };
    Engine::new(16 << 20).think(board, &limits, signals, reporter).nodes
}

/// A search without reports.
#[divan::bench(args = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro])]
fn alone(bencher: Bencher, rule: Rule) {
    let board = middle_game(rule);
    bencher
        .counter(ItemsCount::new(NODES))
        .bench_local(|| think(&board, &Signals::default(), &mut Silent));
}

/// A search whose lines and nodes are read as often as a browser shows them.
#[divan::bench(args = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro])]
fn watched(bencher: Bencher, rule: Rule) {
    let (board, signals, notes) = (middle_game(rule), Signals::default(), Notes::default());
    let over = Signals::default();
    thread::scope(|scope| {
        scope.spawn(|| {
            while !over.is_stopped() {
                black_box((signals.nodes(), notes.0.lock().expect("no panic").clone()));
                thread::sleep(GLANCE);
            }
        });
        bencher
            .counter(ItemsCount::new(NODES))
            .bench_local(|| think(&board, &signals, &mut &notes));
        over.stop();
    });
}

/// The latest report.
#[derive(Default)]
struct Notes(Mutex<Option<Report>>);

impl Reporter for &Notes {
    fn report(&mut self, report: &Report) {
        *self.0.lock().expect("no panic") = Some(report.clone());
    }
}
