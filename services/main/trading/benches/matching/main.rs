//! How long a batch of ticks takes from its delivery to the matcher until its fills are committed,
//! while many orders wait and few of them are reached: a database of its own, filled with resting
//! orders, and batches one after another. One line of JSON comes out, in milliseconds.
#![expect(
    clippy::unwrap_used,
    reason = "a measurement that cannot be made must stop"
)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use clap::Parser;
use kernel::{MarketCode, Price, Quantity, SystemClock};
use rust_decimal::Decimal;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use sqlx::PgPool;
use trading::domain::market::TradingSession;
use trading::market_cache::MarketCache;
use trading::matching::{Partition, Shard};
use trading::store::{AccountPolicy, Store};
use trading::tick_log::{Batch, LogRecord, Tick};

/// What waits, and what comes.
#[derive(Clone, Debug, Parser)]
struct Settings {
    /// An empty database.
    #[arg(long, env = "BENCH_DATABASE_URL", hide_env_values = true)]
    database_url: SecretString,
    /// Orders that wait.
    #[arg(long, default_value_t = 100_000)]
    waiting: i64,
    /// Instruments that are traded; every batch has a tick of each fiftieth.
    #[arg(long, default_value_t = 3_000)]
    instruments: i64,
    /// Batches that are measured.
    #[arg(long, default_value_t = 1_000)]
    batches: i64,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
}

const DAY: i32 = 20_261_120;
const LAST_PRICE: i64 = 71_300;
/// Limits wait on this many prices below the market, a tick apart.
const LEVELS: i64 = 200;
const TICK: i64 = 100;
/// The orders wait for this many of the instruments.
const WANTED: i64 = 50;
const MEMBERS: i64 = 2_000;
/// Batches before the first that counts.
const WARM_UP: i64 = 50;

#[tokio::main]
async fn main() {
    let settings = Settings::parse();
    let (_, db) = bootstrap::database::connect(&settings.database_url, 8)
        .await
        .unwrap();
    // The service's own connections allow no statement the time that filling the tables takes.
    let pool = PgPool::connect(settings.database_url.expose_secret())
        .await
        .unwrap();
    trading::MIGRATOR.run(&pool).await.unwrap();
    fill_book(&pool, settings.waiting).await;

    let store = Store::new(
        db,
        Arc::new(MarketCache::default()),
        Arc::new(SystemClock),
        AccountPolicy::default(),
    );
    let loading = Instant::now();
    let mut shard = Shard::load(&store, Partition { index: 0, count: 1 })
        .await
        .unwrap();
    let loaded = loading.elapsed();

    let mut log = Log::default();
    let everything = (0..settings.instruments).map(|number| (number, LAST_PRICE));
    shard.process(log.batch(everything)).await.unwrap();
    let mut times = Vec::new();
    for turn in 0..WARM_UP + settings.batches {
        // One wanted instrument falls by a tick and through the orders that wait there; the rest
        // of the market moves where nobody waits.
        let fallen = LAST_PRICE - TICK * (2 + turn / WANTED);
        let others = (WANTED..settings.instruments).filter(|number| number % 50 == turn % 50);
        let trades = others.map(|number| (number, LAST_PRICE));
        let batch = log.batch(trades.chain([(turn % WANTED, fallen)]));
        let delivered = Instant::now();
        shard.process(batch).await.unwrap();
        if turn >= WARM_UP {
            times.push(delivered.elapsed());
        }
    }
    let fills: i64 = sqlx::query_scalar("select count(*) from fill")
        .fetch_one(&pool)
        .await
        .unwrap();
    let times: Vec<u128> = times.iter().map(Duration::as_micros).collect();
    println!(
        "{}",
        json!({"timesUs": times, "fills": fills, "loadedMs": loaded.as_millis()})
    );
}

/// The log as the matcher reads it.
#[derive(Default)]
struct Log {
    offset: i64,
}

impl Log {
    fn batch(&mut self, trades: impl Iterator<Item = (i64, i64)>) -> Batch {
        self.offset += 1;
        let now = opening() + TimeDelta::milliseconds(250 * self.offset);
        let records = trades.map(|(number, price)| {
            LogRecord::Tick(Tick {
                code: code(number),
                market: MarketCode::Kospi,
                seq: self.offset,
                time: now,
                trading_day: DAY,
                price: Price(Decimal::from(price)),
                prev_close: Price(Decimal::from(LAST_PRICE)),
                bid: None,
                ask: None,
                bid_size: None,
                ask_size: None,
                volume: Some(Quantity(Decimal::from(1_000))),
                day_volume: None,
                fx_rate: None,
                session: TradingSession::Open,
            })
        });
        Batch {
            offset: self.offset,
            epoch: 1,
            closed_at: now,
            records: records.collect(),
        }
    }
}

fn code(number: i64) -> String {
    format!("{:06}", 100_000 + number)
}

fn opening() -> DateTime<Utc> {
    "2026-11-20T01:00:00Z".parse().unwrap()
}

/// Accounts, and resting buys of one share: as placing them would have left them.
async fn fill_book(pool: &PgPool, waiting: i64) {
    let accounts = "insert into account (id, member_id, code, account_no, opened_at, \
         initial_deposit_won) \
         select n, 100000 + n, '00', lpad(n::text, 10, '0') || '00', $2, 9000000000000 \
         from generate_series(1, $1) n";
    let balances = "insert into balance (account_id, asset, amount) \
         select n, 'KRW', 9000000000000 from generate_series(1, $1) n \
         on conflict (account_id, asset) do update set amount = excluded.amount";
    let orders = "insert into trade_order (id, account_id, member_id, instrument_code, \
         instrument_name, market, currency, tick_class, side, status, price, quantity, \
         time_in_force, trading_day, resting, placed_at, placed_market_at) \
         select 1000 + n, 1 + n % $3, 100001 + n % $3, (100000 + n % $4)::text, '벤치', 'KOSPI', \
         'KRW', 'KRX_STOCK', 'BUY', 'ACCEPTED', $5 - $6 * (1 + n / $4 % $7), 1, 'DAY', $8, true, \
         $2, $2 from generate_series(1, $1) n";
    let holds = "insert into hold select id, account_id, instrument_code, price::bigint + 11, 0 \
         from trade_order where $1 > 0";
    let held = "with h as (select account_id, sum(amount_won)::bigint won, count(*)::int orders \
         from hold where $1 > 0 group by account_id), \
         counted as (update account a set open_orders = h.orders from h where a.id = h.account_id) \
         update balance b set held = h.won from h \
         where b.account_id = h.account_id and b.asset = 'KRW'";
    sqlx::query(accounts)
        .bind(MEMBERS)
        .bind(opening())
        .execute(pool)
        .await
        .unwrap();
    sqlx::query(balances)
        .bind(MEMBERS)
        .execute(pool)
        .await
        .unwrap();
    sqlx::query(orders)
        .bind(waiting)
        .bind(opening())
        .bind(MEMBERS)
        .bind(WANTED)
        .bind(LAST_PRICE)
        .bind(TICK)
        .bind(LEVELS)
        .bind(DAY)
        .execute(pool)
        .await
        .unwrap();
    for statement in [holds, held] {
        sqlx::query(statement)
            .bind(waiting)
            .execute(pool)
            .await
            .unwrap();
    }
    for statement in [
        "select setval('order_id_seq', 10000000)",
        "select setval('account_id_seq', 10000000)",
        "analyze trade_order",
        "analyze hold",
    ] {
        sqlx::query(statement).execute(pool).await.unwrap();
    }
}
