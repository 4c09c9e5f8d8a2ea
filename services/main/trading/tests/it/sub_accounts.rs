//! Sub-accounts: what each may hold, limits that count over all of them, and closing.

use std::time::Duration;

use proto::common::v1::Currency;
use proto::trading::v1 as wire;
use rust_decimal_macros::dec;
use sqlx::PgPool;
use tonic::{Code, Status};
use trading::dividends::DividendWorker;
use trading::matching::{Partition, Shard};
use trading::orders::validation::OrderLimits;

use crate::dividends::{EX_DAY, PAY_DAY, dividend};
use crate::transfers::transfer;
use crate::world::{BITCOIN, GOLD, LAX, SAMSUNG, World, buy, number, reason, sell};

const ME: i64 = 100_001;

fn in_account(account: &str, request: wire::PlaceOrderRequest) -> wire::PlaceOrderRequest {
    wire::PlaceOrderRequest {
        account: Some(wire::AccountRef {
            account_no: account.to_owned(),
        }),
        ..request
    }
}

impl World {
    pub(crate) async fn close(
        &self,
        account: &str,
        key: &str,
    ) -> Result<wire::CloseAccountReply, Status> {
        let request = wire::CloseAccountRequest {
            member_id: ME,
            request_id: key.to_owned(),
            account_no: account.to_owned(),
        };
        let answer = self.transfers.clone().close_account(request).await;
        answer.map(tonic::Response::into_inner)
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_account_trades_its_kind_alone(pool: PgPool) {
    let world = World::new(pool).await;
    let mut numbers = Vec::new();
    for code in ["01", "02", "05", "06"] {
        numbers.push(world.moved("00", code, 1_200_000).await.to_account_no);
    }
    let orders = [
        buy(ME, SAMSUNG, "", "1"),
        buy(ME, BITCOIN, "", "0.001"),
        buy(ME, GOLD, "", "1"),
    ];
    let allowed = [
        [true, false, false],
        [false, true, false],
        [false, false, false],
        [false, false, true],
    ];
    for (account, allowed) in numbers.iter().zip(allowed) {
        for (order, allowed) in orders.iter().zip(allowed) {
            let code = order.instrument_code.clone();
            let capacity = wire::GetOrderCapacityRequest {
                member_id: ME,
                account_no: account.clone(),
                instrument_code: code.clone(),
                price: None,
            };
            let capacity = world.client.clone().get_order_capacity(capacity).await;
            assert_eq!(capacity.is_ok(), allowed, "{account} {code}");
            let placed = world.place(in_account(account, order.clone())).await;
            match placed {
                Ok(_) => assert!(allowed, "{account} {code}"),
                Err(status) => {
                    assert!(!allowed, "{account} {code}: {status:?}");
                    assert_eq!(
                        (status.code(), reason(&status)),
                        (Code::PermissionDenied, "ACCOUNT_FORBIDDEN".to_owned())
                    );
                }
            }
        }
    }
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn orders_holdings_and_profit_are_of_their_account(pool: PgPool) {
    let mut world = World::new(pool).await;
    let stock = world.moved("00", "01", 2_000_000).await.to_account_no;
    world
        .placed(in_account(&stock, buy(ME, SAMSUNG, "", "10")))
        .await;
    world.placed(buy(ME, SAMSUNG, "60000", "1")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let history = |account: &str| wire::ListOrderHistoryRequest {
        member_id: ME,
        category: wire::OrderCategory::Stock.into(),
        kind: wire::OrderHistoryKind::All.into(),
        account_no: account.to_owned(),
        ..wire::ListOrderHistoryRequest::default()
    };
    for (account, orders) in [("", 2), ("00", 1), (stock.as_str(), 1)] {
        let page = world
            .orders
            .clone()
            .list_order_history(history(account))
            .await;
        assert_eq!(page.unwrap().into_inner().orders.len(), orders, "{account}");
    }
    // The other account cannot sell them.
    let (_, refused) = world.rejected(sell(ME, SAMSUNG, "", "10")).await;
    assert_eq!(refused, "INSUFFICIENT_QTY");
    assert_eq!(world.holdings(ME).await[0].account_no, stock);
    let summary = world.summary(ME).await;
    let account = &summary.accounts[1];
    assert_eq!(
        (account.account_name.as_str(), account.base_won),
        ("주식 계좌", 2_000_000)
    );
    // 10 × 71,400 and 107 of fee, worth 71,300 each.
    assert_eq!(account.total_won, 2_000_000 - 1_000 - 107);
    assert_eq!(number(&account.profit_rate), dec!(-0.0554));
    assert_eq!(summary.accounts[0].base_won, 3_000_000);
    assert_eq!(
        (summary.base_won, summary.total_won),
        (5_000_000, 5_000_000 - 1_107)
    );
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_second_account_doubles_no_limit(pool: PgPool) {
    let limits = OrderLimits {
        open_orders: 2,
        ..LAX
    };
    let world = World::with(pool, limits).await;
    let stock = world.moved("00", "01", 1_000_000).await.to_account_no;
    let low = || buy(ME, SAMSUNG, "60000", "1");
    let first = world.placed(low()).await;
    world.placed(in_account(&stock, low())).await;
    assert_eq!(world.rejected(low()).await.1, "TOO_MANY_OPEN_ORDERS");
    let in_stock = world.rejected(in_account(&stock, low())).await.1;
    assert_eq!(in_stock, "TOO_MANY_OPEN_ORDERS");
    world.cancel(&first, ME).await.unwrap();
    world.placed(in_account(&stock, low())).await;
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_order_rate_counts_over_all_accounts(pool: PgPool) {
    let limits = OrderLimits {
        per_second: 3,
        ..LAX
    };
    let world = World::with(pool, limits).await;
    let stock = world.moved("00", "01", 1_000_000).await.to_account_no;
    let low = || buy(ME, SAMSUNG, "60000", "1");
    world.placed(low()).await;
    let order = world.placed(in_account(&stock, low())).await;
    let modify = wire::ModifyOrderRequest {
        member_id: ME,
        order_id: order.order_id,
        side: wire::OrderSide::Buy.into(),
        category: wire::OrderCategory::Stock.into(),
        price: crate::world::dec("60100"),
        ..wire::ModifyOrderRequest::default()
    };
    world.orders.clone().modify_order(modify).await.unwrap();
    assert_eq!(world.rejected(low()).await.1, "ORDER_RATE");
    assert_eq!(
        world.rejected(in_account(&stock, low())).await.1,
        "ORDER_RATE"
    );
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_accounts_of_a_member_share_the_volume_of_a_tick(pool: PgPool) {
    let mut world = World::new(pool).await;
    let stock = world.moved("00", "01", 2_500_000).await.to_account_no;
    world.placed(buy(ME, SAMSUNG, "", "20")).await;
    world
        .placed(in_account(&stock, buy(ME, SAMSUNG, "", "20")))
        .await;
    // A quarter of 100.
    world.trade(SAMSUNG, "71300", 100).await;
    let owned = world.holdings(ME).await;
    let quantities: Vec<_> = owned.iter().map(|one| number(&one.quantity)).collect();
    assert_eq!(quantities, [dec!(20), dec!(5)]);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn accounts_that_are_settled_apart_share_the_volume_of_a_tick(pool: PgPool) {
    for is_broken_off in [false, true] {
        let mut world = World::new(pool.clone()).await;
        let shard = Shard::load(&world.store, Partition { index: 0, count: 1 });
        world.shard = shard.await.unwrap().in_slices_of(1);
        let stock = world.moved("00", "01", 2_500_000).await.to_account_no;
        world.placed(buy(ME, SAMSUNG, "", "20")).await;
        let in_stock = in_account(&stock, buy(ME, SAMSUNG, "", "20"));
        world.placed(in_stock).await;
        world.log(Vec::new()).await;
        // A quarter of 100.
        let tick = world.tick(SAMSUNG, dec!(71_300), 100);
        let batch = world.batch(vec![tick]);
        world.market_cache.apply(&batch);
        if is_broken_off {
            let fail = "
                create function fail() returns trigger language plpgsql as $$
                    begin raise exception 'broken off'; end $$;
                create trigger fail before update on account for each row
                when (old.code = '01') execute function fail()";
            sqlx::raw_sql(fail).execute(&pool).await.unwrap();
            world.shard.process(batch).await.unwrap_err();
            assert_eq!(world.holdings(ME).await.len(), 1, "one slice is settled");
            let mend = "drop trigger fail on account; drop function fail()";
            sqlx::raw_sql(mend).execute(&pool).await.unwrap();
            world.restart_matcher(0).await;
        } else {
            world.shard.process(batch).await.unwrap();
        }
        let owned = world.holdings(ME).await;
        let quantities: Vec<_> = owned.iter().map(|one| number(&one.quantity)).collect();
        assert_eq!(quantities, [dec!(20), dec!(5)]);
        world.audit().await;
        world.empty().await;
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn only_an_empty_sub_account_is_closed(pool: PgPool) {
    let mut world = World::new(pool).await;
    let stock = world.moved("00", "01", 1_000_000).await.to_account_no;
    let used = |status: Status| assert_eq!(reason(&status), "ACCOUNT_NOT_EMPTY");
    used(world.close(&stock, "").await.unwrap_err());
    world
        .placed(in_account(&stock, buy(ME, SAMSUNG, "", "10")))
        .await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let left = world.summary(ME).await.accounts[1].deposit_won;
    world.moved(&stock, "00", left).await;
    used(world.close(&stock, "").await.unwrap_err());
    world
        .placed(in_account(&stock, sell(ME, SAMSUNG, "", "10")))
        .await;
    used(world.close(&stock, "").await.unwrap_err());
    world.trade(SAMSUNG, "71300", 1_000).await;
    let left = world.summary(ME).await.accounts[1].deposit_won;
    world.moved(&stock, "00", left).await;
    let closed = world.close(&stock, "close-account-1").await.unwrap();
    assert_eq!(
        (closed.message.as_str(), closed.replayed),
        ("주식 계좌 닫기 완료", false)
    );
    assert!(
        world
            .close(&stock, "close-account-1")
            .await
            .unwrap()
            .replayed
    );

    let forbidden = (Code::PermissionDenied, "ACCOUNT_FORBIDDEN".to_owned());
    let order = in_account(&stock, buy(ME, SAMSUNG, "60000", "1"));
    assert_eq!(world.rejected(order).await, forbidden);
    let again = world.close(&stock, "").await.unwrap_err();
    assert_eq!((again.code(), reason(&again)), forbidden);
    assert_eq!(world.summary(ME).await.accounts.len(), 1);
    // The history of the sub-account stays, and a new one has another number.
    let next = world.moved("00", "01", 1).await.to_account_no;
    assert_ne!(next, stock);
    let basic = world.close("00", "").await.unwrap_err();
    assert_eq!(reason(&basic), "ACCOUNT_NOT_CLOSABLE");
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_account_that_is_owed_a_dividend_stays_open(pool: PgPool) {
    let mut world = World::new(pool).await;
    let stock = world.moved("00", "01", 1_000_000).await.to_account_no;
    world
        .placed(in_account(&stock, buy(ME, SAMSUNG, "", "10")))
        .await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let told = [dividend(1, SAMSUNG, "361", Currency::Krw)];
    world.store.receive_dividends(&told).await.unwrap();
    world.day(EX_DAY, 3).await;
    world
        .placed(in_account(&stock, sell(ME, SAMSUNG, "", "10")))
        .await;
    world.traded_on(SAMSUNG, "71300", EX_DAY).await;
    let left = world.summary(ME).await.accounts[1].deposit_won;
    world.moved(&stock, "00", left).await;
    // Nobody has noted yet who owned what.
    let owed = world.close(&stock, "").await.unwrap_err();
    assert_eq!(reason(&owed), "ACCOUNT_NOT_EMPTY");
    let mut worker = DividendWorker::new(world.store.clone(), 1);
    world.noted(&mut worker).await;
    let owed = world.close(&stock, "").await.unwrap_err();
    assert_eq!(reason(&owed), "ACCOUNT_NOT_EMPTY");
    world.day(PAY_DAY, 2).await;
    worker.step().await.unwrap();
    world.moved(&stock, "00", 3_060).await;
    world.close(&stock, "").await.unwrap();
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_transfer_to_a_code_opens_another_account_when_the_open_one_closes_meanwhile(
    pool: PgPool,
) {
    let world = World::new(pool.clone()).await;
    let first = world.moved("00", "01", 1_000).await.to_account_no;
    world.moved(&first, "00", 1_000).await;
    // Another request has locked the accounts, and closes the one that the transfer has found.
    let mut closing = pool.begin().await.unwrap();
    sqlx::query("select 1 from account where member_id = $1 for update")
        .bind(ME)
        .execute(&mut *closing)
        .await
        .unwrap();
    let transfers = world.transfers.clone();
    let sent = tokio::spawn(async move {
        let request = transfer("00", "01", 700);
        transfers.clone().transfer(request).await
    });
    tokio::time::sleep(Duration::from_millis(500)).await;
    sqlx::query("update account set closed_at = now() where account_no = $1")
        .bind(&first)
        .execute(&mut *closing)
        .await
        .unwrap();
    closing.commit().await.unwrap();
    let reply = sent.await.unwrap().unwrap().into_inner();
    assert_ne!(reply.to_account_no, first);
    assert_eq!((reply.amount_won, reply.to_deposit_won), (700, 700));
    world.audit().await;
}
