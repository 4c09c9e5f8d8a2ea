//! What happens by itself: payments are taken, contracts mature.

use proto::trading::v1 as wire;
use proto::trading::v1::{ContractStatus, MaturityAction, PaymentState};
use sqlx::PgPool;

use super::bank::{BankWorld, DEPOSIT, deposit, savings};
use crate::world::{number, reason};

pub(super) const ME: i64 = 100_001;
pub(super) const START: i64 = 5_000_000;

fn states(schedule: &wire::ContractSchedule) -> Vec<PaymentState> {
    schedule.payments.iter().map(|one| one.state()).collect()
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn savings_are_taken_every_month_and_pay_at_maturity(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    let request = wire::OpenContractRequest {
        transfer_day: 25,
        ..savings(ME, 100_000, 3)
    };
    let contract = bank.opened(request).await;
    assert_eq!(contract.next_payment_on, 20_261_225);
    let schedule = bank.schedule(&contract, ME).await;
    let due: Vec<i32> = schedule.payments.iter().map(|one| one.due_on).collect();
    assert_eq!(due, [20_261_120, 20_261_225, 20_270_125]);
    // 100,000 × 3.6 % / 12 × 6 months.
    assert_eq!(
        (schedule.principal_won, schedule.interest_won),
        (300_000, 1_800)
    );
    bank.pass(34).await;
    assert_eq!(bank.only(ME).await.payments_made, 1, "not before its day");
    bank.pass(1).await;
    let paid = bank.only(ME).await;
    assert_eq!((paid.payments_made, paid.paid_in_won), (2, 200_000));
    assert_eq!(paid.next_payment_on, 20_270_125);
    bank.pass(60).await;
    let matured = bank.only(ME).await;
    assert_eq!(matured.status(), ContractStatus::Matured);
    assert_eq!(matured.closed_on, 20_270_220);
    assert_eq!(bank.deposit(ME).await, START + 1_800 - 250 - 20);
    let told: Vec<wire::ContractMatured> = bank.world.told("trading.contract.matured.v1").await;
    let expected = wire::ContractMatured {
        member_id: ME,
        account_no: contract.account_no.clone(),
        name: contract.name.clone(),
        kind: wire::ContractKind::Savings.into(),
        paid_in_won: 300_000,
        interest_won: 1_800 - 250 - 20,
        outcome: "PAID_OUT".to_owned(),
        matured_on: 20_270_220,
    };
    assert_eq!(told, [expected]);
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_payment_that_is_short_is_tried_three_times_and_can_be_made_by_hand(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    let contract = bank.opened(savings(ME, 100_000, 6)).await;
    let all = bank.deposit(ME).await;
    bank.opened(deposit(ME, all, 36)).await;
    // Due on the 20th of December; tried again on the 21st and 22nd.
    bank.pass(30).await;
    assert_eq!(bank.list(ME).await[0].next_payment_on, 20_261_221);
    bank.pass(2).await;
    assert_eq!(bank.list(ME).await[0].next_payment_on, 20_270_120);
    let told: Vec<wire::ContractMissed> = bank.world.told("trading.contract.missed.v1").await;
    let told: Vec<(i32, bool, i32)> = told
        .iter()
        .map(|one| {
            assert_eq!((one.member_id, one.amount_won), (ME, 100_000));
            assert_eq!(one.account_no, contract.account_no);
            (one.number, one.is_retried, one.missed_on)
        })
        .collect();
    assert_eq!(
        told,
        [
            (1, true, 20_261_220),
            (1, true, 20_261_221),
            (1, false, 20_261_222)
        ]
    );
    let state = states(&bank.schedule(&contract, ME).await)[1];
    assert_eq!(state, PaymentState::Due, "by hand");
    let short = bank.pay(&contract, ME, 100_000).await.unwrap_err();
    assert_eq!(reason(&short), "INSUFFICIENT_CASH");
    let other = bank.list(ME).await.remove(1);
    bank.close(&other, ME, None).await.unwrap();
    let wrong = bank.pay(&contract, ME, 99_999).await.unwrap_err();
    assert_eq!(reason(&wrong), "INVALID_AMOUNT");
    bank.pay(&contract, ME, 100_000).await.unwrap();
    let none = bank.pay(&contract, ME, 100_000).await.unwrap_err();
    assert_eq!(reason(&none), "NO_PAYMENT_DUE");
    bank.world.audit().await;

    // The third is missed for good when the fourth is due, and the contract is paid out without it.
    let all = bank.deposit(ME).await;
    let other = bank.opened(deposit(ME, all, 36)).await;
    bank.pass(40).await;
    bank.close(&other, ME, None).await.unwrap();
    bank.pass(20).await;
    let states = states(&bank.schedule(&contract, ME).await);
    assert_eq!(
        states[..4],
        [
            PaymentState::Paid,
            PaymentState::Paid,
            PaymentState::Missed,
            PaymentState::Paid
        ]
    );
    let listed = bank.list(ME).await.remove(0);
    assert_eq!((listed.payments_missed, listed.payments_due), (1, 4));
    bank.pass(100).await;
    let closed = bank.list(ME).await;
    let matured = closed
        .iter()
        .find(|one| one.account_no == contract.account_no);
    // 300 × (6 + 5 + 3 + 2 + 1).
    let matured = matured.unwrap();
    assert_eq!((matured.accrued_won, matured.payments_made), (5_100, 5));
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_payment_made_before_its_day_is_not_taken_again(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    let request = wire::OpenContractRequest {
        transfer_day: 28,
        ..savings(ME, 100_000, 3)
    };
    let contract = bank.opened(request).await;
    let early = bank.pay(&contract, ME, 100_000).await.unwrap_err();
    assert_eq!(reason(&early), "NO_PAYMENT_DUE", "its month has not begun");
    bank.pass(30).await;
    bank.pay(&contract, ME, 100_000).await.unwrap();
    bank.pass(20).await;
    let paid = bank.only(ME).await;
    assert_eq!((paid.payments_made, paid.next_payment_on), (2, 20_270_128));
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_is_kept_earns_less_until_it_is_closed(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    let request = wire::OpenContractRequest {
        maturity_action: MaturityAction::Keep.into(),
        ..deposit(ME, 1_000_000, 1)
    };
    let contract = bank.opened(request).await;
    bank.pass(30).await;
    // 3,000 less 420 and 40 stay in the contract.
    let kept = bank.only(ME).await;
    assert_eq!(
        (kept.status(), kept.closed_on),
        (ContractStatus::Matured, 0)
    );
    assert_eq!(bank.deposit(ME).await, START - 1_000_000);
    let told: Vec<wire::ContractMatured> = bank.world.told("trading.contract.matured.v1").await;
    assert_eq!(
        (told[0].outcome.as_str(), told[0].interest_won),
        ("KEPT", 2_540)
    );
    bank.world.audit().await;
    bank.sleep(40).await;
    // 31 days at 1.8 %, 9 days at 1.08 %.
    let info = bank.cancel_info(&contract, ME).await.unwrap();
    assert_eq!(
        info.interest_won,
        3_000 + (31 * 180 + 9 * 108) * 1_000_000 / 3_650_000
    );
    assert_eq!((info.loss_won, info.matured), (0, true));
    let total = bank.world.summary(ME).await.total_won;
    assert_eq!(total, START + 2_540 + 1_795);
    let closed = bank
        .close(&contract, ME, Some(info.payout_won))
        .await
        .unwrap();
    assert_eq!(closed.deposit_won, START + 2_540 + 1_795 - 250 - 20);
    assert_eq!(closed.contract.unwrap().status(), ContractStatus::Matured);
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_deposit_is_renewed_with_its_payout_at_the_rate_of_the_day(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    let request = wire::OpenContractRequest {
        maturity_action: MaturityAction::Renew.into(),
        ..deposit(ME, 1_000_000, 1)
    };
    bank.opened(request).await;
    bank.offer(|products| products.get_mut(&DEPOSIT).unwrap().base = "2.4");
    // Nobody renews at a rate that nobody knows.
    bank.sleep(31).await;
    bank.without_bank(async |bank| bank.step().await).await;
    assert_eq!(bank.only(ME).await.status(), ContractStatus::Active);
    bank.step().await;
    let listed = bank.list(ME).await;
    let (renewed, before) = (&listed[0], &listed[1]);
    assert_eq!(before.status(), ContractStatus::Matured);
    assert_eq!(
        (renewed.amount_won, renewed.opened_on),
        (1_002_540, 20_261_220)
    );
    assert_eq!(number(&renewed.rate).to_string(), "2.4");
    assert_eq!(renewed.maturity_action(), MaturityAction::Renew);
    assert_eq!(bank.deposit(ME).await, START - 1_000_000);
    bank.world.audit().await;

    // What the bank no longer offers is paid out, and the contract says why.
    bank.offer(|products| products.get_mut(&DEPOSIT).unwrap().is_offered = false);
    bank.pass(32).await;
    let listed = bank.list(ME).await;
    assert!(listed.iter().all(|one| one.closed_on != 0));
    assert_eq!(listed[0].notice, "TERM_NOT_OFFERED");
    // 2,005 less 280 and 20.
    assert_eq!(bank.deposit(ME).await, START + 2_540 + 2_005 - 300);
    let told: Vec<wire::ContractMatured> = bank.world.told("trading.contract.matured.v1").await;
    let outcomes: Vec<&str> = told.iter().map(|one| one.outcome.as_str()).collect();
    assert_eq!(outcomes, ["RENEWED", "PAID_OUT"]);
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn after_days_asleep_everything_happens_in_its_order(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    // Matures on the 20th of December at 00:10 with 1,002,540 won.
    bank.opened(deposit(ME, 1_000_000, 1)).await;
    // Two payments on the 20th and 21st need what matures; the second leaves too little for a third.
    let first = wire::OpenContractRequest {
        transfer_day: 20,
        ..savings(ME, 600_000, 12)
    };
    let first = bank.opened(first).await;
    let second = wire::OpenContractRequest {
        transfer_day: 21,
        ..savings(ME, 400_000, 12)
    };
    let second = bank.opened(second).await;
    let third = wire::OpenContractRequest {
        transfer_day: 22,
        ..savings(ME, 100_000, 12)
    };
    let third = bank.opened(third).await;
    let all = bank.deposit(ME).await;
    bank.opened(deposit(ME, all, 36)).await;
    assert_eq!(bank.deposit(ME).await, 0);
    bank.sleep(34).await;
    bank.step().await;
    let made = |listed: &[wire::Contract], of: &wire::Contract| {
        let found = listed.iter().find(|one| one.account_no == of.account_no);
        found.unwrap().payments_made
    };
    let listed = bank.list(ME).await;
    let counts = [&first, &second, &third].map(|of| made(&listed, of));
    assert_eq!(counts, [2, 2, 1]);
    assert_eq!(bank.deposit(ME).await, 2_540);
    let schedule = bank.schedule(&second, ME).await;
    assert_eq!(
        schedule.payments[1].paid_on, 20_261_221,
        "on its day, not today"
    );
    let state = states(&bank.schedule(&third, ME).await)[1];
    assert_eq!(state, PaymentState::Due);
    bank.world.audit().await;
}
