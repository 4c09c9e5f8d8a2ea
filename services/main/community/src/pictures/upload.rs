//! Uploading a picture.

use std::io;
use std::sync::Arc;

use kernel::MemberId;
use tokio::sync::{Semaphore, SemaphorePermit};
use uuid::Uuid;

use super::Size;
use super::decoding::Decoders;
use super::files::Files;
use super::render::Rendered;
use crate::error::CommunityError;
use crate::store::{NewPicture, PictureRow, Store};

/// Uploads whose bytes are held at a time: 5 MB each. Others wait.
pub const RECEIVING: usize = 32;

#[derive(Clone)]
pub struct Uploads {
    store: Store,
    files: Files,
    receiving: Arc<Semaphore>,
    decoders: Decoders,
}

impl Uploads {
    /// # Errors
    /// When the threads that decode cannot be started.
    pub fn new(store: Store, files: Files) -> io::Result<Self> {
        Ok(Self {
            store,
            files,
            receiving: Arc::new(Semaphore::new(RECEIVING)),
            decoders: Decoders::start()?,
        })
    }

    /// A place for one file of the member, which its receiver keeps until it is stored.
    ///
    /// # Errors
    /// Those of a member who may not write, [`CommunityError::UploadLimit`], and
    /// [`CommunityError::FilesUnavailable`] while the disk is full or the process ends.
    pub async fn place(&self, member: MemberId) -> Result<SemaphorePermit<'_>, CommunityError> {
        let place = self.receiving.acquire().await;
        let place = place.map_err(|_closed| CommunityError::FilesUnavailable)?;
        self.files.check_room().await?;
        self.store.count_upload(member).await?;
        Ok(place)
    }

    /// Stores a picture that is in no text yet.
    ///
    /// # Errors
    /// The reasons for which a picture is not taken, and [`CommunityError::FilesUnavailable`]; then
    /// nothing is left that anybody sees.
    pub async fn store(
        &self,
        member: MemberId,
        bytes: Vec<u8>,
    ) -> Result<PictureRow, CommunityError> {
        let rendered = self.decoders.render(bytes).await?;
        let new = NewPicture {
            id: Uuid::new_v4(),
            member,
            width: side(rendered.width),
            height: side(rendered.height),
            placeholder: rendered.placeholder.clone(),
        };
        // The row first: whatever fails from here on, the files are removed with it.
        self.store.begin_picture(&new).await?;
        if let Err(error) = self.write(new.id, rendered).await {
            tracing::warn!(%error, "A picture could not be stored");
            self.store.give_up_picture(new.id).await?;
            return Err(CommunityError::FilesUnavailable);
        }
        self.store.finish_picture(new.id).await?;
        metrics::counter!("community_pictures_total").increment(1);
        Ok(PictureRow {
            id: new.id,
            width: new.width,
            height: new.height,
            placeholder: new.placeholder,
            alt_text: String::new(),
        })
    }

    async fn write(&self, id: Uuid, rendered: Rendered) -> Result<(), super::files::FilesError> {
        let (full, thumb) = tokio::join!(
            self.files.write(id, Size::Full, rendered.full),
            self.files.write(id, Size::Thumb, rendered.thumb)
        );
        full.and(thumb)
    }
}

fn side(pixels: u32) -> i32 {
    i32::try_from(pixels).unwrap_or(i32::MAX)
}
