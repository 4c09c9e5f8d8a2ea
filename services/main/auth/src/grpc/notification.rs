//! The inbox of a member, and its settings.

use bootstrap::grpc::Reply;
use kernel::MemberId;
use proto::auth::v1 as wire;
use proto::auth::v1::notification_service_server::NotificationService;
use proto::convert::micros;
use tonic::{Request, Response};

use super::Service;
use crate::domain::{Channels, NotificationType};
use crate::error::AuthError;
use crate::store::{Notification, NotificationSettings, ReadMark, SettingsChange, Unread};

/// Notifications that one request marks as read.
const MOST_READ: usize = 100;

#[tonic::async_trait]
impl NotificationService for Service {
    async fn list_notifications(
        &self,
        request: Request<wire::ListNotificationsRequest>,
    ) -> Reply<wire::NotificationPage> {
        let request = request.into_inner();
        let kind = match request.r#type.as_str() {
            "" => None,
            word => Some(type_of(word)?),
        };
        let member = MemberId(request.member_id);
        let page = self.store.notifications(member, kind, &request.cursor);
        let page = page.await?;
        Ok(Response::new(wire::NotificationPage {
            notifications: page.notifications.into_iter().map(notification).collect(),
            cursor: page.cursor,
        }))
    }

    async fn count_unread(
        &self,
        request: Request<wire::CountUnreadRequest>,
    ) -> Reply<wire::UnreadCount> {
        let member = MemberId(request.into_inner().member_id);
        Ok(Response::new(unread_count(
            self.store.unread(member).await?,
        )))
    }

    async fn read_notifications(
        &self,
        request: Request<wire::ReadNotificationsRequest>,
    ) -> Reply<wire::UnreadCount> {
        let request = request.into_inner();
        let mark = if request.all {
            ReadMark::All
        } else if request.notification_ids.len() <= MOST_READ {
            ReadMark::Some(request.notification_ids)
        } else {
            return Err(AuthError::TooManyNotifications.into());
        };
        let left = self.store.read(MemberId(request.member_id), mark).await?;
        Ok(Response::new(unread_count(left)))
    }

    async fn get_notification_settings(
        &self,
        request: Request<wire::GetNotificationSettingsRequest>,
    ) -> Reply<wire::NotificationSettings> {
        let member = MemberId(request.into_inner().member_id);
        let settings = self.store.notification_settings(member).await?;
        Ok(Response::new(settings_view(settings)))
    }

    async fn set_notification_settings(
        &self,
        request: Request<wire::SetNotificationSettingsRequest>,
    ) -> Reply<wire::NotificationSettings> {
        let request = request.into_inner();
        let member = MemberId(request.member_id);
        let change = change_of(request)?;
        let settings = self.store.set_notification_settings(member, &change);
        Ok(Response::new(settings_view(settings.await?)))
    }
}

fn type_of(word: &str) -> Result<NotificationType, AuthError> {
    NotificationType::parse(word).ok_or(AuthError::InvalidNotificationType)
}

fn change_of(request: wire::SetNotificationSettingsRequest) -> Result<SettingsChange, AuthError> {
    let mut types = Vec::new();
    for wanted in request.types {
        let kind = type_of(&wanted.r#type)?;
        if types.iter().any(|(known, _)| *known == kind) {
            return Err(AuthError::InvalidNotificationType);
        }
        let channels = Channels {
            inbox: wanted.inbox,
            push: wanted.push,
        };
        types.push((kind, channels));
    }
    let minute = |minute: i32| i16::try_from(minute).map_err(|_far| AuthError::InvalidQuietHours);
    Ok(SettingsChange {
        types,
        quiet_from: request.quiet_from.map(minute).transpose()?,
        quiet_until: request.quiet_until.map(minute).transpose()?,
        digest: request.digest,
    })
}

fn notification(row: Notification) -> wire::Notification {
    wire::Notification {
        notification_id: row.id,
        r#type: row.r#type,
        title: row.title,
        body: row.body,
        link: row.link,
        created_at_us: micros(row.occurred_at),
        is_read: row.is_read,
    }
}

fn unread_count((unread, by_type): Unread) -> wire::UnreadCount {
    let by_type = by_type
        .into_iter()
        .map(|(r#type, unread)| wire::UnreadOfType { r#type, unread });
    wire::UnreadCount {
        unread,
        by_type: by_type.collect(),
    }
}

fn settings_view(settings: NotificationSettings) -> wire::NotificationSettings {
    let types = settings
        .types
        .into_iter()
        .map(|(kind, channels)| wire::NotificationChannels {
            r#type: kind.as_str().to_owned(),
            inbox: channels.inbox,
            push: channels.push,
        });
    wire::NotificationSettings {
        types: types.collect(),
        quiet_from: settings.quiet.from().into(),
        quiet_until: settings.quiet.until().into(),
        digest: settings.digest,
    }
}
