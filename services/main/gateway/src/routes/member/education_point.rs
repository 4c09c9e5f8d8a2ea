//! Education points of the caller: what they are, what changed them, and turning them into won.

use actix_web::{HttpResponse, web};
use proto::convert::{InvalidField, scaled};
use proto::trading::v1 as trading;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::super::path::{IdPath, SidPath};
use super::super::repeatable;
use super::MemberQuery;
use crate::authentication::Caller;
use crate::error::{ApiError, Reason};
use crate::extract::{Json, Query};
use crate::routes::{Reply, State};
use crate::wire::amount::{MAX_AMOUNT, within};
use crate::wire::code::Acno;
use crate::wire::number::Exact;
use crate::wire::page::{cursor, page_size};
use crate::wire::request_id::request_id;
use crate::wire::rows::decode_rows;
use crate::wire::time::kst;
use crate::wire::variants::from_proto;

/// Education points of a member.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EducationPoint {
    member_sid: i64,
    /// What the member has.
    education_point: i64,
    /// Earned since the account was opened.
    earned: i64,
    /// Turned into won.
    moved: i64,
    /// Spent otherwise, as for a streak.
    spent: i64,
    today: PointsOfDay,
    /// What a transfer would be multiplied with now, 1.0 to 1.8, and the level that makes it.
    multiplier: Exact,
    level: i32,
    level_name: String,
    /// Whether the popup of the first transfer was seen.
    popup: bool,
}

/// Points of the current day in Korea.
#[derive(Debug, Serialize, ToSchema)]
struct PointsOfDay {
    /// As far as the cap counts them.
    earned: i64,
    cap: i64,
}

/// Education points of the caller.
#[utoipa::path(get, path = "/api/v1/member/education-point", tag = "member",
    params(MemberQuery),
    responses((status = 200, description = "Education points.", body = EducationPoint)))]
pub(super) async fn education_point(state: State, caller: Caller) -> Reply<EducationPoint> {
    let member_id = caller.member_id.0;
    let request = trading::GetPointsRequest { member_id };
    let points = state
        .points
        .call_idempotent(async |mut points| points.get_points(request).await)
        .await?;
    Ok(web::Json(EducationPoint {
        member_sid: member_id,
        education_point: points.balance,
        earned: points.earned,
        moved: points.moved,
        spent: points.spent,
        today: PointsOfDay {
            earned: points.earned_today,
            cap: points.day_cap,
        },
        multiplier: multiplier(points.multiplier_tenths)?,
        level: points.level,
        level_name: points.level_name,
        popup: points.is_transfer_popup_seen,
    }))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct HistoryQuery {
    /// Where the page before ended (`nextCursor`); absent = the first page.
    #[param(pattern = "^[0-9]{0,18}$")]
    cursor: Option<String>,
    /// Changes of a page; 20 when absent.
    #[param(minimum = 1, maximum = 100)]
    size: Option<i32>,
}

/// EARNED by learning, MOVED into the account as won, SPENT otherwise.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum PointChangeType {
    Earned,
    Moved,
    Spent,
}

/// A page of changes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct PointHistory {
    changes: Vec<PointChange>,
    /// Asks for the next page; null when there is none.
    next_cursor: Option<String>,
}

/// A change of the points of a member.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PointChange {
    sid: i64,
    r#type: PointChangeType,
    /// Negative when moved or spent.
    point: i64,
    /// QUIZ, SET, ARTICLE, SURVEY, STREAK …, or what they were spent on; empty when moved.
    reason: String,
    /// Won that reached the account; null unless moved.
    won: Option<i64>,
    /// Null unless moved.
    multiplier: Option<Exact>,
    time: String,
}

/// What changed the caller's education points, newest first.
#[utoipa::path(get, path = "/api/v1/member/education-point/history/{sid}", tag = "member",
    params(SidPath, HistoryQuery),
    responses((status = 200, description = "One page.", body = PointHistory)))]
