//! Access tokens: short-lived JWTs signed with Ed25519, and their public keys.

use std::path::Path;

use anyhow::Context;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::DecodePrivateKey;
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use kernel::MemberId;
use serde::Serialize;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::domain::session::ACCESS_TOKEN_S;
use crate::domain::{MailedSecret, SuccessorSecret, SuccessorSecrets};

const ISSUER: &str = "seedup";
const AUDIENCE: &str = "seedup-main";
const TOKEN_TYPE: &str = "at+jwt";
/// A token is valid from this long before signing, for verifiers whose clock is behind.
const GOOD_BEFORE_S: i64 = 300;

/// The installation's keys. The first signs; a previous one is still published, so that its tokens
/// stay valid until they expire.
pub struct Signer {
    encoding: EncodingKey,
    key_id: String,
    jwks: String,
    successor_secrets: SuccessorSecrets,
    mailed_secret: MailedSecret,
}

#[derive(Serialize)]
struct Claims<'a> {
    iss: &'a str,
    aud: [&'a str; 1],
    sub: String,
    sid: String,
    iat: i64,
    nbf: i64,
    exp: i64,
    jti: String,
}

#[derive(Serialize)]
struct Jwks {
    keys: Vec<Jwk>,
}

#[derive(Serialize)]
struct Jwk {
    kty: &'static str,
    crv: &'static str,
    #[serde(rename = "use")]
    usage: &'static str,
    alg: &'static str,
    kid: String,
    x: String,
}

impl Signer {
    /// Ed25519 keys in PKCS#8 PEM.
    ///
    /// # Errors
    /// When a file cannot be read or contains no such key; the message names the file.
    pub fn load(current: &Path, previous: Option<&Path>) -> anyhow::Result<Self> {
        let read = |path: &Path| {
            std::fs::read_to_string(path)
                .with_context(|| format!("signing key {} cannot be read", path.display()))
        };
        let pem = read(current)?;
        let previous = previous.map(read).transpose()?;
        Self::from_pem(&pem, previous.as_deref())
            .with_context(|| format!("signing key {}", current.display()))
    }

    /// As [`Self::load`], from the contents of the files.
    ///
    /// # Errors
    /// When a text is not an Ed25519 key in PKCS#8 PEM.
    pub fn from_pem(current: &str, previous: Option<&str>) -> anyhow::Result<Self> {
        let encoding = EncodingKey::from_ed_pem(current.as_bytes())
            .context("is no Ed25519 key in PKCS#8 PEM")?;
        let read =
            |pem: &str| SigningKey::from_pkcs8_pem(pem).context("is no Ed25519 key in PKCS#8 PEM");
        let current = read(current)?;
        let previous = previous.map(read).transpose()?;
        let published = public_jwk(&current);
        let key_id = published.kid.clone();
        let jwks = Jwks {
            keys: std::iter::once(published)
                .chain(previous.as_ref().map(public_jwk))
                .collect(),
        };
        let successor_secret = |key: &SigningKey| SuccessorSecret::derive(&key.to_bytes());
        Ok(Self {
            encoding,
            key_id,
            jwks: serde_json::to_string(&jwks)?,
            mailed_secret: MailedSecret::derive(&current.to_bytes()),
            successor_secrets: SuccessorSecrets {
                current: successor_secret(&current),
                previous: previous.as_ref().map(successor_secret),
            },
        })
    }

    /// Valid from `now` for [`ACCESS_TOKEN_S`] seconds.
    ///
    /// # Errors
    /// When the library cannot sign.
    pub fn access_token(
        &self,
        member: MemberId,
        session: Uuid,
        now: DateTime<Utc>,
    ) -> Result<String, jsonwebtoken::errors::Error> {
        let issued_s = now.timestamp();
        let claims = Claims {
            iss: ISSUER,
            aud: [AUDIENCE],
            sub: member.to_string(),
            sid: session.to_string(),
            iat: issued_s,
            nbf: issued_s - GOOD_BEFORE_S,
            exp: issued_s + ACCESS_TOKEN_S,
            jti: Uuid::new_v4().to_string(),
        };
        let mut header = Header::new(Algorithm::EdDSA);
        header.typ = Some(TOKEN_TYPE.to_owned());
        header.kid = Some(self.key_id.clone());
        jsonwebtoken::encode(&header, &claims, &self.encoding)
    }

