//! What the product calls account: education points that become won, and the popup before it.

use actix_web::HttpResponse;
use proto::trading::v1::SeeTransferPopupRequest;
use utoipa::OpenApi;

use super::member::education_point;
use super::path::IdPath;
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::Json;
use crate::routes::State;
use crate::wire::member::NothingBody;

#[derive(OpenApi)]
#[openapi(paths(education_point::point_transfer, transfer_popup))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::post(
            "/api/v1/account/educationPoint/{id}",
            Subject::Path("id"),
            education_point::point_transfer,
        ),
        Endpoint::patch(
            "/api/v1/account/popup/{id}",
            Subject::Path("id"),
            transfer_popup,
        ),
    ]
}

/// The popup of the first transfer was seen. Repeating it changes nothing.
#[utoipa::path(patch, path = "/api/v1/account/popup/{id}", tag = "account", params(IdPath),
    request_body = NothingBody, responses((status = 204, description = "Noted.")))]
async fn transfer_popup(
    state: State,
    caller: Caller,
    Json(NothingBody {}): Json<NothingBody>,
) -> Result<HttpResponse, ApiError> {
    let request = SeeTransferPopupRequest {
        member_id: caller.member_id.0,
    };
    state
        .points
        .call(async |mut points| points.see_transfer_popup(request).await)
        .await?;
    Ok(HttpResponse::NoContent().finish())
}
