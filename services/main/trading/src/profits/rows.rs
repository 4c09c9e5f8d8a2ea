//! The rows of a page. Only the groups of the page are read: its items, or the newest fills back to where
//! the page is full.

use bootstrap::database::statement_timeout_for_deadline;
use chrono::{DateTime, NaiveDate, Utc};
use rust_decimal::Decimal;
use sea_orm::{ConnectionTrait, DatabaseTransaction, DbErr, FromQueryResult, Value};

use super::filter::{ProfitFilter, ProfitGrouping, ProfitKind, ProfitScope};
use super::gains::{ITEMS, NEWEST_FILLS, PAGE_OF_DAYS, PAGE_OF_ITEMS, PAGE_OF_SALES};
use super::question::Question;
use crate::contracts::{day_of, midnight};
use crate::store::sql;

/// Fills in which the groups of a page are looked for first.
const FIRST_FILLS: i64 = 500;
/// How many times as many are read when these are too few.
const WIDENED: i64 = 4;

#[derive(FromQueryResult)]
pub(super) struct Line {
    pub(super) key: String,
    pub(super) day: NaiveDate,
    pub(super) code: Option<String>,
    pub(super) name: Option<String>,
    pub(super) market: Option<String>,
    pub(super) currency: Option<String>,
    pub(super) order_id: Option<i64>,
    pub(super) quantity: Option<Decimal>,
    pub(super) buy_average: Option<Decimal>,
    pub(super) sell_price: Option<Decimal>,
    pub(super) gain: Option<i64>,
    pub(super) price_part: Option<i64>,
    pub(super) income: Option<i64>,
    pub(super) cost: Option<i64>,
    pub(super) basis: Option<i64>,
    pub(super) sales: Option<i32>,
}

/// The rows of a page and, where there is one, the row after them.
pub(super) async fn lines(
    transaction: &DatabaseTransaction,
    question: &Question<'_>,
) -> Result<Vec<Line>, DbErr> {
    let filter = question.filter;
    if let Some(code) = &filter.instrument_code {
        return of_items(transaction, question, place(filter), vec![code.clone()]).await;
    }
    match filter.grouping {
        ProfitGrouping::Item => {
            let items = read(
                transaction,
                ITEMS,
                question,
                instants(question),
                place(filter),
            );
            let codes = items.await?.into_iter().map(|line| line.key).collect();
            of_items(transaction, question, first(filter), codes).await
        }
        ProfitGrouping::Day
        | ProfitGrouping::Month
        | ProfitGrouping::Year
        | ProfitGrouping::Sale => newest(transaction, question).await,
    }
}

async fn of_items(
    transaction: &DatabaseTransaction,
    question: &Question<'_>,
    place: Vec<Value>,
    codes: Vec<String>,
) -> Result<Vec<Line>, DbErr> {
    let mut more = place;
    more.push(codes.into());
    read(
        transaction,
        PAGE_OF_ITEMS,
        question,
        instants(question),
        more,
    )
    .await
}

/// Reads back from the row before the page, as far as it needs.
async fn newest(
    transaction: &DatabaseTransaction,
    question: &Question<'_>,
) -> Result<Vec<Line>, DbErr> {
    let filter = question.filter;
    let (from, before) = instants(question);
    let until = filter.after.as_ref().map_or(before, |(day, _)| {
        before.min(midnight(filter.grouping.next_day(*day)))
    });
    let size = usize::try_from(filter.size).unwrap_or(usize::MAX);
    let mut most = FIRST_FILLS.max(offset(filter).saturating_add(filter.size));
    loop {
        let since = if has_fills(filter) {
            since(transaction, question, (from, until), most).await?
        } else {
            None
        };
        let start = since.map_or(from, |since| {
            // What is owned is of today, with all else of its group.
            let first = since.min(midnight(question.today));
            from.max(midnight(filter.grouping.first_day(day_of(first))))
        });
        let mut more = place(filter);
        let lines = if filter.grouping == ProfitGrouping::Sale {
            more.extend([start.into(), until.into()]);
            read(transaction, PAGE_OF_SALES, question, (from, before), more).await?
        } else {
            read(transaction, PAGE_OF_DAYS, question, (start, until), more).await?
        };
        if lines.len() > size || start == from {
            return Ok(lines);
        }
        most = most.saturating_mul(WIDENED);
    }
}

/// The time of the oldest of the newest `most` fills; `None` when there are fewer.
async fn since(
    transaction: &DatabaseTransaction,
    question: &Question<'_>,
    (from, until): (DateTime<Utc>, DateTime<Utc>),
    most: i64,
) -> Result<Option<DateTime<Utc>>, DbErr> {
    statement_timeout_for_deadline(transaction).await?;
    let filter = question.filter;
    let are_sales = filter.grouping == ProfitGrouping::Sale || filter.kind == ProfitKind::Realized;
    let fills = question.season.fills;
    let newest = sql(
        NEWEST_FILLS,
        [
            question.accounts.to_vec().into(),
            from.into(),
            until.into(),
            fills.after.into(),
            fills.through.into(),
            most.into(),
            are_sales.into(),
        ],
    );
    let Some(row) = transaction.query_one_raw(newest).await? else {
        return Ok(None);
    };
    let found: i64 = row.try_get("", "fills")?;
    let since: Option<DateTime<Utc>> = row.try_get("", "since")?;
    Ok(since.filter(|_| found >= most))
}

async fn read(
    transaction: &DatabaseTransaction,
    statement: &'static str,
    question: &Question<'_>,
    instants: (DateTime<Utc>, DateTime<Utc>),
    more: Vec<Value>,
) -> Result<Vec<Line>, DbErr> {
    statement_timeout_for_deadline(transaction).await?;
    let mut values = question.values(instants);
    values.extend(more);
    let lines = Line::find_by_statement(sql(statement, values));
    lines.all(transaction).await
}

fn instants(question: &Question<'_>) -> (DateTime<Utc>, DateTime<Utc>) {
    question.span().open_ended(question.today).instants()
}

/// Whether rows may come from fills.
fn has_fills(filter: &ProfitFilter) -> bool {
    match filter.kind {
        ProfitKind::All | ProfitKind::Realized | ProfitKind::Cost => {
            filter.scope != ProfitScope::Product
        }
        ProfitKind::Unrealized | ProfitKind::Interest | ProfitKind::Dividend => false,
    }
}

/// The last row of the page before, how many rows are read, and how many are passed over.
fn place(filter: &ProfitFilter) -> Vec<Value> {
    vec![
        filter.after.as_ref().map(|(day, _)| *day).into(),
        filter.after.as_ref().map(|(_, key)| key.clone()).into(),
        filter.size.saturating_add(1).into(),
        offset(filter).into(),
    ]
}

/// Of groups that are chosen already.
fn first(filter: &ProfitFilter) -> Vec<Value> {
    vec![
        None::<NaiveDate>.into(),
        None::<String>.into(),
        filter.size.saturating_add(1).into(),
        0_i64.into(),
    ]
}

fn offset(filter: &ProfitFilter) -> i64 {
    match filter.after {
        Some(_) => 0,
        None => filter.page.saturating_mul(filter.size),
    }
}
