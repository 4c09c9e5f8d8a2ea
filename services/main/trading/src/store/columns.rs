//! Writes of any number of rows in one statement. Hand-written SQL: a statement for each row is too
//! slow for a batch, and a list of values is another statement for each number of rows.

use std::fmt::Display;

use chrono::{DateTime, Utc};
use rust_decimal::Decimal;
use sea_orm::sea_query::Nullable;
use sea_orm::{DbBackend, Statement, Value};
use uuid::Uuid;

/// A type of a column, with its name in PostgreSQL.
pub(crate) trait Element: Into<Value> + Nullable {
    const TYPE: &'static str;
}

macro_rules! elements {
    ($($rust:ty => $name:literal),* $(,)?) => {
        $(impl Element for $rust {
            const TYPE: &'static str = $name;
        })*
    };
}

elements! {
    bool => "boolean",
    i16 => "smallint",
    i32 => "int",
    i64 => "bigint",
    String => "text",
    Vec<u8> => "bytea",
    Decimal => "numeric",
    DateTime<Utc> => "timestamptz",
    Uuid => "uuid",
}

/// Rows as columns: an array for each, which `unnest` makes rows of, or the values of the only row.
pub(crate) struct Columns<'a, R> {
    rows: &'a [R],
    only: Option<&'a R>,
    names: Vec<&'static str>,
    types: Vec<&'static str>,
    /// What a statement reads of the table `d`.
    selected: Vec<String>,
    values: Vec<Value>,
}

impl<R> Columns<'_, R> {
    /// A column without nulls.
    pub(crate) fn add<V: Element>(self, name: &'static str, of: impl Fn(&R) -> V) -> Self
    where
        Vec<V>: Into<Value>,
    {
        self.add_selected(name, format!("d.{name}"), of)
    }

    /// A column of times from which rows grow old: the time of the database where that is later, because
    /// what a clock that is behind dates may be too old already.
    pub(crate) fn not_before_now(
        self,
        name: &'static str,
        of: impl Fn(&R) -> DateTime<Utc>,
    ) -> Self {
        self.add_selected(name, format!("greatest(d.{name}, now())"), of)
    }

    fn add_selected<V: Element>(
        self,
        name: &'static str,
        selected: String,
        of: impl Fn(&R) -> V,
    ) -> Self
    where
        Vec<V>: Into<Value>,
    {
        let value = match self.only {
            Some(row) => of(row).into(),
            None => self.rows.iter().map(of).collect::<Vec<V>>().into(),
        };
        self.push(name, V::TYPE, selected, value)
    }

    /// A column of texts without nulls.
    pub(crate) fn text(self, name: &'static str, of: impl Fn(&R) -> &str) -> Self {
        self.add(name, |row| of(row).to_owned())
    }

    /// A column that may hold nulls. sea-orm cannot bind an array with nulls, so it is an array of
    /// texts.
    pub(crate) fn optional<V: Element + Display>(
        self,
        name: &'static str,
        of: impl Fn(&R) -> Option<V>,
    ) -> Self {
        if let Some(row) = self.only {
            let value = of(row).into();
            return self.push(name, V::TYPE, format!("d.{name}"), value);
        }
        let texts = self.rows.iter().map(|row| match of(row) {
            Some(value) => value.to_string(),
            None => String::new(),
        });
        let texts: Vec<String> = texts.collect();
        let selected = format!("nullif(d.{name}, '')::{}", V::TYPE);
        self.push(name, "text", selected, texts.into())
    }

    /// A column of lists of ids, as texts: `unnest` takes an array of arrays apart.
    pub(crate) fn lists(self, name: &'static str, of: impl Fn(&R) -> Vec<i64>) -> Self {
        let list = |row: &R| {
            let ids: Vec<String> = of(row).iter().map(i64::to_string).collect();
            format!("{{{}}}", ids.join(","))
        };
        let value: Value = match self.only {
            Some(row) => list(row).into(),
            None => self.rows.iter().map(list).collect::<Vec<String>>().into(),
        };
        self.push(name, "text", format!("d.{name}::bigint[]"), value)
    }

    fn push(
        mut self,
        name: &'static str,
        kind: &'static str,
        selected: String,
        value: Value,
    ) -> Self {
        self.names.push(name);
        self.types.push(kind);
        self.selected.push(selected);
        self.values.push(value);
        self
    }

    /// The rows as the table `d` of an insert into a statement with `before` parameters.
    fn inserted(&self, before: usize) -> String {
        self.table(before, |n, kind| format!("${n}::{kind}[]"))
    }

    /// The rows as a table `d` to join. A subquery hides the lengths of the arrays from the planner,
    /// which otherwise plans the statement again for each batch.
    fn joined(&self, before: usize) -> String {
        self.table(before, |n, kind| format!("(select ${n}::{kind}[])"))
    }

    fn table(&self, before: usize, array: impl Fn(usize, &str) -> String) -> String {
        let parameters = (before + 1..).zip(&self.types);
        let names = self.names.join(", ");
        if self.only.is_some() {
            let values: Vec<String> = parameters
                .map(|(n, kind)| format!("${n}::{kind}"))
                .collect();
            format!("(values ({})) as d({names})", values.join(", "))
        } else {
            let arrays: Vec<String> = parameters.map(|(n, kind)| array(n, kind)).collect();
            format!("unnest({}) as d({names})", arrays.join(", "))
        }
    }
}

