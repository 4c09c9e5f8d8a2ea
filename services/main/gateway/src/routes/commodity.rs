//! Gold, commodities and exchange rates.

use actix_web::{HttpResponse, web};
use proto::market::v1::{GetCommodityPriceRequest, GetExchangeRatesRequest};
use serde::Deserialize;
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::liked::Liked;
use super::lookup::{self, COMMODITIES, ListQuery, SearchQuery};
use super::paths::{CodePath, IdOrNobody};
use super::shape::candle::Chart;
use super::shape::item::{Item, ItemList};
use super::shape::outline::{ExchangeRate, ExchangeRates};
use super::shape::trend::CommodityPrice;
use super::shape::words::{CandleType, Code, Until};
use crate::body::Json;
use crate::error::{ApiError, Reason};
use crate::params::{Path, Query};
use crate::registry::{Class, Endpoint, Subject};
use crate::session::Caller;
use crate::state::Gateway;

#[derive(OpenApi)]
#[openapi(paths(
    list_commodities,
    popular_commodities,
    search_commodities,
    commodity,
    commodity_price,
    commodity_chart,
    exchange_rate
))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    use Subject::{Anyone, Public, PublicOrSelf};
    vec![
        Endpoint::get("/api/v1/commodity/list", Anyone, list_commodities)
            .class(Class::Browse)
            .extension(),
        Endpoint::get(
            "/api/v1/commodity/popular/member/{id}",
            PublicOrSelf("id"),
            popular_commodities,
        )
        .class(Class::Browse)
        .extension(),
        Endpoint::get(
            "/api/v1/commodity/search/get-commodity-list",
            Anyone,
            search_commodities,
        )
        .class(Class::Search),
        Endpoint::get("/api/v1/commodity/real/code/{code}", Anyone, commodity).extension(),
        Endpoint::get(
            "/api/v1/commodity/get-commodity-price",
            Anyone,
            commodity_price,
        ),
        Endpoint::post("/api/v1/commodity/commodity_chart", Public, commodity_chart)
            .class(Class::Read),
        Endpoint::get("/api/v1/commodity/get-exchange-rate", Public, exchange_rate),
    ]
}

/// Gold and world commodities with prices.
#[utoipa::path(get, path = "/api/v1/commodity/list", tag = "commodity", params(ListQuery),
    responses((status = 200, description = "One page.", body = ItemList)))]
async fn list_commodities(
    state: web::Data<Gateway>,
    query: Query<ListQuery>,
    caller: Option<Caller>,
) -> Result<web::Json<ItemList>, ApiError> {
    let caller = caller.as_ref();
    let list = lookup::list(&state, query.0, &COMMODITIES, &COMMODITIES, caller);
    Ok(web::Json(list.await?))
}

/// The most popular commodities.
#[utoipa::path(get, path = "/api/v1/commodity/popular/member/{id}", tag = "commodity",
    params(IdOrNobody),
    responses((status = 200, description = "At most 20, most popular first.", body = Vec<Item>)))]
async fn popular_commodities(
    state: web::Data<Gateway>,
    caller: Option<Caller>,
) -> Result<web::Json<Vec<Item>>, ApiError> {
    let items = lookup::popular(&state, &COMMODITIES, caller.as_ref());
    Ok(web::Json(items.await?))
}

/// Find gold and commodities by name, code or 초성.
#[utoipa::path(get, path = "/api/v1/commodity/search/get-commodity-list", tag = "commodity",
    params(SearchQuery),
    responses((status = 200, description = "At most 20, best first.", body = Vec<Item>)))]
async fn search_commodities(
    state: web::Data<Gateway>,
    query: Query<SearchQuery>,
    caller: Option<Caller>,
) -> Result<web::Json<Vec<Item>>, ApiError> {
    let items = lookup::search(&state, &query.0, &COMMODITIES, caller.as_ref());
    Ok(web::Json(items.await?))
}

