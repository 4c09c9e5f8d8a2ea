//! The task that closes days.

use std::time::Duration;

use bootstrap::deadline::{self, Deadline};
use bootstrap::grpc::Client;
use bootstrap::shutdown::elapsed;
use chrono::{NaiveDate, TimeDelta};
use proto::convert::{InvalidField, micros, to_optional_decimal, to_required_decimal};
use proto::market::v1::ListPricesAtRequest;
use proto::market::v1::close_service_client::CloseServiceClient;
use sqlx::PgPool;
use tokio_util::sync::CancellationToken;
use tonic::Code;

use super::close::Slice;
use super::run::DayPrices;
use crate::audit::{self, AuditError, Settled};
use crate::contracts::{day_of, midnight};
use crate::error::TradingError;
use crate::matching::CONSUMER;
use crate::store::Store;
use crate::store::slice::SliceSize;

const STEP_INTERVAL: Duration = Duration::from_secs(2);
const CALL_TIMEOUT: Duration = Duration::from_secs(10);
/// A connection that is half open never answers; what was done is stored.
const LONGEST_STEP: Duration = Duration::from_secs(60);
/// Most accounts of one transaction, beside those that had closed before.
const ACCOUNTS_PER_TRANSACTION: i64 = 1_000;
/// What was begun before midnight has drawn its numbers by then.
const AFTER_MIDNIGHT: TimeDelta = TimeDelta::seconds(10);

#[derive(Debug, thiserror::Error)]
pub enum EquityError {
    #[error("market-data: {0}")]
    Market(#[from] tonic::Status),
    #[error("market-data: {0}")]
    Field(#[from] InvalidField),
    #[error(transparent)]
    History(#[from] AuditError),
    #[error(transparent)]
    Trading(#[from] TradingError),
}

impl From<sqlx::Error> for EquityError {
    fn from(error: sqlx::Error) -> Self {
        Self::History(error.into())
    }
}

/// What was there when this process saw a day of market time begin.
#[derive(Clone, Copy)]
struct DaySeen {
    today: NaiveDate,
    /// Newest batch of the log.
    head: (i64, i64),
    settled: Settled,
}

pub struct EquityWorker {
    store: Store,
    pool: PgPool,
    market: CloseServiceClient<Client>,
    shards: i32,
    begun: Option<DaySeen>,
    /// Kept from one step to the next: a step may be over before its slices are small enough.
    size: SliceSize,
}

impl EquityWorker {
    /// `shards` is the number of matcher shards.
    #[must_use]
    pub fn new(store: Store, pool: PgPool, client: Client, shards: i32) -> Self {
        Self {
            store,
            pool,
            market: CloseServiceClient::new(client),
            shards: shards.max(1),
            begun: None,
            size: SliceSize::new(ACCOUNTS_PER_TRANSACTION),
        }
    }

    /// Runs until `shutdown`.
    pub async fn run(mut self, shutdown: CancellationToken) {
        while elapsed(&shutdown, STEP_INTERVAL).await {
            let step = tokio::time::timeout(LONGEST_STEP, self.step());
            match shutdown.run_until_cancelled(step).await {
                Some(Ok(Err(error))) => tracing::warn!(%error, "Closing a day failed; retrying"),
                Some(Err(_elapsed)) => tracing::info!("Closing a day takes long; going on"),
                Some(Ok(Ok(()))) | None => {}
            }
        }
    }

    /// Closes the days that have ended and whose fills are all stored.
    ///
    /// # Errors
    /// [`EquityError`]: the next step goes on where this one stopped.
    pub async fn step(&mut self) -> Result<(), EquityError> {
        let market_cache = self.store.market_cache();
        let Some(head) = market_cache.log_head() else {
            return Ok(());
        };
        let now = market_cache.now();
        let today = day_of(now);
        if now < midnight(today) + AFTER_MIDNIGHT {
            return Ok(());
        }
        let next = self.store.next_equity_day(today).await?;
        let late = next.map_or(TimeDelta::zero(), |(day, _)| {
            now - midnight(day.succ_opt().unwrap_or(day))
        });
        metrics::gauge!("trading_day_late_seconds").set(late.as_seconds_f64());
        let Some(next) = next else {
            return Ok(());
        };
        let begun = match self.begun.filter(|begun| begun.today == today) {
            Some(begun) => begun,
            None => {
                let mut connection = self.pool.acquire().await?;
                let settled = audit::settled(&mut connection).await?;
                *self.begun.insert(DaySeen {
                    today,
                    head,
                    settled,
                })
            }
        };
        let matched = self.store.matched_beyond(CONSUMER, self.shards, begun.head);
        if !matched.await? {
            return Ok(());
        }
        let mut next = Some(next);
        while let Some((day, is_begun)) = next {
            if !is_begun {
                let Some(prices) = self.prices_of(day).await? else {
                    return Ok(());
                };
                let days = (day, today);
                let settled = begun.settled;
                self.store.begin_equity_day(days, settled, &prices).await?;
            }
            if !self.close(day).await? {
                return Ok(());
            }
            next = self.store.next_equity_day(today).await?;
        }
        Ok(())
    }

    /// Values all accounts of a day; whether the day is closed.
    async fn close(&mut self, day: NaiveDate) -> Result<bool, TradingError> {
        loop {
            let closed = self.store.close_equity_slice(day, self.size.rows()).await;
            match self.size.after(closed)? {
                Some(Slice::Closed) | None => {}
                Some(Slice::Finished) => {
                    tracing::info!(%day, "Closed a day");
                    return Ok(true);
                }
                Some(Slice::Busy) => return Ok(false),
            }
        }
    }

    /// `None` while trades of the day may still come.
    async fn prices_of(&mut self, day: NaiveDate) -> Result<Option<DayPrices>, EquityError> {
        let ended_at = midnight(day.succ_opt().unwrap_or(day));
        let request = ListPricesAtRequest {
            at_us: micros(ended_at),
        };
        let within = Deadline::within(CALL_TIMEOUT);
        let told = deadline::scope(within, self.market.list_prices_at(request)).await;
        let told = match told {
            Ok(told) => told.into_inner(),
            Err(status) if status.code() == Code::FailedPrecondition => return Ok(None),
            Err(status) => return Err(status.into()),
        };
        let prices = told.prices.into_iter().map(|one| {
            let price = to_required_decimal(one.price.as_ref(), "price")?;
            Ok((one.code, price))
        });
        Ok(Some(DayPrices {
            prices: prices.collect::<Result<_, InvalidField>>()?,
            dollar_won: to_optional_decimal(told.dollar_won.as_ref(), "dollar_won")?,
        }))
    }
}