pub(super) async fn point_history(
    state: State,
    caller: Caller,
    query: Query<HistoryQuery>,
) -> Reply<PointHistory> {
    let request = trading::ListPointChangesRequest {
        member_id: caller.member_id.0,
        before_id: cursor(query.0.cursor.as_deref())?,
        size: page_size(query.0.size)?,
    };
    let page = state
        .points
        .call_idempotent(async |mut points| points.list_point_changes(request).await)
        .await?;
    Ok(web::Json(PointHistory {
        changes: decode_rows(page.changes),
        next_cursor: Some(page.next_before_id)
            .filter(|id| *id != 0)
            .map(|id| id.to_string()),
    }))
}

from_proto!(trading::PointChangeKind => PointChangeType { Earned, Moved, Spent }, "kind");

impl TryFrom<trading::PointChange> for PointChange {
    type Error = InvalidField;

    fn try_from(change: trading::PointChange) -> Result<Self, InvalidField> {
        let kind = PointChangeType::try_from(change.kind())?;
        let is_moved = matches!(kind, PointChangeType::Moved);
        let tenths = Some(change.multiplier_tenths).filter(|_| is_moved);
        Ok(Self {
            sid: change.change_id,
            r#type: kind,
            point: change.points,
            won: Some(change.won).filter(|_| is_moved),
            multiplier: tenths.map(multiplier).transpose()?,
            time: kst(change.occurred_at_us, "occurred_at_us")?,
            reason: change.reason,
        })
    }
}

/// Points to be turned into won.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::routes) struct PointTransferBody {
    /// 1 to what the caller has.
    #[schema(minimum = 1, maximum = 1_000_000_000_000_i64)]
    trans_point: i64,
    /// The basic account, which also is meant when it is missing. No other takes points.
    acno: Option<Acno>,
    /// Retry key: 8 to 64 letters, digits, `_` or `-`. The same key never moves points twice.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    req_sid: Option<String>,
}

/// What a transfer did.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(in crate::routes) struct PointTransfer {
    trans_point: i64,
    /// Won that reached the account.
    won: i64,
    /// 1.0 to 1.8, by the level before.
    multiplier: Exact,
    level: i32,
    /// Won of the account afterwards.
    deposit: i64,
    /// Points that are left.
    education_point: i64,
    message: String,
}

/// Turn education points into won of the basic account: 1,000 won each, times the multiplier of the
/// level before. It can't be undone.
#[utoipa::path(post, path = "/api/v1/account/educationPoint/{id}", tag = "account",
    params(IdPath), request_body = PointTransferBody,
    responses((status = 200, description = "It was done.", body = PointTransfer)))]
pub(in crate::routes) async fn point_transfer(
    state: State,
    caller: Caller,
    Json(body): Json<PointTransferBody>,
) -> Result<HttpResponse, ApiError> {
    let request = trading::MovePointsRequest {
        member_id: caller.member_id.0,
        request_id: request_id(body.req_sid.as_deref())?.to_string(),
        points: within("transPoint", body.trans_point, 1, MAX_AMOUNT)?,
        account_no: body.acno.map(String::from).unwrap_or_default(),
    };
    let reply = state
        .points
        .call(async |mut points| points.move_points(request).await)
        .await
        .map_err(|error| {
            if error.reason() == Reason::RequestIdReused {
                error.with_message("학습포인트 이전에 실패했습니다: 이미 처리된 요청")
            } else {
                error
            }
        })?;
    let body = PointTransfer {
        trans_point: reply.points,
        won: reply.won,
        multiplier: multiplier(reply.multiplier_tenths)?,
        level: reply.level,
        deposit: reply.deposit_won,
        education_point: reply.education_points,
        message: reply.message,
    };
    Ok(repeatable::reply(reply.replayed, body))
}

fn multiplier(tenths: i32) -> Result<Exact, InvalidField> {
    Ok(Exact(scaled(tenths.into(), 1, "multiplier_tenths")?))
}
