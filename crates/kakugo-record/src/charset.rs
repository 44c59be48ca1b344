//! Character set detection for game files.
//!
//! RenLib and most old programs wrote text in the code page of their system. UTF-8 is recognized by
//! its byte patterns, even if a few bytes are damaged. Other code pages are taken from the file's
//! own declaration or guessed from the bytes.

use std::borrow::Cow;
use std::io::{self, Read, Seek};

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, Decoder, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_8};

/// Number of bytes that is enough for a guess.
pub(super) const SAMPLE_BYTES: usize = 1 << 18;

/// Multi-byte code pages.
const MULTI_BYTE: [&Encoding; 5] = [GBK, SHIFT_JIS, EUC_KR, BIG5, EUC_JP];

/// Number of two-byte characters that may be valid UTF-8 by chance.
const MAX_CHANCE_CHARS: usize = 3;

/// Decodes a file. `named` is the code page that the file declares.
pub(super) fn decode<'a>(bytes: &'a [u8], named: Option<&[u8]>) -> Cow<'a, str> {
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        return encoding.decode_without_bom_handling(&bytes[length..]).0;
    }
    let named = named.and_then(Encoding::for_label);
    let is_named_utf_8 = named == Some(UTF_8);
    let named = named.filter(|encoding| *encoding != UTF_8 && encoding.is_ascii_compatible());
    if let Some(encoding) = named {
        return decode_as(bytes, encoding);
    }
    if let Some(text) = as_utf_8(bytes, if is_named_utf_8 { 1 } else { VALID_PER_INVALID }) {
        return text;
    }
    // Neither byte occurs within a multi-byte character.
    let parts = bytes.split(|byte| b"\n;".contains(byte)).filter(|part| !part.is_ascii());
    let mut room = SAMPLE_BYTES;
    let some = parts.take_while(|part| {
        let has_room = room > 0;
        room = room.saturating_sub(part.len());
        has_room
    });
    guess(&some.collect::<Vec<_>>()).decode_without_bom_handling(bytes).0
}

/// Decodes text with a known code page, unless it is UTF-8.
pub(super) fn decode_as<'a>(bytes: &'a [u8], encoding: &'static Encoding) -> Cow<'a, str> {
    match as_utf_8(bytes, VALID_PER_INVALID) {
        Some(text) if is_intended(&text, encoding) => text,
        _ => encoding.decode_without_bom_handling(bytes).0,
    }
}

/// Returns true if valid UTF-8 is unlikely to be text in this code page. Single-byte code pages do
/// not produce valid UTF-8 by chance.
fn is_intended(text: &str, encoding: &'static Encoding) -> bool {
    let foreign = || text.chars().filter(|c| !c.is_ascii());
    let is_chance = foreign().count() <= MAX_CHANCE_CHARS && foreign().all(|c| c.len_utf8() == 2);
    text.is_ascii() || encoding.is_single_byte() || !is_chance
}

/// Number of valid non-ASCII characters required per invalid byte sequence to accept text as UTF-8.
pub(super) const VALID_PER_INVALID: usize = 5;

/// Decodes UTF-8 and replaces invalid sequences. Returns `None` if there are fewer than `sound`
/// valid non-ASCII characters for each of them.
pub(super) fn as_utf_8(bytes: &[u8], valid_per_invalid: usize) -> Option<Cow<'_, str>> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Some(Cow::Borrowed(text));
    }
    let (mut valid, mut invalid) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        valid += chunk.valid().chars().filter(|c| !c.is_ascii()).count();
        invalid += usize::from(!chunk.invalid().is_empty());
    }
    (valid >= invalid * valid_per_invalid).then(|| String::from_utf8_lossy(bytes))
}

/// Guesses the code page of texts that are not UTF-8.
pub(super) fn guess(texts: &[&[u8]]) -> &'static Encoding {
    let length = |texts: &[&[u8]]| texts.iter().map(|text| text.len()).sum::<usize>();
    // Ignore damaged texts: one would otherwise exclude the right code page.
    let fits = |encoding: &&'static Encoding| {
        let is_sound = |text: &&&[u8]| !encoding.decode_without_bom_handling(text).1;
        let sound: Vec<&[u8]> = texts.iter().filter(is_sound).copied().collect();
        length(&sound) * 20 > length(texts) * 19 && looks_like(&sound) == *encoding
    };
    MULTI_BYTE.into_iter().find(fits).unwrap_or_else(|| looks_like(texts))
}

