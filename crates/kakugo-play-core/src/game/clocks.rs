//! The clocks of a game.

use std::time::Duration;

use super::live::LiveGame;
use crate::now::Time;

impl LiveGame {
    /// Runs or stops the clock. It runs only while the game goes on: not while earlier moves are
    /// looked at, and not in variations of a game that has ended.
    pub fn run_clock(&mut self, runs: bool, now: Time) {
        let goes_on = || !self.can_redo() && self.end().is_none() && self.main_end().is_none();
        if runs && goes_on() { self.clock.run(now) } else { self.clock.hold(now) }
    }

    /// Returns true if the clock runs.
    pub fn clock_runs(&self) -> bool {
        self.clock.is_running()
    }

    /// Returns the time that a seat has used for finished steps, and their number.
    fn used(&self, seat: usize) -> (Duration, u32) {
        let own = self.played().filter(|step| step.seat == seat);
        own.fold((Duration::ZERO, 0), |(time, n), step| (time + step.spent, n + 1))
    }

    /// Returns the total time used by a seat.
    pub fn used_by(&self, seat: usize, now: Time) -> Duration {
        let running = if self.turn() == seat { self.clock.spent(now) } else { Duration::ZERO };
        self.used(seat).0 + running
    }

    /// Returns the time left to a seat for the game and for the move; `None` without a limit.
    pub fn left(&self, seat: usize, now: Time) -> (Option<Duration>, Option<Duration>) {
        let running = if self.turn() == seat { self.clock.spent(now) } else { Duration::ZERO };
        let (used, steps) = self.used(seat);
        let gained = self.setup.time.increment * steps;
        let game = self.setup.time.game.map(|time| (time + gained).saturating_sub(used + running));
        (game, self.setup.time.turn.map(|turn| turn.saturating_sub(running)))
    }

    /// Returns the time at which the time of the player to move runs out, if the clock runs and is
    /// limited.
    pub fn flag_at(&self, now: Time) -> Option<Time> {
        let (game, turn) = self.left(self.turn(), now);
        let left = [game, turn].into_iter().flatten().min();
        left.filter(|_| self.clock_runs()).map(|left| now + left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::end::{End, Forfeit};
    use crate::game::moves::tests::{at, setup};
    use crate::game::setup::TimeControl;
    use kakugo::board::Side;
    use kakugo_record::tree::NodeId;

    #[test]
    fn undone_moves_give_their_time_back() {
        let start = Time::default();
        let after = |seconds| start + Duration::from_secs(seconds);
        let time = TimeControl {
            game: Some(Duration::from_secs(100)),
            increment: Duration::from_secs(2),
            turn: None,
        };
        let mut game = LiveGame::new(setup(|setup| setup.time = time));
        game.run_clock(true, start);
        game.play(at(7, 7), after(10)).unwrap();
        assert_eq!(game.left(0, after(10)).0, Some(Duration::from_secs(92)));
        game.play(at(7, 8), after(13)).unwrap();
        assert_eq!(game.left(1, after(13)).0, Some(Duration::from_secs(99)));
        assert_eq!(game.left(0, after(33)).0, Some(Duration::from_secs(72)));
        game.undo(2, after(33)).unwrap();
        assert_eq!(game.left(0, after(33)).0, Some(Duration::from_secs(100)));
        game.run_clock(true, after(33));
        game.play(at(9, 9), after(50)).unwrap();
        assert_eq!(game.left(0, after(50)).0, Some(Duration::from_secs(102)));
        game.run_clock(true, after(50));
        assert!(!game.check_flag(after(149)));
        assert!(game.check_flag(after(151)));
        assert_eq!(game.end(), Some(End::Forfeit(Side::White, Forfeit::Time)));
    }

    #[test]
    fn looking_back_holds_the_clock_and_gives_no_time_back() {
        let start = Time::default();
        let after = |seconds| start + Duration::from_secs(seconds);
        let mut game =
            LiveGame::new(setup(|setup| setup.time.turn = Some(Duration::from_secs(10))));
        game.run_clock(true, start);
        game.play(at(7, 7), after(1)).unwrap();
        let live = game.node();
        type Way = fn(&mut LiveGame, Time);
        let ways: [Way; 3] = [
            |game, now| _ = game.undo(1, now),
            |game, now| game.go_to(0, now),
            |game, now| _ = game.go_to_node(NodeId::ROOT, now),
        ];
        for (n, back) in (0..).zip(ways) {
            // Three seconds are spent between two looks of twenty.
            let now = 1 + 23 * n;
            game.run_clock(true, after(now));
            back(&mut game, after(now + 3));
            game.run_clock(true, after(now + 3));
            assert!(!game.clock_runs() && !game.check_flag(after(now + 23)));
            game.go_to_node(live, after(now + 23)).unwrap();
            let left = Some(Duration::from_secs(10 - 3 * (n + 1)));
            assert_eq!(game.left(1, after(now + 23)).1, left);
        }
        game.run_clock(true, after(70));
        assert!(!game.check_flag(after(70)) && game.check_flag(after(71)));
    }

    #[test]
    fn no_clock_runs_in_variations_of_a_game_that_has_ended() {
        let start = Time::default();
        let later = start + Duration::from_secs(100);
        let turn = Some(Duration::from_secs(5));
        let mut game = LiveGame::new(setup(|setup| setup.time.turn = turn));
        game.play(at(7, 7), start).unwrap();
        game.play(at(7, 8), start).unwrap();
        game.forfeit(0, Forfeit::Resigned, start).unwrap();
        game.undo(1, start).unwrap();
        game.play(at(0, 0), start).unwrap();
        game.run_clock(true, start);
        assert!(!game.clock_runs() && !game.check_flag(later));
        // If the end is played over, the game goes on.
        game.undo(1, later).unwrap();
        game.play(at(7, 8), later).unwrap();
        assert_eq!((game.end(), game.main_end()), (None, None));
        game.run_clock(true, later);
        assert!(game.clock_runs());
    }

    #[test]
    fn a_held_clock_does_not_run_out() {
        let start = Time::default();
        let later = start + Duration::from_secs(100);
        let turn = Some(Duration::from_secs(5));
        let mut game = LiveGame::new(setup(|setup| setup.time.turn = turn));
        game.run_clock(true, start);
        game.run_clock(false, start + Duration::from_secs(3));
        assert!(!game.check_flag(later));
        game.run_clock(true, later);
        assert!(game.check_flag(later + Duration::from_secs(2)));
    }
}
