//! How far history has been checked, and how far it can be. Each slice is a transaction of its own, so
//! that no snapshot is held for long.

use std::collections::BTreeSet;
use std::time::Duration;

use sqlx::{PgConnection, Row};
use tokio::time::Instant;

use super::{AuditError, Finding};

/// A part of history, by the sequence that numbers it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Journals with their entries.
    Journals,
    /// Fills, and splits of holdings.
    Fills,
    /// What the same fills and splits brought.
    Gains,
    Events,
    Orders,
}

impl Part {
    /// In the order in which they are checked.
    pub(super) const ALL: [Self; 5] = [
        Self::Journals,
        Self::Fills,
        Self::Gains,
        Self::Events,
        Self::Orders,
    ];

    /// Key of its progress row.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Journals => "journals",
            Self::Fills => "fills",
            Self::Gains => "gains",
            Self::Events => "order events",
            Self::Orders => "orders",
        }
    }

    /// Ids per transaction.
    fn slice(self) -> i64 {
        match self {
            Self::Journals | Self::Fills | Self::Events => 20_000,
            Self::Gains | Self::Orders => 100_000,
        }
    }
}

/// Ids above `from` up to `to`, in a generation of the audit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slice {
    pub(super) from: i64,
    pub(super) to: i64,
    pub(super) generation: i64,
}

/// The id up to which each part of history is settled: no transaction can add a row at or below it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Horizon([i64; 4]);

impl Horizon {
    fn of(&self, part: Part) -> i64 {
        let [journals, fills, events, orders] = self.0;
        match part {
            Part::Journals => journals,
            Part::Fills | Part::Gains => fills,
            Part::Events => events,
            Part::Orders => orders,
        }
    }

    /// The next slice after `from`; `None` when all settled rows are checked.
    pub(super) fn slice(&self, part: Part, from: i64, generation: i64) -> Option<Slice> {
        let to = self.of(part).min(from.saturating_add(part.slice()));
        (to > from).then_some(Slice {
            from,
            to,
            generation,
        })
    }
}

/// An id may be written long after it was drawn, and after higher ones. A transaction that draws an
/// id keeps a lock on the sequence until it ends. Therefore every id drawn until now is written or
/// void once the present holders of such locks have ended.
const DRAWN: &str = "
    select array[
        (select last_value - (not is_called)::int from journal_id_seq),
        (select last_value - (not is_called)::int from fill_id_seq),
        (select last_value - (not is_called)::int from order_event_id_seq),
        (select last_value - (not is_called)::int from order_id_seq)]";
const DRAWING: &str = "
    select coalesce(array_agg(distinct virtualtransaction), '{}') from pg_locks
    where locktype = 'relation' and mode = 'RowExclusiveLock' and pid <> pg_backend_pid()
        and database = (select oid from pg_database where datname = current_database())
        and relation = any(array['journal_id_seq'::regclass, 'fill_id_seq'::regclass,
            'order_event_id_seq'::regclass, 'order_id_seq'::regclass]::oid[])";
/// Longer than any transaction of the product.
const TIMEOUT: Duration = Duration::from_secs(90);
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Waits until the ids drawn until now are settled.
pub(super) async fn horizon(connection: &mut PgConnection) -> Result<Horizon, AuditError> {
    let drawn: Vec<i64> = sqlx::query_scalar(DRAWN)
        .fetch_one(&mut *connection)
        .await?;
    let drawn = <[i64; 4]>::try_from(drawn).map_err(|_other| AuditError::Unsettled)?;
    let began = Instant::now();
    let mut before: Option<BTreeSet<String>> = None;
    loop {
        let now: Vec<String> = sqlx::query_scalar(DRAWING)
            .fetch_one(&mut *connection)
            .await?;
        let now: BTreeSet<String> = now.into_iter().collect();
        let left: BTreeSet<String> = match &before {
            Some(before) => before.intersection(&now).cloned().collect(),
            None => now,
        };
        if left.is_empty() {
            return Ok(Horizon(drawn));
        }
        if began.elapsed() > TIMEOUT {
            return Err(AuditError::Unsettled);
        }
        before = Some(left);
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// Ids up to which history is settled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settled {
    pub(crate) journals: i64,
    pub(crate) fills: i64,
}

/// The ids up to which history is settled, once those drawn until now are.
///
/// # Errors
/// [`AuditError`]: a transaction does not end, or of the database.
pub(crate) async fn settled(connection: &mut PgConnection) -> Result<Settled, AuditError> {
    let horizon = horizon(connection).await?;
    Ok(Settled {
        journals: horizon.of(Part::Journals),
        fills: horizon.of(Part::Fills),
    })
}

/// The last checked id of a part; 0 before the first.
pub(super) async fn checked_to(
    connection: &mut PgConnection,
    part: &str,
) -> Result<i64, sqlx::Error> {
    let checked = "select coalesce((select checked_to from audit_progress where part = $1), 0)";
    sqlx::query_scalar(checked)
        .bind(part)
        .fetch_one(connection)
        .await
}

/// Records the progress of a part and its findings.
pub(super) async fn advance(
    connection: &mut PgConnection,
    part: &str,
    checked_to: i64,
    findings: &[Finding],
) -> Result<(), sqlx::Error> {
    let advance = "insert into audit_progress values ($1, $2) \
                   on conflict (part) do update set checked_to = excluded.checked_to";
    sqlx::query(advance)
        .bind(part)
        .bind(checked_to)
        .execute(&mut *connection)
        .await?;
    keep(connection, findings).await
}

/// Stores findings until a whole audit no longer finds them.
pub(super) async fn keep(
    connection: &mut PgConnection,
    findings: &[Finding],
) -> Result<(), sqlx::Error> {
    let checks: Vec<&str> = findings.iter().map(|finding| finding.check).collect();
    let rows: Vec<&str> = findings
        .iter()
        .map(|finding| finding.row.as_str())
        .collect();
    let details: Vec<&str> = findings.iter().map(|found| found.detail.as_str()).collect();
    let note = "insert into audit_finding (check_name, row_name, detail) \
                select distinct on (c, r) c, r, d \
                from unnest($1::text[], $2::text[], $3::text[]) f(c, r, d) \
                on conflict (check_name, row_name) do update set detail = excluded.detail";
    if !findings.is_empty() {
        sqlx::query(note)
            .bind(checks)
            .bind(rows)
            .bind(details)
            .execute(connection)
            .await?;
    }
    Ok(())
}

/// Findings since the last whole audit began.
pub(super) async fn findings(
    connection: &mut PgConnection,
    names: &[&'static str],
) -> Result<Vec<Finding>, sqlx::Error> {
    let noted = "select check_name, row_name, detail from audit_finding \
                 order by check_name, row_name limit 10000";
    let rows = sqlx::query(noted).fetch_all(connection).await?;
    let read = |row: &sqlx::postgres::PgRow| {
        let name: &str = row.try_get("check_name")?;
        // A check that this release does not have was of another release.
        let known = names.iter().find(|known| **known == name);
        Ok(Finding {
            check: known.copied().unwrap_or("a check of another release"),
            row: row.try_get("row_name")?,
            detail: row.try_get("detail")?,
        })
    };
    rows.iter().map(read).collect()
}

/// Resets the progress and begins a new generation.
pub(super) async fn start_over(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let forget = "
        begin;
        delete from audit_progress; delete from audit_finding; delete from audit_split;
        update audit_run set generation = generation + 1;
        commit;";
    sqlx::raw_sql(forget).execute(connection).await?;
    Ok(())
}
