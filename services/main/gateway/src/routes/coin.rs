//! Coins.

use actix_web::{HttpResponse, web};
use serde::Deserialize;
use utoipa::{IntoParams, OpenApi};

use super::lookup::{self, COINS, CodePath, ListQuery, SearchQuery};
use super::shape::candle::TimeTab;
use super::shape::holding::Holding;
use super::shape::item::{Item, ItemList};
use super::shape::order::{Order, OrderDraft, OrderReply};
use super::shape::words::{CandleType, Code, OrderCategory, Until};
use super::trade::{self, AccountQuery};
use crate::body::Json;
use crate::error::ApiError;
use crate::params::{Path, Query};
use crate::registry::{Class, Endpoint, Subject};
use crate::session::Caller;
use crate::state::Gateway;

#[derive(OpenApi)]
#[openapi(paths(
    list_coins,
    popular_coins,
    search_coins,
    coin,
    coin_time_tab,
    order_coin,
    waiting_coin_orders,
    waiting_orders_of_coin,
    coin_holdings,
    holdings_of_coin
))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    use Subject::{Anyone, Body, Path, PublicOrSelf};
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
        Endpoint::post("/api/v1/coin/order", Body("memberSid"), order_coin),
        Endpoint::get(
            "/api/v1/coin/wait/member/{id}",
            Path("id"),
            waiting_coin_orders,
        ),
        Endpoint::get(
            "/api/v1/coin/wait/member/{id}/code/{code}",
            Path("id"),
            waiting_orders_of_coin,
        ),
        Endpoint::get("/api/v1/coin/member/{id}", Path("id"), coin_holdings),
        Endpoint::get(
            "/api/v1/coin/member/{id}/code/{code}",
            Path("id"),
            holdings_of_coin,
        ),
    ]
}

#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "the guard reads it; this describes it")]
struct NobodyOrSelf {
    /// The caller, or 0 for nobody.
    id: i64,
}

#[derive(IntoParams)]
#[into_params(parameter_in = Path)]
#[expect(dead_code, reason = "the guard reads it; this describes it")]
struct MemberPath {
    /// The caller.
    id: i64,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct MemberCodePath {
    /// The caller.
    #[serde(rename = "id")]
    _id: i64,
    #[param(inline)]
    code: Code,
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
    params(NobodyOrSelf),
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
) -> Result<web::Json<Item>, ApiError> {
    let item = lookup::item(&state, &path.0.code, &COINS, caller.as_ref());
    Ok(web::Json(item.await?))
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

/// Order a coin, or cancel an order.
#[utoipa::path(post, path = "/api/v1/coin/order", tag = "coin", request_body = OrderDraft,
    responses((status = 200, description = "How the order stands.", body = OrderReply)))]
async fn order_coin(
    state: web::Data<Gateway>,
    caller: Caller,
    draft: Json<OrderDraft>,
) -> Result<HttpResponse, ApiError> {
    trade::order(&state, &caller, draft.0, OrderCategory::Coin).await
}

/// Orders for coins that wait.
#[utoipa::path(get, path = "/api/v1/coin/wait/member/{id}", tag = "coin",
    params(MemberPath, AccountQuery),
    responses((status = 200, description = "At most 100, newest first.", body = Vec<Order>)))]
async fn waiting_coin_orders(
    state: web::Data<Gateway>,
    caller: Caller,
    account: Query<AccountQuery>,
) -> Result<web::Json<Vec<Order>>, ApiError> {
    let orders = trade::waiting(&state, &caller, account.0, OrderCategory::Coin, None);
    Ok(web::Json(orders.await?))
}

/// Orders for one coin that wait.
#[utoipa::path(get, path = "/api/v1/coin/wait/member/{id}/code/{code}", tag = "coin",
    params(MemberCodePath, AccountQuery),
    responses((status = 200, description = "At most 100, newest first.", body = Vec<Order>)))]
async fn waiting_orders_of_coin(
    state: web::Data<Gateway>,
    caller: Caller,
    path: Path<MemberCodePath>,
    account: Query<AccountQuery>,
) -> Result<web::Json<Vec<Order>>, ApiError> {
    let code = Some(path.0.code);
    let orders = trade::waiting(&state, &caller, account.0, OrderCategory::Coin, code);
    Ok(web::Json(orders.await?))
}

/// Coins the caller holds.
#[utoipa::path(get, path = "/api/v1/coin/member/{id}", tag = "coin",
    params(MemberPath, AccountQuery),
    responses((status = 200, description = "One per account and coin.", body = Vec<Holding>)))]
async fn coin_holdings(
    state: web::Data<Gateway>,
    caller: Caller,
    account: Query<AccountQuery>,
) -> Result<web::Json<Vec<Holding>>, ApiError> {
    let holdings = trade::holdings(&state, &caller, account.0, OrderCategory::Coin, None);
    Ok(web::Json(holdings.await?))
}

/// What the caller holds of one coin.
#[utoipa::path(get, path = "/api/v1/coin/member/{id}/code/{code}", tag = "coin",
    params(MemberCodePath, AccountQuery),
    responses((status = 200, description = "At most one per account.", body = Vec<Holding>)))]
async fn holdings_of_coin(
    state: web::Data<Gateway>,
    caller: Caller,
    path: Path<MemberCodePath>,
    account: Query<AccountQuery>,
) -> Result<web::Json<Vec<Holding>>, ApiError> {
    let code = Some(path.0.code);
    let holdings = trade::holdings(&state, &caller, account.0, OrderCategory::Coin, code);
    Ok(web::Json(holdings.await?))
}
