//! Likes: the row and the counter in one statement, so that hundreds at once count right.

use kernel::MemberId;
use sqlx::AssertSqlSafe;

use super::Store;
use super::visible::{comment_visible, post_visible};
use crate::error::CommunityError;

/// Likes of a post or comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LikeState {
    pub count: i32,
    pub is_liked: bool,
}

impl Store {
    /// Sets the like to what is asked; a repeat changes nothing.
    ///
    /// # Errors
    /// [`CommunityError::PostNotFound`].
    pub async fn like_post(
        &self,
        member: MemberId,
        post: i64,
        liked: bool,
    ) -> Result<LikeState, CommunityError> {
        let step = if liked { 1 } else { -1 };
        let statement = format!(
            "with target as materialized ( \
             select p.id, p.like_count from post p where p.id = $2 and {}), \
             changed as ({}), \
             counted as (update post set like_count = post.like_count + ({step}), \
             rank = hot_rank(post.like_count + ({step}), comment_count, created_at, $3) \
             from changed where post.id = changed.post_id returning post.like_count) \
             select coalesce((select like_count from counted), like_count) from target",
            post_visible(),
            change("post", liked),
        );
        let count = self.set_like(statement, member, post).await?;
        let count = count.ok_or(CommunityError::PostNotFound)?;
        Ok(LikeState {
            count,
            is_liked: liked,
        })
    }

    /// Sets the like to what is asked; a repeat changes nothing.
    ///
    /// # Errors
    /// [`CommunityError::CommentNotFound`].
    pub async fn like_comment(
        &self,
        member: MemberId,
        comment: i64,
        liked: bool,
    ) -> Result<LikeState, CommunityError> {
        let step = if liked { 1 } else { -1 };
        let statement = format!(
            "with target as materialized ( \
             select c.id, c.like_count from comment c join post p on p.id = c.post_id \
             where c.id = $2 and {} and {}), \
             changed as ({}), \
             counted as (update comment set like_count = comment.like_count + ({step}) \
             from changed where comment.id = changed.comment_id returning comment.like_count) \
             select coalesce((select like_count from counted), like_count) from target",
            comment_visible(),
            post_visible(),
            change("comment", liked),
        );
        let count = self.set_like(statement, member, comment).await?;
        let count = count.ok_or(CommunityError::CommentNotFound)?;
        Ok(LikeState {
            count,
            is_liked: liked,
        })
    }

    async fn set_like(
        &self,
        statement: String,
        member: MemberId,
        subject: i64,
    ) -> Result<Option<i32>, CommunityError> {
        let count = sqlx::query_scalar(AssertSqlSafe(statement))
            .bind(member.0)
            .bind(subject)
            .bind(self.now())
            .fetch_optional(&self.pool)
            .await?;
        Ok(count)
    }
}

/// Inserts or deletes the row of a like on the `target`, if it is not as asked yet.
fn change(subject: &str, liked: bool) -> String {
    if liked {
        format!(
            "insert into {subject}_like ({subject}_id, member_id, created_at) \
             select id, $1, $3 from target on conflict do nothing returning {subject}_id"
        )
    } else {
        format!(
            "delete from {subject}_like l using target \
             where l.{subject}_id = target.id and l.member_id = $1 \
             and $3::timestamptz is not null returning l.{subject}_id"
        )
    }
}
