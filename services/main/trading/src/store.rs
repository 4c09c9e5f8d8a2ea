//! What happens to the database: one public method is one transaction is one verb.
//!
//! Every money transaction goes the same way: begin, lock (accounts by id ascending, then
//! holdings, then orders; who orders passes over accounts that others have locked), recognise a repeated request, decide purely, write everything in one
//! call, commit. No network call happens in between.

mod account;
pub mod answer;
mod cancel;
mod change;
mod close;
mod day;
mod dividend;
mod fill;
mod forget;
mod free;
mod history;
mod lock;
mod means;
mod modify;
mod offset;
mod place;
mod preview;
mod read;
mod request;
mod share_split;
mod summary;
mod under_way;
mod waiting;
mod write_set;

use std::sync::Arc;

use kernel::{AccountId, AccountNo, Clock, MemberId, RequestId, Won};
use sea_orm::DatabaseConnection;

use crate::board::Board;
use crate::domain::account::INITIAL_DEPOSIT;
use crate::domain::cost::Costs;
use crate::domain::order::Order;
use crate::domain::validation::Allowance;
use crate::view::{self, Surroundings};

pub use account::AccountChoice;
pub use change::ChangeRequest;
pub use dividend::{DueDividend, Listed, Pending};
pub use fill::{Stored, Turn};
pub use free::LockWait;
pub use history::{HistoryFilter, HistoryKind};
pub use modify::ModifyOrder;
pub use offset::{Instruments, Position, is_not_owned};
pub use place::PlaceOrder;
pub use read::OrderFilter;
pub use share_split::OpenSplit;
pub use under_way::{FirstRequest, RequestUnderWay};

/// Numbers of the business that an operator may change.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// What a new BASIC account receives.
    pub initial_deposit: Won,
    /// How many orders an account may have and place.
    pub allowance: Allowance,
}

impl Default for Terms {
    fn default() -> Self {
        Self {
            initial_deposit: INITIAL_DEPOSIT,
            allowance: Allowance::default(),
        }
    }
}

/// The trading database.
#[derive(Clone)]
pub struct Store {
    db: DatabaseConnection,
    board: Arc<Board>,
    clock: Arc<dyn Clock>,
    costs: Arc<Costs>,
    terms: Terms,
    /// BASIC accounts by member: an account never changes its id, number or owner.
    basics: moka::future::Cache<MemberId, (AccountId, AccountNo)>,
    fresh: waiting::Fresh,
    under_way: under_way::UnderWay,
}

impl Store {
    /// A store on `db` that decides by `board` and `terms`.
    #[must_use]
    pub fn new(
        db: DatabaseConnection,
        board: Arc<Board>,
        clock: Arc<dyn Clock>,
        terms: Terms,
    ) -> Self {
        Self {
            db,
            board,
            clock,
            costs: Arc::new(Costs::standard()),
            terms,
            basics: moka::future::Cache::new(100_000),
            fresh: waiting::Fresh::default(),
            under_way: under_way::UnderWay::default(),
        }
    }

    /// The market as this store sees it.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Notes that a request is under way until what is answered is dropped.
    #[must_use]
    pub fn begin_request(&self, member_id: MemberId, request_id: &RequestId) -> RequestUnderWay {
        self.under_way.begin((member_id, request_id.clone()))
    }

    /// An order as a message.
    fn order_view(&self, order: &Order, account_no: &str) -> proto::trading::v1::Order {
        let day_end = order
            .trading_day
            .and_then(|day| self.board.day_end(order.market, day));
        view::order(
            order,
            Surroundings {
                account_no,
                day_end,
                silent: self.board.is_silent(order.market, &order.instrument_code),
            },
        )
    }
}
