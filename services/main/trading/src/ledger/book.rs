//! The system's side of the ledger.

/// A book of the system. Unlike a member's account it may be below zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Book {
    /// Money that comes into being: initial deposits, prizes.
    Issue,
    Fee,
    /// Taxes and official fees.
    Tax,
    /// The spread between the middle exchange rate and the one that members get.
    Fx,
    Edu,
    /// Items.
    Shop,
    /// Interest of deposits and savings.
    Interest,
    Dividend,
    /// Parts of shares that a split leaves over, and corrections.
    Adjust,
    /// The other side of every fill.
    Market,
}

impl Book {
    pub const ALL: [Self; 10] = [
        Self::Issue,
        Self::Fee,
        Self::Tax,
        Self::Fx,
        Self::Edu,
        Self::Shop,
        Self::Interest,
        Self::Dividend,
        Self::Adjust,
        Self::Market,
    ];

    /// The name in its column.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Issue => "ISSUE",
            Self::Fee => "FEE",
            Self::Tax => "TAX",
            Self::Fx => "FX",
            Self::Edu => "EDU",
            Self::Shop => "SHOP",
            Self::Interest => "INTEREST",
            Self::Dividend => "DIVIDEND",
            Self::Adjust => "ADJUST",
            Self::Market => "MARKET",
        }
    }
}
