use std::path::{Path, PathBuf};

use crate::unique;

/// Deleted when it is dropped.
#[derive(Debug)]
pub struct TempFolder(PathBuf);

impl TempFolder {
    /// `prefix` starts the folder's name.
    #[must_use]
    pub fn new(prefix: &str) -> Self {
        let folder = std::env::temp_dir().join(unique(prefix));
        std::fs::create_dir(&folder)
            .expect("the system's folder for temporary files can be written");
        Self(folder)
    }

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
