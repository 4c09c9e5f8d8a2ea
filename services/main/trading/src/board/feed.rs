//! Keeps the board: instruments and a snapshot by rpc, then the tick log from the position the
//! snapshot names.

use std::sync::Arc;
use std::time::Duration;

use bootstrap::deadline::{self, Deadline};
use bootstrap::grpc::Client;
use kernel::WarningCode;
use market_rules::TickClass;
use messaging::Amqp;
use messaging::ticks::{ReadFrom, Reader, StreamSpec};
use proto::convert::InvalidField;
use proto::convert::to_instant;
use proto::market::v1::market_service_client::MarketServiceClient;
use proto::market::v1::{
    GetMarketInfoRequest, GetSnapshotRequest, Instrument, ListInstrumentsRequest, Snapshot,
};
use tokio_util::sync::CancellationToken;

use super::{Board, MarketClock};
use crate::domain::market::{Listing, Session};
use crate::domain::matching::record::{Batch, Record};
use crate::ticklog;

const REFRESH: Duration = Duration::from_secs(60);
const RETRY: Duration = Duration::from_secs(1);
const CALL_TIMEOUT: Duration = Duration::from_secs(4);
const PREFETCH: u16 = 64;

/// Fills a [`Board`] until it is stopped.
pub struct BoardFeed {
    board: Arc<Board>,
    market: MarketServiceClient<Client>,
    amqp: Amqp,
    stream: StreamSpec,
}

#[derive(Debug, thiserror::Error)]
enum FeedError {
    #[error("market-data: {0}")]
    Market(#[from] tonic::Status),
    #[error("market-data: {0}")]
    Field(#[from] InvalidField),
}

impl BoardFeed {
    /// A feed from the market service behind `client` and the tick log `stream`.
    #[must_use]
    pub fn new(board: Arc<Board>, client: Client, amqp: Amqp, stream: StreamSpec) -> Self {
        Self {
            board,
            // A snapshot of every instrument is larger than the default limit of 4 MB allows for.
            market: MarketServiceClient::new(client).max_decoding_message_size(64 << 20),
            amqp,
            stream,
        }
    }

    /// Works until `shutdown`. While market-data is away it asks again every second and reads the
    /// log meanwhile.
    pub async fn run(mut self, shutdown: CancellationToken) {
        let mut reader = Reader::open(
            self.amqp.clone(),
            self.stream.clone(),
            ReadFrom::Next,
            PREFETCH,
        );
        let mut seen_snapshot = false;
        let mut next_refresh = tokio::time::Instant::now();
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                delivered = reader.next() => match ticklog::batch(&delivered) {
                    Ok(batch) => self.board.take(&batch),
                    Err(error) => tracing::warn!(%error, "A batch of the tick log is invalid"),
                },
                () = tokio::time::sleep_until(next_refresh) => {
                    let outcome = self.refresh(seen_snapshot).await;
                    match outcome {
                        Ok(Some(next_offset)) => {
                            seen_snapshot = true;
                            next_refresh = tokio::time::Instant::now() + REFRESH;
                            let from = u64::try_from(next_offset).map_or(ReadFrom::Next, ReadFrom::Offset);
                            reader = Reader::open(self.amqp.clone(), self.stream.clone(), from, PREFETCH);
                        }
                        Ok(None) => next_refresh = tokio::time::Instant::now() + REFRESH,
                        Err(error) => {
                            tracing::warn!(%error, "The board keeps what it knows");
                            next_refresh = tokio::time::Instant::now() + RETRY;
                        }
                    }
                }
            }
        }
    }

    /// Fetches the instruments and, the first time, a snapshot; answers where the log goes on
    /// after it.
    async fn refresh(&mut self, seen_snapshot: bool) -> Result<Option<i64>, FeedError> {
        let within = Deadline::within(CALL_TIMEOUT);
        let list = self.market.list_instruments(ListInstrumentsRequest {});
        let list = deadline::scope(within, list).await?.into_inner();
        let listings = list.instruments.iter().filter_map(|instrument| {
            listing(instrument)
                .inspect_err(|error| {
                    tracing::warn!(code = instrument.code, %error, "An instrument is left out");
                })
                .ok()
        });
        self.board.set_listings(listings);
        if seen_snapshot {
            return Ok(None);
        }
        let info = self.market.get_market_info(GetMarketInfoRequest {});
        let info = deadline::scope(within, info).await?.into_inner();
        self.board.set_clock(if info.clock == "exchange" {
            MarketClock::Exchange
        } else {
            MarketClock::AllDay
        });
        let snapshot = self.market.get_snapshot(GetSnapshotRequest::default());
        let snapshot = deadline::scope(within, snapshot).await?.into_inner();
        apply(&self.board, &snapshot)?;
        Ok(Some(snapshot.next_offset))
    }
}

fn apply(board: &Board, snapshot: &Snapshot) -> Result<(), InvalidField> {
    for base in &snapshot.bases {
        board.set_band(&base.code, ticklog::band_of(base)?);
    }
    let ticks = snapshot.ticks.iter();
    let records = ticks
        .filter_map(|tick| ticklog::tick_of(tick).ok().map(Record::Tick))
        .collect();
    board.take(&Batch {
        offset: snapshot.next_offset.saturating_sub(1),
        epoch: snapshot.epoch,
        closed_at: to_instant(snapshot.market_time_us, "market_time_us")?,
        records,
    });
    for venue in &snapshot.venues {
        let session = ticklog::known_session(venue.state).unwrap_or(Session::Unknown);
        if let Some(known) = ticklog::venue_of(venue.venue()) {
            board.set_venue(known, session, venue.trading_day);
        }
    }
    for code in &snapshot.halted_codes {
        board.set_halted(code);
    }
    for auction in &snapshot.auctions {
        board.set_session(&auction.code, Session::Auction);
    }
    Ok(())
}

/// An instrument in trading's words.
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
