//! Stale timers of market orders. They run on market time and only in continuous
//! trading.

use chrono::{DateTime, TimeDelta, Utc};

use crate::domain::market::TradingSession;
use crate::matching::fill_model::FillModel;
use crate::matching::instrument_state::InstrumentState;
use crate::orders::order::{Order, Status};

/// Whether a market order is canceled for want of a price: five minutes after its instrument's price
/// became stale.
#[must_use]
pub fn is_stale(order: &Order, state: Option<&InstrumentState>, now: DateTime<Utc>) -> bool {
    let limit = FillModel::V1.stale_after(order.market) + FillModel::V1.stale_wait;
    silence(order, state, now).is_some_and(|silence| silence >= limit)
}

/// Time without a tick of a working market order; `None` while its timer is stopped.
fn silence(
    order: &Order,
    state: Option<&InstrumentState>,
    now: DateTime<Utc>,
) -> Option<TimeDelta> {
    let working = matches!(order.status, Status::Accepted | Status::Partial);
    if order.price.is_some() || !working {
        return None;
    }
    let mut since = order.placed_market_at;
    if let Some(state) = state {
        let runs = !state.halted
            && matches!(
                state.session,
                TradingSession::Open | TradingSession::Unknown
            );
        if !runs {
            return None;
        }
        let later = [state.last_tick_at, state.continuous_since];
        since = later.into_iter().flatten().fold(since, DateTime::max);
    }
    Some(now - since)
}

/// Whether the price of an instrument is stale at `now`; its market orders then show "시세 대기 중".
#[must_use]
pub fn is_silent(market: kernel::MarketCode, last_tick: DateTime<Utc>, now: DateTime<Utc>) -> bool {
    now - last_tick >= FillModel::V1.stale_after(market)
}
