//! Reference data: sectors, aliases, indices and currencies.

use std::collections::HashSet;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::SeedError;
use super::csv_file::{CsvFile, RowLocation};
use crate::catalogue::{ForeignCurrency, MarketIndex};

/// A sector. The two numberings must not be mixed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sector {
    /// `KIS` (what masters of shares carry) or `KRX` (the exchange's data system).
    pub numbering: String,
    /// Four digits.
    pub code: String,
    /// Market or index family.
    pub market: String,
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

pub(super) fn sectors(csv_file: &CsvFile) -> Result<Vec<Sector>, SeedError> {
    let mut seen = HashSet::new();
    let mut sectors = Vec::new();
    for (location, sector) in csv_file.rows::<Sector>()? {
        if !matches!(sector.numbering.as_str(), "KIS" | "KRX") {
            return Err(location.fault()(format!(
                "unknown numbering {:?}",
                sector.numbering
            )));
        }
        if sector.korean_name.is_empty() {
            return Err(location.fault()("korean_name is blank".to_owned()));
        }
        require_unique(
            location,
            &mut seen,
            format!("{} {}", sector.numbering, sector.code),
        )?;
        sectors.push(sector);
    }
    Ok(sectors)
}

pub(super) fn aliases<'a>(
    csv_file: &CsvFile<'a>,
) -> Result<Vec<(RowLocation<'a>, String, String)>, SeedError> {
    let mut aliases = Vec::new();
    for (location, row) in csv_file.rows::<AliasRecord>()? {
        if row.alias.trim().is_empty() {
            return Err(location.fault()("alias is blank".to_owned()));
        }
        aliases.push((location, row.code, row.alias));
    }
    Ok(aliases)
}

pub(super) fn indices(csv_file: &CsvFile) -> Result<Vec<MarketIndex>, SeedError> {
    let mut seen = HashSet::new();
    let mut indices = Vec::new();
    for (location, row) in csv_file.rows::<IndexRecord>()? {
        require_positive(location, "base_value", row.base_value)?;
        require_positive(location, "daily_volatility", row.daily_volatility)?;
        require_unique(location, &mut seen, row.code.clone())?;
        indices.push(MarketIndex {
            code: row.code,
            korean_name: row.korean_name,
            base_value: row.base_value,
            daily_volatility: row.daily_volatility,
        });
    }
    Ok(indices)
}

pub(super) fn currencies(csv_file: &CsvFile) -> Result<Vec<ForeignCurrency>, SeedError> {
    let mut seen = HashSet::new();
    let mut currencies = Vec::new();
    for (location, row) in csv_file.rows::<CurrencyRecord>()? {
        require_positive(location, "base_rate", row.base_rate)?;
        require_positive(location, "daily_volatility", row.daily_volatility)?;
        require_unique(location, &mut seen, row.unit.clone())?;
        currencies.push(ForeignCurrency {
            unit: row.unit,
            korean_name: row.korean_name,
            base_rate: row.base_rate,
            daily_volatility: row.daily_volatility,
        });
    }
    Ok(currencies)
}

pub(super) fn require_unique(
    location: RowLocation<'_>,
    seen: &mut HashSet<String>,
    key: String,
) -> Result<(), SeedError> {
    if seen.contains(&key) {
        return Err(location.fault()(format!("{key} is listed twice")));
    }
    seen.insert(key);
    Ok(())
}

pub(super) fn require_positive(
    location: RowLocation<'_>,
    column: &str,
    value: Decimal,
) -> Result<(), SeedError> {
    if value > Decimal::ZERO {
        return Ok(());
    }
    Err(location.fault()(format!("{column} must be above zero")))
}
