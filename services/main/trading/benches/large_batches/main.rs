//! A batch that concerns very many accounts, broken off now and then: the close of a day with
//! waiting orders, and a share split with very many holders, while other members place orders. One
//! line of JSON comes out: how long it took, and how long those orders took, before and meanwhile.
//! Or no batch at all: how long a shard takes to start with very many waiting orders, and how much
//! memory.
#![expect(
    clippy::unwrap_used,
    reason = "a measurement that cannot be made must stop"
)]

mod book;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use chrono::TimeDelta;
use clap::{Parser, ValueEnum};
use kernel::{
    Currency, MarketCode, MemberId, Price, Quantity, RequestId, SystemClock, WarningCode,
};
use market_rules::TickClass;
use rust_decimal::Decimal;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use sqlx::PgPool;
use trading::accounts::open::AccountChoice;
use trading::domain::market::{Listing, TradingSession};
use trading::domain::split::SplitRatio;
use trading::market_cache::MarketCache;
use trading::matching::{Partition, Shard};
use trading::orders::committer::Committer;
use trading::orders::order::Side;
use trading::orders::place::PlaceOrder;
use trading::orders::validation::{Category, OrderLimits, OrderRequest, OrderSize};
use trading::store::request::{RequestDigest, RequestKind};
use trading::store::{AccountPolicy, Store};
use trading::tick_log::{Batch, LogRecord, Scope, SessionRecord, SessionRecordKind, Tick, Venue};

use book::{DAY, opening};

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Event {
    /// The day ends, and with it every waiting order.
    Close,
    /// Ten new shares for one.
    Split,
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

/// What others trade.
const ELSEWHERE: &str = "KRW-BTC";
const WARM_UP: Duration = Duration::from_secs(5);
/// On either side of the event, because the disk's pace drifts.
const QUIET: Duration = Duration::from_secs(15);

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
    }

    let market_cache = Arc::new(MarketCache::default());
    market_cache.set_listings([coin()]);
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
    let first = Batch {
        offset: 0,
        epoch: 1,
        closed_at: opening(),
        records: vec![coin_tick()],
    };
    market_cache.apply(&first);
    let begun = Instant::now();
    let mut shard = load(&store, settings.slice).await;
    shard.process(first).await.unwrap();
    if matches!(settings.event, Event::Start) {
        let done: i64 = sqlx::query_scalar("select count(*) from hold")
            .fetch_one(&pool)
            .await
            .unwrap();
        println!(
            "{}",
            json!({"tookMs": begun.elapsed().as_millis(), "done": done, "peakMb": peak_mb()})
        );
        return;
    }

    let pace = settings.pace;
    // The first orders open their accounts.
    placing(&store, pace, Until::elapsed(WARM_UP), 0).await;
    let mut quiet = placing(&store, pace, Until::elapsed(QUIET), 1).await;
    let under_way = Arc::new(AtomicBool::new(true));
    let until = Until::Over(Arc::clone(&under_way));
    let meanwhile = tokio::spawn(placing(&store, pace, until, 2));
    let begun = Instant::now();
    let mut kills = 0;
    loop {
        let batch = event(settings.event);
        let work = shard.process(batch);
        if kills == settings.kills {
            work.await.unwrap();
            break;
        }
        // Leaving the future breaks its transaction off, as a kill does.
        if let Ok(stored) = tokio::time::timeout(Duration::from_secs(3), work).await {
            stored.unwrap();
            break;
        }
        kills += 1;
        shard = load(&store, settings.slice).await;
    }
    let took = begun.elapsed();
    under_way.store(false, Ordering::Relaxed);
    let meanwhile = meanwhile.await.unwrap();
    quiet.extend(placing(&store, pace, Until::elapsed(QUIET), 3).await);
    let done: i64 = sqlx::query_scalar(match settings.event {
        Event::Close => "select count(*) from trade_order where status = 'EXPIRED'",
        Event::Split | Event::Start => "select count(*) from holding_split",
    })
    .fetch_one(&pool)
    .await
    .unwrap();
    println!(
        "{}",
        json!({
            "tookMs": took.as_millis(), "kills": kills, "done": done,
            "quietUs": quiet, "meanwhileUs": meanwhile,
        })
    );
}

