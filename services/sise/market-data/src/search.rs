//! Finding instruments by what people type: names, codes, other names, initial consonants,
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

/// The prepared names of all instruments.
pub struct SearchIndex {
    entries: Vec<Entry>,
}

struct Entry {
    instrument: Arc<Instrument>,
    /// The code, and for a coin its symbol too.
    codes: Vec<String>,
    /// Korean name, English name.
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

impl SearchIndex {
    /// Prepares every name.
    #[must_use]
    pub fn new(catalogue: &Catalogue) -> Self {
        let instruments = catalogue.instruments().iter();
        Self {
            entries: instruments.map(Entry::of).collect(),
        }
    }

    /// The instruments that fit `text` in one of `markets` (all when empty), best first; equally
    /// good ones in the order of `popularity` (code → higher is more popular), then of the
    /// catalogue. Nothing fits an empty text.
    #[must_use]
    pub fn find(
        &self,
        text: &str,
        markets: &[MarketCode],
        popularity: &HashMap<String, i64>,
    ) -> Vec<Arc<Instrument>> {
        let Some(query) = Query::of(text) else {
            return Vec::new();
        };
        let in_market =
            |entry: &&Entry| markets.is_empty() || markets.contains(&entry.instrument.market);
        let searched = self.entries.iter().filter(in_market);
        let mut found: Vec<(Fit, Reverse<i64>, &Entry)> = searched
            .filter_map(|entry| {
                let fit = entry.fit(&query)?;
                let liked = popularity.get(&entry.instrument.code).copied();
                Some((fit, Reverse(liked.unwrap_or(i64::MIN)), entry))
            })
            .collect();
        found.sort_by_key(|(fit, liked, _)| (*fit, *liked));
        let instruments = found.into_iter().map(|(_, _, entry)| &entry.instrument);
        instruments.cloned().collect()
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

impl Entry {
    fn of(instrument: &Arc<Instrument>) -> Self {
        let names = [&instrument.korean_name, &instrument.english_name];
        let named = names.into_iter().filter(|name| !name.is_empty());
        let code = hangul::fold(&instrument.code);
        let symbol = code.strip_prefix("krw-").map(str::to_owned);
        Self {
            codes: symbol.into_iter().chain([code]).collect(),
            names: named.map(|name| Word::of(name)).collect(),
            aliases: instrument
                .aliases
                .iter()
                .map(|alias| Word::of(alias))
                .collect(),
            instrument: Arc::clone(instrument),
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

    fn index() -> SearchIndex {
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
