//! What the best of an event receive, and objections to its results.

use actix_web::web;
use proto::convert::InvalidField;
use proto::trading::v1 as trading;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::EventPath;
use super::board::Kind;
use crate::authentication::Caller;
use crate::error::ApiError;
use crate::extract::{Json, Path};
use crate::routes::{Reply, State};
use crate::wire::item::non_empty;
use crate::wire::time::kst;
use crate::wire::variants::from_proto;

/// What each of some places receives.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CompetitionPrize {
    board: Kind,
    first_place: i32,
    last_place: i32,
    /// Education points.
    point: i64,
}

/// What the caller received.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct CompetitionAward {
    board: Kind,
    place: i32,
    point: i64,
    /// An objection was upheld: nothing was credited.
    is_withheld: bool,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum ObjectionStatus {
    Pending,
    Dismissed,
    Upheld,
}

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct CompetitionObjection {
    text: String,
    time: String,
    status: ObjectionStatus,
    /// Null before the decision.
    answer: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ObjectionBody {
    /// The caller.
    #[expect(dead_code, reason = "read by the authorization; this describes it")]
    member_sid: i64,
    /// 10 to 500 characters.
    #[schema(min_length = 10, max_length = 500)]
    text: String,
}

/// Object to the results of an event before its prizes are awarded; once, and the same text again finds
/// the first objection.
#[utoipa::path(post, path = "/api/v1/competition/{eventSid}/objection", tag = "competition",
    params(EventPath), request_body = ObjectionBody,
    responses((status = 200, description = "The objection.", body = CompetitionObjection),
        (status = 404, description = "The caller has no result in such an event.",
            content_type = "application/problem+json", body = crate::error::Problem),
        (status = 409, description = "The caller has objected already.",
            content_type = "application/problem+json", body = crate::error::Problem),
        (status = 422, description = "The time for objections is over.",
            content_type = "application/problem+json", body = crate::error::Problem)))]
pub(super) async fn object(
    state: State,
    caller: Caller,
    path: Path<EventPath>,
    Json(body): Json<ObjectionBody>,
) -> Reply<CompetitionObjection> {
    let text = body.text.trim();
    let is_plain = !text.chars().any(|one| one.is_control() && one != '\n');
    if !(10..=500).contains(&text.chars().count()) || !is_plain {
        return Err(ApiError::field("text", "10자에서 500자까지 써 주세요"));
    }
    let request = trading::FileObjectionRequest {
        member_id: caller.member_id.0,
        competition_id: path.0.event()?,
        text: text.to_owned(),
    };
    let filed = state
        .competitions
        .call(async |mut competitions| competitions.file_objection(request).await)
        .await?;
    Ok(web::Json(filed.try_into()?))
}

impl TryFrom<trading::Prize> for CompetitionPrize {
    type Error = InvalidField;

    fn try_from(prize: trading::Prize) -> Result<Self, InvalidField> {
        Ok(Self {
            board: prize.board().try_into()?,
            first_place: prize.first_place,
            last_place: prize.last_place,
            point: prize.points,
        })
    }
}

impl TryFrom<trading::Award> for CompetitionAward {
    type Error = InvalidField;

    fn try_from(award: trading::Award) -> Result<Self, InvalidField> {
        Ok(Self {
            board: award.board().try_into()?,
            place: award.place,
            point: award.points,
            is_withheld: award.is_withheld,
        })
    }
}

from_proto!(trading::ObjectionStatus => ObjectionStatus { Pending, Dismissed, Upheld }, "status");

impl TryFrom<trading::Objection> for CompetitionObjection {
    type Error = InvalidField;

    fn try_from(objection: trading::Objection) -> Result<Self, InvalidField> {
        Ok(Self {
            status: objection.status().try_into()?,
            text: objection.text,
            time: kst(objection.filed_at_us, "filed_at_us")?,
            answer: non_empty(objection.answer),
        })
    }
}
