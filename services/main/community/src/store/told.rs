//! Whom comments and likes concern, told in the transaction that causes them. Nobody is told what they
//! did themselves, of somebody whom a block separates from them, of a post that they muted or that others
//! do not see any more, or after they left for good.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use messaging::outbox;
use sqlx::{AssertSqlSafe, PgConnection};

use super::Store;
use super::erasures::erased;
use super::texts::TextRef;
use super::visible::blocked_by;
use crate::error::CommunityError;
use crate::events::{self, ChangedComment, NewLikes, PublishedComment};

/// Characters of a text that a notification shows.
const EXCERPT: &str = "80";

#[derive(sqlx::FromRow)]
struct WrittenComment {
    post_id: i64,
    parent_id: Option<i64>,
    author_id: i64,
    content: String,
    told_post_author: Option<i64>,
    told_comment_author: Option<i64>,
    told_tagged: Option<i64>,
}

#[derive(sqlx::FromRow)]
struct ToldComment {
    post_id: i64,
    /// Whom its writing may have told.
    told_ids: Vec<i64>,
    excerpt: String,
    version: i32,
    is_published: bool,
}

impl Store {
    /// Tells whom a published comment concerns; nobody when it was told before, however often its
    /// author has it held and published again. Under the locks of what is above it, which counts it.
    pub(super) async fn tell_comment(
        &self,
        connection: &mut PgConnection,
        comment: i64,
        now: DateTime<Utc>,
    ) -> Result<(), CommunityError> {
        let is_first = sqlx::query(
            "update comment c set told_at = $2 from post p \
             where c.id = $1 and c.told_at is null and p.id = c.post_id \
             and p.deleted_at is null and p.publication = 'PUBLISHED'",
        )
        .bind(comment)
        .bind(now)
        .execute(&mut *connection)
        .await?;
        if is_first.rows_affected() == 0 {
            return Ok(());
        }
        let told = |member: &str| {
            let of_author = blocked_by("c.author_id", member);
            let of_post = blocked_by("p.author_id", member);
            let erased = erased(member);
            format!(
                "case when {member} <> c.author_id and not {of_author} and not {of_post} \
                 and not {erased} and not exists (select from post_mute m \
                 where m.post_id = p.id and m.member_id = {member}) then {member} end"
            )
        };
        let read = AssertSqlSafe(format!(
            "select c.post_id, c.parent_id, c.author_id, left(c.content, {EXCERPT}) as content, \
             {} as told_post_author, {} as told_comment_author, {} as told_tagged \
             from comment c join post p on p.id = c.post_id left join comment r on r.id = c.parent_id \
             and r.deleted_at is null and r.publication = 'PUBLISHED' where c.id = $1",
            told("p.author_id"),
            told("r.author_id"),
            told("c.tagged_member_id"),
        ));
        let row: WrittenComment = sqlx::query_as(read)
            .bind(comment)
            .fetch_one(&mut *connection)
            .await?;
        let told = [
            row.told_post_author,
            row.told_comment_author,
            row.told_tagged,
        ];
        if told.into_iter().flatten().any(|member| member > 0) {
            let published = PublishedComment {
                id: comment,
                post: row.post_id,
                parent: row.parent_id,
                author: row.author_id,
                told_post_author: row.told_post_author,
                told_comment_author: row.told_comment_author,
                told_tagged: row.told_tagged,
                excerpt: row.content,
                at: now,
            };
            let event = events::comment_written(published, &*self.clock);
            outbox::append_all(connection, [event]).await?;
        }
        Ok(())
    }

    /// Says that others do not see a text any more, under its lock: dated now, it is later than all
    /// that was told of the text while the lock was waited for.
    pub(super) async fn withdraw(
        &self,
        connection: &mut PgConnection,
        text: TextRef,
    ) -> Result<(), CommunityError> {
        match text {
            TextRef::Comment(comment) => self.withdraw_comment(connection, comment).await,
            TextRef::Post(post) => {
                let event = events::post_withdrawn(post, self.now(), &*self.clock);
                outbox::append_all(connection, [event]).await?;
                Ok(())
            }
        }
    }

