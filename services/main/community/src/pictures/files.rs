//! Where the files of pictures are kept: a local folder, or a bucket of S3, Google Cloud or Azure.

mod copying;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ClientOptions, GetResult, ObjectStore, ObjectStoreExt, RetryConfig};
use uuid::Uuid;

pub use copying::Copied;

use super::Size;

/// Bounds one request to the store, with its repeats.
const TIMEOUT: Duration = Duration::from_secs(10);

#[derive(Clone, Debug)]
pub struct Files {
    store: Arc<dyn ObjectStore>,
    /// Before the names of all files.
    folder: Path,
    disk: Option<Disk>,
}

/// Where a local store keeps its files.
#[derive(Clone, Debug)]
struct Disk {
    root: PathBuf,
    /// Below which nothing more is written: others need the disk, too.
    min_free_bytes: u64,
}

/// The store is away, too slow, or refuses.
#[derive(Debug, thiserror::Error)]
pub enum FilesError {
    #[error("the file store did not answer in time")]
    TooSlow,
    #[error("{free_bytes} bytes are left on the disk of the files")]
    Full { free_bytes: u64 },
    #[error(transparent)]
    Disk(#[from] io::Error),
    #[error(transparent)]
    Store(#[from] object_store::Error),
}

/// A file that is being read.
pub struct File {
    pub length: u64,
    pub chunks: BoxStream<'static, Result<Bytes, FilesError>>,
}

impl Files {
    /// Opens `file:///a/folder`, which is made where it is missing, `s3://bucket/folder`,
    /// `gs://bucket/folder`, `az://container/folder` or
    /// `az://container@account.blob.core.windows.net/folder`. What reaches a bucket beside its name
    /// (endpoint, region, account, keys) is read from the environment as by other clients:
    /// `AWS_ENDPOINT`, `AWS_REGION`, `AWS_ACCESS_KEY_ID` …, `GOOGLE_SERVICE_ACCOUNT` …,
    /// `AZURE_STORAGE_ACCOUNT_NAME`, `AZURE_STORAGE_ACCOUNT_KEY` … A bucket is never full.
    ///
    /// # Errors
    /// When the URL is of another kind, something is missing that reaches a bucket, or the folder
    /// cannot be made.
    pub fn open(url: &str, min_free_bytes: u64) -> anyhow::Result<Self> {
        if let Some(folder) = local_folder(url) {
            std::fs::create_dir_all(&folder)
                .with_context(|| format!("the folder {} cannot be made", folder.display()))?;
            return Self::in_folder(folder, min_free_bytes);
        }
        Self::in_bucket_of(url)
    }

    /// As [`Files::open`] for what only reads: it makes nothing.
    ///
    /// # Errors
    /// Also when the folder is not there.
    pub fn open_existing(url: &str) -> anyhow::Result<Self> {
        match local_folder(url) {
            Some(folder) => Self::in_folder(folder, 0),
            None => Self::in_bucket_of(url),
        }
    }

    fn in_folder(folder: PathBuf, min_free_bytes: u64) -> anyhow::Result<Self> {
        let store = LocalFileSystem::new_with_prefix(&folder)
            .with_context(|| format!("the folder {} cannot be opened", folder.display()))?;
        Ok(Self {
            disk: Some(Disk {
                root: folder,
                min_free_bytes,
            }),
            ..Self::over(Arc::new(store.with_fsync(true)))
        })
    }

    fn in_bucket_of(url: &str) -> anyhow::Result<Self> {
        let kinds = "FILES_URL begins with file://, s3://, gs:// or az://";
        let (scheme, bucket) = url.split_once("://").context(kinds)?;
        let (name, folder) = bucket.split_once('/').unwrap_or((bucket, ""));
        if name.is_empty() {
            bail!("{url} names no bucket");
        }
        let store: Arc<dyn ObjectStore> = match scheme {
            "s3" => return Self::in_bucket(AmazonS3Builder::from_env(), bucket),
            "gs" => Arc::new(
                GoogleCloudStorageBuilder::from_env()
                    .with_url(url)
                    .with_retry(retries())
                    .with_client_options(client())
                    .build()?,
            ),
            "az" => Arc::new(
                MicrosoftAzureBuilder::from_env()
                    .with_url(url)
                    .with_retry(retries())
                    .with_client_options(client())
                    .build()?,
            ),
            _ => bail!(kinds),
        };
        Ok(Self {
            folder: Path::parse(folder)?,
            ..Self::over(store)
        })
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
            .with_retry(retries())
            .with_client_options(client())
            .build()?;
        Ok(Self {
            folder: Path::parse(folder)?,
            ..Self::over(Arc::new(store))
        })
    }

    #[must_use]
    pub fn over(store: Arc<dyn ObjectStore>) -> Self {
        Self {
            store,
            folder: Path::default(),
            disk: None,
        }
    }

    /// # Errors
    /// [`FilesError::Full`] when the disk has too little room for more files.
    pub async fn check_room(&self) -> Result<(), FilesError> {
        let Some(disk) = self.disk.clone() else {
            return Ok(());
        };
        let root = disk.root;
        let free_bytes = on_disk(move || {
            let found = rustix::fs::statvfs(&root)?;
            Ok(found.f_bavail.saturating_mul(found.f_frsize))
        });
        let free_bytes = free_bytes.await?;
        if free_bytes < disk.min_free_bytes {
            return Err(FilesError::Full { free_bytes });
        }
        Ok(())
    }

    /// Durable when it returns.
    ///
    /// # Errors
    /// [`FilesError`]; the file may be there nevertheless, or come later.
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
        if let Some(disk) = &self.disk {
            let folder = disk.root.join(self.folder_of(id).as_ref());
            return on_disk(move || remove_folder(&folder)).await;
        }
        for size in Size::ALL {
            let path = self.path(id, size);
            match in_time(self.store.delete(&path)).await {
                Ok(()) | Err(FilesError::Store(object_store::Error::NotFound { .. })) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn path(&self, id: Uuid, size: Size) -> Path {
        self.folder_of(id).join(format!("{}.jpg", size.as_str()))
    }

    /// No folder has many entries: 4,096 hold those of pictures.
    fn folder_of(&self, id: Uuid) -> Path {
        let id = id.simple().to_string();
        let (start, _) = id.split_at(3);
        self.folder.clone().join(start).join(id.as_str())
    }
}

fn retries() -> RetryConfig {
    RetryConfig {
        max_retries: 2,
        retry_timeout: TIMEOUT,
        ..RetryConfig::default()
    }
}

fn client() -> ClientOptions {
    ClientOptions::new()
        .with_timeout(TIMEOUT)
        .with_allow_http(true)
}

fn local_folder(url: &str) -> Option<PathBuf> {
    url.strip_prefix("file://").map(PathBuf::from)
}

/// A picture's own folder with all that is in it, also what a write left that a crash cut short. The
/// one above stays: files of other pictures may be on their way into it.
fn remove_folder(folder: &std::path::Path) -> io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Ok(()) => match folder.parent() {
            // Durable before the row is forgotten.
            Some(parent) => std::fs::File::open(parent)?.sync_all(),
            None => Ok(()),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

async fn on_disk<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> Result<T, FilesError> {
    let work = tokio::task::spawn_blocking(work);
    match tokio::time::timeout(TIMEOUT, work).await {
        Ok(done) => Ok(done.map_err(io::Error::other)??),
        Err(_elapsed) => Err(FilesError::TooSlow),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_names_the_store_and_the_folder_in_it() {
        let _installed = rustls::crypto::ring::default_provider().install_default();
        let azure = "MicrosoftAzure { account: seedup, container: pictures }";
        for (url, store, folder) in [
            (
                "gs://pictures/of/seedup",
                "GoogleCloudStorage(pictures)",
                "of/seedup",
            ),
            ("gs://pictures", "GoogleCloudStorage(pictures)", ""),
            ("az://pictures@seedup.blob.core.windows.net/of", azure, "of"),
            ("az://pictures@seedup.blob.core.windows.net/", azure, ""),
        ] {
            let files = Files::open(url, 0).unwrap();
            assert_eq!(files.store.to_string(), store, "{url}");
            assert_eq!(files.folder.as_ref(), folder, "{url}");
        }
        let id = Uuid::from_u128(0xabc_u128 << 116);
        let files = Files::open_existing("gs://pictures/of/seedup").unwrap();
        let path = files.path(id, Size::Thumb).to_string();
        assert!(path.starts_with("of/seedup/abc/abc0"), "{path}");
    }

    #[test]
    fn what_names_no_store_is_refused() {
        for url in [
            "",
            "/a/folder",
            "pictures",
            "gs:pictures",
            "gs://",
            "az://",
            // Not the name of an account of Azure.
            "az://pictures@seedup.example/of",
            "https://storage.example/pictures",
            "ftp://pictures",
        ] {
            assert!(Files::open(url, 0).is_err(), "{url}");
            assert!(Files::open_existing(url).is_err(), "{url}");
        }
    }
}
