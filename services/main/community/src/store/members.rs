//! What auth says of members.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use sqlx::PgConnection;

use super::Store;
use crate::error::CommunityError;

impl Store {
    /// Keeps when a member joined. Idempotent.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn keep_member(
        &self,
        member: MemberId,
        joined_at: DateTime<Utc>,
    ) -> Result<(), CommunityError> {
        sqlx::query(
            "insert into member (member_id, joined_at) values ($1, $2) on conflict do nothing",
        )
        .bind(member.0)
        .bind(joined_at)
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}

/// `None` for a member of old.
pub(super) async fn joined_at(
    connection: &mut PgConnection,
    member: MemberId,
) -> Result<Option<DateTime<Utc>>, CommunityError> {
    let joined_at = sqlx::query_scalar("select joined_at from member where member_id = $1")
        .bind(member.0)
        .fetch_optional(connection)
        .await?;
    Ok(joined_at)
}
