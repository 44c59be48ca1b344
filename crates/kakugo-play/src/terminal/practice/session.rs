//! The orders of practice, and their output.

use std::io::{self, Write};

use kakugo::board::{Board, Point};
use kakugo::position::Position;
use kakugo_record::analysis::drawing::{Style, draw_with_last};
use kakugo_record::notation::{name, names};
use kakugo_record::pos::{self, RowOrder};

use super::collection::{Collection, Exercise, Known};
use super::judge::{Judge, Verdict, Win};
use super::progress::{Attempt, Progress};
use crate::terminal::keyboard::PROMPT;
use crate::terminal::lines::Lines;

/// Number of problems in a row of the list.
const LIST_COLUMNS: usize = 20;

/// The list of orders.
const HELP: &str = "  h8             play the first move of the solution
  hint           a hint; again for a better one
  solution       show the solution
  next, back     the next problem, the one before
  goto N         problem N           list            all problems with their results
  show           draw the board      status          how many are solved
  help, quit
";

/// The settings of a practice.
pub struct PracticeSettings {
    /// The problems.
    pub collection: Collection,
    /// The results so far.
    pub progress: Progress,
    /// Judges moves.
    pub judge: Judge,
    /// The style of the board.
    pub style: Style,
    /// True at a keyboard, false in a script.
    pub at_keyboard: bool,
}

/// A practice at the terminal.
struct Session<W> {
    settings: PracticeSettings,
    lines: Lines,
    output: W,
    /// Index of the problem on the board.
    at: usize,
    /// Hints given for it.
    hints: usize,
    /// True after a wrong move, a hint or the solution.
    is_helped: bool,
}

/// Runs a practice until it is told to quit or the input ends.
///
/// # Errors
/// Returns an error if reading or writing fails.
pub fn run(settings: PracticeSettings, lines: Lines, output: impl Write) -> io::Result<()> {
    Session { settings, lines, output, at: 0, hints: 0, is_helped: false }.run()
}

impl<W: Write> Session<W> {
    fn run(&mut self) -> io::Result<()> {
        let Collection { name, notes, .. } = &self.settings.collection;
        writeln!(
            self.output,
            "Practice: {name}. Type a point such as h8, hint, solution, or help."
        )?;
        notes.iter().try_for_each(|note| writeln!(self.output, "{note}"))?;
        self.status()?;
        self.at = self.next_unsolved(0).unwrap_or(0);
        self.show()?;
        loop {
            if self.settings.at_keyboard && !self.lines.are_prompted() {
                write!(self.output, "{PROMPT}")?;
            }
            self.output.flush()?;
            let Some(line) = self.lines.next()? else { return Ok(()) };
            if self.follow(line.trim())? {
                return Ok(());
            }
        }
    }

    /// Follows an order. Returns true to quit.
    fn follow(&mut self, line: &str) -> io::Result<bool> {
        let mut words = line.split_whitespace();
        let verb = words.next().unwrap_or_default().to_ascii_lowercase();
        let argument = words.next();
        let count = self.settings.collection.exercises.len();
        match (&*verb, argument) {
            ("", _) => {}
            ("quit" | "exit" | "q", _) => return Ok(true),
            ("help" | "?", _) => write!(self.output, "{HELP}")?,
            ("hint", _) => self.hint()?,
            ("solution", _) => self.show_solution()?,
            ("next" | "skip" | "n", _) => self.go((self.at + 1) % count)?,
            ("back" | "prev" | "b", _) => self.go((self.at + count - 1) % count)?,
            ("show", _) => self.show()?,
            ("status", _) => self.status()?,
            ("list", _) => self.list()?,
            ("goto" | "problem", Some(text)) => match text.parse::<usize>() {
                Ok(number) if (1..=count).contains(&number) => self.go(number - 1)?,
                _ => self.warn(&format!("Invalid problem '{text}': expected 1 to {count}."))?,
            },
            ("goto" | "problem", None) => {
                self.warn("Missing number of the problem. Try: goto 5.")?
            }
            (point, Some(_)) if self.point(point).is_some() => {
                self.warn(&format!("One stone per line. Try: {point}."))?
            }
            (point, None) => match self.point(point) {
                Some(p) => self.play(p)?,
                None if pos::begins_with_point(point) => {
                    self.warn(&format!("{point} is off the board."))?
                }
                None => self.warn(&format!("Unknown command '{point}'. Try: help."))?,
            },
            _ => self.warn(&format!("Unknown command '{line}'. Try: help."))?,
        }
        Ok(false)
    }

