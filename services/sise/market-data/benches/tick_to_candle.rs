//! Ticks per second from a feed to written candles, through the pipeline, a real RabbitMQ stream,
//! the reader and a real PostgreSQL, without losing one.
//!
//! `DATABASE_URL=… AMQP_URL=… cargo bench -p market-data`. Creates and deletes a database and a
//! stream of its own.
#![expect(
    clippy::unwrap_used,
    clippy::float_arithmetic,
    clippy::as_conversions,
    reason = "a measurement that cannot be made must stop, and its result is a rate"
)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use kernel::SystemClock;
use market_data::MIGRATOR;
use market_data::candles::reader::LogReader;
use market_data::candles::state::StoredState;
use market_data::catalogue::Catalogue;
use market_data::config::MarketFeed;
use market_data::feed::{FeedBatch, FeedRecord, FeedTrade, SessionChange};
use market_data::pipeline::{Batcher, LogEnd, Output, RefusedLog, publish};
use market_data::quotes::{LogProgress, QuoteBoard};
use market_rules::Venue;
use messaging::ticks::{LogOffset, Publisher};
use proto::market::v1::Snapshot;
use proto::market::v1::session_record::Kind;
use sqlx::PgPool;
use testkit::{TempDatabase, TempStream};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::CancellationToken;

#[derive(Parser)]
struct Settings {
    /// A role that may create databases.
    #[arg(long, env = "DATABASE_URL")]
    database_url: String,
    /// Number of ticks.
    #[arg(long, env = "BENCH_TICKS", default_value_t = 2_000_000)]
    ticks: i64,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
}

/// Ticks per batch: 50 ms at 100,000 a second.
const BATCH_TICKS: i64 = 5_000;
const BATCH_US: i64 = 50_000;
const START_US: i64 = 1_795_000_000_000_000;

#[tokio::main]
async fn main() {
    let settings = Settings::parse();
    let database = TempDatabase::create(&settings.database_url, 4).await;
    MIGRATOR.run(&database.pool).await.unwrap();
    measure(&database.pool, settings.ticks).await;
    database.remove().await;
}

async fn measure(pool: &PgPool, ticks: i64) {
    let universe = MarketFeed::Builtin.seed().read().unwrap();
    let codes: Vec<(Arc<str>, bool)> = universe
        .instruments
        .iter()
        .map(|instrument| {
            let in_dollars = instrument.currency == kernel::Currency::Usd;
            (Arc::from(instrument.code.as_str()), in_dollars)
        })
        .collect();
    let catalogue = Catalogue::new(universe.instruments, universe.indices, universe.currencies);
    let board = QuoteBoard::new(catalogue);
    let stream = TempStream::create().await;
    let shutdown = CancellationToken::new();
    let stored = StoredState {
        progress: LogProgress {
            offset: LogOffset { epoch: 1, next: 0 },
            ..LogProgress::default()
        },
        sessions: Snapshot::default(),
        ticks: Vec::new(),
        minutes: Vec::new(),
        splits: Vec::new(),
    };
    let (amqp, spec) = (stream.amqp.clone(), stream.spec.clone());
    let reader = LogReader::open(pool.clone(), board.clone(), stored, amqp, spec);
    let (refused, _refusals) = RefusedLog::new();
    let end = LogEnd {
        epoch: 1,
        batch_seq: 0,
        is_new_epoch: false,
    };
    let batcher = Batcher::new(&board, refused, end);
    let output = Output {
        publisher: Publisher::new(stream.amqp.clone(), stream.spec.clone()),
        holds_lock: watch::channel(true).1,
        clock: Arc::new(SystemClock),
    };
    let (sender, batches) = mpsc::channel(64);
    tokio::spawn(publish(batcher, output, batches, shutdown.clone()));
    let reading = tokio::spawn(reader.run(shutdown.clone()));

    let started = Instant::now();
    sender.send(("bench", opening())).await.unwrap();
    for batch in 0..ticks / BATCH_TICKS {
        sender.send(("bench", trades(&codes, batch))).await.unwrap();
    }
    let last_us = START_US + ticks / BATCH_TICKS * BATCH_US;
    while written_until(pool).await < last_us {
        assert!(
            started.elapsed() < Duration::from_secs(300),
            "the candles never came"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let elapsed = started.elapsed();
    shutdown.cancel();
    reading.await.unwrap();
    let (counted,): (i64,) = sqlx::query_as(
        "select sum(volume * case when code like 'KRW-%' then 0 else 1 end)::bigint
         from candle_minute",
    )
    .fetch_one(pool)
    .await
    .unwrap();
    let coins = codes
        .iter()
        .filter(|(code, _)| code.starts_with("KRW-"))
        .count() as i64;
    let expected = (0..ticks / BATCH_TICKS * BATCH_TICKS)
        .filter(|tick| !is_coin(&codes, *tick))
        .count() as i64;
    assert_eq!(counted, expected, "every tick of the others is in a candle");
    println!(
        "{ticks} ticks of {} instruments ({coins} coins) in {:.2} s: {:.0} ticks/s from feed to candle, none lost",
        codes.len(),
        elapsed.as_secs_f64(),
        ticks as f64 / elapsed.as_secs_f64()
    );
}

fn is_coin(codes: &[(Arc<str>, bool)], tick: i64) -> bool {
    let place = usize::try_from(tick).unwrap() % codes.len();
    codes.get(place).unwrap().0.starts_with("KRW-")
}

fn opening() -> FeedBatch {
    let open = |venue| {
        FeedRecord::Session(SessionChange {
            kind: Kind::Open,
            venue: Some(venue),
            code: String::new(),
            trading_day: 20_261_118,
            event_time_us: START_US,
            ..SessionChange::default()
        })
    };
    FeedBatch {
        records: Venue::ALL.map(open).to_vec(),
        began_us: START_US,
        market_time_us: START_US,
    }
}

fn trades(codes: &[(Arc<str>, bool)], batch: i64) -> FeedBatch {
    let began_us = START_US + batch * BATCH_US;
    let trade = |place: i64| {
        let tick = batch * BATCH_TICKS + place;
        let which = usize::try_from(tick).unwrap() % codes.len();
        let (code, in_dollars) = codes.get(which).unwrap();
        FeedRecord::Trade(FeedTrade {
            code: Arc::clone(code),
            event_time_us: began_us + 1 + place * (BATCH_US - 1) / BATCH_TICKS,
            price_units: 100_000 + tick % 97 * 10,
            volume_units: Some(1),
            bid_units: 100_000,
            ask_units: 101_000,
            bid_size_units: 10,
            ask_size_units: 10,
            won_per_dollar_e4: if *in_dollars { 14_700_000 } else { 0 },
        })
    };
    FeedBatch {
        records: (0..BATCH_TICKS).map(trade).collect(),
        began_us,
        market_time_us: began_us + BATCH_US,
    }
}

async fn written_until(pool: &PgPool) -> i64 {
    let row: Option<(i64,)> = sqlx::query_as("select market_time_us from tick_reader")
        .fetch_optional(pool)
        .await
        .unwrap();
    row.map_or(0, |(market_time_us,)| market_time_us)
}
