//! The order history, page by page.

use actix_web::web;
use chrono::{Days, NaiveTime, TimeZone};
use kernel::clock::KST;
use proto::trading::v1 as trading;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::kinds::AssetKind;
use crate::authentication::Caller;
use crate::error::ApiError;
use crate::extract::params::korean_day;
use crate::extract::{Path, Query};
use crate::routes::{Reply, State};
use crate::wire::code::Acno;
use crate::wire::order::OrderPage;
use crate::wire::page::{cursor, page_size, season};

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
pub(super) struct HistoryPath {
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
pub(super) struct HistoryQuery {
    /// An account of the caller; absent = all of them.
    #[param(inline)]
    acno: Option<Acno>,
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
    /// Absent = the present one.
    #[param(minimum = 1)]
    season: Option<i32>,
}

#[utoipa::path(get, path = "history", params(HistoryPath, HistoryQuery),
    responses((status = 200, body = OrderPage)))]
pub(super) async fn order_history(
    kind: &'static AssetKind,
    state: State,
    caller: Caller,
    Path(path): Path<HistoryPath>,
    Query(query): Query<HistoryQuery>,
) -> Reply<OrderPage> {
    let orders = match path.kind {
        HistoryType::All => trading::OrderHistoryKind::All,
        HistoryType::Filled => trading::OrderHistoryKind::Filled,
        HistoryType::Wait => trading::OrderHistoryKind::Wait,
        HistoryType::Canceled => trading::OrderHistoryKind::Canceled,
    };
    let size = page_size(query.size)?;
    let placed_from_us = day_start("startDate", query.start_date.as_deref(), 0)?;
    let placed_before_us = day_start("endDate", query.end_date.as_deref(), 1)?;
    if matches!((placed_from_us, placed_before_us), (Some(from), Some(before)) if before <= from) {
        return Err(ApiError::field(
            "endDate",
            "끝나는 날이 시작하는 날보다 빨라요",
        ));
    }
    let request = trading::ListOrderHistoryRequest {
        member_id: caller.member_id.0,
        category: kind.category.to_proto().into(),
        kind: orders.into(),
        placed_from_us,
        placed_before_us,
        before_order_id: cursor(query.cursor.as_deref())?,
        size,
        account_no: query.acno.map(String::from).unwrap_or_default(),
        season: season(query.season)?,
    };
    let page = state
        .orders
        .call_idempotent(async |mut orders| orders.list_order_history(request.clone()).await)
        .await?;
    Ok(web::Json(page.try_into()?))
}

/// The start of the Korean day `later` days after the one in `text`, in Unix microseconds.
fn day_start(field: &str, text: Option<&str>, later: u64) -> Result<Option<i64>, ApiError> {
    let Some(day) = korean_day(field, text)? else {
        return Ok(None);
    };
    let start = day.checked_add_days(Days::new(later)).and_then(|date| {
        let midnight = KST.from_local_datetime(&date.and_time(NaiveTime::MIN));
        midnight.single()
    });
    Ok(start.map(|instant| instant.timestamp_micros()))
}

#[cfg(test)]
mod tests {
    use chrono::{DateTime, Utc};

    use super::*;

    #[test]
    fn days_are_korean_and_the_time_after_t_is_ignored() {
        let from = day_start("startDate", Some("2026-11-21T23:59:59"), 0).unwrap();
        let until = day_start("endDate", Some("20261121"), 1).unwrap();
        let at = |text: &str| Some(text.parse::<DateTime<Utc>>().unwrap().timestamp_micros());
        assert_eq!(from, at("2026-11-20T15:00:00Z"));
        assert_eq!(until, at("2026-11-21T15:00:00Z"));
        assert_eq!(day_start("endDate", Some(""), 1).unwrap(), None);
        for invalid in ["2026-13-01", "yesterday", "0001-01-01", "2026-11-21x"] {
            assert!(
                day_start("startDate", Some(invalid), 0).is_err(),
                "{invalid}"
            );
        }
    }
}
