//! Open orders of a member.

use kernel::{MarketCode, MemberId};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::accounts::open::AccountChoice;
use crate::competitions::mode::ListScope;
use crate::entity::trade_order;
use crate::error::TradingError;
use crate::orders::snapshot::OrderSnapshot;
use crate::orders::validation::Category;
use crate::store::{Store, lock};

const LIMIT: u64 = 100;

/// Restricts a list of orders or holdings; `None` includes all, but of accounts those of the present mode.
#[derive(Clone, Debug, Default)]
pub struct ListFilter {
    pub account: Option<AccountChoice>,
    pub category: Option<Category>,
    pub instrument_code: Option<String>,
}

impl ListFilter {
    /// The markets of the category, as columns spell them; `None` for all.
    pub(crate) fn markets(&self) -> Option<Vec<String>> {
        let category = self.category?;
        let markets = MarketCode::ALL.into_iter();
        let of_category = markets.filter(|market| category == Category::of(market.asset_kind()));
        Some(
            of_category
                .map(|market| market.as_str().to_owned())
                .collect(),
        )
    }
}

impl Store {
    /// Open orders, newest first, at most 100.
    ///
    /// # Errors
    /// [`TradingError`]: the account is not the member's, or of the database.
    pub async fn waiting_orders(
        &self,
        member_id: MemberId,
        filter: &ListFilter,
    ) -> Result<Vec<OrderSnapshot>, TradingError> {
        let mut find = trade_order::Entity::find()
            .filter(trade_order::is_open())
            .filter(trade_order::Column::MemberId.eq(member_id));
        find = match self.scope_of(member_id, filter.account.as_ref()).await? {
            ListScope::Account(id) => find.filter(trade_order::Column::AccountId.eq(id)),
            ListScope::Without(ids) => find.filter(trade_order::Column::AccountId.is_not_in(ids)),
        };
        if let Some(markets) = filter.markets() {
            find = find.filter(trade_order::Column::Market.eq_any(markets));
        }
        if let Some(code) = &filter.instrument_code {
            find = find.filter(trade_order::Column::InstrumentCode.eq(code.as_str()));
        }
        let rows = find
            .order_by_desc(trade_order::Column::Id)
            .limit(LIMIT)
            .all(&self.db)
            .await?;
        let orders = lock::with_holds(&self.db, rows).await?;
        let accounts = orders.values().map(|order| order.account_id);
        let numbers = self.account_numbers(accounts).await?;
        let newest_first = orders.into_values().rev();
        Ok(newest_first
            .map(|order| self.snapshot(order, &numbers))
            .collect())
    }
}
