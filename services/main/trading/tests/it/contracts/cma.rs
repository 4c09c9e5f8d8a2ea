//! Interest of CMA accounts, day by day.

use chrono::TimeDelta;
use sqlx::{Executor, PgPool};
use trading::audit;
use trading::contracts::CmaWorker;

use super::bank::BankWorld;
use crate::world::reason;

/// A CMA with ten million won since the evening before the first day, and one that is empty.
const OPENED: &str = "
    insert into account (id, member_id, code, account_no, opened_at, initial_deposit_won)
    values (901, 100001, '05', '000000090105', '2026-11-20 10:00+09', 10000000),
        (902, 100002, '05', '000000090205', '2026-11-20 10:00+09', 0);
    update balance set amount = 10000000 where account_id = 901;
    insert into journal (id, kind, source_type, source_id, occurred_at)
    values (9001, 'ACCOUNT_OPENED', 'ACCOUNT', '901', '2026-11-20 10:00+09');
    insert into entry values (9001, 1, 901, null, 'KRW', 10000000),
        (9001, 2, null, 'ISSUE', 'KRW', -10000000);
    select setval('account_id_seq', 1000), setval('journal_id_seq', 10000)";

const PAID: &str = "select count(*) from cma_interest";
const BALANCE: &str = "select amount from balance where account_id = 901";

async fn world(pool: PgPool) -> BankWorld {
    let bank = BankWorld::new(pool).await;
    sqlx::raw_sql(OPENED)
        .execute(&bank.world.pool)
        .await
        .unwrap();
    bank
}

