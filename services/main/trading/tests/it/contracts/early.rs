//! What is told of contracts that members close before maturity.

use proto::trading::v1 as wire;
use sqlx::PgPool;
use trading::events::CONTRACT_CLOSED;

use super::bank::{BankWorld, deposit, key, savings};
use crate::seasons::reset;
use crate::world::reason;

const ME: i64 = 100_001;

async fn told(bank: &BankWorld) -> Vec<wire::ContractClosed> {
    bank.world.told(CONTRACT_CLOSED).await
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_early_close_is_told_once_with_its_figures(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    let opened = wire::OpenContractRequest {
        preferential: true,
        ..deposit(ME, 1_000_000, 12)
    };
    let contract = bank.opened(opened).await;
    bank.sleep(40).await;
    let changed = bank.close(&contract, ME, Some(1_000_365)).await;
    assert_eq!(reason(&changed.unwrap_err()), "PAYOUT_CHANGED");
    assert_eq!(told(&bank).await, [], "nothing was closed");

    let request = wire::CloseContractRequest {
        member_id: ME,
        request_id: key(),
        account_no: contract.account_no.clone(),
        payout_won: Some(1_000_366),
    };
    for is_repeated in [false, true] {
        let reply = bank.contracts.clone().close_contract(request.clone()).await;
        assert_eq!(reply.unwrap().into_inner().replayed, is_repeated);
    }
    let twice = bank.close(&contract, ME, None).await.unwrap_err();
    assert_eq!(reason(&twice), "CONTRACT_CLOSED");
    let expected = wire::ContractClosed {
        member_id: ME,
        account_no: contract.account_no,
        name: "상품 28".to_owned(),
        kind: wire::ContractKind::Deposit.into(),
        paid_in_won: 1_000_000,
        interest_won: 416,
        tax_won: 50,
        // 4.8 % of a year.
        interest_at_maturity_won: 48_000,
        opened_on: 20_261_120,
        closed_on: 20_261_230,
        matures_on: 20_271_120,
    };
    assert_eq!(told(&bank).await, [expected]);
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn savings_are_compared_with_what_was_paid_in_and_not_with_what_was_to_come(pool: PgPool) {
    let bank = BankWorld::new(pool).await;
    let contract = bank.opened(savings(ME, 100_000, 12)).await;
    bank.close(&contract, ME, None).await.unwrap();
    let [told] = told(&bank).await.try_into().unwrap();
    assert_eq!(told.kind(), wire::ContractKind::Savings);
    assert_eq!((told.paid_in_won, told.interest_won), (100_000, 0));
    // One payment for a year at 3.6 %.
    assert_eq!(told.interest_at_maturity_won, 3_600);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn maturity_and_a_new_season_are_no_early_close(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    let kept = wire::OpenContractRequest {
        maturity_action: wire::MaturityAction::Keep.into(),
        ..deposit(ME, 1_000_000, 1)
    };
    let kept = bank.opened(kept).await;
    let paid = bank.opened(deposit(ME, 500_000, 1)).await;
    bank.opened(deposit(ME, 300_000, 12)).await;
    // Matured, and nobody has noticed yet.
    bank.sleep(31).await;
    bank.close(&paid, ME, None).await.unwrap();
    bank.step().await;
    bank.close(&kept, ME, None).await.unwrap();
    let begun = bank.world.reset(reset(ME, "reset-me-1", false)).await;
    begun.unwrap();
    let closed = "select count(*) from contract where closed_on is not null";
    assert_eq!(bank.world.count(closed).await, 3);
    assert_eq!(told(&bank).await, []);
    bank.world.audit().await;
}
