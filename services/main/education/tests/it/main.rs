//! Checks all content.

mod arithmetic;
mod articles;
mod glossary;
mod language;
mod quizzes;

use std::path::Path;
use std::sync::LazyLock;

use education::Content;

/// Reading the content is the first check.
static CONTENT: LazyLock<Content> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("content");
    Content::read(&folder).unwrap_or_else(|error| panic!("{error}"))
});

/// Fails with all findings.
fn none(found: impl IntoIterator<Item = String>) {
    let found: Vec<String> = found.into_iter().collect();
    assert!(
        found.is_empty(),
        "{} found:\n{}",
        found.len(),
        found.join("\n")
    );
}

/// Visible length in characters.
fn length(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}
