//! Zip files: names from the central directory.

/// Returns the paths of the files in a zip archive, with `/` between folders, or `None` if it is
/// not one. Zip64 is not supported.
pub(super) fn names(bytes: &[u8]) -> Option<Vec<String>> {
    const END: &[u8] = b"PK\x05\x06";
    const FILE: &[u8] = b"PK\x01\x02";
    let word =
        |at: usize| Some(usize::from(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?)));
    let long = |at: usize| {
        usize::try_from(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?)).ok()
    };
    // The end record is at the end, followed only by a comment of at most 64 KB.
    let from = bytes.len().saturating_sub(22 + 65_535);
    let end = from + bytes.get(from..)?.windows(4).rposition(|window| window == END)?;
    let (count, mut at) = (word(end + 10)?, long(end + 16)?);
    let mut found = Vec::new();
    for _ in 0..count {
        if bytes.get(at..at + 4)? != FILE {
            return None;
        }
        let (name, extra, comment) = (word(at + 28)?, word(at + 30)?, word(at + 32)?);
        let text = bytes.get(at + 46..at + 46 + name)?;
        found.push(String::from_utf8_lossy(text).into_owned());
        at += 46 + name + extra + comment;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a zip archive that consists of a central directory only.
    fn zip(files: &[&str]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for name in files {
            let mut entry = b"PK\x01\x02".to_vec();
            entry.resize(46, 0);
            entry[28..30].copy_from_slice(&u16::try_from(name.len()).unwrap().to_le_bytes());
            entry.extend(name.as_bytes());
            bytes.extend(entry);
        }
        let mut end = b"PK\x05\x06".to_vec();
        end.resize(22, 0);
        end[10..12].copy_from_slice(&u16::try_from(files.len()).unwrap().to_le_bytes());
        bytes.extend(end);
        bytes
    }

    #[test]
    fn names_are_read_from_the_directory() {
        let files = ["pbrain-x.exe", "data/weights.bin"];
        assert_eq!(names(&zip(&files)).unwrap(), files);
        assert_eq!(names(&zip(&[])), Some(vec![]));
    }

    #[test]
    fn what_is_no_zip_is_none() {
        assert_eq!(names(b""), None);
        assert_eq!(names(b"hello"), None);
        let bytes = zip(&["a", "b"]);
        // The last two bytes are the length of the comment.
        for cut in 3..bytes.len() {
            assert_eq!(names(&bytes[..bytes.len() - cut]), None);
        }
        for cut in 1..bytes.len() {
            assert_eq!(names(&bytes[cut..]), None);
        }
    }
}
