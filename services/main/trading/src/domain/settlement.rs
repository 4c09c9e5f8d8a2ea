//! What one execution costs or brings. Rounding is cumulative per order: the won of a
//! fill are those of the order so far minus those already booked, so that many small fills are
//! never cheaper than one.

use kernel::{AccountId, MoneyError, Price, Quantity, Won, money::Rounding};
use market_rules::{FeeRates, fees::SoldTotal};
use rust_decimal::Decimal;

use crate::ledger::{Book, Posting};
use crate::orders::order::{FillTotals, Order, Side};

/// The won of one execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge {
    /// Paid or received for the quantity, exchange spread included.
    pub amount: Won,
    /// The same at the middle exchange rate: what the market's book gets or gives.
    pub base: Won,
    pub fee: Won,
    /// Tax and official fees.
    pub tax: Won,
    /// The order's sums after it.
    pub totals: FillTotals,
}

impl Charge {
    /// What leaves the account for a purchase.
    #[must_use]
    pub fn paid(&self) -> Won {
        Won(self.amount.0.saturating_add(self.fee.0))
    }

    /// What reaches the account for a sale.
    #[must_use]
    pub fn received(&self) -> Won {
        Won(self.amount.0 - self.fee.0 - self.tax.0)
    }
}

/// Charges an execution of `quantity` at `price` to an order. `middle` is won per unit of the
/// instrument's currency.
///
/// # Errors
/// [`MoneyError::OutOfRange`] when a sum does not fit.
pub fn charge(
    order: &Order,
    quantity: Quantity,
    price: Price,
    middle: Decimal,
    rates: &FeeRates,
) -> Result<Charge, MoneyError> {
    let before = (order.totals, order.filled);
    charge_after(order.side, before, quantity, price, middle, rates)
}

/// Charges an execution to an order that has booked and filled so much `before`.
///
/// # Errors
/// [`MoneyError::OutOfRange`] when a sum does not fit.
pub fn charge_after(
    side: Side,
    before: (FillTotals, Quantity),
    quantity: Quantity,
    price: Price,
    middle: Decimal,
    rates: &FeeRates,
) -> Result<Charge, MoneyError> {
    let quote = price
        .0
        .checked_mul(quantity.0)
        .ok_or(MoneyError::OutOfRange)?;
    let gross = quote.checked_mul(middle).ok_or(MoneyError::OutOfRange)?;
    let (before, filled) = before;
    let gross_exact = (before.gross_exact + gross).round_dp(16);
    let quote_exact = (before.quote_exact + quote).round_dp(16);
    let filled = Quantity(filled.0 + quantity.0);

    let (amount, base, tax) = match side {
        Side::Buy => (
            Won::from_decimal(rates.buy_fx(gross_exact), Rounding::Up)?,
            Won::from_decimal(gross_exact, Rounding::Up)?,
            Won::ZERO,
        ),
        Side::Sell => (
            Won::from_decimal(rates.sell_fx(gross_exact), Rounding::Down)?,
            Won::from_decimal(gross_exact, Rounding::Down)?,
            rates.sell_tax(&SoldTotal {
                amount: quote_exact,
                amount_won: gross_exact,
                quantity: filled.0,
            })?,
        ),
    };
    let fee = rates.fee(gross_exact, Rounding::Down)?;

    // Rates that fell since an earlier fill of the order give nothing back.
    let rise = |now: Won, booked: Won| Won(now.0.saturating_sub(booked.0).max(0));
    let amount = rise(amount, before.amount);
    let base = rise(base, before.base);
    let (fee, tax) = match side {
        Side::Buy => (rise(fee, before.fee), Won::ZERO),
        Side::Sell => {
            // A sale never costs more than it brings; the rest is booked with the next fill.
            let fee = rise(fee, before.fee).min(amount);
            let tax = rise(tax, before.tax).min(Won(amount.0 - fee.0));
            (fee, tax)
        }
    };
    Ok(Charge {
        amount,
        base,
        fee,
        tax,
        totals: FillTotals {
            gross_exact,
            quote_exact,
            amount: before.amount.checked_add(amount)?,
            base: before.base.checked_add(base)?,
            fee: before.fee.checked_add(fee)?,
            tax: before.tax.checked_add(tax)?,
        },
    })
}

