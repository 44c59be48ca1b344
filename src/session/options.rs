//! What `INFO` has set: rule, limits, memory.
//!
//! Options hold from the moment they are sent, across games, until they are sent again. A rule that
//! is not supported is kept as such and told when a game is to be played by it, since `INFO` itself
//! is never answered.

use std::fmt;
use std::num::NonZero;
use std::thread;
use std::time::{Duration, Instant};

use kakugo::board::{Rule, UnsupportedWinLength, Variant};
use kakugo::search::{Limits, NetworkError, Networks};
use kakugo_protocol::Info;

/// Time for a move where the manager names none, as in Gomocup's example brain.
const DEFAULT_TURN: Duration = Duration::from_secs(30);

/// Memory for the process where the manager names none (or no limit), in bytes: what Gomocup gives.
const DEFAULT_MEMORY: usize = 350_000_000;

/// What the process takes besides the transposition table, in bytes: the program, tables of shapes,
/// stacks and the search's own state with one thread, and the networks. Measured without these: 7 MB at
/// most, under every rule on 20x20; the rest is reserve for what the system adds.
const MEMORY_BASELINE: usize = (16 << 20) + NETWORKS;

/// What networks take, in bytes: those of all rules take 4 MB in the program and 5 MB as they are laid
/// out for use, and while a file is read it is there three times.
const NETWORKS: usize = 12 << 20;

/// What each further thread takes, in bytes: its stack, what it remembers and what the system adds.
/// Measured: 3 MB at most; the rest is reserve, as above.
const MEMORY_PER_THREAD: usize = 6 << 20;

/// What stays unused of the memory granted: one part in this many, up to [`MOST_SPARED`]. GomocupJudge saw
/// 348.7 of 350 MB in long games without it, and ends a game when the limit is passed.
const SPARED_DIVISOR: usize = 32;

/// Most of it, in bytes.
const MOST_SPARED: usize = 10 << 20;

/// Smallest transposition table, in bytes, however little memory is granted.
const MIN_HASH: usize = 64 << 10;

/// Largest transposition table is `2^MAX_HASH_LOG2_KB` KB.
const MAX_HASH_LOG2_KB: u32 = 20;

/// A rule number that names no rule we know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum UnsupportedVariant {
    Rule(i64),
    WinLength(UnsupportedWinLength),
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
        }
    }
}

/// A network that cannot be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct UnusableNetwork {
    name: String,
    error: NetworkError,
}

impl fmt::Display for UnusableNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Whatever the manager has sent, this is one line of text.
        let name: String =
            self.name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        write!(f, "network {name} is not used: {}", self.error)
    }
}

/// What is left of the match time, as `INFO time_left` last said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TimeLeft {
    Unlimited,
    /// Exactly 0, which some managers send where there is no match time.
    Zero,
    /// In ms; below 0 when it was exceeded.
    Ms(i64),
}

