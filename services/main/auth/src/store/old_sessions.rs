//! Deletion of refresh tokens and sessions past their retention.
//!
//! Each statement deletes a bounded number of rows in a transaction of its own, so that it ends well
//! before the statement timeout and an error loses none of the progress.

use chrono::TimeDelta;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, Select,
    Statement, Value,
};
use uuid::Uuid;

use super::Store;
use super::sessions::among;
use crate::domain::session::{TOKEN_RETENTION, deletable_before};
use crate::entity::session;
use crate::error::AuthError;

/// Sessions that are deleted together.
const SESSIONS: u64 = 100;

impl Store {
    /// Deletes at most a thousand refresh tokens that no session needs any more.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_old_tokens(&self) -> Result<u64, AuthError> {
        // In index order, so that no plan reads the whole table.
        let delete = "delete from refresh_token where token_hash = any(array( \
                      select token_hash from refresh_token where issued_at < $1 \
                      order by issued_at limit 1000))";
        self.delete_tokens(delete, (self.clock.now() - TOKEN_RETENTION).into())
            .await
    }

    /// Deletes at most a hundred sessions that ended longer than `retention` ago, and their tokens.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_ended_sessions(&self, retention: TimeDelta) -> Result<u64, AuthError> {
        let ended = session::Entity::find()
            .filter(session::Column::EndedAt.lt(self.clock.now() - retention))
            .order_by_asc(session::Column::EndedAt);
        self.delete_sessions(ended).await
    }

    /// Deletes at most a hundred sessions that expired longer than `retention` ago, and their
    /// tokens.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_expired_sessions(&self, retention: TimeDelta) -> Result<u64, AuthError> {
        let before = deletable_before(self.clock.now(), retention);
        let expired = session::Entity::find()
            .filter(session::Column::StartedAt.lt(before))
            .order_by_asc(session::Column::StartedAt);
        self.delete_sessions(expired).await
    }

    async fn delete_sessions(&self, old: Select<session::Entity>) -> Result<u64, AuthError> {
        let ids: Vec<Uuid> = old
            .select_only()
            .column(session::Column::Id)
            .limit(SESSIONS)
            .into_tuple()
            .all(&self.database)
            .await?;
        if ids.is_empty() {
            return Ok(0);
        }
        // A session may have any number of tokens, so they must not be left to the cascade.
        let delete = "delete from refresh_token where token_hash = any(array( \
                      select token_hash from refresh_token \
                      where session_id = any(string_to_array($1, ',')::uuid[]) limit 1000))";
        let listed: Vec<String> = ids.iter().map(Uuid::to_string).collect();
        let listed = Value::from(listed.join(","));
        while self.delete_tokens(delete, listed.clone()).await? > 0 {}
        let delete = session::Entity::delete_many().filter(among(&ids));
        Ok(delete.exec(&self.database).await?.rows_affected)
    }

    async fn delete_tokens(&self, sql: &str, parameter: Value) -> Result<u64, AuthError> {
        let delete = Statement::from_sql_and_values(sea_orm::DbBackend::Postgres, sql, [parameter]);
        Ok(self.database.execute_raw(delete).await?.rows_affected())
    }
}
