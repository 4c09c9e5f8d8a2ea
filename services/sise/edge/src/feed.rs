//! Fills the price cache: a snapshot by gRPC, then the tick log from the snapshot's offset.
//!
//! After a gap in the log, a new epoch, or ten seconds without a record, the feed loads a snapshot
//! again. Clients cannot cause this.

mod sessions;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bootstrap::grpc;
use kernel::MarketCode;
use messaging::Amqp;
use messaging::backoff::Backoff;
use messaging::ticks::{Delivered, LogOffset, ReadFrom, Reader, StreamSpec};
use parking_lot::RwLock;
use proto::market::v1::market_service_client::MarketServiceClient;
use proto::market::v1::tick_record::Record;
use proto::market::v1::{
    GetSnapshotRequest, Instrument, Interruption, ListInstrumentsRequest, SessionState, Snapshot,
    Tick, Venue,
};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::price_cache::{PriceCache, Slot};
use crate::protocol::{Destination, OpenVenues};
use crate::tick;

/// Prices are stale after this time without a record.
const STALE_AFTER: Duration = Duration::from_secs(2);
/// Number of such timeouts after which the snapshot is loaded again.
const TIMEOUTS_UNTIL_RESNAPSHOT: u32 = 5;
/// Minimum time between two snapshots that unknown codes cause.
const UNKNOWN_CODE_INTERVAL: Duration = Duration::from_secs(30);
/// The backoff is reset after reading for this long.
const BACKOFF_RESET: Duration = Duration::from_secs(10);
const PREFETCH: u16 = 64;
/// The scale that a `Decimal` can hold with room for digits; larger ones are invalid.
const MAX_SCALE: u32 = 18;

/// The state of the market that is not per instrument.
pub struct MarketState {
    open: RwLock<OpenVenues>,
    stale: watch::Sender<bool>,
}

impl MarketState {
    /// All venues closed and prices stale.
    #[must_use]
    pub fn new() -> Self {
        Self {
            open: RwLock::default(),
            stale: watch::Sender::new(true),
        }
    }

    #[must_use]
    pub fn open(&self) -> OpenVenues {
        *self.open.read()
    }

    #[must_use]
    pub fn is_stale(&self) -> bool {
        *self.stale.borrow()
    }

    #[must_use]
    pub fn watch_stale(&self) -> watch::Receiver<bool> {
        self.stale.subscribe()
    }

    /// Only a batch makes prices current: while nothing writes the log a snapshot has the old ones.
    pub(crate) fn set_stale(&self, stale: bool) {
        self.stale
            .send_if_modified(|was| std::mem::replace(was, stale) != stale);
    }

    fn set_venue(&self, venue: Venue, state: SessionState) {
        let is_open = state == SessionState::Open;
        let is_auction = state == SessionState::Auction;
        metrics::gauge!("edge_venue_open", "venue" => venue.as_str_name())
            .set(f64::from(u8::from(is_open)));
        let mut open = self.open.write();
        match venue {
            Venue::Unspecified => {}
            Venue::Krx => (open.open.krx, open.auction.krx) = (is_open, is_auction),
            Venue::Us => (open.open.us, open.auction.us) = (is_open, is_auction),
            Venue::Coin => (open.open.coin, open.auction.coin) = (is_open, is_auction),
            Venue::Gold => (open.open.gold, open.auction.gold) = (is_open, is_auction),
        }
    }

    /// The state of the venue, which an instrument returns to after a halt.
    fn session_of(&self, venue: Venue) -> SessionState {
        let venues = self.open();
        let (is_open, is_auction) = match venue {
            Venue::Unspecified => (true, false),
            Venue::Krx => (venues.open.krx, venues.auction.krx),
            Venue::Us => (venues.open.us, venues.auction.us),
            Venue::Coin => (venues.open.coin, venues.auction.coin),
            Venue::Gold => (venues.open.gold, venues.auction.gold),
        };
        if is_open {
            SessionState::Open
        } else if is_auction {
            SessionState::Auction
        } else {
            SessionState::Closed
        }
    }
}

