//! Posts of which members want to hear nothing.

use kernel::MemberId;
use sqlx::AssertSqlSafe;

use super::Store;
use super::erasures::erased;
use super::visible::post_visible;
use crate::error::CommunityError;

impl Store {
    /// Sets whether the member hears of a post; a repeat changes nothing. A mute can be taken back
    /// from a post that is no longer seen.
    ///
    /// # Errors
    /// [`CommunityError::PostNotFound`].
    pub async fn set_mute(
        &self,
        member: MemberId,
        post: i64,
        on: bool,
    ) -> Result<(), CommunityError> {
        let statement = if on {
            format!(
                "with seen as (select p.id from post p where p.id = $2 and {} and not {}), \
                 muted as (insert into post_mute (post_id, member_id, muted_at) \
                 select id, $1, $3 from seen on conflict do nothing) \
                 select exists (select from seen)",
                post_visible(),
                erased("$1")
            )
        } else {
            "with heard as (delete from post_mute where member_id = $1 and post_id = $2) \
             select exists (select from post where id = $2) and $3::timestamptz is not null"
                .to_owned()
        };
        let found: bool = sqlx::query_scalar(AssertSqlSafe(statement))
            .bind(member.0)
            .bind(post)
            .bind(self.now())
            .fetch_one(&self.pool)
            .await?;
        if found {
            Ok(())
        } else {
            Err(CommunityError::PostNotFound)
        }
    }
}
