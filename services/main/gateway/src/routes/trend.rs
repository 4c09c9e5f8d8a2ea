//! Trends of markets.

mod gold_trend;
mod market_trend;
mod product_trend;
mod sparkline;

use actix_web::web;
use proto::market::v1::{
    GetGoldTrendRequest, GetProductTrendRequest, GetTrendRequest, ListSparklinesRequest,
};
use serde::Deserialize;
use utoipa::{IntoParams, OpenApi};

use crate::extract::{Path, Query};
use gold_trend::GoldTrend;
use market_trend::{Trend, TrendType};
use product_trend::ProductTrend;
use sparkline::Sparkline;

use crate::authentication::Caller;
use crate::endpoint::{Class, Endpoint, Subject};
use crate::routes::{Reply, State};
use crate::wire::code::Codes;
use crate::wire::likes::Likeable;

#[derive(OpenApi)]
#[openapi(paths(gold_trend, trend, product_trend, sparklines))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    let browse = |endpoint: Endpoint| endpoint.class(Class::Browse);
    // Before the pattern that its path matches too.
    vec![
        browse(Endpoint::get(
            "/api/v1/market-trend/stocks/GOLD",
            Subject::Anyone,
            gold_trend,
        )),
        browse(Endpoint::get(
            "/api/v1/market-trend/stocks/{type}",
            Subject::Anyone,
            trend,
        )),
        browse(Endpoint::get(
            "/api/v1/market-trend/products",
            Subject::Anyone,
            product_trend,
        )),
        browse(Endpoint::get(
            "/api/v1/market-trend/sparklines",
            Subject::Public,
            sparklines,
        ))
        .extension(),
    ]
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct TrendPath {
    #[serde(rename = "type")]
    #[param(inline)]
    kind: TrendType,
}

/// How gold does, here and in the world.
#[utoipa::path(get, path = "/api/v1/market-trend/stocks/GOLD", tag = "trend",
    responses((status = 200, description = "At most a minute old.", body = GoldTrend)))]
async fn gold_trend(state: State, caller: Option<Caller>) -> Reply<GoldTrend> {
    let reading = state
        .trends
        .call_idempotent(async |mut trends| trends.get_gold_trend(GetGoldTrendRequest {}).await);
    let (answer, likes) = tokio::join!(reading, state.shared_reads.likes(caller.as_ref()));
    let mut trend = GoldTrend::try_from(answer?)?;
    likes.mark(&mut trend.items);
    Ok(web::Json(trend))
}

/// How a market does: its index, what rose and fell, what was traded.
#[utoipa::path(get, path = "/api/v1/market-trend/stocks/{type}", tag = "trend",
    params(TrendPath),
    responses((status = 200, description = "At most a minute old.", body = Trend)))]
async fn trend(state: State, path: Path<TrendPath>, caller: Option<Caller>) -> Reply<Trend> {
    let kind = path.0.kind;
    let request = GetTrendRequest {
        kind: kind.to_proto().into(),
    };
    let reading = state
        .trends
        .call_idempotent(async |mut trends| trends.get_trend(request).await);
    let (answer, likes) = tokio::join!(reading, state.shared_reads.likes(caller.as_ref()));
    let mut trend = Trend::new(kind, answer?)?;
    for list in [
        &mut trend.gainers,
        &mut trend.losers,
        &mut trend.volume,
        &mut trend.value,
    ] {
        likes.mark(list);
    }
    Ok(web::Json(trend))
}

/// How deposits and savings plans do: average and best rates, and what changed this week.
#[utoipa::path(get, path = "/api/v1/market-trend/products", tag = "trend",
    responses((status = 200, description = "At most a minute old.", body = ProductTrend)))]
async fn product_trend(state: State, caller: Option<Caller>) -> Reply<ProductTrend> {
    let reading = state.products.call_idempotent(async |mut products| {
        products.get_product_trend(GetProductTrendRequest {}).await
    });
    let (answer, likes) = tokio::join!(reading, state.shared_reads.likes(caller.as_ref()));
    let mut trend = ProductTrend::try_from(answer?)?;
    for mover in &mut trend.movers {
        let is_liked = mover.product.is_in(&likes);
        mover.product.like = is_liked;
    }
    Ok(web::Json(trend))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct CodesQuery {
    #[param(inline)]
    codes: Codes,
}

/// How instruments of any market did today, in the order of the codes.
#[utoipa::path(get, path = "/api/v1/market-trend/sparklines", tag = "trend", params(CodesQuery),
    responses((status = 200, description = "At most a minute old.", body = Vec<Sparkline>)))]
async fn sparklines(state: State, query: Query<CodesQuery>) -> Reply<Vec<Sparkline>> {
    let codes = query.0.codes.as_str().split(',');
    let request = ListSparklinesRequest {
        codes: codes.map(str::to_owned).collect(),
    };
    let answer = state
        .trends
        .call_idempotent(async |mut trends| trends.list_sparklines(request.clone()).await)
        .await?;
    let lines = answer.sparklines.into_iter().map(Sparkline::try_from);
    Ok(web::Json(lines.collect::<Result<_, _>>()?))
}
