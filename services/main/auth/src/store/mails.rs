//! Mails that wait. A row is written with what causes it and leaves when the mail server has taken
//! the mail, so that a crash between the two sends a mail twice and never loses one.

use chrono::{DateTime, TimeDelta, Utc};
use kernel::MemberId;
use sea_orm::sea_query::{Expr, OnConflict};
use sea_orm::{
    ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait, ExprTrait,
    PaginatorTrait, QueryFilter, Statement,
};
use uuid::Uuid;

use super::{Device, Store};
use crate::domain::MailKind;
use crate::domain::mail::{
    CODE_LIVES, LINK_LIVES, LINKS_PER_HOUR, LONGEST_WAIT, device as device_of,
};
use crate::entity::{email_code, mail, member, password_reset};
use crate::error::AuthError;

/// Old rows are forgotten after so long.
const FORGOTTEN_AFTER: TimeDelta = TimeDelta::days(30);

impl Store {
    /// Takes mails whose time has come, `most` at most. They are out of reach for `lease`, after
    /// which somebody else tries them if nobody said what became of them.
    ///
    /// A mail that was asked for later than it is now, or waits longer than any wait, was written
    /// before the clock was set back: it is due.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn claim_mails(
        &self,
        most: u64,
        lease: TimeDelta,
    ) -> Result<Vec<mail::Model>, AuthError> {
        let now = self.clock.now();
        let claim = Statement::from_sql_and_values(
            sea_orm::DbBackend::Postgres,
            "update mail set tries = tries + 1, next_try_at = $2, asked_at = least(asked_at, $1) \
             where id in \
             (select id from mail where dead_at is null \
              and (next_try_at <= $1 or next_try_at > $4 or asked_at > $1) \
              order by next_try_at limit $3 for update skip locked) returning *",
            [
                now.into(),
                (now + lease).into(),
                most.into(),
                (now + LONGEST_WAIT.max(lease)).into(),
            ],
        );
        Ok(mail::Entity::find()
            .from_raw_sql(claim)
            .all(&self.database)
            .await?)
    }

    /// Makes the link of a mail good for the next half hour, or finds that there is none to send:
    /// nobody has the address, the link was used, or the member was written to often enough.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn open_reset_link(
        &self,
        mail: &mail::Model,
        token_hash: Vec<u8>,
    ) -> Result<bool, AuthError> {
        let now = self.clock.now();
        let transaction = self.begin().await?;
        let Some(member) = member::Entity::with_email(&mail.recipient)
            .one(&transaction)
            .await?
            .filter(|member| member.id != MemberId::OPERATOR)
        else {
            return Ok(false);
        };
        let recent = password_reset::Entity::find()
            .filter(password_reset::Column::MemberId.eq(member.id))
            .filter(password_reset::Column::MailId.ne(mail.id))
            .filter(password_reset::Column::MailedAt.gt(now - TimeDelta::hours(1)))
            .count(&transaction)
            .await?;
        if recent >= LINKS_PER_HOUR {
            return Ok(false);
        }
        let link = password_reset::Model {
            mail_id: mail.id,
            member_id: member.id,
            token_hash,
            mailed_at: now,
            expires_at: now + LINK_LIVES,
            ended_at: None,
        };
        let prolong = OnConflict::column(password_reset::Column::MailId)
            .update_columns([
                password_reset::Column::TokenHash,
                password_reset::Column::ExpiresAt,
            ])
            .action_and_where(
                Expr::col((password_reset::Entity, password_reset::Column::EndedAt)).is_null(),
            )
            .to_owned();
        let written = password_reset::Entity::insert(password_reset::ActiveModel::from(link))
            .on_conflict(prolong)
            .exec_without_returning(&transaction)
            .await?;
        transaction.commit().await?;
        Ok(written > 0)
    }

    /// Makes the code of a mail good for the next ten minutes; `false` when a newer one was asked
    /// for or the address is proved.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn open_email_code(&self, mail: Uuid) -> Result<bool, AuthError> {
        let expires_at = self.clock.now() + CODE_LIVES;
        let update = email_code::Entity::update_many()
            .col_expr(email_code::Column::ExpiresAt, Expr::value(expires_at))
            .filter(email_code::Column::MailId.eq(mail));
        Ok(update.exec(&self.database).await?.rows_affected > 0)
    }

    /// Forgets a mail that was sent or is not to be sent.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn forget_mail(&self, mail: Uuid) -> Result<(), AuthError> {
        mail::Entity::delete_by_id(mail)
            .exec(&self.database)
            .await?;
        Ok(())
    }

    /// Puts a mail back until `next_try_at`, or gives it up.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn put_mail_back(
        &self,
        mail: Uuid,
        next_try_at: Option<DateTime<Utc>>,
        error: &str,
    ) -> Result<(), AuthError> {
        let update = mail::Entity::update_many()
            .col_expr(mail::Column::LastError, Expr::value(error))
            .filter(mail::Column::Id.eq(mail));
        let update = match next_try_at {
            Some(at) => update.col_expr(mail::Column::NextTryAt, Expr::value(at)),
            None => update.col_expr(mail::Column::DeadAt, Expr::value(self.clock.now())),
        };
        update.exec(&self.database).await?;
        Ok(())
    }

    /// Mails that wait to be sent.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn waiting_mails(&self) -> Result<u64, AuthError> {
        let waiting = mail::Entity::find().filter(mail::Column::DeadAt.is_null());
        Ok(waiting.count(&self.database).await?)
    }

    /// Deletes links, pauses and given-up mails that nobody will ask for again, a thousand of each
    /// at most. Answers how many.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn forget_old_mails(&self) -> Result<u64, AuthError> {
        let before = self.clock.now() - FORGOTTEN_AFTER;
        let mut forgotten = 0;
        // In the order of an index, so that a plan for any time does not read the whole table.
        for sql in [
            "delete from password_reset where mail_id = any(array(select mail_id \
             from password_reset where expires_at < $1 order by expires_at limit 1000))",
            "delete from mail_pause where asker = any(array(select asker \
             from mail_pause where until < $1 order by until limit 1000))",
            "delete from mail where id = any(array(select id \
             from mail where dead_at < $1 order by dead_at limit 1000))",
        ] {
            let delete =
                Statement::from_sql_and_values(sea_orm::DbBackend::Postgres, sql, [before.into()]);
            forgotten += self.database.execute_raw(delete).await?.rows_affected();
        }
        Ok(forgotten)
    }

    pub(super) async fn insert_mail(
        &self,
        transaction: &DatabaseTransaction,
        kind: MailKind,
        recipient: &str,
        detail: Option<String>,
    ) -> Result<Uuid, DbErr> {
        let now = self.clock.now();
        let row = mail::Model {
            id: Uuid::new_v4(),
            kind: kind.as_str().to_owned(),
            recipient: recipient.to_owned(),
            detail,
            asked_at: now,
            next_try_at: now,
            tries: 0,
            dead_at: None,
            last_error: None,
        };
        let id = row.id;
        mail::Entity::insert(mail::ActiveModel::from(row))
            .exec_without_returning(transaction)
            .await?;
        Ok(id)
    }

    /// Remembers a device; `true` when it was not seen before.
    pub(super) async fn know_device(
        &self,
        transaction: &DatabaseTransaction,
        member: MemberId,
        device: &Device,
    ) -> Result<bool, DbErr> {
        let insert = Statement::from_sql_and_values(
            sea_orm::DbBackend::Postgres,
            "insert into known_device (member_id, device, first_seen_at) values ($1, $2, $3) \
             on conflict do nothing",
            [
                member.0.into(),
                device_of(device.user_agent.as_deref()).into(),
                self.clock.now().into(),
            ],
        );
        Ok(transaction.execute_raw(insert).await?.rows_affected() > 0)
    }

    /// Remembers the device of a login and writes to the member when it was not seen before.
    pub(super) async fn tell_of_new_device(
        &self,
        transaction: &DatabaseTransaction,
        member: MemberId,
        device: &Device,
    ) -> Result<(), DbErr> {
        if !self.know_device(transaction, member, device).await? {
            return Ok(());
        }
        let row = member::Entity::find_by_id(member).one(transaction).await?;
        if let Some(row) = row {
            let detail = device.user_agent.clone();
            self.insert_mail(transaction, MailKind::NewDevice, &row.email, detail)
                .await?;
        }
        Ok(())
    }
}
