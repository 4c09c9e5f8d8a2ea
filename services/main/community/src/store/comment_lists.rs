//! Lists of comments and replies, each one statement along an index.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use sqlx::types::Json;
use sqlx::{AssertSqlSafe, PgConnection, PgExecutor};

use super::Store;
use super::erasures::erased;
use super::pictures::{PictureRow, pictures_of};
use super::visible::{blocked, not_blocked, post_visible};
use crate::domain::cursor::{CursorKind, Key};
use crate::error::CommunityError;

/// A comment or reply as a member sees it.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct CommentRow {
    pub id: i64,
    pub post_id: i64,
    pub parent_id: Option<i64>,
    /// 0 where it is not shown, and of one who left for good.
    pub author_id: i64,
    pub tagged_member_id: Option<i64>,
    pub content: String,
    pub publication: String,
    pub created_at: DateTime<Utc>,
    pub modified_at: Option<DateTime<Utc>>,
    pub like_count: i32,
    pub reply_count: i32,
    pub is_liked: bool,
    /// Deleted or hidden, and kept because it has replies.
    pub is_deleted: bool,
    /// The author and the viewer have blocked each other, one way at least; the text is kept as well.
    pub is_blocked: bool,
    pub pictures: Json<Vec<PictureRow>>,
}

/// A comment with its first replies; a reply has none.
#[derive(Clone, Debug)]
pub struct Thread {
    pub comment: CommentRow,
    pub replies: Vec<CommentRow>,
}

#[derive(Clone, Debug, Default)]
pub struct CommentPage {
    pub threads: Vec<Thread>,
    /// Empty after the last page.
    pub cursor: String,
}

impl Store {
    /// The comments of a post, oldest first.
    ///
    /// # Errors
    /// [`CommunityError::PostNotFound`].
    pub async fn comments(
        &self,
        viewer: MemberId,
        post: i64,
        after: Key,
    ) -> Result<CommentPage, CommunityError> {
        if !self.sees_post(viewer, post).await? {
            return Err(CommunityError::PostNotFound);
        }
        let public = format!(
            "(c.reply_count > 0 or c.deleted_at is null and c.publication = 'PUBLISHED') \
             and (c.reply_count > 0 or {})",
            not_blocked("c.author_id")
        );
        let below = "c.post_id = $2 and c.parent_id is null";
        let page = AssertSqlSafe(format!(
            "select {} from ({}) c order by c.created_at, c.id",
            columns(),
            oldest(&format!("{below} and {AFTER}"), &public, PAGE_AND_NEXT)
        ));
        let rows = sqlx::query_as(page)
            .bind(viewer.0)
            .bind(post)
            .bind(after.time())
            .bind(after.id)
            .fetch_all(&self.pool)
            .await?;
        let (rows, cursor) = cut(rows);
        Ok(CommentPage {
            threads: with_replies(&self.pool, viewer, rows).await?,
            cursor,
        })
    }

    /// The replies to a comment, oldest first.
    ///
    /// # Errors
    /// [`CommunityError::CommentNotFound`].
    pub async fn replies(
        &self,
        viewer: MemberId,
        comment: i64,
        after: Key,
    ) -> Result<CommentPage, CommunityError> {
        let parent = self.find_comment(viewer, comment).await?;
        if parent.parent_id.is_some() {
            return Err(CommunityError::CommentNotFound);
        }
        let below = format!("c.parent_id = $2 and {AFTER}");
        let page = AssertSqlSafe(format!(
            "select {} from ({}) c order by c.created_at, c.id",
            columns(),
            oldest(&below, &public_reply(), PAGE_AND_NEXT)
        ));
        let rows = sqlx::query_as(page)
            .bind(viewer.0)
            .bind(comment)
            .bind(after.time())
            .bind(after.id)
            .fetch_all(&self.pool)
            .await?;
        let (rows, cursor) = cut(rows);
        let threads = rows.into_iter().map(Thread::without_replies).collect();
        Ok(CommentPage { threads, cursor })
    }

    /// A comment or reply, with the first replies of a comment.
    ///
    /// # Errors
    /// [`CommunityError::CommentNotFound`].
    pub async fn comment(&self, viewer: MemberId, comment: i64) -> Result<Thread, CommunityError> {
        let row = self.find_comment(viewer, comment).await?;
        let thread = with_replies(&self.pool, viewer, vec![row]).await?.pop();
        thread.ok_or(CommunityError::CommentNotFound)
    }

    async fn find_comment(
        &self,
        viewer: MemberId,
        comment: i64,
    ) -> Result<CommentRow, CommunityError> {
        let found = AssertSqlSafe(format!(
            "select {} from comment c join post p on p.id = c.post_id \
             where c.id = $2 and (c.reply_count > 0 or {}) and {}",
            columns(),
            shown(),
            post_visible()
        ));
        let found = sqlx::query_as(found)
            .bind(viewer.0)
            .bind(comment)
            .fetch_optional(&self.pool)
            .await?;
        found.ok_or(CommunityError::CommentNotFound)
    }

    async fn sees_post(&self, viewer: MemberId, post: i64) -> Result<bool, CommunityError> {
        let sees = AssertSqlSafe(format!(
            "select exists (select from post p where p.id = $2 and {})",
            post_visible()
        ));
        let sees = sqlx::query_scalar(sees).bind(viewer.0).bind(post);
        Ok(sees.fetch_one(&self.pool).await?)
    }
}

