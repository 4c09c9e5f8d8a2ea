//! What a transfer sheet shows: the account that pays, and those that can receive.

use kernel::{AccountCode, AccountId, MemberId, Won};
use sea_orm::{ColumnTrait, QueryFilter, QueryOrder};

use super::{TRANSFERABLE, check_kind};
use crate::accounts::open::AccountChoice;
use crate::entity::account::{self, name_of};
use crate::error::TradingError;
use crate::orders::validation::OrderRejection;
use crate::store::Store;

#[derive(Clone, Debug)]
pub struct TransferSheet {
    pub source: TransferAccount,
    /// Ordered by code.
    pub targets: Vec<TransferAccount>,
}

#[derive(Clone, Debug)]
pub struct TransferAccount {
    /// `None` for a sub-account that is not open.
    pub account_no: Option<String>,
    pub code: AccountCode,
    pub name: String,
    /// Held won included.
    pub deposit: Won,
    /// The part that open orders hold.
    pub held: Won,
    /// The part that sales brought and that has not settled.
    pub unsettled: Won,
}

impl Store {
    /// # Errors
    /// [`TradingError`]: the account is not the member's or takes part in no transfers, or of the
    /// database.
    pub async fn transfer_sheet(
        &self,
        member_id: MemberId,
        choice: &AccountChoice,
    ) -> Result<TransferSheet, TradingError> {
        check_kind(choice.code())?;
        let source = self.resolve(member_id, choice).await?;
        let rows = account::WithWon::find()
            .filter(account::Column::MemberId.eq(member_id))
            .filter(account::Column::Code.is_in(TRANSFERABLE.map(AccountCode::as_str)))
            .filter(account::Column::ClosedAt.is_null())
            .order_by_asc(account::Column::Code)
            .all(&self.db)
            .await?;
        let open: Vec<account::WithWon> = rows.into_iter().map(Into::into).collect();
        let ids: Vec<AccountId> = open.iter().map(|one| one.account.id).collect();
        let unsettled = self.unsettled(&self.db, &ids).await?;
        let of = |one: &account::WithWon, code| {
            let unsettled = unsettled.get(&one.account.id).copied();
            of(one, code, unsettled.unwrap_or_default())
        };
        let mut found = None;
        let mut targets = Vec::new();
        for code in TRANSFERABLE {
            match open.iter().find(|one| one.account.code == code.as_str()) {
                Some(one) if one.account.id == source => found = Some(of(one, code)),
                Some(one) => targets.push(of(one, code)),
                None => targets.push(TransferAccount {
                    account_no: None,
                    code,
                    name: name_of(code).to_owned(),
                    deposit: Won::ZERO,
                    held: Won::ZERO,
                    unsettled: Won::ZERO,
                }),
            }
        }
        Ok(TransferSheet {
            source: found.ok_or(OrderRejection::AccountForbidden)?,
            targets,
        })
    }
}

fn of(one: &account::WithWon, code: AccountCode, unsettled: Won) -> TransferAccount {
    TransferAccount {
        account_no: Some(one.account.account_no.clone()),
        code,
        name: one.account.display_name().to_owned(),
        deposit: Won(one.won.amount),
        held: Won(one.won.held),
        unsettled,
    }
}
