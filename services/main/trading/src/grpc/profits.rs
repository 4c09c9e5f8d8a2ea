//! `ProfitService`: what accounts gained and lost.

use std::sync::Arc;

use bootstrap::grpc::Reply;
use chrono::{Datelike, NaiveDate};
use kernel::day::date_of;
use proto::common::v1::{Currency, Market};
use proto::convert::decimal;
use proto::trading::v1 as wire;
use proto::trading::v1::profit_service_server::ProfitService;
use tonic::{Request, Response};

use super::Service;
use super::call::{member, with_timeout};
use super::parse;
use crate::domain::day::yyyymmdd;
use crate::error::TradingError;
use crate::profits::{
    CapitalFlows, ProfitFilter, ProfitGrouping, ProfitKind, ProfitPage, ProfitRow, ProfitScope,
    ProfitWindow,
};

/// Lists that are read at the same time. Each reads what accounts did in years, and keeps a connection that
/// long; the others are for what members do.
pub(super) const READ_AT_ONCE: usize = 2;
const DEFAULT_PAGE: i64 = 20;
const MAX_PAGE: i64 = 100;
const MAX_PAGES: i64 = 10_000;
const MAX_KEY_LENGTH: usize = 32;

#[tonic::async_trait]
impl ProfitService for Service {
    async fn list_profits(
        &self,
        request: Request<wire::ListProfitsRequest>,
    ) -> Reply<wire::Profits> {
        let request = request.into_inner();
        let member_id = member(request.member_id)?;
        let filter = filter(&request)?;
        let (store, turns) = (self.store.clone(), Arc::clone(&self.reading_profits));
        // The turn ends with the wait of the caller, because no statement goes on after it.
        let page = with_timeout(async move {
            let _turn = turns.take(member_id).await?;
            store.profits(member_id, &filter).await
        });
        Ok(Response::new(view(page.await?)))
    }
}

fn filter(request: &wire::ListProfitsRequest) -> Result<ProfitFilter, TradingError> {
    let from = day(request.from_day, "from_day")?;
    let to = day(request.to_day, "to_day")?;
    if matches!((from, to), (Some(from), Some(to)) if to < from) {
        return Err(TradingError::Malformed("to_day"));
    }
    let size = match i64::from(request.size) {
        0 => DEFAULT_PAGE,
        size if (1..=MAX_PAGE).contains(&size) => size,
        _ => return Err(TradingError::Malformed("size")),
    };
    let page = i64::from(request.page);
    if !(0..=MAX_PAGES).contains(&page) {
        return Err(TradingError::Malformed("page"));
    }
    if request.after_key.len() > MAX_KEY_LENGTH || request.after_key.contains('\0') {
        return Err(TradingError::Malformed("after_key"));
    }
    let after = day(request.after_day, "after_day")?;
    Ok(ProfitFilter {
        scope: scope(request.scope()),
        kind: kind(request.kind()),
        grouping: grouping(request.grouping()),
        window: window(request.window()),
        from,
        to,
        season: parse::season(request.season)?,
        account: parse::optional_account(&request.account_no)?,
        instrument_code: parse::optional_code(&request.instrument_code)?,
        page,
        size,
        after: after.map(|day| (day, request.after_key.clone())),
    })
}

/// 0 stands for none.
fn day(yyyymmdd: i32, field: &'static str) -> Result<Option<NaiveDate>, TradingError> {
    if yyyymmdd == 0 {
        return Ok(None);
    }
    let date = date_of(yyyymmdd);
    let usual = |date: &NaiveDate| (1900..=2200).contains(&date.year());
    let date = date.filter(usual).ok_or(TradingError::Malformed(field))?;
    Ok(Some(date))
}

fn scope(scope: wire::ProfitScope) -> ProfitScope {
    match scope {
        wire::ProfitScope::Unspecified => ProfitScope::All,
        wire::ProfitScope::Stock => ProfitScope::Stock,
        wire::ProfitScope::Etf => ProfitScope::Etf,
        wire::ProfitScope::Coin => ProfitScope::Coin,
        wire::ProfitScope::Gold => ProfitScope::Gold,
        wire::ProfitScope::Product => ProfitScope::Product,
        wire::ProfitScope::Competition => ProfitScope::Competition,
    }
}

fn kind(kind: wire::ProfitKind) -> ProfitKind {
    match kind {
        wire::ProfitKind::Unspecified => ProfitKind::All,
        wire::ProfitKind::Realized => ProfitKind::Realized,
        wire::ProfitKind::Unrealized => ProfitKind::Unrealized,
        wire::ProfitKind::Interest => ProfitKind::Interest,
        wire::ProfitKind::Dividend => ProfitKind::Dividend,
        wire::ProfitKind::Cost => ProfitKind::Cost,
    }
}

