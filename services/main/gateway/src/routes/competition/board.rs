//! Boards: ranks, names and returns, never amounts.

use std::collections::HashMap;

use actix_web::web;
use proto::auth::v1 as auth;
use proto::convert::{InvalidField, to_required_decimal};
use proto::trading::v1 as trading;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::EventPath;
use crate::authentication::Caller;
use crate::error::ApiError;
use crate::extract::{Path, Query};
use crate::routes::levels::{GONE, levels};
use crate::routes::{Reply, State};
use crate::state::AppState;
use crate::wire::item::non_empty;
use crate::wire::number::Exact;
use crate::wire::page::cursor;
use crate::wire::time::kst_if_set;
use crate::wire::variants::from_proto;

#[derive(Clone, Copy, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schema(as = CompetitionBoardKind)]
pub(super) enum Kind {
    /// By return.
    Return,
    /// By return over the largest fall; of events of five days or more.
    Calm,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct BoardQuery {
    /// Absent = RETURN.
    #[param(inline)]
    kind: Option<Kind>,
    /// `cursor` of the page before.
    #[param(pattern = "^[0-9]{1,18}$")]
    cursor: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct MineQuery {
    /// Absent = RETURN.
    #[param(inline)]
    kind: Option<Kind>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CompetitionBoard {
    rows: Vec<CompetitionBoardRow>,
    /// Of the next page; null on the last one.
    cursor: Option<String>,
    /// How many are ranked.
    ranked: i32,
    /// When accounts were valued; null before the first time.
    valued_at: Option<String>,
    /// The caller's row; null while not ranked.
    mine: Option<CompetitionBoardRow>,
    /// Of a result that does not change any more.
    is_final: bool,
}

#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct CompetitionBoardRow {
    /// 1, 2, 3 …: the order of the board.
    place: i32,
    /// Equal returns share it.
    rank: i32,
    user_sid: i64,
    nickname: String,
    /// Pictures of what the user wears; null for nothing.
    frame: Option<String>,
    plate: Option<String>,
    /// Level of the user's own wealth; null while it is not known.
    level: Option<i32>,
    /// Percent.
    return_rt: Exact,
    /// Ranks gained since the last midnight; null for who had none.
    gained: Option<i32>,
    is_mine: bool,
}

/// A page of the ranking of an event.
#[utoipa::path(get, path = "/api/v1/competition/{eventSid}/board", tag = "competition",
    params(EventPath, BoardQuery),
    responses((status = 200, description = "Fifty places.", body = CompetitionBoard),
        (status = 404, description = "There is no such event for the caller.",
            content_type = "application/problem+json", body = crate::error::Problem)))]
pub(super) async fn competition_board(
    state: State,
    caller: Caller,
    path: Path<EventPath>,
    Query(query): Query<BoardQuery>,
) -> Reply<CompetitionBoard> {
    let after = cursor(query.cursor.as_deref())?;
    let too_far = || ApiError::field("cursor", "이어 볼 자리가 올바르지 않아요");
    let request = trading::GetBoardRequest {
        member_id: caller.member_id.0,
        competition_id: path.0.event()?,
        kind: kind(query.kind).into(),
        after_place: i32::try_from(after).map_err(|_large| too_far())?,
        around_me: false,
    };
    Ok(web::Json(read(&state, request).await?))
}

/// The five places before and after the caller's own.
#[utoipa::path(get, path = "/api/v1/competition/{eventSid}/me", tag = "competition",
    params(EventPath, MineQuery),
    responses((status = 200, description = "The places; none while the caller is not ranked.",
            body = CompetitionBoard),
        (status = 404, description = "There is no such event for the caller.",
            content_type = "application/problem+json", body = crate::error::Problem)))]
pub(super) async fn competition_me(
    state: State,
    caller: Caller,
    path: Path<EventPath>,
    Query(query): Query<MineQuery>,
) -> Reply<CompetitionBoard> {
    let request = trading::GetBoardRequest {
        member_id: caller.member_id.0,
        competition_id: path.0.event()?,
        kind: kind(query.kind).into(),
        after_place: 0,
        around_me: true,
    };
    Ok(web::Json(read(&state, request).await?))
}

from_proto!(trading::BoardKind => Kind { Return, Calm }, "board");

fn kind(kind: Option<Kind>) -> trading::BoardKind {
    match kind {
        None | Some(Kind::Return) => trading::BoardKind::Return,
        Some(Kind::Calm) => trading::BoardKind::Calm,
    }
}

async fn read(
    state: &AppState,
    request: trading::GetBoardRequest,
) -> Result<CompetitionBoard, ApiError> {
    let board = state
        .competitions
        .call_idempotent(async |mut competitions| competitions.get_board(request).await)
        .await?;
    let shown = board.rows.iter().chain(&board.mine);
    let ids: Vec<i64> = shown.map(|row| row.member_id).collect();
    let (people, levels) = if ids.is_empty() {
        (HashMap::new(), HashMap::new())
    } else {
        let (people, levels) = tokio::join!(people(state, ids.clone()), levels(state, ids));
        (people?, levels)
    };
    let caller = request.member_id;
    let row = |row: trading::BoardRow| {
        let level = levels.get(&row.member_id).map(|level| level.level);
        named(row, level, &people, caller)
    };
    let next = board.next_after;
    Ok(CompetitionBoard {
        rows: board.rows.into_iter().map(row).collect::<Result<_, _>>()?,
        cursor: (next != 0).then(|| next.to_string()),
        ranked: board.ranked,
        valued_at: kst_if_set(board.valued_at_us, "valued_at_us")?,
        mine: board.mine.map(row).transpose()?,
        is_final: board.is_final,
    })
}

/// Names are auth's: a board has none of its own that could grow old.
async fn people(
    state: &AppState,
    member_ids: Vec<i64>,
) -> Result<HashMap<i64, auth::PublicProfile>, ApiError> {
    let request = auth::ListPublicProfilesRequest { member_ids };
    let listed = state
        .members
        .call_idempotent(async |mut members| members.list_public_profiles(request.clone()).await)
        .await?;
    let profiles = listed.profiles.into_iter();
    Ok(profiles.map(|one| (one.member_id, one)).collect())
}

fn named(
    row: trading::BoardRow,
    level: Option<i32>,
    people: &HashMap<i64, auth::PublicProfile>,
    caller: i64,
) -> Result<CompetitionBoardRow, InvalidField> {
    let return_rate = to_required_decimal(row.return_rate.as_ref(), "return_rate")?;
    let profile = people.get(&row.member_id).cloned();
    let profile = profile.unwrap_or_else(|| auth::PublicProfile {
        nickname: GONE.to_owned(),
        ..auth::PublicProfile::default()
    });
    Ok(CompetitionBoardRow {
        place: row.place,
        rank: row.rank,
        user_sid: row.member_id,
        nickname: profile.nickname,
        frame: non_empty(profile.frame),
        plate: non_empty(profile.plate),
        level: level.filter(|_| people.contains_key(&row.member_id)),
        return_rt: Exact(return_rate),
        gained: row.gained,
        is_mine: row.member_id == caller,
    })
}
