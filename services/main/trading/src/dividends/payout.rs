//! Payment of a dividend: won before tax, tax, and won before the exchange spread.

use kernel::{AccountId, Currency, MarketCode, MoneyError, Quantity, Won, money::Rounding};
use market_rules::{FeeRates, dividend};
use rust_decimal::Decimal;

use crate::ledger::{Book, Posting};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Payout {
    /// Before tax; of dollars after the exchange spread of a sale.
    pub gross: Won,
    pub tax: Won,
    /// Before tax and spread, at the middle exchange rate.
    pub base: Won,
}

impl Payout {
    /// Credit of the account.
    #[must_use]
    pub fn net(&self) -> Won {
        Won(self.gross.0 - self.tax.0)
    }

    /// The double entry of the payment.
    #[must_use]
    pub fn postings(&self, account: AccountId) -> Vec<Posting> {
        vec![
            Posting::to_account(account, self.net()),
            Posting::to_book(Book::Tax, self.tax),
            Posting::to_book(Book::Fx, Won(self.base.0 - self.gross.0)),
            Posting::to_book(Book::Dividend, Won(-self.base.0)),
        ]
    }
}

/// The market whose fees and taxes apply to a payment in `currency`.
#[must_use]
pub fn market_of(currency: Currency) -> MarketCode {
    match currency {
        Currency::Usd => MarketCode::Global,
        Currency::Krw => MarketCode::Kospi,
    }
}

/// Payment for `quantity` shares at `amount` of `currency` each. `middle` is the middle exchange rate, won per
/// unit of the currency.
///
/// # Errors
/// [`MoneyError::OutOfRange`] when a sum does not fit.
pub fn payout(
    quantity: Quantity,
    amount: Decimal,
    currency: Currency,
    middle: Decimal,
    rates: &FeeRates,
) -> Result<Payout, MoneyError> {
    let exact = quantity
        .0
        .checked_mul(amount)
        .and_then(|earned| earned.checked_mul(middle))
        .ok_or(MoneyError::OutOfRange)?;
    let gross = Won::from_decimal(rates.sell_fx(exact), Rounding::Down)?;
    Ok(Payout {
        gross,
        tax: dividend::tax(gross, currency)?,
        base: Won::from_decimal(exact, Rounding::Down)?,
    })
}

#[cfg(test)]
mod tests {
    use rust_decimal_macros::dec;

    use super::*;
    use crate::domain::cost::Costs;

    fn paid(market: MarketCode, quantity: Decimal, amount: Decimal, middle: Decimal) -> Payout {
        let currency = if market == MarketCode::Global {
            Currency::Usd
        } else {
            Currency::Krw
        };
        let rates = Costs::standard().on(market, 20_261_120);
        payout(Quantity(quantity), amount, currency, middle, &rates).unwrap()
    }

    #[test]
    fn a_domestic_dividend_is_taxed_like_interest() {
        let paid = paid(MarketCode::Kospi, dec!(100), dec!(361), dec!(1));
        let expected = Payout {
            gross: Won(36_100),
            tax: Won(5_050 + 500),
            base: Won(36_100),
        };
        assert_eq!(paid, expected);
    }

    #[test]
    fn a_dollar_dividend_is_converted_and_taxed_at_source() {
        // 10 × 0.26 $ at 1,470 won less a thousandth.
        let paid = paid(MarketCode::Global, dec!(10), dec!(0.26), dec!(1_470));
        let expected = Payout {
            gross: Won(3_818),
            tax: Won(572),
            base: Won(3_822),
        };
        assert_eq!(paid, expected);
    }

    #[test]
    fn less_than_a_won_pays_nothing() {
        let paid = paid(MarketCode::Kospi, dec!(0.5), dec!(1), dec!(1));
        assert_eq!((paid.gross, paid.tax, paid.base), (Won(0), Won(0), Won(0)));
    }
}
