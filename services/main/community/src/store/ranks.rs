//! Ranks that sink with time.

use chrono::TimeDelta;

use super::Store;
use crate::error::CommunityError;

impl Store {
    /// Computes a batch of ranks that are older than five minutes, and tells whether more may be
    /// left. Another process that does the same takes other posts.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn rank_posts(&self) -> Result<bool, CommunityError> {
        let now = self.now();
        let ranked = sqlx::query(
            "update post set ranked_at = $1, \
             rank = hot_rank(like_count, comment_count, created_at, $1) \
             where id in (select id from post where rank > 0 and ranked_at <= $2 \
             order by ranked_at limit 500 for no key update skip locked)",
        )
        .bind(now)
        .bind(now - RANKED_FOR)
        .execute(&self.pool)
        .await?;
        Ok(ranked.rows_affected() == 500)
    }
}

const RANKED_FOR: TimeDelta = TimeDelta::minutes(5);
