//! What each command does.

use std::time::Duration;

use super::super::bench::Bench;
use super::super::item::{Area, Check};
use super::super::trial::{Heard, Trial, Xy};
use super::super::verdict::{Judged, Stop};
use kakugo_protocol::StrictReply;

/// Longest wait for an answer that needs no thinking.
const PATIENCE: Duration = Duration::from_secs(3);

pub(in super::super) const CHECKS: &[Check] = &[
    Check {
        id: "commands.begin",
        area: Area::Commands,
        asks: "BEGIN is answered by the first stone, a TURN by a stone on a free point, time and again",
        source: "protocol: BEGIN, TURN; a move off the board or on a stone loses in every manager",
        managers: &[],
        advice: "Print x,y with columns from the left and rows from the top, from 0, and remember both sides' stones.",
        alone: false,
        run: begin,
    },
    Check {
        id: "commands.board",
        area: Area::Commands,
        asks: "BOARD … DONE lays out a whole position, in place of the one before, and is answered by a move",
        source: "protocol: BOARD; GomocupJudge begins every game by it, c-gomoku-cli where there is an opening",
        managers: &[],
        advice: "Clear the board at BOARD; field 1 is your stone, 2 the opponent's; think at DONE.",
        alone: false,
        run: board,
    },
    Check {
        id: "commands.board-empty",
        area: Area::Commands,
        asks: "BOARD and DONE with nothing between is answered by the first stone",
        source: "GomocupJudge new_protocol.py asks so for the first move of a game; it never sends BEGIN",
        managers: &["strict", "judge", "yixin-board"],
        advice: "Treat an empty BOARD like BEGIN.",
        alone: false,
        run: board_empty,
    },
    Check {
        id: "commands.board-order",
        area: Area::Commands,
        asks: "the lines of BOARD may name all stones of one side first",
        source: "protocol: BOARD; boards that were edited have no order of moves",
        managers: &["strict", "piskvork", "qpiskvork"],
        advice: "Take the side of each stone from its field, not from its place in the list.",
        alone: false,
        run: board_order,
    },
    Check {
        id: "commands.restart",
        area: Area::Commands,
        asks: "RESTART is answered by OK and begins a game on an empty board; or it is refused",
        source: "Piskvork protocol.cpp: without OK it ends the process and starts another",
        managers: &["strict", "piskvork"],
        advice: "Answer OK and forget all stones, or UNKNOWN.",
        alone: false,
        run: restart,
    },
    Check {
        id: "commands.start-again",
        area: Area::Commands,
        asks: "START in a running process begins another game",
        source: "c-gomoku-cli engine.cpp sends START again for each game and never RESTART",
        managers: &["strict", "c-gomoku-cli", "yixin-board"],
        advice: "At every START forget all stones and answer OK.",
        alone: false,
        run: start_again,
    },
    Check {
        id: "commands.takeback",
        area: Area::Commands,
        asks: "TAKEBACK of the newest stones is answered by OK, one after the other, and frees their points; or it is refused",
        source: "Piskvork protocol.cpp:689-700 takes back down to the opponent's last stone and sends it again; without OK it begins anew",
        managers: &["strict", "piskvork", "qpiskvork"],
        advice: "Remove the stone at x,y, whosever it is, and answer OK.",
        alone: false,
        run: takeback,
    },
    Check {
        id: "commands.about",
        area: Area::Commands,
        asks: "ABOUT is answered by one line that begins with name=\"…\"",
        source: "protocol: ABOUT; c-gomoku-cli waits for it for ever, qpiskvork wants name= at the beginning",
        managers: &["strict", "piskvork", "c-gomoku-cli", "qpiskvork"],
        advice: "Answer name=\"…\", version=\"…\", author=\"…\" in one line without MESSAGE.",
        alone: false,
        run: about,
    },
    Check {
        id: "commands.unknown",
        area: Area::Commands,
        asks: "an unknown command is answered by UNKNOWN, and the game goes on",
        source: "protocol: UNKNOWN",
        managers: &[],
        advice: "Answer UNKNOWN to any line that is no command; never exit, never print a move for it.",
        alone: false,
        run: unknown,
    },
    Check {
        id: "commands.play",
        area: Area::Commands,
        asks: "PLAY x,y is answered by that very point",
        source: "protocol: PLAY, the answer to a SUGGEST of the engine's own",
        managers: &["strict", "piskvork"],
        advice: "Play the point and print it, or answer UNKNOWN if you never SUGGEST.",
        alone: false,
        run: play,
    },
    Check {
        id: "commands.swap2",
        area: Area::Commands,
        asks: "SWAP2BOARD: three stones on an empty board, a choice after three, a choice after five",
        source: "GomocupJudge new_protocol.py, Gomocup's unlimited tournament",
        managers: &["strict", "judge"],
        advice: "Answer by 3 points; by SWAP, one or two points; by SWAP or one point. Or by UNKNOWN.",
        alone: false,
        run: swap2,
    },
    Check {
        id: "commands.at-once",
        area: Area::Commands,
        asks: "a command that comes as soon as a move is out is met like any other",
        source: "every manager sends the opponent's answer as soon as it has it",
        managers: &[],
        advice: "Be ready for the next command before you print the move; until then let it wait, not vanish.",
        alone: false,
        run: at_once,
    },
    Check {
        id: "commands.unasked",
        area: Area::Commands,
        asks: "nothing but messages comes unasked between two moves",
        source: "Piskvork takes the next line for the answer to its next command, c-gomoku-cli the next that reads as a move",
        managers: &[],
        advice: "Print exactly one answer for each command; no second move, no SUGGEST, no prompt.",
        alone: false,
        run: unasked,
    },
];

