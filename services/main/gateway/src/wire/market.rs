//! Markets, currencies and sessions.

use super::variants::to_proto;
use proto::common::v1 as common;
use proto::market::v1 as market;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Where an instrument is listed; `stocks` are US stocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) enum MarketCode {
    #[serde(rename = "KOSPI")]
    Kospi,
    #[serde(rename = "KOSDAQ")]
    Kosdaq,
    #[serde(rename = "stocks")]
    Global,
    #[serde(rename = "COIN")]
    Coin,
    #[serde(rename = "GOLD")]
    Gold,
    #[serde(rename = "ETF")]
    Etf,
}

to_proto!(pub(crate) MarketCode => common::Market { Kospi, Kosdaq, Global, Coin, Gold, Etf });

impl From<kernel::MarketCode> for MarketCode {
    fn from(code: kernel::MarketCode) -> Self {
        match code {
            kernel::MarketCode::Kospi => Self::Kospi,
            kernel::MarketCode::Kosdaq => Self::Kosdaq,
            kernel::MarketCode::Global => Self::Global,
            kernel::MarketCode::Coin => Self::Coin,
            kernel::MarketCode::Gold => Self::Gold,
            kernel::MarketCode::Etf => Self::Etf,
        }
    }
}

/// The currency an instrument is quoted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Currency {
    Krw,
    Usd,
}

impl From<kernel::Currency> for Currency {
    fn from(currency: kernel::Currency) -> Self {
        match currency {
            kernel::Currency::Krw => Self::Krw,
            kernel::Currency::Usd => Self::Usd,
        }
    }
}

/// Whether an instrument trades at this moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum MarketSession {
    Open,
    Auction,
    Closed,
    Halted,
}

impl From<market::SessionState> for MarketSession {
    fn from(state: market::SessionState) -> Self {
        match state {
            market::SessionState::Open => Self::Open,
            market::SessionState::Auction => Self::Auction,
            market::SessionState::Halted => Self::Halted,
            market::SessionState::Closed | market::SessionState::Unspecified => Self::Closed,
        }
    }
}
