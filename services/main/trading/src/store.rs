//! What happens to the database: one public method is one transaction is one verb.
//!
//! Every money transaction goes the same way: begin, lock (accounts by id ascending, then
//! holdings, then orders; who orders passes over accounts that others have locked), recognise a repeated request, decide purely, write everything in one
//! call, commit. No network call happens in between.

pub(crate) mod dividend;
mod fill;
pub(crate) mod in_flight;
pub(crate) mod lock;
pub(crate) mod request;
mod retention;
pub mod stored_reply;
pub(crate) mod write_set;

use std::sync::Arc;

use kernel::{AccountId, AccountNo, Clock, MemberId, RequestId, Won};
use sea_orm::DatabaseConnection;

use crate::accounts::account::INITIAL_DEPOSIT;
use crate::domain::cost::Costs;
use crate::grpc::view::{self, OrderContext};
use crate::market_cache::MarketCache;
use crate::matching::NewOrderCache;
use crate::orders::order::Order;
use crate::orders::validation::OrderLimits;

pub(crate) use dividend::sql;
pub use dividend::{DueDividend, Listed, Pending};
pub use fill::{BatchResult, BatchSlice};
pub use in_flight::{FirstRequest, InFlightRequest};

/// Numbers of the business that an operator may change.
#[derive(Clone, Copy, Debug)]
pub struct AccountPolicy {
    /// What a new BASIC account receives.
    pub initial_deposit: Won,
    /// How many orders an account may have and place.
    pub limits: OrderLimits,
}

impl Default for AccountPolicy {
    fn default() -> Self {
        Self {
            initial_deposit: INITIAL_DEPOSIT,
            limits: OrderLimits::default(),
        }
    }
}

/// The trading database.
#[derive(Clone)]
pub struct Store {
    pub(crate) db: DatabaseConnection,
    pub(crate) market_cache: Arc<MarketCache>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) costs: Arc<Costs>,
    pub(crate) policy: AccountPolicy,
    /// BASIC accounts by member: an account never changes its id, number or owner.
    pub(crate) basics: moka::future::Cache<MemberId, (AccountId, AccountNo)>,
    pub(crate) new_order_cache: NewOrderCache,
    pub(crate) in_flight: in_flight::InFlightRequests,
}

impl Store {
    /// A store on `db` that decides by `market_cache` and `policy`.
    #[must_use]
    pub fn new(
        db: DatabaseConnection,
        market_cache: Arc<MarketCache>,
        clock: Arc<dyn Clock>,
        policy: AccountPolicy,
    ) -> Self {
        Self {
            db,
            market_cache,
            clock,
            costs: Arc::new(Costs::standard()),
            policy,
            basics: moka::future::Cache::new(100_000),
            new_order_cache: NewOrderCache::default(),
            in_flight: in_flight::InFlightRequests::default(),
        }
    }

    /// The market as this store sees it.
    #[must_use]
    pub fn market_cache(&self) -> &MarketCache {
        &self.market_cache
    }

    /// Notes that a request is under way until what is answered is dropped.
    #[must_use]
    pub fn begin_request(&self, member_id: MemberId, request_id: &RequestId) -> InFlightRequest {
        self.in_flight.begin((member_id, request_id.clone()))
    }

    /// An order as a message.
    pub(crate) fn order_view(&self, order: &Order, account_no: &str) -> proto::trading::v1::Order {
        let day_end = order
            .trading_day
            .and_then(|day| self.market_cache.day_end(order.market, day));
        view::order(
            order,
            OrderContext {
                account_no,
                day_end,
                silent: self
                    .market_cache
                    .is_silent(order.market, &order.instrument_code),
            },
        )
    }
}
