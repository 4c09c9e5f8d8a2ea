//! What a member knows of decisions: why a text of theirs is hidden, whether they may write, and what
//! became of their reports.

use actix_web::{HttpResponse, web};
use proto::community::v1 as community;
use proto::community::v1::{appeal_request, get_hiding_request};
use proto::convert::InvalidField;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::report::{ReportReason, ReportedKind};
use super::words::{CallerQuery, Cursor, Sid, TextStatus, cursor};
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::{Json, Query};
use crate::routes::path::SidPath;
use crate::routes::repeatable;
use crate::routes::{Reply, State};
use crate::wire::code::text_parameter;
use crate::wire::item::non_empty;
use crate::wire::request_id::request_id;
use crate::wire::rows::decode_rows;
use crate::wire::time::{utc, utc_if_set};
use crate::wire::variants::from_proto;

#[derive(OpenApi)]
#[openapi(paths(text_hiding, appeal, standing, own_reports))]
pub(super) struct Document;

pub(super) fn endpoints() -> Vec<Endpoint> {
    use Subject::{Body, Path, Query};
    vec![
        Endpoint::get("/api/v1/community/hiding", Query("memberSid"), text_hiding),
        Endpoint::post("/api/v1/community/appeal", Body("memberSid"), appeal),
        Endpoint::get("/api/v1/community/standing/{sid}", Path("sid"), standing),
        Endpoint::get("/api/v1/community/report/{sid}", Path("sid"), own_reports),
    ]
    .into_iter()
    .map(Endpoint::extension)
    .collect()
}

text_parameter!(
    /// What speaks against it: 1 to 500 characters.
    AppealText(max_length = 5_000),
    "이의 제기는 500자까지 쓸 수 있어요",
    |text| text.chars().count() <= 5_000
);

/// REPORTS: many reported it, and nobody has decided. UPHELD: they were right. REFUSED: a held text
/// that is not published. RESTRICTED: 임시조치, because somebody claims that it violates their rights.
/// REMOVED: that claim was right.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum HidingCause {
    Reports,
    Upheld,
    Refused,
    Restricted,
    Removed,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct HidingQuery {
    #[param(inline)]
    kind: ReportedKind,
    /// A text of the caller.
    #[param(inline)]
    sid: Sid,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ReportsQuery {
    #[param(inline)]
    cursor: Option<Cursor>,
}

/// Against the hiding of a text of the caller.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AppealBody {
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    _member_sid: i64,
    kind: ReportedKind,
    #[schema(inline)]
    sid: Sid,
    #[schema(inline)]
    text: AppealText,
    /// Retry key: 8 to 64 letters, digits, `_` or `-`. The same key never appeals twice.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    req_sid: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
struct Appealed {
    sid: i64,
}

/// Why others do not see a text.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Hiding {
    status: TextStatus,
    /// Null for what is not hidden.
    cause: Option<HidingCause>,
    /// Which rule it is about; null for none.
    rule: Option<ReportReason>,
    /// In the words of the moderator; null for none.
    reason: Option<String>,
    /// When a restriction ends, UTC; null without one, or where it is hidden for longer.
    until: Option<String>,
    may_appeal: bool,
    /// Null when the caller has not appealed.
    appeal: Option<TextAppeal>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct TextAppeal {
    text: String,
    /// UTC.
    reg_date: String,
    /// UTC; null while nobody has decided.
    decided_date: Option<String>,
    is_upheld: bool,
}

/// Whether the caller may write.
#[derive(Debug, Serialize, ToSchema)]
struct Standing {
    /// The one that lasts longest; null for none.
    sanction: Option<Sanction>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Sanction {
    /// 1 warns; 2 to 4 suspend for 1, 7 and 30 days; 5 for good.
    rung: i32,
    /// Null for none.
    rule: Option<ReportReason>,
    /// In the words of the moderator.
    reason: String,
    /// UTC.
    from: String,
    /// UTC; null for good.
    until: Option<String>,
    /// Whether the caller may not write now.
    is_active: bool,
}

#[derive(Debug, Serialize, ToSchema)]
struct OwnReports {
    /// Newest first.
    reports: Vec<OwnReport>,
    /// Of the next page; null on the last one.
    cursor: Option<String>,
}

/// RECEIVED: nobody has decided.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum ReportStatus {
    Received,
    Upheld,
    Dismissed,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct OwnReport {
    sid: i64,
    kind: ReportedKind,
    /// The text.
    text_sid: i64,
    /// The post, also of a comment.
    board_sid: i64,
    reason: ReportReason,
    status: ReportStatus,
    /// UTC.
    reg_date: String,
    /// UTC; null while nobody has decided.
    decided_date: Option<String>,
}

/// Why a text of the caller is hidden.
#[utoipa::path(get, path = "/api/v1/community/hiding", tag = "community",
    params(HidingQuery, CallerQuery),
    responses((status = 200, description = "Why, and what can be done.", body = Hiding)))]
async fn text_hiding(
    state: State,
    caller: Caller,
    Query(query): Query<HidingQuery>,
) -> Reply<Hiding> {
    let Sid(sid) = query.sid;
    let subject = query.kind.subject(
        sid,
        get_hiding_request::Subject::PostId,
        get_hiding_request::Subject::CommentId,
    );
    let request = community::GetHidingRequest {
        member_id: caller.member_id.0,
        subject: Some(subject),
    };
    let hiding = state
        .moderation
        .call_idempotent(async |mut moderation| moderation.get_hiding(request).await)
        .await?;
    Ok(web::Json(Hiding::try_from(hiding)?))
}

