use serde::Deserialize;

use super::{ContentError, piece};

/// A financial term with one sentence and one example.
#[derive(Clone, Debug)]
pub struct Term {
    pub word: String,
    pub theme: String,
    /// At most forty characters.
    pub gist: String,
    /// Synonyms for search.
    pub aliases: Vec<String>,
    pub facts: Vec<u32>,
    /// An example with a number, in Markdown.
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
