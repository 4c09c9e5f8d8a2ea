//! Time of one batch of ticks among 100,000 price alerts in memory, of which a few fire.
//!
//! `cargo bench -p market-data --bench alerts_evaluated`. The last line is JSON.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a measurement that cannot be made must stop"
)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Parser;
use market_data::alerts::AlertKind;
use market_data::alerts::book::{ActiveAlert, AlertBook};
use market_data::alerts::tick_price::{TickPrice, TicksByCode};
use proto::market::v1::Tick;
use rust_decimal::Decimal;

#[derive(Parser)]
struct Settings {
    #[arg(long, env = "BENCH_ALERTS", default_value_t = 100_000)]
    alerts: i64,
    /// Measured batches, each with one tick of every instrument and twenty of the busiest.
    #[arg(long, env = "BENCH_BATCHES", default_value_t = 2_000)]
    batches: i64,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
}

const INSTRUMENTS: i64 = 500;
const PRICE: i64 = 100_000;
/// An instrument with as many alerts as all others together.
const BUSIEST: i64 = 0;

fn main() {
    let settings = Settings::parse();
    let codes: Vec<Arc<str>> = (0..INSTRUMENTS)
        .map(|n| Arc::from(format!("{n:06}")))
        .collect();
    let mut book = AlertBook::default();
    for id in 1..=settings.alerts {
        book.insert(alert(id, &codes));
    }
    let mut times: Vec<Duration> = Vec::new();
    let mut fired = 0;
    for n in 1..=settings.batches {
        let ticks = batch(n, &codes);
        let began = Instant::now();
        let found = book.fire(&ticks);
        times.push(began.elapsed());
        fired += found.len();
        // As many wait for every batch.
        for done in found {
            let id = settings.alerts + done.alert_id;
            book.insert(alert(id, &codes));
        }
    }
    times.sort_unstable();
    let at = |permille: usize| times[(times.len() * permille / 1_000).min(times.len() - 1)];
    let line = serde_json::json!({
        "alerts": settings.alerts,
        "waiting": book.len(),
        "fired": fired,
        "batch_p50_us": at(500).as_micros(),
        "batch_p99_us": at(990).as_micros(),
        "batch_max_us": times.last().unwrap().as_micros(),
    });
    println!("{line}");
}

/// Alerts from 0.1 % to 30 % away from the price.
fn alert(id: i64, codes: &[Arc<str>]) -> ActiveAlert {
    let of = if id % 2 == 0 {
        BUSIEST
    } else {
        id % INSTRUMENTS
    };
    let away = PRICE / 1_000 * (1 + id / 7 % 300);
    let (kind, value) = match id % 3 {
        0 => (AlertKind::Above, Decimal::from(PRICE + away)),
        1 => (AlertKind::Below, Decimal::from(PRICE - away)),
        _ => (AlertKind::Percent, Decimal::new(1 + id / 7 % 300, 1)),
    };
    ActiveAlert {
        alert_id: id,
        member_id: 1,
        code: codes[usize::try_from(of).unwrap()].to_string(),
        kind,
        value,
        shares_day: 20_261_120,
        after_seq: 0,
    }
}

/// Prices that wander by less than the nearest alerts, and once in a hundred batches a little beyond.
fn batch(n: i64, codes: &[Arc<str>]) -> TicksByCode {
    let swing = if n % 100 == 0 { 110 } else { 90 };
    let tick = |code: &Arc<str>, seq: i64| {
        let tick = Tick {
            code: code.to_string(),
            tick_seq: seq,
            trading_day: 20_261_120,
            price_units: PRICE + seq * 37 % (2 * swing) - swing,
            prev_close_units: PRICE,
            ..Tick::default()
        };
        TickPrice::of(&tick).unwrap()
    };
    let ticks = codes.iter().map(|code| {
        let count = if **code == *codes[0] { 20 } else { 1 };
        let ticks = (0..count).map(|more| tick(code, n * 20 + more));
        (Arc::clone(code), ticks.collect())
    });
    ticks.collect()
}
