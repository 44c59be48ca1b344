//! Texts of programs that wrote in the code page of their country, as RenLib and most old ones did.
//!
//! UTF-8 is known by its form, so it is taken for that whatever a file says of itself. Of the others each
//! byte could mean anything: what a file says is believed, or else what its bytes look like is guessed.

use std::borrow::Cow;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GBK, SHIFT_JIS, UTF_8};

/// So many bytes are enough to guess by.
pub(super) const ENOUGH: usize = 1 << 18;

/// Those of several bytes a character.
const WIDE: [&Encoding; 5] = [GBK, SHIFT_JIS, EUC_KR, BIG5, EUC_JP];

/// A file's text; `named` is what it calls its code page.
pub(super) fn decode<'a>(bytes: &'a [u8], named: Option<&[u8]>) -> Cow<'a, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let named = named.and_then(Encoding::for_label);
    let named = named.filter(|encoding| *encoding != UTF_8 && encoding.is_ascii_compatible());
    // None of the two has a part in a character of several bytes.
    let parts = bytes.split(|byte| b"\n;".contains(byte)).filter(|part| !part.is_ascii());
    let mut room = ENOUGH;
    let some = parts.take_while(|part| {
        let has_room = room > 0;
        room = room.saturating_sub(part.len());
        has_room
    });
    let encoding = named.unwrap_or_else(|| guess(&some.collect::<Vec<_>>()));
    encoding.decode_without_bom_handling(bytes).0
}

/// One of the texts of a file whose others are in this code page. Two or three of its characters may look
/// like UTF-8 by chance, but only like its short ones.
pub(super) fn decode_as<'a>(bytes: &'a [u8], encoding: &'static Encoding) -> Cow<'a, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() || text.chars().any(|c| c.len_utf8() > 2) => {
            Cow::Borrowed(text)
        }
        _ => encoding.decode_without_bom_handling(bytes).0,
    }
}

/// The code page that texts look like, which must not be UTF-8.
pub(super) fn guess(texts: &[&[u8]]) -> &'static Encoding {
    let length = |texts: &[&[u8]]| texts.iter().map(|text| text.len()).sum::<usize>();
    // A damaged text rules out what is right for all others.
    let fits = |encoding: &&'static Encoding| {
        let is_sound = |text: &&&[u8]| !encoding.decode_without_bom_handling(text).1;
        let sound: Vec<&[u8]> = texts.iter().filter(is_sound).copied().collect();
        length(&sound) * 20 > length(texts) * 19 && looks_like(&sound) == *encoding
    };
    WIDE.into_iter().find(fits).unwrap_or_else(|| looks_like(texts))
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

#[cfg(test)]
mod tests {
    use super::*;

    const CHINESE: &[u8] =
        b"\xb0\xd7\xc6\xe5\xb1\xd8\xca\xa4\xa3\xac\xba\xda\xc6\xe5\xb7\xc0\xca\xd8\xca\xa7\xb0\xdc";

    #[test]
    fn code_pages_are_guessed_by_what_is_written_in_them() {
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
    fn a_named_code_page_is_believed_except_of_what_is_utf_8() {
        // Its second byte is a bracket elsewhere.
        assert_eq!(decode(b"\xd5\x5d", Some(b"gb2312")), "\u{8aa1}");
        assert_eq!(decode("昞".as_bytes(), Some(b"gb2312")), "昞");
        for wrong in [&b"UTF-8"[..], b"no such", b"UTF-16", b"replacement", b""] {
            assert_eq!(decode(CHINESE, Some(wrong)), "白棋必胜，黑棋防守失败");
        }
    }

    #[test]
    fn a_damaged_text_does_not_decide() {
        let mut texts = [CHINESE; 9];
        texts[4] = b"\xf6 \xd6 ";
        assert_ne!(looks_like(&texts), GBK);
        assert_eq!(guess(&texts), GBK);
    }

    #[test]
    fn characters_that_look_like_utf_8_by_chance_are_of_the_files_code_page() {
        assert_eq!(decode_as(b"\xd6\xb1", GBK), "直");
        assert_eq!(decode_as("直止".as_bytes(), GBK), "直止");
        assert_eq!(decode_as(b"A1", GBK), "A1");
    }
}
