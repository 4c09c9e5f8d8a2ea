//! What a member asks for.

use kernel::{AssetKind, Price, Quantity};

use crate::orders::order::Side;

/// The validated input of an order.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderRequest {
    pub side: Side,
    /// The route it was sent to, which must match the kind of the instrument.
    pub category: Category,
    /// `None` is a market order.
    pub price: Option<Price>,
    pub quantity: Quantity,
    /// The price on the member's screen.
    pub seen_price: Option<Price>,
    /// Whether the member accepted the warning of the instrument.
    pub risk_acknowledged: bool,
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
