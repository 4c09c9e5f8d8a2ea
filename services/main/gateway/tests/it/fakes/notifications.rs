//! The service of notifications, as auth has it, of a test.

use std::sync::Arc;

use proto::auth::v1::notification_service_server::NotificationService;
use proto::auth::v1::{
    CountUnreadRequest, GetNotificationSettingsRequest, ListNotificationsRequest, Notification,
    NotificationChannels, NotificationPage, NotificationSettings, ReadNotificationsRequest,
    SetNotificationSettingsRequest, UnreadCount, UnreadOfType,
};

use super::{Scenario, fake, samples};

pub(crate) struct Fake(pub(crate) Arc<Scenario>);

fake! { NotificationService:
    list_notifications(ListNotificationsRequest) -> NotificationPage = |_| NotificationPage {
        notifications: vec![
            notification(72, "FILL", false),
            notification(71, "OF_A_LATER_RELEASE", false),
            notification(70, "COMMENT", true),
        ],
        cursor: "AQAAAAAAAABG".to_owned(),
    };
    count_unread(CountUnreadRequest) -> UnreadCount = |_| unread();
    read_notifications(ReadNotificationsRequest) -> UnreadCount = |_| unread();
    get_notification_settings(GetNotificationSettingsRequest) -> NotificationSettings =
        |_| settings();
    set_notification_settings(SetNotificationSettingsRequest) -> NotificationSettings =
        |_| settings();
}

fn notification(notification_id: i64, kind: &str, is_read: bool) -> Notification {
    Notification {
        notification_id,
        r#type: kind.to_owned(),
        title: "삼성전자 3주를 샀어요".to_owned(),
        body: "1주 평균 71,300원, 모두 213,900원이에요.".to_owned(),
        link: "/my/orders/history".to_owned(),
        created_at_us: samples::INSTANT_US,
        is_read,
    }
}

fn unread() -> UnreadCount {
    UnreadCount {
        unread: 2,
        by_type: vec![UnreadOfType {
            r#type: "FILL".to_owned(),
            unread: 2,
        }],
    }
}

fn settings() -> NotificationSettings {
    NotificationSettings {
        types: vec![NotificationChannels {
            r#type: "LIKE".to_owned(),
            inbox: true,
            push: false,
        }],
        quiet_from: 1_260,
        quiet_until: 485,
        digest: false,
    }
}
