//! Candles and charts.

use proto::convert::{
    InvalidField, to_optional_decimal as optional, to_required_decimal as required,
};
use proto::market::v1 as market;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::item::Item;
use super::number::Exact;
use super::time::{day, kst};
use super::variants::to_proto;

/// The period of a chart: 1-minute candles of a day, 10-minute of a week, daily of three months
/// and of a year, weekly of five years.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum CandleType {
    #[default]
    Day,
    Weekly,
    ThreeMonth,
    Year,
    FiveYear,
}

to_proto!(pub(crate) CandleType => market::CandlePeriod {
    Day, Weekly, ThreeMonth, Year, FiveYear
});

impl CandleType {
    /// Whether its candles are shorter than a day and carry a time.
    pub(crate) fn is_intraday(self) -> bool {
        match self {
            Self::Day | Self::Weekly => true,
            Self::ThreeMonth | Self::Year | Self::FiveYear => false,
        }
    }
}

/// Prices of one span of time.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Candle {
    /// Start: `2026-11-21T09:03:00+09:00` for minutes, the trading day `2026-11-21` for days and
    /// weeks.
    date: String,
    open: Exact,
    high: Exact,
    low: Exact,
    close: Exact,
    volume: Exact,
}

pub(crate) fn candles(
    response: market::Candles,
    period: CandleType,
) -> Result<Vec<Candle>, InvalidField> {
    let convert = |candle: market::Candle| {
        let date = if period.is_intraday() {
            kst(candle.start_us, "start_us")?
        } else {
            day(candle.trading_day, "trading_day")?
        };
        let volume = optional(candle.volume.as_ref(), "volume")?.unwrap_or(Decimal::ZERO);
        Ok(Candle {
            date,
            open: Exact(required(candle.open.as_ref(), "open")?),
            high: Exact(required(candle.high.as_ref(), "high")?),
            low: Exact(required(candle.low.as_ref(), "low")?),
            close: Exact(required(candle.close.as_ref(), "close")?),
            volume: Exact(volume),
        })
    };
    response.candles.into_iter().map(convert).collect()
}

/// A chart of one period.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Chart {
    /// Code.
    pub(crate) isu_srt_cd: String,
    pub(crate) candle_type: CandleType,
    /// Oldest first.
    pub(crate) candles: Vec<Candle>,
}

/// The price of an instrument and a chart of it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TimeTab {
    pub(crate) item: Item,
    /// Oldest first.
    pub(crate) candles: Vec<Candle>,
}
