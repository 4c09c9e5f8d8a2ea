//! What decisions about texts share: the text under its lock, and its history.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use sqlx::{AssertSqlSafe, PgConnection};

use super::comments::{count, counted};
use crate::domain::causes::StepKind;
use crate::domain::moderation::Rule;
use crate::domain::post::Publication;
use crate::error::CommunityError;

/// A post, or a comment or reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextRef {
    Post(i64),
    /// Or a reply.
    Comment(i64),
}

impl TextRef {
    #[must_use]
    pub fn id(self) -> i64 {
        match self {
            Self::Post(id) | Self::Comment(id) => id,
        }
    }

    pub(super) fn comment(self) -> Option<i64> {
        match self {
            Self::Post(_) => None,
            Self::Comment(id) => Some(id),
        }
    }

    pub(super) fn post(self) -> Option<i64> {
        match self {
            Self::Post(id) => Some(id),
            Self::Comment(_) => None,
        }
    }

    /// By which other tables name it.
    pub(super) fn column(self) -> &'static str {
        match self {
            Self::Post(_) => "post_id",
            Self::Comment(_) => "comment_id",
        }
    }

    pub(super) fn missing(self) -> CommunityError {
        match self {
            Self::Post(_) => CommunityError::PostNotFound,
            Self::Comment(_) => CommunityError::CommentNotFound,
        }
    }

    /// The row that `columns` names of two ids of which one is set.
    pub(super) fn of(post: Option<i64>, comment: Option<i64>) -> Option<Self> {
        comment.map(Self::Comment).or(post.map(Self::Post))
    }
}

/// A text as [`lock`] or [`read`] found it.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub(super) struct LockedText {
    pub(super) author_id: i64,
    pub(super) publication: String,
    pub(super) version: i32,
    pub(super) is_deleted: bool,
    pub(super) post_id: i64,
    pub(super) parent_id: Option<i64>,
}

impl LockedText {
    pub(super) fn publication(&self) -> Publication {
        // The column has no other words.
        Publication::parse(&self.publication).unwrap_or(Publication::Hidden)
    }
}

/// # Errors
/// Those of a text that does not exist.
pub(super) async fn author_of(
    connection: &mut PgConnection,
    text: TextRef,
) -> Result<MemberId, CommunityError> {
    let statement = match text {
        TextRef::Post(_) => "select author_id from post where id = $1",
        TextRef::Comment(_) => "select author_id from comment where id = $1",
    };
    let author: Option<i64> = sqlx::query_scalar(statement)
        .bind(text.id())
        .fetch_optional(connection)
        .await?;
    author.map(MemberId).ok_or(text.missing())
}

/// # Errors
/// Those of a text that does not exist.
pub(super) async fn lock(
    connection: &mut PgConnection,
    text: TextRef,
) -> Result<LockedText, CommunityError> {
    find(connection, text, "for no key update").await
}

/// As [`lock`], but the text may change at once.
///
/// # Errors
/// Those of a text that does not exist.
pub(super) async fn read(
    connection: &mut PgConnection,
    text: TextRef,
) -> Result<LockedText, CommunityError> {
    find(connection, text, "").await
}

async fn find(
    connection: &mut PgConnection,
    text: TextRef,
    lock: &str,
) -> Result<LockedText, CommunityError> {
    let (ids, table) = match text {
        TextRef::Post(_) => ("id as post_id, null::bigint as parent_id", "post"),
        TextRef::Comment(_) => ("post_id, parent_id", "comment"),
    };
    let statement = format!(
        "select author_id, publication, version, deleted_at is not null as is_deleted, {ids} \
         from {table} where id = $1 {lock}"
    );
    let found: Option<LockedText> = sqlx::query_as(AssertSqlSafe(statement))
        .bind(text.id())
        .fetch_optional(connection)
        .await?;
    found.ok_or(text.missing())
}

/// Sets whether a text is shown, with the counters above it.
pub(super) async fn publish(
    connection: &mut PgConnection,
    (text, locked): (TextRef, &LockedText),
    publication: Publication,
    now: DateTime<Utc>,
) -> Result<(), CommunityError> {
    if publication.as_str() == locked.publication {
        return Ok(());
    }
    let statement = match text {
        TextRef::Post(_) => "update post set publication = $2 where id = $1",
        TextRef::Comment(_) => "update comment set publication = $2 where id = $1",
    };
    sqlx::query(statement)
        .bind(text.id())
        .bind(publication.as_str())
        .execute(&mut *connection)
        .await?;
    let step = counted(publication.as_str()) - counted(&locked.publication);
    if step != 0 && !locked.is_deleted && text.comment().is_some() {
        let above = (locked.post_id, locked.parent_id);
        count(connection, above, step, now).await?;
    }
    Ok(())
}

/// A row of a text's history.
pub(super) struct Step<'a> {
    pub(super) kind: StepKind,
    pub(super) version: i32,
    pub(super) rule: Option<Rule>,
    pub(super) reason: &'a str,
    /// `None` for what the service does by itself.
    pub(super) operator: Option<&'a str>,
}

pub(super) async fn record(
    connection: &mut PgConnection,
    text: TextRef,
    step: &Step<'_>,
    now: DateTime<Utc>,
) -> Result<i64, CommunityError> {
    let id = sqlx::query_scalar(
        "insert into moderation_step \
         (post_id, comment_id, kind, version, rule, reason, operator, created_at) \
         values ($1, $2, $3, $4, $5, $6, $7, $8) returning id",
    )
    .bind(text.post())
    .bind(text.comment())
    .bind(step.kind.as_str())
    .bind(step.version)
    .bind(step.rule.map(Rule::as_str).unwrap_or_default())
    .bind(step.reason)
    .bind(step.operator)
    .bind(now)
    .fetch_one(connection)
    .await?;
    Ok(id)
}

/// How many steps a text's history has. They are only ever added.
pub(super) async fn count_steps(
    connection: &mut PgConnection,
    text: TextRef,
) -> Result<i64, CommunityError> {
    let statement = format!(
        "select count(*) from moderation_step where {} = $1",
        text.column()
    );
    let steps = sqlx::query_scalar(AssertSqlSafe(statement)).bind(text.id());
    Ok(steps.fetch_one(connection).await?)
}

/// Which rule most of a text's reports are about, of the newest ten thousand: a statement ends after
/// five seconds.
pub(super) async fn leading_rule(
    connection: &mut PgConnection,
    text: TextRef,
) -> Result<Option<Rule>, CommunityError> {
    let statement = format!(
        "select mode() within group (order by reason) from ( \
         select reason from report where {} = $1 order by id desc limit 10000) newest",
        text.column()
    );
    let rule: Option<String> = sqlx::query_scalar(AssertSqlSafe(statement))
        .bind(text.id())
        .fetch_one(connection)
        .await?;
    Ok(rule.as_deref().and_then(Rule::parse))
}

pub(super) async fn was_appealed(
    connection: &mut PgConnection,
    text: TextRef,
) -> Result<bool, CommunityError> {
    let statement = format!(
        "select exists (select from appeal where {} = $1)",
        text.column()
    );
    let found = sqlx::query_scalar(AssertSqlSafe(statement)).bind(text.id());
    Ok(found.fetch_one(connection).await?)
}
