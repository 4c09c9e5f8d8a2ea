//! An order and the states it goes through (rule R1).

use chrono::{DateTime, Utc};
use kernel::{AccountId, Currency, MarketCode, MemberId, OrderId, Price, Quantity, Won};
use market_rules::{TickClass, TickTable};
use rust_decimal::Decimal;

/// Which way an order trades.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// 구매.
    Buy,
    /// 판매.
    Sell,
}

impl Side {
    /// The spelling in columns.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Buy => "BUY",
            Self::Sell => "SELL",
        }
    }

    /// Reads the spelling of [`Side::as_str`].
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Buy, Self::Sell]
            .into_iter()
            .find(|side| side.as_str() == text)
    }

    /// The word of the reply's sentence.
    #[must_use]
    pub fn korean(self) -> &'static str {
        match self {
            Self::Buy => "구매",
            Self::Sell => "판매",
        }
    }
}

/// Where an order stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Status {
    /// 예약: the market is shut.
    Queued,
    /// 미체결.
    Accepted,
    /// 일부 체결.
    Partial,
    /// 체결.
    Filled,
    /// 취소.
    Canceled,
    /// 기간 만료.
    Expired,
    /// 정정됨.
    Replaced,
    /// 거부.
    Rejected,
}

impl Status {
    /// Every state.
    pub const ALL: [Self; 8] = [
        Self::Queued,
        Self::Accepted,
        Self::Partial,
        Self::Filled,
        Self::Canceled,
        Self::Expired,
        Self::Replaced,
        Self::Rejected,
    ];

    /// The spelling in columns.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "QUEUED",
            Self::Accepted => "ACCEPTED",
            Self::Partial => "PARTIAL",
            Self::Filled => "FILLED",
            Self::Canceled => "CANCELED",
            Self::Expired => "EXPIRED",
            Self::Replaced => "REPLACED",
            Self::Rejected => "REJECTED",
        }
    }

    /// Reads the spelling of [`Status::as_str`].
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == text)
    }

    /// Whether the order still waits and holds something.
    #[must_use]
    pub fn is_open(self) -> bool {
        match self {
            Self::Queued | Self::Accepted | Self::Partial => true,
            Self::Filled | Self::Canceled | Self::Expired | Self::Replaced | Self::Rejected => {
                false
            }
        }
    }

    /// The state after `event`.
    ///
    /// # Errors
    /// [`IllegalTransition`] when the event cannot happen in this state. Final states never change.
    pub fn after(self, event: OrderEvent) -> Result<Self, IllegalTransition> {
        let next = match (self, event) {
            (Self::Queued, OrderEvent::SessionOpened) => Self::Accepted,
            (Self::Accepted | Self::Partial, OrderEvent::FilledPartly) => Self::Partial,
            (Self::Accepted | Self::Partial, OrderEvent::FilledWholly) => Self::Filled,
            (Self::Queued | Self::Accepted | Self::Partial, OrderEvent::Canceled) => Self::Canceled,
            (Self::Queued | Self::Accepted | Self::Partial, OrderEvent::Expired) => Self::Expired,
            (Self::Queued | Self::Accepted | Self::Partial, OrderEvent::Replaced) => Self::Replaced,
            (from, event) => return Err(IllegalTransition { from, event }),
        };
        Ok(next)
    }
}

/// What happens to a stored order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderEvent {
    /// The session it waited for began.
    SessionOpened,
    /// A tick filled part of it.
    FilledPartly,
    /// A tick filled the rest of it.
    FilledWholly,
    /// The member or a guard took it back.
    Canceled,
    /// Its session or its term ended.
    Expired,
    /// A modified order took its place.
    Replaced,
}

/// An event that cannot happen in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an order that is {} cannot be changed by {event:?}", .from.as_str())]
pub struct IllegalTransition {
    /// The state the order is in.
    pub from: Status,
    /// What was to happen.
    pub event: OrderEvent,
}

/// How long an order waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeInForce {
    /// Until its session ends: stocks, ETFs and gold.
    Day,
    /// Ninety days of market time: coins.
    GoodTillCanceled,
}

