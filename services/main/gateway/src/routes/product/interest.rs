//! Interest until maturity.

use proto::convert::{InvalidField, to_required_decimal as required};
use proto::market::v1 as market;
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::number::Exact;
use crate::wire::product::InterestType;

/// What a sum earns until maturity.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Interest {
    principal: i64,
    interest_before_tax: i64,
    tax: i64,
    interest_after_tax: i64,
    payout: i64,
    /// Percent a year.
    applied_rate: Exact,
    save_trm: i32,
    intr_rate_type: InterestType,
    schedule: Vec<InterestMonth>,
}

/// How it stands at the end of a month.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct InterestMonth {
    /// From 1.
    month: i32,
    /// Won paid in so far.
    paid: i64,
    /// Won earned so far, before tax.
    interest: i64,
}

impl TryFrom<market::InterestQuote> for Interest {
    type Error = InvalidField;

    fn try_from(quote: market::InterestQuote) -> Result<Self, InvalidField> {
        let months = quote.schedule.iter().map(|month| InterestMonth {
            month: month.month,
            paid: month.paid_won,
            interest: month.interest_won,
        });
        Ok(Self {
            principal: quote.principal_won,
            interest_before_tax: quote.interest_won,
            tax: quote.tax_won,
            interest_after_tax: quote.after_tax_won,
            payout: quote.payout_won,
            applied_rate: Exact(required(quote.applied_rate.as_ref(), "applied_rate")?),
            save_trm: quote.term_months,
            intr_rate_type: quote.interest_type().try_into()?,
            schedule: months.collect(),
        })
    }
}
