//! The hashes of refresh tokens, in force and replaced.

use chrono::{DateTime, Utc};
use sea_orm::entity::prelude::*;

use crate::domain::secret::SecretHash;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "refresh_token")]
pub struct Model {
    /// SHA-256 of the token.
    #[sea_orm(primary_key, auto_increment = false)]
    pub token_hash: Vec<u8>,
    pub session_id: Uuid,
    /// Its number in the session; the first is 0.
    pub generation: i32,
    pub issued_at: DateTime<Utc>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}

impl Entity {
    #[must_use]
    pub fn with_hash(hash: SecretHash) -> Select<Self> {
        Self::find_by_id(hash.to_vec())
    }
}
