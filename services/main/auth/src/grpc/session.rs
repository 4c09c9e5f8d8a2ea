//! Logging in, carrying a session on, logging out.

use std::collections::HashSet;

use proto::auth::v1 as wire;
use uuid::Uuid;

use super::{Service, device, fresh_token};
use crate::domain::{Email, Password, RefreshToken};
use crate::entity::credential;
use crate::error::AuthError;
use crate::hashing::{HashingError, Place, Verdict};
use crate::store::{Carried, Purpose};

impl Service {
    /// The answer, and the time it takes, are the same for an unknown address and for a wrong
    /// password: both cost one lookup and one hash.
    pub(super) async fn log_in(
        &self,
        request: wire::LoginRequest,
    ) -> Result<wire::Session, AuthError> {
        // What no member can have needs no hash, whoever is asked for.
        let (Ok(email), Some(password)) = (
            Email::parse(&request.email),
            Password::parse(&request.password),
        ) else {
            return Err(AuthError::LoginFailed);
        };
        // A crowd is sent away before Redis and the database are asked about each of it.
        let place = self.hasher.enter()?;
        let device = device(request.device);
        let attempt = self.attempts.begin(&email, device.ip).await?;
        let checked = self.check(place, &email, &password).await;
        let (credential, new_hash) = match checked {
            Ok(Some(right)) => right,
            Ok(None) => {
                metrics::counter!("auth_logins_total", "outcome" => "failed").increment(1);
                return Err(AuthError::LoginFailed);
            }
            Err(error) => {
                attempt.not_judged().await;
                return Err(error);
            }
        };
        attempt.succeeded().await;
        let token = fresh_token()?;
        let session = self
            .store
            .start_session(&credential, &token, &device, new_hash)
            .await?;
        metrics::counter!("auth_logins_total", "outcome" => "succeeded").increment(1);
        self.session(credential.member_id, session, Some(&token))
    }

    /// The credential this is the password of, and a stronger hash when the stored one is outdated.
    async fn check(
        &self,
        place: Place,
        email: &Email,
        password: &Password,
    ) -> Result<Option<(credential::Model, Option<String>)>, AuthError> {
        let credential = self.store.credential(email).await?;
        let phc = credential.as_ref().map(|row| row.password_hash.as_str());
        let verdict = self.hasher.verify_at(place, password, phc).await?;
        let new_hash = match verdict {
            Verdict::Wrong => return Ok(None),
            Verdict::Right { outdated: false } => None,
            // A crowded queue is no reason to refuse the login: the next one will do it.
            Verdict::Right { outdated: true } => match self.hasher.hash(password).await {
                Ok(hash) => Some(hash),
                Err(HashingError::Busy) => None,
                Err(error @ HashingError::Argon2(_)) => return Err(error.into()),
            },
        };
        Ok(credential.map(|row| (row, new_hash)))
    }

    pub(super) async fn rotate(
        &self,
        request: wire::RefreshRequest,
    ) -> Result<wire::Session, AuthError> {
        self.present(&request, Purpose::Rotate).await
    }

    pub(super) async fn issue(
        &self,
        request: wire::RefreshRequest,
    ) -> Result<wire::Session, AuthError> {
        self.present(&request, Purpose::Keep).await
    }

    async fn present(
        &self,
        request: &wire::RefreshRequest,
        purpose: Purpose,
    ) -> Result<wire::Session, AuthError> {
        let token = RefreshToken::parse(&request.refresh_token).ok_or(AuthError::SessionInvalid)?;
        let secrets = self.signer.successor_secrets();
        metrics::counter!("auth_refreshes_total").increment(1);
        match self.store.present(&token, purpose, secrets).await? {
            Carried::On {
                member,
                session,
                token,
            } => self.session(member, session, token.as_ref()),
            Carried::EndedByReuse { session } => {
                tracing::warn!(%session, "A replaced refresh token came back; its session was ended");
                self.deny_list.add(&[session]).await;
                Err(AuthError::SessionEnded)
            }
        }
    }

    /// Ends the session that the refresh token, or else the session id, names. An unknown one is
    /// logged out already.
    pub(super) async fn log_out(&self, request: wire::LogoutRequest) -> Result<(), AuthError> {
        let by_token = match RefreshToken::parse(&request.refresh_token) {
            Some(token) => self.store.log_out_token(&token).await?,
            None => None,
        };
        let by_id = match (by_token, Uuid::parse_str(&request.session_id)) {
            (None, Ok(session)) => self.store.log_out(session).await?,
            (Some(_), _) | (None, Err(_)) => None,
        };
        if let Some(session) = by_token.or(by_id) {
            self.deny_list.add(&[session]).await;
        }
        Ok(())
    }

    /// Whether a session goes on; a text that is no session id is none.
    pub(super) async fn is_alive(&self, session: &str) -> Result<bool, AuthError> {
        match Uuid::parse_str(session) {
            Ok(session) => self.store.is_alive(session).await,
            Err(_) => Ok(false),
        }
    }

    /// Those of `sessions` that go on.
    pub(super) async fn alive(&self, mut sessions: Vec<String>) -> Result<Vec<String>, AuthError> {
        let ids: Vec<Uuid> = sessions
            .iter()
            .filter_map(|text| text.parse().ok())
            .collect();
        let alive: HashSet<Uuid> = self.store.alive(&ids).await?.into_iter().collect();
        sessions.retain(|text| text.parse().is_ok_and(|id| alive.contains(&id)));
        Ok(sessions)
    }
}
