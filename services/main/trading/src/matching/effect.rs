//! What a batch did: the facts that are stored and published, in log order.

use chrono::{DateTime, Utc};
use kernel::{AccountId, Price, Quantity};
use rust_decimal::Decimal;

use crate::accounts::holding::SoldCost;
use crate::domain::settlement::Charge;
use crate::domain::split::{SplitHolding, SplitRatio};
use crate::matching::offer::FillRule;
use crate::orders::order::{Order, Status};

/// One execution and why it got its price.
#[derive(Clone, Debug, PartialEq)]
pub struct Execution {
    /// Sequence number of the tick.
    pub tick_seq: i64,
    /// Market time of the tick.
    pub time: DateTime<Utc>,
    /// The trading day, yyyymmdd.
    pub trading_day: i32,
    /// Price of the trade.
    pub tick_price: Price,
    /// Best bid after it.
    pub bid: Option<Price>,
    /// Best ask after it.
    pub ask: Option<Price>,
    /// By which rule it filled.
    pub rule: FillRule,
    /// Ticks between the trade and the fill, positive when worse for the member.
    pub slippage_ticks: i64,
    /// The most the tick allowed; `None` without volume.
    pub cap: Option<Quantity>,
    /// How much was filled.
    pub quantity: Quantity,
    /// At what price.
    pub price: Price,
    /// Won per dollar.
    pub fx_rate: Option<Decimal>,
}

/// How an execution was paid.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Payment {
    /// Won in and out.
    pub charge: Charge,
    /// What the sold part had cost; nothing for a purchase.
    pub cost: SoldCost,
}

/// A change that a batch made.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// An execution; `order` as it stands after it.
    Filled {
        /// The order after it.
        order: Box<Order>,
        /// The state before it.
        from: Status,
        /// The fill.
        execution: Box<Execution>,
        /// Its won; `None` in a rehearsal.
        payment: Option<Payment>,
    },
    /// A change of state without an execution; `order` as it stands after it.
    Changed {
        /// The order after it.
        order: Box<Order>,
        /// The state before it.
        from: Status,
        /// Why.
        reason: &'static str,
        /// Market time.
        time: DateTime<Utc>,
    },
    /// A share split reached a holding.
    Split {
        /// Whose holding.
        account_id: AccountId,
        /// Of what.
        code: String,
        /// The ratio.
        ratio: SplitRatio,
        /// What it did.
        split: SplitHolding,
        /// The trading day, yyyymmdd.
        trading_day: i32,
        /// Market time.
        time: DateTime<Utc>,
    },
}

impl Effect {
    /// The order it is about; `None` of a split.
    #[must_use]
    pub fn order(&self) -> Option<&Order> {
        match self {
            Self::Filled { order, .. } | Self::Changed { order, .. } => Some(order),
            Self::Split { .. } => None,
        }
    }
}
