//! Streaks: judging days, rest days, and how a streak stands.

use std::collections::HashSet;

use chrono::{DateTime, NaiveDate, Utc};
use kernel::MemberId;
use sqlx::PgConnection;

use super::Store;
use super::grants::Grant;
use super::student::Student;
use crate::domain::calendar::{day_of, end_of, judged_until, next, next_monday, previous, weekday};
use crate::domain::points::{Kind, STREAK_BONUS};
use crate::domain::streak::{Change, DayFacts, Reason, Streak};
use crate::error::StudyError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreakView {
    /// With completed days that are not judged yet.
    pub current: i32,
    pub best: i32,
    pub freezes: i16,
    /// When it ends unless a set is completed; `None` while it is safe.
    pub at_risk_until: Option<DateTime<Utc>>,
    pub rest: RestDay,
    pub repair: Option<RepairOffer>,
}

/// The rest day now, and a change that was chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RestDay {
    pub weekday: Option<i16>,
    pub change: Option<(NaiveDate, Option<i16>)>,
}

/// A missed day that can be repaired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepairOffer {
    pub day: NaiveDate,
    /// The streak afterwards.
    pub streak: i32,
    pub until: DateTime<Utc>,
}

#[derive(sqlx::FromRow)]
struct RestRow {
    from_day: NaiveDate,
    weekday: Option<i16>,
}

impl Store {
    /// Members with days to judge, at most `most`, without those in `passed_over`.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn members_to_judge(
        &self,
        most: i64,
        passed_over: &[MemberId],
    ) -> Result<Vec<MemberId>, StudyError> {
        let passed_over: Vec<i64> = passed_over.iter().map(|member| member.0).collect();
        let members: Vec<i64> = sqlx::query_scalar(
            "select member_id from student s where is_active and judged_on < $1 \
             and not exists (select from streak_repair r \
             where r.member_id = s.member_id and r.state = 'NOTED') \
             and member_id <> all($3) order by judged_on limit $2",
        )
        .bind(judged_until(self.clock.now()))
        .bind(most)
        .bind(passed_over)
        .fetch_all(&self.pool)
        .await?;
        Ok(members.into_iter().map(MemberId).collect())
    }

    /// Judges the days of a member that are due. Idempotent.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn judge_member(&self, member: MemberId) -> Result<(), StudyError> {
        let now = self.clock.now();
        let (mut transaction, mut student) = self.begin(member, day_of(now)).await?;
        self.judge(&mut transaction, &mut student, now).await?;
        student.save(&mut transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// Chooses the rest day from next Monday on.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn set_rest_day(
        &self,
        member: MemberId,
        weekday: Option<i16>,
    ) -> Result<RestDay, StudyError> {
        let today = self.clock.today_kst();
        let mut transaction = self.begin_locked(member, today).await?;
        sqlx::query(
            "insert into rest_day (member_id, from_day, weekday) values ($1, $2, $3) \
             on conflict (member_id, from_day) do update set weekday = excluded.weekday",
        )
        .bind(member.0)
        .bind(next_monday(today))
        .bind(weekday)
        .execute(&mut *transaction)
        .await?;
        let rest = rest_day(&mut transaction, member, today).await?;
        transaction.commit().await?;
        Ok(rest)
    }

    /// Judges every day that is due, under the lock of `student`; the caller saves it. A repair that
    /// is under way is finished first.
    pub(super) async fn judge(
        &self,
        connection: &mut PgConnection,
        student: &mut Student,
        now: DateTime<Utc>,
    ) -> Result<(), StudyError> {
        let until = judged_until(now);
        let mut streak = student.streak();
        if streak.judged >= until {
            return Ok(());
        }
        let repairs = repairs_after(connection, student.member(), streak.judged).await?;
        // Also without a streak, which the repair may bring back.
        if repairs.iter().any(|(_, state)| state == "NOTED") {
            return Ok(());
        }
        if !student.is_active {
            streak.judged = until;
            student.set_streak(&streak);
            return Ok(());
        }
        let repaired: HashSet<NaiveDate> = repairs
            .into_iter()
            .filter(|(_, state)| state == "DONE")
            .map(|(day, _)| day)
            .collect();
        let done = open_done_days(connection, student).await?;
        let rests = rest_rows(connection, student.member()).await?;
        let mut changes = Vec::new();
        while streak.judged < until {
            let day = next(streak.judged);
            if streak.days == 0 && !done.iter().any(|done| (day..=until).contains(done)) {
                streak.judged = until;
                break;
            }
            let judged = streak.judge(DayFacts {
                is_done: done.contains(&day),
                is_rest: rest_on(&rests, day) == Some(weekday(day)),
                is_repaired: repaired.contains(&day),
            });
            let extended = judged.iter().any(|change| change.reason == Reason::Done);
            if let (true, Some(days), Some(start)) = (extended, streak.bonus(), streak.start) {
                let edu_id = format!("{start}:{days}");
                let grant = Grant {
                    kind: Kind::Streak,
                    edu_id: &edu_id,
                    wanted: STREAK_BONUS,
                    day,
                    earned_at: now,
                };
                self.grant(connection, student, grant).await?;
            }
            changes.extend(judged);
        }
        note_changes(connection, student.member(), &changes, now).await?;
        let were_held = student.streak().freezes;
        student.is_active = streak.days > 0 || done.iter().any(|day| *day > streak.judged);
        student.set_streak(&streak);
        if streak.freezes != were_held {
            self.tell_freezes(connection, student, None).await?;
        }
        Ok(())
    }

    pub(super) async fn streak_view(
        &self,
        connection: &mut PgConnection,
        member: MemberId,
    ) -> Result<StreakView, StudyError> {
        let today = self.clock.today_kst();
        let rest = rest_day(connection, member, today).await?;
        let Some(student) = Student::find(connection, member).await? else {
            return Ok(StreakView {
                current: 0,
                best: 0,
                freezes: 0,
                at_risk_until: None,
                rest,
                repair: None,
            });
        };
        let streak = student.streak();
        let done = open_done_days(connection, &student).await?;
        let current = streak.with_open_days(done.len());
        let is_safe = done.contains(&today) || rest.weekday == Some(weekday(today));
        Ok(StreakView {
            current,
            best: streak.best.max(current),
            freezes: streak.freezes,
            at_risk_until: (current > 0 && !is_safe).then(|| end_of(today)),
            rest,
            repair: self.repair_offer(connection, &student, &done).await?,
        })
    }

    /// The repair of yesterday, if it was missed and neither a rest day nor a freeze covers it. There
    /// is none before noon: late answers may still complete the day, which would waste the points.
    pub(super) async fn repair_offer(
        &self,
        connection: &mut PgConnection,
        student: &Student,
        done: &[NaiveDate],
    ) -> Result<Option<RepairOffer>, StudyError> {
        let today = self.clock.today_kst();
        let yesterday = previous(today);
        let streak = student.streak();
        let Some(before) = self
            .streak_before(connection, student, &streak, yesterday, done)
            .await?
        else {
            return Ok(None);
        };
        let repairs = repairs_after(connection, student.member(), previous(yesterday)).await?;
        if repairs
            .iter()
            .any(|(day, state)| *day == yesterday && state != "REFUSED")
        {
            return Ok(None);
        }
        let since = done.iter().filter(|day| **day > yesterday).count();
        Ok(Some(RepairOffer {
            day: yesterday,
            streak: before.saturating_add(i32::try_from(since).unwrap_or(i32::MAX)),
            until: end_of(today),
        }))
    }

    /// The streak that `missed` ended or will end when it is judged; `None` if it does not.
    async fn streak_before(
        &self,
        connection: &mut PgConnection,
        student: &Student,
        streak: &Streak,
        missed: NaiveDate,
        done: &[NaiveDate],
    ) -> Result<Option<i32>, StudyError> {
        if let Some(lost) = streak.lost.as_ref().filter(|lost| lost.on == missed) {
            return Ok(Some(lost.days));
        }
        // Not judged yet: certain only if it is due and the next day to be judged.
        let is_due = missed <= judged_until(self.clock.now());
        let is_next = next(streak.judged) == missed;
        if !is_due || !is_next || streak.days == 0 || streak.freezes > 0 || done.contains(&missed) {
            return Ok(None);
        }
        let rest = rest_weekday(connection, student.member(), missed).await?;
        Ok((rest != Some(weekday(missed))).then_some(streak.days))
    }
}

