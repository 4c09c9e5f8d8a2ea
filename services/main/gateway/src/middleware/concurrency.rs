//! Limits of concurrent requests. Reads of all classes share one counter, and a less important class
//! has a lower limit on it: in an overload search is shed first, then lists, then other reads.
//! Orders, files and uploads have counters of their own. Requests that make auth hash a password are limited besides.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use metrics::Counter;

use crate::endpoint::Class;
use crate::error::{ApiError, Reason};

/// Requests that may wait for a password hash: a few less than auth queues, because rejecting a login
/// here costs a fraction of the round trip to auth.
const MAX_HASHING: usize = 48;
const HASHING_RETRY_S: u64 = 1;

pub(crate) struct ConcurrencyLimit {
    reads: Arc<AtomicUsize>,
    orders: Arc<AtomicUsize>,
    files: Arc<AtomicUsize>,
    uploads: Arc<AtomicUsize>,
    hashing: Arc<AtomicUsize>,
    shed: ShedCounters,
}

/// Kept, because looking a counter up costs more than using it.
struct ShedCounters {
    search: Counter,
    browse: Counter,
    read: Counter,
    order: Counter,
    file: Counter,
    upload: Counter,
    hashing: Counter,
}

/// Counts as one running request until it is dropped.
#[derive(Debug)]
pub(crate) struct Permit(Arc<AtomicUsize>);

impl ConcurrencyLimit {
    /// Fails at once when the class is at its limit.
    pub(crate) fn acquire(&self, class: Class) -> Result<Permit, ApiError> {
        try_acquire(self.running(class), class.max_concurrency()).ok_or_else(|| {
            self.shed.of(class).increment(1);
            Reason::Unavailable.into()
        })
    }

    /// Whether [`acquire`](Self::acquire) would fail at this moment; if so, it counts as shed.
    pub(crate) fn shed_if_full(&self, class: Class) -> bool {
        let is_full = self.running(class).load(Ordering::Relaxed) >= class.max_concurrency();
        if is_full {
            self.shed.of(class).increment(1);
        }
        is_full
    }

    pub(crate) fn acquire_hashing(&self) -> Result<Permit, ApiError> {
        try_acquire(&self.hashing, MAX_HASHING).ok_or_else(|| self.shed_hashing())
    }

    /// Fails as [`acquire_hashing`](Self::acquire_hashing) would at this moment.
    pub(crate) fn check_hashing(&self) -> Result<(), ApiError> {
        if self.hashing.load(Ordering::Relaxed) < MAX_HASHING {
            Ok(())
        } else {
            Err(self.shed_hashing())
        }
    }

    fn shed_hashing(&self) -> ApiError {
        self.shed.hashing.increment(1);
        ApiError::from(Reason::AuthBusy).retry_after(HASHING_RETRY_S)
    }

    fn running(&self, class: Class) -> &Arc<AtomicUsize> {
        match class {
            Class::Search | Class::Browse | Class::Read => &self.reads,
            Class::Order => &self.orders,
            Class::File => &self.files,
            Class::Upload => &self.uploads,
        }
    }
}

fn try_acquire(running: &Arc<AtomicUsize>, limit: usize) -> Option<Permit> {
    let one_more = |running| (running < limit).then_some(running + 1);
    let before = running.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_more);
    before.is_ok().then(|| Permit(Arc::clone(running)))
}

impl Default for ConcurrencyLimit {
    fn default() -> Self {
        let counter =
            |class: &'static str| metrics::counter!("gateway_shed_total", "class" => class);
        Self {
            reads: Arc::default(),
            orders: Arc::default(),
            files: Arc::default(),
            uploads: Arc::default(),
            hashing: Arc::default(),
            shed: ShedCounters {
                search: counter(Class::Search.as_str()),
                browse: counter(Class::Browse.as_str()),
                read: counter(Class::Read.as_str()),
                order: counter(Class::Order.as_str()),
                file: counter(Class::File.as_str()),
                upload: counter(Class::Upload.as_str()),
                hashing: counter("Hashing"),
            },
        }
    }
}

impl ShedCounters {
    fn of(&self, class: Class) -> &Counter {
        match class {
            Class::Search => &self.search,
            Class::Browse => &self.browse,
            Class::Read => &self.read,
            Class::Order => &self.order,
            Class::File => &self.file,
            Class::Upload => &self.upload,
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASSES: [Class; 4] = [Class::Search, Class::Browse, Class::Read, Class::Order];

    fn is_full(limit: &ConcurrencyLimit, class: Class) -> bool {
        let is_shed = limit.shed_if_full(class);
        let permit = limit.acquire(class);
        assert_eq!(is_shed, permit.is_err());
        permit.is_err_and(|error| error.reason() == Reason::Unavailable)
    }

    #[test]
    fn a_full_class_leaves_room_for_more_important_ones() {
        let limit = ConcurrencyLimit::default();
        let mut permits = Vec::new();
        for (rank, full) in CLASSES.into_iter().enumerate() {
            while let Ok(permit) = limit.acquire(full) {
                permits.push(permit);
            }
            for (other, class) in CLASSES.into_iter().enumerate() {
                let expected = other <= rank;
                assert_eq!(is_full(&limit, class), expected, "{class:?}, {full:?} full");
            }
        }
        assert_eq!(
            permits.len(),
            Class::Read.max_concurrency() + Class::Order.max_concurrency()
        );
        drop(permits);
        assert!(CLASSES.into_iter().all(|class| !is_full(&limit, class)));
    }

    #[test]
    fn reads_count_against_the_limits_of_less_important_classes() {
        let limit = ConcurrencyLimit::default();
        let reads: Vec<Permit> = (0..Class::Browse.max_concurrency())
            .map(|_| limit.acquire(Class::Read).unwrap())
            .collect();
        assert_eq!(
            CLASSES.map(|class| is_full(&limit, class)),
            [true, true, false, false]
        );
        let running = reads.into_iter().take(Class::Search.max_concurrency());
        let running: Vec<Permit> = running.collect();
        assert_eq!(
            CLASSES.map(|class| is_full(&limit, class)),
            [true, false, false, false]
        );
        drop(running);
        assert!(!is_full(&limit, Class::Search));
    }

    #[test]
    fn files_and_uploads_take_no_place_of_others() {
        let limit = ConcurrencyLimit::default();
        let mut permits = Vec::new();
        for class in [Class::File, Class::Upload] {
            let before = permits.len();
            while let Ok(permit) = limit.acquire(class) {
                permits.push(permit);
            }
            assert_eq!(permits.len() - before, class.max_concurrency());
        }
        assert!(CLASSES.into_iter().all(|class| !is_full(&limit, class)));
    }

    #[test]
    fn password_hashes_have_a_limit_of_their_own() {
        let limit = ConcurrencyLimit::default();
        let permits: Vec<Permit> = (0..MAX_HASHING)
            .map(|_| {
                limit.check_hashing().unwrap();
                limit.acquire_hashing().unwrap()
            })
            .collect();
        for shed in [limit.check_hashing(), limit.acquire_hashing().map(drop)] {
            assert_eq!(shed.unwrap_err().reason(), Reason::AuthBusy);
        }
        assert!(!is_full(&limit, Class::Order), "orders are not affected");
        drop(permits);
        limit.check_hashing().unwrap();
    }
}
