use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use serde_json::Value;
use sqlx::PgConnection;

use super::Store;
use crate::error::MarketError;
use crate::seed::{SavingsOption, SavingsProduct};

/// A best rate that a newer seed changed.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct RateChange {
    pub product_id: i64,
    pub rate_before: Decimal,
    pub rate_after: Decimal,
}

impl Store {
    /// All products and options, in the order of the seed.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn savings(&self) -> Result<(Vec<SavingsProduct>, Vec<SavingsOption>), MarketError> {
        let products = sqlx::query_as("select * from savings_product order by id")
            .fetch_all(&self.pool)
            .await?;
        let options = sqlx::query_as(
            "select * from savings_option \
             order by product_id, term_months, interest_type desc, reserve_type desc",
        )
        .fetch_all(&self.pool)
        .await?;
        Ok((products, options))
    }

    /// Newest first.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn rate_changes(&self, since: DateTime<Utc>) -> Result<Vec<RateChange>, MarketError> {
        let changes = sqlx::query_as(
            "select product_id, rate_before, rate_after from savings_rate_change \
             where changed_at > $1 order by changed_at desc, product_id",
        );
        Ok(changes.bind(since).fetch_all(&self.pool).await?)
    }
}

/// Stores the best rates that `products` (rows of the seed) are about to change.
pub(super) async fn note_rate_changes(
    connection: &mut PgConnection,
    products: Vec<Value>,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into savings_rate_change (product_id, changed_at, rate_before, rate_after) \
         select product.id, $2, product.best_rate, fresh.best_rate from savings_product product \
         join jsonb_populate_recordset(null::savings_product, $1) fresh using (id) \
         where product.best_rate <> fresh.best_rate",
    )
    .bind(Value::Array(products))
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}
