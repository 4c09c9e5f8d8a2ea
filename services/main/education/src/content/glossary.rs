use serde::Deserialize;

use super::{ContentError, piece};

/// A word of finance in one sentence and one example.
#[derive(Clone, Debug)]
pub struct Term {
    pub word: String,
    /// The theme that introduces it.
    pub theme: String,
    /// At most forty characters.
    pub gist: String,
    /// Other words under which it is found.
    pub aliases: Vec<String>,
    pub facts: Vec<u32>,
    /// Markdown: an example with a number.
    pub text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    gist: String,
    #[serde(default)]
    aliases: Vec<String>,
    #[serde(default)]
    facts: Vec<u32>,
}

pub(crate) fn parse(theme: &str, text: &str) -> Result<Vec<Term>, ContentError> {
    let terms = piece::sections(text).map(|(word, section)| {
        let (head, text) = piece::split::<Head>(word, section)?;
        Ok(Term {
            word: word.to_owned(),
            theme: theme.to_owned(),
            gist: head.gist,
            aliases: head.aliases,
            facts: head.facts,
            text: text.to_owned(),
        })
    });
    terms.collect()
}
