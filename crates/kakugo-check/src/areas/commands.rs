//! Checks of the commands.

use std::time::Duration;

use crate::check::{Area, Check};
use crate::context::CheckContext;
use crate::session::{Coord, Output, Session};
use crate::verdict::{CheckResult, NotPassed};
use kakugo_protocol::StrictReply;

/// Timeout of replies that need no search.
const REPLY_TIMEOUT: Duration = Duration::from_secs(3);

pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "commands.begin",
        area: Area::Commands,
        requirement: "replies to BEGIN with the first stone, and to each TURN with a stone on an empty point",
        source: "protocol: BEGIN, TURN; a move off the board or on a stone loses with every manager",
        managers: &[],
        advice: "Print x,y: columns from the left and rows from the top, from 0. Store the stones of both sides.",
        exclusive: false,
        run: begin,
    },
    Check {
        id: "commands.board",
        area: Area::Commands,
        requirement: "BOARD … DONE replaces the position, and the reply is a move",
        source: "protocol: BOARD; GomocupJudge starts every game with it, c-gomoku-cli games with an opening",
        managers: &[],
        advice: "Clear the board at BOARD and start thinking at DONE; field 1 is your stone, 2 the opponent's, whatever the colour.",
        exclusive: false,
        run: board,
    },
    Check {
        id: "commands.board-empty",
        area: Area::Commands,
        requirement: "replies to an empty BOARD … DONE with the first stone",
        source: "GomocupJudge new_protocol.py requests the first move of a game by it and never sends BEGIN",
        managers: &["strict", "judge", "yixin-board"],
        advice: "Treat an empty BOARD like BEGIN.",
        exclusive: false,
        run: board_empty,
    },
    Check {
        id: "commands.board-order",
        area: Area::Commands,
        requirement: "accepts a BOARD that lists all stones of one side first",
        source: "protocol: BOARD; edited positions have no move order",
        managers: &["strict", "piskvork", "qpiskvork"],
        advice: "Take the side of each stone from its field, not from its place in the list: field 1 is your stone, 2 the opponent's, whatever the colour.",
        exclusive: false,
        run: board_order,
    },
    Check {
        id: "commands.restart",
        area: Area::Commands,
        requirement: "replies to RESTART with OK and starts a game on an empty board, or rejects it",
        source: "Piskvork protocol.cpp: without OK it ends the process and starts another",
        managers: &["strict", "piskvork"],
        advice: "Remove all stones and reply OK, or reply UNKNOWN.",
        exclusive: false,
        run: restart,
    },
    Check {
        id: "commands.start-again",
        area: Area::Commands,
        requirement: "START in a running process starts another game",
        source: "c-gomoku-cli engine.cpp sends START for each game and never RESTART",
        managers: &["strict", "c-gomoku-cli", "yixin-board"],
        advice: "At every START remove all stones and reply OK.",
        exclusive: false,
        run: start_again,
    },
    Check {
        id: "commands.takeback",
        area: Area::Commands,
        requirement: "replies to TAKEBACK of the latest stones, one by one, with OK and frees their points, or rejects it",
        source: "Piskvork protocol.cpp:689-700 takes back to the opponent's last stone and sends it again; without OK it starts a new game",
        managers: &["strict", "piskvork", "qpiskvork"],
        advice: "Remove the stone at x,y, whichever side it belongs to, and reply OK.",
        exclusive: false,
        run: takeback,
    },
    Check {
        id: "commands.about",
        area: Area::Commands,
        requirement: "replies to ABOUT with one line that starts with name=\"…\"",
        source: "protocol: ABOUT; c-gomoku-cli waits for it forever, qpiskvork expects name= at the start",
        managers: &["strict", "piskvork", "c-gomoku-cli", "qpiskvork"],
        advice: "Reply name=\"…\", version=\"…\", author=\"…\" in one line without MESSAGE.",
        exclusive: false,
        run: about,
    },
    Check {
        id: "commands.unknown",
        area: Area::Commands,
        requirement: "replies to an unknown command with UNKNOWN, and the game continues",
        source: "protocol: UNKNOWN",
        managers: &[],
        advice: "Reply UNKNOWN to every line that is not a command; never exit or print a move.",
        exclusive: false,
        run: unknown,
    },
    Check {
        id: "commands.play",
        area: Area::Commands,
        requirement: "replies to PLAY x,y with the same point",
        source: "protocol: PLAY, the confirmation of a SUGGEST by the engine",
        managers: &["strict", "piskvork"],
        advice: "Play the point and print it, or reply UNKNOWN if you never send SUGGEST.",
        exclusive: false,
        run: play,
    },
    Check {
        id: "commands.swap2",
        area: Area::Commands,
        requirement: "SWAP2BOARD: places three stones on an empty board, and chooses after three and after five stones",
        source: "GomocupJudge new_protocol.py, Gomocup's unlimited tournament",
        managers: &["strict", "judge"],
        advice: "Reply with 3 points; then with SWAP, one or two points; then with SWAP or one point. Or reply UNKNOWN.",
        exclusive: false,
        run: swap2,
    },
    Check {
        id: "commands.at-once",
        area: Area::Commands,
        requirement: "handles a command that arrives right after its move",
        source: "every manager sends the opponent's move as soon as it has it",
        managers: &[],
        advice: "Be ready for the next command before you print the move; queue commands instead of dropping them.",
        exclusive: false,
        run: move_immediately,
    },
    Check {
        id: "commands.unasked",
        area: Area::Commands,
        requirement: "sends nothing but messages between two moves",
        source: "Piskvork takes the next line as the reply to its next command, c-gomoku-cli the next line that parses as a move",
        managers: &[],
        advice: "Print exactly one reply per command: no second move, no SUGGEST, no prompt.",
        exclusive: false,
        run: unasked,
    },
];

