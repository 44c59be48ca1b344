//! Openings that reduce the first player's advantage.
//!
//! In the *pro* openings Black's first stones are restricted. In the *swap* openings one player
//! places the first stones and the other chooses a colour, so that it pays to place them evenly.
//! The *renju* openings are those of the Renju International Federation: after the first stones and
//! choices of colours Black offers several fifth moves, and White chooses one of them.
//!
//! | opening | stones | choices |
//! |---|---|---|
//! | RIF | three by one player | colour; move 4; 2 fifth moves |
//! | Yamaguchi | three by one player, with a number of fifth moves (1 to 12) | colour; move 4 |
//! | Soosõrv-8 | three by one player | colour; move 4 and 1 to 8 fifth moves; colour |
//! | Taraguchi-10 | moves 1 to 4 within 1×1, 3×3, 5×5, 7×7 | colour after each; see below |
//!
//! In Taraguchi-10 the fifth stone is one within 9×9, with a last choice of colours, or one of ten.

use kakugo::board::{Board, Point, Side};
use kakugo_record::text::{Text, text};

/// An opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Opening {
    /// Anywhere.
    Free,
    /// The first stone in the centre.
    Centre,
    /// As [`Opening::Centre`], and the third stone outside the central 5x5.
    Pro,
    /// As [`Opening::Centre`], and the third stone outside the central 7x7.
    LongPro,
    /// One player places three stones, the other chooses a colour.
    Swap,
    /// As [`Opening::Swap`], but the other may also place two more and hand the choice back.
    Swap2,
    /// The opening rule of the Renju International Federation until 2009.
    Rif,
    /// The Yamaguchi rule.
    Yamaguchi,
    /// The Soosõrv-8 rule.
    Soosorv,
    /// The Taraguchi-10 rule.
    Taraguchi,
}

/// A choice in an opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OpeningChoice {
    /// Play Black from here on.
    Black,
    /// Play White from here on.
    White,
    /// Place two more stones and let the other choose.
    More,
    /// Announce this number of fifth moves.
    Fifths(u8),
    /// Offer this fifth move.
    Offer(Point),
}

/// The next step of an opening, and the seat that takes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// One player places stones of both colours.
    Place {
        /// The seat.
        seat: usize,
    },
    /// A choice.
    Choose {
        /// The seat.
        seat: usize,
        /// The choices.
        choices: Vec<OpeningChoice>,
    },
    /// Black offers another fifth move.
    Offer {
        /// Black's seat.
        seat: usize,
        /// The moves offered so far.
        offered: Vec<Point>,
        /// Number of moves to offer.
        count: usize,
    },
    /// White chooses one of the fifth moves.
    Pick {
        /// White's seat.
        seat: usize,
        /// The moves offered.
        offered: Vec<Point>,
    },
    /// A move of the side to move.
    Turn,
}

/// The state of an opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The seat that plays Black.
    pub black: usize,
    /// The next step.
    pub next: Next,
}

impl Next {
    /// Returns the seat; `None` if it is that of the side to move.
    pub fn seat(&self) -> Option<usize> {
        match *self {
            Next::Place { seat }
            | Next::Choose { seat, .. }
            | Next::Offer { seat, .. }
            | Next::Pick { seat, .. } => Some(seat),
            Next::Turn => None,
        }
    }

    /// Returns the choices; none if a stone is to be placed.
    pub fn choices(&self) -> &[OpeningChoice] {
        if let Next::Choose { choices, .. } = self { choices } else { &[] }
    }

    /// Returns the fifth moves offered so far.
    pub fn offered(&self) -> &[Point] {
        match self {
            Next::Offer { offered, .. } | Next::Pick { offered, .. } => offered,
            _ => &[],
        }
    }
}

/// The greatest number of fifth moves in the Yamaguchi rule.
const YAMAGUCHI_FIFTHS: u8 = 12;
/// The greatest number of fifth moves in the Soosõrv-8 rule.
const SOOSORV_FIFTHS: u8 = 8;
/// The number of fifth moves in the Taraguchi-10 rule if they are offered.
const TARAGUCHI_FIFTHS: u8 = 10;
/// The number of fifth moves in the RIF rule.
const RIF_FIFTHS: u8 = 2;

