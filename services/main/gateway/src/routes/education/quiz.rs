//! Today's sets of quizzes, and the cards that are due for review.

use std::collections::BTreeMap;

use actix_web::web;
use proto::convert::InvalidField;
use proto::education::v1 as education;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{OpenApi, ToSchema};

use super::words::{Level, ThemeSid, figure, filled, option_map};
use crate::authentication::Caller;
use crate::endpoint::{Class, Endpoint, Subject};
use crate::extract::Json;
use crate::extract::params::blank_is_absent;
use crate::routes::path::IdPath;
use crate::routes::{Reply, State};
use crate::wire::member::NothingBody;
use crate::wire::rows::decode_rows;
use crate::wire::variants::from_proto;

#[derive(OpenApi)]
#[openapi(paths(random_set, theme_set, reviews))]
pub(super) struct Document;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::post(
            "/api/v1/education/dailyQuiz/random/{id}",
            Subject::Path("id"),
            random_set,
        )
        .class(Class::Read),
        Endpoint::post(
            "/api/v1/education/dailyQuiz/theme/{id}",
            Subject::Path("id"),
            theme_set,
        )
        .class(Class::Read),
        Endpoint::get(
            "/api/v1/education/review/{id}",
            Subject::Path("id"),
            reviews,
        )
        .extension(),
    ]
}

/// Which theme.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ThemeSetBody {
    /// Absent = the first theme of the caller's filter.
    #[serde(default, deserialize_with = "blank_is_absent")]
    #[schema(value_type = Option<String>, pattern = "^[a-z]*$", max_length = 40)]
    theme_sid: Option<ThemeSid>,
}

/// The kinds of quizzes. OX has two options, NUMBER asks for a number among its options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum QuizType {
    Single,
    Multiple,
    Ox,
    Number,
}

/// A quiz that was handed out. What only its answer reveals is null before.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Quiz {
    /// The handing-out, which the answer names.
    member_education_sid: i64,
    edu_sid: String,
    /// 0 in reviews.
    set_sid: i64,
    #[serde(rename = "type")]
    kind: QuizType,
    title: String,
    /// Markdown with `[[term]]` links, as the other texts.
    question: String,
    /// By key.
    answer_option: BTreeMap<String, String>,
    /// How many options are right.
    answer_count: i32,
    /// Empty without one.
    hint: String,
    level: Level,
    theme_sid: String,
    theme_name: String,
    /// The data of its figure.
    #[schema(value_type = Option<Object>)]
    figure: Option<Box<RawValue>>,
    source: String,
    as_of: String,
    is_submit: bool,
    is_correct: Option<bool>,
    is_description: bool,
    is_ready: bool,
    is_daily_study_done: bool,
    /// Its answer earns no points.
    is_practice: bool,
    input_answer: Option<Vec<String>>,
    /// Keys of the right options.
    answer: Option<Vec<String>>,
    answer_description: Option<String>,
    /// Why each wrong option is tempting, by key.
    option_description: Option<BTreeMap<String, String>>,
    point: Option<i32>,
    member_point: i64,
    tried_quiz_count: i32,
    correct_quiz_count: i32,
}

/// Today's five quizzes of all chosen themes. The same on every call of the day.
#[utoipa::path(post, path = "/api/v1/education/dailyQuiz/random/{id}", tag = "education",
    params(IdPath), request_body = NothingBody,
    responses((status = 200, description = "The set, in its order.", body = Vec<Quiz>)))]
async fn random_set(
    state: State,
    caller: Caller,
    Json(NothingBody {}): Json<NothingBody>,
) -> Reply<Vec<Quiz>> {
    let request = education::OpenRandomSetRequest {
        member_id: caller.member_id.0,
    };
    // Idempotent: the first call of a day stores the set.
    let set = state
        .quizzes
        .call_idempotent(async |mut quizzes| quizzes.open_random_set(request).await)
        .await?;
    Ok(web::Json(quizzes_of(set)))
}

