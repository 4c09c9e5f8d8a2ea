//! What a member has done.

use std::collections::BTreeMap;

use chrono::{Datelike, NaiveDate};
use kernel::MemberId;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use sqlx::PgConnection;

use super::Store;
use super::sets::is_day_done;
use super::streaks::StreakView;
use super::student::{Student, Totals};
use crate::domain::calendar::next;
use crate::domain::review::{DAILY_REVIEWS, Memory, retrievability};
use crate::domain::selection::SET_SIZE;
use crate::error::StudyError;

/// What a member has done today, and so far.
#[derive(Clone, Debug)]
pub struct Progress {
    pub day: NaiveDate,
    pub random: SetProgress,
    /// In the order of opening.
    pub theme_sets: Vec<SetProgress>,
    /// Points of the day that count toward the cap.
    pub points: i32,
    pub is_day_done: bool,
    pub streak: StreakView,
    /// In teaching order.
    pub themes: Vec<ThemeProgress>,
    pub reviews_due: usize,
    /// After today.
    pub next_review_on: Option<NaiveDate>,
    pub totals: Totals,
    pub lessons: i32,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SetProgress {
    /// 0 before it is opened.
    pub id: i64,
    pub theme: String,
    pub done: i32,
    pub total: i32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThemeProgress {
    pub theme: String,
    /// Quizzes answered.
    pub done: i32,
    /// Mean probability in percent that a quiz is remembered; 0 for those never answered.
    pub mastery: i32,
}

/// What was done on a day.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CalendarRow {
    pub points: i32,
    pub answered: i32,
    pub correct: i32,
    pub sets: i32,
    pub articles: i32,
    /// How the day was judged; empty before.
    pub streak: String,
}

#[derive(sqlx::FromRow)]
struct SetRow {
    id: i64,
    kind: String,
    theme: String,
    done: i64,
    total: i64,
}

#[derive(sqlx::FromRow)]
struct CardRow {
    quiz_id: String,
    theme: String,
    stability: f32,
    difficulty: f32,
    last_on: NaiveDate,
    due_on: NaiveDate,
}

#[derive(sqlx::FromRow)]
struct DayRow {
    day: NaiveDate,
    points: i32,
    answered: i32,
    correct: i32,
    sets: i32,
    articles: i32,
}

impl Store {
    /// What a member has learned by now; all zero for one who has answered nothing.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn progress(&self, member: MemberId) -> Result<Progress, StudyError> {
        let today = self.clock.today_kst();
        let mut transaction = self.pool.begin().await?;
        let connection: &mut PgConnection = &mut transaction;
        let student = Student::find(connection, member).await?;
        let (random, theme_sets) = sets_of(connection, member, today).await?;
        let points: Option<i32> =
            sqlx::query_scalar("select points from study_day where member_id = $1 and day = $2")
                .bind(member.0)
                .bind(today)
                .fetch_optional(&mut *connection)
                .await?;
        let mut cards: Vec<CardRow> = sqlx::query_as(
            "select quiz_id, theme, stability, difficulty, last_on, due_on from review_card \
             where member_id = $1",
        )
        .bind(member.0)
        .fetch_all(&mut *connection)
        .await?;
        cards.retain(|card| self.library.lesson(&card.quiz_id).is_some());
        let reviewed: i64 = sqlx::query_scalar(
            "select count(*) from handout where member_id = $1 and day = $2 \
             and kind = 'REVIEW' and answered_at is not null",
        )
        .bind(member.0)
        .bind(today)
        .fetch_one(&mut *connection)
        .await?;
        let left = DAILY_REVIEWS.saturating_sub(usize::try_from(reviewed).unwrap_or(usize::MAX));
        let due = cards.iter().filter(|card| card.due_on <= today).count();
        let later = cards.iter().map(|card| card.due_on);
        // What exceeds today's reviews is due tomorrow.
        let next_review_on = if due > left {
            Some(next(today))
        } else {
            later.filter(|due| *due > today).min()
        };
        let progress = Progress {
            day: today,
            random,
            theme_sets,
            points: points.unwrap_or_default(),
            is_day_done: is_day_done(connection, member, today).await?,
            streak: self.streak_view(connection, member).await?,
            themes: self.themes_of(&cards, today),
            reviews_due: due.min(left),
            next_review_on,
            totals: student.as_ref().map(Student::totals).unwrap_or_default(),
            lessons: student.map(|student| student.lessons).unwrap_or_default(),
        };
        transaction.commit().await?;
        Ok(progress)
    }

