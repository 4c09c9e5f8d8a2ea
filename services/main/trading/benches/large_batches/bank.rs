//! The night in which contracts mature: the worker that advances them, and market-data, which offers
//! the same again at a renewal.

use std::time::Duration;

use proto::market::v1::product_service_server::{ProductService, ProductServiceServer};
use proto::market::v1::{
    GetProductRequest, GetProductTrendRequest, InterestQuote, InterestQuotes, InterestType,
    ListProductsRequest, Product, ProductDetail, ProductKind, ProductPage, ProductTrend, Products,
    QuoteInterestRequest, QuoteInterestsRequest, QuotedInterest, ReserveType,
    SearchProductsRequest,
};
use rust_decimal::Decimal;
use sqlx::PgPool;
use testkit::Served;
use tonic::service::Routes;
use tonic::{Request, Response, Status};
use trading::contracts::ContractWorker;
use trading::contracts::offer;
use trading::store::Store;

use super::book::{self, DEPOSIT};

/// Between two steps of the worker.
const STEP_INTERVAL: Duration = Duration::from_secs(2);

pub(crate) struct Bank {
    store: Store,
    pool: PgPool,
    products: offer::Products,
    won_before: i64,
    _market: Served,
}

impl Bank {
    pub(crate) async fn open(store: &Store, pool: &PgPool) -> Self {
        let market = testkit::serve(Routes::new(ProductServiceServer::new(Market))).await;
        Self {
            store: store.clone(),
            pool: pool.clone(),
            products: offer::Products::new(bootstrap::grpc::channel(&market.url).unwrap()),
            won_before: book::won(pool).await,
            _market: market,
        }
    }

    /// Advances what is due, as a process does that begins with it now.
    pub(crate) async fn advance(&self) {
        let mut worker = ContractWorker::new(self.store.clone(), self.products.clone());
        while book::due(&self.pool).await > 0 {
            worker.step().await.unwrap();
            // What was broken off may have its accounts locked still.
            if book::due(&self.pool).await > 0 {
                tokio::time::sleep(STEP_INTERVAL).await;
            }
        }
    }

    /// Nothing but interest has come to the members.
    pub(crate) async fn check(&self) {
        let earned = book::won(&self.pool).await - self.won_before;
        assert_eq!(earned, book::net_interest(&self.pool).await);
    }
}

/// Offers a deposit and a savings plan at the same rate every day.
struct Market;

#[tonic::async_trait]
impl ProductService for Market {
    async fn quote_interest(
        &self,
        request: Request<QuoteInterestRequest>,
    ) -> Result<Response<InterestQuote>, Status> {
        Ok(Response::new(quote(&request.into_inner())))
    }

    async fn quote_interests(
        &self,
        request: Request<QuoteInterestsRequest>,
    ) -> Result<Response<InterestQuotes>, Status> {
        let requests = request.into_inner().requests;
        let quotes = requests.iter().map(|request| QuotedInterest {
            quote: Some(quote(request)),
            refusal: None,
        });
        Ok(Response::new(InterestQuotes {
            quotes: quotes.collect(),
        }))
    }

    async fn list_products(
        &self,
        _request: Request<ListProductsRequest>,
    ) -> Result<Response<Products>, Status> {
        Err(Status::unimplemented("list_products"))
    }

    async fn search_products(
        &self,
        _request: Request<SearchProductsRequest>,
    ) -> Result<Response<ProductPage>, Status> {
        Err(Status::unimplemented("search_products"))
    }

    async fn get_product(
        &self,
        _request: Request<GetProductRequest>,
    ) -> Result<Response<ProductDetail>, Status> {
        Err(Status::unimplemented("get_product"))
    }

    async fn get_product_trend(
        &self,
        _request: Request<GetProductTrendRequest>,
    ) -> Result<Response<ProductTrend>, Status> {
        Err(Status::unimplemented("get_product_trend"))
    }
}

fn quote(request: &QuoteInterestRequest) -> InterestQuote {
    let rate = Some(proto::convert::decimal(Decimal::new(36, 1)));
    let (kind, reserve) = if request.product_id == DEPOSIT {
        (ProductKind::Deposit, ReserveType::Unspecified)
    } else {
        (ProductKind::Savings, ReserveType::Fixed)
    };
    InterestQuote {
        applied_rate: rate.clone(),
        base_rate: rate,
        term_months: request.term_months,
        interest_type: InterestType::Simple.into(),
        reserve_type: reserve.into(),
        product: Some(Product {
            product_id: request.product_id,
            name: "벤치".to_owned(),
            kind: kind.into(),
            bank_code: "090".to_owned(),
            bank_name: "씨앗은행".to_owned(),
            ..Product::default()
        }),
        ..InterestQuote::default()
    }
}
