//! What answers change, written in one statement.

use chrono::{DateTime, NaiveDate, Utc};
use messaging::{NewEvent, outbox};
use serde::Serialize;
use sqlx::PgConnection;
use sqlx::types::Json;

use super::super::student::Student;
use super::facts::AnswerFacts;
use crate::domain::points::Kind;
use crate::domain::review::Memory;

/// A graded answer with what it changes; not stored yet.
pub(super) struct Answered {
    /// After the answer.
    pub(super) student: Student,
    /// With the answer in its handing-out.
    pub(super) facts: AnswerFacts,
    pub(super) record: AnswerRecord,
    /// One for every grant that has points.
    pub(super) events: Vec<NewEvent>,
}

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

/// An answer as the statement takes it.
#[derive(Serialize)]
struct AnswerRow<'a> {
    member_id: i64,
    day: NaiveDate,
    answered_at: DateTime<Utc>,
    day_points: i32,
    day_correct: i32,
    day_sets: i32,
    tried: i32,
    correct: i32,
    points: i64,
    lessons: i32,
    is_active: bool,
    completed_set: Option<i64>,
    quiz_id: &'a str,
    theme: &'a str,
    stability: f32,
    difficulty: f32,
    last_on: NaiveDate,
    due_on: NaiveDate,
    handout_id: i64,
    given: Option<&'a str>,
    is_correct: bool,
    is_counted: bool,
    quiz_points: i32,
    set_bonus: i32,
    content_version: &'a str,
}

#[derive(Serialize)]
struct GrantRow<'a> {
    member_id: i64,
    edu_id: &'a str,
    kind: &'static str,
    points: i32,
    day: NaiveDate,
    granted_at: DateTime<Utc>,
}

/// Each id is in its range. Saying so makes PostgreSQL expect one row of the record set instead of a
/// hundred, for which it would read tables of some thousand rows from end to end.
const WRITE: &str = "\
    with new as materialized ( \
      select * from jsonb_to_recordset($1) as row (member_id bigint, day date, \
      answered_at timestamptz, day_points int, day_correct int, day_sets int, tried int, \
      correct int, points bigint, lessons int, is_active bool, completed_set bigint, \
      quiz_id text, theme text, stability real, difficulty real, last_on date, due_on date, \
      handout_id bigint, given text, is_correct bool, is_counted bool, quiz_points int, \
      set_bonus int, content_version text) \
      where handout_id between 1 and 9223372036854775807), \
    day_changed as ( \
      insert into study_day (member_id, day, points, answered, correct, sets) \
      select member_id, day, day_points, 1, day_correct, day_sets from new \
      on conflict (member_id, day) do update set \
      points = study_day.points + excluded.points, \
      answered = study_day.answered + excluded.answered, \
      correct = study_day.correct + excluded.correct, \
      sets = study_day.sets + excluded.sets), \
    granted as ( \
      insert into point_grant (member_id, edu_id, kind, points, day, granted_at) \
      select member_id, edu_id, kind, points, day, granted_at \
      from jsonb_to_recordset($2) as row (member_id bigint, edu_id text, kind text, \
      points int, day date, granted_at timestamptz)), \
    counted as ( \
      update student s set tried = new.tried, correct = new.correct, points = new.points, \
      lessons = new.lessons, is_active = new.is_active \
      from new where s.member_id = new.member_id), \
    set_completed as ( \
      update quiz_set s set completed_at = new.answered_at \
      from new where s.id = new.completed_set), \
    remembered as ( \
      insert into review_card (member_id, quiz_id, theme, stability, difficulty, last_on, \
      due_on, answers) select member_id, quiz_id, theme, stability, difficulty, last_on, \
      due_on, 1 from new \
      on conflict (member_id, quiz_id) do update set stability = excluded.stability, \
      difficulty = excluded.difficulty, last_on = excluded.last_on, \
      due_on = excluded.due_on, answers = review_card.answers + 1) \
    update handout h set answered_at = new.answered_at, given = new.given, \
    is_correct = new.is_correct, is_counted = new.is_counted, points = new.quiz_points, \
    set_bonus = new.set_bonus, next_review_on = new.due_on, \
    content_version = new.content_version from new where h.id = new.handout_id";

/// Stores answers of different members, and their events.
pub(super) async fn write(
    connection: &mut PgConnection,
    answered: &mut [Answered],
) -> Result<(), sqlx::Error> {
    let rows: Vec<AnswerRow<'_>> = answered.iter().map(Answered::row).collect();
    let grants: Vec<GrantRow<'_>> = answered.iter().flat_map(Answered::grants).collect();
    sqlx::query(WRITE)
        .bind(Json(rows))
        .bind(Json(grants))
        .execute(&mut *connection)
        .await?;
    let events = answered
        .iter_mut()
        .flat_map(|answered| std::mem::take(&mut answered.events));
    outbox::append_all(connection, events).await
}

impl AnswerRecord {
    /// The points of all its grants.
    pub(super) fn points(&self) -> i32 {
        self.grants.iter().map(|grant| grant.points).sum()
    }
}

impl Answered {
    fn row(&self) -> AnswerRow<'_> {
        let Self {
            student,
            facts,
            record,
            ..
        } = self;
        let handout = &facts.handout;
        AnswerRow {
            member_id: student.member_id,
            day: record.day,
            answered_at: record.answered_at,
            day_points: record.points(),
            day_correct: record.is_correct.into(),
            day_sets: record.completes_set.into(),
            tried: student.tried,
            correct: student.correct,
            points: student.points,
            lessons: student.lessons,
            is_active: student.is_active,
            completed_set: handout.set_id.filter(|_| record.completes_set),
            quiz_id: &handout.edu_id,
            theme: &record.theme,
            stability: record.memory.stability,
            difficulty: record.memory.difficulty,
            last_on: record.memory.last_on,
            due_on: record.due_on,
            handout_id: handout.id,
            given: handout.given.as_deref(),
            is_correct: record.is_correct,
            is_counted: record.is_counted,
            quiz_points: handout.points,
            set_bonus: handout.set_bonus,
            content_version: &record.content_version,
        }
    }

    fn grants(&self) -> impl Iterator<Item = GrantRow<'_>> {
        self.record.grants.iter().map(|grant| GrantRow {
            member_id: self.student.member_id,
            edu_id: &grant.edu_id,
            kind: grant.kind.as_str(),
            points: grant.points,
            day: self.record.day,
            granted_at: self.record.answered_at,
        })
    }
}
