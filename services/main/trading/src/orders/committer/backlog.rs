//! Queue of orders for the next transaction. Orders of one member are never in two transactions at
//! once: the second would find the account locked by the first.

use std::collections::{HashMap, HashSet, VecDeque};

use kernel::MemberId;

/// Most orders of a member that are blocked by one in flight.
const MAX_BLOCKED: usize = 1_000;

/// Queued items of members, in order of arrival.
pub(super) struct Backlog<T> {
    ready: VecDeque<(MemberId, T)>,
    /// Members with an item in flight, and the items it blocks.
    blocked: HashMap<MemberId, VecDeque<T>>,
}

impl<T> Default for Backlog<T> {
    fn default() -> Self {
        Self {
            ready: VecDeque::new(),
            blocked: HashMap::new(),
        }
    }
}

impl<T> Backlog<T> {
    /// Number of items that [`Backlog::take`] could return.
    pub(super) fn ready(&self) -> usize {
        self.ready.len()
    }

    /// Adds an item; returns it as an error when too many of this member are queued.
    pub(super) fn push(&mut self, member: MemberId, item: T) -> Result<(), T> {
        match self.blocked.get_mut(&member) {
            Some(blocked) if blocked.len() >= MAX_BLOCKED => return Err(item),
            Some(blocked) => blocked.push_back(item),
            None => self.ready.push_back((member, item)),
        }
        Ok(())
    }

    /// Adds an item that is retried; it still blocks the others of its member.
    pub(super) fn requeue(&mut self, member: MemberId, item: T) {
        self.ready.push_back((member, item));
    }

    /// Takes the oldest items, at most `most`. Later items of their members are blocked until
    /// [`Backlog::release`].
    pub(super) fn take(&mut self, most: usize) -> Vec<(MemberId, T)> {
        let most = most.min(self.ready.len());
        let taken: Vec<_> = self.ready.drain(..most).collect();
        let members: HashSet<MemberId> = taken.iter().map(|(member, _)| *member).collect();
        for member in &members {
            self.blocked.entry(*member).or_default();
        }
        if self
            .ready
            .iter()
            .any(|(member, _)| members.contains(member))
        {
            self.block(&members);
        }
        taken
    }

    /// Blocks what is left of these members.
    fn block(&mut self, members: &HashSet<MemberId>) {
        for (member, item) in std::mem::take(&mut self.ready) {
            match self.blocked.get_mut(&member) {
                Some(blocked) if members.contains(&member) => blocked.push_back(item),
                Some(_) | None => self.ready.push_back((member, item)),
            }
        }
    }

    /// Unblocks the items of a member that has nothing in flight any more.
    pub(super) fn release(&mut self, member: MemberId) {
        let blocked = self.blocked.remove(&member).unwrap_or_default();
        for item in blocked.into_iter().rev() {
            self.ready.push_front((member, item));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn backlog(items: &[(i64, u32)]) -> Backlog<u32> {
        let mut backlog = Backlog::default();
        for (member, item) in items {
            backlog.push(MemberId(*member), *item).unwrap();
        }
        backlog
    }

    fn items(taken: Vec<(MemberId, u32)>) -> Vec<u32> {
        taken.into_iter().map(|(_, item)| item).collect()
    }

    #[test]
    fn later_items_of_a_member_wait_for_the_one_in_flight() {
        let mut backlog = backlog(&[(1, 10), (1, 11), (2, 20)]);
        assert_eq!(
            items(backlog.take(2)),
            [10, 11],
            "items of one group do not block each other"
        );
        backlog.push(MemberId(1), 12).unwrap();
        assert_eq!(items(backlog.take(9)), [20]);
        assert_eq!(backlog.ready(), 0);
        backlog.release(MemberId(1));
        assert_eq!(items(backlog.take(9)), [12]);
    }

    #[test]
    fn items_left_over_go_first_in_the_next_group() {
        let mut backlog = backlog(&[(1, 10), (1, 11), (1, 12)]);
        assert_eq!(items(backlog.take(2)), [10, 11]);
        backlog.push(MemberId(1), 13).unwrap();
        backlog.push(MemberId(2), 20).unwrap();
        backlog.release(MemberId(1));
        assert_eq!(items(backlog.take(9)), [12, 13, 20]);
    }

    #[test]
    fn a_retried_item_goes_before_the_items_it_blocks() {
        let mut backlog = backlog(&[(1, 10)]);
        assert_eq!(items(backlog.take(9)), [10]);
        backlog.push(MemberId(1), 11).unwrap();
        backlog.push(MemberId(2), 20).unwrap();
        backlog.requeue(MemberId(1), 10);
        assert_eq!(items(backlog.take(1)), [20]);
        assert_eq!(items(backlog.take(9)), [10]);
        backlog.release(MemberId(1));
        assert_eq!(items(backlog.take(9)), [11]);
    }

    #[test]
    fn one_member_cannot_fill_the_queue() {
        let mut backlog = backlog(&[(1, 10)]);
        backlog.take(1);
        for item in 0..1_000 {
            backlog.push(MemberId(1), item).unwrap();
        }
        assert_eq!(backlog.push(MemberId(1), 1_000), Err(1_000));
        backlog.push(MemberId(2), 20).unwrap();
        assert_eq!(items(backlog.take(9)), [20]);
    }
}
