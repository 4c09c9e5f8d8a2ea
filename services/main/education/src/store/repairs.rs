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
    /// It is noted and must be paid.
    Pay(NotedRepair),
}

/// A repair that is to be paid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct NotedRepair {
    pub day: NaiveDate,
    /// How many have asked trading, with this one.
    pub attempt: i32,
}

impl Store {
    /// Notes the repair of yesterday, or goes on with one that is not decided.
    ///
    /// # Errors
    /// [`StudyError::RepairNotPossible`].
    pub async fn note_repair(&self, member: MemberId) -> Result<RepairStep, StudyError> {
        let now = self.clock.now();
        let today = self.clock.today_kst();
        let yesterday = previous(today);
        let (mut transaction, mut student) = self.begin(member, today).await?;
        let undecided: Option<NotedRepair> = sqlx::query_as(
            "update streak_repair set attempts = attempts + 1 \
             where member_id = $1 and state = 'NOTED' returning day, attempts as attempt",
        )
        .bind(member.0)
        .fetch_optional(&mut *transaction)
        .await?;
        if let Some(undecided) = undecided {
            transaction.commit().await?;
            return Ok(RepairStep::Pay(undecided));
        }
        let is_done: bool = sqlx::query_scalar(
            "select exists (select from streak_repair \
                where member_id = $1 and day = $2 and state = 'DONE')",
        )
        .bind(member.0)
        .bind(yesterday)
        .fetch_one(&mut *transaction)
        .await?;
        if is_done {
            return Ok(RepairStep::Done);
        }
        self.judge(&mut transaction, &mut student, now).await?;
        let done = open_done_days(&mut transaction, &student).await?;
        let offer = self.repair_offer(&mut transaction, &student, &done).await?;
        let offer = offer.ok_or(StudyError::RepairNotPossible)?;
        student.save(&mut transaction).await?;
        let noted = sqlx::query_as(
            "insert into streak_repair (member_id, day, state, noted_at) \
             values ($1, $2, 'NOTED', $3) on conflict (member_id, day) do update \
             set state = excluded.state, noted_at = excluded.noted_at, finished_at = null, \
                attempts = streak_repair.attempts + 1 \
             returning day, attempts as attempt",
        )
        .bind(member.0)
        .bind(offer.day)
        .bind(now)
        .fetch_one(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(RepairStep::Pay(noted))
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
        // The release before offered repairs in the morning: such a day is judged as repaired.
        let mut streak = student.streak();
        if let Some(change) = streak.repair(day) {
            note_changes(&mut transaction, member, &[change], now).await?;
            student.set_streak(&streak);
            student.is_active = true;
            student.save(&mut transaction).await?;
        }
        Ok(transaction.commit().await?)
    }

    /// Gives a repair up that trading refused to be paid, unless trading was asked again since.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn refuse_repair(
        &self,
        member: MemberId,
        refused: NotedRepair,
    ) -> Result<(), StudyError> {
        sqlx::query(
            "update streak_repair set state = 'REFUSED', finished_at = $4 \
             where member_id = $1 and day = $2 and state = 'NOTED' and attempts = $3",
        )
        .bind(member.0)
        .bind(refused.day)
        .bind(refused.attempt)
        .bind(self.clock.now())
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Repairs that are neither paid nor refused, oldest first, which are now asked for again.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn noted_repairs(
        &self,
        most: i64,
    ) -> Result<Vec<(MemberId, NotedRepair)>, StudyError> {
        let rows: Vec<(i64, NaiveDate, i32)> = sqlx::query_as(
            "with next as (select member_id, day from streak_repair where state = 'NOTED' \
                order by noted_at limit $1), \
             asked as (update streak_repair r set attempts = attempts + 1 from next n \
                where r.member_id = n.member_id and r.day = n.day and r.state = 'NOTED' \
                returning r.member_id, r.day, r.attempts, r.noted_at) \
             select member_id, day, attempts from asked order by noted_at",
        )
        .bind(most)
        .fetch_all(&self.pool)
        .await?;
        let repair = |(member, day, attempt)| (MemberId(member), NotedRepair { day, attempt });
        Ok(rows.into_iter().map(repair).collect())
    }

    /// The streak now, when it ends, and whether its last end can be repaired.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn streak(&self, member: MemberId) -> Result<StreakView, StudyError> {
        let mut transaction = self.pool.begin().await?;
        let view = self.streak_view(&mut transaction, member).await?;
        transaction.commit().await?;
        Ok(view)
    }
}
