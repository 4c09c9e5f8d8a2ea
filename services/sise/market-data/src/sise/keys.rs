use std::path::Path;

use anyhow::Context;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::DecodePrivateKey;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde::Serialize;
use serde_json::json;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::VerifiedMember;

/// Lifetime of a token in seconds.
pub const SISE_TOKEN_S: i64 = 3_600;

const ISSUER: &str = "seedup-sise";
const AUDIENCE: &str = "sise";
const TOKEN_TYPE: &str = "sise+jwt";
/// A token is valid from this long before it is signed, so that services with a slow clock accept
/// it.
const NOT_BEFORE_MARGIN_S: i64 = 300;

pub struct SiseSigner {
    key: EncodingKey,
    key_id: String,
    jwks: String,
}

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'static str,
    aud: [&'static str; 1],
    sub: String,
    sid: &'a str,
    iat: i64,
    nbf: i64,
    exp: i64,
    jti: String,
}

impl SiseSigner {
    /// Reads an Ed25519 private key (PKCS#8 PEM).
    ///
    /// # Errors
    /// When the file cannot be read or contains no such key; the message names the file.
    pub fn load(file: &Path) -> anyhow::Result<Self> {
        let pem = std::fs::read_to_string(file)
            .with_context(|| format!("signing key {} cannot be read", file.display()))?;
        Self::from_pem(&pem).with_context(|| format!("signing key {}", file.display()))
    }

    /// # Errors
    /// When the text is not an Ed25519 key in PKCS#8 PEM.
    pub fn from_pem(pem: &str) -> anyhow::Result<Self> {
        let signing = SigningKey::from_pkcs8_pem(pem).context("not an Ed25519 PKCS#8 PEM key")?;
        let x = URL_SAFE_NO_PAD.encode(signing.verifying_key().as_bytes());
        // The key id is the RFC 7638 thumbprint.
        let members = format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#);
        let key_id = URL_SAFE_NO_PAD.encode(Sha256::digest(members));
        let jwk = json!({
            "kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": key_id, "x": x,
        });
        Ok(Self {
            key: EncodingKey::from_ed_pem(pem.as_bytes()).context("unusable key")?,
            key_id,
            jwks: json!({ "keys": [jwk] }).to_string(),
        })
    }

    #[must_use]
    pub fn jwks(&self) -> &str {
        &self.jwks
    }

    /// A token that is valid for [`SISE_TOKEN_S`] from `now`, or until the session ends.
    ///
    /// # Errors
    /// When the claims cannot be signed.
    pub fn token(
        &self,
        owner: &VerifiedMember,
        now: DateTime<Utc>,
    ) -> Result<String, jsonwebtoken::errors::Error> {
        let issued_s = now.timestamp();
        let mut header = Header::new(Algorithm::EdDSA);
        header.typ = Some(TOKEN_TYPE.to_owned());
        header.kid = Some(self.key_id.clone());
        let claims = Claims {
            iss: ISSUER,
            aud: [AUDIENCE],
            sub: owner.member.to_string(),
            sid: &owner.session_id,
            iat: issued_s,
            nbf: issued_s - NOT_BEFORE_MARGIN_S,
            exp: issued_s.saturating_add(SISE_TOKEN_S),
            jti: Uuid::new_v4().to_string(),
        };
        jsonwebtoken::encode(&header, &claims, &self.key)
    }
}
