//! Money without floats: integer won, and decimal prices and quantities.
//!
//! Operations that can overflow return a `Result`. `Price × Quantity → Won` exists once, in
//! [`Won::from_trade`], with the rounding as an argument.

use std::fmt;

use rust_decimal::{Decimal, RoundingStrategy, prelude::ToPrimitive};
use serde::{Deserialize, Serialize};

/// Whole Korean won. Signed, because ledger postings are.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "db", derive(sea_orm::DeriveValueType))]
#[serde(transparent)]
pub struct Won(pub i64);

/// Price of one unit in the instrument's own currency. Never negative in a valid instrument.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "db", derive(sea_orm::DeriveValueType))]
#[serde(transparent)]
pub struct Price(pub Decimal);

/// A number of shares, coins or grams.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[cfg_attr(feature = "db", derive(sea_orm::DeriveValueType))]
#[serde(transparent)]
pub struct Quantity(pub Decimal);

/// Rounding of a fraction of a won: up for what members pay, down for what they receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    Up,
    Down,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoneyError {
    /// More than 64 bits of won or 96 bits of decimal.
    #[error("amount out of range")]
    OutOfRange,
}

impl Won {
    pub const ZERO: Self = Self(0);

    /// `price × quantity × fx_rate`, rounded once. `fx_rate` is won per unit of the price's
    /// currency, and one for won.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] when the product does not fit.
    pub fn from_trade(
        price: Price,
        quantity: Quantity,
        fx_rate: Decimal,
        rounding: Rounding,
    ) -> Result<Self, MoneyError> {
        let exact = price
            .0
            .checked_mul(quantity.0)
            .and_then(|amount| amount.checked_mul(fx_rate))
            .ok_or(MoneyError::OutOfRange)?;
        Self::from_decimal(exact, rounding)
    }

    /// Rounds to whole won.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] when it does not fit.
    pub fn from_decimal(amount: Decimal, rounding: Rounding) -> Result<Self, MoneyError> {
        let strategy = match rounding {
            Rounding::Up => RoundingStrategy::ToPositiveInfinity,
            Rounding::Down => RoundingStrategy::ToNegativeInfinity,
        };
        amount
            .round_dp_with_strategy(0, strategy)
            .to_i64()
            .map(Self)
            .ok_or(MoneyError::OutOfRange)
    }

    #[must_use]
    pub fn to_decimal(self) -> Decimal {
        Decimal::from(self.0)
    }

    /// # Errors
    /// [`MoneyError::OutOfRange`] on overflow.
    pub fn checked_add(self, other: Self) -> Result<Self, MoneyError> {
        let sum = self.0.checked_add(other.0);
        sum.map(Self).ok_or(MoneyError::OutOfRange)
    }

    /// # Errors
    /// [`MoneyError::OutOfRange`] on overflow.
    pub fn checked_sub(self, other: Self) -> Result<Self, MoneyError> {
        let difference = self.0.checked_sub(other.0);
        difference.map(Self).ok_or(MoneyError::OutOfRange)
    }

    /// Negates the amount.
    ///
    /// # Errors
    /// [`MoneyError::OutOfRange`] for `i64::MIN`.
    pub fn checked_neg(self) -> Result<Self, MoneyError> {
        self.0.checked_neg().map(Self).ok_or(MoneyError::OutOfRange)
    }

    /// # Errors
    /// [`MoneyError::OutOfRange`] on overflow.
    pub fn checked_sum(amounts: impl IntoIterator<Item = Self>) -> Result<Self, MoneyError> {
        amounts.into_iter().try_fold(Self::ZERO, Self::checked_add)
    }
}

impl fmt::Display for Won {
    /// Grouped by thousands, as members read it: `1,234,567원`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.unsigned_abs().to_string();
        if self.0 < 0 {
            formatter.write_str("-")?;
        }
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                formatter.write_str(",")?;
            }
            write!(formatter, "{digit}")?;
        }
        formatter.write_str("원")
    }
}

macro_rules! plain_decimal {
    ($name:ident) => {
        impl $name {
            pub const ZERO: Self = Self(Decimal::ZERO);

            #[must_use]
            pub fn is_positive(self) -> bool {
                self.0 > Decimal::ZERO
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.normalize().fmt(formatter)
            }
        }

        impl From<Decimal> for $name {
            fn from(value: Decimal) -> Self {
                Self(value)
            }
        }
    };
}

plain_decimal!(Price);
plain_decimal!(Quantity);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rust_decimal_macros::dec;

    use super::*;

    #[test]
    fn a_buyer_pays_the_fraction_and_a_seller_does_not_get_it() {
        let trade = |rounding| {
            Won::from_trade(
                Price(dec!(0.12)),
                Quantity(dec!(10.1)),
                Decimal::ONE,
                rounding,
            )
        };
        assert_eq!(trade(Rounding::Up), Ok(Won(2)));
        assert_eq!(trade(Rounding::Down), Ok(Won(1)));
    }

    #[test]
    fn dollars_become_won_with_one_rounding() {
        let won = Won::from_trade(
            Price(dec!(309.35)),
            Quantity(dec!(3)),
            dec!(1471.47),
            Rounding::Up,
        );
        assert_eq!(won, Ok(Won(1_365_598)));
    }

    #[test]
    fn what_does_not_fit_is_an_error_and_not_a_wrap() {
        assert_eq!(
            Won(i64::MAX).checked_add(Won(1)),
            Err(MoneyError::OutOfRange)
        );
        assert_eq!(Won(i64::MIN).checked_neg(), Err(MoneyError::OutOfRange));
        let huge = Won::from_trade(
            Price(Decimal::MAX),
            Quantity(dec!(2)),
            Decimal::ONE,
            Rounding::Up,
        );
        assert_eq!(huge, Err(MoneyError::OutOfRange));
        assert_eq!(
            Won::from_decimal(dec!(9223372036854775808), Rounding::Down),
            Err(MoneyError::OutOfRange)
        );
    }

    #[test]
    fn won_reads_in_groups_of_three() {
        for (won, text) in [
            (0, "0원"),
            (999, "999원"),
            (1_000, "1,000원"),
            (-1_234_567, "-1,234,567원"),
        ] {
            assert_eq!(Won(won).to_string(), text);
        }
    }

    proptest! {
        #[test]
        fn up_and_down_differ_by_at_most_one_won(price in 0_i64..10_000_000, quantity in 0_i64..1_000_000_000) {
            let price = Price(Decimal::new(price, 4));
            let quantity = Quantity(Decimal::new(quantity, 8));
            let up = Won::from_trade(price, quantity, Decimal::ONE, Rounding::Up).unwrap();
            let down = Won::from_trade(price, quantity, Decimal::ONE, Rounding::Down).unwrap();
            let exact = price.0 * quantity.0;
            prop_assert!(down.to_decimal() <= exact && exact <= up.to_decimal());
            prop_assert!(up.0 - down.0 <= 1);
        }
    }
}
