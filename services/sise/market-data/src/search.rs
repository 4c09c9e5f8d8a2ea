//! Finding instruments and products by what people type: names, codes, other names, initial consonants,
//! half-typed syllables, and with one mistake.
//!
//! All in memory: every name is put into dictionaries once, and a search opens each of them where
//! its text stands.

mod dictionary;
mod hangul;

use std::collections::HashMap;
use std::sync::Arc;

use kernel::MarketCode;

use crate::catalogue::{Catalogue, Instrument};
use crate::listing;
use dictionary::Dictionary;

/// Longer texts are cut here; no name is longer.
const LONGEST_TEXT: usize = 60;
/// A shorter text is not searched for with a mistake: too much would fit.
const SHORTEST_WITH_MISTAKE: usize = 3;

/// How well something fits, best first.
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
    /// What a search can be narrowed to.
    type Kind: Copy;

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
    kinds: Vec<T::Kind>,
    /// What fits a whole text.
    whole: HashMap<String, Vec<(Fit, usize)>>,
    codes: Dictionary,
    /// Names and aliases, as they are spelled, by their key strokes and by their initials.
    spelled: Dictionary,
    typed: Dictionary,
    initials: Dictionary,
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
        let mut whole: HashMap<String, Vec<(Fit, usize)>> = HashMap::new();
        let (mut codes, mut words) = (Vec::new(), Vec::new());
        for (place, subject) in subjects.iter().enumerate() {
            let fits = [
                (Fit::Code, subject.codes()),
                (Fit::Name, subject.names()),
                (Fit::Alias, subject.aliases()),
            ];
            for (fit, texts) in fits {
                for folded in texts.iter().map(|text| hangul::fold(text)) {
                    whole.entry(folded.clone()).or_default().push((fit, place));
                    let list = if fit == Fit::Code {
                        &mut codes
                    } else {
                        &mut words
                    };
                    list.push((place, folded));
                }
            }
        }
        let turned = |turn: fn(&str) -> String| {
            Dictionary::of(words.iter().map(|(place, word)| (*place, turn(word))))
        };
        Self {
            kinds: subjects.iter().map(|subject| subject.kind()).collect(),
            typed: turned(hangul::key_strokes),
            initials: turned(hangul::initials),
            codes: Dictionary::of(codes),
            spelled: Dictionary::of(words),
            subjects,
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
        let ranks: HashMap<usize, usize> = popular.iter().copied().zip(0..).collect();
        let mut marks = vec![Mark::Open; self.subjects.len()];
        for place in popular {
            if let Some(mark) = marks.get_mut(*place) {
                *mark = Mark::Popular;
            }
        }
        let mut found: Vec<(Fit, usize, usize)> = Vec::new();
        self.look_up(text, |fit, place| {
            let Some((mark, kind)) = marks.get_mut(place).zip(self.kinds.get(place)) else {
                return;
            };
            let rank = match mark {
                Mark::Seen => return,
                Mark::Popular => ranks.get(&place).copied().unwrap_or(usize::MAX),
                Mark::Open => usize::MAX,
            };
            *mark = Mark::Seen;
            if accepts(*kind) {
                found.push((fit, rank, place));
            }
        });
        let total = found.len();
        let (from, until, page) = listing::bounds(total, page);
        // Only what is shown must be in order.
        if until < total {
            found.select_nth_unstable(until);
            found.truncate(until);
        }
        found.sort_unstable();
        let shown = found.get(from..).unwrap_or_default().iter();
        let subjects = shown.filter_map(|(_, _, place)| self.subjects.get(*place));
        Found {
            subjects: subjects.cloned().collect(),
            page,
            total,
        }
    }

    /// Tells `found` the places of all that fit `text`, the better fits first; some several times.
    fn look_up(&self, text: &str, mut found: impl FnMut(Fit, usize)) {
        let folded: String = hangul::fold(text).chars().take(LONGEST_TEXT).collect();
        if folded.is_empty() || folded.contains(char::is_control) {
            return;
        }
        let mut all = |fit: Fit, places: &mut dyn Iterator<Item = usize>| {
            places.for_each(|place| found(fit, place));
        };
        let mut whole = self.whole.get(&folded).cloned().unwrap_or_default();
        whole.sort_unstable();
        for (fit, place) in whole {
            all(fit, &mut std::iter::once(place));
        }
        all(Fit::Beginning, &mut self.codes.beginning_with(&folded));
        all(Fit::Beginning, &mut self.spelled.beginning_with(&folded));
        let strokes = hangul::key_strokes(&folded);
        // Initials are key strokes too, but of a shorter kind; they have places of their own.
        if hangul::asks_for_initials(&folded) {
            let beginning = &mut self.initials.beginning_with(&strokes);
            all(Fit::InitialsBeginning, beginning);
            return all(Fit::InitialsInside, &mut self.initials.containing(&strokes));
        }
        all(Fit::HalfTyped, &mut self.typed.beginning_with(&strokes));
        all(Fit::Inside, &mut self.codes.containing(&folded));
        all(Fit::Inside, &mut self.spelled.containing(&folded));
        let characters: Vec<char> = folded.chars().collect();
        if characters.len() >= SHORTEST_WITH_MISTAKE {
            self.spelled
                .one_mistake_from(&characters, |place| found(Fit::Mistyped, place));
        }
    }
}

/// What is known of a subject during a search.
#[derive(Clone, Copy)]
enum Mark {
    Open,
    Popular,
    Seen,
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
            let mut fits = self.whole.get(&hangul::fold(code))?.iter();
            fits.find_map(|(_, place)| has_code(place, code).then_some(*place))
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
