//! Calls of the file service.

use proto::community::v1::picture_part::Part as ReadPart;
use proto::community::v1::upload_picture_request::Part;
use proto::community::v1::{
    CreateCommentRequest, CreatePostRequest, DeletePictureRequest, Picture, PictureSize,
    ReadPictureRequest, UploadPictureRequest,
};
use tonic::{Response, Status};

use crate::made_pictures::jpeg;
use crate::world::{World, new_comment, new_post};

impl World {
    pub(crate) async fn upload(&self, member: i64, bytes: &[u8]) -> Result<Picture, Status> {
        let mut parts = vec![Part::MemberId(member)];
        parts.extend(bytes.chunks(65_536).map(|part| Part::Chunk(part.to_vec())));
        parts.push(Part::Complete(true));
        self.upload_parts(parts).await
    }

    pub(crate) async fn upload_parts(&self, parts: Vec<Part>) -> Result<Picture, Status> {
        let messages = parts
            .into_iter()
            .map(|part| UploadPictureRequest { part: Some(part) });
        let messages = futures_util::stream::iter(messages.collect::<Vec<_>>());
        let uploaded = self.pictures.clone().upload_picture(messages).await;
        uploaded.map(Response::into_inner)
    }

    /// One that can be used.
    pub(crate) async fn picture(&self, member: i64) -> String {
        self.upload(member, &jpeg(60, 40)).await.unwrap().id
    }

    pub(crate) async fn file(&self, id: &str, size: PictureSize) -> Result<Vec<u8>, Status> {
        let request = ReadPictureRequest {
            id: id.to_owned(),
            size: size.into(),
            head_only: false,
        };
        let mut parts = self
            .pictures
            .clone()
            .read_picture(request)
            .await?
            .into_inner();
        let mut length = None;
        let mut bytes = Vec::new();
        while let Some(part) = parts.message().await? {
            match part.part.unwrap() {
                ReadPart::Head(head) => {
                    assert_eq!(head.content_type, "image/jpeg");
                    assert_eq!(length.replace(head.length), None);
                }
                ReadPart::Chunk(chunk) => {
                    assert!(chunk.len() <= 65_536);
                    bytes.extend(chunk);
                }
            }
        }
        assert_eq!(length, Some(i64::try_from(bytes.len()).unwrap()));
        Ok(bytes)
    }

    pub(crate) async fn is_shown(&self, id: &str) -> bool {
        let head = ReadPictureRequest {
            id: id.to_owned(),
            size: PictureSize::Thumb.into(),
            head_only: true,
        };
        let head = self.pictures.clone().read_picture(head).await;
        let is_shown = head.is_ok();
        let whole = self.file(id, PictureSize::Full).await;
        assert_eq!(whole.is_ok(), is_shown);
        is_shown
    }

    pub(crate) async fn delete_picture(&self, member: i64, id: &str) -> Result<(), Status> {
        let request = DeletePictureRequest {
            member_id: member,
            id: id.to_owned(),
        };
        self.pictures
            .clone()
            .delete_picture(request)
            .await
            .map(drop)
    }
}

pub(crate) fn post_with(member: i64, content: &str, images: &[&str]) -> CreatePostRequest {
    CreatePostRequest {
        images: images.iter().map(|id| (*id).to_owned()).collect(),
        ..new_post(member, content)
    }
}

pub(crate) fn comment_with(member: i64, post: i64, images: &[&str]) -> CreateCommentRequest {
    CreateCommentRequest {
        images: images.iter().map(|id| (*id).to_owned()).collect(),
        ..new_comment(member, post, "사진이 있는 댓글")
    }
}
