//! The product's code lists, with the wire spellings of its specification.

use serde::{Deserialize, Serialize};

/// Listing market (`marketCode`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum MarketCode {
    /// Korea's main exchange.
    #[serde(rename = "KOSPI")]
    Kospi,
    /// Korea's secondary exchange.
    #[serde(rename = "KOSDAQ")]
    Kosdaq,
    /// Global (US) stocks; the wire says `stocks`.
    #[serde(rename = "stocks")]
    Global,
    /// Coins quoted in won.
    #[serde(rename = "COIN")]
    Coin,
    /// Gold and world commodities.
    #[serde(rename = "GOLD")]
    Gold,
    /// Exchange-traded funds listed in Korea.
    #[serde(rename = "ETF")]
    Etf,
}

impl MarketCode {
    /// Every market, in the order lists show them.
    pub const ALL: [Self; 6] = [
        Self::Kospi,
        Self::Kosdaq,
        Self::Etf,
        Self::Global,
        Self::Coin,
        Self::Gold,
    ];

    /// The value on the wire and in columns.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Kospi => "KOSPI",
            Self::Kosdaq => "KOSDAQ",
            Self::Global => "stocks",
            Self::Coin => "COIN",
            Self::Gold => "GOLD",
            Self::Etf => "ETF",
        }
    }

    /// `None` for an unknown value.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|market| market.as_str() == text)
    }

    #[must_use]
    pub fn asset_kind(self) -> AssetKind {
        match self {
            Self::Kospi | Self::Kosdaq | Self::Global => AssetKind::Stock,
            Self::Etf => AssetKind::Etf,
            Self::Coin => AssetKind::Coin,
            Self::Gold => AssetKind::Gold,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum AssetKind {
    /// Korean and US shares.
    Stock,
    /// Exchange-traded funds. Ordered through the stock route.
    Etf,
    Coin,
    /// Gold and commodities.
    Gold,
}

impl AssetKind {
    pub const ALL: [Self; 4] = [Self::Stock, Self::Etf, Self::Coin, Self::Gold];

    /// The value on the wire and in columns.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stock => "STOCK",
            Self::Etf => "ETF",
            Self::Coin => "COIN",
            Self::Gold => "GOLD",
        }
    }

    /// `None` for an unknown value.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// Quote currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Currency {
    Krw,
    Usd,
}

impl Currency {
    /// ISO 4217 code.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Krw => "KRW",
            Self::Usd => "USD",
        }
    }

    /// From an ISO 4217 code; `None` for any other currency.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Krw, Self::Usd]
            .into_iter()
            .find(|currency| currency.as_str() == text)
    }
}

/// The exchange's investment warning (`warnCode`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum WarningCode {
    /// Not applicable.
    #[serde(rename = "00")]
    None,
    /// 주의.
    #[serde(rename = "01")]
    Caution,
    /// 경고.
    #[serde(rename = "02")]
    Warning,
    /// 위험.
    #[serde(rename = "03")]
    Danger,
}

impl WarningCode {
    /// Two digits, on the wire and in columns.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "00",
            Self::Caution => "01",
            Self::Warning => "02",
            Self::Danger => "03",
        }
    }

    /// `None` for unknown digits.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::None, Self::Caution, Self::Warning, Self::Danger]
            .into_iter()
            .find(|code| code.as_str() == text)
    }

    /// Whether an order must carry the member's `riskAck` (02 and 03).
    #[must_use]
    pub fn needs_acknowledgement(self) -> bool {
        match self {
            Self::None | Self::Caution => false,
            Self::Warning | Self::Danger => true,
        }
    }
}