fn looks_like(texts: &[&[u8]]) -> &'static Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    for text in texts {
        detector.feed(text, false);
        detector.feed(b"\n", false);
    }
    detector.feed(b"", true);
    detector.guess(None, Utf8Detection::Deny)
}

/// Number of bytes read at once from a stream.
const PIECE_BYTES: usize = 1 << 16;

/// Detects the code page of a stream as [`decode`] does. Begins and ends at its beginning. `named`
/// finds the code page that the first piece declares.
pub(super) fn detect(
    input: &mut (impl Read + Seek),
    named: fn(&[u8]) -> Option<&[u8]>,
) -> io::Result<&'static Encoding> {
    let mut piece = Vec::with_capacity(PIECE_BYTES);
    input.rewind()?;
    input.by_ref().take(PIECE_BYTES as u64).read_to_end(&mut piece)?;
    let found = match Encoding::for_bom(&piece) {
        Some((encoding, _)) => encoding,
        None => {
            let named = named(&piece).and_then(Encoding::for_label);
            let mut sample = Vec::new();
            while !piece.is_empty() && sample.len() < SAMPLE_BYTES {
                if !piece.is_ascii() {
                    // Up to the last end of a tag or line: it is not within a character.
                    let end = piece.iter().rposition(|byte| b"\n>".contains(byte));
                    let end = end.map_or(piece.len(), |end| end + 1);
                    let parts = piece[..end].split_inclusive(|byte| b"\n>".contains(byte));
                    sample.extend(parts.filter(|part| !part.is_ascii()).flatten());
                    piece.drain(..end);
                } else {
                    piece.clear();
                }
                input.by_ref().take(PIECE_BYTES as u64).read_to_end(&mut piece)?;
            }
            encoding_of(&sample, named)
        }
    };
    input.rewind()?;
    Ok(found)
}

