//! Items for sale, as the seed of the catalogue has them.

use sqlx::PgPool;

pub(crate) struct Item {
    pub(crate) id: i64,
    pub(crate) price: i64,
    /// How many a member may buy.
    pub(crate) limit: i64,
}

/// A frame of which the run offers only [`STOCK`].
pub(crate) const LIMITED: i64 = 10;
pub(crate) const STOCK: i64 = 30;
/// A streak freeze, which education delivers.
pub(crate) const FREEZE: i64 = 4;
/// It costs cash, which no member has.
pub(crate) const PACK: i64 = 1;
pub(crate) const UNKNOWN: i64 = 99;
/// It costs more than any member has.
pub(crate) const UNAFFORDABLE: i64 = 13;

pub(crate) const ITEMS: [Item; 6] = [
    item(LIMITED, 100_000, 1),
    item(FREEZE, 50_000, 2),
    item(6, 300_000, 1),
    item(7, 500_000, 1),
    item(14, 500_000, 1),
    item(UNAFFORDABLE, 100_000_000, 1),
];

const fn item(id: i64, price: i64, limit: i64) -> Item {
    Item { id, price, limit }
}

/// Offers few of one item, as an operator may, and returns how many were sold before.
pub(crate) async fn limit_stock(pool: &PgPool) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("update item set stock = sold + $2 where id = $1 returning sold")
        .bind(LIMITED)
        .bind(STOCK)
        .fetch_one(pool)
        .await
}
