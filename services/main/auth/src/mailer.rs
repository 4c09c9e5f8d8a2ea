//! Sends the mails queued in the database.
//!
//! No request waits for the mail server. A failed mail is retried with growing delays and finally
//! given up, which a metric counts. Links and codes are derived at sending, so that the database
//! never contains them.

mod content;
mod device_name;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use chrono::TimeDelta;
use futures_util::{StreamExt, stream};
use kernel::Clock;
use lettre::message::Mailbox;
use lettre::transport::smtp::PoolConfig;
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};
use secrecy::ExposeSecret;
use tokio_util::sync::CancellationToken;

use crate::config::Config;
use crate::domain::mail::wait_after;
use crate::domain::{MailKind, MailedSecret};
use crate::entity::mail;
use crate::error::AuthError;
use crate::store::Store;
use content::MailContent;

/// Concurrent SMTP connections.
const CONCURRENCY: u32 = 4;
/// Mails claimed per query.
const BATCH: u64 = 20;
const SMTP_TIMEOUT: Duration = Duration::from_secs(10);
/// Longer than sending a batch can take; afterwards the claiming process must have crashed.
const LEASE: TimeDelta = TimeDelta::seconds(120);
/// Between two looks into the database; mails written by this process wake the mailer at once.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Without a mail server mails stay queued.
pub struct Mailer {
    store: Store,
    secret: MailedSecret,
    clock: Arc<dyn Clock>,
    smtp: Option<AsyncSmtpTransport<Tokio1Executor>>,
    from: Mailbox,
    public_origin: String,
}

/// The first of a comma-separated list of origins.
fn first_origin(public_origin: &str) -> String {
    let origin = public_origin.split(',').next().unwrap_or_default();
    origin.trim_end_matches('/').to_owned()
}

enum MailOutcome {
    Sent,
    /// The mail is no longer needed.
    Dropped,
    Failed {
        error: String,
        is_permanent_failure: bool,
    },
}

impl Mailer {
    /// Does not connect yet.
    ///
    /// # Errors
    /// When the mail server's URL or the sender is invalid.
    pub fn new(
        config: &Config,
        store: Store,
        secret: MailedSecret,
        clock: &Arc<dyn Clock>,
    ) -> anyhow::Result<Self> {
        let connect = |url: &str| -> anyhow::Result<_> {
            let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
                .context("SMTP_URL is not an SMTP URL")?;
            let pool = PoolConfig::new().max_size(CONCURRENCY);
            Ok(builder
                .pool_config(pool)
                .timeout(Some(SMTP_TIMEOUT))
                .build())
        };
        let smtp = config.smtp_url.as_ref();
        Ok(Self {
            smtp: smtp.map(|url| connect(url.expose_secret())).transpose()?,
            from: config
                .mail_from
                .parse()
                .context("MAIL_FROM is not a mail address")?,
            public_origin: first_origin(&config.public_origin),
            clock: Arc::clone(clock),
            store,
            secret,
        })
    }

    /// Sends until `shutdown`; started mails are finished.
    pub async fn run(self, shutdown: CancellationToken) {
        if self.smtp.is_none() {
            tracing::warn!("SMTP_URL is not set: mails stay queued");
            return;
        }
        // Exported at 0, so that alerts notice the first.
        for kind in MailKind::ALL {
            metrics::counter!("auth_mails_dead_total", "kind" => kind.as_str()).increment(0);
        }
        while !shutdown.is_cancelled() {
            match self.send_due().await {
                // More may be due.
                Ok(taken) if taken > 0 => continue,
                Ok(_) => self.gauge().await,
                Err(error) => tracing::warn!(?error, "Queued mails could not be read"),
            }
            let pause = async {
                tokio::select! {
                    () = self.store.mail_written() => {}
                    () = tokio::time::sleep(POLL_INTERVAL) => {}
                }
            };
            shutdown.run_until_cancelled(pause).await;
        }
    }

