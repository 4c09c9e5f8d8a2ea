//! Where a member's pushes go.

use chrono::{DateTime, Utc};
use kernel::MemberId;
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "push_subscription")]
pub struct Model {
    #[sea_orm(primary_key)]
    pub id: i64,
    pub member_id: MemberId,
    /// The login it ends with.
    pub session_id: Uuid,
    /// `WEB`, `FCM` or `APNS`.
    pub kind: String,
    /// The endpoint of a browser or the token of an app.
    #[sea_orm(unique)]
    pub address: String,
    /// Pushes to one host share a limit.
    pub host: String,
    /// The public key of a browser.
    pub p256dh: Option<Vec<u8>>,
    pub auth: Option<Vec<u8>>,
    pub created_at: DateTime<Utc>,
    /// Refused pushes since the last accepted one.
    pub failures: i32,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
