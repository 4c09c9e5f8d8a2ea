//! What a shard lets pass of the log: each session record once, splits that no batch told, and no
//! tick that was filled from before.

use super::Shard;
use crate::error::TradingError;
use crate::matching::OpenSplit;
use crate::tick_log::{Batch, LogRecord};

impl Shard {
    /// The batch with the splits that were known by its end and that no batch has told, each
    /// before the first record of its day, or else at the end. Once a day has begun without its
    /// split, fills in new shares are part of what is owned, and dividing it would be wrong: such
    /// a split stays open and is said to be missed.
    pub(super) fn with_missing_splits(&self, mut batch: Batch) -> Batch {
        let due = |split: &&OpenSplit| split.known_at <= batch.closed_at;
        let missing = self.open_splits.iter().filter(due).filter(|split| {
            let state = self.book.instruments.get(&split.instrument_code);
            let begun = state.map_or(0, |state| state.trading_day);
            let last_split = state.and_then(|state| state.last_split);
            let last_split = last_split.map_or(0, |last| last.trading_day);
            begun.max(last_split) < split.trading_day
        });
        for split in missing {
            let first = batch
                .records
                .iter()
                .position(|record| split.precedes(record));
            let place = first.unwrap_or(batch.records.len());
            let session_record = LogRecord::Session(split.to_session_record());
            batch.records.insert(place, session_record);
        }
        batch
    }

    /// The batch without the session records that have been read before.
    pub(super) fn without_repeated_records(&mut self, mut batch: Batch) -> Batch {
        if batch.epoch > self.checkpoint.epoch {
            // Another log counts anew, perhaps from before what was read of the lost one.
            self.checkpoint.session_seq = 0;
        }
        self.seq_before = self.checkpoint.session_seq;
        let newest = &mut self.checkpoint.session_seq;
        batch.records.retain(|record| match record {
            LogRecord::Tick(_) => true,
            LogRecord::Session(session_record) => !session_record.is_repeated(newest),
        });
        batch
    }

    /// Whoever begins a new log may publish ticks once more that were lost with the old one. What
    /// was filled from one must not be filled again, and what is stored of instruments may be older
    /// than the fills.
    pub(super) async fn skip_filled_ticks(&mut self) -> Result<(), TradingError> {
        let newest = self.store.newest_filled_ticks().await?;
        for (code, tick_seq) in newest {
            if let Some(state) = self.book.instruments.get_mut(&code) {
                state.last_seq = state.last_seq.max(tick_seq);
            }
        }
        Ok(())
    }
}
