//! Paying dividends: a few hundred accounts at a time, each once.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use kernel::{AccountId, Currency, MoneyError, Quantity, clock::KST};
use rust_decimal::Decimal;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, TransactionTrait};
use serde::Serialize;

use super::{currency, sql};
use crate::domain::dividend::{Payout, market_of, payout};
use crate::domain::market::middle_rate;
use crate::error::TradingError;
use crate::orders::skip_locked;
use crate::store::Store;

/// Most payments of one transaction: while it lasts their accounts are locked.
const PAID_AT_ONCE: i64 = 200;
/// Only one process pays at a time; "divd" in ASCII.
const PAYING: i64 = 0x6469_7664;

/// A dividend that is due.
#[derive(Clone, Debug, PartialEq, Eq, FromQueryResult)]
pub struct DueDividend {
    /// Its number.
    pub id: i64,
    /// Of what.
    pub instrument_code: String,
    pay_day: i32,
    amount: Decimal,
    currency: String,
}

#[derive(FromQueryResult)]
struct Unpaid {
    share_id: i64,
    account_id: AccountId,
    quantity: Decimal,
}

#[derive(Serialize)]
struct Payment {
    share_id: i64,
    account_id: AccountId,
    journal_id: Option<i64>,
    gross_won: i64,
    tax_won: i64,
    base_won: i64,
    fx_rate: Option<Decimal>,
}

impl Store {
    /// Dividends that are due by market time and not paid to everybody.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn due_dividends(&self) -> Result<Vec<DueDividend>, TradingError> {
        let today = yyyymmdd(self.market_cache.now().with_timezone(&KST).date_naive());
        // From one dividend to the next by the index of what is not paid, however many accounts
        // each of them has.
        let due = sql(
            "with recursive unpaid as ( \
                (select dividend_id as id from dividend_share where paid_at is null \
                 order by dividend_id limit 1) \
             union all \
                select (select s.dividend_id from dividend_share s \
                    where s.paid_at is null and s.dividend_id > u.id \
                    order by s.dividend_id limit 1) \
                from unpaid u where u.id is not null) \
             select d.id, d.instrument_code, d.pay_day, d.amount, d.currency \
             from unpaid join dividend d using (id) where d.pay_day <= $1 order by d.id",
            [today.into()],
        );
        Ok(DueDividend::find_by_statement(due).all(&self.db).await?)
    }

    /// Pays a dividend to the next few hundred accounts that nobody else has locked; answers how
    /// many. Zero when there are none, no exchange rate is known, or another process pays.
    ///
    /// # Errors
    /// [`TradingError`]: nothing was paid. What cannot be computed fails only when everybody else
    /// is paid.
    pub async fn pay_dividend(&self, due: &DueDividend) -> Result<usize, TradingError> {
        let currency = currency(&due.currency)?;
        let quote = self.market_cache.quote(&due.instrument_code);
        let fx_rate = quote
            .and_then(|quote| quote.fx_rate)
            .filter(|_| currency == Currency::Usd);
        let Some(middle) = middle_rate(currency, fx_rate) else {
            return Ok(0);
        };
        let rates = self.costs.on(market_of(currency), due.pay_day);
        let earned = |quantity| payout(Quantity(quantity), due.amount, currency, middle, &rates);
        let transaction = self.db.begin().await?;
        let mine = sql(
            "select pg_try_advisory_xact_lock($1) as mine",
            [PAYING.into()],
        );
        let row = transaction.query_one_raw(mine).await?;
        if !row.map_or(Ok(false), |row| row.try_get("", "mine"))? {
            return Ok(0);
        }
        let payments = next_payments(&transaction, due.id, fx_rate, earned).await?;
        if payments.is_empty() {
            return Ok(0);
        }
        let document = serde_json::json!({ "paid_at": self.clock.now(), "payments": payments });
        let pay = sql("select pay_dividend_shares($1)", [document.into()]);
        transaction.execute_raw(pay).await?;
        transaction.commit().await?;
        Ok(payments.len())
    }
}

/// The first payments of a dividend that can be computed and whose accounts are free, which are
/// locked then.
async fn next_payments(
    transaction: &DatabaseTransaction,
    dividend: i64,
    fx_rate: Option<Decimal>,
    earned: impl Fn(Decimal) -> Result<Payout, MoneyError>,
) -> Result<Vec<Payment>, DbErr> {
    let mut after = AccountId(i64::MIN);
    let mut impossible = None;
    loop {
        let unpaid = sql(
            "select id as share_id, account_id, quantity from dividend_share \
             where paid_at is null and dividend_id = $1 and account_id > $2 \
             order by account_id limit $3",
            [dividend.into(), after.into(), PAID_AT_ONCE.into()],
        );
        let unpaid = Unpaid::find_by_statement(unpaid).all(transaction).await?;
        let Some(last) = unpaid.last() else {
            return match impossible {
                Some(error) => Err(error),
                None => Ok(Vec::new()),
            };
        };
        after = last.account_id;
        let accounts: BTreeSet<AccountId> = unpaid.iter().map(|one| one.account_id).collect();
        let free = skip_locked::accounts(transaction, &accounts).await?;
        let mut payouts = Vec::new();
        for share in unpaid {
            match earned(share.quantity) {
                Ok(paid) if free.contains_key(&share.account_id) => payouts.push((share, paid)),
                Ok(_later) => {}
                Err(error) => {
                    let share = share.share_id;
                    let error = format!("dividend share {share}: {error}");
                    impossible = Some(DbErr::Custom(error));
                }
            }
        }
        if !payouts.is_empty() {
            return numbered(transaction, payouts, fx_rate).await;
        }
    }
}

/// Gives a journal to each payment; what rounds to nothing is paid without one.
async fn numbered(
    transaction: &DatabaseTransaction,
    payouts: Vec<(Unpaid, Payout)>,
    fx_rate: Option<Decimal>,
) -> Result<Vec<Payment>, DbErr> {
    let is_booked = |paid: &Payout| paid.base.0 > 0;
    let booked = payouts.iter().filter(|(_, paid)| is_booked(paid)).count();
    let mut journals = journal_ids(transaction, booked).await?.into_iter();
    let payments = payouts.into_iter().map(|(share, paid)| Payment {
        share_id: share.share_id,
        account_id: share.account_id,
        journal_id: if is_booked(&paid) {
            journals.next()
        } else {
            None
        },
        gross_won: paid.gross.0,
        tax_won: paid.tax.0,
        base_won: paid.base.0,
        fx_rate,
    });
    Ok(payments.collect())
}

async fn journal_ids(transaction: &DatabaseTransaction, count: usize) -> Result<Vec<i64>, DbErr> {
    let draw = sql(
        "select nextval('journal_id_seq') as id from generate_series(1, $1)",
        [i64::try_from(count).unwrap_or(i64::MAX).into()],
    );
    let rows = transaction.query_all_raw(draw).await?;
    rows.iter().map(|row| row.try_get("", "id")).collect()
}

fn yyyymmdd(day: NaiveDate) -> i32 {
    day.format("%Y%m%d").to_string().parse().unwrap_or(0)
}
