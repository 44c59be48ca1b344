//! Tests of the coach, of explanations and of the rating.

use super::*;
use crate::insight::{Mistake, MistakeSize, Outlook, Plan, PlanKind};
use kakugo::board::Side;

/// The command for a game of a human with Black against this level.
fn against(level: usize) -> Value {
    let seats = json!([{ "player": "human" }, { "player": { "kakugo": level } }]);
    new_game(&json!({ "seats": seats }))
}

/// A room with a coach, in a game against level 3.
fn coached(setting: &str, explains: bool) -> Simulation {
    let mut room = simulation();
    room.say(against(3));
    room.say(json!({ "do": "coach", "setting": setting, "explains": explains }));
    room
}

impl Simulation {
    /// Returns the only job that is wanted.
    fn find_job(&self, wanted: fn(&Job) -> bool) -> Option<JobId> {
        let mut found = self.jobs.iter().filter(|(_, job)| wanted(job)).map(|(&id, _)| id);
        let first = found.next();
        assert_eq!(found.next(), None);
        first
    }

    fn outlook_job(&self) -> Option<JobId> {
        self.find_job(|job| matches!(job, Job::Outlook { .. }))
    }

    fn mistake_job(&self) -> Option<JobId> {
        self.find_job(|job| matches!(job, Job::Mistake { .. }))
    }

    fn move_job(&self) -> Option<JobId> {
        self.find_job(|job| matches!(job, Job::Move(_)))
    }

    fn says(&mut self) -> Value {
        self.state()["coach"]["says"].clone()
    }
}

/// An open four of White from an open three in row 8.
fn plan() -> Plan {
    let line = [(7, 7), (8, 7), (3, 7)].map(|(x, y)| at(x, y)).to_vec();
    let stones = [(4, 7), (5, 7), (6, 7)].map(|(x, y)| at(x, y)).to_vec();
    Plan {
        side: Side::White,
        kind: PlanKind::OpenFour,
        line,
        stones,
        points: vec![at(3, 7), at(7, 7)],
    }
}

fn allows() -> JobResult {
    let mistake = Mistake::Allows { plan: plan(), better: at(3, 7) };
    JobResult::Mistake(Some(Box::new(mistake)))
}

fn reply(x: u8, y: u8) -> JobResult {
    JobResult::Move(Ok(vec![Action::Stone(at(x, y))]))
}

#[test]
fn a_mistake_is_mentioned_before_the_answer_and_taken_back() {
    let mut room = coached("large", false);
    room.place(&[(0, 0)]);
    let (judging, thinking) = (room.mistake_job().unwrap(), room.move_job().unwrap());
    // The computer has its answer at once, and waits for the coach.
    room.finish(thinking, reply(9, 9));
    assert_eq!(room.state()["at"], 1);
    room.finish(judging, allows());
    let state = room.state();
    let says = &state["coach"]["says"];
    assert_eq!(
        (&says["kind"], &says["waits"], &says["takes_back"]),
        (&json!("mistake"), &json!(true), &json!(true))
    );
    assert_eq!(says["stones"], json!([[4, 7], [5, 7], [6, 7]]));
    assert_eq!((&state["at"], &state["paused"]), (&json!(1), &json!(true)));
    assert!(room.move_job().is_none(), "the computer waits");
    room.say(json!({ "do": "undo" }));
    assert_eq!((room.state()["at"].clone(), room.says()), (json!(0), json!(null)));
}

#[test]
fn a_player_may_play_on_after_a_mistake() {
    let mut room = coached("large", false);
    room.place(&[(0, 0)]);
    room.finish(room.mistake_job().unwrap(), allows());
    room.say(json!({ "do": "play_on" }));
    assert_eq!(room.says(), json!(null));
    room.finish(room.move_job().unwrap(), reply(9, 9));
    assert_eq!(room.state()["at"], 2);
}