impl Default for MarketState {
    fn default() -> Self {
        Self::new()
    }
}

/// The auctions of a whole venue are not volatility interruptions.
const NO_INTERRUPTION: Interruption = Interruption::Unspecified;

struct ListedInstrument {
    market: MarketCode,
    korean_name: String,
    slot: Arc<Slot>,
    tick: Option<Tick>,
    session: SessionState,
}

/// The destinations with new values.
#[derive(Default)]
struct Changed([bool; 4]);

impl Changed {
    fn add(&mut self, destination: Destination) {
        if let Some(flag) = self.0.get_mut(destination.index()) {
            *flag = true;
        }
    }

    fn notify(&self, cache: &PriceCache) {
        for destination in Destination::ALL {
            if self.0.get(destination.index()) == Some(&true) {
                cache.notify(destination);
            }
        }
    }
}

/// Reads the tick log for the whole process.
pub struct Feed {
    market: MarketServiceClient<grpc::Client>,
    amqp: Amqp,
    stream: StreamSpec,
    cache: Arc<PriceCache>,
    state: Arc<MarketState>,
    instruments: HashMap<String, ListedInstrument>,
    epoch: i64,
    listed_at: Instant,
}

impl Feed {
    #[must_use]
    pub fn new(
        market: MarketServiceClient<grpc::Client>,
        amqp: Amqp,
        stream: StreamSpec,
        cache: Arc<PriceCache>,
        state: Arc<MarketState>,
    ) -> Self {
        Self {
            market,
            amqp,
            stream,
            cache,
            state,
            instruments: HashMap::new(),
            epoch: i64::MIN,
            listed_at: Instant::now(),
        }
    }

    pub async fn run(mut self, shutdown: CancellationToken) {
        shutdown.run_until_cancelled(self.read_forever()).await;
    }

    async fn read_forever(&mut self) {
        let mut backoff = Backoff::new(Duration::from_millis(100), Duration::from_secs(3));
        loop {
            match self.load_snapshot().await {
                Ok(offset) => {
                    let started = Instant::now();
                    let reason = self.read(offset).await;
                    if started.elapsed() >= BACKOFF_RESET {
                        backoff.reset();
                    }
                    tracing::warn!(reason, "Loading a new snapshot");
                    metrics::counter!("edge_resnapshots_total").increment(1);
                }
                Err(error) => {
                    self.state.set_stale(true);
                    tracing::warn!(%error, "Snapshot could not be loaded");
                }
            }
            backoff.wait().await;
        }
    }

    /// Loads the instruments and a snapshot; returns the log offset that follows it.
    async fn load_snapshot(&mut self) -> Result<u64, tonic::Status> {
        let instruments = self
            .market
            .list_instruments(ListInstrumentsRequest {})
            .await?;
        self.listed_at = Instant::now();
        let count_before = self.instruments.len();
        for instrument in instruments.into_inner().instruments {
            self.add_instrument(instrument);
        }
        let has_new_codes = self.instruments.len() > count_before;
        let request = GetSnapshotRequest { codes: Vec::new() };
        let snapshot = self.market.get_snapshot(request).await?.into_inner();
        let offset = u64::try_from(snapshot.next_offset).unwrap_or(0);
        self.apply_snapshot(snapshot, has_new_codes);
        Ok(offset)
    }

    fn add_instrument(&mut self, instrument: Instrument) {
        let Ok(market) = instrument.market().to_kernel() else {
            metrics::counter!("edge_quarantined_total", "cause" => "instrument").increment(1);
            return;
        };
        let slot = self.cache.slot(&instrument.code, Destination::of(market));
        let listed = self
            .instruments
            .entry(instrument.code)
            .or_insert_with(|| ListedInstrument {
                market,
                korean_name: String::new(),
                slot,
                tick: None,
                session: SessionState::Unspecified,
            });
        listed.korean_name = instrument.korean_name;
    }