    /// Sends the due mails and returns their number.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn send_due(&self) -> Result<usize, AuthError> {
        let due = self.store.claim_mails(BATCH, LEASE).await?;
        let taken = due.len();
        stream::iter(due)
            .for_each_concurrent(usize::try_from(CONCURRENCY).ok(), async |mail| {
                if let Err(error) = self.process(&mail).await {
                    // Retried when its lease ends.
                    tracing::warn!(?error, mail = %mail.id, "A mail could not be processed");
                }
            })
            .await;
        Ok(taken)
    }

    async fn process(&self, mail: &mail::Model) -> Result<(), AuthError> {
        let kind = MailKind::parse(&mail.kind);
        let label = kind.map_or("unknown", MailKind::as_str);
        let outcome = match kind {
            Some(kind) => self.try_once(mail, kind).await?,
            // Written by a newer version, which can send it.
            None => MailOutcome::Failed {
                error: "unknown kind of mail".to_owned(),
                is_permanent_failure: false,
            },
        };
        match outcome {
            MailOutcome::Sent => {
                metrics::counter!("auth_mails_sent_total", "kind" => label).increment(1);
                self.store.delete_mail(mail.id).await
            }
            MailOutcome::Dropped => {
                metrics::counter!("auth_mails_dropped_total", "kind" => label).increment(1);
                self.store.delete_mail(mail.id).await
            }
            MailOutcome::Failed {
                error,
                is_permanent_failure,
            } => {
                let wait = wait_after(mail.tries).filter(|_wait| !is_permanent_failure);
                metrics::counter!("auth_mail_failures_total", "kind" => label).increment(1);
                if wait.is_none() {
                    metrics::counter!("auth_mails_dead_total", "kind" => label).increment(1);
                    tracing::error!(mail = %mail.id, kind = label, error, "Mail given up");
                } else {
                    tracing::warn!(mail = %mail.id, kind = label, tries = mail.tries, error, "Mail failed, retrying later");
                }
                let next = wait.map(|wait| self.clock.now() + wait);
                self.store.reschedule_mail(mail.id, next, &error).await
            }
        }
    }

    async fn try_once(&self, mail: &mail::Model, kind: MailKind) -> Result<MailOutcome, AuthError> {
        let content = match kind {
            MailKind::PasswordReset => {
                let token = self.secret.reset_token(mail.id);
                if !self
                    .store
                    .activate_reset_link(mail, token.hash().to_vec())
                    .await?
                {
                    return Ok(MailOutcome::Dropped);
                }
                let link = format!(
                    "{}/password/new?token={}",
                    self.public_origin,
                    token.to_text()
                );
                MailContent::password_reset(&link)
            }
            MailKind::EmailCode => {
                if !self.store.activate_email_code(mail.id).await? {
                    return Ok(MailOutcome::Dropped);
                }
                MailContent::email_code(&self.secret.code(mail.id))
            }
            MailKind::NewDevice => {
                let link = format!("{}/password/reset", self.public_origin);
                MailContent::new_device(mail.asked_at, mail.detail.as_deref(), &link)
            }
        };
        let message = match content.addressed(&self.from, &mail.recipient, mail.id) {
            Ok(message) => message,
            Err(error) => {
                return Ok(MailOutcome::Failed {
                    error: format!("{error:#}"),
                    is_permanent_failure: true,
                });
            }
        };
        let Some(smtp) = &self.smtp else {
            return Ok(MailOutcome::Failed {
                error: "no mail server is configured".to_owned(),
                is_permanent_failure: false,
            });
        };
        // The transport's timeout is per command; this one is for the whole session.
        let sending = tokio::time::timeout(2 * SMTP_TIMEOUT, smtp.send(message));
        Ok(match sending.await {
            Ok(Ok(_taken)) => MailOutcome::Sent,
            Ok(Err(error)) => MailOutcome::Failed {
                is_permanent_failure: error.is_permanent(),
                error: error.to_string(),
            },
            Err(_elapsed) => MailOutcome::Failed {
                error: "the mail server timed out".to_owned(),
                is_permanent_failure: false,
            },
        })
    }

    async fn gauge(&self) {
        if let Ok(waiting) = self.store.waiting_mails().await {
            let waiting = u32::try_from(waiting).unwrap_or(u32::MAX);
            metrics::gauge!("auth_mails_waiting").set(f64::from(waiting));
        }
    }
}
