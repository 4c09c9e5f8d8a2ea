use kernel::{Clock, MemberId};
use sqlx::{Encode, PgConnection, PgPool, Postgres, Type};

use super::Store;
use crate::error::MarketError;

/// Maximum likes per member, of items and of products each.
pub const MAX_LIKES: i64 = 500;

/// What is asked of one of the tables of likes.
struct LikeTable {
    insert: &'static str,
    delete: &'static str,
    count: &'static str,
}

const ITEM: LikeTable = LikeTable {
    insert: "insert into item_like (member_id, code, liked_at) values ($1, $2, $3) \
             on conflict do nothing",
    delete: "delete from item_like where member_id = $1 and code = $2",
    count: "select count(*) from item_like where member_id = $1",
};

const PRODUCT: LikeTable = LikeTable {
    insert: "insert into product_like (member_id, product_id, liked_at) values ($1, $2, $3) \
             on conflict do nothing",
    delete: "delete from product_like where member_id = $1 and product_id = $2",
    count: "select count(*) from product_like where member_id = $1",
};

impl Store {
    /// Sets or clears a like. Idempotent.
    ///
    /// # Errors
    /// [`MarketError::TooManyLikes`], or [`MarketError::Database`].
    pub async fn like_item(
        &self,
        member: MemberId,
        code: &str,
        liked: bool,
        clock: &dyn Clock,
    ) -> Result<(), MarketError> {
        self.set_like(&ITEM, member, code, liked, clock).await
    }

    /// Sets or clears a like. Idempotent.
    ///
    /// # Errors
    /// [`MarketError::TooManyLikes`], or [`MarketError::Database`].
    pub async fn like_product(
        &self,
        member: MemberId,
        product_id: i64,
        liked: bool,
        clock: &dyn Clock,
    ) -> Result<(), MarketError> {
        self.set_like(&PRODUCT, member, product_id, liked, clock)
            .await
    }

    async fn set_like<'k, K>(
        &self,
        table: &LikeTable,
        member: MemberId,
        key: K,
        liked: bool,
        clock: &dyn Clock,
    ) -> Result<(), MarketError>
    where
        K: Encode<'k, Postgres> + Type<Postgres> + Send + 'k,
    {
        if !liked {
            let delete = sqlx::query(table.delete).bind(member.0).bind(key);
            delete.execute(&self.pool).await?;
            return Ok(());
        }
        let mut transaction = self.pool.begin().await?;
        lock_likes(&mut transaction, member).await?;
        let insert = sqlx::query(table.insert)
            .bind(member.0)
            .bind(key)
            .bind(clock.now());
        let added = insert.execute(&mut *transaction).await?;
        if added.rows_affected() > 0 {
            let count = sqlx::query_scalar(table.count).bind(member.0);
            refuse_too_many(count.fetch_one(&mut *transaction).await?)?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Newest like first.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn liked_codes(&self, member: MemberId) -> Result<Vec<String>, MarketError> {
        let codes = sqlx::query_scalar(
            "select code from item_like where member_id = $1 order by liked_at desc, code",
        );
        Ok(codes.bind(member.0).fetch_all(&self.pool).await?)
    }

    /// Newest like first.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn liked_products(&self, member: MemberId) -> Result<Vec<i64>, MarketError> {
        let products = sqlx::query_scalar(
            "select product_id from product_like where member_id = $1 \
             order by liked_at desc, product_id",
        );
        Ok(products.bind(member.0).fetch_all(&self.pool).await?)
    }

    /// Likes per product.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn likes_of_products(&self) -> Result<Vec<(i64, i64)>, MarketError> {
        count(
            &self.pool,
            "select product_id, sum(followers)::bigint from product_followers group by product_id \
             having sum(followers) > 0",
        )
        .await
    }

    /// Followers per item: members who like it plus members who hold it. A member who does both
    /// counts twice.
    ///
    /// # Errors
    /// [`MarketError::Database`].
    pub async fn followers_of_items(&self) -> Result<Vec<(String, i64)>, MarketError> {
        count(
            &self.pool,
            "select code, sum(followers)::bigint from item_followers group by code \
             having sum(followers) > 0",
        )
        .await
    }
}

async fn count<K>(pool: &PgPool, statement: &'static str) -> Result<Vec<(K, i64)>, MarketError>
where
    (K, i64): for<'r> sqlx::FromRow<'r, sqlx::postgres::PgRow> + Send + Unpin,
{
    Ok(sqlx::query_as(statement).fetch_all(pool).await?)
}

/// Serialises the likes of a member, so that concurrent ones cannot exceed the limit.
async fn lock_likes(connection: &mut PgConnection, member: MemberId) -> Result<(), MarketError> {
    sqlx::query("select pg_advisory_xact_lock(hashtextextended('likes', $1))")
        .bind(member.0)
        .execute(connection)
        .await?;
    Ok(())
}

fn refuse_too_many(count: i64) -> Result<(), MarketError> {
    if count > MAX_LIKES {
        return Err(MarketError::TooManyLikes { limit: MAX_LIKES });
    }
    Ok(())
}
