//! Options set by `INFO`: rule, limits, memory.
//!
//! An option applies from the moment it is sent, across games, until it is sent again. `INFO` has
//! no reply, so an unsupported rule is stored and reported by the first command that needs it.

use std::fmt;
use std::num::NonZero;
use std::thread;
use std::time::{Duration, Instant};

use kakugo::board::{Rule, UnsupportedWinLength, Variant};
use kakugo::search::{Limits, NetworkError, Networks};
use kakugo_protocol::Info;

/// Default time per move, as in Gomocup's example engine.
const DEFAULT_TURN: Duration = Duration::from_secs(30);

/// Time per move and match time of the levels of Yixin-Board without a time limit.
const UNLIMITED_TURN: Duration = Duration::from_secs(2_000);
const UNLIMITED_GAME: Duration = Duration::from_secs(100_000);

/// Default memory limit of the process, in bytes, as in Gomocup. Also used if there is no limit.
const DEFAULT_MEMORY: usize = 350_000_000;

/// Memory of the process besides the transposition table, in bytes: the program, pattern tables,
/// stacks, search state of one thread, and the networks. Measured without networks: at most 7 MB,
/// under every rule on 20x20. The rest is a reserve for the system's overhead.
const MEMORY_BASELINE: usize = (16 << 20) + NETWORKS;

/// Memory of the networks, in bytes. Those of all rules need 4 MB in the program and 5 MB unpacked.
/// While a file is loaded, its content is in memory three times.
const NETWORKS: usize = 12 << 20;

/// Memory of each further thread, in bytes: its stack, its search state and the system's overhead.
/// Measured: at most 3 MB. The rest is a reserve, as above.
const MEMORY_PER_THREAD: usize = 6 << 20;

/// The memory limit is divided by this number for a safety margin of up to [`MAX_MARGIN`]. Without
/// it, GomocupJudge measured 348.7 of 350 MB in long games. It ends a game that exceeds the limit.
const MARGIN_DIVISOR: usize = 32;

/// Maximum safety margin, in bytes.
const MAX_MARGIN: usize = 10 << 20;

/// Minimum size of the transposition table, in bytes, even if the memory limit is lower.
const MIN_HASH: usize = 64 << 10;

/// The maximum size of the transposition table is `2^MAX_HASH_LOG2_KB` KB.
const MAX_HASH_LOG2_KB: u32 = 20;

/// An unsupported combination of rule and win length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnsupportedVariant {
    Rule(i64),
    WinLength(UnsupportedWinLength),
    /// A win length that no rule supports.
    NoWinLength(i64),
}

impl fmt::Display for UnsupportedVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnsupportedVariant::Rule(number) => write!(
                f,
                "rule {number} is not supported (0 freestyle, 1 standard, 4 renju, 8 and 9 caro, \
                 each plus 2 for a continuous game)"
            ),
            UnsupportedVariant::WinLength(error) => error.fmt(f),
            UnsupportedVariant::NoWinLength(n) => {
                write!(f, "win length {n} is not supported (3 to 6)")
            }
        }
    }
}

/// A network that cannot be loaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct UnusableNetwork {
    name: String,
    error: NetworkError,
}

impl fmt::Display for UnusableNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The reply must be a single line of text.
        let name: String =
            self.name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        write!(f, "network {name} is not used: {}", self.error)
    }
}

/// The remaining match time of the last `INFO time_left`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TimeLeft {
    Unlimited,
    /// Exactly 0, which some managers send if there is no match time.
    Zero,
    /// In ms, negative if the limit was exceeded.
    Ms(i64),
}

/// The time per move of the last `INFO timeout_turn`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TurnLimit {
    /// It was never sent.
    Default,
    Unlimited,
    Time(Duration),
}

