//! Chunked bodies that nobody read to their end.
//!
//! The HTTP server reads on when a request's body was dropped before its end, so that the
//! connection can be used again, and waits for that end for as long as the client likes. While
//! somebody still holds the body it closes the connection instead, soon after the answer. So the
//! answer itself holds the body until it has been sent.

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

/// The body of a request, shared between who reads it and who answers.
#[derive(Clone)]
pub struct Unread(Rc<RefCell<Payload>>);

impl Unread {
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

impl Stream for Unread {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut *self.0.borrow_mut()).poll_next(context)
    }
}

/// An answer that holds the request's body.
pub struct Holding {
    answer: BoxBody,
    _unread: Unread,
}

impl Holding {
    /// Holds `unread` until `answer` was sent.
    #[must_use]
    pub fn new(answer: BoxBody, unread: Unread) -> Self {
        Self {
            answer,
            _unread: unread,
        }
    }
}

impl MessageBody for Holding {
    type Error = Box<dyn std::error::Error>;

    fn size(&self) -> BodySize {
        self.answer.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        self.answer.as_pin_mut().poll_next(context)
    }
}
