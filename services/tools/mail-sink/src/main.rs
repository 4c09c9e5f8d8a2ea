//! The mail sink of a local installation.

use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use kernel::SystemClock;
use mail_sink::config::Config;
use mail_sink::mail_store::MailStore;
use mail_sink::push_store::PushStore;
use mail_sink::{pages, smtp};
use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> ExitCode {
    let config = Config::parse();
    bootstrap::init("mail-sink", config.log_format);
    match run(config).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(error = format!("{error:#}"), "Stopped");
            ExitCode::FAILURE
        }
    }
}

async fn run(config: Config) -> anyhow::Result<()> {
    let shutdown = bootstrap::shutdown::token();
    let push_store = PushStore::open(config.mail_dir.join("pushes"), Arc::new(SystemClock))?;
    let mail_store = MailStore::open(config.mail_dir, Arc::new(SystemClock))?;
    let smtp = TcpListener::bind(config.smtp_addr).await?;
    let page = std::net::TcpListener::bind(config.page_addr)?;
    tracing::info!(smtp = %config.smtp_addr, page = %config.page_addr, "Serving");
    let receiving = tokio::spawn(smtp::serve(smtp, mail_store.clone(), shutdown.clone()));
    pages::serve(page, mail_store, push_store, shutdown).await?;
    receiving.await?;
    Ok(())
}
