//! Group commit of answers. Most of what an answer costs the database does not depend on how many
//! share its transaction, so those that arrive during one go into the next one together. An answer
//! that arrives alone is stored at once.

use std::collections::HashSet;
use std::time::Duration;

use telemetry::trace;
use tokio::sync::{mpsc, oneshot};

use crate::error::StudyError;
use crate::store::{Answer, Graded, GroupedAnswer, Store};

/// Most answers of one transaction.
const MAX_GROUP: usize = 50;
/// Most answers that wait for one. Above it each has a transaction of its own.
const MAX_WAITING: usize = 1_000;
/// Longer than the database and all callers wait. A connection that is half open never answers, and
/// no later group would be stored.
const GROUP_TIMEOUT: Duration = Duration::from_secs(7);

struct WaitingAnswer {
    grouped: GroupedAnswer,
    /// Gets nothing when the answer needs a transaction of its own.
    reply: oneshot::Sender<Graded>,
}

/// Stores answers together. The task stops with this.
pub struct Answers {
    store: Store,
    waiting: mpsc::Sender<WaitingAnswer>,
}

impl Answers {
    /// Spawns the task that stores answers.
    #[must_use]
    pub fn start(store: Store) -> Self {
        let (waiting, arriving) = mpsc::channel(MAX_WAITING);
        tokio::spawn(store_groups(store.clone(), arriving));
        Self { store, waiting }
    }

    /// As [`Store::answer`].
    ///
    /// # Errors
    /// Those of [`Store::answer`].
    pub async fn answer(&self, answer: Answer) -> Result<Graded, StudyError> {
        let (reply, graded) = oneshot::channel();
        let grouped = GroupedAnswer {
            answer: answer.clone(),
            trace: trace::current(),
        };
        if self
            .waiting
            .try_send(WaitingAnswer { grouped, reply })
            .is_ok()
            && let Ok(graded) = graded.await
        {
            return Ok(graded);
        }
        // Here and not in the task, so that it ends with its caller.
        self.store.answer(&answer).await
    }
}

async fn store_groups(store: Store, mut arriving: mpsc::Receiver<WaitingAnswer>) {
    let mut group = Vec::with_capacity(MAX_GROUP);
    while arriving.recv_many(&mut group, MAX_GROUP).await > 0 {
        let mut members = HashSet::new();
        // A second answer of a member goes on alone, as what nobody waits for any more does.
        group.retain(|one: &WaitingAnswer| {
            !one.reply.is_closed() && members.insert(one.grouped.answer.member)
        });
        let (grouped, replies): (Vec<_>, Vec<_>) = group
            .drain(..)
            .map(|WaitingAnswer { grouped, reply }| (grouped, reply))
            .unzip();
        let stored = tokio::time::timeout(GROUP_TIMEOUT, store.answer_together(&grouped));
        match stored.await {
            Ok(Ok(graded)) => {
                for (reply, graded) in replies.into_iter().zip(graded) {
                    if let Some(graded) = graded {
                        // The caller may have gone away; the same answer finds what was stored.
                        let _gone = reply.send(graded);
                    }
                }
            }
            Ok(Err(error)) => {
                tracing::warn!(%error, answers = replies.len(), "Answers could not be stored together")
            }
            Err(_elapsed) => {
                tracing::warn!(
                    answers = replies.len(),
                    "Answers took too long to be stored together"
                );
            }
        }
    }
}
