//! Sparklines for the rows of lists: many per response, each cached for a minute. Lines of one
//! market cover the same time, so that they can be compared: the trading day from its open until
//! now, and for coins the last 24 hours.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use market_rules::{Calendar, Venue};
use moka::future::Cache;
use proto::convert::{decimal, to_optional_decimal};
use proto::market::v1 as wire;
use tokio::sync::Mutex;

use crate::candles::CandleStore;
use crate::candles::thinned::WantedSpan;
use crate::model::MarketHours;
use crate::quotes::QuoteBoard;
use crate::sessions::date_of;

const REFRESH: Duration = Duration::from_secs(60);
const CACHED_MAX: u64 = 10_000;

pub struct Sparklines {
    board: QuoteBoard,
    candles: CandleStore,
    hours: MarketHours,
    calendar: Calendar,
    cache: Cache<String, Arc<wire::Sparkline>>,
    // Held while lines are read, so that concurrent requests for the same ones read them once.
    reading: Mutex<()>,
}

impl Sparklines {
    #[must_use]
    pub fn new(
        board: QuoteBoard,
        candles: CandleStore,
        hours: MarketHours,
        calendar: Calendar,
    ) -> Self {
        Self {
            board,
            candles,
            hours,
            calendar,
            cache: Cache::builder()
                .time_to_live(REFRESH)
                .max_capacity(CACHED_MAX)
                .build(),
            reading: Mutex::new(()),
        }
    }

    /// In the order of `codes`; one query for all that are not cached.
    ///
    /// # Errors
    /// [`sqlx::Error`] of the database.
    pub async fn list(&self, codes: &[String]) -> Result<Vec<wire::Sparkline>, sqlx::Error> {
        let mut lines: HashMap<&str, Arc<wire::Sparkline>> = HashMap::new();
        if self.add_cached(codes, &mut lines).await < codes.len() {
            let _reading = self.reading.lock().await;
            if self.add_cached(codes, &mut lines).await < codes.len() {
                let due = codes
                    .iter()
                    .filter(|code| !lines.contains_key(code.as_str()));
                let due: Vec<&String> = due.collect();
                for (code, line) in due.iter().zip(self.read(&due).await?) {
                    self.cache.insert((*code).clone(), Arc::clone(&line)).await;
                    lines.insert(code, line);
                }
            }
        }
        let ordered = codes.iter().filter_map(|code| lines.get(code.as_str()));
        Ok(ordered.map(|line| wire::Sparkline::clone(line)).collect())
    }

    /// Adds the cached lines of `codes`; returns the length of `lines`.
    async fn add_cached<'a>(
        &self,
        codes: &'a [String],
        lines: &mut HashMap<&'a str, Arc<wire::Sparkline>>,
    ) -> usize {
        for code in codes {
            if let Some(line) = self.cache.get(code).await {
                lines.insert(code, line);
            }
        }
        lines.len()
    }

    async fn read(&self, codes: &[&String]) -> Result<Vec<Arc<wire::Sparkline>>, sqlx::Error> {
        let quotes: Vec<Option<wire::Quote>> =
            codes.iter().map(|code| self.board.quote(code)).collect();
        let now_us = self.board.progress().market_time_us;
        let now = DateTime::from_timestamp_micros(now_us).unwrap_or_default();
        let wanted: Vec<WantedSpan> = quotes
            .iter()
            .flatten()
            .filter_map(|quote| self.wanted(quote, now))
            .collect();
        let mut found = self.candles.thinned(&wanted).await?;
        let line = |(code, quote): (&&String, Option<wire::Quote>)| {
            let prices = found.remove(code.as_str()).unwrap_or_default();
            Arc::new(wire::Sparkline {
                code: (*code).clone(),
                prev_close: quote.and_then(|quote| quote.prev_close),
                prices: prices.into_iter().map(decimal).collect(),
            })
        };
        Ok(codes.iter().zip(quotes).map(line).collect())
    }

    fn wanted(&self, quote: &wire::Quote, now: DateTime<Utc>) -> Option<WantedSpan> {
        let venue = self.board.catalogue().get(&quote.code)?.venue();
        let a_day_ago = now - TimeDelta::days(1);
        let (from, until) = match venue {
            Venue::Coin => (a_day_ago, now),
            Venue::Krx | Venue::Us | Venue::Gold => date_of(quote.trading_day)
                .and_then(|day| self.hours.session(&self.calendar, venue, day))
                .map_or((a_day_ago, now), |session| {
                    let at = |us| DateTime::from_timestamp_micros(us).unwrap_or_default();
                    (at(session.open_us), at(session.close_us).min(now))
                }),
        };
        Some(WantedSpan {
            code: quote.code.clone(),
            before: to_optional_decimal(quote.prev_close.as_ref(), "prev_close").ok()?,
            from,
            until: until.max(from),
        })
    }
}
