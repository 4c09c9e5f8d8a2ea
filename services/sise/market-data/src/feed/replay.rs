//! Plays recorded daily prices as a market.
//!
//! Market time is the recorded time: each day is played in its exchange hours (9:30 to 16:00 in New
//! York) within `REPLAY_SECONDS_PER_DAY`; nights and weekends are skipped. A batch covers a fixed
//! span of market time, so equal settings give equal batches. A further round shifts all dates by
//! whole weeks, so that market time always increases.

mod recorded_prices;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use async_trait::async_trait;
use chrono::{Datelike, NaiveDate, TimeDelta, TimeZone, Utc};
use kernel::clock::NEW_YORK;
use market_rules::Venue;
use proto::market::v1::{DayBase, Tick, session_record::Kind};
use rust_decimal::Decimal;
use sqlx::PgPool;
use tokio::sync::mpsc;
use tokio::time::Instant;

use crate::candles::book::{CandleAggregator, Changes};
use crate::candles::copy::{CopyBuffer, fill};
use crate::candles::split::{self, Splits};
use crate::catalogue::Catalogue;
use crate::model::Trade;
use crate::model::noise::Key;
use crate::model::session::yyyymmdd;
use crate::pipeline::Normaliser;
use crate::quotes::QuoteBoard;

use super::rates::Rate;
use super::{AtEnd, Feed, FeedBatch, FeedConfig, FeedError, FeedRecord, FeedTrade, SessionChange};

pub use recorded_prices::{RecordedPrices, SPLITS, Split};

/// Batches per second of real time.
const BATCHES_PER_SECOND: u32 = 10;
/// Batches per day when there is no pacing.
const BATCHES_PER_UNPACED_DAY: i64 = 60;
/// A longer delay is not made up for.
const MAX_DELAY: Duration = Duration::from_secs(1);
/// Empty batches per heartbeat.
const HEARTBEAT_EVERY: u32 = 10;
/// Days of history with minute candles.
const MINUTE_DAYS: usize = 7;
const SEED: &[u8] = b"seedup replay";

pub struct ReplayFeed {
    catalogue: Catalogue,
    prices: RecordedPrices,
    // The days to play, as indices of recorded days.
    first: usize,
    count: usize,
    ticks_per_day: usize,
    seconds_per_day: u32,
    at_end: AtEnd,
    won_per_dollar_e4: i64,
    // The next day (counted over all rounds) and batch.
    day: usize,
    window: i64,
    today: Option<CurrentDay>,
    empty_windows: u32,
    // When the next batch is due, in real time.
    due: Option<Instant>,
}

struct CurrentDay {
    open_us: i64,
    close_us: i64,
    // Records by time, and how many were returned.
    records: Vec<(i64, FeedRecord)>,
    returned: usize,
}

impl ReplayFeed {
    /// Reads the recorded prices and selects the days.
    ///
    /// # Errors
    /// When the file cannot be read, a row is invalid, or no day is in the range.
    pub fn open(config: &FeedConfig, catalogue: &Catalogue) -> anyhow::Result<Self> {
        let prices = RecordedPrices::read(config.replay_file.as_deref(), catalogue)?;
        let until = config.replay_until.unwrap_or(NaiveDate::MAX);
        let days = prices.days();
        let first = days.partition_point(|day| day.date < config.replay_from);
        let end = days.partition_point(|day| day.date <= until);
        let count = end.saturating_sub(first);
        anyhow::ensure!(
            count > 0,
            "no recorded day lies between REPLAY_FROM {} and REPLAY_UNTIL {until}",
            config.replay_from
        );
        Ok(Self {
            catalogue: catalogue.clone(),
            prices,
            first,
            count,
            ticks_per_day: usize::try_from(config.replay_ticks_per_day)
                .context("REPLAY_TICKS_PER_DAY is too large")?,
            seconds_per_day: config.replay_seconds_per_day,
            at_end: config.replay_at_end,
            won_per_dollar_e4: config.replay_won_per_dollar_e4,
            day: 0,
            window: 0,
            today: None,
            empty_windows: 0,
            due: None,
        })
    }

    /// Market time just before the first record.
    #[must_use]
    pub fn begins_at_us(&self) -> i64 {
        let (open_us, _) = hours(self.date(0));
        open_us - 1
    }

    /// Continues after the newest record of the log.
    pub fn resume(&mut self, market_time_us: i64) {
        let mut day = 0;
        while self.plays(day) && hours(self.date(day)).1 <= market_time_us {
            day += 1;
        }
        let (open_us, close_us) = hours(self.date(day));
        let window_us = self.window_us(open_us, close_us);
        self.day = day;
        self.window = ((market_time_us - open_us) / window_us).max(0);
        self.today = None;
        self.due = None;
    }

