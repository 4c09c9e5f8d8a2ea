//! Path and query parameters, read into types of their own; what does not fit is a 400 that names
//! the place.

use std::future::{Ready, ready};

use actix_web::dev::Payload;
use actix_web::error::QueryPayloadError;
use actix_web::{FromRequest, HttpRequest, web};
use futures_util::FutureExt;
use serde::de::DeserializeOwned;

use crate::body::sentence;
use crate::error::ApiError;

/// The parameters of the path.
pub(crate) struct Path<T>(pub(crate) T);

impl<T: DeserializeOwned + 'static> FromRequest for Path<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let parsed = web::Path::<T>::from_request(request, payload).now_or_never();
        ready(match parsed {
            Some(Ok(parameters)) => Ok(Self(parameters.into_inner())),
            Some(Err(error)) => {
                let text = error.to_string();
                let text = text.strip_prefix("Path deserialize error: ");
                Err(ApiError::field("path", sentence(text.unwrap_or_default())))
            }
            None => Err(ApiError::field("path", sentence(""))),
        })
    }
}

/// The parameters of the query.
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest for Query<T> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _payload: &mut Payload) -> Self::Future {
        let text = match web::Query::<T>::from_query(request.query_string()) {
            Ok(parameters) => return ready(Ok(Self(parameters.into_inner()))),
            Err(QueryPayloadError::Deserialize(error)) => error.to_string(),
            Err(_unknown) => String::new(),
        };
        ready(Err(ApiError::field("query", sentence(&text))))
    }
}
