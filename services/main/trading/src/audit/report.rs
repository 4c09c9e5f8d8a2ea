//! Result of an audit, and its log lines and metrics.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::{PgPool, Row};
use tokio_util::sync::CancellationToken;

use super::{AuditError, run_new, watch};
use crate::market_cache::MarketCache;

/// How often the metrics of matcher and audit are updated.
const OBSERVE_INTERVAL: Duration = Duration::from_secs(5);

/// A row that does not add up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub check: &'static str,
    /// For example "account 17".
    pub row: String,
    /// The numbers that differ.
    pub detail: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub findings: Vec<Finding>,
    /// Accounts compared with their history.
    pub accounts: i64,
    /// New orders checked.
    pub orders: i64,
    pub fills: i64,
    pub entries: i64,
}

impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.findings {
            writeln!(formatter, "{finding}")?;
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

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}: {}", self.check, self.row, self.detail)
    }
}

/// Audits new history every `every_s` seconds; never when that is 0.
pub async fn run_regularly(
    pool: PgPool,
    every_s: u64,
    outbox_age_s: i64,
    shutdown: CancellationToken,
) {
    let every = Duration::from_secs(every_s);
    while every_s > 0
        && shutdown
            .run_until_cancelled(tokio::time::sleep(every))
            .await
            .is_some()
    {
        let audited = shutdown.run_until_cancelled(audit_in_turn(&pool, every_s, outbox_age_s));
        match audited.await {
            Some(Ok(Some(report))) => log(&report),
            Some(Err(error)) => tracing::warn!(%error, "Audit incomplete"),
            Some(Ok(None)) | None => {}
        }
    }
}

/// Every process calls this; one audit per interval is enough.
async fn audit_in_turn(
    pool: &PgPool,
    every_s: u64,
    outbox_age_s: i64,
) -> Result<Option<Report>, AuditError> {
    let recently = "select coalesce(completed_at > now() - $1 * interval '1 second' / 2, false) \
                    from audit_run";
    let recently: bool = sqlx::query_scalar(recently)
        .bind(i64::try_from(every_s).unwrap_or(i64::MAX))
        .fetch_one(pool)
        .await?;
    if recently {
        return Ok(None);
    }
    run_new(pool, outbox_age_s).await
}

fn log(report: &Report) {
    for finding in &report.findings {
        tracing::error!(
            check = finding.check,
            row = finding.row,
            detail = finding.detail,
            "Audit finding"
        );
    }
    if report.findings.is_empty() {
        tracing::info!(entries = report.entries, "Audit completed without findings");
    }
}

/// Updates the metrics of the last audit and of the lag and owner of each matcher shard, until
/// `shutdown`. Every process exports the same audit, whichever ran it.
pub async fn observe(pool: PgPool, market_cache: Arc<MarketCache>, shutdown: CancellationToken) {
    loop {
        if let Err(error) = observe_once(&pool, &market_cache).await {
            tracing::debug!(%error, "Reading audit and matcher state failed");
        }
        let pause = tokio::time::sleep(OBSERVE_INTERVAL);
        if shutdown.run_until_cancelled(pause).await.is_none() {
            return;
        }
    }
}

async fn observe_once(pool: &PgPool, market_cache: &MarketCache) -> Result<(), sqlx::Error> {
    // Read before the shards, so that no shard appears to be ahead of the log.
    let head = market_cache.log_head();
    let mut connection = pool.acquire().await?;
    let audited = sqlx::query("select completed_at, findings from audit_run")
        .fetch_one(&mut *connection)
        .await?;
    let completed_at: Option<DateTime<Utc>> = audited.try_get("completed_at")?;
    if let Some(completed_at) = completed_at {
        metrics::gauge!("trading_audit_completed_seconds").set(float(completed_at.timestamp()));
        let findings = audited.try_get("findings")?;
        metrics::gauge!("trading_audit_findings").set(float(findings));
    }
    for shard in watch::shards(&mut connection).await? {
        let label = shard.shard.to_string();
        let owned = [
            ("trading_matcher_shard_owned", shard.owned),
            ("trading_matcher_shard_owned_here", shard.owned_here),
        ];
        for (name, owned) in owned {
            metrics::gauge!(name, "shard" => label.clone()).set(f64::from(u8::from(owned)));
        }
        if let Some(lag) = head.and_then(|head| shard.lag(head)) {
            metrics::gauge!("trading_matcher_lag_batches", "shard" => label).set(float(lag));
        }
    }
    Ok(())
}

/// Saturates at 2^32, which no count reaches.
fn float(value: i64) -> f64 {
    f64::from(u32::try_from(value.max(0)).unwrap_or(u32::MAX))
}
