//! Where the files of pictures are kept: a local folder, or a bucket that speaks S3.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ClientOptions, GetResult, ObjectStore, ObjectStoreExt, RetryConfig};
use uuid::Uuid;

use super::Size;

/// Of one request to the store, with its repeats.
const TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Clone, Debug)]
pub struct Files {
    store: Arc<dyn ObjectStore>,
    /// Before the names of all files.
    folder: Path,
}

/// The store is away, too slow, or refuses.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    #[error("the file store did not answer in time")]
    TooSlow,
    #[error(transparent)]
    Store(#[from] object_store::Error),
}

/// A file that is being read.
pub struct File {
    pub length: u64,
    pub chunks: BoxStream<'static, Result<Bytes, FilesError>>,
}

impl Files {
    /// Opens `file:///a/folder`, which is made where it is missing, or `s3://bucket/folder`. What
    /// reaches a bucket beside its name (endpoint, region, keys) is read from the environment as by
    /// other clients of S3: `AWS_ENDPOINT`, `AWS_REGION`, `AWS_ACCESS_KEY_ID` …
    ///
    /// # Errors
    /// When the URL is of another kind or the folder cannot be made.
    pub fn open(url: &str) -> anyhow::Result<Self> {
        if let Some(folder) = url.strip_prefix("file://") {
            let folder = PathBuf::from(folder);
            std::fs::create_dir_all(&folder)
                .with_context(|| format!("the folder {} cannot be made", folder.display()))?;
            let store = LocalFileSystem::new_with_prefix(folder)?.with_fsync(true);
            return Ok(Self::over(Arc::new(store)));
        }
        let bucket = url.strip_prefix("s3://");
        let bucket = bucket.context("FILES_URL begins with file:// or s3://")?;
        Self::in_bucket(AmazonS3Builder::from_env(), bucket)
    }

    /// `bucket` may be followed by a folder.
    ///
    /// # Errors
    /// When something is missing that reaches it.
    pub fn in_bucket(access: AmazonS3Builder, bucket: &str) -> anyhow::Result<Self> {
        let (bucket, folder) = bucket.split_once('/').unwrap_or((bucket, ""));
        let store = access
            .with_bucket_name(bucket)
            // Not every server that speaks S3 takes many in one request.
            .with_disable_bulk_delete(true)
            .with_retry(RetryConfig {
                max_retries: 2,
                retry_timeout: TIMEOUT,
                ..RetryConfig::default()
            })
            .with_client_options(
                ClientOptions::new()
                    .with_timeout(TIMEOUT)
                    .with_allow_http(true),
            )
            .build()?;
        Ok(Self {
            store: Arc::new(store),
            folder: Path::parse(folder)?,
        })
    }

    #[must_use]
    pub fn over(store: Arc<dyn ObjectStore>) -> Self {
        Self {
            store,
            folder: Path::default(),
        }
    }

    /// Durable when it returns.
    ///
    /// # Errors
    /// [`FilesError`]; the file may be there nevertheless.
    pub async fn write(&self, id: Uuid, size: Size, bytes: Vec<u8>) -> Result<(), FilesError> {
        let path = self.path(id, size);
        in_time(self.store.put(&path, bytes.into())).await?;
        Ok(())
    }

    /// `None` for a file that is not there.
    ///
    /// # Errors
    /// [`FilesError`].
    pub async fn read(&self, id: Uuid, size: Size) -> Result<Option<File>, FilesError> {
        let path = self.path(id, size);
        match in_time(self.store.get(&path)).await {
            Ok(found) => Ok(Some(file(found))),
            Err(FilesError::Store(object_store::Error::NotFound { .. })) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Removes every size. Those that are not there are passed over.
    ///
    /// # Errors
    /// [`FilesError`]; some may be gone.
    pub async fn remove(&self, id: Uuid) -> Result<(), FilesError> {
        for size in Size::ALL {
            let path = self.path(id, size);
            match in_time(self.store.delete(&path)).await {
                Ok(()) | Err(FilesError::Store(object_store::Error::NotFound { .. })) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// A folder never has more than a few thousand entries.
    fn path(&self, id: Uuid, size: Size) -> Path {
        let id = id.simple().to_string();
        let (start, _) = id.split_at(3);
        let folder = self.folder.clone().join(start).join(id.as_str());
        folder.join(format!("{}.jpg", size.as_str()))
    }
}

fn file(found: GetResult) -> File {
    File {
        length: found.meta.size,
        chunks: found
            .into_stream()
            .map(|chunk| chunk.map_err(FilesError::from))
            .boxed(),
    }
}

async fn in_time<T>(work: impl Future<Output = object_store::Result<T>>) -> Result<T, FilesError> {
    match tokio::time::timeout(TIMEOUT, work).await {
        Ok(done) => Ok(done?),
        Err(_elapsed) => Err(FilesError::TooSlow),
    }
}
