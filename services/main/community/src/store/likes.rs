//! Likes: the rows and the counter in one statement, so that hundreds at once count right.

use chrono::TimeDelta;
use kernel::MemberId;
use sqlx::AssertSqlSafe;

use super::Store;
use super::erasures::erased;
use super::visible::{comment_visible_to, post_visible_to};
use crate::error::CommunityError;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Liked {
    Post(i64),
    /// Or a reply.
    Comment(i64),
}

/// What a member asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WantedLike {
    pub member: MemberId,
    pub liked: bool,
}

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
    /// [`CommunityError::PostNotFound`] and [`CommunityError::CommentNotFound`].
    pub async fn like(
        &self,
        wanted: WantedLike,
        subject: Liked,
    ) -> Result<LikeState, CommunityError> {
        let states = self.like_together(&[wanted], subject).await?;
        let missing = match subject {
            Liked::Post(_) => CommunityError::PostNotFound,
            Liked::Comment(_) => CommunityError::CommentNotFound,
        };
        states.into_iter().next().flatten().ok_or(missing)
    }

    /// As [`Store::like`] for several members, each of whom is named once; `None` for whom there is
    /// no such subject.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn like_together(
        &self,
        wanted: &[WantedLike],
        subject: Liked,
    ) -> Result<Vec<Option<LikeState>>, CommunityError> {
        let (statement, id) = match subject {
            Liked::Post(id) => (statement("post"), id),
            Liked::Comment(id) => (statement("comment"), id),
        };
        let members: Vec<i64> = wanted.iter().map(|one| one.member.0).collect();
        let liked: Vec<bool> = wanted.iter().map(|one| one.liked).collect();
        let now = self.now();
        let mut transaction = self.begin().await?;
        let counts: Vec<(i64, i32, bool)> = sqlx::query_as(AssertSqlSafe(statement))
            .bind(id)
            .bind(&members)
            .bind(liked)
            .bind(now)
            .fetch_all(&mut *transaction)
            .await?;
        let new = counts.iter().filter(|(_, _, is_new)| *is_new);
        let new: Vec<MemberId> = new.map(|(member, _, _)| MemberId(*member)).collect();
        if let (Liked::Post(post), false) = (subject, new.is_empty()) {
            self.tell_likes(&mut transaction, post, &new, now).await?;
        }
        transaction.commit().await?;
        let state = |one: &WantedLike| {
            let mut counts = counts.iter();
            let found = counts.find(|(member, _, _)| *member == one.member.0);
            found.map(|(_, count, _)| LikeState {
                count: *count,
                is_liked: one.liked,
            })
        };
        Ok(wanted.iter().map(state).collect())
    }

    /// Forgets a batch of likes that were taken back long ago, and tells whether more may be left.
    /// Another process that does the same takes other rows.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn forget_withdrawn_likes(&self) -> Result<bool, CommunityError> {
        let deleted = sqlx::query(
            "delete from withdrawn_like where ctid = any(array( \
             select ctid from withdrawn_like where withdrawn_at < $1 \
             order by withdrawn_at limit 500 for update skip locked))",
        )
        .bind(self.now() - KEPT)
        .execute(&self.pool)
        .await?;
        Ok(deleted.rows_affected() == 500)
    }
}

/// Rows are inserted in the order of members, so that two groups do not wait for each other. A new like
/// locks what is liked, also where another is taken back with it: it is told under that lock.
fn statement(table: &str) -> String {
    let (target, rank, remember) = if table == "post" {
        let visible = post_visible_to("w.member_id");
        (
            format!("post p where p.id = $1 and {visible}"),
            ", rank = hot_rank(t.like_count + change.step, t.comment_count, t.created_at, $4)",
            "remembered as (insert into withdrawn_like (member_id, post_id, withdrawn_at) \
             select member_id, $1, $4 from deleted on conflict (member_id, post_id) \
             do update set withdrawn_at = excluded.withdrawn_at), ",
        )
    } else {
        let visible = comment_visible_to("w.member_id");
        let post_visible = post_visible_to("w.member_id");
        (
            format!(
                "comment c join post p on p.id = c.post_id \
                 where c.id = $1 and {visible} and {post_visible}"
            ),
            "",
            "",
        )
    };
    let erased = erased("w.member_id");
    format!(
        "with wanted as materialized ( \
         select w.member_id, w.liked from unnest($2::bigint[], $3::boolean[]) \
         as w (member_id, liked) where not (w.liked and {erased}) \
         and exists (select from {target}) order by w.member_id), \
         inserted as (insert into {table}_like ({table}_id, member_id, created_at) \
         select $1, member_id, $4 from wanted where liked order by member_id \
         on conflict do nothing returning member_id), \
         deleted as (delete from {table}_like l using wanted where not wanted.liked \
         and l.{table}_id = $1 and l.member_id = wanted.member_id \
         returning l.member_id), {remember}\
         change as (select (select count(*) from inserted)::integer \
         - (select count(*) from deleted)::integer as step), \
         counted as (update {table} t set like_count = t.like_count + change.step{rank} \
         from change where t.id = $1 and (change.step <> 0 or exists (select from inserted)) \
         returning t.like_count) \
         select wanted.member_id, coalesce((select like_count from counted), \
         (select like_count from {table} where id = $1)), \
         exists (select from inserted where inserted.member_id = wanted.member_id) from wanted"
    )
}

/// As long as what was told of a like.
const KEPT: TimeDelta = TimeDelta::days(90);
