//! How markets do, and what gold costs here and in the world.

use proto::convert::{InvalidField, to_required_decimal as required};
use proto::market::v1 as market;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::item::{Item, percent_change, read_rows};
use super::number::Exact;
use super::product::{Product, ProductKind};
use super::time::kst;

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

impl TrendType {
    pub(crate) fn to_proto(self) -> market::TrendKind {
        match self {
            Self::Kospi => market::TrendKind::Kospi,
            Self::Kosdaq => market::TrendKind::Kosdaq,
            Self::Global => market::TrendKind::Global,
            Self::Etf => market::TrendKind::Etf,
            Self::Coin => market::TrendKind::Coin,
        }
    }
}

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

/// Gold of the exchange here against gold in the world.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Premium {
    /// 괴리율: percent that it costs more here, two decimals.
    rate: Exact,
    /// Won per gram here.
    domestic_prc: Exact,
    /// Won per gram in the world.
    world_prc: Exact,
    /// Dollars per troy ounce.
    world_usd_per_oz: Exact,
    /// Won per dollar.
    fx_rate: Exact,
    as_of: String,
}

/// A commodity with its price.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct CommodityPrice {
    pub(crate) item: Item,
    /// For gold of the exchange here; null for everything else.
    premium: Option<Premium>,
}

/// What gold costs.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GoldFigures {
    /// Won per gram here.
    won_per_g: Exact,
    /// Dollars per troy ounce in the world.
    usd_per_oz: Exact,
    /// Won per dollar.
    fx_rate: Exact,
    /// 괴리율 in percent, two decimals.
    premium_rate: Exact,
}

/// How gold does; at most a minute old.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GoldTrend {
    /// GOLD.
    #[serde(rename = "type")]
    kind: &'static str,
    /// Won per gram; null while no price is known.
    index: Option<IndexValue>,
    /// Null while one of the prices is unknown.
    gold: Option<GoldFigures>,
    pub(crate) items: Vec<Item>,
    as_of: String,
}

/// The rates of one kind and term.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct RateAverage {
    prdt_tcd: ProductKind,
    /// Months: 6, 12, 24 or 36.
    save_trm: i32,
    /// Mean of the base rates in percent.
    average: Exact,
    /// Highest best rate in percent.
    best: Exact,
    /// Products that offer the term.
    count: i32,
}

/// A product whose best rate changed this week.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct RateMove {
    pub(crate) product: Product,
    before: Exact,
    after: Exact,
}

/// How deposits and savings plans do.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProductTrend {
    averages: Vec<RateAverage>,
    /// Newest first.
    pub(crate) movers: Vec<RateMove>,
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
    /// The trend of `kind`.
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
            gainers: read_rows(trend.gainers),
            losers: read_rows(trend.losers),
            volume: read_rows(trend.most_volume),
            value: read_rows(trend.most_value),
            sectors: sectors.collect::<Result<_, InvalidField>>()?,
            as_of: kst(trend.as_of_us, "as_of_us")?,
        })
    }
}

impl TryFrom<market::GoldPremium> for Premium {
    type Error = InvalidField;

    fn try_from(premium: market::GoldPremium) -> Result<Self, InvalidField> {
        let per_ounce = premium.world_dollars_per_ounce.as_ref();
        Ok(Self {
            rate: Exact(required(premium.rate.as_ref(), "rate")?),
            domestic_prc: Exact(required(premium.domestic_price.as_ref(), "domestic_price")?),
            world_prc: Exact(required(premium.world_price.as_ref(), "world_price")?),
            world_usd_per_oz: Exact(required(per_ounce, "world_dollars_per_ounce")?),
            fx_rate: Exact(required(premium.dollar_won.as_ref(), "dollar_won")?),
            as_of: kst(premium.as_of_us, "as_of_us")?,
        })
    }
}

impl TryFrom<market::CommodityPrice> for CommodityPrice {
    type Error = InvalidField;

    fn try_from(price: market::CommodityPrice) -> Result<Self, InvalidField> {
        Ok(Self {
            item: price.item.ok_or(InvalidField("item"))?.try_into()?,
            premium: price.premium.map(Premium::try_from).transpose()?,
        })
    }
}

impl TryFrom<market::GoldTrend> for GoldTrend {
    type Error = InvalidField;

    fn try_from(trend: market::GoldTrend) -> Result<Self, InvalidField> {
        let premium = trend.premium.map(Premium::try_from).transpose()?;
        Ok(Self {
            kind: "GOLD",
            index: trend.index.map(IndexValue::try_from).transpose()?,
            gold: premium.map(|premium| GoldFigures {
                won_per_g: premium.domestic_prc,
                usd_per_oz: premium.world_usd_per_oz,
                fx_rate: premium.fx_rate,
                premium_rate: premium.rate,
            }),
            items: read_rows(trend.items),
            as_of: kst(trend.as_of_us, "as_of_us")?,
        })
    }
}

impl TryFrom<market::ProductTrend> for ProductTrend {
    type Error = InvalidField;

    fn try_from(trend: market::ProductTrend) -> Result<Self, InvalidField> {
        let average = |average: market::RateAverage| {
            Ok(RateAverage {
                prdt_tcd: average.kind().try_into()?,
                save_trm: average.term_months,
                average: Exact(required(average.average.as_ref(), "average")?),
                best: Exact(required(average.best.as_ref(), "best")?),
                count: average.count,
            })
        };
        let mover = |mover: market::RateMove| {
            Ok(RateMove {
                before: Exact(required(mover.before.as_ref(), "before")?),
                after: Exact(required(mover.after.as_ref(), "after")?),
                product: mover.product.ok_or(InvalidField("product"))?.try_into()?,
            })
        };
        let averages = trend.averages.into_iter().map(average);
        let movers = trend.movers.into_iter().map(mover);
        Ok(Self {
            averages: averages.collect::<Result<_, InvalidField>>()?,
            movers: movers.collect::<Result<_, InvalidField>>()?,
            as_of: kst(trend.as_of_us, "as_of_us")?,
        })
    }
}
