//! Packs the networks for `src/eval/network/embedded.rs`.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use miniz_oxide::deflate::compress_to_vec_zlib;

/// The networks that the library embeds.
const NETWORKS: [&str; 4] = ["freestyle", "standard", "renju", "caro"];
/// Compression effort; the maximum is 10.
const EFFORT: u8 = 10;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_NETWORKS").is_none() {
        return;
    }
    let variable = |name| env::var(name).unwrap_or_default();
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR"));
    for name in NETWORKS {
        let from = root.join(format!("src/eval/network/{name}.net"));
        println!("cargo:rerun-if-changed={}", from.display());
        let network = fs::read(&from).unwrap_or_else(|e| panic!("{}: {e}", from.display()));
        let to = Path::new(&variable("OUT_DIR")).join(format!("{name}.net.z"));
        fs::write(&to, packed(&network)).unwrap_or_else(|e| panic!("{}: {e}", to.display()));
    }
}

/// The bytes at even places, then those at odd ones, compressed (zlib): most are numbers of 16
/// bits, whose upper halves are much alike.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let from = |first: usize| bytes.iter().copied().skip(first).step_by(2);
    compress_to_vec_zlib(&from(0).chain(from(1)).collect::<Vec<u8>>(), EFFORT)
}
