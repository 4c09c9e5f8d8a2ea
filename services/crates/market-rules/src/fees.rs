//! Fees and taxes by market and trade date.
//!
//! Costs are computed on the order's running total, so that splitting a fill never makes it
//! cheaper: the cost of a fill is the cost of the total minus what was charged before.

mod schedule;

use chrono::NaiveDate;
use kernel::{MarketCode, MoneyError, Won, money::Rounding};
use rust_decimal::Decimal;

/// The rates of a market from a date on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeeRates {
    pub effective_from: NaiveDate,
    /// Commission, as a share of the amount.
    pub fee_rate: Decimal,
    /// Transaction tax on sales, as a share of the amount.
    pub sell_tax_rate: Decimal,
    /// SEC section 31 fee on sales, as a share of the amount.
    pub sec_rate: Decimal,
    /// FINRA trading activity fee on sales, in dollars per share.
    pub taf_per_share_usd: Decimal,
    /// Maximum of the FINRA fee, in dollars per order.
    pub taf_most_usd: Decimal,
    /// Exchange spread as a share of the middle rate: added for purchases, subtracted for sales.
    pub fx_spread_rate: Decimal,
}

/// The filled part of a sale order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoldTotal {
    /// Sum of price × quantity in the instrument's currency.
    pub amount: Decimal,
    /// The same sum in won, each fill at its own exchange rate, not rounded.
    pub amount_won: Decimal,
    /// Shares, coins or grams.
    pub quantity: Decimal,
}

impl FeeRates {
    /// The commission on an amount. Charged fees are rounded down; amounts held for open orders are
    /// rounded up.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] on overflow.
    pub fn fee(&self, amount_won: Decimal, rounding: Rounding) -> Result<Won, MoneyError> {
        let exact = amount_won.checked_mul(self.fee_rate);
        Won::from_decimal(exact.ok_or(MoneyError::OutOfRange)?, rounding)
    }

    /// Taxes and regulatory fees of a sale, rounded down to a whole won.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] on overflow.
    pub fn sell_tax(&self, sold: &SoldTotal) -> Result<Won, MoneyError> {
        let exact = self.exact_sell_tax(sold).ok_or(MoneyError::OutOfRange)?;
        Won::from_decimal(exact, Rounding::Down)
    }

    /// Won per dollar for a purchase.
    #[must_use]
    pub fn buy_fx(&self, middle: Decimal) -> Decimal {
        middle.saturating_mul(Decimal::ONE.saturating_add(self.fx_spread_rate))
    }

    /// Won per dollar for a sale.
    #[must_use]
    pub fn sell_fx(&self, middle: Decimal) -> Decimal {
        middle.saturating_mul(Decimal::ONE.saturating_sub(self.fx_spread_rate))
    }

    fn exact_sell_tax(&self, sold: &SoldTotal) -> Option<Decimal> {
        let share = self.sell_tax_rate.checked_add(self.sec_rate)?;
        let by_amount = sold.amount_won.checked_mul(share)?;
        if self.taf_per_share_usd.is_zero() || sold.amount.is_zero() {
            return Some(by_amount);
        }
        let taf_usd = sold.quantity.checked_mul(self.taf_per_share_usd)?;
        let taf_won = taf_usd
            .min(self.taf_most_usd)
            .checked_mul(sold.amount_won)?
            .checked_div(sold.amount)?;
        by_amount.checked_add(taf_won)
    }
}

/// Rates of every market over time.
#[derive(Clone, Debug)]
pub struct FeeTable {
    rows: Vec<(MarketCode, FeeRates)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the fee table has no row for market {}", .0.as_str())]
pub struct MissingMarket(pub MarketCode);

impl FeeTable {
    #[must_use]
    pub fn standard() -> Self {
        Self {
            rows: schedule::rows(),
        }
    }

    /// Rows may be in any order.
    ///
    /// # Errors
    /// [`MissingMarket`] when a market has no row.
    pub fn new(rows: Vec<(MarketCode, FeeRates)>) -> Result<Self, MissingMarket> {
        for market in MarketCode::ALL {
            if !rows.iter().any(|(of, _)| *of == market) {
                return Err(MissingMarket(market));
            }
        }
        Ok(Self { rows })
    }

    /// Before the first row the first row applies.
    #[must_use]
    pub fn rates(&self, market: MarketCode, on: NaiveDate) -> FeeRates {
        let rows = || {
            let of_market = self.rows.iter().filter(|(of, _)| *of == market);
            of_market.map(|(_, rates)| rates)
        };
        let in_force = rows()
            .filter(|rates| rates.effective_from <= on)
            .max_by_key(|rates| rates.effective_from);
        let first = || rows().min_by_key(|rates| rates.effective_from);
        in_force
            .or_else(first)
            .copied()
            .unwrap_or(schedule::NO_COSTS)
    }
}

/// The default rates on a trade date.
#[must_use]
pub fn rates(market: MarketCode, on: NaiveDate) -> FeeRates {
    FeeTable::standard().rates(market, on)
}
