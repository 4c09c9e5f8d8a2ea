//! Sales that settle days later: what they brought buys at once, and is moved, spent and deposited from
//! its day.

use chrono::TimeDelta;
use proto::trading::v1 as wire;
use sqlx::PgPool;
use trading::store::AccountPolicy;

use crate::contracts::bank::{BankWorld, deposit};
use crate::items;
use crate::transfers::transfer;
use crate::world::{APPLE, BITCOIN, LAX, SAMSUNG, World, buy, reason, sell};

const ME: i64 = 100_001;
/// An item of 50,000 won.
const FREEZE: i64 = 4;

async fn world(pool: PgPool) -> World {
    World::of_policy(
        pool,
        AccountPolicy {
            limits: LAX,
            settles_later: true,
            ..AccountPolicy::default()
        },
    )
    .await
}

impl World {
    /// Sells what was bought on an earlier day.
    async fn sells(&mut self, code: &str, price: &str, quantity: &str) {
        self.placed(buy(ME, code, "", quantity)).await;
        self.trade(code, price, 100_000).await;
        let earlier = "begin; set local session_replication_role = replica; \
            update fill set trading_day = trading_day - 7 where side = 'BUY'; commit";
        sqlx::raw_sql(earlier).execute(&self.pool).await.unwrap();
        self.placed(sell(ME, code, "", quantity)).await;
        self.trade(code, price, 100_000).await;
    }

    async fn source(&self) -> wire::TransferAccount {
        let request = wire::GetTransferSheetRequest {
            member_id: ME,
            account_no: "00".to_owned(),
        };
        let sheet = self.transfers.clone().get_transfer_sheet(request).await;
        sheet.unwrap().into_inner().source.unwrap()
    }

    async fn days_pass(&mut self, days: i64) {
        self.now += TimeDelta::days(days);
        self.clock.set(self.now);
        self.log(Vec::new()).await;
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_a_sale_brought_moves_after_two_days_and_buys_at_once(pool: PgPool) {
    let mut world = world(pool).await;
    world.sells(SAMSUNG, "71300", "50").await;
    let sold = world.source().await;
    assert!(sold.unsettled_won > 3_000_000, "{sold:?}");
    assert_eq!(sold.transferable_won, sold.deposit_won - sold.unsettled_won);
    let summary = &world.summary(ME).await.accounts[0];
    assert_eq!(summary.transferable_won, sold.transferable_won);
    assert_eq!(summary.available_won, sold.deposit_won);
    let more = transfer("00", "01", sold.transferable_won + 1);
    let refused = world.transfer(more).await.unwrap_err();
    assert_eq!(reason(&refused), "INSUFFICIENT_CASH");
    world.moved("00", "01", sold.transferable_won).await;
    // All of it buys.
    world.placed(buy(ME, SAMSUNG, "", "40")).await;
    world.trade(SAMSUNG, "71300", 100_000).await;
    world.days_pass(1).await;
    assert!(world.source().await.unsettled_won > 0);
    world.days_pass(1).await;
    let settled = world.source().await;
    assert_eq!(settled.unsettled_won, 0);
    world.moved("00", "01", settled.deposit_won).await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn dollars_settle_a_day_later_and_coins_at_once(pool: PgPool) {
    let mut world = world(pool).await;
    world.sells(BITCOIN, "150000000", "0.01").await;
    assert_eq!(world.source().await.unsettled_won, 0);
    world.sells(APPLE, "230.50", "2").await;
    assert!(world.source().await.unsettled_won > 600_000);
    world.days_pass(1).await;
    assert_eq!(world.source().await.unsettled_won, 0);
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn items_and_deposits_wait_for_the_settlement(pool: PgPool) {
    let mut bank = BankWorld::of(world(pool).await).await;
    bank.world.sells(SAMSUNG, "71300", "50").await;
    let free = bank.world.source().await.transferable_won;
    bank.world.moved("00", "01", free).await;
    let refused = items::buy(&bank.world, FREEZE, 1, "freeze-early").await;
    assert_eq!(reason(&refused.unwrap_err()), "INSUFFICIENT_CASH");
    let refused = bank.open(deposit(ME, 1_000_000, 12)).await;
    assert_eq!(reason(&refused.unwrap_err()), "INSUFFICIENT_CASH");
    bank.world.days_pass(2).await;
    items::buy(&bank.world, FREEZE, 1, "freeze-later")
        .await
        .unwrap();
    bank.open(deposit(ME, 1_000_000, 12)).await.unwrap();
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn without_the_setting_all_settles_at_once(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.sells(SAMSUNG, "71300", "50").await;
    let source = world.source().await;
    assert_eq!(source.unsettled_won, 0);
    world.moved("00", "01", source.deposit_won).await;
}
