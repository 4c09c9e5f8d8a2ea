//! Accounts of a member with their totals and wealth level.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{AccountCode, AccountId, MemberId, Quantity, Won};
use sea_orm::{
    AccessMode, ColumnTrait, ConnectionTrait, DbErr, EntityTrait, IsolationLevel, QueryFilter,
    QueryOrder, TransactionTrait,
};

use crate::accounts::account::{Sums, Totals};
use crate::accounts::day::DayChange;
use crate::accounts::units::check_units;
use crate::accounts::value::HoldingValue;
use crate::entity::{account, balance, holding};
use crate::error::TradingError;
use crate::ledger::Asset;
use crate::store::Store;

#[derive(Clone, Debug)]
pub struct AccountSummary {
    /// Open accounts of the present mode, ordered by code: all except those of competitions, or that of
    /// the current competition.
    pub accounts: Vec<AccountValue>,
    /// Totals of these accounts; the level is the member's in either mode.
    pub totals: Totals,
    /// From which the level is computed: the total of all accounts except those of competitions.
    pub level_total: Won,
    /// The change of the same accounts; `None` when it cannot be computed.
    pub day_change: Option<DayChange>,
}

#[derive(Clone, Debug)]
pub struct AccountValue {
    pub account: account::WithWon,
    pub code: AccountCode,
    pub holdings_value: Won,
    pub holdings_cost: Won,
    pub unsettled: Won,
}

/// Open accounts of a member at the latest prices.
struct ValuedAccounts {
    accounts: Vec<AccountValue>,
    /// Sums of `counted`.
    sums: Sums,
    /// All but competition accounts.
    counted: Vec<AccountId>,
    holdings: Vec<(holding::Model, HoldingValue)>,
}

/// What a member has of one instrument in all accounts except competition ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct OwnedItem {
    pub(crate) name: String,
    pub(crate) value: Won,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balances {
    pub education_points: i64,
    pub cash: i64,
}

