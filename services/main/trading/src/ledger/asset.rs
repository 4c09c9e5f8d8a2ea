//! What the ledger counts.

/// Something that accounts have an amount of, in whole units.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Asset {
    /// Won.
    Krw,
    /// US cents.
    Usd,
    EducationPoint,
    /// 캐시, which buys packs and items.
    Cash,
}

impl Asset {
    pub const ALL: [Self; 4] = [Self::Krw, Self::Usd, Self::EducationPoint, Self::Cash];

    /// The name in its columns.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Krw => "KRW",
            Self::Usd => "USD",
            Self::EducationPoint => "EP",
            Self::Cash => "CASH",
        }
    }
}