#[test]
fn a_late_mistake_is_mentioned_after_the_answer() {
    let mut room = coached("small", false);
    room.place(&[(0, 0)]);
    room.finish(room.move_job().unwrap(), reply(9, 9));
    // The answer does not wait for ever.
    room.wait(Duration::from_secs(1));
    assert_eq!(room.state()["at"], 2);
    room.finish(room.mistake_job().unwrap(), allows());
    let says = room.says();
    assert_eq!((&says["kind"], &says["waits"]), (&json!("mistake"), &json!(false)));
    // It stays while the outlook of the next move is searched, and one click takes both moves back.
    room.finish(room.outlook_job().unwrap(), JobResult::Outlook(Box::default()));
    assert_eq!(room.says()["kind"], "mistake");
    room.say(json!({ "do": "undo" }));
    assert_eq!(room.state()["at"], 0);
}

#[test]
fn a_fine_move_delays_the_answer_by_nothing_but_the_search() {
    let mut room = coached("large", false);
    room.place(&[(0, 0)]);
    room.finish(room.move_job().unwrap(), reply(9, 9));
    assert_eq!(room.state()["at"], 1);
    room.finish(room.mistake_job().unwrap(), JobResult::Mistake(None));
    assert_eq!((room.state()["at"].clone(), room.says()), (json!(2), json!(null)));
}

#[test]
fn a_move_that_was_replaced_is_not_judged() {
    let mut room = coached("large", false);
    room.place(&[(0, 0)]);
    assert!(room.mistake_job().is_some());
    room.say(json!({ "do": "undo" }));
    assert_eq!(room.mistake_job(), None);
    assert!(room.outlook_job().is_some());
    room.place(&[(1, 1)]);
    let Some((_, Job::Mistake { played, size, .. })) = room
        .jobs
        .iter()
        .find(|(_, job)| matches!(job, Job::Mistake { .. }))
        .map(|(id, job)| (*id, job.clone()))
    else {
        panic!("no search for a mistake")
    };
    assert_eq!((played, size), (at(1, 1), MistakeSize::Large));
}

#[test]
fn threats_are_mentioned_before_a_move() {
    let mut room = coached("large", false);
    let outlook = Outlook { threat: Some(plan()), ..Outlook::default() };
    room.finish(room.outlook_job().unwrap(), JobResult::Outlook(Box::new(outlook)));
    let says = room.says();
    assert_eq!((&says["kind"], &says["points"]), (&json!("threat"), &json!([[3, 7], [7, 7]])));
    assert_eq!(says["text"][0], "{0} has an open three and threatens to make an open four.");
    room.place(&[(0, 0)]);
    assert_eq!(room.says(), json!(null));
}

#[test]
fn the_coach_watches_only_if_it_is_asked_to() {
    for (setting, watches) in [("off", false), ("large", true), ("medium", true), ("small", true)] {
        let mut room = simulation();
        room.say(against(10));
        room.say(json!({ "do": "coach", "setting": setting }));
        let state = room.state();
        assert_eq!(state["coach"]["watches"], watches, "{setting}");
        assert_eq!(state["coach"]["setting"], setting);
        assert_eq!(room.outlook_job().is_some(), watches);
    }
    // It knows five in a row only.
    let mut room = simulation();
    room.say(json!({ "do": "coach", "setting": "small" }));
    room.say(new_game(&json!({ "win": 4 })));
    assert_eq!(
        (room.outlook_job(), room.state()["coach"]["watches"].clone()),
        (None, json!(false))
    );
}

#[test]
fn a_first_game_is_explained_to_its_end() {
    let mut room = coached("off", true);
    let text = |room: &mut Simulation| room.says()["text"][0].as_str().unwrap_or("").to_owned();
    room.finish(room.outlook_job().unwrap(), JobResult::Outlook(Box::default()));
    assert!(text(&mut room).starts_with("You have {0}."));
    room.place(&[(0, 0)]);
    assert_eq!((room.mistake_job(), room.says()), (None, json!(null)));
    room.finish(room.move_job().unwrap(), reply(9, 9));
    let outlook = Outlook { threat: Some(plan()), defences: vec![at(3, 7)], ..Outlook::default() };
    room.finish(room.outlook_job().unwrap(), JobResult::Outlook(Box::new(outlook)));
    let says = room.says();
    assert_eq!((&says["kind"], &says["points"]), (&json!("lesson"), &json!([[3, 7]])));
    assert!(text(&mut room).contains("Stop it at a marked point"));
    room.say(json!({ "do": "resign" }));
    assert!(text(&mut room).starts_with("{0} has won."));
    // Between two humans nothing is explained, and nobody is warned.
    room.say(json!({ "do": "coach", "setting": "large", "explains": true }));
    room.say(new_game(&json!({})));
    assert_eq!((room.outlook_job(), room.says()), (None, json!(null)));
}

