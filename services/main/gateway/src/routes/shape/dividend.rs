//! Dividends as they are shown.

use proto::convert::{
    InvalidField, to_optional_decimal as optional, to_required_decimal as required,
};
use proto::trading::v1 as trading;
use serde::Serialize;
use utoipa::ToSchema;

use super::number::Exact;
use super::rows::readable;
use super::time::{day, kst_if_set};
use super::words::{Currency, MarketCode};

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
pub(crate) struct DividendPage {
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
            announced: readable(page.announced),
            dividends: readable(page.dividends),
            next_cursor: Some(page.next_before_id)
                .filter(|id| *id != 0)
                .map(|id| id.to_string()),
        })
    }
}

impl TryFrom<trading::Dividend> for Dividend {
    type Error = InvalidField;

    fn try_from(dividend: trading::Dividend) -> Result<Self, InvalidField> {
        let status = match dividend.state() {
            trading::DividendState::Unspecified => return Err(InvalidField("state")),
            trading::DividendState::Announced => DividendStatus::Announced,
            trading::DividendState::Due => DividendStatus::Due,
            trading::DividendState::Paid => DividendStatus::Paid,
        };
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
