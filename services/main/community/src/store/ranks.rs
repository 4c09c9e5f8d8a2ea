//! Ranks that sink with time.

use chrono::{DateTime, TimeDelta, Utc};

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
             where id = any(array(select id from post where rank > 0 and ranked_at <= $2 \
             order by ranked_at limit 500 for no key update skip locked))",
        )
        .bind(now)
        .bind(now - RANKED_FOR)
        .execute(&self.pool)
        .await?;
        Ok(ranked.rows_affected() == 500)
    }
}

impl Store {
    /// Since the oldest rank should have been computed.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn ranks_late(&self) -> Result<TimeDelta, CommunityError> {
        let oldest: Option<DateTime<Utc>> =
            sqlx::query_scalar("select min(ranked_at) from post where rank > 0")
                .fetch_one(&self.pool)
                .await?;
        let late = oldest.map(|ranked_at| self.now() - ranked_at - RANKED_FOR);
        Ok(late.unwrap_or_default().max(TimeDelta::zero()))
    }
}

const RANKED_FOR: TimeDelta = TimeDelta::minutes(5);
