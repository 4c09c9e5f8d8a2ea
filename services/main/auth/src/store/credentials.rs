//! Passwords and what proves an address.
//!
//! Whoever changes a password locks the member's credential before any session, and a login holds
//! that lock while it begins its session: no session that an old password opened survives.

use kernel::MemberId;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter,
    QuerySelect, Statement,
};
use uuid::Uuid;

use super::Store;
use super::sessions::{lock_all, open_sessions};
use crate::domain::mail::{CODE_LIVES, CODE_TRIES, CodeRequests, PAUSE};
use crate::domain::{Email, EndCause, MailKind};
use crate::entity::{credential, email_code, member, password_reset};
use crate::error::AuthError;

impl Store {
    /// A member and the hash of the member's password.
    ///
    /// # Errors
    /// [`AuthError::MemberNotFound`], also for one without a password.
    pub async fn member_and_password(
        &self,
        member: MemberId,
    ) -> Result<(member::Model, String), AuthError> {
        let credential = credential::Entity::find_by_id(member)
            .one(&self.database)
            .await?;
        match (self.member(member).await?, credential) {
            (Some(member), Some(credential)) => Ok((member, credential.password_hash)),
            (None, _) | (_, None) => Err(AuthError::MemberNotFound),
        }
    }

    /// Replaces a password that was checked against `old_hash`, ends every session but `kept`, and
    /// names those it ended.
    ///
    /// # Errors
    /// [`AuthError::WrongPassword`] when the password was changed since it was checked.
    pub async fn change_password(
        &self,
        member: MemberId,
        kept: Option<Uuid>,
        old_hash: &str,
        new_hash: String,
    ) -> Result<Vec<Uuid>, AuthError> {
        let transaction = self.begin().await?;
        let credential = lock_credential(&transaction, member).await?;
        if credential.is_none_or(|row| row.password_hash != old_hash) {
            return Err(AuthError::WrongPassword);
        }
        let ended = self
            .replace_password(&transaction, member, kept, new_hash)
            .await?;
        transaction.commit().await?;
        Ok(ended)
    }

    /// Notes that somebody asks for a link. It is the same work whether or not a member has the
    /// address: who that is becomes known when the mail is made.
    ///
    /// # Errors
    /// [`AuthError::MailTooSoon`] when the same asker has asked a moment ago.
    pub async fn ask_password_reset(&self, email: &Email, asker: &[u8]) -> Result<(), AuthError> {
        let now = self.clock.now();
        let transaction = self.begin().await?;
        let pause = Statement::from_sql_and_values(
            sea_orm::DbBackend::Postgres,
            "insert into mail_pause (asker, until) values ($1, $2) \
             on conflict (asker) do update set until = excluded.until \
             where mail_pause.until <= $3 or mail_pause.until > excluded.until",
            [asker.to_vec().into(), (now + PAUSE).into(), now.into()],
        );
        if transaction.execute_raw(pause).await?.rows_affected() == 0 {
            return Err(AuthError::MailTooSoon {
                retry_after_s: PAUSE.num_seconds(),
            });
        }
        self.insert_mail(&transaction, MailKind::PasswordReset, email.as_str(), None)
            .await?;
        transaction.commit().await?;
        self.wake_mailer();
        Ok(())
    }

    /// The member whom a link is for, while it is good.
    ///
    /// # Errors
    /// [`AuthError::ResetLinkInvalid`].
    pub async fn reset_link(&self, token_hash: &[u8]) -> Result<member::Model, AuthError> {
        let link = password_reset::Entity::find()
            .filter(password_reset::Column::TokenHash.eq(token_hash))
            .one(&self.database)
            .await?;
        let link = link.filter(|link| self.is_good(link));
        let link = link.ok_or(AuthError::ResetLinkInvalid)?;
        let member = self.member(link.member_id).await?;
        member.ok_or(AuthError::ResetLinkInvalid)
    }

    /// Uses a link up: sets the password, ends every session and names them.
    ///
    /// # Errors
    /// [`AuthError::ResetLinkInvalid`] for all but the first use.
    pub async fn reset_password(
        &self,
        token_hash: &[u8],
        new_hash: String,
    ) -> Result<(MemberId, Vec<Uuid>), AuthError> {
        let transaction = self.begin().await?;
        let link = password_reset::Entity::find()
            .filter(password_reset::Column::TokenHash.eq(token_hash))
            .one(&transaction)
            .await?
            .ok_or(AuthError::ResetLinkInvalid)?;
        // The credential first, as everywhere; the link is read again under its lock.
        if lock_credential(&transaction, link.member_id)
            .await?
            .is_none()
        {
            return Err(AuthError::ResetLinkInvalid);
        }
        let link = password_reset::Entity::find_by_id(link.mail_id)
            .one(&transaction)
            .await?
            .filter(|link| self.is_good(link))
            .ok_or(AuthError::ResetLinkInvalid)?;
        let ended = self
            .replace_password(&transaction, link.member_id, None, new_hash)
            .await?;
        transaction.commit().await?;
        Ok((link.member_id, ended))
    }

