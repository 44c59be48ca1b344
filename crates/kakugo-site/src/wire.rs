//! Jobs, their progress and their results as JSON, between the core worker and search workers.

use std::time::Duration;

use kakugo::board::{Board, Cell, Point, Rule, Side, Variant};
use kakugo::score::Score;
use kakugo_play_core::decisions::{MoveRequest, ThinkingTime};
use kakugo_play_core::game::live::Action;
use kakugo_play_core::game::opening::{Next, Opening, OpeningChoice};
use kakugo_play_core::game::setup::Seat;
use kakugo_play_core::game::setup_json::{SeatJson, SetupJson};
use kakugo_play_core::insight::{Idea, Mistake, MistakeSize, Outlook, Plan, PlanKind};
use kakugo_play_core::jobs::{AnalysisRequest, Job, JobResult, MoveFilter};
use kakugo_play_core::now::Time;
use kakugo_play_core::progress::{Features, Progress, PvLine};
use kakugo_play_core::puzzles::{Puzzle, Task};
use kakugo_play_core::saved_game;
use kakugo_play_core::solving::{Solution, SolveMethod, SolveRequest, SolveResult};
use kakugo_record::analysis::puzzle::{Verdict, WinKind};
use kakugo_record::analysis::review::EvaluatedPosition;
use kakugo_record::analysis::sequence::ThreatKind;
use kakugo_record::analysis::threats::Threats;
use serde::{Deserialize, Serialize};

/// A point: column from the left and row from the top, from 0.
type Xy = (u8, u8);

fn xy(p: Point) -> Xy {
    (p.x(), p.y())
}

/// Returns a time in whole milliseconds.
fn whole_ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

fn xys(points: &[Point]) -> Vec<Xy> {
    points.iter().copied().map(xy).collect()
}

fn point((x, y): Xy) -> Option<Point> {
    Point::new(x, y)
}

fn points(points: &[Xy]) -> Option<Vec<Point>> {
    points.iter().copied().map(point).collect()
}

/// A board: everything that a search sees of it.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct BoardWire {
    width: u8,
    height: u8,
    /// The rule's word.
    pub rule: String,
    win: u8,
    blocked: Vec<Xy>,
    /// In the order in which they were placed, with true for Black's.
    stones: Vec<(u8, u8, bool)>,
    /// Number of stones, from the first, that were set up.
    set_up: usize,
    black_to_move: bool,
}

impl BoardWire {
    fn new(board: &Board) -> BoardWire {
        let stone = |point: Point, side| (point.x(), point.y(), side == Side::Black);
        BoardWire {
            width: board.width(),
            height: board.height(),
            rule: board.variant().rule().word().to_owned(),
            win: board.variant().win_length(),
            blocked: board.points().filter(|&p| board.cell(p) == Cell::Wall).map(xy).collect(),
            stones: board.stones().map(|s| stone(s.point, s.side)).collect(),
            set_up: board.set_up_count(),
            black_to_move: board.side_to_move() == Side::Black,
        }
    }

    fn board(&self) -> Option<Board> {
        let variant = Variant::new(self.rule.parse::<Rule>().ok()?, self.win).ok()?;
        let mut board = Board::new(self.width, self.height, variant).ok()?;
        for p in points(&self.blocked)? {
            board.block(p).ok()?;
        }
        for &(x, y, is_black) in &self.stones {
            board.place(Point::new(x, y)?, side(is_black)).ok()?;
        }
        board.set_set_up_count(self.set_up);
        board.set_side_to_move(side(self.black_to_move));
        Some(board)
    }
}

fn side(is_black: bool) -> Side {
    if is_black { Side::Black } else { Side::White }
}

/// A job.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "snake_case")]
pub enum JobWire {
    /// [`Job::Move`].
    Move(MoveWire),
    /// [`Job::Hint`].
    Hint(MoveWire),
    /// [`Job::Verdict`].
    Verdict {
        /// Index of the task.
        task: usize,
        /// The position.
        board: BoardWire,
        /// The answer.
        answer: Xy,
    },
    /// [`Job::Solve`].
    Solve {
        /// The position.
        board: BoardWire,
        /// Index of the method.
        method: usize,
        /// The longest time.
        ms: u64,
    },
    /// [`Job::Outlook`].
    Outlook {
        /// The position.
        board: BoardWire,
    },
    /// [`Job::Mistake`].
    Mistake {
        /// The position before the move.
        before: BoardWire,
        /// The move.
        played: Xy,
        /// Index of the size.
        size: usize,
    },
    /// [`Job::Review`].
    Review {
        /// The position.
        board: BoardWire,
        /// Number of deeper searches so far.
        checks: Option<u8>,
        /// Time of the first search, in ms.
        ms: u64,
    },
    /// [`Job::Puzzles`].
    Puzzles {
        /// The game as it is saved.
        game: String,
    },
    /// [`Job::Analysis`].
    Analysis {
        /// The position.
        board: BoardWire,
        /// Number of best lines.
        lines: usize,
        /// The greatest depth, in plies.
        depth: Option<u32>,
        /// The longest time, in milliseconds.
        ms: Option<u64>,
        /// The only moves; all if it is empty.
        only: Vec<Xy>,
        /// Excluded moves.
        without: Vec<Xy>,
    },
    /// [`Job::Balance`].
    Balance {
        /// The position.
        board: BoardWire,
        /// Number of stones.
        stones: u8,
        /// The longest time, in milliseconds.
        ms: u64,
    },
}

