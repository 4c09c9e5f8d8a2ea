//! Orders through the pages of time.

use actix_web::web;
use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeZone, Utc};
use kernel::clock::KST;
use proto::trading::v1 as trading;
use serde::Deserialize;
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::shape::order::OrderPage;
use super::shape::words::OrderCategory;
use crate::error::ApiError;
use crate::params::{Path, Query};
use crate::registry::{Endpoint, Subject};
use crate::session::Caller;
use crate::state::Gateway;

const LARGEST_PAGE: i32 = 100;

#[derive(OpenApi)]
#[openapi(paths(stock_order_history, coin_order_history, commodity_order_history))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    use Subject::Path;
    vec![
        Endpoint::get(
            "/api/v1/orderHistory/stock/member/{sid}/{type}",
            Path("sid"),
            stock_order_history,
        ),
        Endpoint::get(
            "/api/v1/orderHistory/coin/member/{sid}/{type}",
            Path("sid"),
            coin_order_history,
        )
        .extension(),
        Endpoint::get(
            "/api/v1/orderHistory/commodity/member/{sid}/{type}",
            Path("sid"),
            commodity_order_history,
        )
        .extension(),
    ]
}

/// Which orders are shown. CANCELED is every order that ended without being filled: canceled,
/// expired, replaced, rejected.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum HistoryType {
    All,
    Filled,
    Wait,
    Canceled,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct HistoryPath {
    /// The caller.
    #[serde(rename = "sid")]
    _sid: i64,
    #[serde(rename = "type")]
    #[param(rename = "type", inline)]
    kind: HistoryType,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct HistoryQuery {
    /// First Korean day, `2026-11-21`; what follows a `T` does not count. Absent = from the first.
    #[param(pattern = "^([0-9]{4}-?[0-9]{2}-?[0-9]{2}(T.*)?)?$")]
    start_date: Option<String>,
    /// Last Korean day, included. Absent = up to now.
    #[param(pattern = "^([0-9]{4}-?[0-9]{2}-?[0-9]{2}(T.*)?)?$")]
    end_date: Option<String>,
    /// Where the page before ended (`nextCursor`); absent = the newest orders.
    #[param(pattern = "^[0-9]{0,18}$")]
    cursor: Option<String>,
    /// Orders of a page; 20 when absent.
    #[param(minimum = 1, maximum = 100)]
    size: Option<i32>,
}

/// Orders for stocks and ETFs, newest first.
#[utoipa::path(get, path = "/api/v1/orderHistory/stock/member/{sid}/{type}", tag = "stock",
    params(HistoryPath, HistoryQuery),
    responses((status = 200, description = "One page.", body = OrderPage)))]
async fn stock_order_history(
    state: web::Data<Gateway>,
    caller: Caller,
    path: Path<HistoryPath>,
    query: Query<HistoryQuery>,
) -> Result<web::Json<OrderPage>, ApiError> {
    let page = page(&state, &caller, path.0.kind, query.0, OrderCategory::Stock);
    Ok(web::Json(page.await?))
}

/// Orders for coins, newest first.
#[utoipa::path(get, path = "/api/v1/orderHistory/coin/member/{sid}/{type}", tag = "coin",
    params(HistoryPath, HistoryQuery),
    responses((status = 200, description = "One page.", body = OrderPage)))]
async fn coin_order_history(
    state: web::Data<Gateway>,
    caller: Caller,
    path: Path<HistoryPath>,
    query: Query<HistoryQuery>,
) -> Result<web::Json<OrderPage>, ApiError> {
    let page = page(&state, &caller, path.0.kind, query.0, OrderCategory::Coin);
    Ok(web::Json(page.await?))
}

/// Orders for gold, newest first.
#[utoipa::path(get, path = "/api/v1/orderHistory/commodity/member/{sid}/{type}",
    tag = "commodity", params(HistoryPath, HistoryQuery),
    responses((status = 200, description = "One page.", body = OrderPage)))]
async fn commodity_order_history(
    state: web::Data<Gateway>,
    caller: Caller,
    path: Path<HistoryPath>,
    query: Query<HistoryQuery>,
) -> Result<web::Json<OrderPage>, ApiError> {
    let page = page(&state, &caller, path.0.kind, query.0, OrderCategory::Gold);
    Ok(web::Json(page.await?))
}