    /// Notes that a member asks for a code; an older one dies. Nothing happens when the address
    /// is proved already.
    ///
    /// # Errors
    /// [`AuthError::MailTooSoon`] within a minute of the last one or an hour of five.
    pub async fn ask_email_code(&self, member: MemberId) -> Result<(), AuthError> {
        let now = self.clock.now();
        let transaction = self.begin().await?;
        let row = lock_member(&transaction, member).await?;
        if row.email_verified {
            return Ok(());
        }
        let earlier = email_code::Entity::find_by_id(member)
            .one(&transaction)
            .await?;
        let earlier = earlier.map(|code| CodeRequests {
            first_at: code.first_asked_at.unwrap_or(code.asked_at),
            last_at: code.asked_at,
            count: code.requests,
        });
        let requests = CodeRequests::add(earlier, now).map_err(|wait| AuthError::MailTooSoon {
            retry_after_s: (wait.num_milliseconds() + 999) / 1_000,
        })?;
        let mail = self
            .insert_mail(&transaction, MailKind::EmailCode, &row.email, None)
            .await?;
        let code = email_code::Model {
            member_id: member,
            mail_id: mail,
            asked_at: requests.last_at,
            expires_at: now + CODE_LIVES,
            tries_left: CODE_TRIES,
            first_asked_at: Some(requests.first_at),
            requests: requests.count,
        };
        let columns = [
            email_code::Column::MailId,
            email_code::Column::AskedAt,
            email_code::Column::ExpiresAt,
            email_code::Column::TriesLeft,
            email_code::Column::FirstAskedAt,
            email_code::Column::Requests,
        ];
        let replace = OnConflict::column(email_code::Column::MemberId)
            .update_columns(columns)
            .to_owned();
        email_code::Entity::insert(email_code::ActiveModel::from(code))
            .on_conflict(replace)
            .exec_without_returning(&transaction)
            .await?;
        transaction.commit().await?;
        self.wake_mailer();
        Ok(())
    }

    /// Judges a code: `is_right` is asked with the mail that carried it. A proved address stays
    /// proved whatever is entered.
    ///
    /// # Errors
    /// [`AuthError::CodeInvalid`] with the tries that are left.
    pub async fn verify_email(
        &self,
        member: MemberId,
        is_right: impl FnOnce(Uuid) -> bool,
    ) -> Result<member::Model, AuthError> {
        let transaction = self.begin().await?;
        let mut row = lock_member(&transaction, member).await?;
        if row.email_verified {
            return Ok(row);
        }
        let code = email_code::Entity::find_by_id(member)
            .one(&transaction)
            .await?
            .filter(|code| code.tries_left > 0 && self.clock.now() < code.expires_at)
            .ok_or(AuthError::CodeInvalid { tries_left: 0 })?;
        if !is_right(code.mail_id) {
            let tries_left = code.tries_left - 1;
            email_code::Entity::update_many()
                .col_expr(email_code::Column::TriesLeft, Expr::value(tries_left))
                .filter(email_code::Column::MemberId.eq(member))
                .exec(&transaction)
                .await?;
            transaction.commit().await?;
            return Err(AuthError::CodeInvalid { tries_left });
        }
        member::Entity::update_many()
            .col_expr(member::Column::EmailVerified, Expr::value(true))
            .filter(member::Column::Id.eq(member))
            .exec(&transaction)
            .await?;
        email_code::Entity::delete_by_id(member)
            .exec(&transaction)
            .await?;
        transaction.commit().await?;
        row.email_verified = true;
        Ok(row)
    }

    fn is_good(&self, link: &password_reset::Model) -> bool {
        link.ended_at.is_none() && self.clock.now() < link.expires_at
    }

    async fn replace_password(
        &self,
        transaction: &DatabaseTransaction,
        member: MemberId,
        kept: Option<Uuid>,
        new_hash: String,
    ) -> Result<Vec<Uuid>, DbErr> {
        let now = self.clock.now();
        credential::Entity::update_many()
            .col_expr(credential::Column::PasswordHash, Expr::value(new_hash))
            .col_expr(credential::Column::ChangedAt, Expr::value(now))
            .filter(credential::Column::MemberId.eq(member))
            .exec(transaction)
            .await?;
        password_reset::Entity::update_many()
            .col_expr(password_reset::Column::EndedAt, Expr::value(now))
            .filter(password_reset::Column::MemberId.eq(member))
            .filter(password_reset::Column::EndedAt.is_null())
            .exec(transaction)
            .await?;
        let mut ended = lock_all(transaction, open_sessions(member)).await?;
        ended.retain(|session| Some(*session) != kept);
        self.end(transaction, member, &ended, EndCause::PasswordChanged)
            .await?;
        Ok(ended)
    }
}

/// Before any session of the member is locked.
pub(super) async fn lock_credential(
    transaction: &DatabaseTransaction,
    member: MemberId,
) -> Result<Option<credential::Model>, DbErr> {
    credential::Entity::find_by_id(member)
        .lock_exclusive()
        .one(transaction)
        .await
}

pub(super) async fn lock_member(
    transaction: &DatabaseTransaction,
    member: MemberId,
) -> Result<member::Model, AuthError> {
    member::Entity::find_by_id(member)
        .lock_exclusive()
        .one(transaction)
        .await?
        .ok_or(AuthError::MemberNotFound)
}
