//! A market-data that tells the prices a test chooses.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use chrono::{DateTime, NaiveDate, TimeDelta};
use kernel::clock::KST;
use proto::market::v1 as market;
use proto::market::v1::close_service_server::{CloseService, CloseServiceServer};
use testkit::Served;
use tonic::service::Routes;
use tonic::{Request, Response, Status};
use trading::competitions::{CompetitionWorker, LiveBoards};
use trading::equity::EquityWorker;

use crate::world::{World, dec};

type Prices = Vec<(String, String)>;

#[derive(Default)]
struct Told {
    /// Of days that have prices of their own.
    days: BTreeMap<NaiveDate, Prices>,
    /// Of all others; `None` while they are not over.
    others: Option<Prices>,
    asked: usize,
}

#[derive(Clone, Default)]
struct Market(Arc<Mutex<Told>>);

pub(crate) struct Closes {
    market: Market,
    served: Served,
}

#[tonic::async_trait]
impl CloseService for Market {
    async fn list_prices_at(
        &self,
        request: Request<market::ListPricesAtRequest>,
    ) -> Result<Response<market::PricesAt>, Status> {
        let at = DateTime::from_timestamp_micros(request.into_inner().at_us).unwrap();
        let day = (at - TimeDelta::seconds(1))
            .with_timezone(&KST)
            .date_naive();
        let mut told = self.0.lock().unwrap();
        told.asked += 1;
        let prices = told.days.get(&day).or(told.others.as_ref());
        let prices = prices.ok_or_else(|| Status::failed_precondition("not over"))?;
        let price = |(code, price): &(String, String)| market::PriceAt {
            code: code.clone(),
            price: dec(price),
            tick_seq: Some(at.timestamp_millis() - 1),
        };
        Ok(Response::new(market::PricesAt {
            prices: prices.iter().map(price).collect(),
            dollar_won: dec("1470"),
        }))
    }

    async fn list_index_closes(
        &self,
        _request: Request<market::ListIndexClosesRequest>,
    ) -> Result<Response<market::IndexCloses>, Status> {
        Err(Status::unimplemented("list_index_closes"))
    }

    async fn list_day_volumes(
        &self,
        _request: Request<market::ListDayVolumesRequest>,
    ) -> Result<Response<market::DayVolumes>, Status> {
        Err(Status::unimplemented("list_day_volumes"))
    }
}

impl Closes {
    pub(crate) async fn new() -> Self {
        let market = Market::default();
        let routes = Routes::new(CloseServiceServer::new(market.clone()));
        Self {
            served: testkit::serve(routes).await,
            market,
        }
    }

    /// A worker of a process of its own.
    pub(crate) fn worker(&self, world: &World) -> EquityWorker {
        let client = bootstrap::grpc::channel(&self.served.url).unwrap();
        EquityWorker::new(world.store.clone(), world.pool.clone(), client, 1)
    }

    /// As [`Closes::worker`], of competitions.
    pub(crate) fn competitions(&self, world: &World, boards: LiveBoards) -> CompetitionWorker {
        let client = bootstrap::grpc::channel(&self.served.url).unwrap();
        let (store, pool) = (world.store.clone(), world.pool.clone());
        CompetitionWorker::new(store, pool, client, boards, 1)
    }

    pub(crate) fn tell(&self, prices: &[(&str, &str)]) {
        self.market.0.lock().unwrap().others = Some(owned(prices));
    }

    pub(crate) fn tell_of(&self, day: NaiveDate, prices: &[(&str, &str)]) {
        let mut told = self.market.0.lock().unwrap();
        told.days.insert(day, owned(prices));
    }

    pub(super) fn tell_nothing(&self) {
        self.market.0.lock().unwrap().others = None;
    }

    pub(super) fn asked(&self) -> usize {
        self.market.0.lock().unwrap().asked
    }
}

fn owned(prices: &[(&str, &str)]) -> Prices {
    let prices = prices.iter();
    prices
        .map(|(code, price)| ((*code).to_owned(), (*price).to_owned()))
        .collect()
}
