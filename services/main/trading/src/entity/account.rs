//! A member's money account.

use kernel::{AccountCode, AccountId, MemberId, Won};
use sea_orm::entity::prelude::*;
use sea_orm::{QueryFilter, SelectTwoRequired};

use crate::accounts::account::Cash;
use crate::ledger::Asset;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "account")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: AccountId,
    pub member_id: MemberId,
    pub code: String,
    pub account_no: String,
    pub initial_deposit_won: Won,
    pub education_deposit_won: Won,
    pub bought_deposit_won: Won,
    pub purchased_items_won: Won,
    pub net_transfers_won: Won,
    /// On a BASIC account: whether the member has seen the popup of the first transfer.
    pub transfer_popup_seen: bool,
    /// The name of a contract's product or of a competition; other accounts are named by their code.
    pub name: Option<String>,
    /// The present season on a BASIC account; on others the one in which they were opened.
    pub season: i32,
    pub open_orders: i32,
    pub rate_second: i64,
    pub rate_second_count: i32,
    pub rate_minute: i64,
    pub rate_minute_count: i32,
    /// On a BASIC account: whether its member has had a sub-account.
    pub has_sub_accounts: bool,
    /// On a BASIC account: whether its member competes.
    pub competition_mode: bool,
    pub closed_at: Option<ChronoDateTimeUtc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {
    #[sea_orm(has_many = "super::balance::Entity")]
    Balance,
}

impl Related<super::balance::Entity> for Entity {
    fn to() -> RelationDef {
        Relation::Balance.def()
    }
}

impl ActiveModelBehavior for ActiveModel {}

impl Model {
    /// The two digits as a code.
    ///
    /// # Errors
    /// [`DbErr`] when the row holds another text.
    pub fn account_code(&self) -> Result<AccountCode, DbErr> {
        AccountCode::parse(&self.code)
            .ok_or_else(|| super::inconsistent("account", "code", self.id))
    }

    #[must_use]
    pub fn is(&self, code: AccountCode) -> bool {
        self.code == code.as_str()
    }

    #[must_use]
    pub fn display_name(&self) -> &str {
        let of_code = AccountCode::parse(&self.code).map_or("", name_of);
        self.name.as_deref().unwrap_or(of_code)
    }

    /// Won put in from outside and by transfers, less items: what the account's profit is measured
    /// against.
    #[must_use]
    pub fn base(&self) -> Won {
        Won(self.initial_deposit_won.0
            + self.education_deposit_won.0
            + self.bought_deposit_won.0
            + self.net_transfers_won.0
            - self.purchased_items_won.0)
    }
}

/// The display name of an account that has none of its own.
#[must_use]
pub fn name_of(code: AccountCode) -> &'static str {
    match code {
        AccountCode::Basic => "기본 계좌",
        AccountCode::Stock => "주식 계좌",
        AccountCode::Coin => "코인 계좌",
        AccountCode::Deposit => "예금",
        AccountCode::Save => "적금",
        AccountCode::Cma => "CMA",
        AccountCode::Commodity => "원자재 계좌",
        AccountCode::Competition => "대회 계좌",
    }
}

/// An account with its balance of won. Every account has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithWon {
    pub account: Model,
    pub won: super::balance::Model,
}

impl WithWon {
    #[must_use]
    pub fn find() -> SelectTwoRequired<Entity, super::balance::Entity> {
        Entity::find()
            .find_both_related(super::balance::Entity)
            .filter(super::balance::Column::Asset.eq(Asset::Krw.as_str()))
    }

    /// The cash as the domain counts it.
    ///
    /// # Errors
    /// [`DbErr`] when the row holds an unknown code.
    pub fn to_cash(&self) -> Result<Cash, DbErr> {
        Ok(Cash {
            account_id: self.account.id,
            member_id: self.account.member_id,
            code: self.account.account_code()?,
            balance: Won(self.won.amount),
            held: Won(self.won.held),
        })
    }
}

impl From<(Model, super::balance::Model)> for WithWon {
    fn from((account, won): (Model, super::balance::Model)) -> Self {
        Self { account, won }
    }
}
