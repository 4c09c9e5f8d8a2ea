//! Stores dividends of market-data, and the claims of those who owned the shares on the ex-day.

use proto::market::v1 as market;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, TransactionTrait};

use crate::error::TradingError;
use crate::store::{Store, once, slice, sql};

/// A dividend whose claims are not recorded yet.
#[derive(Clone, Debug, PartialEq, Eq, FromQueryResult)]
pub struct PendingDividend {
    pub id: i64,
    pub instrument_code: String,
    /// First trading day without the claim, yyyymmdd.
    pub ex_day: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, FromQueryResult)]
pub struct ClaimSlice {
    /// Accounts with a claim.
    pub shares: i64,
    /// Whether all claims are recorded now.
    pub is_last: bool,
}

impl Store {
    /// Id of the newest stored dividend; 0 before the first.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn newest_dividend(&self) -> Result<i64, TradingError> {
        self.newest_id("select coalesce(max(id), 0) as newest from dividend")
            .await
    }

    /// Stores dividends of market-data; a stored one is not changed.
    ///
    /// # Errors
    /// [`TradingError`]: unreadable, or of the database.
    pub async fn receive_dividends(
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

    /// Dividends whose claims are not recorded yet, by ex-day.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn pending_dividends(&self) -> Result<Vec<PendingDividend>, TradingError> {
        let pending = sql(
            "select id, instrument_code, ex_day from dividend where noted_at is null \
             order by ex_day, id",
            [],
        );
        Ok(PendingDividend::find_by_statement(pending)
            .all(&self.db)
            .await?)
    }

    /// Whether every shard of the matcher has stored the batches up to `head` (epoch and offset).
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

    /// Records the claims of the next `most` holders; call it until `is_last`. Recorded claims are
    /// not changed.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn record_dividend_claims(
        &self,
        id: i64,
        most: i64,
    ) -> Result<ClaimSlice, TradingError> {
        let transaction = self.db.begin().await?;
        let recorded = self.record_claims_in(&transaction, id, most).await;
        once::end(transaction, recorded).await
    }

    async fn record_claims_in(
        &self,
        transaction: &DatabaseTransaction,
        id: i64,
        most: i64,
    ) -> Result<ClaimSlice, TradingError> {
        slice::take_time(transaction, most).await?;
        let note = sql(
            "select shares, is_last from note_dividend_slice($1, $2, $3::integer)",
            [id.into(), self.clock.now().into(), most.into()],
        );
        let slice = ClaimSlice::find_by_statement(note).one(transaction).await?;
        Ok(slice.ok_or_else(|| DbErr::RecordNotFound("note_dividend_slice".to_owned()))?)
    }
}
