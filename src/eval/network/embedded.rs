//! The networks that the program carries, so that it needs no file.

use std::sync::{Arc, OnceLock};

use super::tables::Tables;
use crate::board::{Board, Rule, Side};
use crate::eval::weights;

/// The rule and the file of each network. Where several serve a board, the first does.
const EMBEDDED: &[(Rule, &[u8])] = &[
    (Rule::Freestyle, include_bytes!("freestyle.net")),
    (Rule::Standard, include_bytes!("standard.net")),
    (Rule::Renju, include_bytes!("renju.net")),
    (Rule::Caro, include_bytes!("caro.net")),
];

/// Most that all of them may add to the program, in bytes.
const ROOM: usize = 5 << 20;

const _: () = {
    let (mut bytes, mut i) = (0, 0);
    while i < EMBEDDED.len() {
        bytes += EMBEDDED[i].1.len();
        i += 1;
    }
    assert!(bytes <= ROOM, "the networks make the program too large");
};

/// The file of the embedded network for `rule`.
pub fn embedded(rule: Rule) -> Option<&'static [u8]> {
    let of = |rule| weights::section(rule, Side::Black);
    EMBEDDED.iter().find(|&&(other, _)| of(other) == of(rule)).map(|&(_, bytes)| bytes)
}

/// The embedded network that serves this board, decoded at first use and kept.
pub(super) fn serving(board: &Board) -> Option<Arc<Tables>> {
    static DECODED: [OnceLock<Option<Arc<Tables>>>; EMBEDDED.len()] =
        [const { OnceLock::new() }; EMBEDDED.len()];
    let family = |rule| weights::section(rule, Side::Black);
    let of_rule = |rule| family(rule) == family(board.variant().rule());
    let candidates = EMBEDDED.iter().zip(&DECODED).filter(|((rule, _), _)| of_rule(*rule));
    let mut decoded = candidates.filter_map(|((_, bytes), decoded)| {
        decoded.get_or_init(|| Some(Arc::new(Tables::read(bytes).ok()?))).clone()
    });
    decoded.find(|tables| tables.serves(board))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::model::Network;

    #[test]
    fn every_embedded_network_is_whole_and_for_its_rule() {
        for &(rule, bytes) in EMBEDDED {
            assert_eq!(Network::from_bytes(bytes).map(|network| network.rule), Ok(rule));
        }
    }
}
