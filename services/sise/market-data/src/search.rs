//! Finds instruments and products by name, code, alias, initial consonants, half-typed syllables,
//! text typed on the other keyboard layout, and, without any of these, with one typo.
//!
//! All names are indexed in memory at the start.

mod name_index;
mod ranking;

use std::collections::HashMap;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use kernel::{MarketCode, hangul};

use crate::catalogue::{Catalogue, Instrument};
use name_index::NameIndex;
use ranking::Ranking;

/// Longer queries are truncated; no name is longer.
const MAX_QUERY_LENGTH: usize = 60;
/// Shorter queries are not matched with a typo: too many names would match.
const MIN_LENGTH_WITH_TYPO: usize = 3;

pub trait Searchable {
    /// The category by which a search is filtered.
    type Kind: Copy + PartialEq;

    fn kind(&self) -> Self::Kind;
    /// An exact match of a code ranks first.
    fn codes(&self) -> Vec<String>;
    fn names(&self) -> Vec<String>;
    fn aliases(&self) -> Vec<String>;
}

/// An index over items of one type. Inside, an item is identified by its position.
pub struct SearchIndex<T: Searchable> {
    items: Vec<Arc<T>>,
    /// The items of each kind.
    kinds: Vec<(T::Kind, FixedBitSet)>,
    /// The items by exact word.
    exact: HashMap<String, ExactMatches>,
    codes: NameIndex,
    /// Names and aliases by spelling, by key strokes and by initials.
    by_spelling: NameIndex,
    by_strokes: NameIndex,
    by_initials: NameIndex,
}

/// The items that share a word.
#[derive(Default)]
struct ExactMatches {
    codes: Vec<usize>,
    names: Vec<usize>,
    aliases: Vec<usize>,
}

#[derive(Debug)]
pub struct SearchPage<T> {
    /// Best match first.
    pub items: Vec<Arc<T>>,
    /// From 1.
    pub page: i32,
    /// Number of matches on all pages.
    pub total: usize,
}

impl<T: Searchable> SearchIndex<T> {
    /// Indexes the names of all items.
    #[must_use]
    pub fn build(items: impl IntoIterator<Item = Arc<T>>) -> Self {
        let items: Vec<Arc<T>> = items.into_iter().collect();
        let mut kinds: Vec<(T::Kind, FixedBitSet)> = Vec::new();
        let mut exact: HashMap<String, ExactMatches> = HashMap::new();
        let (mut codes, mut words) = (Vec::new(), Vec::new());
        for (position, item) in items.iter().enumerate() {
            let is_same_kind = |(kind, _): &(T::Kind, FixedBitSet)| *kind == item.kind();
            if !kinds.iter().any(is_same_kind) {
                kinds.push((item.kind(), FixedBitSet::with_capacity(items.len())));
            }
            for (_, positions) in kinds.iter_mut().filter(|kind| is_same_kind(kind)) {
                positions.insert(position);
            }
            for code in item.codes().iter().map(|code| hangul::fold(code)) {
                exact.entry(code.clone()).or_default().codes.push(position);
                codes.push((position, code));
            }
            for name in item.names().iter().map(|name| hangul::fold(name)) {
                exact.entry(name.clone()).or_default().names.push(position);
                words.push((position, name));
            }
            for alias in item.aliases().iter().map(|alias| hangul::fold(alias)) {
                exact
                    .entry(alias.clone())
                    .or_default()
                    .aliases
                    .push(position);
                words.push((position, alias));
            }
        }
        let index_by = |transform: fn(&str) -> String| {
            NameIndex::build(
                words
                    .iter()
                    .map(|(position, word)| (*position, transform(word))),
            )
        };
        Self {
            by_strokes: index_by(hangul::key_strokes),
            by_initials: index_by(hangul::initials),
            codes: NameIndex::build(codes),
            by_spelling: NameIndex::build(words),
            items,
            kinds,
            exact,
        }
    }

    /// A page (from 1) of the items that match `text` and whose kind is accepted, best first; equal
    /// matches in the order of `popular`, then in index order. An empty text matches nothing.
    #[must_use]
    pub fn matching(
        &self,
        text: &str,
        accepts: impl Fn(T::Kind) -> bool,
        popular: &[usize],
        page: i32,
    ) -> SearchPage<T> {
        let mut candidates = FixedBitSet::with_capacity(self.items.len());
        if self.kinds.iter().all(|(kind, _)| accepts(*kind)) {
            candidates.insert_range(..);
        } else {
            for (_, positions) in self.kinds.iter().filter(|(kind, _)| accepts(*kind)) {
                candidates.union_with(positions);
            }
        }
        let (from, until, page) = ranking::bounds(page);
        let mut ranking = Ranking::new(candidates, popular, from, until);
        self.rank_matches(text, &mut ranking);
        let (page_items, total) = ranking.finish();
        let items = page_items
            .iter()
            .filter_map(|position| self.items.get(*position));
        SearchPage {
            items: items.cloned().collect(),
            page,
            total,
        }
    }

