//! How many operations the clients still have to do.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, SystemClock};

use crate::arguments::Arguments;

/// Ends when the number of operations is reached and the close is past, at the time limit, or when
/// it is stopped.
pub(crate) struct Workload {
    pub(crate) done: AtomicU64,
    operations: u64,
    after_close: Option<DateTime<Utc>>,
    until: Instant,
    pub(crate) is_stopped: AtomicBool,
}

impl Workload {
    /// Load after the close, so that clients see what it did to their orders.
    const AFTER_CLOSE: TimeDelta = TimeDelta::seconds(25);

    pub(crate) fn new(arguments: &Arguments) -> Self {
        let close = arguments
            .close_at
            .and_then(|at| DateTime::from_timestamp(at, 0));
        Self {
            done: AtomicU64::new(0),
            operations: arguments.operations,
            after_close: close.map(|close| close + Self::AFTER_CLOSE),
            until: Instant::now() + Duration::from_secs(arguments.seconds_max),
            is_stopped: AtomicBool::new(false),
        }
    }

    /// Counts one more operation; `false` when there is none left.
    pub(crate) fn take(&self) -> bool {
        let has_more = !self.is_stopped.load(Ordering::Relaxed)
            && Instant::now() < self.until
            && (self.done.load(Ordering::Relaxed) < self.operations
                || self
                    .after_close
                    .is_some_and(|close| SystemClock.now() < close));
        if has_more {
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        has_more
    }
}
