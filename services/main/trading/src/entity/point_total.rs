//! Sums of a member's education points.

use kernel::AccountId;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "point_total")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub account_id: AccountId,
    pub earned: i64,
    pub moved: i64,
    pub spent: i64,
    /// yyyymmdd in KST; 0 before the first points.
    pub day: i32,
    pub earned_on_day: i64,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Model {
    /// The total of an account that never had points.
    #[must_use]
    pub fn empty(account_id: AccountId) -> Self {
        Self {
            account_id,
            earned: 0,
            moved: 0,
            spent: 0,
            day: 0,
            earned_on_day: 0,
        }
    }
}
