//! Serves the files of pictures as they come from community. Their bytes never change, so browsers
//! keep them for a year; whoever asks again is told whether they are still shown.

use std::io;
use std::time::Duration;

use actix_web::body::SizedStream;
use actix_web::http::header::{self, ContentEncoding, HeaderValue};
use actix_web::web::{self, Bytes};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::{Stream, StreamExt, stream};
use proto::community::v1 as community;
use proto::community::v1::picture_part::Part;
use proto::convert::InvalidField;
use serde::Deserialize;
use tonic::Streaming;
use utoipa::IntoParams;

use super::{FULL, THUMB};
use crate::error::{ApiError, Reason};
use crate::extract::Path;
use crate::state::AppState;

const FOREVER: HeaderValue = HeaderValue::from_static("private, max-age=31536000, immutable");
const ID_DIGITS: usize = 32;
/// Between two messages of community.
const MAX_SILENCE: Duration = Duration::from_secs(10);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct FilePath {
    /// 32 hexadecimal digits.
    picture: String,
    /// `1920` or `446`: pixels.
    size: String,
}

/// The file of a picture.
#[utoipa::path(get, path = "/files/{picture}/{size}", tag = "community",
    params(FilePath),
    responses(
        (status = 200, description = "The file.", content_type = "image/jpeg", body = [u8]),
        (status = 304, description = "The caller has it."),
    ))]
pub(super) async fn read_file(
    state: web::Data<AppState>,
    request: HttpRequest,
    Path(path): Path<FilePath>,
) -> Result<HttpResponse, ApiError> {
    let size = match path.size.as_str() {
        FULL => community::PictureSize::Full,
        THUMB => community::PictureSize::Thumb,
        _ => return Err(Reason::PictureNotFound.into()),
    };
    if !is_id(&path.picture) {
        return Err(Reason::PictureNotFound.into());
    }
    let tag = format!("\"{}-{}\"", path.picture, path.size);
    let is_known = has_tag(&request, &tag);
    let read = community::ReadPictureRequest {
        id: path.picture,
        size: size.into(),
        head_only: is_known,
    };
    let mut parts = state
        .files
        .call_idempotent(async |mut files| files.read_picture(read.clone()).await)
        .await?;
    let Some(Part::Head(head)) = parts.message().await?.and_then(|message| message.part) else {
        return Err(InvalidField("head").into());
    };
    let mut response = if is_known {
        HttpResponse::NotModified()
    } else {
        HttpResponse::Ok()
    };
    response
        .insert_header((header::CACHE_CONTROL, FOREVER))
        .insert_header((header::ETAG, tag));
    if is_known {
        return Ok(response.finish());
    }
    let length = u64::try_from(head.length).map_err(|_negative| InvalidField("length"))?;
    // A picture is compressed already.
    response
        .insert_header((header::CONTENT_TYPE, head.content_type))
        .insert_header(ContentEncoding::Identity);
    Ok(response.body(SizedStream::new(length, chunks(parts))))
}

/// Only an id may become part of a header.
fn is_id(picture: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    picture.len() == ID_DIGITS && picture.bytes().all(is_digit)
}

fn has_tag(request: &HttpRequest, tag: &str) -> bool {
    let given = request.headers().get_all(header::IF_NONE_MATCH);
    let mut tags = given
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(|value| value.trim().trim_start_matches("W/"));
    tags.any(|value| value == tag || value == "*")
}

/// Ends with an error, and so before its announced length, when community does.
fn chunks(parts: Streaming<community::PicturePart>) -> impl Stream<Item = io::Result<Bytes>> {
    stream::try_unfold(parts, |mut parts| async move {
        let next = tokio::time::timeout(MAX_SILENCE, parts.message()).await?;
        let next = next.map_err(io::Error::other)?;
        Ok(match next.and_then(|message| message.part) {
            Some(Part::Chunk(bytes)) => Some((Bytes::from(bytes), parts)),
            Some(Part::Head(_)) | None => None,
        })
    })
    .boxed_local()
}
