//! What the caller's accounts were worth day by day, beside the market and a deposit.

use actix_web::web;
use chrono::NaiveDate;
use proto::convert::{InvalidField, to_optional_decimal, to_required_decimal};
use proto::market::v1::{
    GetProductTrendRequest, IndexCloses, IndexHistory, ListIndexClosesRequest, ProductKind,
    ProductTrend,
};
use proto::trading::v1 as trading;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::path::SidPath;
use super::profit::DateType;
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::error::ApiError;
use crate::extract::Query;
use crate::routes::{Reply, State};
use crate::state::AppState;
use crate::wire::code::Acno;
use crate::wire::number::Exact;
use crate::wire::page::season;
use crate::wire::time::day;

const DEPOSIT_MONTHS: i32 = 12;
const DAYS_OF_A_YEAR: i64 = 365;

#[derive(OpenApi)]
#[openapi(paths(equity))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    let path = "/api/v1/invest/equity/member/{sid}";
    vec![Endpoint::get(path, Subject::Path("sid"), equity).extension()]
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct EquityQuery {
    /// Absent = ALL.
    #[param(inline)]
    date_type: Option<DateType>,
    /// An account of the caller; absent = all except those of competitions.
    #[param(inline)]
    acno: Option<Acno>,
    /// Absent = the present one.
    #[param(minimum = 1)]
    season: Option<i32>,
}

/// What the accounts were worth at the end of each day.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Equity {
    season: i32,
    /// First day of the window; null = the first day of the season.
    from: Option<String>,
    to: String,
    /// Every day, oldest first. The first is the day before the window, where there is one; the last
    /// of the present season is today, at the prices of now.
    points: Vec<EquityPoint>,
    /// Percent. Time-weighted: what was put in or taken out does not count. Null without two days.
    return_rt: Option<Exact>,
    /// The largest fall from a high in percent, 0 or more. Null without two days.
    drawdown_rt: Option<Exact>,
    /// KOSPI and S&P 500 over the same days; none where the market has no indices.
    benchmarks: Vec<Benchmark>,
    /// Null without two days, or while the products are away.
    deposit: Option<DepositReturn>,
}

#[derive(Debug, Serialize, ToSchema)]
struct EquityPoint {
    date: String,
    /// Won: cash, holdings, and contracts with their interest before tax.
    equity: i64,
    /// Won put in from outside, less items.
    base: i64,
    /// By how much the base changed on the day.
    flow: i64,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Benchmark {
    code: String,
    name: String,
    /// Percent.
    return_rt: Exact,
    points: Vec<BenchmarkPoint>,
}

#[derive(Debug, Serialize, ToSchema)]
struct BenchmarkPoint {
    date: String,
    value: Exact,
}

/// What the best deposit of twelve months earns over the same days, before tax.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DepositReturn {
    /// Percent a year.
    rate: Exact,
    /// Percent.
    return_rt: Exact,
}

/// What the caller's accounts were worth day by day, and what that returned.
#[utoipa::path(get, path = "/api/v1/invest/equity/member/{sid}", tag = "invest",
    params(SidPath, EquityQuery),
    responses((status = 200, description = "The days.", body = Equity)))]
async fn equity(state: State, caller: Caller, Query(query): Query<EquityQuery>) -> Reply<Equity> {
    let request = trading::GetEquityRequest {
        member_id: caller.member_id.0,
        window: query
            .date_type
            .map_or(trading::ProfitWindow::Unspecified, DateType::to_proto)
            .into(),
        account_no: query.acno.map(String::from).unwrap_or_default(),
        season: season(query.season)?,
    };
    let history = state
        .equity
        .call_idempotent(async |mut equity| equity.get_equity(request.clone()).await)
        .await?;
    let (benchmarks, deposit) = match history.days.as_slice() {
        [first, .., _] => compare(&state, first.day, history.to_day).await?,
        [] | [_] => (Vec::new(), None),
    };
    let return_rt = to_optional_decimal(history.return_rate.as_ref(), "return_rate")?;
    let drawdown_rt = to_optional_decimal(history.drawdown_rate.as_ref(), "drawdown_rate")?;
    let from = (history.from_day != 0).then(|| day(history.from_day, "from_day"));
    let points = history.days.iter().map(EquityPoint::try_from);
    Ok(web::Json(Equity {
        season: history.season,
        from: from.transpose()?,
        to: day(history.to_day, "to_day")?,
        points: points.collect::<Result<_, _>>()?,
        return_rt: return_rt.map(Exact),
        drawdown_rt: drawdown_rt.map(Exact),
        benchmarks,
        deposit,
    }))
}

