//! Rows of company outlines.

use std::collections::HashSet;

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};

use super::SeedError;
use super::reference::once;
use super::sheet::Sheet;

/// What a domestic company does and earns, as published. Ratios are kept as the published text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, sqlx::FromRow)]
#[serde(deny_unknown_fields)]
pub struct CompanyOutline {
    /// Code of its share.
    pub code: String,
    /// Industry.
    pub industry: String,
    /// Main products.
    pub products: String,
    /// Chief executives.
    pub representative: String,
    /// Day of foundation.
    pub established_on: Option<NaiveDate>,
    /// First day on the market.
    pub listed_on: Option<NaiveDate>,
    /// Month in which the business year ends, for example `12월`.
    pub settlement_month: String,
    /// Web address.
    pub homepage: String,
    /// Seat.
    pub address: String,
    /// Province of the seat.
    pub region: String,
    /// Shares in existence.
    pub listed_shares: Option<i64>,
    /// Value of all shares, 억원.
    pub market_cap_eok: Option<i64>,
    /// Sales of the last business year, 억원.
    pub sales_eok: Option<i64>,
    /// Operating profit of the last business year, 억원.
    pub operating_profit_eok: Option<i64>,
    /// Return on equity.
    pub roe: String,
    /// Price to earnings.
    pub per: String,
    /// Price to book value.
    pub pbr: String,
    /// Earnings a share.
    pub eps: String,
    /// Book value a share.
    pub bps: String,
}

/// Reads the outlines of companies whose codes are among `codes`.
pub(super) fn read(
    sheet: &Sheet,
    codes: &HashSet<String>,
) -> Result<Vec<CompanyOutline>, SeedError> {
    let mut seen = HashSet::new();
    let mut outlines = Vec::new();
    for (place, outline) in sheet.rows::<CompanyOutline>()? {
        if !codes.contains(&outline.code) {
            let unknown = format!("code {} is not an instrument", outline.code);
            return Err(place.fault()(unknown));
        }
        once(place, &mut seen, outline.code.clone())?;
        outlines.push(outline);
    }
    Ok(outlines)
}
