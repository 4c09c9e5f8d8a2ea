//! The built-in market as a feed: trades and session changes in real time, and faster while it
//! catches up.

mod news;
mod schedule;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use chrono::DateTime;
use kernel::clock::KST;
use kernel::{Clock, SteadyClock};

use crate::catalogue::Catalogue;
use crate::model::Simulation;
use crate::quotes::QuoteBoard;

use super::rates::{LatestRates, Rate};
use super::{Feed, FeedBatch, FeedError, FeedRecord};

use schedule::Schedule;

/// Duration of a batch.
const PERIOD_US: i64 = 100_000;
/// Duration of a batch while the feed catches up.
const CATCH_UP_US: i64 = 2_000_000;
const HEARTBEAT_US: i64 = 1_000_000;
const MINUTE_US: i64 = 60_000_000;

pub struct BuiltinFeed {
    schedule: Schedule,
    /// Starts at the end of the log: if the machine's clock was set back meanwhile, prices would
    /// otherwise stop until it had caught up.
    clock: SteadyClock,
    catalogue: Catalogue,
    rates: LatestRates,
    // Generated records that are not due yet, by time.
    due: VecDeque<(i64, FeedRecord)>,
    // All records before this time are generated.
    generated_until_us: i64,
    // All records up to this time were returned.
    returned_until_us: i64,
    last_record_us: i64,
    last_rates_us: i64,
}

impl BuiltinFeed {
    /// Continues after `from_us` from the state of the log.
    #[must_use]
    pub fn new(
        market: Arc<Simulation>,
        board: &QuoteBoard,
        clock: Arc<dyn Clock>,
        rates: LatestRates,
        from_us: i64,
    ) -> Self {
        let mut due = VecDeque::new();
        let schedule = Schedule::at(market, board, from_us, &mut due);
        let from = DateTime::from_timestamp_micros(from_us).unwrap_or_default();
        Self {
            schedule,
            clock: SteadyClock::after(from, clock),
            catalogue: board.catalogue().clone(),
            rates,
            due,
            generated_until_us: from_us - from_us.rem_euclid(MINUTE_US),
            returned_until_us: from_us,
            last_record_us: from_us,
            last_rates_us: 0,
        }
    }

    /// The records after those returned before, up to `until_us`.
    pub fn records_until(&mut self, until_us: i64) -> Vec<FeedRecord> {
        while self.generated_until_us <= until_us {
            let returned_until_us = self.returned_until_us;
            let mut minute = self.schedule.minute(self.generated_until_us);
            minute.retain(|(time_us, _)| *time_us > returned_until_us);
            self.due.extend(minute);
            self.generated_until_us += MINUTE_US;
        }
        self.returned_until_us = until_us;
        let count = self
            .due
            .partition_point(|(time_us, _)| *time_us <= until_us);
        self.due.drain(..count).map(|(_, record)| record).collect()
    }

    fn update_rates(&mut self, now_us: i64) {
        if now_us - self.last_rates_us < HEARTBEAT_US {
            return;
        }
        self.last_rates_us = now_us;
        tell_rates(&self.rates, self.schedule.market(), &self.catalogue, now_us);
    }
}

/// Sets `rates` to what they are in `market` at an instant. A currency is compared with the end of
/// the Korean day before, an index with the close before the present or last session of its venue,
/// as its shares are.
pub fn tell_rates(rates: &LatestRates, market: &Simulation, catalogue: &Catalogue, now_us: i64) {
    let now = DateTime::from_timestamp_micros(now_us).unwrap_or_default();
    let midnight = now.with_timezone(&KST).date_naive();
    let midnight_us = market_rules::calendar::practice_hours(midnight)
        .open
        .timestamp_micros();
    let currencies = catalogue.currencies().iter().map(|currency| {
        let rate = |time_us| market.exchange_rate(&currency.unit, currency.base_rate, time_us);
        let ended = rate(midnight_us);
        Rate {
            code: currency.unit.clone(),
            korean_name: currency.korean_name.clone(),
            value: rate(now_us),
            previous: ended,
            at_midnight: Some(ended),
            as_of_us: now_us,
        }
    });
    let indices = catalogue.indices().iter().map(|index| Rate {
        code: index.code.clone(),
        korean_name: index.korean_name.clone(),
        value: market.index_value(&index.code, index.base_value, now_us),
        previous: market.index_before(&index.code, index.base_value, now_us),
        at_midnight: Some(market.index_value(&index.code, index.base_value, midnight_us)),
        as_of_us: now_us,
    });
    rates.set(currencies.collect(), indices.collect());
}

#[async_trait]
impl Feed for BuiltinFeed {
    fn name(&self) -> &'static str {
        "builtin"
    }

    async fn connect(&mut self) -> Result<(), FeedError> {
        Ok(())
    }

    async fn next(&mut self) -> Result<FeedBatch, FeedError> {
        loop {
            let now_us = self.clock.now().timestamp_micros();
            let behind_us = now_us - self.returned_until_us;
            if behind_us >= PERIOD_US {
                let began_us = self.returned_until_us;
                let until_us = now_us.min(began_us + CATCH_UP_US);
                let mut records = self.records_until(until_us);
                self.update_rates(until_us);
                if records.is_empty() && until_us - self.last_record_us >= HEARTBEAT_US {
                    records.push(FeedRecord::heartbeat(until_us));
                }
                if !records.is_empty() {
                    self.last_record_us = until_us;
                    return Ok(FeedBatch {
                        records,
                        began_us,
                        market_time_us: until_us,
                    });
                }
            } else {
                let wait_us = u64::try_from(PERIOD_US - behind_us).unwrap_or(0);
                tokio::time::sleep(Duration::from_micros(wait_us.min(1_000_000))).await;
            }
        }
    }
}

#[cfg(test)]
mod tests;
