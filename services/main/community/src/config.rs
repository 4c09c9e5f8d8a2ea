//! Configuration from the environment and the command line, read once at the start.

use bootstrap::service::{DatabaseConfig, MigrateConfig, ServiceConfig};
use clap::{Args, Parser, Subcommand};
use secrecy::SecretString;

use crate::domain::writing::Limits;
use crate::moderation::ModerationCommand;

/// Commands beside `run`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Bring the database to the newest schema.
    Migrate(MigrateConfig),
    /// Read what members reported and what is held, and decide about it.
    Moderation(ModerationConfig),
    /// Copy the files of pictures to another place, as a backup or from one; what is there already
    /// stays.
    CopyFiles(CopyFilesConfig),
}

/// Each is a URL as `FILES_URL` is.
#[derive(Debug, Args)]
pub struct CopyFilesConfig {
    pub from: String,
    pub to: String,
}

#[derive(Debug, Args)]
pub struct ModerationConfig {
    #[command(subcommand)]
    pub command: ModerationCommand,
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: SecretString,
    /// Where the files of pictures are kept, as for the service.
    #[arg(
        long,
        env = "FILES_URL",
        default_value = "file:///var/lib/seedup/files"
    )]
    pub files_url: String,
}

/// Posts, comments, and what members are to each other.
#[derive(Clone, Debug, Parser)]
#[command(mut_arg("listen_addr", |arg| arg.default_value("127.0.0.1:9106")))]
#[command(mut_arg("admin_addr", |arg| arg.default_value("127.0.0.1:9206")))]
pub struct Config {
    #[command(flatten)]
    pub service: ServiceConfig,

    #[command(flatten)]
    pub database: DatabaseConfig,

    /// RabbitMQ; members who join meanwhile count as old while it is unavailable.
    #[arg(long, env = "AMQP_URL", hide_env_values = true)]
    pub amqp_url: SecretString,

    /// Where the files of pictures are kept: `file:///a/folder`, which every process of the service
    /// must share, or `s3://bucket/folder`, `gs://bucket/folder` or `az://container/folder`, with
    /// endpoint, region, account and keys in the `AWS_…`, `GOOGLE_…` or `AZURE_…` variables that other
    /// clients read.
    #[arg(
        long,
        env = "FILES_URL",
        default_value = "file:///var/lib/seedup/files"
    )]
    pub files_url: String,

    /// Megabytes that uploads leave free on the disk of a local folder.
    #[arg(long, env = "FILES_MIN_FREE_MB", default_value = "1024")]
    pub files_min_free_mb: u32,

    #[command(flatten)]
    pub writing: WritingConfig,
}

/// How much a member may write; load tests raise it.
#[derive(Clone, Debug, Args)]
pub struct WritingConfig {
    /// Posts of a member in ten minutes.
    #[arg(long, env = "POSTS_PER_TEN_MINUTES", default_value = "3")]
    pub posts_per_ten_minutes: u32,

    /// Posts of a member in a day.
    #[arg(long, env = "POSTS_PER_DAY", default_value = "30")]
    pub posts_per_day: u32,

    /// Posts in the first 24 hours of a member.
    #[arg(long, env = "POSTS_ON_FIRST_DAY", default_value = "3")]
    pub posts_on_first_day: u32,

    /// Comments and replies of a member in a minute.
    #[arg(long, env = "COMMENTS_PER_MINUTE", default_value = "10")]
    pub comments_per_minute: u32,

    /// Changes of one text in ten minutes.
    #[arg(long, env = "EDITS_PER_TEN_MINUTES", default_value = "10")]
    pub edits_per_ten_minutes: u32,

    /// Changes of one text in a day.
    #[arg(long, env = "EDITS_PER_DAY", default_value = "30")]
    pub edits_per_day: u32,
}

impl WritingConfig {
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits {
            posts_per_ten_minutes: self.posts_per_ten_minutes,
            posts_per_day: self.posts_per_day,
            posts_on_first_day: self.posts_on_first_day,
            comments_per_minute: self.comments_per_minute,
            edits_per_ten_minutes: self.edits_per_ten_minutes,
            edits_per_day: self.edits_per_day,
        }
    }
}

impl Config {
    #[must_use]
    pub fn files_min_free_bytes(&self) -> u64 {
        u64::from(self.files_min_free_mb) * 1024 * 1024
    }
}

impl AsRef<ServiceConfig> for Config {
    fn as_ref(&self) -> &ServiceConfig {
        &self.service
    }
}
