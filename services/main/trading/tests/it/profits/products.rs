//! Gains of what is no instrument, of several accounts, and what moves the base instead.

use proto::trading::v1::{self as wire, ProfitKind as Kind, ProfitScope as Scope};
use sqlx::PgPool;

use super::{ME, all};
use crate::contracts::bank::{BankWorld, deposit, savings};
use crate::world::{SAMSUNG, World, buy, sell};
use crate::{cash, items, points};

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn interest_counts_from_the_first_day_to_the_payout(pool: PgPool) {
    let mut bank = BankWorld::new(pool).await;
    let contract = bank.opened(deposit(ME, 1_000_000, 12)).await;
    bank.opened(savings(ME, 100_000, 6)).await;
    let sums = bank.world.gains_add_up(ME).await;
    assert_eq!((sums.unrealized_won, sums.income_won), (0, 0));
    bank.pass(70).await;
    let sums = bank.world.gains_add_up(ME).await;
    assert!(sums.unrealized_won > 0, "{sums:?}");
    let owned = wire::ListProfitsRequest {
        kind: Kind::Unrealized.into(),
        scope: Scope::Product.into(),
        ..all(ME)
    };
    let rows = bank.world.profits(owned).await.rows;
    assert_eq!(rows.len(), 2);
    let info = bank.cancel_info(&contract, ME).await.unwrap();
    let of_deposit = rows.iter().find(|row| row.code == contract.account_no);
    assert_eq!(of_deposit.unwrap().profit_won, info.interest_won);
    assert_eq!(of_deposit.unwrap().name, "상품 28");

    bank.close(&contract, ME, None).await.unwrap();
    let sums = bank.world.gains_add_up(ME).await;
    assert_eq!(sums.income_won, info.interest_won);
    assert_eq!(sums.tax_won, info.income_tax_won + info.local_tax_won);
    bank.pass(120).await;
    let sums = bank.world.gains_add_up(ME).await;
    assert_eq!(sums.unrealized_won, 0);
    // A closed account keeps its gains.
    let closed = wire::ListProfitsRequest {
        account_no: contract.account_no,
        ..all(ME)
    };
    let listed = bank.world.profits(closed).await;
    let interest = info.payout_won - 1_000_000;
    assert_eq!(listed.summary.unwrap().total_won, interest);
    assert_eq!(listed.flows.unwrap().transfers_won, -interest);
    bank.world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_is_put_in_and_spent_is_no_profit(pool: PgPool) {
    let mut world = items::shop_of_everything(pool).await;
    world.basic(ME).await;
    points::earn(&world, ME, "quiz", 50).await;
    points::transfer(&world, 20, "move-0001").await.unwrap();
    cash::grant(&world, ME, 10, None).await.unwrap();
    cash::exchange(&world, 3, "change-0001").await.unwrap();
    items::buy(&world, 2, 1, "pack-0001").await.unwrap();
    items::buy(&world, 10, 1, "frame-0001").await.unwrap();
    let flows = world.profits(all(ME)).await.flows.unwrap();
    assert_eq!((flows.initial_won, flows.items_won), (5_000_000, -100_000));
    assert_eq!(
        (flows.bought_won, flows.education_points_won),
        (8_000, 20_000)
    );
    let sums = world.gains_add_up(ME).await;
    assert_eq!(sums, wire::ProfitSummary::default());

    let stock = world.moved("00", "01", 1_500_000).await.to_account_no;
    let cma = world.moved("00", "05", 1_000_000).await.to_account_no;
    let in_stock = |request: wire::PlaceOrderRequest| wire::PlaceOrderRequest {
        account: Some(wire::AccountRef {
            account_no: stock.clone(),
        }),
        ..request
    };
    world.placed(in_stock(buy(ME, SAMSUNG, "", "4"))).await;
    world.placed(buy(ME, SAMSUNG, "", "1")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    world.placed(in_stock(sell(ME, SAMSUNG, "", "3"))).await;
    world.trade(SAMSUNG, "72000", 1_000).await;
    for _ in 0..3 {
        world.now += chrono::TimeDelta::days(1);
        world.clock.advance(chrono::TimeDelta::days(1));
        world.log(Vec::new()).await;
        paid(&world).await;
    }
    let sums = world.gains_add_up(ME).await;
    // Three days of 1,000,000 at 2.5 %: 68 each before tax, which is cut to tens of won.
    assert!((204..=206).contains(&sums.income_won), "{sums:?}");
    let of_account = |number: &str| wire::ListProfitsRequest {
        account_no: number.to_owned(),
        ..all(ME)
    };
    let sold = world.profits(of_account(&stock)).await;
    assert_eq!(sold.summary.unwrap().realized_won, 3 * (71_900 - 71_400));
    let basic = world.profits(of_account("00")).await;
    assert_eq!(basic.summary.unwrap().realized_won, 0);
    assert_eq!(basic.flows.unwrap().transfers_won, -2_500_000);
    let interest = world.profits(of_account(&cma)).await.rows.remove(0);
    assert_eq!((interest.name.as_str(), interest.code), ("CMA", cma));
    world.audit().await;
}

async fn paid(world: &World) {
    let accounts = world
        .store
        .cma_accounts(kernel::AccountId(0))
        .await
        .unwrap();
    let newest = world.store.newest_cma_day().unwrap();
    let left = world.store.pay_cma_interest(&accounts, newest).await;
    assert_eq!(left.unwrap(), Some(Vec::new()));
}
