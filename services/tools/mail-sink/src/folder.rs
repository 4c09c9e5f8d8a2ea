//! A folder of files whose names start with the time of arrival, so they sort by it.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use kernel::Clock;
use uuid::Uuid;

/// Cheap to clone.
#[derive(Clone)]
pub(crate) struct Folder {
    path: Arc<PathBuf>,
    clock: Arc<dyn Clock>,
    extension: &'static str,
}

impl Folder {
    /// Creates the folder if it does not exist.
    pub(crate) fn open(
        path: PathBuf,
        extension: &'static str,
        clock: Arc<dyn Clock>,
    ) -> io::Result<Self> {
        std::fs::create_dir_all(&path)?;
        Ok(Self {
            path: Arc::new(path),
            clock,
            extension,
        })
    }

    pub(crate) async fn save(&self, bytes: &[u8]) -> io::Result<()> {
        let arrived = self.clock.now().format("%Y%m%dT%H%M%S%6f");
        let id = format!("{arrived}-{}", Uuid::new_v4().simple());
        let unfinished = self.path.join(format!("{id}.part"));
        tokio::fs::write(&unfinished, bytes).await?;
        tokio::fs::rename(unfinished, self.file(&id)).await
    }

    /// All files, newest first.
    pub(crate) async fn ids(&self) -> io::Result<Vec<String>> {
        let mut ids = Vec::new();
        let mut entries = tokio::fs::read_dir(&*self.path).await?;
        while let Some(entry) = entries.next_entry().await? {
            let name = entry.file_name();
            let id = name
                .to_str()
                .and_then(|name| name.strip_suffix(self.extension));
            ids.extend(id.and_then(|id| id.strip_suffix('.')).map(str::to_owned));
        }
        ids.sort_unstable_by(|one, other| other.cmp(one));
        Ok(ids)
    }

    /// `None` when there is no such file.
    pub(crate) async fn read(&self, id: &str) -> Option<Vec<u8>> {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        if !id.chars().all(plain) {
            return None;
        }
        tokio::fs::read(self.file(id)).await.ok()
    }

    /// Deletes all but the `count` newest files.
    pub(crate) async fn keep_newest(&self, count: usize) -> io::Result<()> {
        for id in self.ids().await?.into_iter().skip(count) {
            match tokio::fs::remove_file(self.file(&id)).await {
                // Somebody else was faster.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                other => other?,
            }
        }
        Ok(())
    }

    fn file(&self, id: &str) -> PathBuf {
        self.path.join(format!("{id}.{}", self.extension))
    }
}
