//! Shows the points that are forbidden to Black in renju.
//!
//! ```sh
//! cargo run --example forbidden_points -- [MOVE...]
//! cargo run --example forbidden_points -- f8 a1 g8 a15 h6 o1 h7 o15
//! ```

use std::collections::BTreeMap;
use std::error::Error;

use kakugo::{Board, Cell, Foul, Point, Side, Variant};

fn main() -> Result<(), Box<dyn Error>> {
    let moves: Vec<String> = std::env::args().skip(1).collect();

    let mut board = Board::from_diagram(
        Variant::RENJU,
        ". . . . . . . . . . . . . . .
         . . . . . . . . . . . . . . .
         . . . X X X . X X X . . . . .
         . . . O . O . O . O . . . . .
         . . . . . . . X . . . . . . .
         . . . . . . X . . . . . . . .
         . . X . . . X X . . . O . . .
         . . X . . . . . . . . X . . .
         . . X . . . . . . . . X . . .
         X X . . X . . . . . . X . . .
         . . . . . . . . X X X . . . .
         . . . . . . . . . . . . O . .
         . . . . . O . O . . . O . . .
         . . . . . . O . O . . . . . .
         . . . . . . . . . . . . . . .",
    )?;
    if !moves.is_empty() {
        board = Board::new(15, 15, Variant::RENJU)?;
        for name in &moves {
            let point = board.parse_point(name)?;
            board.play(point).map_err(|error| format!("{name}: {error}"))?;
        }
    }

    let forbidden: BTreeMap<Point, Foul> = board.forbidden_points().collect();
    for y in 0..board.height() {
        print!("{:>2} ", board.height() - y);
        for point in (0..board.width()).filter_map(|x| Point::new(x, y)) {
            let sign = match (board.cell(point), forbidden.get(&point)) {
                (Cell::Stone(Side::Black), _) => 'X',
                (Cell::Stone(Side::White), _) => 'O',
                (_, Some(Foul::Overline)) => '6',
                (_, Some(Foul::DoubleFour)) => '4',
                (_, Some(Foul::DoubleThree)) => '3',
                _ => '.',
            };
            print!(" {sign}");
        }
        println!();
    }
    let letters =
        (b'a'..=b'z').take(board.width().into()).map(|letter| format!(" {}", char::from(letter)));
    println!("   {}\n", letters.collect::<String>());
    for (&point, foul) in &forbidden {
        println!("{:>3}  {foul}", board.name(point));
    }
    println!("forbidden to Black: {}", forbidden.len());
    Ok(())
}
