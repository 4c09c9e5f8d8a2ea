//! Reports of members, and the hiding of what many have reported.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::MemberId;
use messaging::outbox;
use sqlx::{AssertSqlSafe, PgConnection};

use super::Store;
use super::causes::{standing, take};
use super::comments::counted;
use super::erasures::check_not_erased;
use super::members::joined_at;
use super::reported_texts::keep;
use super::texts::{Step, TextRef, leading_rule, lock, was_appealed};
use super::visible::{comment_visible, post_visible};
use crate::decision_events::{AuthorDecision, AuthorNotice, DecidedText, post_hidden};
use crate::domain::causes::StepKind;
use crate::domain::moderation::Rule;
use crate::domain::reports::{WEIGHED_PER_DAY, is_hidden, weight};
use crate::error::CommunityError;

#[derive(Clone, Debug)]
pub struct NewReport {
    pub member: MemberId,
    pub subject: TextRef,
    /// The column's word.
    pub reason: &'static str,
    pub text: String,
}

/// What is reported, under the lock of its row.
#[derive(sqlx::FromRow)]
struct LockedSubject {
    author_id: i64,
    publication: String,
    report_weight: i32,
    version: i32,
}

impl Store {
    /// Once a member and subject; a repeat changes nothing.
    ///
    /// # Errors
    /// [`CommunityError::PostNotFound`], [`CommunityError::CommentNotFound`],
    /// [`CommunityError::MemberNotFound`] for a member who left for good, and for what the member
    /// wrote [`CommunityError::NotToOneself`].
    pub async fn report(&self, report: &NewReport) -> Result<(), CommunityError> {
        let now = self.now();
        let mut transaction = self.begin_writing(report.member).await?;
        check_not_erased(&mut transaction, &[report.member]).await?;
        // First, because the member may no longer see what was hidden since.
        if is_repeated(&mut transaction, report.member, report.subject).await? {
            return Ok(());
        }
        let subject = find(&mut transaction, report.member, report.subject).await?;
        if subject.author_id == report.member.0 {
            return Err(CommunityError::NotToOneself);
        }
        let weight = insert(&mut transaction, report, subject.version, now).await?;
        keep(&mut transaction, report.subject, now).await?;
        let total = subject.report_weight.saturating_add(weight);
        let is_published = counted(&subject.publication) == 1;
        let hides = is_published && is_hidden(total, MemberId(subject.author_id));
        let update = match report.subject {
            TextRef::Post(_) => "update post set report_weight = $2 where id = $1",
            TextRef::Comment(_) => "update comment set report_weight = $2 where id = $1",
        };
        sqlx::query(update)
            .bind(report.subject.id())
            .bind(total)
            .execute(&mut *transaction)
            .await?;
        if hides {
            self.hide(&mut transaction, report.subject, now).await?;
        }
        transaction.commit().await?;
        if hides {
            metrics::counter!("community_hidden_total").increment(1);
        }
        Ok(())
    }

    /// Hides a text by the weight of its reports, and tells its author.
    async fn hide(
        &self,
        connection: &mut PgConnection,
        text: TextRef,
        now: DateTime<Utc>,
    ) -> Result<(), CommunityError> {
        let locked = lock(connection, text).await?;
        let standing = standing(connection, (text, &locked)).await?;
        let rule = leading_rule(connection, text).await?;
        let step = Step {
            kind: StepKind::Hidden,
            version: locked.version,
            rule,
            reason: "",
            operator: None,
        };
        let (step, _hidden) = take(connection, (text, &locked), &standing, &step, now).await?;
        self.withdraw(connection, text).await?;
        let decision = AuthorDecision {
            step,
            author: MemberId(locked.author_id),
            text: DecidedText {
                post: locked.post_id,
                comment: text.comment(),
            },
            notice: AuthorNotice::Hidden,
            rule: rule.map(Rule::as_str).unwrap_or_default(),
            may_appeal: !was_appealed(connection, text).await?,
            decided_at: now,
        };
        outbox::append_all(connection, [post_hidden(&decision, &*self.clock)]).await?;
        Ok(())
    }
}

async fn is_repeated(
    connection: &mut PgConnection,
    member: MemberId,
    subject: TextRef,
) -> Result<bool, CommunityError> {
    let (statement, id) = match subject {
        TextRef::Post(id) => (
            "select exists (select from report where member_id = $1 and post_id = $2)",
            id,
        ),
        TextRef::Comment(id) => (
            "select exists (select from report where member_id = $1 and comment_id = $2)",
            id,
        ),
    };
    let found = sqlx::query_scalar(statement).bind(member.0).bind(id);
    Ok(found.fetch_one(connection).await?)
}

async fn find(
    connection: &mut PgConnection,
    member: MemberId,
    subject: TextRef,
) -> Result<LockedSubject, CommunityError> {
    let (statement, id, missing) = match subject {
        TextRef::Post(id) => (
            format!(
                "select p.author_id, p.publication, p.report_weight, p.version from post p where p.id = $2 and {} \
                 for no key update of p",
                post_visible()
            ),
            id,
            CommunityError::PostNotFound,
        ),
        TextRef::Comment(id) => (
            format!(
                "select c.author_id, c.publication, c.report_weight, c.version \
                 from comment c join post p on p.id = c.post_id where c.id = $2 and {} and {} \
                 for no key update of c",
                comment_visible(),
                post_visible()
            ),
            id,
            CommunityError::CommentNotFound,
        ),
    };
    let found = sqlx::query_as(AssertSqlSafe(statement))
        .bind(member.0)
        .bind(id)
        .fetch_optional(connection)
        .await?;
    found.ok_or(missing)
}

/// Inserts the report and returns its weight, under the lock of its member.
async fn insert(
    connection: &mut PgConnection,
    report: &NewReport,
    version: i32,
    now: DateTime<Utc>,
) -> Result<i32, CommunityError> {
    let reporter = format!(
        "select {}, exists (select from report where member_id = $1 and upheld), \
         (select count(*) from (select from report where member_id = $1 and created_at > $3 \
         order by created_at desc limit $4) recent)",
        joined_at("$2")
    );
    let (joined_at, has_upheld, recent): (Option<DateTime<Utc>>, bool, i64) =
        sqlx::query_as(AssertSqlSafe(reporter))
            .bind(report.member.0)
            .bind(now)
            .bind(now - TimeDelta::days(1))
            .bind(WEIGHED_PER_DAY)
            .fetch_one(&mut *connection)
            .await?;
    let weight = weight(joined_at, has_upheld, recent, now);
    let (post, comment) = match report.subject {
        TextRef::Post(id) => (Some(id), None),
        TextRef::Comment(id) => (None, Some(id)),
    };
    sqlx::query(
        "insert into report (member_id, post_id, comment_id, reason, text, weight, created_at, version) \
         values ($1, $2, $3, $4, $5, $6, $7, $8)",
    )
    .bind(report.member.0)
    .bind(post)
    .bind(comment)
    .bind(report.reason)
    .bind(&report.text)
    .bind(weight)
    .bind(now)
    .bind(version)
    .execute(connection)
    .await?;
    Ok(weight)
}