/// The price of gold or a commodity at this moment.
#[utoipa::path(get, path = "/api/v1/commodity/real/code/{code}", tag = "commodity",
    params(CodePath),
    responses((status = 200, description = "The item.", body = Item)))]
async fn commodity(
    state: web::Data<Gateway>,
    path: Path<CodePath>,
    caller: Option<Caller>,
) -> Result<HttpResponse, ApiError> {
    lookup::item(&state, &path.0.code, &COMMODITIES, caller.as_ref()).await
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct PriceQuery {
    #[param(inline)]
    isu_srt_cd: Code,
}

/// The price of gold or a commodity, and for gold of the exchange here what it costs more than in
/// the world.
#[utoipa::path(get, path = "/api/v1/commodity/get-commodity-price", tag = "commodity",
    params(PriceQuery),
    responses((status = 200, description = "The price.", body = CommodityPrice)))]
async fn commodity_price(
    state: web::Data<Gateway>,
    query: Query<PriceQuery>,
    caller: Option<Caller>,
) -> Result<web::Json<CommodityPrice>, ApiError> {
    let code = &query.0.isu_srt_cd;
    let request = GetCommodityPriceRequest {
        code: code.as_str().to_owned(),
    };
    let pricing = state
        .trends
        .read(async |mut trends| trends.get_commodity_price(request.clone()).await);
    let (answer, liked, ()) = tokio::join!(
        pricing,
        Liked::of(&state, caller.as_ref()),
        lookup::note_opened(&state, code, caller.as_ref()),
    );
    let mut price = CommodityPrice::try_from(answer?).map_err(|error| {
        tracing::warn!(%error, code = code.as_str(), "a commodity has no readable price");
        Reason::MarketUnavailable
    })?;
    liked.mark(std::slice::from_mut(&mut price.item));
    Ok(web::Json(price))
}

/// Gold of the exchange here, or a world commodity.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum CommodityType {
    Gold,
    Commodity,
}

/// Which chart is asked for.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ChartDraft {
    /// Exclusive end: an instant or a date; absent or empty = up to now.
    #[serde(default, deserialize_with = "lookup::blank_is_absent")]
    #[schema(value_type = Option<String>, pattern = "^([0-9]{4}-?[0-9]{2}-?[0-9]{2}(T.*)?)?$")]
    target_date: Option<Until>,
    #[schema(inline)]
    isu_srt_cd: Code,
    #[serde(rename = "type")]
    period: CandleType,
    /// The code alone decides what is shown.
    #[serde(rename = "commodityType")]
    _commodity_type: Option<CommodityType>,
}

/// A chart of gold or a commodity.
#[utoipa::path(post, path = "/api/v1/commodity/commodity_chart", tag = "commodity",
    request_body = ChartDraft,
    responses((status = 200, description = "Candles, oldest first.", body = Chart)))]
async fn commodity_chart(
    state: web::Data<Gateway>,
    draft: Json<ChartDraft>,
) -> Result<web::Json<Chart>, ApiError> {
    let Json(draft) = draft;
    let chart = lookup::chart(&state, &draft.isu_srt_cd, draft.period, draft.target_date);
    Ok(web::Json(chart.await?))
}

/// Won for units of other currencies.
#[utoipa::path(get, path = "/api/v1/commodity/get-exchange-rate", tag = "commodity",
    responses((status = 200, description = "Every rate.", body = ExchangeRates)))]
async fn exchange_rate(state: web::Data<Gateway>) -> Result<web::Json<ExchangeRates>, ApiError> {
    let answer = state
        .market
        .read(async |mut market| market.get_exchange_rates(GetExchangeRatesRequest {}).await)
        .await?;
    let rates = answer.rates.into_iter().map(ExchangeRate::try_from);
    Ok(web::Json(ExchangeRates {
        rates: rates.collect::<Result<_, _>>()?,
    }))
}
