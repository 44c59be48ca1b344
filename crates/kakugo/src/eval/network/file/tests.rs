use proptest::prelude::*;

use super::*;
use crate::eval::network::random;

/// Offsets in the header.
const RULE: usize = 10;
const SECTIONS: usize = 11;
const MIN_SIZE: usize = 12;
const CHANNELS_AT: usize = 14;
const ARCHITECTURE: usize = 18;
const LENGTH: usize = 22;
const DESCRIPTION: usize = 23;

fn network() -> Network {
    random(Rule::Freestyle, 1)
}

/// Replaces the checksum by a valid one.
fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() - CHECKSUM);
    bytes.extend(crc32(&bytes).to_le_bytes());
    bytes
}

/// Returns the error for a file with another byte `at`, but a valid checksum.
fn rejection(at: usize, byte: u8) -> NetworkError {
    let mut bytes = network().to_bytes();
    bytes[at] = byte;
    Network::from_bytes(&signed(bytes)).expect_err("one byte is wrong")
}

#[test]
fn every_rule_survives_a_round_trip() {
    for rule in Rule::ALL {
        let network = random(rule, 7);
        assert_eq!(network.check(), Ok(()));
        let bytes = network.to_bytes();
        assert_eq!(
            bytes.len(),
            DESCRIPTION + network.description.len() + CHECKSUM + network.sections.len() * SECTION
        );
        assert_eq!(Network::from_bytes(&bytes), Ok(network), "{rule}");
    }
}

#[test]
fn each_fault_has_its_own_error() {
    assert_eq!(Network::from_bytes(b""), Err(NetworkError::Foreign));
    assert_eq!(Network::from_bytes(b"KAKUGAME and more"), Err(NetworkError::Foreign));
    assert_eq!(Network::from_bytes(MAGIC), Err(NetworkError::Damaged));
    assert_eq!(rejection(0, b'k'), NetworkError::Foreign);
    assert_eq!(rejection(8, 2), NetworkError::Version(2));
    assert_eq!(rejection(RULE, 77), NetworkError::Rule(77));
    assert_eq!(rejection(SECTIONS, 2), NetworkError::Length);
    assert_eq!(rejection(CHANNELS_AT, 32), NetworkError::Dimensions { channels: 32, hidden: 32 });
    assert_eq!(
        rejection(CHANNELS_AT + 2, 16),
        NetworkError::Dimensions { channels: 64, hidden: 16 }
    );
    let sum = architecture().to_le_bytes()[0];
    assert_eq!(rejection(ARCHITECTURE, !sum), NetworkError::Architecture);
    assert_eq!(rejection(LENGTH, 255), NetworkError::Length);
    assert_eq!(rejection(DESCRIPTION, 0xFF), NetworkError::Description);
    let sizes = OutOfBounds::Sizes { min: 40, max: 27 };
    assert_eq!(rejection(MIN_SIZE, 40), NetworkError::Bounds(sizes));
    // Renju needs a section for each side to move.
    assert_eq!(rejection(RULE, 4), NetworkError::Bounds(OutOfBounds::Sections(1)));
}

#[test]
fn numbers_whose_sums_might_overflow_are_rejected() {
    type Spoil = fn(&mut Section);
    let faults: [(Spoil, &str); 15] = [
        (|s| s.own[5] = ROW_MAX + 1, "own"),
        (|s| s.other[7] = i16::MIN, "other"),
        (|s| s.lines[9] = i8::MIN, "lines"),
        (|s| s.w0[CHANNELS..2 * CHANNELS].fill(i16::MIN), "w0 and b0"),
        (|s| s.b0[3] = i32::MIN, "w0 and b0"),
        (|s| s.w1[..INPUTS].fill(i16::MAX), "w1, m1 and b1"),
        (|s| s.m1[MASK_BITS - 1] = i32::MAX, "w1, m1 and b1"),
        (|s| s.b1[HIDDEN - 1] = i32::MIN, "w1, m1 and b1"),
        (|s| s.w2[..HIDDEN].fill(i16::MIN), "w2 and b2"),
        (|s| s.b2[0] = i32::MAX, "w2 and b2"),
        (|s| s.w3.fill(-9000), "w3, b3 and threat"),
        (|s| s.b3 = i32::MIN, "w3, b3 and threat"),
        (|s| s.threat[MASKS - 1] = i32::MAX, "w3, b3 and threat"),
        (|s| s.factor = i32::MIN, "factor"),
        (|s| s.scale = 0, "scale"),
    ];
    for (spoil, table) in faults {
        let mut network = network();
        spoil(&mut network.sections[0]);
        let rejected = NetworkError::Bounds(OutOfBounds::Number(table));
        assert_eq!(Network::from_bytes(&network.to_bytes()), Err(rejected));
    }
    let mut cut = network();
    cut.sections[0].m1.pop();
    assert_eq!(cut.check(), Err(OutOfBounds::Length("m1")));
}

#[test]
fn the_largest_numbers_of_training_are_accepted() {
    let mut network = network();
    let section = &mut network.sections[0];
    section.own.fill(ROW_MAX);
    section.other.fill(-ROW_MAX);
    section.lines.fill(LINE_MAX);
    section.w0.fill(-2047);
    section.b0.fill(31 << 16);
    section.w1.fill(2047);
    section.m1.fill(31 << 16);
    section.b1.fill(-(31 << 16));
    section.w2.fill(-2047);
    section.b2.fill(31 << 16);
    section.w3.fill(2047);
    section.threat.fill(31 << 16);
    assert_eq!(network.check(), Ok(()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_flipped_bit_is_rejected(at in 0usize..1 << 20, bit in 0u32..8) {
        let mut bytes = network().to_bytes();
        let at = at % bytes.len();
        bytes[at] ^= 1 << bit;
        prop_assert!(Network::from_bytes(&bytes).is_err());
    }

    #[test]
    fn a_flipped_bit_in_the_header_is_rejected(at in 0usize..64, bit in 0u32..8) {
        let mut bytes = network().to_bytes();
        bytes[at] ^= 1 << bit;
        prop_assert!(Network::from_bytes(&bytes).is_err());
    }

    #[test]
    fn a_truncated_file_is_rejected(length in 0usize..1 << 20) {
        let bytes = network().to_bytes();
        let length = length % bytes.len();
        prop_assert!(Network::from_bytes(&bytes[..length]).is_err());
        let header = length % 64;
        prop_assert!(Network::from_bytes(&bytes[..header]).is_err());
    }

    #[test]
    fn bytes_with_a_valid_checksum_cause_no_panic(
        header in proptest::collection::vec(any::<u8>(), 0..80),
        at in 8usize..32,
    ) {
        let mut bytes = [&MAGIC[..], &VERSION.to_le_bytes(), &header, &[0; CHECKSUM]].concat();
        let _ = Network::from_bytes(&signed(bytes.clone()));
        // And a complete file with a part of the header replaced.
        let whole = network().to_bytes();
        let at = at.min(bytes.len());
        bytes.splice(at.., whole[at..].iter().copied());
        let _ = Network::from_bytes(&signed(bytes));
    }
}

#[test]
fn checksums_identify_networks() {
    let [one, other] = [1, 2].map(|seed| random(Rule::Renju, seed));
    assert_ne!(one.checksum(), other.checksum());
    let bytes = one.to_bytes();
    assert_eq!(one.checksum(), crc32(&bytes[..bytes.len() - 4]));
    assert_eq!(Network::from_bytes(&bytes).unwrap().checksum(), one.checksum());
}
