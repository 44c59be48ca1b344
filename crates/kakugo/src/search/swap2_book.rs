//! Even openings for swap2.
//!
//! The opponent chooses a colour, so the first player wants three stones that give neither colour
//! an advantage. A search of 5 million nodes (20 million for freestyle on 15x15) found these even:
//! a score within ±25. They were then played out 20 times with about 1,000 nodes a move, and no
//! colour got more than 14 points. `docs/training.md` states how to find more.

use rand::Rng;
use rand::seq::IndexedRandom;

use crate::board::{Board, Point, Rule, Variant};

/// Even openings for one rule and a square board.
struct Book {
    rule: Rule,
    size: u8,
    /// Names of a black, a white and a black stone.
    openings: &'static [&'static str],
}

const BOOKS: &[Book] = &[
    Book {
        rule: Rule::Freestyle,
        size: 15,
        openings: &[
            "m7 j12 k11",
            "h3 d2 h1",
            "b11 g13 h11",
            "l2 n1 n3",
            "d13 f12 e12",
            "c4 d7 f4",
            "f11 e10 c12",
            "k4 l3 j1",
            "c13 c9 d9",
            "l5 k2 k1",
            "n1 n5 k4",
        ],
    },
    Book {
        rule: Rule::Freestyle,
        size: 20,
        openings: &[
            "r8 s6 t8",
            "h3 i3 g2",
            "c12 d10 e7",
            "r15 o15 r13",
            "b8 a6 a5",
            "f1 e2 d4",
            "b12 a15 a13",
            "o3 r3 s1",
            "e11 d13 b14",
        ],
    },
    Book {
        rule: Rule::Standard,
        size: 15,
        openings: &[
            "m7 n5 o7",
            "f11 e10 c12",
            "c13 c9 d9",
            "b6 a4 a3",
            "d13 f15 e15",
            "n1 n5 k4",
            "k3 n3 o1",
            "o12 o14 n11",
            "l4 n4 o1",
            "e8 d10 b11",
            "h1 a2 f1",
            "l2 l3 m5",
            "e2 i6 e3",
            "d14 a13 a11",
        ],
    },
    Book {
        rule: Rule::Renju,
        size: 15,
        openings: &[
            "c7 b4 b5",
            "f13 h11 f11",
            "l11 n14 o13",
            "k4 m4 l3",
            "b11 b10 f8",
            "g8 f6 g5",
            "j14 l13 j12",
            "f15 e15 l11",
        ],
    },
    Book {
        rule: Rule::Caro,
        size: 15,
        openings: &["e3 d4 f2", "m7 n5 o7", "g9 e10 h5", "d13 f12 e12"],
    },
];

/// Returns three stones that are known to be even on this board; `None` if there are none.
pub fn even_opening<R: Rng>(board: &Board, random: &mut R) -> Option<Vec<Point>> {
    Book::closest(board).filter(|book| book.serves(board))?.draw(board, random)
}

/// Returns the three stones of an even opening of the most similar board, or fewer if they do not
/// fit on this one.
pub fn similar_opening<R: Rng>(board: &Board, random: &mut R) -> Vec<Point> {
    Book::closest(board).and_then(|book| book.draw(board, random)).unwrap_or_default()
}

