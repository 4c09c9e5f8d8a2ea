//! The last instant of a day and the first of the next: ordinary nights, the ends of months and
//! years, leap days, summer time and holidays.

use chrono::{DateTime, Datelike, NaiveDate, TimeDelta, Utc};
use kernel::clock::KST;
use kernel::{Clock, MarketCode};
use proto::trading::v1 as wire;
use sqlx::PgPool;
use trading::market_cache::{MarketCache, MarketClock};
use trading::tick_log::{Scope, SessionRecordKind, Venue};

use crate::sessions::{bases, venue};
use crate::world::{BITCOIN, DAY, SAMSUNG, World, buy};

const ME: i64 = 100_001;
const OTHER: i64 = 100_002;
const COINS: Scope = Scope::Venue(Venue::Coin);

fn number_of(day: NaiveDate) -> i32 {
    day.year() * 10_000 + i32::try_from(day.month() * 100 + day.day()).unwrap()
}

/// The midnight in Seoul at which a day begins.
fn midnight(day: NaiveDate) -> DateTime<Utc> {
    let midnight = day.and_hms_opt(0, 0, 0).unwrap();
    midnight.and_local_timezone(KST).unwrap().to_utc()
}

impl World {
    /// Moves both clocks, that of the machine and that of the market.
    fn at(&mut self, instant: DateTime<Utc>) {
        self.clock.set(instant);
        self.now = instant;
    }