/// Appeal against the hiding of a text, once for a text.
#[utoipa::path(post, path = "/api/v1/community/appeal", tag = "community",
    request_body = AppealBody,
    responses((status = 200, description = "It will be looked at.", body = Appealed)))]
async fn appeal(
    state: State,
    caller: Caller,
    Json(body): Json<AppealBody>,
) -> Result<HttpResponse, ApiError> {
    let Sid(sid) = body.sid;
    let subject = body.kind.subject(
        sid,
        appeal_request::Subject::PostId,
        appeal_request::Subject::CommentId,
    );
    let request = community::AppealRequest {
        member_id: caller.member_id.0,
        request_id: request_id(body.req_sid.as_deref())?.to_string(),
        subject: Some(subject),
        text: body.text.into(),
    };
    let appealed = state
        .moderation
        .call(async |mut moderation| moderation.appeal(request).await)
        .await?;
    Ok(repeatable::reply(appealed.replayed, Appealed { sid }))
}

/// Whether the caller may write.
#[utoipa::path(get, path = "/api/v1/community/standing/{sid}", tag = "community",
    params(SidPath),
    responses((status = 200, description = "What the caller has to bear.", body = Standing)))]
async fn standing(state: State, caller: Caller) -> Reply<Standing> {
    let request = community::GetStandingRequest {
        member_id: caller.member_id.0,
    };
    let standing = state
        .moderation
        .call_idempotent(async |mut moderation| moderation.get_standing(request).await)
        .await?;
    let sanction = standing.sanction.map(Sanction::try_from).transpose()?;
    Ok(web::Json(Standing { sanction }))
}

/// What became of the caller's reports.
#[utoipa::path(get, path = "/api/v1/community/report/{sid}", tag = "community",
    params(SidPath, ReportsQuery),
    responses((status = 200, description = "A page of 20.", body = OwnReports)))]
async fn own_reports(
    state: State,
    caller: Caller,
    Query(query): Query<ReportsQuery>,
) -> Reply<OwnReports> {
    let request = community::ListReportsRequest {
        member_id: caller.member_id.0,
        cursor: cursor(query.cursor),
    };
    let page = state
        .moderation
        .call_idempotent(async |mut moderation| moderation.list_reports(request.clone()).await)
        .await?;
    Ok(web::Json(OwnReports {
        reports: decode_rows(page.reports),
        cursor: non_empty(page.cursor),
    }))
}

from_proto!(community::HidingCause => Option<HidingCause> {
    Reports, Upheld, Refused, Restricted, Removed
});

impl TryFrom<community::Hiding> for Hiding {
    type Error = InvalidField;

    fn try_from(hiding: community::Hiding) -> Result<Self, InvalidField> {
        Ok(Self {
            status: hiding.publication().try_into()?,
            cause: HidingCause::from_proto(hiding.cause()),
            rule: ReportReason::from_proto(hiding.rule()),
            until: utc_if_set(hiding.until_us, "until_us")?,
            may_appeal: hiding.may_appeal,
            appeal: hiding.appeal.map(TextAppeal::try_from).transpose()?,
            reason: non_empty(hiding.reason),
        })
    }
}

impl TryFrom<community::TextAppeal> for TextAppeal {
    type Error = InvalidField;

    fn try_from(appeal: community::TextAppeal) -> Result<Self, InvalidField> {
        Ok(Self {
            reg_date: utc(appeal.created_at_us, "created_at_us")?,
            decided_date: utc_if_set(appeal.decided_at_us, "decided_at_us")?,
            is_upheld: appeal.is_upheld,
            text: appeal.text,
        })
    }
}

impl TryFrom<community::Sanction> for Sanction {
    type Error = InvalidField;

    fn try_from(sanction: community::Sanction) -> Result<Self, InvalidField> {
        Ok(Self {
            rung: sanction.rung,
            rule: ReportReason::from_proto(sanction.rule()),
            from: utc(sanction.begins_at_us, "begins_at_us")?,
            until: utc_if_set(sanction.ends_at_us, "ends_at_us")?,
            is_active: sanction.is_active,
            reason: sanction.reason,
        })
    }
}

impl TryFrom<community::OwnReport> for OwnReport {
    type Error = InvalidField;

    fn try_from(report: community::OwnReport) -> Result<Self, InvalidField> {
        let reason = ReportReason::from_proto(report.reason());
        let (kind, text_sid) = match report.comment_id {
            0 => (ReportedKind::Post, report.post_id),
            comment => (ReportedKind::Comment, comment),
        };
        let status = match (report.decided_at_us, report.is_upheld) {
            (0, _) => ReportStatus::Received,
            (_, true) => ReportStatus::Upheld,
            (_, false) => ReportStatus::Dismissed,
        };
        Ok(Self {
            sid: report.id,
            kind,
            text_sid,
            board_sid: report.post_id,
            reason: reason.ok_or(InvalidField("reason"))?,
            status,
            reg_date: utc(report.created_at_us, "created_at_us")?,
            decided_date: utc_if_set(report.decided_at_us, "decided_at_us")?,
        })
    }
}
