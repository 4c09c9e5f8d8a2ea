//! A check: a rule and the query for the rows that violate it.

use sqlx::{PgConnection, Row};

use super::Finding;
use super::history::Slice;

/// The columns of the query are `row`, the name of a row, and `detail`, its numbers.
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) sql: &'static str,
}

pub(super) fn finding(
    check: &'static str,
    row: &sqlx::postgres::PgRow,
) -> Result<Finding, sqlx::Error> {
    Ok(Finding {
        check,
        row: row.try_get("row")?,
        detail: row.try_get("detail")?,
    })
}

impl Check {
    /// Runs the query with `$1 < id <= $2`.
    pub(super) async fn of_slice(
        &self,
        connection: &mut PgConnection,
        slice: Slice,
    ) -> Result<Vec<Finding>, sqlx::Error> {
        let query = sqlx::query(self.sql).bind(slice.from).bind(slice.to);
        let rows = query.fetch_all(connection).await?;
        rows.iter().map(|row| finding(self.name, row)).collect()
    }

    /// Runs the query with the ids in `$1`.
    pub(super) async fn of_ids(
        &self,
        connection: &mut PgConnection,
        ids: &[i64],
    ) -> Result<Vec<Finding>, sqlx::Error> {
        let query = sqlx::query(self.sql).bind(ids);
        let rows = query.fetch_all(connection).await?;
        rows.iter().map(|row| finding(self.name, row)).collect()
    }

    /// Runs the query with the trading day in `$1`.
    pub(super) async fn of_day(
        &self,
        connection: &mut PgConnection,
        market_day: i32,
    ) -> Result<Vec<Finding>, sqlx::Error> {
        let query = sqlx::query(self.sql).bind(market_day);
        let rows = query.fetch_all(connection).await?;
        rows.iter().map(|row| finding(self.name, row)).collect()
    }
}

/// What any of `checks` finds in the rows with these ids.
pub(super) async fn all_of_ids(
    checks: &[Check],
    connection: &mut PgConnection,
    ids: &[i64],
) -> Result<Vec<Finding>, sqlx::Error> {
    let mut findings = Vec::new();
    for check in checks {
        findings.extend(check.of_ids(connection, ids).await?);
    }
    Ok(findings)
}
