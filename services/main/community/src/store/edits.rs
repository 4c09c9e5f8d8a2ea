//! How often authors changed a text lately.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{AssertSqlSafe, PgConnection};

use super::Store;
use super::texts::TextRef;
use crate::domain::writing::record_edit;
use crate::error::CommunityError;

/// The longest time in which changes are counted.
const KEPT: TimeDelta = TimeDelta::days(1);

impl Store {
    /// Forgets a batch of texts that nobody changed in the time that counts, and tells whether more may
    /// be left. Another process that does the same takes other rows.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn forget_edits(&self) -> Result<bool, CommunityError> {
        let deleted = sqlx::query(
            "delete from text_edit where ctid = any(array( \
             select ctid from text_edit where edit_times[1] < $1 \
             order by edit_times[1] limit 500 for update skip locked))",
        )
        .bind(self.now() - KEPT)
        .execute(&self.pool)
        .await?;
        Ok(deleted.rows_affected() == 500)
    }

    /// Notes that a text becomes another version, under the lock of its author.
    ///
    /// # Errors
    /// [`CommunityError::Refused`] where its author changes it too often.
    pub(super) async fn note_edit(
        &self,
        connection: &mut PgConnection,
        text: TextRef,
        now: DateTime<Utc>,
    ) -> Result<(), CommunityError> {
        let column = text.column();
        let before = format!("select edit_times from text_edit where {column} = $1");
        let before: Option<Vec<DateTime<Utc>>> = sqlx::query_scalar(AssertSqlSafe(before))
            .bind(text.id())
            .fetch_optional(&mut *connection)
            .await?;
        let edit_times = record_edit(before.unwrap_or_default(), &self.limits, now)?;
        let note = format!(
            "insert into text_edit (post_id, comment_id, edit_times) values ($1, $2, $3) \
             on conflict ({column}) do update set edit_times = excluded.edit_times"
        );
        sqlx::query(AssertSqlSafe(note))
            .bind(text.post())
            .bind(text.comment())
            .bind(edit_times)
            .execute(connection)
            .await?;
        Ok(())
    }
}

/// Forgets the changes of a text that is deleted, under its lock.
pub(super) async fn forget_edits_of(
    connection: &mut PgConnection,
    text: TextRef,
) -> Result<(), CommunityError> {
    let forget = format!("delete from text_edit where {} = $1", text.column());
    sqlx::query(AssertSqlSafe(forget))
        .bind(text.id())
        .execute(connection)
        .await?;
    Ok(())
}
