//! Logging to stderr.

use std::env;

/// The variables that set the log filter, in order of precedence.
const VARIABLES: [&str; 2] = ["KAKUGO_LOG", "RUST_LOG"];

/// Starts logging to stderr if one of the variables is set.
///
/// Otherwise stderr stays silent, because some managers read it as the engine's answers.
pub fn init() {
    if let Some(variable) = VARIABLES.into_iter().find(|name| env::var_os(name).is_some()) {
        env_logger::Builder::from_env(variable).init();
    }
}
