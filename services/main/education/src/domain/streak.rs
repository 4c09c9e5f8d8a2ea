//! The streak: days in a row with a completed set.

use chrono::NaiveDate;

use super::calendar::next;

/// Freezes that a member can hold.
pub const MAX_FREEZES: i16 = 2;
/// A freeze and a bonus are earned at each multiple.
const CYCLE: i32 = 7;

/// A streak through the last judged day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Streak {
    pub days: i32,
    /// Its first day; `None` without one.
    pub start: Option<NaiveDate>,
    pub best: i32,
    pub freezes: i16,
    /// Every day through this one is judged.
    pub judged: NaiveDate,
    /// What the last missed day ended.
    pub lost: Option<Lost>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    pub on: NaiveDate,
    pub days: i32,
    pub start: Option<NaiveDate>,
}

/// What happened on a day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DayFacts {
    /// A set was completed.
    pub is_done: bool,
    pub is_rest: bool,
    /// The missed day was repaired.
    pub is_repaired: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    Done,
    Rest,
    Freeze,
    Repaired,
    Missed,
    FreezeEarned,
    FreezeBought,
}

/// A change of a streak, as it is kept for support.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    pub day: NaiveDate,
    pub reason: Reason,
    pub days_before: i32,
    pub days_after: i32,
    pub freezes_before: i16,
    pub freezes_after: i16,
}

impl Reason {
    /// In the database and in the calendar.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Done => "DONE",
            Self::Rest => "REST",
            Self::Freeze => "FREEZE",
            Self::Repaired => "REPAIRED",
            Self::Missed => "MISSED",
            Self::FreezeEarned => "FREEZE_EARNED",
            Self::FreezeBought => "FREEZE_BOUGHT",
        }
    }
}

impl Streak {
    /// Judges the day after the last judged one. Without a streak only a completed set changes
    /// anything.
    pub fn judge(&mut self, facts: DayFacts) -> Vec<Change> {
        let day = next(self.judged);
        self.judged = day;
        let (days, freezes) = (self.days, self.freezes);
        let reason = match facts {
            DayFacts { is_done: true, .. } => self.extend(day),
            _ if days == 0 => return Vec::new(),
            DayFacts { is_rest: true, .. } => Reason::Rest,
            DayFacts {
                is_repaired: true, ..
            } => Reason::Repaired,
            _ if freezes > 0 => {
                self.freezes = freezes.saturating_sub(1);
                Reason::Freeze
            }
            _ => {
                self.end(day);
                Reason::Missed
            }
        };
        let mut changes = vec![Change {
            day,
            reason,
            days_before: days,
            days_after: self.days,
            freezes_before: freezes,
            freezes_after: self.freezes,
        }];
        if reason == Reason::Done && self.bonus().is_some() && self.freezes < MAX_FREEZES {
            self.freezes = self.freezes.saturating_add(1);
            changes.push(Change {
                day,
                reason: Reason::FreezeEarned,
                days_before: self.days,
                days_after: self.days,
                freezes_before: freezes,
                freezes_after: self.freezes,
            });
        }
        changes
    }

    /// The days of the bonus that the last completed day brought, if any.
    #[must_use]
    pub fn bonus(&self) -> Option<i32> {
        let is_multiple = self.days > 0 && self.days.checked_rem(CYCLE) == Some(0);
        is_multiple.then_some(self.days)
    }

    /// Undoes the end of the streak on `day`; `None` if another day ended it, or none did.
    pub fn repair(&mut self, day: NaiveDate) -> Option<Change> {
        let lost = self.lost.take_if(|lost| lost.on == day)?;
        let days = self.days;
        self.days = lost.days.saturating_add(days);
        self.start = lost.start;
        self.best = self.best.max(self.days);
        Some(Change {
            day,
            reason: Reason::Repaired,
            days_before: days,
            days_after: self.days,
            freezes_before: self.freezes,
            freezes_after: self.freezes,
        })
    }

