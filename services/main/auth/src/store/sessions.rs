//! Sessions and their refresh tokens.
//!
//! Every change of a session locks its row first, so that concurrent uses of one token are
//! serialized.

use kernel::MemberId;
use messaging::outbox;
use sea_orm::sea_query::{Expr, SimpleExpr};
use sea_orm::{
    ColumnTrait, DatabaseTransaction, DbErr, EntityTrait, QueryFilter, QueryOrder, QuerySelect,
    Select,
};
use uuid::Uuid;

use super::credentials::lock_credential;
use super::{Device, Store};
use crate::domain::session::{DENY_LIST_RETENTION, PresentedToken, is_expired};
use crate::domain::{EndCause, RefreshToken, SuccessorSecret, SuccessorSecrets, TokenState};
use crate::entity::{credential, refresh_token, session};
use crate::error::AuthError;
use crate::events;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefreshMode {
    /// Replace the token by a successor.
    Rotate,
    /// Validate the token and keep it.
    Keep,
}

#[derive(Debug)]
pub enum RefreshOutcome {
    Continued {
        member: MemberId,
        session: Uuid,
        /// The successor; `None` for [`RefreshMode::Keep`].
        token: Option<RefreshToken>,
    },
    /// The token was replaced before the grace period, so its session was ended.
    EndedByReuse { session: Uuid },
}

impl Store {
    /// Starts a session after the password matched `checked`, stores `new_hash` if the old one was
    /// outdated, and notifies the member of a new device. If the member has
    /// [`MAX_SESSIONS`](crate::domain::session::MAX_SESSIONS) already, the one whose last refresh is the
    /// longest ago ends, of very many the thousand oldest; what ended is named after the new one.
    ///
    /// # Errors
    /// [`AuthError::LoginFailed`] when the password has changed since the check.
    pub async fn start_session(
        &self,
        checked: &credential::Model,
        first: &RefreshToken,
        device: &Device,
        new_hash: Option<String>,
    ) -> Result<(Uuid, Vec<Uuid>), AuthError> {
        let member = checked.member_id;
        let transaction = self.begin().await?;
        // Locked until the session exists: a concurrent password change either comes first and is
        // seen here, or ends this session. Two logins at once would both find room.
        let stored = lock_credential(&transaction, member).await?;
        if stored.is_none_or(|stored| stored.password_hash != checked.password_hash) {
            return Err(AuthError::LoginFailed);
        }
        self.notify_new_device(&transaction, member, device).await?;
        if let Some(new_hash) = new_hash {
            credential::Entity::update_many()
                .col_expr(credential::Column::PasswordHash, Expr::value(new_hash))
                .filter(credential::Column::MemberId.eq(member))
                .exec(&transaction)
                .await?;
        }
        let ended = self.make_room(&transaction, member).await?;
        let session = self
            .insert_session(&transaction, member, first, device)
            .await?;
        transaction.commit().await?;
        self.wake_mailer();
        Ok((session, ended))
    }

    /// Validates a refresh token, and continues or ends its session.
    ///
    /// # Errors
    /// [`AuthError::SessionExpired`] when the session has expired, [`AuthError::SessionEnded`] when
    /// it was ended, [`AuthError::SessionInvalid`] when the token is unknown.
    pub async fn present(
        &self,
        token: &RefreshToken,
        purpose: RefreshMode,
        secrets: &SuccessorSecrets,
    ) -> Result<RefreshOutcome, AuthError> {
        let transaction = self.begin().await?;
        let Some(row) = refresh_token::Entity::with_hash(token.hash())
            .one(&transaction)
            .await?
        else {
            return Err(AuthError::SessionInvalid);
        };
        let Some(session) = lock(&transaction, row.session_id).await? else {
            return Err(AuthError::SessionEnded);
        };
        let presented = PresentedToken {
            ended: session.ended_at.is_some(),
            started_at: session.started_at,
            refreshed_at: session.refreshed_at,
            current_generation: session.current_generation,
            generation: row.generation,
        };
        let state = presented.state(self.clock.now());
        let successor = match (state, purpose) {
            (TokenState::Ended, _) => return Err(AuthError::SessionEnded),
            (TokenState::Expired, _) => return Err(AuthError::SessionExpired),
            (TokenState::Reused, _) => {
                self.end(
                    &transaction,
                    session.member_id,
                    &[session.id],
                    EndCause::Reuse,
                )
                .await?;
                transaction.commit().await?;
                return Ok(RefreshOutcome::EndedByReuse {
                    session: session.id,
                });
            }
            (TokenState::Current | TokenState::JustReplaced, RefreshMode::Keep) => None,
            (TokenState::Current, RefreshMode::Rotate) => {
                let next = token.successor(&secrets.current, session.id, row.generation);
                self.replace(&transaction, &session, &next).await?;
                Some(next)
            }
            (TokenState::JustReplaced, RefreshMode::Rotate) => {
                Some(repeated(&transaction, token, &row, secrets).await?)
            }
        };
        transaction.commit().await?;
        Ok(RefreshOutcome::Continued {
            member: session.member_id,
            session: session.id,
            token: successor,
        })
    }

