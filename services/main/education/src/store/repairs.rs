//! Streak repairs: noted here, paid in trading, then finished here.

use chrono::NaiveDate;
use kernel::MemberId;

use super::Store;
use super::streaks::{StreakView, note_changes, open_done_days};
use crate::domain::calendar::previous;
use crate::error::StudyError;

/// What follows the request of a repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RepairStep {
    /// It was done before.
    Done,
    /// The repair of this day is noted and must be paid.
    Pay(NaiveDate),
}

impl Store {
    /// Notes the repair of yesterday.
    ///
    /// # Errors
    /// [`StudyError::RepairNotPossible`].
    pub async fn note_repair(&self, member: MemberId) -> Result<RepairStep, StudyError> {
        let now = self.clock.now();
        let today = self.clock.today_kst();
        let yesterday = previous(today);
        let (mut transaction, mut student) = self.begin(member, today).await?;
        let state: Option<String> =
            sqlx::query_scalar("select state from streak_repair where member_id = $1 and day = $2")
                .bind(member.0)
                .bind(yesterday)
                .fetch_optional(&mut *transaction)
                .await?;
        match state.as_deref() {
            Some("DONE") => return Ok(RepairStep::Done),
            Some("NOTED") => return Ok(RepairStep::Pay(yesterday)),
            _ => {}
        }
        self.judge(&mut transaction, &mut student, now).await?;
        let done = open_done_days(&mut transaction, &student).await?;
        let offer = self.repair_offer(&mut transaction, &student, &done).await?;
        let offer = offer.ok_or(StudyError::RepairNotPossible)?;
        student.save(&mut transaction).await?;
        sqlx::query(
            "insert into streak_repair (member_id, day, state, noted_at) \
             values ($1, $2, 'NOTED', $3) on conflict (member_id, day) do update \
             set state = excluded.state, noted_at = excluded.noted_at, finished_at = null",
        )
        .bind(member.0)
        .bind(offer.day)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(RepairStep::Pay(offer.day))
    }

    /// Restores the streak once the repair is paid, even if another attempt was refused meanwhile.
    /// Idempotent.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn finish_repair(&self, member: MemberId, day: NaiveDate) -> Result<(), StudyError> {
        let now = self.clock.now();
        let today = self.clock.today_kst();
        let (mut transaction, mut student) = self.begin(member, today).await?;
        let finished = sqlx::query(
            "update streak_repair set state = 'DONE', finished_at = $3 \
             where member_id = $1 and day = $2 and state <> 'DONE'",
        )
        .bind(member.0)
        .bind(day)
        .bind(now)
        .execute(&mut *transaction)
        .await?;
        if finished.rows_affected() == 0 {
            return Ok(());
        }
        // A day that is not judged yet is judged as repaired.
        let mut streak = student.streak();
        if let Some(change) = streak.repair(day) {
            note_changes(&mut transaction, member, &[change], now).await?;
            student.set_streak(&streak);
            student.is_active = true;
            student.save(&mut transaction).await?;
        }
        Ok(transaction.commit().await?)
    }

    /// Gives a repair up that trading refused to be paid.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn refuse_repair(&self, member: MemberId, day: NaiveDate) -> Result<(), StudyError> {
        sqlx::query(
            "update streak_repair set state = 'REFUSED', finished_at = $3 \
             where member_id = $1 and day = $2 and state = 'NOTED'",
        )
        .bind(member.0)
        .bind(day)
        .bind(self.clock.now())
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Repairs that are neither paid nor refused, oldest first.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn noted_repairs(&self, most: i64) -> Result<Vec<(MemberId, NaiveDate)>, StudyError> {
        let rows: Vec<(i64, NaiveDate)> = sqlx::query_as(
            "select member_id, day from streak_repair where state = 'NOTED' \
             order by noted_at limit $1",
        )
        .bind(most)
        .fetch_all(&self.pool)
        .await?;
        let repair = |(member, day)| (MemberId(member), day);
        Ok(rows.into_iter().map(repair).collect())
    }

    /// # Errors
    /// [`StudyError::Database`].
    pub async fn streak(&self, member: MemberId) -> Result<StreakView, StudyError> {
        let mut transaction = self.pool.begin().await?;
        let view = self.streak_view(&mut transaction, member).await?;
        transaction.commit().await?;
        Ok(view)
    }
}
