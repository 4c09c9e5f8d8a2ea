//! The mail queue. A row is inserted in the transaction that causes the mail and deleted when the
//! mail server has accepted it: a crash in between sends a mail twice but never loses one.

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
    CODE_LIVES, DEVICE_MAILS, DEVICE_MAILS_WITHIN, KNOWN_DEVICES, LINK_LIVES, LINKS_PER_HOUR,
    LONGEST_WAIT, UNVERIFIED_DEVICE_MAILS, device as device_of,
};
use crate::entity::{email_code, mail, member, password_reset};
use crate::error::AuthError;

const FORGOTTEN_AFTER: TimeDelta = TimeDelta::days(30);

impl Store {
    /// Claims at most `most` due mails for `lease`; afterwards another process may claim those whose
    /// result was not stored.
    ///
    /// A mail that was requested in the future, or waits longer than any delay, was written before
    /// the clock was set back: it is due.
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

    /// Activates the link of a mail for half an hour. `false` when none is to be sent: no member has
    /// the address, the link was used, or the member has received too many.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn activate_reset_link(
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

    /// Activates the code of a mail for ten minutes; `false` when a newer one was requested or the
    /// address is verified.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn activate_email_code(&self, mail: Uuid) -> Result<bool, AuthError> {
        let expires_at = self.clock.now() + CODE_LIVES;
        let update = email_code::Entity::update_many()
            .col_expr(email_code::Column::ExpiresAt, Expr::value(expires_at))
            .filter(email_code::Column::MailId.eq(mail));
        Ok(update.exec(&self.database).await?.rows_affected > 0)
    }

    /// For a mail that was sent or is no longer needed.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_mail(&self, mail: Uuid) -> Result<(), AuthError> {
        mail::Entity::delete_by_id(mail)
            .exec(&self.database)
            .await?;
        Ok(())
    }

    /// Retries the mail at `next_try_at`, or gives it up for `None`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn reschedule_mail(
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

    /// The length of the queue.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn waiting_mails(&self) -> Result<u64, AuthError> {
        let waiting = mail::Entity::find().filter(mail::Column::DeadAt.is_null());
        Ok(waiting.count(&self.database).await?)
    }

    /// Deletes old links, pauses and given-up mails, at most a thousand of each; returns their
    /// number.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_old_mails(&self) -> Result<u64, AuthError> {
        let before = self.clock.now() - FORGOTTEN_AFTER;
        let mut forgotten = 0;
        // In index order, so that no plan reads the whole table.
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

    /// The device of a join, which is known from the start.
    pub(super) async fn know_device(
        &self,
        transaction: &DatabaseTransaction,
        member: MemberId,
        device: &str,
    ) -> Result<(), DbErr> {
        let insert = Statement::from_sql_and_values(
            sea_orm::DbBackend::Postgres,
            "insert into known_device (member_id, device, first_seen_at) values ($1, $2, $3) \
             on conflict do nothing",
            [member.0.into(), device.into(), self.clock.now().into()],
        );
        transaction.execute_raw(insert).await?;
        Ok(())
    }

    /// Mails the member of a login from a device that is not known. It is known once it was told of: one
    /// whose mail is beyond a limit is told of at a later login. Rows without a time of their mail are
    /// of joins and of earlier releases.
    ///
    /// Needs the lock of the member's credential, or two logins at once would both count too few.
    pub(super) async fn notify_new_device(
        &self,
        transaction: &DatabaseTransaction,
        member: MemberId,
        device: &Device,
    ) -> Result<(), DbErr> {
        let name = device_of(device.user_agent.as_deref());
        let now = self.clock.now();
        // Anybody may have joined with an address that is not verified: its owner gets few mails in all.
        // A mail of more than a day later was noted before the clock was set back.
        let know = Statement::from_sql_and_values(
            sea_orm::DbBackend::Postgres,
            "insert into known_device (member_id, device, first_seen_at, mailed_at) \
             select m.id, $2, $3, $3 from member m where m.id = $1 \
             and (select count(*) from known_device k where k.member_id = $1 \
                  and k.mailed_at is not null \
                  and (not m.email_verified or k.mailed_at > $4 and k.mailed_at < $5)) \
                 < case when m.email_verified then $6 else $7 end \
             on conflict do nothing",
            [
                member.0.into(),
                name.into(),
                now.into(),
                (now - DEVICE_MAILS_WITHIN).into(),
                (now + DEVICE_MAILS_WITHIN).into(),
                DEVICE_MAILS.into(),
                UNVERIFIED_DEVICE_MAILS.into(),
            ],
        );
        if transaction.execute_raw(know).await?.rows_affected() == 0 {
            return Ok(());
        }
        self.forget_devices(transaction, member).await?;
        if let Some(row) = member::Entity::find_by_id(member).one(transaction).await? {
            let detail = device.user_agent.clone();
            self.insert_mail(transaction, MailKind::NewDevice, &row.email, detail)
                .await?;
        }
        Ok(())
    }

    /// Forgets the oldest of more than [`KNOWN_DEVICES`], but none that counts among the
    /// [`DEVICE_MAILS`].
    async fn forget_devices(
        &self,
        transaction: &DatabaseTransaction,
        member: MemberId,
    ) -> Result<(), DbErr> {
        let forget = Statement::from_sql_and_values(
            sea_orm::DbBackend::Postgres,
            "delete from known_device where member_id = $1 and device = any(array(select device \
             from known_device where member_id = $1 \
             order by (mailed_at > $2) is true desc, first_seen_at desc, device offset $3))",
            [
                member.0.into(),
                (self.clock.now() - DEVICE_MAILS_WITHIN).into(),
                KNOWN_DEVICES.into(),
            ],
        );
        transaction.execute_raw(forget).await?;
        Ok(())
    }
}
