//! Dividends: heard of once, noted for who owned the shares, paid once.

mod list;
mod pay;

use kernel::Currency;
use proto::market::v1 as market;
use sea_orm::{ConnectionTrait, DbBackend, DbErr, FromQueryResult, Statement, Value};

pub use list::Listed;
pub use pay::DueDividend;

use super::Store;
use crate::error::TradingError;

/// Most holders that one transaction looks at to note what they owned.
const NOTED_AT_ONCE: i32 = 1_000;

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

/// What one slice of noting who owned the shares of a dividend came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, FromQueryResult)]
pub struct NotedSlice {
    /// Accounts that have a claim.
    pub shares: i64,
    /// Whether all are noted now.
    pub is_last: bool,
}

pub(crate) fn sql(text: &'static str, values: impl IntoIterator<Item = Value>) -> Statement {
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

    /// Notes who owned the shares of a dividend, a thousand holders at a time: to be called until
    /// it says that it was the last time. What is noted already stays as it is.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn note_dividend_slice(&self, id: i64) -> Result<NotedSlice, TradingError> {
        let note = sql(
            "select shares, is_last from note_dividend_slice($1, $2, $3)",
            [id.into(), self.clock.now().into(), NOTED_AT_ONCE.into()],
        );
        let slice = NotedSlice::find_by_statement(note).one(&self.db).await?;
        Ok(slice.ok_or_else(|| DbErr::RecordNotFound("note_dividend_slice".to_owned()))?)
    }
}

/// The currency that a column names.
fn currency(name: &str) -> Result<Currency, DbErr> {
    Currency::parse(name).ok_or_else(|| DbErr::Custom(format!("a dividend in {name}")))
}
