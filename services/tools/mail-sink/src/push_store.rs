//! The newest pushes, as their senders describe them.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use kernel::Clock;
use serde::{Deserialize, Serialize};

use crate::folder::Folder;

const MAX_KEPT: usize = 200;

/// Cheap to clone.
#[derive(Clone)]
pub struct PushStore {
    folder: Folder,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Push {
    pub delivery_sid: i64,
    pub member_sid: i64,
    /// `WEB`, `FCM`, `APNS`: what the member has subscribed with.
    pub kinds: Vec<String>,
    #[serde(rename = "type")]
    pub kind: String,
    pub title: String,
    pub body: String,
    /// A path of the client.
    pub link: String,
    /// A push replaces an earlier one of its tag.
    pub tag: String,
    pub urgent: bool,
}

impl PushStore {
    /// Creates the folder if it does not exist.
    ///
    /// # Errors
    /// When the folder cannot be created.
    pub fn open(folder: PathBuf, clock: Arc<dyn Clock>) -> io::Result<Self> {
        Ok(Self {
            folder: Folder::open(folder, "json", clock)?,
        })
    }

    /// # Errors
    /// When the file cannot be written.
    pub async fn save(&self, push: &Push) -> io::Result<()> {
        self.folder.save(&serde_json::to_vec(push)?).await?;
        self.folder.keep_newest(MAX_KEPT).await
    }

    /// Newest first; one of each delivery, because senders repeat themselves after a crash.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub async fn newest(&self) -> io::Result<Vec<Push>> {
        let mut pushes: Vec<Push> = Vec::new();
        for id in self.folder.ids().await? {
            let bytes = self.folder.read(&id).await.unwrap_or_default();
            let push: Option<Push> = serde_json::from_slice(&bytes).ok();
            let is_new = |push: &Push| {
                pushes
                    .iter()
                    .all(|shown| shown.delivery_sid != push.delivery_sid)
            };
            pushes.extend(push.filter(is_new));
        }
        Ok(pushes)
    }
}
