//! Buying power of a locked account, and the counters of its order rate.

use chrono::{DateTime, Utc};
use kernel::Quantity;
use sea_orm::DbErr;

use crate::entity::account;
use crate::orders::validation::BuyingPower;

/// Largest difference between the clocks of two processes.
const CLOCK_SKEW_S: i64 = 60;
const SECOND_US: i64 = 1_000_000;
const MINUTE_US: i64 = 60 * SECOND_US;

/// What counts the orders of a member: the BASIC account counts for its sub-accounts too, so that a
/// second account doubles no limit.
#[derive(Clone, Copy)]
pub(crate) struct OrderCounters<'a> {
    /// Its rates.
    pub(crate) row: &'a account::Model,
    /// Open orders of the member.
    pub(crate) open_orders: i32,
}

pub(crate) fn buying_power(
    locked: &account::WithWon,
    counters: OrderCounters<'_>,
    sellable: Quantity,
    per_minute: i32,
    now: DateTime<Utc>,
) -> Result<BuyingPower, DbErr> {
    let row = counters.row;
    let second = now.timestamp();
    let counted = newest(row.rate_second, second, CLOCK_SKEW_S);
    let used = Used::of(row, now);
    let early_us = used.us + share_us(per_minute) - MINUTE_US;
    Ok(BuyingPower {
        account_code: locked.account.account_code()?,
        available: locked.to_cash()?.available(),
        sellable,
        open_orders: counters.open_orders,
        accepted_this_second: accepted_in(counted, row),
        second_ends_in_s: counted + 1 - second,
        minute_frees_in_s: (early_us.max(0) + SECOND_US - 1) / SECOND_US,
        competition: None,
    })
}

/// Counts an accepted order in the current second and in the token bucket of the minute.
pub(crate) fn count_acceptance(row: &mut account::Model, per_minute: i32, now: DateTime<Utc>) {
    let second = newest(row.rate_second, now.timestamp(), CLOCK_SKEW_S);
    row.rate_second_count = accepted_in(second, row) + 1;
    row.rate_second = second;
    let used = Used::of(row, now);
    row.rate_minute = used.at_us;
    let us = used.us + share_us(per_minute);
    row.rate_minute_count = i32::try_from(us).unwrap_or(i32::MAX);
}

/// Level of the token bucket in microseconds: each order takes its share of a minute, which refills
/// with time. Stored in `rate_minute` (`at_us`) and `rate_minute_count` (`us`).
struct Used {
    at_us: i64,
    us: i64,
}

impl Used {
    fn of(row: &account::Model, now: DateTime<Utc>) -> Self {
        let skew_us = CLOCK_SKEW_S * SECOND_US;
        let at_us = newest(row.rate_minute, now.timestamp_micros(), skew_us);
        let stored = i64::from(row.rate_minute_count);
        // A time far ahead was written by a wrong clock and is ignored.
        let us = match at_us.saturating_sub(row.rate_minute) {
            passed @ 0.. => stored.saturating_sub(passed).max(0),
            _ahead => 0,
        };
        Self { at_us, us }
    }
}

/// Microseconds of a minute that one order takes.
fn share_us(per_minute: i32) -> i64 {
    MINUTE_US / i64::from(per_minute.max(1))
}

/// The newer of the stored time and `now`: two processes with different clocks would otherwise reset
/// each other's counter. A stored time further ahead than `skew` was written by a wrong clock and is
/// ignored.
fn newest(stored: i64, now: i64, skew: i64) -> i64 {
    if (0..=skew).contains(&stored.saturating_sub(now)) {
        stored
    } else {
        now
    }
}

fn accepted_in(second: i64, row: &account::Model) -> i32 {
    if row.rate_second == second {
        row.rate_second_count
    } else {
        0
    }
}
