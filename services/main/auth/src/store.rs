//! The database. Each public method is one transaction.

mod appearance;
mod credentials;
mod edited_notices;
mod inbox;
mod mails;
mod members;
mod notices;
mod notification_settings;
mod old_sessions;
mod profiles;
mod push_claims;
mod push_subscriptions;
mod pushes;
mod quiz_filters;
mod sessions;
mod surplus_sessions;
mod withdrawn_notices;

use std::net::IpAddr;
use std::sync::Arc;

use bootstrap::database::statement_timeout_for_deadline;
use kernel::Clock;
use sea_orm::{DatabaseConnection, DatabaseTransaction, DbErr, TransactionTrait};
use tokio::sync::Notify;

pub use appearance::Worn;
pub use inbox::{InboxPage, Notification, ReadMark, Unread};
pub use members::NewMember;
pub use notification_settings::{NotificationSettings, SettingsChange};
pub use profiles::{OnboardingStep, ProfileChange};
pub use push_claims::{ClaimedPush, HostShare};
pub use pushes::PushResult;
pub use sessions::{RefreshMode, RefreshOutcome};

#[derive(Clone)]
pub struct Store {
    database: DatabaseConnection,
    clock: Arc<dyn Clock>,
    /// Wakes the mailer.
    mails: Arc<Notify>,
}

/// The client that starts a session.
#[derive(Clone, Debug, Default)]
pub struct Device {
    /// `None` if the gateway does not know it.
    pub ip: Option<IpAddr>,
    /// Cut to 256 characters.
    pub user_agent: Option<String>,
}

impl Store {
    #[must_use]
    pub fn new(database: DatabaseConnection, clock: Arc<dyn Clock>) -> Self {
        Self {
            database,
            clock,
            mails: Arc::default(),
        }
    }

    /// Returns when a mail was written; earlier ones return once.
    pub async fn mail_written(&self) {
        self.mails.notified().await;
    }

    fn wake_mailer(&self) {
        self.mails.notify_one();
    }

    async fn begin(&self) -> Result<DatabaseTransaction, DbErr> {
        let transaction = self.database.begin().await?;
        statement_timeout_for_deadline(&transaction).await?;
        Ok(transaction)
    }
}
