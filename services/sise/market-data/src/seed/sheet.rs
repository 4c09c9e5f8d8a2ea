//! One CSV file of a seed, its rows and their places.

use csv::{ErrorKind, ReaderBuilder};
use serde::de::DeserializeOwned;

/// A row of a seed is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{line}: {fault}")]
pub struct SeedError {
    /// Name of the file.
    pub file: String,
    /// Line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub fault: String,
}

/// Where a row stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    file: &'a str,
    line: u64,
}

impl Place<'_> {
    /// Makes an error of a fault at this place.
    pub(super) fn fault(self) -> impl Fn(String) -> SeedError {
        let file = self.file.to_owned();
        move |fault| SeedError {
            file: file.clone(),
            line: self.line,
            fault,
        }
    }
}

/// A file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sheet<'a> {
    file: &'a str,
    text: &'a str,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, text }
    }

    /// Every row with its place; none for an empty file.
    pub(super) fn rows<R: DeserializeOwned>(&self) -> Result<Vec<(Place<'a>, R)>, SeedError> {
        let mut reader = ReaderBuilder::new().from_reader(self.text.as_bytes());
        let headers = reader.headers().cloned();
        let headers = headers.map_err(|error| self.at(1).fault()(error.to_string()))?;
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|error| self.unreadable(&error))?;
            let line = record.position().map_or(0, csv::Position::line);
            let row = record.deserialize(Some(&headers));
            let row = row.map_err(|error| self.at(line).fault()(described(&error)))?;
            rows.push((self.at(line), row));
        }
        Ok(rows)
    }

    fn at(&self, line: u64) -> Place<'a> {
        Place {
            file: self.file,
            line,
        }
    }

    fn unreadable(&self, error: &csv::Error) -> SeedError {
        let line = error.position().map_or(0, csv::Position::line);
        self.at(line).fault()(error.to_string())
    }
}

/// What is wrong, without the place that the error names beside it.
fn described(error: &csv::Error) -> String {
    if let ErrorKind::Deserialize { err, .. } = error.kind() {
        err.kind().to_string()
    } else {
        error.to_string()
    }
}
