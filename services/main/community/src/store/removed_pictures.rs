//! Pictures that moderators take away.

use uuid::Uuid;

use super::Store;
use super::moderation::{ModerationError, checked_words};
use crate::error::CommunityError;

#[derive(Clone, Debug)]
pub struct PictureRemoval {
    pub picture: Uuid,
    /// Kept in the history; nobody is told.
    pub reason: String,
    pub operator: String,
}

#[derive(sqlx::FromRow)]
struct RemovedPicture {
    /// Who uploaded it.
    member_id: i64,
    /// `None` for one of a comment, or in no text.
    post_id: Option<i64>,
    comment_id: Option<i64>,
    /// Of the text; 0 without one.
    version: i32,
}

impl Store {
    /// Has a picture removed, in a text or not: nobody sees it from now on, moderators neither, and its
    /// files and its row go with the next round. Returns the step of the history, which says who uploaded
    /// it, or `None` for one that is being removed already, of which nothing changes.
    ///
    /// # Errors
    /// [`ModerationError`]: nothing was removed.
    pub async fn remove_picture(
        &self,
        removal: &PictureRemoval,
    ) -> Result<Option<i64>, ModerationError> {
        let (reason, operator) = checked_words(&removal.reason, &removal.operator)?;
        let now = self.now();
        let mut transaction = self.begin().await?;
        let removed: Option<RemovedPicture> = sqlx::query_as(REMOVED)
            .bind(removal.picture)
            .bind(now)
            .fetch_optional(&mut *transaction)
            .await?;
        let Some(removed) = removed else {
            let is_on_its_way: bool = sqlx::query_scalar(
                "select exists (select from picture where id = $1 and removing_at is not null)",
            )
            .bind(removal.picture)
            .fetch_one(&mut *transaction)
            .await?;
            return if is_on_its_way {
                Ok(None)
            } else {
                Err(CommunityError::PictureNotFound.into())
            };
        };
        let step: i64 = sqlx::query_scalar(
            "insert into moderation_step \
             (post_id, comment_id, picture_id, member_id, kind, version, rule, reason, operator, \
             created_at) \
             values ($1, $2, $3, $4, 'PICTURE_REMOVED', $5, '', $6, $7, $8) returning id",
        )
        .bind(removed.post_id)
        .bind(removed.comment_id)
        .bind(removal.picture)
        .bind(removed.member_id)
        .bind(removed.version)
        .bind(reason)
        .bind(operator)
        .bind(now)
        .fetch_one(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(Some(step))
    }
}

/// With the text that has it, or had it.
const REMOVED: &str = "with removed as (update picture set place = null, \
      unused_since = coalesce(unused_since, $2), removing_at = $2 \
      where id = $1 and stored_at is not null and removing_at is null \
      returning member_id, post_id, comment_id) \
    select r.member_id, case when r.comment_id is null then r.post_id end as post_id, r.comment_id, \
    coalesce(c.version, p.version, 0) as version from removed r \
    left join post p on p.id = r.post_id left join comment c on c.id = r.comment_id";
