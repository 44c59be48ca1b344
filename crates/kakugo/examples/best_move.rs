//! Finds the best move of a position within a time limit.
//!
//! ```sh
//! cargo run --release --example best_move -- [MILLISECONDS] [MOVE...]
//! cargo run --release --example best_move -- 500 h8 h9 i8
//! ```

use std::error::Error;
use std::time::Duration;

use kakugo::{Board, Engine, Limits, Variant};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let milliseconds = arguments.next().map_or(Ok(1000), |text| text.parse())?;
    let moves: Vec<String> = arguments.collect();

    let mut board = Board::new(15, 15, Variant::FREESTYLE)?;
    for name in &moves {
        let point = board.parse_point(name)?;
        board.play(point).map_err(|error| format!("{name}: {error}"))?;
    }
    println!("{board}");

    let mut engine = Engine::default();
    let limits = Limits::new().time(Duration::from_millis(milliseconds));
    match engine.best_move(&board, &limits) {
        Some(best) => println!("{} plays {}", board.side_to_move(), board.name(best)),
        None => println!("the game is over: {:?}", board.outcome()),
    }
    Ok(())
}
