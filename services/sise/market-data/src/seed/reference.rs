//! Rows that other rows refer to: sectors, search aliases, indices and currencies.

use std::collections::HashSet;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::SeedError;
use super::sheet::{Place, Sheet};
use crate::catalogue::{ForeignCurrency, MarketIndex};

/// A group of companies in one of the two numberings in use; never mix them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sector {
    /// `KIS` (what masters of shares carry) or `KRX` (the exchange's data system).
    pub numbering: String,
    /// Four digits.
    pub code: String,
    /// Which market or index family it divides.
    pub market: String,
    /// Name members read.
    pub korean_name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AliasRecord {
    code: String,
    alias: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IndexRecord {
    code: String,
    korean_name: String,
    base_value: Decimal,
    daily_volatility: Decimal,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CurrencyRecord {
    unit: String,
    korean_name: String,
    base_rate: Decimal,
    daily_volatility: Decimal,
}

pub(super) fn sectors(sheet: &Sheet) -> Result<Vec<Sector>, SeedError> {
    let mut seen = HashSet::new();
    let mut sectors = Vec::new();
    for (place, sector) in sheet.rows::<Sector>()? {
        if !matches!(sector.numbering.as_str(), "KIS" | "KRX") {
            return Err(place.fault()(format!(
                "unknown numbering {:?}",
                sector.numbering
            )));
        }
        if sector.korean_name.is_empty() {
            return Err(place.fault()("korean_name is blank".to_owned()));
        }
        once(
            place,
            &mut seen,
            format!("{} {}", sector.numbering, sector.code),
        )?;
        sectors.push(sector);
    }
    Ok(sectors)
}

pub(super) fn aliases<'a>(
    sheet: &Sheet<'a>,
) -> Result<Vec<(Place<'a>, String, String)>, SeedError> {
    let mut aliases = Vec::new();
    for (place, row) in sheet.rows::<AliasRecord>()? {
        if row.alias.trim().is_empty() {
            return Err(place.fault()("alias is blank".to_owned()));
        }
        aliases.push((place, row.code, row.alias));
    }
    Ok(aliases)
}

pub(super) fn indices(sheet: &Sheet) -> Result<Vec<MarketIndex>, SeedError> {
    let mut seen = HashSet::new();
    let mut indices = Vec::new();
    for (place, row) in sheet.rows::<IndexRecord>()? {
        above_zero(place, "base_value", row.base_value)?;
        above_zero(place, "daily_volatility", row.daily_volatility)?;
        once(place, &mut seen, row.code.clone())?;
        indices.push(MarketIndex {
            code: row.code,
            korean_name: row.korean_name,
            base_value: row.base_value,
            daily_volatility: row.daily_volatility,
        });
    }
    Ok(indices)
}

pub(super) fn currencies(sheet: &Sheet) -> Result<Vec<ForeignCurrency>, SeedError> {
    let mut seen = HashSet::new();
    let mut currencies = Vec::new();
    for (place, row) in sheet.rows::<CurrencyRecord>()? {
        above_zero(place, "base_rate", row.base_rate)?;
        above_zero(place, "daily_volatility", row.daily_volatility)?;
        once(place, &mut seen, row.unit.clone())?;
        currencies.push(ForeignCurrency {
            unit: row.unit,
            korean_name: row.korean_name,
            base_rate: row.base_rate,
            daily_volatility: row.daily_volatility,
        });
    }
    Ok(currencies)
}

/// Refuses a key that was there before.
pub(super) fn once(
    place: Place<'_>,
    seen: &mut HashSet<String>,
    key: String,
) -> Result<(), SeedError> {
    if seen.contains(&key) {
        return Err(place.fault()(format!("{key} is listed twice")));
    }
    seen.insert(key);
    Ok(())
}

/// Refuses zero and less.
pub(super) fn above_zero(place: Place<'_>, column: &str, value: Decimal) -> Result<(), SeedError> {
    if value > Decimal::ZERO {
        return Ok(());
    }
    Err(place.fault()(format!("{column} must be above zero")))
}
