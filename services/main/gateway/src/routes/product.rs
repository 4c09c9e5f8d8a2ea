//! Deposits and savings plans.

mod detail;
mod interest;

use actix_web::web;
use proto::market::v1 as market;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::asset::items::SearchQuery;
use crate::error::ApiError;
use crate::extract::params::empty_is_absent;
use crate::extract::{Path, Query};
use detail::ProductDetail;
use interest::Interest;

use crate::authentication::Caller;
use crate::endpoint::{Class, Endpoint, Subject};
use crate::routes::{Reply, State};
use crate::wire::product::{InterestType, Product, ProductKind, ProductSid, ReserveType};
use crate::wire::rows::decode_rows;
use crate::wire::variants::to_proto;

#[derive(OpenApi)]
#[openapi(paths(list_products, search_products, product, interest))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    use Subject::{Anyone, Public};
    vec![
        Endpoint::get("/api/v1/product/product", Anyone, list_products).class(Class::Browse),
        Endpoint::get(
            "/api/v1/product/search/get-product-list",
            Anyone,
            search_products,
        )
        .class(Class::Search),
        Endpoint::get("/api/v1/product/{productSid}/interest", Public, interest).extension(),
        Endpoint::get("/api/v1/product/{productSid}", Anyone, product),
    ]
}

/// The order of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
enum ProductSort {
    #[default]
    Popular,
    /// Highest best rate first.
    Rate,
    Name,
    Bank,
}

to_proto!(ProductSort => market::ProductSort { Popular, Rate, Name, Bank });

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ProductsQuery {
    #[serde(default)]
    #[param(required = false, inline)]
    sort: ProductSort,
    /// `03` deposits, `04` savings plans; absent = both.
    #[serde(default, deserialize_with = "empty_is_absent")]
    #[param(inline)]
    kind: Option<ProductKind>,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Path)]
struct ProductPath {
    #[param(inline)]
    product_sid: ProductSid,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct InterestQuery {
    /// Won: the whole sum, or the sum of each month for savings.
    amount: u64,
    /// Months; absent = the usual term.
    save_trm: Option<i32>,
    /// Absent = as the product has it.
    #[serde(default, deserialize_with = "empty_is_absent")]
    #[param(inline)]
    intr_rate_type: Option<InterestType>,
    #[serde(default, deserialize_with = "empty_is_absent")]
    #[param(inline)]
    rsrv_type: Option<ReserveType>,
    /// With every preference.
    #[serde(default)]
    #[param(required = false)]
    best: bool,
}

/// Deposits and savings plans of the banks.
#[utoipa::path(get, path = "/api/v1/product/product", tag = "product", params(ProductsQuery),
    responses((status = 200, description = "All of them, in the order asked for.", body = Vec<Product>)))]
async fn list_products(
    state: State,
    query: Query<ProductsQuery>,
    caller: Option<Caller>,
) -> Reply<Vec<Product>> {
    let kind = query.0.kind.map(ProductKind::to_proto);
    let request = market::ListProductsRequest {
        sort: query.0.sort.to_proto().into(),
        kind: kind.unwrap_or(market::ProductKind::Unspecified).into(),
    };
    let listing = state
        .products
        .call_idempotent(async |mut products| products.list_products(request).await);
    let (answer, likes) = tokio::join!(listing, state.shared_reads.likes(caller.as_ref()));
    let mut rows: Vec<Product> = decode_rows(answer?.products);
    likes.mark(&mut rows);
    Ok(web::Json(rows))
}

/// Find deposits and savings plans by name, bank or 초성.
#[utoipa::path(get, path = "/api/v1/product/search/get-product-list", tag = "product",
    params(SearchQuery),
    responses((status = 200, description = "At most 20, best first.", body = Vec<Product>)))]
async fn search_products(
    state: State,
    query: Query<SearchQuery>,
    caller: Option<Caller>,
) -> Reply<Vec<Product>> {
    let text = query.0.search_txt.as_str().trim();
    if text.is_empty() {
        return Ok(web::Json(Vec::new()));
    }
    let request = market::SearchProductsRequest {
        text: text.to_owned(),
        page: query.0.search_page.0,
    };
    let searching = state
        .products
        .call_idempotent(async |mut products| products.search_products(request.clone()).await);
    let (answer, likes) = tokio::join!(searching, state.shared_reads.likes(caller.as_ref()));
    let mut rows: Vec<Product> = decode_rows(answer?.products);
    likes.mark(&mut rows);
    Ok(web::Json(rows))
}

/// A deposit or a savings plan with all its terms.
#[utoipa::path(get, path = "/api/v1/product/{productSid}", tag = "product", params(ProductPath),
    responses((status = 200, description = "The product.", body = ProductDetail)))]
async fn product(
    state: State,
    path: Path<ProductPath>,
    caller: Option<Caller>,
) -> Reply<ProductDetail> {
    let request = market::GetProductRequest {
        product_id: path.0.product_sid.0,
    };
    let reading = state
        .products
        .call_idempotent(async |mut products| products.get_product(request).await);
    let (answer, likes) = tokio::join!(reading, state.shared_reads.likes(caller.as_ref()));
    let mut detail = ProductDetail::try_from(answer?)?;
    likes.mark(std::slice::from_mut(&mut detail.product));
    Ok(web::Json(detail))
}

/// What a sum earns in a product until maturity, after tax.
#[utoipa::path(get, path = "/api/v1/product/{productSid}/interest", tag = "product",
    params(ProductPath, InterestQuery),
    responses((status = 200, description = "The sums.", body = Interest),
        (status = 422, description = "The product takes no such sum or term.",
            content_type = "application/problem+json", body = crate::error::Problem)))]
async fn interest(
    state: State,
    path: Path<ProductPath>,
    query: Query<InterestQuery>,
) -> Reply<Interest> {
    let Query(query) = query;
    let interest_type = query.intr_rate_type.map(InterestType::to_proto);
    let reserve_type = query.rsrv_type.map(ReserveType::to_proto);
    let amount_won = i64::try_from(query.amount)
        .map_err(|_beyond| ApiError::field("amount", "금액이 너무 커요"))?;
    let request = market::QuoteInterestRequest {
        product_id: path.0.product_sid.0,
        amount_won,
        term_months: query.save_trm.unwrap_or(0),
        interest_type: interest_type.unwrap_or_default().into(),
        reserve_type: reserve_type.unwrap_or_default().into(),
        best: query.best,
    };
    let quote = state
        .products
        .call_idempotent(async |mut products| products.quote_interest(request).await)
        .await?;
    Ok(web::Json(quote.try_into()?))
}
