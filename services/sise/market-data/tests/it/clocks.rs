//! The machine's clock is set back while the market runs, and while it is away: prices flow on,
//! no trade is made twice, and no candle is missing.

use std::time::Duration;

use chrono::TimeDelta;
use market_data::MIGRATOR;
use market_data::config::MarketFeed;
use sqlx::PgPool;

use crate::builtin::{SMALL, assert_as_modelled, model};
use crate::flow::{Ground, Process};

const FIVE: TimeDelta = TimeDelta::minutes(5);

/// Waits until the market's own time has gone on.
async fn prices_flow(process: &Process) {
    let before = process.board.position();
    testkit::eventually(Duration::from_secs(60), async || {
        let now = process.board.position();
        now.market_time_us >= before.market_time_us + 500_000 && now.batch_seq > before.batch_seq
    })
    .await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn prices_flow_on_when_the_clock_is_set_back(pool: PgPool) {
    let ground = Ground::new(pool, MarketFeed::Builtin, &SMALL);
    let market = model(&ground);
    let process = ground.start().await;
    ground.advance(&process, TimeDelta::seconds(30)).await;
    let shown = process.board.tick("KRW-BTC").unwrap();

    ground.clock.advance(-FIVE);
    prices_flow(&process).await;
    prices_flow(&process).await;
    let newer = process.board.tick("KRW-BTC").unwrap();
    assert!(newer.tick_seq >= shown.tick_seq && newer.event_time_us >= shown.event_time_us);

    // Nor does a process that is started meanwhile wait for the time to come again.
    process.kill();
    let process = ground.start().await;
    prices_flow(&process).await;

    // Five minutes ahead, and set right again.
    ground.clock.advance(FIVE);
    ground
        .advance(&process, FIVE + TimeDelta::seconds(30))
        .await;
    ground.clock.advance(-FIVE);
    prices_flow(&process).await;
    ground.clock.advance(FIVE);
    ground.advance(&process, TimeDelta::seconds(35)).await;
    ground.written(&process).await;
    assert_as_modelled(&ground, &market).await;
}