    /// The public keys as a JSON Web Key Set.
    #[must_use]
    pub fn jwks(&self) -> &str {
        &self.jwks
    }

    /// The keys from which successors of refresh tokens are derived.
    #[must_use]
    pub fn successor_secrets(&self) -> &SuccessorSecrets {
        &self.successor_secrets
    }

    /// The key from which links and codes in mails are derived.
    #[must_use]
    pub fn mailed_secret(&self) -> &MailedSecret {
        &self.mailed_secret
    }
}

fn public_jwk(key: &SigningKey) -> Jwk {
    let x = URL_SAFE_NO_PAD.encode(key.verifying_key().as_bytes());
    // RFC 7638: the thumbprint of the required members in this order.
    let thumbprint = Sha256::digest(format!(r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#));
    Jwk {
        kty: "OKP",
        crv: "Ed25519",
        usage: "sig",
        alg: "EdDSA",
        kid: URL_SAFE_NO_PAD.encode(thumbprint),
        x,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ed25519_dalek::pkcs8::EncodePrivateKey;
    use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
    use jsonwebtoken::{DecodingKey, Validation};

    fn pem(seed: u8) -> String {
        let key = SigningKey::from_bytes(&[seed; 32]);
        key.to_pkcs8_pem(LineEnding::LF).unwrap().to_string()
    }

    #[test]
    fn a_token_proves_itself_by_the_published_key() {
        let signer = Signer::from_pem(&pem(1), Some(&pem(2))).unwrap();
        let now = DateTime::from_timestamp(1_790_000_000, 0).unwrap();
        let token = signer
            .access_token(MemberId(100_000), Uuid::from_u128(5), now)
            .unwrap();

        let jwks: serde_json::Value = serde_json::from_str(signer.jwks()).unwrap();
        assert_eq!(jwks["keys"].as_array().unwrap().len(), 2);
        let header = jsonwebtoken::decode_header(&token).unwrap();
        assert_eq!(header.typ.as_deref(), Some("at+jwt"));
        assert_eq!(header.kid.as_deref(), jwks["keys"][0]["kid"].as_str());

        let key = DecodingKey::from_ed_components(jwks["keys"][0]["x"].as_str().unwrap()).unwrap();
        let mut rules = Validation::new(Algorithm::EdDSA);
        rules.set_audience(&[AUDIENCE]);
        rules.set_issuer(&[ISSUER]);
        rules.validate_exp = false;
        let claims = jsonwebtoken::decode::<serde_json::Value>(&token, &key, &rules)
            .unwrap()
            .claims;
        assert_eq!(claims["sub"], "100000");
        assert_eq!(claims["sid"], Uuid::from_u128(5).to_string());
        assert_eq!(
            claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(),
            900
        );
    }

    #[test]
    fn the_key_id_is_the_thumbprint_of_the_standard() {
        // RFC 8037, appendix A.3.
        let seed = hex::decode("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
            .unwrap();
        let key = SigningKey::from_bytes(&seed.try_into().unwrap());
        assert_eq!(
            public_jwk(&key).kid,
            "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
        );
    }

    #[test]
    fn a_bad_key_is_named() {
        let error = Signer::load(Path::new("/nowhere/key.pem"), None)
            .err()
            .unwrap();
        assert!(error.to_string().contains("/nowhere/key.pem"));
        assert!(Signer::from_pem("no key", None).is_err());
    }
}
