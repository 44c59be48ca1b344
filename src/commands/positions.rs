//! Positions and games that a command works on: as text, from a file, or from stdin.

use std::path::Path;

use anyhow::{Context, anyhow, ensure};
use clap::Args;

use super::convert::{self, BoardArgs, Games, Rows};
use super::omissions;
use kakugo::board::Side;
use kakugo_cli::stderr::note;
use kakugo_cli::usage::usage;
use kakugo_record::file::Format;
use kakugo_record::game_tree::GameTree;
use kakugo_record::pos::{self, RowOrder};
use kakugo_record::{Game, Move};

/// The options for reading positions.
#[derive(Args, Debug)]
pub struct PositionArgs {
    #[command(flatten)]
    pub(super) board: BoardArgs,
    /// Position of row 1 in pos text
    #[arg(long, value_enum, default_value_t = Rows::Bottom)]
    pub(super) rows: Rows,
    /// Number of the game in the file, from 1 [default: all games]
    #[arg(long, value_name = "N")]
    pub(super) game: Option<usize>,
}

/// The games of an input, or positions as games.
pub(super) struct Input {
    /// Name of the file, or the position as text.
    pub(super) name: String,
    pub(super) games: Games,
    /// Number of the first game.
    first: usize,
    /// True if the file contains several games.
    has_several: bool,
    /// True for a game file, false for positions as text.
    pub(super) is_record: bool,
}

impl PositionArgs {
    /// Reads a position as text, a game file, or stdin if `name` is `-`.
    ///
    /// # Errors
    /// Returns an error if there is no such file, the position is invalid, or `--game` selects a
    /// game that does not exist.
    pub(super) fn read(&self, name: &str) -> anyhow::Result<Input> {
        let empty = self.board.empty_game().map_err(usage)?;
        let rows: RowOrder = self.rows.into();
        let is_stdin = name == "-";
        if is_stdin || Path::new(name).is_file() {
            let fallback = Some(Format::Pos(rows));
            let (format, games) = convert::read_games(name, None, rows, &self.board, fallback)?;
            let name = if is_stdin { "stdin" } else { name };
            return self.select(name, games, !is_stdin || format != Format::Pos(rows));
        }
        convert::ensure_not_folder(name)?;
        // A missing file is not a usage error.
        let is_file_name = name.contains(['.', '/', '\\']) && !name.contains(char::is_whitespace);
        let is_position = name.trim().is_empty() || pos::begins_with_point(name);
        match position(name, &empty, rows) {
            Ok(game) if is_position => {
                self.select(name, vec![Ok(GameTree::from_game(&game))], false)
            }
            _ if is_file_name => Err(anyhow!("no such file: {name}")),
            Err(error) if is_position => Err(usage(error)),
            _ => Err(anyhow!("\"{name}\" is neither a file nor a position such as h8h9i8")),
        }
    }

    /// Returns all games, or the one that `--game` selects.
    fn select(&self, name: &str, mut games: Games, is_record: bool) -> anyhow::Result<Input> {
        let count = games.len();
        let mut first = 1;
        if let Some(number) = self.game {
            ensure!(
                (1..=count).contains(&number),
                "--game {number} does not exist: {name} contains {}",
                convert::counted(count, "game")
            );
            games = vec![games.swap_remove(number - 1)];
            first = number;
        }
        Ok(Input { name: name.to_owned(), games, first, has_several: count > 1, is_record })
    }

    /// Returns the main line of a game with the side to move of `--to-move`, and reports what is
    /// unusual in it.
    pub(super) fn main_line(&self, name: &str, tree: &GameTree, is_record: bool) -> Game {
        omissions::report_irregular(name, std::slice::from_ref(tree));
        if tree.has_late_setup() {
            note(format_args!("{name}: omitted the moves before the stones that are set up last"));
        }
        let mut game = tree.main_line();
        let side = game.sides().last().map_or(game.start.side_to_move(), Side::opponent);
        if !is_record && self.board.to_move().is_some_and(|to_move| to_move != side) {
            game.moves.push(Move::pass());
        }
        game
    }
}

/// Parses a position as text.
fn position(text: &str, empty: &Game, rows: RowOrder) -> anyhow::Result<Game> {
    let invalid = || format!("invalid position \"{text}\"");
    let points = pos::read(text, empty.height, rows).with_context(invalid)?;
    let game = Game { moves: points.into_iter().map(Move::new).collect(), ..empty.clone() };
    convert::final_position(&game).with_context(invalid)?;
    Ok(game)
}

impl Input {
    /// Passes each game with its number and label to `each`. Games that fail are skipped and reported
    /// on stderr.
    ///
    /// # Errors
    /// Returns the first error if no game succeeds.
    pub(super) fn for_each(
        self,
        mut each: impl FnMut(usize, &str, GameTree) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let Input { name, games, first, has_several, .. } = self;
        let count = games.len();
        let mut failed = Vec::new();
        for (number, game) in (first..).zip(games) {
            let label = if has_several { format!("{name}, game {number}") } else { name.clone() };
            let game = match game {
                Err(error) if count == 1 => {
                    return Err(error).with_context(|| format!("reading {label}"));
                }
                game => game.map_err(anyhow::Error::from),
            };
            match game.and_then(|tree| each(number, &label, tree)) {
                Err(error) if count == 1 => return Err(error),
                result => failed.extend(result.err().map(|error| (number, error))),
            }
        }
        let skipped = failed.len();
        match failed.into_iter().next() {
            None => Ok(()),
            Some((number, error)) if skipped == count => {
                Err(error.context(format!("{name}, game {number}")))
            }
            Some((number, error)) => {
                let all = convert::counted(count, "game");
                note(format_args!(
                    "{name}: skipped {skipped} of {all}, first game {number}: {error:#}"
                ));
                Ok(())
            }
        }
    }
}
