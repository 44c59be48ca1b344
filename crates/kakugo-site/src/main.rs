//! Packs the static site: the page of `kakugo-play`, the workers, the module and the networks.
//!
//! ```text
//! kakugo-site MODULE.wasm [THREADS.wasm] FOLDER
//! kakugo-site --serve FOLDER [--isolated]     look at it on this machine
//! ```
//!
//! THREADS.wasm is the module of searches with several threads. Without it they have one.
//!
//! All paths are relative, so that the folder can be served below any address. Files that may be
//! cached for good are named by their contents.

#[cfg(not(target_family = "wasm"))]
#[path = "../../kakugo-play/build/bundle.rs"]
mod bundle;
#[cfg(not(target_family = "wasm"))]
mod pack;
#[cfg(not(target_family = "wasm"))]
mod serve;

#[cfg(not(target_family = "wasm"))]
fn main() -> std::process::ExitCode {
    use std::path::PathBuf;
    use std::process::ExitCode;
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(Into::into).collect();
    let is = |at: usize, word: &str| arguments.get(at).is_some_and(|own| own.as_os_str() == word);
    let done = match &arguments[..] {
        [_, folder] if is(0, "--serve") => serve::serve(folder, false).map_err(Into::into),
        [_, folder, _] if is(0, "--serve") && is(2, "--isolated") => {
            serve::serve(folder, true).map_err(Into::into)
        }
        [module, threads @ .., folder] if threads.len() <= 1 => {
            let threads = threads.first().map(PathBuf::as_path);
            pack::pack(module, threads, folder).map(|sizes| print!("{sizes}"))
        }
        _ => {
            eprintln!("error: expected one or two modules and a folder, or --serve and a folder");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(target_family = "wasm")]
fn main() {}
