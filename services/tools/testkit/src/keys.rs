//! A signing key for tests, and tokens signed with it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use ed25519_dalek::SigningKey;
use ed25519_dalek::pkcs8::EncodePrivateKey;
use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use serde::Serialize;

/// The `kid` of the key.
pub const KEY_ID: &str = "test-key";

/// The session of [`access_token`] and [`sise_token`].
pub const SESSION_ID: &str = "00000000-0000-4000-8000-000000000001";

/// Constant, so that tests are reproducible.
#[must_use]
pub fn signing_key() -> SigningKey {
    SigningKey::from_bytes(&[7; 32])
}

/// In PKCS #8 PEM.
#[must_use]
pub fn private_key_pem() -> String {
    signing_key()
        .to_pkcs8_pem(LineEnding::LF)
        .expect("an Ed25519 key can be written as PEM")
        .to_string()
}

/// The public half as a JSON Web Key Set.
#[must_use]
pub fn jwks() -> String {
    let x = URL_SAFE_NO_PAD.encode(signing_key().verifying_key().as_bytes());
    serde_json::json!({
        "keys": [{
            "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig", "kid": KEY_ID, "x": x,
        }]
    })
    .to_string()
}

/// The claims of a token, which tests can falsify.
#[derive(Clone, Debug, Serialize)]
pub struct Claims {
    pub iss: String,
    pub aud: Vec<String>,
    pub sub: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sid: Option<String>,
    /// Times are in Unix seconds.
    pub iat: i64,
    pub nbf: i64,
    pub exp: i64,
    pub jti: String,
}

/// Claims of an access token of `member_id`, issued at `now` for 15 minutes.
#[must_use]
pub fn access_claims(member_id: i64, now: DateTime<Utc>) -> Claims {
    Claims {
        iss: "seedup".to_owned(),
        aud: vec!["seedup-main".to_owned()],
        sub: member_id.to_string(),
        sid: Some(SESSION_ID.to_owned()),
        iat: now.timestamp(),
        nbf: now.timestamp(),
        exp: (now + TimeDelta::minutes(15)).timestamp(),
        jti: uuid::Uuid::new_v4().to_string(),
    }
}

/// Claims of a sise token of `member_id`, issued at `now` for an hour.
#[must_use]
pub fn sise_claims(member_id: i64, now: DateTime<Utc>) -> Claims {
    Claims {
        iss: "seedup-sise".to_owned(),
        aud: vec!["sise".to_owned()],
        exp: (now + TimeDelta::hours(1)).timestamp(),
        ..access_claims(member_id, now)
    }
}

/// Signs `claims` under a header of type `token_type` ("at+jwt" or "sise+jwt").
#[must_use]
pub fn sign(token_type: &str, claims: &Claims) -> String {
    let mut header = Header::new(Algorithm::EdDSA);
    header.typ = Some(token_type.to_owned());
    header.kid = Some(KEY_ID.to_owned());
    let key = EncodingKey::from_ed_pem(private_key_pem().as_bytes()).expect("the key is Ed25519");
    encode(&header, claims, &key).expect("claims can be signed")
}

/// A valid access token of `member_id`, issued at `now`.
#[must_use]
pub fn access_token(member_id: i64, now: DateTime<Utc>) -> String {
    sign("at+jwt", &access_claims(member_id, now))
}

/// A valid sise token of `member_id`, issued at `now`.
#[must_use]
pub fn sise_token(member_id: i64, now: DateTime<Utc>) -> String {
    sign("sise+jwt", &sise_claims(member_id, now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jsonwebtoken::jwk::JwkSet;
    use jsonwebtoken::{DecodingKey, Validation, decode};

    #[test]
    fn the_key_set_verifies_what_the_key_signed() {
        let token = sise_token(100_000, DateTime::UNIX_EPOCH);
        let set: JwkSet = serde_json::from_str(&jwks()).unwrap();
        let key = DecodingKey::from_jwk(set.find(KEY_ID).unwrap()).unwrap();
        let mut validation = Validation::new(Algorithm::EdDSA);
        validation.set_audience(&["sise"]);
        validation.validate_exp = false;
        let claims = decode::<serde_json::Value>(&token, &key, &validation)
            .unwrap()
            .claims;
        assert_eq!(claims["sub"], "100000");
    }
}
