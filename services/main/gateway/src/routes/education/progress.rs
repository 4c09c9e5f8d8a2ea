//! What a member has done: the day, the streak, mastery.

use actix_web::web;
use proto::convert::InvalidField;
use proto::education::v1 as education;
use serde::{Deserialize, Serialize};
use utoipa::{OpenApi, ToSchema};

use super::words::{filled, weekday};
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::Json;
use crate::routes::path::IdPath;
use crate::routes::{Reply, State};
use crate::state::AppState;
use crate::wire::time::{kst, kst_if_set};

#[derive(OpenApi)]
#[openapi(paths(daily, progress, progress_v2, repair_streak))]
pub(super) struct Document;

pub(super) fn endpoints() -> Vec<Endpoint> {
    use Subject::Path;
    vec![
        Endpoint::get("/api/v1/education/daily/{id}", Path("id"), daily),
        Endpoint::get(
            "/api/v1/education/dailyQuiz/progress/{id}",
            Path("id"),
            progress,
        ),
        Endpoint::get(
            "/api/v1/education/dailyQuiz/progress/v2/{id}",
            Path("id"),
            progress_v2,
        ),
        Endpoint::post(
            "/api/v1/education/streak/repair/{id}",
            Path("id"),
            repair_streak,
        )
        .extension(),
    ]
}

/// What the caller has done today.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Daily {
    /// In Korea, yyyy-mm-dd.
    date: String,
    random: SetProgress,
    /// Theme sets that were opened today.
    themes: Vec<ThemeSetProgress>,
    /// Education points of today that count toward the cap.
    points: i32,
    cap: i32,
    is_daily_study_done: bool,
}

/// How far a set is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SetProgress {
    /// 0 before it is opened.
    set_sid: i64,
    done: i32,
    total: i32,
    is_done: bool,
}

/// How far a theme's set is.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ThemeSetProgress {
    theme_sid: String,
    #[serde(flatten)]
    set: SetProgress,
}

/// Quizzes of today's random set.
#[derive(Debug, Serialize, ToSchema)]
struct DoneOfTotal {
    done: i32,
    total: i32,
}

/// What the caller has learned so far.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Progress {
    today: Today,
    streak: Streak,
    themes: Vec<ThemeProgress>,
    review: Review,
    stats: Stats,
    /// Sets and articles that were completed.
    completed_lessons: i32,
}

/// Quizzes of today's random set, and the day's points.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Today {
    done: i32,
    total: i32,
    points: i32,
    cap: i32,
    is_daily_study_done: bool,
}

/// Days in a row.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Streak {
    current: i32,
    best: i32,
    freezes: i32,
    /// When it ends unless a set is completed; null while it is safe.
    at_risk_until: Option<String>,
    /// 1 (Monday) to 7; null without one.
    rest_weekday: Option<i32>,
    /// A change that was chosen, and its day; null without one.
    next_rest_weekday: Option<i32>,
    next_rest_from: Option<String>,
    /// Null when there is nothing to repair.
    repair: Option<Repair>,
}

/// A missed day that can be repaired.
#[derive(Debug, Serialize, ToSchema)]
struct Repair {
    date: String,
    /// The streak afterwards.
    streak: i32,
    /// What it costs.
    points: i32,
    until: String,
}

/// How well a theme is remembered.
#[derive(Debug, Serialize, ToSchema)]
struct ThemeProgress {
    id: String,
    name: String,
    done: i32,
    total: i32,
    /// 0 to 100.
    mastery: i32,
}

/// Cards to be asked again.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Review {
    due: i32,
    /// The day of the next one after today; null without one.
    next_at: Option<String>,
}

/// All answers.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Stats {
    tried_quiz_count: i32,
    correct_quiz_count: i32,
    /// Education points earned by learning.
    member_point: i64,
}

/// What a repair is confirmed with.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RepairBody {
    /// Chosen by the client for the confirmation.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    req_sid: String,
}

/// What the caller has done today.
#[utoipa::path(get, path = "/api/v1/education/daily/{id}", tag = "education", params(IdPath),
    responses((status = 200, description = "The day.", body = Daily)))]
async fn daily(state: State, caller: Caller) -> Reply<Daily> {
    let day = day_of(&state, &caller).await?;
    let random = day.random.unwrap_or_default();
    let themes = day.themes.into_iter().map(|set| ThemeSetProgress {
        theme_sid: set.theme_id.clone(),
        set: set.into(),
    });
    Ok(web::Json(Daily {
        date: day.date,
        random: random.into(),
        themes: themes.collect(),
        points: day.points,
        cap: day.cap,
        is_daily_study_done: day.is_done,
    }))
}

