//! A suffix array over names: binary search finds all names that start with, or contain, a text.

/// Terminates every word. It is not part of any query and sorts before all other characters.
const END: char = '\n';

/// Up to this many candidates are scanned instead of searched in another array.
const LINEAR_SCAN_LIMIT: usize = 50;

/// The words of items, which the caller numbers.
pub(super) struct NameIndex {
    /// The words, concatenated.
    text: String,
    /// Starts of words.
    word_starts: SuffixArray,
    /// All other positions.
    word_insides: SuffixArray,
}

/// Positions, sorted by the text that follows them.
struct SuffixArray {
    positions: Vec<SuffixPosition>,
    /// Each first character and the index of its first position, which narrows the binary search.
    firsts: Vec<(char, usize)>,
}

/// 32 bits each, so that more positions fit the cache; longer texts are not indexed.
#[derive(Clone, Copy)]
struct SuffixPosition {
    item: u32,
    at: u32,
}

impl SuffixPosition {
    fn new(item: usize, at: usize) -> Option<Self> {
        Some(Self {
            item: item.try_into().ok()?,
            at: at.try_into().ok()?,
        })
    }

    fn item(&self) -> usize {
        usize::try_from(self.item).unwrap_or(usize::MAX)
    }

    fn at(&self) -> usize {
        usize::try_from(self.at).unwrap_or(usize::MAX)
    }
}

impl NameIndex {
    /// Indexes words; each has the number of its item.
    pub(super) fn build(words: impl IntoIterator<Item = (usize, String)>) -> Self {
        let mut text = String::new();
        let (mut word_starts, mut word_insides) = (Vec::new(), Vec::new());
        for (item, word) in words {
            let start = text.len();
            let mut positions = word
                .char_indices()
                .filter_map(|(at, _)| SuffixPosition::new(item, start + at));
            word_starts.extend(positions.next());
            word_insides.extend(positions);
            text.push_str(&word);
            text.push(END);
        }
        Self {
            word_starts: SuffixArray::build(word_starts, &text),
            word_insides: SuffixArray::build(word_insides, &text),
            text,
        }
    }

    /// The items that have `text` as a word.
    pub(super) fn exact(&self, text: &str) -> impl Iterator<Item = usize> {
        items(self.search(&self.word_starts, &format!("{text}{END}")))
    }

    /// The items with a word that starts with `text`, once per word.
    pub(super) fn with_prefix(&self, text: &str) -> impl Iterator<Item = usize> {
        items(self.search(&self.word_starts, text))
    }

    /// The items with a word that contains `text` after its first character, once per occurrence.
    pub(super) fn containing(&self, text: &str) -> impl Iterator<Item = usize> {
        items(self.search(&self.word_insides, text))
    }

    /// The items with a word that has a prefix within one edit of `typed` (a replacement, deletion,
    /// insertion or transposition), possibly repeated.
    pub(super) fn within_one_edit(&self, typed: &[char]) -> Vec<usize> {
        let mut found = Vec::new();
        let mut prefix = String::new();
        let mut candidates = self.word_starts.positions.as_slice();
        for (index, typed_char) in typed.iter().enumerate() {
            let after: String = typed.iter().skip(index + 1).collect();
            let added = format!("{prefix}{after}");
            found.extend(items(self.prefix_in(candidates, index, &added)));
            if let Some(next) = typed.get(index + 1) {
                let tail: String = typed.iter().skip(index + 2).collect();
                let swapped = format!("{prefix}{next}{typed_char}{tail}");
                found.extend(items(self.prefix_in(candidates, index, &swapped)));
            }
            // Another character instead of the typed one, or one before it.
            let from_typed = format!("{typed_char}{after}");
            for rest in [&after, &from_typed] {
                self.with_any_between(candidates, &prefix, rest, &mut found);
            }
            prefix.push(*typed_char);
            candidates = self.prefix_in(candidates, index, &prefix);
            if candidates.is_empty() {
                break;
            }
        }
        found
    }

    /// The items of those `candidates`, which all start with `prefix`, that continue with any
    /// character and then `rest`.
    fn with_any_between(
        &self,
        candidates: &[SuffixPosition],
        prefix: &str,
        rest: &str,
        found: &mut Vec<usize>,
    ) {
        let is_rarer = |inside: &&[SuffixPosition]| inside.len() < candidates.len();
        let inside = (candidates.len() > LINEAR_SCAN_LIMIT && !rest.is_empty())
            .then(|| self.search(&self.word_insides, rest))
            .filter(is_rarer);
        if let Some(inside) = inside {
            let matching = inside.iter().filter(|position| {
                let before = self.text.get(..position.at()).unwrap_or_default();
                let mut before = before.chars();
                before.next_back();
                let word = before.as_str().strip_suffix(prefix);
                word.is_some_and(|before| before.is_empty() || before.ends_with(END))
            });
            found.extend(matching.map(SuffixPosition::item));
        } else {
            let matching = candidates.iter().filter(|position| {
                let at = position.at() + prefix.len();
                let mut after = self.text.get(at..).unwrap_or_default().chars();
                after.next().is_some_and(|any| any != END) && after.as_str().starts_with(rest)
            });
            found.extend(matching.map(SuffixPosition::item));
        }
    }

