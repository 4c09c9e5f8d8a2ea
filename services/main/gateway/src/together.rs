//! Questions that many requests have at the same moment, asked in one round trip: what comes up
//! while an answer is under way waits for it and then goes together. Every answer was asked for
//! after its question came up, so nobody is told anything older than if they had asked alone.

use std::collections::HashMap;
use std::hash::Hash;
use std::pin::Pin;
use std::sync::Arc;

use bootstrap::{deadline, panics};
use futures_util::future::join_all;
use parking_lot::Mutex;
use thread_local::ThreadLocal;
use tokio::sync::oneshot;

/// Answers several questions, in their order.
type Ask<Q, A> = dyn Fn(Vec<Q>) -> Pin<Box<dyn Future<Output = Vec<A>>>> + Send + Sync;

/// One kind of question.
pub(crate) struct Together<Q: Send, A: Send> {
    ask: Arc<Ask<Q, A>>,
    /// Threads do not wait for each other.
    lines: ThreadLocal<Arc<Mutex<Line<Q, A>>>>,
}

struct Line<Q, A> {
    waiting: Vec<(Q, oneshot::Sender<A>)>,
    is_asking: bool,
}

impl<Q, A> Default for Line<Q, A> {
    fn default() -> Self {
        Self {
            waiting: Vec::new(),
            is_asking: false,
        }
    }
}

impl<Q: Send + 'static, A: Send + 'static> Together<Q, A> {
    /// Questions that `ask` answers.
    pub(crate) fn new<F>(ask: impl Fn(Vec<Q>) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = Vec<A>> + 'static,
    {
        Self {
            ask: Arc::new(move |questions| Box::pin(ask(questions))),
            lines: ThreadLocal::new(),
        }
    }

    /// The answer to `question`; `None` when there is none by the deadline of the request.
    pub(crate) async fn ask(&self, question: Q) -> Option<A> {
        let (answered, answer) = oneshot::channel();
        let line = self.lines.get_or_default();
        let is_first = {
            let mut line = line.lock();
            line.waiting.push((question, answered));
            !std::mem::replace(&mut line.is_asking, true)
        };
        // In a task of its own, because whoever asked first may stop waiting.
        if is_first {
            actix_web::rt::spawn(serve(Arc::clone(&self.ask), Arc::clone(line)));
        }
        match deadline::remaining() {
            Some(left) => tokio::time::timeout(left, answer).await.ok()?.ok(),
            None => answer.await.ok(),
        }
    }
}

impl<Q, A> Together<Q, A>
where
    Q: Clone + Eq + Hash + Send + 'static,
    A: Clone + Send + 'static,
{
    /// Questions that `ask` answers one by one. The same question is asked once for all who have
    /// it at that moment.
    pub(crate) fn each<F>(ask: impl Fn(Q) -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = A> + 'static,
    {
        Self::new(move |questions| {
            let mut different: Vec<F> = Vec::new();
            let mut known: HashMap<Q, usize> = HashMap::new();
            let places: Vec<usize> = questions
                .into_iter()
                .map(|question| {
                    *known.entry(question).or_insert_with_key(|question| {
                        different.push(ask(question.clone()));
                        different.len() - 1
                    })
                })
                .collect();
            async move {
                let answers = join_all(different).await;
                let answer = |place: usize| answers.get(place).cloned();
                places.into_iter().filter_map(answer).collect()
            }
        })
    }
}

/// Asks until nothing waits.
async fn serve<Q: Send, A: Send>(ask: Arc<Ask<Q, A>>, line: Arc<Mutex<Line<Q, A>>>) {
    loop {
        // Whoever has sent their request already comes along: one round trip costs as much as
        // several requests do.
        tokio::task::yield_now().await;
        let waiting = {
            let mut line = line.lock();
            line.is_asking = !line.waiting.is_empty();
            if !line.is_asking {
                return;
            }
            std::mem::take(&mut line.waiting)
        };
        let (questions, askers): (Vec<Q>, Vec<_>) = waiting.into_iter().unzip();
        // After a panic nobody has an answer; the line must go on, or all who come would wait.
        let answers = panics::caught(async { ask(questions).await })
            .await
            .unwrap_or_default();
        for (asker, answer) in askers.into_iter().zip(answers) {
            // Who does not wait any more needs no answer.
            let _gone = asker.send(answer);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[actix_web::test]
    async fn what_comes_up_during_a_round_trip_goes_with_the_next() {
        let trips = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&trips);
        let doubled = Together::new(move |questions: Vec<usize>| {
            counted.fetch_add(1, Ordering::Relaxed);
            async move {
                tokio::task::yield_now().await;
                questions.into_iter().map(|number| number * 2).collect()
            }
        });
        let all = (0..100).map(|number| doubled.ask(number));
        let answers = futures_util::future::join_all(all).await;
        let expected: Vec<_> = (0..100).map(|number| Some(number * 2)).collect();
        assert_eq!(answers, expected);
        assert_eq!(doubled.ask(7).await, Some(14));
        assert_eq!(trips.load(Ordering::Relaxed), 2);
    }

    #[actix_web::test]
    async fn the_same_question_is_asked_once_for_all() {
        let asked = Arc::new(AtomicUsize::new(0));
        let counted = Arc::clone(&asked);
        let named = Together::each(move |number: usize| {
            counted.fetch_add(1, Ordering::Relaxed);
            std::future::ready(format!("number {number}"))
        });
        let answers = join_all((0..90).map(|number| named.ask(number % 3))).await;
        let expected: Vec<_> = (0..90).map(|n| Some(format!("number {}", n % 3))).collect();
        assert_eq!(answers, expected);
        assert_eq!(asked.load(Ordering::Relaxed), 3);
    }

    #[actix_web::test]
    async fn a_question_that_gets_no_answer_does_not_wait() {
        let silent = Together::<usize, usize>::new(|_questions| async { Vec::new() });
        assert_eq!(silent.ask(1).await, None);
        assert_eq!(silent.ask(1).await, None);
        let careless = Together::<usize, usize>::new(|questions| async move {
            assert_ne!(questions, [1], "a mistake");
            questions
        });
        assert_eq!(careless.ask(1).await, None);
        assert_eq!(careless.ask(2).await, Some(2));
    }
}
