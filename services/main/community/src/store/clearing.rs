//! Texts of what was deleted, which are kept for thirty days.

use chrono::TimeDelta;

use super::Store;
use crate::error::CommunityError;

impl Store {
    /// Clears a batch of texts of comments and posts that were deleted thirty days ago, with all
    /// comments of such posts, and tells whether more may be left. Another process that does the
    /// same takes other rows.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn clear_texts(&self) -> Result<bool, CommunityError> {
        let before = self.now() - KEPT;
        let mut cleared = 0;
        // A post comes last, when nothing is left of its comments.
        for statement in [
            "update comment set content = '' where id in (select id from comment \
             where deleted_at < $1 and content <> '' limit 500 for no key update skip locked)",
            "update comment set content = '' where id in (select c.id from post p \
             join comment c on c.post_id = p.id \
             where p.deleted_at < $1 and p.content <> '' and c.content <> '' \
             limit 500 for no key update of c skip locked)",
            "update post set content = '' where id in (select id from post p \
             where deleted_at < $1 and content <> '' and not exists ( \
             select from comment c where c.post_id = p.id and c.content <> '') \
             limit 500 for no key update skip locked)",
        ] {
            let changed = sqlx::query(statement).bind(before).execute(&self.pool);
            cleared += changed.await?.rows_affected();
        }
        Ok(cleared > 0)
    }
}

const KEPT: TimeDelta = TimeDelta::days(30);
