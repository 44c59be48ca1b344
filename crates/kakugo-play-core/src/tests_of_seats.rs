//! Tests of games of two people on two devices, of whom one may be hostile.

use std::time::Duration;

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::commands::Command;
use crate::event::{ClientId, Event, Recipient};
use crate::game::end::{End, Forfeit};
use crate::game::live::Step;
use crate::game::setup::Setup;
use crate::messages::Message;
use crate::room::Room;
use crate::simulation::{Simulation, settings};
use kakugo::board::Side;
use kakugo_record::file::Format;

const TOKEN: &str = "00112233445566778899aabbccddeeff";
const BROWSER: &str = "ffeeddccbbaa99887766554433221100";
const OTHER_BROWSER: &str = "0123456789abcdef0123456789abcdef";
const HOST: ClientId = ClientId(1);
const GUEST: ClientId = ClientId(2);
const SPECTATOR: ClientId = ClientId(3);

/// The command for a game of two people; the guest has this seat.
fn invitation(guest: usize, rules: &Value) -> Value {
    let mut setup = json!({ "width": 15, "height": 15, "rule": "freestyle", "win": 5,
        "seats": [{ "player": "human" }, { "player": "human" }], "opening": "free" });
    setup.as_object_mut().unwrap().extend(rules.as_object().unwrap().clone());
    json!({ "do": "new", "setup": setup, "guest": { "seat": guest, "token": TOKEN } })
}

/// Sends a command of a client, and returns the reason of its refusal.
fn say(room: &mut Simulation, client: ClientId, command: &Value) -> Option<String> {
    room.messages.clear();
    room.act_as(client);
    room.command(serde_json::from_value::<Command>(command.clone()).unwrap());
    room.messages.iter().find_map(|(to, message)| match message {
        Message::Refused { why } => {
            assert_eq!(*to, Recipient::One(client), "only the sender hears of it");
            Some(why.to_string())
        }
        _ => None,
    })
}

fn done(room: &mut Simulation, client: ClientId, command: Value) {
    assert_eq!(say(room, client, &command), None, "{command}");
}

fn refused(room: &mut Simulation, client: ClientId, command: Value) {
    assert!(say(room, client, &command).is_some(), "{command}");
}

fn play(x: u8, y: u8) -> Value {
    json!({ "do": "play", "x": x, "y": y })
}

fn sit() -> Value {
    sit_with(TOKEN, BROWSER)
}

fn sit_with(token: &str, browser: &str) -> Value {
    json!({ "do": "sit", "token": token, "browser": browser })
}

/// Returns what the latest command has told a client about its seat.
fn told(room: &Simulation, client: ClientId) -> Option<bool> {
    room.messages.iter().rev().find_map(|(to, message)| match message {
        Message::Hello(hello) if *to == Recipient::One(client) => Some(hello.guest),
        _ => None,
    })
}

/// Accepts or declines the offer that waits.
fn answer(room: &mut Simulation, client: ClientId, accept: bool) {
    let number = room.room.seats().offer().expect("an offer").number;
    done(room, client, json!({ "do": "answer", "offer": number, "accept": accept }));
}

/// A room with a host, a guest with White, and a spectator, who are here in this order.
fn two_people(rules: &Value) -> Simulation {
    let mut room = Simulation::new(settings());
    done(&mut room, HOST, invitation(1, rules));
    assert_eq!([room.join(false), room.join(false)], [GUEST, SPECTATOR]);
    done(&mut room, GUEST, sit());
    room
}

#[test]
fn each_acts_for_the_own_seat_alone() {
    let mut room = two_people(&json!({}));
    for client in [GUEST, SPECTATOR] {
        refused(&mut room, client, play(7, 7));
    }
    done(&mut room, HOST, play(7, 7));
    refused(&mut room, HOST, play(8, 8));
    refused(&mut room, SPECTATOR, json!({ "do": "resign" }));
    done(&mut room, GUEST, play(8, 8));
    // The one who waits resigns, too, and for the own seat.
    done(&mut room, GUEST, json!({ "do": "resign" }));
    let end = room.room.game().end();
    assert_eq!(end, Some(End::Forfeit(Side::White, Forfeit::Resigned)));
}

