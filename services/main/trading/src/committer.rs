//! Group commit: orders that arrive while a transaction is under way go into the next one
//! together, at most fifty. A lone order waits for nobody. Most of what a transaction costs is its
//! own and not its orders', so a second one begins beside the first only when it has many, and
//! where orders crowd the next transaction waits a moment for more of them.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use bootstrap::deadline;
use proto::trading::v1::OrderReply;
use tokio::sync::{Mutex, OwnedSemaphorePermit, Semaphore, mpsc, oneshot};
use tokio::time::Instant;

use crate::error::TradingError;
use crate::store::{PlaceOrder, Store};

/// Most orders of one transaction.
const GROUP: usize = 50;
/// Orders that may wait for a transaction; beyond it a new one is told to come back.
const QUEUE: usize = 2_000;
/// So many do not wait for the transaction before theirs, nor for more.
const MANY: usize = 10;
/// So many in a transaction are a crowd.
const CROWD: usize = 3;
/// How long a transaction after a crowd waits for more.
const LINGER: Duration = Duration::from_millis(15);
/// Transactions under way at a time: one writes to the disk while the next one decides.
const WORKERS: usize = 2;

type Outcome = Result<OrderReply, TradingError>;

struct Waiting {
    order: PlaceOrder,
    asker: Asker,
}

/// Who waits for what became of an order, and until when.
struct Asker {
    until: Option<Instant>,
    answer: oneshot::Sender<Outcome>,
}

impl Asker {
    fn is_late(&self, now: Instant) -> bool {
        self.until.is_some_and(|until| until <= now)
    }

    fn tell(self, outcome: Outcome) {
        // Whoever hung up reads it later, under the same request id.
        let _gone = self.answer.send(outcome);
    }
}

/// What the workers take their transactions from.
struct Queue {
    waiting: mpsc::Receiver<Waiting>,
    /// Whoever holds it works alone.
    turn: Arc<Semaphore>,
    /// Whether there was a crowd in the last transaction.
    is_crowded: bool,
}

/// Where orders are handed in. Cheap to clone; its workers stop with the last clone.
#[derive(Clone)]
pub struct Committer {
    queue: mpsc::Sender<Waiting>,
}

impl Committer {
    /// Starts the workers on `store`.
    #[must_use]
    pub fn start(store: &Store) -> Self {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let waiting = Arc::new(Mutex::new(Queue {
            waiting,
            turn: Arc::new(Semaphore::new(1)),
            is_crowded: false,
        }));
        for _ in 0..WORKERS {
            tokio::spawn(work(store.clone(), Arc::clone(&waiting)));
        }
        Self { queue }
    }

    /// Places an order with those that arrive beside it.
    ///
    /// # Errors
    /// [`TradingError`]: the order's own refusal, or a failure of the transaction.
    pub async fn place(&self, order: PlaceOrder) -> Outcome {
        let (answer, answered) = oneshot::channel();
        let until = deadline::remaining().and_then(|left| Instant::now().checked_add(left));
        let asker = Asker { until, answer };
        let waiting = Waiting { order, asker };
        self.queue
            .try_send(waiting)
            .map_err(|_full| TradingError::Busy)?;
        answered.await.map_err(|_stopped| TradingError::Busy)?
    }
}

async fn work(store: Store, waiting: Arc<Mutex<Queue>>) {
    loop {
        let Some((group, _turn)) = waiting.lock().await.next().await else {
            return;
        };
        let now = Instant::now();
        let (late, group): (Vec<_>, Vec<_>) =
            group.into_iter().partition(|one| one.asker.is_late(now));
        for one in late {
            one.asker.tell(Err(TradingError::DeadlinePassed));
        }
        commit(&store, group).await;
    }
}

impl Queue {
    /// The orders of the next transaction, and the turn that they had to wait for unless they are
    /// many; `None` when there will be no more.
    async fn next(&mut self) -> Option<(Vec<Waiting>, Option<OwnedSemaphorePermit>)> {
        let mut group = Vec::with_capacity(GROUP);
        if self.waiting.recv_many(&mut group, GROUP).await == 0 {
            return None;
        }
        let turn = Arc::clone(&self.turn).acquire_owned();
        let turn = self.gather_until(turn, &mut group).await;
        if self.is_crowded {
            self.gather_until(tokio::time::sleep(LINGER), &mut group)
                .await;
        }
        self.is_crowded = group.len() >= CROWD;
        Some((group, turn.and_then(Result::ok)))
    }

    /// Adds orders to `group` until `end`, which comes first, or until there are many.
    async fn gather_until<T>(
        &mut self,
        end: impl Future<Output = T>,
        group: &mut Vec<Waiting>,
    ) -> Option<T> {
        let mut end = pin!(end);
        while group.len() < MANY {
            let room = GROUP - group.len();
            tokio::select! {
                biased;
                ended = &mut end => return Some(ended),
                more = self.waiting.recv_many(group, room) => if more == 0 { return None },
            }
        }
        None
    }
}

async fn commit(store: &Store, group: Vec<Waiting>) {
    if group.is_empty() {
        return;
    }
    let (orders, askers): (Vec<_>, Vec<_>) =
        group.into_iter().map(|one| (one.order, one.asker)).unzip();
    #[expect(
        clippy::cast_precision_loss,
        clippy::as_conversions,
        reason = "at most fifty, and only shown on a dashboard"
    )]
    metrics::histogram!("trading_orders_per_commit").record(orders.len() as f64);
    match store.place_orders(&orders).await {
        Ok(outcomes) => {
            for (asker, outcome) in askers.into_iter().zip(outcomes) {
                asker.tell(outcome);
            }
        }
        // No order is at fault, and each would wait for a connection as long as the group did.
        Err(failed) if failed.is_without_connection() => refuse(askers),
        // One order must not spoil the others.
        Err(_failed) => one_by_one(store, orders, askers).await,
    }
}

async fn one_by_one(store: &Store, orders: Vec<PlaceOrder>, askers: Vec<Asker>) {
    let mut each = orders.into_iter().zip(askers);
    while let Some((order, asker)) = each.next() {
        if asker.is_late(Instant::now()) {
            asker.tell(Err(TradingError::DeadlinePassed));
            continue;
        }
        let alone = store.place_orders(std::slice::from_ref(&order)).await;
        let is_in_vain = alone
            .as_ref()
            .is_err_and(TradingError::is_without_connection);
        asker.tell(alone.and_then(|mut outcomes| match outcomes.pop() {
            Some(outcome) => outcome,
            None => Err(TradingError::Busy),
        }));
        if is_in_vain {
            return refuse(each.map(|(_order, asker)| asker));
        }
    }
}

fn refuse(askers: impl IntoIterator<Item = Asker>) {
    for asker in askers {
        asker.tell(Err(TradingError::Busy));
    }
}
