//! What authors have to bear: a ladder from a warning to never writing again.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use sqlx::{AssertSqlSafe, PgConnection};

use super::Store;
use super::erasures::check_not_erased;
use super::texts::TextRef;
use crate::domain::moderation::{Rule, Rung};
use crate::error::CommunityError;

/// A sanction that a decision gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenSanction {
    pub rung: Rung,
    /// `None` for good.
    pub ends_at: Option<DateTime<Utc>>,
}

/// How a member stands: the sanction that lasts longest.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct CurrentSanction {
    pub rung: i16,
    /// As in reports; empty for none.
    pub rule: String,
    pub reason: String,
    pub begins_at: DateTime<Utc>,
    /// `None` for good. Of a warning as `begins_at`.
    pub ends_at: Option<DateTime<Utc>>,
}

impl GivenSanction {
    #[must_use]
    pub fn is_warning(self) -> bool {
        self.rung == Rung::WARNING
    }
}

impl Store {
    /// `None` for a member without a sanction.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn standing(
        &self,
        member: MemberId,
    ) -> Result<Option<CurrentSanction>, CommunityError> {
        let standing = sqlx::query_as(LONGEST_SANCTION).bind(member.0);
        Ok(standing.fetch_optional(&self.pool).await?)
    }

    /// Whether the member may write or upload, under the member's lock.
    ///
    /// # Errors
    /// [`CommunityError::Suspended`], and [`CommunityError::MemberNotFound`] for one who left for good.
    pub(super) async fn check_may_write(
        &self,
        connection: &mut PgConnection,
        member: MemberId,
    ) -> Result<(), CommunityError> {
        check_not_erased(connection, &[member]).await?;
        let standing: Option<CurrentSanction> = sqlx::query_as(LONGEST_SANCTION)
            .bind(member.0)
            .fetch_optional(connection)
            .await?;
        match standing {
            Some(CurrentSanction {
                ends_at, reason, ..
            }) if ends_at.is_none_or(|ends_at| ends_at > self.now()) => {
                Err(CommunityError::Suspended {
                    until: ends_at,
                    reason,
                })
            }
            Some(_) | None => Ok(()),
        }
    }
}

/// Under the author's lock. `None` where the text has cost a sanction already.
pub(super) async fn sanction(
    connection: &mut PgConnection,
    (text, author): (TextRef, MemberId),
    (rule, reason): (Option<Rule>, &str),
    now: DateTime<Utc>,
) -> Result<Option<GivenSanction>, CommunityError> {
    let before: i64 = sqlx::query_scalar(
        "select count(*) from sanction where member_id = $1 and lifted_at is null",
    )
    .bind(author.0)
    .fetch_one(&mut *connection)
    .await?;
    let rung = Rung::after(before);
    let given = GivenSanction {
        rung,
        ends_at: rung.ends_at(now),
    };
    let inserted = sqlx::query(
        "insert into sanction \
         (member_id, post_id, comment_id, rung, rule, reason, begins_at, ends_at) \
         values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing",
    )
    .bind(author.0)
    .bind(text.post())
    .bind(text.comment())
    .bind(rung.number())
    .bind(rule.map(Rule::as_str).unwrap_or_default())
    .bind(reason)
    .bind(now)
    .bind(given.ends_at)
    .execute(connection)
    .await?;
    Ok((inserted.rows_affected() == 1).then_some(given))
}

/// Takes back what a text has cost.
pub(super) async fn lift(
    connection: &mut PgConnection,
    text: TextRef,
    now: DateTime<Utc>,
) -> Result<(), CommunityError> {
    let statement = format!(
        "update sanction set lifted_at = $2 where {} = $1 and lifted_at is null",
        text.column()
    );
    sqlx::query(AssertSqlSafe(statement))
        .bind(text.id())
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}

const LONGEST_SANCTION: &str = "select rung, rule, reason, begins_at, ends_at from sanction \
    where member_id = $1 and lifted_at is null \
    order by coalesce(ends_at, 'infinity') desc, id desc limit 1";
