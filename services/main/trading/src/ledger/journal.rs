//! One economic fact and what caused it.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use kernel::{AccountId, FillId};

use super::{Asset, PartOf, Period, Posting};
use crate::named::named;

/// One economic fact: its postings sum to zero per asset, and no other journal has its kind and
/// source.
#[derive(Clone, Debug, PartialEq)]
pub struct Journal {
    /// Drawn by [`super::draw_ids`] in the transaction that posts it.
    pub id: i64,
    pub kind: JournalKind,
    /// What it happened for.
    pub source: Source,
    /// Market time where the tick log caused it.
    pub occurred_at: DateTime<Utc>,
    /// Both sides. A posting of zero is not stored, nor is a journal without others.
    pub postings: Vec<Posting>,
}

named! {
    /// What can happen to money. A row of `journal_kind` each.
    pub enum JournalKind {
        /// An account received its initial deposit.
        AccountOpened = "ACCOUNT_OPENED",
        /// An order was filled, at least in part.
        OrderFilled = "ORDER_FILLED",
        /// A split left a part of a share over, which was paid out.
        ShareSplit = "SHARE_SPLIT",
        /// An account was paid a dividend.
        DividendPaid = "DIVIDEND_PAID",
        /// A member moved won between accounts.
        Transferred = "TRANSFERRED",
        /// Education credited points.
        PointsEarned = "POINTS_EARNED",
        /// A member received points as a prize.
        PointsAwarded = "POINTS_AWARDED",
        /// Points became won.
        PointsMoved = "POINTS_MOVED",
        /// Points were spent in another service.
        PointsSpent = "POINTS_SPENT",
        CashGranted = "CASH_GRANTED",
        CashExchanged = "CASH_EXCHANGED",
        ItemBought = "ITEM_BOUGHT",
        ItemRefunded = "ITEM_REFUNDED",
        /// A member opened a contract with its first payment.
        ContractOpened = "CONTRACT_OPENED",
        /// A payment into a savings plan.
        ContractPaid = "CONTRACT_PAID",
        /// A contract earned interest, less its tax.
        ContractInterest = "CONTRACT_INTEREST",
        /// A contract was paid out.
        ContractClosed = "CONTRACT_CLOSED",
        /// A CMA earned interest for a day, less its tax.
        CmaInterest = "CMA_INTEREST",
        /// A member began again: what was left went back to the book of issue.
        SeasonClosed = "SEASON_CLOSED",
        /// A member began again with an initial deposit.
        SeasonOpened = "SEASON_OPENED",
    }
}

macro_rules! sources {
    ($($(#[$doc:meta])* $variant:ident($id:ty) = $name:literal,)+) => {
        /// The row that a journal was posted for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Source {
            $($(#[$doc])* $variant($id),)+
        }

        impl Source {
            /// The name of its kind in the column `source_type`.
            #[must_use]
            pub fn type_name(self) -> &'static str {
                match self { $(Self::$variant(_) => $name,)+ }
            }

            /// The text of the column `source_id`.
            #[must_use]
            pub fn id(self) -> String {
                match self { $(Self::$variant(id) => id.to_string(),)+ }
            }
        }
    };
}

sources! {
    Account(AccountId) = "ACCOUNT",
    Fill(FillId) = "FILL",
    /// A split of a holding; its id comes from the sequence of the fills.
    HoldingSplit(FillId) = "HOLDING_SPLIT",
    /// An account's claim to a dividend.
    DividendShare(i64) = "DIVIDEND_SHARE",
    Transfer(i64) = "TRANSFER",
    PointChange(i64) = "POINT_CHANGE",
    CashChange(i64) = "CASH_CHANGE",
    Purchase(i64) = "PURCHASE",
    /// A contract, by its account.
    Contract(AccountId) = "CONTRACT",
    /// A payment into a contract.
    ContractPayment(PartOf<u32>) = "CONTRACT_PAYMENT",
    /// What a contract earned interest for.
    ContractPeriod(PartOf<Period>) = "CONTRACT_PERIOD",
    /// A day of a CMA.
    CmaDay(PartOf<NaiveDate>) = "CMA_DAY",
    /// A season of a BASIC account.
    Season(PartOf<i32>) = "SEASON",
}

impl Journal {
    /// Whether its postings sum to zero per asset.
    #[must_use]
    pub fn is_balanced(&self) -> bool {
        let mut sums: BTreeMap<Asset, i128> = BTreeMap::new();
        for posting in &self.postings {
            *sums.entry(posting.asset).or_default() += i128::from(posting.amount);
        }
        sums.values().all(|sum| *sum == 0)
    }

    /// The postings that are stored.
    pub(super) fn lines(&self) -> impl Iterator<Item = &Posting> {
        self.postings.iter().filter(|posting| posting.amount != 0)
    }
}

#[cfg(test)]
mod tests {
    use kernel::Won;

    use super::*;
    use crate::ledger::{Book, Party};

    fn journal(postings: Vec<Posting>) -> Journal {
        Journal {
            id: 1,
            kind: JournalKind::AccountOpened,
            source: Source::Account(AccountId(7)),
            occurred_at: DateTime::UNIX_EPOCH,
            postings,
        }
    }

    #[test]
    fn a_journal_is_balanced_per_asset() {
        let opened = [
            Posting::to_account(AccountId(7), Won(5)),
            Posting::to_book(Book::Issue, Won(-5)),
        ];
        assert!(journal(opened.to_vec()).is_balanced());
        assert!(!journal(opened[..1].to_vec()).is_balanced());
        let points = Posting {
            party: Party::Book(Book::Issue),
            asset: Asset::EducationPoint,
            amount: -5,
        };
        assert!(!journal(vec![opened[0], points]).is_balanced());
    }

    #[test]
    fn what_sums_beyond_64_bits_is_not_balanced() {
        let much = Posting::to_book(Book::Market, Won(i64::MAX));
        assert!(!journal(vec![much, much, Posting { amount: 2, ..much }]).is_balanced());
    }
}