    /// Ends the session of a refresh token, in force or replaced. `None` for an unknown one.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn log_out_token(&self, token: &RefreshToken) -> Result<Option<Uuid>, AuthError> {
        let found = refresh_token::Entity::with_hash(token.hash());
        match found.one(&self.database).await? {
            Some(row) => self.log_out(row.session_id).await,
            None => Ok(None),
        }
    }

    /// Idempotent. `None` for an unknown session.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn log_out(&self, session: Uuid) -> Result<Option<Uuid>, AuthError> {
        let transaction = self.begin().await?;
        let Some(row) = lock(&transaction, session).await? else {
            return Ok(None);
        };
        if row.ended_at.is_none() {
            self.end(&transaction, row.member_id, &[session], EndCause::Logout)
                .await?;
        }
        transaction.commit().await?;
        Ok(Some(session))
    }

    /// Whether a session has neither ended nor expired; `false` for an unknown one.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn is_alive(&self, session: Uuid) -> Result<bool, AuthError> {
        let now = self.clock.now();
        let row = session::Entity::find_by_id(session)
            .one(&self.database)
            .await?;
        Ok(row.is_some_and(|row| {
            row.ended_at.is_none() && !is_expired(row.started_at, row.refreshed_at, now)
        }))
    }

    /// Those of `sessions` that have neither ended nor expired.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn alive(&self, sessions: &[Uuid]) -> Result<Vec<Uuid>, AuthError> {
        let now = self.clock.now();
        let rows = session::Entity::find()
            .filter(among(sessions))
            .filter(session::Column::EndedAt.is_null())
            .all(&self.database)
            .await?;
        let goes_on = |row: &session::Model| !is_expired(row.started_at, row.refreshed_at, now);
        Ok(rows
            .iter()
            .filter(|row| goes_on(row))
            .map(|row| row.id)
            .collect())
    }

    /// At most a thousand ended sessions that may be missing from the deny list.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn unlisted_sessions(&self) -> Result<Vec<Uuid>, AuthError> {
        let unlisted = self
            .recently_ended()
            .filter(session::Column::ListedAt.is_null())
            .order_by_asc(session::Column::EndedAt)
            .limit(1_000);
        Ok(unlisted.into_tuple().all(&self.database).await?)
    }

    /// Records that sessions are on the deny list.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn mark_listed(&self, sessions: &[Uuid]) -> Result<(), AuthError> {
        session::Entity::update_many()
            .col_expr(session::Column::ListedAt, Expr::value(self.clock.now()))
            .filter(among(sessions))
            .exec(&self.database)
            .await?;
        Ok(())
    }

    /// All sessions that the deny list has to contain.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn ended_sessions(&self) -> Result<Vec<Uuid>, AuthError> {
        Ok(self
            .recently_ended()
            .into_tuple()
            .all(&self.database)
            .await?)
    }

    fn recently_ended(&self) -> Select<session::Entity> {
        session::Entity::find()
            .select_only()
            .column(session::Column::Id)
            .filter(session::Column::EndedAt.gt(self.clock.now() - DENY_LIST_RETENTION))
    }

    pub(super) async fn insert_session(
        &self,
        transaction: &DatabaseTransaction,
        member: MemberId,
        first: &RefreshToken,
        device: &Device,
    ) -> Result<Uuid, DbErr> {
        let now = self.clock.now();
        let row = session::Model {
            id: Uuid::new_v4(),
            member_id: member,
            started_at: now,
            refreshed_at: now,
            current_generation: 0,
            ended_at: None,
            end_cause: None,
            listed_at: None,
            ip: device.ip.map(|ip| ip.to_string()),
            user_agent: device.user_agent.clone(),
        };
        let id = row.id;
        session::Entity::insert(session::ActiveModel::from(row))
            .exec_without_returning(transaction)
            .await?;
        self.insert_token(transaction, first, id, 0).await?;
        Ok(id)
    }

    async fn replace(
        &self,
        transaction: &DatabaseTransaction,
        session: &session::Model,
        next: &RefreshToken,
    ) -> Result<(), DbErr> {
        let generation = session.current_generation + 1;
        self.insert_token(transaction, next, session.id, generation)
            .await?;
        let update = session::Entity::update_many()
            .col_expr(session::Column::CurrentGeneration, Expr::value(generation))
            .col_expr(session::Column::RefreshedAt, Expr::value(self.clock.now()))
            .filter(session::Column::Id.eq(session.id));
        expect_rows(1, update.exec(transaction).await?.rows_affected)
    }

    async fn insert_token(
        &self,
        transaction: &DatabaseTransaction,
        token: &RefreshToken,
        session_id: Uuid,
        generation: i32,
    ) -> Result<(), DbErr> {
        let row = refresh_token::Model {
            token_hash: token.hash().to_vec(),
            session_id,
            generation,
            issued_at: self.clock.now(),
        };
        refresh_token::Entity::insert(refresh_token::ActiveModel::from(row))
            .exec_without_returning(transaction)
            .await?;
        Ok(())
    }

    /// Ends sessions of `member`, which are locked and open.
    pub(super) async fn end(
        &self,
        transaction: &DatabaseTransaction,
        member: MemberId,
        sessions: &[Uuid],
        cause: EndCause,
    ) -> Result<(), DbErr> {
        if sessions.is_empty() {
            return Ok(());
        }
        let number = u64::try_from(sessions.len()).unwrap_or(u64::MAX);
        let update = session::Entity::update_many()
            .col_expr(session::Column::EndedAt, Expr::value(self.clock.now()))
            .col_expr(session::Column::EndCause, Expr::value(cause.as_str()))
            .filter(among(sessions));
        expect_rows(number, update.exec(transaction).await?.rows_affected)?;
        self.end_subscriptions(transaction, sessions).await?;
        let ended = sessions
            .iter()
            .map(|session| events::session_ended(member, *session, cause, &*self.clock));
        outbox::append_many(transaction, ended).await?;
        metrics::counter!("auth_sessions_ended_total", "cause" => cause.as_str()).increment(number);
        Ok(())
    }
}

