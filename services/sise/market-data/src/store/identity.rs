//! The clock and feed for which the database was created.

use chrono::{DateTime, Utc};
use kernel::Clock;

use super::Store;
use crate::config::{MarketClock, MarketFeed};
use crate::error::MarketError;

impl Store {
    /// Stores the clock and the feed at the first start and returns its time. A later change is
    /// refused, because prices would not continue.
    ///
    /// # Errors
    /// [`MarketError::OtherMarket`] when the database was created with another clock or feed.
    pub async fn claim_market(
        &self,
        market_clock: MarketClock,
        feed: MarketFeed,
        clock: &dyn Clock,
    ) -> Result<DateTime<Utc>, MarketError> {
        sqlx::query(
            "insert into market_identity (clock, feed, chosen_at) values ($1, $2, $3) \
             on conflict (only_row) do nothing",
        )
        .bind(market_clock.as_str())
        .bind(feed.as_str())
        .bind(clock.now())
        .execute(&self.pool)
        .await?;
        let (had_clock, had_feed, chosen_at): (String, String, DateTime<Utc>) =
            sqlx::query_as("select clock, feed, chosen_at from market_identity")
                .fetch_one(&self.pool)
                .await?;
        if had_clock == market_clock.as_str() && had_feed == feed.as_str() {
            return Ok(chosen_at);
        }
        Err(MarketError::OtherMarket {
            had_clock,
            had_feed,
            wants_clock: market_clock.as_str().to_owned(),
            wants_feed: feed.as_str().to_owned(),
        })
    }
}
