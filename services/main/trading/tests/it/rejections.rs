//! Invalid requests: each gets its error and changes no row.

use prost::Message;
use proto::trading::v1 as wire;
use rstest::rstest;
use sqlx::PgPool;
use testkit::TempDatabase;
use tonic::Code;
use trading::tick_log::{LogRecord, Scope, SessionRecordKind, Tick};

use crate::world::{APPLE, BITCOIN, SAMSUNG, World, base_price, buy, dec, listing, reason, sell};

const ME: i64 = 100_001;

async fn money(world: &World) -> (i64, i64) {
    let account = world.basic(ME).await;
    (account.deposit_won, account.held_won)
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn values_that_are_not_numbers_are_malformed(pool: PgPool) {
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
            world.rejected(request).await,
            (Code::InvalidArgument, "MALFORMED".to_owned()),
            "{text:?}"
        );
        let mut request = buy(ME, SAMSUNG, "70000", "1");
        request.price = dec(text);
        assert_eq!(
            world.rejected(request).await.0,
            Code::InvalidArgument,
            "{text:?}"
        );
    }
    let mut request = buy(ME, SAMSUNG, "", "1");
    request.quantity = None;
    assert_eq!(world.rejected(request).await.0, Code::InvalidArgument);
    assert_eq!(world.count("select count(*) from trade_order").await, 0);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn incomplete_requests_are_malformed(pool: PgPool) {
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
        let rejected = world.rejected(request.clone()).await;
        assert_eq!(
            rejected,
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
async fn a_violated_rule_is_a_rejection_with_its_reason(
    #[case] price: &str,
    #[case] quantity: &str,
    #[case] expected: &str,
) {
    let database = TempDatabase::create(&testkit::database_url("postgres"), 10).await;
    trading::MIGRATOR.run(&database.pool).await.unwrap();
    let world = World::new(database.pool.clone()).await;
    let before = money(&world).await;
    let rejected = world.rejected(buy(ME, SAMSUNG, price, quantity)).await;
    assert_eq!(rejected, (Code::FailedPrecondition, expected.to_owned()));
    assert_eq!(money(&world).await, before);
    let rejected = "select count(*) from trade_order where status = 'REJECTED'";
    assert_eq!(world.count(rejected).await, 1);
    world.audit().await;
    drop(world);
    database.remove().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_order_for_an_untradable_instrument_is_rejected(pool: PgPool) {
    let mut world = World::new(pool).await;
    let rejected = (Code::FailedPrecondition, "NOT_TRADABLE".to_owned());
    let mut unknown = buy(ME, SAMSUNG, "", "1");
    unknown.instrument_code = "999999".to_owned();
    assert_eq!(world.rejected(unknown).await, rejected);
    let mut wrong_route = buy(ME, BITCOIN, "", "0.01");
    wrong_route.category = wire::OrderCategory::Stock.into();
    assert_eq!(world.rejected(wrong_route).await, rejected);
    let mut shown_only = listing(APPLE);
    shown_only.tradable = false;
    world
        .market_cache
        .set_listings([shown_only, listing(SAMSUNG)]);
    assert_eq!(world.rejected(buy(ME, APPLE, "", "1")).await, rejected);
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
async fn an_order_before_the_first_price_is_rejected_and_its_retry_accepted(pool: PgPool) {
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
async fn another_members_account_and_an_unknown_one_get_the_same_error(pool: PgPool) {
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
async fn another_members_order_is_not_found(pool: PgPool) {
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
    let problem = bootstrap::problem::of(&status).unwrap();
    assert_eq!(problem.facts["orderSid"], order.order_id.to_string());
    let current = wire::Order::decode(problem.subject.as_slice()).unwrap();
    let detail = world.detail(ME, order.order_id).await;
    assert_eq!(Some(current), detail.order);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_outdated_price_and_missing_shares_are_rejected(pool: PgPool) {
    let world = World::new(pool).await;
    let mut request = buy(ME, SAMSUNG, "", "1");
    request.seen_price = dec("60000");
    assert_eq!(world.rejected(request).await.1, "SLIPPAGE_GUARD");
    assert_eq!(
        world.rejected(sell(ME, SAMSUNG, "", "1")).await.1,
        "INSUFFICIENT_QTY"
    );
    assert_eq!(
        world
            .rejected(buy(ME, BITCOIN, "150000000", "0.00001"))
            .await
            .1,
        "MIN_AMOUNT"
    );
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn dollar_instruments_need_an_exchange_rate(pool: PgPool) {
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
    for rejected in [shown, placed] {
        let problem = bootstrap::problem::of(&rejected).unwrap();
        assert_eq!(problem.reason, "MARKET_UNAVAILABLE");
    }
    assert_eq!(world.count("select count(*) from trade_order").await, 0);
    world.audit().await;
}
