//! What a sum would earn in a product: which of its terms applies, and the arithmetic of
//! `market_rules::interest`.

use kernel::Won;
use market_rules::interest::{Compounding, Maturity, Month, Payment, Terms};
use rust_decimal::Decimal;

use super::Offer;
use crate::error::MarketError;
use crate::seed::{SavingsOption, SavingsProduct};

/// A sum that no product takes, however it is disclosed: beyond it the interest on it would not
/// be a number that every client keeps exactly.
const MOST_AMOUNT: i64 = 1_000_000_000_000;

/// What somebody wants to know the interest of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish<'a> {
    /// At once, or every month for savings.
    pub amount: Won,
    /// `None` = the usual term.
    pub months: Option<i32>,
    /// `None` = as the product has it.
    pub compounding: Option<Compounding>,
    /// `S` or `F`; `None` = as the product has it.
    pub reserve: Option<&'a str>,
    /// With every preference.
    pub best: bool,
}

/// What it earns.
#[derive(Clone, Debug, PartialEq)]
pub struct Quote {
    /// The terms that apply.
    pub terms: Terms,
    /// What is there at the end.
    pub maturity: Maturity,
    /// How it stands month by month.
    pub schedule: Vec<Month>,
}

/// What `wish` earns in `offer`.
///
/// # Errors
/// [`MarketError::InvalidAmount`] for a sum the product does not take,
/// [`MarketError::TermNotOffered`] for terms it does not have.
pub fn quote(offer: &Offer, wish: Wish<'_>) -> Result<Quote, MarketError> {
    let product = &offer.product;
    check_amount(product, wish.amount)?;
    let months = wish.months.unwrap_or(product.term_months);
    let option = option(offer, wish, months).ok_or_else(|| MarketError::TermNotOffered {
        offered: offer.options.iter().map(|row| row.term_months).collect(),
    })?;
    let rate = rate(option, wish.best).ok_or_else(|| MarketError::TermNotOffered {
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
    let too_much = |_beyond| invalid_amount(product);
    Ok(Quote {
        terms,
        maturity: terms.at_maturity(wish.amount).map_err(too_much)?,
        schedule: terms.schedule(wish.amount).map_err(too_much)?,
    })
}

/// Whether an option pays compound interest.
#[must_use]
pub fn compounding(option: &SavingsOption) -> Compounding {
    if option.interest_type == "M" {
        Compounding::Monthly
    } else {
        Compounding::Simple
    }
}

/// The option that `wish` means: of those of the term the one that pays most, the product's own
/// kind of interest and payment before others.
fn option<'a>(offer: &'a Offer, wish: Wish<'_>, months: i32) -> Option<&'a SavingsOption> {
    let product = &offer.product;
    let fits = |option: &&SavingsOption| {
        option.term_months == months
            && wish
                .compounding
                .is_none_or(|wanted| compounding(option) == wanted)
            && wish
                .reserve
                .is_none_or(|wanted| option.reserve_type == wanted)
    };
    let usual = |option: &SavingsOption| {
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
    let fitting = offer.options.iter().filter(fits);
    fitting.max_by_key(|option| (usual(option), rate(option, wish.best)))
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
    let most = product.most_amount_won.unwrap_or(MOST_AMOUNT);
    if (least..=most.min(MOST_AMOUNT)).contains(&amount.0) {
        Ok(())
    } else {
        Err(invalid_amount(product))
    }
}

fn invalid_amount(product: &SavingsProduct) -> MarketError {
    MarketError::InvalidAmount {
        least: Won(product.least_amount_won.unwrap_or(1)),
        most: Won(product.most_amount_won.unwrap_or(MOST_AMOUNT)),
    }
}

#[cfg(test)]
mod tests {
    use rust_decimal_macros::dec;

    use super::*;
    use crate::savings::Savings;
    use crate::seed;

    fn wish(amount: i64) -> Wish<'static> {
        Wish {
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
            let quote = quote(offer, wish(amount)).unwrap();
            assert_eq!(quote.terms.annual_percent, offer.product.base_rate);
            let best = Wish {
                best: true,
                ..wish(amount)
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
        let quote = quote(savings.get(28).unwrap(), wish(10_000_000)).unwrap();
        assert_eq!(quote.terms.annual_percent, dec!(3.3));
        assert_eq!(quote.maturity.interest, Won(330_000));
        assert_eq!(quote.maturity.payout, Won(10_279_180));
        assert_eq!(quote.schedule.len(), 12);
    }

    #[test]
    fn a_sum_or_term_that_is_not_offered_is_refused() {
        let savings = savings();
        let offer = savings.get(28).unwrap();
        for amount in [i64::MIN, -1, 0, 999_999, MOST_AMOUNT + 1, i64::MAX] {
            let refused = quote(offer, wish(amount));
            assert!(
                matches!(refused, Err(MarketError::InvalidAmount { least, .. }) if least == Won(1_000_000)),
                "{amount}"
            );
        }
        for months in [-1, 0, 7, i32::MAX] {
            let odd = Wish {
                months: Some(months),
                ..wish(1_000_000)
            };
            assert!(matches!(
                quote(offer, odd),
                Err(MarketError::TermNotOffered { .. })
            ));
        }
    }
}
