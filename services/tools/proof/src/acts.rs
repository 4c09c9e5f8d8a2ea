//! Money acts among the orders: requests that move money without an order, their replies, and a
//! model of what they leave. A client acts for members of its own, so its model is exact.

pub(crate) mod check;
pub(crate) mod competitions;
pub(crate) mod products;
mod results;
pub(crate) mod shop;
mod stored;
mod wallet;

use products::Product;
pub(crate) use results::ActResults;
pub(crate) use wallet::{LOCKED, Wallet};

/// Codes of the sub-accounts that a transfer opens.
pub(crate) const SUB_ACCOUNTS: [&str; 4] = ["01", "02", "05", "06"];
/// The sub-account that earns interest.
pub(crate) const CMA: &str = "05";
pub(crate) const BASIC: &str = "00";

#[derive(Clone, Debug)]
pub(crate) struct ActRequest {
    pub(crate) member_id: i64,
    /// The idempotency key (`reqSid`).
    pub(crate) key: String,
    pub(crate) act: Act,
}

#[derive(Clone, Debug)]
pub(crate) enum Act {
    /// "00", a number, or the bare code of a sub-account to open.
    Transfer {
        from: String,
        to: String,
        won: i64,
    },
    CloseAccount {
        number: String,
    },
    BuyItem {
        item_id: i64,
        quantity: i32,
    },
    OpenContract(OpenContract),
    PayIntoContract {
        number: String,
        won: i64,
    },
    CloseContract {
        number: String,
        /// What the member was shown.
        payout: Option<i64>,
    },
    /// Ends the season of the member, and begins the next.
    Reset,
    JoinCompetition(JoinCompetition),
    LeaveCompetition {
        competition_id: i64,
    },
    CreateLeague {
        days: i32,
        cash_won: i64,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct JoinCompetition {
    pub(crate) competition_id: i64,
    /// `None` for an official event, which needs none.
    pub(crate) invite_code: Option<String>,
    /// Whether there is such an event, with this code.
    pub(crate) is_known: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct OpenContract {
    pub(crate) product: Product,
    pub(crate) months: i32,
    pub(crate) won: i64,
    /// Whether there is such a product.
    pub(crate) is_known: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ActReply {
    Transferred {
        transfer_id: i64,
        from: String,
        to: String,
        won: i64,
        /// Balances afterwards.
        from_won: i64,
        to_won: i64,
    },
    AccountClosed {
        number: String,
    },
    Bought {
        purchase_id: i64,
        item_id: i64,
        quantity: i32,
        spent: i64,
        /// How many of the item, afterwards.
        owned: i64,
        /// Cash of the BASIC account, afterwards.
        won: i64,
    },
    /// Opened or paid into.
    Contract {
        number: String,
        status: String,
        /// Principal, or the sum of a month.
        won: i64,
        paid_in: i64,
        payments: i64,
    },
    ContractClosed {
        number: String,
        status: String,
        principal: i64,
        interest: i64,
        /// On income, and the local one.
        taxes: (i64, i64),
        payout: i64,
        /// Cash of the BASIC account, afterwards.
        won: i64,
    },
    Reset {
        /// The number of the season that begins.
        season: i32,
        deposit_won: i64,
    },
    Joined {
        competition_id: i64,
        number: String,
        cash_won: i64,
    },
    Left {
        competition_id: i64,
    },
    LeagueCreated {
        competition_id: i64,
        number: String,
        invite_code: String,
    },
}

/// The final response to a request: what it did, or the reason of a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ActResponse {
    Done(ActReply),
    Refused(String),
}

impl ActRequest {
    /// Member and idempotency key, unique per request.
    pub(crate) fn identity(&self) -> (i64, String) {
        (self.member_id, self.key.clone())
    }
}

impl Act {
    /// Whether it moves what a member has outside of competitions.
    pub(crate) fn is_of_own_money(&self) -> bool {
        match self {
            Self::Transfer { .. }
            | Self::CloseAccount { .. }
            | Self::BuyItem { .. }
            | Self::OpenContract(_)
            | Self::PayIntoContract { .. }
            | Self::CloseContract { .. }
            | Self::Reset => true,
            Self::JoinCompetition(_)
            | Self::LeaveCompetition { .. }
            | Self::CreateLeague { .. } => false,
        }
    }

    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Transfer { .. } => "transfer",
            Self::CloseAccount { .. } => "close account",
            Self::BuyItem { .. } => "item",
            Self::OpenContract(_) => "open contract",
            Self::PayIntoContract { .. } => "pay into contract",
            Self::CloseContract { .. } => "close contract",
            Self::Reset => "reset",
            Self::JoinCompetition(_) => "join competition",
            Self::LeaveCompetition { .. } => "leave competition",
            Self::CreateLeague { .. } => "create league",
        }
    }
}

impl OpenContract {
    /// Whether the bank offers it so.
    pub(crate) fn is_offered(&self) -> bool {
        self.is_known && self.months == self.product.months && self.product.takes(self.won)
    }
}

/// The code of an account number, which ends with it.
pub(crate) fn code_of(number: &str) -> &str {
    number
        .len()
        .checked_sub(2)
        .and_then(|start| number.get(start..))
        .unwrap_or(number)
}
