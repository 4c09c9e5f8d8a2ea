//! Bad inputs: a clear answer, and never a changed row.

use prost::Message;
use proto::trading::v1 as wire;
use rstest::rstest;
use sqlx::PgPool;
use testkit::TempDatabase;
use tonic::Code;
use trading::orders::validation::OrderLimits;
use trading::tick_log::{LogRecord, Scope, SessionRecordKind, Tick};

use crate::world::{APPLE, BITCOIN, SAMSUNG, World, base_price, buy, dec, listing, reason, sell};

const ME: i64 = 100_001;

async fn money(world: &World) -> (i64, i64) {
    let account = world.basic(ME).await;
    (account.deposit_won, account.held_won)
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn numbers_that_are_none_are_malformed(pool: PgPool) {
    let world = World::new(pool).await;
    for text in [
        "NaN",
        "Infinity",
        "-Infinity",
        "1e309",
        "1e400",
        "1,000",
        "１０",
        " 10 ",
        "",
        "0x10",
        "9223372036854775808000000000000000000000",
        "1000000000000001",
        "0.123456789",
        "--1",
    ] {
        let mut request = buy(ME, SAMSUNG, "70000", "1");
        request.quantity = dec(text);
        assert_eq!(
            world.refused(request).await,
            (Code::InvalidArgument, "MALFORMED".to_owned()),
            "{text:?}"
        );
        let mut request = buy(ME, SAMSUNG, "70000", "1");
        request.price = dec(text);
        assert_eq!(
            world.refused(request).await.0,
            Code::InvalidArgument,
            "{text:?}"
        );
    }
    let mut request = buy(ME, SAMSUNG, "", "1");
    request.quantity = None;
    assert_eq!(world.refused(request).await.0, Code::InvalidArgument);
    assert_eq!(world.count("select count(*) from trade_order").await, 0);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn requests_without_a_meaning_are_malformed(pool: PgPool) {
    let world = World::new(pool).await;
    let good = || buy(ME, SAMSUNG, "70000", "1");
    let account = |number: &str| {
        Some(wire::AccountRef {
            account_no: number.to_owned(),
        })
    };
    let long = "a".repeat(65);
    let requests = [
        wire::PlaceOrderRequest { side: 0, ..good() },
        wire::PlaceOrderRequest { side: 7, ..good() },
        wire::PlaceOrderRequest {
            category: 0,
            ..good()
        },
        wire::PlaceOrderRequest {
            member_id: 0,
            ..good()
        },
        wire::PlaceOrderRequest {
            member_id: -1,
            ..good()
        },
        wire::PlaceOrderRequest {
            instrument_code: String::new(),
            ..good()
        },
        wire::PlaceOrderRequest {
            instrument_code: long.clone(),
            ..good()
        },
        wire::PlaceOrderRequest {
            instrument_code: "0059\u{0}30".to_owned(),
            ..good()
        },
        wire::PlaceOrderRequest {
            request_id: "a".to_owned(),
            ..good()
        },
        wire::PlaceOrderRequest {
            request_id: "x".repeat(300),
            ..good()
        },
        wire::PlaceOrderRequest {
            request_id: "with space!".to_owned(),
            ..good()
        },
        wire::PlaceOrderRequest {
            account: account("abc"),
            ..good()
        },
        wire::PlaceOrderRequest {
            account: account("0000000000123"),
            ..good()
        },
    ];
    for request in requests {
        let refused = world.refused(request.clone()).await;
        assert_eq!(
            refused,
            (Code::InvalidArgument, "MALFORMED".to_owned()),
            "{request:?}"
        );
    }
    world.audit().await;
}

#[rstest]
#[case::zero("70000", "0", "INVALID_QUANTITY")]
#[case::negative("70000", "-1", "INVALID_QUANTITY")]
#[case::minus_zero("70000", "-0", "INVALID_QUANTITY")]
#[case::part("70000", "1.5", "INVALID_QUANTITY")]
#[case::negative_price("-70000", "1", "INVALID_TICK")]
#[case::off_tick("70050", "1", "INVALID_TICK")]
#[case::below_limit("49000", "1", "PRICE_LIMIT")]
#[case::above_limit("99000", "1", "PRICE_LIMIT")]
#[case::overflow("70000", "1000000000000000", "MAX_AMOUNT")]
#[case::two_to_the_31("70000", "2147483648", "MAX_AMOUNT")]
#[case::no_cash("70000", "100", "INSUFFICIENT_CASH")]
#[tokio::test]
async fn rules_are_told_with_their_reason(
    #[case] price: &str,
    #[case] quantity: &str,
    #[case] expected: &str,
) {
    let database = TempDatabase::create(&testkit::database_url("postgres"), 10).await;
    trading::MIGRATOR.run(&database.pool).await.unwrap();
    let world = World::new(database.pool.clone()).await;
    let before = money(&world).await;
    let refused = world.refused(buy(ME, SAMSUNG, price, quantity)).await;
    assert_eq!(refused, (Code::FailedPrecondition, expected.to_owned()));
    assert_eq!(money(&world).await, before);
    let rejected = "select count(*) from trade_order where status = 'REJECTED'";
    assert_eq!(world.count(rejected).await, 1);
    world.audit().await;
    drop(world);
    database.remove().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn what_cannot_be_traded_is_refused(pool: PgPool) {
    let mut world = World::new(pool).await;
    let refused = (Code::FailedPrecondition, "NOT_TRADABLE".to_owned());
    let mut unknown = buy(ME, SAMSUNG, "", "1");
    unknown.instrument_code = "999999".to_owned();
    assert_eq!(world.refused(unknown).await, refused);
    let mut wrong_route = buy(ME, BITCOIN, "", "0.01");
    wrong_route.category = wire::OrderCategory::Stock.into();
    assert_eq!(world.refused(wrong_route).await, refused);
    let mut shown_only = listing(APPLE);
    shown_only.tradable = false;
    world
        .market_cache
        .set_listings([shown_only, listing(SAMSUNG)]);
    assert_eq!(world.refused(buy(ME, APPLE, "", "1")).await, refused);
    let halt = world.session_record(
        SessionRecordKind::Halt,
        Scope::Code(SAMSUNG.to_owned()),
        crate::world::DAY,
    );
    world.log(vec![halt]).await;
    let status = world.place(buy(ME, SAMSUNG, "", "1")).await.unwrap_err();
    assert_eq!(reason(&status), "NOT_TRADABLE");
    assert_eq!(status.message(), "거래가 정지된 종목이에요.");
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn before_the_first_price_nothing_can_be_ordered_and_then_the_same_request_can(pool: PgPool) {
    let mut world = World::new(pool).await;
    let mut silent = listing(SAMSUNG);
    silent.code = "000660".to_owned();
    world.market_cache.set_listings([silent]);
    let mut request = buy(ME, SAMSUNG, "", "1");
    request.instrument_code = "000660".to_owned();
    request.request_id = "before-the-first-price".to_owned();
    let status = world.place(request.clone()).await.unwrap_err();
    assert_eq!(reason(&status), "MARKET_UNAVAILABLE");
    assert!(status.message().starts_with("시세 대기"));
    assert_eq!(world.count("select count(*) from trade_order").await, 0);
    world.audit().await;

    let tick = match world.tick(SAMSUNG, base_price(SAMSUNG), 1_000) {
        LogRecord::Tick(tick) => Tick {
            code: "000660".to_owned(),
            ..tick
        },
        other => panic!("no tick: {other:?}"),
    };
    world.log(vec![LogRecord::Tick(tick)]).await;
    let placed = world.place(request).await.unwrap();
    assert!(!placed.replayed);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn another_members_account_and_an_unknown_one_get_the_same_answer(pool: PgPool) {
    let world = World::new(pool).await;
    let theirs = world.basic(ME + 1).await.account_no;
    let mut answers = Vec::new();
    for number in [theirs.as_str(), "999999999900", "99"] {
        let mut request = buy(ME, SAMSUNG, "70000", "1");
        request.account = Some(wire::AccountRef {
            account_no: number.to_owned(),
        });
        let status = world.place(request).await.unwrap_err();
        answers.push((status.code(), status.message().to_owned(), reason(&status)));
        let wanted = wire::ListHoldingsRequest {
            member_id: ME,
            account_no: number.to_owned(),
            ..wire::ListHoldingsRequest::default()
        };
        let status = world
            .client
            .clone()
            .list_holdings(wanted)
            .await
            .unwrap_err();
        answers.push((status.code(), status.message().to_owned(), reason(&status)));
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]));
    assert_eq!(answers[0].0, Code::PermissionDenied);
    assert_eq!(answers[0].2, "ACCOUNT_FORBIDDEN");
    assert_eq!(world.basic(ME + 1).await.held_won, 0);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn another_members_order_does_not_exist(pool: PgPool) {
    let world = World::new(pool).await;
    let theirs = world.placed(buy(ME + 1, SAMSUNG, "70000", "1")).await;
    let status = world.cancel(&theirs, ME).await.unwrap_err();
    assert_eq!(
        (status.code(), reason(&status)),
        (Code::NotFound, "ORDER_NOT_FOUND".to_owned())
    );
    let request = wire::GetOrderRequest {
        member_id: ME,
        order_id: theirs.order_id,
    };
    let status = world.client.clone().get_order(request).await.unwrap_err();
    assert_eq!(status.code(), Code::NotFound);
    assert_eq!(world.waiting(ME + 1).await.len(), 1);
    for (side, category) in [
        (wire::OrderSide::Sell, wire::OrderCategory::Stock),
        (wire::OrderSide::Buy, wire::OrderCategory::Coin),
    ] {
        let disagrees = wire::Order {
            side: side.into(),
            category: category.into(),
            ..theirs.clone()
        };
        let status = world.cancel(&disagrees, ME + 1).await.unwrap_err();
        assert_eq!(status.code(), Code::NotFound);
    }
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_filled_order_cannot_be_canceled(pool: PgPool) {
    let mut world = World::new(pool).await;
    let order = world.placed(buy(ME, SAMSUNG, "", "1")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let status = world.cancel(&order, ME).await.unwrap_err();
    assert_eq!(
        (status.code(), reason(&status)),
        (Code::Aborted, "ORDER_ALREADY_FILLED".to_owned())
    );
    assert_eq!(status.message(), "이미 체결된 주문이에요.");
    let told = bootstrap::problem::of(&status).unwrap();
    assert_eq!(told.facts["orderSid"], order.order_id.to_string());
    let current = wire::Order::decode(told.subject.as_slice()).unwrap();
    let detail = world.detail(ME, order.order_id).await;
    assert_eq!(Some(current), detail.order);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_price_seen_long_ago_and_missing_shares_are_refused(pool: PgPool) {
    let world = World::new(pool).await;
    let mut request = buy(ME, SAMSUNG, "", "1");
    request.seen_price = dec("60000");
    assert_eq!(world.refused(request).await.1, "SLIPPAGE_GUARD");
    assert_eq!(
        world.refused(sell(ME, SAMSUNG, "", "1")).await.1,
        "INSUFFICIENT_QTY"
    );
    assert_eq!(
        world
            .refused(buy(ME, BITCOIN, "150000000", "0.00001"))
            .await
            .1,
        "MIN_AMOUNT"
    );
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn orders_come_at_a_bounded_pace(pool: PgPool) {
    let world = World::with(pool, OrderLimits::default()).await;
    for _ in 0..5 {
        world.placed(buy(ME, SAMSUNG, "70000", "1")).await;
    }
    let mut sixth = buy(ME, SAMSUNG, "70000", "1");
    sixth.request_id = "the-sixth-order".to_owned();
    let refused = world.place(sixth.clone()).await.unwrap_err();
    let told = bootstrap::problem::of(&refused).unwrap();
    assert_eq!(refused.code(), Code::ResourceExhausted);
    assert_eq!((told.reason.as_str(), told.replayed), ("ORDER_RATE", false));
    assert_eq!(told.facts["retryAfterS"], "1");
    // Nothing is left of it, so the same request works as soon as it was told to come back.
    assert_eq!(world.count("select count(*) from trade_order").await, 5);
    assert_eq!(world.count("select count(*) from request").await, 5);
    world.clock.advance(chrono::TimeDelta::seconds(1));
    assert!(!world.place(sixth).await.unwrap().replayed);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_full_minute_slides_and_says_when_it_takes_another_order(pool: PgPool) {
    let world = World::with(
        pool,
        OrderLimits {
            per_minute: 2,
            ..OrderLimits::default()
        },
    )
    .await;
    // Another minute of the clock begins four seconds later, and changes nothing.
    world.clock.advance(chrono::TimeDelta::seconds(58));
    let first = world.placed(buy(ME, SAMSUNG, "70000", "1")).await;
    world.placed(buy(ME, SAMSUNG, "70000", "1")).await;
    world.clock.advance(chrono::TimeDelta::seconds(4));
    let mut third = buy(ME, SAMSUNG, "70000", "1");
    third.request_id = "the-third-order".to_owned();
    let refused = world.place(third.clone()).await.unwrap_err();
    let modify = wire::ModifyOrderRequest {
        member_id: ME,
        request_id: "a-modification".to_owned(),
        order_id: first.order_id,
        side: first.side,
        category: first.category,
        price: dec("69000"),
        ..wire::ModifyOrderRequest::default()
    };
    let mut orders = world.orders.clone();
    let modified = orders.modify_order(modify.clone()).await.unwrap_err();
    for refused in [refused, modified] {
        let told = bootstrap::problem::of(&refused).unwrap();
        assert_eq!(told.reason, "ORDER_RATE");
        assert_eq!(told.facts["retryAfterS"], "26");
    }
    world.clock.advance(chrono::TimeDelta::milliseconds(25_500));
    let early = world.place(third.clone()).await.unwrap_err();
    let told = bootstrap::problem::of(&early).unwrap();
    assert_eq!(told.facts["retryAfterS"], "1");
    world.clock.advance(chrono::TimeDelta::milliseconds(500));
    orders.modify_order(modify).await.unwrap();
    // It took the place of one; the next is free when another half of the minute is over.
    world.place(third.clone()).await.unwrap_err();
    world.clock.advance(chrono::TimeDelta::seconds(30));
    world.place(third).await.unwrap();
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn without_a_rate_nothing_in_dollars_is_shown_or_traded(pool: PgPool) {
    let mut world = World::new(pool).await;
    let request = || wire::PreviewOrderRequest {
        member_id: ME,
        instrument_code: APPLE.to_owned(),
        side: wire::OrderSide::Sell.into(),
        price: dec("230"),
        quantity: dec("1"),
        ..wire::PreviewOrderRequest::default()
    };
    let mut orders = world.orders.clone();
    orders.preview_order(request()).await.unwrap();
    let LogRecord::Tick(mut tick) = world.tick(APPLE, base_price(APPLE), 1_000) else {
        panic!("a tick is a tick");
    };
    tick.fx_rate = None;
    world.log(vec![LogRecord::Tick(tick)]).await;
    let shown = orders.preview_order(request()).await.unwrap_err();
    let placed = world.place(buy(ME, APPLE, "230", "1")).await.unwrap_err();
    for refused in [shown, placed] {
        let told = bootstrap::problem::of(&refused).unwrap();
        assert_eq!(told.reason, "MARKET_UNAVAILABLE");
    }
    assert_eq!(world.count("select count(*) from trade_order").await, 0);
    world.audit().await;
}
