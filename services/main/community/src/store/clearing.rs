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
        for statement in [COMMENTS, COMMENTS_OF_POSTS, POSTS] {
            let changed = sqlx::query(statement).bind(before).execute(&self.pool);
            cleared += changed.await?.rows_affected();
        }
        Ok(cleared > 0)
    }
}

const COMMENTS: &str = "update comment set content = '' where id = any(array( \
    select id from comment where deleted_at < $1 and content <> '' \
    order by deleted_at limit 500 for no key update skip locked))";
/// Clears the comments of the oldest posts that are to be cleared.
const COMMENTS_OF_POSTS: &str = "update comment set content = '' where id = any(array( \
    select c.id from (select id from post where deleted_at < $1 and content <> '' \
    order by deleted_at limit 50) p cross join lateral (select id from comment \
    where post_id = p.id and content <> '' limit 500 for no key update skip locked) c \
    limit 500))";
/// Clears those of them whose comments are cleared.
const POSTS: &str = "update post set content = '' where id = any(array( \
    select p.id from (select id from post where deleted_at < $1 and content <> '' \
    order by deleted_at limit 50 for no key update skip locked) p where not exists ( \
    select from comment c where c.post_id = p.id and c.content <> '')))";
const KEPT: TimeDelta = TimeDelta::days(30);
