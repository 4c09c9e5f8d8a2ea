//! The member's own record.

use actix_web::web;
use proto::auth::v1::GetMemberRequest;
use proto::trading::v1::GetBalancesRequest;
use utoipa::{IntoParams, OpenApi};

use super::shape::account::EducationPoint;
use super::shape::member::Member;
use crate::error::ApiError;
use crate::registry::{Endpoint, Subject};
use crate::session::Caller;
use crate::state::Gateway;

#[derive(OpenApi)]
#[openapi(paths(education_point, member))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            "/api/v1/member/education-point",
            Subject::Query("member_sid"),
            education_point,
        ),
        Endpoint::get("/api/v1/member/{id}", Subject::Path("id"), member),
    ]
}

#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "the guard reads it; this describes it")]
struct MemberQuery {
    /// The caller.
    member_sid: i64,
}

/// Education points of the caller.
#[utoipa::path(get, path = "/api/v1/member/education-point", tag = "member",
    params(MemberQuery),
    responses((status = 200, description = "Education points.", body = EducationPoint)))]
async fn education_point(
    state: web::Data<Gateway>,
    caller: Caller,
) -> Result<web::Json<EducationPoint>, ApiError> {
    let request = GetBalancesRequest {
        member_id: caller.member_id.0,
    };
    let balances = state
        .trading
        .read(async |mut trading| trading.get_balances(request).await)
        .await?;
    Ok(web::Json(EducationPoint {
        member_sid: caller.member_id.0,
        education_point: balances.education_points,
    }))
}

#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "the guard reads it; this describes it")]
struct MemberPath {
    /// The caller.
    id: i64,
}

/// The caller's own record.
#[utoipa::path(get, path = "/api/v1/member/{id}", tag = "member", params(MemberPath),
    responses((status = 200, description = "The member.", body = Member)))]
async fn member(state: web::Data<Gateway>, caller: Caller) -> Result<web::Json<Member>, ApiError> {
    let request = GetMemberRequest {
        member_id: caller.member_id.0,
    };
    let member = state
        .auth
        .read(async |mut auth| auth.get_member(request).await)
        .await?;
    Ok(web::Json(member.try_into()?))
}
