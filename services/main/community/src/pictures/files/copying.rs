//! Copies all files to another place, which is how those in a bucket are backed up and come back.

use futures_util::TryStreamExt;
use object_store::path::Path;
use object_store::{Error, ObjectMeta, ObjectStoreExt};

use super::{Files, FilesError, in_time};

/// Files that are copied at a time, each a megabyte at most.
const AT_ONCE: usize = 16;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    pub copied: u64,
    /// Files that were there already.
    pub present: u64,
}

enum Outcome {
    Copied,
    Present,
    /// Removed since it was listed.
    Gone,
}

impl Files {
    /// A file that `to` has in the same length is not copied again: files never change. What `to` has
    /// besides stays.
    ///
    /// # Errors
    /// [`FilesError`]; some may be copied, and a repeat goes on.
    pub async fn copy_to(&self, to: &Self) -> Result<Copied, FilesError> {
        let folder = (!self.folder.as_ref().is_empty()).then_some(&self.folder);
        let listed = self.store.list(folder).map_err(FilesError::from);
        let copying = listed
            .map_ok(|file| self.copy_file(file, to))
            .try_buffer_unordered(AT_ONCE);
        copying
            .try_fold(Copied::default(), async |mut copied, outcome| {
                match outcome {
                    Outcome::Copied => copied.copied += 1,
                    Outcome::Present => copied.present += 1,
                    Outcome::Gone => {}
                }
                Ok(copied)
            })
            .await
    }

    async fn copy_file(&self, file: ObjectMeta, to: &Self) -> Result<Outcome, FilesError> {
        let name = file.location.prefix_match(&self.folder);
        let Some(name) = name.map(Iterator::collect::<Vec<_>>) else {
            return Ok(Outcome::Gone);
        };
        let target: Path = to.folder.parts().chain(name).collect();
        match in_time(to.store.head(&target)).await {
            Ok(present) if present.size == file.size => return Ok(Outcome::Present),
            Ok(_) | Err(FilesError::Store(Error::NotFound { .. })) => {}
            Err(error) => return Err(error),
        }
        let reading = async { self.store.get(&file.location).await?.bytes().await };
        let bytes = match in_time(reading).await {
            Ok(bytes) => bytes,
            Err(FilesError::Store(Error::NotFound { .. })) => return Ok(Outcome::Gone),
            Err(error) => return Err(error),
        };
        in_time(to.store.put(&target, bytes.into())).await?;
        Ok(Outcome::Copied)
    }
}
