//! Phrases of those who sell advice or collect money; the list is `data/solicitation.txt`.

use std::sync::LazyLock;

use super::folding::squash;

/// What a text sounds like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Suspicion {
    None,
    /// Somebody has to decide.
    Doubtful,
    Certain,
}

pub(super) fn suspicion_of(text: &str) -> Suspicion {
    let whole = squash(text);
    // Digits are put between the letters of a word, or are a part of it.
    let letters: String = whole.chars().filter(|one| !one.is_numeric()).collect();
    let has = |words: &Vec<String>| {
        let is_in = |form: &str| words.iter().all(|word| form.contains(word.as_str()));
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

#[derive(Debug, Default)]
struct Lists {
    warn: Vec<Vec<String>>,
    hold: Vec<Vec<String>>,
    refuse: Vec<Vec<String>>,
}

static LISTS: LazyLock<Lists> = LazyLock::new(|| {
    let mut lists = Lists::default();
    for line in lines() {
        let Some((verdict, words)) = line.split_once(' ') else {
            continue;
        };
        let words = words.split('+').map(squash).collect();
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
                words.iter().all(|word| word.chars().count() >= 2),
                "{words:?}"
            );
        }
        assert!(lists.hold.len() >= 60 && lists.refuse.len() >= 30);
    }
}
