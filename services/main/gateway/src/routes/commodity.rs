//! Gold, commodities and exchange rates.

use actix_web::web;
use proto::market::v1::GetExchangeRatesRequest;
use utoipa::OpenApi;

use super::lookup::{self, COMMODITIES, ListQuery};
use super::shape::item::ItemList;
use super::shape::outline::{ExchangeRate, ExchangeRates};
use crate::error::ApiError;
use crate::params::Query;
use crate::registry::{Class, Endpoint, Subject};
use crate::state::Gateway;

#[derive(OpenApi)]
#[openapi(paths(list_commodities, exchange_rate))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get("/api/v1/commodity/list", Subject::Public, list_commodities)
            .class(Class::Browse)
            .extension(),
        Endpoint::get(
            "/api/v1/commodity/get-exchange-rate",
            Subject::Public,
            exchange_rate,
        ),
    ]
}

/// Gold and world commodities with prices.
#[utoipa::path(get, path = "/api/v1/commodity/list", tag = "commodity", params(ListQuery),
    responses((status = 200, description = "One page.", body = ItemList)))]
async fn list_commodities(
    state: web::Data<Gateway>,
    query: Query<ListQuery>,
) -> Result<web::Json<ItemList>, ApiError> {
    let list = lookup::list(&state, query.0, &COMMODITIES, &COMMODITIES);
    Ok(web::Json(list.await?))
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
