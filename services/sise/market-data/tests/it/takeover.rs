//! A process that takes over serves before its feed runs.

use chrono::TimeDelta;
use market_data::MIGRATOR;
use market_data::config::MarketFeed;
use market_data::exchange::ExchangeRates;
use market_data::feed::LatestRates;
use market_data::live;
use market_data::quotes::QuoteBoard;
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use tokio_util::sync::CancellationToken;

use crate::builtin::{SMALL, model};
use crate::flow::Ground;

#[sqlx::test(migrator = "MIGRATOR")]
async fn rates_are_those_of_the_stored_market_time_before_the_feed_runs(pool: PgPool) {
    let ground = Ground::new(pool, MarketFeed::Builtin, &SMALL);
    let market = model(&ground);
    let process = ground.start().await;
    ground.advance(&process, TimeDelta::seconds(30)).await;
    ground.written(&process).await;
    process.kill();

    let working = PgPoolOptions::new()
        .max_connections(4)
        .connect_with((*ground.pool.connect_options()).clone())
        .await
        .unwrap();
    let board = QuoteBoard::new(ground.catalogue.clone());
    let rates = LatestRates::default();
    let dependencies = ground.dependencies(board.clone(), rates.clone());
    let prepared = live::prepare(dependencies(working.clone())).unwrap();
    let shutdown = CancellationToken::new();
    let restored = prepared.restore(&shutdown).await.unwrap();
    assert!(restored.shows_prices());
    let stored_us = board.progress().market_time_us;
    let dollar = ground.catalogue.currencies().first().unwrap();
    let expected = market.exchange_rate(&dollar.unit, dollar.base_rate, stored_us);
    assert_ne!(expected, dollar.base_rate);
    let exchange = ExchangeRates::new(ground.catalogue.clone(), rates.clone());
    assert_eq!(exchange.dollar_won(), Some(expected));
    let told = exchange.all(0);
    assert!(told.iter().all(|rate| rate.as_of_us == stored_us));
    assert_eq!(rates.indices().len(), ground.catalogue.indices().len());

    let tasks = restored.start(&shutdown).await.unwrap();
    shutdown.cancel();
    tasks.wait().await;
    working.close().await;
}
