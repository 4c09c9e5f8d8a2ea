//! Holdings of a member at the latest prices of this process.

use kernel::{AccountId, MemberId, WarningCode, Won};
use sea_orm::{ColumnTrait, DbErr, EntityTrait, QueryFilter, QueryOrder};
use std::collections::BTreeMap;

use crate::accounts::holding::{Holding, HoldingLabel};
use crate::competitions::mode::ListScope;
use crate::domain::market::Quote;
use crate::entity::holding;
use crate::error::TradingError;
use crate::orders::waiting::ListFilter;
use crate::store::Store;

#[derive(Clone, Debug)]
pub struct HoldingSnapshot {
    pub account_no: String,
    pub instrument_code: String,
    pub label: HoldingLabel,
    pub holding: Holding,
    /// At the last price; the cost when no price is known.
    pub value: Won,
    pub quote: Option<Quote>,
    /// `None` when the instrument is not listed.
    pub warning: Option<WarningCode>,
}

impl Store {
    /// # Errors
    /// [`TradingError`]: the account is not the member's, or of the database.
    pub async fn holdings(
        &self,
        member_id: MemberId,
        filter: &ListFilter,
    ) -> Result<Vec<HoldingSnapshot>, TradingError> {
        let mut find = holding::Entity::find()
            .filter(holding::Column::MemberId.eq(member_id))
            .filter(holding::Column::Quantity.gt(rust_decimal::Decimal::ZERO));
        find = match self.scope_of(member_id, filter.account.as_ref()).await? {
            ListScope::Account(id) => find.filter(holding::Column::AccountId.eq(id)),
            ListScope::Without(ids) => find.filter(holding::Column::AccountId.is_not_in(ids)),
        };
        if let Some(markets) = filter.markets() {
            find = find.filter(holding::Column::Market.eq_any(markets));
        }
        if let Some(code) = &filter.instrument_code {
            find = find.filter(holding::Column::InstrumentCode.eq(code.as_str()));
        }
        let rows = find
            .order_by_asc(holding::Column::AccountId)
            .order_by_asc(holding::Column::InstrumentCode)
            .all(&self.db)
            .await?;
        let accounts = rows.iter().map(|row| row.account_id);
        let numbers = self.account_numbers(accounts).await?;
        let values = self.values_of(&self.db, &rows).await?;
        let valued = rows.iter().zip(values);
        Ok(valued
            .map(|(row, value)| self.holding_snapshot(row, value.won, &numbers))
            .collect::<Result<_, _>>()?)
    }

    fn holding_snapshot(
        &self,
        row: &holding::Model,
        value: Won,
        account_numbers: &BTreeMap<AccountId, String>,
    ) -> Result<HoldingSnapshot, DbErr> {
        let view = self.market_cache.view(&row.instrument_code);
        Ok(HoldingSnapshot {
            account_no: account_numbers
                .get(&row.account_id)
                .cloned()
                .unwrap_or_default(),
            instrument_code: row.instrument_code.clone(),
            label: row.label()?,
            holding: row.to_holding(),
            value,
            quote: self.market_cache.quote(&row.instrument_code),
            warning: view.map(|view| view.listing.warning),
        })
    }
}