impl Store {
    /// Opens the BASIC account if the member has none.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn account_summary(
        &self,
        member_id: MemberId,
    ) -> Result<AccountSummary, TradingError> {
        self.open_basic_account(member_id).await?;
        let current = self.competition_mode(member_id).await?;
        // A fill moves money between what several statements read.
        let snapshot = self
            .db
            .begin_with_config(
                Some(IsolationLevel::RepeatableRead),
                Some(AccessMode::ReadOnly),
            )
            .await?;
        let mut valued = self.valued_accounts(&snapshot, member_id).await?;
        let mut totals = valued.sums.totals();
        let level_total = totals.total;
        match &current {
            Some(current) => {
                valued
                    .accounts
                    .retain(|one| one.account.account.id == current.account_id);
                valued.counted = vec![current.account_id];
                if let Some(account) = valued.accounts.first() {
                    totals = Totals {
                        level: totals.level,
                        ..account.totals()
                    };
                }
            }
            None => valued
                .accounts
                .retain(|one| one.code != AccountCode::Competition),
        }
        let owned = valued.quantities();
        let day_change = self.day_change(&snapshot, member_id, &valued.counted, &owned);
        let mut day_change = day_change.await?;
        if let Some(change) = &mut day_change {
            let accounts = valued.accounts.iter();
            let cma = accounts.filter(|one| one.code == AccountCode::Cma);
            let cma: Vec<AccountId> = cma.map(|one| one.account.account.id).collect();
            change.won.0 += self.interest_of_day(&snapshot, member_id, &cma).await?.0;
        }
        snapshot.commit().await?;
        Ok(AccountSummary {
            day_change,
            accounts: valued.accounts,
            totals,
            level_total,
        })
    }

    /// Totals of a member as a transaction sees them.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub(crate) async fn member_totals(
        &self,
        connection: &impl ConnectionTrait,
        member_id: MemberId,
    ) -> Result<Totals, TradingError> {
        let valued = self.valued_accounts(connection, member_id).await?;
        Ok(valued.sums.totals())
    }

    /// As [`Store::member_totals`], under the locks of the accounts, for what moves money by them.
    ///
    /// # Errors
    /// [`TradingError`]: the price of a holding is awaited, or not in its units ([`check_units`]), or of the
    /// database.
    pub(crate) async fn exact_totals(
        &self,
        connection: &impl ConnectionTrait,
        member_id: MemberId,
    ) -> Result<Totals, TradingError> {
        let valued = self.valued_accounts(connection, member_id).await?;
        let mut priced = Vec::new();
        for (row, value) in &valued.holdings {
            if valued.counted.contains(&row.account_id) {
                priced.push((row, value.basis));
            }
        }
        check_units(connection, &priced).await?;
        Ok(valued.sums.totals())
    }

    /// The member's open accounts at the latest prices.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub(crate) async fn account_values(
        &self,
        connection: &impl ConnectionTrait,
        member_id: MemberId,
    ) -> Result<Vec<AccountValue>, TradingError> {
        Ok(self.valued_accounts(connection, member_id).await?.accounts)
    }

    /// As [`Store::member_totals`], with what the member owns by instrument.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub(crate) async fn owned_items(
        &self,
        connection: &impl ConnectionTrait,
        member_id: MemberId,
    ) -> Result<(Totals, BTreeMap<String, OwnedItem>), TradingError> {
        let valued = self.valued_accounts(connection, member_id).await?;
        Ok((valued.sums.totals(), valued.items()))
    }

    async fn valued_accounts(
        &self,
        connection: &impl ConnectionTrait,
        member_id: MemberId,
    ) -> Result<ValuedAccounts, TradingError> {
        let rows = account::WithWon::find()
            .filter(account::Column::MemberId.eq(member_id))
            .filter(account::Column::ClosedAt.is_null())
            .order_by_asc(account::Column::Code)
            .order_by_asc(account::Column::Id)
            .all(connection)
            .await?;
        let holdings = holding::Entity::find()
            .filter(holding::Column::MemberId.eq(member_id))
            .filter(holding::Column::Quantity.gt(rust_decimal::Decimal::ZERO))
            .all(connection)
            .await?;
        let values = self.values_of(connection, &holdings).await?;
        let holdings: Vec<(holding::Model, HoldingValue)> =
            holdings.into_iter().zip(values).collect();
        let mut values: BTreeMap<AccountId, (i64, i64)> = BTreeMap::new();
        for (row, worth) in &holdings {
            let (value, cost) = values.entry(row.account_id).or_default();
            *value += worth.won.0;
            *cost += row.cost_won.0;
        }
        // What a contract has earned counts as the value of what its account holds.
        for (account, accrued) in self.accrued_interest(connection, member_id).await? {
            values.entry(account).or_default().0 += accrued.0;
        }
        let ids: Vec<AccountId> = rows.iter().map(|(row, _)| row.id).collect();
        let unsettled = self.unsettled(connection, &ids).await?;
        let mut sums = Sums::default();
        let mut accounts = Vec::with_capacity(rows.len());
        let mut counted = Vec::with_capacity(rows.len());
        for found in rows {
            let account = account::WithWon::from(found);
            let row = &account.account;
            let (value, cost) = values.get(&row.id).copied().unwrap_or_default();
            let code = row.account_code()?;
            if code != AccountCode::Competition {
                counted.push(row.id);
                sums.deposits.0 += account.won.amount;
                sums.holdings.0 += value;
                sums.initial.0 += row.initial_deposit_won.0;
                sums.education.0 += row.education_deposit_won.0;
                sums.bought.0 += row.bought_deposit_won.0;
                sums.items.0 += row.purchased_items_won.0;
            }
            accounts.push(AccountValue {
                unsettled: unsettled.get(&row.id).copied().unwrap_or_default(),
                account,
                code,
                holdings_value: Won(value),
                holdings_cost: Won(cost),
            });
        }
        Ok(ValuedAccounts {
            accounts,
            sums,
            counted,
            holdings,
        })
    }

    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn balances(&self, member_id: MemberId) -> Result<Balances, TradingError> {
        let (id, _) = self.open_basic_account(member_id).await?;
        let rows = balance::Entity::find()
            .filter(balance::Column::AccountId.eq(id))
            .all(&self.db)
            .await?;
        let amount_of = |asset: Asset| {
            let row = rows.iter().find(|row| row.asset == asset.as_str());
            row.map_or(0, |row| row.amount)
        };
        Ok(Balances {
            education_points: amount_of(Asset::EducationPoint),
            cash: amount_of(Asset::Cash),
        })
    }

    pub(crate) async fn account_numbers(
        &self,
        accounts: impl Iterator<Item = AccountId>,
    ) -> Result<BTreeMap<AccountId, String>, DbErr> {
        let ids: BTreeSet<i64> = accounts.map(|id| id.0).collect();
        if ids.is_empty() {
            return Ok(BTreeMap::new());
        }
        let rows = account::Entity::find()
            .filter(account::Column::Id.eq_any(ids))
            .all(&self.db)
            .await?;
        Ok(rows
            .into_iter()
            .map(|row| (row.id, row.account_no))
            .collect())
    }
}

impl AccountValue {
    /// The totals of this account alone.
    fn totals(&self) -> Totals {
        let row = &self.account.account;
        let sums = Sums {
            deposits: Won(self.account.won.amount),
            holdings: self.holdings_value,
            initial: row.initial_deposit_won,
            ..Sums::default()
        };
        sums.totals()
    }
}

impl ValuedAccounts {
    fn quantities(&self) -> BTreeMap<(AccountId, String), Quantity> {
        let rows = self.holdings.iter().map(|(row, _)| row);
        rows.map(|row| ((row.account_id, row.instrument_code.clone()), row.quantity))
            .collect()
    }

    fn items(self) -> BTreeMap<String, OwnedItem> {
        let mut items: BTreeMap<String, OwnedItem> = BTreeMap::new();
        for (row, value) in self.holdings {
            if self.counted.contains(&row.account_id) {
                let item = items.entry(row.instrument_code).or_default();
                item.name = row.instrument_name;
                item.value.0 = item.value.0.saturating_add(value.won.0);
            }
        }
        items
    }
}
