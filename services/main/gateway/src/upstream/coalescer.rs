//! Coalesces reads that many requests make at the same moment into one round trip: keys that are
//! requested while a call is running wait for its end and go together into the next one. Every value
//! is read after its key was requested, so coalescing never returns stale data.

use std::collections::HashMap;
use std::hash::Hash;
use std::pin::Pin;
use std::sync::Arc;

use bootstrap::deadline;
use futures_util::future::join_all;
use parking_lot::Mutex;
use telemetry::panics;
use thread_local::ThreadLocal;
use tokio::sync::oneshot;

/// Reads the values of several keys, in their order.
type Fetch<K, V> = dyn Fn(Vec<K>) -> Pin<Box<dyn Future<Output = Vec<V>>>> + Send + Sync;

pub(crate) struct Coalescer<K: Send, V: Send> {
    fetch: Arc<Fetch<K, V>>,
    /// One queue a thread, so that workers do not wait for each other.
    queues: ThreadLocal<Arc<Mutex<Queue<K, V>>>>,
}

struct Queue<K, V> {
    waiting: Vec<(K, oneshot::Sender<V>)>,
    is_fetching: bool,
}

impl<K, V> Default for Queue<K, V> {
    fn default() -> Self {
        Self {
            waiting: Vec::new(),
            is_fetching: false,
        }
    }
}

impl<K: Send + 'static, V: Send + 'static> Coalescer<K, V> {
    /// `fetch` returns one value for each key.
    pub(crate) fn batched<F>(fetch: impl Fn(Vec<K>) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Vec<V>> + 'static,
    {
        Self {
            fetch: Arc::new(move |keys| Box::pin(fetch(keys))),
            queues: ThreadLocal::new(),
        }
    }

    /// `None` when `fetch` returns no value, or none before the deadline of the request.
    pub(crate) async fn get(&self, key: K) -> Option<V> {
        let (sender, receiver) = oneshot::channel();
        let queue = self.queues.get_or_default();
        let is_first = {
            let mut queue = queue.lock();
            queue.waiting.push((key, sender));
            !std::mem::replace(&mut queue.is_fetching, true)
        };
        // In a task of its own, because the first request may be cancelled.
        if is_first {
            actix_web::rt::spawn(fetch_queue(Arc::clone(&self.fetch), Arc::clone(queue)));
        }
        match deadline::remaining() {
            Some(left) => tokio::time::timeout(left, receiver).await.ok()?.ok(),
            None => receiver.await.ok(),
        }
    }
}

impl<K, V> Coalescer<K, V>
where
    K: Clone + Eq + Hash + Send + 'static,
    V: Clone + Send + 'static,
{
    /// `fetch` reads one key; concurrent requests of the same key share its value.
    pub(crate) fn single_flight<F>(fetch: impl Fn(K) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = V> + 'static,
    {
        Self::batched(move |keys| {
            let mut fetches: Vec<F> = Vec::new();
            let mut index_of: HashMap<K, usize> = HashMap::new();
            let indexes: Vec<usize> = keys
                .into_iter()
                .map(|key| {
                    *index_of.entry(key).or_insert_with_key(|key| {
                        fetches.push(fetch(key.clone()));
                        fetches.len() - 1
                    })
                })
                .collect();
            async move {
                let values = join_all(fetches).await;
                let value = |index: usize| values.get(index).cloned();
                indexes.into_iter().filter_map(value).collect()
            }
        })
    }
}

/// Fetches until the queue is empty.
async fn fetch_queue<K: Send, V: Send>(fetch: Arc<Fetch<K, V>>, queue: Arc<Mutex<Queue<K, V>>>) {
    loop {
        // Requests that have arrived already join this batch: a round trip costs as much as several
        // requests.
        tokio::task::yield_now().await;
        let waiting = {
            let mut queue = queue.lock();
            queue.is_fetching = !queue.waiting.is_empty();
            if !queue.is_fetching {
                return;
            }
            std::mem::take(&mut queue.waiting)
        };
        let (keys, senders): (Vec<K>, Vec<_>) = waiting.into_iter().unzip();
        // A panic leaves this batch without values; the queue must go on for later requests.
        let values = panics::caught(async { fetch(keys).await })
            .await
            .unwrap_or_default();
        for (sender, value) in senders.into_iter().zip(values) {
            // Fails when the request was cancelled.
            let _cancelled = sender.send(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[actix_web::test]
    async fn keys_requested_during_a_call_go_into_the_next_one() {
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&calls);
        let doubled = Coalescer::batched(move |numbers: Vec<usize>| {
            counted.fetch_add(1, Ordering::Relaxed);
            async move {
                tokio::task::yield_now().await;
                numbers.into_iter().map(|number| number * 2).collect()
            }
        });
        let values = join_all((0..100).map(|number| doubled.get(number))).await;
        let expected: Vec<_> = (0..100).map(|number| Some(number * 2)).collect();
        assert_eq!(values, expected);
        assert_eq!(doubled.get(7).await, Some(14));
        assert_eq!(calls.load(Ordering::Relaxed), 2);
    }

    #[actix_web::test]
    async fn concurrent_requests_of_one_key_share_one_fetch() {
        let fetches = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&fetches);
        let named = Coalescer::single_flight(move |number: usize| {
            counted.fetch_add(1, Ordering::Relaxed);
            std::future::ready(format!("number {number}"))
        });
        let values = join_all((0..90).map(|number| named.get(number % 3))).await;
        let expected: Vec<_> = (0..90).map(|n| Some(format!("number {}", n % 3))).collect();
        assert_eq!(values, expected);
        assert_eq!(fetches.load(Ordering::Relaxed), 3);
    }

    #[actix_web::test]
    async fn a_key_without_a_value_does_not_wait() {
        let empty = Coalescer::<usize, usize>::batched(|_keys| async { Vec::new() });
        assert_eq!(empty.get(1).await, None);
        assert_eq!(empty.get(1).await, None);
        let faulty = Coalescer::<usize, usize>::batched(|keys| async move {
            assert_ne!(keys, [1], "a mistake");
            keys
        });
        assert_eq!(faulty.get(1).await, None);
        assert_eq!(faulty.get(2).await, Some(2));
    }
}
