use kernel::{Clock, MemberId};

use super::Store;
use crate::error::MarketError;

/// Entries kept per member and kind.
const HISTORY_LENGTH: i64 = 20;

impl Store {
    /// Newest first.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn searches(&self, member: MemberId, kind: &str) -> Result<Vec<String>, MarketError> {
        let texts = sqlx::query_scalar(
            "select searched_text from search_history where member_id = $1 and kind = $2 \
             order by searched_at desc, searched_text limit $3",
        )
        .bind(member.0)
        .bind(kind)
        .bind(HISTORY_LENGTH);
        Ok(texts.fetch_all(&self.pool).await?)
    }

    /// Adds or moves a text to the top, even if the clock was set back, and deletes the oldest
    /// entries.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn note_search(
        &self,
        member: MemberId,
        kind: &str,
        text: &str,
        clock: &dyn Clock,
    ) -> Result<(), MarketError> {
        let mut transaction = self.pool.begin().await?;
        sqlx::query(
            "insert into search_history (member_id, kind, searched_text, searched_at) \
             select $1, $2, $3, greatest($4, max(searched_at) + interval '1 microsecond') \
             from search_history where member_id = $1 and kind = $2 \
             on conflict (member_id, kind, searched_text) \
             do update set searched_at = excluded.searched_at",
        )
        .bind(member.0)
        .bind(kind)
        .bind(text)
        .bind(clock.now())
        .execute(&mut *transaction)
        .await?;
        sqlx::query(
            "delete from search_history where member_id = $1 and kind = $2 and searched_text in \
             (select searched_text from search_history where member_id = $1 and kind = $2 \
              order by searched_at desc, searched_text offset $3)",
        )
        .bind(member.0)
        .bind(kind)
        .bind(HISTORY_LENGTH)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Deletes a text, or all of a kind when it is `None`.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn forget_search(
        &self,
        member: MemberId,
        kind: &str,
        text: Option<&str>,
    ) -> Result<(), MarketError> {
        sqlx::query(
            "delete from search_history where member_id = $1 and kind = $2 \
             and ($3::text is null or searched_text = $3)",
        )
        .bind(member.0)
        .bind(kind)
        .bind(text)
        .execute(&self.pool)
        .await?;
        Ok(())
    }
}
