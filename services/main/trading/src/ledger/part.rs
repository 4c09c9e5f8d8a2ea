//! Sources of journals that are a part of an account.

use kernel::AccountId;

use crate::named::named;

/// The source of a journal: an account and a number, day or period within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PartOf<T>(pub AccountId, pub T);

impl<T: std::fmt::Display> std::fmt::Display for PartOf<T> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}", self.0, self.1)
    }
}

named! {
    /// What interest was booked for.
    pub enum Period {
        /// Until maturity.
        Maturity = "MATURITY",
        /// Until a close, before maturity or since it.
        Close = "CLOSE",
    }
}

impl std::fmt::Display for Period {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}