/// A request for a move.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct MoveWire {
    board: BoardWire,
    seat: SeatJson,
    opening: String,
    next: NextWire,
    /// True if there are clocks: the time runs since the job was made.
    clocked: bool,
    turn_ms: Option<f64>,
    left_ms: Option<f64>,
    increment_ms: f64,
}

/// The next step of an opening, with the seat that takes it.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "snake_case")]
enum NextWire {
    Place(usize),
    Choose(usize, Vec<String>),
    Offer(usize, Vec<Xy>, usize),
    Pick(usize, Vec<Xy>),
    Turn,
}

impl NextWire {
    fn new(next: &Next) -> NextWire {
        match next {
            Next::Place { seat } => NextWire::Place(*seat),
            Next::Choose { seat, choices } => {
                NextWire::Choose(*seat, choices.iter().map(|choice| choice.word()).collect())
            }
            Next::Offer { seat, offered, count } => NextWire::Offer(*seat, xys(offered), *count),
            Next::Pick { seat, offered } => NextWire::Pick(*seat, xys(offered)),
            Next::Turn => NextWire::Turn,
        }
    }

    fn next(&self) -> Option<Next> {
        Some(match self {
            NextWire::Place(seat) => Next::Place { seat: *seat },
            NextWire::Choose(seat, words) => {
                let choices = words.iter().map(|word| OpeningChoice::from_word(word));
                Next::Choose { seat: *seat, choices: choices.collect::<Option<_>>()? }
            }
            NextWire::Offer(seat, offered, count) => {
                Next::Offer { seat: *seat, offered: points(offered)?, count: *count }
            }
            NextWire::Pick(seat, offered) => Next::Pick { seat: *seat, offered: points(offered)? },
            NextWire::Turn => Next::Turn,
        })
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn duration(ms: f64) -> Duration {
    Duration::try_from_secs_f64(ms / 1000.0).unwrap_or_default()
}

impl MoveWire {
    fn new(request: &MoveRequest) -> MoveWire {
        let MoveRequest { board, player, opening, next, time } = request;
        MoveWire {
            board: BoardWire::new(board),
            seat: SeatJson::from_seat(&Seat { player: *player, name: String::new() }),
            opening: opening.word().to_owned(),
            next: NextWire::new(next),
            clocked: time.since.is_some(),
            turn_ms: time.turn.map(ms),
            left_ms: time.left.map(ms),
            increment_ms: ms(time.increment),
        }
    }

    fn request(&self) -> Option<MoveRequest> {
        Some(MoveRequest {
            board: self.board.board()?,
            player: self.seat.seat().player,
            opening: Opening::from_word(&self.opening)?,
            next: self.next.next()?,
            time: ThinkingTime {
                since: self.clocked.then(Time::default),
                turn: self.turn_ms.map(duration),
                left: self.left_ms.map(duration),
                increment: duration(self.increment_ms),
            },
        })
    }
}

impl JobWire {
    /// Returns a job as JSON.
    pub fn new(job: &Job) -> JobWire {
        match job {
            Job::Move(request) => JobWire::Move(MoveWire::new(request)),
            Job::Hint(request) => JobWire::Hint(MoveWire::new(request)),
            Job::Verdict { task, board, answer } => JobWire::Verdict {
                task: index(&TASKS, task),
                board: BoardWire::new(board),
                answer: xy(*answer),
            },
            Job::Solve(request) => JobWire::Solve {
                board: BoardWire::new(&request.board),
                method: index(&METHODS, &request.method),
                ms: whole_ms(request.time),
            },
            Job::Outlook { board } => JobWire::Outlook { board: BoardWire::new(board) },
            Job::Mistake { before, played, size } => JobWire::Mistake {
                before: BoardWire::new(before),
                played: xy(*played),
                size: index(&SIZES, size),
            },
            Job::Review { board, checks, time } => JobWire::Review {
                board: BoardWire::new(board),
                checks: *checks,
                ms: whole_ms(*time),
            },
            Job::Puzzles(game) => JobWire::Puzzles { game: saved_game::write("", "", true, game) },
            Job::Analysis { board, request } => JobWire::Analysis {
                board: BoardWire::new(board),
                lines: request.lines,
                depth: request.depth,
                ms: request.time.map(whole_ms),
                only: xys(&request.moves.only),
                without: xys(&request.moves.without),
            },
            Job::Balance { board, stones, time } => JobWire::Balance {
                board: BoardWire::new(board),
                stones: *stones,
                ms: whole_ms(*time),
            },
        }
    }

    /// Returns the job, or `None` if it is not valid.
    pub fn job(&self) -> Option<Job> {
        Some(match self {
            JobWire::Move(request) => Job::Move(Box::new(request.request()?)),
            JobWire::Hint(request) => Job::Hint(Box::new(request.request()?)),
            JobWire::Verdict { task, board, answer } => Job::Verdict {
                task: *TASKS.get(*task)?,
                board: Box::new(board.board()?),
                answer: point(*answer)?,
            },
            JobWire::Solve { board, method, ms } => Job::Solve(Box::new(SolveRequest {
                board: board.board()?,
                method: *METHODS.get(*method)?,
                time: Duration::from_millis(*ms),
            })),
            JobWire::Outlook { board } => Job::Outlook { board: Box::new(board.board()?) },
            JobWire::Mistake { before, played, size } => Job::Mistake {
                before: Box::new(before.board()?),
                played: point(*played)?,
                size: *SIZES.get(*size)?,
            },
            JobWire::Review { board, checks, ms } => Job::Review {
                board: Box::new(board.board()?),
                checks: *checks,
                time: Duration::from_millis(*ms),
            },
            JobWire::Puzzles { game } => Job::Puzzles(Box::new(saved_game::read(game, &[])?.game)),
            JobWire::Analysis { board, lines, depth, ms, only, without } => Job::Analysis {
                board: Box::new(board.board()?),
                request: AnalysisRequest {
                    lines: *lines,
                    depth: *depth,
                    time: ms.map(Duration::from_millis),
                    moves: MoveFilter { only: points(only)?, without: points(without)? },
                },
            },
            JobWire::Balance { board, stones, ms } => Job::Balance {
                board: Box::new(board.board()?),
                stones: *stones,
                time: Duration::from_millis(*ms),
            },
        })
    }

    /// Returns the word of the rule whose network the job needs.
    pub fn rule(&self) -> Option<&str> {
        match self {
            JobWire::Move(request) | JobWire::Hint(request) => Some(&request.board.rule),
            JobWire::Verdict { board, .. }
            | JobWire::Solve { board, .. }
            | JobWire::Review { board, .. }
            | JobWire::Mistake { before: board, .. }
            | JobWire::Analysis { board, .. }
            | JobWire::Balance { board, .. } => Some(&board.rule),
            JobWire::Puzzles { .. } | JobWire::Outlook { .. } => None,
        }
    }
}

/// An action of a player.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "snake_case")]
pub enum ActionWire {
    /// [`Action::Stone`].
    Stone(u8, u8),
    /// [`Action::Choose`], by its word.
    Choose(String),
    /// [`Action::Pass`].
    Pass,
    /// [`Action::SetUp`].
    SetUp,
}

impl ActionWire {
    fn new(action: Action) -> ActionWire {
        match action {
            Action::Stone(p) => ActionWire::Stone(p.x(), p.y()),
            Action::Choose(choice) => ActionWire::Choose(choice.word()),
            Action::Pass => ActionWire::Pass,
            Action::SetUp => ActionWire::SetUp,
        }
    }

    fn action(&self) -> Option<Action> {
        Some(match self {
            ActionWire::Stone(x, y) => Action::Stone(Point::new(*x, *y)?),
            ActionWire::Choose(word) => Action::Choose(OpeningChoice::from_word(word)?),
            ActionWire::Pass => Action::Pass,
            ActionWire::SetUp => Action::SetUp,
        })
    }
}

/// The result of a job.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "snake_case")]
pub enum ResultWire {
    /// [`JobResult::Move`].
    Move(Result<Vec<ActionWire>, String>),
    /// [`JobResult::Hint`].
    Hint(Vec<ActionWire>, Option<IdeaWire>),
    /// [`JobResult::Outlook`].
    Outlook(OutlookWire),
    /// [`JobResult::Mistake`].
    Mistake(Option<MistakeWire>),
    /// [`JobResult::Verdict`].
    Verdict(VerdictWire),
    /// [`JobResult::Review`].
    Review(ReviewWire),
    /// [`JobResult::Solve`]: index of the result, line and nodes.
    Solve(usize, Vec<Xy>, bool, u64),
    /// [`JobResult::Puzzles`].
    Puzzles(Vec<PuzzleWire>),
    /// [`JobResult::Analysis`].
    Analysis,
    /// [`JobResult::Balance`].
    Balance(Option<LineWire>),
}

/// The kinds of plans, the kinds of threats and the sizes of mistakes in their order.
const PLANS: [PlanKind; 5] =
    [PlanKind::Five, PlanKind::OpenFour, PlanKind::DoubleFour, PlanKind::Fours, PlanKind::Threats];
const SIZES: [MistakeSize; 3] = [MistakeSize::Small, MistakeSize::Medium, MistakeSize::Large];

/// Returns the index of an item in a list that has all of them.
fn index<T: PartialEq>(all: &[T], item: &T) -> usize {
    all.iter().position(|other| other == item).unwrap_or(0)
}

/// Converts an optional value; `None` if there is one and it is not valid.
fn valid<W, T>(wire: Option<&W>, convert: impl FnOnce(&W) -> Option<T>) -> Option<Option<T>> {
    wire.map_or(Some(None), |wire| convert(wire).map(Some))
}

/// A plan.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct PlanWire {
    black: bool,
    kind: usize,
    line: Vec<Xy>,
    stones: Vec<Xy>,
    points: Vec<Xy>,
}

impl PlanWire {
    fn new(plan: &Plan) -> PlanWire {
        PlanWire {
            black: plan.side == Side::Black,
            kind: index(&PLANS, &plan.kind),
            line: xys(&plan.line),
            stones: xys(&plan.stones),
            points: xys(&plan.points),
        }
    }

