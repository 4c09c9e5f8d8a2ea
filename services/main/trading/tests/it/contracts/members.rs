//! What members do: open, look, pay in, close.

use prost::Message;
use proto::trading::v1 as wire;
use sqlx::PgPool;
use tonic::Code;

use super::bank::{BankWorld, DEPOSIT, deposit, free, key, savings};
use crate::world::{number, reason};

const ME: i64 = 100_001;
const OTHER: i64 = 100_002;
const START: i64 = 5_000_000;

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_deposit_is_opened_once_and_closed_for_what_was_shown(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    let request = wire::OpenContractRequest {
        preferential: true,
        ..deposit(ME, 1_000_000, 12)
    };
    let first = bank.open(request.clone()).await.unwrap();
    // A repetition gets the first reply, also when the bank is away.
    let again = bank
        .without_bank(async |bank| bank.open(request.clone()).await.unwrap())
        .await;
    assert!(again.replayed && !first.replayed);
    assert_eq!(again.contract, first.contract);
    let other = wire::OpenContractRequest {
        amount_won: 2_000_000,
        ..request
    };
    assert_eq!(
        reason(&bank.open(other).await.unwrap_err()),
        "REQ_SID_REUSED"
    );

    let contract = bank.only(ME).await;
    assert!(contract.account_no.ends_with("03"));
    assert_eq!(number(&contract.rate).to_string(), "4.8");
    assert_eq!(
        (contract.opened_on, contract.matures_on),
        (20_261_120, 20_271_120)
    );
    // 48,000 less 6,720 and 670.
    assert_eq!(contract.payout_at_maturity_won, 1_040_610);
    let summary = bank.world.summary(ME).await;
    assert_eq!((summary.total_won, summary.base_won), (START, START));
    assert_eq!(bank.deposit(ME).await, START - 1_000_000);

    bank.sleep(40).await;
    let info = bank.cancel_info(&contract, ME).await.unwrap();
    assert_eq!(number(&info.applied_rate).to_string(), "0.5");
    // 416 less 50; what is given up is interest after tax.
    assert_eq!((info.interest_won, info.payout_won), (416, 1_000_366));
    assert_eq!(info.loss_won, 40_610 - 366);
    let total = bank.world.summary(ME).await.total_won;
    assert_eq!(total, START + 416, "what it earned counts before tax");
    let changed = bank
        .close(&contract, ME, Some(1_000_365))
        .await
        .unwrap_err();
    assert_eq!(reason(&changed), "PAYOUT_CHANGED");
    let subject = bootstrap::problem::of(&changed).unwrap().subject;
    assert_eq!(wire::CancelInfo::decode(subject.as_slice()).unwrap(), info);

    let closed = bank.close(&contract, ME, Some(1_000_366)).await.unwrap();
    assert_eq!(closed.deposit_won, START + 366);
    assert_eq!(
        closed.contract.unwrap().status(),
        wire::ContractStatus::EarlyClosed
    );
    let twice = bank.close(&contract, ME, None).await.unwrap_err();
    assert_eq!(
        (twice.code(), reason(&twice)),
        (Code::Aborted, "CONTRACT_CLOSED".to_owned())
    );
    let listed = bank.only(ME).await;
    assert_eq!(
        (listed.accrued_won, listed.payout_at_maturity_won),
        (416, 1_000_366)
    );
    assert_eq!(listed.closed_on, 20_261_230);
    assert_eq!(bank.world.summary(ME).await.total_won, START + 366);
    bank.step().await;
    assert_eq!(bank.deposit(ME).await, START + 366);
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_is_not_allowed_changes_nothing(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    let unknown = wire::OpenContractRequest {
        product_id: 99,
        ..deposit(ME, 1_000_000, 12)
    };
    let transfer_day = wire::OpenContractRequest {
        transfer_day: 5,
        ..deposit(ME, 1_000_000, 12)
    };
    let invalid_day = wire::OpenContractRequest {
        transfer_day: 32,
        ..savings(ME, 100_000, 12)
    };
    for (request, expected) in [
        (unknown, "PRODUCT_NOT_FOUND"),
        (deposit(ME, 1_000_000, 37), "TERM_NOT_OFFERED"),
        (deposit(ME, 999, 12), "INVALID_AMOUNT"),
        (deposit(ME, START + 1, 12), "INSUFFICIENT_CASH"),
        (deposit(ME, 0, 12), "MALFORMED"),
        (deposit(ME, -5, 12), "MALFORMED"),
        (deposit(ME, i64::MAX, 12), "MALFORMED"),
        (transfer_day, "MALFORMED"),
        (invalid_day, "MALFORMED"),
    ] {
        let shown = format!("{request:?}");
        let refused = bank.open(request).await.unwrap_err();
        assert_eq!(reason(&refused), expected, "{shown}");
    }
    // What passes with time is not stored.
    let request = deposit(ME, 1_000_000, 12);
    let away = bank
        .without_bank(async |bank| bank.open(request.clone()).await.unwrap_err())
        .await;
    assert_eq!(reason(&away), "MARKET_UNAVAILABLE");
    assert_eq!(bank.list(ME).await, []);
    let contract = bank.opened(request).await;
    assert_eq!(bank.deposit(ME).await, START - 1_000_000);

    // Another's contract is like none.
    let unknown = wire::Contract {
        account_no: "000000009903".to_owned(),
        ..contract.clone()
    };
    for (contract, member) in [(&contract, OTHER), (&unknown, ME)] {
        let refusals = [
            bank.cancel_info(contract, member).await.unwrap_err(),
            bank.close(contract, member, None).await.unwrap_err(),
            bank.pay(contract, member, 10_000).await.unwrap_err(),
        ];
        for refused in refusals {
            assert_eq!(refused.code(), Code::PermissionDenied);
            assert_eq!(reason(&refused), "ACCOUNT_FORBIDDEN");
        }
    }
    let paid = bank.pay(&contract, ME, 10_000).await.unwrap_err();
    assert_eq!(
        reason(&paid),
        "NO_PAYMENT_DUE",
        "a deposit takes one payment"
    );
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_member_has_at_most_fifty_open_contracts(pool: PgPool) {
    let bank = BankWorld::new(pool).await;
    let mut first = None;
    for _ in 0..50 {
        let opened = bank.opened(deposit(ME, 10_000, 12)).await;
        first.get_or_insert(opened);
    }
    let refused = bank.open(deposit(ME, 10_000, 12)).await.unwrap_err();
    assert_eq!(reason(&refused), "TOO_MANY_CONTRACTS");
    bank.close(&first.unwrap(), ME, None).await.unwrap();
    bank.opened(deposit(ME, 10_000, 12)).await;
    assert_eq!(bank.list(ME).await.len(), 51);
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn one_request_that_arrives_twice_at_once_opens_one_contract(pool: PgPool) {
    let bank = BankWorld::new(pool).await;
    let request = deposit(ME, 1_000_000, 12);
    let (one, other) = tokio::join!(bank.open(request.clone()), bank.open(request));
    let replies = [one.unwrap(), other.unwrap()];
    assert_eq!(replies[0].contract, replies[1].contract);
    assert_eq!(replies.iter().filter(|reply| reply.replayed).count(), 1);
    assert_eq!(bank.list(ME).await.len(), 1);
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_free_plan_takes_any_sum_up_to_the_cap_of_a_month(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    let contract = bank.opened(free(ME, 100_000, 12)).await;
    assert_eq!(
        (contract.monthly_cap_won, contract.payable_won),
        (300_000, 200_000)
    );
    for (amount, expected) in [(999, "INVALID_AMOUNT"), (200_001, "MONTHLY_CAP")] {
        let refused = bank.pay(&contract, ME, amount).await.unwrap_err();
        assert_eq!(reason(&refused), expected);
    }
    bank.sleep(10).await;
    bank.pay(&contract, ME, 200_000).await.unwrap();
    let full = bank.pay(&contract, ME, 1_000).await.unwrap_err();
    assert_eq!(reason(&full), "MONTHLY_CAP");
    // The 20th of December begins the second month.
    bank.sleep(20).await;
    let contract = bank
        .pay(&contract, ME, 50_000)
        .await
        .unwrap()
        .contract
        .unwrap();
    assert_eq!((contract.paid_in_won, contract.payments_made), (350_000, 3));
    assert_eq!(
        (contract.paid_this_month_won, contract.payable_won),
        (50_000, 250_000)
    );
    // 100,000 for 30 and 200,000 for 20 days at the least rate of the second month.
    bank.step().await;
    let info = bank.cancel_info(&contract, ME).await.unwrap();
    assert_eq!(number(&info.applied_rate).to_string(), "0.5");
    assert_eq!(
        info.interest_won,
        (100_000 * 30 + 200_000 * 20) * 5 / 365_000
    );
    bank.pass(340).await;
    let matured = bank.only(ME).await;
    assert_eq!(matured.status(), wire::ContractStatus::Matured);
    // 365, 355 and 335 days until the 20th of November.
    let weighted = 100_000 * 365 + 200_000 * 355 + 50_000 * 335;
    assert_eq!(matured.accrued_won, weighted * 36 / 365_000);
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn won_that_orders_hold_cannot_be_deposited(pool: PgPool) {
    let bank = BankWorld::new(pool).await;
    let order = crate::world::buy(ME, crate::world::SAMSUNG, "60000", "50");
    bank.world.placed(order).await;
    let refused = bank.open(deposit(ME, 3_000_000, 12)).await.unwrap_err();
    assert_eq!(reason(&refused), "INSUFFICIENT_CASH");
    bank.opened(deposit(ME, 1_900_000, 12)).await;
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_repetition_of_a_refusal_is_the_refusal(pool: PgPool) {
    let bank = BankWorld::new(pool).await;
    let request = wire::OpenContractRequest {
        request_id: key(),
        ..deposit(ME, 1_000_000, 12)
    };
    bank.offer(|products| products.get_mut(&DEPOSIT).unwrap().is_offered = false);
    for replayed in [false, true] {
        let refused = bank.open(request.clone()).await.unwrap_err();
        let problem = bootstrap::problem::of(&refused).unwrap();
        assert_eq!(
            (problem.reason.as_str(), problem.replayed),
            ("TERM_NOT_OFFERED", replayed)
        );
        bank.offer(|products| products.get_mut(&DEPOSIT).unwrap().is_offered = true);
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_member_opens_at_most_a_hundred_contracts_a_day(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    for _ in 0..99 {
        let opened = bank.opened(deposit(ME, 10_000, 12)).await;
        bank.close(&opened, ME, None).await.unwrap();
    }
    bank.opened(deposit(ME, 10_000, 12)).await;
    let refused = bank.open(deposit(ME, 10_000, 12)).await.unwrap_err();
    assert_eq!(reason(&refused), "CONTRACT_LIMIT");
    bank.opened(deposit(OTHER, 10_000, 12)).await;
    bank.pass(1).await;
    bank.opened(deposit(ME, 10_000, 12)).await;
    bank.world.audit().await;
}
