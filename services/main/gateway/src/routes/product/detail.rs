//! Products with their terms.

use proto::convert::{
    InvalidField, to_optional_decimal as optional, to_required_decimal as required,
};
use proto::market::v1 as market;
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::number::Exact;
use crate::wire::product::{InterestType, Product, ReserveType};

/// What one term of a product pays.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProductOption {
    /// Months.
    save_trm: i32,
    intr_rate_type: InterestType,
    rsrv_type: Option<ReserveType>,
    /// Percent a year; null when it is not disclosed.
    intr_rate: Option<Exact>,
    /// Percent a year with every preference.
    intr_rate2: Option<Exact>,
}

/// A product with all its terms.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ProductDetail {
    pub(crate) product: Product,
    /// Shortest term first.
    options: Vec<ProductOption>,
    /// Won that are insured per person and bank.
    deposit_insurance_limit: i64,
    /// Percent of the interest.
    tax_rate: Exact,
}

impl TryFrom<market::ProductOption> for ProductOption {
    type Error = InvalidField;

    fn try_from(option: market::ProductOption) -> Result<Self, InvalidField> {
        Ok(Self {
            save_trm: option.term_months,
            intr_rate_type: option.interest_type().try_into()?,
            rsrv_type: ReserveType::from_proto(option.reserve_type()),
            intr_rate: optional(option.base_rate.as_ref(), "base_rate")?.map(Exact),
            intr_rate2: optional(option.best_rate.as_ref(), "best_rate")?.map(Exact),
        })
    }
}

impl TryFrom<market::ProductDetail> for ProductDetail {
    type Error = InvalidField;

    fn try_from(detail: market::ProductDetail) -> Result<Self, InvalidField> {
        let options = detail.options.into_iter().map(ProductOption::try_from);
        Ok(Self {
            product: detail.product.ok_or(InvalidField("product"))?.try_into()?,
            options: options.collect::<Result<_, _>>()?,
            deposit_insurance_limit: detail.deposit_insurance_won,
            tax_rate: Exact(required(detail.tax_rate.as_ref(), "tax_rate")?),
        })
    }
}
