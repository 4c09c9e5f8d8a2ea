//! Recorded daily prices played as a market.
//!
//! Market time is the recorded time: each recorded day is played in its own exchange hours (9:30
//! to 16:00 in New York), and `REPLAY_SECONDS_PER_DAY` decides how long that takes; nights and
//! weekends take no time at all. A batch covers a fixed span of market time, so the same settings
//! give the same batches, byte for byte, whatever the machine does. A second round shifts all
//! dates by whole weeks, so that market time always rises.

mod record;

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

use crate::candles::book::{CandleBook, Changes};
use crate::candles::copy::{Sheet, fill};
use crate::candles::split::{self, Splits};
use crate::catalogue::Catalogue;
use crate::model::Trade;
use crate::model::noise::Key;
use crate::model::session::yyyymmdd;
use crate::pipeline::Normaliser;
use crate::quotes::QuoteBoard;

use super::rates::Rate;
use super::{AtEnd, Feed, FeedBatch, FeedConfig, FeedError, FeedRecord, FeedTrade, SessionChange};

pub use record::{Record, SPLITS, Split};

/// Batches of the log in a second of real time.
const BATCHES_PER_SECOND: u32 = 10;
/// Batches of a day when days are played as fast as they can be.
const BATCHES_WITHOUT_PACE: i64 = 60;
/// A batch that is later than this is not made up for.
const LONGEST_DELAY: Duration = Duration::from_secs(1);
/// Empty batches between heartbeats.
const HEARTBEAT_EVERY: u32 = 10;
/// Days before the first one that get minute candles.
const MINUTE_DAYS: usize = 7;
const SEED: &[u8] = b"seedup replay";

/// Plays recorded days.
pub struct ReplayFeed {
    catalogue: Catalogue,
    record: Record,
    // The days to play: their places in the record.
    first: usize,
    count: usize,
    ticks_per_day: usize,
    seconds_per_day: u32,
    at_end: AtEnd,
    won_per_dollar_e4: i64,
    // Day (counted over all rounds) and batch that come next.
    day: usize,
    window: i64,
    today: Option<Today>,
    empty_windows: u32,
    // When the next batch is due, in real time.
    due: Option<Instant>,
}

/// A day that is being played.
struct Today {
    open_us: i64,
    close_us: i64,
    // Records by time, oldest first, and how many have been given.
    records: Vec<(i64, FeedRecord)>,
    given: usize,
}

