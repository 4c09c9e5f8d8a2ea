//! The latest value of every instrument, serialised once and shared by all who watch it.
//!
//! A price is state, not an event: a connection that could not be served for a while finds the
//! newest value here and nothing waits for it in a queue. What a connection has sent is a version
//! number per code, so a stalled client costs as much as a quick one.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::{Mutex, RwLock};
use tokio::sync::watch;

use crate::protocol::Destination;

/// One instrument's latest values.
pub struct Slot {
    code: Box<str>,
    destination: Destination,
    /// The newest version; 0 while there is no value.
    version: AtomicU64,
    values: Mutex<Values>,
}

struct Values {
    /// Sequence number of the newest tick.
    tick_seq: i64,
    /// Newest last; one entry unless conflation is off.
    recent: VecDeque<(u64, Arc<str>)>,
}

impl Slot {
    /// The instrument.
    #[must_use]
    pub fn code(&self) -> &str {
        &self.code
    }

    /// Where its prices go.
    #[must_use]
    pub fn destination(&self) -> Destination {
        self.destination
    }

    /// The newest version, to be compared with the one that was sent.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// Appends the values after `sent`, oldest first, and returns the version they lead to.
    pub fn take_after(&self, sent: u64, into: &mut Vec<Arc<str>>) -> u64 {
        let values = self.values.lock();
        let newer = values.recent.iter().filter(|(version, _)| *version > sent);
        into.extend(newer.map(|(_, value)| value.clone()));
        values.recent.back().map_or(sent, |(version, _)| *version)
    }

    /// The newest value.
    #[must_use]
    pub fn latest(&self) -> Option<(u64, Arc<str>)> {
        self.values.lock().recent.back().cloned()
    }
}

/// Every slot.
pub struct Board {
    slots: RwLock<HashMap<Box<str>, Arc<Slot>>>,
    changed: [watch::Sender<()>; 4],
    /// Rises when everything may be different: clients then get a snapshot again.
    generation: AtomicU64,
    /// How many values a slot keeps.
    depth: usize,
}

impl Board {
    /// An empty board whose slots keep `depth` values (at least one).
    #[must_use]
    pub fn new(depth: usize) -> Self {
        Self {
            slots: RwLock::default(),
            changed: std::array::from_fn(|_| watch::Sender::new(())),
            generation: AtomicU64::new(0),
            depth: depth.max(1),
        }
    }

    /// The slot of a code, made if it is not there.
    pub fn slot(&self, code: &str, destination: Destination) -> Arc<Slot> {
        if let Some(slot) = self.find(code) {
            return slot;
        }
        let mut slots = self.slots.write();
        let slot = slots.entry(code.into()).or_insert_with(|| {
            Arc::new(Slot {
                code: code.into(),
                destination,
                version: AtomicU64::new(0),
                values: Mutex::new(Values {
                    tick_seq: i64::MIN,
                    recent: VecDeque::with_capacity(1),
                }),
            })
        });
        slot.clone()
    }

    /// The slot of a code that is known.
    #[must_use]
    pub fn find(&self, code: &str) -> Option<Arc<Slot>> {
        self.slots.read().get(code).cloned()
    }

    /// Puts a value in its slot. `false` when the slot has this tick or a newer one already.
    pub fn put(&self, slot: &Slot, tick_seq: i64, value: Arc<str>) -> bool {
        let mut values = slot.values.lock();
        if tick_seq <= values.tick_seq {
            return false;
        }
        values.tick_seq = tick_seq;
        self.store(slot, &mut values, value);
        true
    }

    /// Replaces the newest value without a new tick: the session around it has changed.
    pub fn rewrite(&self, slot: &Slot, value: Arc<str>) {
        self.store(slot, &mut slot.values.lock(), value);
    }

    /// Forgets the sequence numbers, because another log with its own numbers begins.
    pub fn forget_sequences(&self) {
        for slot in self.slots.read().values() {
            slot.values.lock().tick_seq = i64::MIN;
        }
    }

    /// Tells the watchers of a destination that something there has changed.
    pub fn announce(&self, destination: Destination) {
        if let Some(sender) = self.changed.get(destination.index()) {
            sender.send_replace(());
        }
    }

    /// Tells everyone to begin with a snapshot again.
    pub fn announce_all(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
        for destination in Destination::ALL {
            self.announce(destination);
        }
    }

    /// Compare with the one seen last.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    /// Wakes whenever something of `destination` changes.
    #[must_use]
    pub fn watch(&self, destination: Destination) -> Option<watch::Receiver<()>> {
        self.changed
            .get(destination.index())
            .map(watch::Sender::subscribe)
    }

    fn store(&self, slot: &Slot, values: &mut Values, value: Arc<str>) {
        let version = slot.version.load(Ordering::Acquire) + 1;
        while values.recent.len() >= self.depth {
            values.recent.pop_front();
        }
        values.recent.push_back((version, value));
        slot.version.store(version, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_final_value_always_arrives_and_order_is_kept(
            depth in 1_usize..4,
            steps in proptest::collection::vec((0_usize..3, 1_i64..50, any::<bool>()), 1..200),
        ) {
            let board = Board::new(depth);
            let slots: Vec<_> = ["A", "B", "C"].map(|code| board.slot(code, Destination::Coin)).into();
            let mut newest = [0_i64; 3];
            let mut sent = [0_u64; 3];
            let mut seen: [Vec<i64>; 3] = Default::default();
            let mut read = |seen: &mut [Vec<i64>; 3]| {
                for (index, slot) in slots.iter().enumerate() {
                    let mut values = Vec::new();
                    sent[index] = slot.take_after(sent[index], &mut values);
                    seen[index].extend(values.iter().map(|value| value.parse::<i64>().unwrap()));
                }
            };
            for (index, tick_seq, reads) in steps {
                let stored = board.put(&slots[index], tick_seq, tick_seq.to_string().into());
                prop_assert_eq!(stored, tick_seq > newest[index]);
                newest[index] = newest[index].max(tick_seq);
                if reads {
                    read(&mut seen);
                }
            }
            read(&mut seen);
            for index in 0..3 {
                prop_assert!(seen[index].is_sorted_by(|a, b| a < b), "{:?}", seen[index]);
                prop_assert_eq!(seen[index].last().copied().unwrap_or(0), newest[index]);
            }
        }
    }

    #[test]
    fn a_deep_slot_gives_every_value_to_whoever_keeps_up() {
        let board = Board::new(8);
        let slot = board.slot("BTC", Destination::Coin);
        let mut seen = Vec::new();
        let mut sent = 0;
        for tick_seq in 1..=100 {
            board.put(&slot, tick_seq, tick_seq.to_string().into());
            if tick_seq % 5 == 0 {
                sent = slot.take_after(sent, &mut seen);
            }
        }
        assert_eq!(seen.len(), 100);
        assert_eq!(sent, slot.version());
    }

    #[test]
    fn a_new_log_may_count_from_the_beginning() {
        let board = Board::new(1);
        let slot = board.slot("BTC", Destination::Coin);
        assert!(board.put(&slot, 900, "old".into()));
        assert!(!board.put(&slot, 1, "new".into()));
        board.forget_sequences();
        assert!(board.put(&slot, 1, "new".into()));
        assert_eq!(&*slot.latest().unwrap().1, "new");
    }
}
