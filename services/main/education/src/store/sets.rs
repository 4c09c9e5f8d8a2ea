//! Sets and reviews of a day.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, NaiveDate, Utc};
use kernel::MemberId;
use sqlx::PgConnection;

use super::student::{Student, Totals};
use super::{Store, StudentTransaction};
use crate::domain::points::EARNING_THEME_SETS;
use crate::domain::review::DAILY_REVIEWS;
use crate::domain::selection::{Answered, Candidate, choose};
use crate::error::StudyError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetKind {
    Random,
    Theme,
    Review,
}

impl SetKind {
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Random => "RANDOM",
            Self::Theme => "THEME",
            Self::Review => "REVIEW",
        }
    }
}

/// One handing-out of a quiz or an article.
#[derive(Clone, Debug, sqlx::FromRow)]
pub struct HandoutRow {
    pub id: i64,
    pub kind: String,
    pub edu_id: String,
    pub set_id: Option<i64>,
    pub day: NaiveDate,
    pub handed_at: DateTime<Utc>,
    pub answered_at: Option<DateTime<Utc>>,
    /// Keys joined by a vertical bar.
    pub given: Option<String>,
    pub is_correct: Option<bool>,
    pub points: i32,
    pub set_bonus: i32,
    pub next_review_on: Option<NaiveDate>,
    pub survey: Option<String>,
}

/// A set as it is handed out.
#[derive(Clone, Debug)]
pub struct OpenSet {
    /// 0 for reviews.
    pub id: i64,
    pub kind: SetKind,
    pub day: NaiveDate,
    pub earns: bool,
    pub handouts: Vec<HandoutRow>,
    pub totals: Totals,
    /// Whether a set of the day is complete.
    pub is_day_done: bool,
}

impl OpenSet {
    /// Reviews, which are asked until they are remembered and not for points; what their transaction
    /// has written is kept.
    pub(super) async fn commit_without_points(
        (mut transaction, student): StudentTransaction,
        member: MemberId,
        day: NaiveDate,
        handouts: Vec<HandoutRow>,
    ) -> Result<Self, StudyError> {
        let is_day_done = is_day_done(&mut transaction, member, day).await?;
        transaction.commit().await?;
        Ok(Self {
            id: 0,
            kind: SetKind::Review,
            day,
            earns: false,
            handouts,
            totals: student.totals(),
            is_day_done,
        })
    }
}

#[derive(sqlx::FromRow)]
struct SetRow {
    id: i64,
    earns: bool,
}

#[derive(sqlx::FromRow)]
struct CardRow {
    quiz_id: String,
    last_on: NaiveDate,
    due_on: NaiveDate,
}

