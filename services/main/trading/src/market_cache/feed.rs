//! Fills the market cache: instruments and a snapshot by rpc, then the tick log from the snapshot's
//! offset. A gap in the log, a new epoch, or ten seconds without a record require a new snapshot,
//! because a missed record may have ended a halt or started a day.

use std::sync::Arc;
use std::time::Duration;

use bootstrap::deadline::{self, Deadline};
use bootstrap::grpc::Client;
use kernel::{Quantity, WarningCode};
use market_rules::TickClass;
use messaging::Amqp;
use messaging::ticks::{Delivered, LogOffset, ReadFrom, Reader, StreamSpec};
use proto::convert::InvalidField;
use proto::convert::{to_instant, to_required_decimal};
use proto::market::v1::ListDayVolumesRequest;
use proto::market::v1::close_service_client::CloseServiceClient;
use proto::market::v1::market_service_client::MarketServiceClient;
use proto::market::v1::{
    GetMarketInfoRequest, GetSnapshotRequest, Instrument, ListInstrumentsRequest, Snapshot,
};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{MarketCache, MarketClock};
use crate::domain::market::{Listing, TradingSession};
use crate::tick_log;
use crate::tick_log::{Batch, LogRecord};

const REFRESH: Duration = Duration::from_secs(60);
const RETRY: Duration = Duration::from_secs(1);
/// The log has a record every second; after this time without one a snapshot is required.
const SILENCE: Duration = Duration::from_secs(10);
const CALL_TIMEOUT: Duration = Duration::from_secs(4);
const PREFETCH: u16 = 64;

pub struct MarketFeed {
    market_cache: Arc<MarketCache>,
    market: MarketServiceClient<Client>,
    closes: CloseServiceClient<Client>,
    amqp: Amqp,
    stream: StreamSpec,
    epoch: i64,
    needs_snapshot: bool,
}

#[derive(Debug, thiserror::Error)]
enum FeedError {
    #[error("market-data: {0}")]
    Market(#[from] tonic::Status),
    #[error("market-data: {0}")]
    Field(#[from] InvalidField),
}

impl MarketFeed {
    #[must_use]
    pub fn new(
        market_cache: Arc<MarketCache>,
        client: Client,
        amqp: Amqp,
        stream: StreamSpec,
    ) -> Self {
        Self {
            market_cache,
            // A snapshot of every instrument exceeds the default limit of 4 MB.
            closes: CloseServiceClient::new(client.clone()),
            market: MarketServiceClient::new(client).max_decoding_message_size(64 << 20),
            amqp,
            stream,
            epoch: 0,
            needs_snapshot: true,
        }
    }

    /// Runs until `shutdown`. While market-data is unavailable it retries every second and still reads
    /// the log.
    pub async fn run(mut self, shutdown: CancellationToken) {
        let mut reader = self.read(ReadFrom::Next);
        let mut next_refresh = Instant::now();
        let mut silent_at = Instant::now() + SILENCE;
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                delivered = reader.next() => {
                    silent_at = Instant::now() + SILENCE;
                    if let Some(reason) = self.take(&delivered) {
                        self.require_snapshot(reason);
                        next_refresh = next_refresh.min(Instant::now() + RETRY);
                    }
                }
                () = tokio::time::sleep_until(silent_at) => {
                    silent_at = Instant::now() + SILENCE;
                    self.require_snapshot("no record for ten seconds");
                    next_refresh = Instant::now();
                }
                () = tokio::time::sleep_until(next_refresh) => {
                    let outcome = self.refresh().await;
                    next_refresh = Instant::now() + if outcome.is_ok() { REFRESH } else { RETRY };
                    if outcome.is_ok() && let Err(error) = self.read_volumes().await {
                        tracing::debug!(%error, "Volumes of the day before are not known");
                    }
                    match outcome {
                        Ok(Some(from)) => reader = self.read(from),
                        Ok(None) => {}
                        Err(error) => tracing::warn!(%error, "Market cache not refreshed; the last values stay"),
                    }
                }
            }
        }
    }

    fn read(&self, from: ReadFrom) -> Reader {
        Reader::open(self.amqp.clone(), self.stream.clone(), from, PREFETCH)
    }

    fn require_snapshot(&mut self, reason: &'static str) {
        if !std::mem::replace(&mut self.needs_snapshot, true) {
            tracing::warn!(reason, "Market cache requires a new snapshot");
            metrics::counter!("trading_market_snapshots_total").increment(1);
        }
    }

