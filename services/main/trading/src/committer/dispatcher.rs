//! Which orders go into which transaction, and when it begins.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use kernel::MemberId;
use tokio::sync::{Semaphore, mpsc};
use tokio::task::{Id, JoinError, JoinSet};
use tokio::time::Instant;

use super::Waiting;
use super::backlog::Backlog;
use super::commit::{ALONE, Ended, commit, one_by_one};
use crate::error::TradingError;
use crate::store::Store;

/// Most orders of one transaction.
const GROUP: usize = 50;
/// So many do not wait for the transaction before theirs, nor for more.
const MANY: usize = 10;
/// So many in a transaction are a crowd.
const CROWD: usize = 3;
/// How long a transaction after a crowd waits for more.
const LINGER: Duration = Duration::from_millis(15);
/// Groups under way at a time: one writes to the disk while the next one decides.
const GROUPS: usize = 2;

/// A task whose orders are under way.
struct Work {
    members: HashSet<MemberId>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A group that had to be few orders' turn.
    Few,
    /// A group that had many.
    Many,
    /// Orders of a group that failed, one by one.
    Alone,
}

/// Decides which orders go into which transaction, and when it begins.
pub(super) struct Dispatcher {
    store: Store,
    arriving: mpsc::UnboundedReceiver<Waiting>,
    backlog: Backlog<Waiting>,
    tasks: JoinSet<Ended>,
    work: HashMap<Id, Work>,
    alone: Arc<Semaphore>,
    /// Until when the next group waits for more.
    lingers_until: Option<Instant>,
    /// Whether there was a crowd in the last group.
    is_crowded: bool,
}

impl Dispatcher {
    pub(super) fn new(store: Store, arriving: mpsc::UnboundedReceiver<Waiting>) -> Self {
        Self {
            store,
            arriving,
            backlog: Backlog::default(),
            tasks: JoinSet::new(),
            work: HashMap::new(),
            alone: Arc::new(Semaphore::new(ALONE)),
            lingers_until: None,
            is_crowded: false,
        }
    }

    /// Works until nobody can hand in orders any more.
    pub(super) async fn run(mut self) {
        let mut arrived = Vec::with_capacity(GROUP);
        loop {
            self.begin_groups();
            let lingered =
                tokio::time::sleep_until(self.lingers_until.unwrap_or_else(Instant::now));
            tokio::select! {
                Some(ended) = self.tasks.join_next_with_id() => self.end(ended),
                count = self.arriving.recv_many(&mut arrived, GROUP) => {
                    if count == 0 {
                        break;
                    }
                    arrived.drain(..).for_each(|waiting| self.take_in(waiting));
                }
                () = lingered, if self.lingers_until.is_some() => {}
            }
        }
        // What is under way either commits or is rolled back.
        while self.tasks.join_next().await.is_some() {}
    }

    fn take_in(&mut self, waiting: Waiting) {
        let member = waiting.order.member_id;
        if let Err(waiting) = self.backlog.push(member, waiting) {
            waiting.asker.tell(Err(TradingError::Busy));
        }
    }

    fn begin_groups(&mut self) {
        while self.backlog.ready() > 0 && self.may_begin(Instant::now()) {
            let waited = self.lingers_until.take().is_some();
            let kind = if waited || self.backlog.ready() < MANY {
                Kind::Few
            } else {
                Kind::Many
            };
            self.begin(kind);
        }
    }

    fn may_begin(&mut self, now: Instant) -> bool {
        let under_way = |kind| self.work.values().filter(|work| work.kind == kind).count();
        let few = under_way(Kind::Few);
        if few + under_way(Kind::Many) >= GROUPS {
            return false;
        }
        if self.backlog.ready() >= MANY {
            return true;
        }
        if few > 0 {
            return false;
        }
        !self.is_crowded || now >= *self.lingers_until.get_or_insert(now + LINGER)
    }

    fn begin(&mut self, kind: Kind) {
        let now = Instant::now();
        let taken = self.backlog.take(GROUP);
        let members: HashSet<MemberId> = taken.iter().map(|(member, _)| *member).collect();
        let (late, group): (Vec<_>, Vec<_>) = taken
            .into_iter()
            .map(|(_, waiting)| waiting)
            .partition(|waiting| waiting.asker.is_late(now));
        for waiting in late {
            waiting.asker.tell(Err(TradingError::DeadlinePassed));
        }
        self.is_crowded = group.len() >= CROWD;
        if group.is_empty() {
            members
                .into_iter()
                .for_each(|member| self.backlog.release(member));
            return;
        }
        let task = self.tasks.spawn(commit(self.store.clone(), group));
        self.work.insert(task.id(), Work { members, kind });
    }

    fn end(&mut self, ended: Result<(Id, Ended), JoinError>) {
        let (id, ended) = match ended {
            Ok((id, ended)) => (id, ended),
            // Its askers are told that nobody answers.
            Err(panicked) => (panicked.id(), Ended::LeftOut(Vec::new())),
        };
        let members = self.work.remove(&id).map(|work| work.members);
        let mut done = members.unwrap_or_default();
        match ended {
            Ended::LeftOut(left_out) => {
                for waiting in left_out {
                    done.remove(&waiting.order.member_id);
                    self.tasks.spawn(rest(waiting));
                }
            }
            Ended::Failed(group) => {
                let alone = one_by_one(self.store.clone(), Arc::clone(&self.alone), group);
                let task = self.tasks.spawn(alone);
                let members = std::mem::take(&mut done);
                let kind = Kind::Alone;
                self.work.insert(task.id(), Work { members, kind });
            }
            Ended::Rested(waiting) => {
                self.backlog.push_again(waiting.order.member_id, *waiting);
            }
        }
        done.into_iter()
            .for_each(|member| self.backlog.release(member));
    }
}

async fn rest(waiting: Waiting) -> Ended {
    tokio::time::sleep(waiting.asker.rests_for()).await;
    Ended::Rested(Box::new(waiting))
}