fn worker(bank: &BankWorld) -> CmaWorker {
    CmaWorker::new(bank.world.store.clone())
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_day_earns_on_the_balance_at_its_end_once(pool: PgPool) {
    let mut bank = world(pool).await;
    let mut worker = worker(&bank);
    worker.step().await.unwrap();
    assert_eq!(bank.world.count(PAID).await, 0, "the day has not ended");
    bank.sleep(1).await;
    for _ in 0..2 {
        worker.step().await.unwrap();
    }
    // 684 less 90; a day of no won is a day, too.
    assert_eq!(bank.world.count(BALANCE).await, 10_000_594);
    assert_eq!(bank.world.count(PAID).await, 2);
    bank.world.audit().await;
    // A new process finds nothing to do.
    let mut other = self::worker(&bank);
    other.step().await.unwrap();
    assert_eq!(bank.world.count(PAID).await, 2);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn four_days_asleep_are_paid_in_order_by_two_leaders_at_once(pool: PgPool) {
    let mut bank = world(pool).await;
    // Moved after the last midnight: it counts for none of these days.
    bank.sleep(4).await;
    let late = "insert into journal (id, kind, source_type, source_id, occurred_at)
        values (9002, 'ACCOUNT_OPENED', 'ACCOUNT', '1901', '2026-11-24 00:01+09');
        insert into entry values (9002, 1, 901, null, 'KRW', 5000000),
            (9002, 2, null, 'ISSUE', 'KRW', -5000000);
        update balance set amount = amount + 5000000 where account_id = 901;
        update account set initial_deposit_won = 15000000 where id = 901";
    sqlx::raw_sql(late).execute(&bank.world.pool).await.unwrap();
    let (mut one, mut two) = (worker(&bank), worker(&bank));
    for _ in 0..2 {
        let (first, second) = tokio::join!(one.step(), two.step());
        first.unwrap();
        second.unwrap();
    }
    assert_eq!(bank.world.count(PAID).await, 8);
    // 684, 684, 685 and 685 less 90 each: interest earns interest.
    let gross = "select sum(gross_won)::bigint from cma_interest where account_id = 901";
    let balances = "select array_agg(balance_won order by day) from cma_interest \
                    where account_id = 901";
    let balances: Vec<i64> = sqlx::query_scalar(balances)
        .fetch_one(&bank.world.pool)
        .await
        .unwrap();
    assert_eq!(balances, [10_000_000, 10_000_594, 10_001_188, 10_001_783]);
    assert_eq!(bank.world.count(gross).await, 684 + 684 + 685 + 685);
    // Whether an account was opened with what it holds is not what this test is about.
    let report = audit::run(&bank.world.pool, i64::from(u32::MAX))
        .await
        .unwrap();
    let findings = report.findings.iter();
    let of_cma = findings.filter(|one| one.check.contains("CMA")).count();
    assert_eq!(of_cma, 0, "{report}");
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_account_whose_payment_fails_delays_nobody(pool: PgPool) {
    let mut bank = world(pool).await;
    bank.sleep(1).await;
    let fail = "
        create function fail() returns trigger language plpgsql as $$
            begin
                if new.account_id = 901 then
                    raise exception 'on purpose';
                end if;
                return new;
            end $$;
        create trigger fail before insert on cma_interest for each row execute function fail()";
    sqlx::raw_sql(fail).execute(&bank.world.pool).await.unwrap();
    worker(&bank).step().await.unwrap();
    assert_eq!(bank.world.count(BALANCE).await, 10_000_000);
    assert_eq!(bank.world.count(PAID).await, 1, "the other one");
    bank.world
        .pool
        .execute("drop trigger fail on cma_interest")
        .await
        .unwrap();
    // Another process does not wait as the one that failed does.
    worker(&bank).step().await.unwrap();
    assert_eq!(bank.world.count(BALANCE).await, 10_000_594);
    assert_eq!(bank.world.count(PAID).await, 2);
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_locked_account_is_paid_with_the_next_call(pool: PgPool) {
    let mut bank = world(pool).await;
    bank.sleep(1).await;
    let mut other = bank.world.pool.begin().await.unwrap();
    sqlx::query("select from account where id = 901 for update")
        .execute(&mut *other)
        .await
        .unwrap();
    let mut worker = worker(&bank);
    worker.step().await.unwrap();
    assert_eq!(bank.world.count(PAID).await, 1);
    other.rollback().await.unwrap();
    worker.step().await.unwrap();
    assert_eq!(bank.world.count(BALANCE).await, 10_000_594);
    bank.world.audit().await;
}

/// Won that came in just after midnight by the clock of one process, and left just before it by that
/// of another.
const AROUND_MIDNIGHT: &str = "
    insert into journal (id, kind, source_type, source_id, occurred_at)
    values (9003, 'TRANSFERRED', 'TRANSFER', '9003', '2026-11-21 00:00:01+09'),
        (9004, 'TRANSFERRED', 'TRANSFER', '9004', '2026-11-20 23:59:59+09');
    insert into entry values (9003, 1, 901, null, 'KRW', -5000),
        (9003, 2, 902, null, 'KRW', 5000), (9004, 1, 902, null, 'KRW', -5000),
        (9004, 2, 901, null, 'KRW', 5000)";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn clocks_that_differ_take_interest_from_nobody(pool: PgPool) {
    let mut bank = world(pool).await;
    sqlx::raw_sql(AROUND_MIDNIGHT)
        .execute(&bank.world.pool)
        .await
        .unwrap();
    bank.sleep(1).await;
    worker(&bank).step().await.unwrap();
    let held = "select sum(balance_won)::bigint from cma_interest";
    assert_eq!(bank.world.count(held).await, 10_005_000, "and not less");
    assert_eq!(bank.world.count(PAID).await, 2);
    let report = audit::run(&bank.world.pool, i64::from(u32::MAX)).await;
    let report = report.unwrap();
    let findings = report.findings.iter();
    let of_cma = findings.filter(|one| one.check.contains("CMA")).count();
    assert_eq!(of_cma, 0, "{report}");
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_day_ends_at_midnight_though_market_time_lags_behind(pool: PgPool) {
    let mut bank = world(pool).await;
    // At ten past midnight everything leaves. The log was away, and has come to six past.
    bank.world.clock.advance(TimeDelta::minutes(14 * 60 + 10));
    bank.world.moved("000000090105", "00", 10_000_000).await;
    bank.world.clock.advance(TimeDelta::minutes(16));
    bank.world.now += TimeDelta::minutes(14 * 60 + 6);
    bank.world.log(Vec::new()).await;
    worker(&bank).step().await.unwrap();
    assert_eq!(bank.world.count(BALANCE).await, 594);
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_a_slow_clock_dates_back_is_not_of_a_day_that_is_paid(pool: PgPool) {
    let mut bank = world(pool).await;
    bank.sleep(1).await;
    let mut worker = worker(&bank);
    worker.step().await.unwrap();
    // Eleven in the evening of the day before.
    bank.world.clock.advance(-TimeDelta::hours(11));
    bank.world.moved("000000090105", "00", 1_000).await;
    bank.world.clock.advance(TimeDelta::hours(11));
    bank.world.audit().await;
    bank.sleep(1).await;
    worker.step().await.unwrap();
    let second =
        "select balance_won from cma_interest where account_id = 901 and day = '2026-11-21'";
    assert_eq!(bank.world.count(second).await, 10_000_594 - 1_000);
    bank.world.audit().await;
    // As the release before paid its days: their interest alone has a number.
    let mut connection = bank.world.pool.acquire().await.unwrap();
    let forget = "begin; set local session_replication_role = replica;
        update cma_interest set last_journal = null; commit";
    connection.execute(sqlx::raw_sql(forget)).await.unwrap();
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_account_is_closed_when_its_days_are_paid(pool: PgPool) {
    let mut bank = world(pool).await;
    bank.world.moved("00", "000000090105", 1).await;
    // Asleep through the second day, whose end finds ten million won in the account.
    bank.sleep(1).await;
    bank.world.moved("000000090105", "00", 10_000_001).await;
    let unpaid = bank.world.close("000000090105", "close-cma-1").await;
    assert_eq!(reason(&unpaid.unwrap_err()), "ACCOUNT_NOT_EMPTY");
    worker(&bank).step().await.unwrap();
    assert_eq!(bank.world.count(BALANCE).await, 594);
    bank.world.moved("000000090105", "00", 594).await;
    // The refusal was not kept.
    bank.world
        .close("000000090105", "close-cma-1")
        .await
        .unwrap();
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_was_falsified_of_a_cma_is_named(pool: PgPool) {
    let mut bank = world(pool).await;
    bank.sleep(3).await;
    worker(&bank).step().await.unwrap();
    bank.world.audit().await;
    bank.world.keep().await;
    for (tampering, row) in TAMPERINGS {
        let mut connection = bank.world.pool.acquire().await.unwrap();
        let past_guards = "begin; set local session_replication_role = replica";
        connection.execute(past_guards).await.unwrap();
        connection.execute(sqlx::raw_sql(tampering)).await.unwrap();
        connection.execute("commit").await.unwrap();
        let report = audit::run(&bank.world.pool, i64::from(u32::MAX))
            .await
            .unwrap();
        let mut findings = report.findings.iter();
        let found = findings.any(|one| one.check == CHECK && one.row.starts_with(row));
        assert!(found, "{tampering}: {report}");
        bank.world.restore().await;
    }
    bank.world.audit().await;
}

/// A fill tells the audit what day the market has, as any day of the matcher does.
const DAYS_LATER: &str = "
    insert into matcher_offset (consumer, shard, epoch, next_offset, state_offset, state)
    values ('days', 0, 1, 1, 1, '{\"KRX\": {\"trading_day\": 20261201}}')";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn days_that_nobody_pays_are_named(pool: PgPool) {
    let mut bank = world(pool).await;
    bank.sleep(3).await;
    worker(&bank).step().await.unwrap();
    bank.world.audit().await;
    sqlx::raw_sql(DAYS_LATER)
        .execute(&bank.world.pool)
        .await
        .unwrap();
    let report = audit::run(&bank.world.pool, i64::from(u32::MAX))
        .await
        .unwrap();
    let late = report.findings.iter().filter(|one| one.check == UNPAID);
    let late: Vec<&str> = late.map(|one| one.row.as_str()).collect();
    assert_eq!(late, ["cma 901", "cma 902"], "{report}");
}

/// Of what an account once had, only what it holds is known quickly.
#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_moved_long_ago_is_not_read(pool: PgPool) {
    let mut bank = world(pool).await;
    let run = "insert into equity_run (day, market_ended_at, ended_at, last_journal, last_fill,
            next_journal, next_fill, finished_at)
        values ('2026-10-01', '2026-10-02 00:00+09', '2026-10-02 00:00+09', 9001, 0, 9001, 0, now())";
    sqlx::raw_sql(run).execute(&bank.world.pool).await.unwrap();
    // As if it had been put away: whoever reads it finds other sums.
    let mut connection = bank.world.pool.acquire().await.unwrap();
    let forget = "begin; set local session_replication_role = replica;
        delete from entry where journal_id = 9001; commit";
    connection.execute(sqlx::raw_sql(forget)).await.unwrap();
    bank.sleep(2).await;
    worker(&bank).step().await.unwrap();
    assert_eq!(bank.world.count(BALANCE).await, 10_000_594 + 594);
}

pub(crate) const CHECK: &str = "interest of a CMA is what its balance earned";
pub(crate) const UNPAID: &str = "a CMA is paid its days in time";
const TAMPERINGS: [(&str, &str); 7] = [
    (
        "update cma_interest set gross_won = gross_won + 1 where account_id = 901",
        "cma 901",
    ),
    (
        "update cma_interest set balance_won = balance_won + 1 where account_id = 901",
        "cma 901",
    ),
    (
        "update cma_interest set income_tax_won = 0 where account_id = 901",
        "cma 901",
    ),
    (
        "update cma_interest set rate = 2.6 where account_id = 901",
        "cma 901",
    ),
    (
        "update cma_interest set last_journal = 1 where account_id = 901 and day = '2026-11-22'",
        "cma 901",
    ),
    (
        "delete from cma_interest where account_id = 901 and day = '2026-11-22'",
        "journal ",
    ),
    (
        "delete from cma_interest where account_id = 902 and day = '2026-11-21'",
        "cma 902",
    ),
];
