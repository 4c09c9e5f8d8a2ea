//! Answers that may be a second old. However many want one, it is asked for once a second.

use std::sync::Arc;
use std::time::Duration;

use bootstrap::deadline::{self, Deadline};
use chrono::{DateTime, TimeDelta, Utc};
use kernel::Clock;
use moka::future::Cache;

const GOOD_FOR: TimeDelta = TimeDelta::seconds(1);
/// Answers that are kept, good or not.
const MOST_KEPT: u64 = 1_000;
/// How long an answer may take.
const LIMIT: Duration = Duration::from_secs(2);

/// Answers to one kind of question, by the question.
pub(crate) struct Recent<A> {
    known: Cache<String, Told<A>>,
    clock: Arc<dyn Clock>,
}

/// An answer and when it came.
#[derive(Clone)]
struct Told<A> {
    at: DateTime<Utc>,
    answer: A,
}

impl<A: Clone + Send + Sync + 'static> Recent<A> {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            known: Cache::builder().max_capacity(MOST_KEPT).build(),
            clock,
        }
    }

    /// The answer to `question`, which `ask` asks. Any answer is kept, also that there is none.
    /// `None` when asking has panicked.
    pub(crate) async fn get(
        &self,
        question: &str,
        ask: impl Future<Output = A> + 'static,
    ) -> Option<A> {
        let known = self.known.get(question).await;
        if let Some(told) = known.filter(|told| told.is_good(self.clock.now())) {
            return Some(told.answer);
        }
        let (known, clock) = (self.known.clone(), Arc::clone(&self.clock));
        let question = question.to_owned();
        // In a task of its own, because whoever asked first may stop waiting.
        let asking = actix_web::rt::spawn(async move {
            let told = async {
                let answer = deadline::scope(Deadline::within(LIMIT), ask).await;
                let at = clock.now();
                Told { at, answer }
            };
            let is_old = |told: &Told<A>| !told.is_good(clock.now());
            let entry = known.entry(question).or_insert_with_if(told, is_old);
            entry.await.into_value()
        });
        Some(asking.await.ok()?.answer)
    }
}

impl<A> Told<A> {
    /// What is still to come was told before the clock was set back.
    fn is_good(&self, now: DateTime<Utc>) -> bool {
        self.at <= now && now - self.at < GOOD_FOR
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::FutureExt;
    use futures_util::future::join_all;
    use kernel::FixedClock;

    use super::*;

    /// Numbers the answers.
    struct Counter {
        recent: Recent<usize>,
        clock: FixedClock,
        asked: Arc<AtomicUsize>,
    }

    impl Counter {
        fn new() -> Self {
            let clock = FixedClock::at("2026-11-21T00:03:00Z".parse().unwrap());
            Self {
                recent: Recent::new(Arc::new(clock.clone())),
                clock,
                asked: Arc::default(),
            }
        }

        async fn get(&self, question: &str) -> usize {
            let asked = Arc::clone(&self.asked);
            let ask = async move {
                tokio::task::yield_now().await;
                asked.fetch_add(1, Ordering::Relaxed)
            };
            self.recent.get(question, ask).await.unwrap()
        }
    }

    #[actix_web::test]
    async fn all_who_want_an_answer_within_a_second_have_the_same() {
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
        // A clock that was set back does not make an answer newer.
        counter.clock.advance(TimeDelta::minutes(-5));
        assert_eq!(counter.get("a").await, 3);
    }

    #[actix_web::test]
    async fn who_stops_waiting_does_not_make_others_ask_again() {
        let counter = Counter::new();
        assert_eq!(counter.get("a").now_or_never(), None);
        assert_eq!(counter.get("a").await, 0);
        assert_eq!(counter.asked.load(Ordering::Relaxed), 1);
    }

    #[actix_web::test]
    async fn a_mistake_is_no_answer() {
        let counter = Counter::new();
        let mistaken = async { panic!("a mistake") };
        assert_eq!(counter.recent.get("a", mistaken).await, None);
        assert_eq!(counter.get("a").await, 0);
    }
}
