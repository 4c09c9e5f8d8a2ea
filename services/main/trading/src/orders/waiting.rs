//! Orders and fills as members look at them.

use std::collections::BTreeMap;

use kernel::{AccountId, MarketCode, MemberId, OrderId};
use proto::trading::v1 as wire;
use sea_orm::{ColumnTrait, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::accounts::open::AccountChoice;
use crate::entity::{account, fill, trade_order};
use crate::error::TradingError;
use crate::grpc::view;
use crate::orders::order::Order;
use crate::orders::validation::Category;
use crate::store::{Store, lock};

const WAITING_LIMIT: u64 = 100;
const NOTICE_LIMIT: u64 = 100;

/// Which orders or holdings are wanted.
#[derive(Clone, Debug, Default)]
pub struct OrderFilter {
    /// `None` = every account of the member.
    pub account: Option<AccountChoice>,
    /// `None` = every category.
    pub category: Option<Category>,
    /// `None` = every instrument.
    pub instrument_code: Option<String>,
}

impl OrderFilter {
    /// The markets of the category, as columns spell them; `None` for all.
    pub(crate) fn markets(&self) -> Option<Vec<String>> {
        let category = self.category?;
        let markets = MarketCode::ALL.into_iter();
        let of_category = markets.filter(|market| category.takes(market.asset_kind()));
        Some(
            of_category
                .map(|market| market.as_str().to_owned())
                .collect(),
        )
    }
}

impl Store {
    /// Orders that wait, newest first, at most 100.
    ///
    /// # Errors
    /// [`TradingError`]: the account is not the member's, or of the database.
    pub async fn waiting_orders(
        &self,
        member_id: MemberId,
        filter: &OrderFilter,
    ) -> Result<Vec<wire::Order>, TradingError> {
        let mut find = trade_order::Entity::find()
            .filter(trade_order::is_open())
            .filter(trade_order::Column::MemberId.eq(member_id));
        if let Some(choice) = &filter.account {
            let account = self.resolve(member_id, choice).await?;
            find = find.filter(trade_order::Column::AccountId.eq(account));
        }
        if let Some(markets) = filter.markets() {
            find = find.filter(trade_order::Column::Market.eq_any(markets));
        }
        if let Some(code) = &filter.instrument_code {
            find = find.filter(trade_order::Column::InstrumentCode.eq(code.as_str()));
        }
        let rows = find
            .order_by_desc(trade_order::Column::Id)
            .limit(WAITING_LIMIT)
            .all(&self.db)
            .await?;
        let orders = lock::with_holds(&self.db, rows).await?;
        let numbers = self.account_numbers(member_id).await?;
        let newest_first = orders.values().rev();
        Ok(newest_first
            .map(|order| self.numbered(order, &numbers))
            .collect())
    }

    /// One order with its receipts, oldest first.
    ///
    /// # Errors
    /// [`TradingError::OrderNotFound`] when it is not the member's.
    pub async fn order_detail(
        &self,
        member_id: MemberId,
        order_id: OrderId,
    ) -> Result<wire::OrderDetail, TradingError> {
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
        let numbers = self.account_numbers(member_id).await?;
        let order = orders.values().next().ok_or(TradingError::OrderNotFound)?;
        Ok(wire::OrderDetail {
            order: Some(self.numbered(order, &numbers)),
            fills: fills.iter().map(|row| self.receipt(row, order)).collect(),
        })
    }

    /// Fill notices after a sequence number, oldest first, at most 100: the newest ones if there
    /// are more, and then `gap` is set. The orders are as they stand now.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn member_fills(
        &self,
        member_id: MemberId,
        after_seq: i64,
    ) -> Result<wire::MemberFills, TradingError> {
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
        let numbers = self.account_numbers(member_id).await?;
        let notices = fills.iter().map(|row| {
            let order = orders.get(&row.order_id);
            wire::FillNotice {
                seq: row.member_seq,
                member_id: member_id.0,
                order: order.map(|order| self.numbered(order, &numbers)),
                fill: order.map(|order| self.receipt(row, order)),
            }
        });
        Ok(wire::MemberFills {
            notices: notices.collect(),
            last_seq,
            gap,
        })
    }

    fn receipt(&self, row: &fill::Model, order: &Order) -> wire::Fill {
        let rates = self.costs.on(order.market, row.trading_day);
        view::fill(row, order.side, &rates)
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

    pub(crate) async fn account_numbers(
        &self,
        member_id: MemberId,
    ) -> Result<BTreeMap<AccountId, String>, DbErr> {
        let rows = account::Entity::find()
            .filter(account::Column::MemberId.eq(member_id))
            .all(&self.db)
            .await?;
        Ok(rows
            .into_iter()
            .map(|row| (row.id, row.account_no))
            .collect())
    }

    pub(crate) fn numbered(
        &self,
        order: &Order,
        numbers: &BTreeMap<AccountId, String>,
    ) -> wire::Order {
        let number = numbers.get(&order.account_id);
        self.order_view(order, number.map_or("", String::as_str))
    }
}