    /// Applies a batch; returns why a snapshot is required, if it is.
    fn take(&mut self, delivered: &Delivered) -> Option<&'static str> {
        match tick_log::decode(delivered) {
            Ok(batch) => self.market_cache.apply(&batch),
            Err(error) => tracing::warn!(%error, "Skipped an invalid batch of the tick log"),
        }
        if delivered.batch.epoch > self.epoch {
            self.epoch = delivered.batch.epoch;
            return Some("another epoch of the log");
        }
        (delivered.missed_batches > 0).then_some("batches are missing")
    }

    /// Asks what was traded the day before; a process that began today has not seen it.
    async fn read_volumes(&mut self) -> Result<(), FeedError> {
        let within = Deadline::within(CALL_TIMEOUT);
        let list = self.closes.list_day_volumes(ListDayVolumesRequest {});
        let list = deadline::scope(within, list).await?.into_inner();
        for one in &list.volumes {
            let volume = to_required_decimal(one.volume_before.as_ref(), "volume_before")?;
            let volume = Quantity(volume);
            self.market_cache
                .set_volume_before(&one.code, one.trading_day, volume);
        }
        Ok(())
    }

    /// Fetches instruments and, when required, a snapshot; returns where to read the log after it.
    async fn refresh(&mut self) -> Result<Option<ReadFrom>, FeedError> {
        let within = Deadline::within(CALL_TIMEOUT);
        let list = self.market.list_instruments(ListInstrumentsRequest {});
        let list = deadline::scope(within, list).await?.into_inner();
        let listings = list.instruments.iter().filter_map(|instrument| {
            listing(instrument)
                .inspect_err(|error| {
                    tracing::warn!(code = instrument.code, %error, "Skipped an invalid instrument");
                })
                .ok()
        });
        if !self.needs_snapshot {
            self.market_cache.set_listings(listings);
            return Ok(None);
        }
        let info = self.market.get_market_info(GetMarketInfoRequest {});
        let info = deadline::scope(within, info).await?.into_inner();
        self.market_cache.set_clock(if info.clock == "exchange" {
            MarketClock::Exchange
        } else {
            MarketClock::AllDay
        });
        let snapshot = self.market.get_snapshot(GetSnapshotRequest::default());
        let snapshot = deadline::scope(within, snapshot).await?.into_inner();
        apply(&self.market_cache, &snapshot)?;
        // Last, so that a listed instrument has its session and limits.
        self.market_cache.set_listings(listings);
        self.needs_snapshot = false;
        self.epoch = self.epoch.max(snapshot.epoch);
        let from = u64::try_from(snapshot.next_offset).map_or(ReadFrom::Next, |next| {
            let epoch = snapshot.epoch;
            ReadFrom::Offset(LogOffset { epoch, next })
        });
        Ok(Some(from))
    }
}

fn apply(market_cache: &MarketCache, snapshot: &Snapshot) -> Result<(), InvalidField> {
    for base in &snapshot.bases {
        market_cache.set_band(&base.code, tick_log::band_of(base)?);
    }
    let ticks = snapshot.ticks.iter();
    let records = ticks
        .filter_map(|tick| tick_log::tick_of(tick).ok().map(LogRecord::Tick))
        .collect();
    market_cache.apply(&Batch {
        offset: snapshot.next_offset.saturating_sub(1),
        epoch: snapshot.epoch,
        closed_at: to_instant(snapshot.market_time_us, "market_time_us")?,
        records,
    });
    for venue in &snapshot.venues {
        let session = tick_log::known_session(venue.state).unwrap_or(TradingSession::Unknown);
        if let Some(known) = tick_log::venue_of(venue.venue()) {
            market_cache.set_venue(known, session, venue.trading_day);
        }
    }
    market_cache.set_halted(&snapshot.halted_codes);
    for auction in &snapshot.auctions {
        market_cache.set_session(&auction.code, TradingSession::Auction);
    }
    for split in &snapshot.splits {
        market_cache.set_split_day(&split.code, split.trading_day);
    }
    market_cache.set_session_seq(snapshot.session_seq);
    Ok(())
}

fn listing(instrument: &Instrument) -> Result<Listing, InvalidField> {
    Ok(Listing {
        code: instrument.code.clone(),
        name: instrument.korean_name.clone(),
        market: instrument.market().to_kernel()?,
        currency: instrument.currency().to_kernel()?,
        tick_class: TickClass::parse(&instrument.tick_class).ok_or(InvalidField("tick_class"))?,
        warning: WarningCode::parse(&instrument.warning_code)
            .ok_or(InvalidField("warning_code"))?,
        tradable: instrument.tradable && !instrument.halted,
    })
}
