//! The mails, as files.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use kernel::Clock;
use mail_parser::{Message, MessageParser};
use serde::Serialize;

use crate::folder::Folder;

/// Maximum length of the list.
const MAX_LISTED: usize = 200;

/// Cheap to clone.
#[derive(Clone)]
pub struct MailStore {
    folder: Folder,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mail {
    /// File name without its extension.
    pub id: String,
    /// Addresses of the recipients.
    pub to: Vec<String>,
    pub subject: String,
    pub text: String,
    pub html: String,
}

impl MailStore {
    /// Creates the folder if it does not exist.
    ///
    /// # Errors
    /// When the folder cannot be created.
    pub fn open(folder: PathBuf, clock: Arc<dyn Clock>) -> io::Result<Self> {
        Ok(Self {
            folder: Folder::open(folder, "eml", clock)?,
        })
    }

    /// Stores a mail unchanged.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub async fn save(&self, bytes: &[u8]) -> io::Result<()> {
        self.folder.save(bytes).await
    }

    /// Newest first.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub async fn newest(&self) -> io::Result<Vec<Mail>> {
        let mut mails = Vec::new();
        for id in self.folder.ids().await?.into_iter().take(MAX_LISTED) {
            mails.extend(self.mail(&id).await);
        }
        Ok(mails)
    }

    /// `None` when there is no such mail or it cannot be parsed.
    pub async fn mail(&self, id: &str) -> Option<Mail> {
        let bytes = self.folder.read(id).await?;
        let message = MessageParser::default().parse(&bytes)?;
        Some(read(id, &message))
    }
}

fn read(id: &str, message: &Message<'_>) -> Mail {
    let addresses = message.to().map(|to| to.iter());
    Mail {
        id: id.to_owned(),
        to: addresses
            .into_iter()
            .flatten()
            .filter_map(|address| address.address())
            .map(str::to_owned)
            .collect(),
        subject: message.subject().unwrap_or_default().to_owned(),
        text: message.body_text(0).unwrap_or_default().into_owned(),
        html: message.body_html(0).unwrap_or_default().into_owned(),
    }
}
