//! The feed boundary: invalid input, bursts and silence.

use std::sync::Arc;
use std::time::Duration;

use kernel::{Clock, FixedClock};
use market_data::MIGRATOR;
use market_data::candles::reader::LogReader;
use market_data::candles::state::StoredState;
use market_data::catalogue::Catalogue;
use market_data::config::MarketFeed;
use market_data::feed::LatestRates;
use market_data::feed::lines::LinesFeed;
use market_data::feed::supervise::{ReconnectPolicy, supervise};
use market_data::pipeline::{Batcher, LogEnd, Output, RefusedLog, publish, refused};
use market_data::quotes::{LogProgress, QuoteBoard};
use messaging::ticks::{LogOffset, Publisher};
use proto::market::v1::{DayBase, SessionState, Snapshot, Venue, VenueSession};
use rust_decimal::Decimal;
use sqlx::PgPool;
use testkit::TempStream;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio_util::sync::{CancellationToken, DropGuard};

/// A pipeline whose only feed is a socket that the test writes to.
struct Boundary {
    pool: PgPool,
    clock: FixedClock,
    board: QuoteBoard,
    server: TcpListener,
    _stream: TempStream,
    _stop: DropGuard,
}

impl Boundary {
    async fn new(pool: PgPool, silence_timeout: Duration) -> Self {
        let stream = TempStream::create().await;
        let clock = FixedClock::at("2026-11-20T03:00:00Z".parse().unwrap());
        let universe = MarketFeed::Builtin.seed().read().unwrap();
        let catalogue = Catalogue::new(universe.instruments, universe.indices, universe.currencies);
        let board = QuoteBoard::new(catalogue.clone());
        let server = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = server.local_addr().unwrap().to_string();
        let shutdown = CancellationToken::new();
        let stored = StoredState {
            progress: LogProgress {
                offset: LogOffset { epoch: 1, next: 0 },
                session_seq: 1,
                ..LogProgress::default()
            },
            sessions: open_sessions(),
            ticks: Vec::new(),
            minutes: Vec::new(),
            splits: Vec::new(),
        };
        let reader = LogReader::open(
            pool.clone(),
            board.clone(),
            stored,
            stream.amqp.clone(),
            stream.spec.clone(),
        );
        let (refused_log, refusals) = RefusedLog::new();
        let end = LogEnd {
            epoch: 1,
            batch_seq: 0,
            is_new_epoch: false,
        };
        let batcher = Batcher::new(&board, refused_log, end);
        let (sender, batches) = mpsc::channel(4);
        let shared: Arc<dyn Clock> = Arc::new(clock.clone());
        let output = Output {
            publisher: Publisher::new(stream.amqp.clone(), stream.spec.clone()),
            holds_lock: watch::channel(true).1,
            clock: Arc::clone(&shared),
        };
        let feed = LinesFeed::new(
            address,
            catalogue,
            LatestRates::default(),
            Arc::clone(&shared),
        );
        let policy = ReconnectPolicy {
            silence_timeout,
            min_backoff: Duration::from_millis(50),
            max_backoff: Duration::from_millis(200),
        };
        tokio::spawn(supervise(Box::new(feed), policy, sender, shutdown.clone()));
        tokio::spawn(publish(batcher, output, batches, shutdown.clone()));
        tokio::spawn(refused::write(
            pool.clone(),
            shared,
            refusals,
            shutdown.clone(),
        ));
        tokio::spawn(reader.run(shutdown.clone()));
        Self {
            pool,
            clock,
            board,
            server,
            _stream: stream,
            _stop: shutdown.drop_guard(),
        }
    }

    async fn connection(&self) -> TcpStream {
        let accepted = tokio::time::timeout(Duration::from_secs(10), self.server.accept());
        accepted.await.unwrap().unwrap().0
    }

