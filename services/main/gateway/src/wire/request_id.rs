//! Idempotency keys of requests.

use kernel::RequestId;

use crate::error::ApiError;

/// The idempotency key that was sent, or a new one.
pub(crate) fn request_id(sent: Option<&str>) -> Result<RequestId, ApiError> {
    let generated;
    let text = match sent {
        Some(text) => text,
        None => {
            generated = uuid::Uuid::new_v4().to_string();
            &generated
        }
    };
    RequestId::parse(text)
        .map_err(|_shape| ApiError::field("reqSid", "영문, 숫자, _, -로 된 8자에서 64자여야 해요"))
}