    /// Adds freezes that were bought on `day`; `None`, and nothing changes, if these are more than a
    /// member can hold.
    pub fn add_bought(&mut self, quantity: i16, day: NaiveDate) -> Option<Change> {
        let freezes = self.freezes;
        let held = freezes.checked_add(quantity)?;
        if held > MAX_FREEZES {
            return None;
        }
        self.freezes = held;
        Some(Change {
            day,
            reason: Reason::FreezeBought,
            days_before: self.days,
            days_after: self.days,
            freezes_before: freezes,
            freezes_after: held,
        })
    }

    /// The streak with the completed ones among the days that are not judged yet.
    #[must_use]
    pub fn with_open_days(&self, done: usize) -> i32 {
        self.days
            .saturating_add(i32::try_from(done).unwrap_or(i32::MAX))
    }

    fn extend(&mut self, day: NaiveDate) -> Reason {
        if self.days == 0 {
            self.start = Some(day);
        }
        self.days = self.days.saturating_add(1);
        self.best = self.best.max(self.days);
        Reason::Done
    }

    fn end(&mut self, day: NaiveDate) {
        self.lost = Some(Lost {
            on: day,
            days: self.days,
            start: self.start,
        });
        self.days = 0;
        self.start = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::calendar::previous;

    const FIRST: NaiveDate = NaiveDate::from_ymd_opt(2026, 11, 1).unwrap();
    const DONE: DayFacts = DayFacts {
        is_done: true,
        is_rest: false,
        is_repaired: false,
    };
    const NOTHING: DayFacts = DayFacts {
        is_done: false,
        is_rest: false,
        is_repaired: false,
    };

    fn after(days: &str) -> Streak {
        let mut streak = Streak {
            days: 0,
            start: None,
            best: 0,
            freezes: 0,
            judged: previous(FIRST),
            lost: None,
        };
        for day in days.chars() {
            streak.judge(match day {
                'd' => DONE,
                'r' => DayFacts {
                    is_rest: true,
                    ..NOTHING
                },
                _ => NOTHING,
            });
        }
        streak
    }

    #[test]
    fn days_add_up_and_seven_bring_a_freeze() {
        assert_eq!(after("ddd").days, 3);
        assert_eq!(after("d-d").days, 1);
        assert_eq!(after("drd").days, 2);
        let week = after("ddddddd");
        assert_eq!((week.days, week.freezes, week.bonus()), (7, 1, Some(7)));
        let frozen = after("ddddddd-d");
        assert_eq!((frozen.days, frozen.freezes), (8, 0));
        assert_eq!(after("ddddddd--d").days, 1);
        assert_eq!(after(&"d".repeat(28)).freezes, MAX_FREEZES);
        assert_eq!(after("---rr-").days, 0);
    }

    #[test]
    fn bought_freezes_cover_missed_days_and_two_are_held_at_most() {
        let mut streak = after("ddd");
        let today = next(streak.judged);
        assert_eq!(streak.add_bought(3, today), None);
        assert_eq!(streak.freezes, 0);
        let change = streak.add_bought(2, today).unwrap();
        assert_eq!((change.freezes_before, change.freezes_after), (0, 2));
        for quantity in [1, i16::MAX] {
            assert_eq!(streak.add_bought(quantity, today), None);
        }
        streak.judge(NOTHING);
        assert_eq!((streak.days, streak.freezes), (3, 1));
        assert!(streak.add_bought(2, today).is_none(), "all or nothing");
        assert!(streak.add_bought(1, today).is_some());
    }

    #[test]
    fn a_repair_restores_what_the_missed_day_ended() {
        let mut streak = after("ddd-");
        let missed = FIRST + chrono::Days::new(3);
        assert_eq!(streak.days, 0);
        assert_eq!(streak.repair(FIRST), None);
        let change = streak.repair(missed).unwrap();
        assert_eq!((change.days_before, change.days_after), (0, 3));
        assert_eq!(streak.repair(missed), None, "once");
        streak.judge(DONE);
        assert_eq!((streak.days, streak.start), (4, Some(FIRST)));
        let mut before_it_is_judged = after("ddd");
        let changes = before_it_is_judged.judge(DayFacts {
            is_repaired: true,
            ..NOTHING
        });
        assert_eq!(changes[0].reason, Reason::Repaired);
        assert_eq!(before_it_is_judged.days, 3);
    }
}
