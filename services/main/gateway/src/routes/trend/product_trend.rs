//! The trend of deposits and savings plans.

use proto::convert::{InvalidField, to_required_decimal as required};
use proto::market::v1 as market;
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::number::Exact;
use crate::wire::product::{Product, ProductKind};
use crate::wire::time::kst;

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
