//! A world with a bank whose products a test chooses.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use bootstrap::problem;
use chrono::TimeDelta;
use proto::market::v1 as market;
use proto::market::v1::product_service_server::{ProductService, ProductServiceServer};
use proto::trading::v1 as wire;
use proto::trading::v1::contract_service_client::ContractServiceClient;
use sqlx::PgPool;
use testkit::Served;
use tonic::service::Routes;
use tonic::transport::Channel;
use tonic::{Code, Request, Response, Status};
use trading::contracts::ContractWorker;
use trading::contracts::offer::Products;
use trading::grpc::Contracts;

use crate::world::{World, dec};

pub(crate) const DEPOSIT: i64 = 28;
pub(crate) const SAVINGS: i64 = 40;
pub(crate) const FREE: i64 = 41;

/// Rates of a product; none while it is not offered.
#[derive(Clone)]
pub(crate) struct Product {
    pub(crate) base: &'static str,
    pub(crate) best: &'static str,
    pub(crate) most: i64,
    pub(crate) is_offered: bool,
}

#[derive(Clone)]
struct Bank {
    /// By number; `None` while the bank is away.
    products: Arc<Mutex<Option<BTreeMap<i64, Product>>>>,
    /// How often the bank was called for rates.
    asked: Arc<AtomicUsize>,
}

pub(crate) struct BankWorld {
    pub(crate) world: World,
    pub(crate) contracts: ContractServiceClient<Channel>,
    pub(crate) products: Products,
    bank: Bank,
    worker: ContractWorker,
    _served: [Served; 2],
}

fn refusal(code: Code, reason: &str) -> Status {
    problem::status(code, reason, "은행이 거절했어요.", [])
}

impl Bank {
    fn quoted(
        &self,
        request: &market::QuoteInterestRequest,
    ) -> Result<market::InterestQuote, Status> {
        let products = self.products.lock().unwrap().clone();
        let products = products.ok_or_else(|| Status::unavailable("away"))?;
        let product = products
            .get(&request.product_id)
            .ok_or_else(|| refusal(Code::NotFound, "PRODUCT_NOT_FOUND"))?;
        if !product.is_offered || request.term_months > 36 {
            return Err(refusal(Code::FailedPrecondition, "TERM_NOT_OFFERED"));
        }
        if !(1_000..=product.most).contains(&request.amount_won) {
            return Err(refusal(Code::FailedPrecondition, "INVALID_AMOUNT"));
        }
        let rate = if request.best {
            product.best
        } else {
            product.base
        };
        let (kind, reserve) = match request.product_id {
            DEPOSIT => (
                market::ProductKind::Deposit,
                market::ReserveType::Unspecified,
            ),
            SAVINGS => (market::ProductKind::Savings, market::ReserveType::Fixed),
            _ => (market::ProductKind::Savings, market::ReserveType::Free),
        };
        Ok(market::InterestQuote {
            applied_rate: dec(rate),
            base_rate: dec(product.base),
            term_months: request.term_months,
            interest_type: market::InterestType::Simple.into(),
            reserve_type: reserve.into(),
            product: Some(market::Product {
                product_id: request.product_id,
                name: format!("상품 {}", request.product_id),
                kind: kind.into(),
                bank_code: "090".to_owned(),
                bank_name: "씨앗은행".to_owned(),
                most_amount_won: product.most,
                ..market::Product::default()
            }),
            ..market::InterestQuote::default()
        })
    }
}

#[tonic::async_trait]
impl ProductService for Bank {
    async fn quote_interest(
        &self,
        request: Request<market::QuoteInterestRequest>,
    ) -> Result<Response<market::InterestQuote>, Status> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        Ok(Response::new(self.quoted(&request.into_inner())?))
    }

    async fn quote_interests(
        &self,
        request: Request<market::QuoteInterestsRequest>,
    ) -> Result<Response<market::InterestQuotes>, Status> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let mut quotes = Vec::new();
        for request in request.into_inner().requests {
            quotes.push(match self.quoted(&request) {
                Ok(quote) => market::QuotedInterest {
                    quote: Some(quote),
                    refusal: None,
                },
                Err(status) if status.code() == Code::Unavailable => return Err(status),
                Err(status) => market::QuotedInterest {
                    quote: None,
                    refusal: problem::of(&status),
                },
            });
        }
        Ok(Response::new(market::InterestQuotes { quotes }))
    }

    async fn list_products(
        &self,
        _request: Request<market::ListProductsRequest>,
    ) -> Result<Response<market::Products>, Status> {
        Err(Status::unimplemented("list_products"))
    }

    async fn search_products(
        &self,
        _request: Request<market::SearchProductsRequest>,
    ) -> Result<Response<market::ProductPage>, Status> {
        Err(Status::unimplemented("search_products"))
    }

    async fn get_product(
        &self,
        _request: Request<market::GetProductRequest>,
    ) -> Result<Response<market::ProductDetail>, Status> {
        Err(Status::unimplemented("get_product"))
    }

    async fn get_product_trend(
        &self,
        _request: Request<market::GetProductTrendRequest>,
    ) -> Result<Response<market::ProductTrend>, Status> {
        Err(Status::unimplemented("get_product_trend"))
    }
}

impl BankWorld {
    pub(crate) async fn new(pool: PgPool) -> Self {
        Self::of(World::new(pool).await).await
    }