    fn plan(&self) -> Option<Plan> {
        Some(Plan {
            side: side(self.black),
            kind: *PLANS.get(self.kind)?,
            line: points(&self.line)?,
            stones: points(&self.stones)?,
            points: points(&self.points)?,
        })
    }
}

/// The idea of a move.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "snake_case")]
pub enum IdeaWire {
    /// [`Idea::Win`].
    Win(PlanWire),
    /// [`Idea::Stop`].
    Stop(PlanWire),
    /// [`Idea::FourFirst`].
    FourFirst(PlanWire),
    /// [`Idea::FourThenThree`].
    FourThenThree,
    /// [`Idea::Makes`], by the index of the threat.
    Makes(usize),
    /// [`Idea::Prevents`], by the index of the threat.
    Prevents(usize),
    /// [`Idea::Prepares`].
    Prepares(usize),
    /// [`Idea::FirstStone`].
    FirstStone,
    /// [`Idea::Quiet`].
    Quiet,
}

impl IdeaWire {
    fn new(idea: &Idea) -> IdeaWire {
        match idea {
            Idea::Win(plan) => IdeaWire::Win(PlanWire::new(plan)),
            Idea::Stop(plan) => IdeaWire::Stop(PlanWire::new(plan)),
            Idea::FourFirst(plan) => IdeaWire::FourFirst(PlanWire::new(plan)),
            Idea::FourThenThree => IdeaWire::FourThenThree,
            Idea::Makes(threat) => IdeaWire::Makes(index(&ThreatKind::ALL, threat)),
            Idea::Prevents(threat) => IdeaWire::Prevents(index(&ThreatKind::ALL, threat)),
            Idea::Prepares(points) => IdeaWire::Prepares(*points),
            Idea::FirstStone => IdeaWire::FirstStone,
            Idea::Quiet => IdeaWire::Quiet,
        }
    }