#[test]
fn the_host_opens_files_only_between_games() {
    let mut room = two_people(&json!({}));
    done(&mut room, HOST, play(7, 7));
    assert!(room.room.upload_context().refusal.is_some());
    // A file that was read meanwhile is refused, too, and only the host hears of it.
    room.messages.clear();
    room.play_line("@edit");
    let [(to, Message::Refused { .. })] = &room.messages[..] else { panic!() };
    assert_eq!(*to, Recipient::One(HOST));
    done(&mut room, HOST, json!({ "do": "resign" }));
    assert!(room.room.upload_context().refusal.is_none());
}

#[test]
fn a_seat_is_taken_only_with_its_token_and_lost_with_the_invitation() {
    let mut room = Simulation::new(settings());
    refused(&mut room, HOST, sit());
    done(&mut room, HOST, invitation(0, &json!({})));
    let message = room.messages.iter().find_map(|(to, message)| match message {
        Message::Invitation { token } => Some((*to, token.clone())),
        _ => None,
    });
    assert_eq!(message, Some((Recipient::One(HOST), Some(TOKEN.to_owned()))));
    refused(&mut room, HOST, play(7, 7));
    let guest = room.join(false);
    refused(&mut room, guest, play(7, 7));
    let wrong = TOKEN.replace('0', "f");
    refused(&mut room, guest, sit_with(&wrong, BROWSER));
    refused(&mut room, guest, sit_with(TOKEN, "me"));
    done(&mut room, guest, sit());
    done(&mut room, guest, play(7, 7));
    assert_eq!(room.state()["pair"]["here"], json!([true, true]));
    // The clock of the guest runs on while the guest is away.
    room.leave(guest);
    assert_eq!(room.state()["pair"]["here"], json!([false, true]));
    let back = room.join(false);
    refused(&mut room, back, json!({ "do": "resign" }));
    done(&mut room, back, sit());
    done(&mut room, HOST, play(8, 8));
    refused(&mut room, back, json!({ "do": "uninvite" }));
    done(&mut room, HOST, json!({ "do": "uninvite" }));
    refused(&mut room, back, play(9, 9));
    refused(&mut room, back, sit());
    done(&mut room, HOST, play(9, 9));
}

#[test]
fn a_seat_belongs_to_one_browser_and_one_of_its_tabs() {
    let mut room = two_people(&json!({}));
    // The link was opened by somebody else, too.
    refused(&mut room, SPECTATOR, sit_with(TOKEN, OTHER_BROWSER));
    done(&mut room, HOST, play(7, 7));
    refused(&mut room, SPECTATOR, play(8, 8));
    // After sleep the old connection is still there: the new one takes its place.
    let again = room.join(false);
    room.messages.clear();
    room.command(serde_json::from_value(sit()).unwrap());
    assert_eq!((told(&room, again), told(&room, GUEST)), (Some(true), Some(false)));
    refused(&mut room, GUEST, play(8, 8));
    done(&mut room, again, play(8, 8));
    // If the new tab is closed, the old one plays on.
    room.messages.clear();
    room.leave(again);
    assert_eq!(told(&room, GUEST), Some(true));
    assert_eq!(room.state()["pair"]["here"], json!([true, true]));
    // Others never get the seat while the guest is away.
    room.leave(GUEST);
    assert_eq!(room.state()["pair"]["here"], json!([true, false]));
    refused(&mut room, SPECTATOR, sit_with(TOKEN, OTHER_BROWSER));
    let back = room.join(false);
    done(&mut room, back, sit());
    // Only the host frees the seat; who waits for it with the link gets it.
    for client in [back, SPECTATOR] {
        refused(&mut room, client, json!({ "do": "free_seat" }));
    }
    done(&mut room, HOST, json!({ "do": "free_seat" }));
    assert_eq!((told(&room, back), told(&room, SPECTATOR)), (Some(false), Some(true)));
    refused(&mut room, back, sit());
    done(&mut room, HOST, play(9, 9));
    done(&mut room, SPECTATOR, play(6, 6));
}

