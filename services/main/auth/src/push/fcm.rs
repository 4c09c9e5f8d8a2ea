//! Firebase Cloud Messaging, HTTP v1.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use chrono::TimeDelta;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use kernel::Clock;
use reqwest::{Client, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::provider_token::{NewToken, ProviderToken};
use super::{Payload, Provider, Push, PushOutcome, Recipient, http, seconds_left};
use crate::domain::PushKind;

const SCOPE: &str = "https://www.googleapis.com/auth/firebase.messaging";
const GRANT: &str = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const ASSERTION_S: i64 = 3_600;
/// Before a token expires another one is asked for.
const MARGIN_S: i64 = 300;

/// What the console of Firebase hands out, as far as it is needed.
#[derive(Deserialize)]
struct ServiceAccount {
    project_id: String,
    client_email: String,
    private_key: String,
    token_uri: String,
}

pub(super) struct Fcm {
    account: ServiceAccount,
    key: EncodingKey,
    send_url: String,
    token: ProviderToken,
    client: Client,
    clock: Arc<dyn Clock>,
}

#[derive(Serialize)]
struct Assertion<'a> {
    iss: &'a str,
    scope: &'a str,
    aud: &'a str,
    iat: i64,
    exp: i64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct AccessToken {
    access_token: String,
    expires_in: i64,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Answer {
    error: AnswerError,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct AnswerError {
    status: String,
    details: Vec<AnswerDetail>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct AnswerDetail {
    error_code: String,
}

impl Fcm {
    /// From the service account's JSON.
    ///
    /// # Errors
    /// When the file is no service account; the message names it.
    pub(super) fn load(file: &Path, url: &str, clock: Arc<dyn Clock>) -> anyhow::Result<Self> {
        let named = || format!("the service account {}", file.display());
        let json = std::fs::read(file).with_context(named)?;
        let account: ServiceAccount = serde_json::from_slice(&json).with_context(named)?;
        let key = EncodingKey::from_rsa_pem(account.private_key.as_bytes()).with_context(named)?;
        let project = &account.project_id;
        Ok(Self {
            send_url: format!(
                "{}/v1/projects/{project}/messages:send",
                url.trim_end_matches('/')
            ),
            account,
            key,
            token: ProviderToken::default(),
            client: http::builder().build()?,
            clock,
        })
    }

    async fn ask_token(&self) -> Result<NewToken, PushOutcome> {
        let now = self.clock.now();
        let assertion = Assertion {
            iss: &self.account.client_email,
            scope: SCOPE,
            aud: &self.account.token_uri,
            iat: now.timestamp(),
            exp: now.timestamp() + ASSERTION_S,
        };
        let signed = jsonwebtoken::encode(&Header::new(Algorithm::RS256), &assertion, &self.key)
            .map_err(PushOutcome::failed)?;
        let form = [("grant_type", GRANT), ("assertion", &signed)];
        let request = self.client.post(&self.account.token_uri).form(&form);
        let answer = request.send().await.map_err(http::broken)?;
        let status = answer.status();
        if !status.is_success() {
            // The installation is not let in, which no subscription is to blame for.
            return Err(match http::by_status(status, answer.headers(), now) {
                PushOutcome::Accepted | PushOutcome::Gone | PushOutcome::Refused { .. } => {
                    PushOutcome::failed(format!("no access token: {status}"))
                }
                failed @ PushOutcome::Failed { .. } => failed,
            });
        }
        let token: AccessToken = http::json(answer).await;
        if token.access_token.is_empty() {
            return Err(PushOutcome::failed("an answer without an access token"));
        }
        let lives = (token.expires_in - MARGIN_S).clamp(0, ASSERTION_S);
        Ok((token.access_token, TimeDelta::seconds(lives)))
    }

    async fn post(&self, push: &Push, token: &str) -> Result<PushOutcome, PushOutcome> {
        let now = self.clock.now();
        let access = self.token.get(now, async || self.ask_token().await).await?;
        let request = self
            .client
            .post(&self.send_url)
            .bearer_auth(&access)
            .json(&message(push, token, seconds_left(push, now)));
        let answer = request.send().await.map_err(http::broken)?;
        let status = answer.status();
        let plain = http::by_status(status, answer.headers(), now);
        if plain == PushOutcome::Accepted {
            return Ok(plain);
        }
        if status == StatusCode::UNAUTHORIZED {
            self.token.forget(&access).await;
            return Err(PushOutcome::failed(status));
        }
        let Answer { error } = http::json(answer).await;
        let mut codes = error
            .details
            .iter()
            .map(|detail| detail.error_code.as_str());
        let code = codes.rfind(|code| !code.is_empty());
        Ok(match code.unwrap_or(&error.status) {
            "UNREGISTERED" | "NOT_FOUND" | "SENDER_ID_MISMATCH" => PushOutcome::Gone,
            code => match plain {
                // The project is not let in, which no subscription is to blame for.
                PushOutcome::Refused { .. } if status == StatusCode::FORBIDDEN => {
                    PushOutcome::failed(format!("{status} {code}"))
                }
                PushOutcome::Refused { .. } => PushOutcome::refused(format!("{status} {code}")),
                PushOutcome::Accepted | PushOutcome::Gone | PushOutcome::Failed { .. } => plain,
            },
        })
    }
}

#[tonic::async_trait]
impl Provider for Fcm {
    fn kind(&self) -> PushKind {
        PushKind::Fcm
    }

    async fn send(&self, push: &Push, recipient: &Recipient) -> PushOutcome {
        let Recipient::App { token } = recipient else {
            return PushOutcome::refused("the subscription has no token");
        };
        self.post(push, token).await.unwrap_or_else(|failed| failed)
    }
}

fn message(push: &Push, token: &str, ttl_s: i64) -> Value {
    let payload = Payload::of(push);
    json!({
        "message": {
            "token": token,
            "notification": {"title": payload.title, "body": payload.body},
            "data": {
                "id": payload.id,
                "link": payload.link,
                "type": payload.kind,
                "tag": payload.tag,
                "sid": payload.sid.unwrap_or_default(),
            },
            "android": {
                "collapse_key": payload.tag,
                "priority": if push.urgent { "HIGH" } else { "NORMAL" },
                "ttl": format!("{ttl_s}s"),
                "notification": {"tag": payload.tag},
            },
        }
    })
}
