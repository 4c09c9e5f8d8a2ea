//! The version of a build. Release builds set the commit (`BUILD_COMMIT`); on a developer's machine
//! it would rebuild everything after every commit.

use std::sync::LazyLock;

static VERSION: LazyLock<String> = LazyLock::new(|| with_commit(option_env!("BUILD_COMMIT")));

/// The version, with the commit as build metadata if it is known: `0.1.0+e8051fb`.
#[must_use]
pub fn version() -> &'static str {
    &VERSION
}

/// Logs and exports the version.
pub fn report() {
    let version = version();
    let (number, commit) = version.split_once('+').unwrap_or((version, "unknown"));
    metrics::gauge!("build_info", "commit" => commit, "version" => number).set(1.0);
    tracing::info!(version, "Process started");
}

fn with_commit(commit: Option<&str>) -> String {
    let number = env!("CARGO_PKG_VERSION");
    match commit.filter(|commit| !commit.is_empty()) {
        Some(commit) => format!("{number}+{commit}"),
        None => number.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commit_is_the_metadata_of_the_version() {
        let number = env!("CARGO_PKG_VERSION");
        assert_eq!(with_commit(Some("e8051fb")), format!("{number}+e8051fb"));
        assert_eq!(with_commit(Some("")), number);
        assert_eq!(with_commit(None), number);
    }
}
