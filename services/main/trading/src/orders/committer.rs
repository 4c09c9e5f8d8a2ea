//! Group commit: orders that arrive while a transaction is under way go into the next one
//! together, at most fifty. A lone order waits for nobody. Most of what a transaction costs is its
//! own and not its orders', so a second one begins beside the first only when it has many, and
//! where orders crowd the next transaction waits a moment for more of them.
//!
//! An order whose account somebody else has locked is left out of its group and tried again with a
//! later one, so it holds up neither the others nor a connection.

mod backlog;
mod caller;
mod commit;
mod dispatcher;

use std::sync::Arc;
use std::time::Duration;

use proto::trading::v1::OrderReply;
use tokio::sync::{Semaphore, mpsc, oneshot};

use crate::error::TradingError;
use crate::orders::place::PlaceOrder;
use crate::store::Store;
use caller::Caller;
use dispatcher::Dispatcher;

/// Orders that may wait for their answer; beyond it a new one is told to come back.
const MAX_QUEUED: usize = 2_000;
/// How long a copy of a request waits for the first one (rule R0).
const DUPLICATE_WAIT: Duration = Duration::from_secs(2);

type Outcome = Result<OrderReply, TradingError>;

struct Waiting {
    order: PlaceOrder,
    caller: Caller,
}

/// Where orders are handed in. Cheap to clone; its task stops with the last clone.
#[derive(Clone)]
pub struct Committer {
    store: Store,
    orders: mpsc::UnboundedSender<Waiting>,
    room: Arc<Semaphore>,
}

impl Committer {
    /// Starts to commit orders to `store`.
    #[must_use]
    pub fn start(store: &Store) -> Self {
        let (orders, arriving) = mpsc::unbounded_channel();
        tokio::spawn(Dispatcher::new(store.clone(), arriving).run());
        Self {
            store: store.clone(),
            orders,
            room: Arc::new(Semaphore::new(MAX_QUEUED)),
        }
    }

    /// Places an order with those that arrive beside it.
    ///
    /// # Errors
    /// [`TradingError`]: the order's own rejection, or a failure of the transaction.
    pub async fn place(&self, order: PlaceOrder) -> Outcome {
        let room = Arc::clone(&self.room).try_acquire_owned();
        let room = room.map_err(|_full| TradingError::Busy)?;
        let request = self.store.begin_request(order.member_id, &order.request_id);
        let first = request.first();
        let (answer, answered) = oneshot::channel();
        let caller = Caller::new(answer, request, room);
        self.orders
            .send(Waiting { order, caller })
            .map_err(|_stopped| TradingError::Busy)?;
        let mut answered = std::pin::pin!(answered);
        if let Some(first) = first {
            match tokio::time::timeout(DUPLICATE_WAIT, answered.as_mut()).await {
                Ok(outcome) => return outcome.map_err(|_stopped| TradingError::Busy)?,
                Err(_elapsed) if first.is_in_flight() => {
                    return Err(TradingError::RequestInProgress);
                }
                Err(_elapsed) => {}
            }
        }
        answered.await.map_err(|_stopped| TradingError::Busy)?
    }
}
