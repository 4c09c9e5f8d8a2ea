//! Answers: graded once for each handing-out, with points, review and streak.

use chrono::{DateTime, NaiveDate, Utc};
use kernel::MemberId;
use sqlx::PgConnection;

use super::Store;
use super::grants::{DayWork, Grant};
use super::sets::{HandoutRow, is_day_done};
use super::streaks::{open_done_days, rest_weekday};
use super::student::{Student, Totals};
use crate::domain::calendar::{day_of, is_in_time};
use crate::domain::grading::{distinct, grade};
use crate::domain::points::{CORRECT, Kind, SET_BONUS, WRONG};
use crate::domain::review::{Memory, schedule};
use crate::domain::selection::seed;
use crate::error::StudyError;
use crate::library::Lesson;

/// What a member answers.
#[derive(Clone, Debug)]
pub struct Answer {
    pub member: MemberId,
    /// The handing-out.
    pub handout: i64,
    /// Keys of options, or the word of a survey.
    pub given: Vec<String>,
    pub is_survey: bool,
    /// When the client says that it was given.
    pub claimed_at: Option<DateTime<Utc>>,
}

/// An answer as it was graded.
#[derive(Clone, Debug)]
pub struct Graded {
    pub handout: HandoutRow,
    /// Of this answer; a wrong answer to the question of an article is not stored.
    pub is_correct: bool,
    pub points: i32,
    pub totals: Totals,
    /// With completed days that are not judged yet.
    pub streak: i32,
    pub is_day_done: bool,
    pub is_replay: bool,
}

#[derive(sqlx::FromRow)]
struct SetState {
    kind: String,
    theme: String,
    earns: bool,
    /// Other quizzes of the set without an answer in time.
    open: i64,
}

#[derive(sqlx::FromRow)]
struct CardRow {
    stability: f32,
    difficulty: f32,
    last_on: NaiveDate,
    answers: i32,
}

impl Store {
    /// # Errors
    /// [`StudyError::NotFound`] for a handing-out that is not the member's, and the reasons for which
    /// an answer is not graded; then nothing changes.
    pub async fn answer(&self, answer: &Answer) -> Result<Graded, StudyError> {
        let now = self.clock.now();
        let today = day_of(now);
        let mut transaction = self.begin().await?;
        let mut student = Student::lock(&mut transaction, answer.member, today).await?;
        let handout: HandoutRow =
            sqlx::query_as("select * from handout where id = $1 and member_id = $2")
                .bind(answer.handout)
                .bind(answer.member.0)
                .fetch_optional(&mut *transaction)
                .await?
                .ok_or(StudyError::NotFound)?;
        let is_article = handout.kind == "ARTICLE";
        let (handout, is_correct, points, is_replay) = if is_article {
            self.answer_article(&mut transaction, &mut student, handout, answer)
                .await?
        } else {
            self.answer_quiz(&mut transaction, &mut student, handout, answer)
                .await?
        };
        let done = open_done_days(&mut transaction, &student).await?;
        let graded = Graded {
            handout,
            is_correct,
            points,
            totals: student.totals(),
            streak: student.streak().with_open_days(done.len()),
            is_day_done: is_day_done(&mut transaction, answer.member, today).await?,
            is_replay,
        };
        transaction.commit().await?;
        Ok(graded)
    }

    async fn answer_quiz(
        &self,
        connection: &mut PgConnection,
        student: &mut Student,
        mut handout: HandoutRow,
        answer: &Answer,
    ) -> Result<(HandoutRow, bool, i32, bool), StudyError> {
        if answer.is_survey {
            return Err(StudyError::InvalidAnswer);
        }
        if let Some(is_correct) = handout.is_correct {
            let points = handout.points;
            return Ok((handout, is_correct, points, true));
        }
        let lesson = self
            .library
            .lesson(&handout.edu_id)
            .ok_or(StudyError::NotFound)?;
        let right = lesson.answer();
        let is_correct = grade(&answer.given, &right, lesson.quiz.options.len())
            .map_err(|error| StudyError::invalid(error, right.len()))?;

        let now = self.clock.now();
        let today = day_of(now);
        self.judge(connection, student, now).await?;
        student.count_answer(is_correct);
        let is_counted = handout.set_id.is_some()
            && is_in_time(handout.day, handout.handed_at, answer.claimed_at, now)
            && handout.day > student.streak().judged;
        let day = if is_counted { handout.day } else { today };
        let work = DayWork {
            answered: 1,
            correct: i32::from(is_correct),
            ..DayWork::default()
        };
        self.note_work(connection, student, day, work).await?;
        if is_counted && let Some(set_id) = handout.set_id {
            let graded = (is_correct, now);
            self.count_in_set(connection, student, &mut handout, set_id, graded)
                .await?;
        }
        handout.next_review_on = Some(
            self.remember(connection, student.member(), lesson, is_correct, today)
                .await?,
        );
        handout.answered_at = Some(now);
        handout.given = Some(distinct(&answer.given).join("|"));
        handout.is_correct = Some(is_correct);
        store_answer(connection, &handout, is_counted, &lesson.version).await?;
        student.save(connection).await?;
        let points = handout.points;
        Ok((handout, is_correct, points, false))
    }

