//! The types of content, and their reader.

mod article;
mod error;
mod figure;
mod glossary;
mod links;
mod piece;
mod quiz;

use std::collections::BTreeMap;

use serde::Deserialize;

pub use article::{Article, CheckQuestion};
pub use error::ContentError;
pub use figure::{Figure, FigureKind, Series, Side};
pub use glossary::Term;
pub use links::{Reference, references, terms};
pub use quiz::{Form, Quiz, QuizOption};

/// The files of `content/`: paths and texts.
const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/content.rs"));

/// The knowledge that a piece requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Intro,
    Basic,
    Advanced,
}

impl Level {
    pub const ALL: [Self; 3] = [Self::Intro, Self::Basic, Self::Advanced];

    /// The value in `quizFilter` and in the API.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Intro => "EASY",
            Self::Basic => "NORMAL",
            Self::Advanced => "HARD",
        }
    }

    /// The reverse of [`Level::word`].
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.word() == word)
    }

    /// The value in file names and ids.
    #[must_use]
    pub fn slug(self) -> &'static str {
        match self {
            Self::Intro => "intro",
            Self::Basic => "basic",
            Self::Advanced => "advanced",
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Theme {
    pub id: String,
    pub name: String,
    /// The learning goal of its quizzes.
    pub goal: String,
}

/// A dated fact with its source.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fact {
    pub number: u32,
    pub text: String,
    /// Date or year of the value.
    pub as_of: String,
    pub source: String,
    #[serde(rename = "use")]
    pub usage: FactUse,
    #[serde(default)]
    pub note: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FactUse {
    Yes,
    /// A rule of the product, which pieces refer to.
    Rule,
    /// Uncertain: pieces omit the figure or state its date.
    Careful,
}

/// All content; each kind by id.
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// In teaching order.
    pub themes: Vec<Theme>,
    pub facts: BTreeMap<u32, Fact>,
    pub quizzes: BTreeMap<String, Quiz>,
    pub articles: BTreeMap<String, Article>,
    /// By the word of their links.
    pub terms: BTreeMap<String, Term>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Themes {
    theme: Vec<Theme>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Facts {
    fact: Vec<Fact>,
}

impl Content {
    /// Reads the embedded content.
    ///
    /// # Errors
    /// The first file or piece that cannot be parsed, is a duplicate, or has an unknown reference;
    /// excluded by a test.
    pub fn embedded() -> Result<Self, ContentError> {
        Self::read(FILES)
    }

    /// Reads content from pairs of a path, as in `content/`, and a text.
    ///
    /// # Errors
    /// As [`Self::embedded`].
    pub fn read(files: &[(&str, &str)]) -> Result<Self, ContentError> {
        let text_of = |path: &str| {
            let file = files.iter().find(|(name, _)| *name == path);
            file.map(|(_, text)| *text)
                .ok_or_else(|| ContentError::NoFile(path.to_owned()))
        };
        let mut content = Self::default();
        let themes: Themes = read_toml("themes.toml", text_of("themes.toml")?)?;
        let facts: Facts = read_toml("facts.toml", text_of("facts.toml")?)?;
        content.themes = themes.theme;
        content.facts = by_key(facts.fact, |fact| fact.number)?;
        let mut quizzes = Vec::new();
        let mut articles = Vec::new();
        let mut terms = Vec::new();
        for theme in &content.themes {
            for level in Level::ALL {
                let path = format!("quizzes/{}-{}.md", theme.id, level.slug());
                let parsed = quiz::parse(&theme.id, level, text_of(&path)?);
                quizzes.extend(parsed.map_err(at(&path))?);
            }
            let path = format!("glossary/{}.md", theme.id);
            terms.extend(glossary::parse(&theme.id, text_of(&path)?).map_err(at(&path))?);
        }
        for (path, text) in files
            .iter()
            .filter(|(path, _)| path.starts_with("articles/"))
        {
            articles.push(article::parse(text).map_err(at(path))?);
        }
        content.quizzes = by_key(quizzes, |quiz| quiz.id.clone())?;
        content.articles = by_key(articles, |article| article.id.clone())?;
        content.terms = by_key(terms, |term| term.word.clone())?;
        content.resolve()?;
        Ok(content)
    }

    /// Rejects unknown references.
    fn resolve(&self) -> Result<(), ContentError> {
        for quiz in self.quizzes.values() {
            self.resolve_facts(&quiz.id, &quiz.facts)?;
            self.resolve_terms(&quiz.id, quiz.terms.iter().map(String::as_str))?;
            for text in quiz.texts() {
                self.resolve_terms(&quiz.id, terms(text))?;
            }
        }
        for article in self.articles.values() {
            if !self.themes.iter().any(|theme| theme.id == article.theme) {
                return Err(ContentError::missing(&article.id, "theme", &article.theme));
            }
            self.resolve_facts(&article.id, &article.facts)?;
            self.resolve_terms(&article.id, terms(&article.text))?;
            for quiz in &article.quizzes {
                if !self.quizzes.contains_key(quiz) {
                    return Err(ContentError::missing(&article.id, "quiz", quiz));
                }
            }
        }
        for term in self.terms.values() {
            self.resolve_facts(&term.word, &term.facts)?;
            self.resolve_terms(&term.word, terms(&term.text))?;
        }
        Ok(())
    }

    fn resolve_facts(&self, piece: &str, facts: &[u32]) -> Result<(), ContentError> {
        match facts.iter().find(|number| !self.facts.contains_key(number)) {
            Some(number) => Err(ContentError::missing(piece, "fact", &number.to_string())),
            None => Ok(()),
        }
    }

    fn resolve_terms<'a>(
        &self,
        piece: &str,
        mut words: impl Iterator<Item = &'a str>,
    ) -> Result<(), ContentError> {
        match words.find(|word| !self.terms.contains_key(*word)) {
            Some(word) => Err(ContentError::missing(piece, "glossary term", word)),
            None => Ok(()),
        }
    }
}

fn by_key<T, K: Ord + ToString>(
    pieces: Vec<T>,
    key: impl Fn(&T) -> K,
) -> Result<BTreeMap<K, T>, ContentError> {
    let mut map = BTreeMap::new();
    for piece in pieces {
        let name = key(&piece).to_string();
        if map.insert(key(&piece), piece).is_some() {
            return Err(ContentError::Twice(name));
        }
    }
    Ok(map)
}

fn at(path: &str) -> impl Fn(ContentError) -> ContentError {
    move |error| ContentError::In(path.to_owned(), Box::new(error))
}

fn read_toml<T: serde::de::DeserializeOwned>(path: &str, text: &str) -> Result<T, ContentError> {
    toml::from_str(text)
        .map_err(|error| at(path)(ContentError::Head(String::new(), error.to_string())))
}
