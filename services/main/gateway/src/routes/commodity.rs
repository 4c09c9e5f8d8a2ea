//! What only commodities have, and exchange rates; the rest is in `asset`.

use actix_web::web;
use proto::convert::{InvalidField, to_required_decimal as required};
use proto::market::v1::{self as market, GetCommodityPriceRequest, GetExchangeRatesRequest};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::asset::charts;
use crate::authentication::Caller;
use crate::endpoint::{Class, Endpoint, Subject};
use crate::error::Reason;
use crate::extract::params::blank_is_absent;
use crate::extract::{Json, Query};
use crate::routes::{Reply, State};
use crate::wire::candle::{CandleType, Chart};
use crate::wire::code::Code;
use crate::wire::gold_premium::Premium;
use crate::wire::item::{Item, percent_change};
use crate::wire::number::Exact;
use crate::wire::time::{Until, kst};

#[derive(OpenApi)]
#[openapi(paths(commodity_price, commodity_chart, exchange_rate))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    use Subject::{Anyone, Public};
    vec![
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

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct PriceQuery {
    #[param(inline)]
    isu_srt_cd: Code,
}

/// A commodity with its price.
#[derive(Clone, Debug, Serialize, ToSchema)]
struct CommodityPrice {
    item: Item,
    /// For gold of the exchange here; null for everything else.
    premium: Option<Premium>,
}

impl TryFrom<market::CommodityPrice> for CommodityPrice {
    type Error = InvalidField;

    fn try_from(price: market::CommodityPrice) -> Result<Self, InvalidField> {
        Ok(Self {
            item: price.item.ok_or(InvalidField("item"))?.try_into()?,
            premium: price.premium.map(Premium::try_from).transpose()?,
        })
    }
}

/// The price of gold or a commodity, and for gold of the exchange here what it costs more than in
/// the world.
#[utoipa::path(get, path = "/api/v1/commodity/get-commodity-price", tag = "commodity",
    params(PriceQuery),
    responses((status = 200, description = "The price.", body = CommodityPrice)))]
async fn commodity_price(
    state: State,
    query: Query<PriceQuery>,
    caller: Option<Caller>,
) -> Reply<CommodityPrice> {
    let code = &query.0.isu_srt_cd;
    let request = GetCommodityPriceRequest {
        code: code.as_str().to_owned(),
    };
    let reading = state
        .trends
        .call_idempotent(async |mut trends| trends.get_commodity_price(request.clone()).await);
    let (answer, likes, ()) = tokio::join!(
        reading,
        state.shared_reads.likes(caller.as_ref()),
        charts::record_opened(&state, code, caller.as_ref()),
    );
    let mut price = CommodityPrice::try_from(answer?).map_err(|error| {
        tracing::warn!(%error, code = code.as_str(), "a commodity has no readable price");
        Reason::MarketUnavailable
    })?;
    likes.mark(std::slice::from_mut(&mut price.item));
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
    #[serde(default, deserialize_with = "blank_is_absent")]
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
async fn commodity_chart(state: State, draft: Json<ChartDraft>) -> Reply<Chart> {
    let Json(draft) = draft;
    let chart = charts::chart(&state, &draft.isu_srt_cd, draft.period, draft.target_date);
    Ok(web::Json(chart.await?))
}

/// Won for units of other currencies.
#[derive(Debug, Serialize, ToSchema)]
struct ExchangeRates {
    rates: Vec<ExchangeRate>,
}

/// Won for one unit of a currency.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ExchangeRate {
    /// USD, JPY(100), EUR, CNH …
    cur_unit: String,
    /// Korean name.
    cur_nm: String,
    rate: Exact,
    prev_rate: Exact,
    /// Change since the previous close in percent, two decimals.
    fluc_rt: Exact,
    as_of: String,
}

impl TryFrom<market::ExchangeRate> for ExchangeRate {
    type Error = InvalidField;

    fn try_from(rate: market::ExchangeRate) -> Result<Self, InvalidField> {
        let now = required(rate.rate.as_ref(), "rate")?;
        let before = required(rate.prev_close.as_ref(), "prev_close")?;
        Ok(Self {
            as_of: kst(rate.as_of_us, "as_of_us")?,
            cur_unit: rate.unit,
            cur_nm: rate.korean_name,
            rate: Exact(now),
            prev_rate: Exact(before),
            fluc_rt: Exact(percent_change(now, before)),
        })
    }
}

/// Won for units of other currencies.
#[utoipa::path(get, path = "/api/v1/commodity/get-exchange-rate", tag = "commodity",
    responses((status = 200, description = "Every rate.", body = ExchangeRates)))]
async fn exchange_rate(state: State) -> Reply<ExchangeRates> {
    let answer = state
        .market
        .call_idempotent(async |mut market| {
            market.get_exchange_rates(GetExchangeRatesRequest {}).await
        })
        .await?;
    let rates = answer.rates.into_iter().map(ExchangeRate::try_from);
    Ok(web::Json(ExchangeRates {
        rates: rates.collect::<Result<_, _>>()?,
    }))
}
