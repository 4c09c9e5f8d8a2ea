//! Whose uploads are received: few at a time, and of one member fewer still, so that one with slow
//! lines leaves places to others. Whatever waits, waits in its order.

use std::collections::HashMap;
use std::sync::Arc;

use kernel::MemberId;
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};

use crate::endpoint::RECEIVED_UPLOADS;
use crate::error::{ApiError, Reason};

/// Received of one member at a time.
const RECEIVED_OF_MEMBER: usize = 2;
/// Uploads of one member, with those that wait: all pictures of two posts.
const MAX_OF_MEMBER: usize = 10;
const RETRY_S: u64 = 5;

pub(crate) struct UploadTurns {
    all: Semaphore,
    members: Arc<Mutex<HashMap<MemberId, MemberTurns>>>,
}

struct MemberTurns {
    received: Arc<Semaphore>,
    uploads: usize,
}

/// The place of an upload until it is dropped.
#[derive(Debug)]
pub(crate) struct Turn<'a> {
    // Dropped in this order: the member's next upload finds the place free.
    _received: SemaphorePermit<'a>,
    _of_member: OwnedSemaphorePermit,
    _upload: Upload,
}

/// Counts as an upload of its member until it is dropped.
struct Upload {
    member: MemberId,
    members: Arc<Mutex<HashMap<MemberId, MemberTurns>>>,
}

impl UploadTurns {
    /// Waits until the bytes of an upload may be received. Fails at once for too many of a member.
    pub(crate) async fn acquire(&self, member: MemberId) -> Result<Turn<'_>, ApiError> {
        let (upload, received) = self.begin(member)?;
        let closed = |_closed| ApiError::from(Reason::Unavailable);
        let of_member = received.acquire_owned().await.map_err(closed)?;
        Ok(Turn {
            _received: self.all.acquire().await.map_err(closed)?,
            _of_member: of_member,
            _upload: upload,
        })
    }

    fn begin(&self, member: MemberId) -> Result<(Upload, Arc<Semaphore>), ApiError> {
        let mut members = self.members.lock();
        let turns = members.entry(member).or_insert_with(|| MemberTurns {
            received: Arc::new(Semaphore::new(RECEIVED_OF_MEMBER)),
            uploads: 0,
        });
        if turns.uploads >= MAX_OF_MEMBER {
            return Err(ApiError::from(Reason::RateLimited).retry_after(RETRY_S));
        }
        turns.uploads += 1;
        let upload = Upload {
            member,
            members: Arc::clone(&self.members),
        };
        Ok((upload, Arc::clone(&turns.received)))
    }
}

impl Default for UploadTurns {
    fn default() -> Self {
        Self {
            all: Semaphore::new(RECEIVED_UPLOADS),
            members: Arc::default(),
        }
    }
}

impl std::fmt::Debug for Upload {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Upload").field(&self.member).finish()
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        let mut members = self.members.lock();
        if let Some(turns) = members.get_mut(&self.member) {
            turns.uploads -= 1;
            if turns.uploads == 0 {
                members.remove(&self.member);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;

    use futures_util::poll;

    use super::*;

    #[actix_web::test]
    async fn a_member_has_two_turns_and_leaves_the_others_to_others() {
        let turns = UploadTurns::default();
        let first = turns.acquire(MemberId(1)).await.unwrap();
        let second = turns.acquire(MemberId(1)).await.unwrap();
        let mut third = pin!(turns.acquire(MemberId(1)));
        let mut fourth = pin!(turns.acquire(MemberId(1)));
        assert!(poll!(&mut third).is_pending());
        assert!(poll!(&mut fourth).is_pending());
        let others = (2..16).map(|member| turns.acquire(MemberId(member)));
        let others = futures_util::future::join_all(others).await;
        assert!(others.iter().all(Result::is_ok));
        let mut last = pin!(turns.acquire(MemberId(16)));
        assert!(poll!(&mut last).is_pending());
        drop(first);
        assert!(poll!(&mut last).is_ready());
        drop((second, others));
        assert!(poll!(&mut third).is_ready());
        fourth.await.unwrap();
        assert!(turns.members.lock().is_empty());
    }

    #[actix_web::test]
    async fn a_member_with_too_many_is_rejected_until_one_ends() {
        let turns = UploadTurns::default();
        let received = (0..RECEIVED_OF_MEMBER).map(|_| turns.acquire(MemberId(1)));
        let _received = futures_util::future::join_all(received).await;
        let mut waiting: Vec<_> = (RECEIVED_OF_MEMBER..MAX_OF_MEMBER)
            .map(|_| Box::pin(turns.acquire(MemberId(1))))
            .collect();
        for upload in &mut waiting {
            assert!(poll!(upload).is_pending());
        }
        let rejected = turns.acquire(MemberId(1)).await.unwrap_err();
        assert_eq!(rejected.reason(), Reason::RateLimited);
        drop(turns.acquire(MemberId(2)).await.unwrap());
        waiting.pop();
        let mut next = pin!(turns.acquire(MemberId(1)));
        assert!(poll!(&mut next).is_pending());
    }
}
