//! Where pushes go: the caller's browser or app, as long as its login lasts.

use actix_web::{HttpResponse, web};
use proto::auth::v1::{GetPushKeyRequest, SubscribeRequest, UnsubscribeRequest};
use serde::{Deserialize, Serialize};
use utoipa::{OpenApi, ToSchema};

use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::Json;
use crate::routes::{Reply, State};

#[derive(OpenApi)]
#[openapi(paths(subscribe, unsubscribe, push_key))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get("/api/v1/notification/push-key", Subject::Public, push_key).extension(),
        Endpoint::post(
            "/api/v1/notification/subscription",
            Subject::Body("memberSid"),
            subscribe,
        )
        .extension(),
        Endpoint::delete(
            "/api/v1/notification/subscription",
            Subject::Body("memberSid"),
            unsubscribe,
        )
        .extension(),
    ]
}

/// How pushes reach a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum PushKind {
    /// A browser.
    Web,
    /// An app on Android.
    Fcm,
    /// An app on iOS.
    Apns,
}

impl PushKind {
    fn as_str(self) -> &'static str {
        match self {
            Self::Web => "WEB",
            Self::Fcm => "FCM",
            Self::Apns => "APNS",
        }
    }

    /// The endpoint of a browser or the token of an app; the other one must be absent.
    fn address(self, endpoint: Option<String>, token: Option<String>) -> Result<String, ApiError> {
        let (name, value, other) = match self {
            Self::Web => ("endpoint", endpoint, token.map(|_token| "token")),
            Self::Fcm | Self::Apns => ("token", token, endpoint.map(|_url| "endpoint")),
        };
        if let Some(other) = other {
            return Err(ApiError::field(other, "이 종류의 알림에는 없는 값이에요"));
        }
        value
            .filter(|value| !value.is_empty())
            .ok_or_else(|| ApiError::field(name, "알림을 받을 주소가 필요해요"))
    }
}

/// Where pushes are to go.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SubscriptionBody {
    /// The caller.
    #[expect(dead_code, reason = "read by the authorization; this describes it")]
    member_sid: i64,
    kind: PushKind,
    /// WEB: an https address of a public host, at most 2,048 bytes.
    endpoint: Option<String>,
    /// WEB: 65 bytes in base64url.
    p256dh: Option<String>,
    /// WEB: 16 bytes in base64url.
    auth: Option<String>,
    /// FCM and APNS: what the system gave to the app.
    token: Option<String>,
}

/// Get pushes on this device until its login ends; of more than ten devices the oldest gets none.
/// Repeating it changes nothing.
#[utoipa::path(post, path = "/api/v1/notification/subscription", tag = "notification",
    request_body = SubscriptionBody, responses((status = 204, description = "Subscribed.")))]
async fn subscribe(
    state: State,
    caller: Caller,
    Json(body): Json<SubscriptionBody>,
) -> Result<HttpResponse, ApiError> {
    let request = SubscribeRequest {
        member_id: caller.member_id.0,
        session_id: caller.session_id,
        kind: body.kind.as_str().to_owned(),
        address: body.kind.address(body.endpoint, body.token)?,
        p256dh: body.p256dh.unwrap_or_default(),
        auth: body.auth.unwrap_or_default(),
    };
    state
        .push
        .call_idempotent(async |mut push| push.subscribe(request.clone()).await)
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Where pushes no longer go.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UnsubscriptionBody {
    /// The caller.
    #[expect(dead_code, reason = "read by the authorization; this describes it")]
    member_sid: i64,
    kind: PushKind,
    /// WEB.
    endpoint: Option<String>,
    /// FCM and APNS.
    token: Option<String>,
}

/// Get no more pushes on this device. Repeating it changes nothing.
#[utoipa::path(delete, path = "/api/v1/notification/subscription", tag = "notification",
    request_body = UnsubscriptionBody, responses((status = 204, description = "Not subscribed.")))]
async fn unsubscribe(
    state: State,
    caller: Caller,
    Json(body): Json<UnsubscriptionBody>,
) -> Result<HttpResponse, ApiError> {
    let request = UnsubscribeRequest {
        member_id: caller.member_id.0,
        kind: body.kind.as_str().to_owned(),
        address: body.kind.address(body.endpoint, body.token)?,
    };
    state
        .push
        .call_idempotent(async |mut push| push.unsubscribe(request.clone()).await)
        .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// What a browser subscribes with.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PushKey {
    /// An uncompressed point of P-256 in base64url; null where no browser can subscribe.
    public_key: Option<String>,
}

/// The key by which browsers know this installation (VAPID).
#[utoipa::path(get, path = "/api/v1/notification/push-key", tag = "notification",
    responses((status = 200, description = "The key.", body = PushKey)))]
async fn push_key(state: State) -> Reply<PushKey> {
    let key = state
        .push
        .call_idempotent(async |mut push| push.get_push_key(GetPushKeyRequest {}).await)
        .await?;
    Ok(web::Json(PushKey {
        public_key: Some(key.public_key).filter(|key| !key.is_empty()),
    }))
}