    /// Ranks all matches of `text`.
    fn rank_matches(&self, text: &str, ranking: &mut Ranking<'_>) {
        let folded: String = hangul::fold(text).chars().take(MAX_QUERY_LENGTH).collect();
        if folded.is_empty() || folded.contains(char::is_control) {
            return;
        }
        if let Some(exact) = self.exact.get(&folded) {
            for positions in [&exact.codes, &exact.names, &exact.aliases] {
                ranking.add(positions.iter().copied());
            }
        }
        let codes = self.codes.with_prefix(&folded);
        ranking.add(codes.chain(self.by_spelling.with_prefix(&folded)));
        let strokes = hangul::key_strokes(&folded);
        // Initials are key strokes too, but have an index of their own.
        let is_initials_query = hangul::is_initials_query(&folded);
        if is_initials_query {
            ranking.add(self.by_initials.with_prefix(&strokes));
            ranking.add(self.by_initials.containing(&strokes));
        } else {
            // ASCII is spelled as it is typed, so it has been matched already.
            if !folded.is_ascii() {
                ranking.add(self.by_strokes.with_prefix(&strokes));
            }
            let codes = self.codes.containing(&folded);
            ranking.add(codes.chain(self.by_spelling.containing(&folded)));
        }
        // Without a match, try the other keyboard layout.
        if ranking.is_empty() {
            if folded.is_ascii() {
                self.rank_korean_matches(text, ranking);
            } else if let Some(english) = hangul::to_english_keys(&strokes) {
                self.rank_english_matches(&english, ranking);
            }
        }
        // A text that matches as it is typed has no typo.
        let may_be_mistyped = !is_initials_query && folded.chars().count() >= MIN_LENGTH_WITH_TYPO;
        if ranking.is_empty() && may_be_mistyped {
            ranking.add(self.by_spelling.within_one_edit(&folded));
        }
    }

    /// Ranks the matches of Korean text that was typed on an English layout.
    fn rank_korean_matches(&self, text: &str, ranking: &mut Ranking<'_>) {
        let keys: String = text.chars().take(MAX_QUERY_LENGTH).collect();
        // Capitals may be intended, or caps lock is on.
        for keys in [keys.to_ascii_lowercase(), keys].iter().rev() {
            let Some(strokes) = hangul::from_english_keys(keys) else {
                return;
            };
            if hangul::is_initials_query(&strokes) {
                ranking.add(self.by_initials.with_prefix(&strokes));
                ranking.add(self.by_initials.containing(&strokes));
            } else {
                ranking.add(self.by_strokes.exact(&strokes));
                ranking.add(self.by_strokes.with_prefix(&strokes));
                ranking.add(self.by_strokes.containing(&strokes));
            }
            if !ranking.is_empty() {
                return;
            }
        }
    }

    /// Ranks the matches of English text that was typed on a Korean layout.
    fn rank_english_matches(&self, text: &str, ranking: &mut Ranking<'_>) {
        ranking.add(self.codes.exact(text).chain(self.by_spelling.exact(text)));
        let codes = self.codes.with_prefix(text);
        ranking.add(codes.chain(self.by_spelling.with_prefix(text)));
        let codes = self.codes.containing(text);
        ranking.add(codes.chain(self.by_spelling.containing(text)));
    }
}

impl SearchIndex<Instrument> {
    #[must_use]
    pub fn new(catalogue: &Catalogue) -> Self {
        Self::build(catalogue.instruments().iter().cloned())
    }

    /// A page (from 1) of the instruments in one of `markets` (all when empty) that match `text`,
    /// best first; equal matches in the order of the codes `popular`, then of the catalogue.
    #[must_use]
    pub fn find(
        &self,
        text: &str,
        markets: &[MarketCode],
        popular: &[String],
        page: i32,
    ) -> SearchPage<Instrument> {
        let has_code = |position: &usize, code: &str| {
            self.items
                .get(*position)
                .is_some_and(|one| one.code == code)
        };
        let position = |code: &String| {
            let positions = &self.exact.get(&hangul::fold(code))?.codes;
            positions
                .iter()
                .find(|position| has_code(position, code))
                .copied()
        };
        let popular: Vec<usize> = popular.iter().filter_map(position).collect();
        let accepts = |market| markets.is_empty() || markets.contains(&market);
        self.matching(text, accepts, &popular, page)
    }
}

impl Searchable for Instrument {
    type Kind = MarketCode;

    fn kind(&self) -> MarketCode {
        self.market
    }

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

#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;