fn move_immediately(context: &CheckContext<'_>) -> CheckResult {
    const MOVES: u32 = 12;
    let mut session = context.game_with("INFO timeout_turn 60")?;
    session.disable_pause();
    for number in 0..MOVES {
        let (dx, dy) = (number % 4, number / 4);
        let stones = [((6 + dx, 6 + dy), 2), ((7 + dx, 8 + dy), 1), ((4 + dx, 5 + dy), 2)];
        session.play_board(&stones, context.turn)?;
    }
    Ok(format!("{MOVES} moves"))
}

fn begin(context: &CheckContext<'_>) -> CheckResult {
    let mut session = quick(context)?;
    session.play("BEGIN", context.turn)?;
    // No more moves: with five stones an engine may have won.
    for at in [(0, 0), (14, 14), (0, 14), (14, 0)] {
        let free = next_free(&session, at);
        session.turn(free, context.turn)?;
    }
    Ok("5 moves".into())
}

/// Starts a game with the default time limit per move.
fn quick<'a>(context: &'a CheckContext<'_>) -> Result<Session<'a>, NotPassed> {
    context.plain_game()
}

/// Returns this point or the next empty one in its row.
fn next_free(session: &Session<'_>, at: Coord) -> Coord {
    let row = (0..15).map(|step| ((at.0 + step) % 15, at.1));
    row.into_iter().find(|&p| session.is_free(p)).unwrap_or(at)
}

fn board(context: &CheckContext<'_>) -> CheckResult {
    let mut session = quick(context)?;
    let first = [((7, 7), 2), ((8, 8), 1), ((6, 7), 2)];
    let at = session.play_board(&first, context.turn)?.at;
    // In the second position the engine's move is on another stone, and its old stones are gone.
    let second = [((0, 14), 1), (at, 2), ((14, 0), 1), ((0, 0), 2)];
    session.replace_board(&second, context.turn)?;
    let free = next_free(&session, (14, 14));
    session.turn(free, context.turn)?;
    for fours in [Fours::EVEN, Fours::odd()] {
        fours.play(&mut session, context, fours.in_turns())?;
    }
    Ok("4 positions".into())
}

fn board_empty(context: &CheckContext<'_>) -> CheckResult {
    let mut session = quick(context)?;
    session.play_board(&[], context.turn)?;
    let free = next_free(&session, (3, 3));
    session.turn(free, context.turn)?;
    Ok("moves".into())
}

