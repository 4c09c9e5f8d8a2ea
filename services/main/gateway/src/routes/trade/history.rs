//! Orders through the pages of time.

use chrono::{DateTime, Days, NaiveDate, NaiveTime, TimeZone, Utc};
use kernel::clock::KST;
use proto::trading::v1 as trading;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;
use crate::registry::Subject;
use crate::routes::paging::{cursor, page_size};
use crate::routes::paths::CallerPath;
use crate::routes::shape::order::OrderPage;
use crate::routes::shape::words::OrderCategory;
use crate::session::Caller;
use crate::state::Gateway;

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

impl CallerPath for HistoryPath {
    const SUBJECT: Subject = Subject::Path("sid");
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct HistoryQuery {
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

/// One page of the caller's orders of `category`.
pub(super) async fn history(
    state: &Gateway,
    caller: &Caller,
    category: OrderCategory,
    path: HistoryPath,
    query: HistoryQuery,
) -> Result<OrderPage, ApiError> {
    let kind = match path.kind {
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
}
