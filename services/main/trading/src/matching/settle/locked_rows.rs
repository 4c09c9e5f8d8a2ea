//! The locked rows of accounts and holdings that a slice settles from.

use std::collections::BTreeSet;

use kernel::AccountId;
use sea_orm::{DatabaseTransaction, DbErr};

use crate::matching::balances::LockedBalances;
use crate::store::lock::{self, Accounts, Holdings};

/// Account and instrument. The orders of a group share the account's part of a tick's volume, so they
/// are matched together.
pub(super) type Groups = BTreeSet<(AccountId, String)>;

pub(super) struct LockedRows {
    pub(super) accounts: Accounts,
    pub(super) holdings: Holdings,
}

impl LockedRows {
    /// Locks the accounts and holdings of these groups.
    pub(super) async fn of(
        transaction: &DatabaseTransaction,
        keys: &Groups,
    ) -> Result<Self, DbErr> {
        let ids: BTreeSet<AccountId> = keys.iter().map(|(account, _)| *account).collect();
        Ok(Self {
            accounts: lock::accounts(transaction, &ids).await?,
            holdings: lock::holdings(transaction, keys).await?,
        })
    }

    pub(super) fn account_no(&self, id: AccountId) -> &str {
        self.accounts
            .get(&id)
            .map_or("", |locked| locked.account.account_no.as_str())
    }

    pub(super) fn balances(&self) -> Result<LockedBalances, DbErr> {
        let accounts = self.accounts.iter();
        let holdings = self.holdings.iter();
        Ok(LockedBalances {
            cash: accounts
                .map(|(id, row)| Ok((*id, row.to_cash()?)))
                .collect::<Result<_, DbErr>>()?,
            holdings: holdings
                .map(|(key, row)| (key.clone(), row.to_holding()))
                .collect(),
            ..LockedBalances::default()
        })
    }
}
