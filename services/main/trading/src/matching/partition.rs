//! Which instruments belong to which shard.

use crate::tick_log::{Batch, LogRecord, Scope};

/// A part of the instruments, by a hash of the code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    /// From zero.
    pub index: i32,
    /// How many there are.
    pub count: i32,
}

impl Partition {
    /// Whether an instrument belongs to it.
    #[must_use]
    pub fn has(&self, code: &str) -> bool {
        // FNV-1a: the same everywhere and for ever, unlike the standard library's hash.
        let hash = code.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let count = u64::try_from(self.count.max(1)).unwrap_or(1);
        i32::try_from(hash % count) == Ok(self.index)
    }

    /// Only the records of its instruments, and those of whole venues.
    pub(super) fn own_part(&self, mut batch: Batch) -> Batch {
        if self.count > 1 {
            batch.records.retain(|record| match record {
                LogRecord::Tick(tick) => self.has(&tick.code),
                LogRecord::Session(session_record) => match &session_record.scope {
                    Some(Scope::Code(code)) => self.has(code),
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
                shard.has(code)
            });
            assert_eq!(owners.count(), 1);
        }
    }
}
