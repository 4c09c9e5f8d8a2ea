//! What the service keeps. One public method is one transaction is one verb.

mod members;
mod sessions;

use std::net::IpAddr;
use std::sync::Arc;

use bootstrap::database::statement_timeout_for_deadline;
use kernel::Clock;
use sea_orm::{DatabaseConnection, DatabaseTransaction, DbErr, TransactionTrait};

pub use members::NewMember;
pub use sessions::{Carried, Purpose};

/// The database of the service.
#[derive(Clone)]
pub struct Store {
    database: DatabaseConnection,
    clock: Arc<dyn Clock>,
}

/// Where a session begins.
#[derive(Clone, Debug, Default)]
pub struct Device {
    /// The member's address, when the gateway knows it.
    pub ip: Option<IpAddr>,
    /// The client's own words, cut to 256 characters.
    pub user_agent: Option<String>,
}

impl Store {
    /// A store in this database.
    #[must_use]
    pub fn new(database: DatabaseConnection, clock: Arc<dyn Clock>) -> Self {
        Self { database, clock }
    }

    async fn begin(&self) -> Result<DatabaseTransaction, DbErr> {
        let transaction = self.database.begin().await?;
        statement_timeout_for_deadline(&transaction).await?;
        Ok(transaction)
    }
}
