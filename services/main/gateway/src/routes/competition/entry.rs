//! Joining and leaving an event.

use actix_web::HttpResponse;
use proto::trading::v1 as trading;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::EventPath;
use crate::authentication::Caller;
use crate::error::ApiError;
use crate::extract::{Json, Path};
use crate::routes::{State, repeatable};
use crate::wire::code::InviteCode;
use crate::wire::request_id::request_id;

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct JoinCompetitionBody {
    /// The caller.
    #[expect(dead_code, reason = "read by the authorization; this describes it")]
    member_sid: i64,
    /// Of a league.
    #[schema(inline)]
    invite_code: Option<InviteCode>,
    /// Retry key: 8 to 64 letters, digits, `_` or `-`.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    req_sid: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct LeaveCompetitionBody {
    /// The caller.
    #[expect(dead_code, reason = "read by the authorization; this describes it")]
    member_sid: i64,
    /// Retry key: 8 to 64 letters, digits, `_` or `-`.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    req_sid: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CompetitionJoined {
    sid: i64,
    acno: String,
    account_sid: i64,
    start_cash: i64,
    message: String,
}

#[derive(Debug, Serialize, ToSchema)]
struct CompetitionLeft {
    sid: i64,
    message: String,
}

/// Take part: an account opens with the event's cash. Nobody comes back who has left.
#[utoipa::path(post, path = "/api/v1/competition/{eventSid}/join", tag = "competition", params(EventPath),
    request_body = JoinCompetitionBody,
    responses((status = 200, description = "The account.", body = CompetitionJoined),
        (status = 404, description = "There is no such event for the caller.",
            content_type = "application/problem+json", body = crate::error::Problem),
        (status = 409, description = "The caller takes part already.",
            content_type = "application/problem+json", body = crate::error::Problem),
        (status = 422, description = "Too early, too late, full, or the caller has left.",
            content_type = "application/problem+json", body = crate::error::Problem)))]
pub(super) async fn join_competition(
    state: State,
    caller: Caller,
    path: Path<EventPath>,
    Json(body): Json<JoinCompetitionBody>,
) -> Result<HttpResponse, ApiError> {
    let request = trading::JoinCompetitionRequest {
        member_id: caller.member_id.0,
        request_id: request_id(body.req_sid.as_deref())?.to_string(),
        competition_id: path.0.event()?,
        invite_code: body.invite_code.map(String::from).unwrap_or_default(),
    };
    let reply = state
        .competitions
        .call(async |mut competitions| competitions.join_competition(request).await)
        .await?;
    let joined = CompetitionJoined {
        sid: reply.competition_id,
        acno: reply.account_no,
        account_sid: reply.account_id,
        start_cash: reply.start_cash_won,
        message: reply.message,
    };
    Ok(repeatable::reply(reply.replayed, joined))
}

/// Leave for good: orders are canceled and the account ends.
#[utoipa::path(delete, path = "/api/v1/competition/{eventSid}/join", tag = "competition",
    params(EventPath), request_body = LeaveCompetitionBody,
    responses((status = 200, description = "The caller has left.", body = CompetitionLeft),
        (status = 404, description = "The caller does not take part.",
            content_type = "application/problem+json", body = crate::error::Problem),
        (status = 409, description = "The event is over.",
            content_type = "application/problem+json", body = crate::error::Problem),
        (status = 422, description = "The practice league is not left.",
            content_type = "application/problem+json", body = crate::error::Problem)))]
pub(super) async fn leave_competition(
    state: State,
    caller: Caller,
    path: Path<EventPath>,
    Json(body): Json<LeaveCompetitionBody>,
) -> Result<HttpResponse, ApiError> {
    let request = trading::LeaveCompetitionRequest {
        member_id: caller.member_id.0,
        request_id: request_id(body.req_sid.as_deref())?.to_string(),
        competition_id: path.0.event()?,
    };
    let reply = state
        .competitions
        .call(async |mut competitions| competitions.leave_competition(request).await)
        .await?;
    let left = CompetitionLeft {
        sid: reply.competition_id,
        message: reply.message,
    };
    Ok(repeatable::reply(reply.replayed, left))
}
