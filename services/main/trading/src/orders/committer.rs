//! Group commit: orders that arrive during a transaction go into the next one together, at most
//! fifty. An order that arrives alone is committed at once. Most of the cost of a transaction does
//! not depend on its number of orders. Therefore a second transaction starts beside the first only
//! with a large group, and after a crowded one the next waits a few milliseconds for more orders.
//!
//! An order whose account is locked by another transaction leaves its group and is retried with a
//! later one, so it delays neither the other orders nor a connection.

mod backlog;
mod caller;
mod commit;
mod dispatcher;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc, oneshot};

use crate::error::TradingError;
use crate::orders::change::OrderResult;
use crate::orders::place::PlaceOrder;
use crate::store::Store;
use caller::Caller;
use dispatcher::Dispatcher;

/// Most orders without a reply; above it new ones get 503.
const MAX_QUEUED: usize = 2_000;
/// How long a duplicate of a request in flight waits for it.
const DUPLICATE_WAIT: Duration = Duration::from_secs(2);

struct QueuedOrder {
    order: PlaceOrder,
    caller: Caller,
}

/// Handle of the group commit. Cheap to clone; the task stops with the last clone.
#[derive(Clone)]
pub struct Committer {
    store: Store,
    orders: mpsc::UnboundedSender<QueuedOrder>,
    capacity: Arc<Semaphore>,
}

impl Committer {
    /// Spawns the task that commits orders to `store`.
    #[must_use]
    pub fn start(store: &Store) -> Self {
        let (orders, arriving) = mpsc::unbounded_channel();
        tokio::spawn(Dispatcher::new(store.clone(), arriving).run());
        Self {
            store: store.clone(),
            orders,
            capacity: Arc::new(Semaphore::new(MAX_QUEUED)),
        }
    }

    /// Places an order together with others that arrive meanwhile.
    ///
    /// # Errors
    /// [`TradingError`]: the rejection of the order, or a failure of the transaction.
    pub async fn place(&self, order: PlaceOrder) -> OrderResult {
        let permit = Arc::clone(&self.capacity).try_acquire_owned();
        let permit = permit.map_err(|_full| TradingError::Busy)?;
        let request = self.store.begin_request(order.member_id, &order.request_id);
        let first = request.first();
        let (reply, replied) = oneshot::channel();
        let caller = Caller::new(reply, request, permit);
        self.orders
            .send(QueuedOrder { order, caller })
            .map_err(|_stopped| TradingError::Busy)?;
        let mut replied = std::pin::pin!(replied);
        if let Some(first) = first {
            match tokio::time::timeout(DUPLICATE_WAIT, replied.as_mut()).await {
                Ok(outcome) => return outcome.map_err(|_stopped| TradingError::Busy)?,
                Err(_elapsed) if first.is_in_flight() => {
                    return Err(TradingError::RequestInProgress);
                }
                Err(_elapsed) => {}
            }
        }
        replied.await.map_err(|_stopped| TradingError::Busy)?
    }
}
