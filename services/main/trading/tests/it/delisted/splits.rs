//! Splits of what was removed: its last close and the shares of its owners are divided by the same ones.

use proto::market::v1::Split;
use sqlx::PgPool;
use trading::domain::split::SplitRatio;
use trading::tick_log::{LogRecord, Scope, SessionRecordKind};

use super::{Process, closed_at, owner};
use crate::points::ME;
use crate::world::{APPLE, BITCOIN, DAY, SAMSUNG, World, listing, reason};

const SPLIT_DAY: i32 = DAY + 1;
const WORTH: i64 = 20 * 35_000 + 2 * 200 * 1_470;
/// Equity at the end of the newest closed day.
const AT_END: &str = "select cash_won + holdings_won from equity_day order by day desc limit 1";

/// Market-data tells of a split of which the matcher has not read yet.
async fn announced(world: &World) {
    let split = Split {
        split_id: 1,
        code: SAMSUNG.to_owned(),
        trading_day: SPLIT_DAY,
        new_shares: 2,
        old_shares: 1,
        event_time_us: world.now.timestamp_micros(),
    };
    let recorded = world.store.record_splits(&[split], |_| false).await;
    recorded.unwrap();
}

fn halved(world: &World) -> LogRecord {
    let ratio = SplitRatio {
        numerator: 2,
        denominator: 1,
    };
    let scope = Scope::Code(SAMSUNG.to_owned());
    world.session_record(SessionRecordKind::Split(ratio), scope, SPLIT_DAY)
}

/// The day of the split ends, and market-data has no price of the share any more.
async fn day_of_split_closed(world: &mut World) {
    world.now = "2026-11-21T15:00:15Z".parse().unwrap();
    world.clock.set(world.now);
    closed_at(world, &[(APPLE, "200")]).await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn the_last_close_of_a_removed_share_is_divided_as_its_shares_are(pool: PgPool) {
    let mut world = World::new(pool).await;
    let cash = owner(&mut world).await;
    closed_at(&mut world, &[(SAMSUNG, "70000"), (APPLE, "200")]).await;
    announced(&world).await;
    let split = halved(&world);
    world.log(vec![split]).await;
    day_of_split_closed(&mut world).await;
    assert_eq!(world.count(AT_END).await, cash + WORTH);
    let process = Process::begin(&world, vec![listing(BITCOIN)]).await;
    assert_eq!(process.totals().await.total.0, cash + WORTH);
    process.transfer(2, "transfer-1").await.unwrap();
    process.reset("reset-me-1").await.unwrap();
    let past = world.seasons(ME).await.past;
    assert_eq!(past[0].total_won, cash + 2_000 + WORTH);
    world.audit().await;
}

#[sqlx::test(migrator = "trading::MIGRATOR")]
async fn shares_that_are_not_divided_yet_are_waited_for(pool: PgPool) {
    let mut world = World::new(pool).await;
    let cash = owner(&mut world).await;
    closed_at(&mut world, &[(SAMSUNG, "70000"), (APPLE, "200")]).await;
    announced(&world).await;
    day_of_split_closed(&mut world).await;
    let process = Process::begin(&world, vec![listing(BITCOIN)]).await;
    for refused in [
        process.transfer(2, "transfer-1").await.unwrap_err(),
        process.reset("reset-me-1").await.unwrap_err(),
    ] {
        assert_eq!(reason(&refused), "MARKET_UNAVAILABLE");
    }
    let split = halved(&world);
    world.log(vec![split]).await;
    let process = Process::begin(&world, vec![listing(BITCOIN)]).await;
    assert_eq!(process.totals().await.total.0, cash + WORTH);
    process.transfer(2, "transfer-1").await.unwrap();
    world.audit().await;
}