    /// Ids of the stock orders placed in a span of time, newest first.
    async fn placed_in(&self, member: i64, from: DateTime<Utc>, until: DateTime<Utc>) -> Vec<i64> {
        let request = wire::ListOrderHistoryRequest {
            member_id: member,
            category: wire::OrderCategory::Stock.into(),
            kind: wire::OrderHistoryKind::All.into(),
            placed_from_us: Some(from.timestamp_micros()),
            placed_before_us: Some(until.timestamp_micros()),
            ..wire::ListOrderHistoryRequest::default()
        };
        let page = self.orders.clone().list_order_history(request).await;
        let orders = page.unwrap().into_inner().orders;
        orders.into_iter().map(|order| order.order_id).collect()
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn at_midnight_one_day_ends_and_the_next_begins(pool: PgPool) {
    let mut world = World::new(pool).await;
    for last in [
        "2026-11-21",
        "2026-11-30",
        "2026-12-31",
        "2028-02-28",
        "2028-02-29",
    ] {
        let last: NaiveDate = last.parse().unwrap();
        let next = last.succ_opt().unwrap();
        let (day, next_day) = (number_of(last), number_of(next));
        let turn = midnight(next);
        world.at(turn - TimeDelta::hours(1));
        for (scope, bases) in [(venue(), bases()), (COINS, Vec::new())] {
            world
                .log_session(SessionRecordKind::Open(bases), scope, day)
                .await;
        }
        world.traded(day).await;
        let waits = world.placed(buy(ME, SAMSUNG, "60000", "1")).await;
        assert_eq!(waits.expires_at_us, turn.timestamp_micros());
        let coin = world.placed(buy(ME, BITCOIN, "100000000", "0.001")).await;
        world.log(Vec::new()).await;

        // One microsecond before midnight the day is still this one.
        world.at(turn - TimeDelta::microseconds(1));
        assert_eq!(world.clock.today_kst(), last);
        let late = world.placed(buy(OTHER, SAMSUNG, "", "1")).await;
        assert_eq!(late.expires_at_us, turn.timestamp_micros());
        world.at(turn);
        assert_eq!(world.clock.today_kst(), next);
        let turned = [(venue(), bases()), (COINS, Vec::new())].map(|(scope, bases)| {
            [
                world.session_record(SessionRecordKind::Close, scope.clone(), day),
                world.session_record(SessionRecordKind::Open(bases), scope, next_day),
            ]
        });
        world.log(turned.concat()).await;
        assert_eq!(world.state(ME, &waits).await, wire::OrderStatus::Expired);
        assert_eq!(world.state(ME, &coin).await, wire::OrderStatus::Accepted);
        // It was for the day before and meets no price of the new one.
        world.log(Vec::new()).await;
        world.traded(next_day).await;
        assert_eq!(world.state(OTHER, &late).await, wire::OrderStatus::Expired);
        assert_eq!(world.fills(OTHER, &late).await, []);

        let first = world.placed(buy(ME, SAMSUNG, "60000", "1")).await;
        let tomorrow = midnight(next.succ_opt().unwrap());
        assert_eq!(first.expires_at_us, tomorrow.timestamp_micros());
        let filled = world.placed(buy(OTHER, SAMSUNG, "", "1")).await;
        world.traded(next_day).await;
        assert_eq!(world.state(ME, &first).await, wire::OrderStatus::Accepted);
        assert_eq!(world.state(OTHER, &filled).await, wire::OrderStatus::Filled);
        // Every order is in the history of its own day.
        let days = [midnight(last), turn, tomorrow];
        for (member, before, after) in [(ME, &waits, &first), (OTHER, &late, &filled)] {
            let yesterday = world.placed_in(member, days[0], days[1]).await;
            let today = world.placed_in(member, days[1], days[2]).await;
            assert_eq!(yesterday.first(), Some(&before.order_id), "{last}");
            assert_eq!(today, [after.order_id], "{last}");
        }
        world.cancel(&first, ME).await.unwrap();
        world.cancel(&coin, ME).await.unwrap();
        assert_eq!(world.basic(ME).await.held_won, 0);
        world.audit().await;
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn an_order_of_the_last_instant_ends_with_its_session(pool: PgPool) {
    let mut world = World::new(pool).await;
    world.traded(DAY).await;
    // It is accepted while the end of the session is on its way.
    let late = world.placed(buy(ME, SAMSUNG, "60000", "1")).await;
    let market = world.placed(buy(OTHER, SAMSUNG, "", "1")).await;
    world
        .log_session(SessionRecordKind::Close, venue(), DAY)
        .await;
    world.log(Vec::new()).await;
    for (member, order) in [(ME, &late), (OTHER, &market)] {
        assert_eq!(world.state(member, order).await, wire::OrderStatus::Expired);
        assert_eq!(world.basic(member).await.held_won, 0);
    }
    // What is placed now is for the next session, and stays.
    let queued = world.placed(buy(ME, SAMSUNG, "60000", "1")).await;
    world.log(Vec::new()).await;
    world.log(Vec::new()).await;
    assert_eq!(world.state(ME, &queued).await, wire::OrderStatus::Queued);
    world.audit().await;
}

#[test]
fn a_day_order_ends_with_the_session_of_its_market() {
    let market_cache = MarketCache::default();
    market_cache.set_clock(MarketClock::Exchange);
    let end = |market, day| {
        let end = market_cache.day_end(market, day);
        end.map(|end| end.format("%Y-%m-%d %H:%M").to_string())
    };
    for (market, day, expected) in [
        (MarketCode::Kospi, 20_261_120, Some("2026-11-20 06:30")),
        // An hour later on the day of the entrance exam.
        (MarketCode::Kospi, 20_261_119, Some("2026-11-19 07:30")),
        // The last day of the year and Saturdays have no session.
        (MarketCode::Kospi, 20_261_231, None),
        (MarketCode::Kospi, 20_261_121, None),
        // New York: before, on and after the Sundays on which clocks change.
        (MarketCode::Global, 20_260_306, Some("2026-03-06 21:00")),
        (MarketCode::Global, 20_260_309, Some("2026-03-09 20:00")),
        (MarketCode::Global, 20_261_030, Some("2026-10-30 20:00")),
        (MarketCode::Global, 20_261_102, Some("2026-11-02 21:00")),
        // Thanksgiving, and the short day after it.
        (MarketCode::Global, 20_261_126, None),
        (MarketCode::Global, 20_261_127, Some("2026-11-27 18:00")),
    ] {
        assert_eq!(end(market, day).as_deref(), expected, "{market:?} {day}");
    }
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn no_table_waits_for_partitions_of_months_to_come(pool: PgPool) {
    let partitioned: i64 = sqlx::query_scalar("select count(*) from pg_partitioned_table")
        .fetch_one(&pool)
        .await
        .unwrap();
    assert_eq!(
        partitioned, 0,
        "old rows are deleted; a partitioned table would need its partitions two months ahead"
    );
    // Whatever the month, it can be written.
    let mut world = World::new(pool).await;
    for month in 1..=14 {
        let day = NaiveDate::from_ymd_opt(2026, 11, 20).unwrap();
        let day = day.checked_add_months(chrono::Months::new(month)).unwrap();
        world.at(midnight(day));
        let opened =
            world.session_record(SessionRecordKind::Open(bases()), venue(), number_of(day));
        world.log(vec![opened]).await;
        world.placed(buy(ME, SAMSUNG, "", "1")).await;
        world.traded(number_of(day)).await;
    }
    let filled = "select count(*) from trade_order where status = 'FILLED'";
    assert_eq!(world.count(filled).await, 14);
    world.audit().await;
}
