//! The rules an access token must satisfy.

use chrono::{DateTime, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use kernel::MemberId;
use serde::Deserialize;

use super::Caller;
use crate::error::Reason;

const TYPE: &str = "at+jwt";
const ISSUER: &str = "seedup";
const AUDIENCE: &str = "seedup-main";
/// How far clocks may be apart.
const LEEWAY_S: i64 = 60;
const MAX_KEY_ID: usize = 64;

#[derive(Deserialize)]
struct Claims {
    sub: String,
    sid: String,
    exp: i64,
    nbf: i64,
}

/// Which key `token` says it is signed with. Keys the token brings along are not accepted, nor
/// is any algorithm but ours.
pub(super) fn key_id(token: &str) -> Result<String, Reason> {
    let header = decode_header(token).map_err(|_forged| Reason::InvalidAuthentication)?;
    let brings_key = header.jku.is_some()
        || header.jwk.is_some()
        || header.x5u.is_some()
        || header.x5c.is_some();
    let plain = header.typ.as_deref() == Some(TYPE) && header.alg == Algorithm::EdDSA;
    header
        .kid
        .filter(|kid| plain && !brings_key && kid.len() <= MAX_KEY_ID)
        .ok_or(Reason::InvalidAuthentication)
}

/// What a token of ours says. Whether it is its time is another question.
#[derive(Clone, Debug)]
pub(super) struct Verified {
    caller: Caller,
    not_before_s: i64,
    expires_s: i64,
}

impl Verified {
    /// The caller, if it is the token's time. Only a token that is good in every other respect is
    /// called expired.
    pub(super) fn at(&self, now: DateTime<Utc>) -> Result<&Caller, Reason> {
        let now_s = now.timestamp();
        if self.not_before_s > now_s.saturating_add(LEEWAY_S) {
            return Err(Reason::InvalidAuthentication);
        }
        if self.expires_s.saturating_add(LEEWAY_S) <= now_s {
            return Err(Reason::AccessExpired);
        }
        Ok(&self.caller)
    }
}

/// What `token` says, if `key` signed it and it is meant for us.
pub(super) fn verify(token: &str, key: &DecodingKey) -> Result<Verified, Reason> {
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.set_issuer(&[ISSUER]);
    validation.set_audience(&[AUDIENCE]);
    validation.set_required_spec_claims(&["iss", "aud", "sub", "exp", "nbf"]);
    // Times are judged later, by the clock that tests can move.
    validation.validate_exp = false;
    validation.validate_nbf = false;
    let claims = decode::<Claims>(token, key, &validation)
        .map_err(|_forged| Reason::InvalidAuthentication)?
        .claims;
    let member = claims
        .sub
        .parse()
        .ok()
        .filter(|id: &i64| *id > 0)
        .ok_or(Reason::InvalidAuthentication)?;
    let session =
        uuid::Uuid::try_parse(&claims.sid).map_err(|_forged| Reason::InvalidAuthentication)?;
    Ok(Verified {
        caller: Caller {
            member_id: MemberId(member),
            session_id: session.to_string(),
        },
        not_before_s: claims.nbf,
        expires_s: claims.exp,
    })
}