#[test]
fn a_saved_game_keeps_its_guest() {
    let mut room = two_people(&json!({ "turn_ms": 60_000 }));
    done(&mut room, HOST, play(7, 7));
    // Another game takes the place of the first one, and is over.
    done(&mut room, HOST, invitation(0, &json!({})));
    answer(&mut room, GUEST, true);
    done(&mut room, GUEST, play(3, 3));
    done(&mut room, HOST, json!({ "do": "resign" }));
    let alone = json!({ "do": "new", "setup": invitation(0, &json!({}))["setup"] });
    done(&mut room, HOST, alone.clone());
    assert_eq!((told(&room, GUEST), room.files.len()), (Some(false), 2));
    room.flush_storage();
    let is_over = |text: &String| text.contains("\"over\":true");
    let id = |room: &Simulation, over: bool| {
        let found = room.files.iter().find(|(_, text)| is_over(text) == over);
        found.expect("a saved game").0.clone()
    };
    let open = |room: &mut Simulation, id: String| {
        done(room, HOST, json!({ "do": "open", "id": id }));
        room.messages.clear();
        room.flush_storage();
    };
    let (going, over) = (id(&room, false), id(&room, true));
    open(&mut room, going.clone());
    assert_eq!((told(&room, GUEST), told(&room, SPECTATOR)), (Some(true), None));
    assert_eq!(room.state()["paused"], true, "the clock waits for both");
    done(&mut room, GUEST, json!({ "do": "pause", "on": false }));
    done(&mut room, GUEST, play(8, 8));
    done(&mut room, HOST, json!({ "do": "resign" }));
    // After a game the two may look at another one and have a rematch of it.
    open(&mut room, over.clone());
    assert_eq!(room.state()["pair"]["over"], true);
    done(&mut room, GUEST, json!({ "do": "rematch" }));
    done(&mut room, HOST, json!({ "do": "uninvite" }));
    // Without the guest, a finished game is like any other.
    room.leave(GUEST);
    open(&mut room, over);
    assert_eq!(room.state()["pair"], Value::Null);
}

#[test]
fn undo_takes_back_ones_own_move_if_the_other_agrees() {
    let mut room = two_people(&json!({ "turn_ms": 60_000 }));
    refused(&mut room, HOST, json!({ "do": "undo" }));
    done(&mut room, HOST, play(7, 7));
    done(&mut room, GUEST, play(8, 8));
    done(&mut room, HOST, json!({ "do": "undo" }));
    assert_eq!(room.room.game().ply(), 2);
    refused(&mut room, SPECTATOR, json!({ "do": "answer", "offer": 1, "accept": true }));
    refused(&mut room, HOST, json!({ "do": "answer", "offer": 1, "accept": true }));
    answer(&mut room, GUEST, false);
    assert_eq!(room.state()["note"][0], "{0} declines.");
    refused(&mut room, HOST, json!({ "do": "undo" }));
    // The guest takes back the guest's move.
    done(&mut room, GUEST, json!({ "do": "offer", "what": "undo" }));
    answer(&mut room, HOST, true);
    let state = room.state();
    assert_eq!((&state["moves"], &state["clock_runs"]), (&json!([[7, 7]]), &json!(true)));
    done(&mut room, GUEST, play(9, 9));
    // A move withdraws the offer.
    done(&mut room, GUEST, json!({ "do": "undo" }));
    done(&mut room, HOST, play(6, 6));
    assert!(room.room.seats().offer().is_none());
}

#[test]
fn a_draw_ends_the_game_and_a_rematch_exchanges_colours() {
    let mut room = two_people(&json!({}));
    done(&mut room, HOST, json!({ "do": "name", "name": "Ann" }));
    done(&mut room, GUEST, json!({ "do": "name", "name": "Bob" }));
    refused(&mut room, GUEST, json!({ "do": "name", "name": "Ann" }));
    done(&mut room, HOST, play(7, 7));
    refused(&mut room, HOST, json!({ "do": "rematch" }));
    done(&mut room, GUEST, json!({ "do": "offer", "what": "draw" }));
    answer(&mut room, HOST, true);
    assert_eq!(room.room.game().end(), Some(End::Agreed));
    assert_eq!(room.state()["status"], json!(["A draw by agreement."]));
    let sgf = String::from_utf8(room.room.record(Format::Sgf).unwrap()).unwrap();
    assert!(sgf.contains("RE[Draw]") || sgf.contains("RE[0]"), "{sgf}");
    done(&mut room, GUEST, json!({ "do": "rematch" }));
    // Both ask for it: nobody has to answer.
    done(&mut room, HOST, json!({ "do": "rematch" }));
    let state = room.state();
    assert_eq!((&state["at"], &state["pair"]["guest"]), (&json!(0), &json!(0)));
    assert_eq!(state["players"][0]["name"], "Bob");
    refused(&mut room, HOST, play(7, 7));
    done(&mut room, GUEST, play(7, 7));
}

