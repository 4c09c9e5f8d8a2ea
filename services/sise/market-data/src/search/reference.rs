//! A reference implementation of the search without an index, for tests.

use std::sync::Arc;

use super::{MIN_LENGTH_WITH_TYPO, Searchable, hangul};
use crate::catalogue::Instrument;

/// The kind of a match, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MatchKind {
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

/// Codes of all matches, best first.
pub(super) fn find(items: &[Arc<Instrument>], text: &str, popular: &[String]) -> Vec<String> {
    let typed = hangul::fold(text);
    if typed.is_empty() || typed.contains(char::is_control) {
        return Vec::new();
    }
    let has_match = |item: &Arc<Instrument>| {
        match_kind(item, &typed).is_some_and(|match_kind| match_kind < MatchKind::OtherKeyboard)
    };
    let others = if items.iter().any(has_match) {
        Vec::new()
    } else {
        other_keyboards(text, &typed)
    };
    let fits_any = |other: &OtherKeyboard| items.iter().any(|one| other.match_kind(one).is_some());
    let other = others.into_iter().find(fits_any);
    let mut found: Vec<(MatchKind, usize, usize, String)> = items
        .iter()
        .enumerate()
        .filter_map(|(place, item)| {
            let rank = popular.iter().position(|code| *code == item.code);
            let by_other = other.as_ref().and_then(|other| other.match_kind(item));
            let match_kind = by_other.or_else(|| match_kind(item, &typed))?;
            Some((
                match_kind,
                rank.unwrap_or(usize::MAX),
                place,
                item.code.clone(),
            ))
        })
        .collect();
    found.sort();
    if found
        .first()
        .is_some_and(|(best, ..)| *best < MatchKind::Mistyped)
    {
        found.retain(|(match_kind, ..)| *match_kind < MatchKind::Mistyped);
    }
    found.into_iter().map(|(_, _, _, code)| code).collect()
}

/// A query as typed on the other keyboard layout.
struct OtherKeyboard {
    /// The transformation of a word before it is compared.
    of: fn(&str) -> String,
    has_codes: bool,
    text: String,
}

/// The first of them that has a match is used.
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
        of: if hangul::is_initials_query(&text) {
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
    fn match_kind(&self, item: &Instrument) -> Option<MatchKind> {
        let codes = self.has_codes.then(|| item.codes()).into_iter().flatten();
        let words = item.names().into_iter().chain(item.aliases());
        let is_initials = hangul::is_initials_query(&self.text);
        let kinds = words.chain(codes).filter_map(|word| {
            let word = (self.of)(&hangul::fold(&word));
            if word == self.text && !is_initials {
                Some(MatchKind::OtherKeyboard)
            } else if word.starts_with(&self.text) {
                Some(MatchKind::OtherKeyboardBeginning)
            } else {
                word.contains(&self.text)
                    .then_some(MatchKind::OtherKeyboardInside)
            }
        });
        kinds.min()
    }
}

fn match_kind(item: &Instrument, typed: &str) -> Option<MatchKind> {
    let fold = |texts: Vec<String>| -> Vec<String> {
        texts.iter().map(|text| hangul::fold(text)).collect()
    };
    let (codes, names) = (fold(item.codes()), fold(item.names()));
    let aliases = fold(item.aliases());
    let words = || names.iter().chain(&aliases);
    let texts = || words().chain(&codes);
    for (match_kind, whole) in [
        (MatchKind::Code, &codes),
        (MatchKind::Name, &names),
        (MatchKind::Alias, &aliases),
    ] {
        if whole.iter().any(|text| text == typed) {
            return Some(match_kind);
        }
    }
    if texts().any(|text| text.starts_with(typed)) {
        return Some(MatchKind::Beginning);
    }
    let strokes = hangul::key_strokes(typed);
    if hangul::is_initials_query(typed) {
        let mut kinds = words().map(|word| hangul::initials(word));
        if kinds.any(|initials| initials.starts_with(&strokes)) {
            return Some(MatchKind::InitialsBeginning);
        }
        let inside = words().any(|word| hangul::initials(word).contains(&strokes));
        return inside.then_some(MatchKind::InitialsInside);
    }
    if words().any(|word| hangul::key_strokes(word).starts_with(&strokes)) {
        return Some(MatchKind::HalfTyped);
    }
    if texts().any(|text| text.contains(typed)) {
        return Some(MatchKind::Inside);
    }
    let typed: Vec<char> = typed.chars().collect();
    let mistyped = typed.len() >= MIN_LENGTH_WITH_TYPO
        && words().any(|word| {
            let word: Vec<char> = word.chars().collect();
            is_prefix_within_one_edit(&typed, &word)
        });
    mistyped.then_some(MatchKind::Mistyped)
}

/// Whether a prefix of `target` is within one edit of `typed`.
fn is_prefix_within_one_edit(typed: &[char], target: &[char]) -> bool {
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
