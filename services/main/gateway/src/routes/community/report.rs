//! Reporting posts and comments.

use actix_web::web;
use proto::community::v1 as community;
use proto::community::v1::report_request;
use serde::{Deserialize, Serialize};
use utoipa::{OpenApi, ToSchema};

use super::words::Sid;
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::extract::Json;
use crate::extract::params::blank_is_absent;
use crate::routes::{Reply, State};
use crate::wire::code::text_parameter;
use crate::wire::variants::{from_proto, to_proto};

#[derive(OpenApi)]
#[openapi(paths(report))]
pub(super) struct Document;

pub(super) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::post(
            "/api/v1/community/report",
            Subject::Body("memberSid"),
            report,
        )
        .extension(),
    ]
}

text_parameter!(
    /// What else there is to say: at most 300 characters.
    ReportText(max_length = 300),
    "300자까지 쓸 수 있어요",
    |text| text.chars().count() <= 300
);

#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(super) enum ReportedKind {
    Post,
    /// A comment or a reply.
    Comment,
}

/// 욕설, 스팸/리딩방, 허위·시세조종, 음란, 개인정보, 기타.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum ReportReason {
    Abuse,
    Spam,
    Manipulation,
    Obscene,
    PersonalData,
    Other,
}

/// What is wrong with which text.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReportBody {
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    _member_sid: i64,
    kind: ReportedKind,
    #[schema(inline)]
    sid: Sid,
    reason: ReportReason,
    #[serde(default, deserialize_with = "blank_is_absent")]
    #[schema(inline)]
    text: Option<ReportText>,
}

#[derive(Debug, Serialize, ToSchema)]
struct Reported {
    sid: i64,
}

/// Report a post or a comment. It counts once for a member.
#[utoipa::path(post, path = "/api/v1/community/report", tag = "community",
    request_body = ReportBody,
    responses((status = 200, description = "It is noted.", body = Reported)))]
async fn report(state: State, caller: Caller, Json(body): Json<ReportBody>) -> Reply<Reported> {
    let Sid(sid) = body.sid;
    let subject = body.kind.subject(
        sid,
        report_request::Subject::PostId,
        report_request::Subject::CommentId,
    );
    let request = community::ReportRequest {
        member_id: caller.member_id.0,
        subject: Some(subject),
        reason: body.reason.to_proto().into(),
        text: body.text.map(String::from).unwrap_or_default(),
    };
    // Idempotent: it counts once.
    state
        .people
        .call_idempotent(async |mut people| people.report(request.clone()).await)
        .await?;
    Ok(web::Json(Reported { sid }))
}

impl ReportedKind {
    /// The text as a request names it, by its variants for a post and for a comment.
    pub(super) fn subject<S>(self, sid: i64, post: fn(i64) -> S, comment: fn(i64) -> S) -> S {
        match self {
            Self::Post => post(sid),
            Self::Comment => comment(sid),
        }
    }
}

to_proto!(ReportReason => community::ReportReason {
    Abuse, Spam, Manipulation, Obscene, PersonalData, Other
});
from_proto!(pub(super) community::ReportReason => Option<ReportReason> {
    Abuse, Spam, Manipulation, Obscene, PersonalData, Other
});
