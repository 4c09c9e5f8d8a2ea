//! Checks all content, and the service with real servers.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test stops where it is surprised"
)]

mod answers;
mod arithmetic;
mod articles;
mod changed_content;
mod contract_cards;
mod freezes;
mod glossary;
mod group_commit;
mod language;
mod locked_members;
mod plans;
mod process;
mod quiz_filters;
mod quizzes;
mod readings;
mod risks;
mod sets;
mod streaks;
mod trade_cards;
mod world;

use std::sync::LazyLock;

use education::{Content, Library};

/// Reading the content is the first check.
static CONTENT: LazyLock<Content> =
    LazyLock::new(|| Content::embedded().unwrap_or_else(|error| panic!("{error}")));

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

#[test]
fn every_rule_reference_has_a_value() {
    Library::embedded().unwrap_or_else(|error| panic!("{error}"));
}
