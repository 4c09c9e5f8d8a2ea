//! Deposits and savings plans.

use proto::convert::{InvalidField, to_required_decimal as required};
use proto::market::v1 as market;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::likes::{Likeable, Likes};
use super::number::Exact;
use super::variants::{from_proto, to_proto};

/// `03` a deposit, `04` a savings plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) enum ProductKind {
    #[serde(rename = "03")]
    Deposit,
    #[serde(rename = "04")]
    Savings,
}

/// `01` simple interest, `02` compound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) enum InterestType {
    #[serde(rename = "01")]
    Simple,
    #[serde(rename = "02")]
    Compound,
}

/// `S` the same sum every month, `F` any sum at any time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) enum ReserveType {
    #[serde(rename = "S")]
    Fixed,
    #[serde(rename = "F")]
    Free,
}

/// A deposit or a savings plan of a bank.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Product {
    pub(crate) sid: i64,
    prdt_nm: String,
    prdt_tcd: ProductKind,
    bank_cd: String,
    bank_nm: String,
    intr_rate_type: InterestType,
    /// Null for a deposit.
    rsrv_type: Option<ReserveType>,
    /// Usual term in months.
    save_trm: i32,
    /// Percent a year.
    intr_rate: Exact,
    /// Percent a year with every preference.
    intr_rate2: Exact,
    /// Least sum in won, of a month for savings; null when there is no bound.
    min_amt: Option<i64>,
    /// Largest sum in won, of a month for savings; null when there is no bound.
    max_amt: Option<i64>,
    /// What the best rate asks for; may be empty.
    join_conditions: String,
    /// Month of the disclosure, yyyymm.
    rate_month: String,
    pub(crate) like: bool,
}

to_proto!(pub(crate) ProductKind => market::ProductKind { Deposit, Savings });
from_proto!(market::ProductKind => ProductKind { Deposit, Savings }, "kind");

to_proto!(pub(crate) InterestType => market::InterestType { Simple, Compound });
from_proto!(market::InterestType => InterestType { Simple, Compound }, "interest_type");

to_proto!(pub(crate) ReserveType => market::ReserveType { Fixed, Free });
from_proto!(pub(crate) market::ReserveType => Option<ReserveType> { Fixed, Free });

impl TryFrom<market::Product> for Product {
    type Error = InvalidField;

    fn try_from(product: market::Product) -> Result<Self, InvalidField> {
        let bound = |won: i64| Some(won).filter(|won| *won > 0);
        Ok(Self {
            prdt_tcd: product.kind().try_into()?,
            intr_rate_type: product.interest_type().try_into()?,
            rsrv_type: ReserveType::from_proto(product.reserve_type()),
            intr_rate: Exact(required(product.base_rate.as_ref(), "base_rate")?),
            intr_rate2: Exact(required(product.best_rate.as_ref(), "best_rate")?),
            sid: product.product_id,
            prdt_nm: product.name,
            bank_cd: product.bank_code,
            bank_nm: product.bank_name,
            save_trm: product.term_months,
            min_amt: bound(product.least_amount_won),
            max_amt: bound(product.most_amount_won),
            join_conditions: product.conditions,
            rate_month: product.disclosed_month,
            like: false,
        })
    }
}

impl Likeable for Product {
    fn is_in(&self, likes: &Likes) -> bool {
        likes.has_product(self.sid)
    }

    fn like(&mut self) -> &mut bool {
        &mut self.like
    }
}

/// The number of a product: above zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(try_from = "i64")]
#[schema(value_type = i64, minimum = 1)]
pub(crate) struct ProductSid(pub(crate) i64);

impl TryFrom<i64> for ProductSid {
    type Error = &'static str;

    fn try_from(number: i64) -> Result<Self, Self::Error> {
        if number > 0 {
            Ok(Self(number))
        } else {
            Err("상품 번호가 올바르지 않아요")
        }
    }
}
