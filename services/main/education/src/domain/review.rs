//! When a quiz is asked again: FSRS-6 with its default parameters.

use std::sync::LazyLock;

use chrono::{Days, NaiveDate};
use fsrs::{DEFAULT_PARAMETERS, FSRS, FSRS6_DEFAULT_DECAY, MemoryState, current_retrievability};
use rust_decimal::prelude::{FromPrimitive, ToPrimitive};
use rust_decimal::{Decimal, RoundingStrategy};

use super::calendar::weekday;

pub const DAILY_REVIEWS: usize = 10;
/// The probability of remembering at which a quiz is asked again.
const RETENTION: f32 = 0.9;
const LONGEST_DAYS: u64 = 365;
/// Shorter intervals have no fuzz.
const LEAST_FUZZED_DAYS: u64 = 3;

static MODEL: LazyLock<Option<FSRS>> = LazyLock::new(|| FSRS::new(&DEFAULT_PARAMETERS).ok());

/// How well a quiz is remembered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Memory {
    pub stability: f32,
    pub difficulty: f32,
    /// The day of the last answer.
    pub last_on: NaiveDate,
}

/// The memory after an answer, and the day on which the quiz is due.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    pub memory: Memory,
    pub due_on: NaiveDate,
}

/// A correct answer is rated Good, a wrong one Again. `seed` spreads quizzes that were answered
/// together over some days; a due day on `rest_weekday` (1 to 7) moves to the day after.
///
/// `None` if the model rejects the memory, as for a stability that is not finite.
#[must_use]
pub fn schedule(
    memory: Option<Memory>,
    is_correct: bool,
    today: NaiveDate,
    seed: u64,
    rest_weekday: Option<i16>,
) -> Option<Schedule> {
    let (memory, days) = answered(memory, is_correct, today)?;
    let mut due_on = today.checked_add_days(Days::new(fuzzed(days, seed)))?;
    if rest_weekday == Some(weekday(due_on)) {
        due_on = due_on.succ_opt()?;
    }
    Some(Schedule { memory, due_on })
}

/// The memory after an answer, and the days until the quiz is due.
fn answered(memory: Option<Memory>, is_correct: bool, today: NaiveDate) -> Option<(Memory, u64)> {
    let elapsed = memory.map_or(0, |memory| (today - memory.last_on).num_days().max(0));
    let state = memory.map(|memory| MemoryState {
        stability: memory.stability,
        difficulty: memory.difficulty,
    });
    let model = MODEL.as_ref()?;
    let next = model.next_states(state, RETENTION, u32::try_from(elapsed).ok()?);
    let next = next.ok()?;
    let next = if is_correct { next.good } else { next.again };
    let memory = Memory {
        stability: next.memory.stability,
        difficulty: next.memory.difficulty,
        last_on: today,
    };
    Some((memory, whole_days(next.interval)))
}

/// The probability in percent, with decimals, that a quiz is remembered on `today`.
#[must_use]
pub fn retrievability(memory: &Memory, today: NaiveDate) -> Decimal {
    let elapsed = (today - memory.last_on).num_days().max(0);
    let elapsed = i16::try_from(elapsed).unwrap_or(i16::MAX);
    let state = MemoryState {
        stability: memory.stability,
        difficulty: memory.difficulty,
    };
    let share = current_retrievability(state, elapsed.into(), FSRS6_DEFAULT_DECAY);
    let share = Decimal::from_f32(share).unwrap_or_default();
    share.saturating_mul(Decimal::ONE_HUNDRED)
}

/// At least one day.
fn whole_days(interval: f32) -> u64 {
    let exact = Decimal::from_f32(interval).unwrap_or(Decimal::ONE);
    let rounded = exact.round_dp_with_strategy(0, RoundingStrategy::MidpointAwayFromZero);
    rounded.to_u64().unwrap_or(1).clamp(1, LONGEST_DAYS)
}

/// A twentieth more or less, at least a day.
fn fuzzed(days: u64, seed: u64) -> u64 {
    if days < LEAST_FUZZED_DAYS {
        return days;
    }
    let most = (days / 20).max(1);
    let spread = most.saturating_mul(2).saturating_add(1);
    let offset = seed.checked_rem(spread).unwrap_or_default();
    days.saturating_sub(most).saturating_add(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MONDAY: NaiveDate = NaiveDate::from_ymd_opt(2026, 11, 23).unwrap();

    /// Days between answers, each given on the day on which the quiz is due.
    fn intervals(answers: &[bool]) -> Vec<u64> {
        let (mut memory, mut today) = (None, MONDAY);
        let mut intervals = Vec::new();
        for is_correct in answers {
            let (next, days) = answered(memory, *is_correct, today).unwrap();
            memory = Some(next);
            today = today + Days::new(days);
            intervals.push(days);
        }
        intervals
    }

    #[test]
    fn schedules_stay_as_they_are() {
        // The first four as the authors of FSRS-6 publish them; the fifth is cut to a year.
        assert_eq!(intervals(&[true; 5]), [2, 11, 46, 163, 365]);
        assert_eq!(intervals(&[false]), [1]);
        let lapsed = intervals(&[true, true, true, false]);
        assert!(lapsed[3] < lapsed[2], "{lapsed:?}");
    }

    #[test]
    fn the_seed_spreads_and_is_stable() {
        let first = schedule(None, true, MONDAY, 1, None).unwrap();
        let on = |seed| {
            schedule(Some(first.memory), true, first.due_on, seed, None)
                .unwrap()
                .due_on
        };
        assert_eq!(on(7), on(7));
        let days: std::collections::BTreeSet<NaiveDate> = (0..9).map(on).collect();
        assert_eq!(days.len(), 3, "{days:?}");
    }

    #[test]
    fn nothing_is_due_on_the_rest_day() {
        let free = schedule(None, true, MONDAY, 1, None).unwrap().due_on;
        let weekday = weekday(free);
        let moved = schedule(None, true, MONDAY, 1, Some(weekday))
            .unwrap()
            .due_on;
        assert_eq!(moved, free.succ_opt().unwrap());
    }

    #[test]
    fn memory_fades() {
        let memory = schedule(None, true, MONDAY, 1, None).unwrap().memory;
        let after = |days| retrievability(&memory, MONDAY + Days::new(days)).round_dp(1);
        assert_eq!(after(0), Decimal::ONE_HUNDRED);
        assert!(
            after(2) > Decimal::from(90) && after(3) < Decimal::from(90),
            "{} {}",
            after(2),
            after(3)
        );
        assert!(after(30) < after(3));
    }

    #[test]
    fn a_broken_memory_gives_no_schedule() {
        let broken = Memory {
            stability: f32::NAN,
            difficulty: 5.0,
            last_on: MONDAY,
        };
        assert_eq!(schedule(Some(broken), true, MONDAY, 1, None), None);
    }
}
