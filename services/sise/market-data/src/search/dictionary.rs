//! Words in the order of a dictionary: all that begin with a text lie beside each other, and so do
//! all that have it inside, so either is found by halving instead of by looking at every word.

/// Ends every word; no text that is searched for has it, and it comes before all that they have.
const END: char = '\n';

/// So few words are sooner looked at than another place is opened.
const FEW: usize = 50;

/// Words, each of some subject. The subjects are numbers of the caller's.
pub(super) struct Dictionary {
    /// One word behind the other.
    text: String,
    /// Where the words begin.
    beginnings: Vec<Place>,
    /// Where every other character of them stands.
    insides: Vec<Place>,
}

/// Half as long as two machine words, because a search runs over many of them. There is no place
/// for subjects and characters beyond four thousand million.
#[derive(Clone, Copy)]
struct Place {
    subject: u32,
    at: u32,
}

impl Place {
    fn new(subject: usize, at: usize) -> Option<Self> {
        Some(Self {
            subject: subject.try_into().ok()?,
            at: at.try_into().ok()?,
        })
    }

    fn subject(&self) -> usize {
        usize::try_from(self.subject).unwrap_or(usize::MAX)
    }

    fn at(&self) -> usize {
        usize::try_from(self.at).unwrap_or(usize::MAX)
    }
}

impl Dictionary {
    /// The words that `words` has, each behind the number of its subject.
    pub(super) fn of(words: impl IntoIterator<Item = (usize, String)>) -> Self {
        let mut text = String::new();
        let (mut beginnings, mut insides) = (Vec::new(), Vec::new());
        for (subject, word) in words {
            let start = text.len();
            let mut places = word
                .char_indices()
                .filter_map(|(at, _)| Place::new(subject, start + at));
            beginnings.extend(places.next());
            insides.extend(places);
            text.push_str(&word);
            text.push(END);
        }
        let from = |place: &Place| text.as_bytes().get(place.at()..);
        beginnings.sort_unstable_by(|one, other| from(one).cmp(&from(other)));
        insides.sort_unstable_by(|one, other| from(one).cmp(&from(other)));
        Self {
            text,
            beginnings,
            insides,
        }
    }

    /// The subjects of the words that begin with `text`, once for each word.
    pub(super) fn beginning_with(&self, text: &str) -> impl Iterator<Item = usize> {
        subjects(self.narrowed(&self.beginnings, text))
    }

    /// The subjects of the words that have `text` behind their first character, once for each time.
    pub(super) fn containing(&self, text: &str) -> impl Iterator<Item = usize> {
        subjects(self.narrowed(&self.insides, text))
    }

    /// The subjects of the words whose beginning `typed` becomes by one change (a character
    /// replaced, left out, added, or swapped with its neighbour), some several times.
    pub(super) fn one_mistake_from(&self, typed: &[char]) -> Vec<usize> {
        let mut found = Vec::new();
        let mut right = String::new();
        let mut here = self.beginnings.as_slice();
        for (index, wrong) in typed.iter().enumerate() {
            let after: String = typed.iter().skip(index + 1).collect();
            let added = format!("{right}{after}");
            found.extend(subjects(self.narrowed(here, &added)));
            if let Some(next) = typed.get(index + 1) {
                let tail: String = typed.iter().skip(index + 2).collect();
                let swapped = format!("{right}{next}{wrong}{tail}");
                found.extend(subjects(self.narrowed(here, &swapped)));
            }
            // Another character stands here, instead of the one typed or before it.
            let from_here = format!("{wrong}{after}");
            for rest in [&after, &from_here] {
                self.with_any_between(here, &right, rest, &mut found);
            }
            right.push(*wrong);
            here = self.narrowed(here, &right);
            if here.is_empty() {
                break;
            }
        }
        found
    }

    /// The subjects of those words of `here`, which all begin with `right`, that have one character
    /// more and then `rest`.
    fn with_any_between(&self, here: &[Place], right: &str, rest: &str, found: &mut Vec<usize>) {
        let is_rarer = |inside: &&[Place]| inside.len() < here.len();
        let inside = (here.len() > FEW && !rest.is_empty())
            .then(|| self.narrowed(&self.insides, rest))
            .filter(is_rarer);
        if let Some(inside) = inside {
            let fitting = inside.iter().filter(|place| {
                let before = self.text.get(..place.at()).unwrap_or_default();
                let mut before = before.chars();
                before.next_back();
                let word = before.as_str().strip_suffix(right);
                word.is_some_and(|before| before.is_empty() || before.ends_with(END))
            });
            found.extend(fitting.map(Place::subject));
        } else {
            let fitting = here.iter().filter(|place| {
                let at = place.at() + right.len();
                let mut after = self.text.get(at..).unwrap_or_default().chars();
                after.next().is_some_and(|any| any != END) && after.as_str().starts_with(rest)
            });
            found.extend(fitting.map(Place::subject));
        }
    }

    /// Those of `places` from which on `text` stands.
    fn narrowed<'a>(&self, places: &'a [Place], text: &str) -> &'a [Place] {
        let wanted = text.as_bytes();
        let opening = |place: &Place| {
            let rest = self.text.as_bytes().get(place.at()..).unwrap_or_default();
            rest.get(..wanted.len()).unwrap_or(rest)
        };
        let before = places.partition_point(|place| opening(place) < wanted);
        let (_, rest) = places.split_at_checked(before).unwrap_or_default();
        // Mostly few fit, and what lies near is in the processor's memory.
        let fits = |place: &Place| opening(place) == wanted;
        let mut reach = 1;
        while rest.get(reach).is_some_and(fits) {
            reach *= 2;
        }
        let near = rest.get(..reach).unwrap_or(rest);
        let fitting = near.partition_point(fits);
        near.get(..fitting).unwrap_or_default()
    }
}

fn subjects(places: &[Place]) -> impl Iterator<Item = usize> {
    places.iter().map(Place::subject)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[&str]) -> Dictionary {
        Dictionary::of(
            words
                .iter()
                .map(|word| (*word).to_owned())
                .enumerate()
                .collect::<Vec<_>>(),
        )
    }

    fn sorted(places: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut places: Vec<usize> = places.collect();
        places.sort_unstable();
        places
    }

    #[test]
    fn words_are_found_by_their_beginning_and_by_what_is_inside() {
        let dictionary = of(&["하나금융", "하나", "대하나무", "나하나하나", "", "가"]);
        assert_eq!(sorted(dictionary.beginning_with("하나")), [0, 1]);
        assert!(sorted(dictionary.beginning_with("하나금융지주")).is_empty());
        assert_eq!(sorted(dictionary.containing("하나")), [2, 3, 3]);
        assert_eq!(sorted(dictionary.containing("나")), [0, 1, 2, 3, 3]);
        assert!(sorted(of(&[]).beginning_with("하")).is_empty());
    }

    #[test]
    fn one_mistake_is_forgiven_and_two_are_not() {
        let near = |typed: &str, target: &str| {
            let typed: Vec<char> = typed.chars().collect();
            of(&["다른말", target, "삼"])
                .one_mistake_from(&typed)
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
