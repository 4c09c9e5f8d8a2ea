//! What is done for an event, by whom, and how it goes on after a kill.

use chrono::TimeDelta;
use trading::domain::split::SplitRatio;
use trading::matching::{Partition, Shard};
use trading::store::Store;
use trading::tick_log::{Batch, LogRecord, Scope, SessionRecord, SessionRecordKind, Venue};

use super::bank::Bank;
use super::book::{CODE, DAY, opening};
use super::orders::coin_tick;

pub(crate) enum Work {
    /// A shard of the matcher gets a batch.
    Matcher {
        shard: Option<Shard>,
        slice: Option<usize>,
        batch: fn() -> Batch,
    },
    /// Contracts are advanced.
    Bank(Bank),
}

impl Work {
    pub(crate) async fn matcher(store: &Store, slice: Option<usize>, batch: fn() -> Batch) -> Self {
        Self::Matcher {
            shard: Some(shard(store, slice).await),
            slice,
            batch,
        }
    }

    /// Does what is left; nothing when all is done.
    pub(crate) async fn go_on(&mut self) {
        match self {
            Self::Matcher { shard, batch, .. } => {
                if let Some(working) = shard {
                    working.process(batch()).await.unwrap();
                    *shard = None;
                }
            }
            Self::Bank(bank) => bank.advance().await,
        }
    }

    /// As another process begins after a kill.
    pub(crate) async fn restart(&mut self, store: &Store) {
        match self {
            Self::Matcher { shard, slice, .. } => *shard = Some(load(store, *slice).await),
            // It remembers nothing.
            Self::Bank(_) => {}
        }
    }
}

/// A shard that stands where the log begins.
pub(crate) async fn shard(store: &Store, slice: Option<usize>) -> Shard {
    let mut shard = load(store, slice).await;
    shard.process(first()).await.unwrap();
    shard
}

async fn load(store: &Store, slice: Option<usize>) -> Shard {
    let shard = Shard::load(store, Partition { index: 0, count: 1 })
        .await
        .unwrap();
    match slice {
        Some(effects) => shard.in_slices_of(effects),
        None => shard,
    }
}

/// The first batch of the log.
pub(crate) fn first() -> Batch {
    Batch {
        offset: 0,
        epoch: 1,
        closed_at: opening(),
        records: vec![coin_tick()],
    }
}

/// The end of the day.
pub(crate) fn close() -> Batch {
    second(SessionRecordKind::Close, Scope::Venue(Venue::Krx), DAY)
}

/// Ten shares for one.
pub(crate) fn split() -> Batch {
    let ratio = SplitRatio {
        numerator: 10,
        denominator: 1,
    };
    let scope = Scope::Code(CODE.to_owned());
    second(SessionRecordKind::Split(ratio), scope, DAY + 1)
}

fn second(kind: SessionRecordKind, scope: Scope, trading_day: i32) -> Batch {
    let time = opening() + TimeDelta::seconds(1);
    let session_record = SessionRecord {
        kind,
        scope: Some(scope),
        trading_day,
        time,
        seq: 1,
    };
    Batch {
        offset: 1,
        epoch: 1,
        closed_at: time,
        records: vec![LogRecord::Session(session_record)],
    }
}
