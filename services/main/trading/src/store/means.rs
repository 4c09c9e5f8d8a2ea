//! What a locked account has for an order, and how many it has placed of late.

use chrono::{DateTime, Utc};
use kernel::Quantity;
use sea_orm::DbErr;

use crate::domain::validation::Means;
use crate::entity::account;

/// How much the clocks of processes may differ, in seconds.
const CLOCKS_DIFFER_S: i64 = 60;

/// What a locked account has for an order.
pub(super) fn means_of(
    row: &account::Model,
    sellable: Quantity,
    now: DateTime<Utc>,
) -> Result<Means, DbErr> {
    let second = now.timestamp();
    let ends_in = |stored, now, length_s| (running(stored, now, length_s) + 1) * length_s - second;
    Ok(Means {
        account_code: row.account_code()?,
        available: row.to_cash()?.available(),
        sellable,
        open_orders: row.open_orders,
        accepted_this_second: counted(row.rate_second, row.rate_second_count, second, 1),
        accepted_this_minute: counted(row.rate_minute, row.rate_minute_count, second / 60, 60),
        windows_end_in_s: (
            ends_in(row.rate_second, second, 1),
            ends_in(row.rate_minute, second / 60, 60),
        ),
    })
}

/// Counts one more accepted order of the running second and minute.
pub(super) fn count_acceptance(row: &mut account::Model, now: DateTime<Utc>) {
    let second = now.timestamp();
    let minute = second / 60;
    let in_second = counted(row.rate_second, row.rate_second_count, second, 1);
    row.rate_second = running(row.rate_second, second, 1);
    row.rate_second_count = in_second + 1;
    let in_minute = counted(row.rate_minute, row.rate_minute_count, minute, 60);
    row.rate_minute = running(row.rate_minute, minute, 60);
    row.rate_minute_count = in_minute + 1;
}

/// The window that counts now: the newest that any process has seen begin, or two processes whose
/// clocks differ would each begin theirs again and count nothing. One that lies further ahead than
/// clocks of a cluster differ was begun by a clock that was wrong, and nobody waits for it.
fn running(stored: i64, now: i64, length_s: i64) -> i64 {
    let ahead = stored.saturating_sub(now).saturating_mul(length_s);
    if (0..=CLOCKS_DIFFER_S).contains(&ahead) {
        stored
    } else {
        now
    }
}

/// What was counted in the window that counts now.
fn counted(stored: i64, count: i32, now: i64, length_s: i64) -> i32 {
    if running(stored, now, length_s) == stored {
        count
    } else {
        0
    }
}
