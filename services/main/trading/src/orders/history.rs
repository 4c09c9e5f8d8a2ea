//! Order history of a member, paged by keyset so that every page costs the same.

use chrono::{DateTime, Utc};
use kernel::{MemberId, OrderId};
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, Condition, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::accounts::open::AccountChoice;
use crate::competitions::mode::ListScope;
use crate::entity::trade_order;
use crate::error::TradingError;
use crate::orders::order::Status;
use crate::orders::snapshot::OrderSnapshot;
use crate::orders::validation::Category;
use crate::store::{Store, lock};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryKind {
    All,
    /// 체결: also what an order amount bought before it was reached.
    Filled,
    /// 예약, 미체결, 일부 체결.
    Wait,
    /// 취소, 기간 만료, 정정됨, 거부.
    Canceled,
}

/// Must equal the predicate of the index, or the index is not used.
const FILLED: &str = "(status = 'FILLED' or end_reason = 'AMOUNT_REACHED')";
const BOUGHT: &str = "(end_reason <> 'AMOUNT_REACHED' or filled_quantity > 0)";
const NOT_BOUGHT: &str = "(end_reason <> 'AMOUNT_REACHED' or filled_quantity = 0)";

impl HistoryKind {
    fn condition(self) -> Condition {
        let ended = |status: Status| !status.is_open() && status != Status::Filled;
        match self {
            Self::All => Condition::all(),
            Self::Filled => Condition::all()
                .add(Expr::cust(FILLED))
                .add(Expr::cust(BOUGHT)),
            Self::Wait => trade_order::is_open(),
            Self::Canceled => trade_order::has_status(ended).add(Expr::cust(NOT_BOUGHT)),
        }
    }
}

#[derive(Clone, Debug)]
pub struct HistoryFilter {
    /// `None` includes the member's accounts of the present mode.
    pub account: Option<AccountChoice>,
    pub category: Category,
    pub kind: HistoryKind,
    /// `None` is the present one.
    pub season: Option<i32>,
    /// Placed at or after.
    pub from: Option<DateTime<Utc>>,
    pub before: Option<DateTime<Utc>>,
    /// Keyset: only orders older than this one.
    pub older_than: Option<OrderId>,
    pub size: u64,
}

#[derive(Clone, Debug)]
pub struct OrderPage {
    /// Newest first.
    pub orders: Vec<OrderSnapshot>,
    /// `older_than` of the next page; `None` on the last one.
    pub next_before: Option<OrderId>,
}

impl Store {
    /// # Errors
    /// [`TradingError`]: the account is not the member's, or of the database.
    pub async fn order_history(
        &self,
        member_id: MemberId,
        filter: &HistoryFilter,
    ) -> Result<OrderPage, TradingError> {
        let mut span = self.season_span(&self.db, member_id, filter.season).await?;
        let mut find = trade_order::Entity::find()
            .filter(trade_order::Column::MemberId.eq(member_id))
            .filter(Expr::cust(in_category(filter.category)))
            .filter(filter.kind.condition());
        let scope = match &filter.account {
            Some(choice) => ListScope::Account(self.resolve_in(member_id, choice, &span).await?),
            None => self.list_scope(member_id).await?,
        };
        if let ListScope::Account(id) = scope
            && self.competes(id).await?
        {
            span.take_everything();
        }
        find = match scope {
            ListScope::Account(id) => find.filter(trade_order::Column::AccountId.eq(id)),
            ListScope::Without(ids) => find.filter(trade_order::Column::AccountId.is_not_in(ids)),
        };
        if span.orders.after > 0 {
            find = find.filter(trade_order::Column::Id.gt(span.orders.after));
        }
        if span.is_past() {
            find = find.filter(trade_order::Column::Id.lte(span.orders.through));
        }
        if let Some(from) = filter.from {
            find = find.filter(trade_order::Column::PlacedAt.gte(from));
        }
        if let Some(before) = filter.before {
            find = find.filter(trade_order::Column::PlacedAt.lt(before));
        }
        if let Some(id) = filter.older_than {
            find = find.filter(trade_order::Column::Id.lt(id));
        }
        let mut rows = find
            .order_by_desc(trade_order::Column::Id)
            // One row more than the page shows whether there is a next one.
            .limit(filter.size.saturating_add(1))
            .all(&self.db)
            .await?;
        let size = usize::try_from(filter.size).unwrap_or(usize::MAX);
        let more = rows.len() > size;
        rows.truncate(size);
        let last = rows.last().map(|row| row.id);
        let orders = lock::with_holds(&self.db, rows).await?;
        let accounts = orders.values().map(|order| order.account_id);
        let numbers = self.account_numbers(accounts).await?;
        let newest_first = orders.into_values().rev();
        Ok(OrderPage {
            orders: newest_first
                .map(|order| self.snapshot(order, &numbers))
                .collect(),
            next_before: last.filter(|_| more),
        })
    }
}

/// Must equal the expression of the index, or the index is not used.
fn in_category(category: Category) -> &'static str {
    match category {
        Category::Stock => {
            "(case market when 'COIN' then 'COIN' when 'GOLD' then 'GOLD' else 'STOCK' end) = 'STOCK'"
        }
        Category::Coin => {
            "(case market when 'COIN' then 'COIN' when 'GOLD' then 'GOLD' else 'STOCK' end) = 'COIN'"
        }
        Category::Gold => {
            "(case market when 'COIN' then 'COIN' when 'GOLD' then 'GOLD' else 'STOCK' end) = 'GOLD'"
        }
    }
}
