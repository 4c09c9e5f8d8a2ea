//! The latest value of every instrument, serialised once and shared by all its subscribers.
//!
//! A price is state, not an event: no values are queued per connection. A connection keeps the
//! version it sent last per code, so a slow client costs no more memory than a fast one.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::{Mutex, RwLock};
use tokio::sync::watch;

use crate::protocol::Destination;

pub struct Slot {
    code: Box<str>,
    destination: Destination,
    /// The newest version; 0 before the first value.
    version: AtomicU64,
    values: Mutex<Values>,
}

struct Values {
    /// Sequence number and trading day of the newest tick.
    order: (i64, i32),
    /// The oldest version of the present epoch of the log.
    first_version: u64,
    /// Oldest first; one entry unless conflation is off.
    recent: VecDeque<(u64, Arc<str>)>,
}

impl Slot {
    #[must_use]
    pub fn code(&self) -> &str {
        &self.code
    }

    #[must_use]
    pub fn destination(&self) -> Destination {
        self.destination
    }

    #[must_use]
    pub fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// Passes the values after version `sent`, oldest first, and returns the newest version. Without a
    /// value of this epoch a reader gets the newest alone, as a snapshot: `into` is told so.
    pub fn read_after(
        &self,
        sent: u64,
        into: impl FnOnce(bool, &mut dyn Iterator<Item = Arc<str>>),
    ) -> u64 {
        let values = self.values.lock();
        let Some(&(newest, _)) = values.recent.back() else {
            return sent;
        };
        let is_snapshot = sent < values.first_version;
        let from = if is_snapshot { newest } else { sent + 1 };
        let newer = values.recent.iter().filter(|(version, _)| *version >= from);
        into(is_snapshot, &mut newer.map(|(_, value)| value.clone()));
        newest
    }
}

/// Before any tick.
const BEFORE_ALL: (i64, i32) = (i64::MIN, i32::MIN);

/// The slots of all instruments.
pub struct PriceCache {
    slots: RwLock<HashMap<Box<str>, Arc<Slot>>>,
    changed: [watch::Sender<()>; 4],
    /// Incremented when clients must be sent a snapshot again.
    generation: AtomicU64,
    /// Values kept per slot.
    depth: usize,
}

impl PriceCache {
    /// Each slot keeps `depth` values, at least one.
    #[must_use]
    pub fn new(depth: usize) -> Self {
        Self {
            slots: RwLock::default(),
            changed: std::array::from_fn(|_| watch::Sender::new(())),
            generation: AtomicU64::new(0),
            depth: depth.max(1),
        }
    }

    /// Creates the slot if it does not exist.
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
                    order: BEFORE_ALL,
                    first_version: 1,
                    recent: VecDeque::with_capacity(1),
                }),
            })
        });
        slot.clone()
    }

    #[must_use]
    pub fn find(&self, code: &str) -> Option<Arc<Slot>> {
        self.slots.read().get(code).cloned()
    }

    /// Returns `false` if the slot already has this tick or a newer one. Ticks are ordered by
    /// sequence number and trading day: a day begins without a trade.
    pub fn update(&self, slot: &Slot, order: (i64, i32), value: Arc<str>) -> bool {
        let mut values = slot.values.lock();
        if order <= values.order {
            return false;
        }
        values.order = order;
        self.store(slot, &mut values, value);
        true
    }

    /// Stores a new value of the same tick, after a change of session.
    pub fn replace_latest(&self, slot: &Slot, value: Arc<str>) {
        self.store(slot, &mut slot.values.lock(), value);
    }

    /// Accepts any sequence number next, and gives readers a snapshot of it: a new epoch of the log
    /// numbers its own ticks.
    pub fn begin_epoch(&self) {
        for slot in self.slots.read().values() {
            let mut values = slot.values.lock();
            values.order = BEFORE_ALL;
            values.first_version = slot.version() + 1;
        }
    }

    /// Wakes the connections that watch a destination.
    pub fn notify(&self, destination: Destination) {
        if let Some(sender) = self.changed.get(destination.index()) {
            sender.send_replace(());
        }
    }

    /// Makes every connection start again with a snapshot.
    pub fn invalidate(&self) {
        self.generation.fetch_add(1, Ordering::AcqRel);
        for destination in Destination::ALL {
            self.notify(destination);
        }
    }

    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Acquire)
    }

    #[must_use]
    pub fn subscribe(&self, destination: Destination) -> Option<watch::Receiver<()>> {
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
            let cache = PriceCache::new(depth);
            let slots: Vec<_> = ["A", "B", "C"].map(|code| cache.slot(code, Destination::Coin)).into();
            let mut newest = [0_i64; 3];
            let mut sent = [0_u64; 3];
            let mut seen: [Vec<i64>; 3] = Default::default();
            let mut read = |seen: &mut [Vec<i64>; 3]| {
                for (index, slot) in slots.iter().enumerate() {
                    sent[index] = slot.read_after(sent[index], |_, values| {
                        seen[index].extend(values.map(|value| value.parse::<i64>().unwrap()));
                    });
                }
            };
            for (index, tick_seq, reads) in steps {
                let order = (tick_seq, 20_261_121);
                let stored = cache.update(&slots[index], order, tick_seq.to_string().into());
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
    fn a_deep_slot_gives_every_value_to_a_fast_reader() {
        let cache = PriceCache::new(8);
        let slot = cache.slot("BTC", Destination::Coin);
        let mut seen = Vec::new();
        let mut sent = 0;
        for tick_seq in 1..=101 {
            cache.update(&slot, (tick_seq, 0), tick_seq.to_string().into());
            if tick_seq % 5 == 1 {
                sent = slot.read_after(sent, |is_snapshot, values| {
                    assert_eq!(is_snapshot, tick_seq == 1);
                    seen.extend(values);
                });
            }
        }
        assert_eq!(seen.len(), 101);
        assert_eq!(sent, slot.version());
    }

    #[test]
    fn a_new_log_may_count_from_the_beginning() {
        let cache = PriceCache::new(1);
        let slot = cache.slot("BTC", Destination::Coin);
        assert!(cache.update(&slot, (900, 0), "old".into()));
        assert!(!cache.update(&slot, (1, 0), "new".into()));
        cache.begin_epoch();
        assert!(cache.update(&slot, (1, 0), "new".into()));
        let sent = slot.read_after(1, |is_snapshot, values| {
            assert!(is_snapshot);
            assert_eq!(
                values.map(|value| value.to_string()).collect::<Vec<_>>(),
                ["new"]
            );
        });
        assert_eq!(sent, 2);
    }

    #[test]
    fn a_day_begins_after_the_last_trade_of_the_day_before() {
        let cache = PriceCache::new(1);
        let slot = cache.slot("005930", Destination::Stock);
        for (order, is_newer) in [
            ((7, 20_261_121), true),
            ((7, 20_261_122), true),
            ((7, 20_261_122), false),
            ((7, 20_261_121), false),
            ((6, 20_261_123), false),
            ((8, 20_261_122), true),
        ] {
            assert_eq!(
                cache.update(&slot, order, "value".into()),
                is_newer,
                "{order:?}"
            );
        }
    }
}
