//! Fills the slots: a snapshot by rpc, then the tick log from the offset that came with it.
//!
//! A hole in the log, another epoch, or ten seconds without any record begin anew with a
//! snapshot, which costs the broker and the database nothing that a client could multiply.

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
use proto::market::v1::session_record::Kind;
use proto::market::v1::tick_record::Record;
use proto::market::v1::{
    GetSnapshotRequest, Instrument, Interruption, ListInstrumentsRequest, SessionRecord,
    SessionState, Snapshot, Tick, Venue,
};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::protocol::{Destination, OpenVenues};
use crate::slots::{Board, Slot};
use crate::tick;

/// Without a record for this long, prices are stale.
const STALE_AFTER: Duration = Duration::from_secs(2);
/// So many times that, and the log itself is doubted.
const SILENCES_UNTIL_ANEW: u32 = 5;
/// Names are asked for at most this often on account of unknown codes.
const RELIST_INTERVAL: Duration = Duration::from_secs(30);
/// A reading that lasted this long was a success.
const GOOD_READING: Duration = Duration::from_secs(10);
const PREFETCH: u16 = 64;
/// Longest JSON number of a `Decimal`; deeper scales are garbage.
const MAX_SCALE: u32 = 18;

/// What connections read beside the slots.
pub struct MarketState {
    open: RwLock<OpenVenues>,
    stale: watch::Sender<bool>,
}

impl MarketState {
    /// Nothing is open, and nothing is fresh.
    #[must_use]
    pub fn new() -> Self {
        Self {
            open: RwLock::default(),
            stale: watch::Sender::new(true),
        }
    }

    /// Which venues trade.
    #[must_use]
    pub fn open(&self) -> OpenVenues {
        *self.open.read()
    }

    /// Whether prices are old.
    #[must_use]
    pub fn is_stale(&self) -> bool {
        *self.stale.borrow()
    }

    /// Wakes when prices become old or fresh.
    #[must_use]
    pub fn watch_stale(&self) -> watch::Receiver<bool> {
        self.stale.subscribe()
    }