/// Days after the last judged one on which a set was completed, oldest first.
pub(super) async fn open_done_days(
    connection: &mut PgConnection,
    student: &Student,
) -> Result<Vec<NaiveDate>, sqlx::Error> {
    sqlx::query_scalar(
        "select day from study_day where member_id = $1 and day > $2 and sets > 0 order by day",
    )
    .bind(student.member_id)
    .bind(student.streak().judged)
    .fetch_all(connection)
    .await
}

/// The rest day that holds on `day`, 1 to 7.
pub(super) async fn rest_weekday(
    connection: &mut PgConnection,
    member: MemberId,
    day: NaiveDate,
) -> Result<Option<i16>, sqlx::Error> {
    Ok(rest_on(&rest_rows(connection, member).await?, day))
}

pub(super) async fn note_changes(
    connection: &mut PgConnection,
    member: MemberId,
    changes: &[Change],
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    for change in changes {
        sqlx::query(
            "insert into streak_change (member_id, day, reason, streak_before, streak_after, \
             freezes_before, freezes_after, changed_at) values ($1, $2, $3, $4, $5, $6, $7, $8)",
        )
        .bind(member.0)
        .bind(change.day)
        .bind(change.reason.as_str())
        .bind(change.days_before)
        .bind(change.days_after)
        .bind(change.freezes_before)
        .bind(change.freezes_after)
        .bind(now)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

async fn rest_day(
    connection: &mut PgConnection,
    member: MemberId,
    today: NaiveDate,
) -> Result<RestDay, sqlx::Error> {
    let rows = rest_rows(connection, member).await?;
    let weekday = rest_on(&rows, today);
    let coming = rows.iter().find(|row| row.from_day > today);
    let change = coming.filter(|row| row.weekday != weekday);
    Ok(RestDay {
        weekday,
        change: change.map(|row| (row.from_day, row.weekday)),
    })
}

/// Oldest first. A member adds at most one a week.
async fn rest_rows(
    connection: &mut PgConnection,
    member: MemberId,
) -> Result<Vec<RestRow>, sqlx::Error> {
    sqlx::query_as("select from_day, weekday from rest_day where member_id = $1 order by from_day")
        .bind(member.0)
        .fetch_all(connection)
        .await
}

fn rest_on(rows: &[RestRow], day: NaiveDate) -> Option<i16> {
    let mut newest_first = rows.iter().rev();
    newest_first.find(|row| row.from_day <= day)?.weekday
}

/// Missed days after `judged` with the states of their repairs.
async fn repairs_after(
    connection: &mut PgConnection,
    member: MemberId,
    judged: NaiveDate,
) -> Result<Vec<(NaiveDate, String)>, sqlx::Error> {
    // A repair that is under way may be of a judged day.
    sqlx::query_as(
        "select day, state from streak_repair where member_id = $1 \
         and (day > $2 or state = 'NOTED')",
    )
    .bind(member.0)
    .bind(judged)
    .fetch_all(connection)
    .await
}
