//! RenLib's libraries, `.lib`: a tree of openings with comments, on 15x15.
//!
//! ```text
//! FF 'RenLib' FF 03 04 FF*10        header, 20 bytes; the two numbers are the version
//! move flags [2 more flag bytes] [comment] [board text]     one node, in preorder
//! ```
//!
//! A move byte holds the column from 1 in its lower and the row from the top from 0 in its upper
//! four bits; 0 is the root, or later a pass. A node with the sibling flag has a sibling further on:
//! that comes when the branch below this node has ended with the leaf flag. Texts end in a NUL and
//! are padded to an even length.
//!
//! Older files differ: the first ones had no header and began with h8; up to version 3.0 there is no
//! root; and old comments have seven bits a character, in Swedish ASCII, the last one marked by the
//! eighth. A library saved from the middle of a line keeps sibling flags of siblings that it left
//! out, and has no leaf flag if it is one line only. Texts are in the code page of the Windows that RenLib
//! ran on, which the file does not tell: GBK, Shift-JIS, Windows-1251 ..
//!
//! The text of a node stands on its point in the position before it, as a label does in SGF; a
//! marked move has a triangle. Written is version 3.04, with texts in UTF-8. A library knows neither
//! rule nor names, times, results and other signs, and blanks at the end of a text go.
//!
//! Source: RenLib by Frank Arkbo, <https://www.renju.se/renlib/>.

mod layout;
mod read;
mod write;

pub use read::{Way, is_library, read, walk};
pub use write::write;

/// Columns and rows of every library's board.
pub const SIDES: (u8, u8) = (layout::SIZE, layout::SIZE);
