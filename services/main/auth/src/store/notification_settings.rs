//! What members want to hear of, and when.

use kernel::MemberId;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult};

use super::Store;
use super::notices::sql;
use crate::domain::{Channels, NotificationType, QuietHours};
use crate::error::AuthError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotificationSettings {
    /// Every type, in the order of [`NotificationType::ALL`].
    pub types: Vec<(NotificationType, Channels)>,
    pub quiet: QuietHours,
    pub digest: bool,
}

/// What is `None` or missing stays as it is.
#[derive(Clone, Debug, Default)]
pub struct SettingsChange {
    pub types: Vec<(NotificationType, Channels)>,
    pub quiet_from: Option<i16>,
    pub quiet_until: Option<i16>,
    pub digest: Option<bool>,
}

#[derive(FromQueryResult)]
struct StoredSetting {
    r#type: String,
    inbox: bool,
    push: bool,
}

#[derive(FromQueryResult)]
struct StoredPreference {
    quiet_from: i16,
    quiet_until: i16,
    digest: bool,
}

impl Store {
    /// # Errors
    /// When the database fails.
    pub async fn notification_settings(
        &self,
        member: MemberId,
    ) -> Result<NotificationSettings, AuthError> {
        Ok(settings(&self.database, member).await?)
    }

    /// Changes the settings and returns them. Only what differs from the default is stored.
    ///
    /// # Errors
    /// [`AuthError::InvalidQuietHours`], [`AuthError::MemberNotFound`], and those of the database.
    pub async fn set_notification_settings(
        &self,
        member: MemberId,
        change: &SettingsChange,
    ) -> Result<NotificationSettings, AuthError> {
        let transaction = self.begin().await?;
        // Two changes at once of one member come one after another.
        let lock = sql(
            "select id from member where id = $1 for no key update",
            [member.into()],
        );
        let found = transaction.query_one_raw(lock).await?;
        found.ok_or(AuthError::MemberNotFound)?;
        let before = settings(&transaction, member).await?;
        let quiet = QuietHours::new(
            change.quiet_from.unwrap_or(before.quiet.from()),
            change.quiet_until.unwrap_or(before.quiet.until()),
        )
        .map_err(|_minute| AuthError::InvalidQuietHours)?;
        let digest = change.digest.unwrap_or(before.digest);
        if (quiet, digest) != (before.quiet, before.digest) {
            set_preference(&transaction, member, quiet, digest).await?;
        }
        for (kind, channels) in &change.types {
            set_channels(&transaction, member, *kind, *channels).await?;
        }
        let after = settings(&transaction, member).await?;
        transaction.commit().await?;
        Ok(after)
    }
}

async fn set_preference(
    transaction: &DatabaseTransaction,
    member: MemberId,
    quiet: QuietHours,
    digest: bool,
) -> Result<(), DbErr> {
    let store = sql(
        "insert into notification_preference (member_id, quiet_from, quiet_until, digest) \
         values ($1, $2, $3, $4) on conflict (member_id) do update set \
         quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until, \
         digest = excluded.digest",
        [
            member.into(),
            quiet.from().into(),
            quiet.until().into(),
            digest.into(),
        ],
    );
    transaction.execute_raw(store).await?;
    Ok(())
}

async fn set_channels(
    transaction: &DatabaseTransaction,
    member: MemberId,
    kind: NotificationType,
    channels: Channels,
) -> Result<(), DbErr> {
    let store = if channels == kind.default_channels() {
        sql(
            "delete from notification_setting where member_id = $1 and type = $2",
            [member.into(), kind.as_str().into()],
        )
    } else {
        sql(
            "insert into notification_setting (member_id, type, inbox, push) \
             values ($1, $2, $3, $4) on conflict (member_id, type) do update set \
             inbox = excluded.inbox, push = excluded.push",
            [
                member.into(),
                kind.as_str().into(),
                channels.inbox.into(),
                channels.push.into(),
            ],
        )
    };
    transaction.execute_raw(store).await?;
    Ok(())
}

async fn settings(
    connection: &impl ConnectionTrait,
    member: MemberId,
) -> Result<NotificationSettings, DbErr> {
    let read = sql(
        "select type, inbox, push from notification_setting where member_id = $1",
        [member.into()],
    );
    let stored = StoredSetting::find_by_statement(read)
        .all(connection)
        .await?;
    let read = sql(
        "select quiet_from, quiet_until, digest from notification_preference where member_id = $1",
        [member.into()],
    );
    let preference = StoredPreference::find_by_statement(read)
        .one(connection)
        .await?;
    let channels = |kind: NotificationType| {
        let chosen = stored.iter().find(|row| row.r#type == kind.as_str());
        chosen.map_or(kind.default_channels(), |row| Channels {
            inbox: row.inbox,
            push: row.push,
        })
    };
    let quiet = preference
        .as_ref()
        .and_then(|row| QuietHours::new(row.quiet_from, row.quiet_until).ok());
    Ok(NotificationSettings {
        types: NotificationType::ALL
            .into_iter()
            .map(|kind| (kind, channels(kind)))
            .collect(),
        quiet: quiet.unwrap_or_default(),
        digest: preference.is_some_and(|row| row.digest),
    })
}
