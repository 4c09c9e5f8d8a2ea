//! Reads one CSV file of a seed.

use csv::{ErrorKind, ReaderBuilder};
use serde::de::DeserializeOwned;

/// An invalid row of a seed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {fault}")]
pub struct SeedError {
    pub file: String,
    /// From 1.
    pub line: u64,
    pub fault: String,
}

/// File and line of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowLocation<'a> {
    file: &'a str,
    line: u64,
}

impl RowLocation<'_> {
    /// Creates errors for this row.
    pub(super) fn fault(self) -> impl Fn(String) -> SeedError {
        let file = self.file.to_owned();
        move |fault| SeedError {
            file: file.clone(),
            line: self.line,
            fault,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct CsvFile<'a> {
    file: &'a str,
    text: &'a str,
}

impl<'a> CsvFile<'a> {
    pub(super) fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, text }
    }

    /// All rows with their locations; none for an empty file.
    pub(super) fn rows<R: DeserializeOwned>(&self) -> Result<Vec<(RowLocation<'a>, R)>, SeedError> {
        let mut reader = ReaderBuilder::new().from_reader(self.text.as_bytes());
        let headers = reader.headers().cloned();
        let headers = headers.map_err(|error| self.at(1).fault()(error.to_string()))?;
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| self.syntax_error(&error))?;
            let line = record.position().map_or(0, csv::Position::line);
            let row = record.deserialize(Some(&headers));
            let row = row.map_err(|error| self.at(line).fault()(message(&error)))?;
            rows.push((self.at(line), row));
        }
        Ok(rows)
    }

    fn at(&self, line: u64) -> RowLocation<'a> {
        RowLocation {
            file: self.file,
            line,
        }
    }

    fn syntax_error(&self, error: &csv::Error) -> SeedError {
        let line = error.position().map_or(0, csv::Position::line);
        self.at(line).fault()(error.to_string())
    }
}

/// The message without the position that csv adds.
fn message(error: &csv::Error) -> String {
    if let ErrorKind::Deserialize { err, .. } = error.kind() {
        err.kind().to_string()
    } else {
        error.to_string()
    }
}
