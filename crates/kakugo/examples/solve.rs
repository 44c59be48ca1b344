//! Solves a position: searches for a forced win and prints it move by move.
//!
//! ```sh
//! cargo run --release --example solve -- [NODES] [MOVE...]
//! cargo run --release --example solve -- 100000 g8 a1 h8 o1 i6 a15 i7 o15
//! ```

use std::error::Error;

use kakugo::{Board, Cell, Limits, Side, Variant, WinKind, solve};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let nodes = arguments.next().map_or(Ok(200_000), |text| text.parse())?;
    let moves: Vec<String> = arguments.collect();

    // Black to move has two twos that cross.
    let mut board = Board::from_diagram(
        Variant::FREESTYLE,
        ". . . . . . . . . . . . . . .
         . . . . . . . . . . . . . . .
         . . . . . . . . . . . . . . .
         . . . . . . . . . . . . . . .
         . . . . . . . . . . . . . . .
         . . . . . . . O . . . . . . .
         . . . . . . . . O . . . . . .
         . . . . . . X X . . . . . . .
         . . . . . O . . X . . . . . .
         . . . . . . . . X . . . . . .
         . . . . . . . . O . . . . . .
         . . . . . . . . . . . . . . .
         . . . . . . . . . . . . . . .
         . . . . . . . . . . . . . . .
         . . . . . . . . . . . . . . .",
    )?;
    if !moves.is_empty() {
        board = Board::new(15, 15, Variant::FREESTYLE)?;
        for name in &moves {
            let point = board.parse_point(name)?;
            board.play(point).map_err(|error| format!("{name}: {error}"))?;
        }
    }
    println!("{board}");

    let side = board.side_to_move();
    let Some(win) = solve(&board, &Limits::new().nodes(nodes)) else {
        println!("no forced win of {side} was found within {nodes} nodes");
        return Ok(());
    };
    let kind = match win.kind {
        WinKind::Fours => "continuous fours",
        _ => "continuous threats",
    };
    let least = if win.is_complete { "" } else { "at least " };
    println!("{side} wins by {kind} in {least}{} moves:", win.line.len().div_ceil(2));
    for (number, pair) in (1..).zip(win.line.chunks(2)) {
        println!("{number:>3}. {}", board.names(pair));
    }

    if !win.is_complete {
        println!("the win is proven, but its line is not complete");
        return Ok(());
    }

    // The final position, with the winning row in brackets.
    for &point in &win.line {
        board.play(point)?;
    }
    let five = board.winning_line();
    println!("\n{:?}", board.outcome());
    for point in board.points() {
        let sign = match board.cell(point) {
            Cell::Stone(Side::Black) => 'X',
            Cell::Stone(Side::White) => 'O',
            _ => '.',
        };
        let (left, right) = if five.contains(&point) { ('[', ']') } else { (' ', ' ') };
        print!("{left}{sign}{right}");
        if point.x() + 1 == board.width() {
            println!();
        }
    }
    Ok(())
}
