//! What only stocks and ETFs have; the rest is in `asset`.

mod company_outline;
mod index_constituents;
mod master;

use actix_web::web;
use proto::market::v1 as market;
use serde::Deserialize;
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::asset::items::{self, SearchQuery};
use super::asset::{STOCK, STOCK_MARKETS, charts};
use super::path::{CodePath, SidOrNobody};
use crate::authentication::Caller;
use crate::endpoint::{Class, Endpoint, Subject};
use crate::error::{ApiError, Reason};
use crate::extract::params::empty_is_absent;
use crate::extract::{Path, Query};
use crate::routes::{Reply, State};
use crate::state::AppState;
use crate::wire::candle::{CandleType, Chart, TimeTab};
use crate::wire::code::Code;
use crate::wire::item::Item;
use crate::wire::market::MarketCode;
use crate::wire::time::Until;
use company_outline::CompanyOutline;
use index_constituents::IndexConstituents;
use master::Master;

#[derive(OpenApi)]
#[openapi(paths(
    popular_stocks,
    search_stocks,
    stock_time_tab,
    stock_chart,
    stock_master,
    company_outline,
    index_constituents
))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    use Subject::{Anyone, Public, PublicOrSelf};
    vec![
        Endpoint::get(
            "/api/v1/stock/popular/member/{sid}",
            PublicOrSelf("sid"),
            popular_stocks,
        )
        .class(Class::Browse),
        Endpoint::get("/api/v1/stock/search/get-stock-list", Anyone, search_stocks)
            .class(Class::Search),
        Endpoint::get(
            "/api/v1/stock/get-stock-detail-time-tab",
            Anyone,
            stock_time_tab,
        ),
        Endpoint::get(
            "/api/v1/global-stock/get-chart-data-type/{code}",
            Anyone,
            stock_chart,
        ),
        Endpoint::get(
            "/api/v1/global-stock/stock-master/{code}",
            Public,
            stock_master,
        ),
        Endpoint::get(
            "/api/v1/stock/detail/get-stock-company-outline",
            Public,
            company_outline,
        ),
        Endpoint::get(
            "/api/v1/stock/index-constituents/{code}",
            Anyone,
            index_constituents,
        )
        .extension(),
    ]
}

/// What the popular list is of.
#[derive(Clone, Copy, Deserialize, ToSchema)]
enum PopularKind {
    #[serde(rename = "ETF")]
    Etf,
    #[serde(rename = "stocks")]
    Global,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct PopularQuery {
    /// `ETF` for ETFs, `stocks` for US stocks; otherwise domestic stocks, or US stocks where none is listed.
    #[serde(default, deserialize_with = "empty_is_absent")]
    #[param(inline)]
    acno: Option<PopularKind>,
}

/// The most popular stocks or ETFs.
#[utoipa::path(get, path = "/api/v1/stock/popular/member/{sid}", tag = "stock",
    params(SidOrNobody, PopularQuery),
    responses((status = 200, description = "At most 20, most popular first.", body = Vec<Item>)))]
async fn popular_stocks(
    state: State,
    query: Query<PopularQuery>,
    caller: Option<Caller>,
) -> Reply<Vec<Item>> {
    let caller = caller.as_ref();
    let items = match query.0.acno {
        Some(PopularKind::Etf) => items::popular(&state, &[MarketCode::Etf], caller).await?,
        Some(PopularKind::Global) => items::popular(&state, &[MarketCode::Global], caller).await?,
        None => popular(&state, caller).await?,
    };
    Ok(web::Json(items))
}

/// Domestic stocks, or US stocks where none is listed.
pub(crate) async fn popular(
    state: &AppState,
    caller: Option<&Caller>,
) -> Result<Vec<Item>, ApiError> {
    let domestic = &[MarketCode::Kospi, MarketCode::Kosdaq];
    match items::popular(state, domestic, caller).await? {
        // A replay of recorded US prices has no domestic stocks.
        none if none.is_empty() => items::popular(state, &[MarketCode::Global], caller).await,
        items => Ok(items),
    }
}

/// What is searched: companies or ETFs.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
enum SearchKind {
    /// Stocks.
    #[default]
    #[serde(rename = "CS")]
    Stocks,
    #[serde(rename = "ETF")]
    Etf,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct SearchKindQuery {
    #[serde(default)]
    #[param(required = false, inline)]
    search_type: SearchKind,
}

/// Find stocks or ETFs by name, code or 초성.
#[utoipa::path(get, path = "/api/v1/stock/search/get-stock-list", tag = "stock",
    params(SearchQuery, SearchKindQuery),
    responses((status = 200, description = "At most 20, best first.", body = Vec<Item>)))]
