//! The product's code lists. Wire spellings are the product spec's own.

use serde::{Deserialize, Serialize};

/// Where an instrument is listed (`marketCode`).
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

    /// The spelling on the wire and in columns.
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

    /// Reads the spelling; `None` when it is not one of the list.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|market| market.as_str() == text)
    }

    /// What kind of asset an order for this market trades.
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

/// The kind of a tradable asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum AssetKind {
    /// Domestic and US shares.
    Stock,
    /// Exchange-traded funds. Ordered through the stock route.
    Etf,
    /// Coins.
    Coin,
    /// Gold and commodities.
    Gold,
}

impl AssetKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Stock, Self::Etf, Self::Coin, Self::Gold];

    /// The spelling on the wire and in columns.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stock => "STOCK",
            Self::Etf => "ETF",
            Self::Coin => "COIN",
            Self::Gold => "GOLD",
        }
    }

    /// Reads the spelling; `None` when it is not one of the list.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == text)
    }
}

/// The currency an instrument is quoted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Currency {
    /// Korean won.
    Krw,
    /// US dollar.
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

    /// Reads an ISO 4217 code; `None` for a currency that is not traded here.
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
    /// The two digits on the wire and in columns.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "00",
            Self::Caution => "01",
            Self::Warning => "02",
            Self::Danger => "03",
        }
    }

    /// Reads the two digits; `None` when they are not one of the list.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::None, Self::Caution, Self::Warning, Self::Danger]
            .into_iter()
            .find(|code| code.as_str() == text)
    }

    /// Whether an order must carry the member's `riskAck` (rule R3: 02 and 03).
    #[must_use]
    pub fn needs_acknowledgement(self) -> bool {
        match self {
            Self::None | Self::Caution => false,
            Self::Warning | Self::Danger => true,
        }
    }
}
