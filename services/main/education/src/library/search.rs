//! Search over articles and terms: infix and initial consonants, in memory.

use kernel::hangul::{fold, initials, is_initials_query};

use super::Reading;
use crate::content::{Term, terms};

/// Characters before and after a match in a snippet.
const SNIPPET_BEFORE: usize = 20;
const SNIPPET_AFTER: usize = 60;

/// A text as it is read, and folded for the search.
struct Field {
    /// Without links and emphasis.
    plain: Vec<char>,
    /// The index in `plain` of each character of `text`.
    places: Vec<usize>,
    /// Folded, and its initial consonants.
    text: String,
    initials: String,
}

struct Entry {
    article: String,
    title: Field,
    summary: Field,
    /// Words and aliases of the terms that it links.
    terms: Vec<Field>,
    body: Field,
}

pub(super) struct ArticleIndex {
    entries: Vec<Entry>,
}

/// An article that contains the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    pub article: String,
    pub snippet: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    pub text: String,
    pub is_match: bool,
}

impl ArticleIndex {
    pub(super) fn build<'a>(
        readings: impl Iterator<Item = &'a Reading>,
        glossary: &[Term],
    ) -> Self {
        let entries = readings.map(|reading| {
            let article = &reading.article;
            let linked = terms(&article.text).filter_map(|word| {
                let mut glossary = glossary.iter();
                glossary.find(|term| term.word == word)
            });
            let words = linked.flat_map(|term| std::iter::once(&term.word).chain(&term.aliases));
            Entry {
                article: article.id.clone(),
                title: Field::new(&article.title),
                summary: Field::new(&article.summary),
                terms: words.map(|word| Field::new(word)).collect(),
                body: Field::new(&article.text),
            }
        });
        Self {
            entries: entries.collect(),
        }
    }

    /// Best first: the start of a title, a title, a term, a summary, a text; equal ones in teaching
    /// order.
    pub(super) fn search(&self, text: &str, limit: usize) -> Vec<Hit> {
        let query = Query::new(text);
        if query.is_empty() {
            return Vec::new();
        }
        let ranked = self.entries.iter().filter_map(|entry| {
            let rank = query.rank(entry)?;
            Some((rank, entry))
        });
        let mut ranked: Vec<(u8, &Entry)> = ranked.collect();
        ranked.sort_by_key(|(rank, _)| *rank);
        let hits = ranked.into_iter().take(limit).map(|(_, entry)| Hit {
            article: entry.article.clone(),
            snippet: query.snippet(entry),
        });
        hits.collect()
    }
}

pub(super) fn terms_like<'a>(glossary: &'a [Term], text: &str) -> Vec<&'a Term> {
    let query = Query::new(text);
    if query.is_empty() {
        return glossary.iter().collect();
    }
    let names = |term: &'a Term| std::iter::once(&term.word).chain(&term.aliases);
    let mut found: Vec<(usize, &Term)> = Vec::new();
    for term in glossary {
        let places = names(term).filter_map(|name| query.place(&Field::new(name)));
        if let Some(place) = places.min() {
            found.push((place, term));
        }
    }
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, term)| term).collect()
}

impl Field {
    fn new(text: &str) -> Self {
        let plain: Vec<char> = without_marks(text).chars().collect();
        let mut text = String::with_capacity(text.len());
        let mut places = Vec::with_capacity(plain.len());
        let mut buffer = [0; 4];
        for (place, character) in plain.iter().enumerate() {
            for character in fold(character.encode_utf8(&mut buffer)).chars() {
                text.push(character);
                places.push(place);
            }
        }
        Self {
            initials: initials(&text),
            plain,
            places,
            text,
        }
    }
}

struct Query {
    folded: String,
    is_initials: bool,
}

impl Query {
    fn new(text: &str) -> Self {
        let folded = fold(text);
        Self {
            is_initials: is_initials_query(&folded),
            folded,
        }
    }

    fn is_empty(&self) -> bool {
        self.folded.is_empty()
    }

    /// The index of the first match among the folded characters.
    fn place(&self, field: &Field) -> Option<usize> {
        let within = if self.is_initials {
            &field.initials
        } else {
            &field.text
        };
        let byte = within.find(&self.folded)?;
        Some(within.get(..byte)?.chars().count())
    }

    fn rank(&self, entry: &Entry) -> Option<u8> {
        match self.place(&entry.title) {
            Some(0) => return Some(0),
            Some(_) => return Some(1),
            None => {}
        }
        if entry.terms.iter().any(|term| self.place(term).is_some()) {
            return Some(2);
        }
        // Initial consonants occur in any long text.
        if self.is_initials {
            return None;
        }
        if self.place(&entry.summary).is_some() {
            return Some(3);
        }
        self.place(&entry.body).map(|_| 4)
    }

    /// The surroundings of the match in the text, the summary or the title; else the summary.
    fn snippet(&self, entry: &Entry) -> Vec<Part> {
        let fields = [&entry.summary, &entry.body, &entry.title];
        let found = fields.into_iter().find_map(|field| {
            let place = self.place(field)?;
            let from = *field.places.get(place)?;
            let last = place
                .checked_add(self.folded.chars().count())?
                .checked_sub(1)?;
            let to = field.places.get(last)?.checked_add(1)?;
            Some((field, from, to))
        });
        match found {
            Some((field, from, to)) => around(&field.plain, from, to),
            None => vec![part(&entry.summary.plain, false)],
        }
        .into_iter()
        .filter(|part| !part.text.is_empty())
        .collect()
    }
}

fn around(plain: &[char], from: usize, to: usize) -> Vec<Part> {
    let start = from.saturating_sub(SNIPPET_BEFORE);
    let end = to.saturating_add(SNIPPET_AFTER).min(plain.len());
    let slice = |from: usize, to: usize| plain.get(from..to).unwrap_or_default();
    let mut before = part(slice(start, from), false);
    let mut after = part(slice(to, end), false);
    if start > 0 {
        before.text.insert(0, '…');
    }
    if end < plain.len() {
        after.text.push('…');
    }
    vec![before, part(slice(from, to), true), after]
}

fn part(characters: &[char], is_match: bool) -> Part {
    let text: String = characters.iter().collect();
    Part {
        text: text.replace('\n', " "),
        is_match,
    }
}

/// Links as they are shown, without emphasis.
fn without_marks(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("[[") {
        let Some((link, after)) = after.split_once("]]") else {
            break;
        };
        plain.push_str(before);
        plain.push_str(link.split_once('|').map_or(link, |(_, shown)| shown));
        rest = after;
    }
    plain.push_str(rest);
    plain.replace("**", "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(parts: &[Part]) -> String {
        let mark = |part: &Part| {
            if part.is_match {
                format!("<{}>", part.text)
            } else {
                part.text.clone()
            }
        };
        parts.iter().map(mark).collect()
    }

    #[test]
    fn a_snippet_marks_the_text_as_it_is_read() {
        let plain: Vec<char> = without_marks("급히 [[정기예금|예금]]을 **깨요**.")
            .chars()
            .collect();
        assert_eq!(plain.iter().collect::<String>(), "급히 예금을 깨요.");
        assert_eq!(shown(&around(&plain, 3, 5)), "급히 <예금>을 깨요.");
    }

    #[test]
    fn spaces_and_case_do_not_matter() {
        let field = Field::new("ETF 의 이름");
        let query = Query::new("etf의 이");
        assert_eq!(query.place(&field), Some(0));
        assert_eq!(Query::new("ㅇㄹ").place(&field), Some(4));
        assert_eq!(Query::new("없음").place(&field), None);
    }
}