impl Opening {
    /// All openings, the simplest first.
    pub const ALL: [Opening; 10] = [
        Opening::Free,
        Opening::Centre,
        Opening::Pro,
        Opening::LongPro,
        Opening::Swap,
        Opening::Swap2,
        Opening::Rif,
        Opening::Yamaguchi,
        Opening::Soosorv,
        Opening::Taraguchi,
    ];

    /// Returns the word for it in commands and messages.
    pub const fn word(self) -> &'static str {
        match self {
            Opening::Free => "free",
            Opening::Centre => "centre",
            Opening::Pro => "pro",
            Opening::LongPro => "long-pro",
            Opening::Swap => "swap",
            Opening::Swap2 => "swap2",
            Opening::Rif => "rif",
            Opening::Yamaguchi => "yamaguchi",
            Opening::Soosorv => "soosorv-8",
            Opening::Taraguchi => "taraguchi-10",
        }
    }

    /// Returns the opening with this word.
    pub fn from_word(word: &str) -> Option<Opening> {
        Opening::ALL.into_iter().find(|opening| opening.word() == word)
    }

    /// Returns true if a player chooses a colour.
    pub const fn swaps(self) -> bool {
        matches!(self, Opening::Swap | Opening::Swap2) || self.is_renju()
    }

    /// Returns true for a renju opening.
    pub const fn is_renju(self) -> bool {
        use Opening::{Rif, Soosorv, Taraguchi, Yamaguchi};
        matches!(self, Rif | Yamaguchi | Soosorv | Taraguchi)
    }

    /// Returns the least distance of the third stone from the centre, in king's steps.
    const fn third_stone_distance(self) -> u8 {
        match self {
            Opening::Pro => 3,
            Opening::LongPro => 4,
            _ => 0,
        }
    }

    /// Returns true if a board of this size is large enough. Renju openings need a centre.
    pub fn fits(self, width: u8, height: u8) -> bool {
        let reach = (width / 2).max(height / 2);
        let room = u16::from(width) * u16::from(height);
        let has_centre = |side: u8| side % 2 == 1 && side >= 9;
        reach >= self.third_stone_distance()
            && (!self.swaps() || room >= 9)
            && (!self.is_renju() || has_centre(width) && has_centre(height))
    }

    /// Returns the reason if the next stone may not be placed on `p`.
    pub fn objects_to(self, board: &Board, next: &Next, p: Point) -> Option<Text> {
        match next {
            Next::Pick { offered, .. } => {
                let is_offered = offered.contains(&p);
                return (!is_offered).then(|| text!("Choose one of the fifth moves offered."));
            }
            Next::Offer { offered, .. } => {
                let is_known = offered.iter().any(|&known| are_symmetric(board, known, p));
                return is_known
                    .then(|| text!("This move, or one symmetric to it, is offered already."));
            }
            _ => {}
        }
        let centre = Point::new(board.width() / 2, board.height() / 2)?;
        let ply = board.ply();
        let centred = matches!(self, Opening::Centre | Opening::Pro | Opening::LongPro);
        match self.reach_of_stone(ply) {
            Some(reach) if p.distance(centre) > reach => {
                let side = 2 * usize::from(reach) + 1;
                return Some(text!(
                    "Stone {0} must lie within the central {1}x{1}.",
                    ply + 1,
                    side
                ));
            }
            _ => {}
        }
        match ply {
            0 if centred && p != centre => Some(text!("The first stone belongs in the centre.")),
            2 if p.distance(centre) < self.third_stone_distance() => Some(match self {
                Opening::Pro => text!("Black's second stone must lie outside the central 5x5."),
                _ => text!("Black's second stone must lie outside the central 7x7."),
            }),
            _ => None,
        }
    }

    /// Returns the greatest distance of a stone from the centre in a renju opening, after `ply`
    /// stones.
    fn reach_of_stone(self, ply: usize) -> Option<u8> {
        let stones = match self {
            Opening::Rif | Opening::Yamaguchi | Opening::Soosorv => 3,
            Opening::Taraguchi => 5,
            _ => 0,
        };
        u8::try_from(ply).ok().filter(|&ply| ply < stones)
    }

    /// Returns the state of the opening after `ply` stones and these choices.
    pub fn progress(self, ply: usize, choices: &[OpeningChoice]) -> Progress {
        match self {
            Opening::Swap | Opening::Swap2 => self.progress_of_swap(ply, choices),
            Opening::Rif | Opening::Yamaguchi | Opening::Soosorv => {
                self.progress_of_rif(ply, choices)
            }
            Opening::Taraguchi => progress_of_taraguchi(ply, choices),
            _ => Progress { black: 0, next: Next::Turn },
        }
    }

    fn progress_of_swap(self, ply: usize, choices: &[OpeningChoice]) -> Progress {
        use OpeningChoice::{Black, More, White};
        let black = match choices {
            [Black] | [More, White] => 1,
            _ => 0,
        };
        let colours = || vec![Black, White];
        let first = || if self == Opening::Swap2 { vec![Black, White, More] } else { colours() };
        let next = match (choices, ply) {
            ([], 0..3) => Next::Place { seat: 0 },
            ([], _) => Next::Choose { seat: 1, choices: first() },
            ([More], 0..5) => Next::Place { seat: 1 },
            ([More], _) => Next::Choose { seat: 0, choices: colours() },
            _ => Next::Turn,
        };
        Progress { black, next }
    }

    fn progress_of_rif(self, ply: usize, choices: &[OpeningChoice]) -> Progress {
        use OpeningChoice::{Black, White};
        let told = Told::of(choices);
        let choose = |seat, choices| Next::Choose { seat, choices };
        if ply < 3 {
            return Progress { black: 0, next: Next::Place { seat: 0 } };
        }
        if self == Opening::Yamaguchi && told.fifths.is_none() && ply < 5 {
            return Progress { black: 0, next: choose(0, fifths(1..=YAMAGUCHI_FIFTHS)) };
        }
        let mut black = 0;
        for (at, &colour) in told.colours.iter().enumerate() {
            let chooser = if at == 0 { 1 } else { black };
            black = if colour == Black { chooser } else { 1 - chooser };
        }
        let next = match (ply, told.colours.len()) {
            (3 | 4, 0) => choose(1, vec![Black, White]),
            (4, _) if self == Opening::Soosorv && told.fifths.is_none() => {
                choose(1 - black, fifths(1..=SOOSORV_FIFTHS))
            }
            (4, 1) if self == Opening::Soosorv => choose(black, vec![Black, White]),
            (4, _) => fifth_move(black, told.fifths.unwrap_or(RIF_FIFTHS), told.offered),
            _ => Next::Turn,
        };
        Progress { black, next }
    }
}

