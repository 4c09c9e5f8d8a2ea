//! Apple Push Notification service: HTTP/2, with a token that the installation signs.

use std::sync::Arc;

use anyhow::{Context, bail};
use chrono::TimeDelta;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use kernel::Clock;
use reqwest::{Client, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::provider_token::ProviderToken;
use super::{Payload, Provider, Push, PushOutcome, Recipient, http};
use crate::config::PushConfig;
use crate::domain::PushKind;

/// Apple refuses tokens older than an hour, and more than one in twenty minutes.
const TOKEN_REUSED: TimeDelta = TimeDelta::minutes(40);

pub(super) struct Apns {
    key: EncodingKey,
    key_id: String,
    team_id: String,
    topic: String,
    url: String,
    token: ProviderToken,
    client: Client,
    clock: Arc<dyn Clock>,
}

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    iat: i64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Answer {
    reason: String,
}

impl Apns {
    /// `None` without a key.
    ///
    /// # Errors
    /// When the key cannot be read, or what belongs to it is missing.
    pub(super) fn load(config: &PushConfig, clock: Arc<dyn Clock>) -> anyhow::Result<Option<Self>> {
        let Some(file) = config.apns_key_file.as_deref() else {
            return Ok(None);
        };
        let named = || format!("the key {} of APNs", file.display());
        let pem = std::fs::read(file).with_context(named)?;
        let (Some(key_id), Some(team_id), Some(topic)) = (
            &config.apns_key_id,
            &config.apns_team_id,
            &config.apns_topic,
        ) else {
            bail!("APNS_KEY_FILE needs APNS_KEY_ID, APNS_TEAM_ID and APNS_TOPIC");
        };
        Ok(Some(Self {
            key: EncodingKey::from_ec_pem(&pem).with_context(named)?,
            key_id: key_id.clone(),
            team_id: team_id.clone(),
            topic: topic.clone(),
            url: config.apns_url.trim_end_matches('/').to_owned(),
            token: ProviderToken::default(),
            client: http::builder().http2_prior_knowledge().build()?,
            clock,
        }))
    }

    fn sign(&self) -> Result<String, jsonwebtoken::errors::Error> {
        let mut header = Header::new(Algorithm::ES256);
        header.kid = Some(self.key_id.clone());
        let claims = Claims {
            iss: &self.team_id,
            iat: self.clock.now().timestamp(),
        };
        jsonwebtoken::encode(&header, &claims, &self.key)
    }

    async fn post(&self, push: &Push, device: &str) -> Result<PushOutcome, PushOutcome> {
        let now = self.clock.now();
        let make = async || self.sign().map(|token| (token, TOKEN_REUSED));
        let access = self
            .token
            .get(now, make)
            .await
            .map_err(PushOutcome::failed)?;
        let payload = Payload::of(push);
        let request = self
            .client
            .post(format!("{}/3/device/{device}", self.url))
            .bearer_auth(&access)
            .header("apns-topic", &self.topic)
            .header("apns-push-type", "alert")
            .header("apns-priority", if push.urgent { "10" } else { "5" })
            .header("apns-expiration", push.expires_at.timestamp())
            .header("apns-collapse-id", &payload.tag)
            .json(&message(payload));
        let answer = request.send().await.map_err(http::broken)?;
        let status = answer.status();
        let plain = http::by_status(status, answer.headers(), now);
        if plain == PushOutcome::Accepted {
            return Ok(plain);
        }
        let Answer { reason } = http::json(answer).await;
        Ok(match (status, reason.as_str()) {
            (StatusCode::GONE, _)
            | (_, "BadDeviceToken" | "DeviceTokenNotForTopic" | "Unregistered" | "ExpiredToken") => {
                PushOutcome::Gone
            }
            (StatusCode::FORBIDDEN, _) => {
                // The installation is not let in, which no subscription is to blame for.
                if reason == "ExpiredProviderToken" {
                    self.token.forget(&access).await;
                }
                PushOutcome::failed(format!("{status} {reason}"))
            }
            _ => match plain {
                PushOutcome::Refused { .. } => PushOutcome::refused(format!("{status} {reason}")),
                PushOutcome::Accepted | PushOutcome::Gone | PushOutcome::Failed { .. } => plain,
            },
        })
    }
}

#[tonic::async_trait]
impl Provider for Apns {
    fn kind(&self) -> PushKind {
        PushKind::Apns
    }

    async fn send(&self, push: &Push, recipient: &Recipient) -> PushOutcome {
        let Recipient::App { token } = recipient else {
            return PushOutcome::refused("the subscription has no token");
        };
        self.post(push, token).await.unwrap_or_else(|failed| failed)
    }
}

fn message(payload: Payload) -> Value {
    json!({
        "aps": {
            "alert": {"title": payload.title, "body": payload.body},
            "sound": "default",
            "thread-id": payload.kind,
        },
        "id": payload.id,
        "link": payload.link,
        "type": payload.kind,
        "sid": payload.sid.unwrap_or_default(),
    })
}
