use chrono::{DateTime, TimeDelta, Utc};
use kernel::MemberId;
use sqlx::PgConnection;

use super::Store;
use super::answers::Answer;
use super::grants::Grant;
use super::sets::HandoutRow;
use super::student::Student;
use crate::domain::calendar::day_of;
use crate::domain::grading::grade;
use crate::domain::points::{ARTICLE, Kind, SURVEY};
use crate::error::StudyError;

/// How long a reading is open before it can be completed.
const LEAST_READING: TimeDelta = TimeDelta::seconds(30);
const SURVEYS: [&str; 2] = ["GOOD", "BAD"];

/// An article that a member has completed.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct CompletedArticle {
    pub edu_id: String,
    pub answered_at: DateTime<Utc>,
}

/// A member's reading of an article.
#[derive(Clone, Debug)]
pub struct ReadingRow {
    pub id: i64,
    pub completed_at: Option<DateTime<Utc>>,
    pub survey: Option<String>,
    /// Until it can be completed; 0 when it can.
    pub seconds_left: i64,
}

impl Store {
    /// Opens a reading, or returns the one that is open.
    ///
    /// # Errors
    /// [`StudyError::NotFound`] for an unknown article.
    pub async fn open_reading(
        &self,
        member: MemberId,
        article: &str,
    ) -> Result<ReadingRow, StudyError> {
        let now = self.clock.now();
        self.library.reading(article).ok_or(StudyError::NotFound)?;
        sqlx::query(
            "insert into handout (member_id, kind, edu_id, day, handed_at) \
             values ($1, 'ARTICLE', $2, $3, $4) on conflict do nothing",
        )
        .bind(member.0)
        .bind(article)
        .bind(day_of(now))
        .bind(now)
        .execute(&self.pool)
        .await?;
        let reading = self.reading(member, article).await?;
        reading.ok_or(StudyError::NotFound)
    }

    /// `None` before the article was opened.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn reading(
        &self,
        member: MemberId,
        article: &str,
    ) -> Result<Option<ReadingRow>, StudyError> {
        let row: Option<HandoutRow> = sqlx::query_as(
            "select * from handout where member_id = $1 and edu_id = $2 and kind = 'ARTICLE'",
        )
        .bind(member.0)
        .bind(article)
        .fetch_optional(&self.pool)
        .await?;
        let now = self.clock.now();
        Ok(row.map(|row| ReadingRow {
            id: row.id,
            completed_at: row.answered_at,
            seconds_left: seconds_left(&row, now),
            survey: row.survey,
        }))
    }

    /// Completed articles, newest first.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn completed_articles(
        &self,
        member: MemberId,
    ) -> Result<Vec<CompletedArticle>, StudyError> {
        // Bounded by the number of articles.
        let rows = sqlx::query_as(
            "select edu_id, answered_at from handout where member_id = $1 and kind = 'ARTICLE' \
             and answered_at is not null order by answered_at desc, id desc",
        )
        .bind(member.0)
        .fetch_all(&self.pool)
        .await?;
        Ok(rows)
    }

    /// The answer to its question, or the survey.
    pub(super) async fn answer_article(
        &self,
        connection: &mut PgConnection,
        student: &mut Student,
        mut handout: HandoutRow,
        answer: &Answer,
    ) -> Result<(HandoutRow, bool, i32, bool), StudyError> {
        let reading = self.library.reading(&handout.edu_id);
        let reading = reading.ok_or(StudyError::NotFound)?;
        if answer.is_survey {
            return self.take_survey(connection, student, handout, answer).await;
        }
        if handout.answered_at.is_some() {
            let points = handout.points;
            return Ok((handout, true, points, true));
        }
        let right = [reading.answer()];
        let is_correct = grade(&answer.given, &right, reading.article.check.options.len())
            .map_err(|error| StudyError::invalid(error, right.len()))?;
        let now = self.clock.now();
        let seconds_left = seconds_left(&handout, now);
        if seconds_left > 0 {
            return Err(StudyError::ReadingTooShort { seconds_left });
        }
        if !is_correct {
            return Ok((handout, false, 0, false));
        }
        let day = day_of(now);
        let grant = Grant {
            kind: Kind::Article,
            edu_id: &handout.edu_id,
            wanted: ARTICLE,
            day,
            earned_at: now,
        };
        let points = self.grant(connection, student, grant).await?;
        self.note_article(connection, student, day).await?;
        student.lessons = student.lessons.saturating_add(1);
        student.save(connection).await?;
        handout.answered_at = Some(now);
        handout.is_correct = Some(true);
        handout.points = points;
        sqlx::query(
            "update handout set answered_at = $2, given = $3, is_correct = true, points = $4 \
             where id = $1",
        )
        .bind(handout.id)
        .bind(now)
        .bind(answer.given.join("|"))
        .bind(points)
        .execute(connection)
        .await?;
        Ok((handout, true, points, false))
    }

    /// The first survey counts.
    async fn take_survey(
        &self,
        connection: &mut PgConnection,
        student: &mut Student,
        mut handout: HandoutRow,
        answer: &Answer,
    ) -> Result<(HandoutRow, bool, i32, bool), StudyError> {
        let [word] = answer.given.as_slice() else {
            return Err(StudyError::InvalidAnswer);
        };
        if !SURVEYS.contains(&word.as_str()) {
            return Err(StudyError::InvalidAnswer);
        }
        if handout.answered_at.is_none() {
            return Err(StudyError::ArticleNotCompleted);
        }
        if handout.survey.is_some() {
            let points = handout.set_bonus;
            return Ok((handout, true, points, true));
        }
        let now = self.clock.now();
        let grant = Grant {
            kind: Kind::Survey,
            edu_id: &handout.edu_id,
            wanted: SURVEY,
            day: day_of(now),
            earned_at: now,
        };
        let points = self.grant(connection, student, grant).await?;
        student.save(connection).await?;
        // The second grant of an article is the survey's.
        sqlx::query("update handout set survey = $2, set_bonus = $3 where id = $1")
            .bind(handout.id)
            .bind(word)
            .bind(points)
            .execute(connection)
            .await?;
        handout.survey = Some(word.clone());
        Ok((handout, true, points, false))
    }
}

fn seconds_left(handout: &HandoutRow, now: DateTime<Utc>) -> i64 {
    let left = handout.handed_at + LEAST_READING - now;
    left.num_milliseconds().max(0).div_euclid(1_000)
        + i64::from(left.num_milliseconds().max(0).rem_euclid(1_000) > 0)
}
