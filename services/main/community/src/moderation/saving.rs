//! Pictures of texts, saved for a moderator to look at.

use std::path::Path;

use anyhow::Context;
use futures_util::TryStreamExt;
use tokio::fs::OpenOptions;
use tokio::io::AsyncWriteExt;
use uuid::Uuid;

use crate::pictures::Size;
use crate::pictures::files::Files;
use crate::store::Store;

/// Writes a new file that its owner alone reads, and returns its length.
///
/// # Errors
/// When no text has or had the picture, its file is away, or the new one cannot be written; then
/// there is none.
pub(super) async fn save(
    store: &Store,
    files: &Files,
    (id, size): (Uuid, Size),
    to: &Path,
) -> anyhow::Result<usize> {
    store.check_was_shown(id).await?;
    let found = files.read(id, size).await?;
    let found = found.context("the picture has lost its file")?;
    // At most a few megabytes, and nothing is written before all of it is there.
    let chunks: Vec<_> = found.chunks.try_collect().await?;
    let bytes = chunks.concat();
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(to)
        .await
        .with_context(|| format!("{} cannot be made", to.display()))?;
    let written = async {
        file.write_all(&bytes).await?;
        file.sync_all().await
    };
    if let Err(error) = written.await {
        tokio::fs::remove_file(to).await?;
        return Err(error.into());
    }
    Ok(bytes.len())
}