#[test]
fn the_other_person_opens_the_rematch_whoever_took_black() {
    for choice in ["black", "white"] {
        let mut room = two_people(&json!({ "opening": "swap" }));
        for (x, y) in [(7, 7), (8, 8), (6, 6)] {
            done(&mut room, HOST, play(x, y));
        }
        done(&mut room, GUEST, json!({ "do": "choose", "choice": choice }));
        done(&mut room, HOST, json!({ "do": "resign" }));
        // The move that the host looks at makes no difference.
        done(&mut room, HOST, json!({ "do": "goto", "ply": 1 }));
        done(&mut room, GUEST, json!({ "do": "rematch" }));
        done(&mut room, HOST, json!({ "do": "rematch" }));
        assert_eq!(room.state()["pair"]["guest"], 0, "{choice}");
        refused(&mut room, HOST, play(7, 7));
        done(&mut room, GUEST, play(7, 7));
    }
}

#[test]
fn nobody_analyses_unless_both_agree_or_the_game_is_over() {
    let mut room = Simulation::new(settings());
    done(&mut room, HOST, json!({ "do": "analyse", "on": true, "lines": 3 }));
    done(&mut room, HOST, invitation(1, &json!({})));
    assert!(room.jobs.is_empty(), "analysis ends when the game begins");
    let guest = room.join(false);
    done(&mut room, guest, sit());
    let analyse = json!({ "do": "analyse", "on": true, "lines": 1 });
    for command in [&analyse, &json!({ "do": "hint" }), &json!({ "do": "explain" })] {
        for client in [HOST, guest] {
            refused(&mut room, client, command.clone());
        }
    }
    // The coach is silent, too.
    done(&mut room, HOST, json!({ "do": "coach", "setting": "small", "explains": true }));
    assert_eq!(room.state()["coach"]["watches"], false);
    for command in [json!({ "do": "goto", "ply": 0 }), json!({ "do": "practice", "anew": true })] {
        refused(&mut room, HOST, command);
    }
    done(&mut room, guest, json!({ "do": "offer", "what": "analysis" }));
    answer(&mut room, HOST, true);
    done(&mut room, guest, analyse.clone());
    assert_eq!(room.jobs.len(), 1);
    done(&mut room, HOST, json!({ "do": "resign" }));
    done(&mut room, guest, json!({ "do": "rematch" }));
    answer(&mut room, HOST, true);
    refused(&mut room, HOST, analyse.clone());
    assert!(room.jobs.is_empty());
    done(&mut room, guest, json!({ "do": "resign" }));
    done(&mut room, guest, analyse);
}

#[test]
fn another_game_takes_an_agreement_once_the_game_has_begun() {
    let mut room = two_people(&json!({}));
    let large = json!({ "width": 19, "height": 19 });
    refused(&mut room, GUEST, invitation(1, &large));
    done(&mut room, HOST, invitation(1, &large));
    assert_eq!(room.room.game().setup().width, 19, "nobody has moved");
    done(&mut room, HOST, play(7, 7));
    done(&mut room, HOST, invitation(0, &json!({})));
    assert_eq!(room.room.game().setup().width, 19);
    assert_eq!(room.state()["pair"]["offer"]["what"], "new");
    answer(&mut room, GUEST, true);
    assert_eq!(room.room.game().setup().width, 15);
    done(&mut room, GUEST, play(7, 7));
    let alone = json!({ "do": "new", "setup": invitation(0, &json!({}))["setup"] });
    refused(&mut room, HOST, alone.clone());
    room.upload();
    assert_eq!(room.room.game().ply(), 1, "a file does not replace the game");
    // Once it is over, the host may play something else: the guest watches then.
    done(&mut room, HOST, json!({ "do": "resign" }));
    done(&mut room, HOST, alone);
    assert_eq!(room.state()["pair"], Value::Null);
    refused(&mut room, GUEST, play(7, 7));
}

#[test]
fn a_pause_stops_the_clocks_if_both_agree_and_either_ends_it() {
    let mut room = two_people(&json!({ "turn_ms": 60_000 }));
    done(&mut room, HOST, play(7, 7));
    done(&mut room, GUEST, json!({ "do": "pause", "on": true }));
    assert_eq!(room.state()["clock_runs"], true);
    answer(&mut room, HOST, true);
    assert_eq!(room.state()["clock_runs"], false);
    refused(&mut room, GUEST, play(8, 8));
    done(&mut room, HOST, json!({ "do": "pause", "on": false }));
    assert_eq!(room.state()["clock_runs"], true);
    // Who is away has no more time than who is here.
    room.leave(GUEST);
    room.wait(Duration::from_secs(60));
    assert_eq!(room.state()["end"], "time");
}