fn grouping(grouping: wire::ProfitGrouping) -> ProfitGrouping {
    match grouping {
        wire::ProfitGrouping::Unspecified => ProfitGrouping::Item,
        wire::ProfitGrouping::Day => ProfitGrouping::Day,
        wire::ProfitGrouping::Month => ProfitGrouping::Month,
        wire::ProfitGrouping::Year => ProfitGrouping::Year,
        wire::ProfitGrouping::Sale => ProfitGrouping::Sale,
    }
}

pub(super) fn window(window: wire::ProfitWindow) -> ProfitWindow {
    match window {
        wire::ProfitWindow::Unspecified => ProfitWindow::All,
        wire::ProfitWindow::Day => ProfitWindow::Day,
        wire::ProfitWindow::Week => ProfitWindow::Week,
        wire::ProfitWindow::Month => ProfitWindow::Month,
        wire::ProfitWindow::ThreeMonths => ProfitWindow::ThreeMonths,
        wire::ProfitWindow::Year => ProfitWindow::Year,
        wire::ProfitWindow::FiveYears => ProfitWindow::FiveYears,
    }
}

fn view(page: ProfitPage) -> wire::Profits {
    let sums = page.sums;
    wire::Profits {
        summary: Some(wire::ProfitSummary {
            realized_won: sums.realized,
            unrealized_won: sums.unrealized,
            income_won: sums.income,
            fee_won: sums.fee,
            tax_won: sums.tax,
            fx_won: sums.fx,
            total_won: sums.total(),
            cost_basis_won: sums.basis,
            this_month_won: sums.this_month,
        }),
        rows: page.rows.into_iter().map(row).collect(),
        total_count: page.total_count,
        has_more: page.has_more,
        season: page.season,
        from_day: page.span.from.map_or(0, yyyymmdd),
        to_day: yyyymmdd(page.span.to),
        flows: Some(flows(page.flows)),
    }
}

fn flows(flows: CapitalFlows) -> wire::CapitalFlows {
    wire::CapitalFlows {
        initial_won: flows.initial,
        education_points_won: flows.points,
        bought_won: flows.bought,
        items_won: flows.items,
        transfers_won: flows.transfers,
    }
}

fn row(row: ProfitRow) -> wire::ProfitRow {
    let profit_won = row.profit();
    let number = |value: rust_decimal::Decimal| decimal(value.normalize());
    let traded = row.item.as_ref().and_then(|item| item.traded);
    let (name, code) = match row.item {
        None => (String::new(), String::new()),
        Some(item) => (item.name, item.code),
    };
    wire::ProfitRow {
        key: row.key,
        day: yyyymmdd(row.day),
        name,
        code,
        market: traded
            .map_or(Market::Unspecified, |(market, _)| market.into())
            .into(),
        currency: traded
            .map_or(Currency::Unspecified, |(_, currency)| currency.into())
            .into(),
        quantity: row.quantity.map(number),
        buy_average: row.buy_average.map(number),
        sell_price: row.sell_price.map(number),
        profit_won,
        price_part_won: row.price_part,
        fx_part_won: row.gain - row.price_part,
        income_won: row.income,
        cost_won: row.cost,
        cost_basis_won: row.basis,
        order_id: row.order_id.map_or(0, |order| order.0),
        sale_count: row.sales,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_pages_are_checked() {
        let wrong = |change: fn(&mut wire::ListProfitsRequest)| {
            let mut request = wire::ListProfitsRequest::default();
            change(&mut request);
            filter(&request).is_err()
        };
        assert!(!wrong(|_| ()));
        assert!(!wrong(
            |one| (one.from_day, one.to_day) = (20_261_101, 20_261_101)
        ));
        assert!(wrong(
            |one| (one.from_day, one.to_day) = (20_261_102, 20_261_101)
        ));
        assert!(wrong(|one| one.from_day = 20_261_301));
        assert!(wrong(|one| one.to_day = -1));
        assert!(wrong(|one| one.size = 101));
        assert!(wrong(|one| one.size = -1));
        assert!(wrong(|one| one.page = -1));
        assert!(wrong(|one| one.page = 10_001));
        assert!(wrong(|one| one.account_no = "1".to_owned()));
        assert!(wrong(|one| one.after_key = "x".repeat(33)));
    }
}
