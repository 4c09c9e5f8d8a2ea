use chrono::{DateTime, Utc};
use kernel::{AccountId, Won};
use sea_orm::{ActiveModelTrait, DatabaseTransaction, DbErr, Set};

use crate::entity::cash_change;
use crate::ledger::{Asset, Book, Party, Posting};
use crate::named::named;

named! {
    /// Why a member's cash changed.
    pub enum CashChangeKind {
        /// An operator gave it.
        Granted = "GRANTED",
        /// It became won of the BASIC account.
        Exchanged = "EXCHANGED",
    }
}

/// A change that is about to be written. The account is locked.
pub(super) struct NewChange<'a> {
    pub(super) account: AccountId,
    pub(super) kind: CashChangeKind,
    /// Signed.
    pub(super) cash: i64,
    pub(super) source_key: Option<&'a str>,
    pub(super) reason: &'a str,
    pub(super) won: Won,
    pub(super) occurred_at: DateTime<Utc>,
}

impl NewChange<'_> {
    /// Both sides of its journal.
    pub(super) fn postings(&self) -> Vec<Posting> {
        let book = match self.kind {
            CashChangeKind::Granted => Book::Issue,
            CashChangeKind::Exchanged => Book::Shop,
        };
        let cash = |party, amount| Posting {
            party,
            asset: Asset::Cash,
            amount,
        };
        vec![
            cash(Party::Account(self.account), self.cash),
            cash(Party::Book(book), -self.cash),
            Posting::to_account(self.account, self.won),
            Posting::to_book(book, Won(-self.won.0)),
        ]
    }

    /// Writes the row and returns its id.
    pub(super) async fn write(&self, transaction: &DatabaseTransaction) -> Result<i64, DbErr> {
        let row = cash_change::ActiveModel {
            account_id: Set(self.account),
            kind: Set(self.kind.as_str().to_owned()),
            cash: Set(self.cash),
            source_key: Set(self.source_key.map(str::to_owned)),
            reason: Set(self.reason.to_owned()),
            won: Set(self.won),
            occurred_at: Set(self.occurred_at),
            ..Default::default()
        };
        Ok(row.insert(transaction).await?.id)
    }
}
