//! The catalogue, what a member owns, and the purchases, newest first.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use kernel::MemberId;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

use super::ItemCategory;
use super::freezes::held_freezes;
use crate::entity::{item, member_item, purchase};
use crate::error::TradingError;
use crate::store::Store;

#[derive(Clone, Debug)]
pub struct ItemPage {
    /// All items, also those no longer offered.
    pub items: Vec<item::Model>,
    /// How many the member has of an item.
    pub owned: BTreeMap<i64, i32>,
    pub purchases: Vec<purchase::Model>,
    /// `before_id` of the next page of purchases; `None` on the last one.
    pub next: Option<i64>,
    pub now: DateTime<Utc>,
}

impl Store {
    /// The shop, with the purchases before the one with `before_id`.
    ///
    /// # Errors
    /// [`TradingError`] of the database.
    pub async fn items(
        &self,
        member_id: MemberId,
        before_id: Option<i64>,
        size: u64,
    ) -> Result<ItemPage, TradingError> {
        let (account, _) = self.open_basic_account(member_id).await?;
        let items = item::Entity::find()
            .order_by_asc(item::Column::Id)
            .all(&self.db)
            .await?;
        let mut purchases = purchase::Entity::find()
            .filter(purchase::Column::AccountId.eq(account))
            .filter(purchase::Column::Id.lt(before_id.unwrap_or(i64::MAX)))
            .order_by_desc(purchase::Column::Id)
            .limit(size.saturating_add(1))
            .all(&self.db)
            .await?;
        let fits = usize::try_from(size).unwrap_or(usize::MAX);
        let more = purchases.len() > fits;
        purchases.truncate(fits);
        let rows = member_item::Entity::find()
            .filter(member_item::Column::AccountId.eq(account))
            .all(&self.db)
            .await?;
        let mut owned: BTreeMap<i64, i32> = rows
            .iter()
            .map(|row| (row.item_id, row.quantity - row.used))
            .collect();
        let freeze = items
            .iter()
            .find(|item| item.category == ItemCategory::StreakFreeze.as_str());
        if let Some(freeze) = freeze {
            *owned.entry(freeze.id).or_default() += held_freezes(&self.db, account).await?;
        }
        owned.retain(|_, quantity| *quantity > 0);
        Ok(ItemPage {
            next: purchases.last().filter(|_| more).map(|row| row.id),
            items,
            owned,
            purchases,
            now: self.clock.now(),
        })
    }
}
