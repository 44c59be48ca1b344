//! Converting SGF properties to game trees.

use std::time::Duration;

use super::parse::{Item, Parser};
use super::property::{
    FRAME, SIGNS, rank, read_point, read_points, read_result, read_rule, result_name, rule_name,
    unescape,
};
use crate::game_tree::{GameTree, Mark, Node, Note, Play, Property, Sign};
use crate::text::text;
use crate::tree::NodeId;
use crate::{FormatError, Game};
use kakugo::board::{Side, Variant};

/// Reads the main lines of all games in a collection.
///
/// # Errors
/// Returns an error if one of the games is invalid or there are none.
pub fn read(text: &str) -> Result<Vec<Game>, FormatError> {
    Ok(read_trees(text)?.iter().map(GameTree::main_line).collect())
}

/// Reads all games in a collection. Size and rule default to 15x15 and freestyle.
///
/// # Errors
/// Returns an error if one of the games is invalid or there are none.
pub fn read_trees(text: &str) -> Result<Vec<GameTree>, FormatError> {
    games(text, &Game::new(15, 15, Variant::FREESTYLE)).collect()
}

/// Reads the games of a collection one at a time. `defaults` supplies missing sizes and rules.
/// Reading continues after an invalid game, unless its brackets do not match. Text without games
/// yields an error.
pub fn games(text: &str, defaults: &Game) -> impl Iterator<Item = Result<GameTree, FormatError>> {
    let mut parser = Some(Parser::new(text));
    let mut is_first = true;
    std::iter::from_fn(move || {
        let reading = parser.as_mut()?;
        let is_there = reading.skip_to_tree();
        if !is_there {
            parser = None;
            return is_first.then(|| Err(FormatError::new(text!("no SGF game found"))));
        }
        is_first = false;
        let mut beginning = reading.clone();
        let read = game(reading, defaults);
        if read.is_err() {
            parser = beginning.skip_tree().is_ok().then_some(beginning);
        }
        Some(read)
    })
}

/// Returns the code page that a file declares near its beginning.
pub(crate) fn charset(bytes: &[u8]) -> Option<&[u8]> {
    let beginning = &bytes[..bytes.len().min(4096)];
    let from = beginning.windows(3).position(|window| window == b"CA[")? + 3;
    beginning[from..].split(|&byte| byte == b']').next()
}

/// A node and the number of moves up to it.
type Cursor = (NodeId, usize);

/// Reads a game whose `(` has been read.
fn game(parser: &mut Parser<'_>, defaults: &Game) -> Result<GameTree, FormatError> {
    let mut tree: Option<GameTree> = None;
    let mut at: Cursor = (NodeId::ROOT, 0);
    let mut open: Vec<Cursor> = Vec::new();
    loop {
        match parser.item()? {
            Item::Open => open.push(at),
            Item::Close => match open.pop() {
                Some(before) => at = before,
                None => {
                    let tree = tree.ok_or_else(|| {
                        FormatError::new(text!("empty SGF game: expected ';' after '('"))
                    });
                    return tree.map(with_result);
                }
            },
            Item::Node(properties) => match &mut tree {
                None => {
                    let mut begun = root(properties.clone(), defaults)?;
                    let moves: Vec<_> = properties.into_iter().filter(is_move).collect();
                    if !moves.is_empty() {
                        at = add(&mut begun, at, moves)?;
                    }
                    tree = Some(begun);
                }
                Some(tree) => at = add(tree, at, properties)?,
            },
        }
    }
}

/// Sets a missing result from the final position.
fn with_result(mut tree: GameTree) -> GameTree {
    if tree.game.result.is_none() {
        tree.game.result = tree.main_line().result_on_board();
    }
    tree
}

fn is_move(property: &Property) -> bool {
    matches!(&*property.name, "B" | "W")
}

