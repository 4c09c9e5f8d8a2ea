//! Leagues of members.

use actix_web::{HttpResponse, web};
use proto::trading::v1 as trading;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::EventPath;
use super::list::Competition;
use crate::authentication::Caller;
use crate::error::ApiError;
use crate::extract::{Json, Path};
use crate::routes::{Reply, State, repeatable};
use crate::wire::request_id::request_id;

/// A league of the caller.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct LeagueBody {
    /// The caller.
    #[expect(dead_code, reason = "read by the authorization; this describes it")]
    member_sid: i64,
    /// 2 to 20 characters.
    #[schema(min_length = 2, max_length = 20)]
    title: String,
    /// From the next midnight in Korea.
    #[schema(minimum = 3, maximum = 30)]
    days: i32,
    /// 1000000, 10000000 or 100000000.
    start_cash: i64,
    #[schema(minimum = 2, maximum = 50)]
    most_entrants: i32,
    /// Whether its members see what others own, in percent and a quarter of an hour late; absent =
    /// false.
    #[serde(default)]
    shows_holdings: bool,
    /// Retry key: 8 to 64 letters, digits, `_` or `-`.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    req_sid: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NewLeague {
    sid: i64,
    invite_code: String,
    acno: String,
    message: String,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CloseLeagueBody {
    /// The caller.
    #[expect(dead_code, reason = "read by the authorization; this describes it")]
    member_sid: i64,
    /// True: a league that is closed stays so.
    is_joining_closed: bool,
}

/// Make a league and join it. Others join with its invite code.
#[utoipa::path(post, path = "/api/v1/competition/league", tag = "competition",
    request_body = LeagueBody,
    responses((status = 200, description = "The league.", body = NewLeague),
        (status = 422, description = "The caller has too many leagues.",
            content_type = "application/problem+json", body = crate::error::Problem)))]
pub(super) async fn create_league(
    state: State,
    caller: Caller,
    Json(body): Json<LeagueBody>,
) -> Result<HttpResponse, ApiError> {
    check(&body)?;
    let request = trading::CreateLeagueRequest {
        member_id: caller.member_id.0,
        request_id: request_id(body.req_sid.as_deref())?.to_string(),
        title: body.title,
        days: body.days,
        start_cash_won: body.start_cash,
        most_entrants: body.most_entrants,
        shows_holdings: body.shows_holdings,
    };
    let reply = state
        .competitions
        .call(async |mut competitions| competitions.create_league(request).await)
        .await?;
    let league = NewLeague {
        sid: reply.competition_id,
        invite_code: reply.invite_code,
        acno: reply.account_no,
        message: reply.message,
    };
    Ok(repeatable::reply(reply.replayed, league))
}

/// Let nobody join a league of the caller any more.
#[utoipa::path(patch, path = "/api/v1/competition/league/{eventSid}", tag = "competition",
    params(EventPath), request_body = CloseLeagueBody,
    responses((status = 200, description = "The league.", body = Competition),
        (status = 404, description = "The caller has no such league.",
            content_type = "application/problem+json", body = crate::error::Problem)))]
pub(super) async fn close_league(
    state: State,
    caller: Caller,
    path: Path<EventPath>,
    Json(body): Json<CloseLeagueBody>,
) -> Reply<Competition> {
    if !body.is_joining_closed {
        let sentence = "닫은 리그는 다시 열 수 없어요";
        return Err(ApiError::field("isJoiningClosed", sentence));
    }
    let request = trading::CloseLeagueRequest {
        member_id: caller.member_id.0,
        competition_id: path.0.event()?,
    };
    let league = state
        .competitions
        .call(async |mut competitions| competitions.close_league(request).await)
        .await?;
    Ok(web::Json(league.try_into()?))
}

fn check(body: &LeagueBody) -> Result<(), ApiError> {
    let length = body.title.trim().chars().count();
    if !(2..=20).contains(&length) || body.title.chars().any(char::is_control) {
        return Err(ApiError::field("title", "이름은 2자에서 20자여야 해요"));
    }
    if !(3..=30).contains(&body.days) {
        return Err(ApiError::field("days", "3일에서 30일 사이여야 해요"));
    }
    if ![1_000_000, 10_000_000, 100_000_000].contains(&body.start_cash) {
        let sentence = "100만원, 1,000만원, 1억원 중에서 골라 주세요";
        return Err(ApiError::field("startCash", sentence));
    }
    if !(2..=50).contains(&body.most_entrants) {
        return Err(ApiError::field(
            "mostEntrants",
            "2명에서 50명 사이여야 해요",
        ));
    }
    Ok(())
}
