//! Finding instruments and products by what people type: names, codes, other names, initial consonants,
//! half-typed syllables, and with one mistake.
//!
//! All in memory: every name is put into dictionaries once, and a search opens each of them where
//! its text stands.

mod dictionary;
mod hangul;
mod ranking;

use std::collections::HashMap;
use std::sync::Arc;

use fixedbitset::FixedBitSet;
use kernel::MarketCode;

use crate::catalogue::{Catalogue, Instrument};
use dictionary::Dictionary;
use ranking::Ranking;

/// Longer texts are cut here; no name is longer.
const LONGEST_TEXT: usize = 60;
/// A shorter text is not searched for with a mistake: too much would fit.
const SHORTEST_WITH_MISTAKE: usize = 3;

/// What can be found.
pub trait Findable {
    /// What a search can be narrowed to.
    type Kind: Copy + PartialEq;

    /// Of which kind it is.
    fn kind(&self) -> Self::Kind;
    /// Codes; whoever types one whole means it.
    fn codes(&self) -> Vec<String>;
    /// The names it has.
    fn names(&self) -> Vec<String>;
    /// What else people call it.
    fn aliases(&self) -> Vec<String>;
}

/// Everything of a sort that can be found. The place of a subject in the order they were prepared
/// in stands for it.
pub struct SearchIndex<T: Findable> {
    subjects: Vec<Arc<T>>,
    /// Who is of which kind.
    kinds: Vec<(T::Kind, FixedBitSet)>,
    /// Who has a text as a whole word.
    whole: HashMap<String, Whole>,
    codes: Dictionary,
    /// Names and aliases, as they are spelled, by their key strokes and by their initials.
    spelled: Dictionary,
    typed: Dictionary,
    initials: Dictionary,
}

/// The subjects that have the same word, by what it is to them.
#[derive(Default)]
struct Whole {
    codes: Vec<usize>,
    names: Vec<usize>,
    aliases: Vec<usize>,
}

/// A page of what was found.
#[derive(Debug)]
pub struct Found<T> {
    /// Best first.
    pub subjects: Vec<Arc<T>>,
    /// From 1.
    pub page: i32,
    /// How many were found in all.
    pub total: usize,
}

impl<T: Findable> SearchIndex<T> {
    /// Prepares every name.
    #[must_use]
    pub fn of(subjects: impl IntoIterator<Item = Arc<T>>) -> Self {
        let subjects: Vec<Arc<T>> = subjects.into_iter().collect();
        let mut kinds: Vec<(T::Kind, FixedBitSet)> = Vec::new();
        let mut whole: HashMap<String, Whole> = HashMap::new();
        let (mut codes, mut words) = (Vec::new(), Vec::new());
        for (place, subject) in subjects.iter().enumerate() {
            let own = |(kind, _): &(T::Kind, FixedBitSet)| *kind == subject.kind();
            if !kinds.iter().any(own) {
                kinds.push((subject.kind(), FixedBitSet::with_capacity(subjects.len())));
            }
            for (_, places) in kinds.iter_mut().filter(|kind| own(kind)) {
                places.insert(place);
            }
            for code in subject.codes().iter().map(|code| hangul::fold(code)) {
                whole.entry(code.clone()).or_default().codes.push(place);
                codes.push((place, code));
            }
            for name in subject.names().iter().map(|name| hangul::fold(name)) {
                whole.entry(name.clone()).or_default().names.push(place);
                words.push((place, name));
            }
            for alias in subject.aliases().iter().map(|alias| hangul::fold(alias)) {
                whole.entry(alias.clone()).or_default().aliases.push(place);
                words.push((place, alias));
            }
        }
        let turned = |turn: fn(&str) -> String| {
            Dictionary::of(words.iter().map(|(place, word)| (*place, turn(word))))
        };
        Self {
            typed: turned(hangul::key_strokes),
            initials: turned(hangul::initials),
            codes: Dictionary::of(codes),
            spelled: Dictionary::of(words),
            subjects,
            kinds,
            whole,
        }
    }

    /// A page (from 1) of what fits `text` and is of an accepted kind, best first; equally good
    /// ones in the order of `popular`, then in the order they were prepared in. Nothing fits an
    /// empty text.
    #[must_use]
    pub fn matching(
        &self,
        text: &str,
        accepts: impl Fn(T::Kind) -> bool,
        popular: &[usize],
        page: i32,
    ) -> Found<T> {
        let mut open = FixedBitSet::with_capacity(self.subjects.len());
        if self.kinds.iter().all(|(kind, _)| accepts(*kind)) {
            open.insert_range(..);
        } else {
            for (_, places) in self.kinds.iter().filter(|(kind, _)| accepts(*kind)) {
                open.union_with(places);
            }
        }
        let (from, until, page) = ranking::bounds(page);
        let mut ranking = Ranking::new(open, popular, from, until);
        self.look_up(text, &mut ranking);
        let (shown, total) = ranking.finish();
        let subjects = shown.iter().filter_map(|place| self.subjects.get(*place));
        Found {
            subjects: subjects.cloned().collect(),
            page,
            total,
        }
    }