/// Today's five quizzes of a theme. The same on every call of the day.
#[utoipa::path(post, path = "/api/v1/education/dailyQuiz/theme/{id}", tag = "education",
    params(IdPath), request_body = ThemeSetBody,
    responses((status = 200, description = "The set, in its order.", body = Vec<Quiz>)))]
async fn theme_set(
    state: State,
    caller: Caller,
    Json(body): Json<ThemeSetBody>,
) -> Reply<Vec<Quiz>> {
    let request = education::OpenThemeSetRequest {
        member_id: caller.member_id.0,
        theme_id: body.theme_sid.map(String::from).unwrap_or_default(),
    };
    let set = state
        .quizzes
        .call_idempotent(async |mut quizzes| quizzes.open_theme_set(request.clone()).await)
        .await?;
    Ok(web::Json(quizzes_of(set)))
}

/// What is due to be asked again, at most ten a day.
#[utoipa::path(get, path = "/api/v1/education/review/{id}", tag = "education", params(IdPath),
    responses((status = 200, description = "The cards of today.", body = Vec<Quiz>)))]
async fn reviews(state: State, caller: Caller) -> Reply<Vec<Quiz>> {
    let request = education::OpenReviewsRequest {
        member_id: caller.member_id.0,
    };
    let set = state
        .quizzes
        .call_idempotent(async |mut quizzes| quizzes.open_reviews(request).await)
        .await?;
    Ok(web::Json(quizzes_of(set)))
}

/// What the quizzes of a set have in common.
struct InSet {
    quiz: education::Quiz,
    set_id: i64,
    earns: bool,
    is_day_done: bool,
    totals: education::Totals,
}

pub(super) fn quizzes_of(set: education::QuizSet) -> Vec<Quiz> {
    let totals = set.totals.unwrap_or_default();
    let of_set = |quiz| InSet {
        quiz,
        set_id: set.set_id,
        earns: set.earns,
        is_day_done: set.is_day_done,
        totals,
    };
    decode_rows(set.quizzes.into_iter().map(of_set).collect())
}

from_proto!(education::QuizForm => QuizType { Single, Multiple, Ox, Number }, "form");

impl TryFrom<InSet> for Quiz {
    type Error = InvalidField;

    fn try_from(row: InSet) -> Result<Self, InvalidField> {
        let InSet { quiz, totals, .. } = row;
        let level = Level::try_from(quiz.level())?;
        let kind = QuizType::try_from(quiz.form())?;
        let solution = quiz.solution;
        Ok(Self {
            member_education_sid: quiz.member_education_id,
            edu_sid: quiz.quiz_id,
            set_sid: row.set_id,
            kind,
            title: format!("{} · {level}", quiz.theme_name),
            question: quiz.question,
            answer_option: option_map(quiz.options),
            answer_count: quiz.answer_count,
            hint: quiz.hint,
            level,
            theme_sid: quiz.theme_id,
            theme_name: quiz.theme_name,
            figure: figure(quiz.figure_json)?,
            source: quiz.source,
            as_of: quiz.as_of,
            is_submit: solution.is_some(),
            is_correct: solution.as_ref().map(|solution| solution.is_correct),
            is_description: solution.is_some(),
            is_ready: true,
            is_daily_study_done: row.is_day_done,
            is_practice: !row.earns,
            input_answer: solution.as_ref().map(|solution| solution.given.clone()),
            answer: solution.as_ref().map(|solution| solution.answer.clone()),
            point: solution.as_ref().map(|solution| solution.points),
            answer_description: solution
                .as_ref()
                .and_then(|solution| filled(solution.explanation.clone())),
            option_description: solution.map(|solution| option_map(solution.misconceptions)),
            member_point: totals.points,
            tried_quiz_count: totals.tried,
            correct_quiz_count: totals.correct,
        })
    }
}
