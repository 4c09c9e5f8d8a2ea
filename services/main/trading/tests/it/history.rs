//! Pages of the order history, and previews.

use proto::trading::v1 as wire;
use sqlx::postgres::PgPoolOptions;
use sqlx::{Executor, PgPool};
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
async fn what_an_amount_bought_is_among_the_filled_orders(pool: PgPool) {
    use wire::OrderHistoryKind::{All, Canceled, Filled};
    let mut world = World::new(pool).await;
    let by_amount = |won| wire::PlaceOrderRequest {
        order_amount_won: Some(won),
        ..buy(ME, SAMSUNG, "", "7")
    };
    let bought = world.placed(by_amount(500_000)).await;
    // One share at 71,400, but none at 72,100.
    let nothing = world.placed(by_amount(71_500)).await;
    world.trade(SAMSUNG, "72000", 1_000).await;
    for (kind, expected) in [
        (All, vec![nothing.order_id, bought.order_id]),
        (Filled, vec![bought.order_id]),
        (Canceled, vec![nothing.order_id]),
    ] {
        let page = page(&world, wire::OrderCategory::Stock, kind, 0).await;
        let ids: Vec<i64> = page.orders.iter().map(|order| order.order_id).collect();
        assert_eq!(ids, expected, "{kind:?}");
        let reached = |order: &wire::Order| order.end_reason == "AMOUNT_REACHED";
        assert!(page.orders.iter().all(reached));
    }
    world.audit().await;
}

/// Orders that ended with a state, a second each.
async fn ended(pool: &PgPool, member: i64, ids: std::ops::RangeInclusive<i64>, state: &str) {
    let orders = "insert into trade_order (id, account_id, member_id, instrument_code, \
            instrument_name, market, currency, tick_class, side, status, price, quantity, \
            filled_quantity, time_in_force, placed_at, placed_market_at, ended_at) \
        select id, 1, $1, '005930', '삼성전자', 'KOSPI', 'KRW', 'KRX_STOCK', 'BUY', $4, 70000, 1, \
            case $4 when 'FILLED' then 1 else 0 end, 'DAY', to_timestamp(id), now(), now() \
        from generate_series($2, $3) id";
    let mut transaction = pool.begin().await.unwrap();
    sqlx::query("set local session_replication_role = replica")
        .execute(&mut *transaction)
        .await
        .unwrap();
    sqlx::query(orders)
        .bind(member)
        .bind(ids.start())
        .bind(ids.end())
        .bind(state)
        .execute(&mut *transaction)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_page_reads_few_orders_whatever_else_a_member_ordered(pool: PgPool) {
    use wire::OrderHistoryKind::{Canceled, Filled};
    ended(&pool, ME, 1_000..=1_004, "FILLED").await;
    ended(&pool, ME, 1_005..=101_004, "REJECTED").await;
    ended(&pool, ME + 1, 200_000..=200_004, "CANCELED").await;
    ended(&pool, ME + 1, 200_005..=300_004, "FILLED").await;
    pool.execute("vacuum analyze trade_order").await.unwrap();
    // The server counts what each connection reads.
    let one = PgPoolOptions::new().max_connections(1);
    let options = pool.connect_options().as_ref().clone();
    // Half of this table belongs to each of two members, which makes reading all of it look cheap.
    let options = options.options([("enable_seqscan", "off")]);
    let pool = one.connect_with(options).await.unwrap();
    let world = World::new(pool).await;
    let read = async || {
        world
            .count("select 1::bigint from pg_stat_force_next_flush()")
            .await;
        let read = "select seq_tup_read + idx_tup_fetch from pg_stat_user_tables \
                    where relname = 'trade_order'";
        world.count(read).await
    };
    for (member, kind, oldest) in [(ME, Filled, 1_000), (ME + 1, Canceled, 200_000)] {
        // Often enough for a plan that is kept.
        for _ in 0..12 {
            let before = read().await;
            let request = wire::ListOrderHistoryRequest {
                member_id: member,
                category: wire::OrderCategory::Stock.into(),
                kind: kind.into(),
                placed_before_us: Some((oldest + 5) * 1_000_000),
                ..wire::ListOrderHistoryRequest::default()
            };
            let page = world.orders.clone().list_order_history(request).await;
            let orders = page.unwrap().into_inner().orders;
            let ids: Vec<i64> = orders.iter().map(|order| order.order_id).collect();
            let newest_first: Vec<i64> = (oldest..oldest + 5).rev().collect();
            assert_eq!(ids, newest_first);
            assert_eq!(read().await - before, 5, "{kind:?}");
        }
    }
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