impl TimeInForce {
    /// The spelling in columns.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Day => "DAY",
            Self::GoodTillCanceled => "GTC",
        }
    }

    /// What an order of a market gets.
    #[must_use]
    pub fn of_market(market: MarketCode) -> Self {
        match market {
            MarketCode::Coin => Self::GoodTillCanceled,
            MarketCode::Kospi
            | MarketCode::Kosdaq
            | MarketCode::Global
            | MarketCode::Gold
            | MarketCode::Etf => Self::Day,
        }
    }
}

/// Why an order ended without being filled, as stored and shown.
pub mod end_reason {
    /// The member canceled it.
    pub const CANCELED_BY_MEMBER: &str = "CANCELED_BY_MEMBER";
    /// Its session ended.
    pub const SESSION_ENDED: &str = "SESSION_ENDED";
    /// Its ninety days are over.
    pub const TERM_ENDED: &str = "TERM_ENDED";
    /// The price of a queued order is outside the day's limits.
    pub const PRICE_LIMIT: &str = "PRICE_LIMIT";
    /// No tick came for too long.
    pub const STALE_MARKET: &str = "STALE_MARKET";
    /// The price moved too far from the reference.
    pub const SLIPPAGE_GUARD: &str = "SLIPPAGE_GUARD";
    /// The cash did not reach for the rest.
    pub const INSUFFICIENT_CASH: &str = "INSUFFICIENT_CASH";
}

/// An order as the matcher and the ledger see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// Rises with acceptance.
    pub id: OrderId,
    /// The order that this one replaced.
    pub orig_id: Option<OrderId>,
    /// Time priority: its own number, or that of the order whose place it took over.
    pub priority_id: OrderId,
    /// The account that pays or delivers.
    pub account_id: AccountId,
    /// Its member.
    pub member_id: MemberId,
    /// What it trades.
    pub instrument_code: String,
    /// The Korean name when it was placed.
    pub instrument_name: String,
    /// Where that is listed.
    pub market: MarketCode,
    /// What its price is in.
    pub currency: Currency,
    /// Which prices are valid.
    pub tick_class: TickClass,
    /// Which way.
    pub side: Side,
    /// Where it stands.
    pub status: Status,
    /// `None` is a market order.
    pub price: Option<Price>,
    /// What was asked for.
    pub quantity: Quantity,
    /// What was filled.
    pub filled: Quantity,
    /// The price slippage is measured from; a queued market order gets it at the open.
    pub reference_price: Option<Price>,
    /// How long it waits.
    pub time_in_force: TimeInForce,
    /// The trading day a DAY order lives in (yyyymmdd); `None` while queued.
    pub trading_day: Option<i32>,
    /// Trading day of the newest split whose units its price and quantity are in; zero for none.
    pub split_day: i32,
    /// When its term ends, in market time.
    pub expires_at: Option<DateTime<Utc>>,
    /// Sums over its fills.
    pub totals: FillTotals,
    /// Won kept aside for it (buys).
    pub held_won: Won,
    /// Whether it has failed to trade on arrival and waits in the book.
    pub resting: bool,
    /// What must trade at its price before it does; `None` until known.
    pub queue_ahead: Option<Quantity>,
    /// When it was placed.
    pub placed_at: DateTime<Utc>,
    /// Market time when it was placed.
    pub placed_market_at: DateTime<Utc>,
    /// Why it ended without being filled; empty otherwise.
    pub end_reason: String,
}

/// What the fills of an order come to: exact sums, and what of them is booked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FillTotals {
    /// Σ price × quantity × exchange rate, not rounded, without spread.
    pub gross_exact: Decimal,
    /// Σ price × quantity in the instrument's currency.
    pub quote_exact: Decimal,
    /// Won paid or received, spread included, fee and tax outside.
    pub amount: Won,
    /// The same at the middle exchange rate.
    pub base: Won,
    /// Fee.
    pub fee: Won,
    /// Tax and official fees.
    pub tax: Won,
}

