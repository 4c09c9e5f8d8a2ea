//! Which quizzes a set consists of.

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use kernel::MemberId;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use sha2::{Digest, Sha256};

use crate::content::Level;

pub const SET_SIZE: usize = 5;

/// What the choice needs to know of a quiz that was answered before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered {
    pub last_on: NaiveDate,
    pub due_on: NaiveDate,
}

/// What a member wants to be asked about; empty lists mean all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuizFilter {
    pub themes: Vec<String>,
    pub levels: Vec<Level>,
}

/// A quiz that may be handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate<'a> {
    pub id: &'a str,
    pub theme: &'a str,
    pub level: Level,
}

/// Chooses a set of what `filter` wants: quizzes never answered, then those due by `today`, then
/// those answered longest ago. Quizzes in `avoided` come last. Equal ones are in an order that
/// member, day and `salt` decide.
///
/// Without chosen levels, new quizzes of a closed level come after those of open ones, so that a
/// beginner is not asked about leverage first.
#[must_use]
pub fn choose<'a>(
    mut candidates: Vec<Candidate<'a>>,
    filter: &QuizFilter,
    answered: &HashMap<String, Answered>,
    avoided: &HashSet<String>,
    member: MemberId,
    today: NaiveDate,
    salt: &str,
) -> Vec<&'a str> {
    let closed = if filter.levels.is_empty() {
        closed_levels(&candidates, answered)
    } else {
        HashSet::new()
    };
    candidates.retain(|quiz| filter.wants(quiz));
    candidates.sort_unstable();
    shuffle(&mut candidates, seed(member, today, salt));
    candidates.sort_by_key(|quiz| {
        let closed_level = closed
            .get(&(quiz.theme, quiz.level))
            .map(|(_, level)| *level);
        let (class, level, day) = match answered.get(quiz.id) {
            None => (0, closed_level, NaiveDate::MIN),
            Some(answered) if answered.due_on <= today => (1, None, answered.due_on),
            Some(answered) => (2, None, answered.last_on),
        };
        (avoided.contains(quiz.id), class, level, day)
    });
    candidates.truncate(SET_SIZE);
    candidates.into_iter().map(|quiz| quiz.id).collect()
}

impl QuizFilter {
    fn wants(&self, quiz: &Candidate<'_>) -> bool {
        (self.themes.is_empty() || self.themes.iter().any(|theme| theme == quiz.theme))
            && (self.levels.is_empty() || self.levels.contains(&quiz.level))
    }
}

/// The levels of themes of which a member has not yet answered half of an easier level.
fn closed_levels<'a>(
    candidates: &[Candidate<'a>],
    answered: &HashMap<String, Answered>,
) -> HashSet<(&'a str, Level)> {
    let mut left: HashMap<(&str, Level), i64> = HashMap::new();
    for quiz in candidates {
        let change = if answered.contains_key(quiz.id) {
            -1
        } else {
            1
        };
        *left.entry((quiz.theme, quiz.level)).or_default() += change;
    }
    let is_closed = |theme: &'a str, level: Level| {
        let mut easier = Level::ALL.into_iter().filter(|easier| *easier < level);
        easier.any(|easier| left.get(&(theme, easier)).is_some_and(|left| *left > 0))
    };
    let levels = candidates.iter().map(|quiz| (quiz.theme, quiz.level));
    levels
        .filter(|(theme, level)| is_closed(theme, *level))
        .collect()
}

/// A number that depends on nothing but its arguments.
#[must_use]
pub fn seed(member: MemberId, day: NaiveDate, salt: &str) -> u64 {
    let digest = Sha256::new()
        .chain_update(member.0.to_be_bytes())
        .chain_update(day.to_string())
        .chain_update(salt)
        .finalize();
    digest
        .iter()
        .take(8)
        .fold(0, |number, byte| (number << 8) | u64::from(*byte))
}

fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    for last in (1..items.len()).rev() {
        let places = u64::try_from(last).unwrap_or_default().saturating_add(1);
        let place = random.next_u64().checked_rem(places).unwrap_or_default();
        items.swap(last, usize::try_from(place).unwrap_or_default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: NaiveDate = NaiveDate::from_ymd_opt(2026, 11, 25).unwrap();
    const IDS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

    fn choose_for(
        member: i64,
        answered: &[(&str, i64, i64)],
        avoided: &[&str],
    ) -> Vec<&'static str> {
        let day = |ahead: i64| TODAY + chrono::TimeDelta::days(ahead);
        let answered = answered.iter().map(|(id, last, due)| {
            let answered = Answered {
                last_on: day(*last),
                due_on: day(*due),
            };
            ((*id).to_owned(), answered)
        });
        let avoided = avoided.iter().map(|id| (*id).to_owned()).collect();
        let candidates = IDS.map(|id| Candidate {
            id,
            theme: "money",
            level: Level::Intro,
        });
        choose(
            candidates.to_vec(),
            &QuizFilter::default(),
            &answered.collect(),
            &avoided,
            MemberId(member),
            TODAY,
            "RANDOM",
        )
    }

    #[test]
    fn new_ones_come_first_then_due_ones_then_the_oldest() {
        let answered = [
            ("a", -3, 2),
            ("b", -9, 5),
            ("c", -1, 0),
            ("d", -4, -2),
            ("e", -2, 1),
            ("f", -8, 9),
        ];
        let mut chosen = choose_for(1, &answered, &[]);
        let late = chosen.split_off(2);
        chosen.sort_unstable();
        assert_eq!(chosen, ["g", "h"]);
        assert_eq!(late, ["d", "c", "b"]);
        let avoiding = choose_for(1, &answered, &["g", "h", "d"]);
        assert_eq!(avoiding, ["c", "b", "f", "a", "e"]);
    }

    #[test]
    fn the_order_is_a_matter_of_member_and_day() {
        assert_eq!(choose_for(1, &[], &[]), choose_for(1, &[], &[]));
        let others =
            (2..20).filter(|member| choose_for(*member, &[], &[]) != choose_for(1, &[], &[]));
        assert!(others.count() > 15);
    }

    /// Chosen of two quizzes of each level in two themes.
    fn choose_of_levels(filter: &QuizFilter, answered: &[&str]) -> Vec<&'static str> {
        let quiz = |id, theme, level| Candidate { id, theme, level };
        let candidates = vec![
            quiz("m1", "money", Level::Intro),
            quiz("m2", "money", Level::Intro),
            quiz("M1", "money", Level::Basic),
            quiz("M2", "money", Level::Basic),
            quiz("M!", "money", Level::Advanced),
            quiz("c1", "coins", Level::Intro),
            quiz("c2", "coins", Level::Intro),
            quiz("C!", "coins", Level::Advanced),
        ];
        let memory = Answered {
            last_on: TODAY,
            due_on: TODAY + chrono::TimeDelta::days(3),
        };
        let answered = answered.iter().map(|id| ((*id).to_owned(), memory));
        let mut chosen = choose(
            candidates,
            filter,
            &answered.collect(),
            &HashSet::new(),
            MemberId(1),
            TODAY,
            "RANDOM",
        );
        chosen.sort_unstable();
        chosen
    }

    #[test]
    fn a_level_opens_when_half_of_the_easier_one_was_answered() {
        let all = QuizFilter::default();
        let begun = choose_of_levels(&all, &[]);
        let is_intro = |id: &&&str| ["m1", "m2", "c1", "c2"].contains(*id);
        assert_eq!(begun.iter().filter(is_intro).count(), 4);
        assert!(begun.contains(&"M1") || begun.contains(&"M2"), "{begun:?}");
        // Half of the easy ones: the next level is as good as the rest of them.
        assert_eq!(
            choose_of_levels(&all, &["m1", "c1", "c2"]),
            ["C!", "M!", "M1", "M2", "m2"]
        );
    }

    #[test]
    fn what_a_member_chose_is_asked_at_once() {
        let filter = QuizFilter {
            themes: vec!["money".to_owned()],
            levels: vec![Level::Advanced, Level::Basic],
        };
        assert_eq!(choose_of_levels(&filter, &[]), ["M!", "M1", "M2"]);
        let themes = QuizFilter {
            levels: vec![],
            ..filter
        };
        assert_eq!(
            choose_of_levels(&themes, &[]),
            ["M!", "M1", "M2", "m1", "m2"]
        );
    }
}
