//! Decides which orders go into which transaction, and when it begins.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use kernel::MemberId;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;

use super::QueuedOrder;
use super::backlog::Backlog;
use super::commit::{CONCURRENT_SINGLES, TaskResult, commit, commit_individually};
use crate::error::TradingError;
use crate::store::Store;

/// Most orders of one transaction.
const MAX_GROUP: usize = 50;
/// A group of this size waits neither for the one before it nor for more orders.
const LARGE_GROUP: usize = 10;
/// From this size on a group is crowded.
const CROWD: usize = 3;
/// How long the transaction after a crowded one waits for more orders.
const LINGER: Duration = Duration::from_millis(15);
/// Transactions at a time: one writes to the disk while the next one validates.
const MAX_IN_FLIGHT: usize = 2;

struct GroupInFlight {
    members: HashSet<MemberId>,
    kind: GroupKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum GroupKind {
    /// Below [`LARGE_GROUP`]: at most one at a time.
    Small,
    Large,
    /// The orders of a failed group, one by one.
    Individual,
}

pub(super) struct Dispatcher {
    store: Store,
    arriving: mpsc::UnboundedReceiver<QueuedOrder>,
    backlog: Backlog<QueuedOrder>,
    tasks: JoinSet<TaskResult>,
    in_flight: HashMap<Id, GroupInFlight>,
    singles: Arc<Semaphore>,
    /// Until when the next group waits for more orders.
    linger_until: Option<Instant>,
    /// Whether the last group was crowded.
    is_crowded: bool,
}

impl Dispatcher {
    pub(super) fn new(store: Store, arriving: mpsc::UnboundedReceiver<QueuedOrder>) -> Self {
        Self {
            store,
            arriving,
            backlog: Backlog::default(),
            tasks: JoinSet::new(),
            in_flight: HashMap::new(),
            singles: Arc::new(Semaphore::new(CONCURRENT_SINGLES)),
            linger_until: None,
            is_crowded: false,
        }
    }

    /// Runs until every [`super::Committer`] is dropped.
    pub(super) async fn run(mut self) {
        let mut arrived = Vec::with_capacity(MAX_GROUP);
        loop {
            self.begin_groups();
            let lingered = tokio::time::sleep_until(self.linger_until.unwrap_or_else(Instant::now));
            tokio::select! {
                Some(ended) = self.tasks.join_next_with_id() => self.end(ended),
                count = self.arriving.recv_many(&mut arrived, MAX_GROUP) => {
                    if count == 0 {
                        break;
                    }
                    arrived.drain(..).for_each(|waiting| self.enqueue(waiting));
                }
                () = lingered, if self.linger_until.is_some() => {}
            }
        }
        // Transactions in flight either commit or are rolled back.
        while self.tasks.join_next().await.is_some() {}
    }

    fn enqueue(&mut self, waiting: QueuedOrder) {
        let member = waiting.order.member_id;
        if let Err(waiting) = self.backlog.push(member, waiting) {
            waiting.caller.reply(Err(TradingError::Busy));
        }
    }

    fn begin_groups(&mut self) {
        while self.backlog.ready() > 0 && self.may_begin(Instant::now()) {
            let waited = self.linger_until.take().is_some();
            let kind = if waited || self.backlog.ready() < LARGE_GROUP {
                GroupKind::Small
            } else {
                GroupKind::Large
            };
            self.begin(kind);
        }
    }

    fn may_begin(&mut self, now: Instant) -> bool {
        let in_flight = |kind| {
            self.in_flight
                .values()
                .filter(|work| work.kind == kind)
                .count()
        };
        let small = in_flight(GroupKind::Small);
        if small + in_flight(GroupKind::Large) >= MAX_IN_FLIGHT {
            return false;
        }
        if self.backlog.ready() >= LARGE_GROUP {
            return true;
        }
        if small > 0 {
            return false;
        }
        !self.is_crowded || now >= *self.linger_until.get_or_insert(now + LINGER)
    }

    fn begin(&mut self, kind: GroupKind) {
        let taken = self.backlog.take(MAX_GROUP);
        let members: HashSet<MemberId> = taken.iter().map(|(member, _)| *member).collect();
        let (late, group): (Vec<_>, Vec<_>) = taken
            .into_iter()
            .map(|(_, waiting)| waiting)
            .partition(|waiting| waiting.order.is_late());
        for waiting in late {
            waiting.caller.reply(Err(TradingError::DeadlinePassed));
        }
        self.is_crowded = group.len() >= CROWD;
        if group.is_empty() {
            members
                .into_iter()
                .for_each(|member| self.backlog.release(member));
            return;
        }
        let task = self.tasks.spawn(commit(self.store.clone(), group));
        self.in_flight
            .insert(task.id(), GroupInFlight { members, kind });
    }

    fn end(&mut self, ended: Result<(Id, TaskResult), JoinError>) {
        let (id, ended) = match ended {
            Ok((id, ended)) => (id, ended),
            // The senders of its orders are dropped, so their callers get 503.
            Err(panicked) => (panicked.id(), TaskResult::Retry(Vec::new())),
        };
        let members = self.in_flight.remove(&id).map(|work| work.members);
        let mut done = members.unwrap_or_default();
        match ended {
            TaskResult::Retry(retries) => {
                for waiting in retries {
                    done.remove(&waiting.order.member_id);
                    self.tasks.spawn(delay(waiting));
                }
            }
            TaskResult::Failed(group) => {
                let singles =
                    commit_individually(self.store.clone(), Arc::clone(&self.singles), group);
                let task = self.tasks.spawn(singles);
                let members = std::mem::take(&mut done);
                let kind = GroupKind::Individual;
                self.in_flight
                    .insert(task.id(), GroupInFlight { members, kind });
            }
            TaskResult::RetryDue(waiting) => {
                self.backlog.requeue(waiting.order.member_id, *waiting);
            }
        }
        done.into_iter()
            .for_each(|member| self.backlog.release(member));
    }
}

async fn delay(waiting: QueuedOrder) -> TaskResult {
    tokio::time::sleep(waiting.caller.retry_delay()).await;
    TaskResult::RetryDue(Box::new(waiting))
}