    /// The constant exchange rates of the replay.
    #[must_use]
    pub fn rates(&self) -> Vec<Rate> {
        let currencies = self.catalogue.currencies().iter();
        let dollar = currencies.filter(|currency| currency.unit == "USD");
        let won = Decimal::new(self.won_per_dollar_e4, 4);
        dollar
            .map(|dollar| Rate {
                code: dollar.unit.clone(),
                korean_name: dollar.korean_name.clone(),
                value: won,
                previous: won,
                at_midnight: None,
                as_of_us: self.begins_at_us(),
            })
            .collect()
    }

    /// Writes the days before the first one as history; returns the newest ticks.
    ///
    /// # Errors
    /// [`sqlx::Error`] of the database.
    pub async fn write_history(&self, pool: &PgPool) -> Result<Vec<Tick>, sqlx::Error> {
        let (changes, ticks) = self.history();
        let mut buffer = CopyBuffer::default();
        for row in changes.minutes.values() {
            buffer.minute(row);
        }
        for row in changes.days.values() {
            buffer.day(row);
        }
        let (sender, buffers) = mpsc::channel(1);
        // The channel has room for the only buffer.
        drop(sender.send(buffer).await);
        drop(sender);
        fill(pool, buffers).await?;
        split::save(&mut *pool.acquire().await?, &self.splits_before()).await?;
        Ok(ticks)
    }

    /// Splits before the first day, which the log does not contain.
    fn splits_before(&self) -> Splits {
        let first = self.prices.days().get(self.first).map(|day| day.date);
        let before = SPLITS.iter().filter_map(|split| {
            let date = split.date().filter(|date| Some(*date) < first)?;
            let key = (Arc::from(split.code), yyyymmdd(date));
            let divided = split::Split {
                new_shares: split.new_shares,
                old_shares: split.old_shares,
                // Before the first trade.
                at_us: 0,
            };
            Some((key, divided))
        });
        before.collect()
    }

    /// Candles before the first day: all days, and the minutes of the last few.
    fn history(&self) -> (Changes, Vec<Tick>) {
        let board = QuoteBoard::new(self.catalogue.clone());
        let mut normaliser = Normaliser::new(&board);
        let mut aggregator = CandleAggregator::default();
        let mut newest: Vec<Tick> = Vec::new();
        let minutes_from = self.first.saturating_sub(MINUTE_DAYS);
        let mut changes = self.prices.daily_rows(self.first);
        for day_index in minutes_from..self.first {
            let Some(date) = self.prices.days().get(day_index).map(|day| day.date) else {
                continue;
            };
            for (_, record) in self.day_records(day_index, date) {
                match record {
                    FeedRecord::Session(change) => drop(normaliser.session(change)),
                    FeedRecord::Trade(trade) => {
                        let at_us = trade.event_time_us;
                        if let Ok(tick) = normaliser.tick(trade, at_us..at_us) {
                            aggregator.tick(&tick);
                            newest.retain(|known| known.code != tick.code);
                            newest.push(tick);
                        }
                    }
                    FeedRecord::Refused(_) => {}
                }
            }
        }
        changes = changes.merge(aggregator.take_changes());
        (changes, newest)
    }

    /// The date of a day, counted over all rounds.
    fn date(&self, day: usize) -> NaiveDate {
        let days = self.prices.days();
        let day_index = self.first + day % self.count;
        let recorded = days.get(day_index).map(|day| day.date).unwrap_or_default();
        let round = i64::try_from(day / self.count).unwrap_or(0);
        recorded + TimeDelta::weeks(round * self.weeks())
    }

    fn weeks(&self) -> i64 {
        let date = |day_index: usize| self.prices.days().get(day_index).map(|day| day.date);
        let first = date(self.first).unwrap_or_default();
        let last = date(self.first + self.count - 1).unwrap_or_default();
        (last - first).num_days() / 7 + 1
    }

    fn plays(&self, day: usize) -> bool {
        match self.at_end {
            AtEnd::Loop => true,
            AtEnd::Stop => day < self.count,
        }
    }

    fn window_us(&self, open_us: i64, close_us: i64) -> i64 {
        let windows = match self.seconds_per_day {
            0 => BATCHES_PER_UNPACED_DAY,
            seconds => i64::from(seconds) * i64::from(BATCHES_PER_SECOND),
        };
        ((close_us - open_us) / windows).max(1)
    }

    /// The records of a recorded day, played on `date`.
    fn day_records(&self, day_index: usize, date: NaiveDate) -> Vec<(i64, FeedRecord)> {
        let (open_us, close_us) = hours(date);
        let trading_day = yyyymmdd(date);
        let change = |kind, event_time_us| SessionChange {
            kind,
            venue: Some(Venue::Us),
            code: String::new(),
            trading_day,
            event_time_us,
            ..SessionChange::default()
        };
        let Some(day) = self.prices.days().get(day_index) else {
            return Vec::new();
        };
        let mut records = Vec::new();
        for split in SPLITS.iter().filter(|split| split.date() == Some(day.date)) {
            // Before the first trade at the new price.
            let announced_us = open_us - 1;
            let mut record = change(Kind::Split, announced_us);
            split.code.clone_into(&mut record.code);
            record.split = Some((split.new_shares, split.old_shares));
            records.push((announced_us, FeedRecord::Session(record)));
        }
        let mut open = change(Kind::Open, open_us);
        open.bases = self.prices.bases(day_index);
        records.push((open_us, FeedRecord::Session(open)));
        let mut trades = Vec::new();
        for (code, recorded) in &day.rows {
            let days = i64::from(date.num_days_from_ce());
            let key = Key::of(SEED, code).child(days.unsigned_abs());
            let made = recorded.trades(key, self.ticks_per_day, open_us, close_us);
            let made = made
                .iter()
                .map(|trade| (trade.event_time_us, self.trade(code, trade)));
            trades.extend(made);
        }
        trades.sort_by_key(|(time_us, _)| *time_us);
        records.extend(trades);
        records.push((close_us, FeedRecord::Session(change(Kind::Close, close_us))));
        records
    }

