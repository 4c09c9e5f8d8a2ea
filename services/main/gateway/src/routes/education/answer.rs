//! Answers to quizzes and to questions of articles, and surveys.

use std::collections::BTreeMap;

use actix_web::{HttpRequest, web};
use chrono::DateTime;
use proto::education::v1 as education;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::words::{filled, option_map};
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::{Json, Path};
use crate::routes::{Reply, State};
use crate::wire::code::text_parameter;
use crate::wire::member::NothingBody;

/// When an answer was given that the client could not send at once.
const ANSWERED_AT: &str = "x-answered-at";

#[derive(OpenApi)]
#[openapi(paths(study_complete))]
pub(super) struct Document;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![Endpoint::put(
        "/api/v1/education/study-complete/{studySid}/{isCorrect}/{point}/{answer}/{isSurvey}",
        Subject::Owner,
        study_complete,
    )]
}

text_parameter!(
    /// Keys of options joined by `|`; GOOD or BAD in a survey.
    AnswerText(pattern = r"^(GOOD|BAD|[1-9](\|[1-9]){0,8})$", max_length = 20),
    "고른 답이 올바르지 않아요",
    |text| {
        let is_key = |key: &str| matches!(key.as_bytes(), [b'1'..=b'9']);
        let keys = || text.split('|');
        matches!(text, "GOOD" | "BAD") || (keys().count() <= 9 && keys().all(is_key))
    }
);

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Path)]
struct StudyPath {
    /// `memberEducationSid` of a quiz or of a reading.
    #[param(minimum = 1)]
    study_sid: i64,
    /// Ignored: the server grades.
    #[serde(rename = "isCorrect")]
    _is_correct: bool,
    /// Ignored: the server grants points.
    #[serde(rename = "point")]
    _point: i32,
    #[param(inline)]
    answer: AnswerText,
    is_survey: bool,
}

/// How an answer was graded.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct StudyResult {
    is_correct: bool,
    /// Keys of the right options; empty after a wrong answer to the question of an article.
    answer: Vec<String>,
    answer_description: String,
    /// Why each wrong option is tempting, by key.
    option_description: BTreeMap<String, String>,
    /// Education points for this answer.
    point: i32,
    /// Education points for completing the set.
    set_bonus: i32,
    /// Earned by learning so far.
    member_point: i64,
    tried_quiz_count: i32,
    correct_quiz_count: i32,
    /// Days in a row.
    streak: i32,
    is_daily_study_done: bool,
    /// Null for articles and surveys.
    next_review_on: Option<String>,
}

/// Answer a quiz or the question of an article, or say whether an article helped. A quiz keeps its
/// first answer; repeating the call returns the same result. `X-Answered-At` (RFC 3339) says when an
/// answer was given that could not be sent at once.
#[utoipa::path(put,
    path = "/api/v1/education/study-complete/{studySid}/{isCorrect}/{point}/{answer}/{isSurvey}",
    tag = "education", params(StudyPath), request_body = NothingBody,
    responses((status = 200, description = "The result.", body = StudyResult)))]
async fn study_complete(
    state: State,
    caller: Caller,
    path: Path<StudyPath>,
    request: HttpRequest,
    Json(NothingBody {}): Json<NothingBody>,
) -> Reply<StudyResult> {
    let Path(path) = path;
    if path.study_sid < 1 {
        return Err(ApiError::field("path", "학습 번호가 올바르지 않아요"));
    }
    let answers = path.answer.as_str().split('|').map(str::to_owned).collect();
    let request = education::AnswerRequest {
        member_id: caller.member_id.0,
        member_education_id: path.study_sid,
        answers,
        is_survey: path.is_survey,
        answered_at_us: answered_at(&request)?,
    };
    // Idempotent: the first answer counts.
    let result = state
        .quizzes
        .call_idempotent(async |mut quizzes| quizzes.answer(request.clone()).await)
        .await?;
    Ok(web::Json(result.into()))
}

/// 0 without the header.
fn answered_at(request: &HttpRequest) -> Result<i64, ApiError> {
    let Some(value) = request.headers().get(ANSWERED_AT) else {
        return Ok(0);
    };
    let text = value.to_str().unwrap_or_default();
    DateTime::parse_from_rfc3339(text)
        .map(|instant| instant.timestamp_micros().max(1))
        .map_err(|_shape| ApiError::field("X-Answered-At", "답한 시각이 올바르지 않아요"))
}

impl From<education::AnswerResult> for StudyResult {
    fn from(result: education::AnswerResult) -> Self {
        let totals = result.totals.unwrap_or_default();
        Self {
            is_correct: result.is_correct,
            answer: result.answer,
            answer_description: result.explanation,
            option_description: option_map(result.misconceptions),
            point: result.points,
            set_bonus: result.set_bonus,
            member_point: totals.points,
            tried_quiz_count: totals.tried,
            correct_quiz_count: totals.correct,
            streak: result.streak,
            is_daily_study_done: result.is_day_done,
            next_review_on: filled(result.next_review_on),
        }
    }
}
