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

/// A check of all who have an instrument, slice by slice in the order of their accounts.
pub(super) trait OfHolders: Sync {
    /// Key of its progress row.
    fn part(&self) -> String;

    /// The last of the next `most` holders after `from`, and how many they are; `None` after the last one.
    fn slice_after(
        &self,
        connection: &mut PgConnection,
        from: i64,
        most: i64,
    ) -> impl Future<Output = Result<Option<(i64, i64)>, sqlx::Error>> + Send;

    /// Checks the holders after the first account up to the second.
    fn check(
        &self,
        connection: &mut PgConnection,
        between: (i64, i64),
    ) -> impl Future<Output = Result<Vec<Finding>, sqlx::Error>> + Send;

    /// Whether what is checked cannot change, so that the next audit need not check it again.
    fn is_lasting(&self) -> bool;

    /// Whether no audit need check any holder again, now that all are checked.
    fn is_settled(
        &self,
        connection: &mut PgConnection,
    ) -> impl Future<Output = Result<bool, sqlx::Error>> + Send;
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
