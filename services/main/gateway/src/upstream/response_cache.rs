//! Caches responses for one second, each fetched once however many requests want it.

use std::sync::Arc;
use std::time::Duration;

use bootstrap::deadline::{self, Deadline};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::Clock;
use moka::future::Cache;

const MAX_AGE: TimeDelta = TimeDelta::seconds(1);
/// Fresh and stale ones.
const MAX_ENTRIES: u64 = 1_000;
const FETCH_TIMEOUT: Duration = Duration::from_secs(2);

pub(crate) struct ResponseCache<V> {
    entries: Cache<String, Entry<V>>,
    clock: Arc<dyn Clock>,
}

#[derive(Clone)]
struct Entry<V> {
    fetched_at: DateTime<Utc>,
    value: V,
}

impl<V: Clone + Send + Sync + 'static> ResponseCache<V> {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            entries: Cache::builder().max_capacity(MAX_ENTRIES).build(),
            clock,
        }
    }

    /// The cached value of `key`, or what `fetch` returns. `None` when `fetch` panicked.
    pub(crate) async fn get(
        &self,
        key: &str,
        fetch: impl Future<Output = V> + 'static,
    ) -> Option<V> {
        let cached = self.entries.get(key).await;
        if let Some(entry) = cached.filter(|entry| entry.is_fresh(self.clock.now())) {
            return Some(entry.value);
        }
        let (entries, clock) = (self.entries.clone(), Arc::clone(&self.clock));
        let key = key.to_owned();
        // In a task of its own, because the first request may be cancelled.
        let fetching = actix_web::rt::spawn(async move {
            let fetched = async {
                let value = deadline::scope(Deadline::within(FETCH_TIMEOUT), fetch).await;
                let fetched_at = clock.now();
                Entry { fetched_at, value }
            };
            let is_stale = |entry: &Entry<V>| !entry.is_fresh(clock.now());
            let entry = entries.entry(key).or_insert_with_if(fetched, is_stale);
            entry.await.into_value()
        });
        Some(fetching.await.ok()?.value)
    }
}

impl<V> Entry<V> {
    /// An entry of the future was fetched before the clock was set back.
    fn is_fresh(&self, now: DateTime<Utc>) -> bool {
        self.fetched_at <= now && now - self.fetched_at < MAX_AGE
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::FutureExt;
    use futures_util::future::join_all;
    use kernel::FixedClock;

    use super::*;

    /// Caches the number of the fetch.
    struct Counter {
        cache: ResponseCache<usize>,
        clock: FixedClock,
        fetches: Arc<AtomicUsize>,
    }

    impl Counter {
        fn new() -> Self {
            let clock = FixedClock::at("2026-11-21T00:03:00Z".parse().unwrap());
            Self {
                cache: ResponseCache::new(Arc::new(clock.clone())),
                clock,
                fetches: Arc::default(),
            }
        }

        async fn get(&self, key: &str) -> usize {
            let fetches = Arc::clone(&self.fetches);
            let fetch = async move {
                tokio::task::yield_now().await;
                fetches.fetch_add(1, Ordering::Relaxed)
            };
            self.cache.get(key, fetch).await.unwrap()
        }
    }

    #[actix_web::test]
    async fn a_value_is_shared_for_a_second() {
        let counter = Counter::new();
        let at_once = join_all((0..100).map(|_| counter.get("a"))).await;
        assert_eq!(at_once, [0; 100]);
        counter.clock.advance(TimeDelta::milliseconds(999));
        assert_eq!(counter.get("a").await, 0);
        assert_eq!(counter.get("b").await, 1);
        counter.clock.advance(TimeDelta::milliseconds(1));
        let at_once = join_all((0..100).map(|_| counter.get("a"))).await;
        assert_eq!(at_once, [2; 100]);
        assert_eq!(counter.get("b").await, 1);
        // Setting the clock back does not make an entry newer.
        counter.clock.advance(TimeDelta::minutes(-5));
        assert_eq!(counter.get("a").await, 3);
    }

    #[actix_web::test]
    async fn a_cancelled_request_does_not_cancel_the_fetch() {
        let counter = Counter::new();
        assert_eq!(counter.get("a").now_or_never(), None);
        assert_eq!(counter.get("a").await, 0);
        assert_eq!(counter.fetches.load(Ordering::Relaxed), 1);
    }

    #[actix_web::test]
    async fn a_panic_is_not_cached() {
        let counter = Counter::new();
        let faulty = async { panic!("a mistake") };
        assert_eq!(counter.cache.get("a", faulty).await, None);
        assert_eq!(counter.get("a").await, 0);
    }
}
