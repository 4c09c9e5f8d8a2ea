//! The settings of the process.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Parser;
use telemetry::LogFormat;

/// Stores mails instead of delivering them.
#[derive(Debug, Parser)]
#[command(name = "mail-sink", version)]
pub struct Config {
    /// Address of the SMTP server.
    #[arg(long, env = "SMTP_ADDR", default_value = "127.0.0.1:2525")]
    pub smtp_addr: SocketAddr,

    /// Address of the page that shows the mails and takes and shows pushes.
    #[arg(long, env = "PAGE_ADDR", default_value = "127.0.0.1:2580")]
    pub page_addr: SocketAddr,

    /// Folder of the mail files; pushes have one in it.
    #[arg(long, env = "MAIL_DIR")]
    pub mail_dir: PathBuf,

    /// `json` or `text`.
    #[arg(long, env = "LOG_FORMAT", default_value_t = LogFormat::Json)]
    pub log_format: LogFormat,
}
