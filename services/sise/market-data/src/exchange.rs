//! Exchange rates of the feed, or of the seed for currencies the feed does not have.

use proto::convert::decimal;
use proto::market::v1 as wire;
use rust_decimal::Decimal;

use crate::catalogue::Catalogue;
use crate::feed::LatestRates;

const DOLLAR: &str = "USD";

#[derive(Clone, Debug)]
pub struct ExchangeRates {
    catalogue: Catalogue,
    rates: LatestRates,
}

impl ExchangeRates {
    #[must_use]
    pub fn new(catalogue: Catalogue, rates: LatestRates) -> Self {
        Self { catalogue, rates }
    }

    /// `None` while neither the feed nor the seed has a rate.
    #[must_use]
    pub fn dollar_won(&self) -> Option<Decimal> {
        let told = self.rates.currencies().into_iter();
        if let Some(dollar) = told.into_iter().find(|rate| rate.code == DOLLAR) {
            return Some(dollar.value);
        }
        let mut seeded = self.catalogue.currencies().iter();
        let dollar = seeded.find(|currency| currency.unit == DOLLAR);
        dollar.map(|currency| currency.base_rate)
    }

    /// All rates with the last ones of the previous day. `now_us` is the time of the seed's rates.
    #[must_use]
    pub fn all(&self, now_us: i64) -> Vec<wire::ExchangeRate> {
        let told = self.rates.currencies();
        let currencies = self.catalogue.currencies().iter();
        let rates = currencies.map(|currency| {
            let told = told.iter().find(|rate| rate.code == currency.unit);
            let base = currency.base_rate;
            wire::ExchangeRate {
                unit: currency.unit.clone(),
                korean_name: currency.korean_name.clone(),
                rate: Some(decimal(told.map_or(base, |rate| rate.value))),
                prev_close: Some(decimal(told.map_or(base, |rate| rate.previous))),
                as_of_us: told.map_or(now_us, |rate| rate.as_of_us),
            }
        });
        rates.collect()
    }
}

#[cfg(test)]
mod tests {
    use proto::convert::to_required_decimal;
    use rust_decimal_macros::dec;

    use super::*;
    use crate::feed::rates::Rate;
    use crate::seed;

    #[test]
    fn rates_of_the_feed_take_precedence_over_the_seed() {
        let universe = seed::MARKET.read().unwrap();
        let catalogue = Catalogue::new(vec![], vec![], universe.currencies);
        let board = LatestRates::default();
        let rates = ExchangeRates::new(catalogue, board.clone());
        assert_eq!(rates.dollar_won(), Some(dec!(1470)));
        let told = Rate {
            code: "USD".to_owned(),
            korean_name: "미국 달러".to_owned(),
            value: dec!(1481.5),
            previous: dec!(1470),
            at_midnight: None,
            as_of_us: 7,
        };
        board.set(vec![told], vec![]);
        assert_eq!(rates.dollar_won(), Some(dec!(1481.5)));
        let all = rates.all(99);
        assert_eq!(all.len(), 4);
        assert_eq!((all[0].as_of_us, all[1].as_of_us), (7, 99));
        let rate = to_required_decimal(all[0].rate.as_ref(), "rate");
        assert_eq!(rate, Ok(dec!(1481.5)));
    }

    #[test]
    fn an_unknown_rate_is_none() {
        let nothing = Catalogue::new(vec![], vec![], vec![]);
        let rates = ExchangeRates::new(nothing, LatestRates::default());
        assert_eq!(rates.dollar_won(), None);
    }
}