    fn trade(&self, code: &Arc<str>, trade: &Trade) -> FeedRecord {
        FeedRecord::Trade(FeedTrade {
            code: Arc::clone(code),
            event_time_us: trade.event_time_us,
            price_units: trade.price_units,
            volume_units: Some(trade.volume_units),
            bid_units: 0,
            ask_units: 0,
            bid_size_units: 0,
            ask_size_units: 0,
            won_per_dollar_e4: self.won_per_dollar_e4,
        })
    }

    /// `None` after the last day.
    pub fn next_batch(&mut self) -> Option<FeedBatch> {
        if !self.plays(self.day) {
            return None;
        }
        let day_index = self.first + self.day % self.count;
        let date = self.date(self.day);
        let mut today = match self.today.take() {
            Some(today) => today,
            None => self.start_day(day_index, date),
        };
        let window_us = self.window_us(today.open_us, today.close_us);
        let began_us = today.open_us + self.window * window_us;
        let until_us = began_us + window_us;
        // The last window includes the remainder of the division.
        let last = today.close_us - until_us < window_us;
        let until_us = if last { today.close_us } else { until_us };
        let waiting = today.records.get(today.returned..).unwrap_or_default();
        let count = waiting.partition_point(|(time_us, _)| *time_us <= until_us);
        let due = waiting.iter().take(count);
        let mut records: Vec<FeedRecord> = due.map(|(_, record)| record.clone()).collect();
        today.returned += count;
        if records.is_empty() {
            self.empty_windows += 1;
            if self.empty_windows >= HEARTBEAT_EVERY {
                self.empty_windows = 0;
                records.push(FeedRecord::heartbeat(until_us));
            }
        } else {
            self.empty_windows = 0;
        }
        if last {
            self.day += 1;
            self.window = 0;
        } else {
            self.window += 1;
            self.today = Some(today);
        }
        Some(FeedBatch {
            records,
            began_us,
            market_time_us: until_us,
        })
    }

    /// Generates the records of a day and skips past windows.
    fn start_day(&self, day_index: usize, date: NaiveDate) -> CurrentDay {
        let (open_us, close_us) = hours(date);
        let records = self.day_records(day_index, date);
        let resumed_us = open_us + self.window * self.window_us(open_us, close_us);
        let returned = if self.window == 0 {
            0
        } else {
            records.partition_point(|(time_us, _)| *time_us <= resumed_us)
        };
        CurrentDay {
            open_us,
            close_us,
            records,
            returned,
        }
    }

    /// Waits until the next batch is due. Lost time is not made up for.
    async fn keep_pace(&mut self) {
        if self.seconds_per_day == 0 {
            return;
        }
        let now = Instant::now();
        let due = self.due.filter(|due| *due + MAX_DELAY > now).unwrap_or(now);
        tokio::time::sleep_until(due).await;
        self.due = Some(due + Duration::from_secs(1) / BATCHES_PER_SECOND);
    }
}

#[async_trait]
impl Feed for ReplayFeed {
    fn name(&self) -> &'static str {
        "replay"
    }

    async fn connect(&mut self) -> Result<(), FeedError> {
        Ok(())
    }

    async fn next(&mut self) -> Result<FeedBatch, FeedError> {
        loop {
            self.keep_pace().await;
            match self.next_batch() {
                None => return Err(FeedError::Finished),
                Some(batch) if batch.records.is_empty() => {}
                Some(batch) => return Ok(batch),
            }
        }
    }
}

/// Open and close of a date in New York.
fn hours(date: NaiveDate) -> (i64, i64) {
    let at = |hour, minute| {
        let local = date.and_hms_opt(hour, minute, 0).unwrap_or_default();
        let instant = NEW_YORK.from_local_datetime(&local).earliest();
        instant.map_or(0, |instant| instant.with_timezone(&Utc).timestamp_micros())
    };
    (at(9, 30), at(16, 0))
}

/// A base price without limits.
fn free_base(code: &Arc<str>, price_scale: u32, base_units: i64) -> DayBase {
    DayBase {
        code: code.to_string(),
        price_scale,
        base_units,
        lower_limit_units: 0,
        upper_limit_units: 0,
    }
}

#[cfg(test)]
mod tests;
