//! Group commit of likes. Whoever likes what many like waits for the row that counts them, so those
//! that arrive meanwhile go into the next transaction together: 500 at once wait for a few
//! transactions instead of 500. A like that arrives alone is stored at once.

use std::collections::HashMap;

use bootstrap::group_commit::{self, GroupCommit, GroupError, Waiting};
use kernel::MemberId;

use crate::error::CommunityError;
use crate::store::{LikeState, Liked, Store, WantedLike};

/// Most likes that are looked at together.
const MAX_GROUP: usize = 250;
/// Most likes that wait. Above it each has a transaction of its own.
const MAX_WAITING: usize = 2_000;

type WaitingLike = Waiting<(Liked, WantedLike), LikeState>;

/// Stores the likes that arrive together in one transaction.
pub struct Likes {
    store: Store,
    groups: GroupCommit<(Liked, WantedLike), LikeState>,
}

impl Likes {
    /// Spawns the task that stores likes.
    #[must_use]
    pub fn start(store: Store) -> Self {
        let of_groups = store.clone();
        let groups = GroupCommit::start(MAX_GROUP, MAX_WAITING, move |arrived| {
            store_groups(of_groups.clone(), arrived)
        });
        Self { store, groups }
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
        let wanted = WantedLike { member, liked };
        if let Some(state) = self.groups.store((subject, wanted)).await {
            return Ok(state);
        }
        // Here and not in the task, so that it ends with its caller and delays no others.
        self.store.like(wanted, subject).await
    }
}

async fn store_groups(store: Store, arrived: Vec<WaitingLike>) {
    let mut groups: HashMap<Liked, Vec<WaitingLike>> = HashMap::new();
    for one in arrived {
        groups.entry(one.wanted.0).or_default().push(one);
    }
    for (subject, mut group) in groups {
        group_commit::keep_first(&mut group, |(_, wanted)| wanted.member);
        if group.len() > 1 {
            store_group(&store, subject, group).await;
        }
    }
}

async fn store_group(store: &Store, subject: Liked, group: Vec<WaitingLike>) {
    let (wanted, replies) = group_commit::split(group);
    let wanted: Vec<WantedLike> = wanted.into_iter().map(|(_, wanted)| wanted).collect();
    let stored = replies.send(store.like_together(&wanted, subject));
    match stored.await {
        Ok(()) => {}
        Err(GroupError::Failed(error)) => {
            tracing::warn!(%error, likes = wanted.len(), "Likes could not be stored together");
        }
        Err(GroupError::TooSlow) => {
            tracing::warn!(
                likes = wanted.len(),
                "Likes took too long to be stored together"
            );
        }
    }
}
