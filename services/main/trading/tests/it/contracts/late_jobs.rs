//! Steps of contracts that are done twice, wait or fail.

use proto::trading::v1 as wire;
use proto::trading::v1::{ContractStatus, MaturityAction};
use sqlx::PgPool;
use trading::contracts::ContractWorker;

use super::bank::{BankWorld, SAVINGS, deposit, savings};
use super::jobs::{ME, START};
use crate::world::{SAMSUNG, buy};

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn two_leaders_do_what_one_would(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    for member in ME..ME + 30 {
        bank.opened(deposit(member, 1_000_000, 1)).await;
        bank.opened(savings(member, 100_000, 12)).await;
    }
    bank.sleep(31).await;
    let store = bank.world.store.clone();
    let mut one = ContractWorker::new(store.clone(), bank.products.clone());
    let mut two = ContractWorker::new(store, bank.products.clone());
    for _ in 0..2 {
        let (first, second) = tokio::join!(one.step(), two.step());
        first.unwrap();
        second.unwrap();
    }
    let count = |kind: &'static str| bank.world.count(kind);
    assert_eq!(
        count("select count(*) from journal where kind = 'CONTRACT_CLOSED'").await,
        30
    );
    assert_eq!(
        count("select count(*) from journal where kind = 'CONTRACT_INTEREST'").await,
        30
    );
    assert_eq!(
        count("select count(*) from journal where kind = 'CONTRACT_PAID'").await,
        30
    );
    assert_eq!(bank.deposit(ME).await, START - 200_000 + 2_540);
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_locked_account_keeps_nobody_else_waiting(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    for member in [ME, ME + 1] {
        bank.opened(deposit(member, 1_000_000, 1)).await;
    }
    bank.sleep(31).await;
    let mut other = bank.world.pool.begin().await.unwrap();
    sqlx::query("select from account where member_id = $1 and code = '00' for update")
        .bind(ME)
        .execute(&mut *other)
        .await
        .unwrap();
    bank.step().await;
    assert_eq!(bank.only(ME).await.status(), ContractStatus::Active);
    assert_eq!(bank.only(ME + 1).await.status(), ContractStatus::Matured);
    other.rollback().await.unwrap();
    bank.step().await;
    assert_eq!(bank.only(ME).await.status(), ContractStatus::Matured);
    bank.world.audit().await;
}

/// A step whose statement about one contract always fails, as if the process died there.
const FAIL: &str = "
    create function fail() returns trigger language plpgsql as $$
        begin
            if new.member_id = 100001 and new.status <> 'ACTIVE' then
                raise exception 'on purpose';
            end if;
            return new;
        end $$;
    create trigger fail before update on contract for each row execute function fail()";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_step_that_fails_leaves_nothing_and_delays_nobody(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    for member in ME..ME + 5 {
        bank.opened(deposit(member, 1_000_000, 1)).await;
    }
    sqlx::raw_sql(FAIL).execute(&bank.world.pool).await.unwrap();
    bank.sleep(31).await;
    bank.step().await;
    assert_eq!(bank.only(ME).await.status(), ContractStatus::Active);
    assert_eq!(bank.deposit(ME).await, START - 1_000_000);
    assert_eq!(bank.only(ME + 4).await.status(), ContractStatus::Matured);
    bank.world.audit().await;
    let mend = "drop trigger fail on contract";
    sqlx::query(mend).execute(&bank.world.pool).await.unwrap();
    // Another process does not wait as the one that failed does.
    let store = bank.world.store.clone();
    let mut other = ContractWorker::new(store, bank.products.clone());
    other.step().await.unwrap();
    assert_eq!(bank.only(ME).await.status(), ContractStatus::Matured);
    bank.world.audit().await;
}

/// The database goes away while the first contract matures, in the first two tries.
const CRASH_TWICE: &str = "
    create sequence crash;
    create function crash() returns trigger language plpgsql as $$
        begin
            if new.status <> 'ACTIVE' and nextval('crash') <= 2 then
                perform pg_terminate_backend(pg_backend_pid());
            end if;
            return new;
        end $$;
    create trigger crash before update on contract for each row execute function crash()";

/// What a deposit pays is what a savings plan needs hours later. Both are overdue, and the first two tries
/// of the deposit end as `crash` says.
async fn plan_behind_a_deposit(pool: PgPool, crash: String) -> BankWorld {
    let mut bank = BankWorld::new(pool).await;
    bank.opened(deposit(ME, START - 100_000, 1)).await;
    bank.opened(savings(ME, 100_000, 12)).await;
    assert_eq!(bank.deposit(ME).await, 0);
    sqlx::raw_sql(sqlx::AssertSqlSafe(crash))
        .execute(&bank.world.pool)
        .await
        .unwrap();
    bank.sleep(35).await;
    bank
}

