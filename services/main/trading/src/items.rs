//! Items: the catalogue, purchases with won or cash, and what members own.
//!
//! A purchase locks the BASIC account, and last the row of an item whose number is limited, so that
//! no more are sold than there are.

pub mod buy;
pub mod freezes;
pub mod list;
mod price;

use proto::trading::v1::ItemCurrency;

use crate::ledger::Asset;
use crate::named::named;

named! {
    /// What an item is for.
    pub enum ItemCategory {
        /// Frames and name plates.
        Collectible = "COLLECTIBLE",
        /// Won for cash.
        DepositPack = "DEPOSIT_PACK",
        /// Saves a streak.
        StreakFreeze = "STREAK_FREEZE",
        /// One more reset.
        SeasonTicket = "SEASON_TICKET",
        /// Accent colours.
        Theme = "THEME",
    }
}

impl ItemCategory {
    /// The category of this name in its column.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|one| one.as_str() == text)
    }
}

/// The currency of this name in its column.
pub(crate) fn currency(name: &str) -> ItemCurrency {
    if name == Asset::Cash.as_str() {
        ItemCurrency::Cash
    } else {
        ItemCurrency::Krw
    }
}

named! {
    /// What became of a purchase.
    pub enum PurchaseStatus {
        /// It was paid for.
        Completed = "COMPLETED",
        /// It was paid back.
        Refunded = "REFUNDED",
    }
}
