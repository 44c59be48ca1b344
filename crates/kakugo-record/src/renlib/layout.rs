//! Byte layout of RenLib libraries.

/// Signature of all files but the oldest.
pub(super) const MAGIC: &[u8] = b"\xFFRenLib\xFF";
/// Length of the header in bytes.
pub(super) const HEADER: usize = 20;
/// Number of columns and rows.
pub(super) const SIZE: u8 = 15;

/// Maximum number of moves and passes of a line.
pub(super) const MAX_MOVES: usize = 225;

/// The newest supported version, major and minor.
pub(super) const NEWEST: [u8; 2] = [3, 4];
/// The move byte of h8, the first byte of files without a header.
pub(super) const CENTRE: u8 = 0x78;

/// The node has a sibling.
pub(super) const SIBLING: u8 = 0x80;
/// The node has no children.
pub(super) const LEAF: u8 = 0x40;
/// The node has a comment in the encoding of old versions.
pub(super) const OLD_COMMENT: u8 = 0x20;
/// The move is marked.
pub(super) const MARK: u8 = 0x10;
/// The node has a comment.
pub(super) const COMMENT: u8 = 0x08;
/// The node is not a move but only carries a text for its point.
pub(super) const NO_MOVE: u8 = 0x02;
/// Two more bytes of flags follow.
pub(super) const EXTENDED: u8 = 0x01;
/// Flags that only RenLib uses: the position shown when the library is opened.
pub(super) const OTHER: u8 = 0x04;
/// In the second extension byte: the node has a text on the board.
pub(super) const BOARD_TEXT: u8 = 0x01;

/// SGF property that preserves RenLib's flags in hexadecimal: the first byte and the two extension
/// bytes. In the first byte, `COMMENT` is set if the comment has no title.
pub(super) const FLAGS: &str = "KRL";

/// Normalizes line breaks and removes trailing whitespace.
pub(super) fn normalize_lines(text: &str) -> String {
    text.replace("\r\n", "\n").replace(['\r', '\u{8}'], "\n").trim_end().to_owned()
}
