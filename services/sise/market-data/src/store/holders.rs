//! Who holds what, as far as fills tell.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, MemberId};
use rust_decimal::Decimal;
use uuid::Uuid;

use super::Store;
use crate::error::MarketError;

/// Name of the consumer in the inbox.
const CONSUMER: &str = "market.holders";

impl Store {
    /// Adds what a fill of `filled_at` (market time) changed in a member's holding, counted in
    /// today's shares; an event that was counted already changes nothing.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn note_fill(
        &self,
        event_id: Uuid,
        member: MemberId,
        code: &str,
        change: Decimal,
        filled_at: DateTime<Utc>,
        clock: &dyn Clock,
    ) -> Result<(), MarketError> {
        let mut transaction = self.pool.begin().await?;
        let noted = sqlx::query(
            "insert into inbox (consumer, event_id, received_at) values ($1, $2, $3) \
             on conflict do nothing",
        )
        .bind(CONSUMER)
        .bind(event_id)
        .bind(clock.now())
        .execute(&mut *transaction)
        .await?;
        if noted.rows_affected() == 0 {
            return Ok(());
        }
        let splits: Vec<(i64, i64)> = sqlx::query_as(
            "select new_shares, old_shares from instrument_split where code = $1 and at > $2",
        )
        .bind(code)
        .bind(filled_at)
        .fetch_all(&mut *transaction)
        .await?;
        let change = splits.into_iter().fold(change, |change, (new, old)| {
            let divided = change * Decimal::from(new) / Decimal::from(old);
            divided.trunc()
        });
        sqlx::query(
            "insert into item_holder (member_id, code, quantity) values ($1, $2, $3) \
             on conflict (member_id, code) do update \
             set quantity = item_holder.quantity + excluded.quantity",
        )
        .bind(member.0)
        .bind(code)
        .bind(change)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Forgets events that no broker delivers again.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn forget_events(
        &self,
        older_than: TimeDelta,
        clock: &dyn Clock,
    ) -> Result<u64, MarketError> {
        let gone = sqlx::query("delete from inbox where received_at < $1")
            .bind(clock.now() - older_than)
            .execute(&self.pool)
            .await?;
        Ok(gone.rows_affected())
    }
}
