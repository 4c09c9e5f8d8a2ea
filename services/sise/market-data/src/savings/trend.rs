//! Average rates by kind and term.

use std::sync::Arc;

use kernel::AccountCode;
use rust_decimal::{Decimal, RoundingStrategy};

use super::Offer;

/// Terms that are compared.
const TERMS: [i32; 4] = [6, 12, 24, 36];
const KINDS: [AccountCode; 2] = [AccountCode::Deposit, AccountCode::Save];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateAverage {
    /// `03` deposit, `04` savings plan.
    pub kind: &'static str,
    pub term_months: i32,
    /// Mean of the base rates, two decimals.
    pub average: Decimal,
    /// Highest of the best rates.
    pub best: Decimal,
    /// Products that offer the term.
    pub count: usize,
}

/// Averages of every kind and term that is offered. Of several options for a term only the best one
/// of a product counts.
#[must_use]
pub fn averages(offers: &[Arc<Offer>]) -> Vec<RateAverage> {
    let pairs = KINDS
        .map(AccountCode::as_str)
        .into_iter()
        .flat_map(|kind| TERMS.into_iter().map(move |term| (kind, term)));
    pairs
        .filter_map(|(kind, term)| average(offers, kind, term))
        .collect()
}

fn average(offers: &[Arc<Offer>], kind: &'static str, term_months: i32) -> Option<RateAverage> {
    let of_kind = offers.iter().filter(|offer| offer.product.kind == kind);
    let rates: Vec<(Decimal, Decimal)> = of_kind
        .filter_map(|offer| {
            let options = offer.options.iter();
            let of_term = options.filter(|option| option.term_months == term_months);
            of_term
                .filter_map(|option| {
                    let rate = option.rate?;
                    Some((rate, option.best_rate.unwrap_or(rate)))
                })
                .max_by_key(|(rate, best)| (*best, *rate))
        })
        .collect();
    let best = rates.iter().map(|(_, best)| *best).max()?;
    let sum: Decimal = rates.iter().map(|(rate, _)| *rate).sum();
    let average = sum.checked_div(Decimal::from(rates.len()))?;
    Some(RateAverage {
        kind,
        term_months,
        average: average.round_dp_with_strategy(2, RoundingStrategy::MidpointAwayFromZero),
        best,
        count: rates.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::savings::Savings;
    use crate::seed;

    #[test]
    fn kinds_and_terms_have_averages() {
        let universe = seed::MARKET.read().unwrap();
        let savings = Savings::new(universe.products, &universe.options);
        let averages = averages(savings.offers());
        assert_eq!(averages.len(), 8);
        let year = &averages[1];
        assert_eq!((year.kind, year.term_months), ("03", 12));
        assert!(year.count > 20);
        assert!(year.average > Decimal::TWO && year.average <= year.best);
    }
}