    fn line(&self, code: &str, price: &str, volume: &str) -> String {
        let now_us = self.clock.now().timestamp_micros();
        format!(r#"{{"code":"{code}","price":{price},"volume":{volume},"time_us":{now_us}}}"#)
    }

    async fn price(&self, code: &str, units: i64) {
        testkit::eventually(Duration::from_secs(10), async || {
            self.board
                .tick(code)
                .is_some_and(|tick| tick.price_units == units)
        })
        .await;
    }
}

fn open_sessions() -> Snapshot {
    let venue = |venue: Venue| VenueSession {
        venue: venue.into(),
        state: SessionState::Open.into(),
        trading_day: 20_261_120,
    };
    let base = |code: &str, base_units, lower, upper| DayBase {
        code: code.to_owned(),
        price_scale: 0,
        base_units,
        lower_limit_units: lower,
        upper_limit_units: upper,
    };
    Snapshot {
        venues: vec![venue(Venue::Krx), venue(Venue::Us), venue(Venue::Coin)],
        bases: vec![
            base("005930", 259_000, 181_500, 336_500),
            DayBase {
                price_scale: 2,
                ..base("AAPL", 30_935, 0, 0)
            },
        ],
        ..Snapshot::default()
    }
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn invalid_input_reaches_neither_quotes_nor_candles(pool: PgPool) {
    let boundary = Boundary::new(pool, Duration::from_secs(30)).await;
    let mut socket = boundary.connection().await;
    let now_us = boundary.clock.now().timestamp_micros();
    let good = boundary.line("005930", "259500", "7");
    let timed = |code: &str, time_us: i64| {
        format!(r#"{{"code":"{code}","price":260000,"volume":1,"time_us":{time_us}}}"#)
    };
    let long = format!(r#"{{"code":"{}"}}"#, "9".repeat(1_100_000));
    let garbage: Vec<(&str, Vec<u8>)> = vec![
        ("malformed", vec![0xff, 0xfe, 0x00, 0x80, 0x01]),
        ("malformed", good.as_bytes()[..30].to_vec()),
        ("malformed", b"[]".to_vec()),
        (
            "malformed",
            br#"{"code":5,"price":"x","time_us":"now"}"#.to_vec(),
        ),
        ("malformed", "[".repeat(100_000).into_bytes()),
        (
            "malformed",
            boundary.line("005930", "1e400", "1").into_bytes(),
        ),
        ("bad_price", boundary.line("005930", "0", "1").into_bytes()),
        (
            "bad_price",
            boundary.line("005930", "-259500", "1").into_bytes(),
        ),
        (
            "bad_price",
            boundary.line("005930", "\"NaN\"", "1").into_bytes(),
        ),
        (
            "bad_volume",
            boundary.line("005930", "259500", "-1").into_bytes(),
        ),
        (
            "bad_scale",
            boundary.line("005930", "259500.5", "1").into_bytes(),
        ),
        (
            "price_jump",
            boundary.line("005930", "259500000", "1").into_bytes(),
        ),
        (
            "price_jump",
            boundary.line("005930", "259", "1").into_bytes(),
        ),
        (
            "price_jump",
            boundary.line("AAPL", "309350", "1").into_bytes(),
        ),
        (
            "old_time",
            timed("005930", now_us - 3_600_000_000).into_bytes(),
        ),
        (
            "future_time",
            timed("005930", now_us + 3_600_000_000).into_bytes(),
        ),
        (
            "unknown_code",
            boundary.line("NOBODY", "1000", "1").into_bytes(),
        ),
        (
            "closed",
            boundary.line("04020000", "187500", "1").into_bytes(),
        ),
        ("too_long", long.into_bytes()),
    ];
    socket
        .write_all(format!("{good}\n").as_bytes())
        .await
        .unwrap();
    for (_, bytes) in &garbage {
        socket.write_all(bytes).await.unwrap();
        socket.write_all(b"\n").await.unwrap();
    }
    let last = boundary.line("005930", "\"260000\"", "5");
    socket
        .write_all(format!("{last}\n").as_bytes())
        .await
        .unwrap();
    boundary.price("005930", 260_000).await;
    let mut expected: Vec<&str> = garbage.iter().map(|(reason, _)| *reason).collect();
    expected.sort_unstable();
    let mut found: Vec<String> = Vec::new();
    testkit::eventually(Duration::from_secs(10), async || {
        found = sqlx::query_scalar("select reason from refused_tick order by reason")
            .fetch_all(&boundary.pool)
            .await
            .unwrap();
        found.len() == expected.len()
    })
    .await;
    assert_eq!(found, expected);
    type Columns = (String, Decimal, Decimal, Decimal, Decimal, Decimal);
    let mut candles: Vec<Columns> = Vec::new();
    testkit::eventually(Duration::from_secs(10), async || {
        candles = sqlx::query_as("select code, open, high, low, close, volume from candle_minute")
            .fetch_all(&boundary.pool)
            .await
            .unwrap();
        candles.iter().any(|candle| candle.5 == Decimal::from(12))
    })
    .await;
    let won = |won: i64| Decimal::from(won);
    let one = (
        "005930".to_owned(),
        won(259_500),
        won(260_000),
        won(259_500),
        won(260_000),
        won(12),
    );
    assert_eq!(candles, [one]);
    let of_the_close: bool = sqlx::query_scalar(
        "select m.close_seq = t.tick_seq from candle_minute m join newest_tick t using (code)",
    )
    .fetch_one(&boundary.pool)
    .await
    .unwrap();
    assert!(of_the_close, "a minute names its last tick");
    assert_eq!(boundary.board.tick("AAPL"), None);
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_burst_is_processed_completely_and_in_order(pool: PgPool) {
    let boundary = Boundary::new(pool, Duration::from_secs(30)).await;
    let mut socket = boundary.connection().await;
    let mut burst = String::new();
    for trade in 0..30_000 {
        let price = 250_000 + trade % 40 * 500;
        burst.push_str(&boundary.line("005930", &price.to_string(), "1"));
        burst.push('\n');
    }
    burst.push_str(&boundary.line("005930", "271500", "1"));
    burst.push('\n');
    socket.write_all(burst.as_bytes()).await.unwrap();
    boundary.price("005930", 271_500).await;
    let tick = boundary.board.tick("005930").unwrap();
    assert_eq!(tick.acc_volume_units, 30_001);
    assert_eq!((tick.low_units, tick.high_units), (250_000, 271_500));
}

#[sqlx::test(migrator = "MIGRATOR")]
async fn a_silent_feed_is_reconnected(pool: PgPool) {
    let boundary = Boundary::new(pool, Duration::from_millis(300)).await;
    // Connected and silent.
    let silent = boundary.connection().await;
    let mut again = boundary.connection().await;
    let line = boundary.line("005930", "259500", "1");
    again
        .write_all(format!("{line}\n").as_bytes())
        .await
        .unwrap();
    boundary.price("005930", 259_500).await;
    drop(silent);
    // Cut in the middle of a line: complete lines count, the rest is dropped.
    let line = boundary.line("005930", "260000", "1");
    let cut = &line[..20];
    again
        .write_all(format!("{line}\n{cut}").as_bytes())
        .await
        .unwrap();
    drop(again);
    boundary.price("005930", 260_000).await;
    let mut third = boundary.connection().await;
    let line = boundary.line("005930", "260500", "1");
    third
        .write_all(format!("{line}\n").as_bytes())
        .await
        .unwrap();
    boundary.price("005930", 260_500).await;
}
