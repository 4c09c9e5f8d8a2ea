//! The caller's notifications.

mod setting;

use actix_web::web;
use proto::auth::v1 as auth;
use proto::convert::InvalidField;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::path::SidPath;
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::{Json, Query};
use crate::routes::{Reply, State};
use crate::wire::code::text_parameter;
use crate::wire::item::non_empty;
use crate::wire::rows::decode_rows;
use crate::wire::time::kst;

#[derive(OpenApi)]
#[openapi(paths(list, unread, read, setting::setting, setting::set_setting))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            "/api/v1/notification/list/{sid}",
            Subject::Path("sid"),
            list,
        )
        .extension(),
        Endpoint::get(
            "/api/v1/notification/unread/{sid}",
            Subject::Path("sid"),
            unread,
        )
        .extension(),
        Endpoint::put(
            "/api/v1/notification/read",
            Subject::Body("memberSid"),
            read,
        )
        .extension(),
        Endpoint::get(
            "/api/v1/notification/setting/{sid}",
            Subject::Path("sid"),
            setting::setting,
        )
        .extension(),
        Endpoint::put(
            "/api/v1/notification/setting",
            Subject::Body("memberSid"),
            setting::set_setting,
        )
        .extension(),
    ]
}

macro_rules! notification_types {
    ($($(#[$doc:meta])* $variant:ident = $word:literal;)+) => {
        /// What a notification is about.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        enum NotificationType {
            $($(#[$doc])* #[serde(rename = $word)] $variant,)+
        }

        impl NotificationType {
            fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            fn parse(word: &str) -> Result<Self, InvalidField> {
                match word {
                    $($word => Ok(Self::$variant),)+
                    _ => Err(InvalidField("type")),
                }
            }
        }
    };
}

notification_types! {
    Fill = "FILL";
    Partial = "PARTIAL";
    /// Expired or rejected.
    OrderEnded = "ORDER_ENDED";
    /// An alert of the caller.
    Price = "PRICE";
    Maturity = "MATURITY";
    AutopayMissed = "AUTOPAY_MISSED";
    Streak = "STREAK";
    Comment = "COMMENT";
    Reply = "REPLY";
    Like = "LIKE";
    /// A decision about a report, or about what the caller wrote.
    Report = "REPORT";
    Competition = "COMPETITION";
    Notice = "NOTICE";
}

text_parameter!(
    /// `cursor` of the page before.
    Cursor(pattern = "^[A-Za-z0-9_-]{0,100}$"),
    "이어 볼 자리가 올바르지 않아요",
    |text| text.len() <= 100
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
);

/// Which notifications.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    #[param(inline)]
    cursor: Option<Cursor>,
    /// Of all types without it.
    #[serde(rename = "type")]
    #[param(inline)]
    kind: Option<NotificationType>,
}

/// A page of the inbox.
#[derive(Debug, Serialize, ToSchema)]
struct NotificationList {
    /// Newest first.
    list: Vec<Notification>,
    /// Of the next page; null after the last one.
    cursor: Option<String>,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Notification {
    sid: i64,
    #[serde(rename = "type")]
    kind: NotificationType,
    title: String,
    body: String,
    /// A path of the client.
    link: String,
    created_at: String,
    is_read: bool,
}

/// What is unread.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UnreadNotifications {
    /// At most 100.
    unread: i32,
    /// Of the newest 100; types without any are left out.
    by_type: Vec<UnreadOfType>,
}

#[derive(Debug, Serialize, ToSchema)]
struct UnreadOfType {
    #[serde(rename = "type")]
    kind: NotificationType,
    unread: i32,
}

/// What was read: some notifications or all of them.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReadMark {
    /// The caller.
    #[expect(dead_code, reason = "read by the authorization; this describes it")]
    member_sid: i64,
    /// At most 100.
    sids: Option<Vec<i64>>,
    /// Whether all are read.
    #[serde(default)]
    all: bool,
}

/// What is left.
#[derive(Debug, Serialize, ToSchema)]
struct UnreadCount {
    /// At most 100.
    unread: i32,
}

/// The notifications of the last 90 days, newest first, 20 a page.
#[utoipa::path(get, path = "/api/v1/notification/list/{sid}", tag = "notification",
    params(SidPath, ListQuery),
    responses((status = 200, description = "A page of 20.", body = NotificationList)))]
async fn list(
    state: State,
    caller: Caller,
    Query(query): Query<ListQuery>,
) -> Reply<NotificationList> {
    let request = auth::ListNotificationsRequest {
        member_id: caller.member_id.0,
        cursor: query.cursor.map(String::from).unwrap_or_default(),
        r#type: query.kind.map_or("", NotificationType::as_str).to_owned(),
    };
    let page = state
        .notifications
        .call_idempotent(async |mut inbox| inbox.list_notifications(request.clone()).await)
        .await?;
    Ok(web::Json(NotificationList {
        list: decode_rows(page.notifications),
        cursor: non_empty(page.cursor),
    }))
}

/// How many notifications are unread.
#[utoipa::path(get, path = "/api/v1/notification/unread/{sid}", tag = "notification",
    params(SidPath),
    responses((status = 200, description = "The numbers.", body = UnreadNotifications)))]
async fn unread(state: State, caller: Caller) -> Reply<UnreadNotifications> {
    let request = auth::CountUnreadRequest {
        member_id: caller.member_id.0,
    };
    let count = state
        .notifications
        .call_idempotent(async |mut inbox| inbox.count_unread(request).await)
        .await?;
    Ok(web::Json(UnreadNotifications {
        unread: count.unread,
        by_type: decode_rows(count.by_type),
    }))
}

/// Mark notifications as read. A repeat changes nothing.
#[utoipa::path(put, path = "/api/v1/notification/read", tag = "notification",
    request_body = ReadMark,
    responses((status = 200, description = "What is left.", body = UnreadCount)))]
async fn read(state: State, caller: Caller, Json(mark): Json<ReadMark>) -> Reply<UnreadCount> {
    let notification_ids = match (mark.all, mark.sids) {
        (false, Some(sids)) => sids,
        (true, None) => Vec::new(),
        (false, None) => return Err(ApiError::field("sids", "꼭 필요한 값이에요")),
        (true, Some(_)) => {
            return Err(ApiError::field("sids", "all과 함께 보낼 수 없어요"));
        }
    };
    if notification_ids.iter().any(|sid| *sid <= 0) {
        return Err(ApiError::field("sids", "번호가 올바르지 않아요"));
    }
    let request = auth::ReadNotificationsRequest {
        member_id: caller.member_id.0,
        notification_ids,
        all: mark.all,
    };
    let left = state
        .notifications
        .call_idempotent(async |mut inbox| inbox.read_notifications(request.clone()).await)
        .await?;
    Ok(web::Json(UnreadCount {
        unread: left.unread,
    }))
}

impl TryFrom<auth::Notification> for Notification {
    type Error = InvalidField;

    fn try_from(row: auth::Notification) -> Result<Self, InvalidField> {
        Ok(Self {
            sid: row.notification_id,
            kind: NotificationType::parse(&row.r#type)?,
            title: row.title,
            body: row.body,
            link: row.link,
            created_at: kst(row.created_at_us, "created_at_us")?,
            is_read: row.is_read,
        })
    }
}

impl TryFrom<auth::UnreadOfType> for UnreadOfType {
    type Error = InvalidField;

    fn try_from(row: auth::UnreadOfType) -> Result<Self, InvalidField> {
        Ok(Self {
            kind: NotificationType::parse(&row.r#type)?,
            unread: row.unread,
        })
    }
}
