//! The machine's clock is set back while the market runs, and while it is down: prices continue, no
//! trade is duplicated, and no candle is missing.

use std::time::Duration;

use chrono::TimeDelta;
use market_data::MIGRATOR;
use market_data::config::MarketFeed;
use sqlx::PgPool;

use crate::builtin::{SMALL, assert_matches_model, model};
use crate::flow::{Ground, Process};

const FIVE: TimeDelta = TimeDelta::minutes(5);

/// Waits until market time has advanced.
async fn wait_for_prices(process: &Process) {
    let before = process.board.progress();
    testkit::eventually(Duration::from_secs(60), async || {
        let now = process.board.progress();
        now.market_time_us >= before.market_time_us + 500_000 && now.batch_seq > before.batch_seq
    })
    .await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn prices_continue_when_the_clock_is_set_back(pool: PgPool) {
    let ground = Ground::new(pool, MarketFeed::Builtin, &SMALL);
    let market = model(&ground);
    let process = ground.start().await;
    ground.advance(&process, TimeDelta::seconds(30)).await;
    let shown = process.board.tick("KRW-BTC").unwrap();

    ground.clock.advance(-FIVE);
    wait_for_prices(&process).await;
    wait_for_prices(&process).await;
    let newer = process.board.tick("KRW-BTC").unwrap();
    assert!(newer.tick_seq >= shown.tick_seq && newer.event_time_us >= shown.event_time_us);

    // A process that starts meanwhile does not wait for the clock either.
    process.kill();
    let process = ground.start().await;
    wait_for_prices(&process).await;

    // Five minutes ahead, then corrected.
    ground.clock.advance(FIVE);
    ground
        .advance(&process, FIVE + TimeDelta::seconds(30))
        .await;
    ground.clock.advance(-FIVE);
    wait_for_prices(&process).await;
    ground.clock.advance(FIVE);
    ground.advance(&process, TimeDelta::seconds(35)).await;
    ground.written(&process).await;
    assert_matches_model(&ground, &market).await;
}