#[test]
fn a_move_after_the_flag_has_fallen_is_too_late() {
    let mut room = two_people(&json!({ "turn_ms": 5_000 }));
    done(&mut room, HOST, play(7, 7));
    // The driver has not sent the tick yet.
    room.pass(Duration::from_millis(5_050));
    say(&mut room, GUEST, &play(8, 8));
    let state = room.state();
    assert_eq!((&state["end"], &state["at"]), (&json!("time"), &json!(1)));
}

#[test]
fn the_choices_of_a_swap_opening_belong_to_their_seats() {
    let mut room = two_people(&json!({ "opening": "swap2" }));
    for (x, y) in [(7, 7), (8, 8), (9, 9)] {
        refused(&mut room, GUEST, play(x, y));
        done(&mut room, HOST, play(x, y));
    }
    let choose = |choice: &str| json!({ "do": "choose", "choice": choice });
    refused(&mut room, HOST, choose("black"));
    done(&mut room, GUEST, choose("more"));
    refused(&mut room, HOST, play(0, 0));
    done(&mut room, GUEST, play(0, 0));
    done(&mut room, GUEST, play(1, 0));
    refused(&mut room, GUEST, choose("white"));
    done(&mut room, HOST, choose("white"));
    // White moves.
    done(&mut room, HOST, play(3, 0));
    done(&mut room, GUEST, play(4, 0));
}

#[test]
fn seats_come_back_after_a_restart_even_before_the_first_move() {
    for moves in 0..2 {
        let mut before = two_people(&json!({ "turn_ms": 60_000, "byoyomi": null }));
        if moves > 0 {
            done(&mut before, HOST, play(7, 7));
        }
        let (id, text) = before.files.first_key_value().expect("a saved game");
        let mut after = Simulation::new(settings());
        after.leave(HOST);
        let (id, text) = (id.clone(), text.clone());
        after.own(&id);
        after.handle(Event::Restored { id, text, for_spectators: true });
        let guest = after.join(false);
        done(&mut after, guest, sit());
        let host = after.join(true);
        let state = after.state();
        assert_eq!((&state["at"], &state["paused"]), (&json!(moves), &json!(true)));
        assert_eq!(state["pair"]["here"], json!([true, true]));
        done(&mut after, guest, json!({ "do": "pause", "on": false }));
        let mover = if moves > 0 { guest } else { host };
        done(&mut after, mover, play(8, 8));
    }
}

/// What a command may change.
#[derive(Clone, PartialEq, Debug)]
struct View {
    steps: Vec<Step>,
    count: usize,
    names: [String; 2],
    /// The set-up without the names.
    setup: Setup,
    end: Option<End>,
    comments: Vec<String>,
    paired: bool,
    guest: Option<usize>,
    over: bool,
    offers: bool,
    analysis: bool,
    paused: bool,
    /// True if the position on the board is searched. Reviews of earlier games may go on.
    searches: bool,
    saved: Option<String>,
}

fn view(simulation: &Simulation) -> View {
    let room: &Room = &simulation.room;
    let game = room.game();
    let mut setup = game.setup().clone();
    let names = setup.seats.each_ref().map(|seat| seat.name.clone());
    setup.seats.iter_mut().for_each(|seat| seat.name.clear());
    let tree = game.tree();
    View {
        steps: game.steps()[..game.at()].to_vec(),
        count: tree.count(),
        names,
        setup,
        end: game.end(),
        comments: tree.preorder().map(|node| tree.value(node).note.comment.clone()).collect(),
        paired: room.seats().is_paired(),
        guest: room.seats().guest_seat(),
        over: !room.seats().is_ongoing(),
        offers: room.seats().offer().is_some(),
        analysis: room.seats().allow_analysis(),
        paused: room.waits(),
        searches: room.search_purpose().is_some(),
        saved: room.saved_game().map(str::to_owned),
    }
}

