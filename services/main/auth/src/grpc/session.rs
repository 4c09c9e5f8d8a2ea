use std::collections::HashSet;

use proto::auth::v1 as wire;
use uuid::Uuid;

use super::{Service, device, new_refresh_token};
use crate::domain::{Email, Password, RefreshToken};
use crate::entity::credential;
use crate::error::AuthError;
use crate::hashing::{HashPermit, HashingError, PasswordCheck};
use crate::store::{RefreshMode, RefreshOutcome};

impl Service {
    /// An unknown address and a wrong password get the same response after the same time: one lookup
    /// and one hash each.
    pub(super) async fn log_in(
        &self,
        request: wire::LoginRequest,
    ) -> Result<wire::Session, AuthError> {
        // No member can have these, so no hash is needed, whatever the address.
        let (Ok(email), Some(password)) = (
            Email::parse(&request.email),
            Password::parse(&request.password),
        ) else {
            return Err(AuthError::LoginFailed);
        };
        // Sheds load before any query of Redis and the database.
        let permit = self.hasher.acquire()?;
        let device = device(request.device);
        let attempt = self.attempts.begin(&email, device.ip).await?;
        let checked = self.check(permit, &email, &password).await;
        let (credential, new_hash) = match checked {
            Ok(Some(right)) => right,
            Ok(None) => {
                metrics::counter!("auth_logins_total", "outcome" => "failed").increment(1);
                return Err(AuthError::LoginFailed);
            }
            Err(error) => {
                attempt.cancel().await;
                return Err(error);
            }
        };
        attempt.succeeded().await;
        let token = new_refresh_token()?;
        let (session, ended) = self
            .store
            .start_session(&credential, &token, &device, new_hash)
            .await?;
        self.deny_list.add(&ended).await;
        metrics::counter!("auth_logins_total", "outcome" => "succeeded").increment(1);
        self.session(credential.member_id, session, Some(&token))
    }

    /// The credential if the password matches, with a stronger hash if the stored one is outdated.
    async fn check(
        &self,
        permit: HashPermit,
        email: &Email,
        password: &Password,
    ) -> Result<Option<(credential::Model, Option<String>)>, AuthError> {
        let credential = self.store.credential(email).await?;
        let phc = credential.as_ref().map(|row| row.password_hash.as_str());
        let checked = self.hasher.verify_with(permit, password, phc).await?;
        let new_hash = match checked {
            PasswordCheck::Wrong => return Ok(None),
            PasswordCheck::Right { outdated: false } => None,
            // A full queue must not fail the login; the next one will replace the hash.
            PasswordCheck::Right { outdated: true } => match self.hasher.hash(password).await {
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
        self.present(&request, RefreshMode::Rotate).await
    }

    pub(super) async fn issue(
        &self,
        request: wire::RefreshRequest,
    ) -> Result<wire::Session, AuthError> {
        self.present(&request, RefreshMode::Keep).await
    }

    async fn present(
        &self,
        request: &wire::RefreshRequest,
        purpose: RefreshMode,
    ) -> Result<wire::Session, AuthError> {
        let token = RefreshToken::parse(&request.refresh_token).ok_or(AuthError::SessionInvalid)?;
        let secrets = self.signer.successor_secrets();
        metrics::counter!("auth_refreshes_total").increment(1);
        match self.store.present(&token, purpose, secrets).await? {
            RefreshOutcome::Continued {
                member,
                session,
                token,
            } => self.session(member, session, token.as_ref()),
            RefreshOutcome::EndedByReuse { session } => {
                tracing::warn!(%session, "Refresh token reused; session ended");
                self.deny_list.add(&[session]).await;
                Err(AuthError::SessionEnded)
            }
        }
    }

    /// Ends the session of the refresh token, or else of the session id. Succeeds for an unknown one.
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

    /// `false` for a malformed session id.
    pub(super) async fn is_alive(&self, session: &str) -> Result<bool, AuthError> {
        match Uuid::parse_str(session) {
            Ok(session) => self.store.is_alive(session).await,
            Err(_) => Ok(false),
        }
    }

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
