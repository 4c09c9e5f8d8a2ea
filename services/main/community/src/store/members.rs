//! What auth says of members.

use chrono::{DateTime, Utc};
use kernel::MemberId;

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
