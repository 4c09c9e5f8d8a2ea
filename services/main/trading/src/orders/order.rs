//! An order as the ledger and the matcher use it.

mod status;

use chrono::{DateTime, Utc};
use kernel::{AccountId, Currency, MarketCode, MemberId, OrderId, Price, Quantity, Won};
use market_rules::{TickClass, TickTable};
use rust_decimal::Decimal;

pub use status::{IllegalTransition, OrderEvent, Status, end_reason};

#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// Rises with acceptance.
    pub id: OrderId,
    /// The order that this one replaced.
    pub orig_id: Option<OrderId>,
    /// Time priority: its own id, or that of the order whose place in the queue it keeps.
    pub priority_id: OrderId,
    /// The account that pays or delivers.
    pub account_id: AccountId,
    pub member_id: MemberId,
    pub instrument_code: String,
    /// The Korean name when the order was placed.
    pub instrument_name: String,
    pub market: MarketCode,
    pub currency: Currency,
    pub tick_class: TickClass,
    pub side: Side,
    pub status: Status,
    /// `None` is a market order.
    pub price: Option<Price>,
    pub quantity: Quantity,
    /// Maximum cost of a market buy, fee included; `None` for an order by quantity alone.
    pub order_amount: Option<Won>,
    pub filled: Quantity,
    /// The price slippage is measured from; a queued market order gets it at the open.
    pub reference_price: Option<Price>,
    pub time_in_force: TimeInForce,
    /// The trading day a DAY order lives in (yyyymmdd); `None` while queued.
    pub trading_day: Option<i32>,
    /// Trading day of the newest split whose units its price and quantity are in; zero for none.
    pub split_day: i32,
    /// When its term ends, in market time; `None` for a DAY order.
    pub expires_at: Option<DateTime<Utc>>,
    pub totals: FillTotals,
    /// Won held for it (buys).
    pub held_won: Won,
    /// Whether it did not trade on arrival and rests in the book.
    pub resting: bool,
    /// What must trade at its price before it does; `None` until known.
    pub queue_ahead: Option<Quantity>,
    pub placed_at: DateTime<Utc>,
    /// Market time when it was placed.
    pub placed_market_at: DateTime<Utc>,
    /// Why it ended without being filled; empty otherwise.
    pub end_reason: String,
}

/// Sums over the fills of an order: the exact ones, and the whole won that were settled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FillTotals {
    /// Σ price × quantity × exchange rate, not rounded, without spread.
    pub gross_exact: Decimal,
    /// Σ price × quantity in the instrument's currency.
    pub quote_exact: Decimal,
    /// Won paid or received, spread included, fee and tax excluded.
    pub amount: Won,
    /// `amount` at the middle exchange rate.
    pub base: Won,
    pub fee: Won,
    /// Tax and official fees.
    pub tax: Won,
}

impl Order {
    /// Whether ending is all that changed since `before`, except for the queue position, which is
    /// not stored of a final order.
    #[must_use]
    pub fn only_ended_since(&self, before: &Self) -> bool {
        let terms = |order: &Self| (order.price, order.quantity, order.split_day);
        let progress = |order: &Self| (order.filled, order.totals, order.trading_day);
        before.status.is_open()
            && !self.status.is_open()
            && terms(self) == terms(before)
            && progress(self) == progress(before)
    }

    #[must_use]
    pub fn remaining(&self) -> Quantity {
        Quantity(self.quantity.0 - self.filled.0)
    }

    /// What the order may still cost; `None` without an order amount.
    #[must_use]
    pub fn remaining_amount(&self) -> Option<Won> {
        let spent = self.totals.amount.0.saturating_add(self.totals.fee.0);
        self.order_amount
            .map(|most| Won(most.0.saturating_sub(spent).max(0)))
    }

    #[must_use]
    pub fn tick_table(&self) -> TickTable {
        TickTable::for_class(self.tick_class, &self.instrument_code)
    }

    /// Average fill price in the instrument's currency; `None` before the first fill.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    Buy,
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

    /// Parses the spelling of [`Side::as_str`].
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Buy, Self::Sell]
            .into_iter()
            .find(|side| side.as_str() == text)
    }

    /// The word in sentences for members.
    #[must_use]
    pub fn korean(self) -> &'static str {
        match self {
            Self::Buy => "구매",
            Self::Sell => "판매",
        }
    }
}

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

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use rust_decimal_macros::dec;

    use super::*;
    use crate::domain::sample::{DAY, order};

    #[rstest]
    #[case::unchanged(|_: &mut Order| (), false)]
    #[case::ended(|order: &mut Order| order.status = Status::Expired, true)]
    #[case::queue_position_known_and_ended(|order: &mut Order| { order.status = Status::Canceled; order.queue_ahead = Some(Quantity(dec!(3))); }, true)]
    #[case::rest_filled(|order: &mut Order| { order.status = Status::Filled; order.filled = order.quantity; }, false)]
    #[case::partly_filled_and_ended(|order: &mut Order| { order.status = Status::Expired; order.filled = Quantity(dec!(1)); }, false)]
    #[case::split_and_ended(|order: &mut Order| { order.status = Status::Expired; order.split_day = DAY; }, false)]
    fn an_order_only_ended_when_nothing_else_that_is_stored_changed(
        #[case] change: fn(&mut Order),
        #[case] expected: bool,
    ) {
        let before = order(1, Side::Buy, Some(dec!(71_000)), dec!(10));
        let mut after = before.clone();
        change(&mut after);
        assert_eq!(after.only_ended_since(&before), expected);
        assert!(!after.only_ended_since(&after));
    }
}
