//! Receives an upload and hands it on while it arrives, in messages of 64 kB.

use std::time::Duration;

use actix_multipart::{Field, Multipart, MultipartError};
use actix_web::HttpRequest;
use actix_web::error::PayloadError;
use actix_web::http::header::{self, HeaderMap};
use actix_web::web::{self, Bytes, BytesMut};
use bootstrap::deadline;
use futures_util::{Stream, StreamExt};
use proto::community::v1::UploadPictureRequest;
use proto::community::v1::upload_picture_request::Part;
use tokio::sync::mpsc;
use tokio::time::Instant;
use tokio_stream::wrappers::ReceiverStream;
use utoipa::ToSchema;

use super::UploadedPicture;
use crate::authentication::Caller;
use crate::error::{ApiError, Reason};
use crate::routes::{Reply, State};
use crate::state::AppState;

/// Of the picture itself.
const MAX_PICTURE: usize = 5 * 1024 * 1024;
/// Of the whole body: 5.1 MB.
const MAX_BODY: usize = MAX_PICTURE + 100 * 1024;
const CHUNK: usize = 64 * 1024;
/// Messages that wait for community.
const AHEAD: usize = 4;
/// What has to arrive in each second on the average, so that a trickle holds no place: the largest
/// picture arrives within the deadline of the class at little more.
const LEAST_BYTES_PER_SECOND: u32 = 32 * 1024;
/// How far a body may fall behind that, at its beginning or after any part of it, so that a phone
/// that is away holds no place either.
const GRACE: Duration = Duration::from_secs(15);

/// One field with the file of a picture.
#[derive(ToSchema)]
#[expect(dead_code, reason = "read from the stream; this describes it")]
struct UploadForm {
    /// JPEG, PNG or WebP of at most 5 MB and 40 megapixels.
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
}

/// Upload a picture. It is turned upright, freed of all metadata and made smaller.
#[utoipa::path(post, path = "/api/v1/file/upload", tag = "community",
    request_body(content = UploadForm, content_type = "multipart/form-data"),
    responses((status = 200, description = "The picture.", body = UploadedPicture)))]
pub(super) async fn upload_picture(
    state: State,
    caller: Caller,
    request: HttpRequest,
    payload: web::Payload,
) -> Reply<UploadedPicture> {
    check_headers(request.headers())?;
    let limit = deadline::remaining().unwrap_or_default();
    let receiving = async {
        let _turn = state.upload_turns.acquire(caller.member_id).await?;
        let form = Multipart::new(request.headers(), limited(payload));
        hand_on(&state, &caller, form).await
    };
    let received = tokio::time::timeout(limit, receiving).await;
    received.map_err(|_elapsed| ApiError::from(Reason::RequestTimeout))?
}

async fn hand_on(state: &AppState, caller: &Caller, form: Multipart) -> Reply<UploadedPicture> {
    let (parts, stream) = mpsc::channel(AHEAD);
    let stored = state
        .uploads
        .call(async |mut files| files.upload_picture(ReceiverStream::new(stream)).await);
    let member_id = caller.member_id.0;
    let received = async move { receive(form, member_id, &parts).await };
    let (received, stored) = tokio::join!(received, stored);
    // Whoever stops reading has a reason of its own; whatever else is wrong comes before what
    // community makes of a picture that was cut short.
    match received {
        Ok(()) | Err(Stopped::Unread) => Ok(web::Json(UploadedPicture::from(stored?))),
        Err(Stopped::Because(error)) => Err(error),
    }
}

/// Why an upload was not handed on to its end.
enum Stopped {
    /// Community has answered already.
    Unread,
    Because(ApiError),
}

async fn receive(
    mut form: Multipart,
    member_id: i64,
    parts: &mpsc::Sender<UploadPictureRequest>,
) -> Result<(), Stopped> {
    let mut pace = Pace::default();
    let field = next_field(&mut form, &mut pace).await?;
    let mut field = field.ok_or_else(malformed)?;
    send(parts, Part::MemberId(member_id)).await?;
    let mut pending = BytesMut::new();
    let mut length = 0;
    while let Some(chunk) = pace.read(field.next()).await? {
        let chunk = chunk.map_err(unreadable)?;
        pace.extend(chunk.len());
        length += chunk.len();
        if length > MAX_PICTURE {
            return Err(ApiError::from(Reason::PictureTooLarge).into());
        }
        pending.extend_from_slice(&chunk);
        while pending.len() >= CHUNK {
            let whole = pending.split_to(CHUNK);
            send(parts, Part::Chunk(whole.to_vec())).await?;
        }
    }
    drop(field);
    if next_field(&mut form, &mut pace).await?.is_some() {
        return Err(malformed());
    }
    send(parts, Part::Chunk(pending.to_vec())).await?;
    send(parts, Part::Complete(true)).await
}

