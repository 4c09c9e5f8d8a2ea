//! The order of a board: by return, and by return over the largest fall.

use std::cmp::Reverse;

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{MemberId, Won};
use rust_decimal::Decimal;

use super::board::BoardKind;
use super::competition::{Competition, CompetitionKind};
use crate::contracts::day_of;

/// Purchases that were filled, items bought and days with purchases that a rank requires.
const NEEDED_BUYS: i32 = 3;
const NEEDED_ITEMS: i32 = 2;
const NEEDED_DAYS: i32 = 2;
/// Days that an event lasts at least to have a board by return over fall.
const CALM_DAYS: i64 = 5;
/// The smallest fall that counts there: one percent.
const LEAST_DRAWDOWN: i64 = 10_000;

/// What a member bought in an event, counted as far as a rank may require it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// Purchases that were filled, at least in part.
    pub buys: i32,
    pub items: i32,
    pub days: i32,
}

impl Activity {
    /// No rank requires more.
    pub const ENOUGH: Self = Self {
        buys: NEEDED_BUYS,
        items: NEEDED_ITEMS,
        days: NEEDED_DAYS,
    };

    /// What a rank requires now: on the first days of an event as many days as there have been, and
    /// nothing in a practice league.
    #[must_use]
    pub fn needed(competition: &Competition, now: DateTime<Utc>) -> Self {
        if competition.kind() == CompetitionKind::Practice {
            return Self::default();
        }
        let last = now.min(competition.ends_at - TimeDelta::microseconds(1));
        let passed = (day_of(last) - day_of(competition.starts_at)).num_days() + 1;
        let passed = i32::try_from(passed.max(1)).unwrap_or(NEEDED_DAYS);
        Self {
            days: NEEDED_DAYS.min(passed),
            ..Self::ENOUGH
        }
    }

    #[must_use]
    pub fn reaches(&self, needed: &Self) -> bool {
        self.buys >= needed.buys && self.items >= needed.items && self.days >= needed.days
    }
}

/// An account as it is ranked. Rates are ten-thousandths of a percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    pub member_id: MemberId,
    pub joined_at: DateTime<Utc>,
    pub return_e4: i64,
    pub drawdown_e4: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// 1, 2, 3 …
    pub place: i32,
    /// Equal returns share it.
    pub rank: i32,
    pub member_id: MemberId,
    pub return_e4: i64,
}

/// (equity / start − 1) × 100 with four decimals, in ten-thousandths; halves go to the even side, as in
/// [`crate::accounts::account::profit_rate`].
#[must_use]
pub fn return_e4(equity: Won, start: Won) -> i64 {
    let start = i128::from(start.0.max(1));
    let gain = (i128::from(equity.0) - start) * 1_000_000;
    let (whole, rest) = (gain.div_euclid(start), gain.rem_euclid(start));
    let rounds_up = rest * 2 > start || rest * 2 == start && whole % 2 != 0;
    i64::try_from(whole + i128::from(rounds_up)).unwrap_or(i64::MAX)
}

/// Ten-thousandths of a percent as percent.
#[must_use]
pub fn rate(e4: i64) -> Decimal {
    Decimal::new(e4, 4)
}

/// Whether the event has a board of this kind.
#[must_use]
pub fn has_board(competition: &Competition, kind: BoardKind) -> bool {
    kind == BoardKind::Return || competition.length_days() >= CALM_DAYS
}

/// Orders standings: by what the board measures, then the smaller fall, then the earlier entry.
#[must_use]
pub fn rank(mut standings: Vec<Standing>, kind: BoardKind) -> Vec<Ranked> {
    let measure = |one: &Standing| match kind {
        BoardKind::Return => i128::from(one.return_e4),
        // With twelve digits, so that what differs keeps differing.
        BoardKind::Calm => {
            let fall = i128::from(one.drawdown_e4.max(LEAST_DRAWDOWN));
            i128::from(one.return_e4) * 1_000_000_000_000 / fall
        }
    };
    standings.sort_unstable_by_key(|one| {
        (
            Reverse(measure(one)),
            one.drawdown_e4,
            one.joined_at,
            one.member_id,
        )
    });
    let mut ranked = Vec::with_capacity(standings.len());
    let mut shared: Option<(i128, i32)> = None;
    for (place, one) in (1..).zip(standings) {
        let measured = measure(&one);
        let rank = match shared {
            Some((before, rank)) if before == measured => rank,
            Some(_) | None => place,
        };
        shared = Some((measured, rank));
        ranked.push(Ranked {
            place,
            rank,
            member_id: one.member_id,
            return_e4: one.return_e4,
        });
    }
    ranked
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::accounts::account::profit_rate;
    use crate::competitions::competition::CompetitionKind;
    use crate::competitions::competition::tests::sample;

    fn standing(member: i64, return_e4: i64, drawdown_e4: i64, joined_s: i64) -> Standing {
        Standing {
            member_id: MemberId(member),
            joined_at: DateTime::UNIX_EPOCH + TimeDelta::seconds(joined_s),
            return_e4,
            drawdown_e4,
        }
    }

    fn places(ranked: &[Ranked]) -> Vec<(i64, i32, i32)> {
        let rows = ranked.iter();
        rows.map(|one| (one.member_id.0, one.place, one.rank))
            .collect()
    }

    #[test]
    fn equal_returns_share_a_rank_and_the_smaller_fall_comes_first() {
        let standings = vec![
            standing(1, 50_000, 20_000, 9),
            standing(2, 50_000, 10_000, 8),
            standing(3, -10_000, 0, 1),
            standing(4, 50_000, 10_000, 7),
            standing(5, 90_000, 90_000, 9),
        ];
        let by_return = rank(standings, BoardKind::Return);
        let expected = [(5, 1, 1), (4, 2, 2), (2, 3, 2), (1, 4, 2), (3, 5, 5)];
        assert_eq!(places(&by_return), expected);
    }

    #[test]
    fn a_calm_board_divides_by_the_fall_but_by_one_percent_at_least() {
        let standings = vec![
            standing(1, 100_000, 100_000, 1),
            standing(2, 30_000, 0, 1),
            standing(3, 20_000, 5_000, 1),
        ];
        let calm = rank(standings, BoardKind::Calm);
        assert_eq!(places(&calm), [(2, 1, 1), (3, 2, 2), (1, 3, 3)]);
    }

    #[test]
    fn a_rank_requires_as_many_days_as_there_have_been() {
        let competition = sample(CompetitionKind::Official);
        let needed = |days| {
            let now = competition.starts_at + TimeDelta::days(days);
            Activity::needed(&competition, now).days
        };
        assert_eq!([needed(0), needed(1), needed(30)], [1, 2, 2]);
        let active = Activity {
            buys: 3,
            items: 2,
            days: 1,
        };
        let on_day =
            |days| Activity::needed(&competition, competition.starts_at + TimeDelta::days(days));
        assert!(active.reaches(&on_day(0)));
        assert!(!active.reaches(&on_day(1)));
    }

    proptest! {
        #[test]
        fn the_return_is_that_of_accounts(equity in 0_i64..1_000_000_000_000, start in 1_i64..1_000_000_000) {
            let exact = profit_rate(Won(equity), Won(start)).unwrap();
            // Two roundings of a quotient that is no finite decimal may differ in the last place.
            let differs = (rate(return_e4(Won(equity), Won(start))) - exact).abs();
            prop_assert!(differs <= Decimal::new(1, 4));
        }
    }
}
