//! What holdings are worth: at the latest prices of this process, or at the last close where no other price
//! will come.

use std::collections::BTreeMap;

use kernel::{AccountId, Currency, Price, Won};
use rust_decimal::Decimal;
use sea_orm::{ConnectionTrait, DbErr};

use crate::accounts::profit;
use crate::entity::holding;
use crate::store::{Store, sql};

/// By which price a holding is valued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueBasis {
    /// The latest, in units of the newest split, which was on this trading day; zero without one.
    Latest { split_day: i32 },
    /// The last close of an instrument that nobody can trade and that has no other price: no trade changes
    /// it. Its units are told in the same way; `None` where no close is known, and the value is the cost.
    Final { split_day: Option<i32> },
    /// None yet: the value is the cost.
    Awaited,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HoldingValue {
    pub(crate) won: Won,
    /// With won per dollar; `None` where the value is the cost.
    pub(crate) price: Option<(Price, Option<Decimal>)>,
    pub(crate) basis: ValueBasis,
}

/// The last closes of holdings that have no other price.
struct LastCloses {
    closes: BTreeMap<(AccountId, String), LastClose>,
    dollar_won: Option<Decimal>,
}

#[derive(Clone, Copy)]
struct LastClose {
    price: Option<Price>,
    split_day: i32,
}

/// The newest day has every price that was ever known, and dollars count as they last did at the end of a day.
/// A holding that was split since has its close tonight.
const LAST_CLOSES: &str = "
    select h.account_id, h.code, p.price, greatest(units.told, units.applied) as split_day,
        (select dollar_won from equity_run
            where dollar_won is not null order by day desc limit 1) as dollar_won
    from unnest($1::bigint[], $2::text[]) as h (account_id, code)
    cross join (select max(day) as day, to_char(max(day), 'YYYYMMDD')::integer as last
        from equity_run) newest
    left join equity_price p on p.day = newest.day and p.instrument_code = h.code
    cross join lateral (select
        coalesce((select max(s.trading_day) from share_split s
            where s.instrument_code = h.code and s.trading_day <= newest.last), 0) as told,
        coalesce((select max(s.trading_day) from holding_split s
            where s.account_id = h.account_id and s.instrument_code = h.code), 0) as applied) units
    where newest.last is null or units.applied <= newest.last";

impl Store {
    /// The values of holdings, in their order.
    pub(crate) async fn values_of(
        &self,
        connection: &impl ConnectionTrait,
        rows: &[holding::Model],
    ) -> Result<Vec<HoldingValue>, DbErr> {
        let mut values = Vec::with_capacity(rows.len());
        let mut without_price = Vec::new();
        for row in rows {
            let code = &row.instrument_code;
            // First, because a process knows instruments only after the prices of its snapshot.
            let is_out_of_trade = self.market_cache.is_out_of_trade(code);
            let value = self.latest_value(row)?;
            if is_out_of_trade && value.basis == ValueBasis::Awaited {
                without_price.push((row.account_id, code.clone()));
            }
            values.push(value);
        }
        if without_price.is_empty() {
            return Ok(values);
        }
        let closes = LastCloses::load(connection, without_price).await?;
        for (row, value) in rows.iter().zip(&mut values) {
            let holding = (row.account_id, row.instrument_code.clone());
            if let Some(close) = closes.closes.get(&holding) {
                *value = final_value(row, *close, closes.dollar_won)?;
            }
        }
        Ok(values)
    }

    fn latest_value(&self, row: &holding::Model) -> Result<HoldingValue, DbErr> {
        let currency = row.label()?.currency;
        let latest = self.market_cache.quote_and_split_day(&row.instrument_code);
        let known = latest.and_then(|(quote, split_day)| {
            let basis = ValueBasis::Latest { split_day };
            valued(row, currency, (quote.last, quote.fx_rate), basis)
        });
        Ok(known.unwrap_or_else(|| at_cost(row, ValueBasis::Awaited)))
    }
}

impl LastCloses {
    /// Of those that have one, or will have none.
    async fn load(
        connection: &impl ConnectionTrait,
        holdings: Vec<(AccountId, String)>,
    ) -> Result<Self, DbErr> {
        let accounts: Vec<i64> = holdings.iter().map(|(account, _)| account.0).collect();
        let codes: Vec<String> = holdings.into_iter().map(|(_, code)| code).collect();
        let read = sql(LAST_CLOSES, [accounts.into(), codes.into()]);
        let mut last = Self {
            closes: BTreeMap::new(),
            dollar_won: None,
        };
        for row in connection.query_all_raw(read).await? {
            let holding = (row.try_get("", "account_id")?, row.try_get("", "code")?);
            let price: Option<Decimal> = row.try_get("", "price")?;
            let close = LastClose {
                price: price.map(Price),
                split_day: row.try_get("", "split_day")?,
            };
            last.closes.insert(holding, close);
            last.dollar_won = row.try_get("", "dollar_won")?;
        }
        Ok(last)
    }
}

fn final_value(
    row: &holding::Model,
    close: LastClose,
    dollar_won: Option<Decimal>,
) -> Result<HoldingValue, DbErr> {
    let currency = row.label()?.currency;
    let basis = ValueBasis::Final {
        split_day: Some(close.split_day),
    };
    let known = close
        .price
        .and_then(|price| valued(row, currency, (price, dollar_won), basis));
    Ok(known.unwrap_or_else(|| at_cost(row, ValueBasis::Final { split_day: None })))
}

/// `None` without an exchange rate of dollars.
fn valued(
    row: &holding::Model,
    currency: Currency,
    (price, dollar_won): (Price, Option<Decimal>),
    basis: ValueBasis,
) -> Option<HoldingValue> {
    let won = profit::value(price, row.quantity, currency, dollar_won)?;
    let fx_rate = dollar_won.filter(|_| currency == Currency::Usd);
    Some(HoldingValue {
        won,
        price: Some((price, fx_rate)),
        basis,
    })
}

fn at_cost(row: &holding::Model, basis: ValueBasis) -> HoldingValue {
    HoldingValue {
        won: row.cost_won,
        price: None,
        basis,
    }
}
