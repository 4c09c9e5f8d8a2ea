//! Fees and taxes by market and trade date.
//!
//! Rates are of the order's running total, so that a share-by-share split is never cheaper: who
//! books a fill takes the cost of the total so far and subtracts what is booked already.

mod schedule;

use chrono::NaiveDate;
use kernel::{MarketCode, MoneyError, Won, money::Rounding};
use rust_decimal::Decimal;

/// What trading in one market costs on one day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FeeRates {
    /// First trade date of these rates.
    pub effective_from: NaiveDate,
    /// Commission on purchases and sales, as a share of the amount.
    pub fee_rate: Decimal,
    /// Tax on sales, as a share of the amount.
    pub sell_tax_rate: Decimal,
    /// The SEC's section 31 fee on sales, as a share of the amount.
    pub sec_rate: Decimal,
    /// FINRA's trading activity fee on sales, in dollars a share.
    pub taf_per_share_usd: Decimal,
    /// Most that FINRA's fee comes to, in dollars an order.
    pub taf_most_usd: Decimal,
    /// How far the won price of a dollar is from the middle rate, as a share of it: added for a
    /// purchase, taken off for a sale.
    pub fx_spread_rate: Decimal,
}

/// The part of a sale order that is filled so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoldTotal {
    /// Sum of price × quantity in the instrument's currency.
    pub amount: Decimal,
    /// The same sum in won, each fill at its own exchange rate, not rounded.
    pub amount_won: Decimal,
    /// Number of shares, coins or grams.
    pub quantity: Decimal,
}

impl FeeRates {
    /// Commission on an exact amount in won. Booked fees are rounded down; what is held for an
    /// open order is rounded up.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] when the product does not fit.
    pub fn fee(&self, amount_won: Decimal, rounding: Rounding) -> Result<Won, MoneyError> {
        let exact = amount_won.checked_mul(self.fee_rate);
        Won::from_decimal(exact.ok_or(MoneyError::OutOfRange)?, rounding)
    }

    /// Tax and official fees of a sale, rounded down to a whole won.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] when a product does not fit.
    pub fn sell_tax(&self, sold: &SoldTotal) -> Result<Won, MoneyError> {
        let exact = self.exact_sell_tax(sold).ok_or(MoneyError::OutOfRange)?;
        Won::from_decimal(exact, Rounding::Down)
    }

    /// Won per dollar that a buyer pays, from the middle rate.
    #[must_use]
    pub fn buy_fx(&self, middle: Decimal) -> Decimal {
        middle.saturating_mul(Decimal::ONE.saturating_add(self.fx_spread_rate))
    }

    /// Won per dollar that a seller receives, from the middle rate.
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

/// A market without rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the fee table has no row for market {}", .0.as_str())]
pub struct MissingMarket(pub MarketCode);

impl FeeTable {
    /// The rates this product charges unless an operator has edited them.
    #[must_use]
    pub fn standard() -> Self {
        Self {
            rows: schedule::rows(),
        }
    }

    /// A table of other rows, in any order.
    ///
    /// # Errors
    /// [`MissingMarket`] when a market has no row at all.
    pub fn new(rows: Vec<(MarketCode, FeeRates)>) -> Result<Self, MissingMarket> {
        for market in MarketCode::ALL {
            if !rows.iter().any(|(of, _)| *of == market) {
                return Err(MissingMarket(market));
            }
        }
        Ok(Self { rows })
    }

    /// The rates of a market on a trade date. Before the first row the first row holds.
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
        in_force.or_else(first).copied().unwrap_or(schedule::FREE)
    }
}

/// The standard rates of a market on a trade date.
#[must_use]
pub fn rates(market: MarketCode, on: NaiveDate) -> FeeRates {
    FeeTable::standard().rates(market, on)
}
