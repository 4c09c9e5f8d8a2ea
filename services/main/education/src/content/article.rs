use serde::Deserialize;

use super::{ContentError, Figure, Level, piece};

/// A text of two to six minutes, with a question about it.
#[derive(Clone, Debug)]
pub struct Article {
    pub id: String,
    pub theme: String,
    pub level: Level,
    pub title: String,
    pub summary: String,
    /// Recommended quizzes of the same theme.
    pub quizzes: Vec<String>,
    pub facts: Vec<u32>,
    pub source: String,
    pub as_of: String,
    /// Calculations of the text, as `1/0.5-1 = 1`, which a test verifies.
    pub checks: Vec<String>,
    pub figure: Figure,
    pub check: CheckQuestion,
    /// Markdown.
    pub text: String,
}

/// Must be answered to complete an article.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckQuestion {
    pub question: String,
    pub options: Vec<String>,
    /// Index of the correct option.
    pub right: usize,
    /// Shown after the correct answer.
    pub why: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    id: String,
    level: Level,
    title: String,
    summary: String,
    quizzes: Vec<String>,
    #[serde(default)]
    facts: Vec<u32>,
    #[serde(default)]
    source: String,
    #[serde(default)]
    as_of: String,
    #[serde(default)]
    checks: Vec<String>,
    figure: Figure,
    check: CheckQuestion,
}

pub(crate) fn parse(text: &str) -> Result<Article, ContentError> {
    let (head, text) = piece::split::<Head>("article", text)?;
    let Some((theme, _)) = head.id.rsplit_once('-') else {
        return Err(ContentError::Body(head.id, "an id is THEME-N"));
    };
    if head.check.right >= head.check.options.len() {
        return Err(ContentError::Body(head.id, "the right option is none"));
    }
    Ok(Article {
        theme: theme.to_owned(),
        level: head.level,
        title: head.title,
        summary: head.summary,
        quizzes: head.quizzes,
        facts: head.facts,
        source: head.source,
        as_of: head.as_of,
        checks: head.checks,
        figure: head.figure,
        check: head.check,
        text: text.to_owned(),
        id: head.id,
    })
}