/// Returns the encoding of a sample without ASCII parts. `named` is declared by the file.
fn encoding_of(sample: &[u8], named: Option<&'static Encoding>) -> &'static Encoding {
    let named_page = named.filter(|encoding| *encoding != UTF_8 && encoding.is_ascii_compatible());
    let valid_per_invalid = if named == Some(UTF_8) { 1 } else { VALID_PER_INVALID };
    match (as_utf_8(sample, valid_per_invalid), named_page) {
        (Some(_), _) if sample.is_empty() => named_page.unwrap_or(UTF_8),
        (Some(text), Some(page)) if !is_intended(&text, page) => page,
        (Some(_), _) => UTF_8,
        (None, Some(page)) => page,
        (None, None) => guess(&sample.split(|byte| b"\n>".contains(byte)).collect::<Vec<_>>()),
    }
}

/// A stream that is decoded piece by piece.
pub(super) struct TextStream<R> {
    input: R,
    decoder: Decoder,
    piece: Box<[u8]>,
    is_ended: bool,
}

impl<R: Read> TextStream<R> {
    /// Creates a stream of text with this encoding.
    pub(super) fn new(input: R, encoding: &'static Encoding) -> TextStream<R> {
        let piece = vec![0; PIECE_BYTES].into_boxed_slice();
        let decoder = encoding.new_decoder_with_bom_removal();
        TextStream { input, decoder, piece, is_ended: false }
    }

    /// Appends the next piece to `text`. Returns false at the end.
    pub(super) fn read(&mut self, text: &mut String) -> io::Result<bool> {
        let before = text.len();
        while text.len() == before && !self.is_ended {
            let length = match self.input.read(&mut self.piece) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                length => length?,
            };
            self.is_ended = length == 0;
            let room = self.decoder.max_utf8_buffer_length(length).unwrap_or(0);
            text.reserve(room);
            let piece = &self.piece[..length];
            let _ = self.decoder.decode_to_string(piece, text, self.is_ended);
        }
        Ok(text.len() > before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHINESE: &[u8] =
        b"\xb0\xd7\xc6\xe5\xb1\xd8\xca\xa4\xa3\xac\xba\xda\xc6\xe5\xb7\xc0\xca\xd8\xca\xa7\xb0\xdc";

    #[test]
    fn code_pages_are_guessed_from_text() {
        for (bytes, text) in [
            (CHINESE, "白棋必胜，黑棋防守失败"),
            (
                b"\x8d\x95\x82\xcc\x8f\x9f\x82\xbf\x81A\x94\x92\x82\xcd\x96h\x82\xb0\x82\xc8\x82\xa2",
                "黒の勝ち、白は防げない",
            ),
            (
                b"\xd7\xb8\xf0\xed\xfb\xe5 \xe2\xfb\xe8\xe3\xf0\xfb\xe2\xe0\xfe\xf2",
                "Чёрные выигрывают",
            ),
            (b"J\xfcrgen M\xfcller", "Jürgen Müller"),
        ] {
            assert_eq!(decode(bytes, None), text);
        }
    }

    #[test]
    fn declared_code_pages_are_used_unless_text_is_utf_8() {
        // The second byte of this character is `]` in ASCII.
        assert_eq!(decode(b"\xd5\x5d", Some(b"gb2312")), "\u{8aa1}");
        assert_eq!(decode("昞".as_bytes(), Some(b"gb2312")), "昞");
        for wrong in [&b"UTF-8"[..], b"no such", b"UTF-16", b"replacement", b""] {
            assert_eq!(decode(CHINESE, Some(wrong)), "白棋必胜，黑棋防守失败");
        }
    }

    #[test]
    fn damaged_texts_are_ignored_when_guessing() {
        let mut texts = [CHINESE; 9];
        texts[4] = b"\xf6 \xd6 ";
        assert_ne!(looks_like(&texts), GBK);
        assert_eq!(guess(&texts), GBK);
    }

    #[test]
    fn chance_utf_8_is_decoded_with_the_declared_code_page() {
        assert_eq!(decode_as(b"\xd6\xb1", GBK), "直");
        assert_eq!(decode_as("直止".as_bytes(), GBK), "直止");
        assert_eq!(decode_as(b"A1", GBK), "A1");
        assert_eq!(decode(b"PB[\xd2\xbb\xd6\xb1]", Some(b"GB2312")), "PB[一直]");
        // Four characters are not a coincidence, nor is one in a single-byte code page.
        assert_eq!(decode_as("Иван".as_bytes(), GBK), "Иван");
        assert_eq!(decode_as("Černý".as_bytes(), encoding_rs::WINDOWS_1252), "Černý");
    }

    #[test]
    fn damaged_bytes_are_replaced_in_utf_8() {
        let text = "PB[Petr Laštovička]PW[山田];B[hh]C[Černý vyhraje ".as_bytes();
        let damaged = [text, b"\xe3]"].concat();
        for named in [None, Some(&b"UTF-8"[..])] {
            let text = decode(&damaged, named);
            assert!(text.starts_with("PB[Petr Laštovička]PW[山田]"), "{text}");
            assert!(text.ends_with("vyhraje \u{fffd}]"), "{text}");
        }
        // One valid character suffices if the file declares UTF-8.
        let short = b"J\xc3\xbcrgen, \xfc";
        assert_eq!(decode(short, Some(b"UTF-8")), "Jürgen, \u{fffd}");
        assert_eq!(decode(short, None), "JÃ¼rgen, ü");
    }

    #[test]
    fn byte_order_marks_select_utf_16() {
        let bytes = |mark: [u8; 2], bytes: fn(u16) -> [u8; 2]| {
            [mark]
                .into_iter()
                .chain("黒 (;".encode_utf16().map(bytes))
                .flatten()
                .collect::<Vec<_>>()
        };
        assert_eq!(decode(&bytes([0xff, 0xfe], u16::to_le_bytes), None), "黒 (;");
        assert_eq!(decode(&bytes([0xfe, 0xff], u16::to_be_bytes), None), "黒 (;");
        assert_eq!(decode(b"\xef\xbb\xbfh8", Some(b"gb2312")), "h8");
    }
}
