use std::collections::HashMap;

use chrono::NaiveDate;
use kernel::{Currency, MarketCode, Price, WarningCode};
use market_rules::{TickClass, TickTable};
use rust_decimal::Decimal;
use serde::Deserialize;

use super::{Sector, isin};
use crate::catalogue::{Dynamics, Instrument};

/// Files with instruments, in the order of lists.
pub(super) const FILES: [&str; 5] = [
    "domestic_shares.csv",
    "us_shares.csv",
    "etfs.csv",
    "coins.csv",
    "commodities.csv",
];

/// The sector code for "none".
const NO_SECTOR: &str = "0000";

/// Columns that a file does not need may be absent.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InstrumentRecord {
    code: String,
    korean_name: String,
    #[serde(default)]
    english_name: String,
    market: String,
    exchange: String,
    currency: String,
    tick_class: String,
    unit: String,
    base_price: Decimal,
    daily_volatility: Decimal,
    #[serde(default)]
    beta: Option<Decimal>,
    #[serde(default)]
    average_daily_volume: Option<Decimal>,
    #[serde(default)]
    average_daily_value_won: Option<Decimal>,
    #[serde(default)]
    size_class: Option<String>,
    #[serde(default)]
    underlying: Option<String>,
    #[serde(default)]
    asset_kind: Option<String>,
    #[serde(default)]
    leverage: Option<i32>,
    #[serde(default)]
    warning_code: Option<String>,
    #[serde(default)]
    halted: Option<bool>,
    #[serde(default)]
    administrative: Option<bool>,
    #[serde(default)]
    tradable: Option<bool>,
    #[serde(default)]
    isin: Option<String>,
    #[serde(default)]
    sector_code: Option<String>,
    #[serde(default)]
    sector_name: Option<String>,
    #[serde(default)]
    listed_on: Option<NaiveDate>,
    #[serde(default)]
    listed_shares: Option<i64>,
    #[serde(default)]
    market_cap: Option<i64>,
}

/// Sector names by the code used in the lists of shares.
pub(super) struct SectorNames(HashMap<String, String>);

impl SectorNames {
    pub(super) fn of(sectors: &[Sector]) -> Self {
        let named = sectors.iter().filter(|sector| sector.numbering == "KIS");
        Self(
            named
                .map(|sector| (sector.code.clone(), sector.korean_name.clone()))
                .collect(),
        )
    }

    /// The code and the name of a row's sector; without a code the row may name one itself.
    fn sector(
        &self,
        code: Option<String>,
        own_name: Option<String>,
    ) -> Result<(Option<String>, Option<String>), String> {
        let Some(code) = code.filter(|code| code != NO_SECTOR) else {
            return Ok((None, own_name));
        };
        let name = self.0.get(&code).cloned();
        let name = name.ok_or_else(|| unknown("sector_code", &code))?;
        Ok((Some(code), Some(name)))
    }
}

/// Validates a row; the error describes the fault.
pub(super) fn check(record: InstrumentRecord, sectors: &SectorNames) -> Result<Instrument, String> {
    filled("code", &record.code)?;
    filled("korean_name", &record.korean_name)?;
    filled("unit", &record.unit)?;
    let market =
        MarketCode::parse(&record.market).ok_or_else(|| unknown("market", &record.market))?;
    if !exchanges_of(market).contains(&record.exchange.as_str()) {
        let market = market.as_str();
        return Err(format!(
            "exchange {} does not list {market}",
            record.exchange
        ));
    }
    let currency =
        Currency::parse(&record.currency).ok_or_else(|| unknown("currency", &record.currency))?;
    let tick_class = TickClass::parse(&record.tick_class)
        .ok_or_else(|| unknown("tick_class", &record.tick_class))?;
    let tick_table = TickTable::for_class(tick_class, &record.code);
    let base_price = checked_price(record.base_price, &tick_table)?;
    if record.daily_volatility <= Decimal::ZERO || record.daily_volatility >= Decimal::ONE {
        return Err("daily_volatility must be between 0 and 1".to_owned());
    }
    let leverage = record.leverage.unwrap_or(1);
    if leverage == 0 || (leverage != 1 && market != MarketCode::Etf) {
        return Err(format!("leverage {leverage} is impossible here"));
    }
    let warning = match record.warning_code.as_deref() {
        None => WarningCode::None,
        Some(code) => WarningCode::parse(code).ok_or_else(|| unknown("warning_code", code))?,
    };
    if let Some(isin) = &record.isin {
        isin::check(isin)?;
    }
    let (sector_code, sector_name) = sectors.sector(record.sector_code, record.sector_name)?;
    Ok(Instrument {
        code: record.code,
        korean_name: record.korean_name,
        english_name: record.english_name,
        aliases: Vec::new(),
        market,
        exchange: record.exchange,
        currency,
        tick_table,
        leverage,
        warning,
        halted: record.halted.unwrap_or(false),
        administrative: record.administrative.unwrap_or(false),
        tradable: record.tradable.unwrap_or(true),
        isin: record.isin,
        sector_code,
        sector_name,
        listed_on: record.listed_on,
        listed_shares: positive("listed_shares", record.listed_shares)?,
        market_cap: positive("market_cap", record.market_cap)?,
        unit: record.unit,
        base_price,
        dynamics: Dynamics {
            daily_volatility: record.daily_volatility,
            beta: record.beta.unwrap_or(Decimal::ONE),
            average_daily_volume: positive("average_daily_volume", record.average_daily_volume)?,
            average_daily_value_won: positive(
                "average_daily_value_won",
                record.average_daily_value_won,
            )?,
            size_class: record.size_class,
            underlying: record.underlying,
            asset_kind: record.asset_kind,
        },
    })
}

fn exchanges_of(market: MarketCode) -> &'static [&'static str] {
    match market {
        MarketCode::Kospi | MarketCode::Kosdaq | MarketCode::Etf => &["KRX"],
        MarketCode::Global => &["NAS", "NYS", "AMS", "REPLAY"],
        MarketCode::Coin => &["UPBIT"],
        MarketCode::Gold => &["KRXGOLD", "GLOBAL"],
    }
}

fn checked_price(price: Decimal, table: &TickTable) -> Result<Price, String> {
    if price <= Decimal::ZERO {
        return Err("base_price must be above zero".to_owned());
    }
    let price = Price(price);
    match table.neighbours(price) {
        (Some(below), above) if below != above => Err(format!(
            "base_price {price} is off the tick: {below} and {above} are valid"
        )),
        (None, above) => Err(format!(
            "base_price {price} is off the tick: {above} is valid"
        )),
        (Some(_), _) => Ok(price),
    }
}

fn positive<N: PartialOrd + Default>(column: &str, value: Option<N>) -> Result<Option<N>, String> {
    match value {
        Some(number) if number <= N::default() => Err(format!("{column} must be above zero")),
        other => Ok(other),
    }
}

fn filled(column: &str, text: &str) -> Result<(), String> {
    if text.trim().is_empty() {
        return Err(format!("{column} is blank"));
    }
    Ok(())
}

fn unknown(column: &str, text: &str) -> String {
    format!("unknown {column} {text:?}")
}