/// Commands that a hostile page might send.
fn hostile() -> impl Strategy<Value = Value> {
    let word = |words: &'static [&'static str]| prop::sample::select(words);
    prop_oneof![
        14 => (4..9_u8, 4..9_u8).prop_map(|(x, y)| play(x, y)),
        2 => (0..40_u8, 0..40_u8).prop_map(|(x, y)| play(x, y)),
        4 => word(&["undo", "draw", "pause", "analysis", "rematch"])
            .prop_map(|what| json!({ "do": "offer", "what": what })),
        6 => (0..12_u64, any::<bool>())
            .prop_map(|(offer, accept)| json!({ "do": "answer", "offer": offer, "accept": accept })),
        2 => word(&["black", "white", "more", "fifths-2", "offer-3,4"])
            .prop_map(|choice| json!({ "do": "choose", "choice": choice })),
        2 => word(&["", "Host", "Guest", "Ann", "Bob", "\u{202e}x", "a\nb\u{0}"])
            .prop_map(|name| json!({ "do": "name", "name": name.repeat(30) })),
        2 => word(&["", "Host", "Ann", "Black"])
            .prop_map(|name| json!({ "do": "name", "name": name })),
        3 => word(&["", "0", TOKEN, TOKEN, "ffffffffffffffffffffffffffffffff"])
            .prop_map(|token| sit_with(token, BROWSER)),
        1 => word(&["resign", "uninvite", "free_seat", "pass", "play_on", "next_puzzle"])
            .prop_map(|word| json!({ "do": word })),
        1 => word(&["off", "large", "small"])
            .prop_map(|setting| json!({ "do": "coach", "setting": setting, "explains": true })),
        1 => (0..100_000_u64).prop_map(|ms| json!({ "do": "answer_pause", "ms": ms })),
        1 => (0..2_usize).prop_map(|engine| json!({ "do": "opinion", "engine": engine })),
        1 => Just(json!({ "do": "train", "set": "renju", "step": 1 })),
        3 => edit().prop_map(|edit| json!({ "do": "edit", "edit": edit })),
        4 => word(&["undo", "redo", "now", "hint", "explain", "games", "solution", "rematch"])
            .prop_map(|word| json!({ "do": word })),
        1 => any::<bool>().prop_map(|on| json!({ "do": "pause", "on": on })),
        1 => any::<bool>().prop_map(|on| json!({ "do": "visible", "on": on })),
        1 => (any::<bool>(), 0..12_usize)
            .prop_map(|(on, lines)| json!({ "do": "analyse", "on": on, "lines": lines })),
        2 => (0..12_u32, word(&["node", "promote", "delete"]))
            .prop_map(|(id, word)| json!({ "do": word, "id": id })),
        1 => (0..8_usize).prop_map(|ply| json!({ "do": "goto", "ply": ply })),
        1 => (0..5_u32).prop_map(|id| json!({ "do": "comment", "id": id, "text": "x" })),
        1 => Just(json!({ "do": "open", "id": "1970-01-01-0000-ID" })),
        1 => Just(json!({ "do": "forget", "id": "1970-01-01-0000-ID" })),
        1 => any::<bool>().prop_map(|anew| json!({ "do": "practice", "anew": anew })),
        1 => Just(json!({ "do": "puzzle", "number": 0 })),
        1 => Just(json!({ "do": "seats",
            "seats": [{ "player": "human" }, { "player": { "kakugo": 1 } }] })),
        2 => (0..2_usize, word(&["free", "swap", "swap2"])).prop_map(|(seat, opening)| {
            invitation(seat, &json!({ "opening": opening, "turn_ms": 9_000 }))
        }),
        1 => Just(json!({ "do": "new", "setup": invitation(0, &json!({}))["setup"] })),
        1 => Just(invitation(0, &json!({
            "seats": [{ "player": "human" }, { "player": { "kakugo": 1 } }] }))),
    ]
}

/// Commands to the position editor.
fn edit() -> impl Strategy<Value = Value> {
    let word = |words: &'static [&'static str]| prop::sample::select(words);
    prop_oneof![
        word(&["begin", "end", "clear", "undo", "stop"]).prop_map(|word| json!(word)),
        (0..20_u8, word(&["black", "white", "blocked", "empty"]))
            .prop_map(|(x, what)| json!({ "put": { "x": x, "y": 7, "what": what } })),
        word(&["fours", "search"])
            .prop_map(|method| json!({ "solve": { "method": method, "ms": 100 } })),
        Just(json!({ "use": { "seats": null, "analyse": 3 } })),
        Just(json!({ "use": { "analyse": null,
            "seats": [{ "player": "human" }, { "player": { "kakugo": 1 } }] } })),
    ]
}

/// The seat of the guest as it should be: who has it, and who has shown its token.
#[derive(Default, Debug)]
struct ExpectedSeat {
    holder: Option<ClientId>,
    shown: std::collections::BTreeSet<ClientId>,
}

