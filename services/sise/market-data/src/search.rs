//! Finding instruments and products by what people type: names, codes, other names, initial consonants,
//! half-typed syllables, and with one mistake.
//!
//! All in memory: every name is prepared once, and a search looks at each of them.

mod distance;
mod hangul;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use kernel::MarketCode;

use crate::catalogue::{Catalogue, Instrument};

/// Longer texts are cut here; no name is longer.
const LONGEST_TEXT: usize = 60;
/// A shorter text is not searched for with a mistake: too much would fit.
const SHORTEST_WITH_MISTAKE: usize = 3;

/// How well an instrument fits, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    Code,
    Name,
    Alias,
    Beginning,
    HalfTyped,
    InitialsBeginning,
    Inside,
    InitialsInside,
    Mistyped,
}

/// What can be found.
pub trait Findable {
    /// Codes; whoever types one whole means it.
    fn codes(&self) -> Vec<String>;
    /// The names it has.
    fn names(&self) -> Vec<String>;
    /// What else people call it.
    fn aliases(&self) -> Vec<String>;
}

/// The prepared names of everything of a kind.
pub struct SearchIndex<T> {
    entries: Vec<Entry<T>>,
}

struct Entry<T> {
    subject: Arc<T>,
    codes: Vec<String>,
    names: Vec<Word>,
    aliases: Vec<Word>,
}

struct Word {
    folded: String,
    characters: Vec<char>,
    strokes: String,
    initials: String,
}

/// A text as it is searched for.
struct Query {
    word: Word,
    asks_for_initials: bool,
}

impl<T: Findable> SearchIndex<T> {
    /// Prepares every name.
    #[must_use]
    pub fn of(subjects: impl IntoIterator<Item = Arc<T>>) -> Self {
        Self {
            entries: subjects.into_iter().map(Entry::of).collect(),
        }
    }

    /// What fits `text` and is accepted, best first; equally good ones by `popularity`, then in
    /// the order they were prepared in. Nothing fits an empty text.
    #[must_use]
    pub fn matching(
        &self,
        text: &str,
        accepts: impl Fn(&T) -> bool,
        popularity: impl Fn(&T) -> i64,
    ) -> Vec<Arc<T>> {
        let Some(query) = Query::of(text) else {
            return Vec::new();
        };
        let entries = self.entries.iter();
        let searched = entries.filter(|entry| accepts(&entry.subject));
        let mut found: Vec<(Fit, Reverse<i64>, &Entry<T>)> = searched
            .filter_map(|entry| {
                let fit = entry.fit(&query)?;
                Some((fit, Reverse(popularity(&entry.subject)), entry))
            })
            .collect();
        found.sort_by_key(|(fit, liked, _)| (*fit, *liked));
        let subjects = found.into_iter().map(|(_, _, entry)| &entry.subject);
        subjects.cloned().collect()
    }
}

impl SearchIndex<Instrument> {
    /// Prepares every instrument.
    #[must_use]
    pub fn new(catalogue: &Catalogue) -> Self {
        Self::of(catalogue.instruments().iter().cloned())
    }

    /// The instruments that fit `text` in one of `markets` (all when empty), best first; equally
    /// good ones in the order of `popularity` (code → higher is more popular), then of the
    /// catalogue.
    #[must_use]
    pub fn find(
        &self,
        text: &str,
        markets: &[MarketCode],
        popularity: &HashMap<String, i64>,
    ) -> Vec<Arc<Instrument>> {
        self.matching(
            text,
            |instrument| markets.is_empty() || markets.contains(&instrument.market),
            |instrument| {
                popularity
                    .get(&instrument.code)
                    .copied()
                    .unwrap_or(i64::MIN)
            },
        )
    }
}

impl Findable for Instrument {
    /// The code, and for a coin its symbol too.
    fn codes(&self) -> Vec<String> {
        let symbol = self.code.strip_prefix("KRW-").map(str::to_owned);
        symbol.into_iter().chain([self.code.clone()]).collect()
    }

    fn names(&self) -> Vec<String> {
        let names = [&self.korean_name, &self.english_name];
        let named = names.into_iter().filter(|name| !name.is_empty());
        named.cloned().collect()
    }

    fn aliases(&self) -> Vec<String> {
        self.aliases.clone()
    }
}

impl Query {
    fn of(text: &str) -> Option<Self> {
        let folded: String = hangul::fold(text).chars().take(LONGEST_TEXT).collect();
        if folded.is_empty() {
            return None;
        }
        Some(Self {
            asks_for_initials: hangul::asks_for_initials(&folded),
            word: Word::of_folded(folded),
        })
    }
}

impl Word {
    fn of(text: &str) -> Self {
        Self::of_folded(hangul::fold(text))
    }

    fn of_folded(folded: String) -> Self {
        Self {
            characters: folded.chars().collect(),
            strokes: hangul::key_strokes(&folded),
            initials: hangul::initials(&folded),
            folded,
        }
    }
}

