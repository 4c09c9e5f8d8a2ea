use kernel::Won;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "item")]
pub struct Model {
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: i64,
    pub name: String,
    pub category: String,
    pub slot: Option<String>,
    pub currency: String,
    pub price: i64,
    pub effect: String,
    pub picture: String,
    pub limit_per_member: Option<i32>,
    pub stock: Option<i64>,
    /// Only counted where the stock is limited.
    pub sold: i64,
    pub sale_from: Option<ChronoDateTimeUtc>,
    pub sale_to: Option<ChronoDateTimeUtc>,
    pub deposit_won: Won,
    pub is_listed: bool,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Model {
    /// How many are left; `None` for any number.
    #[must_use]
    pub fn left(&self) -> Option<i64> {
        self.stock.map(|stock| stock - self.sold)
    }

    #[must_use]
    pub fn is_in_sale_period(&self, now: ChronoDateTimeUtc) -> bool {
        self.sale_from.is_none_or(|from| from <= now) && self.sale_to.is_none_or(|to| now < to)
    }
}
