//! Hearing nothing of a post.

use actix_web::web;
use proto::community::v1 as community;
use serde::{Deserialize, Serialize};
use utoipa::{OpenApi, ToSchema};

use super::words::Sid;
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::extract::Json;
use crate::routes::{Reply, State};

#[derive(OpenApi)]
#[openapi(paths(mute_post))]
pub(super) struct Document;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::put(
            "/api/v1/community/mute",
            Subject::Body("memberSid"),
            mute_post,
        )
        .extension(),
    ]
}

/// Whether the caller hears of the post `sid` from now on.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct MuteBody {
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    _member_sid: i64,
    #[schema(inline)]
    sid: Sid,
    /// True for no more notifications.
    on: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PostMute {
    sid: i64,
    is_muted: bool,
}

/// Hear nothing more of a post, or hear of it again.
#[utoipa::path(put, path = "/api/v1/community/mute", tag = "community",
    request_body = MuteBody,
    responses((status = 200, description = "How it stands.", body = PostMute)))]
async fn mute_post(state: State, caller: Caller, Json(body): Json<MuteBody>) -> Reply<PostMute> {
    let request = community::SetMuteRequest {
        member_id: caller.member_id.0,
        post_id: body.sid.0,
        on: body.on,
    };
    // Idempotent: it sets a state.
    let mute = state
        .posts
        .call_idempotent(async |mut posts| posts.set_mute(request).await)
        .await?;
    Ok(web::Json(PostMute {
        sid: body.sid.0,
        is_muted: mute.is_muted,
    }))
}