    /// What was done in the month of `first`, by day.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn calendar(
        &self,
        member: MemberId,
        first: NaiveDate,
    ) -> Result<BTreeMap<NaiveDate, CalendarRow>, StudyError> {
        let mut end = first;
        while end.month() == first.month() && next(end) > end {
            end = next(end);
        }
        let rows: Vec<DayRow> = sqlx::query_as(
            "select day, points, answered, correct, sets, articles from study_day \
             where member_id = $1 and day >= $2 and day < $3",
        )
        .bind(member.0)
        .bind(first)
        .bind(end)
        .fetch_all(&self.pool)
        .await?;
        let judged: Vec<(NaiveDate, String)> = sqlx::query_as(
            "select day, reason from streak_change where member_id = $1 and day >= $2 \
             and day < $3 and reason not in ('FREEZE_EARNED', 'FREEZE_BOUGHT') order by id",
        )
        .bind(member.0)
        .bind(first)
        .bind(end)
        .fetch_all(&self.pool)
        .await?;
        let mut days: BTreeMap<NaiveDate, CalendarRow> = BTreeMap::new();
        for row in rows {
            let work = CalendarRow {
                points: row.points,
                answered: row.answered,
                correct: row.correct,
                sets: row.sets,
                articles: row.articles,
                streak: String::new(),
            };
            days.insert(row.day, work);
        }
        for (day, reason) in judged {
            days.entry(day).or_default().streak = reason;
        }
        Ok(days)
    }

    fn themes_of(&self, cards: &[CardRow], today: NaiveDate) -> Vec<ThemeProgress> {
        let themes = self.library.themes().iter().map(|theme| {
            let of_theme = || cards.iter().filter(|card| card.theme == theme.id);
            let remembered: Decimal = of_theme().map(|card| card.remembered(today)).sum();
            let total = self.library.lessons_of(&theme.id).count();
            let mean = remembered.checked_div(Decimal::from(total));
            ThemeProgress {
                theme: theme.id.clone(),
                done: i32::try_from(of_theme().count()).unwrap_or(i32::MAX),
                mastery: mean
                    .and_then(|mean| mean.round().to_i32())
                    .unwrap_or_default(),
            }
        });
        themes.collect()
    }
}

impl CardRow {
    fn remembered(&self, today: NaiveDate) -> Decimal {
        let memory = Memory {
            stability: self.stability,
            difficulty: self.difficulty,
            last_on: self.last_on,
        };
        retrievability(&memory, today)
    }
}

/// The random set and the theme sets of a day.
async fn sets_of(
    connection: &mut PgConnection,
    member: MemberId,
    day: NaiveDate,
) -> Result<(SetProgress, Vec<SetProgress>), sqlx::Error> {
    let rows: Vec<SetRow> = sqlx::query_as(
        "select s.id, s.kind, s.theme, count(h.answered_at) as done, count(h.id) as total \
         from quiz_set s join handout h on h.set_id = s.id \
         where s.member_id = $1 and s.day = $2 group by s.id order by s.id",
    )
    .bind(member.0)
    .bind(day)
    .fetch_all(connection)
    .await?;
    let size = |count: i64| i32::try_from(count).unwrap_or(i32::MAX);
    let mut random = SetProgress {
        total: i32::try_from(SET_SIZE).unwrap_or_default(),
        ..SetProgress::default()
    };
    let mut theme_sets = Vec::new();
    for row in rows {
        let set = SetProgress {
            id: row.id,
            theme: row.theme,
            done: size(row.done),
            total: size(row.total),
        };
        if row.kind == "RANDOM" {
            random = set;
        } else {
            theme_sets.push(set);
        }
    }
    Ok((random, theme_sets))
}
