//! Cards from a member's own trades: made of fills once each, bounded, explained and asked about.

use std::time::Duration;

use chrono::TimeDelta;
use education::MIGRATOR;
use education::domain::cards::CardKind;
use education::domain::trade_cards::KEPT_ORDERS;
use education::order_events::{self, FILLED};
use messaging::outbox::{self, Relay};
use messaging::{Amqp, Event, NewEvent};
use prost::Message;
use proto::common::v1::{Currency, Decimal};
use proto::education::v1::{CardKind as Kind, ListTradeCardsRequest, TradeCard};
use proto::trading::v1::{Fill, FillNotice, Order, OrderCategory, OrderFilled, OrderSide};
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::CONTENT;
use crate::world::{MEMBER, OTHER, World};

mod quizzes;

const TIMEOUT: Duration = Duration::from_secs(60);
/// 2026-11-23 10:00 in Korea.
const MORNING_US: i64 = 1_795_395_600_000_000;

fn decimal(text: &str) -> Option<Decimal> {
    Some(Decimal {
        value: text.to_owned(),
    })
}

/// A market purchase of 40 shares, three ticks above the price.
fn bought(order_id: i64) -> OrderFilled {
    let order = Order {
        order_id,
        instrument_name: "가 회사".to_owned(),
        side: OrderSide::Buy.into(),
        category: OrderCategory::Stock.into(),
        currency: Currency::Krw.into(),
        quantity: decimal("40"),
        filled_quantity: decimal("40"),
        filled_amount_won: 401_200,
        fee_won: 60,
        ..Order::default()
    };
    let fill = Fill {
        order_id,
        event_time_us: MORNING_US + order_id,
        rule: "MARKET_BID_ASK".to_owned(),
        slippage_ticks: 3,
        slippage_won: Some(1_200),
        quantity: decimal("40"),
        ..Fill::default()
    };
    OrderFilled {
        notice: Some(FillNotice {
            seq: 1,
            member_id: MEMBER,
            order: Some(order),
            fill: Some(fill),
        }),
    }
}

fn changed(
    mut filled: OrderFilled,
    change: impl FnOnce(&mut FillNotice, &mut Order, &mut Fill),
) -> OrderFilled {
    let mut notice = filled.notice.take().unwrap();
    let (mut order, mut fill) = (notice.order.take().unwrap(), notice.fill.take().unwrap());
    change(&mut notice, &mut order, &mut fill);
    (notice.order, notice.fill) = (Some(order), Some(fill));
    filled.notice = Some(notice);
    filled
}

/// The first ten and the other thirty of the same order.
fn parts(order_id: i64) -> [OrderFilled; 2] {
    let first = changed(bought(order_id), |_, order, fill| {
        order.filled_quantity = decimal("10");
        (order.filled_amount_won, order.fee_won) = (100_100, 15);
        (fill.quantity, fill.slippage_won) = (decimal("10"), Some(100));
        fill.slippage_ticks = 1;
    });
    let second = changed(bought(order_id), |_, _, fill| {
        (fill.quantity, fill.slippage_won) = (decimal("30"), Some(900));
        fill.event_time_us += 1_000_000;
    });
    [first, second]
}

fn event(body: &OrderFilled) -> Event {
    Event {
        event_id: Uuid::now_v7(),
        event_type: FILLED.to_owned(),
        aggregate_id: "order-1".to_owned(),
        occurred_at: chrono::DateTime::UNIX_EPOCH,
        body: body.encode_to_vec().into(),
    }
}

async fn hear(world: &World, body: &OrderFilled) {
    order_events::note(&world.store, event(body)).await.unwrap();
}

async fn cards_of(world: &World, member_id: i64, order_id: i64) -> Vec<TradeCard> {
    let request = ListTradeCardsRequest {
        member_id,
        order_id,
        ..ListTradeCardsRequest::default()
    };
    let answer = world.cards.clone().list_trade_cards(request).await;
    answer.unwrap().into_inner().cards
}

async fn cards(world: &World) -> Vec<TradeCard> {
    cards_of(world, MEMBER, 0).await
}

fn kinds(cards: &[TradeCard]) -> Vec<Kind> {
    cards.iter().map(TradeCard::kind).collect()
}

