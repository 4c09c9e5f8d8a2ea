//! Runs one audit: history first, then the rows that are compared with it.

mod holders;

use std::collections::{BTreeSet, HashSet};
use std::time::Duration;

use sqlx::{Connection, PgConnection, Postgres, Transaction};

use super::accounts::{self, Reach};
use super::history::{self, Horizon, Part, Slice};
use super::{AuditError, Finding, Report};
use super::{
    assets, competitions, contracts, dividends, equity, fills, gains, holdings, journals, orders,
    ranks, seasons, splits, watch,
};
use crate::store::slice::{QUERY_CANCELED, SliceSize};

pub(super) const COMPARED: &str = "an account is compared with its history in time";

/// Longest time a snapshot is held.
const SLICE_TIMEOUT: Duration = Duration::from_secs(55);
/// Accounts without new history that are compared besides.
const UNTOUCHED: usize = 50_000;
/// Delay after which a suspect is checked again.
const RECHECK_AFTER: Duration = Duration::from_secs(3);

/// Runs one audit. The caller must hold the audit lock.
pub(super) async fn audit(
    connection: &mut PgConnection,
    whole: bool,
    outbox_age_s: i64,
) -> Result<Report, AuditError> {
    let mut work = Work {
        connection,
        report: Report::default(),
        touched: BTreeSet::new(),
        unchecked: Vec::new(),
        whole,
    };
    let generation = work.generation().await?;
    let horizon = history::horizon(work.connection).await?;
    for part in Part::ALL {
        work.history(part, horizon, generation).await?;
    }
    let reach = Reach {
        generation,
        journals: history::checked_to(work.connection, Part::Journals.name()).await?,
        fills: history::checked_to(work.connection, Part::Fills.name()).await?,
        gains: history::checked_to(work.connection, Part::Gains.name()).await?,
    };
    work.accounts(reach).await?;
    let market_day = dividends::market_day(work.connection).await?;
    work.splits(market_day).await?;
    work.dividends(market_day).await?;
    let passing = work.passing(market_day, outbox_age_s).await?;
    work.complete(passing).await
}

struct Work<'a> {
    connection: &'a mut PgConnection,
    report: Report,
    /// Accounts with new history.
    touched: BTreeSet<i64>,
    /// What took too long. It may have been a stall of the database: the next audit tries again.
    unchecked: Vec<Finding>,
    whole: bool,
}

/// Runs one slice and fails before its snapshot gets old.
async fn in_time<T>(slice: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, AuditError> {
    match tokio::time::timeout(SLICE_TIMEOUT, slice).await {
        Ok(done) => Ok(done?),
        Err(_elapsed) => Err(AuditError::TooSlow),
    }
}

/// What became of a slice.
enum Tried {
    Done,
    /// It was cut off: fewer rows are next.
    TooMany,
    /// A single row was cut off.
    TooLong,
}

/// Whether fewer rows may be checked in time.
fn is_cut_off(error: &AuditError) -> bool {
    match error {
        AuditError::TooSlow => true,
        AuditError::Database(error) => {
            let state = error.as_database_error().and_then(|error| error.code());
            state.as_deref() == Some(QUERY_CANCELED)
        }
        AuditError::NotMigrated | AuditError::Unsettled => false,
    }
}

async fn snapshot(connection: &mut PgConnection) -> Result<Transaction<'_, Postgres>, sqlx::Error> {
    let mut transaction = connection.begin().await?;
    sqlx::query("set transaction isolation level repeatable read")
        .execute(&mut *transaction)
        .await?;
    Ok(transaction)
}

