//! Text drawings of the board with coordinates, in colour if the terminal supports it.
//!
//! Plain drawings contain the same information: `>` precedes the last stone, `*` the stones of the
//! winning row, and `!` marks points forbidden to Black.

use std::ffi::OsString;
use std::fmt::Write;

use crate::pos::column_letters;
use kakugo::board::{Board, Cell, Point, Side};

/// Style of a drawing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// Plain text.
    Plain,
    /// ANSI colours.
    Coloured,
}

impl Style {
    /// Returns the style for a terminal. `variable` looks up environment variables (`NO_COLOR`,
    /// `TERM`).
    pub fn of_terminal(is_terminal: bool, variable: impl Fn(&str) -> Option<OsString>) -> Style {
        let is_set = |name| variable(name).is_some_and(|value: OsString| !value.is_empty());
        let is_dumb = variable("TERM").is_none_or(|term| term == "dumb");
        if is_terminal && !is_set("NO_COLOR") && !is_dumb { Style::Coloured } else { Style::Plain }
    }

    fn paint(self, codes: &str, text: &str) -> String {
        match self {
            Style::Plain => text.to_owned(),
            Style::Coloured => format!("\u{1b}[{codes}m{text}\u{1b}[0m"),
        }
    }

    /// Formats an important sentence.
    pub fn strong(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// Formats a warning.
    pub fn warn(self, text: &str) -> String {
        self.paint("31", text)
    }
}

/// Draws a board and marks its last stone.
pub fn draw(board: &Board, style: Style) -> String {
    draw_with_last(board, board.last_stone().map(|stone| stone.point), style)
}

/// Draws a board and marks the stone at `last`, if there is one.
pub fn draw_with_last(board: &Board, last: Option<Point>, style: Style) -> String {
    let row = board.winning_line();
    let letters: String = (0..board.width()).map(|x| format!("{:>2}", label(x))).collect();
    let mut text = String::new();
    for y in 0..board.height() {
        let number = board.height() - y;
        let _ = write!(text, "{number:>3}");
        for p in (0..board.width()).filter_map(|x| Point::new(x, y)) {
            text.push_str(&cell(board, p, last == Some(p), row.contains(&p), style));
        }
        let _ = writeln!(text, " {number}");
    }
    let _ = writeln!(text, "   {letters}");
    text
}

/// Returns the letters below a column. Two letters take the room of a column: every second one is
/// empty, so that they do not run together.
fn label(x: u8) -> String {
    let letters = column_letters(x);
    if letters.len() > 1 && x.is_multiple_of(2) { String::new() } else { letters }
}

fn cell(board: &Board, p: Point, is_last: bool, wins: bool, style: Style) -> String {
    let sign = match board.cell(p) {
        Cell::Stone(Side::Black) => "X",
        Cell::Stone(Side::White) => "O",
        Cell::Wall => "#",
        Cell::Empty if board.foul(p, Side::Black).is_some() => "!",
        Cell::Empty => ".",
    };
    let mark = if wins {
        "*"
    } else if is_last {
        ">"
    } else {
        " "
    };
    let codes = match (board.cell(p), wins || is_last) {
        (Cell::Stone(Side::Black), false) => "1;36",
        (Cell::Stone(Side::Black), true) => "1;7;36",
        (Cell::Stone(Side::White), false) => "1;33",
        (Cell::Stone(Side::White), true) => "1;7;33",
        _ if sign == "!" => "31",
        _ => "2",
    };
    format!("{mark}{}", style.paint(codes, sign))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kakugo::board::Variant;

    #[test]
    fn drawings_mark_the_winning_row() {
        let mut board =
            Board::new(5, 4, Variant::new(kakugo::board::Rule::Freestyle, 3).unwrap()).unwrap();
        for (x, y) in [(0, 0), (4, 3), (1, 0), (3, 3)] {
            board.play(Point::new(x, y).unwrap()).unwrap();
        }
        let expected =
            "  4 X X . . . 4\n  3 . . . . . 3\n  2 . . . . . 2\n  1 . . .>O O 1\n    a b c d e\n";
        assert_eq!(draw(&board, Style::Plain), expected);
        board.play(Point::new(2, 0).unwrap()).unwrap();
        assert!(draw(&board, Style::Plain).starts_with("  4*X*X*X . . 4\n"));
        assert!(draw(&board, Style::Coloured).contains("\u{1b}[1;7;36mX"));
    }

    #[test]
    fn colours_require_a_capable_terminal() {
        let style = |terminal, term: Option<&str>, no_colour: Option<&str>| {
            Style::of_terminal(terminal, |name| {
                if name == "TERM" { term } else { no_colour }.map(OsString::from)
            })
        };
        assert_eq!(style(true, Some("xterm"), None), Style::Coloured);
        assert_eq!(style(true, Some("xterm"), Some("1")), Style::Plain);
        assert_eq!(style(true, Some("dumb"), None), Style::Plain);
        assert_eq!(style(true, None, None), Style::Plain);
        assert_eq!(style(false, Some("xterm"), None), Style::Plain);
    }

    #[test]
    fn letters_of_wide_boards_do_not_run_together() {
        let drawing = draw(&Board::new(32, 3, Variant::FREESTYLE).unwrap(), Style::Plain);
        let letters = drawing.lines().last().unwrap();
        assert!(letters.ends_with(" y z  ab  ad  af"), "{letters}");
    }
}
