//! How often authors changed a text lately.

use chrono::{DateTime, Utc};
use sqlx::{AssertSqlSafe, PgConnection};

use super::Store;
use super::texts::TextRef;
use crate::domain::writing::record_edit;
use crate::error::CommunityError;

impl Store {
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
