//! Beginning again, and the seasons before.

use actix_web::{HttpResponse, web};
use kernel::MemberId;
use proto::convert::{InvalidField, to_optional_decimal};
use proto::trading::v1 as trading;
use serde::{Deserialize, Serialize};
use utoipa::{OpenApi, ToSchema};

use super::path::{IdPath, SidPath};
use super::repeatable;
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::error::{ApiError, Reason};
use crate::extract::Json;
use crate::routes::{Reply, State};
use crate::wire::number::Exact;
use crate::wire::request_id::request_id;
use crate::wire::rows::decode_rows;
use crate::wire::time::{kst, kst_if_set};

#[derive(OpenApi)]
#[openapi(paths(reset, seasons))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::post(
            "/api/v1/invest/reset/member/{id}",
            Subject::Path("id"),
            reset,
        ),
        Endpoint::get(
            "/api/v1/invest/season/member/{sid}",
            Subject::Path("sid"),
            seasons,
        )
        .extension(),
    ]
}

/// The end of the present season.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ResetDraft {
    /// The caller.
    member_sid: Option<i64>,
    /// Retry key: 8 to 64 letters, digits, `_` or `-`. The same key never resets twice.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    req_sid: Option<String>,
    /// Whether a ticket may be used up when the last reset was less than seven days ago.
    #[serde(default)]
    use_ticket: bool,
    /// The season to end, as the member saw it; without one the present season ends.
    #[schema(minimum = 1)]
    season: Option<i32>,
}

/// A season that has begun.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Reset {
    season: i32,
    /// Won of the basic account.
    deposit: i64,
    used_ticket: bool,
    /// When a reset without a ticket is possible again; null = at once.
    next_at: Option<String>,
    message: String,
}

/// The caller's seasons.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Seasons {
    /// The number of the present one.
    season: i32,
    /// Those that have ended, latest first.
    past: Vec<PastSeason>,
    /// When a reset without a ticket is possible; null = at once.
    next_at: Option<String>,
    /// Unused tickets, each for one more reset.
    tickets: i32,
    /// Won that a new season begins with.
    deposit: i64,
}

/// A season that has ended, as it was at its end.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PastSeason {
    season: i32,
    started_at: String,
    ended_at: String,
    /// Won of cash and holdings.
    total: i64,
    /// Won that were put in.
    base: i64,
    /// (total / base − 1) × 100; null when the base is not positive.
    profit_rt: Option<Exact>,
}

/// Begin again: open orders are canceled, contracts close without interest, holdings end, and the
/// basic account has its initial deposit anew. What was before stays readable as a season. Free once in
/// seven days.
#[utoipa::path(post, path = "/api/v1/invest/reset/member/{id}", tag = "invest", params(IdPath),
    request_body = ResetDraft,
    responses((status = 200, description = "The next season has begun.", body = Reset),
        (status = 409, description = "Another season has begun meanwhile.",
            content_type = "application/problem+json", body = crate::error::Problem),
        (status = 422, description = "Too soon, or without a ticket.",
            content_type = "application/problem+json", body = crate::error::Problem)))]
async fn reset(
    state: State,
    caller: Caller,
    draft: Json<ResetDraft>,
) -> Result<HttpResponse, ApiError> {
    let draft = draft.0;
    let is_other = |sid: i64| MemberId(sid) != caller.member_id;
    if draft.member_sid.is_some_and(is_other) {
        return Err(Reason::ForbiddenMember.into());
    }
    let request = trading::ResetRequest {
        member_id: caller.member_id.0,
        request_id: request_id(draft.req_sid.as_deref())?.to_string(),
        use_ticket: draft.use_ticket,
        season: match draft.season {
            Some(season @ 1..) => season,
            Some(_) => return Err(ApiError::field("season", "1 이상의 숫자여야 해요")),
            None => 0,
        },
    };
    let reply = state
        .seasons
        .call(async |mut seasons| seasons.reset(request).await)
        .await?;
    let body = Reset {
        season: reply.season,
        deposit: reply.deposit_won,
        used_ticket: reply.used_ticket,
        next_at: kst_if_set(reply.next_free_at_us, "next_free_at_us")?,
        message: reply.message,
    };
    Ok(repeatable::reply(reply.replayed, body))
}

/// The seasons before with their final returns, and when the next reset is possible.
#[utoipa::path(get, path = "/api/v1/invest/season/member/{sid}", tag = "invest", params(SidPath),
    responses((status = 200, description = "The seasons.", body = Seasons)))]
async fn seasons(state: State, caller: Caller) -> Reply<Seasons> {
    let request = trading::ListSeasonsRequest {
        member_id: caller.member_id.0,
    };
    let listed = state
        .seasons
        .call_idempotent(async |mut seasons| seasons.list_seasons(request).await)
        .await?;
    Ok(web::Json(Seasons {
        season: listed.present_season,
        past: decode_rows(listed.past),
        next_at: kst_if_set(listed.next_free_at_us, "next_free_at_us")?,
        tickets: listed.tickets,
        deposit: listed.deposit_won,
    }))
}

impl TryFrom<trading::PastSeason> for PastSeason {
    type Error = InvalidField;

    fn try_from(season: trading::PastSeason) -> Result<Self, InvalidField> {
        let rate = to_optional_decimal(season.profit_rate.as_ref(), "profit_rate")?;
        Ok(Self {
            season: season.season,
            started_at: kst(season.began_at_us, "began_at_us")?,
            ended_at: kst(season.ended_at_us, "ended_at_us")?,
            total: season.total_won,
            base: season.base_won,
            profit_rt: rate.map(Exact),
        })
    }
}