    /// Grants the points of an answer in time, and completes its set with the last one.
    async fn count_in_set(
        &self,
        connection: &mut PgConnection,
        student: &mut Student,
        handout: &mut HandoutRow,
        set_id: i64,
        (is_correct, now): (bool, DateTime<Utc>),
    ) -> Result<(), StudyError> {
        let set: SetState = sqlx::query_as(
            "select kind, theme, earns, (select count(*) from handout h where h.set_id = s.id \
             and h.id <> $2 and h.is_counted is not true) as open from quiz_set s where id = $1",
        )
        .bind(set_id)
        .bind(handout.id)
        .fetch_one(&mut *connection)
        .await?;
        let day = handout.day;
        if set.earns {
            let grant = Grant {
                kind: Kind::Quiz,
                edu_id: &handout.edu_id,
                wanted: if is_correct { CORRECT } else { WRONG },
                day,
                earned_at: now,
            };
            handout.points = self.grant(connection, student, grant).await?;
        }
        if set.open > 0 {
            return Ok(());
        }
        sqlx::query("update quiz_set set completed_at = $2 where id = $1")
            .bind(set_id)
            .bind(now)
            .execute(&mut *connection)
            .await?;
        let work = DayWork {
            sets: 1,
            ..DayWork::default()
        };
        self.note_work(connection, student, day, work).await?;
        student.lessons = student.lessons.saturating_add(1);
        student.is_active = true;
        if set.earns {
            let edu_id = format!("{}:{}:{day}", set.kind, set.theme);
            let grant = Grant {
                kind: Kind::Set,
                edu_id: &edu_id,
                wanted: SET_BONUS,
                day,
                earned_at: now,
            };
            handout.set_bonus = self.grant(connection, student, grant).await?;
        }
        Ok(())
    }

    /// Schedules the next review and returns its day.
    async fn remember(
        &self,
        connection: &mut PgConnection,
        member: MemberId,
        lesson: &Lesson,
        is_correct: bool,
        today: NaiveDate,
    ) -> Result<NaiveDate, StudyError> {
        let quiz = &lesson.quiz;
        let card: Option<CardRow> = sqlx::query_as(
            "select stability, difficulty, last_on, answers from review_card \
             where member_id = $1 and quiz_id = $2",
        )
        .bind(member.0)
        .bind(&quiz.id)
        .fetch_optional(&mut *connection)
        .await?;
        let answers = card.as_ref().map_or(0, |card| card.answers);
        let memory = card.map(|card| Memory {
            stability: card.stability,
            difficulty: card.difficulty,
            last_on: card.last_on,
        });
        let rest = rest_weekday(connection, member, today).await?;
        let seed = seed(member, today, &format!("{}:{answers}", quiz.id));
        let next = schedule(memory, is_correct, today, seed, rest).ok_or(StudyError::Schedule)?;
        sqlx::query(
            "insert into review_card (member_id, quiz_id, theme, stability, difficulty, last_on, \
             due_on, answers) values ($1, $2, $3, $4, $5, $6, $7, $8) \
             on conflict (member_id, quiz_id) do update set stability = excluded.stability, \
             difficulty = excluded.difficulty, last_on = excluded.last_on, \
             due_on = excluded.due_on, answers = excluded.answers",
        )
        .bind(member.0)
        .bind(&quiz.id)
        .bind(&quiz.theme)
        .bind(next.memory.stability)
        .bind(next.memory.difficulty)
        .bind(next.memory.last_on)
        .bind(next.due_on)
        .bind(answers.saturating_add(1))
        .execute(connection)
        .await?;
        Ok(next.due_on)
    }
}

async fn store_answer(
    connection: &mut PgConnection,
    handout: &HandoutRow,
    is_counted: bool,
    version: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update handout set answered_at = $2, given = $3, is_correct = $4, is_counted = $5, \
         points = $6, set_bonus = $7, next_review_on = $8, content_version = $9 where id = $1",
    )
    .bind(handout.id)
    .bind(handout.answered_at)
    .bind(&handout.given)
    .bind(handout.is_correct)
    .bind(is_counted)
    .bind(handout.points)
    .bind(handout.set_bonus)
    .bind(handout.next_review_on)
    .bind(version)
    .execute(connection)
    .await?;
    Ok(())
}
