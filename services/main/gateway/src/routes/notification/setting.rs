//! What the caller wants to hear of, and when.

use actix_web::web;
use proto::auth::v1 as auth;
use proto::convert::InvalidField;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::super::path::SidPath;
use super::NotificationType;
use crate::authentication::Caller;
use crate::extract::Json;
use crate::routes::{Reply, State};
use crate::wire::code::text_parameter;
use crate::wire::rows::decode_rows;

text_parameter!(
    /// A time of the Korean day, as `21:00`.
    TimeOfDay(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$"),
    "시각이 올바르지 않아요",
    |text| minute_of(text).is_some()
);

/// Where a type of notification arrives.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
pub(super) struct NotificationChannels {
    #[serde(rename = "type")]
    #[schema(inline)]
    kind: NotificationType,
    inbox: bool,
    push: bool,
}

/// When only urgent pushes arrive: of fills, security and contracts. Equal times mean never.
#[derive(Debug, Serialize, ToSchema)]
struct QuietHours {
    /// As `21:00`, in Korea.
    from: String,
    until: String,
}

#[derive(Debug, Serialize, ToSchema)]
pub(super) struct NotificationSetting {
    /// Every type.
    types: Vec<NotificationChannels>,
    quiet: QuietHours,
    /// Whether pushes that can wait come together in the morning.
    digest: bool,
}

/// Quiet hours as they will be.
#[derive(Deserialize, ToSchema)]
struct QuietHoursDraft {
    #[schema(inline)]
    from: TimeOfDay,
    #[schema(inline)]
    until: TimeOfDay,
}

/// What changes; the rest stays.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct NotificationSettingDraft {
    /// The caller.
    #[expect(dead_code, reason = "read by the authorization; this describes it")]
    member_sid: i64,
    /// Each type once at most.
    types: Option<Vec<NotificationChannels>>,
    #[schema(inline)]
    quiet: Option<QuietHoursDraft>,
    digest: Option<bool>,
}

/// What the caller wants to hear of.
#[utoipa::path(get, path = "/api/v1/notification/setting/{sid}", tag = "notification",
    params(SidPath),
    responses((status = 200, description = "The settings.", body = NotificationSetting)))]
pub(super) async fn setting(state: State, caller: Caller) -> Reply<NotificationSetting> {
    let request = auth::GetNotificationSettingsRequest {
        member_id: caller.member_id.0,
    };
    let settings = state
        .notifications
        .call_idempotent(async |mut inbox| inbox.get_notification_settings(request).await)
        .await?;
    Ok(web::Json(view(settings)))
}

/// Change what the caller wants to hear of.
#[utoipa::path(put, path = "/api/v1/notification/setting", tag = "notification",
    request_body = NotificationSettingDraft,
    responses((status = 200, description = "The settings as they are now.",
        body = NotificationSetting)))]
pub(super) async fn set_setting(
    state: State,
    caller: Caller,
    Json(draft): Json<NotificationSettingDraft>,
) -> Reply<NotificationSetting> {
    let types = draft.types.unwrap_or_default();
    let types = types.into_iter().map(|wanted| auth::NotificationChannels {
        r#type: wanted.kind.as_str().to_owned(),
        inbox: wanted.inbox,
        push: wanted.push,
    });
    let quiet = draft.quiet.as_ref();
    let request = auth::SetNotificationSettingsRequest {
        member_id: caller.member_id.0,
        types: types.collect(),
        quiet_from: quiet.and_then(|quiet| minute_of(quiet.from.as_str())),
        quiet_until: quiet.and_then(|quiet| minute_of(quiet.until.as_str())),
        digest: draft.digest,
    };
    let settings = state
        .notifications
        .call_idempotent(async |mut inbox| inbox.set_notification_settings(request.clone()).await)
        .await?;
    Ok(web::Json(view(settings)))
}

fn view(settings: auth::NotificationSettings) -> NotificationSetting {
    NotificationSetting {
        types: decode_rows(settings.types),
        quiet: QuietHours {
            from: time_of(settings.quiet_from),
            until: time_of(settings.quiet_until),
        },
        digest: settings.digest,
    }
}

impl TryFrom<auth::NotificationChannels> for NotificationChannels {
    type Error = InvalidField;

    fn try_from(row: auth::NotificationChannels) -> Result<Self, InvalidField> {
        Ok(Self {
            kind: NotificationType::parse(&row.r#type)?,
            inbox: row.inbox,
            push: row.push,
        })
    }
}

fn minute_of(text: &str) -> Option<i32> {
    let (hour, minute) = text.split_once(':')?;
    let two_digits = |text: &str| {
        let is_number = text.len() == 2 && text.bytes().all(|digit| digit.is_ascii_digit());
        is_number.then(|| text.parse::<i32>().ok()).flatten()
    };
    let (hour, minute) = (two_digits(hour)?, two_digits(minute)?);
    (hour < 24 && minute < 60).then_some(hour * 60 + minute)
}

fn time_of(minute: i32) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_minutes_of_a_day() {
        for (text, minute) in [("00:00", 0), ("08:05", 485), ("23:59", 1_439)] {
            assert_eq!(minute_of(text), Some(minute));
            assert_eq!(time_of(minute), text);
        }
        for text in [
            "",
            "8:00",
            "24:00",
            "12:60",
            "+1:00",
            "12:0a",
            "12:00:00",
            "１２:００",
        ] {
            assert_eq!(minute_of(text), None, "{text}");
        }
    }
}