fn at_once(bench: &Bench<'_>) -> Judged {
    const MOVES: u32 = 12;
    let mut trial = bench.game_with("INFO timeout_turn 60")?;
    trial.hurry();
    for number in 0..MOVES {
        let (dx, dy) = (number % 4, number / 4);
        let stones = [((6 + dx, 6 + dy), 2), ((7 + dx, 8 + dy), 1), ((4 + dx, 5 + dy), 2)];
        trial.board(&stones, bench.turn)?;
    }
    Ok(format!("{MOVES} moves"))
}

fn begin(bench: &Bench<'_>) -> Judged {
    let mut trial = quick(bench)?;
    trial.play("BEGIN", bench.turn)?;
    // No more: with five stones an engine may have won.
    for at in [(0, 0), (14, 14), (0, 14), (14, 0)] {
        let free = next_free(&trial, at);
        trial.turn(free, bench.turn)?;
    }
    Ok("5 moves".into())
}

/// A game with the usual time for a move.
fn quick<'a>(bench: &'a Bench<'_>) -> Result<Trial<'a>, Stop> {
    bench.game_with(&format!("INFO timeout_turn {}", bench.turn.as_millis()))
}

/// This point, or the next free one of its row.
fn next_free(trial: &Trial<'_>, at: Xy) -> Xy {
    let row = (0..15).map(|step| ((at.0 + step) % 15, at.1));
    row.into_iter().find(|&p| trial.is_free(p)).unwrap_or(at)
}

fn board(bench: &Bench<'_>) -> Judged {
    let mut trial = quick(bench)?;
    let first = [((7, 7), 2), ((8, 8), 1), ((6, 7), 2)];
    let at = trial.board(&first, bench.turn)?.at;
    // Where it moved is free again in another position, and its old stones are gone.
    let second = [((0, 14), 1), (at, 2), ((14, 0), 1), ((0, 0), 2)];
    trial.board_again(&second, bench.turn)?;
    let free = next_free(&trial, (14, 14));
    trial.turn(free, bench.turn)?;
    Ok("2 positions".into())
}

fn board_empty(bench: &Bench<'_>) -> Judged {
    let mut trial = quick(bench)?;
    trial.board(&[], bench.turn)?;
    let free = next_free(&trial, (3, 3));
    trial.turn(free, bench.turn)?;
    Ok("moves".into())
}

fn board_order(bench: &Bench<'_>) -> Judged {
    let mut trial = quick(bench)?;
    // A four of its own among stones that are told side by side.
    let own = [(3, 7), (4, 7), (5, 7), (6, 7)].map(|at| (at, 1));
    let other = [(7, 7), (3, 9), (5, 11), (10, 3)].map(|at| (at, 2));
    let at = trial.board(&[own, other].concat(), bench.turn)?.at;
    if at == (2, 7) {
        return Ok("understood".into());
    }
    Err(trial.fail(format!("{},{}", at.0, at.1), "2,7, which makes its four a five"))
}

fn restart(bench: &Bench<'_>) -> Judged {
    let mut trial = quick(bench)?;
    let first = trial.play("BEGIN", bench.turn)?.at;
    let (text, _) = trial.ask("RESTART", PATIENCE, "OK, or UNKNOWN or ERROR", |text| {
        let reply = StrictReply::parse(text);
        matches!(reply, StrictReply::Ok | StrictReply::Error | StrictReply::Unknown)
    })?;
    if StrictReply::parse(&text) != StrictReply::Ok {
        return Err(Stop::Unsupported(text));
    }
    trial.new_game(15, 15);
    trial.inform_again();
    trial.turn(first, bench.turn)?;
    trial.turn(next_free(&trial, (0, 0)), bench.turn)?;
    Ok("a new game".into())
}

fn start_again(bench: &Bench<'_>) -> Judged {
    let mut trial = quick(bench)?;
    let first = trial.play("BEGIN", bench.turn)?.at;
    trial.ok("START 15")?;
    trial.new_game(15, 15);
    trial.inform_again();
    trial.turn(first, bench.turn)?;
    let far = trial.start_large()? - 2;
    trial.inform_again();
    trial.turn((far, far), bench.turn)?;
    Ok("3 games".into())
}