    /// Clients get a snapshot again after a new epoch, or when codes that they asked for may exist
    /// now; otherwise only newer values.
    fn apply_snapshot(&mut self, snapshot: Snapshot, has_new_codes: bool) {
        let is_new_epoch = snapshot.epoch != self.epoch;
        if is_new_epoch {
            self.epoch = snapshot.epoch;
            self.cache.begin_epoch();
        }
        for venue in &snapshot.venues {
            self.state.set_venue(venue.venue(), venue.state());
        }
        for tick in snapshot.ticks {
            if let Some(destination) = self.apply_tick(tick) {
                self.cache.notify(destination);
            }
        }
        for venue in &snapshot.venues {
            self.set_session(venue.venue(), "", venue.state(), NO_INTERRUPTION);
        }
        for code in &snapshot.halted_codes {
            self.set_session(
                Venue::Unspecified,
                code,
                SessionState::Halted,
                NO_INTERRUPTION,
            );
        }
        for auction in &snapshot.auctions {
            let state = SessionState::Auction;
            self.set_session(
                auction.venue(),
                &auction.code,
                state,
                auction.interruption(),
            );
        }
        if is_new_epoch || has_new_codes {
            self.cache.invalidate();
        }
    }

    /// Reads until a new snapshot is needed; returns why.
    async fn read(&mut self, offset: u64) -> &'static str {
        let from = ReadFrom::Offset(LogOffset {
            epoch: self.epoch,
            next: offset,
        });
        let mut reader = Reader::open(self.amqp.clone(), self.stream.clone(), from, PREFETCH);
        let mut timeouts = 0;
        loop {
            match tokio::time::timeout(STALE_AFTER, reader.next()).await {
                Ok(delivered) => {
                    timeouts = 0;
                    if let Some(reason) = self.apply(delivered) {
                        return reason;
                    }
                    self.state.set_stale(false);
                }
                Err(_elapsed) => {
                    self.state.set_stale(true);
                    timeouts += 1;
                    if timeouts >= TIMEOUTS_UNTIL_RESNAPSHOT {
                        return "no record for ten seconds";
                    }
                }
            }
        }
    }

    /// Applies a batch; returns why a new snapshot is needed, if it is.
    fn apply(&mut self, delivered: Delivered) -> Option<&'static str> {
        let epoch = delivered.batch.epoch;
        if epoch > self.epoch {
            return Some("another epoch of the log");
        }
        if epoch < self.epoch {
            // The snapshot is newer than this epoch.
            return None;
        }
        let mut changed = Changed::default();
        let mut has_unknown_code = false;
        for record in delivered.batch.records {
            let destination_of_tick = match record.record {
                Some(Record::Tick(tick)) => {
                    has_unknown_code |= !self.instruments.contains_key(&tick.code);
                    self.apply_tick(tick)
                }
                Some(Record::Session(session)) => {
                    self.apply_session(&session);
                    None
                }
                None => None,
            };
            if let Some(destination) = destination_of_tick {
                changed.add(destination);
            }
        }
        changed.notify(&self.cache);
        if delivered.missed_batches > 0 {
            return Some("batches are missing");
        }
        // An instrument that is never listed must not cause a snapshot for every batch.
        let may_reload = self.listed_at.elapsed() >= UNKNOWN_CODE_INTERVAL;
        (has_unknown_code && may_reload).then_some("an unlisted instrument")
    }

    /// Returns the destination to notify if the tick was new.
    fn apply_tick(&mut self, tick: Tick) -> Option<Destination> {
        let instrument = self.instruments.get_mut(&tick.code)?;
        let session = tick.session();
        let json = if tick.price_scale > MAX_SCALE || tick.volume_scale > MAX_SCALE {
            None
        } else {
            tick::to_json(&tick, instrument.market, &instrument.korean_name, session).ok()
        };
        let Some(json) = json else {
            metrics::counter!("edge_quarantined_total", "cause" => "tick").increment(1);
            return None;
        };
        let order = (tick.tick_seq, tick.trading_day);
        if !self.cache.update(&instrument.slot, order, json.into()) {
            metrics::counter!("edge_old_ticks_total").increment(1);
            return None;
        }
        metrics::counter!("edge_ticks_total").increment(1);
        instrument.session = session;
        instrument.tick = Some(tick);
        Some(instrument.slot.destination())
    }
}
