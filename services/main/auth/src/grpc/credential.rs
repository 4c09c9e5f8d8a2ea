//! Password changes and resets, and verification of addresses.

use bootstrap::grpc::Reply;
use kernel::MemberId;
use proto::auth::v1 as wire;
use proto::auth::v1::credential_service_server::CredentialService;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use tonic::{Request, Response};
use uuid::Uuid;

use super::{Service, device};
use crate::attempts::network;
use crate::domain::{Email, NewPassword, Nickname, Password, ResetToken};
use crate::entity::member;
use crate::error::AuthError;
use crate::hashing::PasswordCheck;

impl Service {
    /// Failures are throttled as at login. What comes after a right password is none, whatever becomes
    /// of it, but counts as a change.
    async fn change(&self, request: wire::ChangePasswordRequest) -> Result<(), AuthError> {
        let member = MemberId(request.member_id);
        let (row, old_hash) = self.store.member_and_password(member).await?;
        let new = new_password(&request.new_password, &row)?;
        let Some(old) = Password::parse(&request.old_password) else {
            return Err(AuthError::WrongPassword);
        };
        let email = Email::parse(&row.email)?;
        let ip = device(request.device).ip;
        let attempt = self.attempts.begin(&email, ip).await?;
        let change = match self.password_changes.begin(member).await {
            Ok(change) => change,
            Err(error) => {
                attempt.cancel().await;
                return Err(error);
            }
        };
        match self.hasher.verify(&old, Some(&old_hash)).await {
            Ok(PasswordCheck::Right { .. }) => attempt.succeeded().await,
            Ok(PasswordCheck::Wrong) => {
                change.cancel().await;
                return Err(AuthError::WrongPassword);
            }
            Err(error) => {
                attempt.cancel().await;
                change.cancel().await;
                return Err(error.into());
            }
        }
        let new_hash = self.hasher.hash(new.password()).await?;
        let kept = Uuid::parse_str(&request.session_id).ok();
        let ended = self
            .store
            .change_password(member, kept, &old_hash, new_hash)
            .await?;
        self.deny_list.add(&ended).await;
        metrics::counter!("auth_passwords_changed_total", "by" => "member").increment(1);
        Ok(())
    }

    async fn ask_reset(&self, request: wire::AskPasswordResetRequest) -> Result<(), AuthError> {
        let email = Email::parse(&request.email)?;
        let from = network(device(request.device).ip);
        let asker = Sha256::digest(format!("password reset {from} {}", email.as_str()));
        self.store.ask_password_reset(&email, &asker).await
    }

    async fn reset(&self, request: wire::ResetPasswordRequest) -> Result<(), AuthError> {
        let token = ResetToken::parse(&request.token).ok_or(AuthError::ResetLinkInvalid)?;
        let row = self.store.reset_link(&token.hash()).await?;
        let new = new_password(&request.new_password, &row)?;
        let new_hash = self.hasher.hash(new.password()).await?;
        let (member, ended) = self.store.reset_password(&token.hash(), new_hash).await?;
        tracing::info!(%member, sessions = ended.len(), "A password was reset by a mailed link");
        self.deny_list.add(&ended).await;
        metrics::counter!("auth_passwords_changed_total", "by" => "link").increment(1);
        Ok(())
    }

    async fn verify(&self, request: wire::VerifyEmailRequest) -> Result<wire::Member, AuthError> {
        let entered = request.code.trim();
        let is_right = |mail| {
            let code = self.signer.mailed_secret().code(mail);
            // Takes the same time for every wrong code.
            bool::from(code.as_bytes().ct_eq(entered.as_bytes()))
        };
        let member = MemberId(request.member_id);
        let row = self.store.verify_email(member, is_right).await?;
        Ok(self.to_wire(row))
    }
}

#[tonic::async_trait]
impl CredentialService for Service {
    async fn change_password(
        &self,
        request: Request<wire::ChangePasswordRequest>,
    ) -> Reply<wire::ChangePasswordResponse> {
        self.change(request.into_inner()).await?;
        Ok(Response::new(wire::ChangePasswordResponse {}))
    }

    async fn ask_password_reset(
        &self,
        request: Request<wire::AskPasswordResetRequest>,
    ) -> Reply<wire::AskPasswordResetResponse> {
        self.ask_reset(request.into_inner()).await?;
        Ok(Response::new(wire::AskPasswordResetResponse {}))
    }

    async fn reset_password(
        &self,
        request: Request<wire::ResetPasswordRequest>,
    ) -> Reply<wire::ResetPasswordResponse> {
        self.reset(request.into_inner()).await?;
        Ok(Response::new(wire::ResetPasswordResponse {}))
    }

    async fn send_email_code(
        &self,
        request: Request<wire::SendEmailCodeRequest>,
    ) -> Reply<wire::SendEmailCodeResponse> {
        let member = MemberId(request.into_inner().member_id);
        self.store.ask_email_code(member).await?;
        Ok(Response::new(wire::SendEmailCodeResponse {}))
    }

    async fn verify_email(
        &self,
        request: Request<wire::VerifyEmailRequest>,
    ) -> Reply<wire::Member> {
        Ok(Response::new(self.verify(request.into_inner()).await?))
    }
}

fn new_password(text: &str, row: &member::Model) -> Result<NewPassword, AuthError> {
    let email = Email::parse(&row.email)?;
    let nickname = Nickname::parse(&row.nickname)?;
    Ok(NewPassword::parse(text, &email, &nickname)?)
}