async fn load(store: &Store, slice: Option<usize>) -> Shard {
    let shard = Shard::load(store, Partition { index: 0, count: 1 })
        .await
        .unwrap();
    match slice {
        Some(effects) => shard.in_slices_of(effects),
        None => shard,
    }
}

/// The most memory that this process has used.
fn peak_mb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kb = peak.and_then(|peak| peak.trim().strip_suffix(" kB"));
    kb.unwrap().trim().parse::<u64>().unwrap() / 1_024
}

/// The batch of an event that has one.
fn event(event: Event) -> Batch {
    let time = opening() + TimeDelta::seconds(1);
    let (kind, scope, trading_day) = match event {
        Event::Close => (SessionRecordKind::Close, Scope::Venue(Venue::Krx), DAY),
        Event::Split | Event::Start => {
            let ratio = SplitRatio {
                numerator: 10,
                denominator: 1,
            };
            (
                SessionRecordKind::Split(ratio),
                Scope::Code(book::CODE.to_owned()),
                DAY + 1,
            )
        }
    };
    let session_record = SessionRecord {
        kind,
        scope: Some(scope),
        trading_day,
        time,
        seq: 1,
    };
    Batch {
        offset: 1,
        epoch: 1,
        closed_at: time,
        records: vec![LogRecord::Session(session_record)],
    }
}

/// Until when orders are placed.
enum Until {
    Time(Instant),
    /// Something is no longer under way.
    Over(Arc<AtomicBool>),
}

impl Until {
    fn elapsed(time: Duration) -> Self {
        Self::Time(Instant::now() + time)
    }

    fn has_come(&self) -> bool {
        match self {
            Self::Time(time) => Instant::now() >= *time,
            Self::Over(under_way) => !under_way.load(Ordering::Relaxed),
        }
    }
}

/// Orders of other members at an even pace: microseconds from when each was due.
fn placing(
    store: &Store,
    pace: u64,
    until: Until,
    run: i64,
) -> impl Future<Output = Vec<u128>> + use<> {
    let committer = Committer::start(store);
    async move {
        let mut ticker = tokio::time::interval(Duration::from_millis(1_000 / pace));
        let mut orders = tokio::task::JoinSet::new();
        let mut number = 0;
        while !until.has_come() {
            ticker.tick().await;
            number += 1;
            let request = order(run * 1_000_000 + number);
            let committer = committer.clone();
            orders.spawn(async move {
                let due = Instant::now();
                committer.place(request).await.unwrap();
                due.elapsed().as_micros()
            });
        }
        orders.join_all().await
    }
}

fn order(number: i64) -> PlaceOrder {
    PlaceOrder {
        member_id: MemberId(900_000_000 + number % 500),
        account: AccountChoice::Basic,
        request_id: RequestId::parse(&format!("large-batch-{number}")).unwrap(),
        digest: RequestDigest::new(RequestKind::Place, &()),
        instrument_code: ELSEWHERE.to_owned(),
        order: OrderRequest {
            side: Side::Buy,
            category: Category::Coin,
            price: Some(Price(Decimal::from(100_000_000))),
            size: OrderSize::Quantity(Quantity(Decimal::new(1, 4))),
            seen_price: None,
            risk_acknowledged: true,
        },
        trace: None,
    }
}

fn coin() -> Listing {
    Listing {
        code: ELSEWHERE.to_owned(),
        name: "비트코인".to_owned(),
        market: MarketCode::Coin,
        currency: Currency::Krw,
        tick_class: TickClass::UpbitKrw,
        warning: WarningCode::None,
        tradable: true,
    }
}

fn coin_tick() -> LogRecord {
    let price = Price(Decimal::from(150_000_000));
    LogRecord::Tick(Tick {
        code: ELSEWHERE.to_owned(),
        market: MarketCode::Coin,
        seq: 1,
        time: opening(),
        trading_day: DAY,
        price,
        prev_close: price,
        bid: None,
        ask: None,
        bid_size: None,
        ask_size: None,
        volume: Some(Quantity(Decimal::from(1))),
        day_volume: None,
        fx_rate: None,
        session: TradingSession::Open,
    })
}
