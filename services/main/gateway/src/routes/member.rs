//! The caller's own member record.

mod appearance;
pub(super) mod competition_mode;
pub(super) mod education_point;

use actix_web::{HttpResponse, web};
use proto::auth::v1::{
    self as auth, FinishTutorialRequest, GetMemberRequest, GetQuizFilterRequest, NoteClientRequest,
    SeeWelcomePopupRequest, SetQuizFilterRequest, UpdateProfileRequest,
};
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::path::IdPath;
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::Json;
use crate::routes::{Reply, State};
use crate::wire::member::{Member, NothingBody, Platform};

#[derive(OpenApi)]
#[openapi(paths(
    education_point::education_point,
    education_point::point_history,
    member_info,
    appearance::appearance,
    member_os,
    member_tutorial,
    member_welcome_popup,
    quiz_filter,
    set_quiz_filter,
    competition_mode::set_competition_mode,
    member
))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            "/api/v1/member/education-point",
            Subject::Query("member_sid"),
            education_point::education_point,
        ),
        Endpoint::get(
            "/api/v1/member/education-point/history/{sid}",
            Subject::Path("sid"),
            education_point::point_history,
        )
        .extension(),
        Endpoint::put(
            "/api/v1/member/info",
            Subject::Body("memberSid"),
            member_info,
        ),
        Endpoint::put(
            "/api/v1/member/appearance",
            Subject::Body("memberSid"),
            appearance::appearance,
        )
        .extension(),
        Endpoint::patch("/api/v1/member/os/{id}", Subject::Path("id"), member_os),
        Endpoint::patch(
            "/api/v1/member/tutorial/{id}",
            Subject::Path("id"),
            member_tutorial,
        ),
        Endpoint::patch(
            "/api/v1/member/welcomePopup/{id}",
            Subject::Path("id"),
            member_welcome_popup,
        ),
        Endpoint::get(
            "/api/v1/member/quizFilter/{id}",
            Subject::Path("id"),
            quiz_filter,
        ),
        Endpoint::patch(
            "/api/v1/member/quizFilter/{id}",
            Subject::Path("id"),
            set_quiz_filter,
        ),
        Endpoint::patch(
            "/api/v1/member/competition-mode/{id}",
            Subject::Path("id"),
            competition_mode::set_competition_mode,
        ),
        Endpoint::get("/api/v1/member/{id}", Subject::Path("id"), member),
    ]
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "read by the authorization; this describes it")]
struct MemberQuery {
    /// The caller.
    member_sid: i64,
}

/// The caller's own record.
#[utoipa::path(get, path = "/api/v1/member/{id}", tag = "member", params(IdPath),
    responses((status = 200, description = "The member.", body = Member)))]
async fn member(state: State, caller: Caller) -> Reply<Member> {
    let request = GetMemberRequest {
        member_id: caller.member_id.0,
    };
    let member = state
        .auth
        .call_idempotent(async |mut auth| auth.get_member(request).await)
        .await?;
    Ok(web::Json(
        competition_mode::with_mode(&state, member).await?,
    ))
}

/// What changes about a member; what is left out stays.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ProfileBody {
    /// The caller.
    #[expect(dead_code, reason = "read by the authorization; this describes it")]
    member_sid: i64,
    /// 2 to 12 characters: 한글, English letters, digits. Once in 30 days.
    nickname: Option<String>,
    birth_year: Option<i32>,
    /// M or F; null takes it back.
    #[serde(default, deserialize_with = "some_or_null")]
    #[schema(value_type = Option<String>, required = false)]
    gender: Option<Option<String>>,
}

/// Distinguishes null from an absent field.
fn some_or_null<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// Change the nickname (once in 30 days), the year of birth or the gender.
#[utoipa::path(put, path = "/api/v1/member/info", tag = "member", request_body = ProfileBody,
    responses((status = 200, description = "The member as it now is.", body = Member)))]
async fn member_info(state: State, caller: Caller, Json(body): Json<ProfileBody>) -> Reply<Member> {
    let request = UpdateProfileRequest {
        member_id: caller.member_id.0,
        nickname: body.nickname,
        birth_year: body.birth_year,
        gender: body.gender.map(Option::unwrap_or_default),
    };
    let member = state
        .members
        .call(async |mut members| members.update_profile(request).await)
        .await?;
    Ok(web::Json(
        competition_mode::with_mode(&state, member).await?,
    ))
}

