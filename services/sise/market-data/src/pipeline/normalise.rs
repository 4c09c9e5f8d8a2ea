//! Converts trades into ticks of the log, or refuses them. Prices from outside are validated only
//! here.

mod restate;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use kernel::Currency;
use proto::common::v1 as common;
use proto::market::v1::{
    DayBase, Interruption, SessionRecord, SessionState, Tick, VenueSession, session_record::Kind,
};

use crate::catalogue::Instrument;
use crate::feed::{FeedTrade, RefusalReason, RefusedRecord, SessionChange};
use crate::model::spec::volume_scale;
use crate::quotes::QuoteBoard;
use crate::sessions::{state_after, wire_venue};

/// A price that differs from the previous one by this factor is refused.
const JUMP_FACTOR: i128 = 10;
/// A trade may be this much older than the start of its batch.
const MAX_AGE_US: i64 = 60_000_000;
/// Tolerated clock difference.
const CLOCK_SKEW_US: i64 = 5_000_000;
const SAMPLE_CHARACTERS: usize = 200;

/// Adds day figures and sequence numbers, and refuses invalid trades.
pub struct Normaliser {
    instruments: HashMap<String, InstrumentState>,
    venues: HashMap<i32, VenueSession>,
    session_seq: i64,
}

struct InstrumentState {
    market: i32,
    currency: i32,
    in_dollars: bool,
    venue: i32,
    price_scale: u32,
    volume_scale: u32,
    last: Option<Tick>,
    base: Option<DayBase>,
    // The reason of an auction of this instrument alone.
    auction: Option<Interruption>,
    is_halted: bool,
    // The newest split since the start.
    split: Option<SessionChange>,
}

impl Normaliser {
    /// Continues from the state of the log.
    #[must_use]
    pub fn new(board: &QuoteBoard) -> Self {
        let instruments = board.catalogue().instruments().iter();
        let sessions = board.sessions();
        let instrument_state = |instrument: &Arc<Instrument>| {
            let is_halted = sessions.halted_codes.contains(&instrument.code);
            let instrument_state = InstrumentState::new(instrument, board, is_halted);
            (instrument.code.clone(), instrument_state)
        };
        Self {
            instruments: instruments.map(instrument_state).collect(),
            venues: sessions
                .venues
                .into_iter()
                .map(|venue| (venue.venue, venue))
                .collect(),
            session_seq: board.progress().session_seq,
        }
    }

    /// Converts a trade from a batch of this span of market time.
    ///
    /// # Errors
    /// [`RefusedRecord`] with the reason.
    pub fn tick(&mut self, trade: FeedTrade, span_us: Range<i64>) -> Result<Tick, RefusedRecord> {
        let Some(instrument_state) = self.instruments.get_mut(&*trade.code) else {
            return Err(refusal(RefusalReason::UnknownCode, &trade));
        };
        let session = self.venues.get(&instrument_state.venue);
        match instrument_state.validate(&trade, session, &span_us) {
            Ok(trading_day) => {
                let state = session.map_or(SessionState::Unspecified, VenueSession::state);
                let state = instrument_state
                    .auction
                    .map_or(state, |_| SessionState::Auction);
                Ok(instrument_state.accept(&trade, trading_day, state))
            }
            Err(reason) => Err(refusal(reason, &trade)),
        }
    }

    pub fn session(&mut self, change: SessionChange) -> SessionRecord {
        let venue = change
            .venue
            .map_or(proto::market::v1::Venue::Unspecified, wire_venue);
        if change.code.is_empty()
            && change.venue.is_some()
            && let Some(state) = state_after(change.kind)
        {
            let session = VenueSession {
                venue: venue.into(),
                state: state.into(),
                trading_day: change.trading_day,
            };
            self.venues.insert(venue.into(), session);
            let of_venue = self.instruments.values_mut();
            of_venue
                .filter(|instrument_state| instrument_state.venue == i32::from(venue))
                .for_each(|instrument_state| instrument_state.auction = None);
        }
        if let Some(instrument_state) = self.instruments.get_mut(&change.code) {
            match change.kind {
                Kind::Auction => instrument_state.auction = Some(change.interruption),
                Kind::Open => instrument_state.auction = None,
                Kind::Halt => instrument_state.is_halted = true,
                Kind::Resume => instrument_state.is_halted = false,
                Kind::Unspecified
                | Kind::Close
                | Kind::Split
                | Kind::Heartbeat
                | Kind::Dividend => {}
            }
        }
        for base in &change.bases {
            if let Some(instrument_state) = self.instruments.get_mut(&base.code) {
                instrument_state.base = Some(base.clone());
            }
        }
        if change.kind == Kind::Split
            && let Some(instrument_state) = self.instruments.get_mut(&change.code)
        {
            // Prices before and after a split are not comparable.
            instrument_state.base = None;
            instrument_state.split = Some(change.clone());
        }
        self.record(change)
    }

    fn record(&mut self, change: SessionChange) -> SessionRecord {
        self.session_seq += 1;
        let venue = change
            .venue
            .map_or(proto::market::v1::Venue::Unspecified, wire_venue);
        let (split_numerator, split_denominator) = change.split.unwrap_or((0, 0));
        SessionRecord {
            kind: change.kind.into(),
            venue: venue.into(),
            code: change.code,
            trading_day: change.trading_day,
            event_time_us: change.event_time_us,
            bases: change.bases,
            split_numerator,
            split_denominator,
            interruption: change.interruption.into(),
            dividend: change.dividend,
            session_seq: self.session_seq,
        }
    }
}