/// Reads the root node, without moves.
fn root(properties: Vec<Property>, defaults: &Game) -> Result<GameTree, FormatError> {
    let value = |name: &str| {
        let property = properties.iter().find(|property| property.name == name);
        property.map(|property| unescape(&property.values[0]))
    };
    // Go editors and Renju servers write other game numbers, but only this game uses 15x15.
    let is_ours = value("SZ").is_some_and(|size| size.trim() == "15");
    if let Some(other) = value("GM").filter(|kind| kind.trim() != "4" && !is_ours) {
        return Err(FormatError::new(text!(
            "unsupported SGF game GM[{0}]: expected GM[4] (Gomoku and Renju)",
            other
        )));
    }
    let (width, height) = match value("SZ") {
        None => (defaults.width, defaults.height),
        Some(size) => sides(&size).ok_or_else(|| {
            FormatError::new(text!(
                "invalid SGF board size '{0}': expected e.g. 15 or 20:12",
                &*size
            ))
        })?,
    };
    let variant = match value("RU").filter(|rule| !rule.trim().is_empty()) {
        None => defaults.variant,
        Some(rule) => read_rule(&rule).ok_or_else(|| {
            FormatError::new(text!(
                "unknown rule '{0}': expected e.g. freestyle, standard or renju",
                rule
            ))
        })?,
    };
    let name = |key| value(key).unwrap_or_default();
    let result = value("RE").and_then(|result| read_result(&result));
    let mut tree = GameTree::new(Game {
        black: name("PB"),
        white: name("PW"),
        event: name("EV"),
        round: name("RO"),
        date: name("DT"),
        termination: name("TE"),
        result: result.map(|(result, _)| result),
        cause: result.and_then(|(_, cause)| cause),
        ..Game::new(width, height, variant)
    });
    const STORED: [&str; 7] = ["SZ", "PB", "PW", "EV", "RO", "DT", "TE"];
    let known =
        |name: &str| FRAME.contains(&name) || STORED.contains(&name) || matches!(name, "B" | "W");
    // Preserve the spelling of a property if it differs from the writer's.
    let result = result.map(result_name);
    let usual = |property: &Property| match &*property.name {
        "AP" => property.values == ["kakugo"],
        "RU" => property.values == [rule_name(variant)],
        "RE" => property.values.iter().map(String::as_str).eq(result.as_deref()),
        name => known(name),
    };
    let mut rest: Vec<_> = properties.into_iter().filter(|property| !usual(property)).collect();
    let spellings = ["RU", "RE"];
    rest.sort_by_key(|property| {
        spellings.iter().position(|name| *name == property.name).unwrap_or(spellings.len())
    });
    let note = note(rest)?;
    *tree.nodes.value_mut(NodeId::ROOT) = Node::with_note(Play::Nothing, note);
    Ok(tree)
}

/// Parses `15` or `20:15`.
fn sides(size: &str) -> Option<(u8, u8)> {
    let (width, height) = size.split_once(':').unwrap_or((size, size));
    Some((width.trim().parse().ok()?, height.trim().parse().ok()?))
}

/// Adds a node for each move of an SGF node, or one node without a move.
fn add(tree: &mut GameTree, at: Cursor, properties: Vec<Property>) -> Result<Cursor, FormatError> {
    let (mut moves, rest): (Vec<_>, Vec<_>) = properties.into_iter().partition(is_move);
    let last = moves.pop();
    let (mut node, mut number) = at;
    for property in moves {
        number += 1;
        let play = play(&property, number)?;
        node = tree.nodes.add(node, Node::new(play));
    }
    let play = match last {
        Some(property) => {
            number += 1;
            play(&property, number)?
        }
        None => Play::Nothing,
    };
    node = tree.nodes.add(node, Node::with_note(play, note(rest)?));
    Ok((node, number))
}

/// Parses move `number`, which starts at 1.
fn play(property: &Property, number: usize) -> Result<Play, FormatError> {
    let turn = Side::to_move_after(number - 1);
    let colour = if turn == Side::Black { "B" } else { "W" };
    if property.name != colour {
        return Err(FormatError::new(text!(
            "wrong colour of move {0}: expected {1}, because colours alternate",
            number,
            colour
        )));
    }
    let letters = property.values[0].trim();
    if letters.is_empty() {
        return Ok(Play::Pass);
    }
    let bad = || {
        FormatError::new(text!(
            "move {0}: invalid point '{1}': expected two letters such as hh",
            number,
            letters
        ))
    };
    read_point(letters).map(Play::Stone).ok_or_else(bad)
}

/// Reads the annotations of a node.
fn note(properties: Vec<Property>) -> Result<Note, FormatError> {
    let mut note = Note::default();
    for property in properties {
        match &*property.name {
            "AB" | "AW" | "AE" => {
                let message = text!("set-up stones ({0}) are not supported", property.name);
                return Err(FormatError::new(message));
            }
            "C" if note.comment.is_empty() => note.comment = unescape(&property.values[0]),
            "MS" if property.values[0].parse::<u64>().is_ok() => {
                note.time = property.values[0].parse().ok().map(Duration::from_millis);
            }
            _ => match marks(&property) {
                Some(marks) => note.marks.extend(marks),
                None => note.other.push(property),
            },
        }
    }
    note.marks.sort_by_key(|mark| rank(&mark.sign));
    Ok(note)
}