impl Work<'_> {
    async fn generation(&mut self) -> Result<i64, sqlx::Error> {
        sqlx::query_scalar("select generation from audit_run")
            .fetch_one(&mut *self.connection)
            .await
    }

    /// Checks the settled slices of a part of history.
    async fn history(
        &mut self,
        part: Part,
        horizon: Horizon,
        generation: i64,
    ) -> Result<(), AuditError> {
        let mut from = history::checked_to(self.connection, part.name()).await?;
        while let Some(slice) = horizon.slice(part, from, generation) {
            in_time(self.slice(part, slice)).await?;
            from = slice.to;
        }
        Ok(())
    }

    async fn slice(&mut self, part: Part, slice: Slice) -> Result<(), sqlx::Error> {
        let mut transaction = snapshot(self.connection).await?;
        let mut findings;
        let touched;
        match part {
            Part::Journals => {
                (findings, touched) = journals::check(&mut transaction, slice).await?;
                self.report.entries += journals::count(&mut transaction, slice).await?;
            }
            Part::Fills => {
                let count;
                (findings, count) = fills::check(&mut transaction, slice).await?;
                self.report.fills += count;
                findings.extend(splits::check(&mut transaction, slice).await?);
                let replayed;
                (replayed, touched) = holdings::check(&mut transaction, slice).await?;
                findings.extend(replayed);
            }
            Part::Gains => {
                gains::add(&mut transaction, slice).await?;
                (findings, touched) = (Vec::new(), Vec::new());
            }
            Part::Events => {
                (findings, touched) = orders::check_events(&mut transaction, slice).await?;
            }
            Part::Orders => {
                let count;
                (findings, count) = orders::check_new(&mut transaction, slice).await?;
                self.report.orders += count;
                touched = Vec::new();
            }
        }
        history::advance(&mut transaction, part.name(), slice.to, &findings).await?;
        transaction.commit().await?;
        if !self.whole {
            self.touched.extend(touched);
        }
        Ok(())
    }

    /// Compares accounts with history: all in a whole audit, otherwise those with new history and some
    /// others in turn.
    async fn accounts(&mut self, reach: Reach) -> Result<(), AuditError> {
        let mut size = SliceSize::new(accounts::AT_ONCE);
        let mut from = 0;
        if !self.whole {
            let touched: Vec<i64> = std::mem::take(&mut self.touched).into_iter().collect();
            let mut left = touched.as_slice();
            while !left.is_empty() {
                let most = usize::try_from(size.rows()).unwrap_or(1);
                let (ids, others) = left.split_at(most.min(left.len()));
                if self.compare(ids, reach, &mut size).await? {
                    left = others;
                }
            }
            from = sqlx::query_scalar("select looked_until from audit_run")
                .fetch_one(&mut *self.connection)
                .await?;
        }
        let mut looked_at = 0;
        loop {
            let next = "select id from account where id > $1 order by id limit $2";
            let ids: Vec<i64> = sqlx::query_scalar(next)
                .bind(from)
                .bind(size.rows())
                .fetch_all(&mut *self.connection)
                .await?;
            let Some(last) = ids.last().copied() else {
                return self.looked_until(0).await;
            };
            if !self.compare(&ids, reach, &mut size).await? {
                continue;
            }
            self.looked_until(last).await?;
            from = last;
            looked_at += ids.len();
            if !self.whole && looked_at >= UNTOUCHED {
                return Ok(());
            }
        }
    }

    /// Where the turn of the accounts without new history goes on.
    async fn looked_until(&mut self, account: i64) -> Result<(), AuditError> {
        sqlx::query("update audit_run set looked_until = $1")
            .bind(account)
            .execute(&mut *self.connection)
            .await?;
        Ok(())
    }

    /// Compares some accounts; `false` when they took too long and fewer are to be compared at once.
    /// A single account that takes too long is a finding.
    async fn compare(
        &mut self,
        ids: &[i64],
        reach: Reach,
        size: &mut SliceSize,
    ) -> Result<bool, AuditError> {
        let compared = in_time(self.some_accounts(ids, reach)).await;
        let count = i64::try_from(ids.len()).unwrap_or(i64::MAX);
        match self.tried(compared, count, size).await? {
            Tried::Done => {}
            Tried::TooMany => return Ok(false),
            Tried::TooLong => {
                for id in ids {
                    self.name_unchecked(format!("account {id}"));
                }
            }
        }
        self.ranks(ids).await?;
        Ok(true)
    }

    /// Adapts the size of the next slice to what became of one of `rows` rows.
    async fn tried(
        &mut self,
        slice: Result<(), AuditError>,
        rows: i64,
        size: &mut SliceSize,
    ) -> Result<Tried, AuditError> {
        match slice {
            Ok(()) => {
                size.grow();
                Ok(Tried::Done)
            }
            Err(error) if is_cut_off(&error) => {
                self.await_statement().await?;
                if size.shrink(rows) {
                    Ok(Tried::TooMany)
                } else {
                    Ok(Tried::TooLong)
                }
            }
            Err(error) => Err(error),
        }
    }

    /// A statement that nobody waited for may fail yet: not in place of the next one.
    async fn await_statement(&mut self) -> Result<(), AuditError> {
        match tokio::time::timeout(SLICE_TIMEOUT, self.connection.ping()).await {
            Ok(_ended) => Ok(()),
            Err(_elapsed) => Err(AuditError::TooSlow),
        }
    }

    fn name_unchecked(&mut self, row: String) {
        self.unchecked.push(Finding {
            check: COMPARED,
            row,
            detail: "could not be checked".to_owned(),
        });
    }

    async fn some_accounts(&mut self, ids: &[i64], reach: Reach) -> Result<(), sqlx::Error> {
        let mut transaction = snapshot(self.connection).await?;
        let mut findings = accounts::check(&mut transaction, ids, reach).await?;
        findings.extend(contracts::check(&mut transaction, ids).await?);
        findings.extend(gains::check(&mut transaction, ids, reach).await?);
        findings.extend(seasons::check(&mut transaction, ids).await?);
        findings.extend(equity::check(&mut transaction, ids).await?);
        findings.extend(competitions::check(&mut transaction, ids).await?);
        history::keep(&mut transaction, &findings).await?;
        transaction.commit().await?;
        self.report.accounts += i64::try_from(ids.len()).unwrap_or(i64::MAX);
        Ok(())
    }

    /// Final ranks of the events whose first member has one of these accounts.
    async fn ranks(&mut self, ids: &[i64]) -> Result<(), AuditError> {
        for event in in_time(ranks::closed(self.connection, ids)).await? {
            let mut results = ranks::Results::new(event);
            while in_time(results.read_some(self.connection)).await? {}
            for board in ranks::BOARDS {
                let mut places = results.places(board);
                while let Some(findings) = in_time(places.check_some(self.connection)).await? {
                    history::keep(self.connection, &findings).await?;
                }
            }
        }
        Ok(())
    }

    async fn splits(&mut self, market_day: i32) -> Result<(), AuditError> {
        let mut size = SliceSize::new(splits::AT_ONCE);
        for due in splits::due(self.connection, market_day).await? {
            self.holders(&due, &mut size).await?;
        }
        Ok(())
    }

    async fn dividends(&mut self, market_day: i32) -> Result<(), AuditError> {
        let mut size = SliceSize::new(dividends::AT_ONCE);
        for due in dividends::due(self.connection, market_day, self.whole).await? {
            self.holders(&due, &mut size).await?;
        }
        Ok(())
    }

    /// Findings of the present state, which are not stored.
    async fn passing(
        &mut self,
        market_day: i32,
        outbox_age_s: i64,
    ) -> Result<Vec<Finding>, AuditError> {
        let connection = &mut *self.connection;
        let mut findings = std::mem::take(&mut self.unchecked);
        findings.extend(watch::old_events(connection, outbox_age_s).await?);
        findings.extend(dividends::LATE.of_day(connection, market_day).await?);
        findings.extend(contracts::LATE.of_day(connection, market_day).await?);
        findings.extend(watch::sequences(connection).await?);
        findings.extend(assets::stock(connection).await?);
        watch::record_matcher(connection).await?;
        let suspects = self.suspects().await?;
        findings.extend(suspects);
        Ok(findings)
    }

    /// Findings only if a second check confirms them: a late order ends with the next batch, and a
    /// matcher that has just started advances soon.
    async fn suspects(&mut self) -> Result<Vec<Finding>, AuditError> {
        let days = orders::days(self.connection).await?;
        let mut findings = Vec::new();
        let mut outliving = Vec::new();
        let mut from = 0;
        while let Some((last, wrong, late)) =
            in_time(orders::check_holds(self.connection, from, &days)).await?
        {
            from = last;
            findings.extend(wrong);
            outliving.extend(late);
        }
        let still = watch::stalled(self.connection).await?;
        if !outliving.is_empty() || !still.is_empty() {
            tokio::time::sleep(RECHECK_AFTER).await;
        }
        for ids in outliving.chunks(10_000) {
            for id in orders::outliving(self.connection, ids, &days).await? {
                findings.push(Finding {
                    check: orders::OUTLIVED,
                    row: format!("order {id}"),
                    detail: "is open, and the matcher has seen a later trading day".to_owned(),
                });
            }
        }
        if !still.is_empty() {
            findings.extend(watch::stalled(self.connection).await?);
        }
        Ok(findings)
    }

    /// Combines stored findings with the present ones.
    async fn complete(mut self, passing: Vec<Finding>) -> Result<Report, AuditError> {
        let names: Vec<&'static str> = super::names().collect();
        let mut findings = history::findings(self.connection, &names).await?;
        findings.extend(passing);
        let mut seen = HashSet::new();
        findings.retain(|finding| seen.insert((finding.check, finding.row.clone())));
        let count = i64::try_from(findings.len()).unwrap_or(i64::MAX);
        sqlx::query("update audit_run set completed_at = now(), findings = $1")
            .bind(count)
            .execute(&mut *self.connection)
            .await?;
        self.report.findings = findings;
        Ok(self.report)
    }
}
