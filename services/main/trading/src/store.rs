//! The database: locks, stored replies and batched writes that the transactions of all modules share.
//!
//! Every transaction that moves money has the same steps: begin, lock (accounts by id ascending,
//! then holdings, then orders; orders and changes skip locked accounts), look up the stored reply of
//! a repeated request, apply the rules, write everything in one or two calls, commit. It makes no
//! network call in between.

pub(crate) mod columns;
mod entrants_cache;
pub(crate) mod in_flight;
pub(crate) mod lock;
mod new_order_cache;
pub mod once;
pub(crate) mod queue_positions;
pub mod request;
mod retention;
pub(crate) mod skip_locked;
pub(crate) mod slice;
pub mod stored_reply;
pub(crate) mod write_set;

use std::sync::Arc;

use kernel::{AccountCode, AccountId, AccountNo, Clock, MemberId, RequestId, Won};
use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, Statement, Value};

use crate::accounts::account::INITIAL_DEPOSIT;
use crate::competitions::filled::{self, FilledCache};
use crate::domain::cost::Costs;
use crate::error::TradingError;
use crate::market_cache::MarketCache;
use crate::orders::rejection_limit::RejectionLimit;
use crate::orders::validation::OrderLimits;
use crate::profits::totals::{self, TotalsCache};
use entrants_cache::EntrantsCache;
use new_order_cache::NewOrderCache;

pub use in_flight::{FirstRequest, InFlightRequest};

#[derive(Clone, Copy, Debug)]
pub struct AccountPolicy {
    pub initial_deposit: Won,
    pub limits: OrderLimits,
    /// Sales of shares settle days later.
    pub settles_later: bool,
}

impl Default for AccountPolicy {
    fn default() -> Self {
        Self {
            initial_deposit: INITIAL_DEPOSIT,
            limits: OrderLimits::default(),
            settles_later: false,
        }
    }
}

/// Accounts whose ids are remembered.
const CACHED_ACCOUNTS: u64 = 100_000;

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
    /// Sub-accounts that were open when they were looked for; one may have been closed since.
    pub(crate) sub_accounts: moka::future::Cache<(MemberId, AccountCode), AccountId>,
    /// How many take part in a competition.
    pub(crate) entrants: EntrantsCache,
    /// What accounts of competitions have filled.
    pub(crate) filled: FilledCache,
    /// Sums of lists of gains.
    pub(crate) profit_totals: TotalsCache,
    pub(crate) new_order_cache: NewOrderCache,
    pub(crate) in_flight: in_flight::InFlightRequests,
    pub(crate) rejection_limit: Arc<RejectionLimit>,
}

impl Store {
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
            basics: moka::future::Cache::new(CACHED_ACCOUNTS),
            sub_accounts: moka::future::Cache::new(CACHED_ACCOUNTS),
            entrants: entrants_cache::new(),
            filled: filled::cache(),
            profit_totals: totals::cache(),
            new_order_cache: NewOrderCache::default(),
            in_flight: in_flight::InFlightRequests::default(),
            rejection_limit: Arc::new(RejectionLimit::new(policy.limits.per_minute)),
        }
    }

    #[must_use]
    pub fn market_cache(&self) -> &MarketCache {
        &self.market_cache
    }

    /// The number that `newest` finds; 0 where it finds none.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub(crate) async fn newest_id(&self, newest: &'static str) -> Result<i64, TradingError> {
        let row = self.db.query_one_raw(sql(newest, [])).await?;
        Ok(row.map_or(Ok(0), |row| row.try_get("", "newest"))?)
    }

    /// Registers a request as in flight until the returned guard is dropped.
    #[must_use]
    pub fn begin_request(&self, member_id: MemberId, request_id: &RequestId) -> InFlightRequest {
        self.in_flight.begin((member_id, request_id.clone()))
    }
}

/// What a statement takes for a set of accounts.
pub(crate) fn numbers<'a>(accounts: impl IntoIterator<Item = &'a AccountId>) -> Vec<i64> {
    accounts.into_iter().map(|id| id.0).collect()
}

pub(crate) fn sql(text: &'static str, values: impl IntoIterator<Item = Value>) -> Statement {
    Statement::from_sql_and_values(DbBackend::Postgres, text, values)
}
