//! Times and sizes with units: `1.5s`, `200ms`, `350M`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A time with a unit: `5s`, `100ms`, `2m` or `1h`. Decimals and a bare `0` are allowed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Time(pub Duration);

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Time, String> {
        let error = || format!("invalid time '{text}': expected e.g. 5s, 100ms or 2m");
        let (number, unit) = split_unit(text);
        let number: f64 = number.parse().map_err(|_| error())?;
        let seconds = match unit {
            "ms" => number / 1000.0,
            "s" => number,
            "m" | "min" => number * 60.0,
            "h" => number * 3600.0,
            "" if number == 0.0 => 0.0,
            _ => return Err(error()),
        };
        Time::of_seconds(seconds).ok_or_else(error)
    }
}

impl Time {
    /// Converts seconds, rounded to microseconds so that 0.1s is exact.
    fn of_seconds(seconds: f64) -> Option<Time> {
        let micros = (seconds * 1e6).round();
        (0.0..=1e15).contains(&micros).then(|| Time(Duration::from_micros(micros as u64)))
    }
}

/// Parses a time. A number without a unit is in seconds.
///
/// # Errors
/// Returns an error if the text is not a valid time.
pub fn parse_seconds(text: &str) -> Result<Time, String> {
    with_unit(text, 1.0, "2, 0.5 (seconds), 500ms or 1m")
}

/// Parses a time. A number without a unit is in milliseconds.
///
/// # Errors
/// Returns an error if the text is not a valid time.
pub fn parse_milliseconds(text: &str) -> Result<Time, String> {
    with_unit(text, 0.001, "1000 (milliseconds), 500ms or 2s")
}

/// Parses a time. A number without a unit is in minutes.
///
/// # Errors
/// Returns an error if the text is not a valid time.
pub fn parse_minutes(text: &str) -> Result<Time, String> {
    with_unit(text, 60.0, "10, 0.5 (minutes), 90s or 1h")
}

fn with_unit(text: &str, seconds: f64, examples: &str) -> Result<Time, String> {
    let time = match text.trim().parse::<f64>() {
        Ok(number) => Time::of_seconds(number * seconds),
        Err(_) => text.parse().ok(),
    };
    time.ok_or_else(|| format!("invalid time '{text}': expected e.g. {examples}"))
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let micros = self.0.as_micros();
        if micros.is_multiple_of(1_000_000) {
            write!(f, "{}s", micros / 1_000_000)
        } else {
            write!(f, "{}ms", micros as f64 / 1000.0)
        }
    }
}

/// A memory size in bytes: `350M`, `64MiB`, `1G` (powers of 1024), or a plain number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Bytes(pub u64);

impl FromStr for Bytes {
    type Err = String;

    fn from_str(text: &str) -> Result<Bytes, String> {
        let error = || format!("invalid memory size '{text}': expected e.g. 350M or 1G");
        let (number, unit) = split_unit(text);
        let number: f64 = number.parse().map_err(|_| error())?;
        let factor = match unit.to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
            "" => 1u64,
            "k" => 1 << 10,
            "m" => 1 << 20,
            "g" => 1 << 30,
            _ => return Err(error()),
        };
        let bytes = number * factor as f64;
        if (0.0..1e15).contains(&bytes) { Ok(Bytes(bytes as u64)) } else { Err(error()) }
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            n if n > 0 && n % (1 << 20) == 0 => write!(f, "{}M", n >> 20),
            n => write!(f, "{n}"),
        }
    }
}

fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

/// A scalar value in a configuration file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Scalar {
    Integer(i64),
    Float(f64),
    Bool(bool),
    Text(String),
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Integer(n) => n.fmt(f),
            Scalar::Float(x) => x.fmt(f),
            Scalar::Bool(b) => b.fmt(f),
            Scalar::Text(text) => text.fmt(f),
        }
    }
}

/// Deserializes an optional value from its text form. Numbers and booleans are accepted as well.
///
/// # Errors
/// Returns an error if the text is not a valid value.
pub fn from_text<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: fmt::Display>,
{
    let text = Scalar::deserialize(deserializer)?.to_string();
    text.parse()
        .map(Some)
        .map_err(|e: T::Err| de::Error::custom(format!("invalid value '{text}': {e}")))
}

/// Deserializes a table whose values are converted to text.
///
/// # Errors
/// Returns an error if a value is not a scalar.
pub fn text_table<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<std::collections::BTreeMap<String, String>, D::Error> {
    let table = std::collections::BTreeMap::<String, Scalar>::deserialize(deserializer)?;
    Ok(table.into_iter().map(|(key, value)| (key, value.to_string())).collect())
}

macro_rules! serde_as_text {
    ($type:ty) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = Scalar::deserialize(deserializer)?.to_string();
                text.parse().map_err(de::Error::custom)
            }
        }
    };
}
serde_as_text!(Time);
serde_as_text!(Bytes);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_parse_and_print() {
        let millis = |text: &str| text.parse::<Time>().map(|t| t.0.as_millis());
        assert_eq!(millis("0.1s"), Ok(100));
        assert_eq!(millis("250 ms"), Ok(250));
        assert_eq!(millis("2m"), Ok(120_000));
        assert_eq!(millis("0"), Ok(0));
        for bad in ["5", "", "s", "1x", "-1s", "1e99s", "nan s"] {
            assert!(millis(bad).is_err(), "{bad}");
        }
        for text in ["5s", "120s", "0s", "250ms", "0.5ms"] {
            assert_eq!(text.parse::<Time>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn numbers_without_unit_use_the_default_unit() {
        let time = |time: Result<Time, String>| time.map(|time| time.0.as_millis());
        for (text, ms) in
            [("2", 2000), ("0.5", 500), ("1e1", 10_000), ("500ms", 500), ("1m", 60_000)]
        {
            assert_eq!(time(parse_seconds(text)), Ok(ms), "{text}");
        }
        assert_eq!(time(parse_milliseconds("200")), Ok(200));
        assert_eq!(time(parse_milliseconds("2s")), Ok(2000));
        let error = parse_milliseconds("5x").unwrap_err();
        assert!(error.contains("1000 (milliseconds), 500ms or 2s"), "{error}");
        assert_eq!(time(parse_minutes("1.5")), Ok(90_000));
        assert_eq!(time(parse_minutes("90s")), Ok(90_000));
        for bad in ["-1", "nan", "inf", "1e300", "2x", ""] {
            let error = parse_seconds(bad).unwrap_err();
            assert!(error.contains("(seconds), 500ms"), "{error}");
        }
    }

    #[test]
    fn memory_sizes_parse_and_print() {
        let bytes = |text: &str| text.parse::<Bytes>().map(|b| b.0);
        assert_eq!(bytes("350M"), Ok(350 << 20));
        assert_eq!(bytes("64 MiB"), Ok(64 << 20));
        assert_eq!(bytes("1.5kb"), Ok(1536));
        assert_eq!(bytes("367001600"), Ok(350 << 20));
        assert!(bytes("350X").is_err() && bytes("M").is_err());
        assert_eq!(Bytes(350 << 20).to_string(), "350M");
    }
}