/// The session's options.
#[derive(Debug)]
pub(crate) struct Options {
    rule: Result<Rule, i64>,
    win_length: Result<u8, i64>,
    turn: TurnLimit,
    game: Option<Duration>,
    increment: Duration,
    left: Option<TimeLeft>,
    /// True if a move was played since the last `time_left`.
    left_is_old: bool,
    /// Time used in this game less the increments gained, in ms.
    used_ms: i64,
    max_memory: Option<usize>,
    hash_size: Option<usize>,
    /// True if the manager has sent a memory limit.
    memory_is_known: bool,
    threads: usize,
    max_nodes: Option<u64>,
    max_depth: Option<u32>,
    pondering: bool,
    tournament: bool,
    yixin: bool,
    detail: bool,
    networks: Networks,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            rule: Ok(Rule::Freestyle),
            win_length: Ok(5),
            turn: TurnLimit::Default,
            game: None,
            increment: Duration::ZERO,
            left: None,
            left_is_old: false,
            used_ms: 0,
            max_memory: None,
            hash_size: None,
            memory_is_known: false,
            threads: 1,
            max_nodes: None,
            max_depth: None,
            pondering: false,
            tournament: false,
            yixin: false,
            detail: false,
            networks: Networks::default(),
        }
    }
}

impl Options {
    /// Applies an `INFO` command.
    ///
    /// # Errors
    /// Returns an error if it names a network that cannot be loaded.
    pub(crate) fn apply(&mut self, info: &Info) -> Result<(), UnusableNetwork> {
        match *info {
            Info::TimeoutTurn(ms) => {
                self.turn = limit(ms).map_or(TurnLimit::Unlimited, TurnLimit::Time);
            }
            Info::TimeoutMatch(ms) => self.game = limit(ms).filter(|_| ms != 0),
            Info::TimeLeft(ms) => {
                self.left_is_old = false;
                self.left = Some(match ms {
                    Info::UNLIMITED.. => TimeLeft::Unlimited,
                    0 => TimeLeft::Zero,
                    _ => TimeLeft::Ms(ms),
                });
            }
            Info::TimeIncrement(ms) => self.increment = duration(ms),
            Info::MaxMemory(bytes) => {
                (self.max_memory, self.memory_is_known) = (positive(bytes), true);
            }
            Info::HashSize(kb) => {
                let bytes = kb.saturating_mul(1024);
                (self.hash_size, self.memory_is_known) = (positive(bytes), true);
            }
            Info::ThreadNum(n) => self.threads = n.clamp(1, max_threads() as i64) as usize,
            Info::MaxNode(n) => self.max_nodes = positive(n),
            Info::MaxDepth(n) => self.max_depth = positive(n.min(i64::from(u32::MAX))),
            Info::Rule(number) => self.rule = rule(number, self.yixin),
            Info::WinLength(n) => self.win_length = u8::try_from(n).map_err(|_| n),
            Info::ShowDetail(n) => self.detail = n != 0,
            Info::Pondering(n) => self.pondering = n != 0,
            Info::GameType(n) => self.tournament = matches!(n, 2 | 3),
            Info::Evaluate(_) | Info::Folder(_) => {}
            Info::Net(ref name) => {
                let refuse = |error| UnusableNetwork { name: name.clone(), error };
                return self.networks.select(name).map_err(refuse);
            }
            Info::Other(ref text) if set_tunable(text) => log::info!("tuned {text}"),
            Info::Other(ref text) => log::info!("ignored INFO {text}"),
        }
        Ok(())
    }

    /// Returns the networks that evaluate positions.
    pub(crate) fn networks(&self) -> &Networks {
        &self.networks
    }

    /// Sets the networks that evaluate positions.
    pub(crate) fn set_networks(&mut self, networks: Networks) {
        self.networks = networks;
    }

    /// Enables the mode of `YXSHOWINFO`: rule 2 is renju, and searches are reported in detail.
    pub(crate) fn enable_yixin_mode(&mut self) {
        self.yixin = true;
        self.detail = true;
    }

    /// Returns true if searches are reported in detail.
    pub(crate) fn show_detail(&self) -> bool {
        self.detail
    }

    /// Returns true if pondering is enabled and the game is not part of a tournament.
    pub(crate) fn may_ponder(&self) -> bool {
        self.pondering && !self.tournament
    }

    /// Returns the current rule.
    pub(crate) fn variant(&self) -> Result<Variant, UnsupportedVariant> {
        let rule = self.rule.map_err(UnsupportedVariant::Rule)?;
        let win_length = self.win_length.map_err(UnsupportedVariant::NoWinLength)?;
        Variant::new(rule, win_length).map_err(UnsupportedVariant::WinLength)
    }