fn board_order(context: &CheckContext<'_>) -> CheckResult {
    let mut session = quick(context)?;
    // All stones of one side precede those of the other.
    for fours in [Fours::EVEN, Fours::odd()] {
        fours.play(&mut session, context, fours.own_first())?;
    }
    Ok("2 positions".into())
}

/// A position in which both sides have a four: an engine that confuses the sides completes the
/// opponent's. With an even number of stones the engine has Black, otherwise White.
struct Fours {
    own: [Coord; 5],
    other: [Coord; 5],
    /// Another stone of the opponent.
    more: Option<Coord>,
    /// The point that completes the engine's four.
    wins: Coord,
    /// The point that completes the opponent's four.
    blocks: Coord,
}

impl Fours {
    const EVEN: Fours = Fours {
        own: [(3, 7), (4, 7), (5, 7), (6, 7), (8, 9)],
        other: [(7, 7), (8, 10), (8, 11), (8, 12), (8, 13)],
        more: None,
        wins: (2, 7),
        blocks: (8, 14),
    };

    /// Returns the position turned by 180 degrees, with an odd number of stones.
    fn odd() -> Fours {
        let turned = |(x, y): Coord| (14 - x, 14 - y);
        let Fours { own, other, wins, blocks, .. } = Fours::EVEN;
        let (own, other) = (own.map(turned), other.map(turned));
        Fours { own, other, more: Some((2, 12)), wins: turned(wins), blocks: turned(blocks) }
    }

    /// Returns the stones as played in turns, the first side first.
    fn in_turns(&self) -> Vec<(Coord, u8)> {
        let pairs = self.own.into_iter().zip(self.other);
        let pairs = pairs.flat_map(|(own, other)| [(own, 1), (other, 2)]);
        self.more.map(|at| (at, 2)).into_iter().chain(pairs).collect()
    }

    /// Returns the engine's stones, then those of the opponent.
    fn own_first(&self) -> Vec<(Coord, u8)> {
        let mut stones = self.in_turns();
        stones.sort_by_key(|&(_, field)| field);
        stones
    }

    /// Sends the stones and expects the move that completes the engine's own four.
    fn play(
        &self,
        session: &mut Session<'_>,
        context: &CheckContext<'_>,
        stones: Vec<(Coord, u8)>,
    ) -> Result<(), NotPassed> {
        let at = session.play_board(&stones, context.turn)?.at;
        if at == self.wins {
            return Ok(());
        }
        let what = if at == self.blocks { ", which completes the opponent's four" } else { "" };
        let (x, y) = self.wins;
        let expected = format!("{x},{y}, which completes the engine's four");
        Err(session.fail(format!("{},{}{what}", at.0, at.1), expected))
    }
}

fn restart(context: &CheckContext<'_>) -> CheckResult {
    let mut session = quick(context)?;
    let first = session.play("BEGIN", context.turn)?.at;
    session.expect_ok_if_supported("RESTART", REPLY_TIMEOUT, "OK, or UNKNOWN or ERROR")?;
    session.new_game(15, 15);
    session.resend_infos();
    session.turn(first, context.turn)?;
    session.turn(next_free(&session, (0, 0)), context.turn)?;
    Ok("a new game".into())
}

fn start_again(context: &CheckContext<'_>) -> CheckResult {
    let mut session = quick(context)?;
    let first = session.play("BEGIN", context.turn)?.at;
    session.expect_ok("START 15")?;
    session.new_game(15, 15);
    session.resend_infos();
    session.turn(first, context.turn)?;
    let far = session.start_large()? - 2;
    session.resend_infos();
    session.turn((far, far), context.turn)?;
    Ok("3 games".into())
}

fn takeback(context: &CheckContext<'_>) -> CheckResult {
    let mut session = quick(context)?;
    let own = session.turn((7, 7), context.turn)?.at;
    for at in [own, (7, 7)] {
        let command = format!("TAKEBACK {},{}", at.0, at.1);
        session.expect_ok_if_supported(&command, REPLY_TIMEOUT, "OK")?;
        session.set_occupied(at, false);
    }
    session.turn(own, context.turn)?;
    session.turn(next_free(&session, (7, 7)), context.turn)?;
    Ok("2 stones".into())
}

