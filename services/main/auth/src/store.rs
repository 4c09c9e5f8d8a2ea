//! What the service keeps. One public method is one transaction is one verb.

mod credentials;
mod mails;
mod members;
mod profiles;
mod sessions;

use std::net::IpAddr;
use std::sync::Arc;

use bootstrap::database::statement_timeout_for_deadline;
use kernel::Clock;
use sea_orm::{DatabaseConnection, DatabaseTransaction, DbErr, TransactionTrait};
use tokio::sync::Notify;

pub use members::NewMember;
pub use profiles::{ProfileChange, Shown};
pub use sessions::{Carried, Purpose};

/// The database of the service.
#[derive(Clone)]
pub struct Store {
    database: DatabaseConnection,
    clock: Arc<dyn Clock>,
    /// Wakes who sends mails.
    mails: Arc<Notify>,
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
        Self {
            database,
            clock,
            mails: Arc::default(),
        }
    }

    /// Returns when a mail was written; also once for all those written before.
    pub async fn mail_written(&self) {
        self.mails.notified().await;
    }

    fn mails_wait(&self) {
        self.mails.notify_one();
    }

    async fn begin(&self) -> Result<DatabaseTransaction, DbErr> {
        let transaction = self.database.begin().await?;
        statement_timeout_for_deadline(&transaction).await?;
        Ok(transaction)
    }
}
