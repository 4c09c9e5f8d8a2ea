//! The calendar of a member, and the weekly rest day.

use actix_web::web;
use proto::convert::InvalidField;
use proto::education::v1 as education;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::words::{filled, weekday, word};
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::{Json, Query};
use crate::routes::path::IdPath;
use crate::routes::{Reply, State};
use crate::wire::rows::decode_rows;

#[derive(OpenApi)]
#[openapi(paths(calendar, rest_day))]
pub(super) struct Document;

pub(super) fn endpoints() -> Vec<Endpoint> {
    use Subject::Path;
    vec![
        Endpoint::get("/api/v1/education/calendar/{id}", Path("id"), calendar).extension(),
        Endpoint::put("/api/v1/education/rest-day/{id}", Path("id"), rest_day).extension(),
    ]
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct MonthQuery {
    /// As 2026-11; absent = this month.
    #[serde(default)]
    #[param(required = false, pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$")]
    month: Option<String>,
}

/// What was done in a month.
#[derive(Debug, Serialize, ToSchema)]
struct Calendar {
    month: String,
    /// Days on which something happened, oldest first.
    days: Vec<CalendarDay>,
}

/// What was done on a day.
#[derive(Debug, Serialize, ToSchema)]
struct CalendarDay {
    date: String,
    points: i32,
    answered: i32,
    correct: i32,
    sets: i32,
    articles: i32,
    /// Null before the day is judged.
    streak: Option<DayResult>,
}

/// What a day did to the streak.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum DayResult {
    Done,
    Rest,
    Freeze,
    Repaired,
    Missed,
}

/// A weekly day without study that keeps the streak.
#[derive(Deserialize, ToSchema)]
struct RestDayBody {
    /// 1 (Monday) to 7; null or absent takes it back.
    #[schema(minimum = 1, maximum = 7)]
    weekday: Option<i32>,
}

/// The rest day now and after the change.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RestDay {
    weekday: Option<i32>,
    next_weekday: Option<i32>,
    /// The Monday on which the change takes effect; null without a change.
    next_from: Option<String>,
}

/// What was done in a month.
#[utoipa::path(get, path = "/api/v1/education/calendar/{id}", tag = "education",
    params(IdPath, MonthQuery),
    responses((status = 200, description = "The month.", body = Calendar)))]
async fn calendar(state: State, caller: Caller, query: Query<MonthQuery>) -> Reply<Calendar> {
    let month = query.0.month.unwrap_or_default();
    if !month.is_empty() && !is_month(&month) {
        return Err(ApiError::field("query", "달이 올바르지 않아요"));
    }
    let request = education::GetCalendarRequest {
        member_id: caller.member_id.0,
        month,
    };
    let calendar = state
        .progress
        .call_idempotent(async |mut progress| progress.get_calendar(request.clone()).await)
        .await?;
    Ok(web::Json(Calendar {
        month: calendar.month,
        days: decode_rows(calendar.days),
    }))
}

fn is_month(text: &str) -> bool {
    text.len() == 7
        && text.split_once('-').is_some_and(|(year, month)| {
            let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
            let month_number = month.parse::<u8>().unwrap_or_default();
            year.len() == 4 && digits(year) && digits(month) && (1..=12).contains(&month_number)
        })
}

/// Choose the weekly rest day; it takes effect next Monday.
#[utoipa::path(put, path = "/api/v1/education/rest-day/{id}", tag = "education",
    params(IdPath), request_body = RestDayBody,
    responses((status = 200, description = "The rest day.", body = RestDay)))]
async fn rest_day(state: State, caller: Caller, Json(body): Json<RestDayBody>) -> Reply<RestDay> {
    if body.weekday.is_some_and(|day| !(1..=7).contains(&day)) {
        return Err(ApiError::field("weekday", "요일은 1에서 7까지예요"));
    }
    let request = education::SetRestDayRequest {
        member_id: caller.member_id.0,
        weekday: body.weekday.unwrap_or(0),
    };
    let rest = state
        .progress
        .call_idempotent(async |mut progress| progress.set_rest_day(request).await)
        .await?;
    Ok(web::Json(RestDay {
        weekday: weekday(rest.weekday),
        next_weekday: weekday(rest.next_weekday),
        next_from: filled(rest.next_from),
    }))
}

impl TryFrom<education::CalendarDay> for CalendarDay {
    type Error = InvalidField;

    fn try_from(day: education::CalendarDay) -> Result<Self, InvalidField> {
        Ok(Self {
            date: day.date,
            points: day.points,
            answered: day.answered,
            correct: day.correct,
            sets: day.sets,
            articles: day.articles,
            streak: word(&day.streak, "streak")?,
        })
    }
}
