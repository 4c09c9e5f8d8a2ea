//! Cancels official events: nobody has a result, and no prize is awarded. The operator's command only
//! says so; the task then closes the accounts, slice by slice.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use kernel::AccountId;
use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, FromQueryResult, TransactionTrait,
};

use super::close::ClosingPrices;
use super::competition::{Competition, CompetitionKind};
use super::operator::OperatorError;
use super::worker::CompetitionWorker;
use crate::error::TradingError;
use crate::orders::order::end_reason;
use crate::store::write_set::WriteSet;
use crate::store::{Store, once, skip_locked, sql};

const REASON_LENGTH: std::ops::RangeInclusive<usize> = 2..=200;
/// Events that are closed in one step.
const COMPETITIONS_PER_STEP: i64 = 50;
/// Transactions of an event in one step.
const TRANSACTIONS_PER_STEP: usize = 50;

/// Cancels an official event whose last prices are not fixed yet.
///
/// # Errors
/// [`OperatorError`]: nothing was canceled.
pub async fn cancel(
    db: &DatabaseConnection,
    competition_id: i64,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<(), OperatorError> {
    let reason = reason.trim();
    if !REASON_LENGTH.contains(&reason.chars().count()) {
        return Err(OperatorError::Reason);
    }
    let transaction = db.begin().await?;
    match cancel_in(&transaction, competition_id, reason, now).await {
        Ok(()) => Ok(transaction.commit().await?),
        Err(error) => {
            transaction.rollback().await?;
            Err(error)
        }
    }
}

async fn cancel_in(
    transaction: &DatabaseTransaction,
    competition_id: i64,
    reason: &str,
    now: DateTime<Utc>,
) -> Result<(), OperatorError> {
    // Waits for whoever is joining, and for the end, which locks it too.
    let read = sql(
        "select * from competition where id = $1 for update",
        [competition_id.into()],
    );
    let found = Competition::find_by_statement(read)
        .one(transaction)
        .await?;
    let found = found.filter(|found| found.kind() == CompetitionKind::Official);
    let found = found.ok_or(OperatorError::NoEvent(competition_id))?;
    if found.is_canceled {
        return Err(OperatorError::Canceled(competition_id));
    }
    if found.closing_at.is_some() {
        return Err(OperatorError::Over(competition_id));
    }
    let cancel = sql(
        "update competition set is_canceled = true, canceled_at = $2, cancel_reason = $3 \
         where id = $1",
        [competition_id.into(), now.into(), reason.into()],
    );
    transaction.execute_raw(cancel).await?;
    Ok(())
}

impl CompetitionWorker {
    /// Closes the accounts of events that were canceled.
    pub(super) async fn close_canceled(&self) -> Result<(), TradingError> {
        let read = sql(
            "select id from competition where is_canceled and closed_at is null \
             order by id limit $1",
            [COMPETITIONS_PER_STEP.into()],
        );
        for row in self.store.db.query_all_raw(read).await? {
            let competition: i64 = row.try_get("", "id")?;
            match self.store.close_canceled(competition).await {
                Ok(true) => tracing::info!(competition, "A canceled competition is closed"),
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(competition, %error, "A canceled competition could not be closed yet; retrying");
                }
            }
        }
        Ok(())
    }
}

impl Store {
    /// Whether every account is closed now.
    async fn close_canceled(&self, competition_id: i64) -> Result<bool, TradingError> {
        let mut after = AccountId(0);
        for _slice in 0..TRANSACTIONS_PER_STEP {
            let open = self.accounts_to_close(competition_id, after).await?;
            let Some(last) = open.last().copied() else {
                return self.end_canceled(competition_id).await;
            };
            after = last;
            let transaction = self.db.begin().await?;
            let closed = self.close_without_results(&transaction, &open).await;
            once::end(transaction, closed).await?;
        }
        Ok(false)
    }

    /// Those that no other transaction has locked.
    async fn close_without_results(
        &self,
        transaction: &DatabaseTransaction,
        open: &[AccountId],
    ) -> Result<(), TradingError> {
        let ids: BTreeSet<AccountId> = open.iter().copied().collect();
        let mut accounts = skip_locked::accounts(transaction, &ids).await?;
        accounts.retain(|_, locked| locked.account.closed_at.is_none());
        let mut writes = WriteSet::default();
        self.close_competition_accounts(
            transaction,
            &mut writes,
            &accounts,
            &ClosingPrices::Latest,
            (end_reason::COMPETITION_CANCELED, self.clock.now()),
        )
        .await?;
        writes.write(transaction).await
    }

    async fn end_canceled(&self, competition_id: i64) -> Result<bool, TradingError> {
        let end = sql(
            "update competition set closed_at = $2 \
             where id = $1 and closed_at is null and not exists (select from competition_entry \
                where competition_id = $1 and left_at is null and last_journal is null)",
            [competition_id.into(), self.clock.now().into()],
        );
        Ok(self.db.execute_raw(end).await?.rows_affected() == 1)
    }
}
