//! Profit and loss of the caller's accounts.

mod profit_view;

use actix_web::web;
use chrono::{Datelike, NaiveDate};
use proto::trading::v1 as trading;
use serde::Deserialize;
use utoipa::{IntoParams, OpenApi, ToSchema};

use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::params::korean_day;
use crate::extract::{Path, Query};
use crate::routes::{Reply, State};
use crate::wire::code::{Acno, Code};
use crate::wire::page::{page_size, season};
use crate::wire::variants::to_proto;
use profit_view::ProfitList;

#[derive(OpenApi)]
#[openapi(paths(profit_list))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![Endpoint::get(
        "/api/v1/invest/{type}/profit-loss-list/{id}",
        Subject::Path("id"),
        profit_list,
    )]
}

/// Whose gains. ALL is everything but competitions, PRODUCT are deposits, savings plans and CMA.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum ProfitLossType {
    All,
    Stock,
    Etf,
    Coin,
    Gold,
    Product,
    Competition,
}

/// REALIZED are sales, UNREALIZED is what is owned now, COST are the fees, taxes and exchange spread of
/// all others and of purchases.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum ProfitKind {
    All,
    Realized,
    Unrealized,
    Interest,
    Dividend,
    Cost,
}

/// A span that ends today.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum DateType {
    Day,
    Weekly,
    Week,
    Month,
    ThreeMonth,
    Year,
    FiveYear,
    All,
}

/// What a row is. SALE: a sell order.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum GroupBy {
    Item,
    Day,
    Month,
    Year,
    Sale,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
struct ProfitPath {
    #[serde(rename = "type")]
    #[param(rename = "type", inline)]
    kind: ProfitLossType,
    /// The caller.
    #[serde(rename = "id")]
    _id: i64,
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct ProfitQuery {
    /// Absent = ALL.
    #[param(inline)]
    kind: Option<ProfitKind>,
    /// Absent = ALL.
    #[param(inline)]
    date_type: Option<DateType>,
    /// Absent = ITEM.
    #[param(inline)]
    group_by: Option<GroupBy>,
    /// First Korean day, `2026-11-21`, instead of that of `dateType`; what follows a `T` does not count.
    #[param(pattern = "^([0-9]{4}-?[0-9]{2}-?[0-9]{2}(T.*)?)?$")]
    start_date: Option<String>,
    /// Last Korean day, included. Absent = today.
    #[param(pattern = "^([0-9]{4}-?[0-9]{2}-?[0-9]{2}(T.*)?)?$")]
    end_date: Option<String>,
    /// An account of the caller; absent = all of them, or with COMPETITION those of competitions.
    #[param(inline)]
    acno: Option<Acno>,
    /// Only this instrument, contract or CMA account.
    #[param(inline)]
    code: Option<Code>,
    /// Absent = the present one.
    #[param(minimum = 1)]
    season: Option<i32>,
    /// From 0.
    #[param(minimum = 0, maximum = 10_000)]
    page: Option<i32>,
    /// Rows of a page; 20 when absent.
    #[param(minimum = 1, maximum = 100)]
    page_size: Option<i32>,
    /// Where the page before ended (`nextCursor`), instead of `page`: rows that came meanwhile move
    /// nothing.
    #[param(pattern = "^([0-9]{8}-[A-Za-z0-9.-]{1,20})?$")]
    cursor: Option<String>,
}

/// What the caller's accounts gained and lost, and what that cost.
#[utoipa::path(get, path = "/api/v1/invest/{type}/profit-loss-list/{id}", tag = "invest",
    params(ProfitPath, ProfitQuery),
    responses((status = 200, description = "Sums, and one page of rows, latest first.",
        body = ProfitList)))]
async fn profit_list(
    state: State,
    caller: Caller,
    Path(path): Path<ProfitPath>,
    Query(query): Query<ProfitQuery>,
) -> Reply<ProfitList> {
    let request = request(&caller, path.kind, query)?;
    let page = state
        .profits
        .call_idempotent(async |mut profits| profits.list_profits(request.clone()).await)
        .await?;
    Ok(web::Json(page.try_into()?))
}