fn about(context: &CheckContext<'_>) -> CheckResult {
    let mut session = context.start()?;
    let fits = |text: &str| text.to_ascii_lowercase().starts_with("name=");
    let (text, _) =
        session.request("ABOUT", REPLY_TIMEOUT, "name=\"…\", version=\"…\", …", fits)?;
    session.expect_ok("START 15")?;
    Ok(text)
}

fn unknown(context: &CheckContext<'_>) -> CheckResult {
    let mut session = quick(context)?;
    session.play("BEGIN", context.turn)?;
    session.send("CHECKERS 1,2");
    let output = session.next_reply(Duration::from_millis(1000));
    let said = match output {
        Output::Line(text, _) => match StrictReply::parse(&text) {
            StrictReply::Unknown | StrictReply::Error => text,
            _ => return Err(session.fail(format!("\"{text}\""), "UNKNOWN")),
        },
        Output::Timeout => String::new(),
        Output::Closed => return Err(session.fail_closed("UNKNOWN")),
    };
    session.turn(next_free(&session, (0, 0)), context.turn)?;
    if said.is_empty() {
        return Err(NotPassed::Unsupported("unknown commands are ignored without a reply".into()));
    }
    Ok(said)
}

fn play(context: &CheckContext<'_>) -> CheckResult {
    let mut session = quick(context)?;
    let (text, _) = session.request("PLAY 3,4", REPLY_TIMEOUT, "3,4, or UNKNOWN", |text| {
        text == "3,4"
            || matches!(StrictReply::parse(text), StrictReply::Unknown | StrictReply::Error)
    })?;
    if text != "3,4" {
        return Err(NotPassed::Unsupported(text));
    }
    session.set_occupied((3, 4), true);
    session.turn((4, 4), context.turn)?;
    Ok("played".into())
}

fn swap2(context: &CheckContext<'_>) -> CheckResult {
    let turn = context.turn.as_millis() * 2;
    let mut session = context.game_with(&format!("INFO timeout_turn {turn}\nINFO rule 1"))?;
    let timeout = context.turn * 2 + REPLY_TIMEOUT;
    let three: [Coord; 3] = [(7, 7), (8, 8), (9, 7)];
    let five: [Coord; 5] = [(7, 7), (8, 8), (9, 7), (3, 3), (11, 4)];
    for (stones, expected, counts, may_swap) in [
        (&[][..], "three points", 3..=3, false),
        (&three[..], "SWAP, one point or two points", 1..=2, true),
        (&five[..], "SWAP or one point", 1..=1, true),
    ] {
        // Black, White, Black and so on; some engines need the side (`swap2_sides=true`).
        let sides = context.target.config.swap2_sides;
        let line = |(k, (x, y)): (usize, &Coord)| match sides {
            true => format!("{x},{y},{}\n", 2 - k % 2),
            false => format!("{x},{y}\n"),
        };
        let lines: String = stones.iter().enumerate().map(line).collect();
        let free = |moves: &[Coord]| {
            let on_board = |p: &Coord| p.0 < 15 && p.1 < 15 && !stones.contains(p);
            let differ = (1..moves.len()).all(|i| !moves[..i].contains(&moves[i]));
            moves.iter().all(on_board) && differ
        };
        let fits = |text: &str| match StrictReply::parse(text) {
            StrictReply::Moves(moves) => counts.contains(&moves.len()) && free(&moves),
            StrictReply::Swap => may_swap,
            StrictReply::Unknown | StrictReply::Error => stones.is_empty(),
            _ => false,
        };
        let (text, _) =
            session.request(&format!("SWAP2BOARD\n{lines}DONE"), timeout, expected, fits)?;
        if matches!(StrictReply::parse(&text), StrictReply::Unknown | StrictReply::Error) {
            return Err(NotPassed::Unsupported(text));
        }
    }
    Ok("all three steps".into())
}

fn unasked(context: &CheckContext<'_>) -> CheckResult {
    let mut session = quick(context)?;
    session.play("BEGIN", context.turn)?;
    session.expect_silence(Duration::from_millis(300), "after a move")?;
    session.turn(next_free(&session, (0, 0)), context.turn)?;
    session.expect_silence(Duration::from_millis(300), "after a move")?;
    Ok("no unexpected output".into())
}