/// Returns the points of the results that were stored.
fn results(room: &Simulation) -> Vec<(usize, u8)> {
    let games = crate::rating::RatedGame::read(&room.results);
    games.iter().map(|game| (game.level, game.half_points)).collect()
}

#[test]
fn results_against_levels_make_a_rating() {
    let mut room = simulation();
    room.flush_storage();
    assert_eq!(room.sent("rating").unwrap()["games"], 0);
    room.say(against(3));
    room.say(json!({ "do": "resign" }));
    room.flush_storage();
    assert_eq!(results(&room), [(3, 0)]);
    let rating = room.sent("rating").unwrap();
    assert_eq!(rating["games"], 1);
    assert!(rating["line"][0][0].as_i64().unwrap() < 600, "{rating}");
    assert_eq!(room.state()["note"][0], "Your rating: {0} ± {1}.");
    // A spectator does not see it.
    room.messages.clear();
    room.join(false);
    room.flush_storage();
    assert_eq!(room.sent("rating"), None);
}

#[test]
fn games_with_help_do_not_count() {
    let help: [fn(&mut Simulation); 5] = [
        |room| room.say(json!({ "do": "hint" })),
        |room| room.say(json!({ "do": "undo" })),
        |room| {
            room.say(json!({ "do": "goto", "ply": 0 }));
            room.place(&[(4, 4)]);
        },
        |room| room.say(json!({ "do": "analyse", "on": true, "lines": 3 })),
        |room| room.say(json!({ "do": "now" })),
    ];
    for (number, help) in help.into_iter().enumerate() {
        let mut room = simulation();
        room.flush_storage();
        room.say(against(3));
        room.place(&[(7, 7)]);
        if number != 4 {
            room.finish(room.move_job().unwrap(), reply(9, 9));
        }
        help(&mut room);
        room.say(json!({ "do": "resign" }));
        room.flush_storage();
        assert_eq!(
            (results(&room), room.state()["level"]["run"].clone()),
            (vec![], json!(0)),
            "{number}"
        );
    }
}

#[test]
fn only_usual_games_count_for_the_rating() {
    let mut room = simulation();
    let seats = json!([{ "player": "human" }, { "player": { "kakugo": 3 } }]);
    for rules in [
        json!({ "width": 9, "height": 9, "seats": seats }),
        json!({ "rule": "standard", "win": 4, "seats": seats }),
        json!({ "start": { "black": "h8" }, "seats": seats }),
        json!({ "seats": [{ "player": "human" }, { "player": { "engine": 0 } }] }),
    ] {
        room.say(new_game(&rules));
        room.say(json!({ "do": "resign" }));
    }
    // The coach has helped.
    room.say(against(3));
    room.say(json!({ "do": "coach", "setting": "large" }));
    let outlook = Outlook { threat: Some(plan()), ..Outlook::default() };
    room.finish(room.outlook_job().unwrap(), JobResult::Outlook(Box::new(outlook)));
    room.say(json!({ "do": "resign" }));
    room.flush_storage();
    assert_eq!(results(&room), []);
}

#[test]
fn help_is_remembered_when_a_saved_game_comes_back() {
    for helped in [false, true] {
        let mut room = simulation();
        room.flush_storage();
        room.say(against(3));
        room.place(&[(7, 7)]);
        room.finish(room.move_job().unwrap(), reply(9, 9));
        if helped {
            room.say(json!({ "do": "hint" }));
        }
        let id = room.room.saved_game().unwrap().to_owned();
        room.say(against(3));
        room.say(json!({ "do": "open", "id": id }));
        room.flush_storage();
        assert_eq!(room.state()["at"], 2);
        room.say(json!({ "do": "resign" }));
        room.flush_storage();
        assert_eq!(results(&room).is_empty(), helped);
    }
}
