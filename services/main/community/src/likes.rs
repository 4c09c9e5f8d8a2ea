//! Group commit of likes. Whoever likes what many like waits for the row that counts them, so those
//! that arrive meanwhile go into the next transaction together: 500 at once wait for a few
//! transactions instead of 500. A like that arrives alone is stored at once.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use kernel::MemberId;
use tokio::sync::{mpsc, oneshot};

use crate::error::CommunityError;
use crate::store::{LikeState, Liked, Store, WantedLike};

/// Most likes that are looked at together.
const MAX_GROUP: usize = 250;
/// Most likes that wait. Above it each has a transaction of its own.
const MAX_WAITING: usize = 2_000;
/// Longer than the database and all callers wait. A connection that is half open never answers, and
/// no later group would be stored.
const GROUP_TIMEOUT: Duration = Duration::from_secs(7);

struct WaitingLike {
    subject: Liked,
    wanted: WantedLike,
    /// Gets nothing when the like needs a transaction of its own.
    reply: oneshot::Sender<LikeState>,
}

/// Stores likes together. The task stops with this.
pub struct Likes {
    store: Store,
    waiting: mpsc::Sender<WaitingLike>,
}

impl Likes {
    /// Spawns the task that stores likes.
    #[must_use]
    pub fn start(store: Store) -> Self {
        let (waiting, arriving) = mpsc::channel(MAX_WAITING);
        tokio::spawn(store_groups(store.clone(), arriving));
        Self { store, waiting }
    }

    /// As [`Store::like`].
    ///
    /// # Errors
    /// Those of [`Store::like`].
    pub async fn set(
        &self,
        member: MemberId,
        subject: Liked,
        liked: bool,
    ) -> Result<LikeState, CommunityError> {
        let (reply, state) = oneshot::channel();
        let wanted = WantedLike { member, liked };
        let waiting = WaitingLike {
            subject,
            wanted,
            reply,
        };
        if self.waiting.try_send(waiting).is_ok()
            && let Ok(state) = state.await
        {
            return Ok(state);
        }
        // Here and not in the task, so that it ends with its caller and delays no others.
        self.store.like(wanted, subject).await
    }
}

async fn store_groups(store: Store, mut arriving: mpsc::Receiver<WaitingLike>) {
    let mut arrived = Vec::with_capacity(MAX_GROUP);
    while arriving.recv_many(&mut arrived, MAX_GROUP).await > 0 {
        let mut groups: HashMap<Liked, Vec<WaitingLike>> = HashMap::new();
        for one in arrived.drain(..) {
            groups.entry(one.subject).or_default().push(one);
        }
        for (subject, mut group) in groups {
            let mut members = HashSet::new();
            // A second like of a member goes on alone, as what nobody waits for any more does.
            group.retain(|one| !one.reply.is_closed() && members.insert(one.wanted.member));
            if group.len() > 1 {
                store_group(&store, subject, group).await;
            }
        }
    }
}

async fn store_group(store: &Store, subject: Liked, group: Vec<WaitingLike>) {
    let wanted: Vec<WantedLike> = group.iter().map(|one| one.wanted).collect();
    let stored = tokio::time::timeout(GROUP_TIMEOUT, store.like_together(&wanted, subject));
    match stored.await {
        Ok(Ok(states)) => {
            for (one, state) in group.into_iter().zip(states) {
                if let Some(state) = state {
                    // The caller may have gone away; a repeat finds what was stored.
                    let _gone = one.reply.send(state);
                }
            }
        }
        Ok(Err(error)) => {
            tracing::warn!(%error, likes = wanted.len(), "Likes could not be stored together");
        }
        Err(_elapsed) => {
            tracing::warn!(
                likes = wanted.len(),
                "Likes took too long to be stored together"
            );
        }
    }
}
