//! Words in the order of a dictionary: all that begin with a text lie beside each other, and so do
//! all that have it inside, so either is found by halving instead of by looking at every word.

/// Ends every word; no text that is searched for has it, and it comes before all that they have.
const END: char = '\n';

/// Words, each of some subject. The subjects are numbers of the caller's.
pub(super) struct Dictionary {
    /// One word behind the other.
    text: String,
    /// Where the words begin.
    beginnings: Vec<Place>,
    /// Where every other character of them stands.
    insides: Vec<Place>,
}

#[derive(Clone, Copy)]
struct Place {
    subject: usize,
    at: usize,
}

impl Dictionary {
    /// The words that `words` has, each behind the number of its subject.
    pub(super) fn of(words: impl IntoIterator<Item = (usize, String)>) -> Self {
        let mut text = String::new();
        let (mut beginnings, mut insides) = (Vec::new(), Vec::new());
        for (subject, word) in words {
            let start = text.len();
            let mut places = word.char_indices().map(|(at, _)| Place {
                subject,
                at: start + at,
            });
            beginnings.extend(places.next());
            insides.extend(places);
            text.push_str(&word);
            text.push(END);
        }
        let from = |place: &Place| text.as_bytes().get(place.at..);
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

    /// Tells `found` the subjects of the words whose beginning `typed` becomes by one change: a
    /// character replaced, left out, added, or swapped with its neighbour.
    pub(super) fn one_mistake_from(&self, typed: &[char], mut found: impl FnMut(usize)) {
        let mut right = String::new();
        let mut here = self.beginnings.as_slice();
        for (index, wrong) in typed.iter().enumerate() {
            let after: String = typed.iter().skip(index + 1).collect();
            let from_here = format!("{wrong}{after}");
            let added = format!("{right}{after}");
            subjects(self.narrowed(here, &added)).for_each(&mut found);
            if let Some(next) = typed.get(index + 1) {
                let tail: String = typed.iter().skip(index + 2).collect();
                let swapped = format!("{right}{next}{wrong}{tail}");
                subjects(self.narrowed(here, &swapped)).for_each(&mut found);
            }
            // Another character stands here, instead of the one typed or before it.
            if right.is_empty() {
                for rest in [&after, &from_here] {
                    let inside = self.narrowed(&self.insides, rest).iter();
                    let seconds = inside.filter(|place| self.is_second(place));
                    seconds.for_each(|place| found(place.subject));
                }
            } else {
                for (begun, places) in self.continued(here, &right) {
                    for rest in [&after, &from_here] {
                        let whole = format!("{begun}{rest}");
                        subjects(self.narrowed(places, &whole)).for_each(&mut found);
                    }
                }
            }
            right.push(*wrong);
            here = self.narrowed(here, &right);
            if here.is_empty() {
                return;
            }
        }
    }

    /// Those of `places` from which on `text` stands.
    fn narrowed<'a>(&self, places: &'a [Place], text: &str) -> &'a [Place] {
        let wanted = text.as_bytes();
        let opening = |place: &Place| {
            let rest = self.text.as_bytes().get(place.at..).unwrap_or_default();
            rest.get(..wanted.len()).unwrap_or(rest)
        };
        let before = places.partition_point(|place| opening(place) < wanted);
        let (_, rest) = places.split_at_checked(before).unwrap_or_default();
        let fitting = rest.partition_point(|place| opening(place) == wanted);
        rest.get(..fitting).unwrap_or_default()
    }

    /// `places`, from all of which on `begun` stands, parted by the character that follows.
    fn continued<'a>(
        &'a self,
        mut places: &'a [Place],
        begun: &'a str,
    ) -> impl Iterator<Item = (String, &'a [Place])> {
        let following = move || {
            loop {
                let at = places.first()?.at + begun.len();
                let next = self.text.get(at..)?.chars().next()?;
                let continued = format!("{begun}{next}");
                let same = self.narrowed(places, &continued);
                (_, places) = places.split_at_checked(same.len())?;
                if next != END {
                    return Some((continued, same));
                }
            }
        };
        std::iter::from_fn(following)
    }

    /// Whether a place inside is the second character of its word.
    fn is_second(&self, place: &Place) -> bool {
        let mut before = self.text.get(..place.at).unwrap_or_default().chars();
        before.next_back().is_some() && before.next_back().is_none_or(|end| end == END)
    }
}

fn subjects(places: &[Place]) -> impl Iterator<Item = usize> {
    places.iter().map(|place| place.subject)
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
            let mut is_found = false;
            of(&["다른말", target, "삼"]).one_mistake_from(&typed, |place| is_found |= place == 1);
            is_found
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
