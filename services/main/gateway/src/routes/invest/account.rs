//! The accounts of a member.

use proto::convert::{
    InvalidField, to_optional_decimal as optional, to_required_decimal as required,
};
use proto::trading::v1 as trading;
use rust_decimal::Decimal;
use serde::Serialize;
use utoipa::ToSchema;

use crate::wire::number::Exact;
use crate::wire::rows::decode_rows;

/// A member's accounts, what they are worth together and the level that makes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct AccountSummary {
    member_sid: i64,
    /// Won: cash and holdings of every account.
    total: i64,
    /// Won that were put in.
    base: i64,
    /// Percent gained on the base; null when the base is not positive.
    profit_rt: Option<Exact>,
    /// 1 to 9.
    level: i32,
    level_name: String,
    /// Percent of the way through the level.
    level_gauge: Exact,
    /// Won to the next level; 0 in the highest.
    to_next_level: i64,
    /// Multiplier of education points, 1.0 and up.
    multiplier: Exact,
    /// Won that trades, dividends and interest of the current day brought or cost by themselves:
    /// what was bought or sold counts at the previous close. With what the holdings gained since the
    /// previous close it is the change of the day; null where that can't be told.
    day_traded: Option<i64>,
    /// What of `dayTraded` is an amount of dollars, by instrument; null as `dayTraded` is. Whoever
    /// values holdings at a later exchange rate takes `won` out and counts `usd` at that rate.
    day_traded_usd: Option<Vec<DayTradedUsd>>,
    accounts: Vec<Account>,
}

/// The quantity of an instrument that was bought less sold on the current trading day, at the
/// previous close.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct DayTradedUsd {
    isu_srt_cd: String,
    usd: Exact,
    /// What `dayTraded` has for it, at the exchange rate of this answer.
    won: i64,
}

/// A money account. Everything in won.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Account {
    acno: String,
    /// 00 basic, 01 stock, 02 coin, 05 CMA, 06 commodities …
    act_tcd: String,
    account_type: String,
    /// Cash, including what is held for orders.
    deposit: i64,
    held: i64,
    available: i64,
    deposit_init: i64,
    deposit_education_point: i64,
    buy_deposit: i64,
    purchased_items: i64,
    holdings_value: i64,
    holdings_cost: i64,
    /// The name for display.
    act_nm: String,
    /// What can be transferred out.
    transferable: i64,
    /// Cash and holdings.
    total: i64,
    /// Won put in, also by transfers.
    base: i64,
    /// Percent gained on the base; null when the base is not positive.
    profit_rt: Option<Exact>,
    is_closed: bool,
}

impl AccountSummary {
    pub(crate) fn new(
        member_id: kernel::MemberId,
        summary: trading::AccountSummary,
    ) -> Result<Self, InvalidField> {
        let gauge = summary.level_gauge_percent.as_ref();
        let dollars = summary.day_traded_dollars.into_iter();
        let dollars: Vec<_> = dollars
            .map(DayTradedUsd::try_from)
            .collect::<Result<_, _>>()?;
        Ok(Self {
            member_sid: member_id.0,
            total: summary.total_won,
            base: summary.base_won,
            profit_rt: optional(summary.profit_rate.as_ref(), "profit_rate")?.map(Exact),
            level: summary.level,
            level_gauge: Exact(optional(gauge, "level_gauge_percent")?.unwrap_or(Decimal::ZERO)),
            level_name: summary.level_name,
            to_next_level: summary.to_next_level_won,
            multiplier: Exact(Decimal::new(i64::from(summary.multiplier_tenths), 1)),
            day_traded: summary.day_traded_won,
            day_traded_usd: summary.day_traded_won.map(|_| dollars),
            accounts: decode_rows(summary.accounts),
        })
    }
}

impl TryFrom<trading::DayTradedDollars> for DayTradedUsd {
    type Error = InvalidField;

    fn try_from(traded: trading::DayTradedDollars) -> Result<Self, InvalidField> {
        Ok(Self {
            usd: Exact(required(traded.dollars.as_ref(), "dollars")?),
            won: traded.won,
            isu_srt_cd: traded.instrument_code,
        })
    }
}

impl TryFrom<trading::Account> for Account {
    type Error = InvalidField;

    fn try_from(account: trading::Account) -> Result<Self, InvalidField> {
        Ok(Self {
            acno: account.account_no,
            act_tcd: account.account_code,
            account_type: account.account_type,
            deposit: account.deposit_won,
            held: account.held_won,
            available: account.available_won,
            deposit_init: account.initial_deposit_won,
            deposit_education_point: account.education_deposit_won,
            buy_deposit: account.bought_deposit_won,
            purchased_items: account.purchased_items_won,
            holdings_value: account.holdings_value_won,
            holdings_cost: account.holdings_cost_won,
            act_nm: account.account_name,
            transferable: account.transferable_won,
            total: account.total_won,
            base: account.base_won,
            profit_rt: optional(account.profit_rate.as_ref(), "profit_rate")?.map(Exact),
            is_closed: account.is_closed,
        })
    }
}
