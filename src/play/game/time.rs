//! The clocks of a game.

use std::time::{Duration, Instant};

use super::end::Forfeit;
use super::live::LiveGame;

impl LiveGame {
    /// Let the clock run, or hold it.
    pub fn run_clock(&mut self, runs: bool, now: Instant) {
        let over = self.end().or_else(|| self.told_end()).is_some();
        if runs && !over { self.clock.run(now) } else { self.clock.hold(now) }
    }

    /// Whether the clock runs.
    pub fn clock_runs(&self) -> bool {
        self.clock.is_running()
    }

    /// Time that a seat has used for finished steps, and their number.
    fn used(&self, seat: usize) -> (Duration, u32) {
        let own = self.played().filter(|step| step.seat == seat);
        own.fold((Duration::ZERO, 0), |(time, n), step| (time + step.spent, n + 1))
    }

    /// Time used by a seat altogether.
    pub fn used_by(&self, seat: usize, now: Instant) -> Duration {
        let running = if self.turn() == seat { self.clock.spent(now) } else { Duration::ZERO };
        self.used(seat).0 + running
    }

    /// Time left to a seat for the game, and for the move in hand; `None` where there is no limit.
    pub fn left(&self, seat: usize, now: Instant) -> (Option<Duration>, Option<Duration>) {
        let running = if self.turn() == seat { self.clock.spent(now) } else { Duration::ZERO };
        let (used, steps) = self.used(seat);
        let gained = self.setup.time.increment * steps;
        let game = self.setup.time.game.map(|time| (time + gained).saturating_sub(used + running));
        (game, self.setup.time.turn.map(|turn| turn.saturating_sub(running)))
    }

    /// End the game if the time of the player to move has run out; whether it did.
    pub fn check_flag(&mut self, now: Instant) -> bool {
        let seat = self.turn();
        let (game, turn) = self.left(seat, now);
        let out = [game, turn].contains(&Some(Duration::ZERO)) && self.clock.is_running();
        out && self.forfeit(seat, Forfeit::Time, now).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Side;
    use crate::play::game::end::End;
    use crate::play::game::live::tests::{at, setup};
    use crate::play::game::setup::TimeControl;

    #[test]
    fn undone_moves_give_their_time_back() {
        let start = Instant::now();
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
        assert!(!game.check_flag(after(132)));
        assert!(game.check_flag(after(134)));
        assert_eq!(game.end(), Some(End::Forfeit(Side::Black, Forfeit::Time)));
    }

    #[test]
    fn a_held_clock_does_not_run_out() {
        let start = Instant::now();
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
