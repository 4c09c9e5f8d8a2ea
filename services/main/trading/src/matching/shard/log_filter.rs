//! Corrections of a batch before it is matched: repeated session records are removed, splits missing
//! from the log inserted, and ticks skipped that have filled orders before.

use super::Shard;
use crate::error::TradingError;
use crate::matching::OpenSplit;
use crate::tick_log::{Batch, LogRecord};

impl Shard {
    /// Inserts the splits known by the end of the batch and missing from the log, each before the
    /// first record of its trading day or at the end. Once a day has started without its split, the
    /// holding contains fills in new shares, so applying it would be wrong: such a split stays open
    /// and is reported as missed.
    pub(super) fn with_missing_splits(&self, mut batch: Batch) -> Batch {
        let due = |split: &&OpenSplit| split.known_at <= batch.closed_at;
        let missing = self.open_splits.iter().filter(due).filter(|split| {
            let state = self.book.instruments.get(&split.instrument_code);
            let current_day = state.map_or(0, |state| state.trading_day);
            let last_split = state.and_then(|state| state.last_split);
            let last_split = last_split.map_or(0, |last| last.trading_day);
            current_day.max(last_split) < split.trading_day
        });
        for split in missing {
            let first = batch
                .records
                .iter()
                .position(|record| split.precedes(record));
            let index = first.unwrap_or(batch.records.len());
            let record = LogRecord::Session(split.to_session_record());
            batch.records.insert(index, record);
        }
        batch
    }

    /// Removes session records that were read before.
    pub(super) fn without_repeated_records(&mut self, mut batch: Batch) -> Batch {
        if batch.epoch > self.checkpoint.epoch {
            // A new log restarts the numbering, perhaps below what was read of the lost one.
            self.checkpoint.session_seq = 0;
        }
        self.seq_before = self.checkpoint.session_seq;
        let newest = &mut self.checkpoint.session_seq;
        batch.records.retain(|record| match record {
            LogRecord::Tick(_) => true,
            LogRecord::Session(record) => !record.is_repeated(newest),
        });
        batch
    }

    /// The publisher of a new log may repeat ticks that were lost with the old one, and the stored
    /// instrument states may be older than the fills. A tick must not fill twice, so the sequence
    /// number of each instrument is raised to that of its newest fill.
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