    fn idea(&self) -> Option<Idea> {
        Some(match self {
            IdeaWire::Win(plan) => Idea::Win(plan.plan()?),
            IdeaWire::Stop(plan) => Idea::Stop(plan.plan()?),
            IdeaWire::FourFirst(plan) => Idea::FourFirst(plan.plan()?),
            IdeaWire::FourThenThree => Idea::FourThenThree,
            IdeaWire::Makes(threat) => Idea::Makes(*ThreatKind::ALL.get(*threat)?),
            IdeaWire::Prevents(threat) => Idea::Prevents(*ThreatKind::ALL.get(*threat)?),
            IdeaWire::Prepares(points) => Idea::Prepares(*points),
            IdeaWire::FirstStone => Idea::FirstStone,
            IdeaWire::Quiet => Idea::Quiet,
        })
    }
}

/// What a player should see.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct OutlookWire {
    win: Option<PlanWire>,
    threat: Option<PlanWire>,
    defences: Vec<Xy>,
    threes: Vec<Xy>,
}

impl OutlookWire {
    fn new(outlook: &Outlook) -> OutlookWire {
        OutlookWire {
            win: outlook.win.as_ref().map(PlanWire::new),
            threat: outlook.threat.as_ref().map(PlanWire::new),
            defences: xys(&outlook.defences),
            threes: xys(&outlook.threes),
        }
    }

    fn outlook(&self) -> Option<Outlook> {
        Some(Outlook {
            win: valid(self.win.as_ref(), PlanWire::plan)?,
            threat: valid(self.threat.as_ref(), PlanWire::plan)?,
            defences: points(&self.defences)?,
            threes: points(&self.threes)?,
        })
    }
}

/// A mistake.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "snake_case")]
pub enum MistakeWire {
    /// [`Mistake::Allows`].
    Allows(PlanWire, Xy),
    /// [`Mistake::Misses`].
    Misses(PlanWire),
    /// [`Mistake::Costs`]: true for Black, the results before and after, and the line.
    Costs(bool, u32, u32, Vec<Xy>),
}

