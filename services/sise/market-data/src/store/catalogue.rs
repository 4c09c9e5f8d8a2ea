use chrono::NaiveDate;
use kernel::{Currency, MarketCode, Price, WarningCode};
use market_rules::{TickClass, TickTable};
use rust_decimal::Decimal;

use super::Store;
use crate::catalogue::{Catalogue, Dynamics, ForeignCurrency, Instrument, MarketIndex};
use crate::error::MarketError;

#[derive(sqlx::FromRow)]
struct InstrumentRow {
    code: String,
    korean_name: String,
    english_name: String,
    aliases: Vec<String>,
    market: String,
    exchange: String,
    currency: String,
    tick_class: String,
    leverage: i32,
    warning_code: String,
    halted: bool,
    administrative: bool,
    tradable: bool,
    isin: Option<String>,
    sector_code: Option<String>,
    sector_name: Option<String>,
    listed_on: Option<NaiveDate>,
    listed_shares: Option<i64>,
    market_cap: Option<i64>,
    unit: String,
    base_price: Decimal,
    daily_volatility: Decimal,
    beta: Decimal,
    average_daily_volume: Option<Decimal>,
    average_daily_value_won: Option<Decimal>,
    size_class: Option<String>,
    underlying: Option<String>,
    asset_kind: Option<String>,
}

impl Store {
    /// Loads all instruments, indices and currencies.
    ///
    /// # Errors
    /// [`MarketError::Database`], or [`MarketError::CorruptRow`] for an unknown code.
    pub async fn catalogue(&self) -> Result<Catalogue, MarketError> {
        let rows: Vec<InstrumentRow> =
            sqlx::query_as("select * from instrument order by position, code")
                .fetch_all(&self.pool)
                .await?;
        let instruments: Result<Vec<Instrument>, MarketError> =
            rows.into_iter().map(InstrumentRow::read).collect();
        let indices: Vec<(String, String, Decimal, Decimal)> = sqlx::query_as(
            "select code, korean_name, base_value, daily_volatility from market_index \
             order by position",
        )
        .fetch_all(&self.pool)
        .await?;
        let currencies: Vec<(String, String, Decimal, Decimal)> = sqlx::query_as(
            "select unit, korean_name, base_rate, daily_volatility from foreign_currency \
             order by position",
        )
        .fetch_all(&self.pool)
        .await?;
        let indices =
            indices
                .into_iter()
                .map(
                    |(code, korean_name, base_value, daily_volatility)| MarketIndex {
                        code,
                        korean_name,
                        base_value: base_value.normalize(),
                        daily_volatility: daily_volatility.normalize(),
                    },
                );
        let currencies =
            currencies
                .into_iter()
                .map(
                    |(unit, korean_name, base_rate, daily_volatility)| ForeignCurrency {
                        unit,
                        korean_name,
                        base_rate: base_rate.normalize(),
                        daily_volatility: daily_volatility.normalize(),
                    },
                );
        Ok(Catalogue::new(
            instruments?,
            indices.collect(),
            currencies.collect(),
        ))
    }
}

impl InstrumentRow {
    fn read(self) -> Result<Instrument, MarketError> {
        let tick_class = self.code_of("tick_class", TickClass::parse(&self.tick_class))?;
        Ok(Instrument {
            market: self.code_of("market", MarketCode::parse(&self.market))?,
            currency: self.code_of("currency", Currency::parse(&self.currency))?,
            warning: self.code_of("warning_code", WarningCode::parse(&self.warning_code))?,
            tick_table: TickTable::for_class(tick_class, &self.code),
            code: self.code,
            korean_name: self.korean_name,
            english_name: self.english_name,
            aliases: self.aliases,
            exchange: self.exchange,
            leverage: self.leverage,
            halted: self.halted,
            administrative: self.administrative,
            tradable: self.tradable,
            isin: self.isin,
            sector_code: self.sector_code,
            sector_name: self.sector_name,
            listed_on: self.listed_on,
            listed_shares: self.listed_shares,
            market_cap: self.market_cap,
            unit: self.unit,
            base_price: Price(self.base_price.normalize()),
            dynamics: Dynamics {
                daily_volatility: self.daily_volatility.normalize(),
                beta: self.beta.normalize(),
                average_daily_volume: self.average_daily_volume.map(|volume| volume.normalize()),
                average_daily_value_won: self.average_daily_value_won.map(|won| won.normalize()),
                size_class: self.size_class,
                underlying: self.underlying,
                asset_kind: self.asset_kind,
            },
        })
    }

    fn code_of<C>(&self, column: &str, code: Option<C>) -> Result<C, MarketError> {
        code.ok_or_else(|| MarketError::CorruptRow {
            table: "instrument",
            key: self.code.clone(),
            fault: format!("unknown {column}"),
        })
    }
}