impl<T: Findable> Entry<T> {
    fn of(subject: Arc<T>) -> Self {
        let words = |texts: Vec<String>| texts.iter().map(|text| Word::of(text)).collect();
        Self {
            codes: subject
                .codes()
                .iter()
                .map(|code| hangul::fold(code))
                .collect(),
            names: words(subject.names()),
            aliases: words(subject.aliases()),
            subject,
        }
    }

    fn words(&self) -> impl Iterator<Item = &Word> {
        self.names.iter().chain(&self.aliases)
    }

    fn fit(&self, query: &Query) -> Option<Fit> {
        let typed = query.word.folded.as_str();
        if self.codes.iter().any(|code| code == typed) {
            return Some(Fit::Code);
        }
        if self.names.iter().any(|name| name.folded == typed) {
            return Some(Fit::Name);
        }
        if self.aliases.iter().any(|alias| alias.folded == typed) {
            return Some(Fit::Alias);
        }
        let folded = || self.words().map(|word| &word.folded).chain(&self.codes);
        if folded().any(|text| text.starts_with(typed)) {
            return Some(Fit::Beginning);
        }
        // Initials are key strokes too, but of a shorter kind; they have a place of their own.
        if query.asks_for_initials {
            let strokes = &query.word.strokes;
            if self.words().any(|word| word.initials.starts_with(strokes)) {
                return Some(Fit::InitialsBeginning);
            }
            let inside = self.words().any(|word| word.initials.contains(strokes));
            return inside.then_some(Fit::InitialsInside);
        }
        if self
            .words()
            .any(|word| word.strokes.starts_with(&query.word.strokes))
        {
            return Some(Fit::HalfTyped);
        }
        if folded().any(|text| text.contains(typed)) {
            return Some(Fit::Inside);
        }
        let mistyped = query.word.characters.len() >= SHORTEST_WITH_MISTAKE
            && self.words().any(|word| {
                distance::one_mistake_from_prefix(&query.word.characters, &word.characters)
            });
        mistyped.then_some(Fit::Mistyped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seed;

    fn index() -> SearchIndex<Instrument> {
        let universe = seed::MARKET.read().unwrap();
        SearchIndex::new(&Catalogue::new(universe.instruments, vec![], vec![]))
    }

    fn find(text: &str) -> Vec<String> {
        let found = index().find(text, &[], &HashMap::new());
        found.iter().map(|row| row.korean_name.clone()).collect()
    }

    #[test]
    fn every_way_of_typing_finds_samsung() {
        for text in [
            "005930",
            "삼성전자",
            "삼전",
            " 삼성 전자 ",
            "삼성전",
            "삼성ㅈ",
            "삼ㅅ",
            "ㅅㅅㅈㅈ",
            "samsungelec",
            "삼섬전자",
            "\u{1109}\u{1161}\u{11B7}성전자",
        ] {
            assert!(
                find(text).contains(&"삼성전자".to_owned()),
                "{text:?}: {:?}",
                find(text)
            );
        }
        for text in ["005930", "삼성전자", "삼전", "ㅅㅅㅈㅈ", "삼성전"] {
            assert_eq!(find(text)[0], "삼성전자", "{text}");
        }
    }

    #[test]
    fn other_markets_are_found_by_their_own_words() {
        for (text, name) in [
            ("btc", "비트코인"),
            ("KRW-BTC", "비트코인"),
            ("ㅂㅌㅋㅇ", "비트코인"),
            ("비트", "비트코인"),
            ("AAPL", "애플"),
            ("apple", "애플"),
            ("appel", "애플"),
            ("구글", "알파벳 A"),
            ("skㅎㅇ", "SK하이닉스"),
            ("ㅎㅇㄴㅅ", "SK하이닉스"),
            ("kodex200", "KODEX 200"),
            ("brk.b", "버크셔 해서웨이 B"),
        ] {
            assert!(
                find(text).contains(&name.to_owned()),
                "{text}: {:?}",
                find(text)
            );
        }
    }

    #[test]
    fn better_fits_come_first_and_popularity_breaks_ties() {
        let names = find("하이닉스");
        assert_eq!(names[0], "SK하이닉스");
        let index = index();
        let popularity = HashMap::from([("005935".to_owned(), 5), ("005930".to_owned(), 3)]);
        let found = index.find("삼성", &[MarketCode::Kospi], &popularity);
        let codes: Vec<&str> = found.iter().map(|row| row.code.as_str()).collect();
        assert_eq!(codes[..2], ["005930", "005935"]);
        let coins = index.find("ㅂ", &[MarketCode::Coin], &HashMap::new());
        assert!(!coins.is_empty() && coins.iter().all(|row| row.market == MarketCode::Coin));
    }

    #[test]
    fn nothing_is_found_for_nothing() {
        for text in ["", "   ", "없는이름입니다", "\u{0}", "%", "zzzz"] {
            assert_eq!(find(text), Vec::<String>::new(), "{text:?}");
        }
        let _bounded = find(&"가".repeat(100_000));
    }
}
