//! Group commit of answers. Most of what an answer costs the database does not depend on how many
//! share its transaction, so those that arrive during one go into the next one together. An answer
//! that arrives alone is stored at once.

use bootstrap::group_commit::{self, GroupCommit, GroupError, Waiting};
use telemetry::trace;

use crate::error::StudyError;
use crate::store::{Answer, Graded, GroupedAnswer, Store};

/// Most answers of one transaction.
const MAX_GROUP: usize = 50;
/// Most answers that wait for one. Above it each has a transaction of its own.
const MAX_WAITING: usize = 1_000;

/// Stores the answers that arrive together in one transaction.
pub struct Answers {
    store: Store,
    groups: GroupCommit<GroupedAnswer, Graded>,
}

impl Answers {
    /// Spawns the task that stores answers.
    #[must_use]
    pub fn start(store: Store) -> Self {
        let of_groups = store.clone();
        let groups = GroupCommit::start(MAX_GROUP, MAX_WAITING, move |arrived| {
            store_group(of_groups.clone(), arrived)
        });
        Self { store, groups }
    }

    /// As [`Store::answer`].
    ///
    /// # Errors
    /// Those of [`Store::answer`].
    pub async fn answer(&self, answer: Answer) -> Result<Graded, StudyError> {
        let grouped = GroupedAnswer {
            answer: answer.clone(),
            trace: trace::current(),
        };
        if let Some(graded) = self.groups.store(grouped).await {
            return Ok(graded);
        }
        // Here and not in the task, so that it ends with its caller.
        self.store.answer(&answer).await
    }
}

async fn store_group(store: Store, mut group: Vec<Waiting<GroupedAnswer, Graded>>) {
    group_commit::keep_first(&mut group, |grouped| grouped.answer.member);
    let (grouped, replies) = group_commit::split(group);
    let stored = replies.send(store.answer_together(&grouped));
    match stored.await {
        Ok(()) => {}
        Err(GroupError::Failed(error)) => {
            tracing::warn!(%error, answers = grouped.len(), "Answers could not be stored together");
        }
        Err(GroupError::TooSlow) => {
            tracing::warn!(
                answers = grouped.len(),
                "Answers took too long to be stored together"
            );
        }
    }
}
