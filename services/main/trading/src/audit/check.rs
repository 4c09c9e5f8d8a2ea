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
        let rows = sqlx::query(self.sql)
            .bind(ids)
            .fetch_all(connection)
            .await?;
        rows.iter().map(|row| finding(self.name, row)).collect()
    }
}
