//! The row of a member, which every change of the member's rows locks.

use chrono::{DateTime, NaiveDate, Utc};
use kernel::MemberId;
use serde::Deserialize;
use sqlx::PgConnection;

use crate::domain::calendar::judged_until;
use crate::domain::streak::{Lost, Streak};

/// All answers of a member.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub points: i64,
    pub tried: i32,
    pub correct: i32,
}

#[derive(Clone, Debug, Deserialize, sqlx::FromRow)]
pub(super) struct Student {
    pub(super) member_id: i64,
    pub(super) tried: i32,
    pub(super) correct: i32,
    pub(super) points: i64,
    pub(super) lessons: i32,
    streak: i32,
    streak_start: Option<NaiveDate>,
    best: i32,
    freezes: i16,
    pub(super) freezes_version: i64,
    judged_on: NaiveDate,
    lost_on: Option<NaiveDate>,
    lost_streak: i32,
    lost_start: Option<NaiveDate>,
    pub(super) is_active: bool,
}

impl Student {
    /// `None` for a member who has not begun.
    pub(super) async fn find(
        connection: &mut PgConnection,
        member: MemberId,
    ) -> Result<Option<Self>, sqlx::Error> {
        sqlx::query_as("select * from student where member_id = $1")
            .bind(member.0)
            .fetch_optional(connection)
            .await
    }

    pub(super) async fn save(&self, connection: &mut PgConnection) -> Result<(), sqlx::Error> {
        sqlx::query(
            "update student set tried = $2, correct = $3, points = $4, lessons = $5, \
             streak = $6, streak_start = $7, best = $8, freezes = $9, judged_on = $10, \
             lost_on = $11, lost_streak = $12, lost_start = $13, is_active = $14, \
             freezes_version = $15 \
             where member_id = $1",
        )
        .bind(self.member_id)
        .bind(self.tried)
        .bind(self.correct)
        .bind(self.points)
        .bind(self.lessons)
        .bind(self.streak)
        .bind(self.streak_start)
        .bind(self.best)
        .bind(self.freezes)
        .bind(self.judged_on)
        .bind(self.lost_on)
        .bind(self.lost_streak)
        .bind(self.lost_start)
        .bind(self.is_active)
        .bind(self.freezes_version)
        .execute(connection)
        .await?;
        Ok(())
    }

    pub(super) fn member(&self) -> MemberId {
        MemberId(self.member_id)
    }

    pub(super) fn totals(&self) -> Totals {
        Totals {
            points: self.points,
            tried: self.tried,
            correct: self.correct,
        }
    }

    pub(super) fn streak(&self) -> Streak {
        Streak {
            days: self.streak,
            start: self.streak_start,
            best: self.best,
            freezes: self.freezes,
            judged: self.judged_on,
            lost: self.lost_on.map(|on| Lost {
                on,
                days: self.lost_streak,
                start: self.lost_start,
            }),
        }
    }

    pub(super) fn is_to_be_judged(&self, now: DateTime<Utc>) -> bool {
        self.judged_on < judged_until(now)
    }

    pub(super) fn set_streak(&mut self, streak: &Streak) {
        self.streak = streak.days;
        self.streak_start = streak.start;
        self.best = streak.best;
        self.freezes = streak.freezes;
        self.judged_on = streak.judged;
        let lost = streak.lost.as_ref();
        self.lost_on = lost.map(|lost| lost.on);
        self.lost_streak = lost.map_or(0, |lost| lost.days);
        self.lost_start = lost.and_then(|lost| lost.start);
    }

    pub(super) fn count_answer(&mut self, is_correct: bool) {
        self.tried = self.tried.saturating_add(1);
        self.correct = self.correct.saturating_add(i32::from(is_correct));
    }
}
