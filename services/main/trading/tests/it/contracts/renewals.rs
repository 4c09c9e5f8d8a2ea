//! Renewals of many contracts at a time, and how often the bank is asked.

use proto::trading::v1 as wire;
use proto::trading::v1::{ContractStatus, MaturityAction};
use sqlx::PgPool;
use trading::contracts::due::PassedOver;

use super::bank::{BankWorld, FREE, deposit, free, savings};
use super::jobs::ME;

const MEMBERS: std::ops::Range<i64> = ME..ME + 4;
const OPEN: &str = "select count(*) from contract where closed_on is null";
const CLOSED: &str = "select count(*) from contract where closed_on is not null";

fn renewing(request: wire::OpenContractRequest) -> wire::OpenContractRequest {
    wire::OpenContractRequest {
        maturity_action: MaturityAction::Renew.into(),
        ..request
    }
}

/// A deposit and a free plan of each member, which mature together.
async fn eight_mature(pool: PgPool) -> BankWorld {
    let mut bank = BankWorld::new(pool).await;
    for member in MEMBERS {
        bank.opened(renewing(deposit(member, 1_000_000, 1))).await;
        bank.opened(renewing(free(member, 100_000, 1))).await;
    }
    bank.sleep(31).await;
    bank
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_batch_of_renewals_is_one_call_that_answers_each_by_itself(pool: PgPool) {
    let mut bank = eight_mature(pool).await;
    bank.offer(|products| products.get_mut(&FREE).unwrap().is_offered = false);
    let before = bank.asked();
    bank.step().await;
    assert_eq!(bank.asked() - before, 1);
    assert_eq!(bank.world.count(CLOSED).await, 8);
    assert_eq!(
        bank.world.count(OPEN).await,
        4,
        "deposits alone are renewed"
    );
    let notices = "select count(*) from contract where notice = 'TERM_NOT_OFFERED'";
    assert_eq!(bank.world.count(notices).await, 4);
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_bank_that_is_away_is_asked_once_and_delays_no_other_contract(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    let paid_out = bank.opened(deposit(ME, 100_000, 1)).await;
    for member in MEMBERS {
        bank.opened(renewing(deposit(member, 1_000_000, 1))).await;
    }
    bank.sleep(31).await;
    let before = bank.asked();
    bank.without_bank(async |bank| bank.step().await).await;
    assert_eq!(bank.asked() - before, 1);
    assert_eq!(bank.world.count(CLOSED).await, 1);
    let listed = bank.list(ME).await;
    let matured = listed
        .iter()
        .find(|one| one.account_no == paid_out.account_no);
    assert_eq!(matured.unwrap().status(), ContractStatus::Matured);
    bank.step().await;
    assert_eq!(bank.asked() - before, 2);
    assert_eq!(bank.world.count(CLOSED).await, 5);
    assert_eq!(bank.world.count(OPEN).await, 4);
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn renewals_are_not_read_again_while_the_bank_is_away(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    for member in ME..ME + 3 {
        bank.opened(renewing(deposit(member, 1_000_000, 1))).await;
    }
    let paid_out = bank.opened(deposit(ME, 100_000, 1)).await;
    let plan = bank.opened(renewing(savings(ME, 100_000, 12))).await;
    bank.sleep(35).await;
    let away = PassedOver {
        is_bank_away: true,
        ..PassedOver::default()
    };
    let due = async |passed_over: &PassedOver| {
        let batch = bank.world.store.due_contracts(passed_over, &bank.products);
        let batch = batch.await.unwrap();
        assert_eq!(batch.unquoted, []);
        batch.accounts()
    };
    let first = due(&away).await;
    let number = "select account_no from account where id = $1";
    let number: String = sqlx::query_scalar(number)
        .bind(first[0].0)
        .fetch_one(&bank.world.pool)
        .await
        .unwrap();
    assert_eq!((number, first.len()), (paid_out.account_no, 1));
    assert_eq!(due(&PassedOver::default()).await.len(), 4);
    // A payment needs no bank, and waits for no renewal.
    bank.without_bank(async |bank| bank.step().await).await;
    let listed = bank.list(ME).await;
    let found = listed.iter().find(|one| one.account_no == plan.account_no);
    assert_eq!(found.unwrap().payments_made, 2);
    bank.world.audit().await;
}
