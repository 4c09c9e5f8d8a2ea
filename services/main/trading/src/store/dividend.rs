//! Dividends: heard of once, noted for who owned the shares, paid once.

mod list;

use std::collections::BTreeSet;

use chrono::NaiveDate;
use kernel::{AccountId, Currency, Quantity, clock::KST};
use proto::market::v1 as market;
use rust_decimal::Decimal;
use sea_orm::{
    ConnectionTrait, DatabaseTransaction, DbBackend, DbErr, FromQueryResult, Statement,
    TransactionTrait, Value,
};
use serde::Serialize;

pub use list::Listed;

use super::{Store, lock};
use crate::domain::dividend::{Payout, market_of, payout};
use crate::domain::market::middle_rate;
use crate::error::TradingError;

/// Most payments of one transaction: while it lasts their accounts are locked.
const PAID_AT_ONCE: i64 = 200;
/// Only one process pays at a time; "divd" in ASCII.
const PAYING: i64 = 0x6469_7664;

/// A dividend whose owners are not noted yet.
#[derive(Clone, Debug, PartialEq, Eq, FromQueryResult)]
pub struct Pending {
    /// Its number.
    pub id: i64,
    /// Of what.
    pub instrument_code: String,
    /// First trading day without it, yyyymmdd.
    pub ex_day: i32,
}

#[derive(FromQueryResult)]
struct Unpaid {
    share_id: i64,
    dividend_id: i64,
    account_id: AccountId,
    instrument_code: String,
    pay_day: i32,
    amount: Decimal,
    currency: String,
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

fn sql(text: &'static str, values: impl IntoIterator<Item = Value>) -> Statement {
    Statement::from_sql_and_values(DbBackend::Postgres, text, values)
}

impl Store {
    /// The number of the newest dividend that was heard of; 0 before the first.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn newest_dividend(&self) -> Result<i64, TradingError> {
        let newest = sql("select coalesce(max(id), 0) as newest from dividend", []);
        let row = self.db.query_one_raw(newest).await?;
        Ok(row.map_or(Ok(0), |row| row.try_get("", "newest"))?)
    }

    /// Writes down what market-data told; what is known stays as it is.
    ///
    /// # Errors
    /// [`TradingError`]: unreadable, or of the database.
    pub async fn hear_of_dividends(
        &self,
        dividends: &[market::Dividend],
    ) -> Result<(), TradingError> {
        for dividend in dividends {
            let amount = proto::convert::to_required_decimal(dividend.amount.as_ref(), "amount")?;
            let currency = dividend.currency().to_kernel()?;
            let insert = sql(
                "insert into dividend (id, instrument_code, ex_day, pay_day, amount, currency) \
                 values ($1, $2, $3, $4, $5, $6) on conflict do nothing",
                [
                    dividend.dividend_id.into(),
                    dividend.code.clone().into(),
                    dividend.ex_day.into(),
                    dividend.pay_day.into(),
                    amount.into(),
                    currency.as_str().into(),
                ],
            );
            self.db.execute_raw(insert).await?;
        }
        Ok(())
    }

