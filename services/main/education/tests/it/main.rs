//! All content, as an editor would check it.

mod arithmetic;
mod articles;
mod glossary;
mod language;
mod quizzes;

use std::path::Path;
use std::sync::LazyLock;

use education::Content;

/// What the repository holds; reading it is the first check.
static CONTENT: LazyLock<Content> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("content");
    Content::read(&folder).unwrap_or_else(|error| panic!("{error}"))
});

/// Fails with everything that was found, not with the first of it.
fn none(found: impl IntoIterator<Item = String>) {
    let found: Vec<String> = found.into_iter().collect();
    assert!(
        found.is_empty(),
        "{} found:\n{}",
        found.len(),
        found.join("\n")
    );
}

/// Characters that a reader sees as length.
fn length(text: &str) -> usize {
    text.chars().filter(|c| !c.is_whitespace()).count()
}
