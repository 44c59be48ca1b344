//! Analyses a position with several lines until Enter is pressed, or until a time is up.
//!
//! ```sh
//! cargo run --release --example live_analysis -- [SECONDS] [LINES] [MOVE...]
//! cargo run --release --example live_analysis -- 10 3 h8 h9 i8
//! ```

use std::error::Error;
use std::thread;
use std::time::Duration;

use kakugo::{Board, Engine, Limits, StopHandle, Variant};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let seconds = arguments.next().map_or(Ok(10.0), |text| text.parse())?;
    let lines = arguments.next().map_or(Ok(3), |text| text.parse())?;
    let time = Duration::try_from_secs_f64(seconds)?;

    let mut board = Board::new(15, 15, Variant::FREESTYLE)?;
    let moves: Vec<String> = arguments.collect();
    let default = ["h8", "h9", "i8"].map(String::from);
    for name in if moves.is_empty() { &default[..] } else { &moves } {
        let point = board.parse_point(name)?;
        board.play(point).map_err(|error| format!("{name}: {error}"))?;
    }
    println!("{board}\n{} to move. Press Enter to stop.", board.side_to_move());

    // Two other threads stop the search: one when Enter is pressed, one when the time is up.
    let stop = StopHandle::new();
    let (on_enter, on_time) = (stop.clone(), stop.clone());
    thread::spawn(move || {
        let mut text = String::new();
        // At the end of the input nobody can press Enter.
        if std::io::stdin().read_line(&mut text).is_ok_and(|bytes| bytes > 0) {
            on_enter.stop();
        }
    });
    thread::spawn(move || {
        thread::sleep(time);
        on_time.stop();
    });

    let mut engine = Engine::default();
    engine.set_threads(thread::available_parallelism().map_or(1, |threads| threads.get()));
    let limits = Limits::new().lines(lines).stop(&stop);
    let analysis = engine.analyze_live(&board, &limits, |line| {
        println!(
            "depth {:>2}-{:<3} {:>6} {:>8} nodes/s  {}. {}",
            line.depth,
            line.selective_depth,
            line.score,
            line.nodes_per_second(),
            line.rank,
            board.names(&line.moves),
        );
    });

    println!("\ndepth {}, {} nodes", analysis.depth, analysis.nodes);
    for line in &analysis.lines {
        let chance = f64::from(line.score.win_rate_permille()) / 10.0;
        println!("{}. {chance:>5.1} %  {}", line.rank, board.names(&line.moves));
    }
    Ok(())
}
