//! A batch that concerns very many accounts, broken off now and then: the close of a day with
//! waiting orders, a share split with very many holders, or a night in which very many contracts
//! mature, while other members place orders. One line of JSON comes out: how long it took, and how
//! long those orders took, before and meanwhile. Or no batch at all: how long a shard takes to start
//! with very many waiting orders, and how much memory.
#![expect(
    clippy::unwrap_used,
    reason = "a measurement that cannot be made must stop"
)]

mod bank;
mod book;
mod orders;
mod work;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::{Parser, ValueEnum};
use kernel::SystemClock;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use sqlx::PgPool;
use trading::market_cache::MarketCache;
use trading::orders::validation::OrderLimits;
use trading::store::{AccountPolicy, Store};

use bank::Bank;
use orders::{Until, placing};
use work::Work;

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Event {
    /// The day ends, and with it every waiting order.
    Close,
    /// Ten new shares for one.
    Split,
    /// Deposits and savings plans are paid out, kept or renewed.
    Mature,
    /// None: a shard starts.
    Start,
}

#[derive(Clone, Debug, Parser)]
struct Settings {
    /// An empty database.
    #[arg(long, env = "BENCH_DATABASE_URL", hide_env_values = true)]
    database_url: SecretString,
    /// What comes.
    #[arg(long, value_enum)]
    event: Event,
    /// Accounts that it concerns.
    #[arg(long, default_value_t = 100_000)]
    accounts: i64,
    /// Waiting orders of each.
    #[arg(long, default_value_t = 3)]
    orders: i64,
    /// How often the batch is broken off.
    #[arg(long, default_value_t = 3)]
    kills: u32,
    /// Orders that others place in a second.
    #[arg(long, default_value_t = 60)]
    pace: u64,
    /// Most effects of one transaction.
    #[arg(long)]
    slice: Option<usize>,
    /// Given by `cargo bench`.
    #[arg(long, hide = true)]
    bench: bool,
}

const WARM_UP: Duration = Duration::from_secs(5);
/// On either side of the event, because the disk's pace drifts.
const QUIET: Duration = Duration::from_secs(15);
/// From a start to the kill that breaks it off.
const KILL_AFTER: Duration = Duration::from_secs(3);

#[tokio::main]
async fn main() {
    let settings = Settings::parse();
    let (_, db) = bootstrap::database::connect(&settings.database_url, 16)
        .await
        .unwrap();
    let pool = PgPool::connect(settings.database_url.expose_secret())
        .await
        .unwrap();
    trading::MIGRATOR.run(&pool).await.unwrap();
    book::accounts(&pool, settings.accounts).await;
    match settings.event {
        Event::Close | Event::Start => {
            book::waiting(&pool, settings.accounts, settings.orders).await;
        }
        Event::Split => book::holders(&pool, settings.accounts).await,
        Event::Mature => book::contracts(&pool, settings.accounts).await,
    }

    let market_cache = Arc::new(MarketCache::default());
    market_cache.set_listings([orders::coin()]);
    let limits = OrderLimits {
        open_orders: i32::MAX,
        per_second: i32::MAX,
        per_minute: i32::MAX,
    };
    let policy = AccountPolicy {
        limits,
        ..AccountPolicy::default()
    };
    let store = Store::new(db, Arc::clone(&market_cache), Arc::new(SystemClock), policy);
    market_cache.apply(&work::first());
    let begun = Instant::now();
    let mut work = match settings.event {
        Event::Start => {
            let _shard = work::shard(&store, settings.slice).await;
            let took = begun.elapsed().as_millis();
            let done = count(&pool, "select count(*) from hold").await;
            println!(
                "{}",
                json!({"tookMs": took, "done": done, "peakMb": peak_mb()})
            );
            return;
        }
        Event::Close => Work::matcher(&store, settings.slice, work::close).await,
        Event::Split => Work::matcher(&store, settings.slice, work::split).await,
        Event::Mature => Work::Bank(Bank::open(&store, &pool).await),
    };

    let pace = settings.pace;
    // The first orders open their accounts.
    placing(&store, pace, Until::elapsed(WARM_UP), 0).await;
    let mut quiet = placing(&store, pace, Until::elapsed(QUIET), 1).await;
    let under_way = Arc::new(AtomicBool::new(true));
    let until = Until::Over(Arc::clone(&under_way));
    let meanwhile = tokio::spawn(placing(&store, pace, until, 2));
    let begun = Instant::now();
    let mut kills = 0;
    while kills < settings.kills {
        // Leaving the future breaks its transaction off, as a kill does.
        if tokio::time::timeout(KILL_AFTER, work.go_on()).await.is_ok() {
            break;
        }
        kills += 1;
        work.restart(&store).await;
    }
    // At once, if no kill was left.
    work.go_on().await;
    let took = begun.elapsed();
    under_way.store(false, Ordering::Relaxed);
    let meanwhile = meanwhile.await.unwrap();
    quiet.extend(placing(&store, pace, Until::elapsed(QUIET), 3).await);
    if let Work::Bank(bank) = &work {
        bank.check().await;
    }
    let done = match settings.event {
        Event::Close => "select count(*) from trade_order where status = 'EXPIRED'",
        Event::Split | Event::Start => "select count(*) from holding_split",
        Event::Mature => book::MATURED,
    };
    println!(
        "{}",
        json!({
            "tookMs": took.as_millis(), "kills": kills, "done": count(&pool, done).await,
            "quietUs": quiet, "meanwhileUs": meanwhile,
        })
    );
}

async fn count(pool: &PgPool, sql: &'static str) -> i64 {
    sqlx::query_scalar(sql).fetch_one(pool).await.unwrap()
}

/// The most memory that this process has used.
fn peak_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kb = peak.and_then(|peak| peak.trim().strip_suffix(" kB"));
    kb.unwrap().trim().parse::<u64>().unwrap() / 1_024
}