fn request(
    caller: &Caller,
    scope: ProfitLossType,
    query: ProfitQuery,
) -> Result<trading::ListProfitsRequest, ApiError> {
    let from = korean_day("startDate", query.start_date.as_deref())?;
    let to = korean_day("endDate", query.end_date.as_deref())?;
    if matches!((from, to), (Some(from), Some(to)) if to < from) {
        return Err(ApiError::field(
            "endDate",
            "끝나는 날이 시작하는 날보다 빨라요",
        ));
    }
    let (after_day, after_key) = cursor(query.cursor.as_deref())?;
    let page = query.page.unwrap_or(0);
    if !(0..=10_000).contains(&page) {
        return Err(ApiError::field("page", "쪽 번호가 올바르지 않아요"));
    }
    Ok(trading::ListProfitsRequest {
        member_id: caller.member_id.0,
        scope: scope.to_proto().into(),
        kind: query
            .kind
            .map_or(trading::ProfitKind::Unspecified, ProfitKind::to_proto)
            .into(),
        grouping: query
            .group_by
            .map_or(trading::ProfitGrouping::Unspecified, GroupBy::to_proto)
            .into(),
        window: query
            .date_type
            .map_or(trading::ProfitWindow::Unspecified, DateType::to_proto)
            .into(),
        from_day: from.map_or(0, number),
        to_day: to.map_or(0, number),
        account_no: query.acno.map(String::from).unwrap_or_default(),
        instrument_code: query.code.map(String::from).unwrap_or_default(),
        season: season(query.season)?,
        page,
        size: page_size(query.page_size)?,
        after_day,
        after_key,
    })
}

/// The day and the key of the last row of the page before.
fn cursor(text: Option<&str>) -> Result<(i32, String), ApiError> {
    let invalid = || ApiError::field("cursor", "이어 볼 자리가 올바르지 않아요");
    let (day, key) = match text {
        None | Some("") => return Ok((0, String::new())),
        Some(text) => text.split_once('-').ok_or_else(invalid)?,
    };
    let day = Some(day).filter(|day| day.len() == 8);
    let day = day.and_then(|day| NaiveDate::parse_from_str(day, "%Y%m%d").ok());
    let key = Code::try_from(key.to_owned()).map_err(|_invalid| invalid())?;
    Ok((number(day.ok_or_else(invalid)?), key.into()))
}

fn number(day: NaiveDate) -> i32 {
    let part = |value: u32| i32::try_from(value).unwrap_or(0);
    day.year() * 10_000 + part(day.month()) * 100 + part(day.day())
}

to_proto!(ProfitLossType => trading::ProfitScope {
    Stock, Etf, Coin, Gold, Product, Competition; All = Unspecified
});

to_proto!(ProfitKind => trading::ProfitKind {
    Realized, Unrealized, Interest, Dividend, Cost; All = Unspecified
});

to_proto!(GroupBy => trading::ProfitGrouping { Day, Month, Year, Sale; Item = Unspecified });

to_proto!(pub(super) DateType => trading::ProfitWindow {
    Day, Week, Month, Year;
    Weekly = Week, ThreeMonth = ThreeMonths, FiveYear = FiveYears, All = Unspecified
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_a_day_and_a_key() {
        assert_eq!(cursor(None).unwrap(), (0, String::new()));
        let of = |text| cursor(Some(text)).ok();
        assert_eq!(
            of("20261121-KRW-BTC"),
            Some((20_261_121, "KRW-BTC".to_owned()))
        );
        assert_eq!(of("20261121-BRK.B"), Some((20_261_121, "BRK.B".to_owned())));
        for wrong in [
            "20261121",
            "20261121-",
            "20261301-A",
            "2026112-A",
            "20261121-a b",
            "-A",
        ] {
            assert_eq!(of(wrong), None, "{wrong}");
        }
    }
}