/// The market and a deposit over the same days; without them the days are still told.
async fn compare(
    state: &AppState,
    from_day: i32,
    to_day: i32,
) -> Result<(Vec<Benchmark>, Option<DepositReturn>), ApiError> {
    let request = ListIndexClosesRequest { from_day, to_day };
    let indices = state
        .closes
        .call_idempotent(async |mut closes| closes.list_index_closes(request).await);
    let products = state.products.call_idempotent(async |mut products| {
        products.get_product_trend(GetProductTrendRequest {}).await
    });
    let (indices, products) = tokio::join!(indices, products);
    let benchmarks = indices.map_or_else(|_away| Ok(Vec::new()), benchmarks)?;
    let deposit = match products {
        Ok(trend) => deposit(&trend, (from_day, to_day))?,
        Err(_away) => None,
    };
    Ok((benchmarks, deposit))
}

fn benchmarks(closes: IndexCloses) -> Result<Vec<Benchmark>, InvalidField> {
    let histories = closes.indices.into_iter().map(benchmark);
    let found: Vec<Option<Benchmark>> = histories.collect::<Result<_, InvalidField>>()?;
    Ok(found.into_iter().flatten().collect())
}

/// `None` without two days.
fn benchmark(history: IndexHistory) -> Result<Option<Benchmark>, InvalidField> {
    let points = history.closes.iter().map(|close| {
        Ok(BenchmarkPoint {
            date: day(close.day, "day")?,
            value: Exact(to_required_decimal(close.value.as_ref(), "value")?),
        })
    });
    let points: Vec<BenchmarkPoint> = points.collect::<Result<_, InvalidField>>()?;
    let [first, .., last] = points.as_slice() else {
        return Ok(None);
    };
    let growth = last.value.0.checked_div(first.value.0);
    let growth = growth.ok_or(InvalidField("value"))?;
    Ok(Some(Benchmark {
        code: history.code,
        name: history.name,
        return_rt: percent(growth - Decimal::ONE),
        points,
    }))
}

/// `None` where no deposit of a year is offered.
fn deposit(
    trend: &ProductTrend,
    (from_day, to_day): (i32, i32),
) -> Result<Option<DepositReturn>, InvalidField> {
    let of_a_year = trend.averages.iter().find(|average| {
        average.kind() == ProductKind::Deposit && average.term_months == DEPOSIT_MONTHS
    });
    let Some(average) = of_a_year else {
        return Ok(None);
    };
    let rate = to_required_decimal(average.best.as_ref(), "best")?;
    let from: Option<NaiveDate> = day(from_day, "from_day")?.parse().ok();
    let to: Option<NaiveDate> = day(to_day, "to_day")?.parse().ok();
    let days = from.zip(to).map_or(0, |(from, to)| (to - from).num_days());
    let share = Decimal::from(days) / Decimal::from(DAYS_OF_A_YEAR);
    let earned = rate.checked_mul(share).ok_or(InvalidField("best"))?;
    Ok(Some(DepositReturn {
        rate: Exact(rate.normalize()),
        return_rt: Exact(earned.round_dp(4).normalize()),
    }))
}

fn percent(part: Decimal) -> Exact {
    Exact((part * Decimal::ONE_HUNDRED).round_dp(4).normalize())
}

impl TryFrom<&trading::EquityDay> for EquityPoint {
    type Error = InvalidField;

    fn try_from(one: &trading::EquityDay) -> Result<Self, InvalidField> {
        Ok(Self {
            date: day(one.day, "day")?,
            equity: one.equity_won,
            base: one.base_won,
            flow: one.flow_won,
        })
    }
}
