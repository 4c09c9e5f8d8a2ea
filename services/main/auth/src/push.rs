//! Sends pushes to browsers and apps.
//!
//! A push waits in the database until each subscription of its member has accepted or refused it.
//! [`Provider`] is one way to send; [`sender::PushSender`] takes what is due and stores how it went.

mod apns;
mod fcm;
mod http;
mod provider_token;
pub mod sender;
mod sink;
mod web;

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use kernel::{Clock, MemberId};
use serde::Serialize;

use crate::config::PushConfig;
use crate::domain::PushKind;
use crate::domain::push::{BrowserKeys, shortened, topic};

pub use web::VapidKey;

/// Characters of a title and a text that are sent: push services take 4 KB, of which one character
/// may cost six bytes.
const MAX_TITLE: usize = 60;
const MAX_BODY: usize = 180;
/// Bytes of the link in a push.
const MAX_LINK: usize = 512;

/// What a phone is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Push {
    pub delivery_id: i64,
    /// `None` for what is not in the inbox.
    pub notification_id: Option<i64>,
    pub member_id: MemberId,
    pub kind: String,
    pub title: String,
    pub body: String,
    /// A path of the client.
    pub link: String,
    pub collapse_key: String,
    pub urgent: bool,
    pub expires_at: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recipient {
    Browser {
        endpoint: String,
        keys: BrowserKeys,
    },
    App {
        token: String,
    },
    /// Nobody; the kinds that the member has subscribed with.
    Sink {
        kinds: Vec<String>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PushOutcome {
    Accepted,
    Gone,
    /// Another try would be refused, too.
    Refused {
        error: String,
    },
    /// May succeed later, at the earliest after what the service asked for.
    Failed {
        error: String,
        retry_after: Option<TimeDelta>,
    },
}

impl PushOutcome {
    fn failed(error: impl std::fmt::Display) -> Self {
        Self::Failed {
            error: error.to_string(),
            retry_after: None,
        }
    }

    fn refused(error: impl std::fmt::Display) -> Self {
        Self::Refused {
            error: error.to_string(),
        }
    }

    /// In metrics.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Gone => "gone",
            Self::Refused { .. } => "refused",
            Self::Failed { .. } => "failed",
        }
    }
}

/// A way to send pushes. Each request of it is bounded in time.
#[tonic::async_trait]
pub trait Provider: Send + Sync {
    fn kind(&self) -> PushKind;

    async fn send(&self, push: &Push, recipient: &Recipient) -> PushOutcome;
}

/// The providers that the installation has keys of.
#[derive(Clone)]
pub struct Providers {
    providers: Vec<Arc<dyn Provider>>,
    /// By which browsers know the installation.
    web_key: Option<String>,
    allows_private: bool,
}

impl Providers {
    /// Connects to nothing yet.
    ///
    /// # Errors
    /// When a key cannot be read; the message names the file.
    pub fn new(config: &PushConfig, clock: &Arc<dyn Clock>) -> anyhow::Result<Self> {
        let mut providers: Vec<Arc<dyn Provider>> = Vec::new();
        let mut web_key = None;
        if let Some(file) = config.push_vapid_key_file.as_deref() {
            let key = VapidKey::load(file, &config.push_contact)?;
            web_key = Some(key.public_key().to_owned());
            let client = http::client(config.push_allow_private)?;
            providers.push(Arc::new(web::WebPush::new(key, client, Arc::clone(clock))));
        }
        if let Some(file) = config.fcm_service_account_file.as_deref() {
            let fcm = fcm::Fcm::load(file, &config.fcm_url, Arc::clone(clock))?;
            providers.push(Arc::new(fcm));
        }
        if let Some(apns) = apns::Apns::load(config, Arc::clone(clock))? {
            providers.push(Arc::new(apns));
        }
        if let Some(url) = config.push_sink.as_deref().filter(|url| !url.is_empty()) {
            providers.push(Arc::new(sink::Sink::new(url)?));
        }
        Ok(Self {
            providers,
            web_key,
            allows_private: config.push_allow_private,
        })
    }

    /// The key that a browser subscribes with; `None` where no browser can.
    #[must_use]
    pub fn web_key(&self) -> Option<&str> {
        self.web_key.as_deref()
    }

    /// Whether endpoints of this machine and its network may be subscribed.
    #[must_use]
    pub fn allows_private(&self) -> bool {
        self.allows_private
    }

    #[must_use]
    pub fn has(&self, kind: PushKind) -> bool {
        self.iter().any(|provider| provider.kind() == kind)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Provider>> {
        self.providers.iter()
    }
}

/// What the service worker and the apps read.
#[derive(Serialize)]
struct Payload {
    /// The same when the push is repeated.
    id: String,
    title: String,
    body: String,
    link: String,
    /// A push replaces an earlier one of its tag.
    tag: String,
    #[serde(rename = "type")]
    kind: String,
    /// The id of the notification, as text: apps take nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    sid: Option<String>,
}

impl Payload {
    fn of(push: &Push) -> Self {
        let is_path = push.link.starts_with('/') && push.link.len() <= MAX_LINK;
        Self {
            id: push.delivery_id.to_string(),
            title: shortened(&push.title, MAX_TITLE),
            body: shortened(&push.body, MAX_BODY),
            link: if is_path {
                push.link.clone()
            } else {
                "/notifications".to_owned()
            },
            tag: topic(&push.collapse_key),
            kind: push.kind.clone(),
            sid: push.notification_id.map(|id| id.to_string()),
        }
    }
}

/// Seconds until the push is worth nothing, as push services take them.
fn seconds_left(push: &Push, now: DateTime<Utc>) -> i64 {
    const FOUR_WEEKS_S: i64 = 28 * 86_400;
    (push.expires_at - now).num_seconds().clamp(0, FOUR_WEEKS_S)
}
