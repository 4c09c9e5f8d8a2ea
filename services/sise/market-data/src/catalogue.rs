//! Every instrument, in memory: what it is, how it is traded, and what the price model needs.
//!
//! Loaded from the database once at the start and shared by reference; about 500 rows.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::NaiveDate;
use kernel::{Currency, MarketCode, Price, WarningCode};
use market_rules::{PriceBand, TickClass, TickTable, Venue, daily_limits};
use rust_decimal::Decimal;

/// One thing that has a price.
#[derive(Clone, Debug, PartialEq)]
pub struct Instrument {
    /// Short code, the key everywhere.
    pub code: String,
    /// Name members read.
    pub korean_name: String,
    /// Name in English; empty when there is none.
    pub english_name: String,
    /// Other names members search by.
    pub aliases: Vec<String>,
    /// Where it is listed.
    pub market: MarketCode,
    /// `KRX`, `NAS`, `NYS`, `AMS`, `UPBIT`, `KRXGOLD`, `GLOBAL` or `REPLAY`.
    pub exchange: String,
    /// Currency of its prices.
    pub currency: Currency,
    /// Which prices are valid.
    pub tick_table: TickTable,
    /// Leverage of an ETF, may be negative; 1 for everything else.
    pub leverage: i32,
    /// The exchange's investment warning.
    pub warning: WarningCode,
    /// Trading is suspended.
    pub halted: bool,
    /// 관리종목.
    pub administrative: bool,
    /// False for what is shown only.
    pub tradable: bool,
    /// ISIN, where there is one.
    pub isin: Option<String>,
    /// Sector in the exchange's index numbering.
    pub sector_code: Option<String>,
    /// Name of the sector.
    pub sector_name: Option<String>,
    /// First day on the market.
    pub listed_on: Option<NaiveDate>,
    /// Shares in existence.
    pub listed_shares: Option<i64>,
    /// Value of all shares at the seed's price, in the instrument's currency.
    pub market_cap: Option<i64>,
    /// What one unit of quantity is called: `주`, `g`, `oz` … .
    pub unit: String,
    /// Price that the market begins with, a valid price.
    pub base_price: Price,
    /// What the price model needs.
    pub dynamics: Dynamics,
}

/// How an instrument's price and volume behave in the built-in market.
#[derive(Clone, Debug, PartialEq)]
pub struct Dynamics {
    /// Standard deviation of a day's return: 0.02 is 2 %.
    pub daily_volatility: Decimal,
    /// Share in the move of its market factor.
    pub beta: Decimal,
    /// Shares, grams … traded on an average day.
    pub average_daily_volume: Option<Decimal>,
    /// Won traded on an average day (coins).
    pub average_daily_value_won: Option<Decimal>,
    /// Company size: `LARGE`, `MID` or `SMALL` (domestic shares).
    pub size_class: Option<String>,
    /// What an ETF follows: `KOSPI200`, `STOCK:005930`, `USDKRW` … .
    pub underlying: Option<String>,
    /// What an ETF holds: `EQ_KR`, `EQ_US_LEV`, `MONEY` … .
    pub asset_kind: Option<String>,
}

impl Instrument {
    /// Where it trades.
    #[must_use]
    pub fn venue(&self) -> Venue {
        Venue::of_market(self.market)
    }

    /// Name of its family of tick tables.
    #[must_use]
    pub fn tick_class(&self) -> TickClass {
        self.tick_table.class()
    }

    /// The lowest and highest price of a day that starts from `base`; `None` = no limit.
    #[must_use]
    pub fn daily_limits(&self, base: Price) -> Option<PriceBand> {
        daily_limits(self.market, self.leverage, base, &self.tick_table)
    }
}

/// A market index or a rate that ETFs follow and lists show.
#[derive(Clone, Debug, PartialEq)]
pub struct MarketIndex {
    /// `0001`, `1001`, `2001`, `SPX`, `COMP`.
    pub code: String,
    /// Name members read.
    pub korean_name: String,
    /// Level that the market begins with.
    pub base_value: Decimal,
    /// Standard deviation of a day's return.
    pub daily_volatility: Decimal,
}

/// Won for one unit (or a hundred) of a foreign currency.
#[derive(Clone, Debug, PartialEq)]
pub struct ForeignCurrency {
    /// `USD`, `JPY(100)`, `EUR`, `CNH`.
    pub unit: String,
    /// Name members read.
    pub korean_name: String,
    /// Won for one unit at the beginning.
    pub base_rate: Decimal,
    /// Standard deviation of a day's return.
    pub daily_volatility: Decimal,
}

/// All instruments, indices and currencies. Cheap to clone.
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
    /// A catalogue of these rows. Instruments keep their order.
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

    /// Every instrument, in the order of the seed (largest companies first within a market).
    #[must_use]
    pub fn instruments(&self) -> &[Arc<Instrument>] {
        &self.inner.instruments
    }

    /// The instrument with this code.
    #[must_use]
    pub fn get(&self, code: &str) -> Option<&Arc<Instrument>> {
        self.inner.by_code.get(code)
    }

    /// Market indices.
    #[must_use]
    pub fn indices(&self) -> &[MarketIndex] {
        &self.inner.indices
    }

    /// Foreign currencies.
    #[must_use]
    pub fn currencies(&self) -> &[ForeignCurrency] {
        &self.inner.currencies
    }
}
