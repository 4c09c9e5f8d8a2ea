//! What a member asks for.

use kernel::{AssetKind, Price, Quantity, Won};

use crate::orders::order::Side;

/// The validated input of an order.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderRequest {
    pub side: Side,
    /// The route it was sent to, which must match the kind of the instrument.
    pub category: Category,
    /// `None` is a market order.
    pub price: Option<Price>,
    pub size: OrderSize,
    /// The price on the member's screen.
    pub seen_price: Option<Price>,
    /// Whether the member accepted the warning of the instrument.
    pub risk_acknowledged: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderSize {
    Quantity(Quantity),
    /// A market buy that costs at most `won`, fee included.
    Amount {
        won: Won,
        /// Upper bound of the quantity; `None` = what the amount affords.
        most: Option<Quantity>,
    },
}

impl OrderSize {
    #[must_use]
    pub fn amount(&self) -> Option<Won> {
        match self {
            Self::Quantity(_) => None,
            Self::Amount { won, .. } => Some(*won),
        }
    }

    /// The requested quantity, or its upper bound.
    #[must_use]
    pub fn quantity(&self) -> Option<Quantity> {
        match self {
            Self::Quantity(quantity) => Some(*quantity),
            Self::Amount { most, .. } => *most,
        }
    }
}

/// A group of assets with order routes of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// Stocks and ETFs.
    Stock,
    Coin,
    Gold,
}

impl Category {
    #[must_use]
    pub fn of(kind: AssetKind) -> Self {
        match kind {
            AssetKind::Stock | AssetKind::Etf => Self::Stock,
            AssetKind::Coin => Self::Coin,
            AssetKind::Gold => Self::Gold,
        }
    }
}