impl Order {
    /// Whether it has ended since `before` and nothing else that is stored of a final order has
    /// changed: what was learned of its place is not.
    #[must_use]
    pub fn only_ended_since(&self, before: &Self) -> bool {
        let terms = |order: &Self| (order.price, order.quantity, order.split_day);
        let progress = |order: &Self| (order.filled, order.totals, order.trading_day);
        before.status.is_open()
            && !self.status.is_open()
            && terms(self) == terms(before)
            && progress(self) == progress(before)
    }

    /// What is still to be filled.
    #[must_use]
    pub fn remaining(&self) -> Quantity {
        Quantity(self.quantity.0 - self.filled.0)
    }

    /// The valid prices of its instrument.
    #[must_use]
    pub fn tick_table(&self) -> TickTable {
        TickTable::for_class(self.tick_class, &self.instrument_code)
    }

    /// Average price so far; `None` before the first fill.
    #[must_use]
    pub fn average_price(&self) -> Option<Price> {
        average(self.totals.quote_exact, self.filled)
    }
}

/// `total / quantity` to eight decimals; `None` for no quantity.
#[must_use]
pub fn average(total: Decimal, quantity: Quantity) -> Option<Price> {
    let average = total.checked_div(quantity.0)?;
    Some(Price(average.round_dp(8)))
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use rust_decimal_macros::dec;

    use super::*;
    use crate::domain::sample::{DAY, order};

    #[rstest]
    #[case(Status::Queued, OrderEvent::SessionOpened, Status::Accepted)]
    #[case(Status::Queued, OrderEvent::Canceled, Status::Canceled)]
    #[case(Status::Queued, OrderEvent::Expired, Status::Expired)]
    #[case(Status::Accepted, OrderEvent::FilledPartly, Status::Partial)]
    #[case(Status::Accepted, OrderEvent::FilledWholly, Status::Filled)]
    #[case(Status::Partial, OrderEvent::FilledPartly, Status::Partial)]
    #[case(Status::Partial, OrderEvent::FilledWholly, Status::Filled)]
    #[case(Status::Partial, OrderEvent::Replaced, Status::Replaced)]
    fn an_open_order_moves_on(
        #[case] from: Status,
        #[case] change: OrderEvent,
        #[case] to: Status,
    ) {
        assert_eq!(from.after(change), Ok(to));
    }

    #[test]
    fn a_final_state_never_changes() {
        for from in Status::ALL.into_iter().filter(|status| !status.is_open()) {
            for event in [
                OrderEvent::SessionOpened,
                OrderEvent::FilledPartly,
                OrderEvent::FilledWholly,
                OrderEvent::Canceled,
                OrderEvent::Expired,
                OrderEvent::Replaced,
            ] {
                assert_eq!(from.after(event), Err(IllegalTransition { from, event }));
            }
        }
    }

    #[rstest]
    #[case::as_it_was(|_: &mut Order| (), false)]
    #[case::ended(|order: &mut Order| order.status = Status::Expired, true)]
    #[case::its_place_was_learned_and_it_ended(|order: &mut Order| { order.status = Status::Canceled; order.queue_ahead = Some(Quantity(dec!(3))); }, true)]
    #[case::the_rest_was_filled(|order: &mut Order| { order.status = Status::Filled; order.filled = order.quantity; }, false)]
    #[case::a_part_was_filled_and_it_ended(|order: &mut Order| { order.status = Status::Expired; order.filled = Quantity(dec!(1)); }, false)]
    #[case::divided_and_ended(|order: &mut Order| { order.status = Status::Expired; order.split_day = DAY; }, false)]
    fn only_its_end_is_written_where_nothing_else_changed(
        #[case] change: fn(&mut Order),
        #[case] expected: bool,
    ) {
        let before = order(1, Side::Buy, Some(dec!(71_000)), dec!(10));
        let mut after = before.clone();
        change(&mut after);
        assert_eq!(after.only_ended_since(&before), expected);
        assert!(!after.only_ended_since(&after));
    }

    #[test]
    fn a_queued_order_cannot_fill_and_an_accepted_one_cannot_open_again() {
        assert!(Status::Queued.after(OrderEvent::FilledPartly).is_err());
        assert!(Status::Accepted.after(OrderEvent::SessionOpened).is_err());
    }
}
