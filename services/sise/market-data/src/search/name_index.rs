//! The words of items in one sorted buffer: a binary search finds those that start with a text, a
//! scan of the buffer those that contain it.

use memchr::memmem;

/// Ends every word, so that no match spans two. It is not part of any query.
const END: char = '\n';

/// Bytes of the buffer for which the word at their start is known.
const BLOCK: usize = 32;

/// The words of items, which the caller numbers.
pub(super) struct NameIndex {
    /// The words, sorted.
    text: String,
    words: Vec<Word>,
    /// The word at the start of each block of the text.
    blocks: Vec<usize>,
}

struct Word {
    item: usize,
    /// Where the word and its end are in the text.
    start: usize,
    end: usize,
}

impl NameIndex {
    /// Indexes words; each has the number of its item.
    pub(super) fn build(words: impl IntoIterator<Item = (usize, String)>) -> Self {
        let mut sorted: Vec<(usize, String)> = words.into_iter().collect();
        sorted.sort_unstable_by(|(_, one), (_, other)| one.cmp(other));
        let (mut text, mut words, mut blocks) = (String::new(), Vec::new(), Vec::new());
        for (item, word) in sorted {
            let start = text.len();
            text.push_str(&word);
            let end = text.len();
            text.push(END);
            blocks.resize(text.len().div_ceil(BLOCK), words.len());
            words.push(Word { item, start, end });
        }
        Self {
            text,
            words,
            blocks,
        }
    }

    /// The items that have `text` as a word.
    pub(super) fn exact(&self, text: &str) -> impl Iterator<Item = usize> {
        let words = self.starting_with(text).iter();
        let same = words.take_while(|word| word.end - word.start == text.len());
        same.map(|word| word.item)
    }

    /// The items with a word that starts with `text`, once per word.
    pub(super) fn with_prefix(&self, text: &str) -> impl Iterator<Item = usize> {
        self.starting_with(text).iter().map(|word| word.item)
    }

    /// The items with a word that contains `text`, once per word.
    pub(super) fn containing(&self, text: &str) -> impl Iterator<Item = usize> {
        self.words_containing(text).map(|word| word.item)
    }

    /// The items with a word that has a prefix within one edit of `typed` (a replacement, deletion,
    /// insertion or transposition), possibly repeated.
    pub(super) fn within_one_edit(&self, typed: &str) -> impl Iterator<Item = usize> {
        // One edit leaves the first or the second half as it is, or swaps the characters where
        // they meet.
        let characters = typed.chars().count();
        let middle = typed.char_indices().nth(characters / 2);
        let (first, second) = typed.split_at(middle.map_or(0, |(at, _)| at));
        let swapped = swapped_where_they_meet(first, second).unwrap_or_default();
        let swapped = self.starting_with(&swapped).iter();
        let candidates = self.starting_with(first).iter();
        let candidates = candidates.chain(self.words_containing(second));
        let near = candidates.filter(move |word| {
            let word = self.word(word);
            word.starts_with(typed) || is_prefix_within_one_edit(typed, word)
        });
        near.chain(swapped).map(|word| word.item)
    }

    fn word(&self, word: &Word) -> &str {
        self.text.get(word.start..word.end).unwrap_or_default()
    }

    fn starting_with(&self, text: &str) -> &[Word] {
        let before = self.words.partition_point(|word| self.word(word) < text);
        let (_, rest) = self.words.split_at_checked(before).unwrap_or_default();
        let count = rest.partition_point(|word| self.word(word).starts_with(text));
        rest.get(..count).unwrap_or_default()
    }

    fn words_containing(&self, text: &str) -> impl Iterator<Item = &Word> {
        let finder = memmem::Finder::new(text);
        let mut from = 0;
        std::iter::from_fn(move || {
            let rest = self.text.as_bytes().get(from..)?;
            let at = from + finder.find(rest)?;
            let nearby = self.words.get(*self.blocks.get(at / BLOCK)?..)?;
            let word = nearby.iter().find(|word| word.end > at)?;
            from = word.end;
            Some(word)
        })
    }
}

/// `first` and `second` as one text in which the characters at the joint have changed places.
fn swapped_where_they_meet(first: &str, second: &str) -> Option<String> {
    let (before, last) = (first.char_indices().next_back()?, second.chars().next()?);
    let (at, left) = before;
    let head = first.get(..at)?;
    let tail = second.get(last.len_utf8()..)?;
    Some(format!("{head}{last}{left}{tail}"))
}

fn is_prefix_within_one_edit(typed: &str, word: &str) -> bool {
    let (mut typed, mut word) = (typed.chars(), word.chars());
    loop {
        let (typed_rest, word_rest) = (typed.as_str(), word.as_str());
        let Some(typed_next) = typed.next() else {
            return true;
        };
        let word_next = word.next();
        if word_next == Some(typed_next) {
            continue;
        }
        let is_added = word_rest.starts_with(typed.as_str());
        let Some(word_next) = word_next else {
            return is_added;
        };
        let is_replaced = word.as_str().starts_with(typed.as_str());
        let is_left_out = word.as_str().starts_with(typed_rest);
        let is_swapped = typed.next() == Some(word_next)
            && word.next() == Some(typed_next)
            && word.as_str().starts_with(typed.as_str());
        return is_added || is_replaced || is_left_out || is_swapped;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[&str]) -> NameIndex {
        let words = words.iter().map(|word| (*word).to_owned());
        NameIndex::build(words.enumerate())
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
        assert_eq!(sorted(index.containing("하나")), [0, 1, 2, 3]);
        assert_eq!(sorted(index.containing("금")), [0]);
        assert!(sorted(index.containing("융하")).is_empty());
        assert!(sorted(of(&[]).with_prefix("하")).is_empty());
        assert!(sorted(of(&[]).containing("하")).is_empty());
    }

    #[test]
    fn long_and_short_words_are_found_across_blocks() {
        let words: Vec<String> = (0..200).map(|length| "가".repeat(length % 40)).collect();
        let index = NameIndex::build(words.iter().cloned().enumerate());
        for length in 1..40 {
            let text = "가".repeat(length);
            let longer = words.iter().enumerate();
            let longer = longer.filter(|(_, word)| word.len() >= text.len());
            let expected: Vec<usize> = longer.map(|(item, _)| item).collect();
            assert_eq!(sorted(index.containing(&text)), expected, "{length}");
            assert_eq!(sorted(index.with_prefix(&text)), expected, "{length}");
        }
    }

    #[test]
    fn one_edit_matches_and_two_do_not() {
        let near = |typed: &str, target: &str| {
            let index = of(&["다른말", target, "삼"]);
            index.within_one_edit(typed).any(|item| item == 1)
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
