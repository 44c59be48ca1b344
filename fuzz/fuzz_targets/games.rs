//! Bytes as a file of games of self-play: what is damaged is told to the byte, and every game that
//! is read can be played.

#![no_main]

use kakugo::board::Outcome;
use kakugo::checksum::crc32;
use kakugo_train::selfplay::read;
use libfuzzer_sys::fuzz_target;

/// Length of a file's header, in bytes.
const HEADER: usize = 32;

fuzz_target!(|bytes: &[u8]| {
    let [kind, rest @ ..] = bytes else { return };
    let file = if kind % 4 == 0 { rest.to_vec() } else { sealed(rest) };
    let mut games = 0;
    let reading = read(&file, |game| {
        games += 1;
        let mut board = game.board().expect("a game has a board");
        for p in game.stones() {
            assert_eq!(board.outcome(), Outcome::Ongoing);
            board.play(p).expect("a stone on a free point");
        }
    });
    let Ok(reading) = reading else { return };
    let mut at = HEADER;
    for damage in &reading.damaged {
        assert!(at <= damage.start && damage.start < damage.end);
        at = damage.end;
    }
    assert!(at + reading.truncated <= file.len());
    if games == 0 {
        assert_eq!((reading.damaged.len(), reading.truncated), (0, file.len() - HEADER));
    }
});

/// A file with a good header and good checksums. A block's length comes first, in two bytes; where
/// the second has its highest bit set, its checksum is left wrong.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let (header, mut rest) = bytes.split_at(bytes.len().min(18));
    let mut file = b"KAKUGAME\x01\x00".to_vec();
    file.extend(header);
    file.resize(HEADER - 4, 0);
    file[10] = [0, 1, 4, 8, 9][usize::from(file[10]) % 5];
    (file[11], file[12]) = (5 + file[11] % 10, 15 + file[12] % 10);
    file.extend(crc32(&file).to_le_bytes());
    while let [low, high, others @ ..] = rest {
        let length = usize::from(*low) | usize::from(high & 0x07) << 8;
        let (game, after) = others.split_at(length.min(others.len()));
        let length = (game.len() as u32).to_le_bytes();
        let wrong = u32::from(high >> 7);
        let sum = crc32(&[&length, game].concat()) ^ wrong;
        file.extend(b"\xA7gam");
        file.extend(length);
        file.extend(sum.to_le_bytes());
        file.extend(game);
        rest = after;
    }
    file
}