async fn next_field(form: &mut Multipart, pace: &mut Pace) -> Result<Option<Field>, Stopped> {
    let field = pace.read(form.next()).await?;
    field.transpose().map_err(unreadable)
}

/// How long a body may still keep its reader waiting. What community takes for its messages does
/// not count.
struct Pace {
    left: Duration,
}

impl Pace {
    async fn read<T>(&mut self, reading: impl Future<Output = T>) -> Result<T, Stopped> {
        let begun = Instant::now();
        let read = tokio::time::timeout(self.left, reading).await;
        self.left = self.left.saturating_sub(begun.elapsed());
        read.map_err(|_elapsed| ApiError::from(Reason::RequestTimeout).into())
    }

    /// Grants the time that `bytes` may take at the least rate. What comes early buys none for what
    /// comes later.
    fn extend(&mut self, bytes: usize) {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        let granted = Duration::from_secs(1) * bytes / LEAST_BYTES_PER_SECOND;
        self.left = (self.left + granted).min(GRACE);
    }
}

impl Default for Pace {
    fn default() -> Self {
        Self { left: GRACE }
    }
}

async fn send(parts: &mpsc::Sender<UploadPictureRequest>, part: Part) -> Result<(), Stopped> {
    let message = UploadPictureRequest { part: Some(part) };
    parts.send(message).await.map_err(|_gone| Stopped::Unread)
}

fn malformed() -> Stopped {
    ApiError::field("file", "사진 하나를 보내 주세요").into()
}

fn unreadable(error: MultipartError) -> Stopped {
    if matches!(error, MultipartError::Payload(PayloadError::Overflow)) {
        ApiError::from(Reason::PictureTooLarge).into()
    } else {
        malformed()
    }
}

impl From<ApiError> for Stopped {
    fn from(error: ApiError) -> Self {
        Self::Because(error)
    }
}

fn check_headers(headers: &HeaderMap) -> Result<(), ApiError> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let kind = text(header::CONTENT_TYPE).unwrap_or_default();
    let (kind, _) = kind.split_once(';').unwrap_or((kind, ""));
    let is_form = kind.trim().eq_ignore_ascii_case("multipart/form-data");
    if !is_form || headers.contains_key(header::CONTENT_ENCODING) {
        let error = ApiError::from(Reason::UnsupportedMediaType);
        return Err(error.with_message("multipart/form-data로 보내 주세요"));
    }
    let length = text(header::CONTENT_LENGTH).and_then(|length| length.parse::<usize>().ok());
    if length.is_some_and(|length| length > MAX_BODY) {
        return Err(Reason::PictureTooLarge.into());
    }
    Ok(())
}

/// The body, which ends with an error beyond its limit.
fn limited(payload: web::Payload) -> impl Stream<Item = Result<Bytes, PayloadError>> {
    let mut length = 0;
    payload.map(move |chunk| {
        let chunk = chunk?;
        length += chunk.len();
        if length > MAX_BODY {
            return Err(PayloadError::Overflow);
        }
        Ok(chunk)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[actix_web::test]
    async fn a_body_may_wait_as_long_as_what_arrived_last_allows() {
        let mut pace = Pace::default();
        assert_eq!(pace.left, GRACE);
        pace.extend(MAX_PICTURE);
        assert_eq!(pace.left, GRACE);
        pace.left = Duration::from_secs(3);
        pace.extend(usize::try_from(LEAST_BYTES_PER_SECOND / 2).unwrap());
        assert_eq!(pace.left, Duration::from_millis(3_500));
        pace.left = Duration::from_millis(300);
        let sleep = |millis| tokio::time::sleep(Duration::from_millis(millis));
        assert!(pace.read(sleep(200)).await.is_ok());
        let late = pace.read(sleep(200)).await;
        assert!(matches!(late, Err(Stopped::Because(_))));
    }
}
