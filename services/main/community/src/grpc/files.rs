//! Uploading, reading and deleting pictures.

use bootstrap::grpc::Reply;
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt;
use proto::community::v1 as wire;
use proto::community::v1::file_service_server::FileService;
use proto::community::v1::picture_part::Part;
use proto::community::v1::upload_picture_request::Part as UploadPart;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status, Streaming};
use uuid::Uuid;

use super::{Service, member, picture};
use crate::error::CommunityError;
use crate::pictures::files::{File, FilesError};
use crate::pictures::{CONTENT_TYPE, MAX_BYTES, Size};

/// Bytes of a message in both directions.
const CHUNK: usize = 64 * 1024;
/// Messages of a file that are ahead of its reader.
const AHEAD: usize = 4;

#[tonic::async_trait]
impl FileService for Service {
    type ReadPictureStream = ReceiverStream<Result<wire::PicturePart, Status>>;

    async fn upload_picture(
        &self,
        request: Request<Streaming<wire::UploadPictureRequest>>,
    ) -> Reply<wire::Picture> {
        let mut parts = request.into_inner();
        let Some(UploadPart::MemberId(id)) = next(&mut parts).await? else {
            return Err(CommunityError::Malformed.into());
        };
        let member = member(id)?;
        let _place = self.uploads.place(member).await?;
        let bytes = receive(&mut parts).await?;
        let stored = self.uploads.store(member, bytes).await?;
        Ok(Response::new(picture(stored)))
    }

    async fn read_picture(
        &self,
        request: Request<wire::ReadPictureRequest>,
    ) -> Reply<Self::ReadPictureStream> {
        let request = request.into_inner();
        let id = Uuid::try_parse(&request.id).ok();
        let id = id.ok_or(CommunityError::PictureNotFound)?;
        let size = match request.size() {
            wire::PictureSize::Full => Size::Full,
            wire::PictureSize::Thumb => Size::Thumb,
            wire::PictureSize::Unspecified => return Err(CommunityError::PictureNotFound.into()),
        };
        self.store.check_shown(id).await?;
        let file = if request.head_only {
            None
        } else {
            let found = self
                .files
                .read(id, size)
                .await
                .map_err(CommunityError::from)?;
            let file = found.ok_or_else(|| {
                tracing::error!(%id, "A picture has lost its file");
                CommunityError::PictureNotFound
            })?;
            Some(file)
        };
        let (parts, stream) = mpsc::channel(AHEAD);
        tokio::spawn(send(file, parts));
        Ok(Response::new(ReceiverStream::new(stream)))
    }

    async fn delete_picture(
        &self,
        request: Request<wire::DeletePictureRequest>,
    ) -> Reply<wire::DeletedPicture> {
        let request = request.into_inner();
        let member = member(request.member_id)?;
        let id = Uuid::try_parse(&request.id).ok();
        let id = id.ok_or(CommunityError::PictureNotFound)?;
        self.store.delete_picture(member, id).await?;
        Ok(Response::new(wire::DeletedPicture {}))
    }
}

/// The bytes of a picture that came to its end.
async fn receive(parts: &mut Streaming<wire::UploadPictureRequest>) -> Result<Vec<u8>, Status> {
    let mut bytes = Vec::new();
    while let Some(part) = next(parts).await? {
        match part {
            UploadPart::Chunk(chunk) if bytes.len() + chunk.len() > MAX_BYTES => {
                return Err(CommunityError::PictureTooLarge.into());
            }
            UploadPart::Chunk(chunk) => bytes.extend_from_slice(&chunk),
            UploadPart::Complete(_) => return Ok(bytes),
            UploadPart::MemberId(_) => break,
        }
    }
    Err(CommunityError::Malformed.into())
}

async fn next(
    parts: &mut Streaming<wire::UploadPictureRequest>,
) -> Result<Option<UploadPart>, Status> {
    Ok(match parts.message().await? {
        Some(message) => Some(message.part.ok_or(CommunityError::Malformed)?),
        None => None,
    })
}

/// Sends until the reader goes away.
async fn send(file: Option<File>, parts: mpsc::Sender<Result<wire::PicturePart, Status>>) {
    let length = file.as_ref().map_or(0, |file| file.length);
    let head = wire::PictureHead {
        content_type: CONTENT_TYPE.to_owned(),
        length: i64::try_from(length).unwrap_or(i64::MAX),
    };
    if parts.send(Ok(part(Part::Head(head)))).await.is_err() {
        return;
    }
    let Some(File { mut chunks, .. }) = file else {
        return;
    };
    let mut pending = BytesMut::new();
    while let Some(chunk) = chunks.next().await {
        match chunk {
            Ok(chunk) => pending.extend_from_slice(&chunk),
            Err(error) => {
                fail(&parts, error).await;
                return;
            }
        }
        while pending.len() >= CHUNK {
            let whole = pending.split_to(CHUNK).freeze();
            if parts.send(Ok(chunk_of(whole))).await.is_err() {
                return;
            }
        }
    }
    if !pending.is_empty() {
        let _gone = parts.send(Ok(chunk_of(pending.freeze()))).await;
    }
}

async fn fail(parts: &mpsc::Sender<Result<wire::PicturePart, Status>>, error: FilesError) {
    let status = Status::from(CommunityError::from(error));
    let _gone = parts.send(Err(status)).await;
}

fn chunk_of(bytes: Bytes) -> wire::PicturePart {
    part(Part::Chunk(bytes.to_vec()))
}

fn part(part: Part) -> wire::PicturePart {
    wire::PicturePart { part: Some(part) }
}
