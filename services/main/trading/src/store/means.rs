//! What a locked account has for an order, and how many it has placed of late.

use chrono::{DateTime, Utc};
use kernel::Quantity;
use sea_orm::DbErr;

use crate::domain::validation::Means;
use crate::entity::account;

/// What a locked account has for an order.
pub(super) fn means_of(
    row: &account::Model,
    sellable: Quantity,
    now: DateTime<Utc>,
) -> Result<Means, DbErr> {
    let second = now.timestamp();
    let current = |at: i64, now: i64, count: i32| if at == now { count } else { 0 };
    Ok(Means {
        account_code: row.account_code()?,
        available: row.to_cash()?.available(),
        sellable,
        open_orders: row.open_orders,
        accepted_this_second: current(row.rate_second, second, row.rate_second_count),
        accepted_this_minute: current(row.rate_minute, second / 60, row.rate_minute_count),
    })
}

/// Counts one more accepted order of the running second and minute.
pub(super) fn count_acceptance(row: &mut account::Model, now: DateTime<Utc>) {
    let second = now.timestamp();
    count(&mut row.rate_second, &mut row.rate_second_count, second);
    count(
        &mut row.rate_minute,
        &mut row.rate_minute_count,
        second / 60,
    );
}

fn count(window: &mut i64, counted: &mut i32, now: i64) {
    if *window == now {
        *counted += 1;
    } else {
        *window = now;
        *counted = 1;
    }
}