/// The choices of a renju opening by their kinds.
struct Told {
    colours: Vec<OpeningChoice>,
    fifths: Option<u8>,
    offered: Vec<Point>,
}

impl Told {
    fn of(choices: &[OpeningChoice]) -> Told {
        let mut told = Told { colours: Vec::new(), fifths: None, offered: Vec::new() };
        for &choice in choices {
            match choice {
                OpeningChoice::Black | OpeningChoice::White => told.colours.push(choice),
                OpeningChoice::Fifths(count) => told.fifths = Some(count),
                OpeningChoice::Offer(p) => told.offered.push(p),
                OpeningChoice::More => {}
            }
        }
        told
    }
}

fn fifths(counts: impl IntoIterator<Item = u8>) -> Vec<OpeningChoice> {
    counts.into_iter().map(OpeningChoice::Fifths).collect()
}

/// Returns what comes before the fifth stone, of which `count` are offered.
fn fifth_move(black: usize, count: u8, offered: Vec<Point>) -> Next {
    let count = usize::from(count);
    match (count, offered.len()) {
        (1, _) => Next::Turn,
        (_, known) if known < count => Next::Offer { seat: black, offered, count },
        _ => Next::Pick { seat: 1 - black, offered },
    }
}

fn progress_of_taraguchi(ply: usize, choices: &[OpeningChoice]) -> Progress {
    use OpeningChoice::{Black, White};
    let told = Told::of(choices);
    let mut black = 0;
    // After each of these stones, the player who did not place it chooses a colour.
    let last = if told.fifths == Some(1) { 5 } else { 4 };
    for stone in 1..=ply.min(last) {
        let mover = if stone % 2 == 1 { black } else { 1 - black };
        match told.colours.get(stone - 1) {
            Some(Black) => black = 1 - mover,
            Some(_) => black = mover,
            // A game of a record may lack the choices of its first moves.
            None if stone < ply => break,
            None => {
                let next = Next::Choose { seat: 1 - mover, choices: vec![Black, White] };
                return Progress { black, next };
            }
        }
    }
    let next = match (ply, told.fifths) {
        (4, None) if told.colours.len() == 4 => {
            Next::Choose { seat: black, choices: fifths([1, TARAGUCHI_FIFTHS]) }
        }
        (4, Some(count)) => fifth_move(black, count, told.offered),
        _ => Next::Turn,
    };
    Progress { black, next }
}

