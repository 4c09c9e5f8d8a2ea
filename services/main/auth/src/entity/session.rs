//! Sessions: one per login.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session")]
pub struct Model {
    /// The `sid` claim of its access tokens.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    pub member_id: MemberId,
    pub started_at: DateTime<Utc>,
    /// When the current refresh token was issued.
    pub refreshed_at: DateTime<Utc>,
    /// Number of the current refresh token.
    pub current_generation: i32,
    pub ended_at: Option<DateTime<Utc>>,
    pub end_cause: Option<String>,
    /// When the deny list was known to contain it.
    pub listed_at: Option<DateTime<Utc>>,
    pub ip: Option<String>,
    pub user_agent: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
