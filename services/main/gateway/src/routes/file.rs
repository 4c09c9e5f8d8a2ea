//! Pictures of posts and comments: uploading, deleting, and the files themselves.

mod read;
mod upload;

use actix_web::web;
use proto::community::v1 as community;
use serde::{Deserialize, Serialize};
use utoipa::{OpenApi, ToSchema};

use crate::authentication::Caller;
use crate::endpoint::{Class, Endpoint, Subject};
use crate::extract::Json;
use crate::routes::{Reply, State};
use crate::wire::code::text_parameter;

#[derive(OpenApi)]
#[openapi(paths(upload::upload_picture, delete_picture, read::read_file))]
pub(crate) struct Document;

pub(crate) fn endpoints() -> Vec<Endpoint> {
    vec![
        Endpoint::post(
            "/api/v1/file/upload",
            Subject::Owner,
            upload::upload_picture,
        )
        .class(Class::Upload)
        .extension(),
        Endpoint::post("/api/v1/file/delete", Subject::Owner, delete_picture).class(Class::Read),
        Endpoint::get("/files/{picture}/{size}", Subject::Public, read::read_file)
            .serves_files()
            .extension(),
    ]
}

/// A picture that is in no text yet.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct UploadedPicture {
    /// At most 1,920 pixels long.
    url: String,
    /// At most 446 pixels wide.
    thumb_url: String,
    /// Of the larger one.
    width: i32,
    height: i32,
    /// Its average colour, as `#rrggbb`.
    placeholder: String,
}

/// A picture of a post or comment.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Picture {
    url: String,
    thumb_url: String,
    /// Of the larger one.
    width: i32,
    height: i32,
    /// Its average colour, as `#rrggbb`.
    placeholder: String,
    /// What it shows, in the author's words; empty for nothing.
    alt: String,
}

text_parameter!(
    /// Its `url`.
    PictureUrl(max_length = 300),
    "사진 주소가 너무 길어요",
    |text| text.chars().count() <= 300
);

/// Which picture.
#[derive(Deserialize, ToSchema)]
struct PictureToDelete {
    #[schema(inline)]
    target_image: PictureUrl,
}

#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DeletedPicture {
    target_image: String,
}

/// Delete a picture of one's own. A post or comment that has it loses it.
#[utoipa::path(post, path = "/api/v1/file/delete", tag = "community",
    request_body = PictureToDelete,
    responses((status = 200, description = "It is gone.", body = DeletedPicture)))]
async fn delete_picture(
    state: State,
    caller: Caller,
    Json(body): Json<PictureToDelete>,
) -> Reply<DeletedPicture> {
    let target_image = String::from(body.target_image);
    let request = community::DeletePictureRequest {
        member_id: caller.member_id.0,
        id: id_of_url(&target_image).to_owned(),
    };
    // Idempotent: it stays deleted.
    state
        .files
        .call_idempotent(async |mut files| files.delete_picture(request.clone()).await)
        .await?;
    Ok(web::Json(DeletedPicture { target_image }))
}

/// The id in a picture's URL. Of anything else all of it, which is no id of any picture.
pub(crate) fn id_of_url(url: &str) -> &str {
    let parts = url
        .strip_prefix("/files/")
        .and_then(|rest| rest.split_once('/'));
    match parts {
        Some((id, size)) if size == FULL || size == THUMB => id,
        Some(_) | None => url,
    }
}

fn url(id: &str, size: &str) -> String {
    format!("/files/{id}/{size}")
}

/// The sizes in URLs: the longest side of one, the largest width of the other.
const FULL: &str = "1920";
const THUMB: &str = "446";

impl From<community::Picture> for UploadedPicture {
    fn from(picture: community::Picture) -> Self {
        Self {
            url: url(&picture.id, FULL),
            thumb_url: url(&picture.id, THUMB),
            width: picture.width,
            height: picture.height,
            placeholder: picture.placeholder,
        }
    }
}

impl From<community::Picture> for Picture {
    fn from(picture: community::Picture) -> Self {
        Self {
            url: url(&picture.id, FULL),
            thumb_url: url(&picture.id, THUMB),
            width: picture.width,
            height: picture.height,
            placeholder: picture.placeholder,
            alt: picture.alt_text,
        }
    }
}

impl Picture {
    pub(crate) fn url(&self) -> &str {
        &self.url
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_urls_of_pictures_name_one() {
        assert_eq!(id_of_url("/files/abc/1920"), "abc");
        assert_eq!(id_of_url("/files/abc/446"), "abc");
        for other in [
            "",
            "abc",
            "/files/abc",
            "/files/abc/1",
            "/files/abc/1920/x",
            "https://evil.example/files/abc/1920",
            "/other/abc/1920",
            "javascript:alert(1)",
        ] {
            assert_eq!(id_of_url(other), other);
        }
    }
}