impl MistakeWire {
    fn new(mistake: &Mistake) -> MistakeWire {
        match mistake {
            Mistake::Allows { plan, better } => {
                MistakeWire::Allows(PlanWire::new(plan), xy(*better))
            }
            Mistake::Misses { plan } => MistakeWire::Misses(PlanWire::new(plan)),
            Mistake::Costs { side, before, after, line } => {
                MistakeWire::Costs(*side == Side::Black, *before, *after, xys(line))
            }
        }
    }

    fn mistake(&self) -> Option<Mistake> {
        Some(match self {
            MistakeWire::Allows(plan, better) => {
                Mistake::Allows { plan: plan.plan()?, better: point(*better)? }
            }
            MistakeWire::Misses(plan) => Mistake::Misses { plan: plan.plan()? },
            MistakeWire::Costs(black, before, after, line) => Mistake::Costs {
                side: side(*black),
                before: *before,
                after: *after,
                line: points(line)?,
            },
        })
    }
}

/// The evaluation of a position.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct ReviewWire {
    black: i32,
    permille: u32,
    line: Vec<Xy>,
    depth: u32,
    by_fours: bool,
    checks: u8,
}

impl ReviewWire {
    fn new(position: &EvaluatedPosition) -> ReviewWire {
        ReviewWire {
            black: position.black.value(),
            permille: position.black_permille,
            line: xys(&position.best_line),
            depth: position.depth,
            by_fours: position.by_fours,
            checks: position.checks,
        }
    }

    fn position(&self) -> Option<EvaluatedPosition> {
        Some(EvaluatedPosition {
            black: Score::from_value(self.black),
            black_permille: self.permille,
            best_line: points(&self.line)?,
            depth: self.depth,
            by_fours: self.by_fours,
            checks: self.checks,
        })
    }
}

/// The verdict on an answer.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[serde(rename_all = "snake_case")]
pub enum VerdictWire {
    /// [`Verdict::Solved`].
    Solved,
    /// [`Verdict::Right`].
    Right(Xy),
    /// [`Verdict::Wrong`].
    Wrong(Option<Xy>),
}

/// The kinds of wins in their order.
const KINDS: [WinKind; 5] =
    [WinKind::Five, WinKind::OpenFour, WinKind::FourThree, WinKind::Fours, WinKind::Threats];

/// The tasks, the methods and the results in their order.
const TASKS: [Task; 4] = [Task::Win, Task::Five, Task::Defend, Task::Hold];
const METHODS: [SolveMethod; 3] = [SolveMethod::Fours, SolveMethod::Threats, SolveMethod::Search];
const RESULTS: [SolveResult; 4] =
    [SolveResult::Win, SolveResult::Loss, SolveResult::NoWin, SolveResult::Unknown];

/// A puzzle of a game.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct PuzzleWire {
    setup: SetupJson,
    moves: Vec<Xy>,
    black: bool,
    task: usize,
    right: Vec<Xy>,
    line: Vec<Xy>,
    stones: usize,
    kind: Option<usize>,
    grade: u8,
    missed: bool,
    own: bool,
    date: String,
    title: String,
}

impl PuzzleWire {
    fn new(puzzle: &Puzzle) -> PuzzleWire {
        PuzzleWire {
            setup: SetupJson::from_setup(&puzzle.setup),
            moves: xys(&puzzle.moves),
            black: puzzle.side == Side::Black,
            line: xys(&puzzle.line),
            stones: puzzle.stones,
            task: index(&TASKS, &puzzle.task),
            right: xys(&puzzle.right),
            kind: puzzle.kind.map(|kind| index(&KINDS, &kind)),
            grade: puzzle.grade,
            missed: puzzle.missed,
            own: puzzle.own,
            date: puzzle.date.clone(),
            title: puzzle.title.clone(),
        }
    }

    fn puzzle(self) -> Option<Puzzle> {
        Some(Puzzle {
            setup: self.setup.unchecked().ok()?,
            moves: points(&self.moves)?,
            side: side(self.black),
            line: points(&self.line)?,
            stones: self.stones,
            task: *TASKS.get(self.task)?,
            right: points(&self.right)?,
            kind: match self.kind {
                Some(kind) => Some(*KINDS.get(kind)?),
                None => None,
            },
            // Problems with steps are found by no job.
            step: None,
            title: self.title,
            grade: self.grade,
            missed: self.missed,
            own: self.own,
            date: self.date,
        })
    }
}

