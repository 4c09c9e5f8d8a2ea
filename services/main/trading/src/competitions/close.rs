//! Ends accounts of competitions: their orders, their holdings and their claims to dividends. The cash
//! stays where it is, and nothing can be done with it.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{AccountId, Currency, MemberId, Price, Won};
use rust_decimal::{Decimal, RoundingStrategy};
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr};

use super::end_prices::FinalPrices;
use crate::accounts::profit;
use crate::contracts::day_of;
use crate::dividends::lapse::{SettledAt, lapse_shares};
use crate::entity::holding;
use crate::error::TradingError;
use crate::seasons::holdings::{Ended, end_holdings};
use crate::seasons::orders::cancel_orders;
use crate::store::lock::{self, Accounts};
use crate::store::write_set::WriteSet;
use crate::store::{Store, numbers, sql};

/// At which prices holdings end.
pub(crate) enum ClosingPrices<'a> {
    /// The latest of the process.
    Latest,
    AtEnd(&'a FinalPrices),
}

/// New shares for one old one, of holdings that were split since.
type Ratios = BTreeMap<(AccountId, String), Decimal>;

impl Store {
    /// Closes locked accounts; returns what the holdings of each were worth.
    pub(super) async fn close_competition_accounts(
        &self,
        transaction: &DatabaseTransaction,
        writes: &mut WriteSet,
        accounts: &Accounts,
        prices: &ClosingPrices<'_>,
        (reason, now): (&'static str, DateTime<Utc>),
    ) -> Result<BTreeMap<AccountId, Won>, TradingError> {
        let ids: BTreeSet<AccountId> = accounts.keys().copied().collect();
        let held = lock::held_by(transaction, &ids).await?;
        cancel_orders(self, transaction, writes, accounts, (reason, now)).await?;
        let ended: Vec<Ended> = match prices {
            ClosingPrices::Latest => {
                let values = self.values_of(transaction, &held).await?;
                let valued = held.into_iter().zip(values);
                valued
                    .map(|(row, value)| Ended::valued(row, value))
                    .collect()
            }
            ClosingPrices::AtEnd(known) => {
                let ratios = splits_after(transaction, &ids, known.last_day).await?;
                let rows = held.into_iter();
                rows.map(|row| end_at_final_price(row, known, &ratios))
                    .collect::<Result<_, DbErr>>()?
            }
        };
        let mut values = BTreeMap::<AccountId, Won>::new();
        for one in &ended {
            values.entry(one.row.account_id).or_default().0 += one.value.0;
        }
        let last = end_holdings(self, transaction, writes, &ended, None).await?;
        let market = self.market_time()?;
        let members: BTreeSet<MemberId> = accounts
            .values()
            .map(|locked| locked.account.member_id)
            .collect();
        let times = SettledAt { clock: now, market };
        lapse_shares(transaction, &members, &ids, &times).await?;
        close_rows(transaction, &ids, now).await?;
        record_last_numbers(transaction, &ids, last.fill, day_of(market)).await?;
        Ok(values)
    }
}

async fn close_rows(
    transaction: &DatabaseTransaction,
    accounts: &BTreeSet<AccountId>,
    now: DateTime<Utc>,
) -> Result<(), DbErr> {
    let close = sql(
        "update account set closed_at = $2 where id = any($1)",
        [numbers(accounts).into(), now.into()],
    );
    transaction.execute_raw(close).await?;
    Ok(())
}

/// Records up to which journal and fill the entries reach, and on which market day they ended.
async fn record_last_numbers(
    transaction: &DatabaseTransaction,
    accounts: &BTreeSet<AccountId>,
    last_fill: i64,
    ended_on: NaiveDate,
) -> Result<(), DbErr> {
    // Drawn under the locks of the accounts, so that all of their journals have lower numbers.
    let record = sql(
        "update competition_entry set last_journal = j.id, ended_on = $2, last_fill = $3 \
         from (select nextval('journal_id_seq') as id) j where account_id = any($1)",
        [numbers(accounts).into(), ended_on.into(), last_fill.into()],
    );
    transaction.execute_raw(record).await?;
    Ok(())
}

fn end_at_final_price(
    row: holding::Model,
    known: &FinalPrices,
    ratios: &Ratios,
) -> Result<Ended, DbErr> {
    let currency = row.label()?.currency;
    let rate = match currency {
        Currency::Krw => None,
        Currency::Usd => known.dollar_won,
    };
    let ratio = ratios.get(&(row.account_id, row.instrument_code.clone()));
    let priced = known.by_code.get(&row.instrument_code).and_then(|price| {
        let price = match ratio {
            None => *price,
            // Up, so that the new shares are together worth no less than the old ones.
            Some(ratio) => price
                .checked_div(*ratio)?
                .round_dp_with_strategy(8, RoundingStrategy::AwayFromZero),
        };
        let value = profit::value(Price(price), row.quantity, currency, rate)?;
        Some((price, rate, value))
    });
    Ok(Ended::new(row, priced))
}

async fn splits_after(
    transaction: &DatabaseTransaction,
    accounts: &BTreeSet<AccountId>,
    last_day: i32,
) -> Result<Ratios, DbErr> {
    let ids: Vec<i64> = accounts.iter().map(|id| id.0).collect();
    let read = sql(
        "select account_id, instrument_code, numerator, denominator from holding_split \
         where account_id = any($1) and trading_day > $2",
        [ids.into(), last_day.into()],
    );
    let mut ratios = Ratios::new();
    for row in transaction.query_all_raw(read).await? {
        let key = (
            row.try_get("", "account_id")?,
            row.try_get("", "instrument_code")?,
        );
        let numerator = Decimal::from(row.try_get::<i64>("", "numerator")?);
        let denominator = Decimal::from(row.try_get::<i64>("", "denominator")?);
        *ratios.entry(key).or_insert(Decimal::ONE) *= numerator / denominator;
    }
    Ok(ratios)
}