    fn set_stale(&self, stale: bool) {
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

    /// What the whole venue does, for an instrument whose halt is over.
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

/// An auction of a whole venue interrupts nothing.
const NO_VI: Interruption = Interruption::Unspecified;

struct Known {
    market: MarketCode,
    korean_name: String,
    slot: Arc<Slot>,
    tick: Option<Tick>,
    session: SessionState,
}

/// The one reader of the log in this process.
pub struct Feed {
    market: MarketServiceClient<grpc::Client>,
    amqp: Amqp,
    stream: StreamSpec,
    board: Arc<Board>,
    state: Arc<MarketState>,
    known: HashMap<String, Known>,
    epoch: i64,
    listed_at: Instant,
}

impl Feed {
    /// A feed from `market` and the log `stream` into `board` and `state`.
    #[must_use]
    pub fn new(
        market: MarketServiceClient<grpc::Client>,
        amqp: Amqp,
        stream: StreamSpec,
        board: Arc<Board>,
        state: Arc<MarketState>,
    ) -> Self {
        Self {
            market,
            amqp,
            stream,
            board,
            state,
            known: HashMap::new(),
            epoch: i64::MIN,
            listed_at: Instant::now(),
        }
    }

    /// Runs until `shutdown`.
    pub async fn run(mut self, shutdown: CancellationToken) {
        shutdown.run_until_cancelled(self.follow()).await;
    }

    async fn follow(&mut self) {
        let mut backoff = Backoff::new(Duration::from_millis(100), Duration::from_secs(3));
        loop {
            match self.begin().await {
                Ok(offset) => {
                    let begun = Instant::now();
                    let reason = self.read(offset).await;
                    if begun.elapsed() >= GOOD_READING {
                        backoff.reset();
                    }
                    tracing::warn!(reason, "Starting over with a snapshot");
                    metrics::counter!("edge_resnapshots_total").increment(1);
                }
                Err(error) => {
                    self.state.set_stale(true);
                    tracing::warn!(%error, "The market gives no snapshot");
                }
            }
            backoff.wait().await;
        }
    }

    /// Takes names and a snapshot; returns the offset to read from.
    async fn begin(&mut self) -> Result<u64, tonic::Status> {
        let instruments = self
            .market
            .list_instruments(ListInstrumentsRequest {})
            .await?;
        self.listed_at = Instant::now();
        let known_before = self.known.len();
        for instrument in instruments.into_inner().instruments {
            self.note_instrument(instrument);
        }
        let has_more = self.known.len() > known_before;
        let request = GetSnapshotRequest { codes: Vec::new() };
        let snapshot = self.market.get_snapshot(request).await?.into_inner();
        let offset = u64::try_from(snapshot.next_offset).unwrap_or(0);
        self.apply_snapshot(snapshot, has_more);
        Ok(offset)
    }

    fn note_instrument(&mut self, instrument: Instrument) {
        let Ok(market) = instrument.market().to_kernel() else {
            metrics::counter!("edge_quarantined_total", "cause" => "instrument").increment(1);
            return;
        };
        let slot = self.board.slot(&instrument.code, Destination::of(market));
        let known = self.known.entry(instrument.code).or_insert_with(|| Known {
            market,
            korean_name: String::new(),
            slot,
            tick: None,
            session: SessionState::Unspecified,
        });
        known.korean_name = instrument.korean_name;
    }

    /// Clients begin with a snapshot again when the log is another one, or when codes they asked
    /// for in vain may exist now; otherwise only what is newer reaches them.
    fn apply_snapshot(&mut self, snapshot: Snapshot, has_more: bool) {
        let is_another = snapshot.epoch != self.epoch;
        if is_another {
            self.epoch = snapshot.epoch;
            self.board.forget_sequences();
        }
        for venue in &snapshot.venues {
            self.state.set_venue(venue.venue(), venue.state());
        }
        for tick in snapshot.ticks {
            if let Some(destination) = self.apply_tick(tick) {
                self.board.announce(destination);
            }
        }
        for venue in &snapshot.venues {
            self.set_session(venue.venue(), "", venue.state(), NO_VI);
        }
        for code in &snapshot.halted_codes {
            self.set_session(Venue::Unspecified, code, SessionState::Halted, NO_VI);
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
        self.state.set_stale(false);
        if is_another || has_more {
            self.board.announce_all();
        }
    }

    /// Reads until a snapshot is needed again; says why.
    async fn read(&mut self, offset: u64) -> &'static str {
        let from = ReadFrom::Offset(LogOffset {
            epoch: self.epoch,
            next: offset,
        });
        let mut reader = Reader::open(self.amqp.clone(), self.stream.clone(), from, PREFETCH);
        let mut silences = 0;
        loop {
            match tokio::time::timeout(STALE_AFTER, reader.next()).await {
                Ok(delivered) => {
                    silences = 0;
                    if let Some(reason) = self.apply(delivered) {
                        return reason;
                    }
                    self.state.set_stale(false);
                }
                Err(_elapsed) => {
                    self.state.set_stale(true);
                    silences += 1;
                    if silences >= SILENCES_UNTIL_ANEW {
                        return "no record for ten seconds";
                    }
                }
            }
        }
    }

    /// Applies a batch; says why a snapshot is needed, if it is.
    fn apply(&mut self, delivered: Delivered) -> Option<&'static str> {
        let epoch = delivered.batch.epoch;
        if epoch > self.epoch {
            return Some("another epoch of the log");
        }
        if epoch < self.epoch {
            // History that the snapshot has left behind.
            return None;
        }
        let mut changed = [false; 4];
        let mut is_unknown = false;
        for record in delivered.batch.records {
            let touched = match record.record {
                Some(Record::Tick(tick)) => {
                    is_unknown |= !self.known.contains_key(&tick.code);
                    self.apply_tick(tick)
                }
                Some(Record::Session(session)) => {
                    self.apply_session(&session);
                    None
                }
                None => None,
            };
            if let Some(flag) = touched.and_then(|destination| changed.get_mut(destination.index()))
            {
                *flag = true;
            }
        }
        for destination in Destination::ALL {
            if changed.get(destination.index()) == Some(&true) {
                self.board.announce(destination);
            }
        }
        if delivered.missed_batches > 0 {
            return Some("batches are missing");
        }
        // Codes that are listed nowhere must not make us ask without end.
        let may_ask = self.listed_at.elapsed() >= RELIST_INTERVAL;
        (is_unknown && may_ask).then_some("an instrument that was not listed")
    }

    /// Puts a tick in its slot; returns where that is worth announcing.
    fn apply_tick(&mut self, tick: Tick) -> Option<Destination> {
        let known = self.known.get_mut(&tick.code)?;
        let session = tick.session();
        let json = if tick.price_scale > MAX_SCALE || tick.volume_scale > MAX_SCALE {
            None
        } else {
            tick::to_json(&tick, known.market, &known.korean_name, session).ok()
        };
        let Some(json) = json else {
            metrics::counter!("edge_quarantined_total", "cause" => "tick").increment(1);
            return None;
        };
        if !self.board.put(&known.slot, tick.tick_seq, json.into()) {
            metrics::counter!("edge_old_ticks_total").increment(1);
            return None;
        }
        metrics::counter!("edge_ticks_total").increment(1);
        known.session = session;
        known.tick = Some(tick);
        Some(known.slot.destination())
    }

    fn apply_session(&mut self, record: &SessionRecord) {
        let state = match record.kind() {
            Kind::Open => SessionState::Open,
            Kind::Resume => self.state.session_of(record.venue()),
            Kind::Auction => SessionState::Auction,
            Kind::Close => SessionState::Closed,
            Kind::Halt => SessionState::Halted,
            Kind::Unspecified | Kind::Split | Kind::Heartbeat | Kind::Dividend => return,
        };
        if record.code.is_empty() {
            self.state.set_venue(record.venue(), state);
        }
        let interruption = record.interruption();
        self.set_session(record.venue(), &record.code, state, interruption);
    }

    /// Rewrites the values of a venue, or of one code, whose session has changed.
    fn set_session(
        &mut self,
        venue: Venue,
        code: &str,
        state: SessionState,
        interruption: Interruption,
    ) {
        let mut changed = [false; 4];
        for (name, known) in &mut self.known {
            let is_meant = if code.is_empty() {
                venue_of(known.market) == venue
            } else {
                name == code
            };
            let Some(tick) = &mut known.tick else {
                continue;
            };
            if !is_meant || known.session == state {
                continue;
            }
            known.session = state;
            tick.set_interruption(interruption);
            if let Ok(json) = tick::to_json(tick, known.market, &known.korean_name, state) {
                self.board.rewrite(&known.slot, json.into());
                if let Some(flag) = changed.get_mut(known.slot.destination().index()) {
                    *flag = true;
                }
            }
        }
        for destination in Destination::ALL {
            if changed.get(destination.index()) == Some(&true) {
                self.board.announce(destination);
            }
        }
    }
}

fn venue_of(market: MarketCode) -> Venue {
    match market {
        MarketCode::Kospi | MarketCode::Kosdaq | MarketCode::Etf => Venue::Krx,
        MarketCode::Global => Venue::Us,
        MarketCode::Coin => Venue::Coin,
        MarketCode::Gold => Venue::Gold,
    }
}
