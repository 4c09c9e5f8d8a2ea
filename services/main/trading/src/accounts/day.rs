//! Won that trades and dividends of the current trading day gained or cost a member. Interest is added
//! by `contracts/day.rs`.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kernel::{AccountId, Currency, MemberId, Price, Quantity, Won};
use rust_decimal::Decimal;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult};

use crate::accounts::profit;
use crate::domain::day::date_of;
use crate::store::Store;
use crate::store::sql;

/// Newest fills that are read. A member with more of them in one day gets no figure for that day.
const MAX_FILLS: i64 = 2_000;

/// Sums over the newest fills of a member, per account, instrument and trading day.
const TRADED: &str = "with newest as (select id, account_id, instrument_code, trading_day, side, \
        quantity, amount_won, fee_won, tax_won from fill where member_id = $1 \
        order by member_seq desc limit $2), \
     before as (select account_id as basic, max(last_fill) as last_fill \
        from past_season where member_id = $1 group by account_id) \
     select account_id, instrument_code, trading_day, \
        sum(case side when 'BUY' then quantity else -quantity end) as quantity, \
        sum(case side when 'BUY' then -amount_won else amount_won end \
            - fee_won - tax_won)::bigint as cash_won, \
        (select count(*) < $2 or min(trading_day) < $3 from newest) as is_whole \
     from newest left join before on basic = account_id \
     where trading_day >= $3 and id > coalesce(last_fill, 0) \
     group by account_id, instrument_code, trading_day";

#[derive(Clone, Debug)]
pub struct DayChange {
    pub won: Won,
    /// The part of `won` that was converted from dollars, by instrument.
    pub dollars: Vec<DollarChange>,
}

#[derive(Clone, Debug)]
pub struct DollarChange {
    pub instrument_code: String,
    pub dollars: Decimal,
    /// `dollars` at the present exchange rate.
    pub won: i64,
}

/// Sums over the fills of an instrument on one trading day.
#[derive(FromQueryResult)]
struct TradedSums {
    account_id: AccountId,
    instrument_code: String,
    trading_day: i32,
    /// Bought less sold.
    quantity: Decimal,
    /// Received less paid, after fees and taxes.
    cash_won: i64,
    /// Whether every fill of the day was read.
    is_whole: bool,
}

#[derive(FromQueryResult)]
struct PaidDividend {
    account_id: AccountId,
    instrument_code: String,
    paid_at: DateTime<Utc>,
    /// After tax.
    won: i64,
}

impl Store {
    /// The change of the day in these accounts that holdings alone do not explain: quantities bought
    /// and sold count at the previous close, cash as it moved. `owned` is the present quantity of
    /// each holding. Added to the gain of the holdings since that close, it is the exact difference
    /// between cash and holdings now and at that close. Dollars are converted at the present rate
    /// and also returned by themselves, because a client that values the holdings later does so at
    /// another rate. `None` when a price is missing or there are more than [`MAX_FILLS`] fills.
    pub(crate) async fn day_change(
        &self,
        connection: &impl ConnectionTrait,
        member_id: MemberId,
        accounts: &[AccountId],
        owned: &BTreeMap<(AccountId, String), Quantity>,
    ) -> Result<Option<DayChange>, DbErr> {
        let traded = sql(
            TRADED,
            [
                member_id.0.into(),
                MAX_FILLS.into(),
                self.market_cache.oldest_day().into(),
            ],
        );
        let traded = TradedSums::find_by_statement(traded)
            .all(connection)
            .await?;
        let mut sum = self
            .dividends_of_day(connection, member_id, accounts)
            .await?;
        let mut dollars: BTreeMap<String, QuantityValue> = BTreeMap::new();
        for one in traded {
            if !accounts.contains(&one.account_id) {
                continue;
            }
            if !one.is_whole {
                return Ok(None);
            }
            let code = &one.instrument_code;
            let view = self.market_cache.view(code);
            let Some((currency, quote)) =
                view.and_then(|view| Some((view.listing.currency, view.quote?)))
            else {
                return Ok(None);
            };
            if quote.trading_day != one.trading_day {
                continue;
            }
            let key = (one.account_id, code.clone());
            let now = owned.get(&key).copied().unwrap_or(Quantity::ZERO);
            let close = (quote.prev_close, currency, quote.fx_rate);
            let Some(moved) = value_at_close(now, one.quantity, close) else {
                return Ok(None);
            };
            sum += moved.won + one.cash_won;
            if currency == Currency::Usd {
                let all = dollars.entry(one.instrument_code).or_default();
                all.amount += moved.amount;
                all.won += moved.won;
            }
        }
        let dollars = dollars
            .into_iter()
            .map(|(instrument_code, moved)| DollarChange {
                instrument_code,
                dollars: moved.amount,
                won: moved.won,
            });
        Ok(Some(DayChange {
            won: Won(sum),
            dollars: dollars.collect(),
        }))
    }

