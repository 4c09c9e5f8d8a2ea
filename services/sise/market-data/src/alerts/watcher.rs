//! Evaluates the batches of the tick log against the active alerts.
//!
//! What fires is stored in one transaction with its event and the progress, before the next batch is
//! read. A failure anywhere leaves the watcher unusable: it is loaded anew from what is stored, and
//! reads again from there. An alert is fired by the row that is still active, so neither that nor a
//! second watcher fires it twice; ticks are compared in the newest shares, so neither does a split.

use std::sync::Arc;
use std::time::Instant;

use kernel::Clock;
use messaging::event::NewEvent;
use messaging::ticks::{Delivered, LogOffset};
use proto::market::v1::session_record::Kind;
use proto::market::v1::tick_record::Record;
use proto::market::v1::{MarketAlertFired, TickBatch};

use super::book::{AlertBook, FiredAlert};
use super::recent::{RecentTicks, WatchProgress};
use super::tick_price::{TickPrice, TicksByCode};
use super::{AlertKind, FIRED};
use crate::catalogue::Catalogue;
use crate::error::MarketError;
use crate::store::Store;

/// Rows of a page of alerts or changes.
const PAGE: i64 = 5_000;
/// Alerts that fire in one transaction.
const FIRED_AT_ONCE: usize = 1_000;
/// Alerts that a split divides in one transaction: about ten milliseconds.
const SPLIT_AT_ONCE: i64 = 1_000;

pub struct Watcher {
    store: Store,
    catalogue: Catalogue,
    clock: Arc<dyn Clock>,
    book: AlertBook,
    recent: RecentTicks,
    /// The newest change of an alert that the book contains.
    change_id: i64,
    /// The end of the newest batch.
    end: WatchProgress,
}

