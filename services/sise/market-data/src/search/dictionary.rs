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
    beginnings: Ordered,
    /// Where every other character of them stands.
    insides: Ordered,
}

/// Places in the order of what stands there.
struct Ordered {
    places: Vec<Place>,
    /// Every character that stands at one of them, and how many stand before the first of these. A
    /// search that begins there looks at fewer words, each of which lies elsewhere in the memory.
    firsts: Vec<(char, usize)>,
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
        Self {
            beginnings: Ordered::of(beginnings, &text),
            insides: Ordered::of(insides, &text),
            text,
        }
    }

    /// The subjects of the words that are `text`.
    pub(super) fn whole(&self, text: &str) -> impl Iterator<Item = usize> {
        subjects(self.opened(&self.beginnings, &format!("{text}{END}")))
    }

    /// The subjects of the words that begin with `text`, once for each word.
    pub(super) fn beginning_with(&self, text: &str) -> impl Iterator<Item = usize> {
        subjects(self.opened(&self.beginnings, text))
    }

    /// The subjects of the words that have `text` behind their first character, once for each time.
    pub(super) fn containing(&self, text: &str) -> impl Iterator<Item = usize> {
        subjects(self.opened(&self.insides, text))
    }

    /// The subjects of the words whose beginning `typed` becomes by one change (a character
    /// replaced, left out, added, or swapped with its neighbour), some several times.
    pub(super) fn one_mistake_from(&self, typed: &[char]) -> Vec<usize> {
        let mut found = Vec::new();
        let mut right = String::new();
        let mut here = self.beginnings.places.as_slice();
        for (index, wrong) in typed.iter().enumerate() {
            let after: String = typed.iter().skip(index + 1).collect();
            let added = format!("{right}{after}");
            found.extend(subjects(self.beginning_in(here, index, &added)));
            if let Some(next) = typed.get(index + 1) {
                let tail: String = typed.iter().skip(index + 2).collect();
                let swapped = format!("{right}{next}{wrong}{tail}");
                found.extend(subjects(self.beginning_in(here, index, &swapped)));
            }
            // Another character stands here, instead of the one typed or before it.
            let from_here = format!("{wrong}{after}");
            for rest in [&after, &from_here] {
                self.with_any_between(here, &right, rest, &mut found);
            }
            right.push(*wrong);
            here = self.beginning_in(here, index, &right);
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
            .then(|| self.opened(&self.insides, rest))
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

    /// Those of `here` from which on `text` stands, where `here` are the beginnings that have its
    /// first `known` characters.
    fn beginning_in<'a>(&'a self, here: &'a [Place], known: usize, text: &str) -> &'a [Place] {
        if known == 0 {
            self.opened(&self.beginnings, text)
        } else {
            self.narrowed(here, text)
        }
    }

    /// Those of all `ordered` places from which on `text` stands.
    fn opened<'a>(&self, ordered: &'a Ordered, text: &str) -> &'a [Place] {
        let mut characters = text.chars();
        let Some(first) = characters.next() else {
            return &ordered.places;
        };
        let places = ordered.beginning_with(first);
        if characters.next().is_none() {
            return places;
        }
        self.narrowed(places, text)
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

impl Ordered {
    fn of(mut places: Vec<Place>, text: &str) -> Self {
        let from = |place: &Place| text.get(place.at()..).unwrap_or_default();
        places.sort_unstable_by(|one, other| from(one).cmp(from(other)));
        let mut firsts: Vec<(char, usize)> = Vec::new();
        for (before, place) in places.iter().enumerate() {
            let first = from(place).chars().next().unwrap_or(END);
            if firsts.last().is_none_or(|(last, _)| *last != first) {
                firsts.push((first, before));
            }
        }
        Self { places, firsts }
    }

    /// The places at which `first` stands.
    fn beginning_with(&self, first: char) -> &[Place] {
        let Ok(index) = self.firsts.binary_search_by_key(&first, |(one, _)| *one) else {
            return &[];
        };
        let bound = |index: usize| self.firsts.get(index).map(|(_, before)| *before);
        let from = bound(index).unwrap_or_default();
        let until = bound(index + 1).unwrap_or(self.places.len());
        self.places.get(from..until).unwrap_or_default()
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
        assert_eq!(sorted(dictionary.whole("하나")), [1]);
        assert!(sorted(dictionary.whole("하나금")).is_empty());
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