async fn page(
    state: &Gateway,
    caller: &Caller,
    kind: HistoryType,
    query: HistoryQuery,
    category: OrderCategory,
) -> Result<OrderPage, ApiError> {
    let kind = match kind {
        HistoryType::All => trading::OrderHistoryKind::All,
        HistoryType::Filled => trading::OrderHistoryKind::Filled,
        HistoryType::Wait => trading::OrderHistoryKind::Wait,
        HistoryType::Canceled => trading::OrderHistoryKind::Canceled,
    };
    let size = page_size(query.size)?;
    let placed_from_us = beginning("startDate", query.start_date.as_deref(), 0)?;
    let placed_before_us = beginning("endDate", query.end_date.as_deref(), 1)?;
    if matches!((placed_from_us, placed_before_us), (Some(from), Some(before)) if before <= from) {
        return Err(ApiError::field(
            "endDate",
            "끝나는 날이 시작하는 날보다 빨라요",
        ));
    }
    let request = trading::ListOrderHistoryRequest {
        member_id: caller.member_id.0,
        category: category.to_proto().into(),
        kind: kind.into(),
        placed_from_us,
        placed_before_us,
        before_order_id: cursor(query.cursor.as_deref())?,
        size,
    };
    let answer = state
        .orders
        .read(async |mut orders| orders.list_order_history(request).await)
        .await?;
    Ok(answer.try_into()?)
}

/// The size of a page that was asked for; 0 is the usual one.
pub(super) fn page_size(size: Option<i32>) -> Result<i32, ApiError> {
    match size {
        None => Ok(0),
        Some(size) if (1..=LARGEST_PAGE).contains(&size) => Ok(size),
        Some(_) => Err(ApiError::field("size", "1에서 100 사이여야 해요")),
    }
}

/// When the Korean day that a text names begins, or the day `later` days after it.
fn beginning(field: &str, text: Option<&str>, later: u64) -> Result<Option<i64>, ApiError> {
    let day = match text.and_then(|text| text.split('T').next()).map(str::trim) {
        None | Some("") => return Ok(None),
        Some(day) => day,
    };
    instant(day, later)
        .map(|instant| Some(instant.timestamp_micros()))
        .ok_or_else(|| ApiError::field(field, "날짜가 올바르지 않아요"))
}

fn instant(day: &str, later: u64) -> Option<DateTime<Utc>> {
    let date = NaiveDate::parse_from_str(day, "%Y-%m-%d")
        .or_else(|_error| NaiveDate::parse_from_str(day, "%Y%m%d"))
        .ok()?;
    if !(1990..=2100).contains(&chrono::Datelike::year(&date)) {
        return None;
    }
    let date = date.checked_add_days(Days::new(later))?;
    let midnight = KST.from_local_datetime(&date.and_time(NaiveTime::MIN));
    Some(midnight.single()?.to_utc())
}

/// The number in a cursor; 0 without one.
pub(super) fn cursor(text: Option<&str>) -> Result<i64, ApiError> {
    let wrong = || ApiError::field("cursor", "이어 볼 자리가 올바르지 않아요");
    match text {
        None | Some("") => Ok(0),
        Some(text) if text.len() <= 18 && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            text.parse().ok().filter(|id| *id > 0).ok_or_else(wrong)
        }
        Some(_) => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_korean_and_what_follows_a_t_does_not_count() {
        let from = beginning("startDate", Some("2026-11-21T23:59:59"), 0).unwrap();
        let until = beginning("endDate", Some("20261121"), 1).unwrap();
        let at = |text: &str| Some(text.parse::<DateTime<Utc>>().unwrap().timestamp_micros());
        assert_eq!(from, at("2026-11-20T15:00:00Z"));
        assert_eq!(until, at("2026-11-21T15:00:00Z"));
        assert_eq!(beginning("endDate", Some(""), 1).unwrap(), None);
        for wrong in ["2026-13-01", "yesterday", "0001-01-01", "2026-11-21x"] {
            assert!(beginning("startDate", Some(wrong), 0).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_cursor_is_the_number_of_an_order() {
        assert_eq!(cursor(None).unwrap(), 0);
        assert_eq!(cursor(Some("1234")).unwrap(), 1234);
        for wrong in ["0", "-1", "1e3", "9999999999999999999", "x"] {
            assert!(cursor(Some(wrong)).is_err(), "{wrong}");
        }
    }
}