    async fn withdraw_comment(
        &self,
        connection: &mut PgConnection,
        comment: i64,
    ) -> Result<(), CommunityError> {
        if let Some(told) = told_comment(connection, comment).await? {
            let ids = (comment, told.post_id);
            let event = events::comment_withdrawn(ids, told.told_ids, self.now(), &*self.clock);
            outbox::append_all(connection, [event]).await?;
        }
        Ok(())
    }

    /// Tells the new text of a comment to whom the old one may have been told, under its lock, so that
    /// a later text has a higher version. One that others do not see was withdrawn.
    pub(super) async fn tell_edit(
        &self,
        connection: &mut PgConnection,
        comment: i64,
        now: DateTime<Utc>,
    ) -> Result<(), CommunityError> {
        let told = told_comment(connection, comment).await?;
        if let Some(told) = told.filter(|told| told.is_published) {
            let changed = ChangedComment {
                id: comment,
                post: told.post_id,
                told: told.told_ids,
                excerpt: told.excerpt,
                version: told.version,
                at: now,
            };
            let event = events::comment_edited(changed, &*self.clock);
            outbox::append_all(connection, [event]).await?;
        }
        Ok(())
    }

    /// Tells the author of a post who likes it for the first time. After the likes were stored, because
    /// one of them may have waited for a request of the same member that took it back, and so under the
    /// lock of the post.
    pub(super) async fn tell_likes(
        &self,
        connection: &mut PgConnection,
        post: i64,
        members: &[MemberId],
        now: DateTime<Utc>,
    ) -> Result<(), CommunityError> {
        let read = AssertSqlSafe(format!(
            "select p.author_id, left(p.content, {EXCERPT}), \
             array(select member_id from unnest($2::bigint[]) as liking (member_id) \
             where member_id <> p.author_id and (select w.post_id from withdrawn_like w \
             where w.member_id = liking.member_id and w.post_id = p.id) is null) \
             from post p where p.id = $1 and p.deleted_at is null and p.publication = 'PUBLISHED' \
             and not exists (select from post_mute m \
             where m.post_id = p.id and m.member_id = p.author_id) and not {}",
            erased("p.author_id")
        ));
        let members: Vec<i64> = members.iter().map(|member| member.0).collect();
        let row: Option<(i64, String, Vec<i64>)> = sqlx::query_as(read)
            .bind(post)
            .bind(members)
            .fetch_optional(&mut *connection)
            .await?;
        let Some((author, excerpt, member_ids)) = row else {
            return Ok(());
        };
        if member_ids.is_empty() {
            return Ok(());
        }
        let likes = NewLikes {
            post,
            author,
            members: member_ids,
            excerpt,
            at: now,
        };
        outbox::append_all(connection, [events::post_liked(likes, &*self.clock)]).await?;
        Ok(())
    }
}

/// A comment of which somebody may have been told.
async fn told_comment(
    connection: &mut PgConnection,
    comment: i64,
) -> Result<Option<ToldComment>, CommunityError> {
    let read = AssertSqlSafe(format!(
        "select c.post_id, array(select distinct member from unnest( \
         array[p.author_id, r.author_id, c.tagged_member_id]) as told (member) \
         where member <> c.author_id order by member) as told_ids, \
         left(c.content, {EXCERPT}) as excerpt, c.version, \
         c.publication = 'PUBLISHED' as is_published \
         from comment c join post p on p.id = c.post_id left join comment r on r.id = c.parent_id \
         where c.id = $1 and c.told_at is not null"
    ));
    let told: Option<ToldComment> = sqlx::query_as(read)
        .bind(comment)
        .fetch_optional(connection)
        .await?;
    Ok(told.filter(|told| !told.told_ids.is_empty()))
}