impl InstrumentState {
    fn new(instrument: &Instrument, board: &QuoteBoard, is_halted: bool) -> Self {
        Self {
            market: common::Market::from(instrument.market).into(),
            currency: common::Currency::from(instrument.currency).into(),
            in_dollars: instrument.currency == Currency::Usd,
            venue: wire_venue(instrument.venue()).into(),
            price_scale: instrument.tick_table.scale(),
            volume_scale: volume_scale(instrument),
            last: board.tick(&instrument.code),
            base: board.base(&instrument.code),
            auction: board.interruption(&instrument.code),
            is_halted,
            split: None,
        }
    }

    /// Validates a trade and returns its trading day.
    fn validate(
        &self,
        trade: &FeedTrade,
        session: Option<&VenueSession>,
        span_us: &Range<i64>,
    ) -> Result<i32, RefusalReason> {
        let session = session.filter(|session| match session.state() {
            SessionState::Open | SessionState::Auction => true,
            SessionState::Unspecified | SessionState::Closed | SessionState::Halted => false,
        });
        let session = session.ok_or(RefusalReason::Closed)?;
        if trade.price_units <= 0 || trade.bid_units < 0 || trade.ask_units < 0 {
            return Err(RefusalReason::BadPrice);
        }
        let quantities = [
            trade.volume_units.unwrap_or(0),
            trade.bid_size_units,
            trade.ask_size_units,
        ];
        if quantities.iter().any(|quantity| *quantity < 0)
            || (trade.won_per_dollar_e4 <= 0) == self.in_dollars
        {
            return Err(RefusalReason::BadVolume);
        }
        let last_time = self
            .last
            .as_ref()
            .map_or(i64::MIN, |last| last.event_time_us);
        if trade.event_time_us < last_time || trade.event_time_us < span_us.start - MAX_AGE_US {
            return Err(RefusalReason::OldTime);
        }
        if trade.event_time_us > span_us.end + CLOCK_SKEW_US {
            return Err(RefusalReason::FutureTime);
        }
        if self.jumps(trade.price_units, session.trading_day) {
            return Err(RefusalReason::PriceJump);
        }
        Ok(session.trading_day)
    }

    fn jumps(&self, price_units: i64, trading_day: i32) -> bool {
        let today = self
            .last
            .as_ref()
            .filter(|last| last.trading_day == trading_day);
        if let Some(base) = &self.base {
            let below = base.lower_limit_units != 0 && price_units < base.lower_limit_units;
            let above = base.upper_limit_units != 0 && price_units > base.upper_limit_units;
            if below || above {
                return true;
            }
        }
        let before = today.map(|last| last.price_units);
        let before = before.or(self.base.as_ref().map(|base| base.base_units));
        let Some(before) = before.map(i128::from).filter(|before| *before > 0) else {
            return false;
        };
        let price = i128::from(price_units);
        price > before * JUMP_FACTOR || price * JUMP_FACTOR < before
    }

    fn accept(&mut self, trade: &FeedTrade, trading_day: i32, session: SessionState) -> Tick {
        let price = trade.price_units;
        let volume = trade.volume_units.unwrap_or(0);
        let today = self
            .last
            .as_ref()
            .filter(|last| last.trading_day == trading_day);
        let base = self.base.as_ref().map(|base| base.base_units);
        let tick_seq = match &self.last {
            // The time of a trade is its sequence number, so numbers increase across restarts and a
            // repeated trade has the same one.
            Some(last) => trade.event_time_us.max(last.tick_seq + 1),
            None => trade.event_time_us,
        };
        let tick = Tick {
            code: trade.code.to_string(),
            market: self.market,
            tick_seq,
            event_time_us: trade.event_time_us,
            trading_day,
            price_scale: self.price_scale,
            price_units: price,
            prev_close_units: match today {
                Some(last) => last.prev_close_units,
                None => base
                    .or(self.last.as_ref().map(|last| last.price_units))
                    .unwrap_or(price),
            },
            open_units: today.map_or(price, |last| last.open_units),
            high_units: today.map_or(price, |last| last.high_units.max(price)),
            low_units: today.map_or(price, |last| last.low_units.min(price)),
            bid_units: trade.bid_units,
            ask_units: trade.ask_units,
            volume_scale: self.volume_scale,
            volume_units: volume,
            acc_volume_units: today
                .map_or(0, |last| last.acc_volume_units)
                .saturating_add(volume),
            fx_rate_e4: trade.won_per_dollar_e4,
            session: session.into(),
            has_volume: trade.volume_units.is_some(),
            currency: self.currency,
            bid_size_units: trade.bid_size_units,
            ask_size_units: trade.ask_size_units,
            interruption: self.auction.unwrap_or_default().into(),
        };
        self.last = Some(tick.clone());
        tick
    }
}

fn refusal(reason: RefusalReason, trade: &FeedTrade) -> RefusedRecord {
    let sample = format!("{trade:?}");
    RefusedRecord {
        reason,
        sample: sample.chars().take(SAMPLE_CHARACTERS).collect(),
    }
}