    /// Returns the number of search threads: `thread_num`, reduced if the memory limit is too low.
    pub(crate) fn threads(&self) -> usize {
        let spare = self.memory().saturating_sub(MEMORY_BASELINE + MIN_HASH);
        self.threads.min(1 + spare / MEMORY_PER_THREAD)
    }

    /// Returns true if the manager has sent a memory limit, or that there is none.
    pub(crate) fn memory_is_known(&self) -> bool {
        self.memory_is_known
    }

    /// Returns the memory limit of the process, in bytes. Unlimited if only `hash_size` is set.
    fn memory(&self) -> usize {
        let default = if self.hash_size.is_some() { usize::MAX } else { DEFAULT_MEMORY };
        self.max_memory.unwrap_or(default)
    }

    /// Returns the memory that is not available to the transposition table, in bytes: the rest of
    /// the process and the safety margin.
    fn reserved_bytes(&self) -> usize {
        let margin = (self.memory() / MARGIN_DIVISOR).min(MAX_MARGIN);
        MEMORY_BASELINE + MEMORY_PER_THREAD * (self.threads() - 1) + margin
    }

    /// Returns the remaining match time, or `None` without a limit.
    fn left(&self) -> Option<Duration> {
        match (self.left, self.game) {
            (Some(TimeLeft::Unlimited), _) | (Some(TimeLeft::Zero) | None, None) => None,
            (Some(TimeLeft::Zero), Some(_)) => Some(Duration::ZERO),
            (Some(TimeLeft::Ms(ms)), _) => Some(duration(ms)),
            (None, Some(game)) => {
                let granted = i64::try_from(game.as_millis()).unwrap_or(i64::MAX);
                Some(duration(granted.saturating_sub(self.used_ms)))
            }
        }
    }

    /// Returns the time per move and the remaining match time, as far as they are limited.
    fn time(&self) -> (Option<Duration>, Option<Duration>) {
        let left = self.left();
        let turn = match self.turn {
            TurnLimit::Time(UNLIMITED_TURN) if self.yixin && self.game == Some(UNLIMITED_GAME) => {
                return (None, None);
            }
            TurnLimit::Time(turn) => Some(turn),
            TurnLimit::Unlimited => None,
            // The match time or the number of nodes ends the search.
            TurnLimit::Default if left.is_some() || self.has_node_limit() => None,
            TurnLimit::Default => Some(DEFAULT_TURN),
        };
        (turn, left)
    }

    /// Returns true if the number of nodes is limited, and not by a value that means "unlimited".
    fn has_node_limit(&self) -> bool {
        let is_limit = |n: u64| i64::try_from(n).is_ok_and(|n| n < Info::UNLIMITED);
        self.max_nodes.is_some_and(is_limit)
    }

    /// Returns the limits of a search that began at `start`.
    pub(crate) fn limits(&self, start: Instant, multi_pv: usize) -> Limits {
        let (turn, left) = self.time();
        Limits {
            start,
            turn,
            left,
            increment: self.increment,
            max_depth: self.max_depth,
            max_nodes: self.max_nodes,
            multi_pv,
            ..Limits::default()
        }
    }

    /// Returns the new deadline of a search that began at `start`, if this `INFO` sets one.
    pub(crate) fn deadline(&self, info: &Info, start: Instant, now: Instant) -> Option<Instant> {
        let is_unlimited = self.yixin && self.game == Some(UNLIMITED_GAME);
        match *info {
            Info::TimeoutTurn(ms) if is_unlimited && limit(ms) == Some(UNLIMITED_TURN) => None,
            Info::TimeLeft(ms) if is_unlimited && limit(ms) == Some(UNLIMITED_GAME) => None,
            Info::TimeoutTurn(ms) => start.checked_add(limit(ms)?),
            Info::TimeLeft(0) if self.game.is_none() => None,
            Info::TimeLeft(ms) => now.checked_add(limit(ms)?),
            _ => None,
        }
    }

