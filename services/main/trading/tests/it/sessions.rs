//! Auctions, interruptions, halts, locks and the night, order by order.

use market_rules::PriceBand;
use proto::trading::v1 as wire;
use sqlx::PgPool;
use tonic::Status;
use trading::domain::market::TradingSession;
use trading::tick_log::{LogRecord, Scope, SessionRecordKind, Venue};

use crate::world::{DAY, SAMSUNG, World, band, buy, dec, number, reason, sell};

const ME: i64 = 100_001;
const OTHER: i64 = 100_002;
const NEXT_DAY: i32 = DAY + 3;

pub(crate) fn venue() -> Scope {
    Scope::Venue(Venue::Krx)
}

fn samsung() -> Scope {
    Scope::Code(SAMSUNG.to_owned())
}

pub(crate) fn bases() -> Vec<(String, Option<PriceBand>)> {
    vec![(SAMSUNG.to_owned(), band(SAMSUNG))]
}

impl World {
    pub(crate) async fn log_session(&mut self, kind: SessionRecordKind, scope: Scope, day: i32) {
        let session_record = self.session_record(kind, scope, day);
        self.log(vec![session_record]).await;
    }

    /// A trade of an auction.
    pub(crate) async fn auctioned(&mut self, price: &str, volume: i64, day: i32) {
        self.log(Vec::new()).await;
        let mut record = self.tick(SAMSUNG, price.parse().unwrap(), volume);
        if let LogRecord::Tick(tick) = &mut record {
            tick.session = TradingSession::Auction;
            tick.trading_day = day;
        }
        self.log(vec![record]).await;
    }

    /// A trade of continuous trading.
    pub(crate) async fn traded(&mut self, day: i32) {
        self.log(Vec::new()).await;
        let mut record = self.tick(SAMSUNG, "71300".parse().unwrap(), 1_000);
        if let LogRecord::Tick(tick) = &mut record {
            tick.trading_day = day;
        }
        self.log(vec![record]).await;
    }

    pub(crate) async fn state(&self, member: i64, order: &wire::Order) -> wire::OrderStatus {
        let detail = self.detail(member, order.order_id).await;
        detail.order.unwrap().status()
    }

    /// Price and rule of the fills of an order.
    pub(crate) async fn fills(&self, member: i64, order: &wire::Order) -> Vec<(String, String)> {
        let detail = self.detail(member, order.order_id).await;
        let fills = detail.fills.iter();
        fills
            .map(|fill| (number(&fill.price).to_string(), fill.rule.clone()))
            .collect()
    }

    pub(crate) async fn modified(
        &self,
        order: &wire::Order,
        price: &str,
        quantity: &str,
    ) -> Result<wire::Order, Status> {
        let request = wire::ModifyOrderRequest {
            member_id: ME,
            order_id: order.order_id,
            side: order.side,
            category: order.category,
            price: dec(price),
            quantity: dec(quantity),
            ..wire::ModifyOrderRequest::default()
        };
        let answer = self.orders.clone().modify_order(request).await?;
        Ok(answer.into_inner().order.unwrap())
    }
}

