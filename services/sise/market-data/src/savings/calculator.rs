//! The interest of an amount: selects the option of a product and applies `market_rules::interest`.

use kernel::Won;
use market_rules::interest::{Compounding, Maturity, Month, Payment, Terms};
use rust_decimal::Decimal;

use super::Offer;
use crate::error::MarketError;
use crate::seed::{SavingsOption, SavingsProduct};

/// Upper bound of any amount, so that the interest stays an integer that every client represents
/// exactly.
const MAX_AMOUNT_WON: i64 = 1_000_000_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InterestQuery<'a> {
    /// Once for a deposit, monthly for a savings plan.
    pub amount: Won,
    /// `None` = the product's default term.
    pub months: Option<i32>,
    /// `None` = as the product has it.
    pub compounding: Option<Compounding>,
    /// `S` or `F`; `None` = as the product has it.
    pub reserve: Option<&'a str>,
    /// Apply the best rate, which requires every preferential condition.
    pub best: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct InterestQuote {
    pub terms: Terms,
    pub maturity: Maturity,
    pub schedule: Vec<Month>,
}

/// # Errors
/// [`MarketError::InvalidAmount`] outside the product's limits, [`MarketError::TermNotOffered`] for
/// terms it does not have.
pub fn quote(offer: &Offer, query: InterestQuery<'_>) -> Result<InterestQuote, MarketError> {
    let product = &offer.product;
    check_amount(product, query.amount)?;
    let months = query.months.unwrap_or(product.term_months);
    let option = option(offer, query, months).ok_or_else(|| MarketError::TermNotOffered {
        offered: offer.options.iter().map(|row| row.term_months).collect(),
    })?;
    let rate = rate(option, query.best).ok_or_else(|| MarketError::TermNotOffered {
        offered: offer.options.iter().map(|row| row.term_months).collect(),
    })?;
    let terms = Terms {
        payment: if product.kind == "03" {
            Payment::Once
        } else {
            Payment::Monthly
        },
        compounding: compounding(option),
        annual_percent: rate,
        months: u32::try_from(months).unwrap_or(0),
    };
    let overflow = |_beyond| invalid_amount(product);
    Ok(InterestQuote {
        terms,
        maturity: terms.at_maturity(query.amount).map_err(overflow)?,
        schedule: terms.schedule(query.amount).map_err(overflow)?,
    })
}

#[must_use]
pub fn compounding(option: &SavingsOption) -> Compounding {
    if option.interest_type == "M" {
        Compounding::Monthly
    } else {
        Compounding::Simple
    }
}

/// The option that matches `query`: among those with the term the one with the highest rate, the
/// product's default interest and payment types first.
fn option<'a>(
    offer: &'a Offer,
    query: InterestQuery<'_>,
    months: i32,
) -> Option<&'a SavingsOption> {
    let product = &offer.product;
    let matches = |option: &&SavingsOption| {
        option.term_months == months
            && query
                .compounding
                .is_none_or(|wanted| compounding(option) == wanted)
            && query
                .reserve
                .is_none_or(|wanted| option.reserve_type == wanted)
    };
    let is_default = |option: &SavingsOption| {
        let own = if product.interest_type == "02" {
            Compounding::Monthly
        } else {
            Compounding::Simple
        };
        (
            compounding(option) == own,
            option.reserve_type == product.reserve_type,
        )
    };
    let matching = offer.options.iter().filter(matches);
    matching.max_by_key(|option| (is_default(option), rate(option, query.best)))
}

fn rate(option: &SavingsOption, best: bool) -> Option<Decimal> {
    if best {
        option.best_rate.or(option.rate)
    } else {
        option.rate
    }
}

fn check_amount(product: &SavingsProduct, amount: Won) -> Result<(), MarketError> {
    let least = product.least_amount_won.unwrap_or(1).max(1);
    let most = product.most_amount_won.unwrap_or(MAX_AMOUNT_WON);
    if (least..=most.min(MAX_AMOUNT_WON)).contains(&amount.0) {
        Ok(())
    } else {
        Err(invalid_amount(product))
    }
}

fn invalid_amount(product: &SavingsProduct) -> MarketError {
    MarketError::InvalidAmount {
        least: Won(product.least_amount_won.unwrap_or(1)),
        most: Won(product.most_amount_won.unwrap_or(MAX_AMOUNT_WON)),
    }
}

#[cfg(test)]
mod tests {
    use rust_decimal_macros::dec;

    use super::*;
    use crate::savings::Savings;
    use crate::seed;

    fn query(amount: i64) -> InterestQuery<'static> {
        InterestQuery {
            amount: Won(amount),
            months: None,
            compounding: None,
            reserve: None,
            best: false,
        }
    }

    fn savings() -> Savings {
        let universe = seed::MARKET.read().unwrap();
        Savings::new(universe.products, &universe.options)
    }

    #[test]
    fn every_product_has_its_usual_term() {
        for offer in savings().offers() {
            let amount = offer.product.least_amount_won.unwrap_or(10_000);
            let quote = quote(offer, query(amount)).unwrap();
            assert_eq!(quote.terms.annual_percent, offer.product.base_rate);
            let best = InterestQuery {
                best: true,
                ..query(amount)
            };
            let best = super::quote(offer, best).unwrap();
            assert_eq!(best.terms.annual_percent, offer.product.best_rate);
            assert!(best.maturity.payout >= quote.maturity.payout);
        }
    }

    #[test]
    fn a_deposit_of_a_year() {
        // 카카오뱅크 정기예금: 3.3 % simple.
        let savings = savings();
        let quote = quote(savings.get(28).unwrap(), query(10_000_000)).unwrap();
        assert_eq!(quote.terms.annual_percent, dec!(3.3));
        assert_eq!(quote.maturity.interest, Won(330_000));
        assert_eq!(quote.maturity.payout, Won(10_279_180));
        assert_eq!(quote.schedule.len(), 12);
    }

    #[test]
    fn a_sum_or_term_that_is_not_offered_is_refused() {
        let savings = savings();
        let offer = savings.get(28).unwrap();
        for amount in [i64::MIN, -1, 0, 999_999, MAX_AMOUNT_WON + 1, i64::MAX] {
            let refused = quote(offer, query(amount));
            assert!(
                matches!(refused, Err(MarketError::InvalidAmount { least, .. }) if least == Won(1_000_000)),
                "{amount}"
            );
        }
        for months in [-1, 0, 7, i32::MAX] {
            let odd = InterestQuery {
                months: Some(months),
                ..query(1_000_000)
            };
            assert!(matches!(
                quote(offer, odd),
                Err(MarketError::TermNotOffered { .. })
            ));
        }
    }
}
