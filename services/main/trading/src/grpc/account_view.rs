//! Accounts and holdings as messages.

use kernel::{AccountCode, Won};
use proto::common::v1::{Currency, Market};
use proto::convert::decimal;
use proto::trading::v1 as wire;

use crate::accounts::account::profit_rate;
use crate::accounts::day::DollarChange;
use crate::accounts::holdings::HoldingSnapshot;
use crate::accounts::summary::{AccountSummary, AccountValue, Balances};
use crate::accounts::unsettled::movable;
use crate::entity::account;
use crate::market_cache::fx_of;

pub(super) fn summary(summary: AccountSummary) -> wire::AccountSummary {
    let totals = summary.totals;
    let level = totals.level;
    let to_next = level
        .until
        .map_or(0, |until| until.0 - summary.level_total.0);
    let day_change = summary.day_change;
    wire::AccountSummary {
        accounts: summary.accounts.into_iter().map(account).collect(),
        total_won: totals.total.0,
        base_won: totals.base.0,
        profit_rate: totals.profit_rate.map(decimal),
        level: i32::from(level.number),
        level_name: level.name.to_owned(),
        level_gauge_percent: Some(decimal(
            level.gauge_percent(summary.level_total).round_dp(2),
        )),
        to_next_level_won: to_next,
        multiplier_tenths: i32::from(level.multiplier_tenths),
        day_traded_won: day_change.as_ref().map(|change| change.won.0),
        day_traded_dollars: day_change.map_or_else(Vec::new, |change| {
            change.dollars.into_iter().map(dollars).collect()
        }),
    }
}

pub(super) fn balances(balances: Balances) -> wire::Balances {
    wire::Balances {
        education_points: balances.education_points,
        cash: balances.cash,
    }
}

pub(super) fn holding(snapshot: HoldingSnapshot) -> wire::Holding {
    let HoldingSnapshot { label, holding, .. } = snapshot;
    let quote = snapshot.quote.as_ref();
    let warning = snapshot.warning.map(|warning| warning.as_str().to_owned());
    wire::Holding {
        account_no: snapshot.account_no,
        instrument_code: snapshot.instrument_code,
        instrument_name: label.name,
        market: Market::from(label.market).into(),
        currency: Currency::from(label.currency).into(),
        quantity: Some(holding.quantity.into()),
        held_quantity: Some(holding.held.into()),
        average_price: holding.average_price().map(Into::into),
        cost_won: holding.cost_won.0,
        last_price: quote.map(|quote| quote.last.into()),
        value_won: snapshot.value.0,
        profit_won: snapshot.value.0 - holding.cost_won.0,
        prev_close: quote.map(|quote| quote.prev_close.into()),
        fx_rate: fx_of(quote).map(decimal),
        warning_code: warning.unwrap_or_default(),
    }
}

fn account(value: AccountValue) -> wire::Account {
    let account::WithWon { account: row, won } = value.account;
    let total = Won(won.amount.saturating_add(value.holdings_value.0));
    let base = row.base();
    wire::Account {
        account_name: row.display_name().to_owned(),
        account_no: row.account_no,
        account_code: row.code,
        account_type: account_type(value.code).to_owned(),
        deposit_won: won.amount,
        held_won: won.held,
        available_won: won.amount - won.held,
        initial_deposit_won: row.initial_deposit_won.0,
        education_deposit_won: row.education_deposit_won.0,
        bought_deposit_won: row.bought_deposit_won.0,
        purchased_items_won: row.purchased_items_won.0,
        holdings_value_won: value.holdings_value.0,
        holdings_cost_won: value.holdings_cost.0,
        transferable_won: movable(Won(won.amount - won.held), value.unsettled).0,
        total_won: total.0,
        base_won: base.0,
        profit_rate: profit_rate(total, base).map(decimal),
        is_closed: row.closed_at.is_some(),
    }
}

fn account_type(code: AccountCode) -> &'static str {
    match code {
        AccountCode::Basic => "BASIC",
        AccountCode::Stock => "STOCK",
        AccountCode::Coin => "COIN",
        AccountCode::Deposit => "DEPOSIT",
        AccountCode::Save => "SAVE",
        AccountCode::Cma => "CMA",
        AccountCode::Commodity => "COMMODITY",
        AccountCode::Competition => "COMPETITION",
    }
}

fn dollars(change: DollarChange) -> wire::DayTradedDollars {
    wire::DayTradedDollars {
        instrument_code: change.instrument_code,
        dollars: Some(decimal(change.dollars)),
        won: change.won,
    }
}