/// Parses a markup property. Returns `None` for other properties and invalid values.
fn marks(property: &Property) -> Option<Vec<Mark>> {
    if property.name == "LB" {
        let label = |value: &String| {
            let (point, text) = value.split_once(':')?;
            Some(Mark { point: read_point(point)?, sign: Sign::Label(unescape(text)) })
        };
        return property.values.iter().map(label).collect();
    }
    let (_, sign) = SIGNS.iter().find(|(name, _)| *name == property.name)?;
    let points: Option<Vec<_>> = property.values.iter().map(|value| read_points(value)).collect();
    let marked = |point| Mark { point, sign: sign.clone() };
    Some(points?.into_iter().flatten().map(marked).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameResult;
    use crate::sgf::{write, write_tree};

    #[test]
    fn files_of_c_gomoku_cli_are_read() {
        let text = "(;FF[4]GM[4]GN[1]EV[A x B]DT[2026.11.21 03:38:55]RO[1.1]RU[4]SZ[15]PB[A]\
                    PW[B]RE[B+1]TE[Black win by five connection]\n;B[ch]C[opening move];W[fg]\n\
                    ;B[ek]C[77ms])";
        let game = &read(text).unwrap()[0];
        assert_eq!((&*game.black, &*game.white, game.width), ("A", "B", 15));
        assert_eq!(game.variant, Variant::RENJU);
        assert_eq!(game.result, Some(GameResult::Win(Side::Black)));
        let points: Vec<String> = game.points().map(|p| p.to_string()).collect();
        assert_eq!(points, ["2,7", "5,6", "4,10"]);
        assert_eq!(game.moves[0].comment, "opening move");
    }

    #[test]
    fn the_main_line_follows_first_children() {
        let text = "two games (;GM[4]SZ[20:15];B[aa](;W[bb];B[cc](;W[dd])(;W[ee]))(;W[ff];B[gg]))
                    (;GM[4];B[hh]C[a \\] b \\\\ c])";
        let games = read(text).unwrap();
        assert_eq!((games[0].width, games[0].height), (20, 15));
        let points: Vec<String> = games[0].points().map(|p| p.to_string()).collect();
        assert_eq!(points, ["0,0", "1,1", "2,2", "3,3"]);
        assert_eq!(games[1].moves[0].comment, "a ] b \\ c");
        let trees = read_trees(text).unwrap();
        let lines: Vec<usize> = trees[0].lines().map(|line| line.moves.len()).collect();
        assert_eq!(lines, [4, 4, 3]);
    }

    #[test]
    fn properties_without_upper_case_names_are_dropped() {
        let text = "(;GM[4]SZ[15]s[1]a1[2]Km[x];Black[hh])";
        let tree = read_trees(text).unwrap().remove(0);
        let written = write_tree(&tree);
        assert!(written.contains("K[x]") && written.contains(";B[hh]"), "{written}");
        assert_eq!(read_trees(&written).unwrap(), [tree]);
    }

    #[test]
    fn foreign_properties_are_preserved() {
        let smartgo = "(;GM[4]FF[4]CA[UTF-8]AP[CGoban:3]ST[2]RU[renju]SZ[15]KM[0.00]PW[W]PB[B]\
             C[The root: a \\] and a \\\\.]RE[W+overline]GN[x\\:y]\n;B[hh]N[centre]\n(;W[hi]TR[hi]\
             LB[aa:1][bb:a\\:b]\n(;B[gg]C[direct\n\nopening])\n(;B[]DM[1])\n)\n(;W[gi]CR[aa:cc][ee]\
             ;;B[jj]BL[58.2]OB[]XX[a][b\\]c]))";
        let tree = read_trees(smartgo).unwrap().remove(0);
        let text = write_tree(&tree);
        assert_eq!(read_trees(&text).unwrap(), [tree]);
        for preserved in [
            "AP[CGoban:3]",
            "ST[2]",
            "KM[0.00]",
            "RE[W+overline]",
            "GN[x\\:y]",
            "N[centre]",
            "TR[hi]",
            "LB[aa:1][bb:a\\:b]",
            "C[direct\n\nopening]",
            "B[]",
            "DM[1]",
            "BL[58.2]",
            "XX[a][b\\]c]",
            "C[The root: a \\] and a \\\\.]",
            "CR[aa][ba][ca][ab][bb][cb][ac][bc][cc][ee]",
        ] {
            assert!(text.contains(preserved), "{preserved} is not in\n{text}");
        }
        assert_eq!(write_tree(&read_trees(&text).unwrap()[0]), text, "written again, the same");
        // Old files: lower case in names, two moves in a node, moves in the root.
        let old = "(;GaMe[4]SiZe[15]Black[hh]White[hi](;B[gg]Comment[ok])(;B[jj]))";
        let tree = read_trees(old).unwrap().remove(0);
        assert_eq!(tree.lines().map(|line| line.moves.len()).collect::<Vec<_>>(), [3, 3]);
        // The spelling is dropped if the game changes.
        let mut game = read("(;GM[4]RU[4]RE[W+Time];B[hh])").unwrap().remove(0);
        let mut tree = read_trees("(;GM[4]RU[4]RE[W+Time];B[hh])").unwrap().remove(0);
        assert!(write_tree(&tree).contains("RU[4]RE[W+Time]"));
        tree.game.result = Some(GameResult::Draw);
        assert!(write_tree(&tree).contains("RE[0]") && !write_tree(&tree).contains("Time"));
        game.result = None;
        assert!(!write(&game).contains("RE["));
    }

    #[test]
    fn renju_files_with_other_game_numbers_are_read() {
        for (kind, size) in [("1", "15"), ("5", " 15 "), ("11", "15")] {
            let text = format!("(;GM[{kind}]SZ[{size}];B[hh];W[hi])");
            assert_eq!(read(&text).unwrap()[0].moves.len(), 2, "{text}");
        }
        for other in ["(;GM[1];B[dd])", "(;GM[1]SZ[19];B[dd])", "(;GM[2]SZ[8];B[dd])"] {
            assert!(
                read(other).unwrap_err().to_string().contains("unsupported SGF game"),
                "{other}"
            );
        }
        assert_eq!(read("(;GM[4]RU[ ];B[hh])").unwrap()[0].variant, Variant::FREESTYLE);
        for rule in ["RIF", "Yamaguchi", "Soosyrv-8", "Taraguchi 10"] {
            let text = format!("(;GM[4]RU[{rule}];B[hh])");
            assert_eq!(read(&text).unwrap()[0].variant, Variant::RENJU, "{rule}");
            let tree = read_trees(&text).unwrap().remove(0);
            assert!(write_tree(&tree).contains(&format!("RU[{rule}]")), "{rule}");
        }
    }

    #[test]
    fn missing_size_and_rule_use_the_defaults() {
        let defaults = Game::new(20, 19, Variant::RENJU);
        let read = |text| {
            let game = games(text, &defaults).next().unwrap().unwrap().game;
            (game.width, game.height, game.variant)
        };
        assert_eq!(read("(;GM[4];B[rr])"), (20, 19, Variant::RENJU));
        assert_eq!(read("(;GM[4]RU[ ]SZ[15];B[hh])"), (15, 15, Variant::RENJU));
        assert_eq!(read("(;GM[4]RU[caro];B[hh])"), (20, 19, Variant::CARO));
    }

    #[test]
    fn missing_results_are_taken_from_the_board() {
        let five = ";B[aa];W[ab];B[ba];W[bb];B[ca];W[cb];B[da];W[db];B[ea]";
        let result =
            |head: &str, moves: &str| read(&format!("(;GM[4]{head}{moves})")).unwrap()[0].result;
        let black = Some(GameResult::Win(Side::Black));
        assert_eq!((result("", five), result("RE[?]", five)), (black, black));
        assert_eq!(result("", ";B[aa];W[ab]"), None);
        assert_eq!(result("RE[W+F]", five), Some(GameResult::Win(Side::White)));
        // A five in a variation does not decide the game.
        assert_eq!(result("", &format!("(;B[hh])({five})")), None);
    }

    #[test]
    fn errors_name_the_invalid_part() {
        let error = |text| read(text).unwrap_err().to_string();
        assert!(error("").contains("no SGF game"));
        assert!(error("()").contains("empty"));
        assert!(error("(;GM[1])").contains("unsupported SGF game"));
        assert!(error("(;GM[4];B[aa];B[bb])").contains("wrong colour of move 2: expected W"));
        assert!(
            error("(;GM[4];B[aa](;W[cc])(;B[bb]))").contains("wrong colour of move 2: expected W")
        );
        assert!(error("(;GM[4];B[a])").contains("invalid point 'a'"));
        assert!(error("(;GM[4]AB[aa][bb];B[cc])").contains("set-up stones"));
        assert!(error("(;GM[4];B[aa]").contains("unterminated SGF game"));
        assert!(error("(;GM[4];B[aa").contains("unterminated SGF value"));
        assert!(error("(;GM[4];B[aa\\]").contains("unterminated SGF value"));
        assert!(error("(;GM[4];B)").contains("no value"));
        assert!(error("(;GM[4]RU[chess])").contains("unknown rule"));
        assert!(error("(;GM[4]SZ[999])").contains("board size"));
    }
}
