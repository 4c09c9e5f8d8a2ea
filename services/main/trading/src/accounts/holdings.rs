//! Holdings of a member at the latest prices of this process.

use kernel::{AccountId, MemberId, WarningCode, Won};
use sea_orm::{ColumnTrait, DbErr, EntityTrait, QueryFilter, QueryOrder};
use std::collections::BTreeMap;

use crate::accounts::holding::{Holding, HoldingLabel};
use crate::accounts::profit;
use crate::competitions::mode::ListScope;
use crate::domain::market::Quote;
use crate::entity::holding;
use crate::error::TradingError;
use crate::orders::waiting::ListFilter;
use crate::store::Store;

/// What a holding is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HoldingValue {
    /// At the last price; the cost when no price is known.
    pub(crate) won: Won,
    /// Trading day of the newest split in whose units the price is, zero without one; `None` without a
    /// price.
    pub(crate) split_day: Option<i32>,
}

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
        let rows = rows.iter();
        Ok(rows
            .map(|row| self.holding_snapshot(row, &numbers))
            .collect::<Result<_, _>>()?)
    }

    fn holding_snapshot(
        &self,
        row: &holding::Model,
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
            value: self.value_of(row)?.won,
            quote: self.market_cache.quote(&row.instrument_code),
            warning: view.map(|view| view.listing.warning),
        })
    }

    pub(crate) fn value_of(&self, row: &holding::Model) -> Result<HoldingValue, DbErr> {
        let label = row.label()?;
        let latest = self.market_cache.quote_and_split_day(&row.instrument_code);
        let priced = latest.and_then(|(quote, split_day)| {
            let won = profit::value(quote.last, row.quantity, label.currency, quote.fx_rate)?;
            Some((won, split_day))
        });
        Ok(HoldingValue {
            won: priced.map_or(row.cost_won, |(won, _)| won),
            split_day: priced.map(|(_, split_day)| split_day),
        })
    }
}
