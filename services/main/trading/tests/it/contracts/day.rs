//! The change of the day counts interest: a member's total never moves without it.

use proto::trading::v1 as wire;
use proto::trading::v1::MaturityAction;
use sqlx::PgPool;
use trading::contracts::CmaWorker;

use super::bank::{BankWorld, deposit, free, savings};
use crate::seasons::reset;

const ME: i64 = 100_001;

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn every_day_explains_the_change_of_the_total(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    let maturing = |action: MaturityAction| wire::OpenContractRequest {
        maturity_action: action.into(),
        ..deposit(ME, 1_000_000, 1)
    };
    let kept = bank.opened(maturing(MaturityAction::Keep)).await;
    bank.opened(maturing(MaturityAction::Pay)).await;
    bank.opened(maturing(MaturityAction::Renew)).await;
    let early = bank.opened(savings(ME, 100_000, 12)).await;
    let plan = bank.opened(free(ME, 200_000, 6)).await;
    bank.world.moved("00", "05", 1_000_000).await;
    let mut cma = CmaWorker::new(bank.world.store.clone());
    let mut total = bank.world.summary(ME).await.total_won;
    let mut days_with_interest = 0;
    for day in 1..=75 {
        bank.pass(1).await;
        cma.step().await.unwrap();
        match day {
            40 => drop(bank.pay(&plan, ME, 100_000).await.unwrap()),
            45 => drop(bank.close(&early, ME, None).await.unwrap()),
            70 => drop(bank.close(&kept, ME, None).await.unwrap()),
            _ => {}
        }
        let now = bank.world.summary(ME).await;
        let of_the_day = now.day_traded_won.unwrap();
        assert_eq!(of_the_day, now.total_won - total, "day {day}");
        days_with_interest += i32::from(of_the_day != 0);
        total = now.total_won;
    }
    assert!(days_with_interest > 60, "{days_with_interest}");
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_new_season_has_no_interest_of_the_one_before(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    bank.opened(deposit(ME, 1_000_000, 12)).await;
    bank.pass(180).await;
    let again = reset(ME, "reset-me-1", false);
    bank.world.reset(again).await.unwrap();
    assert_eq!(bank.world.summary(ME).await.day_traded_won, Some(0));
    bank.world.audit().await;
}
