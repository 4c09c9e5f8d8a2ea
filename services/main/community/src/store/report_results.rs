//! What became of reports: told to everybody who reported, and listed for each.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use messaging::outbox;

use super::Store;
use crate::decision_events::{DecidedText, ReportDecision, report_decided};
use crate::domain::cursor::{CursorKind, Key};
use crate::error::CommunityError;

/// A member's own report.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct OwnReport {
    pub id: i64,
    /// Also of a comment.
    pub post_id: i64,
    pub comment_id: Option<i64>,
    pub reason: String,
    pub created_at: DateTime<Utc>,
    /// `None` while nobody has decided.
    pub upheld: Option<bool>,
    pub decided_at: Option<DateTime<Utc>>,
}

#[derive(Clone, Debug, Default)]
pub struct OwnReportPage {
    pub reports: Vec<OwnReport>,
    /// Empty after the last page.
    pub cursor: String,
}

#[derive(sqlx::FromRow)]
struct DecidedReport {
    id: i64,
    member_id: i64,
    post_id: i64,
    comment_id: Option<i64>,
    upheld: bool,
    decided_at: DateTime<Utc>,
}

impl Store {
    /// Tells a page of those whose reports were decided, and tells whether more may be left. Another
    /// process that does the same takes other rows.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn tell_reporters(&self) -> Result<bool, CommunityError> {
        let now = self.now();
        let mut transaction = self.pool.begin().await?;
        let page: Vec<DecidedReport> = sqlx::query_as(
            "select r.id, r.member_id, coalesce(r.post_id, c.post_id) as post_id, r.comment_id, \
             r.upheld, s.created_at as decided_at from report r \
             join moderation_step s on s.id = r.step_id \
             left join comment c on c.id = r.comment_id \
             where r.step_id is not null and r.told_at is null \
             order by r.id limit 500 for no key update of r skip locked",
        )
        .fetch_all(&mut *transaction)
        .await?;
        let ids: Vec<i64> = page.iter().map(|report| report.id).collect();
        let events = page.iter().map(|report| {
            let decision = ReportDecision {
                report: report.id,
                reporter: MemberId(report.member_id),
                text: DecidedText {
                    post: report.post_id,
                    comment: report.comment_id,
                },
                is_upheld: report.upheld,
                decided_at: report.decided_at,
            };
            report_decided(&decision, &*self.clock)
        });
        outbox::append_all(&mut transaction, events).await?;
        sqlx::query("update report set told_at = $2 where id = any($1)")
            .bind(&ids)
            .bind(now)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(ids.len() == TOLD_AT_ONCE)
    }

    /// Newest first, 20 a page.
    ///
    /// # Errors
    /// [`CommunityError::Database`].
    pub async fn own_reports(
        &self,
        member: MemberId,
        after: Key,
    ) -> Result<OwnReportPage, CommunityError> {
        let mut reports: Vec<OwnReport> = sqlx::query_as(
            "select r.id, coalesce(r.post_id, c.post_id) as post_id, r.comment_id, r.reason, \
             r.created_at, r.upheld, s.created_at as decided_at from report r \
             left join comment c on c.id = r.comment_id \
             left join moderation_step s on s.id = r.step_id \
             where r.member_id = $1 and (r.created_at, r.id) < ($2, $3) \
             order by r.created_at desc, r.id desc limit 21",
        )
        .bind(member.0)
        .bind(after.time())
        .bind(after.id)
        .fetch_all(&self.pool)
        .await?;
        let has_more = reports.len() > PAGE;
        reports.truncate(PAGE);
        let last = reports.last().filter(|_| has_more);
        let cursor = last.map(|last| Key::at(last.created_at, last.id).encode(CursorKind::Latest));
        Ok(OwnReportPage {
            cursor: cursor.unwrap_or_default(),
            reports,
        })
    }
}

const PAGE: usize = 20;
/// As the statement's limit.
const TOLD_AT_ONCE: usize = 500;
