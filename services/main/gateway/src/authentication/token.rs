//! The rules of an access token.

use chrono::{DateTime, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use kernel::MemberId;
use serde::Deserialize;

use super::Caller;
use crate::error::Reason;

const TYPE: &str = "at+jwt";
const ISSUER: &str = "seedup";
const AUDIENCE: &str = "seedup-main";
/// Tolerated clock skew.
const LEEWAY_S: i64 = 60;
const MAX_KEY_ID_BYTES: usize = 64;

#[derive(Deserialize)]
struct Claims {
    sub: String,
    sid: String,
    exp: i64,
    nbf: i64,
}

/// The id of the key that `token` names. Keys inside the token and other algorithms than EdDSA are
/// rejected.
pub(super) fn key_id(token: &str) -> Result<String, Reason> {
    let header = decode_header(token).map_err(|_forged| Reason::InvalidAuthentication)?;
    let has_own_key = header.jku.is_some()
        || header.jwk.is_some()
        || header.x5u.is_some()
        || header.x5c.is_some();
    let plain = header.typ.as_deref() == Some(TYPE) && header.alg == Algorithm::EdDSA;
    header
        .kid
        .filter(|kid| plain && !has_own_key && kid.len() <= MAX_KEY_ID_BYTES)
        .ok_or(Reason::InvalidAuthentication)
}

/// The claims of a token whose signature is verified; its times are not checked yet.
#[derive(Clone, Debug)]
pub(super) struct VerifiedToken {
    caller: Caller,
    not_before_s: i64,
    expires_s: i64,
}

impl VerifiedToken {
    pub(super) fn member_id(&self) -> MemberId {
        self.caller.member_id
    }

    /// The caller, if the token is valid at `now`.
    pub(super) fn valid_at(&self, now: DateTime<Utc>) -> Result<&Caller, Reason> {
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

/// Checks the signature, the issuer and the audience of `token`.
pub(super) fn verify(token: &str, key: &DecodingKey) -> Result<VerifiedToken, Reason> {
    let mut validation = Validation::new(Algorithm::EdDSA);
    validation.set_issuer(&[ISSUER]);
    validation.set_audience(&[AUDIENCE]);
    validation.set_required_spec_claims(&["iss", "aud", "sub", "exp", "nbf"]);
    // Checked later, with the clock that tests can set.
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
    Ok(VerifiedToken {
        caller: Caller {
            member_id: MemberId(member),
            session_id: session.to_string(),
        },
        not_before_s: claims.nbf,
        expires_s: claims.exp,
    })
}