    /// Dividends after tax that were paid since the trading day of each instrument's price began.
    async fn dividends_of_day(
        &self,
        connection: &impl ConnectionTrait,
        member_id: MemberId,
        accounts: &[AccountId],
    ) -> Result<i64, DbErr> {
        let paid = sql(
            "select s.account_id, d.instrument_code, s.paid_at, \
                sum(s.gross_won - s.tax_won)::bigint as won \
             from dividend_share s join dividend d on d.id = s.dividend_id \
             join account a on a.id = s.account_id \
             where s.member_id = $1 and (a.code = '99' or s.season > \
                (select count(*) from past_season p where p.member_id = $1)) \
                and to_char(s.paid_at at time zone 'Asia/Seoul', 'YYYYMMDD')::integer >= $2 \
             group by s.account_id, d.instrument_code, s.paid_at",
            [member_id.0.into(), self.market_cache.oldest_day().into()],
        );
        let paid = PaidDividend::find_by_statement(paid)
            .all(connection)
            .await?;
        let mine = paid
            .iter()
            .filter(|one| accounts.contains(&one.account_id) && self.is_of_day(one));
        Ok(mine.map(|one| one.won).sum())
    }

    /// Whether a dividend was paid on or after the trading day of the instrument's price.
    fn is_of_day(&self, paid: &PaidDividend) -> bool {
        let Some(view) = self.market_cache.view(&paid.instrument_code) else {
            return true;
        };
        let date = self.market_cache.date_at(view.listing.market, paid.paid_at);
        view.quote
            .is_none_or(|quote| date >= date_of(quote.trading_day))
    }
}

/// Value of the quantity that was bought or sold.
#[derive(Debug, Default, PartialEq, Eq)]
struct QuantityValue {
    /// In the currency of its price.
    amount: Decimal,
    won: i64,
}

/// Value at the previous close of the present quantity less that of the quantity before.
fn value_at_close(
    now: Quantity,
    bought: Decimal,
    (close, currency, fx_rate): (Price, Currency, Option<Decimal>),
) -> Option<QuantityValue> {
    let at_close =
        |quantity| profit::value(close, quantity, currency, fx_rate).map(|value| value.0);
    let before = Quantity((now.0 - bought).max(Decimal::ZERO));
    Some(QuantityValue {
        amount: close.0.checked_mul(now.0 - before.0)?,
        won: at_close(now)? - at_close(before)?,
    })
}

#[cfg(test)]
mod tests {
    use rust_decimal_macros::dec;

    use super::*;

    #[test]
    fn a_traded_quantity_counts_at_the_previous_close() {
        let close = Price(dec!(100.5));
        let moved = |now, bought, currency, rate| {
            let moved = value_at_close(Quantity(now), bought, (close, currency, rate))?;
            Some((moved.amount, moved.won))
        };
        // Three now, one before: 301 − 100, each rounded down as it is shown.
        let krw = |now, bought| moved(now, bought, Currency::Krw, None);
        assert_eq!(krw(dec!(3), dec!(2)), Some((dec!(201), 201)));
        assert_eq!(krw(dec!(0), dec!(-3)), Some((dec!(-301.5), -301)));
        let usd = |rate| moved(dec!(1), dec!(1), Currency::Usd, rate);
        assert_eq!(usd(Some(dec!(1470))), Some((dec!(100.5), 147_735)));
        assert_eq!(usd(None), None);
    }
}