/// The client in use.
#[derive(Deserialize, ToSchema)]
struct OsBody {
    /// Without one nothing changes.
    os: Option<Platform>,
}

/// Tell which client the member uses. Repeating it changes nothing.
#[utoipa::path(patch, path = "/api/v1/member/os/{id}", tag = "member", params(IdPath),
    request_body = OsBody, responses((status = 204, description = "Noted.")))]
async fn member_os(
    state: State,
    caller: Caller,
    Json(body): Json<OsBody>,
) -> Result<HttpResponse, ApiError> {
    let request = NoteClientRequest {
        member_id: caller.member_id.0,
        os: body.os.map(Platform::as_str).unwrap_or_default().to_owned(),
    };
    state
        .members
        .call(async |mut members| members.note_client(request).await)
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// The tutorial was finished or skipped. Repeating it changes nothing.
#[utoipa::path(patch, path = "/api/v1/member/tutorial/{id}", tag = "member", params(IdPath),
    request_body = NothingBody, responses((status = 204, description = "Noted.")))]
async fn member_tutorial(
    state: State,
    caller: Caller,
    Json(NothingBody {}): Json<NothingBody>,
) -> Result<HttpResponse, ApiError> {
    let request = FinishTutorialRequest {
        member_id: caller.member_id.0,
    };
    state
        .members
        .call(async |mut members| members.finish_tutorial(request).await)
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// The welcome message was seen. Repeating it changes nothing.
#[utoipa::path(patch, path = "/api/v1/member/welcomePopup/{id}", tag = "member",
    params(IdPath), request_body = NothingBody,
    responses((status = 204, description = "Noted.")))]
async fn member_welcome_popup(
    state: State,
    caller: Caller,
    Json(NothingBody {}): Json<NothingBody>,
) -> Result<HttpResponse, ApiError> {
    let request = SeeWelcomePopupRequest {
        member_id: caller.member_id.0,
    };
    state
        .members
        .call(async |mut members| members.see_welcome_popup(request).await)
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Which questions a member wants.
#[derive(Deserialize, Serialize, ToSchema)]
struct QuizChoice {
    /// At most 20 of at most 40 characters; none means all.
    themes: Vec<String>,
    /// EASY, NORMAL and HARD; none means all.
    levels: Vec<String>,
}

/// A new choice.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct QuizFilterBody {
    quiz_filter: QuizChoice,
}

/// The choice of a member.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct QuizFilter {
    member_sid: i64,
    quiz_filter: QuizChoice,
}

impl From<auth::QuizFilter> for QuizFilter {
    fn from(filter: auth::QuizFilter) -> Self {
        Self {
            member_sid: filter.member_id,
            quiz_filter: QuizChoice {
                themes: filter.themes,
                levels: filter.levels,
            },
        }
    }
}

/// Which questions the caller wants.
#[utoipa::path(get, path = "/api/v1/member/quizFilter/{id}", tag = "member", params(IdPath),
    responses((status = 200, description = "The choice.", body = QuizFilter)))]
async fn quiz_filter(state: State, caller: Caller) -> Reply<QuizFilter> {
    let request = GetQuizFilterRequest {
        member_id: caller.member_id.0,
    };
    let filter = state
        .members
        .call_idempotent(async |mut members| members.get_quiz_filter(request).await)
        .await?;
    Ok(web::Json(filter.into()))
}

/// Choose themes and levels of questions.
#[utoipa::path(patch, path = "/api/v1/member/quizFilter/{id}", tag = "member",
    params(IdPath), request_body = QuizFilterBody,
    responses((status = 200, description = "The choice as it now is.", body = QuizFilter)))]
async fn set_quiz_filter(
    state: State,
    caller: Caller,
    Json(body): Json<QuizFilterBody>,
) -> Reply<QuizFilter> {
    let request = SetQuizFilterRequest {
        member_id: caller.member_id.0,
        themes: body.quiz_filter.themes,
        levels: body.quiz_filter.levels,
    };
    let filter = state
        .members
        .call(async |mut members| members.set_quiz_filter(request).await)
        .await?;
    Ok(web::Json(filter.into()))
}
