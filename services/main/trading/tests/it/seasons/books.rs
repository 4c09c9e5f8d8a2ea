//! What the audit sees of past seasons: each check names the row that was falsified for it.

use sqlx::{Executor, PgPool};
use trading::audit;

use super::{ME, busy, reset};
use crate::contracts::bank::BankWorld;

/// Nothing relays the outbox here.
const ANY_AGE: i64 = 4_294_967_295;

/// What is done to the books, the check that must see it and how its finding begins.
pub(crate) const TAMPERINGS: [(&str, &str, &str); 21] = [
    (
        "update past_season set season = 2",
        "seasons are numbered without gaps and the present one comes last",
        "account 1",
    ),
    (
        "update account set season = 3 where id = 1",
        "seasons are numbered without gaps and the present one comes last",
        "account 1",
    ),
    (
        "delete from past_season",
        "seasons are numbered without gaps and the present one comes last",
        "account 1",
    ),
    (
        "update past_season set cash_won = cash_won + 1",
        "a season that has ended is closed in the ledger, and the next is opened",
        "season 1 of account 1",
    ),
    (
        "update entry set amount = amount - sign(amount) \
         where journal_id = (select id from journal where kind = 'SEASON_OPENED')",
        "a season that has ended is closed in the ledger, and the next is opened",
        "season 1 of account 1",
    ),
    (
        "update past_season set cash_won = cash_won + 1",
        "a season left in cash what its entries brought",
        "season 1 of account 1",
    ),
    (
        "update past_season set education_deposit_won = education_deposit_won + 1",
        "a season was measured against what it was given",
        "season 1 of account 1",
    ),
    (
        "update past_season set bought_deposit_won = 1",
        "a season was measured against what it was given",
        "season 1 of account 1",
    ),
    (
        "update past_season set purchased_items_won = 0",
        "a season was measured against what it was given",
        "season 1 of account 1",
    ),
    (
        "update past_season set net_transfers_won = 1",
        "a season was measured against what it was given",
        "season 1 of account 1",
    ),
    (
        "update past_season set initial_deposit_won = 1",
        "an account was opened with its initial deposit",
        "account 1",
    ),
    (
        "update past_season set holdings_won = holdings_won + 1",
        "a season ended with the sum of its holdings",
        "season 1 of account 1",
    ),
    (
        "update past_season set holdings_cost_won = 0",
        "a season ended with the sum of its holdings",
        "season 1 of account 1",
    ),
    (
        "update ended_holding set value_won = value_won + 1 where instrument_code = 'AAPL'",
        "a holding at the end of a season is worth its price",
        "ended holding ",
    ),
    (
        "update ended_holding set fx_rate = fx_rate * 2 where instrument_code = 'AAPL'",
        "a holding at the end of a season is worth its price",
        "ended holding ",
    ),
    (
        "update ended_holding set quantity = quantity + 1 where instrument_code = 'AAPL'",
        "a season ended with what its fills had made of a holding",
        "ended holding ",
    ),
    (
        "update ended_holding set cost_won = cost_won + 1 where instrument_code = 'AAPL'",
        "an account has its base and what its trades, dividends and interest brought",
        "account 1",
    ),
    (
        "delete from ended_holding where account_id = 1",
        "a holding is what its fills made of it",
        "holding 1/",
    ),
    (
        "update account set closed_at = null where code = '01'",
        "a season that has ended leaves nothing open",
        "season 1 of account 1",
    ),
    (
        "update past_season set used_ticket = true",
        "as many tickets are used up as seasons ended by one",
        "account 1",
    ),
    (
        "insert into dividend (id, instrument_code, ex_day, pay_day, amount, currency, noted_at) \
             values (1, '005930', 20261201, 20261210, 1, 'KRW', now()); \
         insert into dividend_share (dividend_id, account_id, member_id, instrument_name, quantity, \
             season, lapsed, paid_at) values (1, 1, 100001, '삼성전자', 1, 2, true, now())",
        "a claim to a dividend lapses with its season",
        "dividend share ",
    ),
];

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_was_falsified_of_a_season_is_named(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    busy(&mut bank).await;
    let world = &bank.world;
    world.reset(reset(ME, "reset-me-1", false)).await.unwrap();
    world.audit().await;
    world.keep().await;
    for (tampering, check, row) in TAMPERINGS {
        let mut connection = world.pool.acquire().await.unwrap();
        let past_guards = "begin; set local session_replication_role = replica";
        connection.execute(past_guards).await.unwrap();
        connection.execute(sqlx::raw_sql(tampering)).await.unwrap();
        connection.execute("commit").await.unwrap();
        let report = audit::run(&world.pool, ANY_AGE).await.unwrap();
        let mut findings = report.findings.iter();
        let found = findings.any(|one| one.check == check && one.row.starts_with(row));
        assert!(found, "{check}: {row}: {tampering}: {report}");
        world.restore().await;
    }
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_has_ended_cannot_be_rewritten(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    busy(&mut bank).await;
    let world = &bank.world;
    world.reset(reset(ME, "reset-me-1", false)).await.unwrap();
    for forbidden in [
        "update past_season set cash_won = 1",
        "delete from past_season",
        "truncate past_season",
        "update ended_holding set value_won = 1",
        "delete from ended_holding",
    ] {
        let refused = world.pool.execute(forbidden).await.unwrap_err();
        assert!(
            refused.to_string().contains("append-only"),
            "{forbidden}: {refused}"
        );
    }
}
