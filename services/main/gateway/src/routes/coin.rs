//! What only coins have; the rest is in `asset`.

use actix_web::web;
use serde::Deserialize;
use utoipa::{IntoParams, OpenApi};

use super::asset::{COIN, charts};
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::extract::Query;
use crate::routes::{Reply, State};
use crate::wire::candle::{CandleType, TimeTab};
use crate::wire::code::Code;
use crate::wire::time::Until;

#[derive(OpenApi)]
#[openapi(paths(coin_time_tab))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![Endpoint::get(
        "/api/v1/coin/get-coin-detail-time-tab",
        Subject::Anyone,
        coin_time_tab,
    )]
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct TimeTabQuery {
    #[param(inline)]
    isu_srt_cd: Code,
    /// Exclusive end; absent = up to now.
    #[param(value_type = Option<String>, pattern = "^[0-9]{4}-?[0-9]{2}-?[0-9]{2}(T.*)?$")]
    to: Option<Until>,
    #[serde(default)]
    #[param(required = false, inline)]
    candle_type: CandleType,
}

/// The price of a coin and a chart of it, by default today's 1-minute candles.
#[utoipa::path(get, path = "/api/v1/coin/get-coin-detail-time-tab", tag = "coin",
    params(TimeTabQuery),
    responses((status = 200, description = "Price and candles.", body = TimeTab)))]
async fn coin_time_tab(
    state: State,
    query: Query<TimeTabQuery>,
    caller: Option<Caller>,
) -> Reply<TimeTab> {
    let Query(query) = query;
    let code = &query.isu_srt_cd;
    let period = query.candle_type;
    let tab = charts::time_tab(
        &state,
        code,
        COIN.markets,
        period,
        query.to,
        caller.as_ref(),
    );
    Ok(web::Json(tab.await?))
}
