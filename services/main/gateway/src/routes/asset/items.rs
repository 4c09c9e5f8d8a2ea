//! Lists, searches and prices of items.

use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::header::ContentType;
use actix_web::web::{self, Bytes};
use proto::market::v1 as market;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::kinds::AssetKind;
use crate::authentication::Caller;
use crate::error::{ApiError, Reason};
use crate::extract::params::empty_is_absent;
use crate::extract::{Path, Query};
use crate::routes::path::{CodePath, IdOrNobody};
use crate::routes::{Reply, State};
use crate::state::AppState;
use crate::upstream::shared_reads::{Quote, QuotedItem};
use crate::wire::code::{Code, SearchText};
use crate::wire::item::{Item, ItemList};
use crate::wire::likes::Likeable;
use crate::wire::market::MarketCode;
use crate::wire::page::Page;
use crate::wire::rows::decode_rows;
use crate::wire::variants::to_proto;

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    /// One market; absent or empty = every market of the route.
    #[serde(default, deserialize_with = "empty_is_absent")]
    #[param(inline)]
    market_code: Option<MarketCode>,
    #[serde(default)]
    #[param(required = false, inline)]
    sort: ItemSort,
    /// From 1; 20 rows a page.
    #[serde(default)]
    #[param(required = false, inline)]
    page: Page,
}

impl ListQuery {
    pub(crate) fn first_page(market: MarketCode) -> Self {
        Self {
            market_code: Some(market),
            sort: ItemSort::default(),
            page: Page::default(),
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(in crate::routes) struct SearchQuery {
    /// Name, code or 초성; at most 50 characters. Blank finds nothing.
    #[param(inline)]
    pub(in crate::routes) search_txt: SearchText,
    /// From 1; 20 rows a page.
    #[serde(default)]
    #[param(required = false, inline)]
    pub(in crate::routes) search_page: Page,
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum ItemSort {
    MarketCap,
    Name,
    RateUp,
    RateDown,
    #[default]
    Value,
    Price,
}

to_proto!(pub(crate) ItemSort => market::ItemSort {
    MarketCap, Name, RateUp, RateDown, Price; Value = TradedValue
});

#[utoipa::path(get, path = "list", params(ListQuery),
    responses((status = 200, body = ItemList)))]
pub(super) async fn list_items(
    kind: &'static AssetKind,
    state: State,
    query: Query<ListQuery>,
    caller: Option<Caller>,
) -> Reply<ItemList> {
    let list = list(&state, kind, query.0, caller.as_ref());
    Ok(web::Json(list.await?))
}

#[utoipa::path(get, path = "popular", params(IdOrNobody),
    responses((status = 200, body = Vec<Item>)))]
pub(super) async fn popular_items(
    kind: &'static AssetKind,
    state: State,
    caller: Option<Caller>,
) -> Reply<Vec<Item>> {
    let items = popular(&state, kind.markets, caller.as_ref());
    Ok(web::Json(items.await?))
}

#[utoipa::path(get, path = "search", params(SearchQuery),
    responses((status = 200, body = Vec<Item>)))]
pub(super) async fn search_items(
    kind: &'static AssetKind,
    state: State,
    query: Query<SearchQuery>,
    caller: Option<Caller>,
) -> Reply<Vec<Item>> {
    let items = search(&state, &query.0, kind.markets, caller.as_ref());
    Ok(web::Json(items.await?))
}

#[utoipa::path(get, path = "item", params(CodePath), responses((status = 200, body = Item)))]
pub(super) async fn get_item(
    kind: &'static AssetKind,
    state: State,
    path: Path<CodePath>,
    caller: Option<Caller>,
) -> Result<HttpResponse, ApiError> {
    item(&state, &path.0.code, kind.markets, caller.as_ref()).await
}

