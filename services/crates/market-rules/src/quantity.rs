//! How much one order may be for, by market.

use kernel::{MarketCode, Quantity, Won};
use rust_decimal::Decimal;

/// The largest order in won, in every market.
pub const LARGEST_ORDER: Won = Won(1_000_000_000);

/// Step and bounds of an order's quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuantityRule {
    /// Quantities are multiples of this.
    pub step: Quantity,
    /// Maximum quantity per order.
    pub most: Option<Quantity>,
    /// Minimum amount (price × quantity) per order.
    pub least_amount: Option<Won>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuantityFault {
    #[error("quantity must be above zero")]
    NotPositive,
    #[error("quantity must be a multiple of {0}")]
    OffStep(Quantity),
    #[error("quantity must be at most {0}")]
    TooMuch(Quantity),
}

impl QuantityRule {
    /// Whole shares; coins with eight decimals, from 5,000원; gold in grams up to 5 kg.
    #[must_use]
    pub fn for_market(market: MarketCode) -> Self {
        let one = Quantity(Decimal::ONE);
        match market {
            MarketCode::Kospi | MarketCode::Kosdaq | MarketCode::Etf | MarketCode::Global => Self {
                step: one,
                most: None,
                least_amount: None,
            },
            MarketCode::Coin => Self {
                step: Quantity(Decimal::from_parts(1, 0, 0, false, 8)),
                most: None,
                least_amount: Some(Won(5_000)),
            },
            MarketCode::Gold => Self {
                step: one,
                most: Some(Quantity(Decimal::from(5_000))),
                least_amount: None,
            },
        }
    }

    /// # Errors
    /// The first [`QuantityFault`] that applies.
    pub fn check(&self, quantity: Quantity) -> Result<(), QuantityFault> {
        if !quantity.is_positive() {
            return Err(QuantityFault::NotPositive);
        }
        if !(quantity.0 % self.step.0).is_zero() {
            return Err(QuantityFault::OffStep(self.step));
        }
        match self.most {
            Some(most) if quantity > most => Err(QuantityFault::TooMuch(most)),
            Some(_) | None => Ok(()),
        }
    }

    /// The largest valid quantity at or below `quantity`; zero when there is none.
    #[must_use]
    pub fn floor(&self, quantity: Quantity) -> Quantity {
        if !quantity.is_positive() {
            return Quantity::ZERO;
        }
        let bounded = self.most.map_or(quantity, |most| quantity.min(most));
        Quantity(bounded.0 - bounded.0 % self.step.0)
    }
}
