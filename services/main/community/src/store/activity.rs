//! What a member did: counts, and lists along an index.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use sqlx::AssertSqlSafe;

use super::Store;
use super::comment_lists::{CommentRow, columns};
use super::post_lists::{PostPage, select};
use super::relations::{Relation, relation};
use super::visible::{not_blocked, post_visible};
use crate::domain::cursor::{CursorKind, Key};
use crate::error::CommunityError;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct ActivityCounts {
    pub post_count: i64,
    /// Also below posts that were deleted.
    pub comment_count: i64,
    /// Likes of those posts and comments.
    pub received_likes: i64,
}

#[derive(Clone, Debug, Default)]
pub struct OwnComments {
    /// A page may have fewer than twenty, or none, and not be the last one: comments below posts that the
    /// viewer does not see are left out after they are read.
    pub comments: Vec<CommentRow>,
    /// Empty after the last page.
    pub cursor: String,
}

impl Store {
    /// When a member joined; `None` for a member of old, and for members who blocked each other.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn joined_at(
        &self,
        viewer: MemberId,
        member: MemberId,
    ) -> Result<Option<DateTime<Utc>>, CommunityError> {
        let joined_at = AssertSqlSafe(format!(
            "select joined_at from member where member_id = $2 and {}",
            not_blocked("$2")
        ));
        let joined_at = sqlx::query_scalar(joined_at)
            .bind(viewer.0)
            .bind(member.0)
            .fetch_optional(&self.pool)
            .await?;
        Ok(joined_at)
    }

    /// Counts nothing when either has blocked the other.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn activity(
        &self,
        viewer: MemberId,
        member: MemberId,
    ) -> Result<(ActivityCounts, Relation), CommunityError> {
        let counts = AssertSqlSafe(format!(
            "select post_count, comment_count, received_likes from member_count \
             where member_id = $2 and {}",
            not_blocked("$2")
        ));
        let mut connection = self.pool.acquire().await?;
        let counts: Option<ActivityCounts> = sqlx::query_as(counts)
            .bind(viewer.0)
            .bind(member.0)
            .fetch_optional(&mut *connection)
            .await?;
        let relation = match viewer {
            MemberId::NOBODY => Relation::default(),
            viewer => relation(&mut connection, viewer, member).await?,
        };
        Ok((counts.unwrap_or_default(), relation))
    }

    /// A member's posts, latest first.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn posts_of(
        &self,
        viewer: MemberId,
        member: MemberId,
        after: Key,
    ) -> Result<PostPage, CommunityError> {
        let inner = format!(
            "select p.* from post p where p.author_id = $2 and {} \
             and (p.created_at, p.id) < ($3, $4) \
             order by p.created_at desc, p.id desc limit 21",
            post_visible()
        );
        let page = select(&inner, "p.created_at desc, p.id desc");
        let rows = sqlx::query_as(AssertSqlSafe(page))
            .bind(viewer.0)
            .bind(member.0)
            .bind(after.time())
            .bind(after.id)
            .fetch_all(&self.pool)
            .await?;
        Ok(PostPage::of(rows, PAGE, CursorKind::Latest))
    }

    /// The posts that a member likes, the latest like first.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn liked_posts(
        &self,
        member: MemberId,
        after: Key,
    ) -> Result<PostPage, CommunityError> {
        let inner = format!(
            "select p.*, l.created_at as listed_at from post_like l \
             join post p on p.id = l.post_id where l.member_id = $1 and {} \
             and (l.created_at, l.post_id) < ($2, $3) \
             order by l.created_at desc, l.post_id desc limit 21",
            post_visible()
        );
        let page = select(&inner, "p.listed_at desc, p.id desc");
        let rows = sqlx::query_as(AssertSqlSafe(page))
            .bind(member.0)
            .bind(after.time())
            .bind(after.id)
            .fetch_all(&self.pool)
            .await?;
        Ok(PostPage::of(rows, PAGE, CursorKind::Latest))
    }

    /// A member's comments and replies, latest first.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn comments_by(
        &self,
        viewer: MemberId,
        member: MemberId,
        after: Key,
    ) -> Result<OwnComments, CommunityError> {
        // Each along an index without what the viewer does not see, of which one member may write
        // thousands.
        let shown = if viewer == member {
            "c.author_id = $1".to_owned()
        } else {
            format!("c.publication = 'PUBLISHED' and {}", not_blocked("$2"))
        };
        let written = format!(
            "from comment c where c.author_id = $2 and c.deleted_at is null and {shown} \
             and (c.created_at, c.id) < ($3, $4) order by c.created_at desc, c.id desc"
        );
        let page = AssertSqlSafe(format!(
            "select {} from (select c.* {written} limit {MOST_READ}) c \
             join post p on p.id = c.post_id where {} \
             order by c.created_at desc, c.id desc limit 21",
            columns(),
            post_visible()
        ));
        let mut comments: Vec<CommentRow> = sqlx::query_as(page)
            .bind(viewer.0)
            .bind(member.0)
            .bind(after.time())
            .bind(after.id)
            .fetch_all(&self.pool)
            .await?;
        let last: Option<(DateTime<Utc>, i64)> = if comments.len() > PAGE {
            comments.truncate(PAGE);
            comments.last().map(|last| (last.created_at, last.id))
        } else {
            // All that were read may be below posts that the viewer does not see.
            let last_read = AssertSqlSafe(format!(
                "select c.created_at, c.id {written} offset {MOST_READ} - 1 limit 1"
            ));
            sqlx::query_as(last_read)
                .bind(viewer.0)
                .bind(member.0)
                .bind(after.time())
                .bind(after.id)
                .fetch_optional(&self.pool)
                .await?
        };
        let cursor = last.map(|(time, id)| Key::at(time, id).encode(CursorKind::Latest));
        Ok(OwnComments {
            cursor: cursor.unwrap_or_default(),
            comments,
        })
    }
}

const PAGE: usize = 20;
/// Comments that a page reads.
const MOST_READ: usize = 300;
