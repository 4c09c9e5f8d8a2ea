//! Answers to requests with a retry key.

use actix_web::HttpResponse;
use serde::Serialize;

use crate::error::REPLAYED;

/// 200, marked where it is the stored reply of an earlier request.
pub(super) fn reply(is_replayed: bool, body: impl Serialize) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    if is_replayed {
        response.insert_header((REPLAYED, "true"));
    }
    response.json(body)
}
