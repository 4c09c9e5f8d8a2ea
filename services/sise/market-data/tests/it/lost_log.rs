//! A tick log that is lost while prices flow: they go on by themselves in the next one.

use chrono::TimeDelta;
use market_data::MIGRATOR;
use market_data::config::MarketFeed;
use proto::market::v1::SessionState;
use sqlx::PgPool;

use crate::builtin::{SMALL, assert_as_modelled, model};
use crate::flow::Ground;

#[sqlx::test(migrator = "MIGRATOR")]
async fn prices_go_on_in_a_log_that_was_deleted_under_them(pool: PgPool) {
    let ground = Ground::new(pool, MarketFeed::Builtin, &SMALL);
    let market = model(&ground);
    let process = ground.start().await;
    ground.advance(&process, TimeDelta::seconds(40)).await;
    let before = process.board.position();
    ground.delete_log().await;
    ground.advance(&process, TimeDelta::seconds(40)).await;
    let after = process.board.position();
    assert!(after.epoch > before.epoch, "{after:?} after {before:?}");
    assert!(after.session_seq > before.session_seq);
    let quote = process.board.quote("005930").unwrap();
    assert_eq!(quote.session(), SessionState::Open);

    // Deleted again while nobody writes, and by somebody who makes it anew and empty.
    ground.written(&process).await;
    process.kill();
    ground.delete_log().await;
    ground.declare_log().await;
    let process = ground.start().await;
    ground.advance(&process, TimeDelta::seconds(40)).await;
    assert!(process.board.position().epoch > after.epoch);
    ground.written(&process).await;
    assert_as_modelled(&ground, &market).await;
}
