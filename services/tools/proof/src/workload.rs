//! How many operations the clients still have to do.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, SystemClock};
use tokio::task::JoinSet;

/// Ends when the number of operations is reached and the close is past, at the time limit, or when
/// it is stopped.
pub(crate) struct Workload {
    done: AtomicU64,
    operations: u64,
    after_close: Option<DateTime<Utc>>,
    started: Instant,
    lasts: Duration,
    is_stopped: AtomicBool,
}

impl Workload {
    /// Load after the close, so that clients see what it did to their orders.
    const AFTER_CLOSE: TimeDelta = TimeDelta::seconds(25);

    pub(crate) fn new(operations: u64, lasts: Duration) -> Self {
        Self {
            done: AtomicU64::new(0),
            operations,
            after_close: None,
            started: Instant::now(),
            lasts,
            is_stopped: AtomicBool::new(false),
        }
    }

    /// The markets close at this time, in Unix seconds.
    pub(crate) fn closing_at(mut self, at: Option<i64>) -> Self {
        let close = at.and_then(|at| DateTime::from_timestamp(at, 0));
        self.after_close = close.map(|close| close + Self::AFTER_CLOSE);
        self
    }

    /// Counts one more operation; `false` when there is none left.
    pub(crate) fn take(&self) -> bool {
        let has_more = !self.is_stopped.load(Ordering::Relaxed)
            && self.started.elapsed() < self.lasts
            && (self.done.load(Ordering::Relaxed) < self.operations
                || self
                    .after_close
                    .is_some_and(|close| SystemClock.now() < close));
        if has_more {
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        has_more
    }

    /// Waits for all clients, which end when the file `until` exists, and tells how far they are.
    pub(crate) async fn finish<R: 'static>(
        &self,
        mut clients: JoinSet<R>,
        until: Option<&Path>,
    ) -> anyhow::Result<Vec<R>> {
        let mut results = Vec::new();
        let mut report = tokio::time::interval(Duration::from_secs(30));
        let mut poll = tokio::time::interval(Duration::from_secs(1));
        loop {
            tokio::select! {
                one = clients.join_next() => match one {
                    Some(one) => results.push(one.context("a client panicked")?),
                    None => break,
                },
                _ = poll.tick() => {
                    if until.is_some_and(Path::exists) {
                        self.is_stopped.store(true, Ordering::Relaxed);
                    }
                }
                _ = report.tick() => {
                    let done = self.done.load(Ordering::Relaxed);
                    println!("proof: {done} done after {} s", self.started.elapsed().as_secs());
                }
            }
        }
        let seconds = self.started.elapsed().as_secs().max(1);
        let done = self.done.load(Ordering::Relaxed);
        println!(
            "proof: {done} operations in {seconds} s, {} a second",
            done / seconds
        );
        Ok(results)
    }
}