impl Thread {
    fn without_replies(comment: CommentRow) -> Self {
        Self {
            comment,
            replies: Vec::new(),
        }
    }
}

/// What the member wrote, with the first replies to it, whoever else may see it.
pub(super) async fn own_comment(
    connection: &mut PgConnection,
    member: MemberId,
    comment: i64,
) -> Result<Thread, CommunityError> {
    let own = AssertSqlSafe(format!(
        "select {} from comment c \
         where c.id = $2 and c.author_id = $1 and c.deleted_at is null",
        columns()
    ));
    let own: Option<CommentRow> = sqlx::query_as(own)
        .bind(member.0)
        .bind(comment)
        .fetch_optional(&mut *connection)
        .await?;
    let own = own.ok_or(CommunityError::CommentNotFound)?;
    let thread = with_replies(connection, member, vec![own]).await?.pop();
    thread.ok_or(CommunityError::CommentNotFound)
}

/// Adds the first replies of a page in one statement.
async fn with_replies(
    executor: impl PgExecutor<'_>,
    viewer: MemberId,
    comments: Vec<CommentRow>,
) -> Result<Vec<Thread>, CommunityError> {
    // Replies that only their author sees are not counted.
    let may_have_own = viewer != MemberId::NOBODY;
    let answered = comments
        .iter()
        .filter(|comment| comment.reply_count > 0 || may_have_own);
    let answered: Vec<i64> = answered.map(|comment| comment.id).collect();
    let mut threads: Vec<Thread> = comments.into_iter().map(Thread::without_replies).collect();
    if answered.is_empty() {
        return Ok(threads);
    }
    let first = AssertSqlSafe(format!(
        "select {} from unnest($2::bigint[]) as parent (id) cross join lateral ({}) c \
         order by c.created_at, c.id",
        columns(),
        oldest("c.parent_id = parent.id", &public_reply(), FIRST_REPLIES)
    ));
    let replies: Vec<CommentRow> = sqlx::query_as(first)
        .bind(viewer.0)
        .bind(answered)
        .fetch_all(executor)
        .await?;
    for reply in replies {
        let of = |thread: &&mut Thread| Some(thread.comment.id) == reply.parent_id;
        if let Some(thread) = threads.iter_mut().find(of) {
            thread.replies.push(reply);
        }
    }
    Ok(threads)
}

/// The oldest of the comments `below` a text: those that are `public`, and the viewer's own that nobody
/// else sees. Each part goes along an index without what the viewer does not see, of which one member
/// may write thousands.
fn oldest(below: &str, public: &str, most: usize) -> String {
    let order = format!("order by c.created_at, c.id limit {most}");
    format!(
        "select * from ((select c.* from comment c where {below} and {public} {order}) \
         union all (select c.* from comment c where {below} and c.author_id = $1 \
         and c.deleted_at is null and c.publication <> 'PUBLISHED' and c.reply_count = 0 {order})) c \
         {order}"
    )
}

/// Whether a reply with the alias `c` is shown to the viewer also if it is somebody else's.
fn public_reply() -> String {
    format!(
        "c.deleted_at is null and c.publication = 'PUBLISHED' and {}",
        not_blocked("c.author_id")
    )
}

/// What is shown of a comment with the alias `c`. Nothing that is not shown leaves the database.
pub(super) fn columns() -> String {
    let blocked = blocked("c.author_id");
    let tags_unblocked = not_blocked("c.tagged_member_id");
    let (author_erased, tagged_erased) = (erased("c.author_id"), erased("c.tagged_member_id"));
    let shown = shown();
    let pictures = pictures_of("f.comment_id = c.id");
    format!(
        "c.id, c.post_id, c.parent_id, c.created_at, c.reply_count, \
         case when {shown} then c.publication else 'PUBLISHED' end as publication, \
         case when {shown} then c.like_count else 0 end as like_count, \
         case when {shown} and not {author_erased} then c.author_id else 0 end as author_id, \
         case when {shown} and {tags_unblocked} and not {tagged_erased} \
         then c.tagged_member_id end as tagged_member_id, \
         case when {shown} then c.content else '' end as content, \
         case when {shown} then c.modified_at end as modified_at, \
         case when {shown} then {pictures} else '[]' end as pictures, \
         {shown} and exists (select from comment_like l \
         where l.comment_id = c.id and l.member_id = $1) as is_liked, \
         {} as is_deleted, {blocked} as is_blocked",
        gone()
    )
}

/// Whether the comment with the alias `c` itself is shown, not only its place.
fn shown() -> String {
    format!("not ({} or {})", gone(), blocked("c.author_id"))
}

fn gone() -> &'static str {
    "(c.deleted_at is not null or c.publication <> 'PUBLISHED' and c.author_id <> $1)"
}

/// The rows of the page, and the cursor of the next one.
fn cut(mut rows: Vec<CommentRow>) -> (Vec<CommentRow>, String) {
    let has_more = rows.len() > PAGE;
    rows.truncate(PAGE);
    let last = rows.last().filter(|_| has_more);
    let cursor = last.map(|last| Key::at(last.created_at, last.id).encode(CursorKind::Oldest));
    (rows, cursor.unwrap_or_default())
}

const PAGE: usize = 20;
/// The rows of a page, and one more that tells whether there is a next one.
const PAGE_AND_NEXT: usize = PAGE + 1;
/// Of each comment of a page.
const FIRST_REPLIES: usize = 3;
/// Comments after the last one of a page, of which `$3` is the time and `$4` the id.
const AFTER: &str = "(c.created_at, c.id) > ($3, $4)";
