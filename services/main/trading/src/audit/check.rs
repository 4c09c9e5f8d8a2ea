//! A rule and the query for the rows that break it.

use sqlx::{PgConnection, Row};

use super::Finding;
use super::history::Slice;

/// A rule and the query for the rows that break it: `row` names one, `detail` the numbers.
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) sql: &'static str,
}

/// A row of a query as a finding.
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
    /// Asks for numbers above `$1` up to `$2`.
    pub(super) async fn of_slice(
        &self,
        connection: &mut PgConnection,
        slice: Slice,
    ) -> Result<Vec<Finding>, sqlx::Error> {
        let query = sqlx::query(self.sql).bind(slice.from).bind(slice.to);
        let rows = query.fetch_all(connection).await?;
        rows.iter().map(|row| finding(self.name, row)).collect()
    }

    /// Asks for the ids in `$1`.
    pub(super) async fn of_ids(
        &self,
        connection: &mut PgConnection,
        ids: &[i64],
    ) -> Result<Vec<Finding>, sqlx::Error> {
        let rows = sqlx::query(self.sql)
            .bind(ids)
            .fetch_all(connection)
            .await?;
        rows.iter().map(|row| finding(self.name, row)).collect()
    }
}