/// Payments of the plan that were made; none was missed.
async fn made_in_order(bank: &BankWorld) -> i32 {
    let missed = "select count(*) from outbox where event_type = 'trading.contract.missed.v1'";
    assert_eq!(bank.world.count(missed).await, 0);
    let listed = bank.list(ME).await;
    let plan = listed.iter().find(|one| one.product_id == SAVINGS);
    plan.unwrap().payments_made
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_database_that_goes_away_lets_no_later_contract_pass(pool: PgPool) {
    let bank = plan_behind_a_deposit(pool, CRASH_TWICE.to_owned()).await;
    let store = bank.world.store.clone();
    let mut worker = ContractWorker::new(store, bank.products.clone());
    for _ in 0..2 {
        worker.step().await.unwrap_err();
    }
    worker.step().await.unwrap();
    assert_eq!(made_in_order(&bank).await, 2);
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_statement_that_was_stopped_lets_no_later_contract_of_its_member_pass(pool: PgPool) {
    let stop = CRASH_TWICE.replace(
        "perform pg_terminate_backend(pg_backend_pid())",
        "raise exception 'stopped' using errcode = '57014'",
    );
    let mut bank = plan_behind_a_deposit(pool, stop).await;
    bank.step().await;
    assert_eq!(made_in_order(&bank).await, 1);
    // A moment later it is not tried again, and what comes after it still waits.
    bank.step().await;
    let store = bank.world.store.clone();
    let mut other = ContractWorker::new(store, bank.products.clone());
    other.step().await.unwrap();
    assert_eq!(made_in_order(&bank).await, 2);
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn orders_go_on_with_what_a_contract_leaves(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    bank.opened(savings(ME, 100_000, 12)).await;
    let order = buy(ME, SAMSUNG, "60000", "81");
    bank.world.placed(order).await;
    // 4,860,729 won are held of 4,900,000: too few are free.
    bank.pass(33).await;
    assert_eq!(bank.only(ME).await.payments_made, 1);
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_is_stuck_delays_no_other_contract_of_its_member(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    let renewed = wire::OpenContractRequest {
        maturity_action: MaturityAction::Renew.into(),
        ..deposit(ME, 1_000_000, 1)
    };
    bank.opened(renewed).await;
    let plan = |day| wire::OpenContractRequest {
        transfer_day: day,
        ..savings(ME, 100_000, 12)
    };
    let broken = bank.opened(plan(21)).await;
    let other = bank.opened(plan(22)).await;
    // The bank is away for days, and the step of one contract fails whenever it is tried.
    let fail = FAIL.replace(
        "new.status <> 'ACTIVE'",
        "new.transfer_day = 21 and new.next_payment > 1",
    );
    sqlx::raw_sql(sqlx::AssertSqlSafe(fail))
        .execute(&bank.world.pool)
        .await
        .unwrap();
    bank.sleep(34).await;
    bank.without_bank(async |bank| bank.step().await).await;
    let made = async |bank: &BankWorld, of: &wire::Contract| {
        let listed = bank.list(ME).await;
        let found = listed.iter().find(|one| one.account_no == of.account_no);
        found.unwrap().payments_made
    };
    assert_eq!(made(&bank, &broken).await, 1);
    assert_eq!(made(&bank, &other).await, 2);
    // It is not left out, and the renewal happens when the bank is back.
    let mend = "drop trigger fail on contract";
    sqlx::query(mend).execute(&bank.world.pool).await.unwrap();
    let store = bank.world.store.clone();
    let mut next = ContractWorker::new(store, bank.products.clone());
    next.step().await.unwrap();
    assert_eq!(made(&bank, &broken).await, 2);
    let closed = "select count(*) from contract where closed_on is not null";
    assert_eq!(bank.world.count(closed).await, 1);
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_payment_made_by_hand_while_nobody_worked_is_not_taken_again(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    let contract = bank.opened(savings(ME, 100_000, 4)).await;
    let left = bank.deposit(ME).await - 100_000;
    let other = bank.opened(deposit(ME, left, 36)).await;
    // The payments of December and January are due, and the member makes that of January.
    bank.sleep(62).await;
    bank.pay(&contract, ME, 100_000).await.unwrap();
    bank.step().await;
    bank.close(&other, ME, None).await.unwrap();
    bank.pass(60).await;
    let listed = bank.list(ME).await;
    let plan = listed.iter().find(|one| one.product_id == SAVINGS);
    let plan = plan.unwrap();
    assert_eq!(plan.status(), ContractStatus::Matured);
    assert_eq!(plan.payments_made, 3, "all but that of December");
    bank.world.audit().await;
}