    /// Narrows `candidates`, the words with the first `known` characters of `text`.
    fn prefix_in<'a>(
        &'a self,
        candidates: &'a [SuffixPosition],
        known: usize,
        text: &str,
    ) -> &'a [SuffixPosition] {
        if known == 0 {
            self.search(&self.word_starts, text)
        } else {
            self.search_in(candidates, text)
        }
    }

    /// The positions of `array` that are followed by `text`.
    fn search<'a>(&self, array: &'a SuffixArray, text: &str) -> &'a [SuffixPosition] {
        let mut characters = text.chars();
        let Some(first) = characters.next() else {
            return &array.positions;
        };
        let positions = array.with_prefix(first);
        if characters.next().is_none() {
            return positions;
        }
        self.search_in(positions, text)
    }

    /// The positions among `positions` that are followed by `text`.
    fn search_in<'a>(&self, positions: &'a [SuffixPosition], text: &str) -> &'a [SuffixPosition] {
        let wanted = text.as_bytes();
        let text_at = |position: &SuffixPosition| {
            let rest = self
                .text
                .as_bytes()
                .get(position.at()..)
                .unwrap_or_default();
            rest.get(..wanted.len()).unwrap_or(rest)
        };
        let before = positions.partition_point(|position| text_at(position) < wanted);
        let (_, rest) = positions.split_at_checked(before).unwrap_or_default();
        // Few positions match as a rule, so a galloping search stays in the cache.
        let matches = |position: &SuffixPosition| text_at(position) == wanted;
        let mut reach = 1;
        while rest.get(reach).is_some_and(matches) {
            reach *= 2;
        }
        let near = rest.get(..reach).unwrap_or(rest);
        let matching = near.partition_point(matches);
        near.get(..matching).unwrap_or_default()
    }
}

impl SuffixArray {
    fn build(mut positions: Vec<SuffixPosition>, text: &str) -> Self {
        let from = |position: &SuffixPosition| text.get(position.at()..).unwrap_or_default();
        positions.sort_unstable_by(|one, other| from(one).cmp(from(other)));
        let mut firsts: Vec<(char, usize)> = Vec::new();
        for (before, position) in positions.iter().enumerate() {
            let first = from(position).chars().next().unwrap_or(END);
            if firsts.last().is_none_or(|(last, _)| *last != first) {
                firsts.push((first, before));
            }
        }
        Self { positions, firsts }
    }

    /// The positions that are followed by `first`.
    fn with_prefix(&self, first: char) -> &[SuffixPosition] {
        let Ok(index) = self.firsts.binary_search_by_key(&first, |(one, _)| *one) else {
            return &[];
        };
        let bound = |index: usize| self.firsts.get(index).map(|(_, before)| *before);
        let from = bound(index).unwrap_or_default();
        let until = bound(index + 1).unwrap_or(self.positions.len());
        self.positions.get(from..until).unwrap_or_default()
    }
}

fn items(positions: &[SuffixPosition]) -> impl Iterator<Item = usize> {
    positions.iter().map(SuffixPosition::item)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[&str]) -> NameIndex {
        NameIndex::build(
            words
                .iter()
                .map(|word| (*word).to_owned())
                .enumerate()
                .collect::<Vec<_>>(),
        )
    }

    fn sorted(positions: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut positions: Vec<usize> = positions.collect();
        positions.sort_unstable();
        positions
    }

    #[test]
    fn words_are_found_by_prefix_and_substring() {
        let index = of(&["하나금융", "하나", "대하나무", "나하나하나", "", "가"]);
        assert_eq!(sorted(index.with_prefix("하나")), [0, 1]);
        assert!(sorted(index.with_prefix("하나금융지주")).is_empty());
        assert_eq!(sorted(index.exact("하나")), [1]);
        assert!(sorted(index.exact("하나금")).is_empty());
        assert_eq!(sorted(index.containing("하나")), [2, 3, 3]);
        assert_eq!(sorted(index.containing("나")), [0, 1, 2, 3, 3]);
        assert!(sorted(of(&[]).with_prefix("하")).is_empty());
    }

    #[test]
    fn one_edit_matches_and_two_do_not() {
        let near = |typed: &str, target: &str| {
            let typed: Vec<char> = typed.chars().collect();
            of(&["다른말", target, "삼"])
                .within_one_edit(&typed)
                .contains(&1)
        };
        for (typed, target) in [
            ("삼섬전자", "삼성전자"),
            ("심성전자", "삼성전자"),
            ("성전자", "삼성전자"),
            ("삼전자", "삼성전자"),
            ("삼성성전자", "삼성전자"),
            ("가삼성전자", "삼성전자"),
            ("삼전성자", "삼성전자"),
            ("성삼전자", "삼성전자"),
            ("삼섬전", "삼성전자"),
            ("appel", "apple"),
            ("aple", "appleinc."),
            ("삼성전", "삼성전자"),
        ] {
            assert!(near(typed, target), "{typed} {target}");
        }
        for (typed, target) in [
            ("삼섬선자", "삼성전자"),
            ("전자", "삼성전자"),
            ("appppl", "apple"),
        ] {
            assert!(!near(typed, target), "{typed} {target}");
        }
    }
}
