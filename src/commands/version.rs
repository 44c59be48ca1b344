//! Version information for bug reports.

use std::sync::OnceLock;

use kakugo::eval::kernel::Kernel;

/// Returns the text of `--version`: version, commit, target, features, and the evaluation kernel
/// used on the current CPU.
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

/// Returns the enabled features of Cargo.toml.
fn features() -> String {
    let all = [
        ("play", cfg!(feature = "play")),
        ("match", cfg!(feature = "match")),
        ("check", cfg!(feature = "check")),
        ("records", cfg!(feature = "records")),
        ("manual", cfg!(feature = "manual")),
        ("plots", cfg!(feature = "plots")),
        ("tuning", cfg!(feature = "tuning")),
    ];
    let enabled: Vec<&str> =
        all.iter().filter(|(_, enabled)| *enabled).map(|(name, _)| *name).collect();
    if enabled.is_empty() { "none".to_owned() } else { enabled.join(", ") }
}