fn at(price: &str, rule: &str) -> (String, String) {
    (price.to_owned(), rule.to_owned())
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn orders_of_an_interruption_wait_for_its_single_price(pool: PgPool) {
    let mut world = World::new(pool).await;
    world
        .log_session(SessionRecordKind::Auction(Vec::new()), samsung(), DAY)
        .await;
    let dear = world.placed(buy(ME, SAMSUNG, "75000", "10")).await;
    let market = world.placed(buy(ME, SAMSUNG, "", "10")).await;
    let exact = world.placed(buy(OTHER, SAMSUNG, "73000", "10")).await;
    let cheap = world.placed(buy(ME, SAMSUNG, "72900", "10")).await;
    for order in [&dear, &market, &cheap] {
        assert_eq!(order.status(), wire::OrderStatus::Accepted);
    }
    // Time passes, and nothing fills.
    world.log(Vec::new()).await;
    assert_eq!(world.fills(ME, &dear).await, []);

    world.auctioned("73000", 1_000, DAY).await;
    let single = [at("73000", "AUCTION")];
    assert_eq!(world.fills(ME, &dear).await, single);
    assert_eq!(world.fills(ME, &market).await, single);
    assert_eq!(world.fills(OTHER, &exact).await, single);
    assert_eq!(world.fills(ME, &cheap).await, []);
    world
        .log_session(SessionRecordKind::Open(Vec::new()), samsung(), DAY)
        .await;
    world.trade(SAMSUNG, "73000", 100).await;
    assert_eq!(
        world.state(ME, &cheap).await,
        wire::OrderStatus::Accepted,
        "continuous trading continues beside the limit"
    );
    world.trade(SAMSUNG, "72500", 1_000).await;
    // It began to rest above the price.
    assert_eq!(
        world.fills(ME, &cheap).await,
        [at("72900", "LIMIT_THROUGH")]
    );
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_halt_rejects_orders_and_allows_cancellations(pool: PgPool) {
    let mut world = World::new(pool).await;
    let waiting = world.placed(buy(ME, SAMSUNG, "71000", "10")).await;
    let leaving = world.placed(buy(ME, SAMSUNG, "70000", "10")).await;
    world.log(Vec::new()).await;
    world
        .log_session(SessionRecordKind::Halt, samsung(), DAY)
        .await;
    let refused = world.place(buy(ME, SAMSUNG, "71000", "1")).await;
    assert_eq!(reason(&refused.unwrap_err()), "NOT_TRADABLE");
    let refused = world.modified(&waiting, "71500", "10").await.unwrap_err();
    assert_eq!(reason(&refused), "NOT_TRADABLE");
    assert_eq!(
        world.state(ME, &waiting).await,
        wire::OrderStatus::Accepted,
        "the old order is untouched"
    );
    world.cancel(&leaving, ME).await.unwrap();
    // A tick that slips in fills nothing.
    world.trade(SAMSUNG, "69000", 1_000).await;
    assert_eq!(world.fills(ME, &waiting).await, []);
    world
        .log_session(SessionRecordKind::Resume, samsung(), DAY)
        .await;
    world.trade(SAMSUNG, "69000", 1_000).await;
    assert_eq!(world.fills(ME, &waiting).await.len(), 1);
    world.placed(buy(ME, SAMSUNG, "60000", "1")).await;
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_order_of_the_night_waits_for_the_end_of_a_halt(pool: PgPool) {
    let mut world = World::new(pool).await;
    world
        .log_session(SessionRecordKind::Close, venue(), DAY)
        .await;
    let order = world.placed(buy(ME, SAMSUNG, "72000", "10")).await;
    let leaving = world.placed(buy(OTHER, SAMSUNG, "70000", "1")).await;
    world
        .log_session(SessionRecordKind::Halt, samsung(), NEXT_DAY)
        .await;
    for kind in [
        SessionRecordKind::Auction(bases()),
        SessionRecordKind::Open(bases()),
    ] {
        world.log_session(kind, venue(), NEXT_DAY).await;
        world.traded(NEXT_DAY).await;
        assert_eq!(world.state(ME, &order).await, wire::OrderStatus::Queued);
    }
    // It takes no new orders, but lets go of those it has.
    let refused = world.place(buy(ME, SAMSUNG, "71000", "1")).await;
    assert_eq!(reason(&refused.unwrap_err()), "NOT_TRADABLE");
    world.cancel(&leaving, OTHER).await.unwrap();
    world
        .log_session(SessionRecordKind::Close, venue(), NEXT_DAY)
        .await;
    assert_eq!(world.state(ME, &order).await, wire::OrderStatus::Queued);
    world.audit().await;

    let next = NEXT_DAY + 1;
    world
        .log_session(SessionRecordKind::Open(bases()), venue(), next)
        .await;
    world.traded(next).await;
    assert_eq!(world.state(ME, &order).await, wire::OrderStatus::Queued);
    world
        .log_session(SessionRecordKind::Resume, samsung(), next)
        .await;
    assert_eq!(world.state(ME, &order).await, wire::OrderStatus::Accepted);
    world.traded(next).await;
    assert_eq!(world.state(ME, &order).await, wire::OrderStatus::Filled);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_night_keeps_orders_for_the_opening_auction(pool: PgPool) {
    let mut world = World::new(pool).await;
    world
        .log_session(SessionRecordKind::Close, venue(), DAY)
        .await;
    let first = world.placed(buy(ME, SAMSUNG, "70000", "10")).await;
    assert_eq!(first.status(), wire::OrderStatus::Queued);
    let gone = world.placed(buy(ME, SAMSUNG, "65000", "10")).await;
    world.cancel(&gone, ME).await.unwrap();
    // 720,108 instead of 700,105: the hold moves by the difference.
    let order = world.modified(&first, "72000", "10").await.unwrap();
    assert_eq!(order.status(), wire::OrderStatus::Queued);
    assert_eq!(order.orig_order_id, first.order_id);
    assert_eq!(world.state(ME, &first).await, wire::OrderStatus::Replaced);
    assert_eq!(world.basic(ME).await.held_won, 720_108);
    let fewer = world.modified(&order, "72000", "4").await.unwrap();
    assert_eq!(fewer.status(), wire::OrderStatus::Queued);
    let refused = world.modified(&fewer, "99000", "4").await.unwrap_err();
    assert_eq!(reason(&refused), "PRICE_LIMIT");
    let outside = world.placed(buy(OTHER, SAMSUNG, "60000", "1")).await;
    world.audit().await;

    world.log(Vec::new()).await;
    let higher = PriceBand {
        lower: kernel::Price("65000".parse().unwrap()),
        upper: kernel::Price("92000".parse().unwrap()),
    };
    let bases = vec![(SAMSUNG.to_owned(), Some(higher))];
    world
        .log_session(SessionRecordKind::Auction(bases), venue(), NEXT_DAY)
        .await;
    assert_eq!(world.state(ME, &fewer).await, wire::OrderStatus::Accepted);
    assert_eq!(
        world.state(OTHER, &outside).await,
        wire::OrderStatus::Expired
    );
    let early = world.placed(buy(OTHER, SAMSUNG, "", "5")).await;
    assert_eq!(early.status(), wire::OrderStatus::Accepted);
    world.auctioned("71000", 1_000, NEXT_DAY).await;
    let single = [at("71000", "AUCTION")];
    assert_eq!(world.fills(ME, &fewer).await, single);
    assert_eq!(world.fills(OTHER, &early).await, single);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_closing_auction_is_the_last_chance_of_a_day(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let high = world.placed(buy(ME, SAMSUNG, "71000", "10")).await;
    let low = world.placed(buy(ME, SAMSUNG, "70000", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    world
        .log_session(SessionRecordKind::Auction(Vec::new()), venue(), DAY)
        .await;
    let late = world.placed(buy(OTHER, SAMSUNG, "", "10")).await;
    assert_eq!(late.status(), wire::OrderStatus::Accepted);
    world.auctioned("70900", 20, DAY).await;
    // Each account has a quarter of the volume.
    assert_eq!(world.state(ME, &high).await, wire::OrderStatus::Partial);
    assert_eq!(world.fills(OTHER, &late).await, [at("70900", "AUCTION")]);
    world
        .log_session(SessionRecordKind::Close, venue(), DAY)
        .await;
    for (member, order) in [(ME, &high), (ME, &low), (OTHER, &late)] {
        assert_eq!(world.state(member, order).await, wire::OrderStatus::Expired);
    }
    assert_eq!(world.basic(ME).await.held_won, 0);
    world.audit().await;
}

/// An order's number, state and reason, whether it says when it ended, and its events.
type Ended = (i64, String, String, bool, Option<Vec<String>>);
const ENDED: &str = "select o.id, o.status, o.end_reason, o.ended_at is not null,
        (select array_agg(from_status || '>' || to_status || '>' || reason) from order_event e
         where e.order_id = o.id and e.to_status = 'EXPIRED')
    from trade_order o order by o.id";
/// What a waiting order keeps beside its row.
const KEPT: &str = "select (select count(*) from hold) + (select count(*) from new_order)
        + (select count(*) from order_place)";

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_order_that_ends_with_its_session_leaves_its_row_and_one_event(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let seen = world.placed(buy(ME, SAMSUNG, "71000", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    let unseen = world.placed(buy(OTHER, SAMSUNG, "70000", "10")).await;
    let kept =
        |pool: PgPool| async move { sqlx::query_scalar::<_, i64>(KEPT).fetch_one(&pool).await };
    assert!(kept(world.pool.clone()).await.unwrap() >= 2);
    for _ in 0..2 {
        world
            .log_session(SessionRecordKind::Close, venue(), DAY)
            .await;
    }
    let rows: Vec<Ended> = sqlx::query_as(ENDED).fetch_all(&world.pool).await.unwrap();
    let ended = |order: &wire::Order| {
        let event = "ACCEPTED>EXPIRED>SESSION_ENDED".to_owned();
        let (status, reason) = ("EXPIRED".to_owned(), "SESSION_ENDED".to_owned());
        (order.order_id, status, reason, true, Some(vec![event]))
    };
    assert_eq!(rows, [ended(&seen), ended(&unseen)]);
    let told: Vec<wire::OrderEnded> = world.told("trading.order.ended.v1").await;
    let told: Vec<(i64, i64, &str)> = told
        .iter()
        .map(|one| {
            let order = one.order.as_ref().unwrap();
            (one.member_id, order.order_id, order.end_reason.as_str())
        })
        .collect();
    let expected = [(ME, &seen), (OTHER, &unseen)];
    assert_eq!(
        told,
        expected.map(|(member, order)| (member, order.order_id, "SESSION_ENDED"))
    );
    assert_eq!(kept(world.pool.clone()).await.unwrap(), 0);
    assert_eq!(world.basic(ME).await.held_won, 0);
    assert_eq!(world.basic(OTHER).await.held_won, 0);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn at_a_locked_limit_buyers_queue(pool: PgPool) {
    let mut world = World::new(pool).await;
    let upper = band(SAMSUNG).unwrap().upper;
    let text = upper.to_string();
    let market = world.placed(buy(ME, SAMSUNG, "", "5")).await;
    let limit = world.placed(buy(OTHER, SAMSUNG, &text, "5")).await;
    let above = buy(OTHER, SAMSUNG, "92800", "5");
    assert_eq!(world.rejected(above).await.1, "PRICE_LIMIT");
    let locked = |world: &mut World, volume| {
        let mut record = world.tick(SAMSUNG, upper.0, volume);
        if let LogRecord::Tick(tick) = &mut record {
            tick.bid = Some(upper);
            tick.bid_size = Some(kernel::Quantity("150".parse().unwrap()));
        }
        record
    };
    world.log(Vec::new()).await;
    for _ in 0..2 {
        let record = locked(&mut world, 100);
        world.log(vec![record]).await;
    }
    // Nobody sells to a taker, and 150 stand before the limit order.
    assert_eq!(world.fills(ME, &market).await, []);
    assert_eq!(world.fills(OTHER, &limit).await, []);
    let record = locked(&mut world, 100);
    world.log(vec![record]).await;
    assert_eq!(
        world.fills(OTHER, &limit).await,
        [at(&text, "LIMIT_AT_PRICE")]
    );
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn a_sale_is_queued_over_the_night_too(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.placed(buy(ME, SAMSUNG, "", "10")).await;
    world.trade(SAMSUNG, "71300", 1_000).await;
    world
        .log_session(SessionRecordKind::Close, venue(), DAY)
        .await;
    let order = world.placed(sell(ME, SAMSUNG, "72000", "10")).await;
    assert_eq!(order.status(), wire::OrderStatus::Queued);
    let fewer = world.modified(&order, "71000", "6").await.unwrap();
    assert_eq!(fewer.status(), wire::OrderStatus::Queued);
    assert_eq!(number(&world.holdings(ME).await[0].held_quantity), 6.into());
    world
        .log_session(SessionRecordKind::Auction(bases()), venue(), NEXT_DAY)
        .await;
    world.auctioned("73000", 1_000, NEXT_DAY).await;
    assert_eq!(world.fills(ME, &fewer).await, [at("73000", "AUCTION")]);
    assert_eq!(number(&world.holdings(ME).await[0].quantity), 4.into());
    world.audit().await;
}