    /// Subtracts the time of a move from the remaining match time.
    pub(crate) fn charge(&mut self, elapsed: Duration) {
        let ms = |d: Duration| i64::try_from(d.as_millis()).unwrap_or(i64::MAX);
        let cost = ms(elapsed).saturating_sub(ms(self.increment));
        self.used_ms = self.used_ms.saturating_add(cost);
        self.left_is_old = true;
        if let Some(TimeLeft::Ms(left)) = &mut self.left {
            *left = left.saturating_sub(cost);
        }
    }

    /// Resets the match time for a new game. A `time_left` sent since the last move still applies.
    pub(crate) fn new_game(&mut self) {
        self.used_ms = 0;
        if self.left_is_old {
            self.left = None;
        }
    }

    /// Returns the size of the transposition table, in bytes, such that the process stays within
    /// `max_memory`.
    pub(crate) fn hash_bytes(&self) -> usize {
        let granted = self.memory().saturating_sub(self.reserved_bytes());
        granted.min(self.hash_size.unwrap_or(granted)).clamp(MIN_HASH, 1024 << MAX_HASH_LOG2_KB)
    }

    /// Returns the base-2 logarithm of the maximum table size in KB, for `YXSHOWINFO`.
    pub(crate) fn max_hash_log2_kb(&self) -> u32 {
        let Some(memory) = self.max_memory else { return MAX_HASH_LOG2_KB };
        let kb = memory.saturating_sub(self.reserved_bytes()).max(MIN_HASH) / 1024;
        kb.ilog2().min(MAX_HASH_LOG2_KB)
    }
}

/// Returns the maximum number of threads, which is that of the available CPUs.
pub(crate) fn max_threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Returns the rule with this number. The flag 2 of continuous games has no effect, because blocked
/// cells are supported under every rule.
fn rule(number: i64, yixin: bool) -> Result<Rule, i64> {
    const CONTINUOUS: i64 = 2;
    if yixin && number == 2 {
        return Ok(Rule::Renju);
    }
    let bare = if number > 0 { number & !CONTINUOUS } else { number };
    let rule = Rule::ALL.into_iter().find(|rule| i64::from(rule.number()) == bare);
    rule.ok_or(number)
}

/// Sets a tunable of the search from `NAME VALUE`. Returns false if the name is unknown, or in
/// builds without the feature `tuning`.
fn set_tunable(text: &str) -> bool {
    #[cfg(feature = "tuning")]
    if let Some((name, Ok(value))) = text.split_once(' ').map(|(n, v)| (n, v.trim().parse())) {
        return kakugo::search::set_tunable(&name.to_lowercase(), value);
    }
    #[cfg(not(feature = "tuning"))]
    let _ = text;
    false
}

/// Converts milliseconds, with negative values as 0.
fn duration(ms: i64) -> Duration {
    Duration::from_millis(u64::try_from(ms).unwrap_or(0))
}

/// Converts a limit in ms. Returns `None` if it is so large that it means "unlimited".
fn limit(ms: i64) -> Option<Duration> {
    (ms < Info::UNLIMITED).then(|| duration(ms))
}

