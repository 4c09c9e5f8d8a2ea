//! The latest exchange rates and index values of the feed.

use std::sync::Arc;

use parking_lot::RwLock;
use rust_decimal::Decimal;

/// A value and that of the previous close.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Currency unit or index code.
    pub code: String,
    pub korean_name: String,
    pub value: Decimal,
    /// Of a currency at the end of the Korean day before, of an index at the close before the
    /// present or last session of its venue.
    pub previous: Decimal,
    /// With which the Korean day before ended; `None` of a feed that has no past.
    pub at_midnight: Option<Decimal>,
    pub as_of_us: i64,
}

#[derive(Debug, Default)]
struct Rates {
    currencies: Vec<Rate>,
    indices: Vec<Rate>,
}

/// Clones share the rates.
#[derive(Clone, Debug, Default)]
pub struct LatestRates {
    rates: Arc<RwLock<Rates>>,
}

impl LatestRates {
    /// Won per unit of each foreign currency.
    #[must_use]
    pub fn currencies(&self) -> Vec<Rate> {
        self.rates.read().currencies.clone()
    }

    #[must_use]
    pub fn indices(&self) -> Vec<Rate> {
        self.rates.read().indices.clone()
    }

    pub fn set(&self, currencies: Vec<Rate>, indices: Vec<Rate>) {
        *self.rates.write() = Rates {
            currencies,
            indices,
        };
    }
}
