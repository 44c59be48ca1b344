//! Which program this is: what to tell with a report of a fault.

use std::sync::OnceLock;

use kakugo::eval::kernel::Kernel;

/// What `--version` says below the program's name: version and commit, the system that it was built
/// for, its optional parts, and the kernel that values positions on this machine.
pub fn version() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let commit = option_env!("KAKUGO_COMMIT").unwrap_or("unknown");
        let kernels = Kernel::available().iter().map(Kernel::to_string).collect::<Vec<_>>();
        format!(
            "{}\ncommit: {commit}\ntarget: {}\nfeatures: {}\nkernel: {} (of {})",
            env!("CARGO_PKG_VERSION"),
            env!("KAKUGO_TARGET"),
            features(),
            Kernel::best(),
            kernels.join(", ")
        )
    })
}

/// The features of Cargo.toml that are built in.
fn features() -> String {
    let all = [
        ("play", cfg!(feature = "play")),
        ("plots", cfg!(feature = "plots")),
        ("tuning", cfg!(feature = "tuning")),
    ];
    let present: Vec<&str> =
        all.iter().filter(|(_, built)| *built).map(|(name, _)| *name).collect();
    if present.is_empty() { "none".to_owned() } else { present.join(", ") }
}