    /// Ranks all that fit `text`.
    fn look_up(&self, text: &str, ranking: &mut Ranking<'_>) {
        let folded: String = hangul::fold(text).chars().take(LONGEST_TEXT).collect();
        if folded.is_empty() || folded.contains(char::is_control) {
            return;
        }
        if let Some(whole) = self.whole.get(&folded) {
            for places in [&whole.codes, &whole.names, &whole.aliases] {
                ranking.take(places.iter().copied());
            }
        }
        let codes = self.codes.beginning_with(&folded);
        ranking.take(codes.chain(self.spelled.beginning_with(&folded)));
        let strokes = hangul::key_strokes(&folded);
        // Initials are key strokes too, but of a shorter kind; they have places of their own.
        let asks_for_initials = hangul::asks_for_initials(&folded);
        if asks_for_initials {
            ranking.take(self.initials.beginning_with(&strokes));
            ranking.take(self.initials.containing(&strokes));
        } else {
            // What has no syllables is typed as it is spelled, and was found by that.
            if !folded.is_ascii() {
                ranking.take(self.typed.beginning_with(&strokes));
            }
            let codes = self.codes.containing(&folded);
            ranking.take(codes.chain(self.spelled.containing(&folded)));
        }
        // Whoever found nothing may have typed on the other keyboard.
        if ranking.is_empty() {
            if folded.is_ascii() {
                self.look_up_korean(text, ranking);
            } else if let Some(english) = hangul::to_english_keys(&strokes) {
                self.look_up_english(&english, ranking);
            }
        }
        let characters: Vec<char> = folded.chars().collect();
        if !asks_for_initials && characters.len() >= SHORTEST_WITH_MISTAKE {
            ranking.take(self.spelled.one_mistake_from(&characters));
        }
    }

    /// Ranks all that fit the Korean text that was typed as `text` on an English keyboard.
    fn look_up_korean(&self, text: &str, ranking: &mut Ranking<'_>) {
        let keys: String = text.chars().take(LONGEST_TEXT).collect();
        // Its capitals may be meant, or caps lock is on.
        for keys in [keys.to_ascii_lowercase(), keys].iter().rev() {
            let Some(strokes) = hangul::from_english_keys(keys) else {
                return;
            };
            if hangul::asks_for_initials(&strokes) {
                ranking.take(self.initials.beginning_with(&strokes));
                ranking.take(self.initials.containing(&strokes));
            } else {
                ranking.take(self.typed.whole(&strokes));
                ranking.take(self.typed.beginning_with(&strokes));
                ranking.take(self.typed.containing(&strokes));
            }
            if !ranking.is_empty() {
                return;
            }
        }
    }

    /// Ranks all that fit the English text that was typed on a Korean keyboard.
    fn look_up_english(&self, text: &str, ranking: &mut Ranking<'_>) {
        ranking.take(self.codes.whole(text).chain(self.spelled.whole(text)));
        let codes = self.codes.beginning_with(text);
        ranking.take(codes.chain(self.spelled.beginning_with(text)));
        let codes = self.codes.containing(text);
        ranking.take(codes.chain(self.spelled.containing(text)));
    }
}

impl SearchIndex<Instrument> {
    /// Prepares every instrument.
    #[must_use]
    pub fn new(catalogue: &Catalogue) -> Self {
        Self::of(catalogue.instruments().iter().cloned())
    }

    /// A page (from 1) of the instruments that fit `text` in one of `markets` (all when empty),
    /// best first; equally good ones in the order of the codes `popular`, then of the catalogue.
    #[must_use]
    pub fn find(
        &self,
        text: &str,
        markets: &[MarketCode],
        popular: &[String],
        page: i32,
    ) -> Found<Instrument> {
        let has_code = |place: &usize, code: &str| {
            self.subjects
                .get(*place)
                .is_some_and(|one| one.code == code)
        };
        let place = |code: &String| {
            let places = &self.whole.get(&hangul::fold(code))?.codes;
            places.iter().find(|place| has_code(place, code)).copied()
        };
        let popular: Vec<usize> = popular.iter().filter_map(place).collect();
        let accepts = |market| markets.is_empty() || markets.contains(&market);
        self.matching(text, accepts, &popular, page)
    }
}

impl Findable for Instrument {
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
mod plain;
#[cfg(test)]
mod tests;
