//! Turns to read long lists: a few in a process at a time, and one of a member.

use std::collections::HashMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use kernel::MemberId;
use parking_lot::Mutex;
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};

use crate::error::TradingError;

/// For the lists before it.
const LONGEST_WAIT: Duration = Duration::from_secs(2);

pub(super) struct Turns {
    all: Arc<Semaphore>,
    /// Of the members who read or wait.
    members: Mutex<HashMap<MemberId, Weak<Semaphore>>>,
}

/// Ends when it is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    _of_member: OwnedSemaphorePermit,
    _of_all: OwnedSemaphorePermit,
}

impl Turns {
    pub(super) fn new(at_once: usize) -> Self {
        Self {
            all: Arc::new(Semaphore::new(at_once)),
            members: Mutex::default(),
        }
    }

    /// Waits until the member reads nothing else, and then in the order of arrival.
    pub(super) async fn take(&self, member_id: MemberId) -> Result<Turn, TradingError> {
        let (of_member, of_all) = (self.of(member_id), Arc::clone(&self.all));
        let both = async {
            // First, so that whoever asks for many lists has one place among all who wait.
            let of_member = of_member.acquire_owned().await?;
            let of_all = of_all.acquire_owned().await?;
            Ok::<Turn, AcquireError>(Turn {
                _of_member: of_member,
                _of_all: of_all,
            })
        };
        let turn = tokio::time::timeout(LONGEST_WAIT, both).await;
        let Ok(Ok(turn)) = turn else {
            return Err(TradingError::ManyReaders);
        };
        Ok(turn)
    }

    fn of(&self, member_id: MemberId) -> Arc<Semaphore> {
        let mut members = self.members.lock();
        members.retain(|_, turn| turn.strong_count() > 0);
        if let Some(turn) = members.get(&member_id).and_then(Weak::upgrade) {
            return turn;
        }
        let turn = Arc::new(Semaphore::new(1));
        members.insert(member_id, Arc::downgrade(&turn));
        turn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ME: MemberId = MemberId(100_001);
    const OTHER: MemberId = MemberId(100_002);

    #[tokio::test]
    async fn a_member_holds_one_turn() {
        let turns = Turns::new(2);
        let _mine = turns.take(ME).await.unwrap();
        let (again, other) = tokio::join!(turns.take(ME), turns.take(OTHER));
        assert!(matches!(again, Err(TradingError::ManyReaders)));
        other.unwrap();
    }

    #[tokio::test]
    async fn whoever_waits_reads_when_the_turn_ends() {
        let turns = Turns::new(1);
        let mine = turns.take(ME).await.unwrap();
        let ended = async {
            tokio::time::sleep(LONGEST_WAIT / 20).await;
            drop(mine);
        };
        let (again, ()) = tokio::join!(turns.take(ME), ended);
        again.unwrap();
    }

    #[test]
    fn members_who_wait_no_more_are_forgotten() {
        let turns = Turns::new(2);
        let waiting = turns.of(ME);
        drop(turns.of(OTHER));
        assert!(Arc::ptr_eq(&waiting, &turns.of(ME)));
        assert_eq!(turns.members.lock().len(), 1);
    }
}
