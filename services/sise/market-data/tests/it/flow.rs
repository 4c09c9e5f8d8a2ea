//! Runs the writer of a process on a runtime of its own, so that a test can kill it at any point.

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use clap::Parser;
use kernel::{Clock, FixedClock};
use market_data::catalogue::Catalogue;
use market_data::config::{MarketClock, MarketFeed};
use market_data::feed::{FeedConfig, LatestRates};
use market_data::live::{self, Dependencies};
use market_data::quotes::QuoteBoard;
use messaging::Amqp;
use messaging::ticks::{StreamSpec, declare};
use sqlx::PgPool;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use testkit::TempStream;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

/// What survives a process.
pub(crate) struct Ground {
    pub(crate) pool: PgPool,
    pub(crate) stream: TempStream,
    pub(crate) clock: FixedClock,
    pub(crate) catalogue: Catalogue,
    pub(crate) feed: MarketFeed,
    pub(crate) began_at: DateTime<Utc>,
    pub(crate) settings: Vec<&'static str>,
}

pub(crate) struct Process {
    runtime: Option<Runtime>,
    shutdown: CancellationToken,
    pub(crate) board: QuoteBoard,
}

pub(crate) const SEED: &[u8] = b"a seed of tests";

impl Ground {
    pub(crate) fn new(pool: PgPool, feed: MarketFeed, settings: &[&'static str]) -> Self {
        let universe = feed.seed().read().unwrap();
        let wanted = [
            "005930", "247540", "122630", "0193W0", "KRW-BTC", "KRW-BTT", "04020000", "XAUUSD",
        ];
        let mut instruments = universe.instruments;
        if feed == MarketFeed::Builtin {
            instruments.retain(|instrument| {
                wanted.contains(&instrument.code.as_str()) || instrument.code == "AAPL"
            });
        }
        let began_at = "2026-11-21T14:57:30Z".parse().unwrap();
        Self {
            pool,
            // Declared by the process, with the product's retention.
            stream: TempStream {
                spec: StreamSpec::named(testkit::unique("test-ticks")),
                amqp: Amqp::new(&testkit::amqp_url()).unwrap(),
            },
            clock: FixedClock::at(began_at),
            catalogue: Catalogue::new(instruments, universe.indices, universe.currencies),
            feed,
            began_at,
            settings: settings.to_vec(),
        }
    }

    pub(crate) fn config(&self) -> FeedConfig {
        let fixed = ["test", "--tick-stream", &self.stream.spec.name];
        FeedConfig::parse_from(fixed.into_iter().chain(self.settings.iter().copied()))
    }

    /// Starts a process and waits until prices flow.
    pub(crate) async fn start(&self) -> Process {
        self.start_over((*self.pool.connect_options()).clone())
            .await
    }

    /// As [`Self::start`], with these database options.
    pub(crate) async fn start_over(&self, options: PgConnectOptions) -> Process {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let board = QuoteBoard::new(self.catalogue.clone());
        let shutdown = CancellationToken::new();
        let until = shutdown.clone();
        let dependencies = self.dependencies(board.clone(), LatestRates::default());
        let started = runtime.spawn(async move {
            let pool = PgPoolOptions::new()
                .max_connections(4)
                .connect_with(options)
                .await
                .unwrap();
            live::start(dependencies(pool), &until).await.unwrap();
        });
        started.await.unwrap();
        Process {
            runtime: Some(runtime),
            shutdown,
            board,
        }
    }

    /// What a process needs, once it is connected to the database.
    pub(crate) fn dependencies(
        &self,
        board: QuoteBoard,
        rates: LatestRates,
    ) -> impl FnOnce(PgPool) -> Dependencies + use<> {
        let clock: Arc<dyn Clock> = Arc::new(self.clock.clone());
        let (amqp, began_at, market_feed) = (self.stream.amqp.clone(), self.began_at, self.feed);
        let config = self.config();
        move |pool| Dependencies {
            pool,
            amqp,
            clock,
            board,
            rates,
            market_clock: match market_feed {
                MarketFeed::Builtin => MarketClock::Practice,
                MarketFeed::Replay => MarketClock::Replay,
            },
            market_feed,
            began_at,
            seed: SEED.to_vec(),
            config,
        }
    }

    /// Advances the clock and waits until the log has reached it.
    pub(crate) async fn advance(&self, process: &Process, by: chrono::TimeDelta) {
        self.clock.advance(by);
        let now_us = self.clock.now().timestamp_micros();
        testkit::eventually(Duration::from_secs(30), async || {
            process.board.progress().market_time_us >= now_us - 200_000
        })
        .await;
    }

    /// Deletes the log, as if the broker had lost its data.
    pub(crate) async fn delete_log(&self) {
        let link = self.stream.amqp.channel().await;
        link.queue_delete(self.stream.spec.name.as_str().into(), Default::default())
            .await
            .unwrap();
    }

    pub(crate) async fn declare_log(&self) {
        let link = self.stream.amqp.channel().await;
        declare(&link, &self.stream.spec).await.unwrap();
    }

    /// Waits until the state of the board is in the tables.
    pub(crate) async fn written(&self, process: &Process) {
        let progress = process.board.progress();
        let wanted = (
            progress.offset.epoch,
            i64::try_from(progress.offset.next).unwrap(),
        );
        testkit::eventually(Duration::from_secs(20), async || {
            let row: Option<(i64, i64)> =
                sqlx::query_as("select epoch, next_offset from tick_reader")
                    .fetch_optional(&self.pool)
                    .await
                    .unwrap();
            row.is_some_and(|written| written >= wanted)
        })
        .await;
    }
}

impl Process {
    /// Whether it is shutting down.
    pub(crate) fn is_shutting_down(&self) -> bool {
        self.shutdown.is_cancelled()
    }

    /// As kill -9: nothing is finished or written, and the connections end.
    pub(crate) fn kill(mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.shutdown.cancel();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
