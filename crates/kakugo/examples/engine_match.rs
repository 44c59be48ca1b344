//! Two engines of different strength levels play a game.
//!
//! ```sh
//! cargo run --release --example engine_match -- [BLACK'S LEVEL] [WHITE'S LEVEL] [NODES PER MOVE]
//! cargo run --release --example engine_match -- 10 6 20000
//! ```

use std::error::Error;

use kakugo::{Board, Engine, Level, Limits, Outcome, Side, Variant};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut level = |default: &str| {
        let number = arguments.next().unwrap_or_else(|| default.to_owned());
        number.parse::<Level>().map_err(|error| format!("{number}: {error}"))
    };
    let levels = [level("8")?, level("5")?];
    let nodes = arguments.next().map_or(Ok(20_000), |text| text.parse())?;
    let limits = Limits::new().nodes(nodes);

    // Each player has an engine of its own, and learns nothing from the other.
    let mut engines = [Engine::new(16 << 20), Engine::new(16 << 20)];
    let mut board = Board::new(15, 15, Variant::STANDARD)?;
    while board.outcome() == Outcome::Ongoing {
        let player = match board.side_to_move() {
            Side::Black => 0,
            Side::White => 1,
        };
        let engine = &mut engines[player];
        let Some(point) = engine.best_move_at_level(&board, &limits, levels[player]) else { break };
        println!("{:>3}. {:5} {}", board.ply() + 1, board.side_to_move(), board.name(point));
        board.play(point)?;
    }

    println!("\n{board}");
    match board.outcome() {
        Outcome::Win(side) => {
            let [black, white] = levels.map(|level| level.name);
            let name = if side == Side::Black { black } else { white };
            println!("{side} ({name}) wins with {}", board.names(&board.winning_line()));
        }
        Outcome::Draw => println!("a draw"),
        outcome => println!("{outcome:?}"),
    }
    Ok(())
}
