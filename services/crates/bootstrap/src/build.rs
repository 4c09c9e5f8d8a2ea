//! Which build a process is. Whoever builds what others run says the commit (`BUILD_COMMIT`); on a
//! developer's machine every commit would otherwise compile everything anew.

use std::sync::LazyLock;

static VERSION: LazyLock<String> = LazyLock::new(|| with_commit(option_env!("BUILD_COMMIT")));

/// The version with its commit, as semantic versioning writes it: `0.1.0+e8051fb`. Without the
/// commit where nobody said it.
#[must_use]
pub fn version() -> &'static str {
    &VERSION
}

/// Tells the log and the metrics.
pub(crate) fn report() {
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
