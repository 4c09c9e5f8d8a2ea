//! A folder for the files of one test.

use std::path::{Path, PathBuf};

use crate::unique;

/// A folder that is there from [`TempFolder::new`] until it is dropped.
#[derive(Debug)]
pub struct TempFolder(PathBuf);

impl TempFolder {
    /// An empty folder whose name begins with `prefix`.
    #[must_use]
    pub fn new(prefix: &str) -> Self {
        let folder = std::env::temp_dir().join(unique(prefix));
        std::fs::create_dir(&folder)
            .expect("the system's folder for temporary files can be written");
        Self(folder)
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        let _gone = std::fs::remove_dir_all(&self.0);
    }
}