impl Watcher {
    /// Loads the active alerts. Without stored progress the log is read from `start`.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn load(
        store: Store,
        catalogue: Catalogue,
        clock: Arc<dyn Clock>,
        start: WatchProgress,
    ) -> Result<Self, MarketError> {
        let stored = store.watch_progress().await?;
        let progress = stored.unwrap_or(start);
        if stored.is_none() {
            store.save_watch_progress(progress).await?;
        }
        let mut watcher = Self {
            catalogue,
            clock,
            book: AlertBook::default(),
            recent: RecentTicks::after(progress),
            // Read first: a later change is read again.
            change_id: store.newest_alert_change().await?,
            end: progress,
            store,
        };
        // Splits before alerts, whose prices may be divided by them already.
        watcher.learn_splits().await?;
        let mut after = 0;
        loop {
            let page = watcher.store.active_alerts(after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.alert_id;
            for alert in page {
                watcher.book.insert(alert);
            }
        }
        watcher.report();
        Ok(watcher)
    }

    /// The first batch to read.
    #[must_use]
    pub fn offset(&self) -> LogOffset {
        self.end.offset
    }

    /// Number of active alerts that are known.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.book.len()
    }

    /// Fires what a batch reaches, and returns how many alerts did.
    ///
    /// # Errors
    /// [`MarketError`]: the watcher must be loaded anew.
    pub async fn process(&mut self, delivered: Delivered) -> Result<usize, MarketError> {
        let Delivered {
            offset,
            batch,
            missed_batches,
        } = delivered;
        if batch.epoch < self.end.offset.epoch {
            return Ok(0);
        }
        let is_next_log = batch.epoch > self.end.offset.epoch;
        if missed_batches > 0 || is_next_log {
            // The log may have lost a split.
            self.learn_splits().await?;
        }
        self.end = WatchProgress {
            offset: LogOffset {
                epoch: batch.epoch,
                next: offset.saturating_add(1),
            },
            market_time_us: self.end.market_time_us.max(batch.closed_at_us),
        };
        let ticks = self.read(batch);
        let fired = self.book.fire(&ticks);
        self.recent.add(self.end, Instant::now(), ticks);
        self.settle(fired).await
    }

    /// Learns of alerts that were created or deleted since, and fires those that recent ticks reach.
    ///
    /// # Errors
    /// As [`Self::process`].
    pub async fn follow_changes(&mut self) -> Result<usize, MarketError> {
        let mut count = 0;
        loop {
            let changes = self.store.alert_changes(self.change_id, PAGE).await?;
            let Some(last) = changes.last() else {
                return Ok(count);
            };
            self.change_id = last.change_id;
            let mut fired = Vec::new();
            for change in changes {
                match change.alert {
                    Some(alert) => {
                        let ticks = self.recent.of(&alert.code);
                        self.book.insert(alert);
                        fired.extend(self.book.fire_one(change.alert_id, &ticks));
                    }
                    None => self.book.remove(change.alert_id),
                }
            }
            count += self.settle(fired).await?;
            self.report();
        }
    }

    /// Stores how far the log is read, and divides stored prices by splits: a step of bounded size.
    ///
    /// # Errors
    /// As [`Self::process`].
    pub async fn keep_up(&mut self) -> Result<(), MarketError> {
        let progress = self.recent.forget(Instant::now());
        self.store.save_watch_progress(progress).await?;
        for split in self.store.splits_due_to_alerts().await? {
            // Known here before any stored price is divided by it.
            self.book.split(
                &split.code,
                split.trading_day,
                (split.new_shares, split.old_shares),
            );
            self.store.split_alerts(&split, SPLIT_AT_ONCE).await?;
        }
        Ok(())
    }

    async fn learn_splits(&mut self) -> Result<(), MarketError> {
        for split in self.store.all_splits().await? {
            let ratio = (split.new_shares, split.old_shares);
            self.book.split(&split.code, split.trading_day, ratio);
        }
        Ok(())
    }

    /// Splits are applied before the ticks of their batch, which are compared by their trading days.
    fn read(&mut self, batch: TickBatch) -> TicksByCode {
        let mut ticks = TicksByCode::new();
        for record in batch.records.into_iter().filter_map(|record| record.record) {
            match record {
                Record::Tick(tick) => {
                    let Some(price) = TickPrice::of(&tick) else {
                        metrics::counter!("price_alert_unreadable_ticks_total").increment(1);
                        continue;
                    };
                    match ticks.get_mut(tick.code.as_str()) {
                        Some(of_code) => of_code.push(price),
                        None => {
                            ticks.insert(Arc::from(tick.code), vec![price]);
                        }
                    }
                }
                Record::Session(session) if session.kind() == Kind::Split => {
                    let ratio = (session.split_numerator, session.split_denominator);
                    self.book.split(&session.code, session.trading_day, ratio);
                }
                Record::Session(_) => {}
            }
        }
        ticks
    }

    async fn settle(&mut self, fired: Vec<FiredAlert>) -> Result<usize, MarketError> {
        if fired.is_empty() {
            return Ok(0);
        }
        let progress = self.recent.forget(Instant::now());
        let mut count = 0;
        for fired in fired.chunks(FIRED_AT_ONCE) {
            let events = fired.iter().map(|alert| (alert.clone(), self.event(alert)));
            let clock = self.clock.as_ref();
            count += self
                .store
                .settle_alerts(events.collect(), progress, clock)
                .await?;
        }
        metrics::counter!("price_alerts_fired_total")
            .increment(u64::try_from(count).unwrap_or(u64::MAX));
        self.report();
        Ok(count)
    }

    fn event(&self, alert: &FiredAlert) -> NewEvent {
        let instrument = self.catalogue.get(&alert.code);
        let body = MarketAlertFired {
            alert_id: alert.alert_id,
            member_id: alert.member_id,
            code: alert.code.to_string(),
            name: instrument.map_or_else(
                || alert.code.to_string(),
                |instrument| instrument.korean_name.clone(),
            ),
            kind: AlertKind::as_str(alert.kind).to_owned(),
            value: alert.value.to_string(),
            price: alert.price.to_string(),
            currency: instrument
                .map_or("KRW", |instrument| instrument.currency.as_str())
                .to_owned(),
            tick_seq: alert.tick_seq,
            fired_at_us: alert.fired_at_us,
            market_code: instrument
                .map_or("", |instrument| instrument.market.as_str())
                .to_owned(),
        };
        NewEvent::new(
            FIRED,
            alert.alert_id.to_string(),
            &body,
            self.clock.as_ref(),
        )
    }

    fn report(&self) {
        let waiting = u32::try_from(self.book.len()).unwrap_or(u32::MAX);
        metrics::gauge!("price_alerts_waiting").set(f64::from(waiting));
    }
}