pub(crate) async fn list(
    state: &AppState,
    kind: &AssetKind,
    query: ListQuery,
    caller: Option<&Caller>,
) -> Result<ItemList, ApiError> {
    let markets = match query.market_code {
        Some(market) if !kind.markets.contains(&market) => {
            return Err(ApiError::field("marketCode", "이 목록에 없는 시장이에요"));
        }
        Some(market) => vec![market],
        None => kind.default_markets.to_vec(),
    };
    let request = market::BrowseItemsRequest {
        markets: to_proto(&markets),
        sort: query.sort.to_proto().into(),
        page: query.page.0,
    };
    let browsing = state
        .market
        .call_idempotent(async |mut market| market.browse_items(request.clone()).await);
    let (page, likes) = tokio::join!(browsing, state.shared_reads.likes(caller));
    let mut list = ItemList::from(page?);
    likes.mark(&mut list.items);
    Ok(list)
}

pub(crate) async fn popular(
    state: &AppState,
    markets: &[MarketCode],
    caller: Option<&Caller>,
) -> Result<Vec<Item>, ApiError> {
    let request = market::ListPopularRequest {
        markets: to_proto(markets),
    };
    let listing = state
        .market
        .call_idempotent(async |mut market| market.list_popular(request.clone()).await);
    let (page, likes) = tokio::join!(listing, state.shared_reads.likes(caller));
    let mut items: Vec<Item> = decode_rows(page?.items);
    likes.mark(&mut items);
    Ok(items)
}

pub(in crate::routes) async fn search(
    state: &AppState,
    query: &SearchQuery,
    markets: &[MarketCode],
    caller: Option<&Caller>,
) -> Result<Vec<Item>, ApiError> {
    let text = query.search_txt.as_str().trim();
    if text.is_empty() {
        return Ok(Vec::new());
    }
    let request = market::SearchItemsRequest {
        text: text.to_owned(),
        markets: to_proto(markets),
        page: query.search_page.0,
    };
    let searching = state
        .market
        .call_idempotent(async |mut market| market.search_items(request.clone()).await);
    let (page, likes) = tokio::join!(searching, state.shared_reads.likes(caller));
    let mut items: Vec<Item> = decode_rows(page?.items);
    likes.mark(&mut items);
    Ok(items)
}

async fn item(
    state: &AppState,
    code: &Code,
    markets: &[MarketCode],
    caller: Option<&Caller>,
) -> Result<HttpResponse, ApiError> {
    let (quoted, is_liked) = quoted_item(state, code, markets, caller).await?;
    Ok(if is_liked {
        HttpResponse::Ok().json(liked(&quoted))
    } else {
        HttpResponse::Ok()
            .content_type(ContentType::json())
            .body(quoted.json()?)
    })
}

/// Without likes.
pub(crate) async fn item_json(
    state: &AppState,
    code: &Code,
    markets: &[MarketCode],
) -> Result<Bytes, ApiError> {
    quoted_item(state, code, markets, None).await?.0.json()
}

/// The item, and whether the caller likes it. Items of other markets are not found.
pub(super) async fn quoted_item(
    state: &AppState,
    code: &Code,
    markets: &[MarketCode],
    caller: Option<&Caller>,
) -> Result<(Arc<QuotedItem>, bool), ApiError> {
    let member = caller.map(|caller| caller.member_id);
    let quote = state.shared_reads.quote(code.as_str(), member).await?;
    let Quote {
        item: quoted,
        is_liked,
    } = quote;
    if !markets.contains(&quoted.item.market_code) {
        return Err(Reason::InstrumentNotFound.into());
    }
    let is_liked = match is_liked {
        Some(is_liked) => is_liked,
        None => quoted
            .item
            .is_in(state.shared_reads.likes(caller).await.as_ref()),
    };
    Ok((quoted, is_liked))
}

pub(super) fn liked(quoted: &QuotedItem) -> Item {
    let mut item = quoted.item.clone();
    item.like = true;
    item
}

pub(in crate::routes) fn to_proto(markets: &[MarketCode]) -> Vec<i32> {
    markets
        .iter()
        .map(|market| market.to_proto().into())
        .collect()
}
