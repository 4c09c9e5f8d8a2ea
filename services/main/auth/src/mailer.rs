//! Sends the mails that wait in the database.
//!
//! No request waits for a mail server. A mail is tried again after a growing wait and given up at
//! last, which a metric tells; what it carries is made only now, so that the database never holds
//! a link or a code.

mod letter;

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
use letter::Letter;

/// Mails that are on their way at once, each over a connection of its own.
const AT_ONCE: u32 = 4;
/// Mails that are taken at once.
const TAKEN: u64 = 20;
/// A mail server that says nothing for so long is away.
const SMTP_TIMEOUT: Duration = Duration::from_secs(10);
/// Longer than all that are taken can need; then a crash must have come between.
const LEASE: TimeDelta = TimeDelta::seconds(120);
/// The database is asked so often, besides when a mail is written here.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Sends mails. Without a mail server it leaves them waiting.
pub struct Mailer {
    store: Store,
    secret: MailedSecret,
    clock: Arc<dyn Clock>,
    smtp: Option<AsyncSmtpTransport<Tokio1Executor>>,
    from: Mailbox,
    public_origin: String,
}

/// The first of several origins, which are separated by commas.
fn first(public_origin: &str) -> String {
    let origin = public_origin.split(',').next().unwrap_or_default();
    origin.trim_end_matches('/').to_owned()
}

/// What became of a mail.
enum Outcome {
    Sent,
    /// There was nothing to say any more.
    Dropped,
    Failed {
        error: String,
        for_good: bool,
    },
}

impl Mailer {
    /// Prepares connections; none is made yet.
    ///
    /// # Errors
    /// When the mail server's address or the sender is none.
    pub fn new(
        config: &Config,
        store: Store,
        secret: MailedSecret,
        clock: &Arc<dyn Clock>,
    ) -> anyhow::Result<Self> {
        let connect = |url: &str| -> anyhow::Result<_> {
            let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
                .context("SMTP_URL is no smtp address")?;
            let pool = PoolConfig::new().max_size(AT_ONCE);
            Ok(builder
                .pool_config(pool)
                .timeout(Some(SMTP_TIMEOUT))
                .build())
        };
        let smtp = config.smtp_url.as_ref();
        Ok(Self {
            smtp: smtp.map(|url| connect(url.expose_secret())).transpose()?,
            from: config.mail_from.parse().context("MAIL_FROM is no sender")?,
            public_origin: first(&config.public_origin),
            clock: Arc::clone(clock),
            store,
            secret,
        })
    }

    /// Sends until `shutdown`; what is under way is finished.
    pub async fn run(self, shutdown: CancellationToken) {
        if self.smtp.is_none() {
            tracing::warn!("There is no SMTP_URL: mails wait until there is one");
            return;
        }
        // Seen at 0, so that alerts notice the first.
        for kind in MailKind::ALL {
            metrics::counter!("auth_mails_dead_total", "kind" => kind.as_str()).increment(0);
        }
        while !shutdown.is_cancelled() {
            match self.send_due().await {
                // More may wait behind those that were taken.
                Ok(taken) if taken > 0 => continue,
                Ok(_) => self.gauge().await,
                Err(error) => tracing::warn!(?error, "Waiting mails could not be read"),
            }
            let pause = async {
                tokio::select! {
                    () = self.store.mail_written() => {}
                    () = tokio::time::sleep(LOOK_EVERY) => {}
                }
            };
            shutdown.run_until_cancelled(pause).await;
        }
    }

    /// Sends the mails whose time has come and tells how many there were.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn send_due(&self) -> Result<usize, AuthError> {
        let due = self.store.claim_mails(TAKEN, LEASE).await?;
        let taken = due.len();
        stream::iter(due)
            .for_each_concurrent(usize::try_from(AT_ONCE).ok(), async |mail| {
                if let Err(error) = self.settle(&mail).await {
                    // Its lease ends, and then it is tried again.
                    tracing::warn!(?error, mail = %mail.id, "A mail could not be settled");
                }
            })
            .await;
        Ok(taken)
    }

    async fn settle(&self, mail: &mail::Model) -> Result<(), AuthError> {
        let kind = MailKind::parse(&mail.kind);
        let word = kind.map_or("unknown", MailKind::as_str);
        let outcome = match kind {
            Some(kind) => self.try_once(mail, kind).await?,
            // A newer version wrote it, and will know how to send it.
            None => Outcome::Failed {
                error: "no such kind of mail is known here".to_owned(),
                for_good: false,
            },
        };
        match outcome {
            Outcome::Sent => {
                metrics::counter!("auth_mails_sent_total", "kind" => word).increment(1);
                self.store.forget_mail(mail.id).await
            }
            Outcome::Dropped => {
                metrics::counter!("auth_mails_dropped_total", "kind" => word).increment(1);
                self.store.forget_mail(mail.id).await
            }
            Outcome::Failed { error, for_good } => {
                let wait = wait_after(mail.tries).filter(|_wait| !for_good);
                metrics::counter!("auth_mail_failures_total", "kind" => word).increment(1);
                if wait.is_none() {
                    metrics::counter!("auth_mails_dead_total", "kind" => word).increment(1);
                    tracing::error!(mail = %mail.id, kind = word, error, "A mail was given up");
                } else {
                    tracing::warn!(mail = %mail.id, kind = word, tries = mail.tries, error, "A mail has to wait");
                }
                let next = wait.map(|wait| self.clock.now() + wait);
                self.store.put_mail_back(mail.id, next, &error).await
            }
        }
    }

    async fn try_once(&self, mail: &mail::Model, kind: MailKind) -> Result<Outcome, AuthError> {
        let letter = match kind {
            MailKind::PasswordReset => {
                let token = self.secret.reset_token(mail.id);
                if !self
                    .store
                    .open_reset_link(mail, token.hash().to_vec())
                    .await?
                {
                    return Ok(Outcome::Dropped);
                }
                let link = format!(
                    "{}/password/new?token={}",
                    self.public_origin,
                    token.to_text()
                );
                Letter::password_reset(&link)
            }
            MailKind::EmailCode => {
                if !self.store.open_email_code(mail.id).await? {
                    return Ok(Outcome::Dropped);
                }
                Letter::email_code(&self.secret.code(mail.id))
            }
            MailKind::NewDevice => {
                let link = format!("{}/password/reset", self.public_origin);
                Letter::new_device(mail.asked_at, mail.detail.as_deref(), &link)
            }
        };
        let message = match letter.addressed(&self.from, &mail.recipient, mail.id) {
            Ok(message) => message,
            Err(error) => {
                return Ok(Outcome::Failed {
                    error: format!("{error:#}"),
                    for_good: true,
                });
            }
        };
        let Some(smtp) = &self.smtp else {
            return Ok(Outcome::Failed {
                error: "there is no mail server".to_owned(),
                for_good: false,
            });
        };
        // The transport's own limit is per command; this one is for the whole conversation.
        let sending = tokio::time::timeout(2 * SMTP_TIMEOUT, smtp.send(message));
        Ok(match sending.await {
            Ok(Ok(_taken)) => Outcome::Sent,
            Ok(Err(error)) => Outcome::Failed {
                for_good: error.is_permanent(),
                error: error.to_string(),
            },
            Err(_elapsed) => Outcome::Failed {
                error: "the mail server was too slow".to_owned(),
                for_good: false,
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
