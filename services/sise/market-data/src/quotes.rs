//! The latest state of every instrument and venue.
//!
//! The board is a function of the log: the same batches give the same board. It is restored from
//! the database at the start and updated by the log reader; gRPC calls are answered from it without
//! the database.

mod state;

use std::sync::Arc;

use messaging::ticks::LogOffset;
use parking_lot::RwLock;
use proto::convert::{decimal, scaled};
use proto::market::v1 as wire;
use rust_decimal::Decimal;

use crate::candles::split::SplitRow;
use crate::catalogue::{Catalogue, Instrument};
use crate::sessions::wire_venue;

use state::QuoteState;

/// How far the tick log was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogProgress {
    /// The first batch that the board does not contain.
    pub offset: LogOffset,
    /// Number of the newest batch.
    pub batch_seq: i64,
    /// Number of the newest session record.
    pub session_seq: i64,
    /// Market time of the newest record; 0 when there is none yet.
    pub market_time_us: i64,
}

/// Clones share the state.
#[derive(Clone, Debug)]
pub struct QuoteBoard {
    catalogue: Catalogue,
    board: Arc<RwLock<QuoteState>>,
}

impl QuoteBoard {
    #[must_use]
    pub fn new(catalogue: Catalogue) -> Self {
        Self {
            catalogue,
            board: Arc::default(),
        }
    }

    #[must_use]
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Replaces the state.
    pub fn restore(
        &self,
        progress: LogProgress,
        sessions: &wire::Snapshot,
        ticks: Vec<wire::Tick>,
        splits: Vec<SplitRow>,
    ) {
        *self.board.write() = QuoteState::restored(progress, sessions, ticks, splits);
    }

    /// Converts a number of shares in the seed to today's shares, so that the market value
    /// continues across splits.
    #[must_use]
    pub fn in_todays_shares(&self, code: &str, shares: i64) -> i64 {
        self.board.read().in_todays_shares(code, shares)
    }

    /// Converts an amount per share in the seed, in won, to today's shares: earnings per share
    /// shrink with a split.
    #[must_use]
    pub fn per_todays_share(&self, code: &str, amount: Decimal) -> Decimal {
        self.board.read().per_todays_share(code, amount)
    }

    /// Applies the batch at `offset`. Known records and batches of an older epoch are skipped;
    /// `on_new` is called for every new record.
    pub fn apply(
        &self,
        offset: u64,
        batch: wire::TickBatch,
        on_new: impl FnMut(&wire::tick_record::Record),
    ) {
        self.board.write().apply(offset, batch, on_new);
    }

    #[must_use]
    pub fn progress(&self) -> LogProgress {
        self.board.read().progress()
    }

    /// Venues, bases and halts as a snapshot without ticks, as stored with the progress.
    #[must_use]
    pub fn sessions(&self) -> wire::Snapshot {
        self.board.read().sessions()
    }

    #[must_use]
    pub fn tick(&self, code: &str) -> Option<wire::Tick> {
        self.board.read().tick(code).cloned()
    }

    #[must_use]
    pub fn venues(&self) -> Vec<wire::VenueSession> {
        self.board.read().sessions().venues
    }

    #[must_use]
    pub fn base(&self, code: &str) -> Option<wire::DayBase> {
        self.board.read().base(code).cloned()
    }

    /// The reason of an auction of this instrument alone.
    #[must_use]
    pub fn interruption(&self, code: &str) -> Option<wire::Interruption> {
        self.board.read().interruption(code)
    }

