//! The products of a test.

use std::sync::Arc;

use proto::market::v1::product_service_server::ProductService;
use proto::market::v1::{
    GetProductRequest, GetProductTrendRequest, InterestQuote, InterestQuotes, ListProductsRequest,
    ProductDetail, ProductPage, ProductTrend, Products, QuoteInterestRequest,
    QuoteInterestsRequest, SearchProductsRequest,
};

use super::samples::market_data as samples;
use super::{Scenario, fake};

pub(crate) struct Fake(pub(crate) Arc<Scenario>);

fake! { ProductService:
    list_products(ListProductsRequest) -> Products =
        |_| Products { products: vec![samples::product(28), samples::product(1)] };
    search_products(SearchProductsRequest) -> ProductPage = |request| ProductPage {
        products: vec![samples::product(28)],
        page: request.page,
        total: 1,
    };
    get_product(GetProductRequest) -> ProductDetail =
        |request| samples::product_detail(request.product_id);
    quote_interest(QuoteInterestRequest) -> InterestQuote =
        |request| samples::interest(request.amount_won);
    quote_interests(QuoteInterestsRequest) -> InterestQuotes = |_| InterestQuotes::default();
    get_product_trend(GetProductTrendRequest) -> ProductTrend = |_| samples::product_trend();
}
