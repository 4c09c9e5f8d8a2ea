//! Price alerts of the caller.

use actix_web::{HttpResponse, web};
use proto::convert::{InvalidField, decimal, to_optional_decimal, to_required_decimal};
use proto::market::v1 as market;
use serde::{Deserialize, Serialize};
use utoipa::{OpenApi, ToSchema};

use super::path::SidPath;
use super::repeatable;
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::Json;
use crate::routes::{Reply, State};
use crate::wire::code::Code;
use crate::wire::market::{Currency, MarketCode};
use crate::wire::number::Exact;
use crate::wire::request_id::request_id;
use crate::wire::rows::decode_rows;
use crate::wire::time::{kst, kst_if_set};
use crate::wire::variants::{from_proto, to_proto};

const ALERT: &str = "/api/v1/market/alert";

#[derive(OpenApi)]
#[openapi(paths(create_alert, alerts, delete_alert))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    use Subject::{Body, Path};
    vec![
        Endpoint::post(ALERT, Body("memberSid"), create_alert).extension(),
        Endpoint::delete(ALERT, Body("memberSid"), delete_alert).extension(),
        Endpoint::get("/api/v1/market/alert/{sid}", Path("sid"), alerts).extension(),
    ]
}

/// ABOVE: the price is the value or more. BELOW: the value or less. PERCENT: the change from the
/// previous close is the value or more; of a negative value, or less.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum PriceAlertKind {
    Above,
    Below,
    Percent,
}

/// What the caller wants to hear of.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PriceAlertDraft {
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    _member_sid: i64,
    #[schema(inline)]
    code: Code,
    kind: PriceAlertKind,
    /// A price in the instrument's currency; or percent from -99 to 1000 with two decimals, not 0.
    value: Exact,
    /// Retry key: 8 to 64 letters, digits, `_` or `-`. The same key never creates twice.
    #[schema(pattern = "^[A-Za-z0-9_-]{8,64}$")]
    req_sid: Option<String>,
}

/// Which alert is not wanted any more.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PriceAlertToDelete {
    /// The caller.
    #[serde(rename = "memberSid")]
    #[schema(rename = "memberSid")]
    _member_sid: i64,
    #[schema(minimum = 1)]
    sid: i64,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PriceAlert {
    sid: i64,
    isu_srt_cd: String,
    isu_kor_nm: String,
    market_code: MarketCode,
    currency: Currency,
    kind: PriceAlertKind,
    /// A price, after a split in the new shares; or percent.
    value: Exact,
    created_at: String,
    /// The time of the market at which it fired; null while it is active.
    fired_at: Option<String>,
    /// The price that fired it.
    fired_price: Option<Exact>,
    /// The tick that fired it.
    tick_seq: Option<i64>,
}

#[derive(Debug, Serialize, ToSchema)]
struct PriceAlerts {
    /// At most 50, newest first.
    active: Vec<PriceAlert>,
    /// Of the last 90 days, latest first, at most 200.
    fired: Vec<PriceAlert>,
}

#[derive(Debug, Serialize, ToSchema)]
struct DeletedPriceAlert {
    sid: i64,
}

/// Ask to be told once when a price is reached. Refused if it is reached already.
#[utoipa::path(post, path = "/api/v1/market/alert", tag = "market", request_body = PriceAlertDraft,
    responses((status = 200, description = "The alert.", body = PriceAlert),
        (status = 422, description = "No possible value, reached already, or one of more than 50.",
            content_type = "application/problem+json", body = crate::error::Problem)))]
async fn create_alert(
    state: State,
    caller: Caller,
    Json(draft): Json<PriceAlertDraft>,
) -> Result<HttpResponse, ApiError> {
    if draft.value.0.is_sign_negative() && !matches!(draft.kind, PriceAlertKind::Percent) {
        return Err(ApiError::field("value", "a price is not negative"));
    }
    let request = market::CreateAlertRequest {
        member_id: caller.member_id.0,
        request_id: request_id(draft.req_sid.as_deref())?.to_string(),
        code: draft.code.into(),
        kind: draft.kind.to_proto().into(),
        value: Some(decimal(draft.value.0)),
    };
    // Idempotent by its retry key.
    let reply = state
        .alerts
        .call_idempotent(async |mut alerts| alerts.create_alert(request.clone()).await)
        .await?;
    let alert = reply.alert.ok_or(InvalidField("alert"))?;
    Ok(repeatable::reply(
        reply.replayed,
        PriceAlert::try_from(alert)?,
    ))
}

/// The caller's alerts.
#[utoipa::path(get, path = "/api/v1/market/alert/{sid}", tag = "market", params(SidPath),
    responses((status = 200, description = "The alerts.", body = PriceAlerts)))]
async fn alerts(state: State, caller: Caller) -> Reply<PriceAlerts> {
    let request = market::ListAlertsRequest {
        member_id: caller.member_id.0,
    };
    let listed = state
        .alerts
        .call_idempotent(async |mut alerts| alerts.list_alerts(request).await)
        .await?;
    let (active, fired) = listed
        .alerts
        .into_iter()
        .partition(|alert| alert.fired_at_us == 0);
    Ok(web::Json(PriceAlerts {
        active: decode_rows(active),
        fired: decode_rows(fired),
    }))
}

/// Delete an alert of the caller, active or not.
#[utoipa::path(delete, path = "/api/v1/market/alert", tag = "market",
    request_body = PriceAlertToDelete,
    responses((status = 200, description = "It is deleted.", body = DeletedPriceAlert)))]
async fn delete_alert(
    state: State,
    caller: Caller,
    Json(body): Json<PriceAlertToDelete>,
) -> Reply<DeletedPriceAlert> {
    if body.sid < 1 {
        return Err(ApiError::field("sid", "1 이상의 숫자여야 해요"));
    }
    let request = market::DeleteAlertRequest {
        member_id: caller.member_id.0,
        alert_id: body.sid,
    };
    // Not repeated: a second deletion finds nothing.
    state
        .alerts
        .call(async |mut alerts| alerts.delete_alert(request).await)
        .await?;
    Ok(web::Json(DeletedPriceAlert { sid: body.sid }))
}

to_proto!(PriceAlertKind => market::AlertKind { Above, Below, Percent });
from_proto!(market::AlertKind => PriceAlertKind { Above, Below, Percent }, "kind");

impl TryFrom<market::Alert> for PriceAlert {
    type Error = InvalidField;

    fn try_from(alert: market::Alert) -> Result<Self, InvalidField> {
        let fired_price = to_optional_decimal(alert.fired_price.as_ref(), "fired_price")?;
        Ok(Self {
            sid: alert.alert_id,
            market_code: alert.market().to_kernel()?.into(),
            currency: alert.currency().to_kernel()?.into(),
            kind: alert.kind().try_into()?,
            value: Exact(to_required_decimal(alert.value.as_ref(), "value")?),
            created_at: kst(alert.created_at_us, "created_at_us")?,
            fired_at: kst_if_set(alert.fired_at_us, "fired_at_us")?,
            fired_price: fired_price.map(Exact),
            tick_seq: Some(alert.tick_seq).filter(|_| alert.fired_at_us != 0),
            isu_srt_cd: alert.code,
            isu_kor_nm: alert.name,
        })
    }
}
