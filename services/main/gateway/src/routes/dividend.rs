//! Dividends of the shares a member owns.

use actix_web::web;
use proto::trading::v1 as trading;
use serde::Deserialize;
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::paging::{cursor, page_size};
use super::paths::IdPath;
use super::shape::dividend::DividendPage;
use crate::error::ApiError;
use crate::params::Query;
use crate::registry::{Endpoint, Subject};
use crate::session::Caller;
use crate::state::Gateway;

#[derive(OpenApi)]
#[openapi(paths(dividends))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            "/api/v1/invest/dividend/member/{id}",
            Subject::Path("id"),
            dividends,
        )
        .extension(),
    ]
}

/// Which dividends are shown. DUE is what is to come, soonest first; PAID is what was paid, latest
/// first.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum DividendList {
    Due,
    Paid,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct DividendQuery {
    /// Absent = all that the caller has a claim to, latest day of payment first.
    #[param(inline)]
    state: Option<DividendList>,
    /// Where the page before ended (`nextCursor`); absent = the first page.
    #[param(pattern = "^[0-9]{0,18}$")]
    cursor: Option<String>,
    /// Dividends of a page; 20 when absent.
    #[param(minimum = 1, maximum = 100)]
    size: Option<i32>,
}

/// Dividends of the caller, by the day of payment.
#[utoipa::path(get, path = "/api/v1/invest/dividend/member/{id}", tag = "invest",
    params(IdPath, DividendQuery),
    responses((status = 200, description = "One page.", body = DividendPage)))]
async fn dividends(
    state: web::Data<Gateway>,
    caller: Caller,
    query: Query<DividendQuery>,
) -> Result<web::Json<DividendPage>, ApiError> {
    let query = query.0;
    let listed = match query.state {
        None => trading::DividendState::Unspecified,
        Some(DividendList::Due) => trading::DividendState::Due,
        Some(DividendList::Paid) => trading::DividendState::Paid,
    };
    let request = trading::ListDividendsRequest {
        member_id: caller.member_id.0,
        before_id: cursor(query.cursor.as_deref())?,
        size: page_size(query.size)?,
        state: listed.into(),
    };
    let page = state
        .dividends
        .read(async |mut dividends| dividends.list_dividends(request).await)
        .await?;
    Ok(web::Json(page.try_into()?))
}
