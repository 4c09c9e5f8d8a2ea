//! Likes: setting them, and lists of liked items and products.

use actix_web::web;
use proto::market::v1::{
    ListLikedItemsRequest, ListLikedProductsRequest, SetItemLikeRequest, SetProductLikeRequest,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::asset::{COIN, COMMODITY, STOCK, STOCK_MARKETS, items};
use super::path::{IdOrNobody, SidOrNobody};
use crate::authentication::Caller;
use crate::endpoint::{Class, Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::params::empty_is_absent;
use crate::extract::{Json, Query};
use crate::routes::{Reply, State};
use crate::state::AppState;
use crate::wire::code::Code;
use crate::wire::item::{Item, ItemKind};
use crate::wire::likes::Likeable;
use crate::wire::market::MarketCode;
use crate::wire::product::{Product, ProductSid};
use crate::wire::rows::decode_rows;

#[derive(OpenApi)]
#[openapi(paths(
    like_item,
    like_product,
    liked_stocks,
    liked_coins,
    liked_commodities,
    liked_products
))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    use Subject::{BodyOrNobody, PublicOrSelf};
    vec![
        Endpoint::put(
            "/api/v1/member/stock-like",
            BodyOrNobody("memberSid"),
            like_item,
        )
        .class(Class::Read),
        Endpoint::put(
            "/api/v1/member/product-like",
            BodyOrNobody("memberSid"),
            like_product,
        )
        .class(Class::Read),
        Endpoint::get(
            "/api/v1/stock/member/{sid}/stock-like",
            PublicOrSelf("sid"),
            liked_stocks,
        ),
        Endpoint::get(
            "/api/v1/coin/member/{id}/coin-like",
            PublicOrSelf("id"),
            liked_coins,
        ),
        Endpoint::get(
            "/api/v1/commodity/member/{id}/gold-like",
            PublicOrSelf("id"),
            liked_commodities,
        ),
        Endpoint::get(
            "/api/v1/product/member/{sid}/product-like",
            PublicOrSelf("sid"),
            liked_products,
        ),
    ]
}

/// What is liked, or is not any more.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ItemLikeDraft {
    /// The caller; 0 or absent is nobody, and then nothing changes.
    member_sid: Option<i64>,
    #[schema(inline)]
    target_code: Code,
    like: bool,
    /// What kind of item the code is taken for.
    #[serde(rename = "type")]
    kind: ItemKind,
}

/// How the like stands.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ItemLike {
    target_code: String,
    #[serde(rename = "type")]
    kind: ItemKind,
    like: bool,
}

/// Which product is liked, or is not any more.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ProductLikeDraft {
    /// The caller; 0 or absent is nobody, and then nothing changes.
    member_sid: Option<i64>,
    #[schema(inline)]
    target_sid: ProductSid,
    like: bool,
    /// PRODUCT.
    #[serde(rename = "type")]
    kind: Option<ItemKind>,
}

/// How the like stands.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ProductLike {
    target_sid: i64,
    #[serde(rename = "type")]
    kind: ItemKind,
    like: bool,
}

/// Like a stock, an ETF, a coin or a commodity, or stop. Without a login nothing changes.
#[utoipa::path(put, path = "/api/v1/member/stock-like", tag = "like",
    request_body = ItemLikeDraft,
    responses((status = 200, description = "How the like stands.", body = ItemLike)))]
async fn like_item(
    state: State,
    caller: Option<Caller>,
    draft: Json<ItemLikeDraft>,
) -> Reply<ItemLike> {
    let Json(draft) = draft;
    let member = acting_member(caller.as_ref(), draft.member_sid);
    if let Some(member_id) = member {
        let request = SetItemLikeRequest {
            member_id,
            code: draft.target_code.as_str().to_owned(),
            kind: draft.kind.to_proto().into(),
            liked: draft.like,
        };
        // Idempotent: it sets a state.
        state
            .likes
            .call_idempotent(async |mut likes| likes.set_item_like(request.clone()).await)
            .await?;
    }
    Ok(web::Json(ItemLike {
        target_code: draft.target_code.as_str().to_owned(),
        kind: draft.kind,
        like: member.is_some() && draft.like,
    }))
}

/// Like a deposit or a savings plan, or stop. Without a login nothing changes.
#[utoipa::path(put, path = "/api/v1/member/product-like", tag = "like",
    request_body = ProductLikeDraft,
    responses((status = 200, description = "How the like stands.", body = ProductLike)))]
