use std::collections::HashSet;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::SeedError;
use super::csv_file::CsvFile;
use super::reference::require_unique;

/// Outline of a domestic company. Ratios are kept as published.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, sqlx::FromRow)]
#[serde(deny_unknown_fields)]
pub struct CompanyOutline {
    pub code: String,
    pub industry: String,
    pub products: String,
    pub representative: String,
    pub established_on: Option<NaiveDate>,
    /// First trading day.
    pub listed_on: Option<NaiveDate>,
    /// Last month of the business year, for example `12월`.
    pub settlement_month: String,
    pub homepage: String,
    pub address: String,
    pub region: String,
    pub listed_shares: Option<i64>,
    /// 억원.
    pub market_cap_eok: Option<i64>,
    /// Last business year, 억원.
    pub sales_eok: Option<i64>,
    /// Last business year, 억원.
    pub operating_profit_eok: Option<i64>,
    pub roe: String,
    pub per: String,
    pub pbr: String,
    pub eps: String,
    pub bps: String,
}

/// Reads the outlines; codes must be among `codes`.
pub(super) fn read(
    csv_file: &CsvFile,
    codes: &HashSet<String>,
) -> Result<Vec<CompanyOutline>, SeedError> {
    let mut seen = HashSet::new();
    let mut outlines = Vec::new();
    for (location, outline) in csv_file.rows::<CompanyOutline>()? {
        if !codes.contains(&outline.code) {
            let unknown = format!("code {} is not an instrument", outline.code);
            return Err(location.fault()(unknown));
        }
        require_unique(location, &mut seen, outline.code.clone())?;
        outlines.push(outline);
    }
    Ok(outlines)
}
