//! Following and blocking.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::MemberId;
use messaging::outbox;
use sqlx::{AssertSqlSafe, PgConnection};

use super::Store;
use super::erasures::check_not_erased;
use crate::domain::cursor::{CursorKind, Key};
use crate::error::CommunityError;
use crate::events;

/// What a member is to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Relation {
    pub is_followed: bool,
    pub is_blocked: bool,
}

#[derive(Clone, Debug, Default)]
pub struct MemberPage {
    pub members: Vec<i64>,
    /// Empty after the last page.
    pub cursor: String,
}

impl Store {
    /// # Errors
    /// [`CommunityError::MemberNotFound`] for one whom the member blocked, who blocked the member, or
    /// who left for good.
    pub async fn set_follow(
        &self,
        member: MemberId,
        other: MemberId,
        on: bool,
    ) -> Result<Relation, CommunityError> {
        let mut transaction = self.begin_relating(member, other).await?;
        if on {
            check_not_erased(&mut transaction, &[member, other]).await?;
            let unblocked: bool = sqlx::query_scalar(
                "select not exists (select from block where member_id = $1 and other_id = $2 \
                 or member_id = $2 and other_id = $1)",
            )
            .bind(member.0)
            .bind(other.0)
            .fetch_one(&mut *transaction)
            .await?;
            if !unblocked {
                return Err(CommunityError::MemberNotFound);
            }
        }
        self.set(&mut transaction, "follow", (member, other), on)
            .await?;
        let relation = relation(&mut transaction, member, other).await?;
        transaction.commit().await?;
        Ok(relation)
    }

    /// Ends following in both directions.
    ///
    /// # Errors
    /// [`CommunityError::MemberNotFound`] for one who left for good.
    pub async fn set_block(
        &self,
        member: MemberId,
        other: MemberId,
        on: bool,
    ) -> Result<Relation, CommunityError> {
        let mut transaction = self.begin_relating(member, other).await?;
        if on {
            check_not_erased(&mut transaction, &[member, other]).await?;
        }
        let is_changed = self
            .set(&mut transaction, "block", (member, other), on)
            .await?;
        if on {
            self.set(&mut transaction, "follow", (member, other), false)
                .await?;
            self.set(&mut transaction, "follow", (other, member), false)
                .await?;
        }
        let relation = relation(&mut transaction, member, other).await?;
        if on && is_changed {
            let at = self.now() + UNSEEN_FOR;
            let event = events::member_blocked(member, other, at, &*self.clock);
            outbox::append_all(&mut transaction, [event]).await?;
        }
        transaction.commit().await?;
        Ok(relation)
    }

    /// Newest first.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn blocked(
        &self,
        member: MemberId,
        after: Key,
    ) -> Result<MemberPage, CommunityError> {
        let mut rows: Vec<(i64, DateTime<Utc>)> = sqlx::query_as(
            "select other_id, created_at from block where member_id = $1 \
             and (created_at, other_id) < ($2, $3) \
             order by created_at desc, other_id desc limit 21",
        )
        .bind(member.0)
        .bind(after.time())
        .bind(after.id)
        .fetch_all(&self.pool)
        .await?;
        let has_more = rows.len() > PAGE;
        rows.truncate(PAGE);
        let last = rows.last().filter(|_| has_more);
        let cursor = last.map(|(id, at)| Key::at(*at, *id).encode(CursorKind::Latest));
        Ok(MemberPage {
            members: rows.into_iter().map(|(id, _)| id).collect(),
            cursor: cursor.unwrap_or_default(),
        })
    }

    /// Whether something has changed.
    async fn set(
        &self,
        connection: &mut PgConnection,
        table: &str,
        (member, other): (MemberId, MemberId),
        on: bool,
    ) -> Result<bool, CommunityError> {
        let statement = if on {
            format!(
                "insert into {table} (member_id, other_id, created_at) \
                 values ($1, $2, $3) on conflict do nothing"
            )
        } else {
            format!(
                "delete from {table} where member_id = $1 and other_id = $2 \
                 and $3::timestamptz is not null"
            )
        };
        let set = sqlx::query(AssertSqlSafe(statement))
            .bind(member.0)
            .bind(other.0)
            .bind(self.now())
            .execute(connection)
            .await?;
        Ok(set.rows_affected() > 0)
    }
}

pub(super) async fn relation(
    connection: &mut PgConnection,
    member: MemberId,
    other: MemberId,
) -> Result<Relation, CommunityError> {
    let relation = sqlx::query_as(
        "select exists (select from follow where member_id = $1 and other_id = $2) as is_followed, \
         exists (select from block where member_id = $1 and other_id = $2) as is_blocked",
    )
    .bind(member.0)
    .bind(other.0)
    .fetch_one(connection)
    .await?;
    Ok(relation)
}

const PAGE: usize = 20;
/// A block is seen by nobody before its transaction is committed: what was told meanwhile of one of the
/// two to the other is taken back as well. Much longer than that takes.
const UNSEEN_FOR: TimeDelta = TimeDelta::seconds(5);