    pub(crate) async fn of(world: World) -> Self {
        let product = Product {
            base: "3.6",
            best: "4.8",
            most: 100_000_000,
            is_offered: true,
        };
        let free = Product {
            most: 300_000,
            ..product.clone()
        };
        let products = [(DEPOSIT, product.clone()), (SAVINGS, product), (FREE, free)];
        let bank = Bank {
            products: Arc::new(Mutex::new(Some(products.into()))),
            asked: Arc::default(),
        };
        let routes = Routes::new(ProductServiceServer::new(bank.clone()));
        let market = testkit::serve(routes).await;
        let products = Products::new(bootstrap::grpc::channel(&market.url).unwrap());
        let server = Contracts::server(world.store.clone(), products.clone());
        let served = testkit::serve(Routes::new(server)).await;
        let contracts = ContractServiceClient::connect(served.url.clone()).await;
        Self {
            contracts: contracts.unwrap(),
            worker: ContractWorker::new(world.store.clone(), products.clone()),
            products,
            bank,
            world,
            _served: [market, served],
        }
    }

    /// Changes the products.
    pub(crate) fn offer(&self, change: impl FnOnce(&mut BTreeMap<i64, Product>)) {
        change(self.bank.products.lock().unwrap().as_mut().unwrap());
    }

    /// Runs `work` while the bank does not answer.
    pub(crate) async fn without_bank<T>(&mut self, work: impl AsyncFnOnce(&mut Self) -> T) -> T {
        let products = self.bank.products.lock().unwrap().take();
        let done = work(self).await;
        *self.bank.products.lock().unwrap() = products;
        done
    }

    /// Calls that the bank has received.
    pub(crate) fn asked(&self) -> usize {
        self.bank.asked.load(Ordering::Relaxed)
    }

    /// Market time passes, but nobody works.
    pub(crate) async fn sleep(&mut self, days: i64) {
        self.world.now += TimeDelta::days(days);
        self.world.clock.advance(TimeDelta::days(days));
        self.world.log(Vec::new()).await;
    }

    pub(crate) async fn step(&mut self) {
        self.worker.step().await.unwrap();
    }

    /// Market time passes, and the worker works every day.
    pub(crate) async fn pass(&mut self, days: i64) {
        for _ in 0..days {
            self.sleep(1).await;
            self.step().await;
        }
    }

    pub(crate) async fn open(
        &self,
        request: wire::OpenContractRequest,
    ) -> Result<wire::ContractReply, Status> {
        let reply = self.contracts.clone().open_contract(request).await;
        reply.map(Response::into_inner)
    }

    pub(crate) async fn opened(&self, request: wire::OpenContractRequest) -> wire::Contract {
        self.open(request).await.unwrap().contract.unwrap()
    }

    pub(crate) async fn list(&self, member: i64) -> Vec<wire::Contract> {
        let request = wire::ListContractsRequest { member_id: member };
        let listed = self.contracts.clone().list_contracts(request).await;
        listed.unwrap().into_inner().contracts
    }

    pub(crate) async fn only(&self, member: i64) -> wire::Contract {
        let mut all = self.list(member).await;
        assert_eq!(all.len(), 1, "{all:?}");
        all.remove(0)
    }

    pub(crate) async fn pay(
        &self,
        contract: &wire::Contract,
        member: i64,
        amount: i64,
    ) -> Result<wire::ContractReply, Status> {
        let request = wire::PayIntoContractRequest {
            member_id: member,
            request_id: key(),
            account_no: contract.account_no.clone(),
            amount_won: amount,
        };
        let reply = self.contracts.clone().pay_into_contract(request).await;
        reply.map(Response::into_inner)
    }

    pub(crate) async fn cancel_info(
        &self,
        contract: &wire::Contract,
        member: i64,
    ) -> Result<wire::CancelInfo, Status> {
        let request = wire::GetContractRequest {
            member_id: member,
            account_no: contract.account_no.clone(),
        };
        let info = self.contracts.clone().get_cancel_info(request).await;
        info.map(Response::into_inner)
    }

    pub(crate) async fn schedule(
        &self,
        contract: &wire::Contract,
        member: i64,
    ) -> wire::ContractSchedule {
        let request = wire::GetContractRequest {
            member_id: member,
            account_no: contract.account_no.clone(),
        };
        let schedule = self.contracts.clone().get_schedule(request).await;
        schedule.unwrap().into_inner()
    }

    pub(crate) async fn close(
        &self,
        contract: &wire::Contract,
        member: i64,
        payout: Option<i64>,
    ) -> Result<wire::CloseContractReply, Status> {
        let request = wire::CloseContractRequest {
            member_id: member,
            request_id: key(),
            account_no: contract.account_no.clone(),
            payout_won: payout,
        };
        let reply = self.contracts.clone().close_contract(request).await;
        reply.map(Response::into_inner)
    }

    pub(crate) async fn deposit(&self, member: i64) -> i64 {
        self.world.basic(member).await.deposit_won
    }
}

/// A request that never repeats another.
pub(crate) fn key() -> String {
    uuid::Uuid::new_v4().to_string()
}

pub(crate) fn deposit(member: i64, amount: i64, months: i32) -> wire::OpenContractRequest {
    wire::OpenContractRequest {
        member_id: member,
        request_id: key(),
        product_id: DEPOSIT,
        term_months: months,
        amount_won: amount,
        ..wire::OpenContractRequest::default()
    }
}

pub(crate) fn savings(member: i64, amount: i64, months: i32) -> wire::OpenContractRequest {
    wire::OpenContractRequest {
        product_id: SAVINGS,
        ..deposit(member, amount, months)
    }
}

pub(crate) fn free(member: i64, amount: i64, months: i32) -> wire::OpenContractRequest {
    wire::OpenContractRequest {
        product_id: FREE,
        ..deposit(member, amount, months)
    }
}
