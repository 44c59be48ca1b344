//! RenLib libraries, `.lib`: opening trees with comments on 15x15.
//!
//! ```text
//! FF 'RenLib' FF 03 04 FF*10        header, 20 bytes; the two numbers are the version
//! move flags [2 more flag bytes] [comment] [board text]     one node, in preorder
//! ```
//!
//! The lower four bits of a move byte are the column from 1, the upper four bits the row from the
//! top, from 0. Zero is the root, or a pass in later nodes. The next sibling of a node with the
//! sibling flag follows after the subtree of that node, which ends with a leaf flag. Texts end with
//! a NUL and are padded to an even length.
//!
//! Older files differ. The first versions had no header and started with h8. Files up to version
//! 3.0 have no root. Old comments are 7-bit Swedish ASCII, with the high bit set on the last
//! character. Partial libraries may have sibling flags without siblings, and lack the leaf flag if
//! they contain one line. Texts use the code page of the Windows system that RenLib ran on: GBK,
//! Shift-JIS, Windows-1251 ..
//!
//! The text of a node labels its point in the position before it, as `LB` does in SGF. A marked
//! move becomes a triangle. Version 3.04 is written, with texts in UTF-8. Rule, names, times,
//! result and other marks are not stored, and whitespace at the end of texts is lost. Positions
//! that are set up are stored as moves and passes.
//!
//! Source: RenLib by Frank Arkbo, <https://www.renju.se/renlib/>.

mod layout;
mod read;
mod write;

pub use read::{TreeStep, is_library, read, walk};
pub use write::write;

/// Board size of all libraries.
pub const SIDES: (u8, u8) = (layout::SIZE, layout::SIZE);
