use chrono::{DateTime, Utc};
use sea_orm::entity::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "mail")]
pub struct Model {
    /// Its secret is derived from this id.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// `password_reset`, `email_code` or `new_device`.
    pub kind: String,
    pub recipient: String,
    /// What a client calls itself; never printed as it is.
    pub detail: Option<String>,
    pub asked_at: DateTime<Utc>,
    /// Earliest time of the next try.
    pub next_try_at: DateTime<Utc>,
    pub tries: i32,
    /// When the mail was given up.
    pub dead_at: Option<DateTime<Utc>>,
    /// Error of the last try.
    pub last_error: Option<String>,
}

#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
