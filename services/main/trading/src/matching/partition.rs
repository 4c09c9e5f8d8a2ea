//! The partition of instruments over shards.

use crate::tick_log::{Batch, LogRecord, Scope};

/// The instruments of one shard, by a hash of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    pub index: i32,
    pub count: i32,
}

impl Partition {
    #[must_use]
    pub fn contains(&self, code: &str) -> bool {
        // FNV-1a is stable over platforms and releases; the standard library's hash is not.
        let hash = code.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let count = u64::try_from(self.count.max(1)).unwrap_or(1);
        i32::try_from(hash % count) == Ok(self.index)
    }

    /// The records of its instruments, and those of whole venues.
    pub(super) fn filter(&self, mut batch: Batch) -> Batch {
        if self.count > 1 {
            batch.records.retain(|record| match record {
                LogRecord::Tick(tick) => self.contains(&tick.code),
                LogRecord::Session(session_record) => match &session_record.scope {
                    Some(Scope::Code(code)) => self.contains(code),
                    Some(Scope::Venue(_)) | None => true,
                },
            });
        }
        batch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instrument_belongs_to_exactly_one_shard() {
        for code in ["005930", "KRW-BTC", "AAPL", "04020000"] {
            let owners = (0..7).filter(|index| {
                let shard = Partition {
                    index: *index,
                    count: 7,
                };
                shard.contains(code)
            });
            assert_eq!(owners.count(), 1);
        }
    }
}
