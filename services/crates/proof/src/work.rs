//! How much there is to do.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, SystemClock};

use crate::Arguments;

/// How long the clients work: until enough is done and the close is past, and no longer than
/// patience or somebody's word lets them.
pub(crate) struct Work {
    pub(crate) done: AtomicU64,
    operations: u64,
    after_close: Option<DateTime<Utc>>,
    until: Instant,
    pub(crate) is_stopped: AtomicBool,
}

impl Work {
    /// Time to look at what a close does to the clients' orders.
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

    /// Whether there is one operation more to do.
    pub(crate) fn take(&self) -> bool {
        let goes_on = !self.is_stopped.load(Ordering::Relaxed)
            && Instant::now() < self.until
            && (self.done.load(Ordering::Relaxed) < self.operations
                || self
                    .after_close
                    .is_some_and(|close| SystemClock.now() < close));
        if goes_on {
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        goes_on
    }
}
