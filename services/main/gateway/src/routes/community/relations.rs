//! Following and blocking members.

use std::collections::BTreeSet;

use actix_web::web;
use proto::community::v1 as community;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::people::People;
use super::words::{Cursor, Sid, cursor};
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::error::{ApiError, Reason};
use crate::extract::{Json, Query};
use crate::routes::path::SidPath;
use crate::routes::{Reply, State};
use crate::state::AppState;
use crate::wire::item::non_empty;

#[derive(OpenApi)]
#[openapi(paths(follow_member, block_member, blocked_members))]
pub(super) struct Document;

pub(super) fn endpoints() -> Vec<Endpoint> {
    use Subject::{Body, Path};
    vec![
        Endpoint::put("/api/v1/community/follow", Body("memberSid"), follow_member),
        Endpoint::put("/api/v1/community/block", Body("memberSid"), block_member),
        Endpoint::get(
            "/api/v1/community/block/{sid}",
            Path("sid"),
            blocked_members,
        ),
    ]
    .into_iter()
    .map(Endpoint::extension)
    .collect()
}

/// What another member is to the caller from now on.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct RelationBody {
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    _member_sid: i64,
    #[schema(inline)]
    user_sid: Sid,
    on: bool,
}

/// What another member is to the caller.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Relation {
    user_sid: i64,
    is_followed: bool,
    is_blocked: bool,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct BlockedQuery {
    #[param(inline)]
    cursor: Option<Cursor>,
}

#[derive(Debug, Serialize, ToSchema)]
struct BlockedMembers {
    /// Newest first.
    members: Vec<BlockedMember>,
    /// Of the next page; null on the last one.
    cursor: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BlockedMember {
    user_sid: i64,
    nickname: String,
}

/// Follow a member, or follow them no more. They are not told.
#[utoipa::path(put, path = "/api/v1/community/follow", tag = "community",
    request_body = RelationBody,
    responses((status = 200, description = "What they are to the caller.", body = Relation)))]
async fn follow_member(
    state: State,
    caller: Caller,
    Json(body): Json<RelationBody>,
) -> Reply<Relation> {
    let request = request(&state, &caller, &body).await?;
    // Idempotent: it sets a state, as blocking does.
    let relation = state
        .people
        .call_idempotent(async |mut people| people.set_follow(request).await)
        .await?;
    Ok(web::Json(Relation::of(body.user_sid, &relation)))
}

/// Block a member, or undo it. Both then see nothing of each other, and neither follows the other.
#[utoipa::path(put, path = "/api/v1/community/block", tag = "community",
    request_body = RelationBody,
    responses((status = 200, description = "What they are to the caller.", body = Relation)))]
async fn block_member(
    state: State,
    caller: Caller,
    Json(body): Json<RelationBody>,
) -> Reply<Relation> {
    let request = request(&state, &caller, &body).await?;
    let relation = state
        .people
        .call_idempotent(async |mut people| people.set_block(request).await)
        .await?;
    Ok(web::Json(Relation::of(body.user_sid, &relation)))
}

/// Members whom the caller blocks.
#[utoipa::path(get, path = "/api/v1/community/block/{sid}", tag = "community",
    params(SidPath, BlockedQuery),
    responses((status = 200, description = "A page of 20.", body = BlockedMembers)))]
async fn blocked_members(
    state: State,
    caller: Caller,
    Query(query): Query<BlockedQuery>,
) -> Reply<BlockedMembers> {
    let request = community::ListBlockedRequest {
        member_id: caller.member_id.0,
        cursor: cursor(query.cursor),
    };
    let blocked = state
        .people
        .call_idempotent(async |mut people| people.list_blocked(request.clone()).await)
        .await?;
    let ids = blocked.member_ids.iter().copied().collect();
    let people = People::read(&state, ids).await?;
    let member = |user_sid| BlockedMember {
        user_sid,
        nickname: people.author(user_sid).nickname,
    };
    Ok(web::Json(BlockedMembers {
        members: blocked.member_ids.into_iter().map(member).collect(),
        cursor: non_empty(blocked.cursor),
    }))
}

/// Fails with MEMBER_NOT_FOUND for somebody whom auth does not know, unless it is to end: members
/// who are gone can be let go of.
async fn request(
    state: &AppState,
    caller: &Caller,
    body: &RelationBody,
) -> Result<community::SetRelationRequest, ApiError> {
    let Sid(other_id) = body.user_sid;
    if body.on {
        let people = People::read(state, BTreeSet::from([other_id])).await?;
        if !people.knows(other_id) {
            return Err(Reason::MemberNotFound.into());
        }
    }
    Ok(community::SetRelationRequest {
        member_id: caller.member_id.0,
        other_id,
        on: body.on,
    })
}

impl Relation {
    fn of(Sid(user_sid): Sid, relation: &community::Relation) -> Self {
        Self {
            user_sid,
            is_followed: relation.is_followed,
            is_blocked: relation.is_blocked,
        }
    }
}
