//! One side of a journal.

use kernel::{AccountId, Won};

use super::{Asset, Book};

/// Whose side of a journal a posting is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Party {
    /// A member's account.
    Account(AccountId),
    /// A book of the system.
    Book(Book),
}

/// An amount that an account or a book gains, or loses when it is negative. A row of the table
/// `entry`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Posting {
    pub party: Party,
    pub asset: Asset,
    /// In whole units of the asset.
    pub amount: i64,
}

impl Posting {
    /// Won that a member's account gains.
    #[must_use]
    pub fn to_account(account: AccountId, amount: Won) -> Self {
        Self {
            party: Party::Account(account),
            asset: Asset::Krw,
            amount: amount.0,
        }
    }

    /// Won that a book gains.
    #[must_use]
    pub fn to_book(book: Book, amount: Won) -> Self {
        Self {
            party: Party::Book(book),
            asset: Asset::Krw,
            amount: amount.0,
        }
    }
}
