//! The mode in which the caller competes. Trading owns it, because trading enforces it.

use std::time::Duration;

use actix_web::web;
use proto::auth::v1 as auth;
use proto::convert::InvalidField;
use proto::trading::v1 as trading;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::authentication::Caller;
use crate::error::ApiError;
use crate::extract::Json;
use crate::routes::path::IdPath;
use crate::routes::{Reply, State};
use crate::state::AppState;
use crate::wire::member::Member;

/// A member is told without the mode when trading does not say it in time.
const MODE_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CompetitionModeBody {
    competition_mode: bool,
    /// The running event to compete in, which the caller has joined; absent = the one joined last.
    #[schema(minimum = 1)]
    event_sid: Option<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CompetitionMode {
    competition_mode: bool,
    /// Account of the current event; null while the mode is off.
    competition_account_sid: Option<i64>,
    event_sid: Option<i64>,
}

/// Turn the competition mode on or off. In the mode every order is one of the current event: the chosen
/// one while it runs, else the one joined last, else the practice league of the month.
#[utoipa::path(patch, path = "/api/v1/member/competition-mode/{id}", tag = "member", params(IdPath),
    request_body = CompetitionModeBody,
    responses((status = 200, description = "The mode as it now is.", body = CompetitionMode),
        (status = 422, description = "The caller has not joined the event, or it does not run.",
            content_type = "application/problem+json", body = crate::error::Problem)))]
pub(super) async fn set_competition_mode(
    state: State,
    caller: Caller,
    Json(body): Json<CompetitionModeBody>,
) -> Reply<CompetitionMode> {
    let request = trading::SetCompetitionModeRequest {
        member_id: caller.member_id.0,
        is_on: body.competition_mode,
        competition_id: match body.event_sid {
            Some(sid @ 1..) => sid,
            Some(_) => return Err(ApiError::field("eventSid", "1 이상의 숫자여야 해요")),
            None => 0,
        },
    };
    let mode = state
        .competitions
        .call(async |mut competitions| competitions.set_competition_mode(request).await)
        .await?;
    Ok(web::Json(CompetitionMode {
        competition_mode: mode.is_on,
        competition_account_sid: if_set(mode.account_id),
        event_sid: if_set(mode.competition_id),
    }))
}

/// A member with the mode of trading.
pub(in crate::routes) async fn with_mode(
    state: &AppState,
    member: auth::Member,
) -> Result<Member, InvalidField> {
    let request = trading::GetCompetitionModeRequest {
        member_id: member.member_id,
    };
    let asked = state
        .competitions
        .call_idempotent(async |mut competitions| competitions.get_competition_mode(request).await);
    let mode = tokio::time::timeout(MODE_TIMEOUT, asked).await;
    let mode = mode.ok().and_then(Result::ok);
    let mut member = Member::try_from(member)?;
    if let Some(mode) = mode {
        member.compete(mode.is_on, if_set(mode.account_id));
    }
    Ok(member)
}

fn if_set(id: i64) -> Option<i64> {
    (id != 0).then_some(id)
}