impl ExpectedSeat {
    /// A client shows a token in a room with this invitation.
    fn sit(&mut self, client: ClientId, token: &str, is_paired: bool) {
        if client != HOST && token.len() == TOKEN.len() {
            if token == TOKEN {
                self.shown.insert(client);
            } else {
                self.shown.remove(&client);
            }
        }
        if is_paired && client != HOST && token == TOKEN {
            self.holder.get_or_insert(client);
        }
    }

    /// The host frees the seat.
    fn free(&mut self) {
        self.holder.take().into_iter().for_each(|holder| _ = self.shown.remove(&holder));
    }

    /// The invitation stands or ends.
    fn settle(&mut self, is_paired: bool) {
        self.holder = self.holder.or(self.shown.last().copied()).filter(|_| is_paired);
    }
}

/// Checks that a command of a spectator reaches nobody else and starts nothing.
fn check_spectator(room: &Simulation, before: usize) {
    for effect in &room.trace[before..] {
        assert!(effect.starts_with("Send"), "a spectator causes {effect}");
    }
    for (to, message) in &room.messages {
        assert_eq!(*to, Recipient::One(SPECTATOR), "{message:?}");
    }
}

/// Checks what a command of a client has changed in a game of two people.
fn check_rights(room: &Simulation, client: ClientId, seated: bool, command: &Value, old: &View) {
    let new = view(room);
    let what = command["do"].as_str().unwrap();
    let is_host = client == HOST;
    let context = || format!("{client:?} {command}\n{old:?}\n{new:?}");
    if !is_host && !seated {
        assert_eq!(new, *old, "a spectator changes nothing: {}", context());
        return;
    }
    let guest = old.guest.expect("a pairing");
    let own = if is_host { 1 - guest } else { guest };
    // Agreements: an answer, or an offer that meets the same one of the other.
    let agrees = old.offers && matches!(what, "answer" | "offer" | "rematch" | "undo" | "pause");
    let starts = is_host && what == "new" && (old.over || old.count < 2);
    let ends = is_host && what == "uninvite";
    // After the game the board belongs to the host again.
    let owns = is_host && old.over;
    let is_named = new.names[1 - own] == old.names[1 - own];
    assert!(is_named || agrees || starts || owns, "{}", context());
    assert!(new.setup == old.setup || agrees || starts || owns, "{}", context());
    assert!(new.paired || starts || ends || owns, "{}", context());
    assert!(new.guest == old.guest || agrees || starts || !new.paired, "{}", context());
    if !(new.steps == old.steps || agrees || starts || owns) {
        let (last, before) = new.steps.split_last().expect("a step");
        assert_eq!((before, last.seat), (&old.steps[..], own), "{}", context());
        assert!(matches!(what, "play" | "choose") && !old.over && !old.paused, "{}", context());
    }
    if old.over && !is_host && !agrees {
        assert_eq!((&new.steps, new.count), (&old.steps, old.count), "{}", context());
        assert_eq!((&new.end, &new.comments), (&old.end, &old.comments), "{}", context());
    }
    if !old.over && !starts {
        if let Some(End::Forfeit(loser, _)) = &new.end {
            assert!(old.end.is_some() || room.room.game().side_of(own) == *loser);
        }
        assert!(new.end != Some(End::Agreed) || agrees, "{}", context());
        assert!(!new.searches || old.analysis || new.over || ends, "{}", context());
        assert!(!new.analysis || old.analysis || agrees, "{}", context());
        assert!(!new.paused || old.paused || agrees, "{}", context());
        assert!(new.comments.iter().all(String::is_empty), "{}", context());
        assert!(new.count <= old.count + 1 || agrees, "{}", context());
    }
    assert!(new.names.iter().all(|name| name.chars().count() <= 60), "{}", context());
}