/// Returns true if a symmetry of the board that maps the stones to themselves maps `p` to `q`.
pub fn are_symmetric(board: &Board, p: Point, q: Point) -> bool {
    let (width, height) = (board.width(), board.height());
    let stones: Vec<(Point, Side)> =
        board.stones().map(|stone| (stone.point, stone.side)).collect();
    let is_square = width == height;
    (0..8u8).filter(|symmetry| is_square || symmetry & 4 == 0).any(|symmetry| {
        let image = |p: Point| {
            let x = if symmetry & 1 == 0 { p.x() } else { width - 1 - p.x() };
            let y = if symmetry & 2 == 0 { p.y() } else { height - 1 - p.y() };
            let (x, y) = if symmetry & 4 == 0 { (x, y) } else { (y, x) };
            Point::new(x, y)
        };
        image(p) == Some(q)
            && stones
                .iter()
                .all(|&(p, side)| image(p).is_some_and(|image| stones.contains(&(image, side))))
    })
}

impl OpeningChoice {
    /// Returns the word for it in messages and records. Points have column and row from the top
    /// left corner, from 0: `offer-7,6`.
    pub fn word(self) -> String {
        match self {
            OpeningChoice::Black => "black".to_owned(),
            OpeningChoice::White => "white".to_owned(),
            OpeningChoice::More => "more".to_owned(),
            OpeningChoice::Fifths(count) => format!("fifths-{count}"),
            OpeningChoice::Offer(p) => format!("offer-{},{}", p.x(), p.y()),
        }
    }

    /// Returns the choice with this word.
    pub fn from_word(word: &str) -> Option<OpeningChoice> {
        match word {
            "black" => Some(OpeningChoice::Black),
            "white" => Some(OpeningChoice::White),
            "more" => Some(OpeningChoice::More),
            _ => {
                if let Some(count) = word.strip_prefix("fifths-") {
                    return count.parse().ok().map(OpeningChoice::Fifths);
                }
                let (x, y) = word.strip_prefix("offer-")?.split_once(',')?;
                Point::new(x.parse().ok()?, y.parse().ok()?).map(OpeningChoice::Offer)
            }
        }
    }
}

