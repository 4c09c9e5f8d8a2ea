//! The content as it is served: references filled, figures as JSON, articles indexed for search.

mod rules;
mod search;

use std::collections::HashMap;

use sha2::{Digest, Sha256};

pub use rules::{UnknownRule, fill_in};
pub use search::{Hit, Part};

use crate::content::{
    Article, Content, ContentError, Figure, Form, Level, Quiz, Term, Theme, terms,
};
use search::ArticleIndex;

/// Characters that a member reads in a minute.
const CHARACTERS_PER_MINUTE: usize = 400;

/// All content. Read-only.
pub struct Library {
    themes: Vec<Theme>,
    quizzes: HashMap<String, Lesson>,
    /// By theme, in the order of ids.
    quizzes_of: HashMap<String, Vec<String>>,
    /// By id; `order` has them in teaching order.
    articles: HashMap<String, Reading>,
    order: Vec<String>,
    terms: Vec<Term>,
    index: ArticleIndex,
}

pub struct Lesson {
    pub quiz: Quiz,
    /// Empty without a figure.
    pub figure_json: String,
    /// Changes with every change of the quiz.
    pub version: String,
}

pub struct Reading {
    pub article: Article,
    pub figure_json: String,
    pub minutes: i32,
}

#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    #[error(transparent)]
    Content(#[from] ContentError),
    #[error("{piece}: {rule}")]
    Rule {
        piece: String,
        #[source]
        rule: UnknownRule,
    },
    #[error("a figure is no JSON: {0}")]
    Figure(#[from] serde_json::Error),
}

impl Library {
    /// The embedded content.
    ///
    /// # Errors
    /// [`LibraryError`], excluded by a test.
    pub fn embedded() -> Result<Self, LibraryError> {
        Self::new(Content::embedded()?)
    }

    /// # Errors
    /// [`LibraryError::Rule`] for a reference without a value.
    pub fn new(content: Content) -> Result<Self, LibraryError> {
        let mut quizzes = HashMap::new();
        let mut quizzes_of: HashMap<String, Vec<String>> = HashMap::new();
        for (id, quiz) in content.quizzes {
            let of_theme = quizzes_of.entry(quiz.theme.clone()).or_default();
            of_theme.push(id.clone());
            quizzes.insert(id, Lesson::new(quiz)?);
        }
        let rank = |theme: &str| content.themes.iter().position(|other| other.id == theme);
        let mut order: Vec<(Option<usize>, String)> = Vec::new();
        let mut articles = HashMap::new();
        for (id, article) in content.articles {
            order.push((rank(&article.theme), id.clone()));
            articles.insert(id, Reading::new(article)?);
        }
        order.sort();
        let mut terms = Vec::new();
        for mut term in content.terms.into_values() {
            let piece = term.word.clone();
            fill(&piece, [&mut term.gist, &mut term.text])?;
            terms.push(term);
        }
        let order: Vec<String> = order.into_iter().map(|(_, id)| id).collect();
        let index = ArticleIndex::build(order.iter().filter_map(|id| articles.get(id)), &terms);
        Ok(Self {
            themes: content.themes,
            quizzes,
            quizzes_of,
            articles,
            order,
            terms,
            index,
        })
    }

    /// In teaching order.
    #[must_use]
    pub fn themes(&self) -> &[Theme] {
        &self.themes
    }

    #[must_use]
    pub fn theme(&self, id: &str) -> Option<&Theme> {
        self.themes.iter().find(|theme| theme.id == id)
    }

    /// Empty for an unknown theme.
    #[must_use]
    pub fn theme_name(&self, id: &str) -> &str {
        self.theme(id).map_or("", |theme| theme.name.as_str())
    }

    #[must_use]
    pub fn lesson(&self, id: &str) -> Option<&Lesson> {
        self.quizzes.get(id)
    }

    pub fn quiz_ids(&self) -> impl Iterator<Item = &str> {
        self.quizzes.keys().map(String::as_str)
    }

    /// The quizzes of a theme, in the order of their ids.
    pub fn lessons_of(&self, theme: &str) -> impl Iterator<Item = &Lesson> {
        let ids = self.quizzes_of.get(theme).into_iter().flatten();
        ids.filter_map(|id| self.quizzes.get(id))
    }

    #[must_use]
    pub fn reading(&self, id: &str) -> Option<&Reading> {
        self.articles.get(id)
    }

    /// All articles in teaching order.
    pub fn readings(&self) -> impl Iterator<Item = &Reading> {
        self.order.iter().filter_map(|id| self.articles.get(id))
    }

    /// Terms whose word or alias contains `text`, also as initial consonants; all for an empty one.
    pub fn terms_like(&self, text: &str) -> Vec<&Term> {
        search::terms_like(&self.terms, text)
    }

    #[must_use]
    pub fn term(&self, word: &str) -> Option<&Term> {
        self.terms.iter().find(|term| term.word == word)
    }

    /// The terms that a text links, each once.
    pub fn linked_terms<'a>(&'a self, text: &'a str) -> Vec<&'a Term> {
        let mut linked: Vec<&Term> = Vec::new();
        for term in terms(text).filter_map(|word| self.term(word)) {
            if !linked.iter().any(|other| other.word == term.word) {
                linked.push(term);
            }
        }
        linked
    }

    /// Articles that contain `text`, best first.
    #[must_use]
    pub fn search(&self, text: &str, limit: usize) -> Vec<(&Reading, Vec<Part>)> {
        let hits = self.index.search(text, limit).into_iter();
        hits.filter_map(|hit| Some((self.reading(&hit.article)?, hit.snippet)))
            .collect()
    }
}

impl Lesson {
    fn new(mut quiz: Quiz) -> Result<Self, LibraryError> {
        let id = quiz.id.clone();
        fill(&id, [&mut quiz.question, &mut quiz.hint])?;
        fill(&id, &mut quiz.explanation)?;
        for option in &mut quiz.options {
            fill(&id, [&mut option.text, &mut option.slip])?;
        }
        let figure_json = figure_json(&id, quiz.figure.as_ref())?;
        let mut digest = Sha256::new();
        for text in quiz.texts() {
            digest.update(text);
            digest.update([0_u8]);
        }
        digest.update(Self::keys_of(&quiz, |is_right| is_right).join("|"));
        digest.update(&figure_json);
        let version: String = digest
            .finalize()
            .iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        Ok(Self {
            quiz,
            figure_json,
            version,
        })
    }

    /// The keys of the right options: numbers from 1.
    #[must_use]
    pub fn answer(&self) -> Vec<String> {
        Self::keys_of(&self.quiz, |is_right| is_right)
    }

    /// Every option with its key.
    pub fn options(&self) -> impl Iterator<Item = (String, &crate::content::QuizOption)> {
        (1..)
            .map(|key: usize| key.to_string())
            .zip(&self.quiz.options)
    }

    #[must_use]
    pub fn form(&self) -> Form {
        self.quiz.form
    }

    #[must_use]
    pub fn level(&self) -> Level {
        self.quiz.level
    }

    fn keys_of(quiz: &Quiz, wanted: impl Fn(bool) -> bool) -> Vec<String> {
        let keyed = (1..).zip(&quiz.options);
        let keyed = keyed.filter(|(_, option)| wanted(option.is_right));
        keyed.map(|(key, _): (usize, _)| key.to_string()).collect()
    }
}

impl Reading {
    fn new(mut article: Article) -> Result<Self, LibraryError> {
        let id = article.id.clone();
        fill(
            &id,
            [&mut article.title, &mut article.summary, &mut article.text],
        )?;
        fill(&id, [&mut article.check.question, &mut article.check.why])?;
        fill(&id, &mut article.check.options)?;
        let figure_json = figure_json(&id, Some(&article.figure))?;
        let minutes = article.text.chars().count().div_ceil(CHARACTERS_PER_MINUTE);
        Ok(Self {
            article,
            figure_json,
            minutes: i32::try_from(minutes).unwrap_or(i32::MAX),
        })
    }

    /// The key of the right option of its question.
    #[must_use]
    pub fn answer(&self) -> String {
        self.article.check.right.saturating_add(1).to_string()
    }

    /// The options of its question with their keys.
    pub fn options(&self) -> impl Iterator<Item = (String, &String)> {
        (1..)
            .map(|key: usize| key.to_string())
            .zip(&self.article.check.options)
    }
}

fn figure_json(piece: &str, figure: Option<&Figure>) -> Result<String, LibraryError> {
    let Some(figure) = figure else {
        return Ok(String::new());
    };
    let mut json = serde_json::to_string(figure)?;
    // No value needs escaping in JSON.
    fill(piece, [&mut json])?;
    Ok(json)
}

fn fill<'a>(
    piece: &str,
    texts: impl IntoIterator<Item = &'a mut String>,
) -> Result<(), LibraryError> {
    for text in texts {
        *text = fill_in(text).map_err(|rule| LibraryError::Rule {
            piece: piece.to_owned(),
            rule,
        })?;
    }
    Ok(())
}