impl Store {
    /// Today's random set; the first call of a day stores it.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn open_random_set(&self, member: MemberId) -> Result<OpenSet, StudyError> {
        self.open_set(member, SetKind::Random, "").await
    }

    /// Today's set of a theme; an empty one stands for the first that the member wants.
    ///
    /// # Errors
    /// [`StudyError::NotFound`] for an unknown theme.
    pub async fn open_theme_set(
        &self,
        member: MemberId,
        theme: &str,
    ) -> Result<OpenSet, StudyError> {
        let found = match theme {
            "" => {
                let wanted = self.quiz_filter(member).await?.themes;
                let wanted = wanted.first().and_then(|theme| self.library.theme(theme));
                wanted.or_else(|| self.library.themes().first())
            }
            theme => self.library.theme(theme),
        };
        let theme = found.ok_or(StudyError::NotFound)?;
        self.open_set(member, SetKind::Theme, &theme.id).await
    }

    /// The cards that are due today, with those already handed out.
    ///
    /// # Errors
    /// [`StudyError::Database`].
    pub async fn open_reviews(&self, member: MemberId) -> Result<OpenSet, StudyError> {
        let now = self.clock.now();
        let today = self.clock.today_kst();
        let (mut transaction, student) = self.begin(member, today).await?;
        sqlx::query(
            "insert into handout (member_id, kind, edu_id, day, handed_at) \
             select $1, 'REVIEW', quiz_id, $2, $3 from review_card c \
             where member_id = $1 and due_on <= $2 and quiz_id = any($5) and not exists (select from handout h \
             where h.member_id = $1 and h.day = $2 and h.kind in ('REVIEW', 'CARD') \
             and h.edu_id = c.quiz_id) \
             order by due_on, quiz_id limit greatest(0, $4 - (select count(*) from handout h \
             where h.member_id = $1 and h.day = $2 and h.kind = 'REVIEW'))",
        )
        .bind(member.0)
        .bind(today)
        .bind(now)
        .bind(i64::try_from(DAILY_REVIEWS).unwrap_or(i64::MAX))
        .bind(self.library.quiz_ids().collect::<Vec<&str>>())
        .execute(&mut *transaction)
        .await?;
        let handouts = sqlx::query_as(
            "select * from handout where member_id = $1 and day = $2 and kind = 'REVIEW' \
             order by id",
        )
        .bind(member.0)
        .bind(today)
        .fetch_all(&mut *transaction)
        .await?;
        OpenSet::commit_without_points((transaction, student), member, today, handouts).await
    }

    async fn open_set(
        &self,
        member: MemberId,
        kind: SetKind,
        theme: &str,
    ) -> Result<OpenSet, StudyError> {
        let today = self.clock.today_kst();
        let mut connection = self.pool.acquire().await?;
        let set = match find_set(&mut connection, member, today, kind, theme).await? {
            Some(set) => set,
            None => {
                drop(connection);
                let set = self.store_set(member, today, kind, theme).await?;
                connection = self.pool.acquire().await?;
                set
            }
        };
        let student = Student::find(&mut connection, member).await?;
        let handouts = sqlx::query_as("select * from handout where set_id = $1 order by place")
            .bind(set.id)
            .fetch_all(&mut *connection)
            .await?;
        let is_day_done = is_day_done(&mut connection, member, today).await?;
        Ok(OpenSet {
            id: set.id,
            kind,
            day: today,
            earns: set.earns,
            handouts,
            totals: student.map(|student| student.totals()).unwrap_or_default(),
            is_day_done,
        })
    }

    fn candidates(&self) -> Vec<Candidate<'_>> {
        let themes = self.library.themes().iter();
        let lessons = themes.flat_map(|theme| self.library.lessons_of(&theme.id));
        let candidates = lessons.map(|lesson| Candidate {
            id: &lesson.quiz.id,
            theme: &lesson.quiz.theme,
            level: lesson.level(),
        });
        candidates.collect()
    }

    async fn store_set(
        &self,
        member: MemberId,
        today: NaiveDate,
        kind: SetKind,
        theme: &str,
    ) -> Result<SetRow, StudyError> {
        let mut transaction = self.begin_locked(member, today).await?;
        // Another call may have stored it meanwhile.
        let stored = find_set(&mut transaction, member, today, kind, theme).await?;
        if let Some(set) = stored {
            return Ok(set);
        }
        let chosen = self
            .choose_quizzes(&mut transaction, member, today, kind, theme)
            .await?;
        let now = self.clock.now();
        let set: SetRow = sqlx::query_as(
            "insert into quiz_set (member_id, day, kind, theme, earns, handed_at) \
             select $1, $2, $3, $4, $3 <> 'THEME' or count(*) < $6, $5 from quiz_set \
             where member_id = $1 and day = $2 and kind = 'THEME' returning id, earns",
        )
        .bind(member.0)
        .bind(today)
        .bind(kind.as_str())
        .bind(theme)
        .bind(now)
        .bind(EARNING_THEME_SETS)
        .fetch_one(&mut *transaction)
        .await?;
        sqlx::query(
            "insert into handout (member_id, kind, edu_id, set_id, place, day, handed_at) \
             select $1, 'QUIZ', edu_id, $2, place, $3, $4 \
             from unnest($5::text[]) with ordinality as chosen (edu_id, place)",
        )
        .bind(member.0)
        .bind(set.id)
        .bind(today)
        .bind(now)
        .bind(chosen)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(set)
    }

    /// Ids of the quizzes of a new set, by what the member has answered and wants.
    async fn choose_quizzes(
        &self,
        connection: &mut PgConnection,
        member: MemberId,
        today: NaiveDate,
        kind: SetKind,
        theme: &str,
    ) -> Result<Vec<&str>, StudyError> {
        let cards: Vec<CardRow> =
            sqlx::query_as("select quiz_id, last_on, due_on from review_card where member_id = $1")
                .bind(member.0)
                .fetch_all(&mut *connection)
                .await?;
        let handed: Vec<String> = sqlx::query_scalar(
            "select edu_id from handout where member_id = $1 and day = $2 and kind = 'QUIZ'",
        )
        .bind(member.0)
        .bind(today)
        .fetch_all(&mut *connection)
        .await?;
        let answered = cards.into_iter().map(|card| {
            let answered = Answered {
                last_on: card.last_on,
                due_on: card.due_on,
            };
            (card.quiz_id, answered)
        });
        let answered: HashMap<String, Answered> = answered.collect();
        let handed: HashSet<String> = handed.into_iter().collect();
        let mut filter = self.quiz_filter_in(&mut *connection, member).await?;
        if kind == SetKind::Theme {
            filter.themes = vec![theme.to_owned()];
        }
        let candidates = self.candidates();
        let salt = format!("{}:{theme}", kind.as_str());
        Ok(choose(
            candidates, &filter, &answered, &handed, member, today, &salt,
        ))
    }
}

/// Whether a set of the day is complete.
pub(super) async fn is_day_done(
    connection: &mut PgConnection,
    member: MemberId,
    day: NaiveDate,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(
        "select exists (select from study_day where member_id = $1 and day = $2 and sets > 0)",
    )
    .bind(member.0)
    .bind(day)
    .fetch_one(connection)
    .await
}

async fn find_set(
    connection: &mut PgConnection,
    member: MemberId,
    day: NaiveDate,
    kind: SetKind,
    theme: &str,
) -> Result<Option<SetRow>, sqlx::Error> {
    sqlx::query_as(
        "select id, earns from quiz_set \
         where member_id = $1 and day = $2 and kind = $3 and theme = $4",
    )
    .bind(member.0)
    .bind(day)
    .bind(kind.as_str())
    .bind(theme)
    .fetch_optional(connection)
    .await
}
