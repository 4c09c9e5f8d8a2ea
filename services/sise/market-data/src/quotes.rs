//! The latest state of every instrument and venue, read from the tick log.
//!
//! The board is what the log says and nothing else: whoever applies the same batches has the same
//! board. It is restored from the database at the start and continued by the reader of the log;
//! gRPC answers from it without touching the database.

mod board;

use std::sync::Arc;

use parking_lot::RwLock;
use proto::convert::{decimal, scaled};
use proto::market::v1 as wire;
use rust_decimal::Decimal;

use crate::candles::split::Division;
use crate::catalogue::{Catalogue, Instrument};
use crate::sessions::wire_venue;

use board::Board;

/// A place in the tick log and what it has told so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Which log: a new one begins a new epoch.
    pub epoch: i64,
    /// Offset of the first batch that is not part of the board.
    pub next_offset: u64,
    /// Number of the newest batch.
    pub batch_seq: i64,
    /// Number of the newest session record.
    pub session_seq: i64,
    /// Market time of the newest record; 0 when there is none yet.
    pub market_time_us: i64,
}

/// The board. Clones share it.
#[derive(Clone, Debug)]
pub struct QuoteBoard {
    catalogue: Catalogue,
    board: Arc<RwLock<Board>>,
}

impl QuoteBoard {
    /// An empty board.
    #[must_use]
    pub fn new(catalogue: Catalogue) -> Self {
        Self {
            catalogue,
            board: Arc::default(),
        }
    }

    /// The instruments it is about.
    #[must_use]
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Replaces everything by a stored state.
    pub fn restore(
        &self,
        position: Position,
        sessions: &wire::Snapshot,
        ticks: Vec<wire::Tick>,
        splits: Vec<Division>,
    ) {
        *self.board.write() = Board::restored(position, sessions, ticks, splits);
    }

    /// Shares of an instrument as the seed counts them in those of today: after every split, so
    /// that the price of all of them together goes on where it was.
    #[must_use]
    pub fn in_todays_shares(&self, code: &str, shares: i64) -> i64 {
        self.board.read().in_todays_shares(code, shares)
    }

    /// What the seed tells for one share, in won, for one of today's: what a company earned or
    /// owns stays the same in a split, so the part of one share becomes smaller as they become more.
    #[must_use]
    pub fn per_todays_share(&self, code: &str, amount: Decimal) -> Decimal {
        self.board.read().per_todays_share(code, amount)
    }

    /// Applies a batch that was read at `offset`. Records that are part of the board already and
    /// batches of an older log are skipped; `fresh` sees every record that is not.
    pub fn apply(
        &self,
        offset: u64,
        batch: wire::TickBatch,
        fresh: impl FnMut(&wire::tick_record::Record),
    ) {
        self.board.write().apply(offset, batch, fresh);
    }

    /// How far the log has been read.
    #[must_use]
    pub fn position(&self) -> Position {
        self.board.read().position()
    }

    /// Venues, bases and halts as a snapshot without ticks: what is stored beside the position.
    #[must_use]
    pub fn sessions(&self) -> wire::Snapshot {
        self.board.read().sessions()
    }

    /// The newest tick of an instrument.
    #[must_use]
    pub fn tick(&self, code: &str) -> Option<wire::Tick> {
        self.board.read().tick(code).cloned()
    }

    /// State and trading day of every venue that has been heard of.
    #[must_use]
    pub fn venues(&self) -> Vec<wire::VenueSession> {
        self.board.read().sessions().venues
    }

    /// Today's base price and limits of an instrument.
    #[must_use]
    pub fn base(&self, code: &str) -> Option<wire::DayBase> {
        self.board.read().base(code).cloned()
    }

    /// Why an auction of an instrument alone is on; `None` when there is none.
    #[must_use]
    pub fn interruption(&self, code: &str) -> Option<wire::Interruption> {
        self.board.read().interruption(code)
    }

    /// The latest ticks of these codes (all when empty) with the sessions, and the place in the
    /// log from which a reader continues without a hole. Instruments that have not traded yet
    /// are there with their base price and `tick_seq` 0.
    #[must_use]
    pub fn snapshot(&self, codes: &[String]) -> wire::Snapshot {
        let board = self.board.read();
        let position = board.position();
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
            next_offset: i64::try_from(position.next_offset).unwrap_or(i64::MAX),
            epoch: position.epoch,
            market_time_us: position.market_time_us,
            session_seq: position.session_seq,
            splits: board.newest_splits(),
            ..board.sessions()
        }
    }

    /// The quote of an instrument; `None` for an unknown code or before the market's first record.
    #[must_use]
    pub fn quote(&self, code: &str) -> Option<wire::Quote> {
        let instrument = self.catalogue.get(code)?;
        let board = self.board.read();
        let tick = current_tick(&board, instrument)?;
        quote(&tick, board.base(code))
    }
}

/// The newest tick in the light of the trading day that has begun since: a new day has no open,
/// high, low or volume of its own before its first trade.
fn current_tick(board: &Board, instrument: &Instrument) -> Option<wire::Tick> {
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
        if session.trading_day > tick.trading_day
            && let Some(base) = base
        {
            tick.trading_day = session.trading_day;
            let before = rescaled(base.base_units, base.price_scale, tick.price_scale);
            tick.prev_close_units = before;
            tick.price_units = before;
            tick.open_units = before;
            tick.high_units = before;
            tick.low_units = before;
            tick.volume_units = 0;
            tick.acc_volume_units = 0;
        }
    }
    Some(tick)
}

/// A tick for an instrument that has never traded: its base price, and nothing sold.
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

/// Units in another scale; what does not fit stays as it is.
fn rescaled(units: i64, from: u32, to: u32) -> i64 {
    let power = |digits: u32| 10_i64.checked_pow(digits).unwrap_or(1);
    if to >= from {
        units.saturating_mul(power(to - from))
    } else {
        units / power(from - to)
    }
}

#[cfg(test)]
mod tests;
