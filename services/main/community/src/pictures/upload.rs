//! Uploading a picture. Few are decoded at a time, and a large one alone, so that memory and cores
//! are bounded whatever arrives.

use std::sync::Arc;

use kernel::MemberId;
use tokio::sync::{Semaphore, SemaphorePermit};
use uuid::Uuid;

use super::Size;
use super::files::Files;
use super::render::{self, Header, Rendered, Unusable};
use crate::error::CommunityError;
use crate::store::{NewPicture, PictureRow, Store};

/// Uploads whose bytes are held at a time: 5 MB each. Others wait.
const RECEIVING: usize = 32;
/// Megapixels that are decoded at a time.
const DECODING: u32 = 40;
/// Counted for a small picture: two at a time use all of it.
const LEAST: u32 = 20;

#[derive(Clone)]
pub struct Uploads {
    store: Store,
    files: Files,
    receiving: Arc<Semaphore>,
    decoding: Arc<Semaphore>,
}

impl Uploads {
    #[must_use]
    pub fn new(store: Store, files: Files) -> Self {
        Self {
            store,
            files,
            receiving: Arc::new(Semaphore::new(RECEIVING)),
            decoding: Arc::new(Semaphore::new(usize::try_from(DECODING).unwrap_or(1))),
        }
    }

    /// A place for one file of the member, which its receiver keeps until it is stored.
    ///
    /// # Errors
    /// [`CommunityError::UploadLimit`], and [`CommunityError::FilesUnavailable`] while the disk is
    /// full or the process ends.
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
        let rendered = self.render(bytes).await?;
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

    async fn render(&self, bytes: Vec<u8>) -> Result<Rendered, CommunityError> {
        let header = Header::read(&bytes)?;
        let megapixels = u32::try_from(header.pixels().div_ceil(1_000_000)).unwrap_or(DECODING);
        let share = megapixels.clamp(LEAST, DECODING);
        let decoding = Arc::clone(&self.decoding);
        let place = decoding.acquire_many_owned(share).await;
        let place = place.map_err(|_closed| CommunityError::FilesUnavailable)?;
        let rendering = tokio::task::spawn_blocking(move || {
            // Kept also when nobody waits for the picture any more.
            let _place = place;
            render::render(&bytes, header)
        });
        let rendered = rendering.await;
        // A file that makes a decoder panic is no picture.
        rendered
            .map_err(|_panicked| CommunityError::from(Unusable::Broken))?
            .map_err(CommunityError::from)
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
