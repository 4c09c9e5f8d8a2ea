//! Sessions and trading days, which change the latest values without a trade.

use kernel::MarketCode;
use proto::market::v1::session_record::Kind;
use proto::market::v1::{Interruption, SessionRecord, SessionState, Venue};

use super::{Changed, Feed};
use crate::tick;

impl Feed {
    pub(super) fn apply_session(&mut self, record: &SessionRecord) {
        let state = match record.kind() {
            Kind::Open => SessionState::Open,
            Kind::Resume => self.state.session_of(record.venue()),
            Kind::Auction => SessionState::Auction,
            Kind::Close => SessionState::Closed,
            Kind::Halt => SessionState::Halted,
            // The price after a split is the base of its day, in the record that begins the day.
            Kind::Unspecified | Kind::Split | Kind::Heartbeat | Kind::Dividend => return,
        };
        if record.code.is_empty() {
            self.state.set_venue(record.venue(), state);
            self.begin_day(record);
        }
        let interruption = record.interruption();
        self.set_session(record.venue(), &record.code, state, interruption);
    }

    /// Resets the values of the days before the record's, as market-data does in a snapshot:
    /// clients need not wait for the first trade to see the new day.
    fn begin_day(&mut self, record: &SessionRecord) {
        let mut changed = Changed::default();
        for base in &record.bases {
            let Some(instrument) = self.instruments.get_mut(&base.code) else {
                continue;
            };
            let Some(mut begun) = instrument.tick.clone() else {
                continue;
            };
            if !begun.begin_day(record.trading_day, base) {
                continue;
            }
            let name = &instrument.korean_name;
            let json = tick::to_json(&begun, instrument.market, name, instrument.session);
            let Ok(json) = json else {
                metrics::counter!("edge_quarantined_total", "cause" => "base").increment(1);
                continue;
            };
            let order = (begun.tick_seq, begun.trading_day);
            if self.cache.update(&instrument.slot, order, json.into()) {
                changed.add(instrument.slot.destination());
                instrument.tick = Some(begun);
            }
        }
        changed.notify(&self.cache);
    }

    /// Writes the new state into the values of a venue, or of one instrument.
    pub(super) fn set_session(
        &mut self,
        venue: Venue,
        code: &str,
        state: SessionState,
        interruption: Interruption,
    ) {
        let mut changed = Changed::default();
        for (name, instrument) in &mut self.instruments {
            let is_affected = if code.is_empty() {
                venue_of(instrument.market) == venue
            } else {
                name == code
            };
            let Some(tick) = &mut instrument.tick else {
                continue;
            };
            if !is_affected || instrument.session == state {
                continue;
            }
            instrument.session = state;
            tick.set_interruption(interruption);
            if let Ok(json) = tick::to_json(tick, instrument.market, &instrument.korean_name, state)
            {
                self.cache.replace_latest(&instrument.slot, json.into());
                changed.add(instrument.slot.destination());
            }
        }
        changed.notify(&self.cache);
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
