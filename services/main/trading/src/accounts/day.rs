//! What the current trading day has brought a member through trades and dividends.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kernel::{AccountId, Currency, MemberId, Price, Quantity, Won};
use proto::convert::decimal;
use proto::trading::v1 as wire;
use rust_decimal::Decimal;
use sea_orm::{DbErr, FromQueryResult};

use crate::accounts::profit;
use crate::domain::cost::date_of;
use crate::store::Store;
use crate::store::dividend::sql;

/// Newest fills that are looked at. Who has more of them in one day is told nothing of that day.
const FILLS_LOOKED_AT: i64 = 2_000;

/// What the trades and dividends of the current trading day have brought or cost by themselves.
pub(crate) struct DayTraded {
    pub(crate) won: Won,
    /// What of it is an amount of dollars, by instrument.
    pub(crate) dollars: Vec<wire::DayTradedDollars>,
}

/// What the fills of an instrument on one trading day came to.
#[derive(FromQueryResult)]
struct Traded {
    account_id: AccountId,
    instrument_code: String,
    trading_day: i32,
    /// Bought less sold.
    quantity: Decimal,
    /// Received less paid, after fees and taxes.
    cash_won: i64,
    /// Whether the day's first fill is among those that were looked at.
    is_whole: bool,
}

/// A dividend that was paid.
#[derive(FromQueryResult)]
struct Paid {
    account_id: AccountId,
    instrument_code: String,
    paid_at: DateTime<Utc>,
    /// After tax.
    won: i64,
}

impl Store {
    /// Won that the trades and dividends of the current trading day have brought or cost by
    /// themselves, in these accounts: quantities count at the close of the day before, cash as it
    /// moved. `owned` is what each account owns now. With what the holdings gained since that
    /// close it makes the change of the day, exact to the won: cash and holdings now, less cash
    /// and holdings at that close. Dollars count at the present rate, and are told apart because
    /// whoever values the holdings later does so at another one. `None` when a price is missing or
    /// there are more fills than are looked at.
    pub(crate) async fn day_traded(
        &self,
        member_id: MemberId,
        accounts: &[AccountId],
        owned: &BTreeMap<(AccountId, String), Quantity>,
    ) -> Result<Option<DayTraded>, DbErr> {
        let traded = sql(
            "with newest as (select account_id, instrument_code, trading_day, side, quantity, \
                amount_won, fee_won, tax_won from fill where member_id = $1 \
                order by member_seq desc limit $2) \
             select account_id, instrument_code, trading_day, \
                sum(case side when 'BUY' then quantity else -quantity end) as quantity, \
                sum(case side when 'BUY' then -amount_won else amount_won end \
                    - fee_won - tax_won)::bigint as cash_won, \
                (select count(*) < $2 or min(trading_day) < $3 from newest) as is_whole \
             from newest where trading_day >= $3 \
             group by account_id, instrument_code, trading_day",
            [
                member_id.0.into(),
                FILLS_LOOKED_AT.into(),
                self.market_cache.oldest_day().into(),
            ],
        );
        let traded = Traded::find_by_statement(traded).all(&self.db).await?;
        let mut sum = self.dividends_of_day(member_id, accounts).await?;
        let mut dollars: BTreeMap<String, Moved> = BTreeMap::new();
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
            let Some(moved) = moved_at_close(now, one.quantity, close) else {
                return Ok(None);
            };
            sum += moved.won + one.cash_won;
            if currency == Currency::Usd {
                let all = dollars.entry(one.instrument_code).or_default();
                all.amount += moved.amount;
                all.won += moved.won;
            }
        }
        let dollars = dollars.into_iter().map(|(instrument_code, moved)| {
            let (dollars, won) = (Some(decimal(moved.amount)), moved.won);
            wire::DayTradedDollars {
                instrument_code,
                dollars,
                won,
            }
        });
        Ok(Some(DayTraded {
            won: Won(sum),
            dollars: dollars.collect(),
        }))
    }

    /// What was paid since the day began that each instrument's price belongs to.
    async fn dividends_of_day(
        &self,
        member_id: MemberId,
        accounts: &[AccountId],
    ) -> Result<i64, DbErr> {
        let paid = sql(
            "select s.account_id, d.instrument_code, s.paid_at, \
                sum(s.gross_won - s.tax_won)::bigint as won \
             from dividend_share s join dividend d on d.id = s.dividend_id \
             where s.member_id = $1 \
                and to_char(s.paid_at at time zone 'Asia/Seoul', 'YYYYMMDD')::integer >= $2 \
             group by s.account_id, d.instrument_code, s.paid_at",
            [member_id.0.into(), self.market_cache.oldest_day().into()],
        );
        let paid = Paid::find_by_statement(paid).all(&self.db).await?;
        let mine = paid
            .iter()
            .filter(|one| accounts.contains(&one.account_id) && self.is_of_day(one));
        Ok(mine.map(|one| one.won).sum())
    }

    /// Whether a dividend was paid on the day that the price of its instrument belongs to, or
    /// later.
    fn is_of_day(&self, paid: &Paid) -> bool {
        let Some(view) = self.market_cache.view(&paid.instrument_code) else {
            return true;
        };
        let date = self.market_cache.date_at(view.listing.market, paid.paid_at);
        view.quote
            .is_none_or(|quote| date >= date_of(quote.trading_day))
    }
}

/// What a quantity that came or went is worth.
#[derive(Debug, Default, PartialEq, Eq)]
struct Moved {
    /// In the currency of its price.
    amount: Decimal,
    won: i64,
}

/// What the quantities that came and went are worth at the close of the day before: the quantity
/// of now less that of before.
fn moved_at_close(
    now: Quantity,
    bought: Decimal,
    (close, currency, fx_rate): (Price, Currency, Option<Decimal>),
) -> Option<Moved> {
    let at_close =
        |quantity| profit::value(close, quantity, currency, fx_rate).map(|value| value.0);
    let before = Quantity((now.0 - bought).max(Decimal::ZERO));
    Some(Moved {
        amount: close.0.checked_mul(now.0 - before.0)?,
        won: at_close(now)? - at_close(before)?,
    })
}

#[cfg(test)]
mod tests {
    use rust_decimal_macros::dec;

    use super::*;

    #[test]
    fn a_quantity_moves_at_the_close_of_the_day_before() {
        let close = Price(dec!(100.5));
        let moved = |now, bought, currency, rate| {
            let moved = moved_at_close(Quantity(now), bought, (close, currency, rate))?;
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
