//! Effects of a batch: the facts that are stored and published, in log order.

use chrono::{DateTime, Utc};
use kernel::{AccountId, Price, Quantity};
use rust_decimal::Decimal;

use crate::accounts::holding::SoldCost;
use crate::domain::settlement::Charge;
use crate::domain::split::{SplitHolding, SplitRatio};
use crate::matching::offer::FillRule;
use crate::orders::order::{Order, Status};

/// One execution, with the facts that explain its price on the receipt.
#[derive(Clone, Debug, PartialEq)]
pub struct Execution {
    pub tick_seq: i64,
    /// Market time of the tick.
    pub time: DateTime<Utc>,
    /// yyyymmdd.
    pub trading_day: i32,
    pub tick_price: Price,
    /// Best bid after it.
    pub bid: Option<Price>,
    /// Best ask after it.
    pub ask: Option<Price>,
    pub rule: FillRule,
    /// Ticks between the trade and the fill, positive when worse for the member.
    pub slippage_ticks: i64,
    /// Upper bound by the tick's volume; `None` without volume.
    pub cap: Option<Quantity>,
    pub quantity: Quantity,
    pub price: Price,
    /// Won per dollar.
    pub fx_rate: Option<Decimal>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Payment {
    pub charge: Charge,
    /// Purchase cost of the sold part; zero for a buy.
    pub cost: SoldCost,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    Filled {
        /// After the effect.
        order: Box<Order>,
        from: Status,
        execution: Box<Execution>,
        /// `None` in a dry run.
        payment: Option<Payment>,
    },
    /// A status change without an execution.
    Changed {
        /// After the effect.
        order: Box<Order>,
        from: Status,
        reason: &'static str,
        /// Market time.
        time: DateTime<Utc>,
    },
    /// A share split was applied to a holding.
    Split {
        account_id: AccountId,
        code: String,
        ratio: SplitRatio,
        split: SplitHolding,
        /// yyyymmdd.
        trading_day: i32,
        /// Market time.
        time: DateTime<Utc>,
    },
}

impl Effect {
    /// `None` for a split.
    #[must_use]
    pub fn order(&self) -> Option<&Order> {
        match self {
            Self::Filled { order, .. } | Self::Changed { order, .. } => Some(order),
            Self::Split { .. } => None,
        }
    }
}
