//! What changed a member's points, newest first.

use kernel::MemberId;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use crate::entity::point_change;
use crate::error::TradingError;
use crate::store::Store;

#[derive(Clone, Debug)]
pub struct PointChangePage {
    pub changes: Vec<point_change::Model>,
    /// `before_id` of the next page; `None` on the last one.
    pub next: Option<i64>,
}

impl Store {
    /// Changes before the one with `before_id`.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn point_changes(
        &self,
        member_id: MemberId,
        before_id: Option<i64>,
        size: u64,
    ) -> Result<PointChangePage, TradingError> {
        let (account, _) = self.open_basic_account(member_id).await?;
        let mut rows = point_change::Entity::find()
            .filter(point_change::Column::AccountId.eq(account))
            .filter(point_change::Column::Id.lt(before_id.unwrap_or(i64::MAX)))
            .order_by_desc(point_change::Column::Id)
            .limit(size.saturating_add(1))
            .all(&self.db)
            .await?;
        let fits = usize::try_from(size).unwrap_or(usize::MAX);
        let more = rows.len() > fits;
        rows.truncate(fits);
        Ok(PointChangePage {
            next: rows.last().filter(|_| more).map(|row| row.id),
            changes: rows,
        })
    }
}