/// The session's options.
#[derive(Debug)]
pub(super) struct Options {
    rule: Result<Rule, i64>,
    win_length: u8,
    turn: Option<Duration>,
    game: Option<Duration>,
    increment: Duration,
    left: Option<TimeLeft>,
    /// Whether a move was played since `time_left` came.
    left_is_old: bool,
    /// Own thinking in this game, less the increments gained.
    used_ms: i64,
    max_memory: Option<usize>,
    hash_size: Option<usize>,
    /// Whether the manager has said how much memory there is.
    knows_memory: bool,
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
            win_length: 5,
            turn: Some(DEFAULT_TURN),
            game: None,
            increment: Duration::ZERO,
            left: None,
            left_is_old: false,
            used_ms: 0,
            max_memory: None,
            hash_size: None,
            knows_memory: false,
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
    /// Set what an `INFO` line says.
    ///
    /// # Errors
    /// It names a network that cannot be used.
    pub(super) fn apply(&mut self, info: &Info) -> Result<(), UnusableNetwork> {
        match *info {
            Info::TimeoutTurn(ms) => self.turn = limit(ms),
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
                (self.max_memory, self.knows_memory) = (positive(bytes), true);
            }
            Info::HashSize(kb) => {
                let bytes = kb.saturating_mul(1024);
                (self.hash_size, self.knows_memory) = (positive(bytes), true);
            }
            Info::ThreadNum(n) => self.threads = n.clamp(1, max_threads() as i64) as usize,
            Info::MaxNode(n) => self.max_nodes = positive(n),
            Info::MaxDepth(n) => self.max_depth = positive(n.min(i64::from(u32::MAX))),
            Info::Rule(number) => self.rule = rule(number, self.yixin),
            Info::WinLength(n) => self.win_length = u8::try_from(n).unwrap_or(0),
            Info::ShowDetail(n) => self.detail = n != 0,
            Info::Pondering(n) => self.pondering = n != 0,
            Info::GameType(n) => self.tournament = matches!(n, 2 | 3),
            Info::Evaluate(_) | Info::Folder(_) => {}
            Info::Net(ref name) => {
                let refuse = |error| UnusableNetwork { name: name.clone(), error };
                return self.networks.choose(name).map_err(refuse);
            }
            Info::Other(ref text) if set_tunable(text) => log::info!("tuned {text}"),
            Info::Other(ref text) => log::info!("ignored INFO {text}"),
        }
        Ok(())
    }

    /// What values positions.
    pub(super) fn networks(&self) -> &Networks {
        &self.networks
    }

    /// Value positions with these from now on.
    pub(super) fn set_networks(&mut self, networks: Networks) {
        self.networks = networks;
    }

    /// `YXSHOWINFO`: from now on rule 2 is renju and a search is told in detail.
    pub(super) fn listen_as_yixin(&mut self) {
        self.yixin = true;
        self.detail = true;
    }

    /// Whether a search is to be told in detail.
    pub(super) fn wants_detail(&self) -> bool {
        self.detail
    }

    /// Whether to think while the opponent does: only where asked for, and never in a tournament.
    pub(super) fn may_ponder(&self) -> bool {
        self.pondering && !self.tournament
    }

    /// The rule to play by.
    pub(super) fn variant(&self) -> Result<Variant, UnsupportedVariant> {
        let rule = self.rule.map_err(UnsupportedVariant::Rule)?;
        Variant::new(rule, self.win_length).map_err(UnsupportedVariant::WinLength)
    }

    /// Threads to search with: as many as asked for, where the memory granted has room for them.
    pub(super) fn threads(&self) -> usize {
        let spare = self.memory().saturating_sub(MEMORY_BASELINE + MIN_HASH);
        self.threads.min(1 + spare / MEMORY_PER_THREAD)
    }

    /// Whether the manager has said how much memory there is, or that it is without limit.
    pub(super) fn knows_memory(&self) -> bool {
        self.knows_memory
    }

    /// Memory for the process, in bytes. A manager that names the size of the table alone leaves the rest open.
    fn memory(&self) -> usize {
        let default = if self.hash_size.is_some() { usize::MAX } else { DEFAULT_MEMORY };
        self.max_memory.unwrap_or(default)
    }

    /// What is kept from the transposition table, in bytes: what the process takes besides it, and what
    /// stays unused.
    fn own_needs(&self) -> usize {
        let spared = (self.memory() / SPARED_DIVISOR).min(MOST_SPARED);
        MEMORY_BASELINE + MEMORY_PER_THREAD * (self.threads() - 1) + spared
    }

    /// What is left of the match time; `None` without a limit.
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

    /// What bounds a search that began at `start`.
    pub(super) fn limits(&self, start: Instant, multi_pv: usize) -> Limits {
        Limits {
            start,
            turn: self.turn,
            left: self.left(),
            increment: self.increment,
            max_depth: self.max_depth,
            max_nodes: self.max_nodes,
            multi_pv,
            ..Limits::default()
        }
    }

    /// When a search that began at `start` must end by what this `INFO` says now; `None` where that is not
    /// about its time.
    pub(super) fn end_by(&self, info: &Info, start: Instant, now: Instant) -> Option<Instant> {
        match *info {
            Info::TimeoutTurn(ms) => start.checked_add(limit(ms)?),
            Info::TimeLeft(0) if self.game.is_none() => None,
            Info::TimeLeft(ms) => now.checked_add(limit(ms)?),
            _ => None,
        }
    }

    /// A move took `elapsed` of our time.
    pub(super) fn charge(&mut self, elapsed: Duration) {
        let ms = |d: Duration| i64::try_from(d.as_millis()).unwrap_or(i64::MAX);
        let cost = ms(elapsed).saturating_sub(ms(self.increment));
        self.used_ms = self.used_ms.saturating_add(cost);
        self.left_is_old = true;
        if let Some(TimeLeft::Ms(left)) = &mut self.left {
            *left = left.saturating_sub(cost);
        }
    }

    /// A new game begins: its match time is full. A `time_left` that was sent for it stays.
    pub(super) fn new_game(&mut self) {
        self.used_ms = 0;
        if self.left_is_old {
            self.left = None;
        }
    }

    /// Size of the transposition table, in bytes, that keeps the process within `max_memory`.
    pub(super) fn hash_bytes(&self) -> usize {
        let granted = self.memory().saturating_sub(self.own_needs());
        granted.min(self.hash_size.unwrap_or(granted)).clamp(MIN_HASH, 1024 << MAX_HASH_LOG2_KB)
    }

    /// Base-2 logarithm of the largest transposition table in KB, as `YXSHOWINFO` tells it.
    pub(super) fn max_hash_log2_kb(&self) -> u32 {
        let Some(memory) = self.max_memory else { return MAX_HASH_LOG2_KB };
        let kb = memory.saturating_sub(self.own_needs()).max(MIN_HASH) / 1024;
        kb.ilog2().min(MAX_HASH_LOG2_KB)
    }
}

