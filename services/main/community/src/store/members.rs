//! What auth says of members.

use chrono::{DateTime, Utc};
use kernel::MemberId;

use super::Store;
use crate::error::CommunityError;

/// When member `$1` joined, as an expression; none for a member of old. Whoever has no row has joined
/// before the first of whom auth told, or at `now`: auth gives numbers in their order, and may not have
/// told yet.
pub(super) fn joined_at(now: &str) -> String {
    let operator = MemberId::OPERATOR;
    format!(
        "coalesce((select joined_at from member where member_id = $1), \
         case when $1 = {operator} or $1 < (select min(member_id) from member) then null \
         else {now}::timestamptz end)"
    )
}

impl Store {
    /// Keeps when a member joined, unless they have left for good meanwhile. Idempotent.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn keep_member(
        &self,
        member: MemberId,
        joined_at: DateTime<Utc>,
    ) -> Result<(), CommunityError> {
        let mut transaction = self.begin_writing(member).await?;
        sqlx::query(
            "insert into member (member_id, joined_at) select $1::bigint, $2::timestamptz \
             where not exists (select from erasure where member_id = $1) on conflict do nothing",
        )
        .bind(member.0)
        .bind(joined_at)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }
}
