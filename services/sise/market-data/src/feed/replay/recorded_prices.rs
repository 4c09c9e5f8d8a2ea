use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use chrono::NaiveDate;
use flate2::read::GzDecoder;
use proto::market::v1::DayBase;
use rust_decimal::{Decimal, prelude::ToPrimitive};
use serde::Deserialize;

use crate::candles::book::{CandleRow, Changes};
use crate::catalogue::Catalogue;
use crate::model::recorded::RecordedDay;
use crate::model::session::yyyymmdd;

use super::free_base;

/// Daily prices of five US shares until 2013-03-01, public domain; see `data/README.md`.
const EMBEDDED: &[u8] = include_bytes!("../../../data/us5_daily_ohlcv_to_2013.csv.gz");

/// A split; recorded prices are not adjusted for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    pub code: &'static str,
    year: i32,
    month: u32,
    day: u32,
    pub new_shares: i64,
    pub old_shares: i64,
}

/// The splits within the recorded time.
pub const SPLITS: [Split; 3] = [
    two_for_one("AAPL", 2000, 6, 21),
    two_for_one("AAPL", 2005, 2, 28),
    two_for_one("MSFT", 2003, 2, 18),
];

const fn two_for_one(code: &'static str, year: i32, month: u32, day: u32) -> Split {
    Split {
        code,
        year,
        month,
        day,
        new_shares: 2,
        old_shares: 1,
    }
}

impl Split {
    /// The first day at the new price.
    #[must_use]
    pub fn date(&self) -> Option<NaiveDate> {
        NaiveDate::from_ymd_opt(self.year, self.month, self.day)
    }
}

/// All shares of one recorded day.
#[derive(Clone, Debug, PartialEq)]
pub struct Day {
    pub date: NaiveDate,
    /// Shares that traded, by code.
    pub rows: Vec<(Arc<str>, RecordedDay)>,
}

/// Oldest first.
#[derive(Clone, Debug)]
pub struct RecordedPrices {
    days: Vec<Day>,
    price_scale: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct CsvRow {
    ticker: String,
    date: NaiveDate,
    open: Decimal,
    high: Decimal,
    low: Decimal,
    close: Decimal,
    volume: Decimal,
}

impl RecordedPrices {
    /// Reads a gzip CSV file, or the embedded one.
    ///
    /// # Errors
    /// When the file cannot be read or a row is invalid; the message names the line.
    pub fn read(file: Option<&Path>, catalogue: &Catalogue) -> anyhow::Result<Self> {
        let bytes = match file {
            Some(path) => std::fs::read(path)
                .with_context(|| format!("REPLAY_FILE {} cannot be read", path.display()))?,
            None => EMBEDDED.to_vec(),
        };
        Self::parse(GzDecoder::new(bytes.as_slice()), catalogue)
    }

    fn parse(text: impl Read, catalogue: &Catalogue) -> anyhow::Result<Self> {
        let mut days: BTreeMap<NaiveDate, Vec<(Arc<str>, RecordedDay)>> = BTreeMap::new();
        let mut codes: HashMap<String, Arc<str>> = HashMap::new();
        let mut price_scale = 0;
        for (line, row) in (2_u64..).zip(csv::Reader::from_reader(text).deserialize()) {
            let row: CsvRow = row.with_context(|| format!("recorded prices, line {line}"))?;
            let instrument = catalogue.get(&row.ticker).with_context(|| {
                format!("recorded prices, line {line}: {} is not listed", row.ticker)
            })?;
            price_scale = instrument.tick_table.scale();
            let day = recorded(&row, price_scale)
                .filter(RecordedDay::is_possible)
                .with_context(|| format!("recorded prices, line {line}: impossible figures"))?;
            let code = codes
                .entry(row.ticker)
                .or_insert_with_key(|code| Arc::from(code.as_str()));
            days.entry(row.date)
                .or_default()
                .push((Arc::clone(code), day));
        }
        let days = days.into_iter().map(|(date, mut rows)| {
            rows.sort_by(|(a, _), (b, _)| a.cmp(b));
            Day { date, rows }
        });
        Ok(Self {
            days: days.collect(),
            price_scale,
        })
    }

    /// Oldest first.
    #[must_use]
    pub fn days(&self) -> &[Day] {
        &self.days
    }

    /// Base prices of a day: the previous close, adjusted for a split, or the open of a newly
    /// listed share.
    #[must_use]
    pub fn bases(&self, day_index: usize) -> Vec<DayBase> {
        let Some(day) = self.days.get(day_index) else {
            return Vec::new();
        };
        let rows = day.rows.iter();
        rows.map(|(code, today)| {
            let before = self.close_before(day_index, code);
            let split = SPLITS
                .iter()
                .find(|split| split.code == &**code && split.date() == Some(day.date));
            let base = match (before, split) {
                (Some(before), Some(split)) => before * split.old_shares / split.new_shares,
                (Some(before), None) => before,
                (None, _) => today.open_units,
            };
            free_base(code, self.price_scale, base)
        })
        .collect()
    }

    /// Daily candles of the days before `day_index`.
    #[must_use]
    pub fn daily_rows(&self, day_index: usize) -> Changes {
        let mut changes = Changes::default();
        for day in self.days.iter().take(day_index) {
            let trading_day = yyyymmdd(day.date);
            for (code, recorded) in &day.rows {
                let row = CandleRow {
                    code: Arc::clone(code),
                    start_us: 0,
                    trading_day,
                    price_scale: self.price_scale,
                    volume_scale: 0,
                    open: recorded.open_units,
                    high: recorded.high_units,
                    low: recorded.low_units,
                    close: recorded.close_units,
                    volume: recorded.volume_units,
                    close_seq: 0,
                };
                changes.days.insert((Arc::clone(code), trading_day), row);
            }
        }
        changes
    }

    fn close_before(&self, day_index: usize, code: &str) -> Option<i64> {
        let earlier = self.days.get(..day_index)?.iter().rev();
        let mut rows = earlier.flat_map(|day| &day.rows);
        let (_, row) = rows.find(|(listed, _)| &**listed == code)?;
        Some(row.close_units)
    }
}

fn recorded(row: &CsvRow, scale: u32) -> Option<RecordedDay> {
    let power = Decimal::from(10_i64.checked_pow(scale)?);
    let units = |value: Decimal| {
        let scaled = value.checked_mul(power)?;
        if scaled.fract().is_zero() {
            scaled.to_i64()
        } else {
            None
        }
    };
    Some(RecordedDay {
        open_units: units(row.open)?,
        high_units: units(row.high)?,
        low_units: units(row.low)?,
        close_units: units(row.close)?,
        volume_units: row.volume.to_i64()?,
    })
}