fn takeback(bench: &Bench<'_>) -> Judged {
    let mut trial = quick(bench)?;
    let own = trial.turn((7, 7), bench.turn)?.at;
    for at in [own, (7, 7)] {
        let command = format!("TAKEBACK {},{}", at.0, at.1);
        let (text, _) = trial.ask(&command, PATIENCE, "OK", |text| {
            let reply = StrictReply::parse(text);
            matches!(reply, StrictReply::Ok | StrictReply::Error | StrictReply::Unknown)
        })?;
        if StrictReply::parse(&text) != StrictReply::Ok {
            return Err(Stop::Unsupported(text));
        }
        trial.mark(at, false);
    }
    trial.turn(own, bench.turn)?;
    trial.turn(next_free(&trial, (7, 7)), bench.turn)?;
    Ok("2 stones".into())
}

fn about(bench: &Bench<'_>) -> Judged {
    let mut trial = bench.start()?;
    let fits = |text: &str| text.to_ascii_lowercase().starts_with("name=");
    let (text, _) = trial.ask("ABOUT", PATIENCE, "name=\"…\", version=\"…\", …", fits)?;
    trial.ok("START 15")?;
    Ok(text)
}

fn unknown(bench: &Bench<'_>) -> Judged {
    let mut trial = quick(bench)?;
    trial.play("BEGIN", bench.turn)?;
    trial.say("CHECKERS 1,2");
    let heard = trial.answer(Duration::from_millis(1000));
    let said = match heard {
        Heard::Line(text, _) => match StrictReply::parse(&text) {
            StrictReply::Unknown | StrictReply::Error => text,
            _ => return Err(trial.fail(format!("\"{text}\""), "UNKNOWN")),
        },
        Heard::Silence => String::new(),
        Heard::Closed => return Err(trial.gone("UNKNOWN")),
    };
    trial.turn(next_free(&trial, (0, 0)), bench.turn)?;
    if said.is_empty() {
        return Err(Stop::Unsupported("unknown commands are passed over in silence".into()));
    }
    Ok(said)
}

fn play(bench: &Bench<'_>) -> Judged {
    let mut trial = quick(bench)?;
    let (text, _) = trial.ask("PLAY 3,4", PATIENCE, "3,4, or UNKNOWN", |text| {
        text == "3,4"
            || matches!(StrictReply::parse(text), StrictReply::Unknown | StrictReply::Error)
    })?;
    if text != "3,4" {
        return Err(Stop::Unsupported(text));
    }
    trial.mark((3, 4), true);
    trial.turn((4, 4), bench.turn)?;
    Ok("played".into())
}

fn swap2(bench: &Bench<'_>) -> Judged {
    let turn = bench.turn.as_millis() * 2;
    let mut trial = bench.game_with(&format!("INFO timeout_turn {turn}\nINFO rule 1"))?;
    let patience = bench.turn * 2 + PATIENCE;
    let three: [Xy; 3] = [(7, 7), (8, 8), (9, 7)];
    let five: [Xy; 5] = [(7, 7), (8, 8), (9, 7), (3, 3), (11, 4)];
    for (stones, wanted, counts, may_swap) in [
        (&[][..], "three points", 3..=3, false),
        (&three[..], "SWAP, one point or two points", 1..=2, true),
        (&five[..], "SWAP or one point", 1..=1, true),
    ] {
        // Black, White, Black, and so on; some engines want the side told (`swap2_sides=true`).
        let sides = bench.subject.config.swap2_sides;
        let line = |(k, (x, y)): (usize, &Xy)| match sides {
            true => format!("{x},{y},{}\n", 2 - k % 2),
            false => format!("{x},{y}\n"),
        };
        let lines: String = stones.iter().enumerate().map(line).collect();
        let free = |moves: &[Xy]| {
            let on_board = |p: &Xy| p.0 < 15 && p.1 < 15 && !stones.contains(p);
            let differ = (1..moves.len()).all(|i| !moves[..i].contains(&moves[i]));
            moves.iter().all(on_board) && differ
        };
        let fits = |text: &str| match StrictReply::parse(text) {
            StrictReply::Moves(moves) => counts.contains(&moves.len()) && free(&moves),
            StrictReply::Swap => may_swap,
            StrictReply::Unknown | StrictReply::Error => stones.is_empty(),
            _ => false,
        };
        let (text, _) = trial.ask(&format!("SWAP2BOARD\n{lines}DONE"), patience, wanted, fits)?;
        if matches!(StrictReply::parse(&text), StrictReply::Unknown | StrictReply::Error) {
            return Err(Stop::Unsupported(text));
        }
    }
    Ok("all three steps".into())
}

fn unasked(bench: &Bench<'_>) -> Judged {
    let mut trial = quick(bench)?;
    trial.play("BEGIN", bench.turn)?;
    trial.silence(Duration::from_millis(300), "after a move")?;
    trial.turn(next_free(&trial, (0, 0)), bench.turn)?;
    trial.silence(Duration::from_millis(300), "after a move")?;
    Ok("silent".into())
}