/// The double entry of an execution for an account.
#[must_use]
pub fn postings(account: AccountId, side: Side, charge: &Charge) -> Vec<Posting> {
    let spread = match side {
        Side::Buy => charge.amount.0 - charge.base.0,
        Side::Sell => charge.base.0 - charge.amount.0,
    };
    let (own, market) = match side {
        Side::Buy => (-charge.paid().0, charge.base.0),
        Side::Sell => (charge.received().0, -charge.base.0),
    };
    vec![
        Posting::to_account(account, Won(own)),
        Posting::to_book(Book::Market, Won(market)),
        Posting::to_book(Book::Fx, Won(spread)),
        Posting::to_book(Book::Fee, charge.fee),
        Posting::to_book(Book::Tax, charge.tax),
    ]
}

#[cfg(test)]
mod tests {
    use kernel::MarketCode;
    use proptest::prelude::*;
    use rust_decimal_macros::dec;

    use super::*;
    use crate::domain::cost::Costs;
    use crate::domain::sample;

    fn total(order: &mut Order, parts: &[i64], price: Price, middle: Decimal) -> (i64, i64, i64) {
        let rates = Costs::standard().on(order.market, 20_261_121);
        let mut sums = (0, 0, 0);
        for part in parts {
            let quantity = Quantity(Decimal::from(*part));
            let charge = charge(order, quantity, price, middle, &rates).unwrap();
            let balance: i64 = postings(order.account_id, order.side, &charge)
                .iter()
                .map(|posting| posting.amount)
                .sum();
            assert_eq!(balance, 0);
            order.totals = charge.totals;
            order.filled.0 += quantity.0;
            sums.0 += charge.amount.0;
            sums.1 += charge.fee.0;
            sums.2 += charge.tax.0;
        }
        sums
    }

    #[test]
    fn a_sale_pays_fee_and_tax_and_a_purchase_the_fee_alone() {
        let mut buy = sample::order(1, Side::Buy, None, dec!(10));
        let price = Price(dec!(71_300));
        assert_eq!(total(&mut buy, &[10], price, dec!(1)), (713_000, 106, 0));
        let mut sell = sample::order(1, Side::Sell, None, dec!(10));
        assert_eq!(
            total(&mut sell, &[10], price, dec!(1)),
            (713_000, 106, 1_426)
        );
    }

    #[test]
    fn dollars_cost_the_spread_both_ways() {
        let price = Price(dec!(309.35));
        let mut buy = sample::order(1, Side::Buy, None, dec!(3));
        buy.market = MarketCode::Global;
        // 928.05 × 1470 × 1.001, up.
        assert_eq!(total(&mut buy, &[3], price, dec!(1470)).0, 1_365_598);
        let mut sell = sample::order(1, Side::Sell, None, dec!(3));
        sell.market = MarketCode::Global;
        // 928.05 × 1470 × 0.999, down.
        assert_eq!(total(&mut sell, &[3], price, dec!(1470)).0, 1_362_869);
    }

    proptest! {
        #[test]
        fn a_split_order_is_never_cheaper_than_a_whole_one(
            parts in prop::collection::vec(1_i64..50, 1..12),
            price in 1_i64..1_000_000,
            cents in any::<bool>(),
            buys in any::<bool>(),
        ) {
            let whole: i64 = parts.iter().sum();
            let side = if buys { Side::Buy } else { Side::Sell };
            let price = Price(Decimal::new(price, if cents { 2 } else { 0 }));
            let mut one = sample::order(1, side, None, Decimal::from(whole));
            let mut many = one.clone();
            let at_once = total(&mut one, &[whole], price, dec!(1));
            let in_parts = total(&mut many, &parts, price, dec!(1));
            prop_assert_eq!(at_once, in_parts);
        }
    }
}
