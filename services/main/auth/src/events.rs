//! The events that the service publishes.

use chrono::{DateTime, Utc};
use kernel::{Clock, MemberId};
use messaging::NewEvent;
use proto::auth::v1::{MemberJoined, NotificationCreated, QuizFilterChanged, SessionEnded};
use proto::convert::micros;
use uuid::Uuid;

use crate::domain::{EndCause, NotificationType, QuizFilter};

pub const MEMBER_JOINED: &str = "auth.member.joined.v1";

pub const QUIZ_FILTER_CHANGED: &str = "auth.member.quiz_filter_changed.v1";

/// All tokens of a session are revoked.
pub const SESSION_ENDED: &str = "auth.session.ended.v1";

/// A notification that open pages show, or how many are unread since some were taken back.
pub const NOTIFICATION_CREATED: &str = "auth.notification.created.v1";

#[must_use]
pub fn member_joined(
    member: MemberId,
    nickname: &str,
    joined_at: DateTime<Utc>,
    clock: &dyn Clock,
) -> NewEvent {
    let body = MemberJoined {
        member_id: member.0,
        nickname: nickname.to_owned(),
        joined_at_us: micros(joined_at),
    };
    NewEvent::new(MEMBER_JOINED, member.to_string(), &body, clock)
}

/// `version` orders the changes of one member.
#[must_use]
pub fn quiz_filter_changed(
    member: MemberId,
    filter: QuizFilter,
    version: i64,
    clock: &dyn Clock,
) -> NewEvent {
    let body = QuizFilterChanged {
        member_id: member.0,
        themes: filter.themes,
        levels: filter.levels,
        version,
    };
    NewEvent::new(QUIZ_FILTER_CHANGED, member.to_string(), &body, clock)
}

/// `auth.session.ended.v1`. The aggregate is the member, which keeps a member's events in order.
#[must_use]
pub fn session_ended(
    member: MemberId,
    session: Uuid,
    cause: EndCause,
    clock: &dyn Clock,
) -> NewEvent {
    let body = SessionEnded {
        member_id: member.0,
        session_id: session.to_string(),
        cause: cause.as_str().to_owned(),
    };
    NewEvent::new(SESSION_ENDED, member.to_string(), &body, clock)
}

/// `unread` includes the notification.
#[must_use]
pub fn notification_created(
    member: MemberId,
    notification_id: i64,
    kind: NotificationType,
    unread: i32,
    clock: &dyn Clock,
) -> NewEvent {
    let body = NotificationCreated {
        member_id: member.0,
        notification_id,
        r#type: kind.as_str().to_owned(),
        unread,
    };
    NewEvent::new(NOTIFICATION_CREATED, member.to_string(), &body, clock)
}

/// `unread` since notifications were taken back: of a new one it says nothing.
#[must_use]
pub fn unread_changed(member: MemberId, unread: i32, clock: &dyn Clock) -> NewEvent {
    let body = NotificationCreated {
        member_id: member.0,
        unread,
        ..NotificationCreated::default()
    };
    NewEvent::new(NOTIFICATION_CREATED, member.to_string(), &body, clock)
}