    fn exercise(&self) -> &Exercise {
        &self.settings.collection.exercises[self.at]
    }

    fn board(&self) -> &Board {
        &self.exercise().board
    }

    fn warn(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.output, "{}", self.settings.style.warn(text))
    }

    /// Returns the point that a word names.
    fn point(&self, word: &str) -> Option<Point> {
        let points = pos::read(word, self.board().height(), RowOrder::FromBottom).ok()?;
        let [p] = points[..] else { return None };
        self.board().contains(p).then_some(p)
    }

    /// Goes to a problem.
    fn go(&mut self, at: usize) -> io::Result<()> {
        (self.at, self.hints, self.is_helped) = (at, 0, false);
        self.show()
    }

    /// Returns the first problem that is not solved, from one on and then from the first.
    fn next_unsolved(&self, from: usize) -> Option<usize> {
        let PracticeSettings { collection, progress, .. } = &self.settings;
        let count = collection.exercises.len();
        let order = (0..count).map(|i| (from + i) % count);
        order.into_iter().find(|&at| !progress.is_solved(&collection.exercises[at].key))
    }

    fn show(&mut self) -> io::Result<()> {
        let PracticeSettings { collection, progress, style, .. } = &self.settings;
        let exercise = &collection.exercises[self.at];
        let board = &exercise.board;
        let task = exercise.task();
        let side = board.side_to_move();
        let (number, count) = (self.at + 1, collection.exercises.len());
        let title = match (&*exercise.name, &exercise.known) {
            ("", _) | (_, Some(_)) => String::new(),
            (name, None) => format!(" {name}."),
        };
        let state = match progress.best(&exercise.key) {
            None => "",
            Some(Attempt::Failed) => " Tried before.",
            Some(_) => " Solved before.",
        };
        let drawing = draw_with_last(board, exercise.last_move(), *style);
        writeln!(self.output, "{}", drawing.trim_end())?;
        let task = style.strong(&format!("{side} to move: {task}."));
        writeln!(
            self.output,
            "Problem {number} of {count}, {}.{title} {task}{state}",
            board.variant()
        )
    }

    fn status(&mut self) -> io::Result<()> {
        let PracticeSettings { collection, progress, .. } = &self.settings;
        let best = |exercise: &Exercise| progress.best(&exercise.key);
        let count =
            |result| collection.exercises.iter().filter(|e| best(e) == Some(result)).count();
        let [at_once, helped, failed] =
            [Attempt::Solved, Attempt::Helped, Attempt::Failed].map(count);
        let (all, solved) = (collection.exercises.len(), at_once + helped);
        writeln!(
            self.output,
            "{solved} of {all} solved: {at_once} at once, {helped} with help; {failed} tried."
        )
    }

    fn list(&mut self) -> io::Result<()> {
        let PracticeSettings { collection, progress, .. } = &self.settings;
        let sign = |exercise: &Exercise| match progress.best(&exercise.key) {
            None => '.',
            Some(Attempt::Failed) => '-',
            Some(Attempt::Helped) => '+',
            Some(Attempt::Solved) => '*',
        };
        let signs: Vec<char> = collection.exercises.iter().map(sign).collect();
        for (row, signs) in signs.chunks(LIST_COLUMNS).enumerate() {
            let signs: String = signs.iter().flat_map(|&sign| [' ', sign]).collect();
            writeln!(self.output, "{:>5} {signs}", row * LIST_COLUMNS + 1)?;
        }
        writeln!(self.output, "* solved at once, + solved with help, - tried, . not tried")
    }

    /// Keeps a result.
    fn keep(&mut self, result: Attempt) -> io::Result<()> {
        let key = self.exercise().key.clone();
        if let Err(error) = self.settings.progress.add(&key, result) {
            self.warn(&format!("The result was not saved: {error}."))?;
        }
        Ok(())
    }

    /// Judges the move of the user.
    fn play(&mut self, p: Point) -> io::Result<()> {
        let board = self.board();
        let (side, move_name) = (board.side_to_move(), name(p, board.height()));
        if !board.is_empty(p) {
            return self.warn(&format!("{move_name} is not free."));
        }
        if let Some(foul) = board.foul(p, side) {
            return self.warn(&format!("{move_name} is forbidden to Black: {foul}."));
        }
        let exercise = self.exercise().clone();
        match self.settings.judge.judge(&exercise, p) {
            Verdict::Right(win) => {
                let result = if self.is_helped { Attempt::Helped } else { Attempt::Solved };
                self.keep(result)?;
                let how = reason(&exercise, win.as_ref());
                writeln!(self.output, "Right: {move_name}{how}.")?;
                match self.next_unsolved(self.at) {
                    Some(at) => self.go(at),
                    None => {
                        writeln!(self.output, "All problems are solved.")?;
                        self.status()
                    }
                }
            }
            verdict => {
                self.is_helped = true;
                self.keep(Attempt::Failed)?;
                let why = match verdict {
                    Verdict::Loses(win) => format!(": {}", words(&exercise.board, &win)),
                    _ if exercise.known.is_none() => {
                        ": no forced win was found after it".to_owned()
                    }
                    _ => String::new(),
                };
                self.warn(&format!("Not {move_name}{why}. Try again, or: hint, solution, next."))
            }
        }
    }

    /// Gives a hint: what to look for, then the row, then the column as well.
    fn hint(&mut self) -> io::Result<()> {
        let exercise = self.exercise().clone();
        let Some((right, win)) = self.settings.judge.solution(&exercise) else {
            return self.warn("The solution was not found, so there are no hints.");
        };
        (self.hints, self.is_helped) = (self.hints + 1, true);
        let (height, Some(&first)) = (exercise.board.height(), right.first()) else {
            return Ok(());
        };
        let point = name(first, height);
        let row = point.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let hint = match self.hints {
            1 => first_hint(&exercise, win.as_ref()),
            2 => format!("The move is on row {row}."),
            _ => format!("The move is {point}."),
        };
        writeln!(self.output, "{hint}")
    }

    fn show_solution(&mut self) -> io::Result<()> {
        let exercise = self.exercise().clone();
        self.is_helped = true;
        let Some((right, win)) = self.settings.judge.solution(&exercise) else {
            return self.warn("The solution was not found.");
        };
        self.keep(Attempt::Failed)?;
        let height = exercise.board.height();
        let moves = names(&right, height);
        let text = match win {
            Some(win) if right.len() == 1 => words(&exercise.board, &win),
            Some(win) => format!("{moves}; {}", words(&exercise.board, &win)),
            None => moves,
        };
        writeln!(self.output, "Solution: {text}.")
    }
}

