//! A folder of mail files. File names start with the time of arrival, so they sort by it.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use kernel::Clock;
use mail_parser::{Message, MessageParser};
use serde::Serialize;
use uuid::Uuid;

/// Maximum length of the list.
const MAX_LISTED: usize = 200;

/// Cheap to clone.
#[derive(Clone)]
pub struct MailStore {
    folder: Arc<PathBuf>,
    clock: Arc<dyn Clock>,
}

/// A parsed mail.
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
        std::fs::create_dir_all(&folder)?;
        Ok(Self {
            folder: Arc::new(folder),
            clock,
        })
    }

    /// Stores a mail unchanged.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub async fn save(&self, bytes: &[u8]) -> io::Result<()> {
        let arrived = self.clock.now().format("%Y%m%dT%H%M%S%6f");
        let id = format!("{arrived}-{}", Uuid::new_v4().simple());
        let unfinished = self.folder.join(format!("{id}.part"));
        tokio::fs::write(&unfinished, bytes).await?;
        tokio::fs::rename(unfinished, self.folder.join(format!("{id}.eml"))).await
    }

    /// Newest first.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub async fn newest(&self) -> io::Result<Vec<Mail>> {
        let mut names = Vec::new();
        let mut entries = tokio::fs::read_dir(&*self.folder).await?;
        while let Some(entry) = entries.next_entry().await? {
            let name = entry.file_name();
            if let Some(id) = name.to_str().and_then(|name| name.strip_suffix(".eml")) {
                names.push(id.to_owned());
            }
        }
        names.sort_unstable_by(|one, other| other.cmp(one));
        let mut mails = Vec::new();
        for id in names.into_iter().take(MAX_LISTED) {
            mails.extend(self.mail(&id).await);
        }
        Ok(mails)
    }

    /// `None` when there is no such mail or it cannot be parsed.
    pub async fn mail(&self, id: &str) -> Option<Mail> {
        let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
        if !id.chars().all(plain) {
            return None;
        }
        let path = self.folder.join(format!("{id}.eml"));
        let bytes = tokio::fs::read(path).await.ok()?;
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
