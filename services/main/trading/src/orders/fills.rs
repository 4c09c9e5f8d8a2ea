//! An order with its fills, and the fill notices of a member.

use kernel::{MemberId, OrderId};
use sea_orm::{ColumnTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::entity::{fill, trade_order};
use crate::error::TradingError;
use crate::orders::snapshot::{FillSnapshot, OrderSnapshot};
use crate::store::{Store, lock};

const NOTICE_LIMIT: u64 = 100;

#[derive(Clone, Debug)]
pub struct OrderDetail {
    pub order: OrderSnapshot,
    /// Oldest first.
    pub fills: Vec<FillSnapshot>,
}

#[derive(Clone, Debug)]
pub struct MemberFills {
    /// Oldest first.
    pub notices: Vec<FillNotice>,
    /// Sequence number of the member's newest fill.
    pub last_seq: i64,
    /// Whether fills between the requested sequence number and the first notice are left out.
    pub gap: bool,
}

#[derive(Clone, Debug)]
pub struct FillNotice {
    pub seq: i64,
    /// The order as it is now, and the fill.
    pub fill: Option<(OrderSnapshot, FillSnapshot)>,
}

impl Store {
    /// # Errors
    /// [`TradingError::OrderNotFound`] when the order is not the member's.
    pub async fn order_detail(
        &self,
        member_id: MemberId,
        order_id: OrderId,
    ) -> Result<OrderDetail, TradingError> {
        let row = trade_order::Entity::find_by_id(order_id)
            .filter(trade_order::Column::MemberId.eq(member_id))
            .one(&self.db)
            .await?
            .ok_or(TradingError::OrderNotFound)?;
        let orders = lock::with_holds(&self.db, vec![row]).await?;
        let fills = fill::Entity::find()
            .filter(fill::Column::OrderId.eq(order_id))
            .order_by_asc(fill::Column::Id)
            .all(&self.db)
            .await?;
        let accounts = orders.values().map(|order| order.account_id);
        let numbers = self.account_numbers(accounts).await?;
        let order = orders.into_values().next();
        let order = order.ok_or(TradingError::OrderNotFound)?;
        let fills = fills.into_iter();
        Ok(OrderDetail {
            fills: fills.map(|row| self.fill_snapshot(row, &order)).collect(),
            order: self.snapshot(order, &numbers),
        })
    }

    /// Fill notices after a sequence number, at most 100: the newest ones if there are more.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn member_fills(
        &self,
        member_id: MemberId,
        after_seq: i64,
    ) -> Result<MemberFills, TradingError> {
        let mut fills = fill::Entity::find()
            .filter(fill::Column::MemberId.eq(member_id))
            .filter(fill::Column::MemberSeq.gt(after_seq))
            .order_by_desc(fill::Column::MemberSeq)
            .limit(NOTICE_LIMIT)
            .all(&self.db)
            .await?;
        fills.reverse();
        let last_seq = match fills.last() {
            Some(last) => last.member_seq,
            None => self.last_fill_seq(member_id).await?,
        };
        let gap = fills
            .first()
            .is_some_and(|first| first.member_seq > after_seq.max(0).saturating_add(1));
        let ids = fills.iter().map(|fill| fill.order_id.0);
        let rows = trade_order::Entity::find()
            .filter(trade_order::Column::Id.eq_any(ids))
            .all(&self.db)
            .await?;
        let orders = lock::with_holds(&self.db, rows).await?;
        let accounts = orders.values().map(|order| order.account_id);
        let numbers = self.account_numbers(accounts).await?;
        let notices = fills.into_iter().map(|row| FillNotice {
            seq: row.member_seq,
            fill: orders.get(&row.order_id).map(|order| {
                let fill = self.fill_snapshot(row, order);
                (self.snapshot(order.clone(), &numbers), fill)
            }),
        });
        Ok(MemberFills {
            notices: notices.collect(),
            last_seq,
            gap,
        })
    }

    async fn last_fill_seq(&self, member_id: MemberId) -> Result<i64, DbErr> {
        let newest = fill::Entity::find()
            .filter(fill::Column::MemberId.eq(member_id))
            .order_by_desc(fill::Column::MemberSeq)
            .limit(1)
            .one(&self.db)
            .await?;
        Ok(newest.map_or(0, |fill| fill.member_seq))
    }
}
