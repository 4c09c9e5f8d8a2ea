//! What a locked account has for an order, and how many it has placed of late.

use chrono::{DateTime, Utc};
use kernel::Quantity;
use sea_orm::DbErr;

use crate::entity::account;
use crate::orders::validation::BuyingPower;

/// How much the clocks of processes may differ.
const CLOCKS_DIFFER_S: i64 = 60;
const SECOND_US: i64 = 1_000_000;
const MINUTE_US: i64 = 60 * SECOND_US;

/// What a locked account has for an order.
pub(crate) fn buying_power(
    row: &account::Model,
    sellable: Quantity,
    per_minute: i32,
    now: DateTime<Utc>,
) -> Result<BuyingPower, DbErr> {
    let second = now.timestamp();
    let counted = newest(row.rate_second, second, CLOCKS_DIFFER_S);
    let used = Used::of(row, now);
    let early_us = used.us + share_us(per_minute) - MINUTE_US;
    Ok(BuyingPower {
        account_code: row.account_code()?,
        available: row.to_cash()?.available(),
        sellable,
        open_orders: row.open_orders,
        accepted_this_second: accepted_in(counted, row),
        second_ends_in_s: counted + 1 - second,
        minute_frees_in_s: (early_us.max(0) + SECOND_US - 1) / SECOND_US,
    })
}

/// Counts one more accepted order of the running second and minute.
pub(crate) fn count_acceptance(row: &mut account::Model, per_minute: i32, now: DateTime<Utc>) {
    let second = newest(row.rate_second, now.timestamp(), CLOCKS_DIFFER_S);
    row.rate_second_count = accepted_in(second, row) + 1;
    row.rate_second = second;
    let used = Used::of(row, now);
    row.rate_minute = used.at_us;
    let us = used.us + share_us(per_minute);
    row.rate_minute_count = i32::try_from(us).unwrap_or(i32::MAX);
}

/// The part of a minute that orders have used and that has not come back yet. `rate_minute` and
/// `rate_minute_count` are these two.
struct Used {
    at_us: i64,
    us: i64,
}

impl Used {
    fn of(row: &account::Model, now: DateTime<Utc>) -> Self {
        let differ_us = CLOCKS_DIFFER_S * SECOND_US;
        let at_us = newest(row.rate_minute, now.timestamp_micros(), differ_us);
        let stored = i64::from(row.rate_minute_count);
        // A time far ahead was written by a wrong clock.
        let us = match at_us.saturating_sub(row.rate_minute) {
            passed @ 0.. => stored.saturating_sub(passed).max(0),
            _ahead => 0,
        };
        Self { at_us, us }
    }
}

/// What one order uses of a minute.
fn share_us(per_minute: i32) -> i64 {
    MINUTE_US / i64::from(per_minute.max(1))
}

/// The newest time that any process has counted at, or two processes whose clocks differ would
/// each begin again and count nothing. One that lies further ahead than clocks of a cluster differ
/// was written by a clock that was wrong, and nobody waits for it.
fn newest(stored: i64, now: i64, differ: i64) -> i64 {
    if (0..=differ).contains(&stored.saturating_sub(now)) {
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
