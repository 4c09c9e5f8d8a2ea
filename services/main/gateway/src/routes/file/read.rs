//! Serves the files of pictures as they come from community. Their bytes never change, so browsers
//! keep them for a year; whoever asks again is told whether they are still shown.

use std::io;
use std::time::Duration;

use actix_web::body::SizedStream;
use actix_web::http::header::{self, ContentEncoding, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, rt};
use bootstrap::deadline;
use futures_util::{Stream, StreamExt, stream};
use proto::community::v1 as community;
use proto::community::v1::picture_part::Part;
use proto::convert::InvalidField;
use serde::Deserialize;
use tokio::sync::mpsc;
use tonic::Streaming;
use utoipa::IntoParams;

use super::{FULL, THUMB};
use crate::error::{ApiError, Reason};
use crate::extract::Path;
use crate::routes::State;

const FOREVER: HeaderValue = HeaderValue::from_static("private, max-age=31536000, immutable");
const ID_DIGITS: usize = 32;
/// Between two messages of community, and until a client has read one.
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
    state: State,
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
    let left = deadline::remaining().unwrap_or(MAX_SILENCE);
    let first = tokio::time::timeout(left, parts.message()).await;
    let first = first.map_err(|_elapsed| ApiError::from(Reason::Deadline))??;
    let Some(Part::Head(head)) = first.and_then(|message| message.part) else {
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
    Ok(response.body(SizedStream::new(length, chunks(parts, length))))
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

/// The `length` bytes of a file. Ends with an error, and so before its announced length, when community
/// does, and for a client that reads nothing for too long: a task of its own reads on, because a body is
/// not even asked for more while its client does not read.
fn chunks(
    parts: Streaming<community::PicturePart>,
    length: u64,
) -> impl Stream<Item = io::Result<Bytes>> {
    let (sender, receiver) = mpsc::channel(1);
    rt::spawn(hand_on(parts, sender));
    stream::try_unfold((receiver, length), |(mut receiver, left)| async move {
        let Some(chunk) = receiver.recv().await else {
            return if left == 0 {
                Ok(None)
            } else {
                Err(io::Error::from(io::ErrorKind::UnexpectedEof))
            };
        };
        let read = u64::try_from(chunk.len()).unwrap_or(u64::MAX);
        Ok(Some((chunk, (receiver, left.saturating_sub(read)))))
    })
    .boxed_local()
}

/// Until the end of the file, or until nothing moves.
async fn hand_on(mut parts: Streaming<community::PicturePart>, sender: mpsc::Sender<Bytes>) {
    loop {
        let next = tokio::time::timeout(MAX_SILENCE, parts.message()).await;
        let Ok(Ok(Some(community::PicturePart {
            part: Some(Part::Chunk(bytes)),
        }))) = next
        else {
            return;
        };
        let sent = sender.send_timeout(bytes.into(), MAX_SILENCE).await;
        if sent.is_err() {
            return;
        }
    }
}