/// Most threads that make sense here.
pub(super) fn max_threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// A rule's number as a rule. Walls of continuous games are known whatever the rule, so 2 adds
/// nothing.
fn rule(number: i64, yixin: bool) -> Result<Rule, i64> {
    const CONTINUOUS: i64 = 2;
    if yixin && number == 2 {
        return Ok(Rule::Renju);
    }
    let bare = if number > 0 { number & !CONTINUOUS } else { number };
    let rule = Rule::ALL.into_iter().find(|rule| i64::from(rule.number()) == bare);
    rule.ok_or(number)
}

/// Set the tunable of the search that `NAME VALUE` names; `false` if there is none of this name, or if
/// this is no tuning build.
fn set_tunable(text: &str) -> bool {
    #[cfg(feature = "tuning")]
    if let Some((name, Ok(value))) = text.split_once(' ').map(|(n, v)| (n, v.trim().parse())) {
        return kakugo::search::set_tunable(&name.to_lowercase(), value);
    }
    #[cfg(not(feature = "tuning"))]
    let _ = text;
    false
}

/// Milliseconds; less than none is none.
fn duration(ms: i64) -> Duration {
    Duration::from_millis(u64::try_from(ms).unwrap_or(0))
}

/// A limit in ms, where a huge one is none.
fn limit(ms: i64) -> Option<Duration> {
    (ms < Info::UNLIMITED).then(|| duration(ms))
}

