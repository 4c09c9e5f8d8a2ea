//! What the log has said about an instrument: the state that its orders are matched against. It is
//! stored as JSON (`matcher_offset.state`), so its field names are part of the schema.

use chrono::{DateTime, Utc};
use kernel::Price;
use market_rules::PriceBand;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::domain::market::TradingSession;
use crate::domain::split::ShareSplit;
use crate::orders::order::{Order, Status, TimeInForce};
use crate::tick_log::Venue;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct InstrumentState {
    /// `None` before the first record that names it.
    pub venue: Option<Venue>,
    /// Sequence number of the last tick; a tick at or below it is a repetition.
    pub last_seq: i64,
    pub last_price: Option<Price>,
    /// Market time.
    pub last_tick_at: Option<DateTime<Utc>>,
    /// Won per dollar at the last tick that had a rate.
    pub fx_rate: Option<Decimal>,
    /// yyyymmdd, of the newest tick or session record.
    pub trading_day: i32,
    pub session: TradingSession,
    pub halted: bool,
    /// Whether the next tick is the first of a session.
    pub before_open: bool,
    /// Start of continuous trading; `None` outside of it.
    pub continuous_since: Option<DateTime<Utc>>,
    /// Daily price limits, lower and upper.
    pub band: Option<(Price, Price)>,
    /// The newest share split. A split of the same day or an earlier one is a repetition.
    #[serde(default)]
    pub last_split: Option<ShareSplit>,
}

impl InstrumentState {
    #[must_use]
    pub fn band(&self) -> Option<PriceBand> {
        self.band.map(|(lower, upper)| PriceBand { lower, upper })
    }

    /// Whether an order is in the units from before the newest split.
    #[must_use]
    pub fn split_applies_to(&self, order: &Order) -> bool {
        self.last_split.is_some_and(|split| split.applies_to(order))
    }

    /// Whether orders can trade: in an auction or in continuous trading.
    pub(super) fn is_in_session(&self) -> bool {
        matches!(self.session, TradingSession::Open | TradingSession::Auction)
    }
}

/// Whether the session of a DAY order had ended when the order was admitted: an order placed in the
/// last moment still sees an open market.
pub(super) fn is_past_session(order: &Order, state: Option<&InstrumentState>) -> bool {
    let Some(state) = state else {
        return false;
    };
    let ended = |day| {
        day < state.trading_day
            || day == state.trading_day && state.session == TradingSession::Closed
    };
    order.time_in_force == TimeInForce::Day
        && order.status != Status::Queued
        && order.trading_day.is_some_and(ended)
}
