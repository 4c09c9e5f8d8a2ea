//! Web Push (RFC 8030): the text is encrypted for the browser (RFC 8291), and the installation names
//! itself by its key (VAPID, RFC 8292).

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use kernel::Clock;
use parking_lot::Mutex;
use reqwest::header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE};
use reqwest::{Client, StatusCode, Url};
use serde::Serialize;
use web_push_native::p256::elliptic_curve::sec1::ToEncodedPoint;
use web_push_native::p256::pkcs8::DecodePrivateKey;
use web_push_native::p256::{PublicKey, SecretKey};
use web_push_native::{Auth, encrypt};

use super::{Payload, Provider, Push, PushOutcome, Recipient, http, seconds_left};
use crate::domain::PushKind;
use crate::domain::push::{BrowserKeys, topic};

/// RFC 8292 allows a day.
const TOKEN_LIVES: TimeDelta = TimeDelta::hours(12);
const TOKEN_REUSED: TimeDelta = TimeDelta::hours(6);
/// Origins whose tokens are kept; members name them, so there is no end of them.
const MAX_TOKENS: usize = 256;

/// The key by which push services know the installation. Browsers that subscribed with another one
/// cannot be reached.
pub struct VapidKey {
    encoding: EncodingKey,
    public: String,
    contact: String,
    tokens: Mutex<HashMap<String, (String, DateTime<Utc>)>>,
}

#[derive(Serialize)]
struct Claims<'a> {
    aud: &'a str,
    exp: i64,
    sub: &'a str,
}

impl VapidKey {
    /// A P-256 key in PKCS#8 PEM.
    ///
    /// # Errors
    /// When the file contains no such key; the message names it.
    pub fn load(file: &Path, contact: &str) -> anyhow::Result<Self> {
        let named = || format!("the key {} of pushes", file.display());
        let pem = std::fs::read_to_string(file).with_context(named)?;
        Self::from_pem(&pem, contact).with_context(named)
    }

    /// As [`Self::load`], from the contents of the file.
    ///
    /// # Errors
    /// When the text is no P-256 key in PKCS#8 PEM.
    pub fn from_pem(pem: &str, contact: &str) -> anyhow::Result<Self> {
        let secret = SecretKey::from_pkcs8_pem(pem).context("not a P-256 key in PKCS#8 PEM")?;
        let public = secret.public_key().to_encoded_point(false);
        Ok(Self {
            encoding: EncodingKey::from_ec_pem(pem.as_bytes())?,
            public: URL_SAFE_NO_PAD.encode(public.as_bytes()),
            contact: contact.to_owned(),
            tokens: Mutex::default(),
        })
    }

    /// The uncompressed point in base64url, as browsers take it.
    #[must_use]
    pub fn public_key(&self) -> &str {
        &self.public
    }

    fn authorization(&self, origin: &str, now: DateTime<Utc>) -> anyhow::Result<String> {
        let is_fresh =
            |made_at: DateTime<Utc>| (TimeDelta::zero()..TOKEN_REUSED).contains(&(now - made_at));
        let mut tokens = self.tokens.lock();
        if let Some((token, made_at)) = tokens.get(origin)
            && is_fresh(*made_at)
        {
            return Ok(token.clone());
        }
        let claims = Claims {
            aud: origin,
            exp: (now + TOKEN_LIVES).timestamp(),
            sub: &self.contact,
        };
        let jwt = jsonwebtoken::encode(&Header::new(Algorithm::ES256), &claims, &self.encoding)?;
        let token = format!("vapid t={jwt}, k={}", self.public);
        if tokens.len() >= MAX_TOKENS {
            tokens.clear();
        }
        tokens.insert(origin.to_owned(), (token.clone(), now));
        Ok(token)
    }
}

pub(super) struct WebPush {
    key: VapidKey,
    client: Client,
    clock: Arc<dyn Clock>,
}

impl WebPush {
    pub(super) fn new(key: VapidKey, client: Client, clock: Arc<dyn Clock>) -> Self {
        Self { key, client, clock }
    }

    async fn post(
        &self,
        push: &Push,
        endpoint: &str,
        keys: &BrowserKeys,
    ) -> anyhow::Result<PushOutcome> {
        let url = Url::parse(endpoint)?;
        let now = self.clock.now();
        let authorization = self
            .key
            .authorization(&url.origin().ascii_serialization(), now)?;
        let text = serde_json::to_vec(&Payload::of(push))?;
        let request = self
            .client
            .post(url)
            .header(AUTHORIZATION, authorization)
            .header(CONTENT_ENCODING, "aes128gcm")
            .header(CONTENT_TYPE, "application/octet-stream")
            .header("TTL", seconds_left(push, now))
            .header("Urgency", if push.urgent { "high" } else { "normal" })
            .header("Topic", topic(&push.collapse_key))
            .body(encrypted(text, keys)?);
        Ok(match request.send().await {
            Ok(answer) => match answer.status() {
                StatusCode::NOT_FOUND | StatusCode::GONE => PushOutcome::Gone,
                // Its key or its clock is wrong, and no subscription is to blame for that.
                status @ (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) => {
                    PushOutcome::failed(status)
                }
                status => http::by_status(status, answer.headers(), now),
            },
            Err(error) => http::broken(error),
        })
    }
}

#[tonic::async_trait]
impl Provider for WebPush {
    fn kind(&self) -> PushKind {
        PushKind::Web
    }

    async fn send(&self, push: &Push, recipient: &Recipient) -> PushOutcome {
        let Recipient::Browser { endpoint, keys } = recipient else {
            return PushOutcome::refused("the subscription has no keys");
        };
        let posted = self.post(push, endpoint, keys).await;
        posted.unwrap_or_else(PushOutcome::refused)
    }
}

fn encrypted(text: Vec<u8>, keys: &BrowserKeys) -> anyhow::Result<Vec<u8>> {
    let public = PublicKey::from_sec1_bytes(&keys.p256dh)?;
    let secret: [u8; 16] = keys.auth.as_slice().try_into()?;
    encrypt(text, &public, &Auth::from(secret)).map_err(|error| anyhow::anyhow!("{error}"))
}
