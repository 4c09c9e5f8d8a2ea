//! Exchange rates and index values as the feed last told them.

use std::sync::Arc;

use parking_lot::RwLock;
use rust_decimal::Decimal;

/// A value with its change since the last close.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Currency unit or index code.
    pub code: String,
    /// Name members read.
    pub korean_name: String,
    /// Now.
    pub value: Decimal,
    /// At the end of the day before.
    pub previous: Decimal,
    /// When.
    pub as_of_us: i64,
}

#[derive(Debug, Default)]
struct Rates {
    currencies: Vec<Rate>,
    indices: Vec<Rate>,
}

/// The latest rates. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct RateBoard {
    rates: Arc<RwLock<Rates>>,
}

impl RateBoard {
    /// Won for a unit of each foreign currency.
    #[must_use]
    pub fn currencies(&self) -> Vec<Rate> {
        self.rates.read().currencies.clone()
    }

    /// Market indices.
    #[must_use]
    pub fn indices(&self) -> Vec<Rate> {
        self.rates.read().indices.clone()
    }

    /// Replaces everything.
    pub fn set(&self, currencies: Vec<Rate>, indices: Vec<Rate>) {
        *self.rates.write() = Rates {
            currencies,
            indices,
        };
    }
}