/// How far today's random set is.
#[utoipa::path(get, path = "/api/v1/education/dailyQuiz/progress/{id}", tag = "education",
    params(IdPath), responses((status = 200, description = "Done of total.", body = DoneOfTotal)))]
async fn progress(state: State, caller: Caller) -> Reply<DoneOfTotal> {
    let random = day_of(&state, &caller).await?.random.unwrap_or_default();
    Ok(web::Json(DoneOfTotal {
        done: random.done,
        total: random.total,
    }))
}

async fn day_of(state: &AppState, caller: &Caller) -> Result<education::Day, ApiError> {
    let request = education::GetDayRequest {
        member_id: caller.member_id.0,
    };
    state
        .quizzes
        .call_idempotent(async |mut quizzes| quizzes.get_day(request).await)
        .await
}

/// What the caller has learned so far.
#[utoipa::path(get, path = "/api/v1/education/dailyQuiz/progress/v2/{id}", tag = "education",
    params(IdPath), responses((status = 200, description = "The progress.", body = Progress)))]
async fn progress_v2(state: State, caller: Caller) -> Reply<Progress> {
    let request = education::GetProgressRequest {
        member_id: caller.member_id.0,
    };
    let progress = state
        .progress
        .call_idempotent(async |mut progress| progress.get_progress(request).await)
        .await?;
    Ok(web::Json(progress.try_into()?))
}

/// Restore the streak that yesterday broke, for education points. Once for each missed day: a
/// repetition changes nothing.
#[utoipa::path(post, path = "/api/v1/education/streak/repair/{id}", tag = "education",
    params(IdPath), request_body = RepairBody,
    responses((status = 200, description = "The streak as it now is.", body = Streak)))]
async fn repair_streak(
    state: State,
    caller: Caller,
    Json(body): Json<RepairBody>,
) -> Reply<Streak> {
    let request_id = kernel::RequestId::parse(&body.req_sid)
        .map_err(|_shape| ApiError::field("reqSid", "요청 번호가 올바르지 않아요"))?;
    let request = education::RepairStreakRequest {
        member_id: caller.member_id.0,
        request_id: request_id.as_str().to_owned(),
    };
    let streak = state
        .progress
        .call_idempotent(async |mut progress| progress.repair_streak(request.clone()).await)
        .await?;
    Ok(web::Json(streak.try_into()?))
}

impl From<education::SetProgress> for SetProgress {
    fn from(set: education::SetProgress) -> Self {
        Self {
            set_sid: set.set_id,
            done: set.done,
            total: set.total,
            is_done: set.total > 0 && set.done >= set.total,
        }
    }
}

impl TryFrom<education::Progress> for Progress {
    type Error = InvalidField;

    fn try_from(progress: education::Progress) -> Result<Self, InvalidField> {
        let day = progress.day.unwrap_or_default();
        let random = day.random.unwrap_or_default();
        let totals = progress.totals.unwrap_or_default();
        let themes = progress.themes.into_iter().map(|theme| ThemeProgress {
            id: theme.theme_id,
            name: theme.name,
            done: theme.done.unwrap_or_default(),
            total: theme.total,
            mastery: theme.mastery_percent.unwrap_or_default(),
        });
        Ok(Self {
            today: Today {
                done: random.done,
                total: random.total,
                points: day.points,
                cap: day.cap,
                is_daily_study_done: day.is_done,
            },
            streak: progress.streak.unwrap_or_default().try_into()?,
            themes: themes.collect(),
            review: Review {
                due: progress.reviews_due,
                next_at: filled(progress.next_review_on),
            },
            stats: Stats {
                tried_quiz_count: totals.tried,
                correct_quiz_count: totals.correct,
                member_point: totals.points,
            },
            completed_lessons: progress.completed_lessons,
        })
    }
}

impl TryFrom<education::Streak> for Streak {
    type Error = InvalidField;

    fn try_from(streak: education::Streak) -> Result<Self, InvalidField> {
        let repair = streak.repair.map(|repair| {
            Ok(Repair {
                date: repair.date,
                streak: repair.streak,
                points: repair.points,
                until: kst(repair.until_us, "until_us")?,
            })
        });
        let change = filled(streak.next_rest_from);
        Ok(Self {
            current: streak.current,
            best: streak.best,
            freezes: streak.freezes,
            at_risk_until: kst_if_set(streak.at_risk_until_us, "at_risk_until_us")?,
            rest_weekday: weekday(streak.rest_weekday),
            next_rest_weekday: weekday(streak.next_rest_weekday),
            next_rest_from: change,
            repair: repair.transpose()?,
        })
    }
}