impl Book {
    /// Returns the book of the most similar board.
    fn closest(board: &Board) -> Option<&'static Book> {
        let rule = match board.variant().rule() {
            Rule::CaroOverline => Rule::Caro,
            rule => rule,
        };
        let side = board.width().min(board.height());
        BOOKS.iter().min_by_key(|book| (book.rule != rule, side.abs_diff(book.size)))
    }

    /// Returns `true` if the openings are even on this board.
    fn serves(&self, board: &Board) -> bool {
        (board.width(), board.height()) == (self.size, self.size)
            && board.variant() == Variant::five(self.rule)
    }

    /// Returns a random opening in a random symmetry, in the middle of `board`.
    fn draw<R: Rng>(&self, board: &Board, random: &mut R) -> Option<Vec<Point>> {
        let own = Board::new(self.size, self.size, Variant::FREESTYLE).ok()?;
        let names = self.openings.choose(random)?;
        let (mirror_x, mirror_y, transpose) = (random.random(), random.random(), random.random());
        let place = |name: &str| {
            let p = own.parse_point(name).ok()?;
            let (x, y) = if transpose { (p.y(), p.x()) } else { (p.x(), p.y()) };
            let shifted = |n: u8, is_mirrored: bool, length: u8| {
                let n = if is_mirrored { self.size - 1 - n } else { n };
                let margin = (i32::from(length) - i32::from(self.size)) / 2;
                (i32::from(n) + margin).clamp(0, i32::from(length) - 1) as u8
            };
            let (width, height) = (board.width(), board.height());
            Point::new(shifted(x, mirror_x, width), shifted(y, mirror_y, height))
        };
        names.split(' ').map(place).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Outcome;
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    #[test]
    fn books_hold_three_legal_stones_each() {
        for book in BOOKS {
            let variant = Variant::five(book.rule);
            let board = Board::new(book.size, book.size, variant).unwrap();
            for names in book.openings {
                let mut board = board.clone();
                for name in names.split(' ') {
                    board.play(board.parse_point(name).unwrap()).unwrap();
                }
                assert_eq!((board.ply(), board.outcome()), (3, Outcome::Ongoing), "{names}");
            }
        }
    }

    #[test]
    fn openings_are_distinct() {
        for book in BOOKS {
            let board = Board::new(book.size, book.size, Variant::FREESTYLE).unwrap();
            let mut seen: Vec<Vec<Point>> =
                book.openings.iter().map(|names| first_symmetry(&board, names)).collect();
            seen.sort();
            seen.dedup();
            assert_eq!(seen.len(), book.openings.len(), "{}, size {}", book.rule, book.size);
        }
    }

    /// Returns the smallest of the symmetric openings; the black stones may be exchanged.
    fn first_symmetry(board: &Board, names: &str) -> Vec<Point> {
        let last = board.width() - 1;
        let stones: Vec<Point> =
            names.split(' ').map(|name| board.parse_point(name).unwrap()).collect();
        let symmetric = (0..8).map(|symmetry| {
            let place = |p: &Point| {
                let (x, y) = if symmetry & 1 == 0 { (p.x(), p.y()) } else { (p.y(), p.x()) };
                let x = if symmetry & 2 == 0 { x } else { last - x };
                let y = if symmetry & 4 == 0 { y } else { last - y };
                Point::new(x, y).unwrap()
            };
            let stones: Vec<Point> = stones.iter().map(place).collect();
            vec![stones[0].min(stones[2]), stones[0].max(stones[2]), stones[1]]
        });
        symmetric.min().unwrap()
    }

    #[test]
    fn the_book_serves_its_own_boards_only() {
        let random = &mut StdRng::seed_from_u64(2);
        let mut has_book = |width, height, variant| {
            let board = Board::new(width, height, variant).unwrap();
            even_opening(&board, random).is_some()
        };
        assert!(has_book(15, 15, Variant::FREESTYLE));
        assert!(has_book(20, 20, Variant::FREESTYLE));
        assert!(has_book(15, 15, Variant::STANDARD));
        assert!(!has_book(15, 14, Variant::FREESTYLE));
        assert!(!has_book(19, 19, Variant::STANDARD));
        assert!(!has_book(15, 15, Variant::new(Rule::Freestyle, 6).unwrap()));
        assert!(!has_book(15, 15, Variant::five(Rule::CaroOverline)));
    }

    #[test]
    fn all_symmetries_occur() {
        let random = &mut StdRng::seed_from_u64(2);
        let board = Board::new(15, 15, Variant::FREESTYLE).unwrap();
        let drawn: std::collections::BTreeSet<_> =
            (0..1000).filter_map(|_| even_opening(&board, random)).collect();
        let count = Book::closest(&board).unwrap().openings.len();
        assert!(drawn.len() > 6 * count && drawn.len() <= 8 * count, "{}", drawn.len());
    }
}
