//! Orders and ticks that tests start from.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{AccountId, Currency, MarketCode, MemberId, OrderId, Price, Quantity, Won};
use market_rules::TickClass;
use rust_decimal::Decimal;
use rust_decimal_macros::dec;

use crate::domain::market::TradingSession;
use crate::orders::order::{FillTotals, Order, Side, Status, TimeInForce};
use crate::tick_log::Tick;

pub(crate) const DAY: i32 = 20_261_120;

pub(crate) fn at(seconds: i64) -> DateTime<Utc> {
    DateTime::UNIX_EPOCH + TimeDelta::days(20_777) + TimeDelta::seconds(seconds)
}

/// An accepted order for 005930 with a reference of 71,300.
pub(crate) fn order(id: i64, side: Side, price: Option<Decimal>, quantity: Decimal) -> Order {
    Order {
        id: OrderId(id),
        orig_id: None,
        priority_id: OrderId(id),
        account_id: AccountId(1),
        member_id: MemberId(100_000),
        instrument_code: "005930".to_owned(),
        instrument_name: "삼성전자".to_owned(),
        market: MarketCode::Kospi,
        currency: Currency::Krw,
        tick_class: TickClass::KrxStock,
        side,
        status: Status::Accepted,
        price: price.map(Price),
        quantity: Quantity(quantity),
        order_amount: None,
        filled: Quantity::ZERO,
        reference_price: Some(Price(dec!(71_300))),
        time_in_force: TimeInForce::Day,
        trading_day: Some(DAY),
        split_day: 0,
        expires_at: None,
        totals: FillTotals::default(),
        held_won: Won::ZERO,
        resting: false,
        queue_ahead: None,
        placed_at: at(0),
        placed_market_at: at(0),
        end_reason: String::new(),
    }
}

pub(crate) fn tick(seq: i64, price: Decimal, volume: Decimal) -> Tick {
    Tick {
        code: "005930".to_owned(),
        market: MarketCode::Kospi,
        seq,
        time: at(seq),
        trading_day: DAY,
        price: Price(price),
        prev_close: Price(dec!(71_000)),
        bid: None,
        ask: None,
        bid_size: None,
        ask_size: None,
        volume: Some(Quantity(volume)),
        day_volume: None,
        fx_rate: None,
        session: TradingSession::Open,
    }
}
