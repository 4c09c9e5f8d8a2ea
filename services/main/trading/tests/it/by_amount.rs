//! Market buys by amount: whatever the price does before the fill, the amount is the most they cost.

use futures_util::future::join_all;
use kernel::Won;
use proto::trading::v1::{self as wire, OrderSide, OrderStatus};
use rust_decimal::Decimal;
use rust_decimal_macros::dec;
use sqlx::PgPool;
use tonic::Code;
use trading::domain::split::SplitRatio;
use trading::tick_log::{LogRecord, Scope, SessionRecordKind};

use crate::world::{APPLE, BITCOIN, DAY, SAMSUNG, World, buy, dec, number, order, reason};

const ME: i64 = 100_001;

/// A market buy for at most `won`, without a quantity.
fn buy_for(code: &str, won: i64) -> wire::PlaceOrderRequest {
    wire::PlaceOrderRequest {
        quantity: None,
        order_amount_won: Some(won),
        ..buy(ME, code, "", "1")
    }
}

/// The order as it stands, with what it has cost.
async fn standing(world: &World, order: &wire::Order) -> (wire::Order, i64) {
    let now = world.detail(ME, order.order_id).await.order.unwrap();
    let cost = now.filled_amount_won + now.fee_won;
    (now, cost)
}

/// A trade with another exchange rate.
async fn trade_at_rate(world: &mut World, code: &str, price: &str, fx_rate: i64) {
    world.log(Vec::new()).await;
    let mut record = world.tick(code, price.parse().unwrap(), 1_000);
    if let LogRecord::Tick(tick) = &mut record {
        tick.fx_rate = Some(Decimal::from(fx_rate));
    }
    world.log(vec![record]).await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_price_that_rises_before_the_fill_buys_less(pool: PgPool) {
    let mut world = World::new(pool).await;
    let placed = world.placed(buy_for(SAMSUNG, 500_000)).await;
    assert_eq!(number(&placed.quantity), dec!(7));
    assert_eq!(
        (placed.held_won, placed.order_amount_won),
        (500_000, Some(500_000))
    );
    assert_eq!(world.basic(ME).await.held_won, 500_000);
    world.trade(SAMSUNG, "72000", 1_000).await;
    let (now, cost) = standing(&world, &placed).await;
    assert_eq!(
        (now.status(), now.end_reason.as_str()),
        (OrderStatus::Canceled, "AMOUNT_REACHED")
    );
    // Six at 72,100; the seventh would make it 504,775.
    assert_eq!(number(&now.filled_quantity), dec!(6));
    assert_eq!((cost, now.held_won), (432_600 + 64, 0));
    let account = world.basic(ME).await;
    assert_eq!(
        (account.deposit_won, account.held_won),
        (5_000_000 - cost, 0)
    );
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_price_that_stays_or_falls_buys_everything(pool: PgPool) {
    let mut world = World::new(pool).await;
    for (price, cost) in [("71300", 499_874), ("71000", 497_774)] {
        let placed = world.placed(buy_for(SAMSUNG, 500_000)).await;
        world.trade(SAMSUNG, price, 1_000).await;
        let (now, paid) = standing(&world, &placed).await;
        assert_eq!((now.status(), paid), (OrderStatus::Filled, cost));
        world.trade(SAMSUNG, "71300", 1).await;
    }
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_amount_covers_the_fills_of_many_ticks_together(pool: PgPool) {
    let mut world = World::new(pool).await;
    let placed = world.placed(buy_for(SAMSUNG, 500_000)).await;
    // A quarter of the volume: two of seven at a time.
    for (price, filled) in [("71300", dec!(2)), ("71800", dec!(4)), ("72000", dec!(6))] {
        world.trade(SAMSUNG, price, 8).await;
        let (now, cost) = standing(&world, &placed).await;
        assert_eq!(now.status(), OrderStatus::Partial);
        assert_eq!(number(&now.filled_quantity), filled);
        assert!(cost + now.held_won <= 500_000);
    }
    world.restart_matcher(0).await;
    world.trade(SAMSUNG, "72000", 8).await;
    let (now, cost) = standing(&world, &placed).await;
    assert_eq!(now.end_reason, "AMOUNT_REACHED");
    assert_eq!(number(&now.filled_quantity), dec!(6));
    assert_eq!(cost, 142_800 + 143_800 + 144_200 + 64);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn coins_fill_to_the_last_decimal_that_the_amount_affords(pool: PgPool) {
    let mut world = World::new(pool).await;
    let placed = world.placed(buy_for(BITCOIN, 123_456)).await;
    world.trade(BITCOIN, "151000000", 1_000).await;
    let (now, cost) = standing(&world, &placed).await;
    assert_eq!(now.end_reason, "AMOUNT_REACHED");
    assert!(number(&now.filled_quantity) < number(&placed.quantity));
    // A hundred-millionth costs less than two won.
    assert!((123_454..=123_456).contains(&cost), "{cost}");
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_exchange_rate_that_rises_buys_less(pool: PgPool) {
    let mut world = World::new(pool).await;
    let placed = world.placed(buy_for(APPLE, 680_000)).await;
    assert_eq!(number(&placed.quantity), dec!(2));
    assert_eq!(placed.held_won, 680_000);
    trade_at_rate(&mut world, APPLE, "230.50", 1_500).await;
    let (now, cost) = standing(&world, &placed).await;
    assert_eq!(
        (now.end_reason.as_str(), number(&now.filled_quantity)),
        ("AMOUNT_REACHED", dec!(1))
    );
    // 230.51 × 1,500 × 1.001, up, and a fee of 345.
    assert_eq!(cost, 346_111 + 345);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_amount_above_the_hold_takes_only_free_cash(pool: PgPool) {
    let mut world = World::new(pool).await;
    // Two shares of three that the amount affords.
    let request = wire::PlaceOrderRequest {
        quantity: dec("2"),
        ..buy_for(APPLE, 1_100_000)
    };
    let placed = world.placed(request).await;
    assert!(placed.held_won < 740_000);
    let rest = world.basic(ME).await.available_won;
    let other = world.placed(buy_for(SAMSUNG, rest)).await;
    assert_eq!(other.held_won, rest);
    trade_at_rate(&mut world, APPLE, "230.50", 1_700).await;
    let (now, cost) = standing(&world, &placed).await;
    assert_eq!(
        (now.end_reason.as_str(), number(&now.filled_quantity)),
        ("INSUFFICIENT_CASH", dec!(1))
    );
    assert!(cost <= placed.held_won);
    world.trade(SAMSUNG, "72500", 1_000).await;
    let (_, other_cost) = standing(&world, &other).await;
    assert!(other_cost <= rest);
    assert_eq!(
        world.basic(ME).await.deposit_won,
        5_000_000 - cost - other_cost
    );
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn concurrent_amounts_share_the_cash_exactly(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.basic(ME).await;
    let asked = [2_500_000; 4].map(|won| world.place(buy_for(SAMSUNG, won)));
    let replies = join_all(asked).await;
    let (placed, rejected): (Vec<_>, Vec<_>) = replies.into_iter().partition(Result::is_ok);
    assert_eq!((placed.len(), rejected.len()), (2, 2));
    for status in rejected {
        assert_eq!(reason(&status.unwrap_err()), "INSUFFICIENT_CASH");
    }
    let account = world.basic(ME).await;
    assert_eq!((account.held_won, account.available_won), (5_000_000, 0));
    world.trade(SAMSUNG, "73000", 1_000).await;
    let mut total = 0;
    for reply in placed {
        let order = reply.unwrap().order.unwrap();
        let (now, cost) = standing(&world, &order).await;
        assert_eq!(now.end_reason, "AMOUNT_REACHED");
        assert!(cost <= 2_500_000);
        total += cost;
    }
    let account = world.basic(ME).await;
    assert_eq!(
        (account.deposit_won, account.held_won),
        (5_000_000 - total, 0)
    );
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_amount_is_part_of_the_request(pool: PgPool) {
    let world = World::new(pool).await;
    let keyed = |request: wire::PlaceOrderRequest| wire::PlaceOrderRequest {
        request_id: "by-amount-1".to_owned(),
        ..request
    };
    let first = world.place(keyed(buy_for(SAMSUNG, 500_000))).await.unwrap();
    let again = world.place(keyed(buy_for(SAMSUNG, 500_000))).await.unwrap();
    assert!(again.replayed);
    assert_eq!(again.order, first.order);
    let bounded = wire::PlaceOrderRequest {
        quantity: dec("7"),
        ..buy_for(SAMSUNG, 500_000)
    };
    for other in [
        buy_for(SAMSUNG, 500_001),
        bounded,
        buy(ME, SAMSUNG, "", "7"),
    ] {
        let status = world.place(keyed(other)).await.unwrap_err();
        assert_eq!(
            (status.code(), reason(&status)),
            (Code::AlreadyExists, "REQ_SID_REUSED".to_owned())
        );
    }
    assert_eq!(world.count("select count(*) from trade_order").await, 1);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn only_a_market_buy_has_an_amount(pool: PgPool) {
    let world = World::new(pool).await;
    let amount = |request: wire::PlaceOrderRequest, won: i64| wire::PlaceOrderRequest {
        order_amount_won: Some(won),
        ..request
    };
    for malformed in [
        amount(buy(ME, SAMSUNG, "71300", "1"), 100_000),
        amount(order(ME, SAMSUNG, OrderSide::Sell, "", "1"), 100_000),
        buy_for(SAMSUNG, 0),
        buy_for(SAMSUNG, -1),
        buy_for(SAMSUNG, i64::MIN),
    ] {
        let status = world.place(malformed).await.unwrap_err();
        assert_eq!(
            (status.code(), reason(&status)),
            (Code::InvalidArgument, "MALFORMED".to_owned())
        );
    }
    assert_eq!(world.count("select count(*) from trade_order").await, 0);
    for (code, won, expected) in [
        (SAMSUNG, 71_409, "MIN_AMOUNT"),
        (BITCOIN, 4_999, "MIN_AMOUNT"),
        (SAMSUNG, i64::MAX, "MAX_AMOUNT"),
        (SAMSUNG, 5_000_001, "INSUFFICIENT_CASH"),
    ] {
        let rejected = world.rejected(buy_for(code, won)).await;
        assert_eq!(rejected, (Code::FailedPrecondition, expected.to_owned()));
    }
    assert_eq!(world.basic(ME).await.held_won, 0);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_order_by_amount_is_canceled_but_not_modified(pool: PgPool) {
    let world = World::new(pool).await;
    let placed = world.placed(buy_for(SAMSUNG, 500_000)).await;
    for (price, quantity) in [("", "3"), ("71300", ""), ("71300", "3")] {
        let request = wire::ModifyOrderRequest {
            member_id: ME,
            order_id: placed.order_id,
            side: placed.side,
            category: placed.category,
            price: dec(price).filter(|price| !price.value.is_empty()),
            quantity: dec(quantity).filter(|quantity| !quantity.value.is_empty()),
            ..wire::ModifyOrderRequest::default()
        };
        let modified = world.orders.clone().modify_order(request).await;
        let status = modified.unwrap_err();
        assert_eq!(reason(&status), "MODIFY_NOTHING");
        assert!(status.message().starts_with("금액으로 한 주문"));
    }
    let now = world.detail(ME, placed.order_id).await.order.unwrap();
    assert_eq!(now, placed);
    let canceled = world.cancel(&placed, ME).await.unwrap().order.unwrap();
    assert_eq!(canceled.order_amount_won, Some(500_000));
    assert_eq!(world.basic(ME).await.held_won, 0);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_split_changes_the_quantity_and_not_the_amount(pool: PgPool) {
    let mut world = World::new(pool).await;
    let placed = world.placed(buy_for(SAMSUNG, 500_000)).await;
    world.log(Vec::new()).await;
    let ratio = SplitRatio {
        numerator: 2,
        denominator: 1,
    };
    let scope = Scope::Code(SAMSUNG.to_owned());
    let split = world.session_record(SessionRecordKind::Split(ratio), scope, DAY);
    world.log(vec![split]).await;
    let (now, _) = standing(&world, &placed).await;
    assert_eq!(number(&now.quantity), dec!(14));
    assert_eq!(
        (now.held_won, now.order_amount_won),
        (500_000, Some(500_000))
    );
    world.trade(SAMSUNG, "35700", 1_000).await;
    let (now, cost) = standing(&world, &placed).await;
    // Thirteen at 35,750; fourteen would be 500,575.
    assert_eq!(number(&now.filled_quantity), dec!(13));
    assert_eq!(cost, 464_750 + 69);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_preview_by_amount_is_what_the_fill_costs(pool: PgPool) {
    let mut world = World::new(pool).await;
    let request = |won: Option<i64>, price: &str, side: OrderSide| wire::PreviewOrderRequest {
        member_id: ME,
        instrument_code: SAMSUNG.to_owned(),
        side: side.into(),
        price: dec(price).filter(|price| !price.value.is_empty()),
        order_amount_won: won,
        ..wire::PreviewOrderRequest::default()
    };
    let mut orders = world.orders.clone();
    let shown = orders.preview_order(request(Some(500_000), "", OrderSide::Buy));
    let shown = shown.await.unwrap().into_inner();
    assert_eq!(number(&shown.quantity), dec!(7));
    assert_eq!((shown.total_won, shown.hold_won), (499_874, Some(500_000)));
    let placed = world.placed(buy_for(SAMSUNG, 500_000)).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    assert_eq!(standing(&world, &placed).await.1, shown.total_won);

    let below = orders.preview_order(request(Some(71_409), "", OrderSide::Buy));
    let problem = bootstrap::problem::of(&below.await.unwrap_err()).unwrap();
    assert_eq!(problem.reason, "MIN_AMOUNT");
    assert_eq!(problem.facts["least"], Won(71_410).0.to_string());
    for (won, price, side) in [
        (Some(500_000), "71300", OrderSide::Buy),
        (Some(500_000), "", OrderSide::Sell),
        (Some(0), "", OrderSide::Buy),
        (None, "", OrderSide::Buy),
    ] {
        let refused = orders.preview_order(request(won, price, side)).await;
        assert_eq!(refused.unwrap_err().code(), Code::InvalidArgument);
    }
    world.audit().await;
}
