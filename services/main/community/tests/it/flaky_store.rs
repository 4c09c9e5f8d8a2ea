//! Files in memory, which a test can lose, slow down or refuse.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use async_trait::async_trait;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, ObjectStoreExt, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use parking_lot::Mutex;
use tokio::sync::Notify;

#[derive(Debug, Default)]
pub(crate) struct FlakyStore {
    files: Arc<InMemory>,
    /// Every request fails.
    pub(crate) is_away: AtomicBool,
    /// Every request waits for ever.
    pub(crate) hangs: AtomicBool,
    /// Writes that still succeed before all fail; 0 for no such limit.
    pub(crate) writes_left: AtomicUsize,
    /// Writes do not answer, and are done when this is told.
    pub(crate) late: Mutex<Option<Arc<Notify>>>,
    /// A part of the paths that cannot be removed; empty for none.
    pub(crate) stuck: Mutex<String>,
}

impl FlakyStore {
    pub(crate) async fn count(&self) -> usize {
        self.files.list(None).count().await
    }

    async fn answer(&self) -> Result<()> {
        if self.hangs.load(Ordering::Relaxed) {
            std::future::pending::<()>().await;
        }
        if self.is_away.load(Ordering::Relaxed) {
            return Err(away());
        }
        Ok(())
    }
}

fn away() -> Error {
    Error::Generic {
        store: "flaky",
        source: "it is away".into(),
    }
}

impl fmt::Display for FlakyStore {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("flaky")
    }
}

#[async_trait]
impl ObjectStore for FlakyStore {
    async fn put_opts(
        &self,
        location: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        self.answer().await?;
        let late = self.late.lock().clone();
        if let Some(late) = late {
            let (files, location) = (Arc::clone(&self.files), location.clone());
            tokio::spawn(async move {
                late.notified().await;
                files.put_opts(&location, payload, options).await
            });
            return std::future::pending().await;
        }
        let done = self.files.put_opts(location, payload, options).await?;
        if self.writes_left.load(Ordering::Relaxed) > 0
            && self.writes_left.fetch_sub(1, Ordering::Relaxed) == 1
        {
            self.is_away.store(true, Ordering::Relaxed);
        }
        Ok(done)
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.files.put_multipart_opts(location, options).await
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        self.answer().await?;
        self.files.get_opts(location, options).await
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        if self.is_away.load(Ordering::Relaxed) {
            return locations.map(|_path| Err(away())).boxed();
        }
        let stuck = self.stuck.lock().clone();
        let refused = locations.map(move |path| {
            let path = path?;
            let is_stuck = !stuck.is_empty() && path.as_ref().contains(&stuck);
            if is_stuck { Err(away()) } else { Ok(path) }
        });
        let files = Arc::clone(&self.files);
        refused
            .and_then(move |path| {
                let files = Arc::clone(&files);
                async move { files.delete(&path).await.map(|()| path) }
            })
            .boxed()
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.files.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.files.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.files.copy_opts(from, to, options).await
    }
}
