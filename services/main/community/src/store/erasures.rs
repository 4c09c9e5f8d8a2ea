//! Members who left for good: nothing more is written for them, and what they have goes piece by
//! piece, each piece in one transaction.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::MemberId;
use sqlx::{AssertSqlSafe, PgConnection};

use super::Store;
use super::likes::Liked;
use super::pictures::WRITING_FOR;
use super::texts::TextRef;
use crate::error::CommunityError;

/// For how long a process has a member to itself. Two that erase the same do no harm.
const LEASE: TimeDelta = TimeDelta::minutes(1);
/// Longer than a transaction lasts. One that began before the erasure was noted may still write for
/// the member.
const LAST_WRITES_WITHIN: TimeDelta = TimeDelta::minutes(1);

/// What auth says of a member who left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewErasure {
    pub member: MemberId,
    /// Whether posts and comments go as well; else they stay without a name.
    pub deletes_content: bool,
    pub erased_at: DateTime<Utc>,
}

/// An erasure that is not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Erasure {
    pub member: MemberId,
    pub deletes_content: bool,
}

impl Store {
    /// Notes that a member left: from now on nothing is written for them, and what they wrote has no
    /// name. A repeat changes nothing, unless it is the first that also deletes what they wrote.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn note_erasure(&self, erasure: &NewErasure) -> Result<(), CommunityError> {
        let now = self.now();
        // The member's lock: what they are writing is stored before, or refused.
        let mut transaction = self.begin_writing(erasure.member).await?;
        sqlx::query(
            "insert into erasure as e (member_id, deletes_content, erased_at, noted_at, next_at) \
             values ($1, $2, $3, $4, $4) on conflict (member_id) do update \
             set deletes_content = true, next_at = excluded.next_at, finished_at = null \
             where excluded.deletes_content and not e.deletes_content",
        )
        .bind(erasure.member.0)
        .bind(erasure.deletes_content)
        .bind(erasure.erased_at)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        sqlx::query("delete from member where member_id = $1")
            .bind(erasure.member.0)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Takes the erasure that has waited longest, for a minute.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn claim_erasure(&self) -> Result<Option<Erasure>, CommunityError> {
        let now = self.now();
        let claimed: Option<(i64, bool)> = sqlx::query_as(
            "update erasure set next_at = $2 where member_id = any(array( \
             select member_id from erasure where finished_at is null and next_at <= $1 \
             order by next_at limit 1 for update skip locked)) \
             returning member_id, deletes_content",
        )
        .bind(now)
        .bind(now + LEASE)
        .fetch_optional(&self.pool)
        .await?;
        Ok(claimed.map(|(member, deletes_content)| Erasure {
            member: MemberId(member),
            deletes_content,
        }))
    }

