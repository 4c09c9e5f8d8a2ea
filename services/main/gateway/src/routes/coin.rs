//! Coins.

use actix_web::{HttpResponse, web};
use serde::Deserialize;
use utoipa::{IntoParams, OpenApi};

use super::lookup::{self, COINS, ListQuery, SearchQuery};
use super::paths::{CodePath, IdOrNobody};
use super::shape::candle::TimeTab;
use super::shape::item::{Item, ItemList};
use super::shape::words::{CandleType, Code, Until};
use crate::error::ApiError;
use crate::params::{Path, Query};
use crate::registry::{Class, Endpoint, Subject};
use crate::session::Caller;
use crate::state::Gateway;

#[derive(OpenApi)]
#[openapi(paths(list_coins, popular_coins, search_coins, coin, coin_time_tab))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    use Subject::{Anyone, PublicOrSelf};
    vec![
        Endpoint::get("/api/v1/coin/list", Anyone, list_coins)
            .class(Class::Browse)
            .extension(),
        Endpoint::get(
            "/api/v1/coin/popular/member/{id}",
            PublicOrSelf("id"),
            popular_coins,
        )
        .class(Class::Browse),
        Endpoint::get("/api/v1/coin/search/get-coin-list", Anyone, search_coins)
            .class(Class::Search),
        Endpoint::get("/api/v1/coin/real/code/{code}", Anyone, coin),
        Endpoint::get(
            "/api/v1/coin/get-coin-detail-time-tab",
            Anyone,
            coin_time_tab,
        ),
    ]
}

/// All coins with prices.
#[utoipa::path(get, path = "/api/v1/coin/list", tag = "coin", params(ListQuery),
    responses((status = 200, description = "One page.", body = ItemList)))]
async fn list_coins(
    state: web::Data<Gateway>,
    query: Query<ListQuery>,
    caller: Option<Caller>,
) -> Result<web::Json<ItemList>, ApiError> {
    let list = lookup::list(&state, query.0, &COINS, &COINS, caller.as_ref());
    Ok(web::Json(list.await?))
}

/// The most popular coins.
#[utoipa::path(get, path = "/api/v1/coin/popular/member/{id}", tag = "coin",
    params(IdOrNobody),
    responses((status = 200, description = "At most 20, most popular first.", body = Vec<Item>)))]
async fn popular_coins(
    state: web::Data<Gateway>,
    caller: Option<Caller>,
) -> Result<web::Json<Vec<Item>>, ApiError> {
    Ok(web::Json(
        lookup::popular(&state, &COINS, caller.as_ref()).await?,
    ))
}

/// Find coins by name, code or 초성.
#[utoipa::path(get, path = "/api/v1/coin/search/get-coin-list", tag = "coin",
    params(SearchQuery),
    responses((status = 200, description = "At most 20, best first.", body = Vec<Item>)))]
async fn search_coins(
    state: web::Data<Gateway>,
    query: Query<SearchQuery>,
    caller: Option<Caller>,
) -> Result<web::Json<Vec<Item>>, ApiError> {
    Ok(web::Json(
        lookup::search(&state, &query.0, &COINS, caller.as_ref()).await?,
    ))
}

/// The price of a coin at this moment.
#[utoipa::path(get, path = "/api/v1/coin/real/code/{code}", tag = "coin", params(CodePath),
    responses((status = 200, description = "The item.", body = Item)))]
async fn coin(
    state: web::Data<Gateway>,
    path: Path<CodePath>,
    caller: Option<Caller>,
) -> Result<HttpResponse, ApiError> {
    lookup::item(&state, &path.0.code, &COINS, caller.as_ref()).await
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
    state: web::Data<Gateway>,
    query: Query<TimeTabQuery>,
    caller: Option<Caller>,
) -> Result<web::Json<TimeTab>, ApiError> {
    let Query(query) = query;
    let code = &query.isu_srt_cd;
    let period = query.candle_type;
    let tab = lookup::time_tab(&state, code, &COINS, period, query.to, caller.as_ref());
    Ok(web::Json(tab.await?))
}
