//! Shows every push of a local installation beside its mails.

use anyhow::Context;
use reqwest::{Client, Url};
use serde_json::json;

use super::{Payload, Provider, Push, PushOutcome, Recipient, http};
use crate::domain::PushKind;

pub(super) struct Sink {
    url: Url,
    client: Client,
}

impl Sink {
    /// # Errors
    /// When `url` is none.
    pub(super) fn new(url: &str) -> anyhow::Result<Self> {
        Ok(Self {
            url: Url::parse(url).context("PUSH_SINK is not a URL")?,
            client: http::builder().build()?,
        })
    }
}

#[tonic::async_trait]
impl Provider for Sink {
    fn kind(&self) -> PushKind {
        PushKind::Sink
    }

    async fn send(&self, push: &Push, recipient: &Recipient) -> PushOutcome {
        let Recipient::Sink { kinds } = recipient else {
            return PushOutcome::refused("a push of a member");
        };
        let payload = Payload::of(push);
        let shown = json!({
            "deliverySid": push.delivery_id,
            "memberSid": push.member_id.0,
            "kinds": kinds,
            "type": payload.kind,
            "title": payload.title,
            "body": payload.body,
            "link": payload.link,
            "tag": payload.tag,
            "urgent": push.urgent,
        });
        match self.client.post(self.url.clone()).json(&shown).send().await {
            Ok(answer) if answer.status().is_success() => PushOutcome::Accepted,
            Ok(answer) => PushOutcome::failed(answer.status()),
            Err(error) => http::broken(error),
        }
    }
}