impl Opening {
    /// Returns the name of the opening.
    pub fn in_words(self) -> Text {
        match self {
            Opening::Free => text!("a free opening"),
            Opening::Centre => text!("the centre opening"),
            Opening::Pro => text!("the pro opening"),
            Opening::LongPro => text!("the long pro opening"),
            Opening::Swap => text!("swap"),
            Opening::Swap2 => text!("swap2"),
            Opening::Rif => text!("the RIF opening"),
            Opening::Yamaguchi => text!("the Yamaguchi opening"),
            Opening::Soosorv => text!("the Soosõrv-8 opening"),
            Opening::Taraguchi => text!("the Taraguchi-10 opening"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use OpeningChoice::{Black, Fifths, More, Offer, White};
    use kakugo::board::Variant;

    fn at(x: u8, y: u8) -> Point {
        Point::new(x, y).unwrap()
    }

    fn board(points: &[(u8, u8)]) -> Board {
        let mut board = Board::new(15, 15, Variant::RENJU).unwrap();
        points.iter().for_each(|&(x, y)| board.play(at(x, y)).unwrap());
        board
    }

    fn next(opening: Opening, ply: usize, choices: &[OpeningChoice]) -> Next {
        opening.progress(ply, choices).next
    }

    fn chooser(next: &Next) -> (usize, usize) {
        let Next::Choose { seat, choices } = next else { panic!("{next:?}") };
        (*seat, choices.len())
    }

    #[test]
    fn swap2_goes_back_and_forth() {
        let swap2 = |ply, choices: &[OpeningChoice]| next(Opening::Swap2, ply, choices);
        assert_eq!(swap2(2, &[]), Next::Place { seat: 0 });
        assert_eq!(chooser(&swap2(3, &[])), (1, 3));
        assert_eq!(swap2(3, &[White]), Next::Turn);
        assert_eq!(swap2(4, &[More]), Next::Place { seat: 1 });
        assert_eq!(chooser(&swap2(5, &[More])), (0, 2));
        assert_eq!(swap2(5, &[More, Black]), Next::Turn);
        assert_eq!(next(Opening::Free, 3, &[]), Next::Turn);
        let black = |choices: &&[OpeningChoice]| Opening::Swap2.progress(5, choices).black;
        assert_eq!(
            [&[Black][..], &[White], &[More, Black], &[More, White]].each_ref().map(black),
            [1, 0, 0, 1]
        );
    }

    #[test]
    fn rif_offers_two_fifth_moves_after_the_fourth() {
        let rif = |ply, choices: &[OpeningChoice]| Opening::Rif.progress(ply, choices);
        assert_eq!(rif(2, &[]).next, Next::Place { seat: 0 });
        assert_eq!(chooser(&rif(3, &[]).next), (1, 2));
        // The second player takes Black: the first plays White's move 4.
        assert_eq!(rif(3, &[Black]), Progress { black: 1, next: Next::Turn });
        let (one, two) = (at(3, 3), at(4, 4));
        let offer = |offered| Next::Offer { seat: 1, offered, count: 2 };
        assert_eq!(rif(4, &[Black]).next, offer(vec![]));
        assert_eq!(rif(4, &[Black, Offer(one)]).next, offer(vec![one]));
        let both = [Black, Offer(one), Offer(two)];
        assert_eq!(rif(4, &both).next, Next::Pick { seat: 0, offered: vec![one, two] });
        assert_eq!(rif(5, &both), Progress { black: 1, next: Next::Turn });
    }

    #[test]
    fn yamaguchi_announces_before_and_soosorv_after_the_fourth_move() {
        let yamaguchi = |ply, choices: &[OpeningChoice]| next(Opening::Yamaguchi, ply, choices);
        assert_eq!(chooser(&yamaguchi(3, &[])), (0, 12));
        assert_eq!(chooser(&yamaguchi(3, &[Fifths(3)])), (1, 2));
        let offer = Next::Offer { seat: 0, offered: vec![], count: 3 };
        assert_eq!(yamaguchi(4, &[Fifths(3), White]), offer);
        // A single fifth move is an ordinary one.
        assert_eq!(yamaguchi(4, &[Fifths(1), White]), Next::Turn);

        let soosorv = |ply, choices: &[OpeningChoice]| Opening::Soosorv.progress(ply, choices);
        assert_eq!(chooser(&soosorv(3, &[]).next), (1, 2));
        assert_eq!(soosorv(3, &[White]).next, Next::Turn);
        // White, seat 1, announces; Black, seat 0, may exchange the colours.
        assert_eq!(chooser(&soosorv(4, &[White]).next), (1, 8));
        assert_eq!(chooser(&soosorv(4, &[White, Fifths(2)]).next), (0, 2));
        let swapped = soosorv(4, &[White, Fifths(2), White]);
        let offer = Next::Offer { seat: 1, offered: vec![], count: 2 };
        assert_eq!(swapped, Progress { black: 1, next: offer });
        assert_eq!(soosorv(4, &[White, Fifths(2), Black]).black, 0);
    }

    #[test]
    fn taraguchi_may_swap_after_each_of_the_first_stones() {
        let taraguchi = |ply, choices: &[OpeningChoice]| Opening::Taraguchi.progress(ply, choices);
        assert_eq!(taraguchi(0, &[]), Progress { black: 0, next: Next::Turn });
        assert_eq!(chooser(&taraguchi(1, &[]).next), (1, 2));
        // Black changes hands, so the first player places White's stone, and so on.
        assert_eq!(taraguchi(1, &[Black]), Progress { black: 1, next: Next::Turn });
        assert_eq!(chooser(&taraguchi(2, &[Black]).next), (1, 2));
        assert_eq!(taraguchi(2, &[Black, White]), Progress { black: 0, next: Next::Turn });
        assert_eq!(chooser(&taraguchi(3, &[Black, White]).next), (1, 2));
        let four = [Black, White, White, Black];
        assert_eq!(chooser(&taraguchi(4, &four).next), (0, 2));
        let one = [&four[..], &[Fifths(1)]].concat();
        assert_eq!(taraguchi(4, &one), Progress { black: 0, next: Next::Turn });
        assert_eq!(chooser(&taraguchi(5, &one).next), (1, 2));
        let swapped = [&one[..], &[Black]].concat();
        assert_eq!(taraguchi(5, &swapped), Progress { black: 1, next: Next::Turn });
        assert_eq!(taraguchi(6, &swapped), Progress { black: 1, next: Next::Turn });
        let mut ten = [&four[..], &[Fifths(10)]].concat();
        ten.extend((0..9).map(|x| Offer(at(x, 0))));
        assert!(matches!(taraguchi(4, &ten).next, Next::Offer { seat: 0, count: 10, .. }));
        ten.push(Offer(at(9, 0)));
        assert!(matches!(taraguchi(4, &ten).next, Next::Pick { seat: 1, .. }));
        assert_eq!(taraguchi(5, &ten), Progress { black: 0, next: Next::Turn });
    }

    #[test]
    fn first_stones_of_renju_openings_lie_in_the_centre() {
        let refuses = |opening: Opening, stones: &[(u8, u8)], p: (u8, u8)| {
            opening.objects_to(&board(stones), &Next::Turn, at(p.0, p.1)).is_some()
        };
        let three = [(7, 7), (7, 6), (9, 9)];
        for opening in [Opening::Rif, Opening::Yamaguchi, Opening::Soosorv, Opening::Taraguchi] {
            assert!(refuses(opening, &[], (7, 6)) && !refuses(opening, &[], (7, 7)));
            assert!(refuses(opening, &[(7, 7)], (7, 5)) && !refuses(opening, &[(7, 7)], (6, 8)));
            assert!(
                refuses(opening, &three[..2], (7, 10)) && !refuses(opening, &three[..2], (9, 9))
            );
            let is_limited = opening == Opening::Taraguchi;
            assert_eq!(refuses(opening, &three, (7, 3)), is_limited, "{opening:?}");
            assert!(!refuses(opening, &three, (7, 4)));
            assert!(opening.fits(15, 15) && opening.fits(9, 15) && !opening.fits(16, 15));
        }
        let four = [&three[..], &[(7, 4)]].concat();
        assert!(refuses(Opening::Taraguchi, &four, (7, 2)));
        assert!(!refuses(Opening::Taraguchi, &four, (3, 11)));
    }

    #[test]
    fn symmetric_fifth_moves_are_one() {
        // The stones are symmetric to the column h.
        let board = board(&[(7, 7), (7, 6), (7, 9), (7, 4)]);
        assert!(are_symmetric(&board, at(6, 5), at(8, 5)));
        assert!(are_symmetric(&board, at(6, 5), at(6, 5)));
        assert!(!are_symmetric(&board, at(6, 5), at(8, 9)));
        let offer = Next::Offer { seat: 0, offered: vec![at(6, 5)], count: 2 };
        assert!(Opening::Rif.objects_to(&board, &offer, at(8, 5)).is_some());
        assert!(Opening::Rif.objects_to(&board, &offer, at(8, 6)).is_none());
        let pick = Next::Pick { seat: 1, offered: vec![at(6, 5), at(8, 6)] };
        assert!(Opening::Rif.objects_to(&board, &pick, at(8, 5)).is_some());
        assert!(Opening::Rif.objects_to(&board, &pick, at(8, 6)).is_none());
    }

    #[test]
    fn words_of_choices_are_read_back() {
        for choice in [Black, White, More, Fifths(12), Offer(at(14, 0))] {
            assert_eq!(OpeningChoice::from_word(&choice.word()), Some(choice));
        }
        for word in ["", "fifths", "fifths-x", "fifths-300", "offer-7", "offer-40,1", "offer-7,-1"]
        {
            assert_eq!(OpeningChoice::from_word(word), None, "{word}");
        }
    }

    #[test]
    fn pro_openings_keep_the_third_stone_out() {
        let mut board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let objects =
            |opening: Opening, board: &Board, p| opening.objects_to(board, &Next::Turn, p);
        assert!(objects(Opening::Pro, &board, at(7, 6)).is_some());
        assert!(objects(Opening::Pro, &board, at(7, 7)).is_none());
        board.play(at(7, 7)).unwrap();
        assert!(objects(Opening::Pro, &board, at(7, 6)).is_none());
        board.play(at(7, 6)).unwrap();
        assert!(objects(Opening::Pro, &board, at(9, 9)).is_some());
        assert!(objects(Opening::Pro, &board, at(10, 7)).is_none());
        assert!(objects(Opening::LongPro, &board, at(10, 7)).is_some());
        assert!(objects(Opening::Free, &board, at(9, 9)).is_none());
    }
}