/// A limit where 0 and less mean that there is none.
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
    fn match_time_runs_down_by_own_thinking() {
        let mut options = options(&["timeout_match 10000", "time_increment 500"]);
        options.charge(Duration::from_millis(3000));
        assert_eq!(options.left(), Some(Duration::from_millis(7500)));
        options.charge(Duration::from_secs(100));
        assert_eq!(options.left(), Some(Duration::ZERO));
        options.new_game();
        assert_eq!(options.left(), Some(Duration::from_millis(10_000)));
    }

    #[test]
    fn time_left_overrides_and_runs_down_too() {
        let mut options = options(&["timeout_match 10000", "time_left 4000"]);
        options.charge(Duration::from_millis(1500));
        assert_eq!(options.left(), Some(Duration::from_millis(2500)));
        options.apply(&Info::TimeLeft(9000)).unwrap();
        assert_eq!(options.left(), Some(Duration::from_millis(9000)));
    }

    #[test]
    fn time_left_holds_for_the_game_it_was_sent_for() {
        let mut options = options(&["time_left 4000"]);
        options.new_game();
        assert_eq!(options.left(), Some(Duration::from_millis(4000)));
        options.charge(Duration::from_millis(1));
        options.new_game();
        assert_eq!(options.left(), None);
    }

    #[test]
    fn times_end_a_search_and_nothing_else_does() {
        let (start, now) = (Instant::now(), Instant::now() + Duration::from_secs(5));
        let end = |lines: &[&str], line| options(lines).end_by(&Info::parse(line), start, now);
        let after = |time: Instant, ms| Some(time + Duration::from_millis(ms));
        assert_eq!(end(&[], "timeout_turn 900"), after(start, 900));
        assert_eq!(end(&[], "time_left 900"), after(now, 900));
        assert_eq!(end(&[], "time_left -1"), after(now, 0));
        assert_eq!(end(&[], "time_left 0"), None, "there is no match time");
        assert_eq!(end(&["timeout_match 5000"], "time_left 0"), after(now, 0));
        for line in ["timeout_turn 2147483647", "time_left 2147483647", "rule 1", "max_node 5"] {
            assert_eq!(end(&["timeout_match 5000"], line), None, "{line}");
        }
    }

    #[test]
    fn no_limit_has_many_spellings() {
        assert_eq!(left(&[]), None);
        assert_eq!(left(&["timeout_match 0"]), None);
        assert_eq!(left(&["timeout_match 2147483647"]), None);
        assert_eq!(left(&["timeout_match 5000", "time_left 2147483647"]), None);
        assert_eq!(left(&["time_left 0"]), None);
        assert_eq!(left(&["time_left 0", "timeout_match 5000"]), Some(0));
        assert_eq!(left(&["time_left -5"]), Some(0));
        assert_eq!(left(&["time_left -9999999999999999999"]), Some(0));
        assert_eq!(options(&["timeout_turn 2147483647"]).turn, None);
        assert_eq!(options(&["timeout_turn 99999999999999999999"]).turn, None);
        assert_eq!(options(&["timeout_turn -1"]).turn, Some(Duration::ZERO));
    }

    #[test]
    fn rules_are_sums() {
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
    fn rule_2_is_renju_for_yixin_only() {
        let mut options = options(&["rule 2"]);
        options.listen_as_yixin();
        assert_eq!(options.variant(), Ok(Variant::FREESTYLE));
        options.apply(&Info::Rule(2)).unwrap();
        assert_eq!(options.variant(), Ok(Variant::RENJU));
    }

    #[test]
    fn win_length_is_checked_with_the_rule() {
        assert!(options(&["win_length 4", "rule 1"]).variant().is_ok());
        assert!(options(&["win_length 4", "rule 4"]).variant().is_err());
        assert!(options(&["win_length 300"]).variant().is_err());
        assert!(options(&["win_length -5"]).variant().is_err());
    }

    #[test]
    fn the_table_fits_into_the_memory_granted() {
        let hash = |lines: &[&str]| options(lines).hash_bytes();
        assert_eq!(hash(&[]), DEFAULT_MEMORY - MEMORY_BASELINE - MOST_SPARED);
        assert_eq!(hash(&["max_memory 0"]), hash(&[]));
        let spared = 100_000_000 / SPARED_DIVISOR;
        assert_eq!(hash(&["max_memory 100000000"]), 100_000_000 - MEMORY_BASELINE - spared);
        assert_eq!(hash(&["max_memory 1"]), MIN_HASH);
        assert_eq!(hash(&["max_memory -1"]), hash(&[]));
        assert_eq!(hash(&["hash_size 1024"]), 1 << 20);
        assert_eq!(hash(&["hash_size 1024", "max_memory 1"]), MIN_HASH);
        assert_eq!(hash(&["hash_size 9223372036854775807"]), 1 << 30);
        assert_eq!(hash(&["max_memory 9223372036854775807"]), 1 << 30);
    }

    #[test]
    fn threads_get_their_share_of_the_memory_granted() {
        let asked = |memory: usize, threads| {
            let options = Options { max_memory: Some(memory), threads, ..Options::default() };
            (options.threads(), options.hash_bytes())
        };
        let four = MEMORY_BASELINE + 3 * MEMORY_PER_THREAD;
        let spared = 100_000_000 / SPARED_DIVISOR;
        assert_eq!(asked(100_000_000, 4), (4, 100_000_000 - four - spared));
        assert_eq!(asked(four + MIN_HASH, 4), (4, MIN_HASH));
        assert_eq!(asked(four + MIN_HASH - 1, 4).0, 3);
        assert_eq!(asked(1, 64), (1, MIN_HASH));
        for memory in (0..600).map(|mb| MEMORY_BASELINE + MIN_HASH + mb * 1_000_000) {
            let (threads, hash) = asked(memory, 64);
            assert!(MEMORY_BASELINE + (threads - 1) * MEMORY_PER_THREAD + hash <= memory);
        }
    }

    #[test]
    fn an_increment_without_end_gives_time_without_end() {
        let increment = format!("time_increment {}", i64::MAX);
        let mut options = options(&["timeout_match 10000", &increment]);
        options.charge(Duration::from_secs(1));
        options.charge(Duration::from_secs(1));
        let left = options.limits(Instant::now(), 1).left;
        assert!(left.is_some_and(|left| left > Duration::from_secs(1 << 40)), "{left:?}");
    }

    #[test]
    fn search_limits_of_zero_are_none() {
        let limits = options(&["max_node 0", "max_depth -1"]).limits(Instant::now(), 1);
        assert_eq!((limits.max_nodes, limits.max_depth), (None, None));
        let limits = options(&["max_node 500", "max_depth 7"]).limits(Instant::now(), 1);
        assert_eq!((limits.max_nodes, limits.max_depth), (Some(500), Some(7)));
    }
}
