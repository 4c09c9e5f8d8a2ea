//! Dividends of a member.

use actix_web::web;
use proto::convert::{
    InvalidField, to_optional_decimal as optional, to_required_decimal as required,
};
use proto::trading::v1 as trading;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, OpenApi, ToSchema};

use super::path::IdPath;
use crate::authentication::Caller;
use crate::endpoint::{Endpoint, Subject};
use crate::extract::Query;
use crate::routes::{Reply, State};
use crate::wire::market::{Currency, MarketCode};
use crate::wire::number::Exact;
use crate::wire::page::{cursor, page_size};
use crate::wire::rows::decode_rows;
use crate::wire::time::{day, kst_if_set};
use crate::wire::variants::from_proto;

#[derive(OpenApi)]
#[openapi(paths(dividends))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::get(
            "/api/v1/invest/dividend/member/{id}",
            Subject::Path("id"),
            dividends,
        )
        .extension(),
    ]
}

/// Which dividends are shown. DUE is what is to come, soonest first; PAID is what was paid, latest
/// first.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum DividendList {
    Due,
    Paid,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct DividendQuery {
    /// Absent = all that the caller has a claim to, latest day of payment first.
    #[param(inline)]
    state: Option<DividendList>,
    /// Where the page before ended (`nextCursor`); absent = the first page.
    #[param(pattern = "^[0-9]{0,18}$")]
    cursor: Option<String>,
    /// Dividends of a page; 20 when absent.
    #[param(minimum = 1, maximum = 100)]
    size: Option<i32>,
}

/// Dividends of the caller, by the day of payment.
#[utoipa::path(get, path = "/api/v1/invest/dividend/member/{id}", tag = "invest",
    params(IdPath, DividendQuery),
    responses((status = 200, description = "One page.", body = DividendPage)))]
async fn dividends(
    state: State,
    caller: Caller,
    query: Query<DividendQuery>,
) -> Reply<DividendPage> {
    let query = query.0;
    let listed = match query.state {
        None => trading::DividendState::Unspecified,
        Some(DividendList::Due) => trading::DividendState::Due,
        Some(DividendList::Paid) => trading::DividendState::Paid,
    };
    let request = trading::ListDividendsRequest {
        member_id: caller.member_id.0,
        before_id: cursor(query.cursor.as_deref())?,
        size: page_size(query.size)?,
        state: listed.into(),
    };
    let page = state
        .dividends
        .call_idempotent(async |mut dividends| dividends.list_dividends(request).await)
        .await?;
    Ok(web::Json(page.try_into()?))
}

/// How far a dividend is. ANNOUNCED: the shares are owned at present, and who owns them until the
/// day before `exDay` will be paid. DUE: the claim is certain. PAID: it is on the account.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
enum DividendStatus {
    Announced,
    Due,
    Paid,
}

/// A page of dividends.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DividendPage {
    /// What is announced for shares owned at present, soonest first; only on the first page of DUE.
    announced: Vec<Dividend>,
    dividends: Vec<Dividend>,
    /// Asks for the next page; null when there is none.
    next_cursor: Option<String>,
}

/// What the shares of one account earn.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Dividend {
    /// Null while it is only announced.
    dividend_sid: Option<i64>,
    acno: String,
    isu_srt_cd: String,
    isu_kor_nm: String,
    market_code: MarketCode,
    currency: Currency,
    status: DividendStatus,
    /// The first trading day without the claim.
    ex_day: String,
    pay_day: String,
    qty: Exact,
    /// For each share, before tax, in the currency.
    amount: Exact,
    /// Won before tax. Until it is paid: at this moment's exchange rate, null when none is known.
    gross: Option<i64>,
    /// Won withheld.
    tax: Option<i64>,
    /// Won that reach the account.
    net: Option<i64>,
    /// Won per dollar that the sums were reckoned with; null for shares in won.
    fx_rate: Option<Exact>,
    /// When it was paid.
    paid_time: Option<String>,
}

impl TryFrom<trading::Dividends> for DividendPage {
    type Error = InvalidField;

    fn try_from(page: trading::Dividends) -> Result<Self, InvalidField> {
        Ok(Self {
            announced: decode_rows(page.announced),
            dividends: decode_rows(page.dividends),
            next_cursor: Some(page.next_before_id)
                .filter(|id| *id != 0)
                .map(|id| id.to_string()),
        })
    }
}

from_proto!(trading::DividendState => DividendStatus { Announced, Due, Paid }, "state");

impl TryFrom<trading::Dividend> for Dividend {
    type Error = InvalidField;

    fn try_from(dividend: trading::Dividend) -> Result<Self, InvalidField> {
        let status = DividendStatus::try_from(dividend.state())?;
        let currency: Currency = dividend.currency().to_kernel()?.into();
        let fx_rate = optional(dividend.fx_rate.as_ref(), "fx_rate")?.map(Exact);
        let known = match currency {
            Currency::Krw => true,
            Currency::Usd => fx_rate.is_some(),
        };
        let known = known || status == DividendStatus::Paid;
        let won = |sum: i64| Some(sum).filter(|_| known);
        Ok(Self {
            dividend_sid: Some(dividend.dividend_id).filter(|id| *id != 0),
            market_code: dividend.market().to_kernel()?.into(),
            currency,
            status,
            ex_day: day(dividend.ex_day, "ex_day")?,
            pay_day: day(dividend.pay_day, "pay_day")?,
            qty: Exact(required(dividend.quantity.as_ref(), "quantity")?),
            amount: Exact(required(dividend.amount.as_ref(), "amount")?),
            gross: won(dividend.gross_won),
            tax: won(dividend.tax_won),
            net: won(dividend.net_won),
            fx_rate,
            paid_time: kst_if_set(dividend.paid_at_us, "paid_at_us")?,
            acno: dividend.account_no,
            isu_srt_cd: dividend.instrument_code,
            isu_kor_nm: dividend.instrument_name,
        })
    }
}
