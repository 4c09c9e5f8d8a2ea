//! The audit: proves that every won, share and message is accounted for, and names the row that
//! is not. It looks at one snapshot of the database, so it may run under load.

mod checks;
mod dividends;
mod replay;

use std::fmt;

use sqlx::{Connection, PgConnection, PgPool, Row};

/// A row that does not add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which rule is broken.
    pub check: &'static str,
    /// Which row breaks it, for example "account 17".
    pub row: String,
    /// The numbers that differ.
    pub detail: String,
}

/// What an audit saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Rows that do not add up; empty is the proof.
    pub findings: Vec<Finding>,
    /// How much was looked at.
    pub accounts: i64,
    /// Orders looked at.
    pub orders: i64,
    /// Fills looked at.
    pub fills: i64,
    /// Ledger entries looked at.
    pub entries: i64,
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            writeln!(
                formatter,
                "{}: {}: {}",
                finding.check, finding.row, finding.detail
            )?;
        }
        write!(
            formatter,
            "audit: {} accounts, {} orders, {} fills, {} entries: {}",
            self.accounts,
            self.orders,
            self.fills,
            self.entries,
            if self.findings.is_empty() {
                "all add up".to_owned()
            } else {
                format!("{} rows do not add up", self.findings.len())
            }
        )
    }
}

/// The names of all checks, as findings name them.
pub fn names() -> impl Iterator<Item = &'static str> {
    let queries = checks::ALL.iter().chain(&dividends::CHECKS);
    let names = queries.map(|check| check.name);
    names.chain([replay::CHECK, dividends::PAID, checks::EVENTS])
}

/// Audits the database behind `pool`. Events that wait longer than `outbox_age_s` seconds are a
/// finding.
///
/// # Errors
/// [`sqlx::Error`] of the database.
pub async fn run(pool: &PgPool, outbox_age_s: i64) -> Result<Report, sqlx::Error> {
    // A connection of its own: its settings are not for others, and it has no past.
    let mut connection = PgConnection::connect_with(&pool.connect_options()).await?;
    let report = in_snapshot(&mut connection, outbox_age_s).await;
    connection.close().await?;
    report
}

async fn in_snapshot(
    connection: &mut PgConnection,
    outbox_age_s: i64,
) -> Result<Report, sqlx::Error> {
    sqlx::query("set statement_timeout = '10min'")
        .execute(&mut *connection)
        .await?;
    let mut transaction = connection.begin().await?;
    sqlx::query("set transaction isolation level repeatable read, read only")
        .execute(&mut *transaction)
        .await?;
    let totals = sqlx::query(
        "select (select count(*) from account) as accounts, \
         (select count(*) from trade_order) as orders, \
         (select count(*) from fill) as fills, (select count(*) from entry) as entries",
    )
    .fetch_one(&mut *transaction)
    .await?;
    let mut report = Report {
        findings: Vec::new(),
        accounts: totals.try_get("accounts")?,
        orders: totals.try_get("orders")?,
        fills: totals.try_get("fills")?,
        entries: totals.try_get("entries")?,
    };
    for check in checks::ALL.iter().chain(&dividends::CHECKS) {
        let rows = sqlx::query(check.sql).fetch_all(&mut *transaction).await?;
        for row in rows {
            report.findings.push(Finding {
                check: check.name,
                row: row.try_get("row")?,
                detail: row.try_get("detail")?,
            });
        }
    }
    report
        .findings
        .extend(replay::holdings(&mut transaction).await?);
    report
        .findings
        .extend(dividends::paid(&mut transaction).await?);
    report
        .findings
        .extend(checks::old_events(&mut transaction, outbox_age_s).await?);
    transaction.rollback().await?;
    Ok(report)
}

/// Audits and tells the log and the metrics what was found.
pub async fn report(pool: &PgPool, outbox_age_s: i64) {
    match run(pool, outbox_age_s).await {
        Ok(report) => {
            let count = u32::try_from(report.findings.len()).unwrap_or(u32::MAX);
            metrics::gauge!("trading_audit_findings").set(f64::from(count));
            for finding in &report.findings {
                tracing::error!(
                    check = finding.check,
                    row = finding.row,
                    detail = finding.detail,
                    "The audit found a row that does not add up"
                );
            }
            if report.findings.is_empty() {
                tracing::info!(entries = report.entries, "The audit is green");
            }
        }
        Err(error) => tracing::warn!(%error, "The audit could not be run"),
    }
}
