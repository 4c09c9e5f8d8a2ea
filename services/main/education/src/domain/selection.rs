//! Which quizzes a set consists of.

use std::collections::{HashMap, HashSet};

use chrono::NaiveDate;
use kernel::MemberId;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use sha2::{Digest, Sha256};

/// Quizzes of a set.
pub const SET_SIZE: usize = 5;

/// What the choice needs to know of a quiz that was answered before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answered {
    pub last_on: NaiveDate,
    pub due_on: NaiveDate,
}

/// Chooses a set from the candidates: those never answered, then those due by `today`, then those
/// answered longest ago. Quizzes in `avoided` come last. Equal ones are in an order that member,
/// day and `salt` decide.
#[must_use]
pub fn choose<'a>(
    candidates: impl IntoIterator<Item = &'a str>,
    answered: &HashMap<String, Answered>,
    avoided: &HashSet<String>,
    member: MemberId,
    today: NaiveDate,
    salt: &str,
) -> Vec<&'a str> {
    let mut shuffled: Vec<&str> = candidates.into_iter().collect();
    shuffled.sort_unstable();
    shuffle(&mut shuffled, seed(member, today, salt));
    shuffled.sort_by_key(|id| {
        let (class, day) = match answered.get(*id) {
            None => (0, NaiveDate::MIN),
            Some(answered) if answered.due_on <= today => (1, answered.due_on),
            Some(answered) => (2, answered.last_on),
        };
        (avoided.contains(*id), class, day)
    });
    shuffled.truncate(SET_SIZE);
    shuffled
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
        choose(
            IDS,
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
}
