//! Very many accounts with orders that wait or shares that they own, as placing and filling would
//! have left them.

use chrono::{DateTime, Utc};
use sqlx::PgPool;

pub(crate) const DAY: i32 = 20_261_120;
pub(crate) const CODE: &str = "100000";
pub(crate) const LAST_PRICE: i64 = 71_300;

pub(crate) fn opening() -> DateTime<Utc> {
    "2026-11-20T01:00:00Z".parse().unwrap()
}

/// Accounts of the members from 100,001 on.
pub(crate) async fn accounts(pool: &PgPool, count: i64) {
    let sql = "insert into account (id, member_id, code, account_no, opened_at, \
         initial_deposit_won) \
         select n, 100000 + n, '00', lpad(n::text, 10, '0') || '00', $2, 5000000 \
         from generate_series(1, $1) n";
    sqlx::query(sql)
        .bind(count)
        .bind(opening())
        .execute(pool)
        .await
        .unwrap();
    let sql = "insert into balance (account_id, asset, amount) select id, 'KRW', 5000000 from account \
         on conflict (account_id, asset) do update set amount = excluded.amount";
    run(pool, sql).await;
    run(pool, "select setval('account_id_seq', 100000000)").await;
}

/// Buys of one share far below the market.
pub(crate) async fn waiting(pool: &PgPool, accounts: i64, orders: i64) {
    let sql = "insert into trade_order (id, account_id, member_id, instrument_code, \
         instrument_name, market, currency, tick_class, side, status, price, quantity, \
         time_in_force, trading_day, resting, placed_at, placed_market_at) \
         select 1000 + n, 1 + n % $2, 100001 + n % $2, $3, '벤치', 'KOSPI', 'KRW', 'KRX_STOCK', \
         'BUY', 'ACCEPTED', $4 / 2, 1, 'DAY', $5, true, $6, $6 from generate_series(1, $1) n";
    sqlx::query(sql)
        .bind(accounts * orders)
        .bind(accounts)
        .bind(CODE)
        .bind(LAST_PRICE)
        .bind(DAY)
        .bind(opening())
        .execute(pool)
        .await
        .unwrap();
    for sql in [
        "insert into hold select id, account_id, instrument_code, price::bigint + 11, 0 from trade_order",
        "with h as (select account_id, sum(amount_won)::bigint won, count(*)::int orders from hold \
         group by account_id), \
         counted as (update account a set open_orders = h.orders from h where a.id = h.account_id) \
         update balance b set held = h.won from h \
         where b.account_id = h.account_id and b.asset = 'KRW'",
        "select setval('order_id_seq', 100000000)",
        "vacuum analyze",
    ] {
        run(pool, sql).await;
    }
}

/// Seven shares in each account.
pub(crate) async fn holders(pool: &PgPool, accounts: i64) {
    let sql = "insert into holding (account_id, instrument_code, member_id, instrument_name, \
         market, currency, quantity, cost_won, cost_quote) \
         select n, $2, 100000 + n, '벤치', 'KOSPI', 'KRW', 7, 7 * $3, 7 * $3 \
         from generate_series(1, $1) n";
    sqlx::query(sql)
        .bind(accounts)
        .bind(CODE)
        .bind(LAST_PRICE)
        .execute(pool)
        .await
        .unwrap();
    run(pool, "vacuum analyze").await;
}

async fn run(pool: &PgPool, sql: &'static str) {
    sqlx::raw_sql(sql).execute(pool).await.unwrap();
}
