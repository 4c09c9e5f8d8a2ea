//! Keeps the HTTP server from draining chunked bodies that nobody read to their end.
//!
//! When the body of a request was dropped before its end, the server drains it to reuse the
//! connection, and waits for the client as long as that takes. While the body is still held it closes
//! the connection soon after the response instead. So the response holds the body until it is sent.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use actix_web::HttpMessage;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest};
use actix_web::error::PayloadError;
use actix_web::http::header;
use actix_web::web::Bytes;
use futures_util::Stream;

/// The body of a request, shared by the handler and the response.
#[derive(Clone)]
pub struct UnreadBody(Rc<RefCell<Payload>>);

impl UnreadBody {
    /// Takes a share of the body of `request` if it is chunked.
    #[must_use]
    pub fn share(request: &mut ServiceRequest) -> Option<Self> {
        if !request.headers().contains_key(header::TRANSFER_ENCODING) {
            return None;
        }
        let shared = Self(Rc::new(RefCell::new(request.take_payload())));
        request.set_payload(Payload::Stream {
            payload: Box::pin(shared.clone()),
        });
        Some(shared)
    }
}

impl Stream for UnreadBody {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut *self.0.borrow_mut()).poll_next(context)
    }
}

/// The body of a response that holds the request's body until it is sent.
pub struct HoldBody {
    response: BoxBody,
    _request: UnreadBody,
}

impl HoldBody {
    #[must_use]
    pub fn new(response: BoxBody, request: UnreadBody) -> Self {
        Self {
            response,
            _request: request,
        }
    }
}

impl MessageBody for HoldBody {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        self.response.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        self.response.as_pin_mut().poll_next(context)
    }
}
