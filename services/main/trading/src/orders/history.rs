//! A member's orders through the pages of time: by keyset, so that a page costs the same however
//! far back it lies.

use chrono::{DateTime, Utc};
use kernel::{MemberId, OrderId};
use proto::trading::v1 as wire;
use sea_orm::sea_query::Expr;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::entity::trade_order;
use crate::error::TradingError;
use crate::orders::order::Status;
use crate::orders::validation::Category;
use crate::store::{Store, lock};

/// Which orders a history shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HistoryKind {
    /// Every order.
    All,
    /// 체결.
    Filled,
    /// 예약, 미체결, 일부 체결.
    Wait,
    /// 취소, 기간 만료, 정정됨, 거부.
    Canceled,
}

impl HistoryKind {
    fn shows(self, status: Status) -> bool {
        match self {
            Self::All => true,
            Self::Filled => status == Status::Filled,
            Self::Wait => status.is_open(),
            Self::Canceled => !status.is_open() && status != Status::Filled,
        }
    }
}

/// One page of a history.
#[derive(Clone, Copy, Debug)]
pub struct HistoryFilter {
    /// Stocks and ETFs, coins, or gold.
    pub category: Category,
    /// Which states.
    pub kind: HistoryKind,
    /// Placed at or after.
    pub from: Option<DateTime<Utc>>,
    /// Placed before.
    pub before: Option<DateTime<Utc>>,
    /// Only older orders than this one.
    pub older_than: Option<OrderId>,
    /// Most orders of the page.
    pub size: u64,
}

impl Store {
    /// A page of a member's orders, newest first, and the order after which the next page begins.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn order_history(
        &self,
        member_id: MemberId,
        filter: &HistoryFilter,
    ) -> Result<wire::OrderPage, TradingError> {
        let mut find = trade_order::Entity::find()
            .filter(trade_order::Column::MemberId.eq(member_id))
            .filter(Expr::cust(in_category(filter.category)));
        if filter.kind == HistoryKind::Wait {
            find = find.filter(trade_order::is_open());
        } else if filter.kind != HistoryKind::All {
            let shown = Status::ALL
                .into_iter()
                .filter(|one| filter.kind.shows(*one));
            find = find.filter(
                trade_order::Column::Status.eq_any(shown.map(|one| one.as_str().to_owned())),
            );
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
            // One more than is shown tells whether there is a next page.
            .limit(filter.size.saturating_add(1))
            .all(&self.db)
            .await?;
        let size = usize::try_from(filter.size).unwrap_or(usize::MAX);
        let more = rows.len() > size;
        rows.truncate(size);
        let last = rows.last().map_or(0, |row| row.id.0);
        let orders = lock::with_holds(&self.db, rows).await?;
        let numbers = self.account_numbers(member_id).await?;
        Ok(wire::OrderPage {
            orders: orders
                .values()
                .rev()
                .map(|order| self.numbered(order, &numbers))
                .collect(),
            next_before_order_id: if more { last } else { 0 },
        })
    }
}

/// The expression of the index, word for word.
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
