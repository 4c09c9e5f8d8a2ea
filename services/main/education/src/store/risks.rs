//! Streaks that end at midnight, told in the evening.

use chrono::{DateTime, NaiveDate, Utc};
use messaging::outbox;

use super::Store;
use crate::domain::calendar::{day_of, end_of, is_evening, previous, weekday};
use crate::error::StudyError;
use crate::events;

const SLICE: i64 = 500;

impl Store {
    /// In the evening, looks at some streaks that nobody looked at today, and tells of those that end
    /// unless a set is completed. Returns how many streaks it looked at. A streak that a freeze keeps is
    /// not told.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn tell_streaks_at_risk(&self) -> Result<usize, StudyError> {
        let now = self.clock.now();
        if !is_evening(now) {
            return Ok(0);
        }
        let today = day_of(now);
        let mut transaction = self.pool.begin().await?;
        // Days that are not judged yet wait: the streak may have ended on them. Who is answering now has
        // a turn with the next slice.
        let looked_at: Vec<i64> = sqlx::query_scalar(
            "update student set risk_checked_on = $1 where member_id = any(array( \
             select member_id from student where is_active and risk_checked_on < $1 \
             and judged_on >= $2 order by risk_checked_on limit $3 \
             for no key update skip locked)) returning member_id",
        )
        .bind(today)
        .bind(previous(today))
        .bind(SLICE)
        .fetch_all(&mut *transaction)
        .await?;
        let at_risk: Vec<(i64, i32)> = sqlx::query_as(
            "select member_id, streak from student s where member_id = any($1) \
             and streak > 0 and freezes = 0 and not exists (select from study_day d \
             where d.member_id = s.member_id and d.day = $2 and d.sets > 0) \
             and (select r.weekday from rest_day r where r.member_id = s.member_id \
             and r.from_day <= $2 order by r.from_day desc limit 1) is distinct from $3 \
             order by member_id",
        )
        .bind(&looked_at)
        .bind(today)
        .bind(weekday(today))
        .fetch_all(&mut *transaction)
        .await?;
        let told = at_risk
            .into_iter()
            .map(|streak| self.at_risk(streak, today, end_of(today)));
        outbox::append_all(&mut transaction, told).await?;
        transaction.commit().await?;
        Ok(looked_at.len())
    }

    fn at_risk(
        &self,
        (member, days): (i64, i32),
        day: NaiveDate,
        until: DateTime<Utc>,
    ) -> messaging::NewEvent {
        events::streak_at_risk(member, days, day, until, &*self.clock)
    }
}
