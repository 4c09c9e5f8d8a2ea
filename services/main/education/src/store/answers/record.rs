//! What an answer changes, written in one statement.

use chrono::{DateTime, NaiveDate, Utc};
use messaging::outbox;
use sqlx::PgConnection;

use super::super::Store;
use super::super::grants::DayWork;
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
    pub(super) work: DayWork,
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
      values ($1, $2, $3, $4, $5, $6) on conflict (member_id, day) do update set \
      points = study_day.points + excluded.points, \
      answered = study_day.answered + excluded.answered, \
      correct = study_day.correct + excluded.correct, \
      sets = study_day.sets + excluded.sets), \
    granted as ( \
      insert into point_grant (member_id, edu_id, kind, points, day, granted_at) \
      select $1, edu_id, kind, points, $2, $7 \
      from unnest($8::text[], $9::text[], $10::int[]) as new (edu_id, kind, points)), \
    counted as ( \
      update student set tried = $25, correct = $26, points = $27, lessons = $28, \
      is_active = $29 where member_id = $1), \
    set_completed as ( \
      update quiz_set set completed_at = $7 where id = $11 and $6 > 0), \
    remembered as ( \
      insert into review_card (member_id, quiz_id, theme, stability, difficulty, last_on, \
      due_on, answers) values ($1, $12, $13, $14, $15, $16, $17, 1) \
      on conflict (member_id, quiz_id) do update set stability = excluded.stability, \
      difficulty = excluded.difficulty, last_on = excluded.last_on, \
      due_on = excluded.due_on, answers = review_card.answers + 1) \
    update handout set answered_at = $7, given = $18, is_correct = $19, is_counted = $20, \
    points = $21, set_bonus = $22, next_review_on = $17, content_version = $23 where id = $24";

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
            .bind(self.work.answered)
            .bind(self.work.correct)
            .bind(self.work.sets)
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
            .bind(handout.is_correct)
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
        for grant in record.grants.iter().filter(|grant| grant.points > 0) {
            let event = points_earned(
                student.member(),
                grant.kind,
                &grant.edu_id,
                grant.points,
                record.answered_at,
                self.clock.as_ref(),
            );
            outbox::append_to(connection, event).await?;
        }
        Ok(())
    }
}
