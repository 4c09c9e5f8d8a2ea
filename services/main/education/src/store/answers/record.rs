//! What an answer changes, written in one statement.

use chrono::{DateTime, NaiveDate, Utc};
use messaging::outbox;
use sqlx::PgConnection;

use super::super::Store;
use super::super::student::Student;
use super::facts::AnswerFacts;
use crate::domain::points::Kind;
use crate::domain::review::Memory;
use crate::events::points_earned;

pub(super) struct AnswerRecord {
    pub(super) answered_at: DateTime<Utc>,
    /// To which the answer belongs.
    pub(super) day: NaiveDate,
    pub(super) is_counted: bool,
    pub(super) is_correct: bool,
    pub(super) completes_set: bool,
    pub(super) grants: Vec<NewGrant>,
    pub(super) theme: String,
    pub(super) memory: Memory,
    pub(super) due_on: NaiveDate,
    /// What the member saw.
    pub(super) content_version: String,
}

/// Points that were not granted before. A grant that the cap cuts to nothing is used up as well.
pub(super) struct NewGrant {
    pub(super) kind: Kind,
    pub(super) edu_id: String,
    pub(super) points: i32,
}

const WRITE: &str = "\
    with day_changed as ( \
      insert into study_day (member_id, day, points, answered, correct, sets) \
      values ($1, $2, $3, 1, $4, $5) on conflict (member_id, day) do update set \
      points = study_day.points + excluded.points, \
      answered = study_day.answered + excluded.answered, \
      correct = study_day.correct + excluded.correct, \
      sets = study_day.sets + excluded.sets), \
    granted as ( \
      insert into point_grant (member_id, edu_id, kind, points, day, granted_at) \
      select $1, edu_id, kind, points, $2, $6 \
      from unnest($7::text[], $8::text[], $9::int[]) as new (edu_id, kind, points)), \
    counted as ( \
      update student set tried = $24, correct = $25, points = $26, lessons = $27, \
      is_active = $28 where member_id = $1), \
    set_completed as ( \
      update quiz_set set completed_at = $6 where id = $10 and $5 > 0), \
    remembered as ( \
      insert into review_card (member_id, quiz_id, theme, stability, difficulty, last_on, \
      due_on, answers) values ($1, $11, $12, $13, $14, $15, $16, 1) \
      on conflict (member_id, quiz_id) do update set stability = excluded.stability, \
      difficulty = excluded.difficulty, last_on = excluded.last_on, \
      due_on = excluded.due_on, answers = review_card.answers + 1) \
    update handout set answered_at = $6, given = $17, is_correct = $18, is_counted = $19, \
    points = $20, set_bonus = $21, next_review_on = $16, content_version = $22 where id = $23";

impl AnswerRecord {
    /// The points of all its grants.
    pub(super) fn points(&self) -> i32 {
        self.grants.iter().map(|grant| grant.points).sum()
    }

    pub(super) async fn write(
        &self,
        connection: &mut PgConnection,
        student: &Student,
        facts: &AnswerFacts,
    ) -> Result<(), sqlx::Error> {
        let handout = &facts.handout;
        let grants = self.grants.iter();
        let edu_ids: Vec<&str> = grants.clone().map(|grant| grant.edu_id.as_str()).collect();
        let kinds: Vec<&str> = grants.clone().map(|grant| grant.kind.as_str()).collect();
        let points: Vec<i32> = grants.map(|grant| grant.points).collect();
        sqlx::query(WRITE)
            .bind(student.member_id)
            .bind(self.day)
            .bind(self.points())
            .bind(i32::from(self.is_correct))
            .bind(i32::from(self.completes_set))
            .bind(self.answered_at)
            .bind(edu_ids)
            .bind(kinds)
            .bind(points)
            .bind(handout.set_id)
            .bind(&handout.edu_id)
            .bind(&self.theme)
            .bind(self.memory.stability)
            .bind(self.memory.difficulty)
            .bind(self.memory.last_on)
            .bind(self.due_on)
            .bind(&handout.given)
            .bind(self.is_correct)
            .bind(self.is_counted)
            .bind(handout.points)
            .bind(handout.set_bonus)
            .bind(&self.content_version)
            .bind(handout.id)
            .bind(student.tried)
            .bind(student.correct)
            .bind(student.points)
            .bind(student.lessons)
            .bind(student.is_active)
            .execute(connection)
            .await?;
        Ok(())
    }
}

impl Store {
    /// The event of every grant that has points.
    pub(super) async fn tell_grants(
        &self,
        connection: &mut PgConnection,
        student: &Student,
        record: &AnswerRecord,
    ) -> Result<(), sqlx::Error> {
        let granted = record.grants.iter().filter(|grant| grant.points > 0);
        let events = granted.map(|grant| {
            points_earned(
                student.member(),
                grant.kind,
                &grant.edu_id,
                grant.points,
                record.answered_at,
                self.clock.as_ref(),
            )
        });
        outbox::append_all(connection, events).await
    }
}
