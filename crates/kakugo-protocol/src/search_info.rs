//! Search info in the messages of engines.

/// The latest search info in the messages of an engine.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SearchInfo {
    /// Depth, in plies.
    pub depth: Option<u32>,
    /// Evaluation for the engine, as printed.
    pub eval: Option<String>,
    /// Number of nodes.
    pub nodes: Option<u64>,
}

impl SearchInfo {
    /// Updates the info from a message. Words and values may be separated by whitespace, `|`, `:`,
    /// `=` or `,`, as in `depth 5-8 ev 12 n 1.5M` or `Depth 5-8 | Eval 12 | Node 1500K`.
    pub fn update(&mut self, message: &str) {
        let mut words = message
            .split(|c: char| c.is_whitespace() || "|:=,".contains(c))
            .filter(|word| !word.is_empty())
            .peekable();
        let mut updated = self.clone();
        while let Some(word) = words.next() {
            let Some(&value) = words.peek() else { break };
            match word.to_ascii_lowercase().as_str() {
                "pv" | "bestline" => break,
                // Ignore all lines but the best.
                "multipv" if value != "1" => return,
                "depth" | "d" => {
                    let digits = value.split('-').next().unwrap_or_default();
                    updated.depth = digits.parse().ok().or(updated.depth);
                }
                "ev" | "eval" | "score" | "value" if is_value(value) => {
                    updated.eval = Some(value.to_owned());
                }
                "n" | "node" | "nodes" | "totalnodes" => {
                    updated.nodes = amount(value).or(updated.nodes)
                }
                _ => continue,
            }
        }
        *self = updated;
    }
}

/// Returns true for values such as `12`, `-3.5`, `+M5` or `-M8`.
fn is_value(text: &str) -> bool {
    let digits = text.trim_start_matches(['+', '-']).trim_start_matches(['M', '#']);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

/// Parses a number such as `1500`, `1.5K`, `2M` or `1G`.
fn amount(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let factor = match &text[digits.len()..] {
        "" => 1.0,
        "k" | "K" => 1e3,
        "m" | "M" => 1e6,
        "g" | "G" => 1e9,
        _ => return None,
    };
    let number: f64 = digits.parse().ok()?;
    (number >= 0.0).then_some((number * factor).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    use crate::reply::Reply;
    use crate::status::Status;
    use kakugo::board::Point;
    use kakugo::score::Score;
    use proptest::prelude::*;

    #[test]
    fn search_info_is_parsed_from_known_formats() {
        let mut search_info = SearchInfo::default();
        search_info.update("depth 5-8 ev 12 n 1.5M n/ms 150 tm 1234 pv h8 i9");
        assert_eq!(
            search_info,
            SearchInfo { depth: Some(5), eval: Some("12".into()), nodes: Some(1_500_000) }
        );
        search_info.update("Speed 1049K | Depth 18-29 | Eval -M7 | Node 1049K | Time 1000ms");
        assert_eq!(
            search_info,
            SearchInfo { depth: Some(18), eval: Some("-M7".into()), nodes: Some(1_049_000) }
        );
        search_info.update("depth 18-29 multipv 2 ev -M5 n 2049K");
        search_info.update("nothing to see: depth of field, ev il, n o");
        assert_eq!(search_info.depth, Some(18));
        assert_eq!(search_info.eval.as_deref(), Some("-M7"));
    }

    proptest! {
        #[test]
        fn own_messages_round_trip(
            depth in 0..200u32,
            seldepth in 0..200u32,
            eval in -20_000..20_000i32,
            won_in in prop::option::of(1..100usize),
            nodes in any::<u64>(),
            ms in 0..1_000_000u64,
            pv in prop::collection::vec((0..32u8, 0..32u8), 0..9),
        ) {
            let score = won_in.map_or(Score::from_eval(eval), Score::win_in);
            let pv = pv.into_iter().filter_map(|(x, y)| Point::new(x, y)).collect();
            let elapsed = Duration::from_millis(ms);
            let status = Status { line: 0, lines: 1, depth, seldepth, score, nodes, elapsed, pv };
            let Reply::Message(text) = status.message() else { panic!("{status:?}") };
            let mut search_info = SearchInfo::default();
            search_info.update(&text);
            prop_assert_eq!(search_info.depth, Some(depth));
            prop_assert_eq!(search_info.eval, Some(score.to_string()));
            let read = search_info.nodes.unwrap();
            prop_assert!(read.abs_diff(nodes) as f64 <= nodes as f64 / 10.0, "{} {}", read, nodes);
        }
    }
}