async fn search_stocks(
    state: State,
    query: Query<SearchQuery>,
    kind: Query<SearchKindQuery>,
    caller: Option<Caller>,
) -> Reply<Vec<Item>> {
    let markets: &[MarketCode] = match kind.0.search_type {
        SearchKind::Stocks => STOCK_MARKETS,
        SearchKind::Etf => &[MarketCode::Etf],
    };
    Ok(web::Json(
        items::search(&state, &query.0, markets, caller.as_ref()).await?,
    ))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct TimeTabQuery {
    #[param(inline)]
    isu_srt_cd: Code,
    /// The market the code is expected in; another one is not found.
    #[serde(default, deserialize_with = "empty_is_absent")]
    #[param(inline)]
    market_code: Option<MarketCode>,
}

/// The price of a stock or ETF and today's 1-minute candles.
#[utoipa::path(get, path = "/api/v1/stock/get-stock-detail-time-tab", tag = "stock",
    params(TimeTabQuery),
    responses((status = 200, description = "Price and candles.", body = TimeTab)))]
async fn stock_time_tab(
    state: State,
    query: Query<TimeTabQuery>,
    caller: Option<Caller>,
) -> Reply<TimeTab> {
    let Query(query) = query;
    let one;
    let markets: &[MarketCode] = match query.market_code {
        Some(market) if STOCK.markets.contains(&market) => {
            one = [market];
            &one
        }
        Some(_) => return Err(Reason::InstrumentNotFound.into()),
        None => STOCK.markets,
    };
    let code = &query.isu_srt_cd;
    let tab = charts::time_tab(
        &state,
        code,
        markets,
        CandleType::Day,
        None,
        caller.as_ref(),
    );
    Ok(web::Json(tab.await?))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct ChartQuery {
    #[serde(default)]
    #[param(required = false, inline)]
    candle_type: CandleType,
    /// Exclusive end; absent = up to now.
    #[param(value_type = Option<String>, pattern = "^[0-9]{4}-?[0-9]{2}-?[0-9]{2}(T.*)?$")]
    to: Option<Until>,
}

/// A chart of a stock or ETF.
#[utoipa::path(get, path = "/api/v1/global-stock/get-chart-data-type/{code}", tag = "stock",
    params(CodePath, ChartQuery),
    responses((status = 200, description = "Candles, oldest first.", body = Chart)))]
async fn stock_chart(
    state: State,
    path: Path<CodePath>,
    query: Query<ChartQuery>,
    caller: Option<Caller>,
) -> Reply<Chart> {
    let Query(query) = query;
    let code = &path.0.code;
    // A detail screen opens with the newest chart; older pages belong to the same opening.
    let opener = caller.as_ref().filter(|_| query.to.is_none());
    let chart = charts::chart(&state, code, query.candle_type, query.to);
    let (chart, ()) = tokio::join!(chart, charts::record_opened(&state, code, opener));
    Ok(web::Json(chart?))
}

/// What is fixed about an instrument.
#[utoipa::path(get, path = "/api/v1/global-stock/stock-master/{code}", tag = "stock",
    params(CodePath),
    responses((status = 200, description = "The master record.", body = Master)))]
async fn stock_master(state: State, path: Path<CodePath>) -> Reply<Master> {
    let request = market::GetInstrumentRequest {
        code: path.0.code.into(),
    };
    let detail = state
        .market
        .call_idempotent(async |mut market| market.get_instrument(request.clone()).await)
        .await?;
    let instrument = detail.instrument.ok_or(Reason::InstrumentNotFound)?;
    Ok(web::Json(instrument.try_into()?))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct OutlineQuery {
    #[param(inline)]
    isu_srt_cd: Code,
}

/// What is published about a company.
#[utoipa::path(get, path = "/api/v1/stock/detail/get-stock-company-outline", tag = "stock",
    params(OutlineQuery),
    responses((status = 200, description = "The outline.", body = CompanyOutline)))]
async fn company_outline(state: State, query: Query<OutlineQuery>) -> Reply<CompanyOutline> {
    let request = market::GetCompanyOutlineRequest {
        code: query.0.isu_srt_cd.into(),
    };
    let outline = state
        .market
        .call_idempotent(async |mut market| market.get_company_outline(request.clone()).await)
        .await?;
    Ok(web::Json(outline.into()))
}

/// The largest members of the index that an ETF follows, weighed by what all of their shares cost.
/// Prices and weights are at most a minute old.
#[utoipa::path(get, path = "/api/v1/stock/index-constituents/{code}", tag = "stock", params(CodePath),
    responses((status = 200, description = "At most ten, largest first; none where the ETF \
        doesn't hold the shares of an index that is known.", body = IndexConstituents)))]
async fn index_constituents(
    state: State,
    path: Path<CodePath>,
    caller: Option<Caller>,
) -> Reply<IndexConstituents> {
    let request = market::ListIndexConstituentsRequest {
        code: path.0.code.into(),
    };
    let reading = state
        .trends
        .call_idempotent(async |mut trends| trends.list_index_constituents(request.clone()).await);
    let (answer, likes) = tokio::join!(reading, state.shared_reads.likes(caller.as_ref()));
    let mut index = IndexConstituents::try_from(answer?)?;
    for constituent in &mut index.constituents {
        likes.mark(std::slice::from_mut(&mut constituent.item));
    }
    Ok(web::Json(index))
}