/// Converts a limit. Returns `None` if it is 0 or negative, which means "unlimited".
fn positive<T: TryFrom<i64>>(n: i64) -> Option<T> {
    if n > 0 { T::try_from(n).ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(lines: &[&str]) -> Options {
        let mut options = Options::default();
        lines.iter().for_each(|line| options.apply(&Info::parse(line)).unwrap());
        options
    }

    fn left(lines: &[&str]) -> Option<u128> {
        options(lines).left().map(|left| left.as_millis())
    }

    #[test]
    fn match_time_decreases_by_own_thinking_time() {
        let mut options = options(&["timeout_match 10000", "time_increment 500"]);
        options.charge(Duration::from_millis(3000));
        assert_eq!(options.left(), Some(Duration::from_millis(7500)));
        options.charge(Duration::from_secs(100));
        assert_eq!(options.left(), Some(Duration::ZERO));
        options.new_game();
        assert_eq!(options.left(), Some(Duration::from_millis(10_000)));
    }

    #[test]
    fn time_left_overrides_match_time_and_decreases() {
        let mut options = options(&["timeout_match 10000", "time_left 4000"]);
        options.charge(Duration::from_millis(1500));
        assert_eq!(options.left(), Some(Duration::from_millis(2500)));
        options.apply(&Info::TimeLeft(9000)).unwrap();
        assert_eq!(options.left(), Some(Duration::from_millis(9000)));
    }

    #[test]
    fn time_left_applies_to_one_game() {
        let mut options = options(&["time_left 4000"]);
        options.new_game();
        assert_eq!(options.left(), Some(Duration::from_millis(4000)));
        options.charge(Duration::from_millis(1));
        options.new_game();
        assert_eq!(options.left(), None);
    }

    #[test]
    fn only_time_options_set_a_deadline() {
        let (start, now) = (Instant::now(), Instant::now() + Duration::from_secs(5));
        let end = |lines: &[&str], line| options(lines).deadline(&Info::parse(line), start, now);
        let after = |time: Instant, ms| Some(time + Duration::from_millis(ms));
        assert_eq!(end(&[], "timeout_turn 900"), after(start, 900));
        assert_eq!(end(&[], "time_left 900"), after(now, 900));
        assert_eq!(end(&[], "time_left -1"), after(now, 0));
        assert_eq!(end(&[], "time_left 0"), None, "without match time");
        assert_eq!(end(&["timeout_match 5000"], "time_left 0"), after(now, 0));
        for line in ["timeout_turn 2147483647", "time_left 2147483647", "rule 1", "max_node 5"] {
            assert_eq!(end(&["timeout_match 5000"], line), None, "{line}");
        }
    }

    #[test]
    fn zero_and_huge_values_mean_unlimited() {
        assert_eq!(left(&[]), None);
        assert_eq!(left(&["timeout_match 0"]), None);
        assert_eq!(left(&["timeout_match 2147483647"]), None);
        assert_eq!(left(&["timeout_match 5000", "time_left 2147483647"]), None);
        assert_eq!(left(&["time_left 0"]), None);
        assert_eq!(left(&["time_left 0", "timeout_match 5000"]), Some(0));
        assert_eq!(left(&["time_left -5"]), Some(0));
        assert_eq!(left(&["time_left -9999999999999999999"]), Some(0));
        let turn = |lines: &[&str]| options(lines).time().0;
        assert_eq!(turn(&["timeout_turn 2147483647"]), None);
        assert_eq!(turn(&["timeout_turn 99999999999999999999"]), None);
        assert_eq!(turn(&["timeout_turn -1"]), Some(Duration::ZERO));
    }

    #[test]
    fn a_move_has_a_default_limit_if_nothing_else_ends_the_search() {
        let turn = |lines: &[&str]| options(lines).time().0;
        assert_eq!(turn(&[]), Some(DEFAULT_TURN));
        assert_eq!(turn(&["max_node 0", "time_left 2147483647"]), Some(DEFAULT_TURN));
        assert_eq!(turn(&["max_node 2147483647"]), Some(DEFAULT_TURN));
        assert_eq!(turn(&["max_node 500"]), None);
        assert_eq!(turn(&["timeout_match 5000"]), None);
        assert_eq!(turn(&["max_node 500", "timeout_turn 100"]), Some(Duration::from_millis(100)));
    }

    #[test]
    fn levels_of_yixin_board_without_a_limit_are_recognized() {
        let lines = ["timeout_turn 2000000", "timeout_match 100000000", "time_left 100000000"];
        let mut options = options(&lines);
        let limits = (Some(UNLIMITED_TURN), Some(UNLIMITED_GAME));
        assert_eq!(options.time(), limits);
        options.enable_yixin_mode();
        assert_eq!(options.time(), (None, None));
        let now = Instant::now();
        for info in [Info::TimeoutTurn(2_000_000), Info::TimeLeft(100_000_000)] {
            assert_eq!(options.deadline(&info, now, now), None);
        }
        options.apply(&Info::TimeoutMatch(99_999_999)).unwrap();
        assert_eq!(options.time(), limits);
    }

    #[test]
    fn rule_numbers_may_include_the_continuous_flag() {
        let variant = |n: i64| options(&[&format!("rule {n}")]).variant().map(|v| v.rule());
        for (number, expected) in [
            (0, Rule::Freestyle),
            (1, Rule::Standard),
            (2, Rule::Freestyle),
            (3, Rule::Standard),
            (4, Rule::Renju),
            (6, Rule::Renju),
            (8, Rule::CaroOverline),
            (9, Rule::Caro),
            (10, Rule::CaroOverline),
            (11, Rule::Caro),
        ] {
            assert_eq!(variant(number), Ok(expected), "rule {number}");
        }
        for number in [-2, -1, 5, 7, 12, 13, 16, 64] {
            assert_eq!(variant(number), Err(UnsupportedVariant::Rule(number)));
        }
    }

    #[test]
    fn rule_2_is_renju_only_in_yixin_mode() {
        let mut options = options(&["rule 2"]);
        options.enable_yixin_mode();
        assert_eq!(options.variant(), Ok(Variant::FREESTYLE));
        options.apply(&Info::Rule(2)).unwrap();
        assert_eq!(options.variant(), Ok(Variant::RENJU));
    }

    #[test]
    fn win_length_is_validated_with_the_rule() {
        assert!(options(&["win_length 4", "rule 1"]).variant().is_ok());
        assert!(options(&["win_length 4", "rule 4"]).variant().is_err());
        for wrong in ["7", "300", "-5"] {
            let error =
                options(&[&format!("win_length {wrong}")]).variant().unwrap_err().to_string();
            assert!(error.contains(&format!("win length {wrong} is")), "{error}");
        }
    }

    #[test]
    fn hash_size_respects_the_memory_limit() {
        let hash = |lines: &[&str]| options(lines).hash_bytes();
        assert_eq!(hash(&[]), DEFAULT_MEMORY - MEMORY_BASELINE - MAX_MARGIN);
        assert_eq!(hash(&["max_memory 0"]), hash(&[]));
        let margin = 100_000_000 / MARGIN_DIVISOR;
        assert_eq!(hash(&["max_memory 100000000"]), 100_000_000 - MEMORY_BASELINE - margin);
        assert_eq!(hash(&["max_memory 1"]), MIN_HASH);
        assert_eq!(hash(&["max_memory -1"]), hash(&[]));
        assert_eq!(hash(&["hash_size 1024"]), 1 << 20);
        assert_eq!(hash(&["hash_size 1024", "max_memory 1"]), MIN_HASH);
        assert_eq!(hash(&["hash_size 9223372036854775807"]), 1 << 30);
        assert_eq!(hash(&["max_memory 9223372036854775807"]), 1 << 30);
    }

    #[test]
    fn thread_count_respects_the_memory_limit() {
        let resources = |memory: usize, threads| {
            let options = Options { max_memory: Some(memory), threads, ..Options::default() };
            (options.threads(), options.hash_bytes())
        };
        let four = MEMORY_BASELINE + 3 * MEMORY_PER_THREAD;
        let margin = 100_000_000 / MARGIN_DIVISOR;
        assert_eq!(resources(100_000_000, 4), (4, 100_000_000 - four - margin));
        assert_eq!(resources(four + MIN_HASH, 4), (4, MIN_HASH));
        assert_eq!(resources(four + MIN_HASH - 1, 4).0, 3);
        assert_eq!(resources(1, 64), (1, MIN_HASH));
        for memory in (0..600).map(|mb| MEMORY_BASELINE + MIN_HASH + mb * 1_000_000) {
            let (threads, hash) = resources(memory, 64);
            assert!(MEMORY_BASELINE + (threads - 1) * MEMORY_PER_THREAD + hash <= memory);
        }
    }

    #[test]
    fn huge_increments_do_not_overflow() {
        let increment = format!("time_increment {}", i64::MAX);
        let mut options = options(&["timeout_match 10000", &increment]);
        options.charge(Duration::from_secs(1));
        options.charge(Duration::from_secs(1));
        let left = options.limits(Instant::now(), 1).left;
        assert!(left.is_some_and(|left| left > Duration::from_secs(1 << 40)), "{left:?}");
    }

    #[test]
    fn zero_depth_and_nodes_mean_unlimited() {
        let limits = options(&["max_node 0", "max_depth -1"]).limits(Instant::now(), 1);
        assert_eq!((limits.max_nodes, limits.max_depth), (None, None));
        let limits = options(&["max_node 500", "max_depth 7"]).limits(Instant::now(), 1);
        assert_eq!((limits.max_nodes, limits.max_depth), (Some(500), Some(7)));
    }
}