/// The ids of a member's sessions that were not ended.
pub(super) fn open_sessions(member: MemberId) -> Select<session::Entity> {
    session::Entity::find()
        .select_only()
        .column(session::Column::Id)
        .filter(session::Column::MemberId.eq(member))
        .filter(session::Column::EndedAt.is_null())
}

/// Locks several sessions, in the same order wherever that is done.
pub(super) async fn lock_all(
    transaction: &DatabaseTransaction,
    sessions: Select<session::Entity>,
) -> Result<Vec<Uuid>, DbErr> {
    sessions
        .order_by_asc(session::Column::Id)
        .lock_exclusive()
        .into_tuple()
        .all(transaction)
        .await
}

async fn lock(
    transaction: &DatabaseTransaction,
    session: Uuid,
) -> Result<Option<session::Model>, DbErr> {
    session::Entity::find_by_id(session)
        .lock_exclusive()
        .one(transaction)
        .await
}

/// An array parameter: a list would prepare another statement for each length.
pub(super) fn among(sessions: &[Uuid]) -> SimpleExpr {
    let sessions: Vec<String> = sessions.iter().map(Uuid::to_string).collect();
    Expr::cust_with_values(
        "id = any(string_to_array($1, ',')::uuid[])",
        [sessions.join(",")],
    )
}

/// The successor that a just replaced token was given. It was derived with the current key or, if
/// the keys changed within the grace period, with the previous one.
async fn repeated(
    transaction: &DatabaseTransaction,
    token: &RefreshToken,
    row: &refresh_token::Model,
    secrets: &SuccessorSecrets,
) -> Result<RefreshToken, AuthError> {
    let secrets: [Option<&SuccessorSecret>; 2] =
        [Some(&secrets.current), secrets.previous.as_ref()];
    for secret in secrets.into_iter().flatten() {
        let candidate = token.successor(secret, row.session_id, row.generation);
        let stored = refresh_token::Entity::with_hash(candidate.hash());
        if stored.one(transaction).await?.is_some() {
            return Ok(candidate);
        }
    }
    Err(AuthError::SessionInvalid)
}

fn expect_rows(expected: u64, rows_affected: u64) -> Result<(), DbErr> {
    if rows_affected == expected {
        Ok(())
    } else {
        Err(DbErr::RecordNotUpdated)
    }
}