impl ReplayFeed {
    /// Reads the recorded prices and chooses the days.
    ///
    /// # Errors
    /// When the file cannot be read, a row is impossible, or no day lies in the span.
    pub fn open(config: &FeedConfig, catalogue: &Catalogue) -> anyhow::Result<Self> {
        let record = Record::read(config.replay_file.as_deref(), catalogue)?;
        let until = config.replay_until.unwrap_or(NaiveDate::MAX);
        let days = record.days();
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
            record,
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

    /// Continues after the newest record that the log holds.
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

    /// The exchange rates of the replay, which stand still.
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
                as_of_us: self.begins_at_us(),
            })
            .collect()
    }

    /// Writes the recorded days before the first one as history; returns the newest ticks.
    ///
    /// # Errors
    /// [`sqlx::Error`] of the database.
    pub async fn write_history(&self, pool: &PgPool) -> Result<Vec<Tick>, sqlx::Error> {
        let (changes, ticks) = self.history();
        let mut sheet = Sheet::default();
        for row in changes.minutes.values() {
            sheet.minute(row);
        }
        for row in changes.days.values() {
            sheet.day(row);
        }
        let (sender, sheets) = mpsc::channel(1);
        // The only sheet fits the channel, so this never waits.
        drop(sender.send(sheet).await);
        drop(sender);
        fill(pool, sheets).await?;
        split::save(&mut *pool.acquire().await?, &self.splits_before()).await?;
        Ok(ticks)
    }

    /// Splits that the log will not tell of, because history begins after them.
    fn splits_before(&self) -> Splits {
        let first = self.record.days().get(self.first).map(|day| day.date);
        let before = SPLITS.iter().filter_map(|split| {
            let date = split.date().filter(|date| Some(*date) < first)?;
            let key = (Arc::from(split.code), yyyymmdd(date));
            let divided = split::Split {
                new_shares: split.new_shares,
                old_shares: split.old_shares,
                // Before anything was traded here.
                at_us: 0,
            };
            Some((key, divided))
        });
        before.collect()
    }

    /// Candles of the days before the first one: all days, and the minutes of the last few.
    fn history(&self) -> (Changes, Vec<Tick>) {
        let board = QuoteBoard::new(self.catalogue.clone());
        let mut normaliser = Normaliser::new(&board);
        let mut book = CandleBook::default();
        let mut newest: Vec<Tick> = Vec::new();
        let minutes_from = self.first.saturating_sub(MINUTE_DAYS);
        let mut changes = self.record.daily_rows(self.first);
        for place in minutes_from..self.first {
            let Some(date) = self.record.days().get(place).map(|day| day.date) else {
                continue;
            };
            for (_, record) in self.day_records(place, date) {
                match record {
                    FeedRecord::Session(change) => drop(normaliser.session(change)),
                    FeedRecord::Trade(trade) => {
                        let at_us = trade.event_time_us;
                        if let Ok(tick) = normaliser.tick(trade, at_us..at_us) {
                            book.tick(&tick);
                            newest.retain(|known| known.code != tick.code);
                            newest.push(tick);
                        }
                    }
                    FeedRecord::Refused(_) => {}
                }
            }
        }
        changes = changes.followed_by(book.take_changes());
        (changes, newest)
    }

    /// The date of a day counted over all rounds.
    fn date(&self, day: usize) -> NaiveDate {
        let days = self.record.days();
        let place = self.first + day % self.count;
        let recorded = days.get(place).map(|day| day.date).unwrap_or_default();
        let round = i64::try_from(day / self.count).unwrap_or(0);
        recorded + TimeDelta::weeks(round * self.weeks())
    }

    /// Weeks from the first day to the first day of the next round.
    fn weeks(&self) -> i64 {
        let date = |place: usize| self.record.days().get(place).map(|day| day.date);
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
            0 => BATCHES_WITHOUT_PACE,
            seconds => i64::from(seconds) * i64::from(BATCHES_PER_SECOND),
        };
        ((close_us - open_us) / windows).max(1)
    }

    /// The records of the day at `place`, played on `date`.
    fn day_records(&self, place: usize, date: NaiveDate) -> Vec<(i64, FeedRecord)> {
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
        let Some(day) = self.record.days().get(place) else {
            return Vec::new();
        };
        let mut records = Vec::new();
        for split in SPLITS.iter().filter(|split| split.date() == Some(day.date)) {
            // Known before the first trade at the new price.
            let told_us = open_us - 1;
            let mut record = change(Kind::Split, told_us);
            split.code.clone_into(&mut record.code);
            record.split = Some((split.new_shares, split.old_shares));
            records.push((told_us, FeedRecord::Session(record)));
        }
        let mut open = change(Kind::Open, open_us);
        open.bases = self.record.bases(place);
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

    /// The next batch in market time; `None` after the last day.
    pub fn next_batch(&mut self) -> Option<FeedBatch> {
        if !self.plays(self.day) {
            return None;
        }
        let place = self.first + self.day % self.count;
        let date = self.date(self.day);
        let mut today = match self.today.take() {
            Some(today) => today,
            None => self.begin(place, date),
        };
        let window_us = self.window_us(today.open_us, today.close_us);
        let began_us = today.open_us + self.window * window_us;
        let until_us = began_us + window_us;
        // The last window takes what a division has left over.
        let last = today.close_us - until_us < window_us;
        let until_us = if last { today.close_us } else { until_us };
        let waiting = today.records.get(today.given..).unwrap_or_default();
        let count = waiting.partition_point(|(time_us, _)| *time_us <= until_us);
        let due = waiting.iter().take(count);
        let mut records: Vec<FeedRecord> = due.map(|(_, record)| record.clone()).collect();
        today.given += count;
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

    /// Makes a day's records; those of windows that are over are left out.
    fn begin(&self, place: usize, date: NaiveDate) -> Today {
        let (open_us, close_us) = hours(date);
        let records = self.day_records(place, date);
        let begun_us = open_us + self.window * self.window_us(open_us, close_us);
        let given = if self.window == 0 {
            0
        } else {
            records.partition_point(|(time_us, _)| *time_us <= begun_us)
        };
        Today {
            open_us,
            close_us,
            records,
            given,
        }
    }

    /// Waits until the next batch is due. After a stand-still the pace goes on; it does not hurry.
    async fn keep_pace(&mut self) {
        if self.seconds_per_day == 0 {
            return;
        }
        let now = Instant::now();
        let due = self
            .due
            .filter(|due| *due + LONGEST_DELAY > now)
            .unwrap_or(now);
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

/// Where a base price stands without limits.
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
