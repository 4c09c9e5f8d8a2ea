//! Group commit: what arrives during a transaction goes into the next one together.

use std::collections::HashSet;
use std::hash::Hash;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

/// Longer than the database and all callers wait. A connection that is half open never answers, and
/// no later group would be stored.
const TIMEOUT: Duration = Duration::from_secs(7);

/// Hands on what is wanted to a task that stores it. The task stops with this.
pub struct GroupCommit<W, R> {
    waiting: mpsc::Sender<Waiting<W, R>>,
}

/// What somebody wants and waits for.
pub struct Waiting<W, R> {
    pub wanted: W,
    /// Gets nothing when it needs a transaction of its own.
    reply: oneshot::Sender<R>,
}

/// Where the results of a group go, in its order.
pub struct Replies<R>(Vec<oneshot::Sender<R>>);

/// Why a group was not stored.
#[derive(Debug)]
pub enum GroupError<E> {
    Failed(E),
    TooSlow,
}

impl<W: Send + 'static, R: Send + 'static> GroupCommit<W, R> {
    /// Spawns the task, which gives `store` what has arrived, at most `max_group` at once. Of more
    /// than `max_waiting` each goes alone.
    #[must_use]
    pub fn start<F>(
        max_group: usize,
        max_waiting: usize,
        store: impl Fn(Vec<Waiting<W, R>>) -> F + Send + 'static,
    ) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (waiting, mut arriving) = mpsc::channel(max_waiting);
        tokio::spawn(async move {
            let mut arrived = Vec::new();
            while arriving.recv_many(&mut arrived, max_group).await > 0 {
                store(std::mem::take(&mut arrived)).await;
            }
        });
        Self { waiting }
    }

    /// The result of `wanted` in a group; `None` when it needs a transaction of its own.
    pub async fn store(&self, wanted: W) -> Option<R> {
        let (reply, result) = oneshot::channel();
        self.waiting.try_send(Waiting { wanted, reply }).ok()?;
        result.await.ok()
    }
}

/// Keeps the first of each `key`. The others go on alone, as what nobody waits for any more does.
pub fn keep_first<W, R, K: Eq + Hash>(group: &mut Vec<Waiting<W, R>>, key: impl Fn(&W) -> K) {
    let mut keys = HashSet::new();
    group.retain(|one| !one.reply.is_closed() && keys.insert(key(&one.wanted)));
}

#[must_use]
pub fn split<W, R>(group: Vec<Waiting<W, R>>) -> (Vec<W>, Replies<R>) {
    let group = group.into_iter().map(|one| (one.wanted, one.reply));
    let (wanted, replies) = group.unzip();
    (wanted, Replies(replies))
}

impl<R> Replies<R> {
    /// Gives everybody their result once the transaction is stored.
    ///
    /// # Errors
    /// [`GroupError`]; everybody then gets nothing.
    pub async fn send<E>(
        self,
        stored: impl Future<Output = Result<Vec<Option<R>>, E>>,
    ) -> Result<(), GroupError<E>> {
        let results = match tokio::time::timeout(TIMEOUT, stored).await {
            Ok(Ok(results)) => results,
            Ok(Err(error)) => return Err(GroupError::Failed(error)),
            Err(_elapsed) => return Err(GroupError::TooSlow),
        };
        for (reply, result) in self.0.into_iter().zip(results) {
            if let Some(result) = result {
                // The caller may have gone away; a repeat finds what was stored.
                let _gone = reply.send(result);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    async fn double(mut group: Vec<Waiting<i32, i32>>) {
        keep_first(&mut group, |wanted| *wanted);
        let (wanted, replies) = split(group);
        let doubled = wanted.iter().map(|one| Some(*one * 2)).collect();
        let stored = async { Ok::<_, Infallible>(doubled) };
        replies.send(stored).await.unwrap();
    }

    async fn fail(group: Vec<Waiting<i32, i32>>) {
        let (_wanted, replies) = split(group);
        let failed = replies.send(async { Err("the database is away") }).await;
        assert!(matches!(failed, Err(GroupError::Failed(_))));
    }

    #[tokio::test]
    async fn the_first_of_a_key_is_stored_and_the_second_goes_alone() {
        let groups = GroupCommit::start(8, 8, double);
        let results = tokio::join!(groups.store(1), groups.store(2), groups.store(1));
        assert_eq!(results, (Some(2), Some(4), None));
        assert_eq!(groups.store(1).await, Some(2));
    }

    #[tokio::test]
    async fn all_of_a_group_that_fails_go_alone() {
        let groups = GroupCommit::start(8, 8, fail);
        assert_eq!(tokio::join!(groups.store(1), groups.store(2)), (None, None));
    }

    #[tokio::test]
    async fn whoever_finds_no_room_goes_alone() {
        let groups = GroupCommit::start(1, 1, double);
        let results = tokio::join!(groups.store(1), groups.store(2));
        assert_eq!(results, (Some(2), None));
    }
}
