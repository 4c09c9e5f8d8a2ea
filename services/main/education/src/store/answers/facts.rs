//! Everything that answers depend on, read in one statement under the locks of the members.

use chrono::NaiveDate;
use sqlx::PgConnection;

use super::super::sets::HandoutRow;
use super::super::student::Student;
use super::Answer;
use crate::domain::review::Memory;
use crate::library::Library;

#[derive(sqlx::FromRow)]
pub(super) struct AnswerFacts {
    #[sqlx(flatten)]
    pub(super) handout: HandoutRow,
    set_kind: Option<String>,
    set_theme: Option<String>,
    set_earns: Option<bool>,
    set_is_complete: bool,
    /// Other quizzes of the set without an answer in time.
    set_open: Vec<String>,
    /// Points of the day of the handing-out, toward its cap.
    pub(super) day_points: i32,
    /// Points of this quiz were granted before, by another handing-out.
    pub(super) is_granted: bool,
    pub(super) is_bonus_granted: bool,
    stability: Option<f32>,
    difficulty: Option<f32>,
    last_on: Option<NaiveDate>,
    pub(super) card_answers: Option<i32>,
    /// The rest day that holds today, 1 to 7.
    pub(super) rest_weekday: Option<i16>,
    /// Days after the last judged one on which a set was completed.
    pub(super) done_days: Vec<NaiveDate>,
}

/// The set of a question.
pub(super) struct SetState {
    pub(super) earns: bool,
    /// Its last open quiz is the one of this answer.
    pub(super) is_completed_by_this: bool,
    /// What the bonus of the set is granted for.
    pub(super) bonus_id: String,
}

#[derive(sqlx::FromRow)]
struct Row {
    /// As JSON, because its columns have the names of others.
    #[sqlx(json)]
    student: Student,
    #[sqlx(flatten)]
    facts: AnswerFacts,
}

const READ: &str = "\
    select to_jsonb(m) as student, h.*, s.kind as set_kind, s.theme as set_theme, s.earns as set_earns, \
      s.completed_at is not null as set_is_complete, \
      array(select o.edu_id from handout o where o.set_id = h.set_id and o.id <> h.id \
       and o.is_counted is not true) as set_open, \
      coalesce((select points from study_day d where d.member_id = h.member_id \
       and d.day = h.day), 0) as day_points, \
      exists (select from point_grant g where g.member_id = h.member_id and g.edu_id = h.edu_id \
       and g.kind = 'QUIZ') as is_granted, \
      exists (select from point_grant g where g.member_id = h.member_id \
       and g.edu_id = s.kind || ':' || s.theme || ':' || to_char(h.day, 'YYYY-MM-DD') \
       and g.kind = 'SET') as is_bonus_granted, \
      c.stability, c.difficulty, c.last_on, c.answers as card_answers, \
      (select weekday from rest_day r where r.member_id = h.member_id and r.from_day <= $3 \
       order by from_day desc limit 1) as rest_weekday, \
      array(select day from study_day t where t.member_id = h.member_id and t.day > m.judged_on \
       and t.sets > 0 order by day) as done_days \
    from unnest($1::bigint[], $2::bigint[]) as asked (handout_id, member_id) \
    join handout h on h.id = asked.handout_id and h.member_id = asked.member_id \
    join student m on m.member_id = h.member_id \
    left join quiz_set s on s.id = h.set_id \
    left join lateral (select * from review_card c where c.member_id = h.member_id \
      and c.quiz_id = h.edu_id limit 1) c on true";

impl AnswerFacts {
    /// Reads the facts of each answer whose handing-out is its member's.
    pub(super) async fn read(
        connection: &mut PgConnection,
        answers: &[&Answer],
        today: NaiveDate,
    ) -> Result<Vec<(Student, Self)>, sqlx::Error> {
        let handouts: Vec<i64> = answers.iter().map(|answer| answer.handout).collect();
        let members: Vec<i64> = answers.iter().map(|answer| answer.member.0).collect();
        let rows: Vec<Row> = sqlx::query_as(READ)
            .bind(handouts)
            .bind(members)
            .bind(today)
            .fetch_all(connection)
            .await?;
        Ok(rows
            .into_iter()
            .map(|row| (row.student, row.facts))
            .collect())
    }

    pub(super) fn memory(&self) -> Option<Memory> {
        Some(Memory {
            stability: self.stability?,
            difficulty: self.difficulty?,
            last_on: self.last_on?,
        })
    }

    /// A quiz that the content no longer has is not waited for.
    pub(super) fn set(&self, library: &Library) -> Option<SetState> {
        let (kind, theme) = (self.set_kind.as_ref()?, self.set_theme.as_ref()?);
        Some(SetState {
            earns: self.set_earns?,
            is_completed_by_this: !self.set_is_complete
                && !self
                    .set_open
                    .iter()
                    .any(|quiz| library.lesson(quiz).is_some()),
            bonus_id: format!("{kind}:{theme}:{}", self.handout.day),
        })
    }

    pub(super) fn note_done(&mut self, day: NaiveDate) {
        if !self.done_days.contains(&day) {
            self.done_days.push(day);
        }
    }
}