    /// Has a batch of the member's uploads removed, in texts or not, and tells whether more may be
    /// left. One that is being stored is removed once no write of it can be under way.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn erase_uploads(&self, member: MemberId) -> Result<bool, CommunityError> {
        let now = self.now();
        let marked = sqlx::query(
            "update picture set place = null, unused_since = coalesce(unused_since, $2), \
             removing_at = case when stored_at is null then $3 else $2 end \
             where id = any(array(select id from picture where member_id = $1 \
             and removing_at is null limit 100 for update skip locked))",
        )
        .bind(member.0)
        .bind(now)
        .bind(now + WRITING_FOR)
        .execute(&self.pool)
        .await?;
        Ok(marked.rows_affected() > 0)
    }

    /// Deletes a batch of the member's follows, blocks, mutes and withdrawn likes and of others' follows
    /// of the member, and tells whether more may be left. Whom others blocked stays blocked.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn erase_relations(&self, member: MemberId) -> Result<bool, CommunityError> {
        let mut deleted = 0;
        for (table, column) in RELATIONS {
            let delete = AssertSqlSafe(format!(
                "delete from {table} where ctid = any(array(select ctid from {table} \
                 where {column} = $1 limit 500 for update skip locked))"
            ));
            let delete = sqlx::query(delete).bind(member.0).execute(&self.pool);
            deleted += delete.await?.rows_affected();
        }
        Ok(deleted > 0)
    }

    /// Clears the words of a batch of the member's reports and appeals, and tells whether more may be
    /// left. That somebody reported, and what was decided, stays.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn erase_words(&self, member: MemberId) -> Result<bool, CommunityError> {
        let mut cleared = 0;
        for table in ["report", "appeal"] {
            let clear = AssertSqlSafe(format!(
                "update {table} set text = '' where id = any(array(select id from {table} \
                 where member_id = $1 and text <> '' limit 500 for no key update skip locked))"
            ));
            let clear = sqlx::query(clear).bind(member.0).execute(&self.pool);
            cleared += clear.await?.rows_affected();
        }
        Ok(cleared > 0)
    }

    /// Some of what the member likes, whoever may see it.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn likes_of(&self, member: MemberId) -> Result<Vec<Liked>, CommunityError> {
        let rows: Vec<(Option<i64>, Option<i64>)> = sqlx::query_as(
            "(select post_id, null::bigint from post_like where member_id = $1 \
             order by created_at desc, post_id desc limit 100) union all \
             (select null::bigint, comment_id from comment_like where member_id = $1 limit 100)",
        )
        .bind(member.0)
        .fetch_all(&self.pool)
        .await?;
        let likes = rows.into_iter().filter_map(|(post, comment)| {
            let comment = comment.map(Liked::Comment);
            comment.or(post.map(Liked::Post))
        });
        Ok(likes.collect())
    }

    /// Takes a like back, with its counter. A repeat changes nothing.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn erase_like(&self, member: MemberId, liked: Liked) -> Result<(), CommunityError> {
        let (statement, id) = match liked {
            Liked::Post(id) => (POST_UNLIKED, id),
            Liked::Comment(id) => (COMMENT_UNLIKED, id),
        };
        sqlx::query(statement)
            .bind(id)
            .bind(member.0)
            .bind(self.now())
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Some of what the member wrote and did not delete; comments first.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn texts_of(&self, member: MemberId) -> Result<Vec<TextRef>, CommunityError> {
        let comments: Vec<i64> = sqlx::query_scalar(
            "select id from comment where author_id = $1 and deleted_at is null \
             order by created_at desc, id desc limit 100",
        )
        .bind(member.0)
        .fetch_all(&self.pool)
        .await?;
        if !comments.is_empty() {
            return Ok(comments.into_iter().map(TextRef::Comment).collect());
        }
        // Each along its own index, in which nothing is that was deleted.
        let posts: Vec<i64> = sqlx::query_scalar(
            "(select id from post where author_id = $1 and publication = 'PUBLISHED' \
             and deleted_at is null order by created_at desc, id desc limit 100) union all \
             (select id from post where author_id = $1 and publication <> 'PUBLISHED' \
             and deleted_at is null order by created_at desc, id desc limit 100)",
        )
        .bind(member.0)
        .fetch_all(&self.pool)
        .await?;
        Ok(posts.into_iter().map(TextRef::Post).collect())
    }

    /// Finishes an erasure of which nothing is left, and tells whether it did. Not before every
    /// transaction is over that may still write for the member.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn finish_erasure(&self, member: MemberId) -> Result<bool, CommunityError> {
        let now = self.now();
        let finished = sqlx::query(
            "update erasure e set finished_at = $2 where e.member_id = $1 and finished_at is null \
             and e.noted_at <= $3 \
             and not exists (select from picture where member_id = $1) \
             and not exists (select from post_like where member_id = $1) \
             and not exists (select from comment_like where member_id = $1) \
             and not exists (select from follow where member_id = $1) \
             and not exists (select from follow where other_id = $1) \
             and not exists (select from block where member_id = $1) \
             and not exists (select from post_mute where member_id = $1) \
             and not exists (select from withdrawn_like where member_id = $1) \
             and not exists (select from report where member_id = $1 and text <> '') \
             and not exists (select from appeal where member_id = $1 and text <> '') \
             and (not e.deletes_content or not exists (select from comment \
               where author_id = $1 and deleted_at is null) \
             and not exists (select from post where author_id = $1 \
               and publication = 'PUBLISHED' and deleted_at is null) \
             and not exists (select from post where author_id = $1 \
               and publication <> 'PUBLISHED' and deleted_at is null))",
        )
        .bind(member.0)
        .bind(now)
        .bind(now - LAST_WRITES_WITHIN)
        .execute(&self.pool)
        .await?;
        Ok(finished.rows_affected() > 0)
    }

    /// # Errors
    /// [`CommunityError::MemberNotFound`] for one who left for good.
    pub async fn check_member(&self, member: MemberId) -> Result<(), CommunityError> {
        let mut connection = self.pool.acquire().await?;
        check_not_erased(&mut connection, &[member]).await
    }
}

/// # Errors
/// [`CommunityError::MemberNotFound`] where one of them left for good.
pub(super) async fn check_not_erased(
    connection: &mut PgConnection,
    members: &[MemberId],
) -> Result<(), CommunityError> {
    let members: Vec<i64> = members.iter().map(|member| member.0).collect();
    let is_erased: bool =
        sqlx::query_scalar("select exists (select from erasure where member_id = any($1))")
            .bind(members)
            .fetch_one(connection)
            .await?;
    if is_erased {
        Err(CommunityError::MemberNotFound)
    } else {
        Ok(())
    }
}

/// Whether the member that the SQL names left for good.
pub(super) fn erased(member: &str) -> String {
    format!("exists (select from erasure e where e.member_id = {member})")
}

const RELATIONS: [(&str, &str); 5] = [
    ("follow", "member_id"),
    ("follow", "other_id"),
    ("block", "member_id"),
    ("post_mute", "member_id"),
    ("withdrawn_like", "member_id"),
];
/// As a like that its member takes back, but also where the member does not see the post.
const POST_UNLIKED: &str = "with removed as (delete from post_like \
    where post_id = $1 and member_id = $2 returning post_id) \
    update post t set like_count = t.like_count - 1, \
    rank = hot_rank(t.like_count - 1, t.comment_count, t.created_at, $3) \
    from removed where t.id = removed.post_id";
const COMMENT_UNLIKED: &str = "with removed as (delete from comment_like \
    where comment_id = $1 and member_id = $2 returning comment_id) \
    update comment t set like_count = t.like_count - 1 \
    from removed where t.id = removed.comment_id and $3::timestamptz is not null";
