//! The state of the quote board and how batches change it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use messaging::ticks::LogOffset;
use proto::market::v1 as wire;
use rust_decimal::Decimal;
use wire::session_record::Kind;
use wire::tick_record::Record;

use crate::candles::split::SplitRow;
use crate::sessions::state_after;

use super::LogProgress;

#[derive(Debug, Default)]
pub(super) struct QuoteState {
    progress: LogProgress,
    ticks: HashMap<String, wire::Tick>,
    venues: BTreeMap<i32, wire::VenueSession>,
    bases: HashMap<String, wire::DayBase>,
    halted: BTreeSet<String>,
    auctions: BTreeMap<String, wire::CodeAuction>,
    /// New and old shares, by code and first day at the new price.
    splits: HashMap<String, BTreeMap<i32, (i64, i64)>>,
}

impl QuoteState {
    pub(super) fn restored(
        progress: LogProgress,
        sessions: &wire::Snapshot,
        ticks: Vec<wire::Tick>,
        divisions: Vec<SplitRow>,
    ) -> Self {
        let mut splits = HashMap::<String, BTreeMap<i32, (i64, i64)>>::new();
        for (code, day, new, old) in divisions {
            splits.entry(code).or_default().insert(day, (new, old));
        }
        let venues = sessions.venues.iter().cloned();
        let bases = sessions.bases.iter().cloned();
        let auctions = sessions.auctions.iter().cloned();
        Self {
            progress,
            ticks: ticks.into_iter().map(|t| (t.code.clone(), t)).collect(),
            venues: venues.map(|venue| (venue.venue, venue)).collect(),
            bases: bases.map(|base| (base.code.clone(), base)).collect(),
            halted: sessions.halted_codes.iter().cloned().collect(),
            auctions: auctions.map(|one| (one.code.clone(), one)).collect(),
            splits,
        }
    }

    pub(super) fn apply(
        &mut self,
        offset: u64,
        batch: wire::TickBatch,
        mut on_new: impl FnMut(&Record),
    ) {
        let progress = &mut self.progress;
        if batch.epoch < progress.offset.epoch {
            return;
        }
        if batch.epoch > progress.offset.epoch {
            // Another log may number its offsets from zero.
            progress.offset = LogOffset {
                epoch: batch.epoch,
                next: 0,
            };
        }
        progress.offset.next = progress.offset.next.max(offset + 1);
        progress.batch_seq = progress.batch_seq.max(batch.batch_seq);
        progress.market_time_us = progress.market_time_us.max(batch.closed_at_us);
        for record in batch.records.into_iter().filter_map(|record| record.record) {
            if self.is_new(&record) {
                on_new(&record);
                self.apply_record(record);
            }
        }
    }

    fn is_new(&self, record: &Record) -> bool {
        match record {
            Record::Tick(tick) => {
                let known = self.ticks.get(&tick.code);
                known.is_none_or(|known| tick.tick_seq > known.tick_seq)
            }
            Record::Session(session) => session.session_seq > self.progress.session_seq,
        }
    }

    fn apply_record(&mut self, record: Record) {
        match record {
            Record::Tick(tick) => match self.ticks.get_mut(&tick.code) {
                Some(known) => *known = tick,
                None => {
                    self.ticks.insert(tick.code.clone(), tick);
                }
            },
            Record::Session(session) => self.apply_session(session),
        }
    }

    fn apply_session(&mut self, session: wire::SessionRecord) {
        self.progress.session_seq = session.session_seq;
        let kind = session.kind();
        if !session.code.is_empty() {
            match kind {
                Kind::Halt => {
                    self.halted.insert(session.code);
                }
                Kind::Resume => {
                    self.halted.remove(&session.code);
                }
                Kind::Auction => {
                    let auction = wire::CodeAuction {
                        code: session.code.clone(),
                        venue: session.venue,
                        interruption: session.interruption,
                    };
                    self.auctions.insert(session.code, auction);
                }
                Kind::Open => {
                    self.auctions.remove(&session.code);
                }
                Kind::Split => {
                    let ratio = (session.split_numerator, session.split_denominator);
                    let splits = self.splits.entry(session.code).or_default();
                    splits.insert(session.trading_day, ratio);
                }
                Kind::Unspecified | Kind::Close | Kind::Heartbeat | Kind::Dividend => {}
            }
            return;
        }
        if let Some(state) = state_after(kind) {
            let venue = wire::VenueSession {
                venue: session.venue,
                state: state.into(),
                trading_day: session.trading_day,
            };
            self.venues.insert(session.venue, venue);
            // A change of the venue's session ends the auctions of its instruments.
            self.auctions.retain(|_, one| one.venue != session.venue);
        }
        for base in session.bases {
            self.bases.insert(base.code.clone(), base);
        }
    }

    pub(super) fn progress(&self) -> LogProgress {
        self.progress
    }

    pub(super) fn tick(&self, code: &str) -> Option<&wire::Tick> {
        self.ticks.get(code)
    }

    pub(super) fn base(&self, code: &str) -> Option<&wire::DayBase> {
        self.bases.get(code)
    }

    pub(super) fn venue(&self, venue: wire::Venue) -> Option<&wire::VenueSession> {
        self.venues.get(&i32::from(venue))
    }

    pub(super) fn is_halted(&self, code: &str) -> bool {
        self.halted.contains(code)
    }

    pub(super) fn interruption(&self, code: &str) -> Option<wire::Interruption> {
        self.auctions
            .get(code)
            .map(|auction| auction.interruption())
    }

    pub(super) fn in_todays_shares(&self, code: &str, shares: i64) -> i64 {
        let splits = self.splits.get(code).into_iter().flat_map(BTreeMap::values);
        splits.fold(shares, |shares, (new, old)| {
            let divided = i128::from(shares)
                .checked_mul(i128::from(*new))
                .and_then(|shares| shares.checked_div(i128::from(*old)));
            divided
                .and_then(|divided| i64::try_from(divided).ok())
                .unwrap_or(shares)
        })
    }

    pub(super) fn per_todays_share(&self, code: &str, amount: Decimal) -> Decimal {
        let splits = self.splits.get(code).into_iter().flat_map(BTreeMap::values);
        splits.fold(amount, |amount, (new, old)| {
            amount
                .checked_mul(Decimal::from(*old))
                .and_then(|amount| amount.checked_div(Decimal::from(*new)))
                .unwrap_or(amount)
        })
    }

    /// The newest split per instrument.
    pub(super) fn newest_splits(&self) -> Vec<wire::CodeSplit> {
        let splits = self.splits.iter();
        splits
            .filter_map(|(code, by_day)| {
                Some(wire::CodeSplit {
                    code: code.clone(),
                    trading_day: *by_day.keys().next_back()?,
                })
            })
            .collect()
    }

    pub(super) fn sessions(&self) -> wire::Snapshot {
        wire::Snapshot {
            venues: self.venues.values().cloned().collect(),
            bases: self.bases.values().cloned().collect(),
            halted_codes: self.halted.iter().cloned().collect(),
            auctions: self.auctions.values().cloned().collect(),
            ..wire::Snapshot::default()
        }
    }
}
