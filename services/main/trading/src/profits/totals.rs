//! Sums of all that accounts did in a span. They take a look at every fill of it, and do not change while
//! nothing happens: the pages of a list share them.
//!
//! The rows of a page need only the fills of its groups, but a page also says what all of them gained and how
//! many there are. That takes one pass over the span: realized gains, fees, taxes and exchange spread were
//! rounded fill by fill, so that no balance or base tells one from another, and a group (a sale, an item, a
//! day with a cost) counts when any fill of the span is in it. Sums that are kept by day would spare the pass,
//! but every transaction that fills orders would have to write them too, for each member that it fills for.
//! The pass finds the fills of the accounts and days by an index, runs for two lists at a time and for one of a
//! member, ends with the deadline of the request, and is repeated only when something has happened.

use std::time::Duration;

use bootstrap::database::statement_timeout_for_deadline;
use chrono::NaiveDate;
use kernel::MemberId;
use moka::future::Cache;
use sea_orm::{DatabaseTransaction, DbErr, FromQueryResult};

use super::filter::{ProfitGrouping, ProfitKind, ProfitScope, Span, month_start};
use super::gains::{PROGRESS, TOTALS};
use super::question::Question;
use crate::store::{Store, sql};

/// Lists whose sums are kept.
const LISTS_KEPT: u64 = 10_000;
/// As long as somebody turns pages.
const KEPT: Duration = Duration::from_secs(300);

pub(crate) type TotalsCache = Cache<TotalsKey, Totals>;

pub(crate) fn cache() -> TotalsCache {
    Cache::builder()
        .max_capacity(LISTS_KEPT)
        .time_to_live(KEPT)
        .build()
}

/// Won that history brought and cost; what is owned is not in it.
#[derive(Clone, Copy, Debug, FromQueryResult)]
pub(crate) struct Totals {
    pub(super) realized: i64,
    pub(super) income: i64,
    pub(super) fee: i64,
    pub(super) tax: i64,
    pub(super) fx: i64,
    pub(super) basis: i64,
    pub(super) this_month: i64,
    /// With those of what is owned.
    pub(super) groups: i64,
}

/// All that sums depend on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TotalsKey {
    progress: Progress,
    member_id: MemberId,
    accounts: Vec<i64>,
    /// What is owned, which may be groups of its own.
    items: Vec<String>,
    scope: ProfitScope,
    kind: ProfitKind,
    grouping: ProfitGrouping,
    instrument_code: Option<String>,
    span: (Option<NaiveDate>, NaiveDate),
    today: NaiveDate,
    fills: (i64, i64),
    season: Option<i32>,
}

/// How much history there is: nothing of it changes, and what comes is counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, FromQueryResult)]
struct Progress {
    fills: i64,
    splits: i64,
    dividends: i64,
    cma_days: i64,
    periods: i64,
}

impl Store {
    pub(super) async fn totals(
        &self,
        transaction: &DatabaseTransaction,
        question: &Question<'_>,
    ) -> Result<Totals, DbErr> {
        let progress = sql(
            PROGRESS,
            [question.accounts.to_vec().into(), question.member_id.into()],
        );
        let progress = Progress::find_by_statement(progress).one(transaction);
        let progress = progress.await?.ok_or_else(|| missing("progress"))?;
        let key = key(question, progress);
        if let Some(known) = self.profit_totals.get(&key).await {
            return Ok(known);
        }
        statement_timeout_for_deadline(transaction).await?;
        let read = read_span(question.span(), question.today).instants();
        let totals = sql(TOTALS, question.values(read));
        let totals = Totals::find_by_statement(totals).one(transaction);
        let totals = totals.await?.ok_or_else(|| missing("sums"))?;
        self.profit_totals.insert(key, totals).await;
        Ok(totals)
    }
}

fn missing(what: &str) -> DbErr {
    DbErr::RecordNotFound(format!("{what} of gains"))
}

fn key(question: &Question<'_>, progress: Progress) -> TotalsKey {
    let (filter, span) = (question.filter, question.span());
    let fills = question.season.fills;
    TotalsKey {
        progress,
        member_id: question.member_id,
        accounts: question.accounts.to_vec(),
        items: question.owned.codes().to_vec(),
        scope: filter.scope,
        kind: filter.kind,
        grouping: filter.grouping,
        instrument_code: filter.instrument_code.clone(),
        span: (span.from, span.to),
        today: question.today,
        fills: (fills.after, fills.through),
        season: question.season.of_rows,
    }
}

/// The days that are read: the span and this month.
fn read_span(span: Span, today: NaiveDate) -> Span {
    Span {
        from: span.from.map(|from| from.min(month_start(today))),
        to: span.open_ended(today).to.max(today),
    }
}