impl ResultWire {
    /// Returns a result as JSON.
    pub fn new(result: &JobResult) -> ResultWire {
        let actions = |actions: &[Action]| actions.iter().copied().map(ActionWire::new).collect();
        match result {
            JobResult::Move(decided) => {
                ResultWire::Move(decided.as_deref().map(actions).map_err(Clone::clone))
            }
            JobResult::Hint { actions: suggested, idea } => {
                ResultWire::Hint(actions(suggested), idea.as_deref().map(IdeaWire::new))
            }
            JobResult::Outlook(outlook) => ResultWire::Outlook(OutlookWire::new(outlook)),
            JobResult::Mistake(mistake) => {
                ResultWire::Mistake(mistake.as_deref().map(MistakeWire::new))
            }
            JobResult::Verdict(verdict) => ResultWire::Verdict(match verdict {
                Verdict::Solved => VerdictWire::Solved,
                Verdict::Right(reply) => VerdictWire::Right(xy(*reply)),
                Verdict::Wrong(reply) => VerdictWire::Wrong(reply.map(xy)),
            }),
            JobResult::Review(position) => ResultWire::Review(ReviewWire::new(position)),
            JobResult::Puzzles(puzzles) => {
                ResultWire::Puzzles(puzzles.iter().map(PuzzleWire::new).collect())
            }
            JobResult::Solve(Solution { result, line, is_shortest, nodes }) => {
                ResultWire::Solve(index(&RESULTS, result), xys(line), *is_shortest, *nodes)
            }
            JobResult::Analysis => ResultWire::Analysis,
            JobResult::Balance(line) => ResultWire::Balance(line.as_ref().map(LineWire::new)),
        }
    }

    /// Returns the result, or `None` if it is not valid.
    pub fn result(self) -> Option<JobResult> {
        let actions = |actions: Vec<ActionWire>| {
            actions.iter().map(ActionWire::action).collect::<Option<_>>()
        };
        Some(match self {
            ResultWire::Move(Ok(decided)) => JobResult::Move(Ok(actions(decided)?)),
            ResultWire::Move(Err(error)) => JobResult::Move(Err(error)),
            ResultWire::Hint(suggested, idea) => JobResult::Hint {
                actions: actions(suggested)?,
                idea: valid(idea.as_ref(), IdeaWire::idea)?.map(Box::new),
            },
            ResultWire::Outlook(outlook) => JobResult::Outlook(Box::new(outlook.outlook()?)),
            ResultWire::Mistake(mistake) => {
                let mistake = valid(mistake.as_ref(), MistakeWire::mistake)?;
                JobResult::Mistake(mistake.map(Box::new))
            }
            ResultWire::Verdict(verdict) => JobResult::Verdict(match verdict {
                VerdictWire::Solved => Verdict::Solved,
                VerdictWire::Right(reply) => Verdict::Right(point(reply)?),
                VerdictWire::Wrong(None) => Verdict::Wrong(None),
                VerdictWire::Wrong(Some(reply)) => Verdict::Wrong(Some(point(reply)?)),
            }),
            ResultWire::Review(position) => JobResult::Review(position.position()?),
            ResultWire::Puzzles(puzzles) => {
                let puzzles = puzzles.into_iter().map(PuzzleWire::puzzle);
                JobResult::Puzzles(puzzles.collect::<Option<_>>()?)
            }
            ResultWire::Solve(result, line, is_shortest, nodes) => JobResult::Solve(Solution {
                result: *RESULTS.get(result)?,
                line: points(&line)?,
                is_shortest,
                nodes,
            }),
            ResultWire::Analysis => JobResult::Analysis,
            ResultWire::Balance(None) => JobResult::Balance(None),
            ResultWire::Balance(Some(line)) => JobResult::Balance(Some(line.line()?)),
        })
    }
}

/// The progress of a job.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct ProgressWire {
    lines: Vec<LineWire>,
    seldepth: u32,
    nodes: u64,
    ms: f64,
    features: Option<FeaturesWire>,
}

/// A line of play.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct LineWire {
    depth: u32,
    score: i32,
    moves: Vec<Xy>,
}

impl LineWire {
    fn new(line: &PvLine) -> LineWire {
        LineWire { depth: line.depth, score: line.score.value(), moves: xys(&line.moves) }
    }

    fn line(&self) -> Option<PvLine> {
        let score = Score::from_value(self.score);
        Some(PvLine { depth: self.depth, score, moves: points(&self.moves)? })
    }
}

#[derive(Serialize, Deserialize, Clone, Debug)]
struct FeaturesWire {
    threats: [ThreatsWire; 2],
    candidates: Vec<(u8, u8, f64)>,
}

#[derive(Serialize, Deserialize, Clone, Debug)]
struct ThreatsWire {
    fives: Vec<Xy>,
    open_fours: Vec<Xy>,
    fours: Vec<Xy>,
    open_threes: Vec<Xy>,
    vcf: Vec<Xy>,
}

impl ThreatsWire {
    fn new(threats: &Threats) -> ThreatsWire {
        ThreatsWire {
            fives: xys(&threats.fives),
            open_fours: xys(&threats.open_fours),
            fours: xys(&threats.fours),
            open_threes: xys(&threats.open_threes),
            vcf: xys(&threats.vcf),
        }
    }

    fn threats(&self) -> Option<Threats> {
        Some(Threats {
            fives: points(&self.fives)?,
            open_fours: points(&self.open_fours)?,
            fours: points(&self.fours)?,
            open_threes: points(&self.open_threes)?,
            vcf: points(&self.vcf)?,
        })
    }
}

