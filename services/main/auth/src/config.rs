//! Configuration from the environment and the command line, read once at the start.

use std::path::PathBuf;

use bootstrap::service::{DatabaseConfig, ServiceConfig};
use clap::{ArgAction, Args, Parser};
use secrecy::SecretString;

/// Members, credentials and sessions.
#[derive(Clone, Debug, Parser)]
#[command(mut_arg("listen_addr", |arg| arg.default_value("127.0.0.1:9101")))]
#[command(mut_arg("admin_addr", |arg| arg.default_value("127.0.0.1:9201")))]
#[command(mut_arg("database_max_connections", |arg| arg.default_value("10")))]
pub struct Config {
    #[command(flatten)]
    pub service: ServiceConfig,

    #[command(flatten)]
    pub database: DatabaseConfig,

    /// Redis; the service runs without it.
    #[arg(long, env = "REDIS_URL", hide_env_values = true)]
    pub redis_url: SecretString,

    /// RabbitMQ; events wait in the outbox while it is unavailable.
    #[arg(long, env = "AMQP_URL", hide_env_values = true)]
    pub amqp_url: SecretString,

    /// The Ed25519 key (PKCS#8 PEM) that signs access tokens.
    #[arg(long, env = "SIGNING_KEY_FILE")]
    pub signing_key_file: PathBuf,

    /// The previous key, published until its last tokens expire.
    #[arg(long, env = "PREVIOUS_SIGNING_KEY_FILE")]
    pub previous_signing_key_file: Option<PathBuf>,

    /// The mail server, as `smtp://user:password@host:port` or `smtps://…`; without one mails stay queued.
    #[arg(long, env = "SMTP_URL", hide_env_values = true)]
    pub smtp_url: Option<SecretString>,

    /// Sender of mails.
    #[arg(
        long,
        env = "MAIL_FROM",
        default_value = "시드업 <no-reply@seedup.invalid>"
    )]
    pub mail_from: String,

    /// Public origin of the client; links in mails use the first of several.
    #[arg(long, env = "PUBLIC_ORIGIN", default_value = "http://localhost:8080")]
    pub public_origin: String,

    /// Joins per address and hour; a classroom shares an address.
    #[arg(long, env = "JOINS_PER_HOUR", default_value_t = 100)]
    pub joins_per_hour: usize,

    /// Days that ended sessions are kept.
    #[arg(long, env = "SESSION_RETENTION_DAYS", default_value_t = 30)]
    pub session_retention_days: u16,

    #[command(flatten)]
    pub push: PushConfig,
}

/// Pushes to phones and browsers. What has no key is off.
#[derive(Args, Clone, Debug)]
pub struct PushConfig {
    /// The P-256 key (PKCS#8 PEM) by which browsers know the installation. Subscriptions end with it.
    #[arg(long, env = "PUSH_VAPID_KEY_FILE")]
    pub push_vapid_key_file: Option<PathBuf>,

    /// Whom push services of browsers write to when pushes do harm, as `mailto:` or `https:`.
    #[arg(
        long,
        env = "PUSH_CONTACT",
        default_value = "mailto:no-reply@seedup.invalid"
    )]
    pub push_contact: String,

    /// The service account (JSON) of the Firebase project, for apps on Android.
    #[arg(long, env = "FCM_SERVICE_ACCOUNT_FILE")]
    pub fcm_service_account_file: Option<PathBuf>,

    /// Firebase Cloud Messaging.
    #[arg(long, env = "FCM_URL", default_value = "https://fcm.googleapis.com")]
    pub fcm_url: String,

    /// The key (.p8) that signs for Apple, for apps on iOS.
    #[arg(long, env = "APNS_KEY_FILE")]
    pub apns_key_file: Option<PathBuf>,

    /// The id of that key, as Apple's account lists it.
    #[arg(long, env = "APNS_KEY_ID")]
    pub apns_key_id: Option<String>,

    /// The id of the team whose key that is.
    #[arg(long, env = "APNS_TEAM_ID")]
    pub apns_team_id: Option<String>,

    /// The app's bundle id.
    #[arg(long, env = "APNS_TOPIC")]
    pub apns_topic: Option<String>,

    /// Apple Push Notification service; `https://api.sandbox.push.apple.com` for builds of developers.
    #[arg(long, env = "APNS_URL", default_value = "https://api.push.apple.com")]
    pub apns_url: String,

    /// Where a copy of every push is posted as readable JSON, for local installations.
    #[arg(long, env = "PUSH_SINK")]
    pub push_sink: Option<String>,

    /// Allows endpoints of browsers on this machine and its network, for tests.
    #[arg(long, env = "PUSH_ALLOW_PRIVATE", action = ArgAction::Set, default_value_t = false)]
    pub push_allow_private: bool,
}

impl AsRef<ServiceConfig> for Config {
    fn as_ref(&self) -> &ServiceConfig {
        &self.service
    }
}
