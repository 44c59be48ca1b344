//! The networks inside the program, so that it needs no file. Without the feature `networks` there
//! are none.

use std::sync::{Arc, OnceLock};

use miniz_oxide::inflate::decompress_to_vec_zlib;

use super::tables::NetworkTables;
use crate::board::{Board, Rule, Side};
use crate::eval::weights;

/// Returns the bytes of a network file as packed by `build.rs`.
#[cfg(feature = "networks")]
macro_rules! packed {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".net.z"))
    };
}

/// The rule and the packed file of each network. The first one that supports a board is used.
#[cfg(not(feature = "networks"))]
const EMBEDDED: &[(Rule, &[u8])] = &[];
#[cfg(feature = "networks")]
const EMBEDDED: &[(Rule, &[u8])] = &[
    (Rule::Freestyle, packed!("freestyle")),
    (Rule::Standard, packed!("standard")),
    (Rule::Renju, packed!("renju")),
    (Rule::Caro, packed!("caro")),
];

/// Maximum total size of the packed networks, in bytes.
const MAX_BYTES: usize = 4 << 20;

const _: () = {
    let (mut bytes, mut i) = (0, 0);
    while i < EMBEDDED.len() {
        bytes += EMBEDDED[i].1.len();
        i += 1;
    }
    assert!(bytes <= MAX_BYTES, "the networks make the program too large");
};

/// Returns the file of the embedded network for `rule`.
pub fn embedded(rule: Rule) -> Option<Vec<u8>> {
    let of = |rule| weights::section(rule, Side::Black);
    let (_, packed) = EMBEDDED.iter().find(|&&(other, _)| of(other) == of(rule))?;
    unpacked(packed)
}

/// Unpacks a file, or returns `None` if it is damaged. Bytes at even offsets are stored before
/// those at odd offsets.
pub fn unpacked(packed: &[u8]) -> Option<Vec<u8>> {
    let bytes = decompress_to_vec_zlib(packed).ok()?;
    let (even, odd) = bytes.split_at(bytes.len().div_ceil(2));
    let pairs = even.iter().zip(odd).flat_map(|(&even, &odd)| [even, odd]);
    Some(pairs.chain(even.get(odd.len()).copied()).collect())
}

/// Returns the embedded network for this board, decoded at first use.
pub(super) fn for_board(board: &Board) -> Option<Arc<NetworkTables>> {
    static DECODED: [OnceLock<Option<Arc<NetworkTables>>>; EMBEDDED.len()] =
        [const { OnceLock::new() }; EMBEDDED.len()];
    let family = |rule| weights::section(rule, Side::Black);
    let of_rule = |rule| family(rule) == family(board.variant().rule());
    let candidates = EMBEDDED.iter().zip(&DECODED).filter(|((rule, _), _)| of_rule(*rule));
    let mut decoded = candidates.filter_map(|((_, packed), decoded)| {
        decoded
            .get_or_init(|| Some(Arc::new(NetworkTables::read(&unpacked(packed)?).ok()?)))
            .clone()
    });
    decoded.find(|tables| tables.supports(board))
}

#[cfg(all(test, feature = "networks"))]
mod tests {
    use std::fs;
    use std::path::Path;

    use miniz_oxide::deflate::compress_to_vec_zlib;

    use super::*;
    use crate::eval::network::model::Network;

    #[test]
    fn every_embedded_network_is_valid_and_for_its_rule() {
        for &(rule, packed) in EMBEDDED {
            let bytes = unpacked(packed).unwrap();
            assert_eq!(Network::from_bytes(&bytes).map(|network| network.rule), Ok(rule));
        }
    }

    #[test]
    fn unpacked_networks_equal_the_files_in_the_repository() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/eval/network");
        let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let files = entries.filter(|path| path.extension().is_some_and(|end| end == "net"));
        let mut files: Vec<Vec<u8>> = files.map(|path| fs::read(path).unwrap()).collect();
        let mut embedded: Vec<Vec<u8>> =
            EMBEDDED.iter().map(|(_, packed)| unpacked(packed).unwrap()).collect();
        files.sort();
        embedded.sort();
        assert!(files == embedded);
    }

    #[test]
    fn unpacking_rejects_damage_and_accepts_odd_lengths() {
        assert_eq!(unpacked(&EMBEDDED[0].1[..1000]), None);
        for bytes in [&b""[..], b"a", b"ab", b"abcde"] {
            let from = |first: usize| bytes.iter().copied().skip(first).step_by(2);
            let apart: Vec<u8> = from(0).chain(from(1)).collect();
            assert_eq!(unpacked(&compress_to_vec_zlib(&apart, 1)).as_deref(), Some(bytes));
        }
    }
}