impl ProgressWire {
    /// Returns a progress as JSON.
    pub fn new(progress: &Progress) -> ProgressWire {
        let features = |features: &Features| FeaturesWire {
            threats: features.threats.each_ref().map(ThreatsWire::new),
            candidates: features.candidates.iter().map(|&(p, n)| (p.x(), p.y(), n)).collect(),
        };
        ProgressWire {
            lines: progress.lines.iter().map(LineWire::new).collect(),
            seldepth: progress.seldepth,
            nodes: progress.nodes,
            ms: ms(progress.elapsed),
            features: progress.features.as_deref().map(features),
        }
    }

    /// Returns the progress, or `None` if it is not valid.
    pub fn progress(&self) -> Option<Progress> {
        let candidate = |&(x, y, rating): &(u8, u8, f64)| Some((Point::new(x, y)?, rating));
        let features = match &self.features {
            None => None,
            Some(FeaturesWire { threats: [black, white], candidates }) => {
                Some(Box::new(Features {
                    threats: [black.threats()?, white.threats()?],
                    candidates: candidates.iter().map(candidate).collect::<Option<_>>()?,
                }))
            }
        };
        Some(Progress {
            lines: self.lines.iter().map(LineWire::line).collect::<Option<_>>()?,
            seldepth: self.seldepth,
            nodes: self.nodes,
            elapsed: duration(self.ms),
            features,
        })
    }
}

#[cfg(test)]
mod tests {
    use kakugo::board::Outcome;
    use kakugo::position::Position;
    use kakugo::search::Signals;
    use kakugo_play_core::game::live::LiveGame;
    use kakugo_play_core::game::setup::Setup;
    use kakugo_play_core::puzzles;
    use kakugo_record::pos::{self, RowOrder};

    use super::*;

    fn moves(text: &str) -> Vec<Point> {
        pos::read(text, 15, RowOrder::FromBottom).unwrap()
    }

    fn there_and_back(job: &Job) -> Job {
        let json = serde_json::to_string(&JobWire::new(job)).unwrap();
        serde_json::from_str::<JobWire>(&json).unwrap().job().unwrap()
    }

    fn result_there_and_back(result: &JobResult) -> JobResult {
        let json = serde_json::to_string(&ResultWire::new(result)).unwrap();
        serde_json::from_str::<ResultWire>(&json).unwrap().result().unwrap()
    }

    #[test]
    fn positions_keep_what_a_search_sees() {
        let mut board = Board::new(19, 13, Variant::RENJU).unwrap();
        board.block(Point::new(18, 12).unwrap()).unwrap();
        for p in [(3, 3), (4, 4), (5, 3)] {
            board.place(point(p).unwrap(), Side::Black).unwrap();
        }
        board.set_side_to_move(Side::Black);
        let moves = MoveFilter { only: moves("h8"), without: moves("a1b2") };
        let time = Some(Duration::from_millis(1500));
        let wanted = AnalysisRequest { lines: 3, depth: Some(9), time, moves };
        let job = Job::Analysis { board: Box::new(board.clone()), request: wanted.clone() };
        assert_eq!(JobWire::new(&job).rule(), Some("renju"));
        let Job::Analysis { board: back, request } = there_and_back(&job) else { panic!() };
        assert_eq!(request, wanted);
        assert_eq!(back.key(), board.key());
        assert_eq!(back.side_to_move(), Side::Black);
        assert!(Position::new(&back).is_legal(Point::new(0, 0).unwrap()));
    }

    #[test]
    fn stones_that_are_set_up_are_not_forbidden() {
        // Black has a double three, as a set-up, and later with a move.
        let position = |text: &str| {
            let mut board = Board::new(15, 15, Variant::RENJU).unwrap();
            for p in moves(text) {
                board.place(p, Side::Black).unwrap();
            }
            board
        };
        let mut set_up = position("f8g8h6h7h8");
        set_up.settle();
        let mut played = position("f8g8h6h7");
        played.settle();
        played.place(moves("h8")[0], Side::Black).unwrap();
        let outcomes = [&set_up, &played].map(|board| {
            let Job::Outlook { board: back } =
                there_and_back(&Job::Outlook { board: Box::new(board.clone()) })
            else {
                panic!()
            };
            assert_eq!(back.set_up_count(), board.set_up_count());
            back.outcome()
        });
        let [Outcome::Ongoing, Outcome::Forbidden(_)] = outcomes else { panic!("{outcomes:?}") };
    }

