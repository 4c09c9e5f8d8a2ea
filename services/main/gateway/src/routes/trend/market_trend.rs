//! The trend of a market.

use proto::convert::{InvalidField, to_required_decimal as required};
use proto::market::v1 as market;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::wire::item::{Item, percent_change};
use crate::wire::number::Exact;
use crate::wire::rows::decode_rows;
use crate::wire::time::kst;
use crate::wire::variants::to_proto;

/// The markets that have a trend of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum TrendType {
    Kospi,
    Kosdaq,
    Global,
    Etf,
    Coin,
}

to_proto!(pub(crate) TrendType => market::TrendKind { Kospi, Kosdaq, Global, Etf, Coin });

/// An index, or the price that stands for a market without one.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct IndexValue {
    name: String,
    value: Exact,
    /// Change since the day before.
    diff: Exact,
    /// Change since the day before in percent, two decimals.
    rate: Exact,
    as_of: String,
    /// Whether the value is older than a price of its market may be while that trades: a minute,
    /// half a minute for coins, five minutes for gold.
    delayed: bool,
}

/// Items that rose, stayed and fell.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Breadth {
    up: i32,
    flat: i32,
    down: i32,
}

/// What a sector did.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct SectorRate {
    code: String,
    name: String,
    /// Percent, two decimals.
    rate: Exact,
}

/// How a market does; at most a minute old.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Trend {
    #[serde(rename = "type")]
    kind: TrendType,
    /// Null while no value is known.
    index: Option<IndexValue>,
    breadth: Breadth,
    /// At most ten, as the other three.
    pub(crate) gainers: Vec<Item>,
    pub(crate) losers: Vec<Item>,
    pub(crate) volume: Vec<Item>,
    pub(crate) value: Vec<Item>,
    /// Best first.
    sectors: Vec<SectorRate>,
    as_of: String,
}

impl TryFrom<market::IndexValue> for IndexValue {
    type Error = InvalidField;

    fn try_from(index: market::IndexValue) -> Result<Self, InvalidField> {
        let value = required(index.value.as_ref(), "value")?;
        let previous = required(index.previous.as_ref(), "previous")?;
        Ok(Self {
            value: Exact(value),
            diff: Exact(value - previous),
            rate: Exact(percent_change(value, previous)),
            as_of: kst(index.as_of_us, "as_of_us")?,
            delayed: index.delayed,
            name: index.name,
        })
    }
}

impl Trend {
    pub(crate) fn new(kind: TrendType, trend: market::Trend) -> Result<Self, InvalidField> {
        let sector = |sector: market::SectorRate| {
            Ok(SectorRate {
                rate: Exact(required(sector.rate.as_ref(), "rate")?),
                code: sector.code,
                name: sector.name,
            })
        };
        let sectors = trend.sectors.into_iter().map(sector);
        Ok(Self {
            kind,
            index: trend.index.map(IndexValue::try_from).transpose()?,
            breadth: Breadth {
                up: trend.up,
                flat: trend.flat,
                down: trend.down,
            },
            gainers: decode_rows(trend.gainers),
            losers: decode_rows(trend.losers),
            volume: decode_rows(trend.most_volume),
            value: decode_rows(trend.most_value),
            sectors: sectors.collect::<Result<_, InvalidField>>()?,
            as_of: kst(trend.as_of_us, "as_of_us")?,
        })
    }
}
