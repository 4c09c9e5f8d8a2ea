//! Rows of finished minutes written per second, as the log reader writes them during catch-up (with
//! the newest ticks and the log offset, in one transaction), compared with a bare COPY of the same
//! rows into a similar table.
//!
//! `DATABASE_URL=… cargo bench -p market-data --bench candles_written`. Creates and drops a
//! database of its own. The last line is JSON: a ratio per round.
#![expect(
    clippy::unwrap_used,
    clippy::float_arithmetic,
    clippy::as_conversions,
    reason = "a measurement that cannot be made must stop, and its results are rates"
)]

use std::sync::Arc;
use std::time::Instant;

use clap::Parser;
use market_data::MIGRATOR;
use market_data::candles::book::{CandleRow, Changes};
use market_data::candles::copy::CopyBuffer;
use market_data::candles::state::{self, NewestMinutes};
use market_data::quotes::LogProgress;
use proto::market::v1::Snapshot;
use sqlx::PgPool;
use testkit::TempDatabase;

#[derive(Parser)]
struct Settings {
    /// A role that may create databases.
    #[arg(long, env = "DATABASE_URL")]
    database_url: String,
    /// Instruments, with one row per minute each.
    #[arg(long, env = "BENCH_INSTRUMENTS", default_value_t = 500)]
    instruments: i64,
    /// Minutes per write.
    #[arg(long, env = "BENCH_MINUTES", default_value_t = 20)]
    minutes: i64,
    /// Writes per side and round.
    #[arg(long, env = "BENCH_WRITES", default_value_t = 20)]
    writes: i64,
    /// Measured rounds, after one warm-up.
    #[arg(long, env = "BENCH_ROUNDS", default_value_t = 5)]
    rounds: i64,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
}

const START_US: i64 = 1_795_000_020_000_000;
const MINUTE_US: i64 = 60_000_000;
const COPY: &str = "copy peer_minute
    (code, start_at, trading_day, open, high, low, close, volume) from stdin";

#[tokio::main]
async fn main() {
    let settings = Settings::parse();
    let database = TempDatabase::create(&settings.database_url, 2).await;
    MIGRATOR.run(&database.pool).await.unwrap();
    sqlx::query("create table peer_minute (like candle_minute including all)")
        .execute(&database.pool)
        .await
        .unwrap();
    let ratios = measure(&database.pool, &settings).await;
    println!("{}", serde_json::json!({ "ratios": ratios }));
    database.remove().await;
}

async fn measure(pool: &PgPool, settings: &Settings) -> Vec<f64> {
    let mut ratios = Vec::new();
    let mut minute = 0;
    for round in 0..=settings.rounds {
        let (mut ours_s, mut theirs_s) = (0.0, 0.0);
        for _ in 0..settings.writes {
            let changes = changes(settings, minute);
            let text = as_text(&changes);
            minute += settings.minutes;
            let started = Instant::now();
            state::save(
                pool,
                &changes,
                &NewestMinutes::new(),
                &[],
                LogProgress::default(),
                &Snapshot::default(),
            )
            .await
            .unwrap();
            ours_s += started.elapsed().as_secs_f64();
            let started = Instant::now();
            let mut connection = pool.acquire().await.unwrap();
            let mut copying = connection.copy_in_raw(COPY).await.unwrap();
            copying.send(text.into_bytes()).await.unwrap();
            copying.finish().await.unwrap();
            theirs_s += started.elapsed().as_secs_f64();
        }
        let rows = (settings.instruments * settings.minutes * settings.writes) as f64;
        let ratio = theirs_s / ours_s;
        println!(
            "round {round}: {:.0} rows/s, COPY {:.0} rows/s, ratio {ratio:.2}",
            rows / ours_s,
            rows / theirs_s
        );
        if round > 0 {
            ratios.push(ratio);
        }
    }
    let (ours, theirs): (i64, i64) = sqlx::query_as(
        "select (select count(*) from candle_minute), (select count(*) from peer_minute)",
    )
    .fetch_one(pool)
    .await
    .unwrap();
    assert_eq!(ours, theirs, "both tables hold every row");
    ratios
}

fn changes(settings: &Settings, first_minute: i64) -> Changes {
    let mut changes = Changes::default();
    for number in 0..settings.instruments {
        let code: Arc<str> = format!("{number:06}").into();
        for minute in first_minute..first_minute + settings.minutes {
            let start_us = START_US + minute * MINUTE_US;
            let open = 70_000 + (number * 7 + minute * 13) % 997;
            let row = CandleRow {
                code: Arc::clone(&code),
                start_us,
                trading_day: 20_261_118,
                price_scale: 0,
                volume_scale: 0,
                open,
                high: open + 300,
                low: open - 200,
                close: open + 100,
                volume: 1_000 + minute,
                close_seq: start_us,
            };
            changes.minutes.insert((Arc::clone(&code), start_us), row);
        }
    }
    changes
}

/// The same rows in the same order.
fn as_text(changes: &Changes) -> String {
    let mut rows: Vec<&CandleRow> = changes.minutes.values().collect();
    rows.sort_unstable_by_key(|row| (&row.code, row.start_us));
    let mut sheet = CopyBuffer::default();
    for row in rows {
        sheet.minute(row);
    }
    sheet.minutes
}