    #[test]
    fn requests_for_moves_come_back() {
        let mut setup = Setup { opening: Opening::Swap2, ..Setup::default() };
        setup.time.game = Some(Duration::from_secs(60));
        setup.time.increment = Duration::from_millis(1500);
        let mut game = LiveGame::new(setup.checked(&[]).unwrap());
        for p in moves("h8i9j10") {
            game.play(p, Time::default()).unwrap();
        }
        let now = Time::from_start(Duration::from_secs(9));
        let request = MoveRequest::new(&game, now);
        assert_eq!(request.next.choices().len(), 3);
        let Job::Move(back) = there_and_back(&Job::Move(Box::new(request.clone()))) else {
            panic!()
        };
        assert_eq!(back.next, request.next);
        assert_eq!((back.player, back.opening), (request.player, request.opening));
        assert_eq!(
            (back.time.left, back.time.increment),
            (request.time.left, request.time.increment)
        );
        assert_eq!(back.time.since, Some(Time::default()));
        let offered = moves("a1b2");
        for next in [
            Next::Place { seat: 1 },
            Next::Offer { seat: 0, offered: offered.clone(), count: 3 },
            Next::Pick { seat: 1, offered },
            Next::Turn,
        ] {
            let request = MoveRequest { next: next.clone(), ..request.clone() };
            let Job::Hint(back) = there_and_back(&Job::Hint(Box::new(request))) else { panic!() };
            assert_eq!(back.next, next);
        }
    }

    #[test]
    fn puzzles_come_back() {
        let setup = Setup::default().checked(&[]).unwrap();
        let game = LiveGame::with_moves(setup, &moves("f15h8g15i9h15h7i15e15o1j15")).unwrap();
        let Job::Puzzles(back) = there_and_back(&Job::Puzzles(Box::new(game))) else { panic!() };
        let found = puzzles::find(&back, &Signals::default());
        assert!(!found.is_empty());
        let JobResult::Puzzles(again) = result_there_and_back(&JobResult::Puzzles(found.clone()))
        else {
            panic!()
        };
        assert_eq!(format!("{again:?}"), format!("{found:?}"));
    }

    #[test]
    fn results_and_progress_come_back() {
        let line = moves("h8i9");
        let review = EvaluatedPosition {
            black: Score::win_in(5),
            black_permille: 1000,
            best_line: line.clone(),
            depth: 7,
            by_fours: true,
            checks: 2,
        };
        let plan = || Plan {
            side: Side::White,
            kind: PlanKind::DoubleFour,
            line: line.clone(),
            stones: vec![],
            points: line.clone(),
        };
        for result in [
            JobResult::Move(Ok(vec![
                Action::Choose(OpeningChoice::More),
                Action::Stone(line[0]),
                Action::Pass,
            ])),
            JobResult::Move(Err("no stone".to_owned())),
            JobResult::Hint { actions: vec![], idea: Some(Box::new(Idea::Win(plan()))) },
            JobResult::Hint {
                actions: vec![Action::Stone(line[0])],
                idea: Some(Box::new(Idea::Prevents(ThreatKind::DoubleThree))),
            },
            JobResult::Outlook(Box::new(Outlook {
                win: None,
                threat: Some(plan()),
                defences: line.clone(),
                threes: vec![],
            })),
            JobResult::Mistake(None),
            JobResult::Mistake(Some(Box::new(Mistake::Allows { plan: plan(), better: line[0] }))),
            JobResult::Mistake(Some(Box::new(Mistake::Costs {
                side: Side::White,
                before: 500,
                after: 100,
                line: line.clone(),
            }))),
            JobResult::Verdict(Verdict::Right(line[1])),
            JobResult::Verdict(Verdict::Wrong(None)),
            JobResult::Review(review),
            JobResult::Solve(Solution {
                result: SolveResult::NoWin,
                line: line.clone(),
                is_shortest: true,
                nodes: 7,
            }),
            JobResult::Analysis,
            JobResult::Balance(None),
            JobResult::Balance(Some(PvLine {
                depth: 4,
                score: Score::from_eval(9),
                moves: line.clone(),
            })),
        ] {
            let back = result_there_and_back(&result);
            assert_eq!(format!("{back:?}"), format!("{result:?}"));
        }
        let board = LiveGame::with_moves(Setup::default().checked(&[]).unwrap(), &line).unwrap();
        let progress = Progress {
            lines: vec![PvLine { depth: 3, score: Score::from_eval(-20), moves: line }],
            seldepth: 9,
            nodes: 1234,
            elapsed: Duration::from_millis(250),
            features: Some(Box::new(Features::of(board.board()))),
        };
        let json = serde_json::to_string(&ProgressWire::new(&progress)).unwrap();
        let back: ProgressWire = serde_json::from_str(&json).unwrap();
        assert_eq!(format!("{:?}", back.progress().unwrap()), format!("{progress:?}"));
    }

    #[test]
    fn invalid_jobs_and_results_are_rejected() {
        let job = |json: &str| serde_json::from_str::<JobWire>(json).unwrap().job();
        let valid = r#"{"outlook":{"board":{"width":15,"height":15,"rule":"freestyle","win":5,
            "blocked":[],"stones":[[7,7,true],[7,8,false]],"set_up":0,"black_to_move":true}}}"#;
        assert!(job(valid).is_some());
        assert!(job(&valid.replace("[7,8,false]", "[7,7,false]")).is_none(), "two on a point");
        let result: ResultWire =
            serde_json::from_str(r#"{"hint":[[{"stone":[40,0]}],null]}"#).unwrap();
        assert!(result.result().is_none());
    }
}
