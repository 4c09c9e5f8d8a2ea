//! Sessions: one per login.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use sea_orm::entity::prelude::*;

/// One session.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "session")]
pub struct Model {
    /// The `sid` claim of its access tokens.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// Whose session it is.
    pub member_id: MemberId,
    /// When the member logged in.
    pub started_at: DateTime<Utc>,
    /// When the refresh token in force was issued.
    pub refreshed_at: DateTime<Utc>,
    /// The number of the refresh token in force.
    pub current_generation: i32,
    /// When it was ended before its time.
    pub ended_at: Option<DateTime<Utc>>,
    /// Why.
    pub end_cause: Option<String>,
    /// When the end was surely on the deny-list.
    pub listed_at: Option<DateTime<Utc>>,
    /// The address it was begun from.
    pub ip: Option<String>,
    /// The client it was begun with.
    pub user_agent: Option<String>,
}

/// See [`super::member::Relation`].
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
