//! Mails that wait for the mail server.

use chrono::{DateTime, Utc};
use sea_orm::entity::prelude::*;

/// One mail.
#[derive(Clone, Debug, PartialEq, Eq, DeriveEntityModel)]
#[sea_orm(table_name = "mail")]
pub struct Model {
    /// Also what its secret is derived from.
    #[sea_orm(primary_key, auto_increment = false)]
    pub id: Uuid,
    /// `password_reset`, `email_code` or `new_device`.
    pub kind: String,
    /// The address it goes to.
    pub recipient: String,
    /// What its text mentions.
    pub detail: Option<String>,
    /// When it was asked for.
    pub asked_at: DateTime<Utc>,
    /// Not before.
    pub next_try_at: DateTime<Utc>,
    /// Times it was tried.
    pub tries: i32,
    /// When it was given up.
    pub dead_at: Option<DateTime<Utc>>,
    /// What the last try said.
    pub last_error: Option<String>,
}

/// See [`super::member::Relation`].
#[derive(Copy, Clone, Debug, EnumIter, DeriveRelation)]
pub enum Relation {}

impl ActiveModelBehavior for ActiveModel {}