/// Checks that nobody but the host hears of the secrets.
fn check_secrets(room: &Simulation) {
    for (to, message) in &room.messages {
        let json = serde_json::to_string(message).unwrap();
        let is_secret = matches!(message, Message::Hello(hello) if hello.key.is_some());
        assert!((!json.contains(TOKEN) && !is_secret) || *to == Recipient::One(HOST), "{json}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever pages send, in any order: nobody changes what is not theirs.
    #[test]
    fn no_client_does_what_its_rights_do_not_allow(
        guest in 0..2_usize,
        commands in prop::collection::vec((0..8_usize, hostile()), 1..60),
    ) {
        let mut room = Simulation::new(settings());
        done(&mut room, HOST, invitation(guest, &json!({})));
        let others = [room.join(false), room.join(false)];
        prop_assert_eq!(others, [GUEST, SPECTATOR]);
        done(&mut room, GUEST, sit());
        let mut seat = ExpectedSeat::default();
        seat.sit(GUEST, TOKEN, true);
        let mut plays = 0;
        for (who, mut command) in commands {
            let client = match who {
                0..3 => HOST,
                3..6 => GUEST,
                _ => SPECTATOR,
            };
            // The spectator has the link, too, but came later.
            if client == SPECTATOR && command["do"] == "sit" {
                command["browser"] = json!(OTHER_BROWSER);
            }
            let old = view(&room);
            let (state, effects) = (room.state(), room.trace.len());
            let starts = command["do"] == "new";
            let _ = say(&mut room, client, &command);
            check_secrets(&room);
            let seated = seat.holder == Some(client);
            if old.paired {
                check_rights(&room, client, seated, &command, &old);
            }
            let is_paired = room.room.seats().is_paired();
            let holder = seat.holder;
            match command["do"].as_str().unwrap() {
                "sit" => seat.sit(client, command["token"].as_str().unwrap(), is_paired),
                "free_seat" if client == HOST && old.paired => seat.free(),
                _ => {}
            }
            seat.settle(is_paired);
            for client in [GUEST, SPECTATOR] {
                let before = holder == Some(client);
                let now = told(&room, client).unwrap_or(before);
                prop_assert_eq!(now, seat.holder == Some(client), "{:?} {}", seat, command);
            }
            if client == SPECTATOR && !seated && seat.holder != Some(client)
                && command["do"] != "visible"
            {
                check_spectator(&room, effects);
                prop_assert_eq!(room.state(), state, "{}", command);
            }
            plays += usize::from(["play", "choose"].contains(&command["do"].as_str().unwrap()));
            if !starts && old.count > 1 && old.paired && is_paired {
                prop_assert!(room.room.game().tree().count() <= 1 + plays, "bounded by the moves");
            }
        }
        room.end();
    }
}

#[test]
fn a_deleted_game_of_two_stays_deleted() {
    let mut room = two_people(&json!({}));
    done(&mut room, HOST, play(7, 7));
    done(&mut room, HOST, json!({ "do": "resign" }));
    let id = room.room.saved_game().expect("a saved game").to_owned();
    done(&mut room, HOST, json!({ "do": "forget", "id": id }));
    room.flush_storage();
    assert!(room.files.is_empty() && room.room.saved_game().is_none());
}

#[test]
fn a_game_of_two_that_another_room_needs_is_not_saved_twice() {
    let mut room = two_people(&json!({}));
    done(&mut room, HOST, play(7, 7));
    let id = room.room.saved_game().expect("a saved game").to_owned();
    [HOST, GUEST, SPECTATOR].into_iter().for_each(|client| room.leave(client));
    room.handle(Event::Yield { id: id.clone() });
    room.end();
    assert_eq!(room.files.keys().collect::<Vec<_>>(), [&id]);
}

#[test]
fn no_tab_of_a_browser_whose_seat_was_freed_takes_it_back() {
    let mut room = two_people(&json!({}));
    refused(&mut room, SPECTATOR, sit_with(TOKEN, OTHER_BROWSER));
    // The first tab of the guest watches from now on.
    let second = room.join(false);
    room.command(serde_json::from_value(sit()).unwrap());
    done(&mut room, HOST, json!({ "do": "free_seat" }));
    assert_eq!((told(&room, second), told(&room, GUEST)), (Some(false), None));
    assert_eq!(told(&room, SPECTATOR), Some(true));
    done(&mut room, HOST, play(7, 7));
    done(&mut room, SPECTATOR, play(8, 8));
}

#[test]
fn guests_and_spectators_see_nothing_of_saved_games() {
    let mut room = two_people(&json!({}));
    done(&mut room, HOST, play(7, 7));
    done(&mut room, HOST, json!({ "do": "resign" }));
    done(&mut room, HOST, json!({ "do": "practice", "anew": true }));
    room.flush_storage();
    room.wait(Duration::from_secs(1));
    let of = |wanted: fn(&Message) -> bool| {
        let sent = room.messages.iter().filter(move |(_, message)| wanted(message));
        sent.map(|(to, _)| *to).collect::<Vec<_>>()
    };
    // Once for the command, once for what the storage has.
    let to_host = [Recipient::One(HOST); 2];
    assert_eq!(of(|message| matches!(message, Message::Puzzles(_))), to_host);
    assert_eq!(of(|message| matches!(message, Message::Training(_))), to_host);
}