#[test]
fn every_kind_has_content_that_belongs_together() {
    for kind in CardKind::ALL {
        let references = kind.references();
        let article = &CONTENT.articles[references.article];
        assert!(CONTENT.quizzes.contains_key(references.quiz), "{kind:?}");
        assert_eq!(CONTENT.quizzes[references.quiz].theme, article.theme);
        let mut terms = CONTENT.terms.values();
        if let Some(word) = references.term {
            assert!(terms.any(|term| term.word == word), "{word}");
        }
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_fill_becomes_cards_with_its_numbers(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T10:01").await;
    assert!(cards(&world).await.is_empty());
    hear(&world, &bought(7)).await;
    let found = cards(&world).await;
    assert_eq!(kinds(&found), [Kind::Slippage, Kind::Fee]);
    let slippage = &found[0];
    assert_eq!((slippage.won, slippage.slippage_ticks), (1_200, 3));
    assert_eq!(slippage.instrument_name, "가 회사");
    assert_eq!(slippage.traded_at_us, MORNING_US + 7);
    assert_eq!(slippage.filled_quantity, decimal("40"));
    assert_eq!(slippage.term.as_ref().unwrap().word, "슬리피지");
    assert_eq!(slippage.article_id, "orders-3");
    assert!(!slippage.article_title.is_empty() && slippage.is_due);
    assert_eq!(found[1].won, 60);
    assert!(found[1].term.is_none());
    assert_eq!(cards_of(&world, MEMBER, 7).await, found);
    assert!(cards_of(&world, MEMBER, 8).await.is_empty());
    assert!(cards_of(&world, OTHER, 0).await.is_empty());
    assert!(
        cards_of(&world, OTHER, 7).await.is_empty(),
        "another's order"
    );
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_repeated_event_changes_nothing(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T10:01").await;
    let [first, second] = parts(7).map(|part| event(&part));
    for again in [&first, &first, &second, &first, &second] {
        order_events::note(&world.store, again.clone())
            .await
            .unwrap();
    }
    let found = cards(&world).await;
    assert_eq!(kinds(&found), [Kind::Slippage, Kind::Partial, Kind::Fee]);
    assert_eq!((found[0].won, found[0].slippage_ticks), (1_000, 3));
    assert_eq!((found[1].won, found[1].fills), (401_200, 2));
    assert_eq!(found[2].won, 60);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn fills_that_arrive_together_or_the_wrong_way_round_add_up(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T10:01").await;
    let [first, second] = parts(7);
    hear(&world, &second).await;
    let found = cards(&world).await;
    assert_eq!(kinds(&found), [Kind::Fee], "a part is missing: {found:?}");
    hear(&world, &first).await;
    assert_eq!(cards(&world).await[0].won, 1_000);
    // Two orders at a time, each part twice.
    let bodies = [parts(8), parts(9)].concat();
    let events: Vec<Event> = bodies.iter().map(event).collect();
    let heard = events.iter().chain(&events).map(|event| {
        let (store, event) = (world.store.clone(), event.clone());
        tokio::spawn(async move { order_events::note(&store, event).await })
    });
    for done in heard.collect::<Vec<_>>() {
        done.await.unwrap().unwrap();
    }
    for order in [8, 9] {
        let found = cards_of(&world, MEMBER, order).await;
        assert_eq!(kinds(&found), [Kind::Slippage, Kind::Partial, Kind::Fee]);
        assert_eq!((found[0].won, found[1].fills), (1_000, 2), "{order}");
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn what_is_stored_of_a_member_is_bounded(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T10:01").await;
    let dollars = changed(bought(1), |_, order, fill| {
        order.currency = Currency::Usd.into();
        fill.exchange_cost_won = Some(401);
    });
    hear(&world, &dollars).await;
    for order in 2..60 {
        hear(&world, &bought(order)).await;
    }
    let stored: i64 = sqlx::query_scalar("select count(*) from traded_order")
        .fetch_one(&world.pool)
        .await
        .unwrap();
    assert_eq!(stored, i64::try_from(KEPT_ORDERS).unwrap() + 1);
    let newest = cards(&world).await;
    let orders: Vec<i64> = newest.iter().map(|card| card.order_id).collect();
    assert_eq!(kinds(&newest), [Kind::Slippage, Kind::Exchange, Kind::Fee]);
    assert_eq!(orders, [59, 1, 59]);
    assert_eq!(newest[1].won, 401);
    // A late fill of an order that was removed is not mistaken for all of it.
    let [_, late] = parts(3);
    let late = changed(late, |_, _, fill| fill.event_time_us += 60_000_000);
    hear(&world, &late).await;
    assert_eq!(kinds(&cards_of(&world, MEMBER, 3).await), [Kind::Fee]);
    // One that is older than all that is kept leaves nothing.
    hear(&world, &bought(4)).await;
    assert!(cards_of(&world, MEMBER, 4).await.is_empty());
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn nonsense_is_refused_and_leaves_nothing(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T10:01").await;
    type Change = fn(&mut FillNotice, &mut Order, &mut Fill);
    let wrong: [Change; 13] = [
        |notice, _, _| notice.member_id = 0,
        |notice, _, _| notice.member_id = -1,
        |_, order, _| order.order_id = 0,
        |_, order, _| order.side = 0,
        |_, order, _| order.side = 99,
        |_, order, _| order.category = 0,
        |_, order, _| order.currency = 0,
        |_, order, _| order.filled_quantity = None,
        |_, order, _| order.fee_won = -1,
        |_, _, fill| fill.slippage_won = Some(i64::MIN),
        |_, _, fill| fill.quantity = decimal("abc"),
        |_, _, fill| fill.quantity = decimal("79228162514264337593543950335"),
        |_, _, fill| fill.event_time_us = i64::MAX,
    ];
    let mut bodies: Vec<OrderFilled> = wrong
        .into_iter()
        .map(|change| changed(bought(7), change))
        .collect();
    bodies.push(OrderFilled::default());
    for body in &bodies {
        let refused = order_events::note(&world.store, event(body)).await;
        refused.expect_err(&format!("{body:?}"));
    }
    let undecodable = Event {
        body: vec![255_u8; 9].into(),
        ..event(&bought(7))
    };
    order_events::note(&world.store, undecodable)
        .await
        .unwrap_err();
    let rows: i64 = sqlx::query_scalar(
        "select (select count(*) from inbox) + (select count(*) from trader) \
         + (select count(*) from traded_order)",
    )
    .fetch_one(&world.pool)
    .await
    .unwrap();
    assert_eq!(rows, 0);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn an_older_trading_that_tells_no_sums_makes_no_card_of_them(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T10:01").await;
    let old = changed(bought(7), |_, _, fill| fill.slippage_won = None);
    hear(&world, &old).await;
    assert_eq!(kinds(&cards(&world).await), [Kind::Fee]);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn events_are_forgotten_after_three_months(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T10:01").await;
    hear(&world, &bought(7)).await;
    world.work().await;
    let kept = async || {
        let count = sqlx::query_scalar::<_, i64>("select count(*) from inbox");
        count.fetch_one(&world.pool).await.unwrap()
    };
    assert_eq!(kept().await, 1);
    // As if the database had the time of this clock.
    sqlx::query("update inbox set received_at = '2026-11-23 10:01+09'")
        .execute(&world.pool)
        .await
        .unwrap();
    world.clock.advance(TimeDelta::days(91));
    world.work().await;
    assert_eq!(kept().await, 0);
    assert_eq!(cards(&world).await.len(), 2);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn fills_arrive_over_the_broker_through_restarts(pool: PgPool) {
    let world = World::at(pool, "2026-11-23T10:01").await;
    let stop = CancellationToken::new();
    let amqp = Amqp::new(&testkit::amqp_url()).unwrap();
    let tell = async |body: &OrderFilled| {
        let mut connection = world.pool.acquire().await.unwrap();
        let event = NewEvent::new(FILLED, "order-7".to_owned(), body, &world.clock);
        outbox::append_all(&mut connection, [event]).await.unwrap();
    };
    let relay = Relay::new(world.pool.clone(), amqp.clone(), "education");
    tokio::spawn(relay.run(stop.clone()));
    let queue: &'static str = testkit::unique("test.education-fills").leak();
    let start = || {
        let killed = CancellationToken::new();
        let follow = order_events::follow(world.store.clone(), amqp.clone(), queue, killed.clone());
        (tokio::spawn(follow), killed)
    };
    let (first, _running) = start();
    // Queues of other tests take what this one does not yet: it is bound when something arrives.
    testkit::eventually(TIMEOUT, async || {
        tell(&bought(7)).await;
        !cards(&world).await.is_empty()
    })
    .await;
    // The process is gone at once; what is told meanwhile waits in its queue.
    first.abort();
    let [one, two] = parts(9_300_000_000_007);
    tell(&one).await;
    tell(&OrderFilled::default()).await;
    tell(&two).await;
    let (_second, running) = start();
    testkit::eventually(TIMEOUT, async || {
        let found = cards_of(&world, MEMBER, 9_300_000_000_007).await;
        found.first().is_some_and(|card| card.won == 1_000)
    })
    .await;
    running.cancel();
    stop.cancel();
    let link = amqp.channel().await;
    let _gone = link.queue_delete(queue.into(), Default::default()).await;
}
