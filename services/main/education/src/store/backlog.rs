//! How late the work is that no request waits for.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

use super::Store;
use crate::domain::calendar::{judged_at, next};
use crate::error::StudyError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backlog {
    /// Since the oldest day that is not judged was due.
    pub day: TimeDelta,
    /// Since the oldest repair that is neither paid nor refused was asked for.
    pub repair: TimeDelta,
}

impl Store {
    /// How late the daily judgement and the repairs are; zero when the jobs keep up.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn backlog(&self) -> Result<Backlog, StudyError> {
        let now = self.clock.now();
        let (judged_on, noted_at): (Option<NaiveDate>, Option<DateTime<Utc>>) = sqlx::query_as(
            "select (select min(judged_on) from student s where is_active and not exists ( \
                select from streak_repair r \
                where r.member_id = s.member_id and r.state = 'NOTED')), \
             (select min(noted_at) from streak_repair where state = 'NOTED')",
        )
        .fetch_one(&self.pool)
        .await?;
        let due_at = judged_on.map(|day| judged_at(next(day)));
        let late = |since: Option<DateTime<Utc>>| {
            let late = since.map_or(TimeDelta::zero(), |since| now - since);
            late.max(TimeDelta::zero())
        };
        Ok(Backlog {
            day: late(due_at),
            repair: late(noted_at),
        })
    }
}
