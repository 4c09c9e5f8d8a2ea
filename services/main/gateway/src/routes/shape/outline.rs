//! What is published about a company, and exchange rates.

use proto::convert::{InvalidField, to_required_decimal as required};
use proto::market::v1 as market;
use serde::Serialize;
use utoipa::ToSchema;

use super::item::{filled, percent_change};
use super::number::Exact;
use super::time::kst;

/// What a company published about itself.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompanyOutline {
    isu_srt_cd: String,
    isu_kor_nm: String,
    isu_eng_nm: String,
    industry: String,
    products: String,
    representative: String,
    /// yyyymmdd.
    established_date: Option<String>,
    /// yyyymmdd.
    list_date: Option<String>,
    settle_month: String,
    home_page: String,
    address: String,
    region: String,
    /// As published; null when it is not.
    per: Option<String>,
    pbr: Option<String>,
    eps: Option<String>,
    bps: Option<String>,
    roe: Option<String>,
    listed_shares: i64,
    /// In 억원 (100,000,000 won), like the next two.
    market_cap_eok: i64,
    sales_eok: i64,
    operating_profit_eok: i64,
}

impl From<market::CompanyOutline> for CompanyOutline {
    fn from(outline: market::CompanyOutline) -> Self {
        Self {
            isu_srt_cd: outline.code,
            isu_kor_nm: outline.korean_name,
            isu_eng_nm: outline.english_name,
            industry: outline.industry,
            products: outline.products,
            representative: outline.representative,
            established_date: filled(outline.established_on),
            list_date: filled(outline.listed_on),
            settle_month: outline.settlement_month,
            home_page: outline.homepage,
            address: outline.address,
            region: outline.region,
            per: filled(outline.per),
            pbr: filled(outline.pbr),
            eps: filled(outline.eps),
            bps: filled(outline.bps),
            roe: filled(outline.roe),
            listed_shares: outline.listed_shares,
            market_cap_eok: outline.market_cap_eok,
            sales_eok: outline.sales_eok,
            operating_profit_eok: outline.operating_profit_eok,
        }
    }
}

/// Won for units of other currencies.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ExchangeRates {
    pub(crate) rates: Vec<ExchangeRate>,
}

/// Won for one unit of a currency.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ExchangeRate {
    /// USD, JPY(100), EUR, CNH …
    cur_unit: String,
    /// Korean name.
    cur_nm: String,
    rate: Exact,
    prev_rate: Exact,
    /// Change since the previous close in percent, two decimals.
    fluc_rt: Exact,
    as_of: String,
}

impl TryFrom<market::ExchangeRate> for ExchangeRate {
    type Error = InvalidField;

    fn try_from(rate: market::ExchangeRate) -> Result<Self, InvalidField> {
        let now = required(rate.rate.as_ref(), "rate")?;
        let before = required(rate.prev_close.as_ref(), "prev_close")?;
        Ok(Self {
            as_of: kst(rate.as_of_us, "as_of_us")?,
            cur_unit: rate.unit,
            cur_nm: rate.korean_name,
            rate: Exact(now),
            prev_rate: Exact(before),
            fluc_rt: Exact(percent_change(now, before)),
        })
    }
}
