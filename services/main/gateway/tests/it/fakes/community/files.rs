//! Pictures of a test. A file is its id and size, many times over.

use std::sync::Arc;

use futures_util::stream::{self, BoxStream, StreamExt};
use proto::community::v1::file_service_server::FileService;
use proto::community::v1::picture_part::Part;
use proto::community::v1::upload_picture_request::Part as UploadPart;
use proto::community::v1::{
    DeletePictureRequest, DeletedPicture, Picture, PictureHead, PicturePart, ReadPictureRequest,
    UploadPictureRequest,
};
use tonic::{Request, Response, Status, Streaming};

use crate::fakes::Scenario;
use crate::fakes::samples::community::picture;
use crate::requests::{LARGE_PICTURE, PICTURE};

/// Bytes of a file, in messages of 64 kB.
const LENGTH: usize = 150_000;
const LARGE: usize = 256 * MESSAGE;
const MESSAGE: usize = 65_536;

pub(crate) struct Fake(pub(crate) Arc<Scenario>);

#[tonic::async_trait]
impl FileService for Fake {
    type ReadPictureStream = BoxStream<'static, Result<PicturePart, Status>>;

    async fn upload_picture(
        &self,
        request: Request<Streaming<UploadPictureRequest>>,
    ) -> Result<Response<Picture>, Status> {
        let mut parts = request.into_inner();
        let (mut length, mut largest, mut member_id, mut is_complete) = (0, 0, 0, false);
        while let Some(part) = parts.message().await? {
            match part.part.unwrap() {
                UploadPart::MemberId(id) => member_id = id,
                UploadPart::Chunk(chunk) => {
                    length += chunk.len();
                    largest = largest.max(chunk.len());
                }
                UploadPart::Complete(complete) => is_complete = complete,
            }
        }
        let received = format!(
            "member_id: {member_id}, length: {length}, largest: {largest}, complete: {is_complete}"
        );
        self.0.enter("upload_picture", &received).await?;
        Ok(Response::new(picture(PICTURE.to_owned())))
    }

    async fn read_picture(
        &self,
        request: Request<ReadPictureRequest>,
    ) -> Result<Response<Self::ReadPictureStream>, Status> {
        let request = request.into_inner();
        self.0.enter("read_picture", &request).await?;
        let part = |part| Ok(PicturePart { part: Some(part) });
        let length = match request.id.as_str() {
            _ if request.head_only => 0,
            LARGE_PICTURE => LARGE,
            _ => LENGTH,
        };
        let head = PictureHead {
            content_type: "image/jpeg".to_owned(),
            length: i64::try_from(length).unwrap(),
        };
        let chunks = (0..length).step_by(MESSAGE).map(move |start| {
            let bytes = MESSAGE.min(length - start);
            part(Part::Chunk(vec![b'x'; bytes]))
        });
        let parts = std::iter::once(part(Part::Head(head))).chain(chunks);
        Ok(Response::new(stream::iter(parts).boxed()))
    }

    async fn delete_picture(
        &self,
        request: Request<DeletePictureRequest>,
    ) -> Result<Response<DeletedPicture>, Status> {
        self.0.enter("delete_picture", request.get_ref()).await?;
        Ok(Response::new(DeletedPicture {}))
    }
}
