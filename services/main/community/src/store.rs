//! The database. Each public method is one transaction.

use std::sync::Arc;

use bootstrap::database::statement_timeout_for_deadline;
use kernel::{Clock, MemberId};
use messaging::outbox;
use sea_orm::{ActiveModelTrait, DatabaseConnection, DbErr, Set, TransactionTrait};

use crate::entity::{ActiveModel, Model};
use crate::events;

#[derive(Clone)]
pub struct Store {
    database: DatabaseConnection,
    clock: Arc<dyn Clock>,
}

impl Store {
    #[must_use]
    pub fn new(database: DatabaseConnection, clock: Arc<dyn Clock>) -> Self {
        Self { database, clock }
    }

    /// # Errors
    /// [`DbErr`] of the database.
    pub async fn add_note(&self, member: MemberId, body: String) -> Result<Model, DbErr> {
        let transaction = self.database.begin().await?;
        statement_timeout_for_deadline(&transaction).await?;
        let note = ActiveModel {
            member_id: Set(member),
            body: Set(body),
            created_at: Set(self.clock.now()),
            ..Default::default()
        };
        let note = note.insert(&transaction).await?;
        outbox::append(&transaction, events::note_added(&note, self.clock.as_ref())).await?;
        transaction.commit().await?;
        Ok(note)
    }
}