/// Returns why a right move is right.
fn reason(exercise: &Exercise, win: Option<&Win>) -> String {
    let side = exercise.board.side_to_move();
    match (win, &exercise.known) {
        (Some(win), _) if win.length.winner == side && win.length.stones == 1 => {
            " makes five".to_owned()
        }
        (Some(win), _) if win.length.winner == side => format!("; {}", words(&exercise.board, win)),
        (_, Some(Known { is_defence: true, right, .. })) if right.len() > 1 => {
            " holds, as others do".to_owned()
        }
        (_, Some(Known { is_defence: true, .. })) => " is the only defence".to_owned(),
        (None, None) => " holds, as far as a search finds".to_owned(),
        _ => " wins".to_owned(),
    }
}

/// Returns who wins, and the line.
fn words(board: &Board, win: &Win) -> String {
    format!("{}: {}", win.length, names(&win.line, board.height()))
}

/// Returns what to look for.
fn first_hint(exercise: &Exercise, win: Option<&Win>) -> String {
    let board = &exercise.board;
    let side = board.side_to_move();
    match (exercise.threat(), win) {
        (Some(line), _) => {
            let (opponent, stones) = (side.opponent(), line.len().div_ceil(2));
            let s = if stones == 1 { "" } else { "s" };
            format!("If {side} passed, {opponent} would win in {stones} move{s}.")
        }
        (_, Some(win)) => {
            let first = win.line.first();
            let threat = first.map(|&p| Position::new(board).threats().at(p, side));
            let kind = match threat {
                Some(threat) if threat >= kakugo::pattern::Threat::Five => "the five",
                Some(threat) if threat >= kakugo::pattern::Threat::Four => "a four",
                Some(threat) if threat >= kakugo::pattern::Threat::OpenThree => "an open three",
                _ => "a quiet move",
            };
            format!("{}. It begins with {kind}.", win.length)
        }
        _ => format!("{side} is to move."),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::time::Duration;

    use super::*;
    use kakugo::board::{Rule, Side};
    use kakugo::search::Networks;
    use kakugo_record::problems;

    /// Returns the output after these lines.
    fn practise(collection: Collection, input: &str) -> String {
        let settings = PracticeSettings {
            collection,
            progress: Progress::unsaved(),
            judge: Judge::new(1 << 20, &Networks::none(), Duration::from_secs(2)),
            style: Style::Plain,
            at_keyboard: false,
        };
        let mut output = Vec::new();
        let lines = Lines::read_from(Cursor::new(input.to_owned())).unwrap();
        run(settings, lines, &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    fn pack() -> Collection {
        Collection::of_pack(Some(Rule::Freestyle)).unwrap()
    }

    #[test]
    fn right_moves_are_accepted_and_wrong_ones_are_explained() {
        let first = &problems::pack()[0];
        let right = name(first.right[0], 15);
        let text = practise(pack(), &format!("a1\n{right}\nlist\nstatus\n"));
        assert!(text.starts_with("Practice: freestyle problems. "), "{text}");
        assert!(
            text.contains("0 of 150 solved: ") && text.contains("Problem 1 of 150, "),
            "{text}"
        );
        assert!(text.contains("\nNot a1"), "{text}");
        assert!(text.contains(&format!("\nRight: {right} makes five.")), "{text}");
        assert!(text.contains("Problem 2 of 150, ") && text.contains("\n    1  + . "), "{text}");
        assert!(text.ends_with("1 of 150 solved: 0 at once, 1 with help; 0 tried.\n"), "{text}");
    }

    #[test]
    fn hints_come_in_steps_and_the_solution_has_the_line() {
        let at = problems::pack().iter().position(|p| p.right.len() == 1 && p.stones == 3).unwrap();
        let problem = &problems::pack()[at];
        let first = name(problem.right[0], 15);
        let input = format!("goto {}\nhint\nhint\nhint\nsolution\nback\nnext\nquit\nh8\n", at + 1);
        let text = practise(pack(), &input);
        assert!(
            text.contains(" wins in 3 moves. It begins with ") || text.contains("If "),
            "{text}"
        );
        assert!(
            text.contains("The move is on row ") && text.contains(&format!("The move is {first}."))
        );
        assert!(text.contains("Solution: ") && text.contains("Tried before."), "{text}");
    }

    #[test]
    fn a_position_with_a_threat_is_a_defence() {
        let (mut board, _) = kakugo::board!(
            kakugo::board::Variant::FREESTYLE,
            ". . . . . . .
             . . . . . . .
             . . X X X . .
             . . . . . . .
             . . . . . . .
             O . O . . . .
             . . . . . . ."
        );
        board.set_side_to_move(Side::White);
        let exercise = Exercise::new("Stop".to_owned(), board, None, false);
        let collection = Collection {
            name: "one".to_owned(),
            id: "one".to_owned(),
            exercises: vec![exercise],
            notes: Vec::new(),
        };
        let text = practise(collection, "hint\ng1\nb5\nquit\n");
        assert!(text.contains("White to move: find a move that does not lose."), "{text}");
        assert!(text.contains("If White passed, Black would win in 2 moves."), "{text}");
        assert!(text.contains("Not g1: Black wins in "), "{text}");
        assert!(text.contains("Right: b5 holds, as far as a search finds."), "{text}");
    }

    #[test]
    fn any_winning_move_of_a_file_is_right() {
        let (mut board, _) = kakugo::board!(
            kakugo::board::Variant::FREESTYLE,
            ". . . . . . .
             . . . . . . .
             . . X X X . .
             . . . . . . .
             . . . . . . .
             O . O . O . .
             . . . . . . ."
        );
        board.set_side_to_move(Side::Black);
        let exercise = Exercise::new("Three".into(), board, None, false);
        let mut other = exercise.clone();
        other.key = "other".into();
        let collection = Collection {
            name: "two".into(),
            id: "two".into(),
            exercises: vec![exercise, other],
            notes: vec!["A note.".into()],
        };
        let text = practise(collection, "c3\na1\nb5\nhint\nsolution\nf5\nx9\n?\n");
        assert!(
            text.contains("A note.\n") && text.contains("Three. Black to move: find"),
            "{text}"
        );
        assert!(text.contains("Right: b5; Black wins in 2 moves: b5 "), "{text}");
        assert!(
            text.contains("Right: f5; ") && text.contains("All problems are solved."),
            "{text}"
        );
        assert!(text.contains("a1 is not free") || text.contains("Not a1"), "{text}");
        assert!(
            text.contains("x9 is off the board") && text.contains("solution       show"),
            "{text}"
        );
    }
}
