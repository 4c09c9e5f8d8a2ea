//! Very many accounts with orders that wait, shares that they own or contracts, as placing, filling and
//! saving would have left them.

use chrono::{DateTime, Utc};
use sqlx::PgPool;

pub(crate) const DAY: i32 = 20_261_120;
pub(crate) const CODE: &str = "100000";
pub(crate) const LAST_PRICE: i64 = 71_300;
/// The number of a product; savings plans have another.
pub(crate) const DEPOSIT: i64 = 28;
/// How many contracts have matured: what is paid out has left them, and what is kept has not.
pub(crate) const MATURED: &str = "select count(*) from contract c \
    join contract_interest i on i.account_id = c.account_id and i.period = 'MATURITY' \
    join balance b on b.account_id = c.account_id and b.asset = 'KRW' \
    where c.status = 'MATURED' and case c.maturity_action when 'KEEP' \
        then c.closed_on is null and b.amount = c.paid_in_won + i.gross_won - i.income_tax_won - i.local_tax_won \
        else c.closed_on is not null and b.amount = 0 end \
    and (c.maturity_action <> 'RENEW' or exists (select from contract r where r.member_id = c.member_id \
        and r.account_id <> c.account_id and r.status = 'ACTIVE' and r.paid_in_won > 0))";

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

/// A contract of a year for each account, half of them savings plans, that matured this night; a third
/// is paid out, a third kept and a third renewed.
pub(crate) async fn contracts(pool: &PgPool, accounts: i64) {
    let account = "insert into account (id, member_id, code, account_no, opened_at, \
         initial_deposit_won, name) \
         select $1 + n, 100000 + n, kind, lpad(($1 + n)::text, 10, '0') || kind, $2, 0, '벤치' \
         from generate_series(1, $1) n, lateral (select case n % 2 when 0 then '03' else '04' end) k(kind)";
    sqlx::query(account)
        .bind(accounts)
        .bind(opening())
        .execute(pool)
        .await
        .unwrap();
    let contract = "insert into contract (account_id, member_id, product_id, product_name, bank_code, \
         bank_name, kind, status, compounding, preferential, base_rate, rate, amount_won, transfer_day, \
         term_months, opened_on, matures_on, maturity_action, paid_in_won, next_payment, due_at) \
         select id, member_id, case code when '03' then $1 else 40 end, '벤치', '090', '씨앗은행', \
         case code when '03' then 'DEPOSIT' else 'SAVINGS' end, 'ACTIVE', 'SIMPLE', false, 3.6, 3.6, \
         case code when '03' then 1200000 else 100000 end, case code when '04' then 20 end, 12, \
         '2025-11-20', '2026-11-20', (array['PAY', 'KEEP', 'RENEW'])[1 + id / 2 % 3], 1200000, \
         case code when '03' then 1 else 12 end, '2026-11-20 00:10+09' \
         from account where code <> '00'";
    sqlx::query(contract)
        .bind(DEPOSIT)
        .execute(pool)
        .await
        .unwrap();
    for sql in [
        "update balance b set amount = paid_in_won from contract c where c.account_id = b.account_id",
        "insert into contract_payment (account_id, number, amount_won, paid_on, journal_id) \
         select account_id, k, amount_won, opened_on + make_interval(months => k), 1 \
         from contract, generate_series(0, case kind when 'SAVINGS' then 11 else 0 end) k",
        "vacuum analyze",
    ] {
        run(pool, sql).await;
    }
}

/// Contracts that have something to do.
pub(crate) async fn due(pool: &PgPool) -> i64 {
    let sql = "select count(*) from contract where due_at <= $1";
    let due = sqlx::query_scalar(sql).bind(opening());
    due.fetch_one(pool).await.unwrap()
}

/// Won of all accounts with contracts and of their members.
pub(crate) async fn won(pool: &PgPool) -> i64 {
    let sql = "select sum(b.amount)::bigint from balance b join account a on a.id = b.account_id \
         where b.asset = 'KRW' and a.member_id < 900000000";
    sqlx::query_scalar(sql).fetch_one(pool).await.unwrap()
}

/// Interest that was booked, after tax.
pub(crate) async fn net_interest(pool: &PgPool) -> i64 {
    let sql = "select coalesce(sum(gross_won - income_tax_won - local_tax_won), 0)::bigint \
         from contract_interest";
    sqlx::query_scalar(sql).fetch_one(pool).await.unwrap()
}

async fn run(pool: &PgPool, sql: &'static str) {
    sqlx::raw_sql(sql).execute(pool).await.unwrap();
}
