//! The bytes of a library.

/// Begins every file but the oldest.
pub(super) const MAGIC: &[u8] = b"\xFFRenLib\xFF";
/// Bytes before the first node.
pub(super) const HEADER: usize = 20;
/// Columns and rows.
pub(super) const SIZE: u8 = 15;

/// The newest version of the format, major and minor.
pub(super) const NEWEST: [u8; 2] = [3, 4];
/// The move byte of h8, with which a file without header begins.
pub(super) const CENTRE: u8 = 0x78;

/// More of the tree lies beside this node.
pub(super) const SIBLING: u8 = 0x80;
/// Nothing lies below this node.
pub(super) const LEAF: u8 = 0x40;
/// A comment as old versions wrote it.
pub(super) const OLD_COMMENT: u8 = 0x20;
/// RenLib shows the move as marked.
pub(super) const MARK: u8 = 0x10;
/// A comment.
pub(super) const COMMENT: u8 = 0x08;
/// The node only carries a text for its point.
pub(super) const NO_MOVE: u8 = 0x02;
/// Two more bytes of flags follow.
pub(super) const EXTENDED: u8 = 0x01;
/// What means something to RenLib alone: where to begin when the library is opened.
pub(super) const REST: u8 = 0x04;
/// In the second of them: a text on the board.
pub(super) const BOARD_TEXT: u8 = 0x01;

/// The property that keeps flags for RenLib: those of the first byte, and of the two further ones,
/// in hexadecimal digits.
pub(super) const FLAGS: &str = "KRL";

/// A text with line breaks as others write them, and without blanks at its end.
pub(super) fn in_lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace(['\r', '\u{8}'], "\n").trim_end().to_owned()
}
