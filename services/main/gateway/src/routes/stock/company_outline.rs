//! What a company published about itself.

use proto::market::v1 as market;
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::item::non_empty;

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
            established_date: non_empty(outline.established_on),
            list_date: non_empty(outline.listed_on),
            settle_month: outline.settlement_month,
            home_page: outline.homepage,
            address: outline.address,
            region: outline.region,
            per: non_empty(outline.per),
            pbr: non_empty(outline.pbr),
            eps: non_empty(outline.eps),
            bps: non_empty(outline.bps),
            roe: non_empty(outline.roe),
            listed_shares: outline.listed_shares,
            market_cap_eok: outline.market_cap_eok,
            sales_eok: outline.sales_eok,
            operating_profit_eok: outline.operating_profit_eok,
        }
    }
}
