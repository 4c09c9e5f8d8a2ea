//! The database. Each public method is one transaction.
//!
//! A counter changes only in the transaction that inserts or deletes the row it counts, and only if
//! that row was really inserted or deleted. Rows are locked in the order reply, comment, post, pictures
//! (a post's own by its id, those of its comments only under its lock; jobs pass over those that are
//! locked), and the reports of a text before or after it, because whoever else locks reports waits for no
//! text; the counters of a member follow by deferred triggers, so that their row is locked last.

mod activity;
mod appeals;
mod causes;
mod clearing;
mod comment_lists;
mod comments;
mod edits;
mod erasures;
mod likes;
mod members;
mod moderation;
mod moderation_lists;
mod mutes;
mod pictures;
mod post_lists;
mod posts;
mod ranks;
mod relations;
mod removed_pictures;
mod report_results;
mod reported_texts;
mod reports;
mod requests;
mod restrictions;
mod sanctions;
mod texts;
mod told;
mod visible;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use kernel::{Clock, MemberId};
use sqlx::{AssertSqlSafe, PgPool, Postgres, Transaction};

use crate::domain::writing::Limits;
use crate::error::CommunityError;

pub use activity::{ActivityCounts, OwnComments};
pub use appeals::{Hiding, NewAppeal};
pub use comment_lists::{CommentPage, CommentRow, Thread};
pub use comments::{CommentChange, NewComment, Subject};
pub use erasures::{Erasure, NewErasure};
pub use likes::{LikeState, Liked, WantedLike};
pub use moderation::{Decided, ModerationError, NewDecision};
pub use moderation_lists::{CasePicture, CaseRow, ReportRow, StepRow, WaitingFor, WaitingRow};
pub use pictures::{ChosenPicture, NewPicture, PictureRow};
pub use post_lists::{PostOrder, PostPage, PostQuery, PostRow};
pub use posts::{NewPost, PostChange, PostText};
pub use relations::{MemberPage, Relation};
pub use removed_pictures::PictureRemoval;
pub use report_results::{OwnReport, OwnReportPage};
pub use reported_texts::ReportedText;
pub use reports::NewReport;
pub use sanctions::{CurrentSanction, GivenSanction};
pub use texts::TextRef;

#[derive(Clone)]
pub struct Store {
    pool: PgPool,
    limits: Limits,
    clock: Arc<dyn Clock>,
}

impl Store {
    #[must_use]
    pub fn new(pool: PgPool, limits: Limits, clock: Arc<dyn Clock>) -> Self {
        Self {
            pool,
            limits,
            clock,
        }
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Begins a transaction in which `member` alone writes, so that two texts at once cannot both be
    /// the last that a rate allows.
    async fn begin_writing(
        &self,
        member: MemberId,
    ) -> Result<Transaction<'static, Postgres>, CommunityError> {
        let key = WRITER_LOCKS.wrapping_add(member.0);
        self.begin_alone(&key.to_string()).await
    }

    /// Begins a transaction in which nothing else changes what two members are to each other. It locks
    /// neither of them, because thousands may follow one at once.
    async fn begin_relating(
        &self,
        one: MemberId,
        other: MemberId,
    ) -> Result<Transaction<'static, Postgres>, CommunityError> {
        let (low, high) = (one.min(other).0, one.max(other).0);
        let key = format!("hashtextextended('relation {low} {high}', 0)");
        self.begin_alone(&key).await
    }

    /// Begins a transaction that has the lock `key`, an expression of SQL.
    async fn begin_alone(
        &self,
        key: &str,
    ) -> Result<Transaction<'static, Postgres>, CommunityError> {
        let lock = AssertSqlSafe(format!("select pg_advisory_xact_lock({key})"));
        let mut transaction = self.begin().await?;
        sqlx::raw_sql(lock).execute(&mut *transaction).await?;
        Ok(transaction)
    }

    async fn begin(&self) -> Result<Transaction<'static, Postgres>, CommunityError> {
        let pool = self.pool.clone();
        // A caller that goes away while BEGIN is answered would return the connection to the pool
        // with its transaction open; a task of its own ends it.
        let begun = tokio::spawn(async move { pool.begin().await });
        let transaction = begun.await.map_err(|_ended| sqlx::Error::PoolClosed)?;
        Ok(transaction?)
    }
}

/// "com" in ASCII, above every member id: the locks of those who write.
const WRITER_LOCKS: i64 = 0x0063_6f6d_0000_0000;
