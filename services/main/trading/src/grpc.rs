//! The services of this process: translate the request, call the store, translate the result.

mod account_view;
mod call;
mod competitions;
mod contracts;
mod digest;
mod dividends;
mod equity;
mod items;
mod orders;
mod parse;
mod points;
mod profits;
mod seasons;
mod trading;
mod transfers;
mod turns;
mod view;

use std::sync::Arc;

use proto::trading::v1::cash_service_server::CashServiceServer;
use proto::trading::v1::dividend_service_server::DividendServiceServer;
use proto::trading::v1::equity_service_server::EquityServiceServer;
use proto::trading::v1::item_service_server::ItemServiceServer;
use proto::trading::v1::order_service_server::OrderServiceServer;
use proto::trading::v1::point_service_server::PointServiceServer;
use proto::trading::v1::profit_service_server::ProfitServiceServer;
use proto::trading::v1::season_service_server::SeasonServiceServer;
use proto::trading::v1::transfer_service_server::TransferServiceServer;
use tonic::service::Routes;

use crate::store::Store;
use turns::Turns;

pub use competitions::Competitions;
pub use contracts::Contracts;
pub use trading::Trading;

/// The services that need the store alone.
pub struct Service {
    store: Store,
    reading_profits: Arc<Turns>,
}

impl Service {
    #[must_use]
    pub fn routes(store: Store) -> Routes {
        let service = Arc::new(Self {
            store,
            reading_profits: Arc::new(Turns::new(profits::READ_AT_ONCE)),
        });
        Routes::new(OrderServiceServer::from_arc(Arc::clone(&service)))
            .add_service(DividendServiceServer::from_arc(Arc::clone(&service)))
            .add_service(TransferServiceServer::from_arc(Arc::clone(&service)))
            .add_service(PointServiceServer::from_arc(Arc::clone(&service)))
            .add_service(CashServiceServer::from_arc(Arc::clone(&service)))
            .add_service(ItemServiceServer::from_arc(Arc::clone(&service)))
            .add_service(ProfitServiceServer::from_arc(Arc::clone(&service)))
            .add_service(SeasonServiceServer::from_arc(Arc::clone(&service)))
            .add_service(EquityServiceServer::from_arc(service))
    }
}
