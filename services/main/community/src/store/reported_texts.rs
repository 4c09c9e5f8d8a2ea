//! Versions of texts as they were reported, whatever their authors make of them afterwards.

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{AssertSqlSafe, FromRow, PgConnection};

use super::Store;
use super::texts::TextRef;
use crate::error::CommunityError;

/// As long as the text of what was deleted.
const KEPT: TimeDelta = TimeDelta::days(30);

#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct ReportedText {
    pub version: i32,
    pub content: String,
    /// When this version was reported for the first time.
    pub reported_at: DateTime<Utc>,
}

impl Store {
    /// The versions of a text that were reported, oldest first, fifty at most.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn reported_texts(&self, text: TextRef) -> Result<Vec<ReportedText>, CommunityError> {
        let statement = format!(
            "select version, content, reported_at from reported_text where {} = $1 \
             order by version limit 50",
            text.column()
        );
        let rows = sqlx::query_as(AssertSqlSafe(statement)).bind(text.id());
        Ok(rows.fetch_all(&self.pool).await?)
    }

    /// Deletes a batch of those that were kept long enough, and tells whether more may be left.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn forget_reported_texts(&self) -> Result<bool, CommunityError> {
        let forgotten = sqlx::query(
            "delete from reported_text where id = any(array( \
             select id from reported_text where reported_at < $1 \
             order by reported_at limit 500 for update skip locked))",
        )
        .bind(self.now() - KEPT)
        .execute(&self.pool)
        .await?;
        Ok(forgotten.rows_affected() > 0)
    }
}

/// Keeps a text as it is, under its lock.
pub(super) async fn keep(
    connection: &mut PgConnection,
    text: TextRef,
    now: DateTime<Utc>,
) -> Result<(), CommunityError> {
    let statement = match text {
        TextRef::Post(_) => {
            "insert into reported_text (post_id, version, content, reported_at) \
             select id, version, content, $2 from post where id = $1 on conflict do nothing"
        }
        TextRef::Comment(_) => {
            "insert into reported_text (comment_id, version, content, reported_at) \
             select id, version, content, $2 from comment where id = $1 on conflict do nothing"
        }
    };
    sqlx::query(statement)
        .bind(text.id())
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}
