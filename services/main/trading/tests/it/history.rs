//! Pages of the order history, and previews.

use proto::trading::v1 as wire;
use sqlx::PgPool;
use tonic::Code;

use crate::world::{BITCOIN, GOLD, SAMSUNG, World, buy, dec, number, reason, sell};

const ME: i64 = 100_001;

async fn page(
    world: &World,
    category: wire::OrderCategory,
    kind: wire::OrderHistoryKind,
    before: i64,
) -> wire::OrderPage {
    let request = wire::ListOrderHistoryRequest {
        member_id: ME,
        category: category.into(),
        kind: kind.into(),
        before_order_id: before,
        size: 2,
        ..wire::ListOrderHistoryRequest::default()
    };
    let answer = world.orders.clone().list_order_history(request).await;
    answer.unwrap().into_inner()
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn pages_neither_skip_nor_repeat_orders(pool: PgPool) {
    use wire::OrderCategory::{Coin, Gold, Stock};
    use wire::OrderHistoryKind::{All, Canceled, Filled, Wait};
    let mut world = World::new(pool).await;
    let mut placed = Vec::new();
    for price in ["70000", "70100", "70200", "70300"] {
        placed.push(world.placed(buy(ME, SAMSUNG, price, "1")).await);
    }
    let coin = world.placed(buy(ME, BITCOIN, "100000000", "0.001")).await;
    let gold = world.placed(buy(ME, GOLD, "189000", "1")).await;
    world.placed(buy(ME + 1, SAMSUNG, "70000", "1")).await;
    world.cancel(&placed[0], ME).await.unwrap();
    world.trade(SAMSUNG, "70250", 1_000).await;
    world.trade(SAMSUNG, "70250", 1_000).await;

    let mut seen = Vec::new();
    let mut before = 0;
    loop {
        let page = page(&world, Stock, All, before).await;
        seen.extend(page.orders.iter().map(|order| order.order_id));
        before = page.next_before_order_id;
        if before == 0 {
            break;
        }
    }
    let newest_first: Vec<i64> = placed.iter().rev().map(|order| order.order_id).collect();
    assert_eq!(seen, newest_first);
    let ids = async |category, kind| {
        let page = page(&world, category, kind, 0).await;
        let ids: Vec<i64> = page.orders.iter().map(|order| order.order_id).collect();
        ids
    };
    assert_eq!(ids(Stock, Filled).await, [placed[3].order_id]);
    assert_eq!(ids(Stock, Canceled).await, [placed[0].order_id]);
    assert_eq!(
        ids(Stock, Wait).await,
        [placed[2].order_id, placed[1].order_id]
    );
    assert_eq!(ids(Coin, All).await, [coin.order_id]);
    assert_eq!(ids(Gold, Wait).await, [gold.order_id]);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_preview_equals_the_settled_fill(pool: PgPool) {
    let mut world = World::new(pool).await;
    let ask = |side: wire::OrderSide, price: &str| wire::PreviewOrderRequest {
        member_id: ME,
        instrument_code: GOLD.to_owned(),
        side: side.into(),
        price: dec(price),
        quantity: dec("3"),
        ..wire::PreviewOrderRequest::default()
    };
    let shown = world
        .orders
        .clone()
        .preview_order(ask(wire::OrderSide::Buy, "190010"))
        .await;
    let shown = shown.unwrap().into_inner();
    let before = world.basic(ME).await.deposit_won;
    let order = world.placed(buy(ME, GOLD, "190010", "3")).await;
    assert_eq!(shown.hold_won, Some(order.held_won));
    // Kept aside with a fee that is rounded up: 1,710.09.
    assert_eq!(shown.hold_won, Some(shown.total_won + 1));
    world.trade(GOLD, "190000", 10_000).await;
    let filled = world.detail(ME, order.order_id).await;
    assert_eq!(filled.fills.len(), 1);
    assert_eq!(number(&filled.fills[0].price), number(&dec("190010")));
    assert_eq!(before - world.basic(ME).await.deposit_won, shown.total_won);
    // 0.30 %, cut to whole won.
    assert_eq!((shown.amount_won, shown.fee_won), (570_030, 1_710));
    let held = world.holdings(ME).await;
    assert_eq!(number(&held[0].average_price), number(&shown.average_after));

    let shown = world
        .orders
        .clone()
        .preview_order(ask(wire::OrderSide::Sell, "189990"))
        .await;
    let shown = shown.unwrap().into_inner();
    let before = world.basic(ME).await.deposit_won;
    let sale = world.placed(sell(ME, GOLD, "189990", "3")).await;
    world.trade(GOLD, "190000", 10_000).await;
    let sold = world.detail(ME, sale.order_id).await;
    assert_eq!(filled.fills[0].profit_won, None);
    assert_eq!(sold.fills[0].profit_won, shown.profit_won);
    assert_eq!(shown.hold_won, None);
    assert_eq!(world.basic(ME).await.deposit_won - before, shown.total_won);
    assert_eq!(shown.cost_of_sale_won, Some(570_030));
    assert_eq!(shown.profit_won, Some(shown.total_won - 570_030));

    for (price, quantity, expected) in [
        ("190005", "1", "INVALID_TICK"),
        ("190000", "0.5", "INVALID_QUANTITY"),
        ("190000", "5001", "INVALID_QUANTITY"),
        ("300000", "1", "PRICE_LIMIT"),
    ] {
        let request = wire::PreviewOrderRequest {
            quantity: dec(quantity),
            ..ask(wire::OrderSide::Buy, price)
        };
        let refused = world
            .orders
            .clone()
            .preview_order(request)
            .await
            .unwrap_err();
        assert_eq!(refused.code(), Code::FailedPrecondition);
        assert_eq!(reason(&refused), expected);
    }
    world.audit().await;
}
