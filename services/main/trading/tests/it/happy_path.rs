//! Account, buy, holding and sale, with every won accounted for.

use kernel::WarningCode;
use prost::Message;
use proto::trading::v1::{OrderFilled, OrderStatus};
use rust_decimal_macros::dec;
use sqlx::PgPool;
use trading::domain::market::Listing;

use crate::world::{APPLE, BITCOIN, GOLD, SAMSUNG, World, buy, dec, listing, number, sell};

const ME: i64 = 100_001;

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_member_buys_and_sells_at_market(pool: PgPool) {
    let mut world = World::new(pool).await;
    let opened = world.basic(ME).await;
    assert_eq!((opened.deposit_won, opened.held_won), (5_000_000, 0));

    let reply = world.place(buy(ME, SAMSUNG, "", "10")).await.unwrap();
    assert_eq!(reply.message, "삼성전자 구매 주문 완료");
    let order = reply.order.unwrap();
    assert_eq!(order.status(), OrderStatus::Accepted);
    assert_eq!(world.basic(ME).await.held_won, 749_113);

    world.trade(SAMSUNG, "71300", 1_000).await;
    let detail = world.detail(ME, order.order_id).await;
    let filled = detail.order.unwrap();
    assert_eq!(filled.status(), OrderStatus::Filled);
    let fill = &detail.fills[0];
    assert_eq!(fill.rule, "MARKET_ONE_TICK_WORSE");
    assert_eq!(
        (fill.slippage_ticks, fill.amount_won, fill.fee_won),
        (1, 714_000, 107)
    );
    assert_eq!(number(&fill.cap_quantity), dec!(250));
    assert_eq!(
        (fill.slippage_won, fill.exchange_cost_won),
        (Some(1_000), None)
    );

    let account = world.basic(ME).await;
    assert_eq!((account.deposit_won, account.held_won), (4_285_893, 0));
    let holding = &world.holdings(ME).await[0];
    assert_eq!(number(&holding.quantity), dec!(10));
    assert_eq!(
        (holding.cost_won, holding.value_won, holding.profit_won),
        (714_000, 713_000, -1_000)
    );

    let sale = world.placed(sell(ME, SAMSUNG, "", "10")).await;
    assert_eq!(number(&world.holdings(ME).await[0].held_quantity), dec!(10));
    world.trade(SAMSUNG, "75000", 1_000).await;
    let sold = world.detail(ME, sale.order_id).await;
    // 74,900 × 10, fee 112, tax 1,498.
    assert_eq!(sold.order.unwrap().filled_amount_won, 749_000);
    assert_eq!((sold.fills[0].fee_won, sold.fills[0].tax_won), (112, 1_498));
    assert_eq!(sold.fills[0].slippage_won, Some(1_000));
    assert!(world.holdings(ME).await.is_empty());
    assert_eq!(
        world.basic(ME).await.deposit_won,
        4_285_893 + 749_000 - 112 - 1_498
    );
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn dollars_coins_and_gold_are_traded_in_the_same_account(pool: PgPool) {
    let mut world = World::new(pool).await;
    let apple = world.placed(buy(ME, APPLE, "", "2")).await;
    world.placed(buy(ME, BITCOIN, "", "0.001")).await;
    world.placed(buy(ME, GOLD, "", "3")).await;
    world.trade(APPLE, "231.00", 1_000).await;
    world.trade(BITCOIN, "150000000", 10).await;
    world.trade(GOLD, "190000", 1_000).await;
    let holdings = world.holdings(ME).await;
    let quantities: Vec<_> = holdings.iter().map(|one| number(&one.quantity)).collect();
    assert_eq!(quantities, [dec!(3), dec!(2), dec!(0.001)]);
    // 231.01 × 2 × 1470 × 1.001, up; the spread is in the FX book.
    assert_eq!(holdings[1].cost_won, 679_849);
    let receipt = &world.detail(ME, apple.order_id).await.fills[0];
    assert_eq!(number(&receipt.fx_rate), dec!(1470));
    assert_eq!(number(&receipt.applied_fx_rate), dec!(1471.47));
    let spread = "select sum(amount)::bigint from entry where book = 'FX'";
    assert_eq!(world.count(spread).await, 679_849 - 679_170);
    assert_eq!(receipt.exchange_cost_won, Some(679_849 - 679_170));
    // A cent on two shares at 1470.
    assert_eq!(receipt.slippage_won, Some(29));
    // What others hear is the receipt.
    let told: Vec<u8> = sqlx::query_scalar(
        "select body from outbox where event_type = 'trading.order.filled.v1' \
         and aggregate_id = $1",
    )
    .bind(format!("order-{}", apple.order_id))
    .fetch_one(&world.pool)
    .await
    .unwrap();
    let told = OrderFilled::decode(told.as_slice())
        .unwrap()
        .notice
        .unwrap();
    assert_eq!(told.fill.as_ref(), Some(receipt));
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn canceling_a_limit_order_releases_its_hold(pool: PgPool) {
    let mut world = World::new(pool).await;
    let order = world.placed(buy(ME, SAMSUNG, "70000", "10")).await;
    world.trade(SAMSUNG, "71000", 1_000).await;
    let waiting = world.waiting(ME).await;
    assert_eq!(waiting.len(), 1);
    assert_eq!(
        (waiting[0].order_id, waiting[0].held_won),
        (order.order_id, 700_105)
    );
    let reply = world.cancel(&order, ME).await.unwrap();
    assert_eq!(reply.message, "삼성전자 구매 취소 완료");
    assert_eq!(reply.order.unwrap().status(), OrderStatus::Canceled);
    assert_eq!(world.basic(ME).await.held_won, 0);
    world.trade(SAMSUNG, "60000", 1_000).await;
    assert!(world.detail(ME, order.order_id).await.fills.is_empty());
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_large_order_fills_in_parts_within_its_share_of_the_volume(pool: PgPool) {
    let mut world = World::new(pool).await;
    let order = world.placed(buy(ME, SAMSUNG, "72000", "60")).await;
    world.trade(SAMSUNG, "71300", 100).await;
    let part = world.detail(ME, order.order_id).await.order.unwrap();
    assert_eq!(part.status(), OrderStatus::Partial);
    assert_eq!(number(&part.filled_quantity), dec!(25));
    for _ in 0..2 {
        world.trade(SAMSUNG, "71300", 100).await;
    }
    let whole = world.detail(ME, order.order_id).await;
    assert_eq!(whole.fills.len(), 3);
    assert_eq!(whole.order.unwrap().status(), OrderStatus::Filled);
    assert_eq!(world.basic(ME).await.held_won, 0);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_order_capacity_has_the_limits_of_the_instrument(pool: PgPool) {
    let world = World::new(pool).await;
    let request = proto::trading::v1::GetOrderCapacityRequest {
        member_id: ME,
        instrument_code: SAMSUNG.to_owned(),
        price: dec("71300"),
        ..Default::default()
    };
    let answer = world.client.clone().get_order_capacity(request).await;
    let capacity = answer.unwrap().into_inner();
    assert_eq!(capacity.available_won, 5_000_000);
    assert_eq!(number(&capacity.max_buy_quantity), dec!(70));
    assert_eq!(number(&capacity.upper_limit), dec!(92600));
    assert_eq!(capacity.session, "OPEN");
    assert!(capacity.tradable);
    assert_eq!(number(&capacity.sell_tax_rate), dec!(0.002));
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn missed_fills_can_be_fetched_by_sequence_number(pool: PgPool) {
    let mut world = World::new(pool).await;
    for _ in 0..3 {
        world.placed(buy(ME, SAMSUNG, "", "1")).await;
        world.trade(SAMSUNG, "71300", 1_000).await;
    }
    let request = proto::trading::v1::ListMemberFillsRequest {
        member_id: ME,
        after_seq: 1,
    };
    let answer = world.client.clone().list_member_fills(request).await;
    let fills = answer.unwrap().into_inner();
    let seqs: Vec<_> = fills.notices.iter().map(|notice| notice.seq).collect();
    assert_eq!((seqs, fills.last_seq, fills.gap), (vec![2, 3], 3, false));
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_holding_has_the_present_warning_of_its_instrument(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(ME, SAMSUNG, "", "1")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let warning = async |world: &World| world.holdings(ME).await[0].warning_code.clone();
    assert_eq!(warning(&world).await, "00");
    world.market_cache.set_listings([Listing {
        warning: WarningCode::Danger,
        ..listing(SAMSUNG)
    }]);
    assert_eq!(warning(&world).await, "03");
    world.market_cache.set_listings([]);
    assert_eq!(warning(&world).await, "");
}
