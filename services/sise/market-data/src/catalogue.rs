//! All instruments in memory, loaded from the database at the start; about 500 rows.
//!
//! Loaded from the database once at the start and shared by reference; about 500 rows.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::NaiveDate;
use kernel::{Currency, MarketCode, Price, WarningCode};
use market_rules::limits::limit_percent;
use market_rules::{PriceBand, TickClass, TickTable, Venue, daily_limits};
use rust_decimal::Decimal;

#[derive(Clone, Debug, PartialEq)]
pub struct Instrument {
    /// Short code, the key everywhere.
    pub code: String,
    pub korean_name: String,
    /// Empty when there is none.
    pub english_name: String,
    /// Alternative names for search.
    pub aliases: Vec<String>,
    pub market: MarketCode,
    /// `KRX`, `NAS`, `NYS`, `AMS`, `UPBIT`, `KRXGOLD`, `GLOBAL` or `REPLAY`.
    pub exchange: String,
    pub currency: Currency,
    pub tick_table: TickTable,
    /// Leverage of an ETF, may be negative; 1 otherwise.
    pub leverage: i32,
    /// The exchange's investment warning.
    pub warning: WarningCode,
    pub halted: bool,
    /// 관리종목.
    pub administrative: bool,
    /// False for instruments that are only displayed.
    pub tradable: bool,
    pub isin: Option<String>,
    /// Sector in the exchange's index numbering.
    pub sector_code: Option<String>,
    pub sector_name: Option<String>,
    /// First trading day.
    pub listed_on: Option<NaiveDate>,
    pub listed_shares: Option<i64>,
    /// Market value at the seed's price, in the instrument's currency.
    pub market_cap: Option<i64>,
    /// Unit of quantity: `주`, `g`, `oz` … .
    pub unit: String,
    /// First price of the built-in market.
    pub base_price: Price,
    /// Parameters of the price model.
    pub dynamics: Dynamics,
}

/// Parameters of an instrument in the price model.
#[derive(Clone, Debug, PartialEq)]
pub struct Dynamics {
    /// Standard deviation of a daily return: 0.02 is 2 %.
    pub daily_volatility: Decimal,
    /// Sensitivity to its market factor.
    pub beta: Decimal,
    /// Average daily volume in shares, grams … .
    pub average_daily_volume: Option<Decimal>,
    /// Average daily traded value in won (coins).
    pub average_daily_value_won: Option<Decimal>,
    /// Company size: `LARGE`, `MID` or `SMALL` (domestic shares).
    pub size_class: Option<String>,
    /// Underlying of an ETF: `KOSPI200`, `STOCK:005930`, `USDKRW` … .
    pub underlying: Option<String>,
    /// Asset class of an ETF: `EQ_KR`, `EQ_US_LEV`, `MONEY` … .
    pub asset_kind: Option<String>,
}

impl Instrument {
    #[must_use]
    pub fn venue(&self) -> Venue {
        Venue::of_market(self.market)
    }

    #[must_use]
    pub fn tick_class(&self) -> TickClass {
        self.tick_table.class()
    }

    /// Price limits of a day with this base price; `None` = no limit.
    #[must_use]
    pub fn daily_limits(&self, base: Price) -> Option<PriceBand> {
        daily_limits(self.market, self.leverage, base, &self.tick_table)
    }

    /// How far a price of a day may be from its base price, in percent; `None` = no limit.
    #[must_use]
    pub fn limit_percent(&self) -> Option<u32> {
        limit_percent(self.market, self.leverage, self.tick_class())
    }
}

/// A market index or a rate that ETFs follow.
#[derive(Clone, Debug, PartialEq)]
pub struct MarketIndex {
    /// `0001`, `1001`, `2001`, `SPX`, `COMP`.
    pub code: String,
    pub korean_name: String,
    /// Level at the start of the built-in market.
    pub base_value: Decimal,
    /// Standard deviation of a daily return: 0.02 is 2 %.
    pub daily_volatility: Decimal,
}

/// Exchange rate in won per unit (or hundred units).
#[derive(Clone, Debug, PartialEq)]
pub struct ForeignCurrency {
    /// `USD`, `JPY(100)`, `EUR`, `CNH`.
    pub unit: String,
    pub korean_name: String,
    /// Rate at the start of the built-in market.
    pub base_rate: Decimal,
    /// Standard deviation of a daily return: 0.02 is 2 %.
    pub daily_volatility: Decimal,
}

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct Catalogue {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    instruments: Vec<Arc<Instrument>>,
    by_code: HashMap<String, Arc<Instrument>>,
    indices: Vec<MarketIndex>,
    currencies: Vec<ForeignCurrency>,
}

impl Catalogue {
    /// Keeps the order of the instruments.
    #[must_use]
    pub fn new(
        instruments: Vec<Instrument>,
        indices: Vec<MarketIndex>,
        currencies: Vec<ForeignCurrency>,
    ) -> Self {
        let instruments: Vec<Arc<Instrument>> = instruments.into_iter().map(Arc::new).collect();
        let keyed = instruments.iter();
        let by_code = keyed
            .map(|instrument| (instrument.code.clone(), Arc::clone(instrument)))
            .collect();
        Self {
            inner: Arc::new(Inner {
                instruments,
                by_code,
                indices,
                currencies,
            }),
        }
    }

    /// All instruments in memory, loaded from the database at the start; about 500 rows.
    #[must_use]
    pub fn instruments(&self) -> &[Arc<Instrument>] {
        &self.inner.instruments
    }

    #[must_use]
    pub fn get(&self, code: &str) -> Option<&Arc<Instrument>> {
        self.inner.by_code.get(code)
    }

    #[must_use]
    pub fn indices(&self) -> &[MarketIndex] {
        &self.inner.indices
    }

    #[must_use]
    pub fn currencies(&self) -> &[ForeignCurrency] {
        &self.inner.currencies
    }
}