    /// The latest ticks of these codes (all when empty), the sessions, and the log offset that
    /// follows. Instruments without trades have their base price and `tick_seq` 0.
    #[must_use]
    pub fn snapshot(&self, codes: &[String]) -> wire::Snapshot {
        let board = self.board.read();
        let progress = board.progress();
        let all = self.catalogue.instruments().iter();
        let wanted: Vec<&Arc<Instrument>> = if codes.is_empty() {
            all.collect()
        } else {
            codes
                .iter()
                .filter_map(|code| self.catalogue.get(code))
                .collect()
        };
        let ticks = wanted
            .into_iter()
            .filter_map(|instrument| current_tick(&board, instrument))
            .collect();
        wire::Snapshot {
            ticks,
            next_offset: i64::try_from(progress.offset.next).unwrap_or(i64::MAX),
            epoch: progress.offset.epoch,
            market_time_us: progress.market_time_us,
            session_seq: progress.session_seq,
            splits: board.newest_splits(),
            ..board.sessions()
        }
    }

    /// `None` for an unknown code or before the first record.
    #[must_use]
    pub fn quote(&self, code: &str) -> Option<wire::Quote> {
        let instrument = self.catalogue.get(code)?;
        let board = self.board.read();
        let tick = current_tick(&board, instrument)?;
        quote(&tick, board.base(code))
    }
}

/// The newest tick, reset if a trading day has started since.
fn current_tick(board: &QuoteState, instrument: &Instrument) -> Option<wire::Tick> {
    let venue = wire_venue(instrument.venue());
    let session = board.venue(venue);
    let base = board.base(&instrument.code);
    let mut tick = match (board.tick(&instrument.code), base) {
        (Some(tick), _) => tick.clone(),
        (None, Some(base)) => untraded(instrument, base),
        (None, None) => return None,
    };
    if let Some(session) = session {
        let interruption = board.interruption(&instrument.code);
        let state = if board.is_halted(&instrument.code) || instrument.halted {
            wire::SessionState::Halted
        } else if interruption.is_some() {
            wire::SessionState::Auction
        } else {
            session.state()
        };
        tick.set_session(state);
        tick.set_interruption(interruption.unwrap_or_default());
        if let Some(base) = base {
            tick.begin_day(session.trading_day, base);
        }
    }
    Some(tick)
}

/// A tick of an instrument that has never traded, at its base price.
fn untraded(instrument: &Instrument, base: &wire::DayBase) -> wire::Tick {
    wire::Tick {
        code: instrument.code.clone(),
        market: proto::common::v1::Market::from(instrument.market).into(),
        currency: proto::common::v1::Currency::from(instrument.currency).into(),
        price_scale: base.price_scale,
        price_units: base.base_units,
        prev_close_units: base.base_units,
        open_units: base.base_units,
        high_units: base.base_units,
        low_units: base.base_units,
        ..wire::Tick::default()
    }
}

fn quote(tick: &wire::Tick, base: Option<&wire::DayBase>) -> Option<wire::Quote> {
    let price = |units: i64| scaled(units, tick.price_scale, "price").ok().map(decimal);
    let side = |units: i64| if units == 0 { None } else { price(units) };
    let volume = |units: i64| scaled(units, tick.volume_scale, "volume").ok().map(decimal);
    let limit = |units: fn(&wire::DayBase) -> i64| {
        let base = base?;
        let limit = units(base);
        let value = scaled(limit, base.price_scale, "limit").ok()?;
        (limit != 0).then(|| decimal(value))
    };
    Some(wire::Quote {
        code: tick.code.clone(),
        price: price(tick.price_units),
        prev_close: price(tick.prev_close_units),
        open: price(tick.open_units),
        high: price(tick.high_units),
        low: price(tick.low_units),
        bid: side(tick.bid_units),
        ask: side(tick.ask_units),
        acc_volume: volume(tick.acc_volume_units),
        last_volume: volume(tick.volume_units),
        tick_seq: tick.tick_seq,
        event_time_us: tick.event_time_us,
        trading_day: tick.trading_day,
        session: tick.session,
        interruption: tick.interruption,
        fx_rate: (tick.fx_rate_e4 != 0).then(|| decimal(Decimal::new(tick.fx_rate_e4, 4))),
        lower_limit: limit(|base| base.lower_limit_units),
        upper_limit: limit(|base| base.upper_limit_units),
    })
}

#[cfg(test)]
mod tests;