/// Writes that go to the database as one statement. None of them sees what another one writes, and
/// no two may write the same row. Tables without rows are left out.
#[derive(Default)]
pub(crate) struct CombinedWrites {
    is_lone: bool,
    statements: Vec<String>,
    values: Vec<Value>,
}

impl CombinedWrites {
    /// `is_lone`: the only row of a table is sent as values, which costs less than arrays of one
    /// element. Batches send arrays whatever their lengths, so that a connection prepares few
    /// statements.
    pub(crate) fn new(is_lone: bool) -> Self {
        Self {
            is_lone,
            ..Self::default()
        }
    }

    pub(crate) fn columns<'a, R>(&self, rows: &'a [R]) -> Columns<'a, R> {
        Columns {
            rows,
            only: match rows {
                [only] if self.is_lone => Some(only),
                _ => None,
            },
            names: Vec::new(),
            types: Vec::new(),
            selected: Vec::new(),
            values: Vec::new(),
        }
    }

    pub(crate) fn insert<R>(&mut self, table: &str, columns: Columns<'_, R>) {
        self.insert_but(table, columns, "");
    }

    /// Inserts with a condition on the rows `d` or an ON CONFLICT clause.
    pub(crate) fn insert_but<R>(&mut self, table: &str, columns: Columns<'_, R>, clauses: &str) {
        if columns.rows.is_empty() {
            return;
        }
        let sql = format!(
            "insert into {table} ({}) select {} from {} {clauses}",
            columns.names.join(", "),
            columns.selected.join(", "),
            columns.inserted(self.values.len()),
        );
        self.add(sql, columns);
    }

    /// Updates the rows whose key is the first column.
    pub(crate) fn update<R>(&mut self, table: &str, columns: Columns<'_, R>) {
        self.set(table, columns, |_, selected| selected.to_owned());
    }

    /// Adds to the numbers of the rows whose key is the first column.
    pub(crate) fn increase<R>(&mut self, table: &str, columns: Columns<'_, R>) {
        self.set(table, columns, |name, selected| {
            format!("t.{name} + {selected}")
        });
    }

    fn set<R>(
        &mut self,
        table: &str,
        columns: Columns<'_, R>,
        value: impl Fn(&str, &str) -> String,
    ) {
        if columns.rows.is_empty() {
            return;
        }
        let changed = columns.names.iter().zip(&columns.selected).skip(1);
        let changed: Vec<String> = changed
            .map(|(name, selected)| format!("{name} = {}", value(name, selected)))
            .collect();
        let key = columns.names.first().copied().unwrap_or_default();
        let sql = format!(
            "update {table} t set {} from {} where t.{key} = d.{key}",
            changed.join(", "),
            columns.joined(self.values.len()),
        );
        self.add(sql, columns);
    }

    /// Deletes the rows whose key is among the values of the only column.
    pub(crate) fn delete<R>(&mut self, table: &str, columns: Columns<'_, R>) {
        if columns.rows.is_empty() {
            return;
        }
        let key = columns.names.first().copied().unwrap_or_default();
        let sql = format!(
            "delete from {table} t using {} where t.{key} = d.{key}",
            columns.joined(self.values.len()),
        );
        self.add(sql, columns);
    }

    fn add<R>(&mut self, sql: String, columns: Columns<'_, R>) {
        self.statements.push(sql);
        self.values.extend(columns.values);
    }

    /// `None` when there is nothing to write.
    pub(crate) fn into_statement(self) -> Option<Statement> {
        let sql = format!("{}select 1", self.named());
        let is_empty = self.statements.is_empty();
        (!is_empty).then(|| Statement::from_sql_and_values(DbBackend::Postgres, sql, self.values))
    }

    /// Adds a last write, whose rows are the ones that the database counts. `sql` gets the text of
    /// its table `d`.
    pub(crate) fn into_counted<R>(
        mut self,
        columns: Columns<'_, R>,
        sql: impl FnOnce(&str) -> String,
    ) -> Statement {
        let last = sql(&columns.joined(self.values.len()));
        let sql = format!("{}{last}", self.named());
        self.values.extend(columns.values);
        Statement::from_sql_and_values(DbBackend::Postgres, sql, self.values)
    }

    fn named(&self) -> String {
        if self.statements.is_empty() {
            return String::new();
        }
        let named = self.statements.iter().enumerate();
        let named: Vec<String> = named.map(|(n, sql)| format!("s{n} as ({sql})")).collect();
        format!("with {} ", named.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns<'a>(
        writes: &CombinedWrites,
        rows: &'a [(i64, Option<i64>)],
    ) -> Columns<'a, (i64, Option<i64>)> {
        let columns = writes.columns(rows).add("id", |row| row.0);
        columns.optional("price", |row| row.1)
    }

    #[test]
    fn writes_share_their_parameters_and_empty_ones_are_left_out() {
        let mut writes = CombinedWrites::new(true);
        let rows = [(1, Some(7)), (2, None)];
        writes.insert("one", columns(&writes, &rows));
        writes.delete::<i64>("none", writes.columns(&[]).add("id", |id| *id));
        writes.update("two", columns(&writes, &rows));
        let statement = writes.into_statement().unwrap();
        assert_eq!(
            statement.sql,
            "with s0 as (insert into one (id, price) select d.id, nullif(d.price, '')::bigint \
             from unnest($1::bigint[], $2::text[]) as d(id, price) ), \
             s1 as (update two t set price = nullif(d.price, '')::bigint \
             from unnest((select $3::bigint[]), (select $4::text[])) as d(id, price) \
             where t.id = d.id) select 1"
        );
        assert_eq!(statement.values.unwrap().0.len(), 4);
        assert!(CombinedWrites::default().into_statement().is_none());
    }

    #[test]
    fn the_only_row_of_a_lone_write_is_sent_as_values() {
        let rows = [(1, None)];
        let lone = CombinedWrites::new(true);
        let statement = lone.into_counted(columns(&CombinedWrites::new(true), &rows), |table| {
            format!("update one t set price = d.price from {table} where t.id = d.id")
        });
        assert_eq!(
            statement.sql,
            "update one t set price = d.price \
             from (values ($1::bigint, $2::bigint)) as d(id, price) where t.id = d.id"
        );
        assert_eq!(statement.values.unwrap().0[1], Value::BigInt(None));
        let batch = CombinedWrites::new(false);
        let selected = &columns(&batch, &rows).selected;
        assert_eq!(selected[1], "nullif(d.price, '')::bigint");
    }
}