async fn like_product(
    state: State,
    caller: Option<Caller>,
    draft: Json<ProductLikeDraft>,
) -> Reply<ProductLike> {
    let Json(draft) = draft;
    if draft.kind.is_some_and(|kind| kind != ItemKind::Product) {
        return Err(ApiError::field("type", "이 주소에서 받지 않는 종류예요"));
    }
    let member = acting_member(caller.as_ref(), draft.member_sid);
    if let Some(member_id) = member {
        let request = SetProductLikeRequest {
            member_id,
            product_id: draft.target_sid.0,
            liked: draft.like,
        };
        state
            .likes
            .call_idempotent(async |mut likes| likes.set_product_like(request).await)
            .await?;
    }
    Ok(web::Json(ProductLike {
        target_sid: draft.target_sid.0,
        kind: ItemKind::Product,
        like: member.is_some() && draft.like,
    }))
}

/// Which part of the liked stocks is asked for.
#[derive(Clone, Copy, Deserialize, ToSchema)]
enum StockKind {
    #[serde(rename = "STOCK")]
    Stock,
    #[serde(rename = "ETF")]
    Etf,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct StockKindQuery {
    /// `STOCK` or `ETF`; absent = both.
    #[serde(default, rename = "type", deserialize_with = "empty_is_absent")]
    #[param(inline)]
    kind: Option<StockKind>,
}

/// Stocks and ETFs that the caller likes.
#[utoipa::path(get, path = "/api/v1/stock/member/{sid}/stock-like", tag = "like",
    params(SidOrNobody, StockKindQuery),
    responses((status = 200, description = "Newest like first.", body = Vec<Item>)))]
async fn liked_stocks(
    state: State,
    caller: Option<Caller>,
    query: Query<StockKindQuery>,
) -> Reply<Vec<Item>> {
    let markets: &[MarketCode] = match query.0.kind {
        Some(StockKind::Stock) => STOCK_MARKETS,
        Some(StockKind::Etf) => &[MarketCode::Etf],
        None => STOCK.markets,
    };
    liked_items(&state, caller, markets).await
}

/// Coins that the caller likes.
#[utoipa::path(get, path = "/api/v1/coin/member/{id}/coin-like", tag = "like",
    params(IdOrNobody),
    responses((status = 200, description = "Newest like first.", body = Vec<Item>)))]
async fn liked_coins(state: State, caller: Option<Caller>) -> Reply<Vec<Item>> {
    liked_items(&state, caller, COIN.markets).await
}

/// Gold and commodities that the caller likes.
#[utoipa::path(get, path = "/api/v1/commodity/member/{id}/gold-like", tag = "like",
    params(IdOrNobody),
    responses((status = 200, description = "Newest like first.", body = Vec<Item>)))]
async fn liked_commodities(state: State, caller: Option<Caller>) -> Reply<Vec<Item>> {
    liked_items(&state, caller, COMMODITY.markets).await
}

/// Deposits and savings plans that the caller likes.
#[utoipa::path(get, path = "/api/v1/product/member/{sid}/product-like", tag = "like",
    params(SidOrNobody),
    responses((status = 200, description = "Newest like first.", body = Vec<Product>)))]
async fn liked_products(state: State, caller: Option<Caller>) -> Reply<Vec<Product>> {
    liked(caller, async |member_id| {
        let request = ListLikedProductsRequest { member_id };
        let answer = state
            .likes
            .call_idempotent(async |mut likes| likes.list_liked_products(request).await)
            .await?;
        Ok(decode_rows(answer.products))
    })
    .await
}

async fn liked_items(
    state: &AppState,
    caller: Option<Caller>,
    markets: &[MarketCode],
) -> Reply<Vec<Item>> {
    liked(caller, async |member_id| {
        let request = ListLikedItemsRequest {
            member_id,
            markets: items::to_proto(markets),
        };
        let answer = state
            .likes
            .call_idempotent(async |mut likes| likes.list_liked_items(request.clone()).await)
            .await?;
        Ok(decode_rows(answer.items))
    })
    .await
}

/// The rows that `list` returns for the caller; none for nobody.
async fn liked<R: Likeable>(
    caller: Option<Caller>,
    list: impl AsyncFnOnce(i64) -> Result<Vec<R>, ApiError>,
) -> Reply<Vec<R>> {
    let Some(caller) = caller else {
        return Ok(web::Json(Vec::new()));
    };
    let mut rows = list(caller.member_id.0).await?;
    for row in &mut rows {
        *row.like() = true;
    }
    Ok(web::Json(rows))
}

/// The caller, if the body names them; the authorization has rejected other members.
pub(super) fn acting_member(caller: Option<&Caller>, named: Option<i64>) -> Option<i64> {
    let member_id = caller?.member_id.0;
    (named == Some(member_id)).then_some(member_id)
}
