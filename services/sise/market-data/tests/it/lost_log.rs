//! A tick log that is lost while prices flow: they continue in a new epoch.

use chrono::TimeDelta;
use market_data::MIGRATOR;
use market_data::config::MarketFeed;
use proto::market::v1::SessionState;
use sqlx::{Executor, PgPool};

use crate::builtin::{SMALL, assert_matches_model, model};
use crate::flow::Ground;

#[sqlx::test(migrator = "MIGRATOR")]
async fn prices_continue_after_the_log_is_deleted(pool: PgPool) {
    let ground = Ground::new(pool, MarketFeed::Builtin, &SMALL);
    let market = model(&ground);
    let process = ground.start().await;
    ground.advance(&process, TimeDelta::seconds(40)).await;
    let before = process.board.progress();
    ground.delete_log().await;
    ground.advance(&process, TimeDelta::seconds(40)).await;
    let after = process.board.progress();
    assert!(
        after.offset.epoch > before.offset.epoch,
        "{after:?} after {before:?}"
    );
    assert!(after.session_seq > before.session_seq);
    let quote = process.board.quote("005930").unwrap();
    assert_eq!(quote.session(), SessionState::Open);

    // Deleted again while no process writes, and declared again by another client.
    ground.written(&process).await;
    process.kill();
    ground.delete_log().await;
    ground.declare_log().await;
    let process = ground.start().await;
    ground.advance(&process, TimeDelta::seconds(40)).await;
    assert!(process.board.progress().offset.epoch > after.offset.epoch);
    ground.written(&process).await;
    assert_matches_model(&ground, &market).await;
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn no_price_goes_back_when_writer_and_log_are_lost(pool: PgPool) {
    let ground = Ground::new(pool, MarketFeed::Builtin, &SMALL);
    let process = ground.start().await;
    ground.advance(&process, TimeDelta::seconds(40)).await;
    // From now on prices exist only in the log.
    let mut busy = ground.pool.begin().await.unwrap();
    busy.execute("lock table tick_reader").await.unwrap();
    ground.advance(&process, TimeDelta::seconds(20)).await;
    let codes = ["005930", "KRW-BTC", "AAPL"];
    let shown = codes.map(|code| process.board.tick(code).unwrap().tick_seq);
    process.kill();
    ground.delete_log().await;
    busy.rollback().await.unwrap();

    ground.clock.advance(TimeDelta::seconds(3));
    let process = ground.start().await;
    let seen = codes.map(|code| process.board.tick(code).unwrap().tick_seq);
    for (code, (shown, seen)) in codes.iter().zip(shown.into_iter().zip(seen)) {
        assert!(seen >= shown, "{code} went back from {shown} to {seen}");
    }
}