    /// Dividends whose owners are not noted yet, by ex-day.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn pending_dividends(&self) -> Result<Vec<Pending>, TradingError> {
        let pending = sql(
            "select id, instrument_code, ex_day from dividend where noted_at is null \
             order by ex_day, id",
            [],
        );
        Ok(Pending::find_by_statement(pending).all(&self.db).await?)
    }

    /// Whether every shard of the matcher has stored what the batches until `head` (epoch and
    /// offset) did.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn matched_beyond(
        &self,
        consumer: &'static str,
        shards: i32,
        head: (i64, i64),
    ) -> Result<bool, TradingError> {
        let count = sql(
            "select count(*) as beyond from matcher_offset where consumer = $1 and shard < $2 \
             and (epoch > $3 or (epoch = $3 and next_offset > $4))",
            [consumer.into(), shards.into(), head.0.into(), head.1.into()],
        );
        let row = self.db.query_one_raw(count).await?;
        let beyond: i64 = row.map_or(Ok(0), |row| row.try_get("", "beyond"))?;
        Ok(beyond == i64::from(shards))
    }

    /// Notes who owned the shares of a dividend; answers how many accounts. Once is enough: what
    /// is noted already stays as it is.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn note_dividend_shares(&self, id: i64) -> Result<i64, TradingError> {
        let note = sql(
            "select note_dividend_shares($1, $2) as noted",
            [id.into(), self.clock.now().into()],
        );
        let row = self.db.query_one_raw(note).await?;
        Ok(row.map_or(Ok(0), |row| row.try_get("", "noted"))?)
    }

    /// Pays what is due by market time, at most a few hundred accounts; answers how many. Zero
    /// when nothing is due whose exchange rate is known, or another process pays.
    ///
    /// # Errors
    /// [`TradingError`]: nothing was paid.
    pub async fn pay_dividends(&self) -> Result<usize, TradingError> {
        let today = yyyymmdd(self.board.now().with_timezone(&KST).date_naive());
        let transaction = self.db.begin().await?;
        let mine = sql(
            "select pg_try_advisory_xact_lock($1) as mine",
            [PAYING.into()],
        );
        let row = transaction.query_one_raw(mine).await?;
        if !row.map_or(Ok(false), |row| row.try_get("", "mine"))? {
            return Ok(0);
        }
        let payments = self.next_payments(&transaction, today).await?;
        if payments.is_empty() {
            return Ok(0);
        }
        let accounts: BTreeSet<AccountId> = payments.iter().map(|one| one.account_id).collect();
        lock::accounts(&transaction, &accounts).await?;
        let document = serde_json::json!({ "paid_at": self.clock.now(), "payments": payments });
        let pay = sql("select pay_dividend_shares($1)", [document.into()]);
        transaction.execute_raw(pay).await?;
        transaction.commit().await?;
        Ok(payments.len())
    }

    /// The first payments that are due and whose exchange rate is known: what waits for a rate
    /// keeps nobody else waiting.
    async fn next_payments(
        &self,
        transaction: &DatabaseTransaction,
        today: i32,
    ) -> Result<Vec<Payment>, TradingError> {
        let mut after = (0, AccountId(0));
        loop {
            let due = sql(
                "select s.id as share_id, s.dividend_id, s.account_id, d.instrument_code, \
                 d.pay_day, d.amount, d.currency, s.quantity \
                 from dividend_share s join dividend d on d.id = s.dividend_id \
                 where s.paid_at is null and d.pay_day <= $1 \
                 and (s.dividend_id, s.account_id) > ($2, $3) \
                 order by s.dividend_id, s.account_id limit $4",
                [
                    today.into(),
                    after.0.into(),
                    after.1.into(),
                    PAID_AT_ONCE.into(),
                ],
            );
            let unpaid = Unpaid::find_by_statement(due).all(transaction).await?;
            let Some(last) = unpaid.last() else {
                return Ok(Vec::new());
            };
            after = (last.dividend_id, last.account_id);
            let payments = self.payments(transaction, &unpaid).await?;
            if !payments.is_empty() {
                return Ok(payments);
            }
        }
    }

    async fn payments(
        &self,
        transaction: &DatabaseTransaction,
        unpaid: &[Unpaid],
    ) -> Result<Vec<Payment>, TradingError> {
        let mut payouts: Vec<(&Unpaid, Payout, Option<Decimal>)> = Vec::new();
        for share in unpaid {
            let currency = currency(&share.currency)?;
            let quote = self.board.quote(&share.instrument_code);
            let fx_rate = quote
                .and_then(|quote| quote.fx_rate)
                .filter(|_| currency == Currency::Usd);
            let Some(middle) = middle_rate(currency, fx_rate) else {
                continue;
            };
            let rates = self.costs.on(market_of(currency), share.pay_day);
            let quantity = Quantity(share.quantity);
            let paid = payout(quantity, share.amount, currency, middle, &rates)
                .map_err(|error| DbErr::Custom(error.to_string()))?;
            payouts.push((share, paid, fx_rate));
        }
        // What rounds to nothing is paid without a journal.
        let booked = payouts
            .iter()
            .filter(|(_, paid, _)| paid.base.0 > 0)
            .count();
        let mut journals = journal_ids(transaction, booked).await?.into_iter();
        let payments = payouts.into_iter().map(|(share, paid, fx_rate)| Payment {
            share_id: share.share_id,
            account_id: share.account_id,
            journal_id: if paid.base.0 > 0 {
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
}

async fn journal_ids(transaction: &DatabaseTransaction, count: usize) -> Result<Vec<i64>, DbErr> {
    let draw = sql(
        "select nextval('journal_id_seq') as id from generate_series(1, $1)",
        [i64::try_from(count).unwrap_or(i64::MAX).into()],
    );
    let rows = transaction.query_all_raw(draw).await?;
    rows.iter().map(|row| row.try_get("", "id")).collect()
}

/// The currency that a column names.
fn currency(name: &str) -> Result<Currency, DbErr> {
    Currency::parse(name).ok_or_else(|| DbErr::Custom(format!("a dividend in {name}")))
}

fn yyyymmdd(day: NaiveDate) -> i32 {
    day.format("%Y%m%d").to_string().parse().unwrap_or(0)
}
