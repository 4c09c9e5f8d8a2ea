//! What entrants own, as others see it: weights, never amounts.

use actix_web::web;
use proto::convert::{InvalidField, to_required_decimal};
use proto::trading::v1 as trading;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::authentication::Caller;
use crate::error::ApiError;
use crate::extract::Path;
use crate::routes::{Reply, State};
use crate::wire::market::MarketCode;
use crate::wire::number::Exact;
use crate::wire::time::kst;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
#[serde(rename_all = "camelCase")]
pub(super) struct EntrantPath {
    /// The event.
    #[param(minimum = 1)]
    event_sid: i64,
    /// Who takes part.
    #[param(minimum = 1)]
    user_sid: i64,
}

/// Percent of cash and holdings together, at the latest prices or those of the end.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct EntrantHoldings {
    /// Largest first.
    holdings: Vec<EntrantHolding>,
    cash_weight: Exact,
    /// When the user owned them: a quarter of an hour ago, or at the end.
    as_of: String,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EntrantHolding {
    isu_srt_cd: String,
    isu_kor_nm: String,
    market_code: MarketCode,
    weight: Exact,
}

/// What a user owns in an event that shows it.
#[utoipa::path(get, path = "/api/v1/competition/{eventSid}/user/{userSid}/holdings",
    tag = "competition", params(EntrantPath),
    responses((status = 200, description = "The weights.", body = EntrantHoldings),
        (status = 403, description = "The event does not show what users own.",
            content_type = "application/problem+json", body = crate::error::Problem),
        (status = 404, description = "There is no such event for the caller, or the user takes no part.",
            content_type = "application/problem+json", body = crate::error::Problem)))]
pub(super) async fn entrant_holdings(
    state: State,
    caller: Caller,
    path: Path<EntrantPath>,
) -> Reply<EntrantHoldings> {
    let request = trading::ListEntrantHoldingsRequest {
        member_id: caller.member_id.0,
        competition_id: at_least_one("eventSid", path.0.event_sid)?,
        entrant_id: at_least_one("userSid", path.0.user_sid)?,
    };
    let owned = state
        .competitions
        .call_idempotent(async |mut competitions| competitions.list_entrant_holdings(request).await)
        .await?;
    Ok(web::Json(owned.try_into()?))
}

fn at_least_one(field: &'static str, sid: i64) -> Result<i64, ApiError> {
    if sid >= 1 {
        return Ok(sid);
    }
    Err(ApiError::field(field, "1 이상의 숫자여야 해요"))
}

impl TryFrom<trading::EntrantHoldings> for EntrantHoldings {
    type Error = InvalidField;

    fn try_from(owned: trading::EntrantHoldings) -> Result<Self, InvalidField> {
        let holdings = owned.holdings.into_iter().map(EntrantHolding::try_from);
        Ok(Self {
            holdings: holdings.collect::<Result<_, _>>()?,
            cash_weight: Exact(to_required_decimal(
                owned.cash_weight.as_ref(),
                "cash_weight",
            )?),
            as_of: kst(owned.as_of_us, "as_of_us")?,
        })
    }
}

impl TryFrom<trading::EntrantHolding> for EntrantHolding {
    type Error = InvalidField;

    fn try_from(one: trading::EntrantHolding) -> Result<Self, InvalidField> {
        Ok(Self {
            market_code: one.market().to_kernel()?.into(),
            weight: Exact(to_required_decimal(one.weight.as_ref(), "weight")?),
            isu_srt_cd: one.code,
            isu_kor_nm: one.name,
        })
    }
}
