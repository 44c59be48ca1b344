//! Splitting of input bytes into lines.
//!
//! Lines end in CR, LF or both, on every system. Empty lines are ignored. At most [`MAX_LINE`]
//! bytes of a line are stored, so that input without line ends cannot fill the memory.

use std::io::{ErrorKind, Read};
use std::time::Instant;

/// Maximum length of a line, in bytes. Long enough for any folder's path.
pub(crate) const MAX_LINE: usize = 16 * 1024;

/// Length to which overlong lines are cut, in bytes. Long enough for the first word.
const OVERLONG_PREFIX: usize = 64;

/// A line and the time at which its end arrived.
#[derive(Debug)]
pub(crate) struct InputLine {
    pub(crate) text: String,
    pub(crate) arrived: Instant,
    /// True if the line was longer than [`MAX_LINE`]. Then `text` is only its start.
    pub(crate) overlong: bool,
}

/// Reads lines until the input ends or `take` returns false.
pub(crate) fn read_lines(mut input: impl Read, mut take: impl FnMut(InputLine) -> bool) {
    let mut buffer = [0; 8 * 1024];
    let mut splitter = Splitter::default();
    loop {
        let count = match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => {
                log::warn!("reading commands: {error}");
                break;
            }
        };
        let arrived = Instant::now();
        if !splitter.feed(&buffer[..count], arrived, &mut take) {
            return;
        }
    }
    splitter.end_line(Instant::now(), &mut take);
}

/// The start of an incomplete line.
#[derive(Default)]
struct Splitter {
    pending: Vec<u8>,
    overlong: bool,
}

impl Splitter {
    /// Passes every line that `bytes` complete to `take`. Returns false as soon as `take` does.
    fn feed(
        &mut self,
        bytes: &[u8],
        arrived: Instant,
        take: &mut impl FnMut(InputLine) -> bool,
    ) -> bool {
        let mut rest = bytes;
        while let Some(end) = rest.iter().position(|&b| b == b'\r' || b == b'\n') {
            self.append(&rest[..end]);
            rest = &rest[end + 1..];
            if !self.end_line(arrived, take) {
                return false;
            }
        }
        self.append(rest);
        true
    }

    fn append(&mut self, bytes: &[u8]) {
        if self.overlong {
            return;
        }
        let room = MAX_LINE - self.pending.len();
        self.pending.extend_from_slice(&bytes[..bytes.len().min(room)]);
        if bytes.len() > room {
            self.pending.truncate(OVERLONG_PREFIX);
            self.overlong = true;
        }
    }

    fn end_line(&mut self, arrived: Instant, take: &mut impl FnMut(InputLine) -> bool) -> bool {
        let overlong = std::mem::take(&mut self.overlong);
        if self.pending.is_empty() {
            return true;
        }
        let text = String::from_utf8_lossy(&self.pending).into_owned();
        self.pending.clear();
        take(InputLine { text, arrived, overlong })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that returns at most this number of bytes per call.
    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.1.min(self.0.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn lines(input: &[u8], size: usize) -> Vec<(String, bool)> {
        let mut lines = Vec::new();
        read_lines(Pieces(input, size), |line| {
            lines.push((line.text, line.overlong));
            true
        });
        lines
    }

    fn texts(input: &[u8], size: usize) -> Vec<String> {
        lines(input, size).into_iter().map(|(text, _)| text).collect()
    }

    #[test]
    fn cr_lf_and_crlf_end_a_line() {
        for size in [1, 2, 3, 1000] {
            assert_eq!(texts(b"a\rb\nc\r\nd\n\n\r\re", size), ["a", "b", "c", "d", "e"]);
        }
    }

    #[test]
    fn nul_and_invalid_utf8_are_preserved() {
        assert_eq!(texts(b"a\0b\n\xff\xfe\nc", 1), ["a\0b", "\u{fffd}\u{fffd}", "c"]);
    }

    #[test]
    fn long_lines_are_cut_and_marked() {
        let mut input = vec![b'x'; MAX_LINE];
        input.extend_from_slice(b"\nnext\n");
        assert_eq!(lines(&input, 777)[0], ("x".repeat(MAX_LINE), false));
        input.insert(0, b'x');
        let cut = ("x".repeat(OVERLONG_PREFIX), true);
        assert_eq!(lines(&input, 777), [cut, ("next".to_owned(), false)]);
    }

    #[test]
    fn reading_stops_when_the_callback_returns_false() {
        let mut seen = 0;
        read_lines(Pieces(b"a\nb\nc\n", 100), |_| {
            seen += 1;
            seen < 2
        });
        assert_eq!(seen, 2);
    }
}
