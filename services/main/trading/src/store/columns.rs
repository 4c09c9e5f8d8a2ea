//! Rows as columns: what `unnest` takes, so that one statement writes any number of rows.

use sea_orm::Value;

/// A column of rows as an array. An array cannot hold nulls here: use an empty text or a zero and
/// `nullif`.
pub(crate) fn column<R, V>(rows: &[R], of: impl Fn(&R) -> V) -> Value
where
    Vec<V>: Into<Value>,
{
    rows.iter().map(of).collect::<Vec<V>>().into()
}
