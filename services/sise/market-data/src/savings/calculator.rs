//! The interest of an amount: selects the option of a product and applies `market_rules`.

use chrono::NaiveDate;
use kernel::{AccountCode, MoneyError, Won};
use market_rules::contract::{Agreement, FREE_MONTHLY_CAP, LEAST_AMOUNT, Paid, Plan};
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
    /// The opening day, from which a free savings plan counts the days of its months.
    pub opened_on: NaiveDate,
}

#[derive(Clone, Debug, PartialEq)]
pub struct InterestQuote {
    pub terms: Terms,
    /// Percent a year without preference.
    pub base_percent: Decimal,
    /// `S`, `F`, or empty for a deposit.
    pub reserve: String,
    pub maturity: Maturity,
    pub schedule: Vec<Month>,
}

/// # Errors
/// [`MarketError::InvalidAmount`] outside the product's limits, [`MarketError::TermNotOffered`] for
/// terms it does not have.
pub fn quote(offer: &Offer, query: InterestQuery<'_>) -> Result<InterestQuote, MarketError> {
    let product = &offer.product;
    let not_offered = || MarketError::TermNotOffered {
        offered: offer.options.iter().map(|row| row.term_months).collect(),
    };
    let months = query.months.unwrap_or(product.term_months);
    let option = option(offer, query, months).ok_or_else(not_offered)?;
    let is_deposit = product.kind == AccountCode::Deposit.as_str();
    let is_free = !is_deposit && option.reserve_type == "F";
    let limits = limits(product, is_free);
    check_amount(query.amount, limits)?;
    let base_percent = option.rate.ok_or_else(not_offered)?;
    let terms = Terms {
        payment: if is_deposit {
            Payment::Once
        } else {
            Payment::Monthly
        },
        compounding: if is_free {
            Compounding::Simple
        } else {
            compounding(option)
        },
        annual_percent: rate(option, query.best).ok_or_else(not_offered)?,
        months: u32::try_from(months).unwrap_or(0),
    };
    let sums = if is_free {
        free_sums(&terms, base_percent, query)
    } else {
        let maturity = terms.at_maturity(query.amount);
        maturity.and_then(|maturity| Ok((maturity, terms.schedule(query.amount)?)))
    };
    let (maturity, schedule) = sums.map_err(|_beyond| invalid_amount(limits))?;
    Ok(InterestQuote {
        terms,
        base_percent,
        reserve: option.reserve_type.clone(),
        maturity,
        schedule,
    })
}

/// The same sum paid into a free savings plan on the same day of every month.
fn free_sums(
    terms: &Terms,
    base_percent: Decimal,
    query: InterestQuery<'_>,
) -> Result<(Maturity, Vec<Month>), MoneyError> {
    let agreement = Agreement {
        plan: Plan::Free,
        compounding: terms.compounding,
        base_percent,
        percent: terms.annual_percent,
        opened_on: query.opened_on,
        months: terms.months,
    };
    let payment = |number| Paid {
        number,
        amount: query.amount,
        on: agreement.anniversary(number),
    };
    let payments: Vec<Paid> = (0..terms.months).map(payment).collect();
    let earnings = agreement.at_maturity(&payments)?;
    let maturity = Maturity {
        principal: earnings.principal,
        interest: earnings.interest,
        tax: earnings.tax,
        after_tax: earnings.net()?,
        payout: earnings.payout()?,
    };
    let month = |(number, paid): (u32, &[Paid])| {
        Ok(Month {
            number,
            paid: Won::checked_sum(paid.iter().map(|one| one.amount))?,
            interest: agreement.interest_by_month(paid, number)?,
        })
    };
    let so_far = (1_u32..).zip((1..=payments.len()).filter_map(|count| payments.get(..count)));
    let schedule = so_far.map(month).collect::<Result<_, _>>()?;
    Ok((maturity, schedule))
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
    if best { option.best_rate } else { option.rate }
}

/// Least and most of a product: of a month for savings.
fn limits(product: &SavingsProduct, is_free: bool) -> (Won, Won) {
    let default = if is_free {
        FREE_MONTHLY_CAP.0
    } else {
        MAX_AMOUNT_WON
    };
    let least = product.least_amount_won.unwrap_or(LEAST_AMOUNT.0).max(1);
    let most = product.most_amount_won.unwrap_or(default);
    (Won(least), Won(most.min(MAX_AMOUNT_WON)))
}

fn check_amount(amount: Won, limits: (Won, Won)) -> Result<(), MarketError> {
    if (limits.0..=limits.1).contains(&amount) {
        Ok(())
    } else {
        Err(invalid_amount(limits))
    }
}

fn invalid_amount((least, most): (Won, Won)) -> MarketError {
    MarketError::InvalidAmount { least, most }
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
            opened_on: "2026-01-31".parse().unwrap(),
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
    fn a_free_plan_earns_simple_interest_by_days() {
        let savings = savings();
        let free = savings.offers().iter().find(|offer| {
            let own = |option: &SavingsOption| option.reserve_type == "F";
            offer.product.term_months == 12 && offer.options.iter().all(own)
        });
        let quote = quote(free.unwrap(), query(100_000)).unwrap();
        // From the 31st of January: 365, 337, 306, 276, … 31 days.
        let days: i64 = [365, 337, 306, 276, 245, 215, 184, 153, 123, 92, 62, 31]
            .iter()
            .sum();
        let exact = quote.terms.annual_percent * Decimal::from(100_000 * days) / dec!(36500);
        assert_eq!(quote.maturity.interest.to_decimal(), exact.floor());
        assert_eq!(quote.maturity.principal, Won(1_200_000));
        assert_eq!(quote.terms.compounding, Compounding::Simple);
        let last = quote.schedule.last().unwrap();
        assert_eq!((quote.schedule.len(), last.paid), (12, Won(1_200_000)));
        assert_eq!(last.interest, quote.maturity.interest);
    }

    #[test]
    fn a_free_plan_takes_three_million_won_a_month_where_it_has_no_limit_of_its_own() {
        let savings = savings();
        let free = savings.offers().iter().find(|offer| {
            let own = |option: &SavingsOption| option.reserve_type == "F";
            offer.product.most_amount_won.is_none() && offer.options.iter().all(own)
        });
        let free = free.unwrap();
        quote(free, query(3_000_000)).unwrap();
        let refused = quote(free, query(3_000_001));
        assert!(
            matches!(refused, Err(MarketError::InvalidAmount { most, .. })
            if most == Won(3_000_000))
        );
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
