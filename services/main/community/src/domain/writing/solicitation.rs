//! Phrases of those who sell advice or collect money; the list is `data/solicitation.txt`.

use std::sync::LazyLock;

use super::folding::{Condensed, condense};

/// What a text sounds like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Suspicion {
    None,
    /// Somebody has to decide.
    Doubtful,
    Certain,
}

pub(super) fn suspicion_of(text: &str) -> Suspicion {
    let whole = Condensed::new(text, char::is_alphanumeric);
    // Digits are put between the letters of a word, or are a part of it.
    let letters = Condensed::new(text, |one| one.is_alphanumeric() && !one.is_numeric());
    let has = |phrases: &Vec<Phrase>| {
        let is_in = |form: &Condensed| phrases.iter().all(|phrase| phrase.is_in(form));
        is_in(&whole) || is_in(&letters)
    };
    let lists = &*LISTS;
    if lists.refuse.iter().any(has) {
        if lists.warn.iter().any(has) {
            return Suspicion::Doubtful;
        }
        return Suspicion::Certain;
    }
    if lists.hold.iter().any(has) {
        return Suspicion::Doubtful;
    }
    Suspicion::None
}

#[derive(Debug)]
struct Phrase {
    /// Letters and digits alone, as [`condense`] leaves them.
    letters: String,
    begins_word: bool,
}

impl Phrase {
    fn new(written: &str) -> Self {
        Self {
            letters: condense(written),
            begins_word: written.trim_start().starts_with('^'),
        }
    }

    fn is_in(&self, form: &Condensed) -> bool {
        let mut places = form.text.match_indices(&self.letters);
        places.any(|(place, found)| {
            let end = place + found.len();
            (!self.begins_word || form.is_start(place)) && !ends_in_other_word(form, end)
        })
    }
}

/// Whether the syllable before `end` begins a word that has nothing to do with the phrase.
fn ends_in_other_word(form: &Condensed, end: usize) -> bool {
    let before = form.text.get(..end).unwrap_or_default();
    let Some(last) = before.chars().next_back() else {
        return false;
    };
    let place = end - last.len_utf8();
    let rest = form.text.get(place..).unwrap_or_default();
    let words = if form.is_start(place) {
        &OTHER_WORDS[..]
    } else {
        &OTHER_WORDS_ANYWHERE[..]
    };
    // Written as one, or 리딩방 법… would be one of them.
    let is_whole = |word: &str| (place + 1..place + word.len()).all(|inner| !form.is_start(inner));
    words
        .iter()
        .any(|word| rest.starts_with(word) && is_whole(word))
}

#[derive(Debug, Default)]
struct Lists {
    warn: Vec<Vec<Phrase>>,
    hold: Vec<Vec<Phrase>>,
    refuse: Vec<Vec<Phrase>>,
}

/// After a space: 체험 방문, 작전 주의보.
const OTHER_WORDS: [&str; 19] = [
    "방법", "방식", "방문", "방송", "방침", "방향", "방지", "방안", "방어", "방해", "방영", "방역",
    "방학", "방치", "방출", "주의", "주도", "주목", "주장",
];
/// Also without one: 체험방법. Not 방문 and others, which 리딩방문의 has, too.
const OTHER_WORDS_ANYWHERE: [&str; 5] = ["방법", "방식", "방송", "방침", "방향"];

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let mut lists = Lists::default();
    for line in lines() {
        let Some((verdict, words)) = line.split_once(' ') else {
            continue;
        };
        let words = words.split('+').map(Phrase::new).collect();
        match verdict {
            "warn" => lists.warn.push(words),
            "hold" => lists.hold.push(words),
            "refuse" => lists.refuse.push(words),
            _ => {}
        }
    }
    lists
});

fn lines() -> impl Iterator<Item = &'static str> {
    let lines = include_str!("../../../data/solicitation.txt").lines();
    lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_list_is_read() {
        let lists = &*LISTS;
        let read = lists.warn.len() + lists.hold.len() + lists.refuse.len();
        assert_eq!(read, lines().count());
        let all = lists.warn.iter().chain(&lists.hold).chain(&lists.refuse);
        for words in all {
            assert!(
                words.iter().all(|word| word.letters.chars().count() >= 2),
                "{words:?}"
            );
        }
        assert!(lists.hold.len() >= 60 && lists.refuse.len() >= 30);
    }

    #[test]
    fn phrases_end_where_another_word_begins() {
        for (text, suspicion) in [
            ("호텔 방문객이 늘었어요", Suspicion::None),
            ("텔방 들어와요", Suspicion::Doubtful),
            ("우리 텔.방 들어와요", Suspicion::Doubtful),
            ("체험 방법", Suspicion::None),
            ("체험방법", Suspicion::None),
            ("체험 방 법인", Suspicion::Doubtful),
            ("체험방 법인", Suspicion::Doubtful),
            ("체험방문의", Suspicion::Doubtful),
            ("체험 방문", Suspicion::None),
            ("체험 방법 그리고 체험방", Suspicion::Doubtful),
            ("작전 주의보", Suspicion::None),
            ("작전주 주의보", Suspicion::Doubtful),
        ] {
            assert_eq!(suspicion_of(text), suspicion, "{text}");
        }
    }
}
