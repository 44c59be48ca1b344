//! Splitting and joining command lines.

use std::borrow::Cow;

use shell_words::ParseError;

/// Splits a command line into words like a shell. On Windows backslashes separate folders and do
/// not escape.
///
/// # Errors
/// Returns an error if a quote is not closed.
pub fn split_words(line: &str) -> Result<Vec<String>, ParseError> {
    let line = if cfg!(windows) { with_plain_backslashes(line).into() } else { Cow::from(line) };
    shell_words::split(&line)
}

/// Joins words into a command line that can be typed.
pub fn join_words<S: AsRef<str>>(words: &[S]) -> String {
    if !cfg!(windows) {
        return shell_words::join(words);
    }
    let quoted = |word: &str| match word.is_empty() || word.contains([' ', '\'', '&', '^', '%']) {
        true => format!("\"{word}\""),
        false => word.to_owned(),
    };
    words.iter().map(|word| quoted(word.as_ref())).collect::<Vec<_>>().join(" ")
}

/// Escapes backslashes, so that a shell leaves them unchanged. Within single quotes they have no
/// special meaning.
fn with_plain_backslashes(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len());
    let mut quote = None;
    for c in line.chars() {
        match c {
            '\'' | '"' if quote.is_none() => quote = Some(c),
            c if quote == Some(c) => quote = None,
            '\\' if quote != Some('\'') => escaped.push('\\'),
            _ => {}
        }
        escaped.push(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_paths_are_preserved() {
        for (line, words) in [
            (r"C:\brains\pbrain-x.exe --fast", [r"C:\brains\pbrain-x.exe", "--fast"]),
            (r#""C:\my brains\x.exe" -v"#, [r"C:\my brains\x.exe", "-v"]),
            (r"'C:\my brains\x.exe' -v", [r"C:\my brains\x.exe", "-v"]),
            (r#""it's C:\x" 'a "b" \c'"#, [r"it's C:\x", r#"a "b" \c"#]),
            (r"\\host\x.exe C:\games\", [r"\\host\x.exe", r"C:\games\"]),
        ] {
            assert_eq!(shell_words::split(&with_plain_backslashes(line)).unwrap(), words, "{line}");
        }
    }

    #[test]
    fn words_are_split_as_on_the_system() {
        let expected = if cfg!(windows) { r"a\b" } else { "ab" };
        assert_eq!(split_words(r"a\b 'c d'").unwrap(), [expected, "c d"]);
        assert!(split_words("'a").is_err());
        let words = ["./a b", "--fast", ""];
        assert_eq!(split_words(&join_words(&words)).unwrap(), words);
    }
}
