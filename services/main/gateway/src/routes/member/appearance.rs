//! What the caller wears.

use actix_web::web;
use proto::auth::v1::SetAppearanceRequest;
use serde::Deserialize;
use utoipa::ToSchema;

use super::competition_mode::with_mode;
use super::some_or_null;
use crate::authentication::Caller;
use crate::extract::Json;
use crate::routes::{Reply, State};
use crate::wire::member::Member;

/// What is worn from now on, by the pictures of owned items; what is left out stays, and null takes
/// it off.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct AppearanceBody {
    /// The caller.
    #[expect(dead_code, reason = "read by the authorization; this describes it")]
    member_sid: i64,
    /// As `frame-gold`.
    #[serde(default, deserialize_with = "some_or_null")]
    #[schema(value_type = Option<String>, required = false)]
    frame: Option<Option<String>>,
    #[serde(default, deserialize_with = "some_or_null")]
    #[schema(value_type = Option<String>, required = false)]
    plate: Option<Option<String>>,
    #[serde(default, deserialize_with = "some_or_null")]
    #[schema(value_type = Option<String>, required = false)]
    theme: Option<Option<String>>,
}

/// Wear frames, name plates and themes that the caller owns.
#[utoipa::path(put, path = "/api/v1/member/appearance", tag = "member",
    request_body = AppearanceBody,
    responses((status = 200, description = "The member as it now is.", body = Member)))]
pub(super) async fn appearance(
    state: State,
    caller: Caller,
    Json(body): Json<AppearanceBody>,
) -> Reply<Member> {
    let request = SetAppearanceRequest {
        member_id: caller.member_id.0,
        frame: body.frame.map(Option::unwrap_or_default),
        plate: body.plate.map(Option::unwrap_or_default),
        theme: body.theme.map(Option::unwrap_or_default),
    };
    let member = state
        .members
        .call(async |mut members| members.set_appearance(request).await)
        .await?;
    Ok(web::Json(with_mode(&state, member).await?))
}
