//! The same search without any preparation: every name is looked at by itself. Slow and easy to
//! follow, so that the fast one can be held against it.

use std::sync::Arc;

use super::{Findable, SHORTEST_WITH_MISTAKE, hangul};
use crate::catalogue::Instrument;

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
    OtherKeyboard,
    OtherKeyboardBeginning,
    OtherKeyboardInside,
    Mistyped,
}

/// Codes of all that fit `text`, best first.
pub(super) fn find(subjects: &[Arc<Instrument>], text: &str, popular: &[String]) -> Vec<String> {
    let typed = hangul::fold(text);
    if typed.is_empty() || typed.contains(char::is_control) {
        return Vec::new();
    }
    let is_found = |subject: &Arc<Instrument>| {
        fit(subject, &typed).is_some_and(|fit| fit < Fit::OtherKeyboard)
    };
    let others = if subjects.iter().any(is_found) {
        Vec::new()
    } else {
        other_keyboards(text, &typed)
    };
    let fits_any = |other: &OtherKeyboard| subjects.iter().any(|one| other.fit(one).is_some());
    let other = others.into_iter().find(fits_any);
    let mut found: Vec<(Fit, usize, usize, String)> = subjects
        .iter()
        .enumerate()
        .filter_map(|(place, subject)| {
            let rank = popular.iter().position(|code| *code == subject.code);
            let by_other = other.as_ref().and_then(|other| other.fit(subject));
            let fit = by_other.or_else(|| fit(subject, &typed))?;
            Some((fit, rank.unwrap_or(usize::MAX), place, subject.code.clone()))
        })
        .collect();
    found.sort();
    found.into_iter().map(|(_, _, _, code)| code).collect()
}

/// A text as it would have been on the other keyboard.
struct OtherKeyboard {
    /// What of a word is compared with it.
    of: fn(&str) -> String,
    has_codes: bool,
    text: String,
}

/// The first of them that anything fits is meant.
fn other_keyboards(text: &str, typed: &str) -> Vec<OtherKeyboard> {
    let english = |text| OtherKeyboard {
        of: str::to_owned,
        has_codes: true,
        text,
    };
    if !typed.is_ascii() {
        let text = hangul::to_english_keys(&hangul::key_strokes(typed));
        return text.map(english).into_iter().collect();
    }
    let korean = |text: String| OtherKeyboard {
        of: if hangul::asks_for_initials(&text) {
            hangul::initials
        } else {
            hangul::key_strokes
        },
        has_codes: false,
        text,
    };
    let texts = [text, typed]
        .into_iter()
        .filter_map(hangul::from_english_keys);
    texts.map(korean).collect()
}

impl OtherKeyboard {
    fn fit(&self, subject: &Instrument) -> Option<Fit> {
        let codes = self
            .has_codes
            .then(|| subject.codes())
            .into_iter()
            .flatten();
        let words = subject.names().into_iter().chain(subject.aliases());
        let is_initials = hangul::asks_for_initials(&self.text);
        let fits = words.chain(codes).filter_map(|word| {
            let word = (self.of)(&hangul::fold(&word));
            if word == self.text && !is_initials {
                Some(Fit::OtherKeyboard)
            } else if word.starts_with(&self.text) {
                Some(Fit::OtherKeyboardBeginning)
            } else {
                word.contains(&self.text)
                    .then_some(Fit::OtherKeyboardInside)
            }
        });
        fits.min()
    }
}

fn fit(subject: &Instrument, typed: &str) -> Option<Fit> {
    let fold = |texts: Vec<String>| -> Vec<String> {
        texts.iter().map(|text| hangul::fold(text)).collect()
    };
    let (codes, names) = (fold(subject.codes()), fold(subject.names()));
    let aliases = fold(subject.aliases());
    let words = || names.iter().chain(&aliases);
    let texts = || words().chain(&codes);
    for (fit, whole) in [
        (Fit::Code, &codes),
        (Fit::Name, &names),
        (Fit::Alias, &aliases),
    ] {
        if whole.iter().any(|text| text == typed) {
            return Some(fit);
        }
    }
    if texts().any(|text| text.starts_with(typed)) {
        return Some(Fit::Beginning);
    }
    let strokes = hangul::key_strokes(typed);
    if hangul::asks_for_initials(typed) {
        let mut fits = words().map(|word| hangul::initials(word));
        if fits.any(|initials| initials.starts_with(&strokes)) {
            return Some(Fit::InitialsBeginning);
        }
        let inside = words().any(|word| hangul::initials(word).contains(&strokes));
        return inside.then_some(Fit::InitialsInside);
    }
    if words().any(|word| hangul::key_strokes(word).starts_with(&strokes)) {
        return Some(Fit::HalfTyped);
    }
    if texts().any(|text| text.contains(typed)) {
        return Some(Fit::Inside);
    }
    let typed: Vec<char> = typed.chars().collect();
    let mistyped = typed.len() >= SHORTEST_WITH_MISTAKE
        && words().any(|word| {
            let word: Vec<char> = word.chars().collect();
            one_mistake_from_prefix(&typed, &word)
        });
    mistyped.then_some(Fit::Mistyped)
}

/// Whether `typed` becomes `target`, or the beginning of it, by one change at any place.
fn one_mistake_from_prefix(typed: &[char], target: &[char]) -> bool {
    let same = typed
        .iter()
        .zip(target)
        .take_while(|(left, right)| left == right)
        .count();
    let (rest, wanted) = (&typed[same..], &target[same..]);
    let Some((first, after)) = rest.split_first() else {
        return true;
    };
    let other = wanted.get(1..).unwrap_or_default();
    let replaced = !wanted.is_empty() && other.starts_with(after);
    let left_out = !wanted.is_empty() && other.starts_with(rest);
    let added = wanted.starts_with(after);
    let swapped = match (after.split_first(), wanted) {
        (Some((second, tail)), [wanted_first, wanted_second, wanted_tail @ ..]) => {
            second == wanted_first && first == wanted_second && wanted_tail.starts_with(tail)
        }
        _ => false,
    };
    replaced || left_out || added || swapped
}
